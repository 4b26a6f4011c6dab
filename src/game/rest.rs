//! What the tracker does when nothing has moved for a while, when the clock is started, and after
//! moves that nobody saw.

use std::cmp::Reverse;

use shakmaty::{Bitboard, Color, Piece, Role, Square};

use super::explain::Explanation;
use super::gap;
use super::ply::Completed;
use super::position::{Move, Position};
use super::record::Record;
use super::stories::Story;
use super::told::{Matter, Moment, Told};
use super::traces::Traces;
use super::tracker::{Now, Phase, SETUP, Tracker, Unseen};
use crate::events::{Sensed, Wood};
use crate::tick::{Span, Tick};
use crate::timeline::Contact;

/// How many unseen plies are searched for at most.
const UNSEEN_MAX: usize = 6;
/// How many stories of unseen plies are told apart.
const STORIES_TOLD: usize = 9;
/// How many are compared with what was touched.
const STORIES_COMPARED: usize = 64;
/// After so many failed tries the board is taken as it is.
const TRIES_MAX: u32 = 6;
/// White may have begun his move so long before the start of the clock is reported.
const BEGUN: Span = Span::from_ms(1_500);
/// So many rests are waited for the clock after the link came back.
const TRIES_WITHOUT_CLOCK: u32 = 3;
/// So many rests are waited for a reading of all squares, where a landing was not seen.
const TRIES_WITHOUT_DUMP: u32 = 3;
/// A first move that was taken up before the start was reported is set down again by then.
const LOOK_AGAIN: Span = Span::from_ms(4_000);
/// One that was taken up after that: the player thinks with the piece in his hand.
const LOOK_AGAIN_LATER: Span = Span::from_ms(9_000);
/// More squares wrong than this at the start is no wrong set-up but another position.
const SETUP_SQUARES_MAX: usize = 12;

impl Tracker {
    /// Nothing has changed for the time of `stage`.
    pub(super) fn rested(&mut self, now: Now<'_>, stage: usize, out: &mut Vec<Told>) {
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
            _ => self.look_for_displaced(now, stage, out),
        }
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

