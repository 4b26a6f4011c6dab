//! All messages of a board, and which family reads and writes each.
//!
//! The layouts are in the families' files: board, clock and ack, identity, battery. Here is only
//! the choice by id. The framing has already checked the length for the id. The internal log is not
//! among them: it is too long to be kept, and told entry by entry (`log`).

use crate::frame::{Junk, encode_raw, id};
use crate::{Battery, ClockAck, ClockReport, Field, PieceCode, board, clock, identity};

/// What a board said, with every value in range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Message<'a> {
    /// The whole board; the index is that of [`Field`].
    Dump([PieceCode; 64]),
    /// The whole board of one that has 10 × 10 fields, row by row.
    LargeDump([PieceCode; 100]),
    /// A draughts board: the fields of one colour, row by row.
    Draughts {
        /// The white fields, not the black ones.
        white_fields: bool,
        /// What they hold.
        pieces: [PieceCode; 50],
    },
    /// One field changed.
    Field {
        /// The field.
        field: Field,
        /// What it holds now; [`PieceCode::EMPTY`] if nothing.
        piece: PieceCode,
    },
    /// The times of a connected clock.
    Clock(ClockReport),
    /// An acknowledgement by the clock. It replaces a report of times, so it may hide a change
    /// of the lever for up to a second.
    Ack(ClockAck),
    /// No clock is connected (status bit 5). The times in the message are invalid, so they are
    /// not offered.
    NoClock,
    /// A clock message of zeros only, to be ignored: Bluetooth firmware 2.10 sends it after a
    /// clock command. It says nothing about times or lever.
    EmptyClock,
    /// The serial number: printable ASCII, digits on every board seen.
    SerialNumber([u8; 5]),
    /// The long serial number of newer boards: printable ASCII, digits on every board seen.
    LongSerialNumber([u8; 10]),
    /// The address in bus mode, 0..=16383. It is not the serial number: those can be larger.
    BusAddress(u16),
    /// The trademark text: 0 to 256 bytes of ASCII, control characters included.
    Trademark(&'a [u8]),
    /// The firmware version, in binary: 1.02 is major 1 and minor 2. Each 0..=127.
    Version {
        /// Before the point.
        major: u8,
        /// After the point.
        minor: u8,
    },
    /// The hardware version. Each 0..=127.
    HardwareVersion {
        /// Before the point.
        major: u8,
        /// After the point.
        minor: u8,
    },
    /// The battery of a wireless board.
    Battery(Battery),
    /// A message known by name whose layout no source gives: the I2C clock and the Pegasus states.
    Skipped {
        /// The id, with bit 7 set.
        id: u8,
        /// The total length in bytes, header included.
        len: u16,
    },
}

impl<'a> Message<'a> {
    /// Reads a payload whose length has been checked against the id.
    pub(crate) fn read(message_id: u8, total: u16, payload: &'a [u8]) -> Result<Self, Junk> {
        let message = match message_id {
            id::BOARD_DUMP => board::read_dump(payload),
            id::FIELD_UPDATE => board::read_field(payload),
            id::CLOCK => clock::read(payload),
            id::BATTERY => Battery::read(payload).map(Message::Battery),
            id::BUS_ADDRESS
            | id::SERIAL_NUMBER
            | id::LONG_SERIAL_NUMBER
            | id::TRADEMARK
            | id::VERSION
            | id::HARDWARE_VERSION => identity::read(message_id, payload),
            id::DRAUGHTS_BLACK | id::DRAUGHTS_WHITE => {
                board::read_draughts(payload, message_id == id::DRAUGHTS_WHITE)
            }
            id::I2C_CLOCK | id::LOCK_STATE | id::KEY_STATE => {
                Some(Message::Skipped { id: message_id, len: total })
            }
            unknown => return Err(Junk::UnknownId(unknown)),
        };
        message.ok_or(Junk::OutOfRange(message_id))
    }

    /// Writes the message as a board sends it, to the start of `out`, and returns its length.
    /// [`MAX_ENCODED`](crate::MAX_ENCODED) bytes are always enough.
    ///
    /// Decoding what was written gives the same message.
    ///
    /// # Errors
    ///
    /// `None`, with nothing written, if `out` is too short or if the message cannot be said:
    /// a value is out of the range its documentation gives (a time above 9:59:59 is refused,
    /// not clamped), a [`Message::Clock`] would be all zeros and so read as
    /// [`Message::EmptyClock`], or it is [`Message::Skipped`], whose payload was not kept
    /// ([`encode_raw`] writes those).
    pub fn encode(&self, out: &mut [u8]) -> Option<usize> {
        match self {
            Message::Dump(pieces) => encode_raw(id::BOARD_DUMP, &pieces.map(PieceCode::code), out),
            Message::LargeDump(pieces) => encode_raw(id::BOARD_DUMP, &pieces.map(PieceCode::code), out),
            Message::Draughts { white_fields, pieces } => {
                let id = if *white_fields { id::DRAUGHTS_WHITE } else { id::DRAUGHTS_BLACK };
                encode_raw(id, &pieces.map(PieceCode::code), out)
            }
            Message::Field { field, piece } => {
                encode_raw(id::FIELD_UPDATE, &[field.index(), piece.code()], out)
            }
            Message::Clock(report) => encode_raw(id::CLOCK, &report.payload()?, out),
            Message::Ack(ack) => encode_raw(id::CLOCK, &ack.payload(), out),
            Message::NoClock => encode_raw(id::CLOCK, &clock::NO_CLOCK, out),
            Message::EmptyClock => encode_raw(id::CLOCK, &[0; 7], out),
            Message::SerialNumber(digits) => encode_raw(id::SERIAL_NUMBER, identity::printable(digits)?, out),
            Message::LongSerialNumber(digits) => {
                encode_raw(id::LONG_SERIAL_NUMBER, identity::printable(digits)?, out)
            }
            Message::BusAddress(address) => {
                encode_raw(id::BUS_ADDRESS, &identity::split_address(*address)?, out)
            }
            Message::Trademark(text) => encode_raw(id::TRADEMARK, identity::trademark(text)?, out),
            Message::Version { major, minor } => encode_raw(id::VERSION, &[*major, *minor], out),
            Message::HardwareVersion { major, minor } => {
                encode_raw(id::HARDWARE_VERSION, &[*major, *minor], out)
            }
            Message::Battery(battery) => encode_raw(id::BATTERY, &battery.payload()?, out),
            Message::Skipped { .. } => None,
        }
    }
}
