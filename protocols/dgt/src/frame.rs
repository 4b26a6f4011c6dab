//! Framing of what a board says to its host, single mode.
//!
//! Seen on: USB, serial and Bluetooth boards, firmware 1.80 to 3.10; measured on three captures.
//!
//! ```text
//! offset  width  what
//! 0       1      id, bit 7 set: the only bytes of the stream that have it set
//! 1       1      total length, bits 13..7
//! 2       1      total length, bits 6..0; the length counts these three bytes: 3..=16383
//! 3       n      payload, bit 7 clear in every byte
//! ```
//!
//! Integrity: no checksum. What protects the reader is bit 7: a byte that has it set inside a
//! message means that the message was cut, and starts the next one. A damaged byte that stays in
//! range goes unnoticed; ask for a board dump before believing something suspicious.
//!
//! Two or more independent sources agree on all of this. Open: ids collide with those of bus
//! mode, where frames also carry an address and a checksum; a bus stream must not be fed here.

use crate::Message;
use crate::log::{LogPart, LogReader};

/// Ids of the messages that boards send in single mode.
pub mod id {
    /// The whole board: 64 piece codes.
    pub const BOARD_DUMP: u8 = 0x86;
    /// Clock times, or an acknowledgement by the clock.
    pub const CLOCK: u8 = 0x8D;
    /// One field changed.
    pub const FIELD_UPDATE: u8 = 0x8E;
    /// The internal log; read entry by entry.
    pub const LOG: u8 = 0x8F;
    /// The bus address.
    pub const BUS_ADDRESS: u8 = 0x90;
    /// The serial number of five characters.
    pub const SERIAL_NUMBER: u8 = 0x91;
    /// The trademark text.
    pub const TRADEMARK: u8 = 0x92;
    /// The firmware version.
    pub const VERSION: u8 = 0x93;
    /// A draughts board, scanned for its 50 black fields.
    pub const DRAUGHTS_BLACK: u8 = 0x94;
    /// A draughts board, scanned for its 50 white fields.
    pub const DRAUGHTS_WHITE: u8 = 0x95;
    /// The hardware version.
    pub const HARDWARE_VERSION: u8 = 0x96;
    /// The battery of a wireless board.
    pub const BATTERY: u8 = 0xA0;
    /// The serial number of ten characters.
    pub const LONG_SERIAL_NUMBER: u8 = 0xA2;
    /// A clock behind I2C, layout unknown; skipped by length.
    pub const I2C_CLOCK: u8 = 0xA3;
    /// Lock state of a Pegasus board; skipped by length.
    pub const LOCK_STATE: u8 = 0xA4;
    /// Developer-key state of a Pegasus board; skipped by length.
    pub const KEY_STATE: u8 = 0xA5;
}

/// Bytes before the payload.
const HEADER: u16 = 3;
/// The longest total length that the header can say.
const MAX_TOTAL: usize = 0x3FFF;
/// The longest trademark text in bytes, and the longest payload that is ever kept.
pub const MAX_TEXT: usize = 256;
/// A buffer of this many bytes holds any encoded [`Message`].
pub const MAX_ENCODED: usize = MAX_TEXT + HEADER as usize;
/// A line that carries nothing but noise must still show up in the counters.
const UNFRAMED_RUN: u16 = 256;

/// What the decoder made of the bytes, in the order in which they came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard<'a> {
    /// A whole message with every value in range.
    Message(Message<'a>),
    /// A part of the internal log, which is too long to be kept.
    Log(LogPart),
    /// Bytes that were dropped.
    Junk {
        /// The reason.
        why: Junk,
        /// How many bytes were dropped for it.
        bytes: u16,
    },
}

/// Why bytes were dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Junk {
    /// Bytes with bit 7 clear outside a message. Reported per run, when the next id ends it or
    /// after 256 bytes, whichever comes first.
    Unframed,
    /// A message that the id of another one cut short. The new id is not among the bytes, nor is
    /// what was told of a log; so a log that is cut between two entries drops none.
    Cut,
    /// A length that the id does not allow. Only the header is counted: the length cannot be
    /// trusted, so whatever follows is unframed until the next id.
    BadLength,
    /// A whole message with this unknown id, skipped by its length.
    UnknownId(u8),
    /// A whole message with this id that holds a value out of range.
    OutOfRange(u8),
    /// A part of the internal log from this tag on, which is unknown, or known with a value out of
    /// range; or an entry that the end of the log cut short.
    LogUnreadable(u8),
}

impl Junk {
    /// A stable name for counters; it does not depend on the id or tag.
    pub const fn name(self) -> &'static str {
        match self {
            Junk::Unframed => "unframed",
            Junk::Cut => "cut",
            Junk::BadLength => "bad-length",
            Junk::UnknownId(_) => "unknown-id",
            Junk::OutOfRange(_) => "out-of-range",
            Junk::LogUnreadable(_) => "log-unreadable",
        }
    }
}

