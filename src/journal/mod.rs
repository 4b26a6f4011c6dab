//! The journal as text: every input of a board, in order, before it is acted on.
//!
//! In: inputs. Out: lines, and inputs again. Never: a file; the daemon writes and reads those.
//!
//! One JSON object a line, in this order of keys:
//!
//! | key | what |
//! | --- | --- |
//! | `v` | version of this format, 1 |
//! | `seq` | number of the line, from 0 (the header) |
//! | `input` | number of the input, from 1; only on records that are inputs |
//! | `tick` | microseconds since the journal began, never decreasing |
//! | `kind` | `header`; `carried` (what was before a later game), inputs `setting` `bytes` `report` `timer` `request` `answer`; outputs `shown` `response` `calibration`; `goes-on` where a program goes on |
//! | `data` | an object, by kind |
//! | `prev` | the first 16 hex digits of the SHA-256 of the line before, without its newline; zeros in the header |
//! | `crc` | CRC-32 (IEEE), 8 hex digits, of the line's bytes before `,"crc"` |
//!
//! So a damaged line is found by its `crc`, and a line that was changed, removed or put in later
//! by the `prev` of the next one. Reading stops at the first damage.

mod calibration;
mod data;
mod read;
mod record;
mod resume;
mod said;
mod write;

pub use read::{JournalError, Reader, is_journal};
pub use record::{After, Answered, Entry, GoesOn, Header, Record, Shown};
pub use resume::{Resumed, resume, resume_with};
pub use said::Said;
pub use write::Writer;

/// The version of the format that is written, and the only one read.
pub const VERSION: u32 = 1;

/// The `prev` of the first line.
const NO_PREV: &str = "0000000000000000";

/// The text between the fields and the checksum.
const CRC_KEY: &str = ",\"crc\":\"";

/// What the next line's `prev` must be.
fn chain(line: &str) -> String {
    use sha2::{Digest, Sha256};
    hex::encode(&Sha256::digest(line.as_bytes())[..8])
}

#[cfg(test)]
mod tests;
