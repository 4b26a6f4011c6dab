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
    /// Shown only once the window of a claim had closed: the event's regulations want that.
    AfterWindow,
}

impl Notify {
    /// The word used in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Notify::Now => "now",
            Notify::Silent => "silent",
            Notify::AfterWindow => "after-window",
        }
    }
}

/// What an arbiter entered to end the matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// He ruled.
    Ruled(Decision),
    /// The players agreed to go back; that is no ruling on an offence.
    AgreedCorrection,
}

impl Outcome {
    /// The word used in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Outcome::Ruled(decision) => decision.word(),
            Outcome::AgreedCorrection => "agreed-correction",
        }
    }
}

/// An arbiter's ruling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// What was decided.
    pub outcome: Outcome,
    /// Why, in his words.
    pub why: Option<String>,
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
    /// The event's own name for its rules, or that of the rule set.
    pub regime: String,
    /// The format the rule set is for.
    pub format: &'static str,
    /// Upheld offences before it: White, Black.
    pub offences: (u32, u32),
    /// The ruling, if there is one.
    pub ruling: Option<Ruling>,
    /// Who says that he has seen it himself.
    pub seen_by: Option<String>,
    /// Steps of the action that an arbiter has struck out as accidental, counted from 1.
    pub struck: Vec<usize>,
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