/// Splits the byte stream of one board into messages.
///
/// # Invariants
///
/// - What is heard does not depend on how the stream was split into calls of [`feed`](Self::feed).
/// - Whatever was fed before, a whole message with values in range is heard: its id restarts the
///   decoder from any state. Before it, a broken header may have swallowed bytes with bit 7
///   clear, never an id.
/// - Lengths of messages, the header and entries of logs, and counts of junk add up to the bytes
///   fed, once [`finish`](Self::finish) has run.
#[derive(Debug, Clone)]
pub struct Decoder {
    /// Bytes of the current message so far, header included; 0 between messages.
    seen: u16,
    id: u8,
    /// Valid once the header is complete.
    total: u16,
    unframed: u16,
    log: LogReader,
    payload: [u8; MAX_TEXT],
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Decoder {
    /// A decoder between two messages.
    pub fn new() -> Self {
        Decoder { seen: 0, id: 0, total: 0, unframed: 0, log: LogReader::default(), payload: [0; MAX_TEXT] }
    }

    /// Takes the next bytes of the stream and calls `heard` for each thing they complete.
    pub fn feed(&mut self, bytes: &[u8], mut heard: impl FnMut(Heard<'_>)) {
        for &byte in bytes {
            self.take(byte, &mut heard);
        }
    }

    /// Whether the last message is whole, so that what comes next would be read the same by a new
    /// decoder.
    #[must_use]
    pub fn is_between_messages(&self) -> bool {
        self.seen == 0 && self.unframed == 0
    }

    /// Ends the stream, for example when the port was lost: reports an unfinished message as
    /// [`Junk::Cut`] and an unfinished run of unframed bytes, and starts afresh.
    pub fn finish(&mut self, mut heard: impl FnMut(Heard<'_>)) {
        self.drop_unfinished(&mut heard);
    }

    fn take(&mut self, byte: u8, heard: &mut impl FnMut(Heard<'_>)) {
        if byte & 0x80 != 0 {
            self.drop_unfinished(heard);
            self.id = byte;
            self.seen = 1;
            return;
        }
        match self.seen {
            0 => {
                self.unframed += 1;
                if self.unframed == UNFRAMED_RUN {
                    self.drop_unfinished(heard);
                }
                return;
            }
            1 => self.total = u16::from(byte) << 7,
            2 => {
                self.total |= u16::from(byte);
                if !length_allowed(self.id, self.total) {
                    self.seen = 0;
                    heard(junk(Junk::BadLength, HEADER));
                    return;
                }
                if self.id == id::LOG {
                    heard(Heard::Log(LogPart::Begins { len: self.total }));
                }
            }
            _ if self.id == id::LOG => self.log.take(byte, heard),
            // Payloads longer than the buffer are skipped ones, of which nothing is needed.
            at => {
                if let Some(slot) = self.payload.get_mut(usize::from(at - HEADER)) {
                    *slot = byte;
                }
            }
        }
        self.seen += 1;
        if self.seen >= HEADER && self.seen == self.total {
            self.seen = 0;
            self.complete(heard);
        }
    }

    fn complete(&mut self, heard: &mut impl FnMut(Heard<'_>)) {
        if self.id == id::LOG {
            self.log.end(heard);
            return;
        }
        let len = usize::from(self.total - HEADER).min(MAX_TEXT);
        heard(match Message::read(self.id, self.total, &self.payload[..len]) {
            Ok(message) => Heard::Message(message),
            Err(why) => junk(why, self.total),
        });
    }

    fn drop_unfinished(&mut self, heard: &mut impl FnMut(Heard<'_>)) {
        if self.unframed > 0 {
            heard(junk(Junk::Unframed, self.unframed));
        }
        // Of a log the header and the entries were told of already.
        let log = self.id == id::LOG && self.seen >= HEADER;
        if self.seen > 0 {
            heard(junk(Junk::Cut, if log { self.log.drop_unfinished() } else { self.seen }));
        }
        self.unframed = 0;
        self.seen = 0;
    }
}

const fn junk(why: Junk, bytes: u16) -> Heard<'static> {
    Heard::Junk { why, bytes }
}

/// The total lengths that a message may have. Messages that are skipped may have any.
fn length_allowed(id: u8, total: u16) -> bool {
    match id {
        id::BOARD_DUMP => matches!(total, 67 | 103),
        id::DRAUGHTS_BLACK | id::DRAUGHTS_WHITE => total == 53,
        id::CLOCK => total == 10,
        id::FIELD_UPDATE | id::BUS_ADDRESS | id::VERSION | id::HARDWARE_VERSION => total == 5,
        id::SERIAL_NUMBER => total == 8,
        id::LONG_SERIAL_NUMBER => total == 13,
        id::BATTERY => total == 12,
        id::TRADEMARK => (HEADER..=MAX_ENCODED as u16).contains(&total),
        _ => total >= HEADER,
    }
}

/// Frames any payload, for messages that [`Message`] does not hold, such as those of other models.
///
/// Returns the number of bytes written to the start of `out`, or `None` without writing if `id`
/// has bit 7 clear, a byte of `payload` has it set, the total is above 16383, or `out` is too
/// short. The length is not compared with what the id allows.
pub fn encode_raw(id: u8, payload: &[u8], out: &mut [u8]) -> Option<usize> {
    let total = payload.len().checked_add(usize::from(HEADER))?;
    if id & 0x80 == 0 || total > MAX_TOTAL || payload.iter().any(|byte| byte & 0x80 != 0) {
        return None;
    }
    let (header, rest) = out.get_mut(..total)?.split_at_mut(usize::from(HEADER));
    header.copy_from_slice(&[id, (total >> 7) as u8, (total & 0x7F) as u8]);
    rest.copy_from_slice(payload);
    Some(total)
}
