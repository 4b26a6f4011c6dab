//! The tracker: follows one game on one board, from contacts and presses to plies.
//!
//! The press is the commit point. Before it pieces slide, hover, are adjusted and put back, and
//! only stories grow. At the press the story that the wood shows becomes part of the record at
//! once; if none does, the tracker waits for late readings and then explains what it sees.

use shakmaty::{Bitboard, Color, Piece, Square};

use super::explain::{Explanation, Scene};
use super::ply::Completed;
use super::position::{Move, Position};
use super::quiet::Gap;
use super::record::{Completion, Record};
use super::standing::Standing;
use super::stories::{Root, Stories, Story};
use super::told::{Judgement, Matter, Moment, Told};
use crate::events::{Sensed, Wood};
use crate::tick::{Span, Tick};
use crate::timeline::{Contact, Happening, Lags, Timeline};

/// A piece in the air for longer than this after the press was not placed in time.
pub const AIR: Span = Span::from_ms(1_000);
/// Without a dump that proves it, a missing reading explains a vanished piece as well: so long.
pub const AIR_UNPROVEN: Span = Span::from_ms(6_000);
/// A misread piece has so long to be read again.
pub const MISREAD: Span = Span::from_ms(1_500);
/// A reading of all squares may show for so long that a move was another.
pub(super) const REVISE_BY_DUMP: Span = Span::from_ms(10_000);
/// The message of a press is not later than that.
pub(super) const LATE_PRESS: Span = Span::from_ms(3_000);
/// After a press the squares of the same move may still follow.
pub const REVISE: Span = Span::from_ms(700);
/// When the wood has not changed for so long, one thing after the other is looked at.
pub(super) const RESTS_MS: [u64; 4] = [1_000, 2_000, 3_000, 6_000];
/// After the clock was started the set-up must stay as it was for so long to be judged.
pub(super) const SETUP: Span = Span::from_ms(250);

/// A report that comes again within this time is the same report.
const TWICE: Span = Span::from_ms(500);

/// Where the game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The clock has not been started.
    Waiting,
    /// Being played.
    Playing,
    /// The clock was stopped.
    Stopped,
}

/// So often all squares are read again if what was read cannot be right.
const MISREAD_MAX: u32 = 3;

/// No game has two kings of one colour: a byte was damaged on its way, or a sensor fails.
fn has_kings_too_many(wood: &Wood) -> bool {
    let known = wood.known();
    Color::ALL.into_iter().any(|side| (known.kings() & known.by_color(side)).count() > 1)
}

/// A press that is not yet explained.
#[derive(Clone, Copy, Debug)]
pub(super) struct Press {
    pub(super) side: Color,
    pub(super) at: Tick,
    pub(super) in_air: bool,
    /// That it was in the air has been told.
    pub(super) told: bool,
    /// A dump has shown that nothing has landed.
    pub(super) proven: bool,
}

/// Plies that were not seen, or not completely.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unseen {
    /// How many plies, if the presses were counted.
    pub(super) plies: Option<usize>,
    /// How often an explanation was tried.
    pub(super) tries: u32,
}

/// What the tracker needs from outside at each call.
#[derive(Clone, Copy, Debug)]
pub struct Now<'a> {
    /// When.
    pub at: Tick,
    /// Wood, clock and contacts.
    pub line: &'a Timeline,
}

