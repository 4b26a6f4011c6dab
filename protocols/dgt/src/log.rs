//! The internal log: what a board wrote down while it had power, heard or not.
//!
//! Seen on: described for USB, serial and Bluetooth boards; no capture is known, so nothing here
//! is measured. Framing: as in `frame`, id 8F, up to 7936 bytes of payload: entries of one to
//! three bytes, oldest first.
//!
//! ```text
//! 010r pppp  f       a field: p its new piece, 0 = lifted; r = less than about 250 ms after the
//!                    field before; f 0..=63
//! 60..=69  M S       the right side's time: hours in the low four bits, BCD minutes and seconds
//! 70..=79  m s       the left side's time
//! 6A power came on (after three 7F), then each piece found      6B end of the log
//! 6C sixteen men on the outer rows, but not the array           6D the board was empty
//! 6E the log was read here          6F the array stood, connector on White's left
//! 7A the array, board turned        7B a start was marked, then each piece that stood
//! 7C the watchdog reset the board   7F, 00 nothing
//! ```
//!
//! Integrity: none. A tag that is not in the list (10..=3F and 7D, 7E are named for newer firmware
//! without their lengths), a field above 63 or a time that is none means that nobody knows where
//! the next entry begins: all up to the next 6A, 6F, 7A or 7B is junk, and the log only partly
//! readable. The log is a ring, so its first entry may have lost its beginning.
//!
//! Two or more independent sources agree on the tags above but 7C (a second one calls it a debug
//! mark). An entry has no time of its own; a piece that flickers alone overwrites its last entry;
//! only the side that was halted has its time written, and not always. Open: the newer tags; FF,
//! "never written", named by one source, has bit 7 set and cannot be part of a message.

use crate::clock::{from_bcd, to_bcd};
use crate::frame::id;
use crate::{Field, Heard, Junk, PieceCode, Side, SideTime, encode_raw};

/// The longest payload of a log.
const LOG_MAX: usize = 0x1F00;
/// A piece was moved soon after the one before.
const SOON: u8 = 0x10;

/// A part of the internal log, as it comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogPart {
    /// The log begins; its total length in bytes, header included.
    Begins {
        /// 3..=16383.
        len: u16,
    },
    /// One entry.
    Entry(LogEntry),
    /// All of it has come. It is whole if there was no [`Junk`] since it began.
    Ends,
}

/// An entry of the internal log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogEntry {
    /// A field changed.
    Piece {
        /// The field.
        field: Field,
        /// What it held then; [`PieceCode::EMPTY`] if nothing.
        piece: PieceCode,
        /// Less than about 250 ms after the change before it.
        soon: bool,
    },
    /// What the clock showed at one side when the lever stopped it.
    Time {
        /// Whose.
        side: Side,
        /// 0..=35999.
        seconds: u32,
    },
    /// Power came on; the pieces found follow.
    PowerOn,
    /// The end of what was written.
    End,
    /// Sixteen men on the outer rows, not as in the array.
    FourRows,
    /// The board was empty.
    Empty,
    /// The log was read by a host up to here.
    Read,
    /// The array stood on the board, connector on White's left.
    Start,
    /// The array stood on the board, turned by half.
    StartTurned,
    /// A host marked a start; the pieces that stood follow.
    StartMarked,
    /// The board reset itself; power-on entries follow.
    Watchdog,
    /// A filler.
    Nothing,
}

impl LogEntry {
    /// `None` if the bytes are no entry.
    fn read(bytes: &[u8]) -> Option<LogEntry> {
        Some(match *bytes {
            [tag @ 0x40..=0x5F, field] => LogEntry::Piece {
                field: Field::new(field)?,
                piece: PieceCode::from_byte(tag),
                soon: tag & SOON != 0,
            },
            [tag @ (0x60..=0x69 | 0x70..=0x79), minutes, seconds] => LogEntry::Time {
                side: if tag < 0x70 { Side::Right } else { Side::Left },
                seconds: u32::from(tag & 0x0F) * 3600
                    + u32::from(from_bcd(minutes)?) * 60
                    + u32::from(from_bcd(seconds)?),
            },
            [0x6A] => LogEntry::PowerOn,
            [0x6B] => LogEntry::End,
            [0x6C] => LogEntry::FourRows,
            [0x6D] => LogEntry::Empty,
            [0x6E] => LogEntry::Read,
            [0x6F] => LogEntry::Start,
            [0x7A] => LogEntry::StartTurned,
            [0x7B] => LogEntry::StartMarked,
            [0x7C] => LogEntry::Watchdog,
            [0x7F | 0x00] => LogEntry::Nothing,
            _ => return None,
        })
    }

