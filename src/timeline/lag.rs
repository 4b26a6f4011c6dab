//! How late squares are told after a press: the last so many presses of a board.

use std::collections::VecDeque;

use crate::events::{Calibration, Lag};
use crate::tick::Span;

/// So many presses are remembered; what has not come again since is forgotten, so that one late
/// reading does not make a board slow for the rest of an event.
pub const PRESSES_MAX: usize = 256;
/// How long after a press late readings are waited for, at least.
pub const SETTLE: Span = Span::from_ms(300);
/// The same on a board that has shown readings later than that.
pub const SETTLE_MAX: Span = Span::from_ms(700);
/// So many presses in a row whose pieces were taken up only after them: nobody plays like that, it is
/// the board that is late.
const IN_A_ROW: usize = 8;
/// With fewer presses nothing is said about how late a board is.
const PRESSES_MIN: u32 = 8;

/// What presses and their squares have shown.
#[derive(Clone, Debug, Default)]
pub struct Lags {
    /// How much later the squares came; zero if they came first.
    presses: VecDeque<Span>,
    /// The last presses, as long as all were told before anything was taken up for them.
    begun_late: Vec<Span>,
    /// What the board had shown in an earlier journal; until it has been observed as long again.
    earlier: Lag,
}

impl Lags {
    /// Begins with what the board has shown earlier.
    #[must_use]
    pub fn after(earlier: &Calibration) -> Lags {
        Lags { earlier: earlier.lag, ..Lags::default() }
    }

    /// A press was explained by squares that came so much later; zero if they came first.
    pub fn explained(&mut self, late: Span) {
        self.begun_late.clear();
        self.add(late);
    }

    /// A press was told before the piece was taken up, and its squares came so much later. Once that
    /// is a player who pressed too early; always, it is the board.
    pub fn begun_late(&mut self, late: Span) {
        self.begun_late.push(late);
        if self.begun_late.len() == IN_A_ROW {
            std::mem::take(&mut self.begun_late).into_iter().for_each(|late| self.add(late));
        }
    }

    fn add(&mut self, late: Span) {
        if self.presses.len() == PRESSES_MAX {
            self.presses.pop_front();
            self.earlier = Lag::default();
        }
        self.presses.push_back(late);
    }

    /// The latest that squares have come.
    #[must_use]
    pub fn most(&self) -> Span {
        self.presses.iter().copied().max().unwrap_or_default().max(self.earlier.most)
    }

    /// How long late readings are waited for.
    #[must_use]
    pub fn waits(&self) -> Span {
        Span::from_us(self.most().us().saturating_mul(5) / 4 + 50_000).clamp(SETTLE, SETTLE_MAX)
    }

    /// Press and square that were told closer together may have happened in either order.
    #[must_use]
    pub fn blur(&self) -> Span {
        // A board that has shown little may be as late as any.
        if self.known() < PRESSES_MIN { self.waits() } else { self.most() }
    }

    /// What is known in short.
    #[must_use]
    pub fn summary(&self) -> Lag {
        let mut late: Vec<Span> = self.presses.iter().copied().filter(|late| *late > Span::ZERO).collect();
        late.sort_unstable();
        let own = u32::try_from(late.len()).unwrap_or(u32::MAX);
        // The board as it is now counts more, as soon as it has been late once.
        let median = late.get(late.len() / 2).copied().unwrap_or(self.earlier.median);
        Lag { presses: self.known(), late: own.saturating_add(self.earlier.late), median, most: self.most() }
    }

    /// How many presses are remembered.
    #[must_use]
    pub fn len(&self) -> usize {
        self.presses.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.presses.is_empty()
    }

    fn known(&self) -> u32 {
        u32::try_from(self.presses.len()).unwrap_or(u32::MAX).saturating_add(self.earlier.presses)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_wait_follows_the_latest_squares_within_bounds() {
        let mut lags = Lags::default();
        assert_eq!(lags.waits(), SETTLE);
        lags.explained(Span::from_ms(400));
        assert_eq!(lags.waits(), Span::from_ms(550));
        lags.explained(Span::from_ms(900));
        assert_eq!(lags.waits(), SETTLE_MAX);
    }

    #[test]
    fn a_player_who_presses_too_early_makes_no_late_board() {
        let mut lags = Lags::default();
        for _ in 0..20 {
            (1..IN_A_ROW).for_each(|_| lags.begun_late(Span::from_ms(600)));
            lags.explained(Span::ZERO);
        }
        assert_eq!((lags.waits(), lags.summary().presses), (SETTLE, 20));
        (0..IN_A_ROW).for_each(|_| lags.begun_late(Span::from_ms(600)));
        assert_eq!((lags.waits(), lags.summary().presses), (SETTLE_MAX, 28));
    }

    #[test]
    fn what_does_not_come_again_is_forgotten() {
        let mut lags = Lags::after(&Calibration {
            lag: Lag { presses: 90, late: 9, median: Span::from_ms(200), most: Span::from_ms(600) },
            ..Calibration::default()
        });
        assert_eq!(lags.waits(), SETTLE_MAX);
        (0..=PRESSES_MAX).for_each(|_| lags.explained(Span::ZERO));
        assert_eq!((lags.waits(), lags.most(), lags.len()), (SETTLE, Span::ZERO, PRESSES_MAX));
    }

    proptest! {
        #[test]
        fn a_journal_begun_with_the_summary_waits_as_long(late in prop::collection::vec(0u64..1_000, 0..300)) {
            let mut lags = Lags::default();
            late.iter().for_each(|ms| lags.explained(Span::from_ms(*ms)));
            let earlier = Calibration { lag: lags.summary(), ..Calibration::default() };
            let next = Lags::after(&earlier);
            prop_assert_eq!(next.waits(), lags.waits());
            prop_assert_eq!(next.summary(), lags.summary());
            prop_assert_eq!(next.blur(), lags.blur());
        }
    }
}
