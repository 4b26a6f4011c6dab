//! What holds for every message and every stream of bytes.

use crate::common::{Owned, encode, hear};
use crate::log::{encode_whole_log, log, log_bytes, log_bytes_at_random};
use jadoube_dgt::*;
use proptest::prelude::*;

prop_compose! {
    fn side_time()(
        total in 0..=SideTime::MAX_SECONDS,
        flag_fallen_blocked: bool,
        per_move: bool,
        flag_shown: bool,
    ) -> SideTime {
        let time = SideTime::from_seconds(total).expect("in range");
        assert_eq!(time.total_seconds(), total);
        SideTime { flag_fallen_blocked, per_move, flag_shown, ..time }
    }
}

prop_compose! {
    fn clock_report()(
        right in side_time(),
        left in side_time(),
        running: bool,
        right_high: bool,
        battery_low: bool,
        turn_bit_3: bool,
        turn_bit_4: bool,
    ) -> ClockReport {
        let lever = if right_high { Lever::RightHigh } else { Lever::LeftHigh };
        ClockReport { right, left, running, lever, battery_low, turn_bit_3, turn_bit_4 }
    }
}

prop_compose! {
    fn battery()(
        percent in 0_u8..=100,
        left_minutes in prop::option::of(0_u16..127 * 60),
        on_minutes in prop::option::of(0_u16..127 * 60),
        standby_minutes in prop::option::of(0_u32..127 * 1440),
        charging: bool,
        discharging: bool,
    ) -> Battery {
        Battery { percent, left_minutes, on_minutes, standby_minutes, charging, discharging }
    }
}

fn piece() -> impl Strategy<Value = PieceCode> {
    any::<u8>().prop_map(PieceCode::from_byte)
}

/// Every message but the trademark, which borrows, and the skipped ones, which have no encoding.
fn message() -> impl Strategy<Value = Message<'static>> {
    let digit = 0x20_u8..=0x7E;
    prop_oneof![
        prop::array::uniform32(piece()).prop_flat_map(|far| {
            prop::array::uniform32(piece()).prop_map(move |near| {
                let mut all = [PieceCode::EMPTY; 64];
                all[..32].copy_from_slice(&far);
                all[32..].copy_from_slice(&near);
                Message::Dump(all)
            })
        }),
        (0_u8..64, piece())
            .prop_map(|(index, piece)| Message::Field { field: Field::new(index).expect("below 64"), piece }),
        clock_report()
            .prop_filter("zeros are an empty message", |report| encode(&Message::Clock(*report)).is_some())
            .prop_map(Message::Clock),
        any::<[u8; 4]>().prop_map(|ack| Message::Ack(ClockAck(ack))),
        Just(Message::NoClock),
        Just(Message::EmptyClock),
        prop::array::uniform5(digit.clone()).prop_map(Message::SerialNumber),
        prop::array::uniform10(digit).prop_map(Message::LongSerialNumber),
        (0_u16..0x4000).prop_map(Message::BusAddress),
        (0_u8..128, 0_u8..128).prop_map(|(major, minor)| Message::Version { major, minor }),
        (0_u8..128, 0_u8..128).prop_map(|(major, minor)| Message::HardwareVersion { major, minor }),
        battery().prop_map(Message::Battery),
        (piece(), piece(), 0_usize..100).prop_map(|(one, other, at)| {
            let mut pieces = [one; 100];
            pieces[at] = other;
            Message::LargeDump(pieces)
        }),
        (piece(), piece(), 0_usize..50, any::<bool>()).prop_map(|(one, other, at, white_fields)| {
            let mut pieces = [one; 50];
            pieces[at] = other;
            Message::Draughts { white_fields, pieces }
        }),
    ]
}

/// Bytes that are likely to be headers, payloads and ids at the wrong place.
fn garbage() -> impl Strategy<Value = Vec<u8>> {
    let known =
        prop::sample::select(vec![0x86, 0x8D, 0x8E, 0x8F, 0x90, 0x91, 0x92, 0x93, 0x96, 0xA0, 0xA2, 0xBB]);
    let lengths = prop::sample::select(vec![3_u8, 5, 8, 10, 12, 13, 67]);
    let piece = prop_oneof![
        4 => any::<u8>().prop_map(|byte| vec![byte]),
        4 => (known, lengths).prop_map(|(id, len)| vec![id, 0, len]),
        2 => prop::collection::vec(0_u8..128, 0..80),
        2 => message().prop_map(|message| encode(&message).expect("in range")),
        2 => log().prop_map(|entries| encode_whole_log(&entries)),
        2 => log_bytes_at_random(),
    ];
    prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat())
}

