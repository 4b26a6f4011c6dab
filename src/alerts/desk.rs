//! The desk: all alerts of one board, rulings on them, and the ledger of offences.

use shakmaty::Color;

use super::request::{Decision, Request, Response};
use crate::events::BoardId;
use crate::laws::{Advice, Finding, RuleSet};
use crate::table::Publish;
use crate::tick::Tick;

/// Where an alert is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlertState {
    /// Waiting for an arbiter.
    Open,
    /// Ruled on, restored, or a new game began.
    Closed,
    /// Later evidence took it back.
    Withdrawn,
}

/// When an arbiter is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notify {
    /// At once.
    Now,
    /// Shown, without sound: the event's regulations want a claim first.
    Silent,
}

/// An arbiter's ruling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// What was decided.
    pub decision: Decision,
    /// By whom.
    pub by: String,
    /// When.
    pub at: Tick,
    /// The id of the request.
    pub request: String,
}

/// The whole alert, as an arbiter's console shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alert {
    /// The board.
    pub board: BoardId,
    /// The same as its primary finding's id.
    pub id: String,
    /// Counts every change of this document.
    pub revision: u32,
    /// Where it is in its life.
    pub state: AlertState,
    /// When an arbiter is told.
    pub notify: Notify,
    /// The findings of one incident, the primary one first.
    pub findings: Vec<Finding>,
    /// What the Laws propose for the primary finding.
    pub advice: Advice,
    /// The event's rule set key.
    pub ruleset: String,
    /// Upheld offences before it: White, Black.
    pub offences: (u32, u32),
    /// The ruling, if there is one.
    pub ruling: Option<Ruling>,
    /// When this revision was made.
    pub at: Tick,
}

/// All alerts of one board.
#[derive(Debug, Default)]
pub struct Desk {}

impl Desk {
    /// A finding has been made or revised. Severities `act` and `check` open (or revise) an alert.
    pub fn found(&mut self, board: &BoardId, finding: &Finding, rules: &RuleSet, out: &mut Vec<Publish>) {
        let _ = (board, finding, rules, out);
    }

    /// Later evidence took a finding back.
    pub fn withdrawn(&mut self, id: &str, at: Tick, out: &mut Vec<Publish>) {
        let _ = (id, at, out);
    }

    /// The position of the alert was restored, or a new game began: it closes without a ruling.
    pub fn closed(&mut self, id: &str, at: Tick, out: &mut Vec<Publish>) {
        let _ = (id, at, out);
    }

    /// Someone asks for something; the same id asked again gives the same answer.
    pub fn request(&mut self, request: &Request, at: Tick, out: &mut Vec<Publish>) -> Response {
        let _ = (at, out);
        Response { id: request.id.clone(), verb: request.verb.word(), outcome: Err(String::new()) }
    }

    /// A player stopped the clock: silent alerts may now be acted on.
    pub fn clock_stopped(&mut self, at: Tick, out: &mut Vec<Publish>) {
        let _ = (at, out);
    }

    /// Upheld offences of a side.
    #[must_use]
    pub fn offences(&self, side: Color) -> u32 {
        let _ = side;
        0
    }

    /// The open alerts, oldest first.
    pub fn open(&self) -> impl Iterator<Item = &Alert> {
        std::iter::empty()
    }

    /// A new game: the ledger starts again and open alerts close.
    pub fn new_game(&mut self, at: Tick, out: &mut Vec<Publish>) {
        let _ = (at, out);
    }
}
