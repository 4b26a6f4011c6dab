//! The emulator on its own, for any script: the same wood, the same presses, the pace of the line,
//! a clock that agrees with the host's time.

use jadoube::emulator::{Emulator, FAULTS, Faults, Line, Recording, Script, Sent};
use jadoube::events::{Device, Report, Sensed, Setup, TopicPart};
use jadoube::table::{Effects, Input, Table};
use jadoube::tick::{Span, Tick};
use proptest::prelude::*;
use shakmaty::Square;

use crate::common::{DUMP, NICE, Told, blitz, heard, play, worst_disagreement};

/// A second for rounding, and what the line takes for a dump and what waited behind it.
const AGREE_MS: u64 = 1_200;

#[derive(Clone, Debug)]
enum Deed {
    Wait(u64),
    Carry(u64, Square, Square),
    Lift(Square),
    Press,
    Run(bool),
}

fn square() -> impl Strategy<Value = Square> {
    (0u32..64).prop_map(Square::new)
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        (0u64..9_000).prop_map(Deed::Wait),
        (0u64..3_000, square(), square()).prop_map(|(ms, from, to)| Deed::Carry(ms, from, to)),
        square().prop_map(Deed::Lift),
        Just(Deed::Press),
        Just(Deed::Press),
        any::<bool>().prop_map(Deed::Run),
    ]
}

fn script() -> impl Strategy<Value = Recording> {
    (proptest::collection::vec(deed(), 1..60), 1u32..6, 0u32..4).prop_map(|(deeds, every, inc)| {
        let script = deeds.into_iter().fold(blitz(600, inc).ticking_every(every), act);
        Recording::from_rows(script.rows()).unwrap()
    })
}

fn act(script: Script, deed: Deed) -> Script {
    match deed {
        Deed::Wait(ms) => script.wait(ms),
        Deed::Carry(ms, from, to) => script.carry(ms, from, to),
        Deed::Lift(square) => script.lift(square),
        // Two presses at once are one for any host.
        Deed::Press => script.wait(50).press(),
        Deed::Run(runs) => script.wait(50).run(runs),
    }
}

/// What a failure shows: the clock as recorded and as heard.
fn listing(recording: &Recording) -> String {
    let line = |(at, report): &(Tick, Report)| match report {
        Report::Clock(now) => {
            format!("{} {} {} {:?}\n", at.ms(), now.left.text(), now.right.text(), now.running)
        }
        _ => String::new(),
    };
    let recorded: String = recording.reports().iter().map(line).collect();
    let heard: String = heard(&play(recording)).iter().map(line).collect();
    format!("recorded\n{recorded}heard\n{heard}")
}

