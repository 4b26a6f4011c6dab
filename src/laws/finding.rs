//! Findings: facts with their evidence. A finding is never a penalty.

use shakmaty::{Color, Square};

use super::rules::RuleId;
use crate::tick::{Dial, Span, Tick};

/// How sure a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// A human must have seen it: sensors cannot prove it.
    Possible,
    /// Another explanation exists but is less likely.
    Probable,
    /// It cannot be otherwise.
    Certain,
}

/// What it means for an arbiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// For the operator of the equipment.
    Operator,
    /// For the record.
    Log,
    /// Go and look.
    Check,
    /// Step in.
    Act,
}

impl Certainty {
    /// The word used in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Certainty::Possible => "possible",
            Certainty::Probable => "probable",
            Certainty::Certain => "certain",
        }
    }
}

impl Severity {
    /// The word used in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Severity::Operator => "operator",
            Severity::Log => "log",
            Severity::Check => "check",
            Severity::Act => "act",
        }
    }
}

/// Facts about something irregular, or something worth recording.
///
/// # Invariants
/// A revision keeps id, code and side. `certain` is only what cannot be otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Made of game number, ply, rule and ordinal (and, outside, the board); never of time.
    pub id: String,
    /// 0 at first.
    pub revision: u32,
    /// Which rule.
    pub code: RuleId,
    /// What it means for an arbiter.
    pub severity: Severity,
    /// How sure it is.
    pub certainty: Certainty,
    /// Whom it is about; `None` if that is not known or does not matter.
    pub side: Option<Color>,
    /// When it became known.
    pub at: Tick,
    /// Squares to look at, players' frame (sensor's frame in findings about a turned board).
    pub squares: Vec<Square>,
    /// What happened, in chess words, one sentence without a full stop: "king e1-g1 castles through check on f1".
    pub what: String,
    /// The facts an arbiter asks for at the board.
    pub facts: Facts,
}

/// The facts of the moment, the same for every rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Game number on this board, from 1.
    pub game: u32,
    /// The ply it happened at: plies in the record before it, plus one.
    pub ply: u32,
    /// The last correct position, as a FEN, with side to move.
    pub last_correct_fen: String,
    /// Plies in the record at that position.
    pub last_correct_ply: u32,
    /// Plies made by then; a move that is on the board and not completed is made (7.3 counts these).
    pub made: u32,
    /// Who was to move.
    pub to_move: Option<Color>,
    /// What stood on the board when it was found, placement, players' frame.
    pub wood: String,
    /// The physical steps since the last correct position: "e2 lifted", "e4 pawn set", with ticks.
    pub action: Vec<Step>,
    /// When the clock was pressed; `None` if it was not.
    pub pressed_at: Option<Tick>,
    /// Moves completed by White and by Black in the last correct position.
    pub counter: Option<(u32, u32)>,
    /// The clock when the last correct position arose: White, Black.
    pub dials_then: Option<(Dial, Dial)>,
    /// The clock when it was found.
    pub dials_now: Option<(Dial, Dial)>,
    /// The move that was tried, as `e1g1`, where there is one.
    pub tried: Option<String>,
    /// The moves that led to the last correct position, as `e1e2`, where a right depends on them: an
    /// illegal castling.
    pub history: Vec<String>,
    /// Squares that differ from the last correct position.
    pub differs: Vec<Square>,
    /// First and last journal record of the evidence.
    pub evidence: (u64, u64),
    /// Press and landing were told too close together to say which came first.
    pub order: Option<Unordered>,
}

/// A press and a landing of which the board cannot tell which came first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unordered {
    /// The press was told first.
    pub press_first: bool,
    /// So long after the one the other was told.
    pub apart: Span,
    /// The board tells moments that are closer together in either order.
    pub within: Span,
}

impl Unordered {
    /// In words.
    #[must_use]
    pub fn text(self) -> String {
        let first = if self.press_first { "before" } else { "after" };
        format!(
            "not known: the press was told {} ms {first} the landing, and this board's times agree only to \
             within {} ms",
            self.apart.ms(),
            self.within.ms()
        )
    }
}

/// One physical step: a hand at a square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// When it was reported.
    pub at: Tick,
    /// Where.
    pub square: Square,
    /// The letter of the piece that stands there afterwards; `None` when lifted.
    pub piece: Option<char>,
    /// The letter of the piece that stood there before, if any.
    pub before: Option<char>,
}
