//! What arbiters and operators can ask for, and what they are answered.

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

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verb {
    /// A ruling on an alert.
    Rule {
        /// The alert's id.
        alert: String,
        /// What the arbiter decided.
        ruling: Decision,
    },
}

/// What an arbiter decided about an alert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The offence happened and counts.
    Upheld,
    /// It did not, or does not count.
    Dismissed,
}

impl Decision {
    /// The word used in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Decision::Upheld => "upheld",
            Decision::Dismissed => "dismissed",
        }
    }
}

impl Verb {
    /// The last part of the topic on which it is asked.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Verb::Rule { .. } => "rule",
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
}
