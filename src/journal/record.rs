//! What a line of a journal holds.

use super::said::Said;
use crate::events::{BoardId, Calibration};
use crate::table::{Input, Publish};
use crate::tick::Tick;

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The number of the line, from 0.
    pub seq: u64,
    /// The number of the input, from 1; `None` on records that are no input.
    pub ordinal: Option<u64>,
    /// When.
    pub tick: Tick,
    /// What.
    pub entry: Entry,
    /// Of what was shown: in which words. Earlier programs wrote none.
    pub said: Option<Said>,
}

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// The first line.
    Header(Header),
    /// Something that was given to the table.
    Input(Input),
    /// Something that was shown to people, right after the input that caused it.
    Shown(Shown),
    /// A request was answered.
    Response(Answered),
    /// The times of the board, as it had shown them then, have changed what is done.
    Calibration(Box<Calibration>),
    /// A program began to go on with this journal.
    GoesOn(GoesOn),
}

/// Where a journal comes from. The wall clock appears here only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The program and its version.
    pub program: String,
    /// The daemon's name in topics.
    pub node: String,
    /// The board.
    pub board: BoardId,
    /// The event's rule set.
    pub ruleset: String,
    /// Wall-clock time of tick 0, milliseconds since 1970, UTC.
    pub start_ms: u64,
    /// The journal of the game before on this board, if this one begins with a later game.
    pub after: Option<After>,
    /// A digest of the rules as the event uses them, data and changes; earlier programs wrote none.
    pub rules_digest: Option<String>,
    /// Whether the host's time service said that its clock was synchronised; `None` if nobody knows.
    pub clock_synchronised: Option<bool>,
}

/// The journal that another one follows: one that is missing or was changed is found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct After {
    /// Its file's name, without a folder.
    pub file: String,
    /// The hash of its last line.
    pub hash: String,
}

/// Where a program goes on with a journal that another run, or another program, began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoesOn {
    /// The program and its version.
    pub program: String,
    /// Wall-clock time, milliseconds since 1970, UTC: the ticks that follow are counted from there.
    pub at_ms: u64,
}

/// What people were shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// An alert.
    Alert {
        /// Its id.
        id: String,
        /// Its revision.
        revision: u32,
    },
    /// A finding that is in no alert.
    Finding {
        /// Its id.
        id: String,
        /// Its revision.
        revision: u32,
    },
    /// A finding was taken back.
    Withdraw {
        /// Its id.
        id: String,
    },
    /// A move, or a correction of one.
    Move {
        /// Its ply.
        ply: u32,
        /// Its revision.
        revision: u32,
    },
    /// Nothing: an alert or a finding in shadow mode, which people would have been shown.
    Shadowed {
        /// Its id.
        id: String,
        /// Its revision.
        revision: u32,
    },
    /// Nothing yet: an alert that people are shown once its window has closed.
    Held {
        /// Its id.
        id: String,
        /// Its revision.
        revision: u32,
    },
    /// The plies after this one were taken back.
    Retract {
        /// The last ply that stays.
        to_ply: u32,
    },
}

impl Shown {
    /// The id of the alert or finding it is about.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        match self {
            Shown::Alert { id, .. }
            | Shown::Finding { id, .. }
            | Shown::Withdraw { id }
            | Shown::Shadowed { id, .. }
            | Shown::Held { id, .. } => Some(id),
            Shown::Move { .. } | Shown::Retract { .. } => None,
        }
    }

    /// What a publication shows people, if it becomes a message; `None` for what is told apart
    /// (responses) or repeats what inputs say (state).
    #[must_use]
    pub fn of(publish: &Publish) -> Option<Shown> {
        match publish {
            Publish::Alert(alert) => Some(Shown::Alert { id: alert.id.clone(), revision: alert.revision }),
            Publish::Move(made) => Some(Shown::Move { ply: made.ply, revision: made.revision }),
            Publish::Retract { to_ply, .. } => Some(Shown::Retract { to_ply: *to_ply }),
            Publish::Finding(finding) => {
                Some(Shown::Finding { id: finding.id.clone(), revision: finding.revision })
            }
            Publish::Withdraw { id, .. } => Some(Shown::Withdraw { id: id.clone() }),
            Publish::Shadowed(hidden) => match Shown::of(hidden)? {
                Shown::Alert { id, revision } | Shown::Finding { id, revision } => {
                    Some(Shown::Shadowed { id, revision })
                }
                _ => None,
            },
            Publish::Held(held) => match Shown::of(held)? {
                Shown::Alert { id, revision } => Some(Shown::Held { id, revision }),
                _ => None,
            },
            Publish::State(_) | Publish::Response(_) | Publish::Calibration(_) => None,
        }
    }
}

/// The answer that was given to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The request's id.
    pub id: String,
    /// Whether it was done.
    pub done: bool,
    /// What is now so, or why not.
    pub text: String,
}

impl Record {
    /// The input of this line, if it is one: what to give to the table for the same outputs.
    #[must_use]
    pub fn input(self) -> Option<(Tick, Input)> {
        match self.entry {
            Entry::Input(input) => Some((self.tick, input)),
            _ => None,
        }
    }
}
