//! How finely a device tells moments apart: its scan shows in the gaps between its reports.

use crate::tick::{Span, Tick};

/// So many gaps are needed before anything is said.
const GAPS_MIN: u32 = 24;
/// No device scans all squares faster.
const SCAN_MIN: Span = Span::from_ms(25);
/// A clock reading and a square at the same moment so often: they were held back and sent together.
const TOGETHER_MAX: u32 = 1;

/// What the gaps between reports have shown.
#[derive(Clone, Debug, Default)]
pub(super) struct Grain {
    fixed: Option<Span>,
    least: Option<Span>,
    gaps: u32,
    together: u32,
    at_once: u32,
    square_at: Option<Tick>,
    clock_at: Option<Tick>,
}

impl Grain {
    /// A square was reported.
    pub(super) fn square(&mut self, at: Tick) {
        if self.square_at == Some(at) {
            self.at_once = self.at_once.saturating_add(1);
        }
        if let Some(gap) = self.square_at.map(|before| at.since(before)).filter(|gap| *gap > Span::ZERO) {
            self.gaps = self.gaps.saturating_add(1);
            self.least = Some(self.least.map_or(gap, |least| least.min(gap)));
        }
        if self.clock_at == Some(at) && self.square_at != Some(at) {
            self.together += 1;
        }
        self.square_at = Some(at);
    }

    /// The clock was reported.
    pub(super) fn clock(&mut self, at: Tick) {
        if self.square_at == Some(at) && self.clock_at != Some(at) {
            self.together += 1;
        }
        self.clock_at = Some(at);
    }

    /// The device is known to look only so often.
    pub(super) fn scans_every(&mut self, scan: Span) {
        self.fixed = Some(scan);
    }

    /// The uncertainty of a moment; `None` if it is not known.
    pub(super) fn resolution(&self) -> Option<Span> {
        // Moments that coincide belong to a scan; without one, the reports were held back.
        let held_back = self.at_once > TOGETHER_MAX && self.least.is_some_and(|least| least < SCAN_MIN);
        if self.together > TOGETHER_MAX || (self.fixed.is_none() && held_back) {
            return None;
        }
        self.fixed.or(self.least.filter(|_| self.gaps >= GAPS_MIN))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scan_shows_in_the_gaps() {
        let mut grain = Grain::default();
        for n in 0..60u64 {
            grain.square(Tick::from_ms(n * 100 + n % 2 * 50));
        }
        assert_eq!(grain.resolution(), Some(Span::from_ms(50)));
    }

    #[test]
    fn a_device_that_sends_in_batches_claims_nothing() {
        let mut grain = Grain::default();
        for n in 0..80 {
            grain.square(Tick::from_ms(n * 500));
            if n % 10 == 0 {
                grain.clock(Tick::from_ms(n * 500));
            }
        }
        assert_eq!(grain.resolution(), None);
    }
}
