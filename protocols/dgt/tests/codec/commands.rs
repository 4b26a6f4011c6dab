//! The host's side: commands there and back, and what a board makes of a host's bytes.

use jadoube_dgt::{CLOCK_PROBE, Command, CommandDecoder, HostSaid};
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
        HostSaid::Command(_) | HostSaid::Unknown(_) => 1,
        HostSaid::ClockProbe => CLOCK_PROBE.len(),
        HostSaid::Other { len, .. } => usize::from(*len),
    }
}

#[test]
fn bytes_of_the_commands() {
    let bytes = Command::ALL.map(Command::byte);
    assert_eq!(bytes, [0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x4A, 0x4B, 0x4C, 0x4D, 0x55]);
    assert_eq!(listen([&bytes[..]]), Command::ALL.map(HostSaid::Command));
}

#[test]
fn every_byte_is_a_command_or_none() {
    for byte in 0..=u8::MAX {
        if let Some(command) = Command::from_byte(byte) {
            assert_eq!(command.byte(), byte);
        }
    }
    assert_eq!((0..=u8::MAX).filter_map(Command::from_byte).count(), 14);
}

#[test]
fn what_must_not_be_sent_has_no_command() {
    for byte in [0x49, 0x4E, 0x50, 0x51, 0x52, 0x53, 0x54, 0x60, 0x63, 0x2B, 0x2C] {
        assert_eq!(Command::from_byte(byte), None, "{byte:02X}");
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
            HostSaid::Other { id: 0x2B, len: 6 },
            HostSaid::ClockProbe,
            HostSaid::Other { id: 0x60, len: 6 },
            HostSaid::Other { id: 0x2C, len: 2 },
            HostSaid::Other { id: 0x63, len: 3 },
        ]
    );
}

#[test]
fn unknown_bytes_are_reported_one_by_one() {
    let said = listen([&[0x4E, 0x42, 0x8B, 0x00][..]]);
    assert_eq!(
        said,
        [
            HostSaid::Unknown(0x4E),
            HostSaid::Command(Command::SendBoard),
            HostSaid::Unknown(0x8B),
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
