//! The byte protocol of DGT electronic chessboards in single mode, both ways.
//!
//! In: bytes from a board ([`Decoder`]) or from a host ([`CommandDecoder`]). Out: what was said
//! ([`Heard`], [`HostSaid`]). [`Message::encode`], [`encode_log`] and [`Command::byte`] go the other
//! way, so the same crate reads boards and drives an emulator. A host can say what [`Command`] has
//! and nothing else; what must not be sent is named by [`Forbidden`], which has no way to a byte.
//!
//! The one invariant: every byte fed is accounted for exactly once, as part of a message or as
//! junk with a reason. No input panics, nothing is allocated, and memory use is constant.
//!
//! There is no chess here: pieces are codes, squares are places of the sensor, and the clock has
//! a left and a right end. Which of them is White is for the reader to say, who knows how the
//! board stands on the table.
//!
//! ```
//! use jadoube_dgt::{Decoder, Field, Heard, Message, PieceCode};
//!
//! let mut decoder = Decoder::new();
//! let mut seen = None;
//! decoder.feed(&[0x8E, 0x00, 0x05, 0x24, 0x01], |heard| {
//!     if let Heard::Message(Message::Field { field, piece }) = heard {
//!         seen = Some((field, piece));
//!     }
//! });
//! assert_eq!(seen, Some((Field::new(36).unwrap(), PieceCode::WHITE_PAWN)));
//! ```
#![no_std]
#![forbid(unsafe_code)]

mod frame;
mod message;

mod ack;
mod battery;
mod board;
mod clock;
mod identity;
mod log;

mod command;
mod host;

pub use ack::{AckMeaning, Button, ClockAck};
pub use battery::Battery;
pub use board::{Field, PieceCode};
pub use clock::{ClockReport, Lever, Side, SideTime};
pub use command::{CLOCK_PROBE, Command, Forbidden, Frame, HostByte};
pub use frame::{Decoder, Heard, Junk, MAX_ENCODED, MAX_TEXT, encode_raw, id};
pub use host::{ClockCommand, CommandDecoder, HostSaid};
pub use log::{LogEntry, LogPart, encode_log};
pub use message::Message;
