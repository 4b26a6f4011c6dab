//! What the tracker does when nothing has moved for a while.

use std::cmp::Reverse;

use shakmaty::{Bitboard, Color, Piece, Role};

use super::explain::Explanation;
use super::gap;
use super::ply::{Completed, PlyKind};
use super::position::{Move, Position};
use super::signal::centre;
use super::stories::Story;
use super::told::{Matter, Moment, Told};
use super::tracker::{Now, Phase, Tracker};
use crate::events::Sensed;
use crate::tick::Tick;

/// More squares wrong than this at the start is no wrong set-up but another position.
const SETUP_SQUARES_MAX: usize = 12;

impl Tracker {
    /// Nothing has changed for the time of `stage`.
    pub(super) fn rested(&mut self, now: Now<'_>, stage: usize, out: &mut Vec<Told>) {
        if let Some(keep) = self.held {
            return self.rested_while_held(now, keep, stage, out);
        }
        if self.rebuilt_at_rest(now) {
            return;
        }
        if self.unseen.is_some() {
            self.explain_unseen(now, out);
            return;
        }
        if self.press.is_some() || !now.line.has_dump() {
            return;
        }
        match stage {
            0 => {
                if self.phase != Phase::Stopped {
                    self.commit_mate(now, out);
                }
                if now.line.clock().is_none() {
                    self.commit_without_clock(now, 2, out);
                }
            }
            1 => {
                self.look_for_kings(now, out);
                self.look_for_restored(now, out);
                if now.line.clock().is_none() {
                    self.commit_without_clock(now, 1, out);
                }
            }
            _ => {
                self.look_at_setup(now, stage, out);
                self.look_for_reset(now, out);
                self.look_at_promotion(now, out);
                self.look_for_displaced(now, stage, out);
            }
        }
    }

    /// Before the clock is started the pieces may still be put right; what stands wrong for long is
    /// told for the record.
    fn look_at_setup(&mut self, now: Now<'_>, stage: usize, out: &mut Vec<Told>) {
        if self.phase != Phase::Waiting
            || !self.record.is_empty()
            || self.setup_told
            || self.kings_shown
            || stage < 3
        {
            return;
        }
        let off = now.line.wood().differs_wood(&self.start_wood);
        // White may have begun before the clock was started.
        let begun = now.line.contacts_since(self.since).any(|c| !c.in_dump)
            && self.stories.iter().any(|s| s.root == 0 && s.depth() > 0 && s.shown);
        if off.is_empty() || off.count() > SETUP_SQUARES_MAX || begun {
            return;
        }
        self.setup_told = true;
        let end = self.record.end().clone();
        let sideways = now.line.seating().turned.is_sideways();
        let matter = Matter::WrongSetup { squares: off, sideways, started: false };
        self.tell(now, Moment::Rest, None, None, &end, 0, &[], matter, out);
    }

    /// The piece that a pawn became reads as another one, or the arbiter had another one put there.
    fn look_at_promotion(&mut self, now: Now<'_>, out: &mut Vec<Told>) {
        let Some(entry) = self.record.entries().last().filter(|_| self.phase != Phase::Waiting) else {
            return;
        };
        let (side, left) = (entry.ply.side, entry.ply.kind == PlyKind::PromotionUnknown);
        let end = self.record.end().clone();
        let off = self.standing.unexplained(now.line.wood(), &end.board);
        let m = entry.m.filter(|m| m.promotion.is_some());
        let Some(m) = m.filter(|m| off == Bitboard::from(m.to)) else { return };
        let Sensed::Piece(seen) = now.line.wood().at(m.to) else { return };
        let lifted = now.line.contacts_since(self.since).any(|c| c.square == m.to && !c.now.is_occupied());
        if seen.color != side || seen.role == Role::Pawn || lifted && !left {
            return;
        }
        let plies = self.record.len();
        let matter = Matter::AnotherPiece { m, seen, exchanged: left };
        self.tell(now, Moment::Rest, Some(side), None, &end, plies, &[], matter, out);
        self.standing.accept(off, now.line.wood());
        self.rebase(now);
    }

