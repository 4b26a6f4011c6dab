//! A line that damages bytes: single mode has no checksum, so a damaged byte can look like a piece, a
//! press or a fallen flag. What is damaged visibly tells that more is.

use super::Table;
use crate::laws::{Certainty, Found, Severity};
use crate::tick::{Span, Tick};

/// Junk makes a line disturbed for so long, and again so soon after other junk for longer. A sound line
/// has none.
const ONCE: Span = Span::from_ms(60_000);
const AGAIN: Span = Span::from_ms(600_000);
/// So many are remembered.
pub(super) const ENOUGH: usize = 2;
/// Junk that says something of the board and not of its line.
const OF_THE_BOARD: [&str; 2] = ["not-a-chessboard", "log-unreadable"];

impl Table {
    /// Bytes made no sense. What comes while a port is opened says nothing.
    pub(super) fn junk(&mut self, why: &'static str) {
        *self.junk.entry(why).or_insert(0) += 1;
        if self.line.has_dump() && !OF_THE_BOARD.contains(&why) {
            if self.noise.len() == ENOUGH {
                self.noise.pop_front();
            }
            self.noise.push_back(self.now);
        }
    }

    /// Whether the line to the board was disturbed a while ago.
    fn is_disturbed(&self) -> bool {
        let within = |at: Option<&Tick>, span: Span| at.is_some_and(|at| self.now.since(*at) <= span);
        let again = self.noise.len() == ENOUGH && within(self.noise.front(), AGAIN);
        again || within(self.noise.back(), ONCE)
    }

    /// Nobody is accused by a line that damages bytes: it is to be looked at.
    pub(super) fn in_doubt_if_disturbed(&self, found: Found) -> Found {
        if found.side.is_none() || found.severity < Severity::Check || !self.is_disturbed() {
            return found;
        }
        Found {
            severity: found.severity.min(Severity::Check),
            certainty: found.certainty.min(Certainty::Probable),
            what: format!("{} (the line to the board is disturbed: look whether it is so)", found.what),
            ..found
        }
    }
}
