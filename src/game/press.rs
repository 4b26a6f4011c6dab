//! A press and the story it completes; late squares of a move that was taken as completed.

use std::cmp::Reverse;

use shakmaty::{Bitboard, Color, Piece, Role, Square};

use super::explain::Explanation;
use super::ply::Completed;
use super::position::{Move, Position};
use super::stories::Story;
use super::told::{Matter, Moment, Told};
use super::tracker::{AIR, LATE_PRESS, LastCommit, Now, Press, REVISE, REVISE_BY_DUMP, Tracker};
use crate::events::Sensed;
use crate::tick::{Span, Tick};

/// A piece that is reported as taken up so long after the press was not on its way before it: from
/// there to its landing and to the clock a hand needs 210 ms more, and boards that work are not 310 ms
/// late.
const LIFTED_LATE: Span = Span::from_ms(100);

impl Tracker {
    /// A press for a move that the opponent has answered already (6.2.2); its message may also
    /// have come late.
    pub(super) fn credit_late_press(&mut self, side: Color, at: Tick) -> bool {
        if self.record.end().turn != side {
            return false;
        }
        let recent = Tick::from_us(at.us().saturating_sub(LATE_PRESS.us()));
        self.record.credit_press(side, recent, at)
    }

    /// Looks for a story that the press completes.
    pub(super) fn try_resolve(&mut self, now: Now<'_>, out: &mut Vec<Told>) {
        let Some(press) = self.press else { return };
        if let Some((story, count)) = self.story_of(now, press, false) {
            self.resolve(now, press, &story, count, out);
        }
    }

    /// Nothing better has come: a story that leaves a piece of the mover's in the air will do.
    pub(super) fn try_resolve_at_last(&mut self, now: Now<'_>, press: Press, out: &mut Vec<Told>) -> bool {
        let found = self.story_of(now, press, true);
        if let Some((story, count)) = &found {
            self.resolve(now, press, story, *count, out);
        }
        found.is_some()
    }

    /// The story that a press completes, and how many of its moves; `at_last` takes one too in which
    /// a piece of the mover's is in the air, which may be about to land elsewhere.
    fn story_of(&self, now: Now<'_>, press: Press, at_last: bool) -> Option<(Story, usize)> {
        self.shown_story(now, press, false, at_last)
            .or_else(|| self.answered_in_hand(now, press, at_last))
            .or_else(|| at_last.then(|| self.shown_story(now, press, true, at_last)).flatten())
    }

    fn resolve(&mut self, now: Now<'_>, press: Press, story: &Story, count: usize, out: &mut Vec<Told>) {
        let landed = story.first.max(press.at);
        let in_dump = now.line.contacts_since(landed).next().is_some_and(|c| c.in_dump);
        let missed = story.moves.first().is_some_and(|m| now.line.was_missed(m.to, press.at));
        let begun_late = self.begun_late(now, press, story, count);
        if press.in_air && !press.told && !in_dump && !missed && landed.since(press.at) > AIR {
            self.tell_in_air(now, press, story, out);
        } else if let Some((m, lifted)) = begun_late.filter(|_| !press.told) {
            let matter = Matter::BegunLate { m, lifted, landed: landed.since(press.at) };
            self.tell_of_press(now, press, matter, out);
        }
        // Who sets his piece down late once says nothing about how late the board reports.
        let late = story.first.since(press.at);
        if count == story.depth() && late <= AIR {
            match begun_late {
                None => self.lags.explained(late),
                Some(_) => self.lags.begun_late(late),
            }
        }
        self.press = None;
        self.judge_at = None;
        self.commit(now, story, count, Completed::Press, Some(press.at), out);
    }

