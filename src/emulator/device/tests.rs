//! The device on its own: what it answers, when it begins, how it paces its line.

use shakmaty::Square;

use super::*;
use crate::emulator::Script;
use crate::events::{Device, DgtAdapter, Identity, Report, Setup, TimeControl, TopicPart};

const NICE: u8 = 0x4B;
const UPDATE: u8 = 0x43;
const DUMP: u8 = 0x42;

fn script() -> Script {
    let mut setup = Setup::plain(TopicPart::new("table-1").unwrap(), Device::Neutral);
    setup.time_control =
        Some(TimeControl { base_s: 180, inc_s: 2, bonus: None, increment_on_first_move: true });
    Script::new(setup)
}

fn emulator(script: Script) -> Emulator {
    Emulator::new(&Recording::from_rows(script.rows()).unwrap())
}

fn poll(emulator: &mut Emulator, ms: u64) -> Vec<(u64, Line)> {
    let mut out = Vec::new();
    emulator.poll(Tick::from_ms(ms), &mut out);
    out.into_iter().map(|sent| (sent.at.ms(), sent.what)).collect()
}

fn reports(sent: &[(u64, Line)]) -> Vec<Report> {
    let mut adapter = DgtAdapter::default();
    let mut out = Vec::new();
    for (_, line) in sent {
        if let Line::Bytes(bytes) = line {
            adapter.feed(bytes, &mut out);
        }
    }
    adapter.finish(&mut out);
    out
}

#[test]
fn it_answers_before_it_plays_and_plays_when_asked() {
    let mut board = emulator(script().wait(100).run(true).moves(500, Square::E2, Square::E4));
    board.host(Tick::from_ms(10_000), &[0x45, 0x4D, 0x4C, DUMP, 0x41, 0x47, 0x46, 0x48, 0x55]);
    let said = reports(&poll(&mut board, 20_000));
    let kinds: Vec<String> = said
        .iter()
        .map(|report| match report {
            Report::Identity(Identity::Serial(digits)) => format!("serial of {}", digits.len()),
            Report::Identity(Identity::Version(..)) => "version".to_owned(),
            Report::Identity(Identity::Battery(_)) => "battery".to_owned(),
            Report::Dump(wood) => wood.placement(),
            Report::Clock(reading) => reading.left.text(),
            other => format!("{other:?}"),
        })
        .collect();
    let array = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    assert_eq!(kinds, ["serial of 5", "version", "battery", array, "3:02", "serial of 10"]);
    assert_eq!((board.next_due(), board.is_done()), (None, false));

    board.host(Tick::from_ms(30_000), &[NICE]);
    let sent = poll(&mut board, 40_000);
    assert!(board.is_done());
    let times: Vec<u64> = sent.iter().map(|(at, _)| *at).collect();
    // The clock at once, its start, the hand, a second, the press; each as long as it is.
    assert_eq!(times, [30_010, 30_110, 30_605, 30_905, 31_110, 31_210]);
}

#[test]
fn a_reset_stops_messages_but_not_hands() {
    let mut board = emulator(script().run(true).moves(500, Square::E2, Square::E4));
    board.host(Tick::ZERO, &[NICE]);
    poll(&mut board, 600);
    board.host(Tick::from_ms(600), &[0x40]);
    assert_eq!(poll(&mut board, 5_000), []);
    assert!(board.is_done());
    board.host(Tick::from_ms(5_000), &[DUMP]);
    let said = reports(&poll(&mut board, 6_000));
    assert!(matches!(&said[..], [Report::Dump(wood)] if wood.placement().contains("/4P3/")));
}

#[test]
fn update_mode_repeats_the_clock_and_board_mode_has_none() {
    let waits = || script().wait(4_500).lift(Square::E2);
    for (mode, clocks) in [(UPDATE, 5), (NICE, 1), (0x44, 0)] {
        let mut board = emulator(waits());
        board.host(Tick::ZERO, &[mode]);
        let said = reports(&poll(&mut board, 9_000));
        assert_eq!(said.iter().filter(|report| matches!(report, Report::Clock(_))).count(), clocks);
        assert_eq!(said.len(), clocks + 1);
    }
}

#[test]
fn a_probe_is_answered_in_modes_that_carry_the_clock() {
    let mut board = emulator(script().wait(1_000).lift(Square::E2));
    board.host(Tick::ZERO, &jadoube_dgt::CLOCK_PROBE);
    assert_eq!(poll(&mut board, 100), []);
    board.host(Tick::from_ms(100), &[NICE]);
    board.host(Tick::from_ms(200), &jadoube_dgt::CLOCK_PROBE);
    assert_eq!(poll(&mut board, 300).len(), 2);
}

