//! clock-not-running: moves are made for a minute while nobody's time runs.
//!
//! Contacts alone prove nothing: players analyse with the clock stopped. What counts is moves that
//! the record takes as completed, or levers pressed after pieces were handled.

use shakmaty::{Bitboard, Color};

use super::detect::Found;
use super::rules::RuleId;
use crate::tick::{Span, Tick};
use crate::timeline::{Clock, Happening};

/// So long moves must have been made.
const A_WHILE: Span = Span::from_ms(60_000);
/// So many moves.
const MOVES: usize = 3;

/// The clock since it was stopped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped {
    plies: usize,
    down: Color,
    handled: bool,
    presses: usize,
    begun: Option<Tick>,
    told: bool,
}

impl Stopped {
    pub(super) fn new(clock: &Clock, plies: usize) -> Self {
        Stopped { plies, down: clock.down, handled: false, presses: 0, begun: None, told: false }
    }

    /// Takes what happened while the clock stands.
    pub(super) fn heard(
        &mut self,
        at: Tick,
        clock: &Clock,
        happening: &Happening,
        plies: usize,
    ) -> Option<Found> {
        self.handled |= matches!(happening, Happening::Contact(contact) if !contact.in_dump);
        if self.down != clock.down {
            self.down = clock.down;
            self.presses += usize::from(std::mem::take(&mut self.handled));
        }
        let moves = self.presses.max(plies.saturating_sub(self.plies));
        if moves > 0 {
            self.begun.get_or_insert(at);
        }
        let lasts = self.begun.is_some_and(|begun| at.since(begun) >= A_WHILE);
        if self.told || moves < MOVES || !lasts {
            return None;
        }
        self.told = true;
        let what = format!("{moves} moves were made since the clock was stopped, and nobody's time runs");
        Some(Found::new(RuleId::ClockNotRunning, None, Bitboard::EMPTY, what))
    }
}