    /// A story that the wood shows and the press completes, and how many of its moves it does.
    fn shown_story(
        &self,
        now: Now<'_>,
        press: Press,
        guessed: bool,
        at_last: bool,
    ) -> Option<(Story, usize)> {
        let fits = |s: &&Story| {
            // Several of the mover's own pieces off the board: something was knocked over.
            let knocked = s.in_hand & s.position.board.by_color(press.side);
            s.guessed == guessed
                && s.shown
                && completed(s, press.side) > 0
                && (s.root == 0 || s.is_exact())
                && knocked.count() < 2
                && (at_last || knocked.is_empty() || self.are_taken(now, s, press, knocked))
                // Nobody captures a king: it is in the mover's own hand, in the middle of castling.
                && (knocked & s.position.board.kings()).is_empty()
        };
        let best = |s: &&Story| (s.root, s.in_hand.count(), completed(s, press.side), Reverse(s.parent_last));
        let story = self.stories.iter().filter(fits).min_by_key(best)?;
        Some((story.clone(), completed(story, press.side)))
    }

    /// Whether the presser's pieces on these squares were all emptied since he made the last move:
    /// by the opponent, to capture them. What the presser lifted before that is in his own hand; and
    /// if the opponent has answered already, he has begun another move and may press for that.
    fn are_taken(&self, now: Now<'_>, story: &Story, press: Press, squares: Bitboard) -> bool {
        let last = |s| now.line.contacts_since(self.since).rfind(|c| c.square == s);
        story.mover() == press.side
            && squares.into_iter().all(|s| last(s).is_some_and(|c| c.at > story.first))
    }

    /// The last story that the wood showed completely, if all that has changed since is the hand
    /// of the side to move at work: pieces lifted, one taken to be captured, a castling half done.
    fn answered_in_hand(&self, now: Now<'_>, press: Press, at_last: bool) -> Option<(Story, usize)> {
        let story = self
            .stories
            .iter()
            .filter(|s| s.root == 0 && !s.guessed && completed(s, press.side) > 0 && s.last > Tick::ZERO)
            .max_by_key(|s| (s.last, s.first, s.depth()))?;
        // With nothing gone but the piece just set down, the mover may have taken it up again himself.
        let off = self.standing.unexplained(now.line.wood(), &story.position.board);
        let gone_again = (off & !story.position.board.by_color(press.side)).is_empty();
        let fits = (at_last || !gone_again) && self.is_in_hand(now, story);
        fits.then(|| (story.clone(), completed(story, press.side)))
    }

    /// Whether all that differs from a story is the work of the side to move since it was shown.
    fn is_in_hand(&self, now: Now<'_>, story: &Story) -> bool {
        let wood = now.line.wood();
        let (mover, theirs) = (story.mover(), story.position.turn);
        let off = self.standing.unexplained(wood, &story.position.board);
        let taken = off & story.position.board.by_color(mover) & !wood.occupied();
        let king_taken = (taken & story.position.board.kings()).any();
        if off.is_empty() || off.count() > 4 || taken.count() > 1 || king_taken {
            return false;
        }
        let began_after = off.into_iter().all(|square| {
            let first = now.line.contacts_since(self.since).find(|c| c.square == square);
            // The landing itself may have been emptied again by a capturing hand.
            let part = story.moves.iter().any(|m| m.changed().contains(square));
            first.is_some_and(|c| c.at > story.first) || part
        });
        let mut since = now.line.contacts_since(story.first);
        let theirs_only = since.all(|c| {
            let of = |seen: Sensed| match seen {
                Sensed::Piece(piece) => piece.color == theirs,
                Sensed::Something => true,
                Sensed::Empty => false,
            };
            let later = c.at > story.first && off.contains(c.square);
            // Placing needs a piece of theirs; lifting may also take what they capture.
            !later || of(c.was) || of(c.now) || c.now == Sensed::Empty
        });
        began_after && theirs_only
    }

