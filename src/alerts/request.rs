//! What arbiters and operators can ask for, and what they are answered.

mod board;
mod keys;
mod list;
mod read;
mod write;

pub use board::{ClockSetting, Declared, OnBoard, Pairing, Profile};
pub use keys::{Keys, LIST_MAX, NUMBER_MAX, TEXT_MAX};
pub use list::{CHOICES, COMMON, Key, KeyKind, OF_THE_EVENT, VERBS, VerbShape};

use shakmaty::{Color, Square};

use crate::laws::{ClaimReport, PlayersClaim, RuleId, Which};
use crate::tick::Tick;

/// A request, already validated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Chosen by the asker; the same id asked again gives the same answer and does nothing twice.
    pub id: String,
    /// Who asks.
    pub by: String,
    /// What for.
    pub verb: Verb,
}

/// What is asked for. Names and keys in messages and journals are those of [`VERBS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verb {
    /// A ruling on an alert.
    Rule {
        /// The alert's id.
        alert: String,
        /// What the arbiter decided.
        ruling: Decision,
        /// Why, in his words.
        why: Option<String>,
        /// What he gives, if it is not what was proposed.
        penalty: Option<Penalty>,
        /// The revision of the alert that he has looked at.
        revision: Option<u32>,
    },
    /// The ruling on an alert is taken back, and with it all that followed from it.
    Undo {
        /// The alert's id.
        alert: String,
    },
    /// Somebody is going to the board.
    Acknowledge {
        /// The alert's id.
        alert: String,
        /// Who goes, if it is not the one who asks.
        to: Option<String>,
    },
    /// Nobody is going any more.
    Release {
        /// The alert's id.
        alert: String,
    },
    /// The arbiter has seen with his own eyes what an alert tells.
    Seen {
        /// The alert's id.
        alert: String,
        /// What he saw.
        what: Sight,
    },
    /// Both players have agreed to go back to before what an alert tells.
    AgreedCorrection {
        /// The alert's id.
        alert: String,
    },
    /// Contacts that were accidental: the duty of the replacement move is worked out without them.
    Strike {
        /// The alert's id.
        alert: String,
        /// The steps of its `action`, counted from 1; none takes all back.
        steps: Vec<usize>,
    },
    /// What else speaks about an alert.
    Evidence {
        /// The alert's id.
        alert: String,
        /// Where it comes from: a word of the list of verbs.
        from: &'static str,
        /// What it says.
        what: String,
    },
    /// A player accepts the ruling under protest.
    Protest {
        /// The alert's id.
        alert: String,
        /// Who.
        player: Color,
        /// Why, in his words.
        what: Option<String>,
    },
    /// Something a person saw, which the sensors did not tell.
    Report {
        /// What, by the finding's id.
        code: RuleId,
        /// Whom it is about.
        player: Option<Color>,
        /// What was seen, in his words.
        what: Option<String>,
        /// Who saw it, if not the arbiter who asks.
        witness: Option<String>,
        /// The ply it is about, from 1.
        ply: Option<u32>,
    },
    /// What the record says of a player's claim.
    Claim(PlayersClaim),
    /// A position is to be restored.
    Restore(Goal),
    /// Something about the board that is no alert.
    Board(OnBoard),
}

impl Verb {
    /// A ruling and nothing with it.
    #[must_use]
    pub fn ruling(alert: &str, ruling: Decision) -> Verb {
        Verb::Rule { alert: alert.to_owned(), ruling, why: None, penalty: None, revision: None }
    }
}

/// What an arbiter gives, where it is not what was proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Penalty {
    /// A word of the list of verbs.
    pub kind: &'static str,
    /// Time for the opponent.
    pub seconds: Option<u32>,
}

/// The position that an arbiter wants restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The one that the alert with this id proposes.
    Alert(String),
    /// One of the record.
    Position(Which),
    /// One that an arbiter declares, whatever the record says.
    Declared(Declared),
}

/// What an arbiter saw of what an alert tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// What the player did.
    Action,
    /// An illegal position, not how it arose: in A.5 and B.3 he waits for one completed move.
    Position,
}

/// What an arbiter decided about an alert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The offence happened and counts.
    Upheld,
    /// It did not happen, or is nobody's.
    Dismissed,
    /// It happened and stands: nothing is put back, nothing counts.
    Stands,
    /// Taken note of: nothing follows.
    Noted,
}

impl Decision {
    /// All of them.
    pub const ALL: [Decision; 4] = [Decision::Upheld, Decision::Dismissed, Decision::Stands, Decision::Noted];

    /// The word used in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Decision::Upheld => "upheld",
            Decision::Dismissed => "dismissed",
            Decision::Stands => "stands",
            Decision::Noted => "noted",
        }
    }
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The request's id.
    pub id: String,
    /// The verb asked for.
    pub verb: &'static str,
    /// `Ok` with what is now so, or an error that says what is wrong and what would be right.
    pub outcome: Result<String, String>,
    /// 0 at first; an answer that became known later carries the same id and a higher revision.
    pub revision: u32,
    /// The whole of what was asked for, where a sentence does not hold it.
    pub report: Option<Box<Report>>,
}

/// The whole of an answer that a sentence does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "an answer holds it in a box")]
pub enum Report {
    /// On a player's claim.
    Claim(ClaimReport),
    /// What was touched and pressed lately.
    Contacts(ContactsShown),
    /// The games of a board.
    Games(Vec<GameSummary>),
}

impl Report {
    /// The report on a claim, if it is one.
    #[must_use]
    pub fn claim(&self) -> Option<&ClaimReport> {
        match self {
            Report::Claim(report) => Some(report),
            Report::Contacts(_) | Report::Games(_) => None,
        }
    }
}

/// What was touched and pressed lately.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContactsShown {
    /// From when on.
    pub from: Tick,
    /// Until when.
    pub to: Tick,
    /// When, where, and the letters of what stood there before and after.
    pub contacts: Vec<(Tick, Square, Option<char>, Option<char>)>,
    /// When, and who.
    pub presses: Vec<(Tick, Color)>,
    /// Older contacts that would have made the answer too long.
    pub left_out: usize,
}

/// A game of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSummary {
    /// Its number, as in ids and in the names of journals.
    pub game: u32,
    /// When its first move was made.
    pub began: Option<Tick>,
    /// Plies of its record.
    pub plies: u32,
    /// As a score, if there is one.
    pub result: Option<String>,
    /// Upheld offences of White and of Black.
    pub offences: (u32, u32),
}

impl Response {
    /// The report on a claim, if that is what the answer has.
    #[must_use]
    pub fn claim(&self) -> Option<&ClaimReport> {
        self.report.as_deref().and_then(Report::claim)
    }

    /// An answer in a sentence.
    #[must_use]
    pub fn new(request: &Request, outcome: Result<String, String>) -> Response {
        let (id, verb) = (request.id.clone(), request.verb.word());
        Response { id, verb, outcome, revision: 0, report: None }
    }
}
