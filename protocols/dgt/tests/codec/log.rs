//! The internal log, entry by entry.

use crate::common::{Owned, hear};
use jadoube_dgt::*;
use proptest::prelude::*;

/// The bytes of a whole log.
pub(crate) fn encode_whole_log(entries: &[LogEntry]) -> Vec<u8> {
    let mut out = vec![0; 0x1F03];
    let len = encode_log(entries, &mut out).expect("short enough and in range");
    out.truncate(len);
    out
}

/// How many bytes of the stream a part accounts for.
pub(crate) fn log_bytes(part: LogPart) -> usize {
    match part {
        LogPart::Begins { .. } => 3,
        LogPart::Entry(entry) => encode_whole_log(&[entry]).len() - 3,
        LogPart::Ends => 0,
    }
}

fn entry() -> impl Strategy<Value = LogEntry> {
    prop_oneof![
        (0_u8..64, any::<u8>(), any::<bool>()).prop_map(|(field, piece, soon)| LogEntry::Piece {
            field: Field::new(field).expect("below 64"),
            piece: PieceCode::from_byte(piece),
            soon,
        }),
        (any::<bool>(), 0..=SideTime::MAX_SECONDS).prop_map(|(left, seconds)| LogEntry::Time {
            side: if left { Side::Left } else { Side::Right },
            seconds,
        }),
        prop::sample::select(SINGLE.map(|(entry, _)| entry).to_vec()),
    ]
}

pub(crate) fn log() -> impl Strategy<Value = Vec<LogEntry>> {
    prop::collection::vec(entry(), 0..60)
}

/// A log of any bytes, those of entries and unknown ones among them.
pub(crate) fn log_bytes_at_random() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(prop_oneof![0_u8..0x80, 0x3E_u8..0x7D], 0..200).prop_map(|payload| framed(&payload))
}

fn framed(payload: &[u8]) -> Vec<u8> {
    let mut out = vec![0; payload.len() + 3];
    encode_raw(id::LOG, payload, &mut out).expect("bit 7 is clear");
    out
}

/// What is heard of a log's payload, between its beginning and its end.
fn inside(payload: &[u8]) -> Vec<Owned> {
    let mut heard = hear(&framed(payload));
    assert_eq!(heard.remove(0), Owned::Log(LogPart::Begins { len: payload.len() as u16 + 3 }));
    assert_eq!(heard.pop(), Some(Owned::Log(LogPart::Ends)));
    heard
}

fn entries(all: &[LogEntry]) -> Vec<Owned> {
    all.iter().map(|entry| Owned::Log(LogPart::Entry(*entry))).collect()
}

fn unreadable(tag: u8, bytes: u16) -> Owned {
    Owned::Junk(Junk::LogUnreadable(tag), bytes)
}

const SINGLE: [(LogEntry, u8); 10] = [
    (LogEntry::PowerOn, 0x6A),
    (LogEntry::End, 0x6B),
    (LogEntry::FourRows, 0x6C),
    (LogEntry::Empty, 0x6D),
    (LogEntry::Read, 0x6E),
    (LogEntry::Start, 0x6F),
    (LogEntry::StartTurned, 0x7A),
    (LogEntry::StartMarked, 0x7B),
    (LogEntry::Watchdog, 0x7C),
    (LogEntry::Nothing, 0x7F),
];

#[test]
fn a_short_game_in_the_log() {
    let field = |index| Field::new(index).expect("below 64");
    let piece = |index, piece, soon| LogEntry::Piece { field: field(index), piece, soon };
    let all = [
        LogEntry::Nothing,
        LogEntry::Nothing,
        LogEntry::Nothing,
        LogEntry::PowerOn,
        LogEntry::Start,
        piece(52, PieceCode::EMPTY, false),
        piece(36, PieceCode::WHITE_PAWN, true),
        LogEntry::Time { side: Side::Left, seconds: 3600 + 29 * 60 + 58 },
        piece(12, PieceCode::EMPTY, false),
        piece(28, PieceCode::BLACK_PAWN, false),
        LogEntry::Time { side: Side::Right, seconds: 9 * 3600 + 5 },
        LogEntry::Read,
        LogEntry::End,
    ];
    #[rustfmt::skip]
    let bytes = [
        0x8F, 0, 25, 0x7F, 0x7F, 0x7F, 0x6A, 0x6F, 0x40, 52, 0x51, 36, 0x71, 0x29, 0x58,
        0x40, 12, 0x47, 28, 0x69, 0x00, 0x05, 0x6E, 0x6B,
    ];
    let mut bytes = bytes.to_vec();
    bytes[2] = bytes.len() as u8;
    assert_eq!(encode_whole_log(&all), bytes);
    assert_eq!(inside(&bytes[3..]), entries(&all));
}

#[test]
fn entries_of_one_byte() {
    for (entry, byte) in SINGLE {
        assert_eq!(inside(&[byte]), entries(&[entry]));
        assert_eq!(encode_whole_log(&[entry])[3..], [byte]);
    }
    assert_eq!(inside(&[0x00]), entries(&[LogEntry::Nothing]));
    assert_eq!(inside(&[]), []);
}