    /// Late squares of a move that was already taken as completed: a slide that went on, or a
    /// press without a move that was none.
    pub(super) fn try_revise(&mut self, now: Now<'_>, out: &mut Vec<Told>) -> bool {
        let Some(last) = self.last_commit else { return false };
        let no_clock = now.line.clock().is_none();
        let by_dump = now.line.contacts_since(now.at).any(|c| c.in_dump);
        let window = if by_dump { REVISE_BY_DUMP } else { REVISE };
        if !no_clock && now.at.since(last.at) > window {
            return false;
        }
        let wood = now.line.wood();
        let agrees = |s: &Story| match by_dump {
            true => wood.differs(&s.position.board).is_empty(),
            false => s.shown,
        };
        if self.stories.iter().any(|s| s.root == 0 && agrees(s)) {
            return false;
        }
        let Some(entry) = self.record.entries().last() else { return false };
        let (before, by, pressed_at, was) =
            (entry.before.clone(), entry.ply.by, entry.ply.pressed_at, entry.m);
        let better = before.legal_moves().into_iter().filter(|m| {
            // The same piece went on, or nothing had been seen of the move yet.
            was.is_none_or(|w| (by_dump || w.from == m.from) && w != *m)
                && match by_dump {
                    true => wood.differs(&before.play(m).board).is_empty(),
                    false => {
                        let after = before.play(m);
                        let left = self.standing.unexplained(wood, &after.board);
                        // The opponent may have taken up a piece meanwhile.
                        let lifted = !wood.occupied() & after.board.by_color(after.turn);
                        (left & !lifted).is_empty() && left.count() <= 2
                    }
                }
        });
        let better: Vec<Move> = better.collect();
        let Some(m) = better.first().copied() else { return false };
        self.record.take_back_for_correction();
        out.push(Told::Retracted(self.record.len()));
        if let Some(key) = last.key {
            out.push(Told::Unjudged(key));
        }
        if was.is_none() {
            self.lags.explained(now.at.since(last.at));
        }
        self.since = last.since;
        debug_assert!(last.standing_added.count() <= 64, "squares are on the board");
        let contacts = self.contacts(now);
        self.add(now, &m, by, pressed_at, &contacts, Bitboard::EMPTY, out);
        if by_dump && better.len() > 1 {
            self.tell_candidates(now, &before, &better, out);
        }
        self.last_commit = Some(LastCommit { at: last.at, ..self.last_commit.unwrap_or(last) });
        self.press = None;
        self.judge_at = None;
        self.rebase(now);
        true
    }

    /// Only a reading of all squares shows the last move, and several moves look like it.
    fn tell_candidates(&mut self, now: Now<'_>, before: &Position, moves: &[Move], out: &mut Vec<Told>) {
        if let Some(entry) = self.record.last_mut() {
            entry.ply.stories = moves.len();
            entry.unseen = true;
        }
        let found = moves.iter().map(|m| vec![*m]).collect();
        let matter = Matter::Unseen { stories: moves.len(), found };
        let plies = self.record.len() - 1;
        self.tell(now, Moment::Gap, None, None, before, plies, &[], matter, out);
    }

    /// The move that the press completes, if it or its second piece was taken up only after the press;
    /// and from where.
    fn begun_late(&self, now: Now<'_>, press: Press, story: &Story, count: usize) -> Option<(Move, Square)> {
        let m = *story.moves.get(count.checked_sub(1)?)?;
        let up = |square: Square, role: Role| {
            let own = Sensed::Piece(Piece { color: press.side, role });
            let mut contacts = now.line.contacts_since(self.since).rev();
            contacts.find(|c| c.square == square && c.was == own && !c.in_dump)
        };
        let rook = m.rook.and_then(|(rook, _)| up(rook, Role::Rook));
        let last = up(m.from, m.role).into_iter().chain(rook).max_by_key(|c| c.at)?;
        (last.at.since(press.at) > LIFTED_LATE.max(self.lags.most())).then_some((m, last.square))
    }

    fn tell_of_press(&mut self, now: Now<'_>, press: Press, matter: Matter, out: &mut Vec<Told>) {
        let before = self.record.end().clone();
        let (contacts, plies) = (self.contacts(now), self.record.len());
        let moment = Moment::Press(press.side);
        self.tell(now, moment, Some(press.side), Some(press.at), &before, plies, &contacts, matter, out);
    }

    fn tell_in_air(&mut self, now: Now<'_>, press: Press, story: &Story, out: &mut Vec<Told>) {
        let lifted = story.moves.first().map_or(Bitboard::EMPTY, |m| Bitboard::from(m.from));
        self.tell_of_press(now, press, Matter::Action(Explanation::InAir { lifted }), out);
    }
}

/// How many moves of a story a press of `side` completes: up to the last one of that side.
fn completed(story: &Story, side: Color) -> usize {
    if story.mover() == side { story.depth() } else { story.depth().saturating_sub(1) }
}