/// Follows one game.
#[derive(Debug)]
pub struct Tracker {
    pub(super) record: Record,
    pub(super) standing: Standing,
    pub(super) stories: Stories,
    pub(super) phase: Phase,
    pub(super) ended: bool,
    pub(super) kings_shown: bool,
    /// Who won, as the kings showed it; `None` for a draw.
    pub(super) winner: Option<Color>,
    pub(super) press: Option<Press>,
    pub(super) unseen: Option<Unseen>,
    pub(super) judge_at: Option<Tick>,
    pub(super) rest_at: Option<(Tick, usize)>,
    pub(super) setup_at: Option<Tick>,
    pub(super) started_at: Tick,
    /// When the clock was started on a board that nothing explains, and whose time runs.
    pub(super) start_doubted: Option<(Tick, Color)>,
    /// Readings of all squares in a row that cannot be right.
    pub(super) misread: u32,
    pub(super) setup_again: Option<Bitboard>,
    pub(super) last_change: Tick,
    pub(super) since: Tick,
    pub(super) last_commit: Option<LastCommit>,
    pub(super) lags: Lags,
    pub(super) judged: u32,
    pub(super) start_wood: Wood,
    pub(super) initial: Position,
    pub(super) wants_dump: bool,
    pub(super) dumped_since_link: bool,
    pub(super) dumped_at: Option<Tick>,
    pub(super) gap_wood: Option<Wood>,
    /// The position is being set up on another board.
    pub(super) rebuilding: bool,
    /// That the set-up is wrong has been told before the clock was started.
    pub(super) setup_told: bool,
    /// The board as it was when the link was lost, until that is explained.
    pub(super) gap: Option<Gap>,
    /// So many plies have yet to confirm the record.
    pub(super) doubted: u32,
    /// Where a piece was missing when the last ply was completed.
    pub(super) absent: Bitboard,
    /// Where one was missing at two presses in a row.
    pub(super) missing: Bitboard,
    /// The position after so many plies is being restored: what hands do is nobody's move.
    pub(super) held: Option<usize>,
}

/// The last ply that a press completed, while it may still have to be corrected.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastCommit {
    pub(super) at: Tick,
    pub(super) key: Option<u32>,
    pub(super) since: Tick,
    pub(super) standing_added: Bitboard,
}

impl Tracker {
    /// A game from `start`.
    #[must_use]
    pub fn new(start: Position, start_wood: Wood, chess960: bool) -> Self {
        let mut out = Tracker {
            record: Record::new(start.clone(), chess960),
            standing: Standing::default(),
            stories: Stories::default(),
            phase: Phase::Waiting,
            ended: false,
            kings_shown: false,
            winner: None,
            press: None,
            unseen: None,
            judge_at: None,
            rest_at: None,
            setup_at: None,
            started_at: Tick::ZERO,
            start_doubted: None,
            misread: 0,
            setup_again: None,
            last_change: Tick::ZERO,
            since: Tick::ZERO,
            last_commit: None,
            lags: Lags::default(),
            judged: 0,
            start_wood,
            initial: start,
            wants_dump: false,
            dumped_since_link: false,
            dumped_at: None,
            gap_wood: None,
            rebuilding: false,
            gap: None,
            setup_told: false,
            doubted: 0,
            absent: Bitboard::EMPTY,
            missing: Bitboard::EMPTY,
            held: None,
        };
        out.stories.restart(out.roots());
        out
    }

    /// The record.
    #[must_use]
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Where the game is.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Known differences between wood and record.
    #[must_use]
    pub fn standing(&self) -> &Standing {
        &self.standing
    }

    /// The stories that the wood has shown.
    #[must_use]
    pub fn stories(&self) -> &Stories {
        &self.stories
    }

