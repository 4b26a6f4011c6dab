//! Who a board is: serial numbers, bus address, trademark, versions.
//!
//! Seen on: USB and Bluetooth boards (versions 1.80 and 3.10 among them), emulators that other
//! hosts accept. Framing: as in `frame`. Payloads:
//!
//! ```text
//! 90 bus address         h l       address = h × 128 + l, 0..=16383
//! 91 serial number       s × 5     ASCII digits
//! 92 trademark           s × n     ASCII text with CR LF, n 0..=256
//! 93 version             m s       binary, 1.02 = 01 02
//! 96 hardware version    m s       the same
//! A2 long serial number  s × 10    ASCII digits
//! ```
//!
//! Integrity: none. A serial number that is not printable is refused, because a board is found
//! again by it and a damaged one would be another board; letters are let through, because no
//! source excludes them. Two or more independent sources agree on every layout. Open: whether a
//! board without a programmed number answers at all.

use crate::Message;
use crate::frame::{MAX_TEXT, id};

pub(crate) fn read(message_id: u8, payload: &[u8]) -> Option<Message<'_>> {
    match (message_id, payload) {
        (id::BUS_ADDRESS, &[high, low]) => Some(Message::BusAddress(u16::from(high) << 7 | u16::from(low))),
        (id::VERSION, &[major, minor]) => Some(Message::Version { major, minor }),
        (id::HARDWARE_VERSION, &[major, minor]) => Some(Message::HardwareVersion { major, minor }),
        (id::SERIAL_NUMBER, digits) => printable(digits)?.try_into().ok().map(Message::SerialNumber),
        (id::LONG_SERIAL_NUMBER, digits) => printable(digits)?.try_into().ok().map(Message::LongSerialNumber),
        (id::TRADEMARK, text) => trademark(text).map(Message::Trademark),
        _ => None,
    }
}

/// The text itself if it is printable ASCII, spaces included.
pub(crate) fn printable(text: &[u8]) -> Option<&[u8]> {
    text.iter().all(|byte| matches!(byte, 0x20..=0x7E)).then_some(text)
}

/// The text itself if it is not too long.
pub(crate) fn trademark(text: &[u8]) -> Option<&[u8]> {
    (text.len() <= MAX_TEXT).then_some(text)
}

pub(crate) fn split_address(address: u16) -> Option<[u8; 2]> {
    (address <= 0x3FFF).then_some([(address >> 7) as u8, (address & 0x7F) as u8])
}
