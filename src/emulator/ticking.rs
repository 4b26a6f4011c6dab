//! What a clock shows between two readings of a recording: one second after the other.
//!
//! In: a reading and the one after it. Out: the seconds shown between them, each with its tick.
//! Never: a second that contradicts the readings; a recording has them every few seconds, with
//! delays, and its fractions of a second are not known.

use std::cmp::Ordering;

use super::recording::dial;
use crate::events::{ClockReading, Lever};
use crate::tick::{Span, Tick};

const SECOND: u64 = 1_000_000;
/// How far the time used may be from the time that has passed: one second for rounding, the rest
/// for delays.
const SLACK: u64 = 1_500_000;

/// A reading, and when it came.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown {
    pub(super) at: Tick,
    pub(super) reading: ClockReading,
    /// When the second shown ends: one after it began, where that was seen. At a press or a start
    /// nobody knows how much of the second is left.
    pub(super) second_ends: Option<Tick>,
}

impl Shown {
    /// A reading after another one.
    pub(super) fn after(before: Option<Shown>, at: Tick, reading: ClockReading) -> Shown {
        let second_ends = before.and_then(|Shown { reading: before, second_ends, .. }| {
            let side = reading
                .running
                .filter(|_| (before.down, before.running) == (reading.down, reading.running))?;
            match dial(&reading, side).seconds().cmp(&dial(&before, side).seconds()) {
                Ordering::Less => Some(at + Span::from_us(SECOND)),
                // The same second, told once more.
                Ordering::Equal => second_ends.filter(|end| *end > at),
                Ordering::Greater => None,
            }
        });
        Shown { at, reading, second_ends }
    }
}

/// The seconds that the running side shows after `from` and before `to`, or until `end` if no
/// reading follows. `increments` are what a press may add.
///
/// They end at one second: zero is shown only by a reading, since it may be the fall of a flag.
pub(super) fn seconds_between(
    from: Shown,
    to: Option<Shown>,
    end: Tick,
    increments: &[u32],
) -> Vec<(Tick, ClockReading)> {
    let Shown { at: start, reading, second_ends } = from;
    let Some(side) = reading.running else {
        return Vec::new();
    };
    let shown = dial(&reading, side).seconds();
    let moments = match to {
        None => forward(start, end, shown),
        Some(Shown { at, reading: next, .. }) if next.down == reading.down && next.running == Some(side) => {
            let then = dial(&next, side).seconds();
            match used(shown, then, at.since(start), false, increments) {
                Some(changes) => backward(start, at, changes),
                // Never below what comes next, or the clock would seem to be set up again.
                None => forward(start, at, shown.checked_sub(then).unwrap_or(shown)),
            }
        }
        Some(Shown { at, reading: next, .. }) => {
            let pressed = next.down != reading.down;
            match used(shown, dial(&next, side).seconds(), at.since(start), pressed, increments) {
                Some(changes) => between(start, at, changes, second_ends),
                None => forward(start, at, shown),
            }
        }
    };
    let mut out = Vec::with_capacity(moments.len());
    for (tick, left) in moments.into_iter().zip((1..shown).rev()) {
        out.push((tick, with_seconds(reading, side, left)));
    }
    out
}

fn with_seconds(reading: ClockReading, side: Lever, seconds: u32) -> ClockReading {
    let time = crate::tick::Dial::from_s(seconds);
    match side {
        Lever::Left => ClockReading { left: time, ..reading },
        Lever::Right => ClockReading { right: time, ..reading },
    }
}

/// The seconds used up to a press or a stop: what was shown then, less the increment that the
/// press brought. `None` if the clock was set by hand in between.
fn used(shown: u32, then: u32, passed: Span, pressed: bool, increments: &[u32]) -> Option<u32> {
    let increments = if pressed { increments } else { &[] };
    std::iter::once(&0)
        .chain(increments)
        .filter_map(|increment| shown.checked_sub(then.checked_sub(*increment)?))
        .map(|used| (u64::from(used).saturating_mul(SECOND).abs_diff(passed.us()), used))
        .min()
        .filter(|(error, _)| *error <= SLACK)
        .map(|(_, used)| used)
}

/// Nothing is known of what follows: a second after a second.
fn forward(start: Tick, end: Tick, shown: u32) -> Vec<Tick> {
    let seconds = (end.since(start).us() / SECOND).min(u64::from(shown));
    (1..=seconds).map(|nth| start + Span::from_us(nth * SECOND)).collect()
}