    /// Whether the position on the board is known.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        self.unseen.is_none()
    }

    /// Since when contacts belong to the turn after so many plies.
    #[must_use]
    pub fn turn_since(&self, plies: usize) -> Tick {
        if plies >= self.record.len() {
            return self.since;
        }
        let last = plies.checked_sub(1).and_then(|last| self.record.entries().get(last));
        let landed = |ply: &super::ply::PlyRecord| ply.placed_at.or(ply.pressed_at);
        last.map_or(self.started_at, |e| landed(&e.ply).map_or(Tick::ZERO, |at| at + Span::from_us(1)))
    }

    /// Whether a press is not explained yet.
    #[must_use]
    pub fn is_judging(&self) -> bool {
        self.press.is_some()
    }

    /// The position the game was declared to begin from.
    #[must_use]
    pub fn declared(&self) -> &Position {
        &self.initial
    }

    /// How late the squares of this board come.
    #[must_use]
    pub fn lags(&self) -> &Lags {
        &self.lags
    }

    /// The board has shown this of itself before: in an earlier game or journal, or nothing.
    pub fn calibrate(&mut self, lags: Lags) {
        self.lags = lags;
    }

    /// Whether a dump would settle what is open; asking is up to the caller.
    pub fn take_wants_dump(&mut self) -> bool {
        std::mem::take(&mut self.wants_dump)
    }

    /// The earliest deadline.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Tick> {
        let rest = self.rest_at.map(|(at, _)| at);
        [self.judge_at, rest, self.setup_at].into_iter().flatten().min()
    }

    /// Acts on a deadline that has come; `now.at` is the deadline.
    pub fn fire(&mut self, now: Now<'_>, out: &mut Vec<Told>) {
        if self.judge_at.is_some_and(|at| at <= now.at) {
            self.judge_at = None;
            self.judge(now, out);
        } else if self.setup_at.is_some_and(|at| at <= now.at) {
            self.judge_setup(now, out);
        } else if let Some((at, stage)) = self.rest_at.filter(|(at, _)| *at <= now.at) {
            debug_assert!(at <= now.at, "a deadline fires when it has come");
            self.rest_at = None;
            self.rested(now, stage, out);
            if self.rest_at.is_none()
                && let Some(ms) = RESTS_MS.get(stage + 1)
            {
                self.rest_at = Some((at + Span::from_ms(ms - RESTS_MS[stage]), stage + 1));
            }
        }
    }

    /// Takes what happened at the board.
    pub fn happened(&mut self, now: Now<'_>, happening: &Happening, out: &mut Vec<Told>) {
        match happening {
            Happening::Contact(contact) => self.touched(now, contact, out),
            Happening::EmptiedAgain(square) => self.emptied_again(now, *square, out),
            Happening::Dumped => self.dumped(now, out),
            Happening::Pressed(side) => self.pressed(now, *side, out),
            Happening::Stopped => self.stopped(now, out),
            Happening::Started(side) => self.started(now, *side, out),
            Happening::Link(up) => self.link(now, *up),
            Happening::Ticked | Happening::ClockConnected(_) => {}
        }
        let clock = matches!(happening, Happening::Ticked | Happening::Stopped | Happening::Dumped);
        if clock && self.held.is_none() {
            self.nothing_happened(now);
        }
        if clock && now.line.clock_is_heard() && self.held.is_none() {
            self.clock_heard(now, out);
        }
    }

    fn touched(&mut self, now: Now<'_>, contact: &Contact, out: &mut Vec<Told>) {
        self.last_change = now.at;
        if let Some(gone) = &mut self.setup_again {
            gone.discard(contact.square);
        }
        self.rest_from(now.at);
        if self.held.is_some() {
            return self.travelled(now);
        }
        if self.unseen.is_some() && !contact.in_dump && !self.rebuilding {
            self.begun_after_gap(now, contact, out);
        }
        self.grow(now);
        if self.unseen.is_some() {
            self.try_unseen(now, out);
            return;
        }
        if contact.in_dump && self.record.is_empty() && self.phase == Phase::Waiting {
            return;
        }
        if self.try_revise(now, out) {
            return;
        }
        if self.press.is_some() {
            self.try_resolve(now, out);
        } else if now.line.clock().is_none() {
            self.commit_without_clock(now, 3, out);
        }
    }

    /// A piece that was in somebody's hand had stood there, unseen, and was taken up again: the
    /// stories grow as if it had been seen.
    fn emptied_again(&mut self, now: Now<'_>, square: Square, out: &mut Vec<Told>) {
        if self.held.is_some() {
            return;
        }
        let contacts = self.contacts(now);
        let wood = now.line.wood();
        let on = contacts.iter().rev().find(|c| c.square == square);
        if on.is_some_and(|c| now.at.since(c.at) < TWICE) || !wood.unknown().is_empty() {
            return;
        }
        let mut lifted: Vec<Piece> = Vec::new();
        for contact in contacts.iter().filter(|c| c.now == Sensed::Empty) {
            if let Sensed::Piece(piece) = contact.was
                && !lifted.contains(&piece)
            {
                lifted.push(piece);
            }
        }
        for piece in lifted {
            let mut stood = wood.clone();
            stood.set(square, Sensed::Piece(piece));
            self.stories.grow(now.at, &stood, &self.standing, &contacts);
        }
        self.grow(now);
        if self.press.is_some() {
            self.try_resolve(now, out);
        }
    }

    fn dumped(&mut self, now: Now<'_>, out: &mut Vec<Told>) {
        self.dumped_since_link = true;
        self.dumped_at = Some(now.at);
        self.misread = if has_kings_too_many(now.line.wood()) { self.misread + 1 } else { 0 };
        self.wants_dump |= (1..=MISREAD_MAX).contains(&self.misread);
        if self.held.is_some() {
            self.rest_from(now.at);
            self.travelled(now);
            return self.still_stands(now);
        }
        self.gap_wood = self.unseen.filter(|_| !self.rebuilding).map(|_| now.line.wood().clone());
        if self.phase == Phase::Waiting && self.record.is_empty() {
            // How the pieces came to stand there before the game is nobody's move.
            self.since = now.at + Span::from_us(1);
        }
        self.grow(now);
        if self.unseen.is_some() {
            self.try_unseen(now, out);
        } else if self.press.is_some() {
            self.try_resolve(now, out);
            if let Some(press) = &mut self.press {
                press.proven = true;
                if press.in_air {
                    self.judge_at = Some((press.at + AIR).max(now.at));
                }
            }
        }
        self.look_at_start_again(now, out);
        self.look_for_missing(now, out);
        self.rest_from(now.at);
    }

    fn pressed(&mut self, now: Now<'_>, side: Color, out: &mut Vec<Told>) {
        if self.setup_at.is_some() && self.setup_again.is_none() {
            self.judge_setup(now, out);
        }
        self.setup_at = None;
        self.phase = Phase::Playing;
        if self.record.end().is_mate() || self.record.end().is_stalemate() {
            // The game is over; whoever presses now presses for what was played before.
            return;
        }
        self.ended = false;
        self.rebuilding = false;
        if let Some(unseen) = &mut self.unseen {
            unseen.plies = unseen.plies.map(|n| n + 1);
            self.try_unseen(now, out);
            return;
        }
        if let Some(earlier) = self.press {
            if earlier.in_air && earlier.side != side {
                // The piece never landed, and the game goes on: a reading is missing.
                self.press = None;
                self.judge_at = None;
                let plies = if earlier.side == self.record.end().turn { 2 } else { 3 };
                self.unseen = Some(Unseen { plies: Some(plies), tries: 0 });
                self.doubt();
                self.try_unseen(now, out);
                return;
            }
            if !self.try_resolve_at_last(now, earlier, out) {
                self.judge(now, out);
            }
            self.force_judge(now, out);
            if let Some(unseen) = &mut self.unseen {
                unseen.plies = unseen.plies.map(|n| n + 1);
                self.try_unseen(now, out);
                return;
            }
        }
        self.press = Some(Press { side, at: now.at, in_air: false, told: false, proven: false });
        self.judge_at = Some(now.at + self.lags.waits());
        self.rest_from(now.at);
        self.try_resolve(now, out);
        // With a piece of his own set down elsewhere the player presses for that.
        let own = now.line.wood().known().by_color(side) & !self.record.end().board.by_color(side);
        let idle = (own & self.standing.unexplained(now.line.wood(), &self.record.end().board)).is_empty();
        if self.press.is_some() && idle && self.credit_late_press(side, now.at) {
            self.press = None;
            self.judge_at = None;
        }
        // Before anything is called certain the board is asked; its answer takes less than settling.
        self.wants_dump |= self.press.is_some();
    }

    fn stopped(&mut self, now: Now<'_>, out: &mut Vec<Told>) {
        self.phase = Phase::Stopped;
        out.push(Told::Paused);
        if self.held.is_some() || self.press.is_some() || self.unseen.is_some() {
            return;
        }
        // A move made and not pressed is part of the game (6.2.1).
        let made = self.stories.iter().filter(|s| s.root == 0 && s.depth() > 0 && s.is_exact());
        if let Some(story) = made.max_by_key(|s| s.depth()).cloned() {
            let count = story.depth();
            self.commit(now, &story, count, Completed::GameEnd, None, out);
        }
    }

    pub(super) fn rest_from(&mut self, at: Tick) {
        self.rest_at = Some((at + Span::from_ms(RESTS_MS[0]), 0));
    }

    pub(super) fn contacts(&self, now: Now<'_>) -> Vec<Contact> {
        now.line.contacts_since(self.since).copied().collect()
    }

    pub(super) fn grow(&mut self, now: Now<'_>) {
        let contacts = self.contacts(now);
        self.stories.grow(now.at, now.line.wood(), &self.standing, &contacts);
    }

    /// The positions that may be on the board: the end of the record, and those before plies that
    /// an arbiter may undo.
    fn roots(&self) -> Vec<Root> {
        let end = Root { position: self.record.end().clone(), keep: self.record.len() };
        let undone = self.record.entries().iter().enumerate().rev().filter(|(_, e)| e.disputed).take(4);
        let undone = undone.map(|(i, e)| Root { position: e.before.clone(), keep: i });
        std::iter::once(end).chain(undone).collect()
    }

    /// Starts the stories anew from the end of the record.
    pub(super) fn rebase(&mut self, now: Now<'_>) {
        self.standing.settle(now.line.wood(), &self.record.end().board);
        let roots = self.roots();
        self.stories.restart(roots);
        self.grow(now);
    }

    /// Adds the first `count` moves of a story to the record.
    pub(super) fn commit(
        &mut self,
        now: Now<'_>,
        story: &Story,
        count: usize,
        by: Completed,
        pressed_at: Option<Tick>,
        out: &mut Vec<Told>,
    ) {
        let keep = self.stories.roots.get(story.root).map_or(self.record.len(), |r| r.keep);
        if keep < self.record.len() {
            self.restore(keep, out);
        }
        let contacts = self.contacts(now);
        for (index, m) in story.moves.iter().take(count).enumerate() {
            let last = index + 1 == count;
            let how = if last { by } else { Completed::Reply };
            self.add(now, m, how, pressed_at.filter(|_| last), &contacts, Bitboard::EMPTY, out);
            if !last && let Some(entry) = self.record.last_mut() {
                // What the clock shows now it shows after the last of them.
                entry.ply.dials = None;
            }
        }
        self.rebase(now);
        self.confirm(now, by);
    }

    /// Adds one legal move to the record, with `displaced` squares accepted as standing.
    #[expect(clippy::too_many_arguments, reason = "one move with everything known about it")]
    pub(super) fn add(
        &mut self,
        now: Now<'_>,
        m: &Move,
        by: Completed,
        pressed_at: Option<Tick>,
        contacts: &[Contact],
        displaced: Bitboard,
        out: &mut Vec<Told>,
    ) {
        let before = self.record.end().clone();
        let plies = self.record.len();
        let changed = m.changed();
        let placed_at = contacts.iter().filter(|c| changed.contains(c.square)).map(|c| c.at).max();
        // A reading from before the move says nothing about the clock after it.
        let after = |at: Tick| by == Completed::Press || placed_at.is_some_and(|placed| at >= placed);
        let dials = now.line.clock().filter(|c| after(c.at)).map(|c| c.dials());
        self.record.push_move(m, Completion { by, placed_at, pressed_at, dials });
        out.push(Told::Ply(plies));
        let since = self.since;
        if let Some(placed) = placed_at {
            self.since = placed + Span::from_us(1);
        }
        self.standing.accept(displaced, now.line.wood());
        self.keep_pawns_left(now);
        if let Some(entry) = self.record.last_mut() {
            entry.displaced = displaced.any();
            entry.ply.piece_assumed = m.promotion.is_some() && now.line.wood().at(m.to) == Sensed::Something;
            entry.ply.press_inferred = pressed_at.is_some_and(|at| now.line.press_was_inferred(at));
        }
        let moment = pressed_at.map_or(Moment::Rest, |_| Moment::Press(before.turn));
        let matter = Matter::Action(Explanation::Legal { m: *m, displaced });
        let key =
            self.tell(now, moment, Some(before.turn), pressed_at, &before, plies, contacts, matter, out);
        if by == Completed::Press {
            self.last_commit = Some(LastCommit {
                at: pressed_at.unwrap_or(now.at),
                key: Some(key),
                since,
                standing_added: displaced,
            });
        }
        if by == Completed::Reply && now.line.clock().is_some() {
            self.tell(
                now,
                Moment::Rest,
                Some(before.turn),
                None,
                &before,
                plies,
                &[],
                Matter::PressForgotten,
                out,
            );
        }
        let end = self.record.end().clone();
        let over = if end.is_mate() {
            Some(Matter::Mate)
        } else if end.is_stalemate() {
            Some(Matter::Stalemate)
        } else {
            None
        };
        if let Some(matter) = over {
            self.ended = true;
            self.tell(now, Moment::End, Some(!end.turn), pressed_at, &end, plies + 1, &[], matter, out);
        }
    }

    /// Play went on although a pawn was left on the last rank: it is a pawn that stands there, not
    /// the queen that should have been put there.
    fn keep_pawns_left(&mut self, now: Now<'_>) {
        let last_ranks = Bitboard::from(shakmaty::Rank::First) | Bitboard::from(shakmaty::Rank::Eighth);
        let mut end = self.record.end().clone();
        let mut changed = false;
        for square in self.standing.squares() & last_ranks {
            let (Sensed::Piece(stands), Some(queen)) =
                (now.line.wood().at(square), end.board.piece_at(square))
            else {
                continue;
            };
            if stands.role == shakmaty::Role::Pawn && stands.color == queen.color {
                end.board.set_piece_at(square, stands);
                changed = true;
            }
        }
        if changed {
            self.record.anchor(end);
        }
    }

    /// Says that something was explained. Returns its key.
    #[expect(clippy::too_many_arguments, reason = "a judgement with everything known about it")]
    pub(super) fn tell(
        &mut self,
        now: Now<'_>,
        moment: Moment,
        side: Option<Color>,
        pressed_at: Option<Tick>,
        before: &Position,
        plies: usize,
        contacts: &[Contact],
        matter: Matter,
        out: &mut Vec<Told>,
    ) -> u32 {
        self.judged += 1;
        let doubted = self.is_doubted() || self.is_right_doubted(before, &matter);
        out.push(Told::Judged(Box::new(Judgement {
            key: self.judged,
            moment,
            side,
            at: now.at,
            pressed_at,
            before: before.clone(),
            after: self.record.end().clone(),
            plies,
            wood: now.line.wood().clone(),
            contacts: contacts.to_vec(),
            past: self.past(&matter, contacts, plies),
            matter,
            resolution: now.line.resolution(),
            press_resolution: now.line.press_resolution(),
            press_blur: self.lags.blur().max(now.line.resolution().known().unwrap_or_default()),
            doubted,
            chess960: self.record.is_chess960(),
        })));
        self.judged
    }

    /// Forgets the plies after `keep`: that position is on the board again.
    pub(super) fn restore(&mut self, keep: usize, out: &mut Vec<Told>) {
        if keep < self.record.len() {
            self.record.truncate(keep);
            out.push(Told::Retracted(keep));
        }
        self.ended = false;
        self.last_commit = None;
        out.push(Told::Restored(keep));
    }

    /// What the wood at the end of the record comes from.
    pub(super) fn explain(&self, now: Now<'_>, position: &Position) -> Explanation {
        self.with_scene(now, position, |scene| scene.explain())
    }

    /// Whether a piece of the mover's was seen to land and not to be taken up.
    pub(super) fn came_from_nowhere(&self, now: Now<'_>, position: &Position) -> bool {
        let turn = self.last_commit.map_or(Tick::ZERO, |last| last.at);
        self.with_scene(now, position, |scene| scene.came_from_nowhere(turn))
    }

    fn with_scene<T>(&self, now: Now<'_>, position: &Position, ask: impl Fn(&Scene<'_>) -> T) -> T {
        let contacts = self.contacts(now);
        let pressed_at = self.press.map(|p| p.at);
        ask(&Scene {
            position,
            standing: &self.standing,
            wood: now.line.wood(),
            contacts: &contacts,
            pressed_at,
        })
    }
}