    fn look_for_kings(&mut self, now: Now<'_>, out: &mut Vec<Told>) {
        if self.kings_shown {
            return;
        }
        let centre = Bitboard::from(Square::D4)
            | Bitboard::from(Square::E4)
            | Bitboard::from(Square::D5)
            | Bitboard::from(Square::E5);
        let board = now.line.wood().known();
        let king = |color: Color| board.king_of(color).filter(|s| centre.contains(*s));
        let (Some(white), Some(black)) = (king(Color::White), king(Color::Black)) else { return };
        if self.stories.iter().any(|s| s.root == 0 && s.shown) && self.phase == Phase::Playing {
            return;
        }
        let winner = match (white.is_light(), black.is_light()) {
            (true, true) => Some(Color::White),
            (false, false) => Some(Color::Black),
            _ => None,
        };
        if self.phase == Phase::Playing {
            self.commit_before_signal(now, out);
        }
        self.kings_shown = true;
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
        if self.is_reset(now) {
            self.ended = true;
            return;
        }
        if let Some(moves) = self.two_or_three_unseen(now) {
            self.commit_unseen(now, &moves, 1, out);
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
    fn is_reset(&self, now: Now<'_>) -> bool {
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
        self.rest_from(now.at);
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
        let matter = Matter::WrongSetup { squares: off };
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

    /// New readings after moves that were not seen: is there exactly one story now?
    pub(super) fn try_unseen(&mut self, now: Now<'_>, out: &mut Vec<Told>) {
        let Some(Unseen { plies: Some(plies), .. }) = self.unseen else { return };
        let plies = plies.min(UNSEEN_MAX);
        let search = gap::search(self.record.end(), now.line.wood(), &self.standing, plies, STORIES_COMPARED);
        let traces = Traces::since(now.line, self.since);
        let likely = traces.likeliest(&search.found);
        if let ([only], true) = (likely.as_slice(), search.complete) {
            // A piece that was taken where nobody saw it land may as well stand where nobody saw it
            // land: only a reading of all squares tells.
            if self.dumped_since_press(now) || traces.shows_all(only) {
                let only = (*only).clone();
                self.commit_unseen(now, &only, 1, out);
            } else {
                self.wants_dump = true;
            }
        }
    }

    /// All squares were read just now.
    fn dumped_since_press(&self, now: Now<'_>) -> bool {
        self.dumped_at.is_some_and(|at| at >= self.last_change && at <= now.at)
    }

    /// After a pause in which nothing moved: explain what was not seen, or take the board as it is.
    fn explain_unseen(&mut self, now: Now<'_>, out: &mut Vec<Told>) {
        let Some(unseen) = self.unseen else { return };
        if !now.line.is_up() || !now.line.has_dump() {
            return;
        }
        let end = self.record.end().clone();
        let wood = now.line.wood();
        if !now.line.clock_is_heard() && now.line.clock().is_some() && unseen.tries < TRIES_WITHOUT_CLOCK {
            self.unseen = Some(Unseen { tries: unseen.tries + 1, ..unseen });
            return;
        }
        let turn = self.turn_by_clock(now);
        if self.standing.unexplained(wood, &end.board).is_empty() && unseen.plies.is_none() {
            self.unseen = None;
            self.rebase(now);
            return;
        }
        if let Some((moves, stories)) = self.likeliest_unseen(now, wood, unseen.plies, turn) {
            let shown = unseen.plies.is_none()
                || self.dumped_since_press(now)
                || Traces::since(now.line, self.since).shows_all(&moves);
            if !shown && unseen.tries < TRIES_WITHOUT_DUMP {
                self.unseen = Some(Unseen { tries: unseen.tries + 1, ..unseen });
                return;
            }
            self.commit_unseen(now, &moves, stories, out);
            return;
        }
        if self.reset_unseen(now) {
            return;
        }
        let tries = unseen.tries + 1;
        self.unseen = Some(Unseen { tries, ..unseen });
        if tries < TRIES_MAX {
            return;
        }
        let plies = self.record.len();
        self.unseen = None;
        self.tell(now, Moment::Gap, None, None, &end, plies, &[], Matter::Unseen { stories: 0 }, out);
        self.adopt(now, turn.unwrap_or(end.turn));
    }

    /// The pieces were set up for another game while the board could not be heard: no moves led
    /// there. The record stays as it is until the clock is started.
    fn reset_unseen(&mut self, now: Now<'_>) -> bool {
        let turn = self.turn_by_clock(now);
        if !self.is_reset(now) || self.likeliest_unseen(now.line.wood(), None, turn).is_some() {
            return false;
        }
        self.unseen = None;
        self.ended = true;
        self.rebase(now);
        true
    }

    /// Whose turn the clock says it is, if it was heard since the link came back.
    fn turn_by_clock(&self, now: Now<'_>) -> Option<Color> {
        let clock = now.line.clock().filter(|_| now.line.clock_is_heard());
        clock.map(|c| c.running.unwrap_or(!c.down))
    }

    /// The shortest legal sequence that explains the wood, and how many there are of that kind.
    ///
    /// A sequence that ends with the turn the clock does not show has a last move not pressed; one
    /// that takes a piece there and back is unlikely. Both count as plies more.
    fn likeliest_unseen(
        &self,
        now: Now<'_>,
        wood: &Wood,
        known: Option<usize>,
        turn: Option<Color>,
    ) -> Option<(Vec<Move>, usize)> {
        let end = self.record.end();
        let fits = |n: usize| turn.is_none_or(|t| n.is_multiple_of(2) == (t == end.turn));
        let traces = Traces::since(now.line, self.since);
        let mut best: Option<(usize, Vec<Move>, usize)> = None;
        for n in 1..=UNSEEN_MAX {
            if known.is_some_and(|known| known != n) || best.as_ref().is_some_and(|b| b.0 < 2 * n) {
                continue;
            }
            let search = gap::search(end, wood, &self.standing, n, STORIES_COMPARED);
            let likely = traces.likeliest(&search.found);
            let Some(first) = likely.first().map(|moves| (*moves).clone()) else { continue };
            let cost = 2 * n + if fits(n) { 0 } else { 3 } + if search.direct { 0 } else { 6 };
            let stories = likely.len().min(STORIES_TOLD);
            let stories = if search.complete { stories } else { stories.max(2) };
            if best.as_ref().is_none_or(|b| cost < b.0) {
                best = Some((cost, first, stories));
            }
        }
        best.map(|(_, moves, stories)| (moves, stories))
    }

    /// Play goes on before the gap was explained: what was not seen led to the board as it was read,
    /// and whose piece is taken up now tells whose turn it was.
    pub(super) fn begun_after_gap(&mut self, now: Now<'_>, contact: &Contact, out: &mut Vec<Told>) {
        let open = self.unseen.is_some_and(|u| u.plies.is_none());
        let Some(wood) = self.gap_wood.take().filter(|_| open) else { return };
        let turn = match contact.was {
            Sensed::Piece(piece) if contact.now == Sensed::Empty => Some(piece.color),
            _ => self.turn_by_clock(now),
        };
        if self.standing.unexplained(&wood, &self.record.end().board).is_empty() {
            self.unseen = None;
            self.rebase(now);
        } else if let Some((moves, stories)) = self.likeliest_unseen(now, &wood, None, turn) {
            self.commit_unseen(now, &moves, stories, out);
        }
    }

    /// The clock is heard again after the link was lost: exactly one direct story is taken at once.
    pub(super) fn clock_heard(&mut self, now: Now<'_>, out: &mut Vec<Told>) {
        let open = self.unseen.is_some_and(|u| u.plies.is_none())
            && now.line.is_up()
            && self.dumped_since_link
            && !self.rebuilding;
        let end = self.record.end();
        if !open || self.standing.unexplained(now.line.wood(), &end.board).is_empty() {
            return;
        }
        let turn = self.turn_by_clock(now);
        if let Some((moves, 1)) = self.likeliest_unseen(now, now.line.wood(), None, turn) {
            self.commit_unseen(now, &moves, 1, out);
        }
    }

    fn commit_unseen(&mut self, now: Now<'_>, moves: &[Move], stories: usize, out: &mut Vec<Told>) {
        self.unseen = None;
        self.doubt();
        let before = self.record.end().clone();
        let plies = self.record.len();
        let contacts = self.contacts(now);
        for m in moves {
            self.add(now, m, Completed::Inferred, None, &contacts, Bitboard::EMPTY, out);
            if let Some(entry) = self.record.last_mut() {
                entry.unseen = true;
            }
        }
        if stories != 1 || contacts.iter().any(|c| c.in_dump) {
            self.tell(now, Moment::Gap, None, None, &before, plies, &[], Matter::Unseen { stories }, out);
        }
        self.keep_castles(&before);
        // What has been touched just now belongs to the next move.
        self.since = now.at;
        self.rebase(now);
    }
}
