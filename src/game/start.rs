//! What the tracker does when the clock is started: the set-up, a new game, a position put back.

use shakmaty::{Bitboard, Color};

use super::ply::Completed;
use super::position::Position;
use super::record::Record;
use super::stories::Story;
use super::told::{Matter, Moment, Told};
use super::tracker::{Now, Phase, SETUP, Tracker, Unseen};
use crate::events::{Sensed, Wood};
use crate::tick::{Span, Tick};

/// After so many failed tries the board is taken as it is.
const TRIES_MAX: u32 = 6;
/// All squares are read so soon after the start of the clock that the pieces still stand as then.
const START_READ: Span = Span::from_ms(1_500);
/// White may have begun his move so long before the start of the clock is reported.
const BEGUN: Span = Span::from_ms(1_500);
/// A first move that was taken up before the start was reported is set down again by then.
const LOOK_AGAIN: Span = Span::from_ms(4_000);
/// One that was taken up after that: the player thinks with the piece in his hand.
const LOOK_AGAIN_LATER: Span = Span::from_ms(9_000);
/// More squares wrong than this at the start is no wrong set-up but another position.
const SETUP_SQUARES_MAX: usize = 12;

impl Tracker {
    /// The clock was started, or started again.
    pub(super) fn started(&mut self, now: Now<'_>, side: Color, out: &mut Vec<Told>) {
        let first = self.phase == Phase::Waiting;
        self.phase = Phase::Playing;
        if first && self.record.is_empty() {
            self.setup_at = Some(now.at + SETUP);
            self.started_at = now.at;
            self.setup_again = None;
            self.rest_from(now.at);
            return;
        }
        self.rebuilt_at_start(now, side, out);
        let unseen = self.unseen.is_some() && !self.reset_unseen(now);
        if self.press.is_some() || unseen {
            return;
        }
        self.kings_shown = false;
        self.ended = false;
        self.restarted(now, side, out);
        if !self.standing.unexplained(now.line.wood(), &self.record.end().board).is_empty() {
            // One square misread hides the array, or the position put back: all are to be read.
            self.wants_dump = true;
            self.start_doubted = Some((now.at, side));
        }
        self.rest_from(now.at);
    }

    /// All squares were read: what stood there when the clock was started, if that was in doubt.
    pub(super) fn look_at_start_again(&mut self, now: Now<'_>, out: &mut Vec<Told>) {
        let Some((at, side)) = self.start_doubted.take() else { return };
        let soon = now.at.since(at) <= START_READ && now.line.contacts_since(at).all(|c| c.in_dump);
        if soon && self.press.is_none() && self.unseen.is_none() && self.phase == Phase::Playing {
            self.restarted(now, side, out);
        }
    }

    /// Which position was put back while the clock stood.
    fn restarted(&mut self, now: Now<'_>, side: Color, out: &mut Vec<Told>) {
        if self.was_put_right(now) {
            self.new_game(now, out);
            return;
        }
        let turn_fits = |s: &&Story| s.position.turn == side;
        let exact = |s: &&Story| s.is_exact();
        let here = |s: &&Story| s.root == 0 && s.shown;
        if self.stories.iter().filter(turn_fits).any(|s| here(&s) && s.depth() == 0) {
            return;
        }
        let undone = |s: &&Story| s.root > 0 && s.depth() <= 1;
        let back = self.stories.iter().filter(exact).filter(turn_fits).find(undone).cloned();
        if let Some(story) = back {
            let keep = self.stories.roots.get(story.root).map_or(self.record.len(), |r| r.keep);
            let pressed = self.record.entries().get(keep).and_then(|e| e.ply.pressed_at);
            if story.depth() == 0 {
                self.restore(keep, out);
                self.rebase(now);
            } else {
                self.commit(now, &story, 1, Completed::Press, pressed, out);
            }
            return;
        }
        // A move of the side that now runs the other's clock, or the record as it was.
        if self.stories.iter().any(|s| here(&s)) {
            return;
        }
        let wood = now.line.wood();
        let elsewhere = !self.record.is_empty() || self.record.end().board != self.initial.board;
        if elsewhere && self.is_new_game(wood) {
            self.new_game(now, out);
            return;
        }
        let earlier = (0..self.record.len()).rev().find(|keep| {
            let position = self.record.at(*keep);
            position.turn == side && wood.differs(&position.board).is_empty()
        });
        if let Some(keep) = earlier {
            self.restore(keep, out);
            self.rebase(now);
        }
    }

    /// A wrong set-up was put right before anything was played.
    fn was_put_right(&self, now: Now<'_>) -> bool {
        let right = &self.initial.board;
        self.record.is_empty()
            && self.record.end().board != *right
            && now.line.wood().differs(right).is_empty()
    }

