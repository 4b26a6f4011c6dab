//! A game that goes on at another board: the position is set up there, piece by piece.
//!
//! What stands on the new board is nobody's move until the position of the record stands again, or
//! an earlier one when the clock is started, or somebody presses and so plays on.

use shakmaty::Color;

use super::told::Told;
use super::tracker::{Now, Tracker, Unseen};

impl Tracker {
    /// Another board has taken the place of the one that the game was played on.
    pub fn board_swapped(&mut self) {
        self.rebuilding = true;
        self.unseen = Some(Unseen { plies: None, tries: 0 });
        self.gap_wood = None;
        self.press = None;
        self.judge_at = None;
    }

    /// Whether a position is being set up on another board.
    #[must_use]
    pub fn is_rebuilding(&self) -> bool {
        self.rebuilding
    }

    /// Nothing has moved for a while: the game goes on if its position stands. Says whether the
    /// board is still being set up.
    pub(super) fn rebuilt_at_rest(&mut self, now: Now<'_>) -> bool {
        if self.rebuilding && !self.rebuilt(now) {
            self.wants_dump = true;
        }
        self.rebuilding
    }

    /// The clock was started: with the position of the record, or with an earlier one.
    pub(super) fn rebuilt_at_start(&mut self, now: Now<'_>, side: Color, out: &mut Vec<Told>) {
        if !self.rebuilding || self.rebuilt(now) {
            return;
        }
        self.rebuilding = false;
        let stands = |keep: &usize| {
            let position = self.record.at(*keep);
            position.turn == side && now.line.wood().differs(&position.board).is_empty()
        };
        if let Some(keep) = (0..self.record.len()).rev().find(stands) {
            self.unseen = None;
            self.restore(keep, out);
            self.rebase(now);
        }
    }

    fn rebuilt(&mut self, now: Now<'_>) -> bool {
        let end = self.record.end();
        if !now.line.wood().differs(&end.board).is_empty() {
            return false;
        }
        self.rebuilding = false;
        self.unseen = None;
        self.since = now.at;
        self.rebase(now);
        true
    }
}
