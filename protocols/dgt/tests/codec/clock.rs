//! Bytes as clocks send them through a board: times, lever, acknowledgements.

use crate::common::{Owned, both_ways, encode, hear};
use jadoube_dgt::*;

fn clock(bytes: &[u8]) -> ClockReport {
    let mut report = None;
    Decoder::new().feed(bytes, |heard| match heard {
        Heard::Message(Message::Clock(found)) => report = Some(found),
        other => panic!("{other:?}"),
    });
    report.expect("a clock report")
}

const RUNNING_RIGHT: [u8; 10] = [0x8D, 0, 10, 0x20, 0x03, 0x02, 0x21, 0x59, 0x01, 0x13];

#[test]
fn clock_times_and_lever() {
    let report = clock(&RUNNING_RIGHT);
    both_ways(&RUNNING_RIGHT, Message::Clock(report));
    assert_eq!(report.right.total_seconds(), 3 * 60 + 2);
    assert_eq!(report.left.total_seconds(), 3600 + 59 * 60 + 1);
    assert_eq!(report.time(Side::Left), report.left);
    assert!(report.running && report.right.per_move && !report.battery_low);
    // The right end is high: Left has pressed, Right is to move and its time runs.
    assert_eq!(report.lever, Lever::RightHigh);
    assert_eq!(report.side_to_move(), Side::Right);
    assert_eq!(report.pressed_last(), Side::Left);
    assert_eq!(report.turn_hint(), Some(Side::Right));
}

#[test]
fn lever_left_high_means_left_to_move() {
    let mut bytes = RUNNING_RIGHT;
    bytes[9] = 0x09;
    let report = clock(&bytes);
    assert_eq!(report.side_to_move(), Side::Left);
    assert_eq!(report.pressed_last(), Side::Right);
    assert_eq!(report.turn_hint(), Some(Side::Left));
    for side in [Side::Left, Side::Right] {
        assert_eq!(Lever::while_moving(side).side_to_move(), side);
    }
}

#[test]
fn the_lever_does_not_follow_the_hints() {
    let mut bytes = RUNNING_RIGHT;
    bytes[9] = 0x0B;
    assert_eq!(clock(&bytes).turn_hint(), Some(Side::Left));
    assert_eq!(clock(&bytes).side_to_move(), Side::Right);
    bytes[9] = 0x1B;
    assert_eq!(clock(&bytes).turn_hint(), None);
}

#[test]
fn flag_fall_stops_the_clock_at_zero() {
    let bytes = [0x8D, 0, 10, 0x30, 0x00, 0x00, 0x20, 0x00, 0x16, 0x12];
    let report = clock(&bytes);
    both_ways(&bytes, Message::Clock(report));
    assert!(report.right.flag_fallen_blocked && !report.left.flag_fallen_blocked);
    assert!(!report.running);
    assert_eq!(report.right.total_seconds(), 0);
}

#[test]
fn longest_time_and_nothing_above() {
    let bytes = [0x8D, 0, 10, 0x09, 0x59, 0x59, 0x49, 0x59, 0x59, 0x04];
    let report = clock(&bytes);
    both_ways(&bytes, Message::Clock(report));
    assert_eq!(report.left.total_seconds(), SideTime::MAX_SECONDS);
    assert!(report.left.flag_shown && report.battery_low);
    assert_eq!(SideTime::from_seconds(SideTime::MAX_SECONDS), Some(report.right));
    assert_eq!(SideTime::from_seconds(SideTime::MAX_SECONDS + 1), None);

    let mut above = report;
    above.right.hours = 10;
    assert_eq!(encode(&Message::Clock(above)), None);
    let mut above = report;
    above.left.seconds = 60;
    assert_eq!(encode(&Message::Clock(above)), None);
}

#[test]
fn digits_out_of_range_are_refused() {
    for (at, byte) in [(3, 0x0B), (6, 0x0F), (4, 0x60), (5, 0x5A), (7, 0x0A), (8, 0x7F)] {
        let mut bytes = RUNNING_RIGHT;
        bytes[at] = byte;
        assert_eq!(hear(&bytes), [Owned::Junk(Junk::OutOfRange(0x8D), 10)], "{at}");
    }
}

#[test]
fn no_clock_hides_its_invalid_times() {
    both_ways(&[0x8D, 0, 10, 0, 0, 0, 0, 0, 0, 0x20], Message::NoClock);
    let invalid = hear(&[0x8D, 0, 10, 0x0F, 0x7F, 0x7F, 0x0F, 0x7F, 0x7F, 0x28]);
    assert_eq!(invalid, [Owned::message(&Message::NoClock)]);
}

