//! Restoring a position is an episode, not a reset: from an arbiter's wish until play goes on from
//! the position wanted, and the move that replaces the one taken back has been made.
//!
//! While pieces travel the record is held: nothing that stands on the board is anybody's move. The
//! plan is made anew from the wood as it is, so any order of hands is fine. Play may go on all the
//! same; then the record goes on with it, and nothing is lost.

mod order;
mod resume;

use shakmaty::{Board, ByColor, Color, Piece, Square};

use super::{Effects, Table};
use crate::alerts::{ClockSetting, Restoring};
use crate::events::{Sensed, Wood};
use crate::game::{Now, Position};
use crate::laws::{
    Found, HandMove, Homes, Replacement, RuleId, Severity, TimeGift, Times, TimesNow, Wanted, plan,
};
use crate::tick::{Dial, Tick};
use crate::timeline::{Contact, Happening};

/// So many pieces are in hands at most; what was lifted before stands beside the board.
const IN_HAND_MAX: usize = 4;

/// How far an episode has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Pieces travel.
    Travelling,
    /// The position stands; the clock may be set.
    Standing,
    /// Play goes on from it; the replacement of the move taken back is awaited.
    Resumed,
    /// The game went on from another position.
    Abandoned,
}

impl Stage {
    /// The word used in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Stage::Travelling => "travelling",
            Stage::Standing => "standing",
            Stage::Resumed => "resumed",
            Stage::Abandoned => "abandoned",
        }
    }
}

/// An episode as an arbiter sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpisodeState {
    /// The alert it is about, if it is about one.
    pub alert: Option<String>,
    /// How far it has come.
    pub stage: Stage,
    /// The ply of the position wanted.
    pub ply: u32,
    /// The position wanted.
    pub fen: String,
    /// What is left to do.
    pub movements: Vec<HandMove>,
    /// How many movements there were at the beginning.
    pub total: usize,
    /// How many squares are wrong.
    pub squares_left: usize,
    /// The times proposed.
    pub clocks: Times,
    /// Moves completed by White and by Black at that ply, as the clock counts them.
    pub counter: (u32, u32),
    /// What the clock shows against the times proposed; `None` until it was read while it stands.
    pub times_now: Option<TimesNow>,
    /// When it began.
    pub since: Tick,
}

/// From what the times proposed follow.
#[derive(Clone, Debug)]
enum Basis {
    /// From those at which the clock was stopped.
    Action { undone: ByColor<u32>, increment_s: u32, gift: Option<TimeGift>, ruled: bool },
    /// They are known.
    Known(Times),
}

/// What an arbiter wants.
#[derive(Clone, Debug)]
pub(super) struct Order {
    alert: Option<String>,
    wanted: Wanted,
    basis: Basis,
    /// What the move that replaces the one taken back must be.
    duty: Option<Replacement>,
    /// An arbiter has declared the position, whatever the record says.
    declared: bool,
}

/// A position being restored.
#[derive(Debug)]
pub(super) struct Episode {
    order: Order,
    stage: Stage,
    since: Tick,
    /// The record has this position at its ply.
    recorded: bool,
    homes: Homes,
    /// What stands where the board sees only that something does.
    known: Board,
    /// What was lifted and has not been set down, and from where; the latest last.
    lifted: Vec<(Square, Piece)>,
    movements: Vec<HandMove>,
    total: usize,
    squares_left: usize,
    /// What the clock showed when it was stopped.
    stopped: Option<(Dial, Dial)>,
    times_now: Option<TimesNow>,
    /// The ply that was wanted, where another position was restored.
    instead_of: Option<u32>,
    /// The clock has stood still since it began: somebody came to the board.
    clock_stood: bool,
    /// Who pressed while pieces travelled, and how many movements were left then.
    pressed: Option<(Color, usize)>,
}

impl Episode {
    fn target(&self) -> &Position {
        &self.order.wanted.position
    }

    /// Whether what hands and clock do is the arbiter's affair.
    fn is_quiet(&self) -> bool {
        matches!(self.stage, Stage::Travelling | Stage::Standing)
    }

    /// Makes the plan anew; says whether it has changed.
    fn look(&mut self, wood: &Wood) -> bool {
        let mut movements = plan(wood, &self.known, &self.target().board, &self.homes);
        let mut lifted = self.lifted.clone();
        for hand in movements.iter_mut().filter(|hand| hand.from.is_none() && !hand.aside) {
            // It is in a hand, and comes from where it was lifted.
            let of = |(_, piece): &(Square, Piece)| Some(*piece) == hand.piece;
            hand.from = lifted.iter().rposition(of).map(|at| lifted.remove(at).0);
        }
        let squares_left = wood.differs(&self.target().board).count();
        let changed = movements != self.movements || squares_left != self.squares_left;
        self.total = self.total.max(movements.len());
        self.movements = movements;
        self.squares_left = squares_left;
        changed
    }

