//! The host's side: commands there and back, and what a board makes of a host's bytes.

use jadoube_dgt::{CLOCK_PROBE, ClockCommand, Command, CommandDecoder, Forbidden, Frame, HostByte, HostSaid};
use proptest::prelude::*;

fn listen<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Vec<HostSaid> {
    let mut decoder = CommandDecoder::new();
    let mut all = Vec::new();
    for chunk in chunks {
        decoder.feed(chunk, |said| all.push(said));
    }
    all
}

fn length(said: &HostSaid) -> usize {
    match said {
        HostSaid::Command(_) | HostSaid::Forbidden { .. } | HostSaid::Unknown(_) => 1,
        HostSaid::ClockProbe => CLOCK_PROBE.len(),
        HostSaid::Clock { len, .. } | HostSaid::Framed { len, .. } => usize::from(*len),
    }
}

#[test]
fn bytes_of_the_commands() {
    let bytes = Command::ALL.map(Command::byte);
    assert_eq!(bytes, [0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x4B, 0x4C, 0x4D, 0x55]);
    assert_eq!(listen([&bytes[..]]), Command::ALL.map(HostSaid::Command));
}

/// All bytes, sixteen in a row: `s` may be sent; the rest is never sent. `f` starts a frame, `l`
/// reads the log, `b` leads to bus mode or is a command of it, `!` starts the boot loader, `d` sends
/// half a draughts board, `e` changes for good which fields are scanned, `i` is of the I2C clock,
/// `p` of the Pegasus, `.` has no known meaning.
const BYTES: [&str; 16] = [
    "................",
    "................",
    "...........ff...",
    "................",
    "ssssssssslbsss!.",
    "dedeesiiipp.....",
    "f..f............",
    "................",
    ".bbbbbbbbbbbbb..",
    ".bbbbbbbbbbb....",
    "bbb.............",
    "................",
    "................",
    "................",
    "................",
    "................",
];

#[test]
fn what_each_byte_is_and_which_may_be_sent() {
    let mut sent = Vec::new();
    for byte in 0..=u8::MAX {
        let letter = BYTES[usize::from(byte >> 4)].as_bytes()[usize::from(byte & 0x0F)];
        let is = match HostByte::of(byte) {
            HostByte::Command(command) => {
                assert_eq!(command.byte(), byte);
                b's'
            }
            HostByte::Frame(_) => b'f',
            HostByte::Forbidden(Forbidden::ReadLog) => b'l',
            HostByte::Forbidden(Forbidden::BusMode | Forbidden::Bus) => b'b',
            HostByte::Forbidden(Forbidden::BootLoader) => b'!',
            HostByte::Forbidden(Forbidden::DraughtsDump) => b'd',
            HostByte::Forbidden(Forbidden::ScanFields) => b'e',
            HostByte::Forbidden(Forbidden::I2cClock) => b'i',
            HostByte::Forbidden(Forbidden::LockOrKey) => b'p',
            HostByte::Unknown => b'.',
        };
        assert_eq!(char::from(is), char::from(letter), "{byte:02X}");
        if letter == b's' {
            sent.push(byte);
        }
    }
    // There is no other way from a type to a byte, so this is all that a host can say.
    assert_eq!(sent, Command::ALL.map(Command::byte));
}

#[test]
fn clock_commands_are_told_apart() {
    let said = |bytes: &[u8]| match listen([bytes])[..] {
        [HostSaid::Clock { command, len }] => {
            assert_eq!(usize::from(len), bytes.len());
            command
        }
        ref other => panic!("{other:?}"),
    };
    assert_eq!(said(&[0x2B, 3, 3, 3, 0]), ClockCommand::EndText);
    assert_eq!(said(&[0x2B, 3, 3, 8, 0]), ClockCommand::Buttons);
    assert_eq!(said(&[0x2B, 4, 3, 9, 1, 0]), ClockCommand::Version);
    assert_eq!(said(&[0x2B, 4, 3, 0x0B, 2, 0]), ClockCommand::Beep);
    assert_eq!(said(&[0x2B, 10, 3, 0x0A, 0, 3, 0, 0, 3, 0, 1, 0]), ClockCommand::SetAndRun);
    assert_eq!(said(&[0x2B, 11, 3, 1, 1, 2, 3, 4, 5, 6, 0, 1, 0]), ClockCommand::Segments);
    assert_eq!(said(&[0x2B, 11, 3, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0]), ClockCommand::Icons);
    let ascii = [&[0x2B, 12, 3, 0x0C], b"adjourn ".as_slice(), &[1, 0]].concat();
    assert_eq!(said(&ascii), ClockCommand::Ascii);
    let long = [&[0x2B, 15, 3, 0x0D], b"round three".as_slice(), &[1, 0]].concat();
    assert_eq!(said(&long), ClockCommand::LongAscii);
    assert_eq!(said(&[0x2B, 3, 3, 0x70, 0]), ClockCommand::Other(0x70));
    for malformed in [&[0x2B, 0][..], &[0x2B, 1, 3], &[0x2B, 3, 4, 9, 0], &[0x2B, 3, 3, 9, 1]] {
        assert_eq!(said(malformed), ClockCommand::Malformed, "{malformed:02X?}");
    }
}

#[test]
fn framed_commands_hide_what_is_inside() {
    let beep = [0x2B, 0x04, 0x03, 0x0B, 0x40, 0x00];
    let lights = [0x60, 0x04, 0x40, 0x41, 0x42, 0x00];
    let stream = [&beep[..], &CLOCK_PROBE, &lights, &[0x2C, 0x00, 0x63, 0x01, 0x4E]].concat();
    assert_eq!(
        listen([&stream[..]]),
        [
            HostSaid::Clock { command: ClockCommand::Beep, len: 6 },
            HostSaid::ClockProbe,
            HostSaid::Framed { frame: Frame::Lights, len: 6 },
            HostSaid::Framed { frame: Frame::I2cClock, len: 2 },
            HostSaid::Framed { frame: Frame::DeveloperKey, len: 3 },
        ]
    );
}

#[test]
fn other_bytes_are_reported_one_by_one() {
    let said = listen([&[0x4E, 0x42, 0x8B, 0x00][..]]);
    assert_eq!(
        said,
        [
            HostSaid::Forbidden { what: Forbidden::BootLoader, byte: 0x4E },
            HostSaid::Command(Command::SendBoard),
            HostSaid::Forbidden { what: Forbidden::Bus, byte: 0x8B },
            HostSaid::Unknown(0x00),
        ]
    );
}

proptest! {
    #[test]
    fn any_split_says_the_same_and_no_byte_is_lost(
        bytes in prop::collection::vec(prop_oneof![any::<u8>(), 0x2A_u8..0x64, 0_u8..8], 0..400),
        size in 1_usize..9,
    ) {
        let whole = listen([&bytes[..]]);
        prop_assert_eq!(&listen(bytes.chunks(size)), &whole);
        let said: usize = whole.iter().map(length).sum();
        prop_assert!(said <= bytes.len());
        // At most one framed command is unfinished, and it begins with one of the four ids.
        if let Some(first) = bytes.get(said) {
            prop_assert!(matches!(first, 0x2B | 0x2C | 0x60 | 0x63));
        }
    }
}
