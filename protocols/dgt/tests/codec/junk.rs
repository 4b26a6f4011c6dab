//! Every reason for dropping bytes, and the bytes that are blamed.

use crate::common::{Owned, hear};
use jadoube_dgt::{Decoder, Junk, Message};

const VERSION: [u8; 5] = [0x93, 0, 5, 1, 2];

fn version() -> Owned {
    Owned::message(&Message::Version { major: 1, minor: 2 })
}

/// What is heard of these bytes when the version follows.
fn before_version(bytes: &[u8]) -> Vec<Owned> {
    let mut heard = hear(&[bytes, &VERSION].concat());
    assert_eq!(heard.pop(), Some(version()));
    heard
}

#[test]
fn unframed_bytes_are_counted_per_run() {
    assert_eq!(before_version(&[1, 2, 3]), [Owned::Junk(Junk::Unframed, 3)]);
}

#[test]
fn endless_noise_is_reported_without_an_id() {
    let run = Owned::Junk(Junk::Unframed, 256);
    assert_eq!(hear(&[0; 600]), [run.clone(), run]);
}

#[test]
fn an_id_cuts_a_message_at_any_place() {
    let dump = [&[0x86, 0x00, 0x43], [0; 63].as_slice()].concat();
    for len in 1..=dump.len() {
        let cut = Owned::Junk(Junk::Cut, len as u16);
        assert_eq!(before_version(&dump[..len]), [cut], "{len}");
    }
}

#[test]
fn a_wrong_length_costs_the_header_only() {
    for (id, len) in [(0x86, 66), (0x94, 54), (0x8D, 9), (0x8E, 6), (0x91, 2), (0xA0, 7), (0xBB, 0)] {
        let bad = Owned::Junk(Junk::BadLength, 3);
        assert_eq!(before_version(&[id, 0, len]), [Owned::Junk(Junk::BadLength, 3)], "{id:02X}");
        let rest = Owned::Junk(Junk::Unframed, 2);
        assert_eq!(before_version(&[id, 0, len, 1, 1]), [bad, rest], "{id:02X}");
    }
    // A trademark above the longest one that is kept.
    assert_eq!(before_version(&[0x92, 2, 4]), [Owned::Junk(Junk::BadLength, 3)]);
}

#[test]
fn unknown_ids_are_skipped_by_length() {
    let unknown = [&[0xBB, 0x02, 0x13], [0x55; 272].as_slice()].concat();
    assert_eq!(before_version(&unknown), [Owned::Junk(Junk::UnknownId(0xBB), 275)]);
    assert_eq!(before_version(&[0xBB, 0, 3]), [Owned::Junk(Junk::UnknownId(0xBB), 3)]);
}

#[test]
fn finish_reports_what_was_begun_and_starts_afresh() {
    for (begun, expected) in
        [(VERSION[..4].to_vec(), Owned::Junk(Junk::Cut, 4)), (vec![7; 9], Owned::Junk(Junk::Unframed, 9))]
    {
        let mut decoder = Decoder::new();
        let mut heard = Vec::new();
        decoder.feed(&begun, |what| heard.push(Owned::of(what)));
        assert_eq!(heard, []);
        decoder.finish(|what| heard.push(Owned::of(what)));
        decoder.finish(|what| heard.push(Owned::of(what)));
        decoder.feed(&VERSION, |what| heard.push(Owned::of(what)));
        assert_eq!(heard, [expected, version()]);
    }
}

#[test]
fn names_are_distinct() {
    let mut names = [
        Junk::Unframed,
        Junk::Cut,
        Junk::BadLength,
        Junk::UnknownId(0xBB),
        Junk::OutOfRange(0x8D),
        Junk::LogUnreadable(0x10),
    ]
    .map(Junk::name);
    names.sort_unstable();
    assert_eq!(names, ["bad-length", "cut", "log-unreadable", "out-of-range", "unframed", "unknown-id"]);
    assert_eq!(Junk::UnknownId(0xBB).name(), Junk::UnknownId(0xBC).name());
}