    /// Whether the position wanted stands.
    fn is_done(&self, wood: &Wood) -> bool {
        self.movements.is_empty() && wood.differs(&self.target().board).is_empty()
    }

    /// Keeps track of which piece is where: of those in the air, and of all on a board that does not
    /// tell.
    fn follow(&mut self, contact: &Contact) {
        let square = contact.square;
        if contact.in_dump {
            // What a reading of all squares shows is gone has not just been lifted.
            self.lifted.clear();
            self.known.discard_piece_at(square);
            if let Sensed::Piece(piece) = contact.now {
                self.known.set_piece_at(square, piece);
            }
            return;
        }
        let was = self.known.remove_piece_at(square);
        let was = if let Sensed::Piece(piece) = contact.was { Some(piece) } else { was };
        self.lifted.extend(was.map(|piece| (square, piece)));
        if self.lifted.len() > IN_HAND_MAX {
            self.lifted.remove(0);
        }
        let set_down = match contact.now {
            Sensed::Empty => None,
            Sensed::Something => self
                .target()
                .board
                .piece_at(square)
                .filter(|wanted| self.lifted.iter().any(|(_, piece)| piece == wanted))
                .or_else(|| self.lifted.last().map(|(_, piece)| *piece)),
            Sensed::Piece(piece) => Some(piece),
        };
        if let Some(piece) = set_down {
            self.known.set_piece_at(square, piece);
            if let Some(at) = self.lifted.iter().rposition(|(_, lifted)| *lifted == piece) {
                self.lifted.remove(at);
            }
        }
    }

    fn times(&self, now: Option<(Dial, Dial)>) -> Times {
        match &self.order.basis {
            Basis::Known(times) => times.clone(),
            Basis::Action { undone, increment_s, gift, ruled } => {
                Times::after_action(self.stopped.or(now), *undone, *increment_s, *gift, *ruled)
            }
        }
    }
}

/// What the clock shows while a position is restored, because an arbiter sets it.
pub(super) const fn is_arbiters(code: RuleId) -> bool {
    matches!(code, RuleId::ClockAdjusted | RuleId::ClockNotRunning | RuleId::ClockIncorrect)
}

impl Table {
    /// Whether a position is being restored, and play does not go on yet.
    pub(super) fn is_restoring(&self) -> bool {
        self.episode.as_ref().is_some_and(Episode::is_quiet)
    }

    /// The record was cut back: since when the position was being restored on request. An episode
    /// that awaits something else is over.
    pub(super) fn restored_since(&mut self) -> Option<Tick> {
        self.episode = self.episode.take().filter(|e| !matches!(e.stage, Stage::Resumed | Stage::Abandoned));
        self.episode.as_ref().map(|episode| episode.since)
    }

    /// The ply that was wanted, where the players have restored another one.
    pub(super) fn restored_instead_of(&self) -> Option<u32> {
        self.episode.as_ref().filter(|e| e.stage == Stage::Standing)?.instead_of
    }

    /// The episode as published.
    pub(super) fn episode_state(&self) -> Option<EpisodeState> {
        let episode = self.episode.as_ref()?;
        let Order { alert, wanted, .. } = &episode.order;
        Some(EpisodeState {
            alert: alert.clone(),
            stage: episode.stage,
            ply: wanted.ply,
            fen: wanted.position.fen(),
            movements: episode.movements.clone(),
            total: episode.total,
            squares_left: episode.squares_left,
            clocks: episode.times(self.line.clock().map(|c| c.dials())),
            counter: wanted.counter,
            times_now: episode.times_now,
            since: episode.since,
        })
    }

    /// What happened, as far as the episode is concerned; says whether it has changed.
    pub(super) fn episode_heard(&mut self, happening: &Happening, out: &mut Effects) -> bool {
        let clock = self.line.clock();
        let wood = self.line.wood();
        let Some(episode) = &mut self.episode else { return false };
        match (episode.stage, happening) {
            (Stage::Travelling, Happening::Contact(_) | Happening::Dumped | Happening::Link(_)) => {
                if let Happening::Contact(contact) = happening {
                    episode.follow(contact);
                }
                let changed = episode.look(wood);
                if episode.is_done(wood) && self.line.is_up() && self.line.has_dump() {
                    self.target_stands(out);
                    return true;
                }
                changed
            }
            (Stage::Travelling | Stage::Standing, Happening::Stopped) => {
                episode.stopped = clock.map(|c| c.dials());
                episode.clock_stood = true;
                episode.times_now = None;
                true
            }
            (Stage::Travelling | Stage::Standing, Happening::Ticked)
                if clock.is_some_and(|c| c.running.is_none()) =>
            {
                self.read_times_back()
            }
            (Stage::Standing, Happening::Started(_) | Happening::Pressed(_)) => {
                self.read_times_back();
                self.resume_play();
                true
            }
            _ => false,
        }
    }

