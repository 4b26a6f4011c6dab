//! Each fault does what its line in the list says, and nothing happens without one.

use super::*;
use crate::emulator::{Emulator, Line, Recording, Script, Sent};
use crate::events::{BoardId, Device, DgtAdapter, Report, Sensed, Setup, TimeControl};
use crate::tick::Tick;
use jadoube_dgt::{ClockReport, Command, Decoder, Heard, Message};
use shakmaty::Square;

fn game() -> Recording {
    let mut setup = Setup::plain(BoardId::new("table-1").unwrap(), Device::Neutral);
    setup.time_control =
        Some(TimeControl { base_s: 600, inc_s: 2, bonus: None, increment_on_first_move: true });
    let mut script = Script::new(setup).run(true);
    let knights = [(Square::G1, Square::F3), (Square::G8, Square::F6), (Square::F3, Square::G1)];
    for _ in 0..20 {
        for (from, to) in knights.into_iter().chain([(Square::F6, Square::G8)]) {
            script = script.moves(2_000, from, to);
        }
    }
    Recording::from_rows(script.rows()).unwrap()
}

fn faults(given: &[&str], seed: u64) -> Faults {
    let mut faults = Faults::seeded(seed);
    given.iter().for_each(|fault| faults.add(fault).unwrap());
    faults
}

/// All that is sent to a host that sets the mode again whenever the board waits for it.
fn sent(given: &[&str], seed: u64) -> Vec<(Tick, Vec<u8>)> {
    let mut board = Emulator::with_faults(&game(), faults(given, seed));
    let opening = [Command::SendBoard, Command::UpdateNice].map(Command::byte);
    let (mut now, mut out, mut sent) = (Tick::ZERO, Vec::new(), Vec::new());
    board.host(now, &opening);
    while !board.is_done() {
        match board.next_due() {
            Some(due) => now = due,
            None => board.host(now, &opening),
        }
        board.poll(now, &mut sent);
        for Sent { at, what } in sent.drain(..) {
            out.push((at, if let Line::Bytes(bytes) = what { bytes } else { Vec::new() }));
        }
    }
    out
}

fn reports(sent: &[(Tick, Vec<u8>)]) -> Vec<(Tick, Report)> {
    let (mut adapter, mut out) = (DgtAdapter::default(), Vec::new());
    for (at, bytes) in sent {
        let mut heard = Vec::new();
        adapter.feed(bytes, &mut heard);
        out.extend(heard.into_iter().map(|report| (*at, report)));
    }
    out
}

fn clocks(sent: &[(Tick, Vec<u8>)]) -> Vec<(Tick, ClockReport)> {
    let (mut decoder, mut out) = (Decoder::new(), Vec::new());
    for (at, bytes) in sent {
        decoder.feed(bytes, |heard| {
            if let Heard::Message(Message::Clock(report)) = heard {
                out.push((*at, report));
            }
        });
    }
    out
}

fn squares(sent: &[(Tick, Vec<u8>)]) -> usize {
    reports(sent).iter().filter(|(_, report)| matches!(report, Report::Square { .. })).count()
}

fn flips(readings: &[(Tick, ClockReport)]) -> usize {
    readings.windows(2).filter(|pair| pair[0].1.lever != pair[1].1.lever).count()
}

#[test]
fn without_faults_nothing_is_changed_and_the_same_seed_gives_the_same_bytes() {
    let plain = sent(&[], 1);
    assert!(plain == sent(&[], 2));
    for kind in FAULTS {
        let given = format!("{}={}", kind.name, kind.range.0.max(kind.range.1 / 4));
        let once = sent(&[&given], 7);
        assert!(once == sent(&[&given], 7), "{given}");
        assert!(once != plain, "{given} does something");
    }
    assert!(sent(&["damage=5"], 1) != sent(&["damage=5"], 2));
}

#[test]
fn what_is_no_fault_is_refused_with_what_is_allowed() {
    let wrong = |given: &str| Faults::default().add(given).unwrap_err().to_string();
    assert!(wrong("scn=1").contains("\"scn\" is not known") && wrong("scn=1").contains("scan, clock-poll"));
    for given in ["scan=0", "scan=x", "scan", "scan=5001", "scan=-1"] {
        assert!(wrong(given).contains("scan needs a whole number from 1 to 5000 (ms)"), "{given}");
    }
    assert_eq!(faults(&["turn-bits"], 1), faults(&["turn-bits=1"], 1));
}