fn bytes(sent: &Sent) -> u64 {
    match &sent.what {
        Line::Bytes(bytes) => bytes.len() as u64,
        _ => 0,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_host_hears_what_the_recording_says(recording in script()) {
        let heard = heard(&play(&recording));
        let told = Told::of(heard.iter().map(|(_, report)| report));
        prop_assert_eq!(told, Told::of(recording.reports().iter().map(|(_, report)| report)));
    }

    #[test]
    fn the_line_carries_no_more_than_it_can(recording in script()) {
        let mut free = Tick::ZERO;
        for sent in play(&recording) {
            prop_assert!(sent.at.since(free).us() >= bytes(&sent) * 1_000_000 / 960);
            free = sent.at;
        }
    }

    #[test]
    fn clock_and_host_agree(recording in script()) {
        let worst = worst_disagreement(&heard(&play(&recording)));
        prop_assert!(worst <= AGREE_MS, "{worst} ms\n{}", listing(&recording));
    }

    #[test]
    fn clock_and_host_agree_when_waits_are_cut(recording in script(), limit in 1u64..5) {
        let limit = Span::from_ms(limit * 1000);
        let before = Told::of(recording.reports().iter().map(|(_, report)| report));
        let short = recording.compressed(limit);
        let heard = heard(&play(&short));
        prop_assert_eq!(Told::of(heard.iter().map(|(_, report)| report)), before);
        let worst = worst_disagreement(&heard);
        prop_assert!(worst <= AGREE_MS, "{worst} ms\n{}", listing(&short));
        for pair in short.reports().windows(2) {
            prop_assert!(pair[1].0.since(pair[0].0).us() < limit.us() + 1_000_000);
        }
    }
}

#[test]
fn increments_are_what_they_were_when_waits_are_cut() {
    let script = (0..20).fold(blitz(180, 2).run(true), |script, _| {
        script.moves(7_300, Square::E2, Square::E4).moves(5_200, Square::E4, Square::E2)
    });
    let presses = |recording: &Recording| -> Vec<(u32, u32)> {
        let mut last = None;
        let mut out = Vec::new();
        for (_, report) in heard(&play(recording)) {
            let Report::Clock(now) = report else { continue };
            if let Some((down, left, right)) =
                last.replace((now.down, now.left.seconds(), now.right.seconds()))
                && down != now.down
            {
                out.push((now.left.seconds() - left, now.right.seconds() - right));
            }
        }
        out
    };
    let whole = Recording::from_rows(script.rows()).unwrap();
    let short = whole.clone().compressed(Span::from_ms(2_000));
    assert!(short.length().ms() < whole.length().ms() / 2);
    let gains = presses(&short);
    assert_eq!(gains, presses(&whole));
    assert_eq!(gains.len(), 40);
    assert!(gains.iter().all(|gain| matches!(gain, (2, 0) | (0, 2))), "{gains:?}");
}

#[test]
fn a_flag_falls_at_zero_when_waits_are_cut() {
    let game =
        blitz(20, 0).run(true).moves(9_000, Square::E2, Square::E4).moves(9_000, Square::E7, Square::E5);
    let recording = Recording::from_rows(game.wait(15_000).lift(Square::D2).rows()).unwrap();
    let short = recording.compressed(Span::from_ms(1_000));
    let mut last = heard(&play(&short)).into_iter().filter_map(|(_, report)| match report {
        Report::Clock(reading) => Some(reading),
        _ => None,
    });
    let last = last.next_back().unwrap();
    assert_eq!(last.left.seconds(), 0, "White's flag has fallen");
    assert!(last.right.seconds() > 15, "Black's wait was cut: {}", last.right.text());
}

#[test]
fn pieces_nobody_knows_stay_unknown() {
    let script = blitz(180, 0).place(Square::D5, Sensed::Something);
    let recording = Recording::from_rows(script.rows()).unwrap();
    let wood = Told::of(heard(&play(&recording)).iter().map(|(_, report)| report)).wood.unwrap();
    assert_eq!(wood.at(Square::D5), Sensed::Something);
    assert_eq!(recording.notes().len(), 1);
}

/// Whatever goes wrong, and all of it at once.
#[test]
fn a_table_survives_all_faults() {
    let recording = Recording::from_rows(blitz(180, 2).run(true).moves(500, Square::E2, Square::E4).rows());
    let recording = recording.unwrap();
    for seed in 1..40 {
        let mut faults = Faults::seeded(seed);
        for kind in FAULTS {
            faults.add(&format!("{}={}", kind.name, kind.range.0.max(kind.range.1 / 50))).unwrap();
        }
        let mut board = Emulator::with_faults(&recording, faults);
        let (mut table, mut effects) = (Table::new(), Effects::default());
        let setup = Setup::plain(TopicPart::new("b1").unwrap(), Device::Dgt);
        table.step(Tick::ZERO, Input::Setting(Box::new(setup)), &mut effects);
        let (mut now, mut sent) = (Tick::ZERO, Vec::new());
        board.host(now, &[DUMP, NICE]);
        while !board.is_done() {
            match board.next_due() {
                Some(due) => now = due,
                None => board.host(now, &[DUMP, NICE]),
            }
            board.poll(now, &mut sent);
            for Sent { at, what } in sent.drain(..) {
                if let Line::Bytes(bytes) = what {
                    table.step(at, Input::Bytes(bytes), &mut effects);
                }
            }
        }
        assert!(!effects.publish.is_empty());
    }
}