#[test]
fn the_clock_answers_commands_and_keeps_its_times() {
    use jadoube_dgt::{AckMeaning, Decoder, Heard, Message};
    let mut board = emulator(script().wait(60_000).lift(Square::E2));
    board.host(Tick::ZERO, &[NICE]);
    let before = reports(&poll(&mut board, 1_000));
    let mut said = Vec::new();
    for command in [
        &[0x2B, 4, 3, 0x0B, 1, 0][..],
        &[0x2B, 3, 3, 8, 0],
        &[0x2B, 10, 3, 0x0A, 0, 1, 0, 0, 1, 0, 1, 0],
        &[0x2B, 3, 3, 0x70, 0],
    ] {
        board.host(Tick::from_ms(2_000), command);
        for (_, line) in poll(&mut board, 3_000) {
            let Line::Bytes(bytes) = line else { panic!("{line:?}") };
            Decoder::new().feed(&bytes, |heard| match heard {
                Heard::Message(Message::Ack(ack)) => said.push((ack.meaning(), ack.is_ok())),
                other => panic!("{other:?}"),
            });
        }
    }
    let answers = [(AckMeaning::Beep, true), (AckMeaning::Buttons, true), (AckMeaning::SetAndRun, false)];
    assert_eq!(said, answers);
    board.host(Tick::from_ms(4_000), &[0x41]);
    assert_eq!(reports(&poll(&mut board, 5_000)), before);
}

#[test]
fn it_has_a_log_and_is_silent_in_bus_mode() {
    use jadoube_dgt::{Decoder, Heard, LogEntry, LogPart};
    let mut board = emulator(script().wait(60_000).lift(Square::E2));
    board.host(Tick::ZERO, &[NICE, 0x49]);
    let mut entries = Vec::new();
    for (_, line) in poll(&mut board, 1_000) {
        let Line::Bytes(bytes) = line else { panic!("{line:?}") };
        Decoder::new().feed(&bytes, |heard| match heard {
            Heard::Log(LogPart::Entry(entry)) => entries.push(entry),
            Heard::Junk { why, .. } => panic!("{why:?}"),
            _ => {}
        });
    }
    assert_eq!(entries[3], LogEntry::PowerOn);
    assert_eq!((entries.len(), entries.last()), (3 + 1 + 32 + 1, Some(&LogEntry::End)));

    board.host(Tick::from_ms(1_000), &[0x4A]);
    assert_eq!(poll(&mut board, 70_000), []);
}

#[test]
fn messages_wait_for_each_other_on_the_line() {
    let mut board = emulator(script());
    board.host(Tick::ZERO, &[DUMP, DUMP, 0x41]);
    let times: Vec<u64> = poll(&mut board, 1_000).iter().map(|(at, _)| *at).collect();
    assert_eq!(times, [69, 139, 150]);
    assert_eq!(poll(&mut board, 2_000), []);
}

#[test]
fn a_board_plugged_in_again_waits_to_be_asked() {
    let mut rows = script().run(true).moves(500, Square::E2, Square::E4).rows();
    let last = rows.last().unwrap().at;
    let later = |ms| last + Span::from_ms(ms);
    let link = |ms, up| crate::events::Row {
        at: later(ms),
        kind: crate::events::RowKind::Report(Report::Link { up }),
    };
    let tail = script().lift(Square::D2).rows().pop().unwrap();
    rows.extend([link(100, false), link(2_000, true), crate::events::Row { at: later(2_500), ..tail }]);
    let mut board = Emulator::new(&Recording::from_rows(rows).unwrap());
    board.host(Tick::ZERO, &[NICE]);
    let sent = poll(&mut board, 60_000);
    let cable: Vec<&Line> =
        sent.iter().map(|(_, line)| line).filter(|line| !matches!(line, Line::Bytes(_))).collect();
    assert_eq!(cable, [&Line::Unplug, &Line::Plug]);
    assert_eq!((board.next_due(), board.is_done()), (None, false), "it has forgotten its mode");
    board.host(Tick::from_ms(60_000), &[NICE, DUMP]);
    let said = reports(&poll(&mut board, 62_000));
    assert!(matches!(said[..], [Report::Clock(_), Report::Dump(_), Report::Square { .. }]), "{said:?}");
    assert!(board.is_done());
}

#[test]
fn a_whole_board_is_sent_unasked_only_if_it_contradicts() {
    let dump = |script: &Script| Report::Dump(script.wood().clone());
    for (missed, dumps) in [(false, 0), (true, 1)] {
        let played = script().run(true).moves(500, Square::E2, Square::E4);
        let row = crate::events::Row {
            at: Tick::from_ms(9_000),
            kind: crate::events::RowKind::Report(dump(&played)),
        };
        let mut rows = played.rows();
        if missed {
            rows.retain(|row| !matches!(&row.kind, crate::events::RowKind::Report(Report::Square { at, .. }) if at.raw() == Square::E4));
        }
        rows.push(row);
        let mut board = Emulator::new(&Recording::from_rows(rows).unwrap());
        board.host(Tick::ZERO, &[NICE]);
        let said = reports(&poll(&mut board, 20_000));
        assert_eq!(said.iter().filter(|report| matches!(report, Report::Dump(_))).count(), dumps);
    }
}

#[test]
fn another_game_follows_without_being_asked() {
    let game = Recording::from_rows(script().run(true).moves(500, Square::E2, Square::E4).rows()).unwrap();
    let game = game.set_up_again();
    let mut board = Emulator::new(&game);
    board.host(Tick::ZERO, &[NICE]);
    let first = poll(&mut board, 20_000);
    assert!(board.is_done());
    board.next_game(Tick::from_ms(20_000), &game);
    assert!(!board.is_done());
    let second = reports(&poll(&mut board, 40_000));
    let squares =
        |said: &[Report]| said.iter().filter(|report| matches!(report, Report::Square { .. })).count();
    assert_eq!((squares(&reports(&first)), squares(&second)), (4, 4));
    assert!(!second.iter().any(|report| matches!(report, Report::Dump(_))), "all stood there already");
}
