//! The whole alert: facts, advice and ruling side by side, never mixed.

use super::request::{Decision, Penalty};
use crate::events::BoardId;
use crate::laws::{Advice, Finding, Severity};
use crate::mating::Answer;
use crate::tick::Tick;
use shakmaty::Color;

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
    /// Again and to everybody: nobody has reacted within the time that the event gives.
    Escalated,
}

impl Notify {
    /// The word used in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Notify::Now => "now",
            Notify::Silent => "silent",
            Notify::AfterWindow => "after-window",
            Notify::Escalated => "escalated",
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
    /// What he gives, if it is not what was proposed.
    pub penalty: Option<Penalty>,
    /// Who accepted it under protest.
    pub protest: Option<Protest>,
}

/// A player accepts a ruling under protest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Protest {
    /// Who.
    pub player: Color,
    /// Why, in his words.
    pub what: Option<String>,
    /// Who entered it.
    pub by: String,
    /// When.
    pub at: Tick,
}

/// Somebody is going to the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acknowledged {
    /// Who goes.
    pub by: String,
    /// Who asked him to, if it was another.
    pub handed_by: Option<String>,
    /// When.
    pub at: Tick,
}

/// What else speaks about an alert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where it comes from: a word of the list of verbs.
    pub from: &'static str,
    /// What it says.
    pub what: String,
    /// Who entered it.
    pub by: String,
    /// When.
    pub at: Tick,
}

/// How far the position that an alert proposes has been restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restoring {
    /// It was asked for.
    Asked,
    /// It stood on the board.
    Restored,
    /// The game went on from another position: nothing was restored.
    Abandoned,
}

impl Restoring {
    /// The word used in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Restoring::Asked => "asked",
            Restoring::Restored => "restored",
            Restoring::Abandoned => "abandoned",
        }
    }
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
    /// Whose zone the board is in.
    pub zone: Option<String>,
    /// Who is going to the board.
    pub acknowledged: Option<Acknowledged>,
    /// The latest alert before it in this game of the same kind and about the same player.
    pub repeats: Option<String>,
    /// What else speaks about it, oldest first.
    pub notes: Vec<Note>,
    /// Whether its position is being restored, or was.
    pub restoring: Option<Restoring>,
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