#[test]
fn a_payload_of_zeros_is_no_time() {
    both_ways(&[0x8D, 0, 10, 0, 0, 0, 0, 0, 0, 0], Message::EmptyClock);
    // A bit that is ignored does not make a time of them. Any other is something a clock said.
    assert_eq!(hear(&[0x8D, 0, 10, 0, 0, 0, 0, 0, 0, 0x40]), [Owned::message(&Message::EmptyClock)]);
    for status in [0x01, 0x02, 0x04, 0x08, 0x10] {
        clock(&[0x8D, 0, 10, 0, 0, 0, 0, 0, 0, status]);
    }
    let zero = ClockReport {
        right: SideTime::default(),
        left: SideTime::default(),
        running: false,
        lever: Lever::LeftHigh,
        battery_low: false,
        turn_bit_3: false,
        turn_bit_4: false,
    };
    assert_eq!(encode(&Message::Clock(zero)), None);
}

#[test]
fn acknowledgements_assemble_their_upper_bits() {
    // The version of a DGT 3000: ack 2 is 22 hexadecimal.
    let version = ClockAck([0x10, 0x09, 0x22, 0x00]);
    both_ways(&[0x8D, 0, 10, 0x0A, 0x10, 0x09, 0x0A, 0x22, 0x00, 0x00], Message::Ack(version));
    assert!(version.is_ok());
    assert_eq!(version.meaning(), AckMeaning::Version { major: 2, minor: 2 });

    // A button: bit 7 of ack 1 travels in bit 5 of the second head.
    let button = ClockAck([0x10, 0x88, 0x21, 0x33]);
    both_ways(&[0x8D, 0, 10, 0x0A, 0x10, 0x08, 0x2A, 0x21, 0x33, 0x00], Message::Ack(button));
    assert_eq!(button.meaning(), AckMeaning::Pressed(Button::Run));

    let refused = ClockAck([0x40, 0x0A, 0x00, 0x00]);
    assert_eq!((refused.is_ok(), refused.meaning()), (false, AckMeaning::SetAndRun));
    assert_eq!(ClockAck([0x10, 0x8A, 0x00, 0x17]).meaning(), AckMeaning::ModeEntered(23));
    assert_eq!(ClockAck([0x10, 0x90, 0x00, 0x00]).meaning(), AckMeaning::ModeLeft);
    assert_eq!(ClockAck([0x10, 0x7E, 0x00, 0x00]).meaning(), AckMeaning::Other(0x7E));

    let all = ClockAck([0x80, 0x00, 0x80, 0x80]);
    both_ways(&[0x8D, 0, 10, 0x3A, 0, 0, 0x1A, 0, 0, 0], Message::Ack(all));
    assert!(!all.is_ok());
}

/// Ten hours and more have no digit of their own: A is taken by the acknowledgements, and nothing
/// above it is a time. So a time that cannot be said is never read as a short one.
#[test]
fn a_tenth_hour_is_no_time() {
    for head in 0x0A..=0x0F_u8 {
        let mut bytes = RUNNING_RIGHT;
        bytes[3] = head;
        match &hear(&bytes)[..] {
            [Owned::Message(text)] => assert!(head == 0x0A && text.starts_with("Ack"), "{text}"),
            [Owned::Junk(Junk::OutOfRange(0x8D), 10)] => assert!(head > 0x0A),
            other => panic!("{other:?}"),
        }
    }
}

/// What is no time may have any status: an acknowledgement has other things there.
#[test]
fn the_status_of_what_is_no_time_is_not_read() {
    for status in 0..0x80 {
        let ack = hear(&[0x8D, 0, 10, 0x0A, 0x10, 0x01, 0x0A, 0, 0, status]);
        assert_eq!(ack, [Owned::message(&Message::Ack(ClockAck([0x10, 0x01, 0, 0])))]);
        if status & 0x20 != 0 {
            let none = hear(&[0x8D, 0, 10, 0x03, 0x10, 0x01, 0x03, 0, 0, status]);
            assert_eq!(none, [Owned::message(&Message::NoClock)]);
        }
    }
}

#[test]
fn one_head_is_enough_for_an_acknowledgement() {
    let ack = Message::Ack(ClockAck([0x10, 0x81, 0x00, 0x00]));
    let first = hear(&[0x8D, 0, 10, 0x0A, 0x10, 0x01, 0x20, 0, 0, 0]);
    let second = hear(&[0x8D, 0, 10, 0x00, 0x10, 0x01, 0x2A, 0, 0, 0]);
    assert_eq!(first, [Owned::message(&ack)]);
    assert_eq!(second, first);
}
