//! What a scan makes of castling: for every period and every phase, one quick hand is never taken
//! for two on a device that has not yet shown how finely it tells moments apart.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

use jadoube::events::{
    BoardId, ClockReading, Device, Lever, Report, Sensed, SensorSquare, Setup, Start, Wood,
};
use jadoube::laws::RuleId;
use jadoube::table::{Effects, Input, Publish, Table};
use jadoube::tick::{Dial, Tick};
use shakmaty::{Color, Piece, Role, Square};

const FEN: &str = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
const BEGIN: u64 = 5_000;

fn white(role: Role) -> Sensed {
    Sensed::Piece(Piece { color: Color::White, role })
}

/// King up, king down, rook up, rook down: when, in milliseconds after the first.
type Hands = [u64; 4];

/// The quickest hand: 140 ms for each piece on its way, 105 ms from one to the other, 70 ms to the clock.
const ONE_HAND: Hands = [0, 140, 245, 385];
/// One hand that carries both pieces, as quick as it can.
const BOTH_IN_ONE_HAND: Hands = [0, 540, 135, 435];
const TWO_HANDS: Hands = [0, 400, 20, 390];

/// Whether two hands were found in a castling that a device sees with this scan; `forth`: it looks at
/// the squares in the order of their index.
fn found(hands: Hands, short: bool, scan: u64, phase: u64, forth: bool) -> bool {
    let (rook, king_to, rook_to) = match short {
        true => (Square::H1, Square::G1, Square::F1),
        false => (Square::A1, Square::C1, Square::D1),
    };
    let [king_up, king_down, rook_up, rook_down] = hands;
    let changes = [
        (king_up, Square::E1, Sensed::Empty),
        (king_down, king_to, white(Role::King)),
        (rook_up, rook, Sensed::Empty),
        (rook_down, rook_to, white(Role::Rook)),
    ];
    let seen = |(at, square, now): (u64, Square, Sensed)| {
        let place = u64::from(u32::from(square));
        let offset = if forth { place } else { 63 - place } * scan / 64 + phase;
        let after = BEGIN + at + scan - offset % scan;
        (after.div_ceil(scan) * scan - scan + offset % scan, square, now)
    };
    let mut reports: Vec<_> = changes.into_iter().map(seen).collect();
    reports.sort_by_key(|(at, square, _)| (*at, *square));
    let mut setup = Setup::plain(BoardId::new("t").expect("a word"), Device::Neutral);
    setup.start = Start::Fen(FEN.to_owned());
    let dump = setup.start_wood().unwrap_or_else(|_| Wood::empty());
    let clock = |running, down| {
        let dial = Dial::from_s(5_000);
        Input::Report(Report::Clock(ClockReading {
            left: dial,
            right: dial,
            running: Some(running),
            down,
            flag: None,
        }))
    };
    let mut inputs = vec![
        (0, Input::Setting(Box::new(setup))),
        (0, Input::Report(Report::Dump(dump))),
        (500, clock(Lever::Left, Lever::Right)),
    ];
    inputs.extend(reports.into_iter().map(|(at, square, seen)| {
        (at, Input::Report(Report::Square { at: SensorSquare::new(square), seen }))
    }));
    let pressed = BEGIN + hands.into_iter().max().unwrap_or(0) + 70;
    inputs.push((pressed, clock(Lever::Right, Lever::Left)));
    inputs.push((pressed + 3_000, Input::Timer));
    inputs.sort_by_key(|(at, _)| *at);
    let (mut table, mut effects) = (Table::new(), Effects::default());
    for (at, input) in inputs {
        table.step(Tick::from_ms(at), input, &mut effects);
    }
    let castled = |p: &Publish| matches!(p, Publish::Move(made) if made.record.san.starts_with("O-O"));
    assert!(effects.publish.iter().any(castled), "scan {scan}, phase {phase}: castling is castling");
    effects.publish.iter().any(|p| matches!(p, Publish::Finding(f) if f.code == RuleId::TwoHands))
}

/// How often, of all phases, two hands were found.
fn share(hands: Hands, scan: u64) -> (usize, usize) {
    let ways = [(true, true), (true, false), (false, true), (false, false)];
    let phases = (0..scan).step_by(5).flat_map(|phase| ways.map(|way| (phase, way)));
    let all: Vec<bool> =
        phases.map(|(phase, (short, forth))| found(hands, short, scan, phase, forth)).collect();
    (all.iter().filter(|yes| **yes).count(), all.len())
}

#[test]
fn one_hand_is_one_hand_at_every_scan() {
    for scan in (20..=250).step_by(10) {
        assert_eq!(share(ONE_HAND, scan).0, 0, "scan of {scan} ms");
    }
}

#[test]
fn one_hand_that_carries_both_is_told_apart_unless_the_scan_is_slow() {
    for scan in (20..=70).step_by(10) {
        assert_eq!(share(BOTH_IN_ONE_HAND, scan).0, 0, "scan of {scan} ms");
    }
    // What the finding says is possible: not every device can tell.
    assert!(share(BOTH_IN_ONE_HAND, 250).0 > 0);
}

#[test]
fn two_hands_show_at_a_quick_scan() {
    for scan in (20..=50).step_by(10) {
        let (shown, all) = share(TWO_HANDS, scan);
        assert_eq!(shown, all, "scan of {scan} ms");
    }
}