/// The next reading is a tick: it is the last change itself, those before it come a second apart.
fn backward(start: Tick, at: Tick, changes: u32) -> Vec<Tick> {
    let span = at.since(start).us();
    let changes = u64::from(changes);
    let room = changes.saturating_sub(1).saturating_mul(SECOND) < span;
    (1..changes)
        .map(|nth| if room { span - (changes - nth) * SECOND } else { span * nth / changes })
        .map(|after| start + Span::from_us(after))
        .collect()
}

/// The next reading is a press or a stop: all changes come before it, and one more second would
/// have brought another.
fn between(start: Tick, at: Tick, changes: u32, second_ends: Option<Tick>) -> Vec<Tick> {
    let span = at.since(start).us();
    let changes = u64::from(changes);
    let Some(seconds) = changes.checked_sub(1).map(|whole| whole * SECOND) else {
        return Vec::new();
    };
    let earliest = span.saturating_sub(seconds + SECOND) + 1;
    let latest = span.saturating_sub(seconds).min(SECOND);
    // Rounding can make one second too many or too few of it: then the first comes at once, or the
    // last stays a little longer.
    let first = match second_ends.map(|end| end.since(start).us()) {
        _ if earliest > latest => latest,
        Some(end) => end.clamp(earliest, latest),
        None => u64::midpoint(earliest, latest),
    };
    (0..changes)
        .map(|nth| (first + nth * SECOND).min(span))
        .map(|after| start + Span::from_us(after))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tick::Dial;

    fn at(ms: u64, left_s: u32, running: Option<Lever>, down: Lever) -> Shown {
        let reading =
            ClockReading { left: Dial::from_s(left_s), right: Dial::from_s(60), running, down, flag: None };
        Shown::after(None, Tick::from_ms(ms), reading)
    }

    fn shown(from: Shown, to: Option<Shown>) -> Vec<(u64, u32)> {
        seconds_between(from, to, Tick::from_ms(99_000), &[2])
            .iter()
            .map(|(tick, reading)| (tick.ms(), reading.left.seconds()))
            .collect()
    }

    const LEFT: Option<Lever> = Some(Lever::Left);

    #[test]
    fn before_a_tick_they_count_back_from_it() {
        let from = at(0, 50, LEFT, Lever::Right);
        assert_eq!(shown(from, Some(at(3_100, 47, LEFT, Lever::Right))), [(1_100, 49), (2_100, 48)]);
        assert_eq!(shown(from, Some(at(1_500, 48, LEFT, Lever::Right))), [(500, 49)]);
        assert_eq!(shown(from, Some(at(200, 50, LEFT, Lever::Right))), []);
    }

    #[test]
    fn before_a_press_they_leave_what_the_press_added_to() {
        let from = at(0, 50, LEFT, Lever::Right);
        let press = |ms, left_s| Some(at(ms, left_s, Some(Lever::Right), Lever::Left));
        assert_eq!(shown(from, press(2_400, 50)), [(700, 49), (1_700, 48)]);
        assert_eq!(shown(from, press(300, 52)), []);
        assert_eq!(shown(from, press(2_400, 48)), [(700, 49), (1_700, 48)], "a clock without increment");
    }

    #[test]
    fn after_a_tick_the_next_second_is_whole() {
        let from = Shown { second_ends: Some(Tick::from_ms(1_000)), ..at(0, 50, LEFT, Lever::Right) };
        let press = at(2_400, 50, Some(Lever::Right), Lever::Left);
        assert_eq!(shown(from, Some(press)), [(1_000, 49), (2_000, 48)]);
    }

    #[test]
    fn a_second_told_once_more_ends_when_it_would_have() {
        let tick = at(0, 51, LEFT, Lever::Right);
        let next = Shown::after(Some(tick), Tick::from_ms(100), at(100, 50, LEFT, Lever::Right).reading);
        let again = Shown::after(Some(next), Tick::from_ms(400), next.reading);
        let press = at(1_200, 51, Some(Lever::Right), Lever::Left);
        assert_eq!(shown(again, Some(press)), [(1_100, 49)]);
    }

    #[test]
    fn zero_is_left_to_the_readings() {
        let from = at(0, 3, LEFT, Lever::Right);
        assert_eq!(shown(from, Some(at(3_000, 0, LEFT, Lever::Right))), [(1_000, 2), (2_000, 1)]);
        assert_eq!(shown(from, None), [(1_000, 2), (2_000, 1)]);
    }

    #[test]
    fn a_clock_set_by_hand_runs_on_from_where_it_was() {
        let from = at(0, 50, LEFT, Lever::Right);
        let stop = Some(at(2_400, 170, None, Lever::Right));
        assert_eq!(shown(from, stop), [(1_000, 49), (2_000, 48)]);
        assert_eq!(shown(at(0, 50, None, Lever::Right), stop), []);
    }
}
