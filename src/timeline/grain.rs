//! How finely a device tells moments apart: its scan shows in the gaps between the reports of one
//! square. The gaps between two squares say nothing: a scan reaches them one after the other.

use std::collections::VecDeque;

use shakmaty::Square;

use crate::events::{Calibration, Resolution};
use crate::tick::{Span, Tick};

/// So many gaps are needed before anything is said, and so many are remembered.
const GAPS: std::ops::RangeInclusive<usize> = 8..=48;
/// Longer gaps on a square say nothing about the scan.
const GAP_MAX: Span = Span::from_ms(6_000);
/// Scans that are looked for, in milliseconds, the slowest first.
const SCANS_MS: std::ops::RangeInclusive<u64> = 4..=32;
/// The step between scans that are looked for.
const SCAN_STEP_MS: u64 = 10;
/// The uncertainty of a device that reports each change as it happens.
const IMMEDIATE: Span = Span::from_ms(20);
/// A clock reading and a square at the same moment so often: they were held back and sent together.
const TOGETHER_MAX: u32 = 1;
/// No device scans all squares faster.
const SCAN_MIN: Span = Span::from_ms(25);

/// What the gaps between reports have shown.
#[derive(Clone, Debug, Default)]
pub(super) struct Grain {
    fixed: Option<Span>,
    least: Option<Span>,
    /// Between two reports of one square.
    same: VecDeque<Span>,
    /// Between two reports of any squares.
    any: VecDeque<Span>,
    together: u32,
    at_once: u32,
    last: Option<(Tick, Square)>,
    seen: Vec<(Square, Tick)>,
    clock_at: Option<Tick>,
    /// By how much the time between two readings of the clock was not what its dial says.
    drifts: VecDeque<Span>,
    /// Between two readings of a running clock.
    periods: VecDeque<Span>,
    /// What the device had shown in an earlier journal: until it has shown the same again.
    earlier: Calibration,
}

impl Grain {
    /// Begins with what the device has shown earlier.
    pub(super) fn after(earlier: Calibration) -> Grain {
        Grain { earlier, ..Grain::default() }
    }

    /// Another device: nothing of what was shown holds, but what its settings say does.
    pub(super) fn of_another(&self) -> Grain {
        Grain { fixed: self.fixed, ..Grain::default() }
    }

    /// A square was reported.
    pub(super) fn square(&mut self, at: Tick, square: Square) {
        match self.seen.iter_mut().find(|(s, _)| *s == square) {
            Some((_, before)) => {
                let gap = at.since(*before);
                self.least = Some(self.least.map_or(gap, |least| least.min(gap)));
                remember(&mut self.same, gap);
                *before = at;
            }
            None => self.seen.push((square, at)),
        }
        if let Some((before, _)) = self.last {
            remember(&mut self.any, at.since(before));
        }
        let together = self.last.is_some_and(|(before, _)| before == at);
        if together {
            self.at_once = self.at_once.saturating_add(1);
        } else if self.clock_at == Some(at) {
            self.together += 1;
        }
        self.last = Some((at, square));
    }

    /// The clock was reported.
    pub(super) fn clock(&mut self, at: Tick) {
        if self.last.is_some_and(|(before, _)| before == at) && self.clock_at != Some(at) {
            self.together += 1;
        }
        self.clock_at = Some(at);
    }

    /// The clock told the time of the side that runs, so long after it told it before: then and now,
    /// in milliseconds.
    pub(super) fn told(&mut self, passed: Span, dials: Option<(u32, u32)>) {
        if dials.is_some() {
            remember(&mut self.periods, passed);
        }
        let Some(shown) = dials.and_then(|(was, is)| was.checked_sub(is)).filter(|ms| *ms > 0) else {
            return;
        };
        let drift = passed.us().abs_diff(u64::from(shown) * 1_000);
        if self.drifts.len() == *GAPS.end() {
            self.drifts.pop_front();
        }
        self.drifts.push_back(Span::from_us(drift));
    }

    /// The uncertainty of the time between a square and a press; `None` if it is not known.
    pub(super) fn press_resolution(&self) -> Option<Span> {
        Some(self.resolution().known()? + self.strays()?)
    }

    /// By how much the times of the clock's readings stray, if it is known.
    pub(super) fn strays(&self) -> Option<Span> {
        let worst = self.drifts.iter().max().filter(|_| self.drifts.len() >= *GAPS.start());
        worst.copied().or(self.earlier.clock_strays)
    }

    /// The usual time between two readings of a running clock.
    pub(super) fn period(&self) -> Option<Span> {
        if self.periods.len() < *GAPS.start() {
            return self.earlier.clock_period;
        }
        let mut periods: Vec<Span> = self.periods.iter().copied().collect();
        periods.sort_unstable();
        periods.get(periods.len() / 2).copied()
    }