    /// The pieces were set up for another game although nobody has shown a result.
    pub(super) fn look_for_reset(&mut self, now: Now<'_>, out: &mut Vec<Told>) {
        let over = self.ended || self.kings_shown || self.record.is_empty() && self.phase == Phase::Waiting;
        // On another board the game goes on from its array.
        let over = over || self.rebuilding || !now.line.is_up();
        if over || !self.is_reset(now) || self.stories.iter().any(|s| s.shown) {
            return;
        }
        self.ended = true;
        let end = self.record.end().clone();
        let plies = self.record.len();
        self.tell(now, Moment::End, None, None, &end, plies, &[], Matter::Reset, out);
    }

    /// A mate on the board ends the game without a press (5.1.1).
    fn commit_mate(&mut self, now: Now<'_>, out: &mut Vec<Told>) {
        let over = |s: &&Story| {
            s.root == 0
                && s.depth() > 0
                && s.is_exact()
                && !s.guessed
                && (s.position.is_mate() || s.position.is_stalemate())
        };
        let mated = self.stories.iter().find(over).cloned();
        if let Some(story) = mated {
            let count = story.depth();
            self.commit(now, &story, count, Completed::GameEnd, None, out);
        }
    }

    /// Without a clock the opponent's own move commits, and in the end rest does.
    pub(super) fn commit_without_clock(&mut self, now: Now<'_>, depth: usize, out: &mut Vec<Told>) {
        let deepest =
            self.stories.iter().filter(|s| s.root == 0 && s.is_exact()).max_by_key(|s| s.depth()).cloned();
        let Some(story) = deepest.filter(|s| s.depth() >= depth) else { return };
        let count = if depth == 1 { story.depth() } else { story.depth() - 1 };
        let by = if depth == 1 { Completed::Inferred } else { Completed::Reply };
        self.commit(now, &story, count, by, None, out);
    }

    pub(super) fn look_for_kings(&mut self, now: Now<'_>, out: &mut Vec<Told>) {
        if self.kings_shown {
            return;
        }
        let board = now.line.wood().known();
        let king = |color: Color| board.king_of(color).filter(|s| centre().contains(*s));
        let (Some(white), Some(black)) = (king(Color::White), king(Color::Black)) else { return };
        if self.stories.iter().any(|s| s.root == 0 && s.shown) && self.phase == Phase::Playing {
            return;
        }
        let winner = match (white.is_light(), black.is_light()) {
            (true, true) => Some(Color::White),
            (false, false) => Some(Color::Black),
            _ => None,
        };
        if self.phase == Phase::Playing && self.held.is_none() {
            self.commit_before_signal(now, out);
        }
        self.kings_shown = true;
        self.winner = winner;
        self.ended = true;
        let end = self.record.end().clone();
        let plies = self.record.len();
        self.tell(now, Moment::End, None, None, &end, plies, &[], Matter::Kings { winner }, out);
    }

    /// The last move before the kings were taken to the centre may not have been pressed.
    fn commit_before_signal(&mut self, now: Now<'_>, out: &mut Vec<Told>) {
        let shown = |s: &&Story| s.root == 0 && s.last > Tick::ZERO && !s.guessed;
        let last = self.stories.iter().filter(shown).max_by_key(|s| (s.last, s.first)).cloned();
        if let Some(story) = last.filter(|s| s.depth() > 0) {
            let count = story.depth();
            self.commit(now, &story, count, Completed::GameEnd, None, out);
        }
    }

    /// An earlier position stands on the board again while the clock runs.
    fn look_for_restored(&mut self, now: Now<'_>, out: &mut Vec<Told>) {
        if self.stories.iter().any(|s| s.root == 0 && s.shown) {
            return;
        }
        let back = self.stories.iter().find(|s| s.root > 0 && s.depth() == 0 && s.is_exact());
        if let Some(keep) = back.and_then(|s| self.stories.roots.get(s.root)).map(|r| r.keep) {
            self.restore(keep, out);
            self.rebase(now);
        }
    }