/// Every tag, so that a new one has to be entered here.
#[test]
fn which_tags_are_known() {
    let known = |tag: u8| matches!(tag, 0x00 | 0x40..=0x79 | 0x7A..=0x7C | 0x7F);
    for tag in 0..0x80 {
        let heard = inside(&[tag, 0x00, 0x00, 0x6F]);
        assert_eq!(heard.last(), entries(&[LogEntry::Start]).last(), "{tag:02X}");
        assert_eq!(heard.contains(&unreadable(tag, 3)), !known(tag), "{tag:02X}");
    }
}

#[test]
fn after_an_unknown_tag_nothing_is_believed_until_power_on_or_a_start() {
    for (start, byte) in [
        (LogEntry::PowerOn, 0x6A),
        (LogEntry::Start, 0x6F),
        (LogEntry::StartTurned, 0x7A),
        (LogEntry::StartMarked, 0x7B),
    ] {
        // 10 might be a delay of any length: 40 34 behind it may be no piece, 6E and 6B no marks.
        let heard = inside(&[0x6D, 0x10, 0x40, 0x34, 0x6E, 0x6B, byte, 0x6B]);
        let mut expected = entries(&[LogEntry::Empty, start, LogEntry::End]);
        expected.insert(1, unreadable(0x10, 5));
        assert_eq!(heard, expected);
    }
    // The end of the log ends it too.
    assert_eq!(inside(&[0x7D, 0x01, 0x02]), [unreadable(0x7D, 3)]);
}

#[test]
fn a_damaged_entry_is_an_unknown_tag() {
    let start = Owned::Log(LogPart::Entry(LogEntry::Start));
    for (bytes, lost) in [
        (&[0x41, 0x40, 0x6F][..], 2),
        (&[0x41, 0x6F], 1),
        (&[0x62, 0x60, 0x6F], 2),
        (&[0x62, 0x10, 0x5A, 0x6F], 3),
        (&[0x73, 0x10, 0x6F], 2),
    ] {
        assert_eq!(inside(bytes), [unreadable(bytes[0], lost), start.clone()], "{bytes:02X?}");
    }
    assert_eq!(inside(&[0x61, 0x10]), [unreadable(0x61, 2)], "an entry behind the end");
}

#[test]
fn a_log_that_is_cut_keeps_what_it_told() {
    let version = [0x93, 0, 5, 1, 2];
    let log = framed(&[0x6F, 0x40, 0x34, 0x10, 0x11]);
    for len in 3..log.len() {
        let heard = hear(&[&log[..len], &version].concat());
        let told: usize = heard
            .iter()
            .map(|what| match what {
                Owned::Log(part) => log_bytes(*part),
                Owned::Junk(Junk::Cut, bytes) => usize::from(*bytes),
                _ => 0,
            })
            .sum();
        assert_eq!(told, len);
        assert!(!heard.contains(&Owned::Log(LogPart::Ends)));
        assert!(heard.iter().any(|what| matches!(what, Owned::Junk(Junk::Cut, _))), "{len}");
    }
    // Its header alone is cut as any other.
    assert_eq!(hear(&[&log[..2], &version].concat())[0], Owned::Junk(Junk::Cut, 2));
}

#[test]
fn a_full_log_is_heard_and_a_longer_one_not_written() {
    let full = vec![LogEntry::Nothing; 0x1F00];
    let bytes = encode_whole_log(&full);
    assert_eq!((bytes.len(), &bytes[..3]), (7939, &[0x8F, 0x3E, 0x03][..]));
    assert_eq!(hear(&bytes).len(), full.len() + 2);
    let mut out = vec![0; 8000];
    assert_eq!(encode_log(&vec![LogEntry::Nothing; 0x1F01], &mut out), None);
    let above = LogEntry::Time { side: Side::Left, seconds: SideTime::MAX_SECONDS + 1 };
    assert_eq!(encode_log(&[LogEntry::End, above], &mut out), None);
    assert!(out.iter().all(|byte| *byte == 0));
}

proptest! {
    #[test]
    fn entries_are_read_as_they_were_written(all in log()) {
        prop_assert_eq!(inside(&encode_whole_log(&all)[3..]), entries(&all));
    }

    /// An unknown tag costs what follows it up to the next start, and nothing before or behind.
    #[test]
    fn unknown_tags_are_survived(
        before in log(),
        tag in prop_oneof![0x01_u8..0x40, 0x7D_u8..=0x7E],
        rest in prop::collection::vec(prop_oneof![0_u8..0x6A, 0x70_u8..0x7A], 0..20),
        after in log(),
    ) {
        let payload = [
            &encode_whole_log(&before)[3..], &[tag], &rest, &[0x6F], &encode_whole_log(&after)[3..],
        ].concat();
        let mut expected = entries(&before);
        expected.push(unreadable(tag, rest.len() as u16 + 1));
        expected.extend(entries(&[LogEntry::Start]));
        expected.extend(entries(&after));
        prop_assert_eq!(inside(&payload), expected);
    }
}