    /// What the clock shows now against the times proposed; says whether that is news.
    fn read_times_back(&mut self) -> bool {
        let Some(clock) = self.line.clock() else { return false };
        let Some(episode) = self.episode.as_mut().filter(|e| e.stopped.is_some()) else { return false };
        let proposed = episode.times(None).dials;
        let now = Some(TimesNow::of(clock.dials(), proposed, episode.stopped));
        std::mem::replace(&mut episode.times_now, now) != now
    }

    /// The position wanted stands on the board.
    fn target_stands(&mut self, out: &mut Effects) {
        let Some(episode) = &mut self.episode else { return };
        episode.stage = Stage::Standing;
        let keep = usize::try_from(episode.order.wanted.ply).unwrap_or(usize::MAX);
        let position = (!episode.recorded).then(|| episode.target().clone());
        let alert = episode.order.alert.clone();
        if keep == 0 && position.is_some() && !episode.order.declared {
            // The array that should have stood at the start: starting the clock begins a new game.
            self.tracker.release(Now { at: self.now, line: &self.line });
        } else {
            self.cut_back(keep, position, out);
        }
        self.about_restoring(alert.as_deref(), Restoring::Restored, out);
    }

    /// The alert, if the episode is about one, says how far it has come.
    fn about_restoring(&mut self, alert: Option<&str>, how: Restoring, out: &mut Effects) {
        if let Some(alert) = alert {
            let now = self.now;
            self.desks(out, |desk, out| desk.restoring(alert, how, now, out));
        }
    }

    /// Whether the position that stands now was declared by an arbiter.
    pub(super) fn is_declared(&self) -> bool {
        self.episode.as_ref().is_some_and(|e| e.stage == Stage::Standing && e.order.declared)
    }

    /// It, as a FEN.
    pub(super) fn declared_fen(&self) -> String {
        self.episode.as_ref().map_or_else(String::new, |episode| episode.target().fen())
    }

    /// An arbiter has set these times: what is proposed is what he has set.
    pub(super) fn times_were_set(&mut self, setting: ClockSetting) {
        let Some(episode) = self.episode.as_mut().filter(|episode| episode.is_quiet()) else { return };
        let (white, black) = setting.dials;
        let text = format!("White {}, Black {} (set by an arbiter)", white.text(), black.text());
        episode.order.basis = Basis::Known(Times { dials: Some(setting.dials), text });
        if let Some(moves) = setting.moves {
            episode.order.wanted.counter = moves;
        }
        self.read_times_back();
    }

    /// The record goes on from the position after `keep` plies.
    fn cut_back(&mut self, keep: usize, position: Option<Position>, out: &mut Effects) {
        let mut told = std::mem::take(&mut self.told);
        self.tracker.restore_to(Now { at: self.now, line: &self.line }, keep, position, &mut told);
        self.told = told;
        self.clock.set_by_arbiter();
        self.pass_on(out);
    }

    /// Play goes on from the position restored.
    fn resume_play(&mut self) {
        // Times set meanwhile are the arbiter's.
        self.clock.set_by_arbiter();
        let Some(episode) = &mut self.episode else { return };
        episode.stage = Stage::Resumed;
        if episode.order.duty.is_none() {
            self.episode = None;
        }
    }

    /// A ply has become part of the record: it may replace the move that was taken back.
    pub(super) fn replaced(&mut self, index: usize, out: &mut Effects) {
        let due = |e: &&mut Episode| {
            matches!(e.stage, Stage::Standing | Stage::Resumed)
                && usize::try_from(e.order.wanted.ply).is_ok_and(|keep| keep == index)
        };
        if self.episode.as_mut().filter(due).is_none() {
            return;
        }
        let duty = self.episode.take().and_then(|episode| episode.order.duty);
        let (Some(duty), Some(entry)) = (duty, self.tracker.record().entries().get(index)) else { return };
        let Some(m) = entry.m.filter(|m| entry.ply.side == duty.by && !duty.legal.contains(&m.uci())) else {
            return;
        };
        let what = format!("{} replaces the move that was taken back, though {}", entry.ply.san, duty.text);
        let found = Found {
            severity: Severity::Log,
            ..Found::new(RuleId::TouchMove, Some(duty.by), m.changed(), what)
        };
        self.found_by_clock(found, out);
    }
}