    fn look_for_displaced(&mut self, now: Now<'_>, stage: usize, out: &mut Vec<Told>) {
        let in_dispute = self.stories.roots.len() > 1;
        if self.phase != Phase::Playing || self.ended || self.kings_shown || (in_dispute && stage < 3) {
            return;
        }
        if self.stories.iter().any(|s| s.shown) {
            self.commit_answered(now, out);
            return;
        }
        if self.is_promotion_begun(now) {
            return;
        }
        if let Some(moves) = self.two_or_three_unseen(now) {
            self.commit_unseen(now, vec![moves], 1, out);
            return;
        }
        let end = self.record.end().clone();
        let (mover, other) = (end.turn, !end.turn);
        let wood = now.line.wood();
        // What the side to move has done so far is its own affair until it presses.
        let (base, off) = self.best_so_far(now, &end);
        let theirs = base.board.by_color(other);
        let gained = wood.known().by_color(other) | wood.unknown();
        let moved = (off & theirs).any() && (off & gained & !theirs).any();
        if !moved {
            if let Explanation::Illegal(illegal) = self.explain(now, &end)
                && stage == 2
            {
                let contacts = self.contacts(now);
                let plies = self.record.len();
                let matter = Matter::Unpressed(illegal);
                self.tell(now, Moment::Rest, Some(mover), None, &end, plies, &contacts, matter, out);
            }
            return;
        }
        let contacts = self.contacts(now);
        let plies = self.record.len();
        let out_of_turn = self.is_move_of(now, &end, other);
        self.tell(
            now,
            Moment::Rest,
            None,
            None,
            &end,
            plies,
            &contacts,
            Matter::Displaced { squares: off, out_of_turn },
            out,
        );
        self.standing.accept(off, wood);
        self.rebase(now);
    }

    /// A pawn has come to the last rank and its new piece is being looked for.
    fn is_promotion_begun(&self, now: Now<'_>) -> bool {
        let wood = now.line.wood();
        self.stories.iter().filter(|s| s.root == 0 && s.last > Tick::ZERO).any(|s| {
            let pawn = Piece { color: s.position.turn, role: Role::Pawn };
            s.position.legal_moves().iter().filter(|m| m.promotion == Some(Role::Queen)).any(|m| {
                let left = self.standing.unexplained(wood, &s.position.play(m).board);
                left == Bitboard::from(m.to) && wood.at(m.to) == Sensed::Piece(pawn)
            })
        })
    }

    /// The pieces were set up for another game while the clock ran on.
    pub(super) fn is_reset(&self, now: Now<'_>) -> bool {
        let array = Position::initial().board;
        now.line.wood().differs(&array).is_empty() && self.record.end().board != array
    }

    /// Exactly one short legal sequence explains what only a reading of all squares has shown.
    fn two_or_three_unseen(&self, now: Now<'_>) -> Option<Vec<Move>> {
        if !now.line.contacts_since(self.since).any(|c| c.in_dump) {
            return None;
        }
        (2..=3).find_map(|plies| {
            let search = gap::search(self.record.end(), now.line.wood(), &self.standing, plies, 2);
            (search.complete && search.found.len() == 1).then(|| search.found[0].clone())
        })
    }

    /// The position after the mover's own move, if that leaves less unexplained than none.
    fn best_so_far(&self, now: Now<'_>, end: &Position) -> (Position, Bitboard) {
        let wood = now.line.wood();
        let off = |p: &Position| self.standing.unexplained(wood, &p.board);
        let none = (end.clone(), off(end));
        end.legal_moves()
            .iter()
            .map(|m| end.play(m))
            .filter(|p| off(p).is_subset(none.1))
            .map(|p| (off(&p), p))
            .min_by_key(|(left, _)| left.count())
            .filter(|(left, _)| left.count() < none.1.count())
            .map_or(none, |(left, p)| (p, left))
    }

    /// A move whose press was forgotten has been answered, and the answer stands.
    fn commit_answered(&mut self, now: Now<'_>, out: &mut Vec<Told>) {
        let answers = self.stories.iter().filter(|s| s.root == 0 && s.depth() >= 2 && s.is_exact());
        let answered = answers.min_by_key(|s| (s.depth(), Reverse(s.parent_last))).cloned();
        if let Some(story) = answered {
            self.commit(now, &story, story.depth() - 1, Completed::Reply, None, out);
        }
    }
}
