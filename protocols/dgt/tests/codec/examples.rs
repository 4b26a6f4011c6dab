//! Bytes as boards send them, one example or more per message. Those of clocks are in `clock`.

use crate::common::{Owned, both_ways, encode, hear};
use jadoube_dgt::*;

#[test]
fn board_dump_is_read_from_the_far_left_corner() {
    let mut bytes = vec![0x86, 0x00, 0x43];
    bytes.extend([8, 9, 10, 12, 11, 10, 9, 8]);
    bytes.extend([7; 8]);
    bytes.extend([0; 32]);
    bytes.extend([1; 8]);
    bytes.extend([2, 3, 4, 6, 5, 4, 3, 2]);
    let mut pieces = [PieceCode::EMPTY; 64];
    for (field, byte) in Field::all().zip(&bytes[3..]) {
        pieces[usize::from(field.index())] = PieceCode::from_byte(*byte);
    }
    both_ways(&bytes, Message::Dump(pieces));
    assert_eq!(pieces[0], PieceCode::BLACK_ROOK);
    assert_eq!(pieces[3], PieceCode::BLACK_QUEEN);
    assert_eq!(pieces[60], PieceCode::WHITE_KING);
    assert!(pieces[35].is_empty());
}

#[test]
fn field_updates_lift_and_place() {
    let field = |index| Field::new(index).expect("below 64");
    let lifted = Message::Field { field: field(0x34), piece: PieceCode::EMPTY };
    both_ways(&[0x8E, 0x00, 0x05, 0x34, 0x00], lifted);
    let placed = Message::Field { field: field(0x24), piece: PieceCode::WHITE_PAWN };
    both_ways(&[0x8E, 0x00, 0x05, 0x24, 0x01], placed);
    let result = Message::Field { field: field(63), piece: PieceCode::BLACK_WINS };
    both_ways(&[0x8E, 0x00, 0x05, 0x3F, 0x0F], result);
    assert!(PieceCode::BLACK_WINS.is_result() && !PieceCode::BLACK_QUEEN.is_result());
}

#[test]
fn upper_bits_of_a_piece_code_are_ignored() {
    let plain = hear(&[0x8E, 0x00, 0x05, 0x24, 0x01]);
    assert_eq!(hear(&[0x8E, 0x00, 0x05, 0x24, 0x71]), plain);
}

#[test]
fn no_field_above_63() {
    let heard = hear(&[0x8E, 0x00, 0x05, 0x40, 0x01]);
    assert_eq!(heard, [Owned::Junk(Junk::OutOfRange(0x8E), 5)]);
    assert_eq!(Field::new(64), None);
}

#[test]
fn identity() {
    both_ways(&[0x90, 0, 5, 0x08, 0x01], Message::BusAddress(1025));
    both_ways(&[0x91, 0, 8, b'0', b'1', b'0', b'2', b'5'], Message::SerialNumber(*b"01025"));
    both_ways(&[0x93, 0, 5, 1, 80], Message::Version { major: 1, minor: 80 });
    both_ways(&[0x96, 0, 5, 3, 10], Message::HardwareVersion { major: 3, minor: 10 });
    let long = [&[0xA2, 0, 13], b"3000012345".as_slice()].concat();
    both_ways(&long, Message::LongSerialNumber(*b"3000012345"));
    let text = b"Digital Game Technology\r\n";
    both_ways(&[&[0x92, 0, 28], text.as_slice()].concat(), Message::Trademark(text));
    both_ways(&[0x92, 0, 3], Message::Trademark(b""));
}

#[test]
fn identity_out_of_range() {
    let serial = hear(&[0x91, 0, 8, b'0', b'1', 0x07, b'2', b'5']);
    assert_eq!(serial, [Owned::Junk(Junk::OutOfRange(0x91), 8)]);
    assert_eq!(encode(&Message::SerialNumber([0xB0; 5])), None);
    assert_eq!(encode(&Message::BusAddress(0x4000)), None);
    assert_eq!(encode(&Message::Version { major: 128, minor: 0 }), None);
    assert_eq!(encode(&Message::Trademark(&[b'x'; MAX_TEXT + 1])), None);
    assert_eq!(encode(&Message::Trademark(&[0x80])), None);
}

#[test]
fn battery() {
    let charging = Battery {
        percent: 87,
        left_minutes: None,
        on_minutes: Some(125),
        standby_minutes: Some(3 * 1440 + 4 * 60 + 5),
        charging: true,
        discharging: false,
    };
    let bytes = [0xA0, 0, 12, 87, 0x7F, 0x7F, 2, 5, 3, 4, 5, 1];
    both_ways(&bytes, Message::Battery(charging));
    for (at, byte) in [(3, 101), (5, 60), (7, 60), (10, 60)] {
        let mut bytes = [0xA0, 0, 12, 87, 1, 1, 2, 5, 3, 4, 5, 1];
        bytes[at] = byte;
        assert_eq!(hear(&bytes), [Owned::Junk(Junk::OutOfRange(0xA0), 12)], "{at}");
    }
    let percent = Battery { percent: 101, ..charging };
    assert_eq!(encode(&Message::Battery(percent)), None);
    let days = Battery { standby_minutes: Some(127 * 1440), ..charging };
    assert_eq!(encode(&Message::Battery(days)), None);
}

#[test]
fn what_no_source_explains_is_skipped_by_its_length() {
    for (id, payload) in [(id::I2C_CLOCK, 300), (id::LOCK_STATE, 1), (id::KEY_STATE, 0)] {
        let mut bytes = vec![0; payload + 3];
        assert_eq!(encode_raw(id, &vec![0x35; payload], &mut bytes), Some(bytes.len()));
        let skipped = Message::Skipped { id, len: bytes.len() as u16 };
        bytes.extend([0x93, 0, 5, 1, 2]);
        let version = Message::Version { major: 1, minor: 2 };
        assert_eq!(hear(&bytes), [Owned::message(&skipped), Owned::message(&version)]);
        assert_eq!(encode(&skipped), None);
    }
}

#[test]
fn boards_for_draughts_are_no_chessboards() {
    let mut hundred = vec![0x86, 0x00, 0x67];
    hundred.extend([1; 20]);
    hundred.extend([0; 60]);
    hundred.extend([7; 20]);
    let mut pieces = [PieceCode::EMPTY; 100];
    pieces[..20].fill(PieceCode::WHITE_PAWN);
    pieces[80..].fill(PieceCode::BLACK_PAWN);
    both_ways(&hundred, Message::LargeDump(pieces));

    let mut half = vec![0x95, 0x00, 0x35];
    half.extend([0; 49]);
    half.push(7);
    let mut pieces = [PieceCode::EMPTY; 50];
    pieces[49] = PieceCode::BLACK_PAWN;
    both_ways(&half, Message::Draughts { white_fields: true, pieces });
    half[0] = 0x94;
    both_ways(&half, Message::Draughts { white_fields: false, pieces });
}

#[test]
fn encoders_write_nothing_into_a_short_buffer() {
    let mut out = [0x55; 4];
    let version = Message::Version { major: 1, minor: 2 };
    assert_eq!(version.encode(&mut out), None);
    assert_eq!(encode_raw(0x13, &[], &mut out), None);
    assert_eq!(encode_log(&[LogEntry::PowerOn, LogEntry::End], &mut out), None);
    assert_eq!(out, [0x55; 4]);
}
