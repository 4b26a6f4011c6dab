//! Stage 5, the life of an alert: opened, revised, ruled on, closed or withdrawn.
//!
//! In: findings with advice, and requests. Out: [`Alert`]s and the ledger of upheld offences.
//! Never: deciding what happened, or a ruling of its own.

mod desk;
mod request;

pub use desk::{Alert, AlertState, Desk, Notify, Ruling};
pub use request::{Decision, Request, Response, Verb};
