//! Ports, sockets, files, clocks and signals. Sees every stage; only `main` sees it.
//!
//! ```text
//! port ──► board ──► outbox ──► courier ──► publisher ──► broker
//!            │  ▲                   │
//!    journal_file  ├── requests ────┘
//!                  ├── mating
//!                  └── records
//! ```
//!
//! A board's task never waits for the broker, and for the disk only as long as an arbiter would
//! not notice. Never: a decision about a game.
// The one part of the crate that may touch the host; the bans are what keep all others pure.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)]

pub mod board;
#[cfg(feature = "embedded-broker")]
pub mod broker;
pub mod cmd;
pub mod config;
pub mod courier;
pub mod host;
pub mod journal_file;
pub mod lock;
pub mod mating;
pub mod metrics;
pub mod names;
pub mod outbox;
pub mod port;
pub mod ports;
pub mod pty;
pub mod publisher;
pub mod records;
pub mod requests;
pub mod resume;
pub mod retention;
pub mod room;
pub mod roster;
pub mod service;
pub mod spool;
pub mod takeover;
