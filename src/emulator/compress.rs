//! Cutting waits out of a recording so that clock and host time still agree.
//!
//! In: reports with their ticks. Out: the same without long waits. Never: anything lost but ticks
//! of the clock. What is cut, and what is not, is said at
//! [`Recording::compressed`](super::Recording::compressed).

use super::recording::{dial, index};
use crate::events::{ClockReading, Lever, Report};
use crate::tick::{Dial, Span, Tick};

const SECOND: u64 = 1_000_000;
/// How far a tick may be from the time that has passed and still be taken for one.
const TICK_SLACK_MS: u64 = 2_000;

/// A wait that is cut.
struct Cut {
    /// Where the cut begins.
    from: Tick,
    /// What is cut: whole seconds.
    length: Span,
    /// Whose time it was.
    of: Option<Lever>,
}

pub(super) fn compress(reports: &[(Tick, Report)], limit: Span) -> Vec<(Tick, Report)> {
    let mut cuts = cuts(reports, limit).into_iter().peekable();
    let mut gone = Span::ZERO;
    let mut raised = [Span::ZERO; 2];
    let mut out = Vec::with_capacity(reports.len());
    for (at, report) in reports {
        while let Some(cut) = cuts.next_if(|cut| cut.from + cut.length <= *at) {
            gone = gone + cut.length;
            if let Some(side) = cut.of {
                raised[index(side)] = raised[index(side)] + cut.length;
            }
        }
        // Only ticks of the clock lie inside a cut.
        if cuts.peek().is_some_and(|cut| cut.from < *at) {
            continue;
        }
        let report = match report {
            Report::Clock(reading) => Report::Clock(raise(*reading, raised)),
            other => other.clone(),
        };
        out.push((Tick::from_us(at.us() - gone.us()), report));
    }
    out
}

fn cuts(reports: &[(Tick, Report)], limit: Span) -> Vec<Cut> {
    let falls = [Lever::Left, Lever::Right].map(|side| last_zero(reports, side));
    let mut cuts = Vec::new();
    let mut clock: Option<(Tick, ClockReading)> = None;
    let mut running = None;
    let mut linked = true;
    let mut before = Tick::ZERO;
    for (nth, (at, report)) in reports.iter().enumerate() {
        if let Report::Clock(reading) = report {
            let ticked = clock.is_some_and(|(then, last)| is_tick(&last, reading, at.since(then)));
            clock = Some((*at, *reading));
            // The end is something, or the ticks before it would not be cut.
            if ticked && nth + 1 < reports.len() {
                continue;
            }
        }
        let falls_later =
            running.is_some_and(|side: Lever| falls[index(side)].is_some_and(|fall| nth <= fall));
        let over = at.since(before).us().saturating_sub(limit.us()) / SECOND * SECOND;
        if over > 0 && linked && !falls_later {
            let from = before + Span::from_us(limit.us() / 2);
            cuts.push(Cut { from, length: Span::from_us(over), of: running });
        }
        before = *at;
        running = clock.and_then(|(_, reading)| reading.running);
        if let Report::Link { up } = report {
            linked = *up;
        }
    }
    cuts
}

/// The last report in which this side shows no time left.
fn last_zero(reports: &[(Tick, Report)], side: Lever) -> Option<usize> {
    reports.iter().rposition(|(_, report)| match report {
        Report::Clock(reading) => dial(reading, side).seconds() == 0,
        _ => false,
    })
}

/// Whether nothing has happened between two readings but that time passed.
fn is_tick(last: &ClockReading, now: &ClockReading, passed: Span) -> bool {
    if (last.down, last.running, last.flag) != (now.down, now.running, now.flag) {
        return false;
    }
    [Lever::Left, Lever::Right].into_iter().all(|side| {
        let (before, after) = (u64::from(dial(last, side).ms()), u64::from(dial(now, side).ms()));
        if now.running == Some(side) {
            // The reading that shows zero is the fall of the flag.
            let falls = before >= 1000 && after < 1000;
            !falls && after <= before && (before - after).abs_diff(passed.ms()) <= TICK_SLACK_MS
        } else {
            before == after
        }
    })
}

fn raise(reading: ClockReading, raised: [Span; 2]) -> ClockReading {
    let up = |time: Dial, by: Span| {
        Dial::from_ms(time.ms().saturating_add(u32::try_from(by.ms()).unwrap_or(u32::MAX)))
    };
    ClockReading { left: up(reading.left, raised[0]), right: up(reading.right, raised[1]), ..reading }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::{Sensed, SensorSquare};
    use shakmaty::Square;

    fn clock(ms: u64, left_s: u32, right_s: u32, running: Option<Lever>) -> (Tick, Report) {
        let reading = ClockReading {
            left: Dial::from_s(left_s),
            right: Dial::from_s(right_s),
            running,
            down: running.map_or(Lever::Right, Lever::other),
            flag: None,
        };
        (Tick::from_ms(ms), Report::Clock(reading))
    }

    fn square(ms: u64) -> (Tick, Report) {
        (Tick::from_ms(ms), Report::Square { at: SensorSquare::new(Square::E2), seen: Sensed::Empty })
    }

    #[test]
    fn a_cut_wait_is_given_back_to_the_side_that_waited() {
        let left = Some(Lever::Left);
        let right = Some(Lever::Right);
        let rows = [
            clock(0, 180, 180, None),
            clock(30_000, 180, 180, left),
            clock(35_000, 175, 180, left),
            clock(40_000, 170, 180, left),
            square(40_300),
            clock(41_000, 171, 180, right),
        ];
        let short = compress(&rows, Span::from_ms(2_000));
        let expected = [
            clock(0, 180, 180, None),
            clock(2_000, 180, 180, left),
            // 10.3 s of waiting keep 2.3 s; the tick at 35 s fell into the cut.
            clock(4_000, 178, 180, left),
            square(4_300),
            clock(5_000, 179, 180, right),
        ];
        assert_eq!(short, expected);
    }

    #[test]
    fn a_flag_still_falls_at_zero() {
        let left = Some(Lever::Left);
        let right = Some(Lever::Right);
        let rows = [
            clock(0, 20, 20, left),
            clock(10_000, 10, 20, right),
            clock(20_000, 10, 10, left),
            clock(30_000, 0, 10, left),
        ];
        let short = compress(&rows, Span::from_ms(2_000));
        let expected = [
            clock(0, 20, 20, left),
            clock(10_000, 10, 20, right),
            clock(12_000, 10, 18, left),
            clock(22_000, 0, 18, left),
        ];
        assert_eq!(short, expected, "Left's waits stay, Right's are cut");
    }

    #[test]
    fn nothing_is_cut_while_nobody_can_see() {
        let link = |ms, up| (Tick::from_ms(ms), Report::Link { up });
        let rows = [square(0), link(100, false), link(60_000, true), square(60_100), square(90_100)];
        let times: Vec<u64> = compress(&rows, Span::from_ms(1_000)).iter().map(|(at, _)| at.ms()).collect();
        assert_eq!(times, [0, 100, 60_000, 60_100, 61_100]);
    }
}
