//! The emulator: a DGT board with clock that plays a neutral recording. No stage uses it.
//!
//! In: rows of a recording and a host's commands. Out: bytes with the tick at which a device would
//! have sent them. Never: a port or a clock.
//!
//! ```text
//! text ──► Recording ──► compress ──► cues ──► Emulator ◄── host's bytes
//!          refused what               what the            │
//!          cannot be said             device notices      ▼ Line, each with its tick
//! ```
//!
//! [`Script`] writes recordings: the demo's games, and what tests need.

mod compress;
mod cues;
mod device;
mod faults;
mod hold;
mod jsonl;
mod recording;
mod reset;
mod script;
mod ticking;

pub use device::{Emulator, Line, Sent};
pub use faults::{FAULTS, FaultError, FaultKind, Faults, page as faults_page};
pub use jsonl::to_jsonl;
pub use recording::{Recording, RecordingError};
pub use script::Script;
