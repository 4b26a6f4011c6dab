//! Everything that `step` asks the shell to do.

use shakmaty::Color;

use super::{Began, EpisodeState, MatingQuestion, Orders, ResultEntered};
use crate::alerts::{Alert, ClockSetting, Pairing, Response};
use crate::events::Calibration;
use crate::game::{PlyRecord, Signal};
use crate::laws::Finding;
use crate::tick::{Dial, Tick};

/// What one step asks for. The caller clears it between steps, or collects over several.
#[derive(Debug, Default)]
pub struct Effects {
    /// To publish, in this order.
    pub publish: Vec<Publish>,
    /// Ask the board for a dump of all squares.
    pub ask_dump: bool,
    /// Ask the board for its clock, but not at once: it may repeat for a second what took the place
    /// of a reading.
    pub ask_clock: bool,
    /// Questions for the mating solver.
    pub ask_mating: Vec<MatingQuestion>,
    /// Call `step` with [`Input::Timer`](super::Input::Timer) at this tick, unless something comes
    /// earlier. Always the board's earliest deadline; `None` when there is none.
    pub wake_at: Option<Tick>,
    /// A new game has begun with a table of its own: its journal begins with these inputs.
    pub began: Option<Box<Began>>,
}

/// One thing to tell the world.
#[derive(Clone, Debug, PartialEq)]
pub enum Publish {
    /// A ply has become part of the record, or a ply that was part of it is corrected.
    Move(MoveMade),
    /// The plies after `to_ply` are no longer part of the record.
    Retract {
        /// The last ply that stays; 0 for none.
        to_ply: u32,
        /// When.
        at: Tick,
    },
    /// A finding, or a revision of one.
    Finding(Box<Finding>),
    /// Later evidence took a finding back.
    Withdraw {
        /// The finding.
        id: String,
        /// When.
        at: Tick,
    },
    /// An alert was opened, revised, ruled on or closed.
    Alert(Box<Alert>),
    /// The state of the board has changed.
    State(Box<BoardState>),
    /// The answer to a request.
    Response(Response),
    /// What would have been told if its board or its rule were not in shadow mode: for the journal
    /// and for counting only. A finding, an alert or a withdrawal.
    Shadowed(Box<Publish>),
    /// The times of the board as it has shown them have changed what is done: for the journal.
    Calibration(Box<Calibration>),
    /// What people are shown only once a window has closed, because the event's regulations want
    /// that: for the journal. An alert or a withdrawal.
    Held(Box<Publish>),
}

/// A ply of the record, as published.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveMade {
    /// Counted from 1.
    pub ply: u32,
    /// 0 at first; a correction carries the same ply and a higher revision.
    pub revision: u32,
    /// What was played.
    pub record: PlyRecord,
    /// When it became part of the record.
    pub at: Tick,
}

/// The board as an operator and an arbiter see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardState {
    /// When this was so.
    pub at: Tick,
    /// Placement as sensed, players' frame.
    pub sensed: String,
    /// The position of the record, as a FEN.
    pub recorded: String,
    /// Plies in the record.
    pub ply: u32,
    /// Whose turn it is in the record.
    pub turn: Color,
    /// The clock: White, Black.
    pub dials: Option<(Dial, Dial)>,
    /// Whose time runs.
    pub running: Option<Color>,
    /// The result as the kings show it.
    pub signal: Signal,
    /// Upheld offences of White and of Black.
    pub offences: (u32, u32),
    /// Whether the board is being watched, and if not since when and why.
    pub watched: Watched,
    /// Ids of the open alerts.
    pub open_alerts: Vec<String>,
    /// The position that is being restored.
    pub episode: Option<EpisodeState>,
    /// The number of the game, as in ids.
    pub game: u32,
    /// The result that an arbiter has entered.
    pub result: Option<ResultEntered>,
    /// Who plays, by tokens.
    pub pairing: Pairing,
    /// What an arbiter has set on the clock last.
    pub clock_set: Option<ClockSetting>,
    /// The rule set that the board is played under.
    pub ruleset: String,
    /// What people have entered that stands until it is changed.
    pub orders: Orders,
    /// Junk on the line, counted per reason.
    pub junk: Vec<(&'static str, u64)>,
    /// The times of the board as it has shown them; `None` as long as it has shown nothing.
    pub calibration: Option<Box<Calibration>>,
}

/// Whether alerts of a board can be relied on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Watched {
    /// Everything needed is heard.
    Yes,
    /// Not watched since then, and why: a stable word such as `link`, `clock`, `position`.
    No {
        /// Since when.
        since: Tick,
        /// Why.
        why: &'static str,
    },
}
