//! Everything that can happen to a board, as `step` sees it.

use super::{Carried, MatingAnswer};
use crate::alerts::Request;
use crate::events::{Report, Setup};

/// One input of [`Table::step`](super::Table::step).
///
/// Every input is in the journal before it is acted on, so that the journal alone gives the same
/// outputs again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// What was before the game; the first input of a journal that is not the board's first.
    Carried(Box<Carried>),
    /// The settings of the board; the first input, and again when they change.
    Setting(Box<Setup>),
    /// Bytes from the board's port, as they came.
    Bytes(Vec<u8>),
    /// A report that came decoded: a line of a neutral recording, or the state of the link.
    Report(Report),
    /// A deadline that `step` had asked to be woken at has come.
    Timer,
    /// An arbiter or operator asks for something.
    Request(Request),
    /// The mating solver has answered.
    Answer(MatingAnswer),
}