    /// The array, or White's first move from it, and not what the record has.
    fn is_new_game(&self, wood: &Wood) -> bool {
        let begun = |p: &Position| {
            let off = wood.differs(&p.board);
            (off & (wood.occupied() | p.board.by_color(!self.initial.turn))).is_empty() && off.count() <= 1
        };
        let first = |p: &Position| p.legal_moves().iter().any(|m| wood.differs(&p.play(m).board).is_empty());
        begun(&self.initial) || first(&self.initial)
    }

    fn new_game(&mut self, now: Now<'_>, out: &mut Vec<Told>) {
        let start = self.first_position(now);
        out.push(Told::Retracted(0));
        out.push(Told::NewGame);
        self.record = Record::new(start, self.record.is_chess960());
        self.standing.clear();
        self.last_commit = None;
        self.held = None;
        self.since = now.at;
        self.rebase(now);
    }

    fn first_position(&self, now: Now<'_>) -> Position {
        let initial = self.initial.clone();
        debug_assert!(now.line.has_dump(), "a game begins on a board that was seen");
        initial
    }

    /// The set-up as it was when the clock was started, unless it was put right at once.
    pub(super) fn judge_setup(&mut self, now: Now<'_>, out: &mut Vec<Told>) {
        if self.setup_at.take().is_none() {
            return;
        }
        if !now.line.has_dump() {
            return;
        }
        let end = self.record.end().clone();
        let stood = self.stood_at_start(now);
        let off = stood.differs_wood(&self.start_wood) & now.line.wood().differs_wood(&self.start_wood);
        // A turned board on which the queens stand on their own colour is a wrong set-up instead.
        if now.line.seating().turned.is_sideways() && off.is_empty() {
            self.tell(now, Moment::ClockStart, None, None, &end, 0, &[], Matter::Sideways, out);
        }
        // At the second look only what was already gone at the first, and did not come back.
        let off = self.setup_again.map_or(off, |gone| off & gone);
        if off.is_empty() {
            self.look_again(now);
            return;
        }
        if off.count() > SETUP_SQUARES_MAX {
            self.unseen = Some(Unseen { plies: None, tries: TRIES_MAX });
            return;
        }
        let matter = Matter::WrongSetup {
            squares: off,
            sideways: now.line.seating().turned.is_sideways(),
            started: true,
        };
        self.tell(now, Moment::ClockStart, None, None, &end, 0, &[], matter, out);
        // The game goes on from the wood until somebody cancels it.
        let mut board = end.board.clone();
        for square in off {
            board.discard_piece_at(square);
            if let Some(piece) = stood.known().piece_at(square) {
                board.set_piece_at(square, piece);
            }
        }
        let position = Position::from_wood(board, end.turn, end.castles, &end);
        self.record.anchor(position);
        self.rebase(now);
    }

    /// A piece taken up just before the start may be White's first move, or missing: one more look.
    fn look_again(&mut self, now: Now<'_>) {
        let wood = now.line.wood();
        let off = wood.differs_wood(&self.start_wood);
        let lifted = off.any() && (off & wood.occupied()).is_empty();
        if lifted && self.setup_again.is_none() && self.record.is_empty() {
            let later = now.line.contacts_since(self.started_at).any(|c| off.contains(c.square));
            let look = if later { LOOK_AGAIN_LATER } else { LOOK_AGAIN };
            self.setup_again = Some(off);
            self.started_at = now.at + look + BEGUN;
            self.setup_at = Some(now.at + look);
        }
    }

    /// The wood when the clock was started. Its message may come late, and White may have begun
    /// his move by then: what was touched around it stood as before.
    fn stood_at_start(&self, now: Now<'_>) -> Wood {
        let stands = now.line.wood();
        let mut wood = stands.clone();
        let from = Tick::from_us(self.started_at.us().saturating_sub(BEGUN.us())).max(self.since);
        // A piece that was put down and taken up nowhere is no move, unless a pawn became it: it
        // came onto the board.
        let gone = stands.differs_wood(&self.start_wood);
        let start = self.start_wood.known();
        let promotes = |color: Color| {
            let seventh = Bitboard::from(color.relative_rank(shakmaty::Rank::Seventh));
            (start.pawns() & start.by_color(color) & seventh).any()
        };
        let taken_up = |seen: Sensed| {
            gone.into_iter().any(|s| self.start_wood.at(s) == seen)
                || matches!(seen, Sensed::Piece(p) if promotes(p.color))
        };
        for contact in now.line.contacts_since(from).rev().filter(|c| !c.in_dump) {
            if !contact.now.is_occupied() || taken_up(contact.now) {
                wood.set(contact.square, contact.was);
            }
        }
        wood
    }
}
