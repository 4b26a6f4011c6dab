//! All stages as one deterministic step per board.
//!
//! In: an [`Input`] with its [`Tick`]. Out: [`Effects`]. Never: a clock, a socket, a file,
//! randomness or hash-map order; the same inputs give the same effects on any machine.

mod effects;
mod input;

pub use effects::{BoardState, Effects, MatingQuestion, MoveMade, Publish, Watched};
pub use input::{CanStillMate, Input, MatingAnswer};

use crate::tick::Tick;

/// One board: everything known about it.
#[derive(Debug, Default)]
pub struct Table {}

impl Table {
    /// A board of which nothing is known yet; the first input is its setting.
    #[must_use]
    pub fn new() -> Self {
        Table::default()
    }

    /// The only way in. `now` never decreases (an earlier one is taken as the latest seen).
    ///
    /// Deadlines due at or before `now` are acted on first, earliest first, each at its own tick.
    pub fn step(&mut self, now: Tick, input: Input, out: &mut Effects) {
        let _ = (now, input, out);
    }

    /// Everything that must be retained at the broker, for publishing anew after a reconnect:
    /// the state, all open alerts, the record so far.
    #[must_use]
    pub fn retained(&self) -> Vec<Publish> {
        Vec::new()
    }
}