/// A decoder holds no more than its longest message, whatever it is fed.
#[test]
fn memory_is_bounded() {
    assert!(size_of::<Decoder>() <= MAX_ENCODED + 24);
    assert!(!std::mem::needs_drop::<Decoder>());
    assert!(size_of::<CommandDecoder>() <= 16 && !std::mem::needs_drop::<CommandDecoder>());
}

proptest! {
    #[test]
    fn decoding_what_was_encoded_is_the_identity(message in message()) {
        let bytes = encode(&message).expect("in range");
        prop_assert!(bytes[0] >= 0x80 && bytes[1..].iter().all(|&byte| byte < 0x80));
        let mut count = 0;
        Decoder::new().feed(&bytes, |heard| {
            assert_eq!(heard, Heard::Message(message));
            count += 1;
        });
        prop_assert_eq!(count, 1);
    }

    #[test]
    fn so_it_is_for_text(text in prop::collection::vec(0_u8..128, 0..=MAX_TEXT)) {
        let message = Message::Trademark(&text);
        let bytes = encode(&message).expect("in range");
        prop_assert_eq!(hear(&bytes), [Owned::message(&message)]);
    }

    #[test]
    fn payloads_that_are_not_read_are_skipped_whole(
        id in 0x80_u8..=0xFF,
        payload in prop::collection::vec(0_u8..128, 0..1000),
    ) {
        let mut out = vec![0; payload.len() + 3];
        prop_assert_eq!(encode_raw(id, &payload, &mut out), Some(out.len()));
        let len = out.len() as u16;
        let skipped = Owned::message(&Message::Skipped { id, len });
        let heard = hear(&out);
        match id {
            0xA3..=0xA5 => prop_assert_eq!(heard, [skipped]),
            0x86 | 0x8D..=0x96 | 0xA0 | 0xA2 => prop_assert!(!heard.contains(&skipped)),
            _ => prop_assert_eq!(heard, [Owned::Junk(Junk::UnknownId(id), len)]),
        }
    }

    #[test]
    fn any_split_gives_the_same_sequence(bytes in garbage(), sizes in prop::collection::vec(1_usize..20, 1..20)) {
        let mut decoder = Decoder::new();
        let mut heard = Vec::new();
        let (mut rest, mut sizes) = (&bytes[..], sizes.iter().cycle());
        while !rest.is_empty() {
            let size = *sizes.next().expect("a cycle");
            let (chunk, later) = rest.split_at(size.min(rest.len()));
            decoder.feed(chunk, |what| heard.push(Owned::of(what)));
            rest = later;
        }
        prop_assert_eq!(heard, hear(&bytes));
    }

    /// The guarantee: the first whole message after any garbage is heard, at once, and nothing
    /// after the garbage is lost.
    #[test]
    fn the_first_message_after_garbage_is_heard(garbage in garbage(), message in message()) {
        let alone = hear(&garbage).len();
        let bytes = [garbage, encode(&message).expect("in range")].concat();
        let heard = hear(&bytes);
        prop_assert_eq!(heard.last(), Some(&Owned::message(&message)));
        // Between them is at most one report: what the garbage had left unfinished.
        prop_assert!(heard.len() - alone <= 2);
    }

    /// Nothing of the past is kept but the message that has begun.
    #[test]
    fn what_was_heard_before_changes_nothing_after(garbage in garbage(), bytes in garbage()) {
        let mut decoder = Decoder::new();
        decoder.feed(&garbage, |_| {});
        decoder.finish(|_| {});
        let mut heard = Vec::new();
        decoder.feed(&bytes, |what| heard.push(Owned::of(what)));
        prop_assert_eq!(heard, hear(&bytes));
    }

    /// What is a message has as many bytes as its encoding; all else is counted as junk.
    #[test]
    fn every_byte_is_accounted_for(bytes in prop_oneof![garbage(), prop::collection::vec(any::<u8>(), 0..2000)]) {
        let mut total = 0;
        let mut count = |heard: Heard<'_>| total += match heard {
            Heard::Message(Message::Skipped { len, .. }) => usize::from(len),
            // The durations of a battery can be larger than what an encoder says.
            Heard::Message(Message::Battery(_)) => 12,
            Heard::Log(part) => log_bytes(part),
            Heard::Message(message) => encode(&message).expect("what was read can be written").len(),
            Heard::Junk { bytes, .. } => usize::from(bytes),
        };
        let mut decoder = Decoder::new();
        decoder.feed(&bytes, &mut count);
        decoder.finish(&mut count);
        prop_assert_eq!(total, bytes.len());
    }
}