    /// The device is known to look only so often.
    pub(super) fn scans_every(&mut self, scan: Span) {
        self.fixed = Some(scan);
    }

    /// How finely moments are told apart, as far as that has shown.
    pub(super) fn resolution(&self) -> Resolution {
        if self.together > TOGETHER_MAX {
            return Resolution::HeldBack;
        }
        if let Some(scan) = self.fixed {
            return Resolution::Within(scan);
        }
        // Moments that coincide belong to a scan; without one, the reports were held back.
        if self.at_once > TOGETHER_MAX && self.least.is_some_and(|least| least < SCAN_MIN) {
            return Resolution::HeldBack;
        }
        // All squares at one moment, one scan after the other.
        if let Some(scan) = scan_of(&self.any) {
            return Resolution::Within(scan);
        }
        // One square after the other: only the gaps of one square show the scan.
        match self.same.len() >= *GAPS.start() {
            true => Resolution::Within(scan_of(&self.same).unwrap_or(IMMEDIATE)),
            false => self.earlier.scan,
        }
    }
}

fn remember(gaps: &mut VecDeque<Span>, gap: Span) {
    if gap == Span::ZERO || gap > GAP_MAX {
        return;
    }
    if gaps.len() == *GAPS.end() {
        gaps.pop_front();
    }
    gaps.push_back(gap);
}

/// The slowest scan of which nearly all gaps are multiples.
fn scan_of(gaps: &VecDeque<Span>) -> Option<Span> {
    if gaps.len() < *GAPS.start() {
        return None;
    }
    let strays = gaps.len() * 3 / 20;
    let fits = |scan: u64| {
        let stray = |gap: &&Span| {
            let beyond = gap.ms() % scan;
            beyond.min(scan - beyond) * 7 > scan
        };
        // Most scans are out after a few gaps.
        gaps.iter().filter(stray).nth(strays).is_none()
    };
    SCANS_MS.rev().map(|n| n * SCAN_STEP_MS).find(|scan| fits(*scan)).map(Span::from_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scan_shows_in_the_gaps_of_one_square() {
        let mut grain = Grain::default();
        let mut at = 0;
        for n in 0..60u64 {
            at += 110 * (1 + n % 3);
            grain.square(Tick::from_ms(at), Square::E4);
        }
        assert_eq!(grain.resolution(), Resolution::Within(Span::from_ms(110)));
    }

    #[test]
    fn a_device_without_a_scan_is_told_by_its_gaps() {
        let mut grain = Grain::default();
        let mut at = 0;
        for n in 0..60u64 {
            at += 83 + n * n * 37 % 411;
            grain.square(Tick::from_ms(at), Square::E4);
        }
        assert_eq!(grain.resolution(), Resolution::Within(IMMEDIATE));
    }

    #[test]
    fn a_device_that_sends_in_batches_claims_nothing() {
        let mut grain = Grain::default();
        for n in 0..80 {
            grain.square(Tick::from_ms(n * 500), Square::E4);
            if n % 10 == 0 {
                grain.clock(Tick::from_ms(n * 500));
            }
        }
        assert_eq!(grain.resolution(), Resolution::HeldBack);
    }

    #[test]
    fn presses_are_as_exact_as_the_clock_is_even() {
        let mut grain = Grain::default();
        grain.scans_every(Span::from_ms(30));
        assert_eq!(grain.press_resolution(), None, "nothing is known of the clock");
        for n in 0..20 {
            grain.told(Span::from_ms(1_000 + n % 7), Some((60_000, 59_000)));
        }
        assert_eq!(grain.press_resolution(), Some(Span::from_ms(36)));
        grain.told(Span::from_ms(1_700), Some((59_000, 58_000)));
        assert_eq!(grain.press_resolution(), Some(Span::from_ms(730)), "a clock that is asked now and then");
    }

    #[test]
    fn what_was_shown_earlier_holds_until_it_is_shown_again() {
        let within = |ms| Resolution::Within(Span::from_ms(ms));
        let earlier = Calibration { scan: within(190), ..Calibration::default() };
        let mut grain = Grain::after(earlier);
        assert_eq!(grain.resolution(), within(190));
        let mut at = 0;
        for n in 0..60u64 {
            at += 110 * (1 + n % 3);
            grain.square(Tick::from_ms(at), Square::E4);
        }
        assert_eq!(grain.resolution(), within(110));
        assert_eq!(grain.of_another().resolution(), Resolution::Unknown);
    }

    #[test]
    fn what_the_device_says_of_itself_counts_more() {
        let mut grain = Grain::default();
        assert_eq!(grain.resolution(), Resolution::Unknown);
        grain.scans_every(Span::from_ms(200));
        assert_eq!(grain.resolution(), Resolution::Within(Span::from_ms(200)));
    }
}