#[test]
fn looks_of_board_and_clock_come_at_their_times_and_in_order() {
    let told = reports(&sent(&["scan=200"], 1));
    for (at, report) in &told {
        if let Report::Square { .. } = report {
            // The line needs 5 ms for a field, and the clock may be on it.
            assert!(at.ms() % 200 < 60, "{at:?}");
        }
    }
    let readings = clocks(&sent(&["clock-poll=1000"], 1));
    assert!(readings.windows(2).skip(2).all(|pair| pair[1].0.since(pair[0].0).ms() > 900));
}

#[test]
fn levers_are_late_or_lost() {
    let (plain, late) = (clocks(&sent(&[], 1)), clocks(&sent(&["lever-late=900"], 1)));
    assert_eq!(flips(&late), flips(&plain));
    let at = |readings: &[(Tick, ClockReport)]| {
        readings.windows(2).find(|pair| pair[0].1.lever != pair[1].1.lever).map(|pair| pair[1].0)
    };
    assert!(at(&late) > at(&plain), "{:?} {:?}", at(&late), at(&plain));
    // Each press is told by the next reading then, or not at all if the other presses before it.
    let lost = clocks(&sent(&["lever-lost=100"], 1));
    assert!(lost.len() + flips(&plain) <= plain.len() + 1);
}

#[test]
fn fields_are_lost_appear_vanish_and_are_misread() {
    let plain = squares(&sent(&[], 1));
    assert_eq!(squares(&sent(&["lost=100"], 1)), 0);
    for fault in ["ghost=600", "flicker=600", "misread=600"] {
        let told = reports(&sent(&[fault], 3));
        let all = told.iter().filter(|(_, report)| matches!(report, Report::Square { .. })).count();
        assert!(all > plain && (all - plain).is_multiple_of(2), "{fault}: {plain}, {all}");
    }
    let pieces = |fault: &str| {
        let told = reports(&sent(&[fault], 3));
        let empty = |report: &Report| matches!(report, Report::Square { seen: Sensed::Empty, .. });
        told.iter().filter(|(_, report)| empty(report)).count()
    };
    assert!(pieces("flicker=600") > pieces("misread=600"));
}

#[test]
fn clocks_have_their_cadences_and_say_other_things_instead() {
    let plain = clocks(&sent(&[], 1));
    let changes = clocks(&sent(&["only-changes"], 1));
    assert_eq!(flips(&changes), flips(&plain));
    assert!(changes.len() <= flips(&plain) + 3, "{} {}", changes.len(), flips(&plain));
    let slow = clocks(&sent(&["cadence=3"], 1));
    assert!(slow.len() < plain.len() && flips(&slow) == flips(&plain));
    assert!(clocks(&sent(&["irregular=50"], 1)).len() < plain.len());
    let contrary = clocks(&sent(&["turn-bits"], 1));
    assert!(contrary.iter().zip(&plain).all(|((_, now), (_, right))| {
        now.turn_bit_3 == right.turn_bit_4 && now.turn_bit_4 == right.turn_bit_3 && now.lever == right.lever
    }));
    let mut said = [0, 0];
    for (place, fault) in ["empty-clock=20", "button-acks=600"].into_iter().enumerate() {
        let mut decoder = Decoder::new();
        for (_, bytes) in sent(&[fault], 1) {
            decoder.feed(&bytes, |heard| {
                said[place] +=
                    u32::from(matches!(heard, Heard::Message(Message::EmptyClock | Message::Ack(_))));
            });
        }
    }
    assert!(said[0] > 5 && said[1] > 3, "{said:?}");
}

#[test]
fn the_line_damages_loses_and_doubles_bytes() {
    let bytes = |given: &[&str]| sent(given, 5).iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
    let plain = bytes(&[]);
    assert_eq!(bytes(&["damage=10"]), plain);
    assert!(bytes(&["drop=10"]) * 100 < plain * 95 && bytes(&["double=10"]) * 100 > plain * 105);
}
