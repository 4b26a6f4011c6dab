//! A position is being restored at an arbiter's wish: what hands do meanwhile is nobody's move.
//!
//! The record is held as it is until the position wanted stands, another one of the record does when
//! the clock is started or pressed, or play has gone on from the end of the record after all. Only
//! stories keep growing, so that a move made meanwhile is not lost.

use shakmaty::{Board, Color};

use super::position::Position;
use super::signal::centre;
use super::told::Told;
use super::tracker::{Now, Phase, Tracker, Unseen};
use crate::events::Wood;
use crate::tick::Span;

impl Tracker {
    /// Pieces begin to travel to the position after `keep` plies.
    pub fn hold(&mut self, keep: usize) {
        self.held = Some(keep);
        self.press = None;
        self.judge_at = None;
        self.setup_at = None;
    }

    /// Whether the record is held.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.held.is_some()
    }

    /// A piece has moved, or all squares were read, while the record is held.
    pub(super) fn travelled(&mut self, now: Now<'_>) {
        let end = &self.record.end().board;
        if now.line.wood().differs(end).is_empty() {
            // What was handled before the record's own position stood is no part of a move.
            self.since = now.at + Span::from_us(1);
        }
        self.grow(now);
    }

    /// After a lost link: the record's own position stands, so nothing was missed.
    pub(super) fn still_stands(&mut self, now: Now<'_>) {
        let gap = self.unseen.is_some_and(|unseen| unseen.plies.is_none());
        let seen = now.line.is_up() && now.line.has_dump() && self.dumped_since_link;
        if gap && seen && !self.rebuilding && self.agrees(now, &self.record.end().board, false) {
            self.nothing_missed(now);
            self.unseen = None;
        }
    }

    /// Nothing has moved for a while: the pieces may be set up for another game; kings taken to the
    /// centre show a result, unless they stand there in the position that is left or in the one wanted.
    pub(super) fn rested_while_held(&mut self, now: Now<'_>, keep: usize, stage: usize, out: &mut Vec<Told>) {
        self.still_stands(now);
        if stage > 1 && keep > 0 {
            self.look_for_reset(now, out);
        }
        if stage != 1 {
            return;
        }
        let there = [self.record.end(), self.record.at(keep)].map(|p| p.board.kings());
        let shown = now.line.wood().known().kings() & centre();
        if there.iter().all(|kings| (shown & !*kings).any()) {
            self.look_for_kings(now, out);
        }
    }

    /// The clock was started or pressed, and pieces travel on.
    pub fn clock_runs_while_held(&mut self) {
        self.phase = Phase::Playing;
    }

    /// Whether the wood shows the position after `keep` plies with `side` to move. `strict`: what was
    /// known to stand wrong must be right.
    #[must_use]
    pub fn shows(&self, now: Now<'_>, keep: usize, side: Color, strict: bool) -> bool {
        let position = self.record.at(keep);
        position.turn == side && self.agrees(now, &position.board, strict)
    }

    /// Whether the wood shows the position after `keep` plies and one legal move of `side`.
    #[must_use]
    pub fn shows_move(&self, now: Now<'_>, keep: usize, side: Color, strict: bool) -> bool {
        let position = self.record.at(keep);
        let shown = |after: Position| self.agrees(now, &after.board, strict);
        position.turn == side && position.legal_moves().iter().any(|m| shown(position.play(m)))
    }

    fn agrees(&self, now: Now<'_>, board: &Board, strict: bool) -> bool {
        let wood = now.line.wood();
        if strict {
            wood.differs(board).is_empty()
        } else {
            self.standing.unexplained(wood, board).is_empty()
        }
    }

    /// The game has gone on from the end of the record: nothing is restored.
    pub fn release(&mut self, now: Now<'_>) {
        self.held = None;
        self.still_stands(now);
        self.rest_from(now.at);
    }

    /// The game has gone on, and not by one move that can be told: what was played meanwhile is
    /// looked for as after a lost link.
    pub fn release_unseen(&mut self, now: Now<'_>) {
        self.release(now);
        self.unseen = Some(Unseen { plies: None, tries: 0 });
        self.doubt();
        self.wants_dump = true;
    }

    /// An arbiter has entered a result, or taken it back.
    pub fn declare_over(&mut self, over: bool) {
        let end = self.record.end();
        self.ended = over || end.is_mate() || end.is_stalemate();
    }

    /// An arbiter has declared that a new game begins, from this position.
    pub fn declare_new_game(&mut self, now: Now<'_>, start: Position, wood: Wood, out: &mut Vec<Told>) {
        let playing = now.line.clock().is_some_and(|clock| clock.running.is_some());
        let lags = std::mem::take(&mut self.lags);
        *self = Tracker { judged: self.judged, ..Tracker::new(start, wood, self.record.is_chess960()) };
        self.lags = lags;
        self.phase = if playing { Phase::Playing } else { Phase::Waiting };
        self.dumped_since_link = now.line.has_dump();
        self.since = now.at + Span::from_us(1);
        out.push(Told::Retracted(0));
        out.push(Told::NewGame);
        self.rebase(now);
        self.rest_from(now.at);
    }

    /// The position after `keep` plies stands on the board, and the game goes on from it. With a
    /// `position` the record did not have it so.
    pub fn restore_to(&mut self, now: Now<'_>, keep: usize, position: Option<Position>, out: &mut Vec<Told>) {
        self.held = None;
        self.press = None;
        self.judge_at = None;
        self.unseen = None;
        self.gap_wood = None;
        self.rebuilding = false;
        self.kings_shown = false;
        self.winner = None;
        self.absent = shakmaty::Bitboard::EMPTY;
        self.missing = shakmaty::Bitboard::EMPTY;
        self.restore(keep, out);
        if let Some(position) = position {
            self.record.anchor(position);
        }
        self.since = now.at + Span::from_us(1);
        self.rebase(now);
        self.rest_from(now.at);
    }
}
