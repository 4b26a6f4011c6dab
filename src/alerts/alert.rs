//! The whole alert: facts, advice and ruling side by side, never mixed.

use super::request::Decision;
use crate::events::BoardId;
use crate::laws::{Advice, Finding, Severity};
use crate::mating::Answer;
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

impl AlertState {
    /// The word used in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            AlertState::Open => "open",
            AlertState::Closed => "closed",
            AlertState::Withdrawn => "withdrawn",
        }
    }
}

/// When an arbiter is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notify {
    /// At once.
    Now,
    /// Shown, without sound: the event's regulations want a claim first.
    Silent,
}

impl Notify {
    /// The word used in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Notify::Now => "now",
            Notify::Silent => "silent",
        }
    }
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
    /// The findings of one incident, the primary one first; never empty.
    pub findings: Vec<Finding>,
    /// What the Laws propose for the primary finding.
    pub advice: Advice,
    /// The answer to the mating question that the advice asks, once there is one.
    pub mating: Option<Answer>,
    /// The event's rule set key.
    pub ruleset: String,
    /// Upheld offences before it: White, Black.
    pub offences: (u32, u32),
    /// The ruling, if there is one.
    pub ruling: Option<Ruling>,
    /// When this revision was made.
    pub at: Tick,
}

impl Alert {
    /// The finding that gives the alert its id, code and side.
    #[must_use]
    pub fn primary(&self) -> &Finding {
        // Alerts are made from a finding and close before they lose the last one.
        &self.findings[0]
    }

    /// Whether one of its findings still asks an arbiter to look or to step in.
    #[must_use]
    pub fn asks(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity >= Severity::Check)
    }
}