    /// The bytes and how many of them count; `None` for a time above 9:59:59.
    fn bytes(&self) -> Option<([u8; 3], usize)> {
        let tag = match *self {
            LogEntry::Piece { field, piece, soon } => {
                return Some(([0x40 | (u8::from(soon) * SOON) | piece.code(), field.index(), 0], 2));
            }
            LogEntry::Time { side, seconds } => {
                let time = SideTime::from_seconds(seconds)?;
                let tag = if matches!(side, Side::Right) { 0x60 } else { 0x70 };
                return Some(([tag | time.hours, to_bcd(time.minutes)?, to_bcd(time.seconds)?], 3));
            }
            LogEntry::PowerOn => 0x6A,
            LogEntry::End => 0x6B,
            LogEntry::FourRows => 0x6C,
            LogEntry::Empty => 0x6D,
            LogEntry::Read => 0x6E,
            LogEntry::Start => 0x6F,
            LogEntry::StartTurned => 0x7A,
            LogEntry::StartMarked => 0x7B,
            LogEntry::Watchdog => 0x7C,
            LogEntry::Nothing => 0x7F,
        };
        Some(([tag, 0, 0], 1))
    }
}

/// How many bytes the entry with this tag has, if the tag is known.
const fn size(tag: u8) -> Option<u8> {
    match tag {
        0x40..=0x5F => Some(2),
        0x60..=0x69 | 0x70..=0x79 => Some(3),
        0x00 | 0x6A..=0x6F | 0x7A..=0x7C | 0x7F => Some(1),
        _ => None,
    }
}

/// What may follow the tag in its entry. It tells a damaged entry at its first wrong byte, so
/// that a tag behind it is still found.
const fn may_follow(tag: u8, byte: u8) -> bool {
    if tag < 0x60 { byte < 64 } else { from_bcd(byte).is_some() }
}

/// Where reading can begin anew: power-on and the three starts. No known entry has these bytes
/// inside.
const fn is_anchor(tag: u8) -> bool {
    matches!(tag, 0x6A | 0x6F | 0x7A | 0x7B)
}

/// Reads the entries of one log as its bytes come. Every byte is told of exactly once.
#[derive(Debug, Clone, Default)]
pub(crate) struct LogReader {
    entry: [u8; 3],
    /// Bytes of the entry so far.
    seen: u8,
    /// Bytes since nobody knows where an entry begins, and the first tag that was to blame.
    lost: u16,
    blamed: u8,
}

impl LogReader {
    pub(crate) fn take(&mut self, byte: u8, heard: &mut impl FnMut(Heard<'_>)) {
        if self.seen > 0 && !may_follow(self.entry[0], byte) {
            self.lose(self.entry[0], u16::from(self.seen));
        }
        if self.lost > 0 {
            if !is_anchor(byte) {
                self.lost += 1;
                return;
            }
            self.tell_lost(heard);
        }
        if self.seen == 0 && size(byte).is_none() {
            self.lose(byte, 1);
            return;
        }
        self.entry[usize::from(self.seen)] = byte;
        self.seen += 1;
        if size(self.entry[0]) == Some(self.seen) {
            let bytes = &self.entry[..usize::from(self.seen)];
            if let Some(entry) = LogEntry::read(bytes) {
                heard(Heard::Log(LogPart::Entry(entry)));
                self.seen = 0;
            } else {
                self.lose(self.entry[0], u16::from(self.seen));
            }
        }
    }

    /// The last byte has come.
    pub(crate) fn end(&mut self, heard: &mut impl FnMut(Heard<'_>)) {
        if self.seen > 0 {
            self.lose(self.entry[0], u16::from(self.seen));
        }
        self.tell_lost(heard);
        heard(Heard::Log(LogPart::Ends));
    }

    /// Bytes taken and not told of yet; forgets them.
    pub(crate) fn drop_unfinished(&mut self) -> u16 {
        let untold = self.lost + u16::from(self.seen);
        *self = LogReader::default();
        untold
    }

    fn lose(&mut self, tag: u8, bytes: u16) {
        self.lost = bytes;
        self.blamed = tag;
        self.seen = 0;
    }

    fn tell_lost(&mut self, heard: &mut impl FnMut(Heard<'_>)) {
        if self.lost > 0 {
            heard(Heard::Junk { why: Junk::LogUnreadable(self.blamed), bytes: self.lost });
        }
        self.lost = 0;
    }
}

/// Writes a whole log, for emulators: the entries, oldest first. [`LogEntry::End`] is one of them.
///
/// Returns the number of bytes written to the start of `out`, or `None` without writing if an
/// entry cannot be said, the log would be longer than any board's, or `out` is too short.
pub fn encode_log(entries: &[LogEntry], out: &mut [u8]) -> Option<usize> {
    let mut length = 0;
    for entry in entries {
        length += entry.bytes()?.1;
    }
    let total = (length <= LOG_MAX && out.len() >= length + 3).then_some(length + 3)?;
    encode_raw(id::LOG, &[], out)?;
    out[1..3].copy_from_slice(&[(total >> 7) as u8, (total & 0x7F) as u8]);
    let mut rest = &mut out[3..total];
    for entry in entries {
        let (bytes, count) = entry.bytes()?;
        let (here, later) = rest.split_at_mut(count);
        here.copy_from_slice(&bytes[..count]);
        rest = later;
    }
    Some(total)
}
