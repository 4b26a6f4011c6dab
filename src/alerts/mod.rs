//! Stage 5, the life of an alert: opened, revised, ruled on, closed or withdrawn.
//!
//! In: findings with advice, and requests. Out: [`Alert`]s and the ledger of upheld offences.
//! Never: deciding what happened, or a ruling of its own.

mod alert;
mod answers;
mod desk;
mod ledger;
mod request;

pub use alert::{Acknowledged, Alert, AlertState, Note, Notify, Outcome, Protest, Restoring, Ruling};
pub use answers::{ANSWERS, Answers};
pub use desk::{ALERTS_MAX, Desk, REPORTS_UNTIL};
pub use request::{
    CHOICES, COMMON, ClockSetting, ContactsShown, Decision, Declared, GameSummary, Goal, Key, KeyKind, Keys,
    LIST_MAX, NUMBER_MAX, OF_THE_EVENT, OnBoard, Pairing, Penalty, Profile, Report, Request, Response, Sight,
    TEXT_MAX, VERBS, Verb, VerbShape,
};
