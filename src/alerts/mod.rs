//! Stage 5, the life of an alert: opened, revised, ruled on, closed or withdrawn.
//!
//! In: findings with advice, and requests. Out: [`Alert`]s and the ledger of upheld offences.
//! Never: deciding what happened, or a ruling of its own.

mod alert;
mod answers;
mod desk;
mod ledger;
mod request;

pub use alert::{Alert, AlertState, Notify, Outcome, Ruling};
pub use answers::{ANSWERS, Answers};
pub use desk::{ALERTS_MAX, Desk, REPORTS_UNTIL};
pub use request::{
    CHOICES, Decision, Goal, Key, KeyKind, Keys, Request, Response, Sight, TEXT_MAX, VERBS, Verb, VerbShape,
};
