//! What is written is read again, and damage is found and named.

use proptest::prelude::*;
use shakmaty::{Piece, Square};

use super::*;
use crate::alerts::{CHOICES, Key, KeyKind, Request, Response, VERBS, Verb};
use crate::events::{
    BoardId, Calibration, ClockReading, Device, Identity, Lag, Lever, Pieces, Report, Resolution, Seat,
    Sensed, SensorSquare, Setup, Shadow, Start, TimeControl, Variant, Wood,
};
use crate::mating::{Answer, Impossible, Open, Proof};
use crate::table::{Input, MatingAnswer};
use crate::tick::{Dial, Span, Tick};

fn header() -> Header {
    Header {
        node: "hall".to_owned(),
        program: "jadoube 0.1.0".to_owned(),
        board: BoardId::new("b1").unwrap(),
        ruleset: "fide-2023/standard".to_owned(),
        start_ms: 1_700_000_000_000,
        after: None,
        rules_digest: None,
        clock_synchronised: None,
    }
}

fn sensed() -> impl Strategy<Value = Sensed> {
    prop_oneof![
        Just(Sensed::Empty),
        Just(Sensed::Something),
        prop::sample::select("KQRBNPkqrbnp".chars().collect::<Vec<_>>())
            .prop_map(|letter| Sensed::Piece(Piece::from_char(letter).unwrap())),
    ]
}

fn lever() -> impl Strategy<Value = Lever> {
    prop_oneof![Just(Lever::Left), Just(Lever::Right)]
}

fn wood() -> impl Strategy<Value = Wood> {
    prop::collection::vec(sensed(), 64).prop_map(|squares| {
        let mut wood = Wood::empty();
        for (index, seen) in squares.into_iter().enumerate() {
            wood.set(Square::new(index as u32), seen);
        }
        wood
    })
}

fn report() -> impl Strategy<Value = Report> {
    let clock = (any::<u32>(), any::<u32>(), prop::option::of(lever()), lever(), prop::option::of(lever()))
        .prop_map(|(left, right, running, down, flag)| {
            Report::Clock(ClockReading {
                left: Dial::from_ms(left),
                right: Dial::from_ms(right),
                running,
                down,
                flag,
            })
        });
    let reasons = [
        "unframed",
        "cut",
        "bad-length",
        "unknown-id",
        "out-of-range",
        "log-unreadable",
        "not-a-chessboard",
        "other",
    ];
    prop_oneof![
        wood().prop_map(Report::Dump),
        (0u32..64, sensed())
            .prop_map(|(at, seen)| Report::Square { at: SensorSquare::new(Square::new(at)), seen }),
        clock,
        any::<bool>().prop_map(Report::ClockConnected),
        any::<bool>().prop_map(|up| Report::Link { up }),
        ".{0,12}".prop_map(|text| Report::Identity(Identity::Serial(text))),
        any::<(u8, u8)>().prop_map(|(a, b)| Report::Identity(Identity::Version(a, b))),
        any::<u8>().prop_map(|percent| Report::Identity(Identity::Battery(percent))),
        (prop::sample::select(reasons.to_vec()), any::<u16>())
            .prop_map(|(why, bytes)| Report::Junk { why, bytes }),
    ]
}

/// The times of a board, of any two numbers.
fn shown(us: u64, presses: u32) -> Calibration {
    let scan = match us % 3 {
        0 => Resolution::Unknown,
        1 => Resolution::HeldBack,
        _ => Resolution::Within(Span::from_us(us)),
    };
    Calibration {
        lag: Lag { presses, late: presses / 2, median: Span::from_us(us / 2), most: Span::from_us(us) },
        waits: Span::from_ms(300),
        scan,
        clock_period: presses.is_multiple_of(2).then(|| Span::from_us(us)),
        clock_strays: presses.is_multiple_of(3).then(|| Span::from_us(us)),
        serials: vec!["00001".to_owned(); presses as usize % 3],
    }
}

fn setup() -> impl Strategy<Value = Setup> {
    let time = (any::<u32>(), any::<u32>(), prop::option::of(any::<(u32, u32)>()), any::<bool>()).prop_map(
        |(base_s, inc_s, bonus, increment_on_first_move)| TimeControl {
            base_s,
            inc_s,
            bonus,
            increment_on_first_move,
        },
    );
    (
        "[a-zA-Z0-9._-]{1,64}",
        ".{0,20}",
        prop::option::of(time),
        prop::option::of(".{0,40}"),
        any::<[bool; 3]>(),
        any::<(u64, u32)>(),
    )
        .prop_map(
            |(board, ruleset, time_control, start, [variant, pieces, device], (scan, first_game))| Setup {
                board: BoardId::new(&board).unwrap(),
                ruleset,
                time_control,
                start: start.map_or(Start::Standard, Start::Fen),
                variant: if variant { Variant::Chess960 } else { Variant::Standard },
                pieces: if pieces { Pieces::Occupancy } else { Pieces::Identified },
                device: if device { Device::Dgt } else { Device::Neutral },
                white_sits: [None, Some(Seat::FirstRank), Some(Seat::EighthRank)]
                    [usize::from(variant) + usize::from(variant && pieces)],
                scan: Span::from_us(scan),
                first_game,
                event_rules: vec![("b2_seconds".to_owned(), "60".to_owned())],
                shadow: Shadow {
                    board: device,
                    rules: if pieces { vec!["two-hands".to_owned()] } else { vec![] },
                },
                zone: pieces.then(|| "floor north".to_owned()),
                escalate: Span::from_us(if device { scan } else { 0 }),
                calibration: variant.then(|| Box::new(shown(scan, first_game))),
            },
        )
}

fn input() -> impl Strategy<Value = Input> {
    let request =
        (".{0,20}", ".{0,20}", any::<prop::sample::Index>(), "[ -~é]{0,20}x", 1u32..9, any::<bool>())
            .prop_map(|(id, by, verb, text, number, all)| {
                let shape = &VERBS[verb.index(VERBS.len())];
                let value = |key: &Key| match key.kind {
                    KeyKind::Text => text.clone().into(),
                    // The amount goes with this penalty alone.
                    KeyKind::Word(_) if key.name == "penalty" => "time".into(),
                    KeyKind::Word(words) => words[words.len() - 1].into(),
                    KeyKind::Code => "two-hands".into(),
                    KeyKind::Square => "e4".into(),
                    KeyKind::Count => number.into(),
                    KeyKind::Counts => vec![number].into(),
                    KeyKind::Fen => "8/8/8/4k3/8/4K3/8/8 w - - 0 1".into(),
                    KeyKind::RuleSet => "fide-2023/blitz-b3".into(),
                    KeyKind::Moment => u64::from(number).into(),
                };
                let choice =
                    CHOICES.contains(&shape.name).then(|| &shape.keys[number as usize % shape.keys.len()]);
                let given = |key: &&Key| choice.map_or(all || key.needed, |one| one.name == key.name);
                let keys = shape.keys.iter().filter(given);
                let keys = keys.map(|key| (key.name.to_owned(), value(key))).collect();
                Input::Request(Request { id, by, verb: Verb::read(shape.name, &keys).unwrap() })
            });
    let proof = prop_oneof![
        prop::collection::vec("[a-h][1-8][a-h][1-8]q?", 0..4).prop_map(Proof::Line),
        prop::sample::select(Impossible::ALL.to_vec()).prop_map(Proof::Never),
        prop::sample::select(Open::ALL.to_vec()).prop_map(Proof::Open),
    ];
    let answer = (proof, any::<u64>(), prop::option::of(".{0,20}")).prop_map(|(proof, nodes, by)| Answer {
        proof,
        nodes,
        by,
    });
    prop_oneof![
        setup().prop_map(|setup| Input::Setting(Box::new(setup))),
        prop::collection::vec(any::<u8>(), 0..80).prop_map(Input::Bytes),
        report().prop_map(Input::Report),
        Just(Input::Timer),
        request,
        (any::<u32>(), answer)
            .prop_map(|(question, answer)| Input::Answer(MatingAnswer { question, answer })),
    ]
}

proptest! {
    #[test]
    fn every_input_is_read_as_it_was_written(inputs in prop::collection::vec((0u64..1 << 50, input()), 1..12)) {
        let (mut writer, first) = Writer::new(&header());
        let mut reader = Reader::new();
        prop_assert!(is_journal(&first));
        prop_assert_eq!(reader.read_line(&first).map(|record| record.entry), Ok(Entry::Header(header())));
        for (at, input) in inputs {
            let line = writer.input(Tick::from_us(at), &input);
            prop_assert_eq!(line.matches('\n').count(), 1);
            let record = reader.read_line(&line).unwrap();
            prop_assert_eq!(record.input(), Some((writer.tick(), input)));
        }
    }

    #[test]
    fn one_changed_byte_is_found(place in any::<prop::sample::Index>(), with in 1u8..128) {
        let mut lines = journal();
        let mut bytes = lines[1].clone().into_bytes();
        let at = place.index(bytes.len() - 1);
        prop_assume!(bytes[at] ^ with < 128 && bytes[at] ^ with != b'\n' && bytes[at] ^ with != b'\r');
        // The case of a hex digit in the checksum changes nothing that is said; the chain finds it.
        bytes[at] ^= with;
        lines[1] = String::from_utf8(bytes).unwrap();
        prop_assert!(read_all(&lines).is_err(), "{}", lines[1]);
    }
}

fn journal() -> Vec<String> {
    let (mut writer, first) = Writer::new(&header());
    let mut lines = vec![first];
    for at in 1..5 {
        lines.push(writer.input(Tick::from_ms(at), &Input::Bytes(vec![0x8E, 0, 5, 36, 1])));
    }
    lines.push(writer.shown(Tick::from_ms(5), &Shown::Alert { id: "b1-g1-p3".to_owned(), revision: 2 }));
    let response = Response {
        id: "r1".to_owned(),
        verb: "rule",
        outcome: Err("no such alert".to_owned()),
        revision: 0,
        report: None,
    };
    lines.push(writer.response(Tick::from_ms(6), &response));
    lines
}

fn read_all(lines: &[String]) -> Result<Vec<Record>, JournalError> {
    let mut reader = Reader::new();
    lines.iter().map(|line| reader.read_line(line)).collect()
}

#[test]
fn the_format_is_as_documented() {
    let lines = journal();
    assert_eq!(
        lines[1],
        "{\"v\":1,\"seq\":1,\"input\":1,\"tick\":1000,\"kind\":\"bytes\",\"data\":{\"hex\":\"8e00052401\"},\
         \"prev\":\"5da6cb9494f20f05\",\"crc\":\"4d593f4c\"}\n"
    );
}

#[test]
fn outputs_are_kept_apart_from_inputs() {
    let records = read_all(&journal()).unwrap();
    assert_eq!(records[5].entry, Entry::Shown(Shown::Alert { id: "b1-g1-p3".to_owned(), revision: 2 }));
    assert_eq!(records[5].ordinal, None);
    assert_eq!(
        records[6].entry,
        Entry::Response(Answered { id: "r1".to_owned(), done: false, text: "no such alert".to_owned() })
    );
    assert_eq!(records.into_iter().filter_map(Record::input).count(), 4);
}

#[test]
fn where_a_program_goes_on_is_a_line_of_its_own() {
    let (mut writer, first) = Writer::new(&header());
    let goes_on = GoesOn { program: "jadoube 9".to_owned(), at_ms: 1_800_000_000_000 };
    let lines = vec![
        first,
        writer.goes_on(Tick::from_ms(7), &goes_on),
        writer.input(Tick::from_ms(8), &Input::Timer),
    ];
    let records = read_all(&lines).unwrap();
    assert_eq!(records[1].entry, Entry::GoesOn(goes_on));
    assert_eq!((records[1].ordinal, records[2].ordinal), (None, Some(1)));
    let resumed = resume(lines.iter().map(String::as_str));
    assert_eq!((resumed.lines, resumed.header), (3, Some(header())));
}

#[test]
fn damage_names_the_line_and_what_is_wrong() {
    let whole = journal();
    let lost = [&whole[..2], &whole[3..]].concat();
    let swapped = [&whole[..2], &[whole[3].clone(), whole[2].clone()]].concat();
    let mut cut = whole.clone();
    cut[3].truncate(40);
    let mut other_version = whole.clone();
    other_version[0] = other_version[0].replacen("\"v\":1", "\"v\":9", 1);
    for (lines, line, word) in [
        (lost, 3, "lines are missing"),
        (swapped, 3, "out of order"),
        (cut, 4, "cut off"),
        (other_version, 1, "version 9"),
        (whole[1..].to_vec(), 1, "record 0 expected"),
        (vec!["{}\n".to_owned()], 1, "not a record"),
        (vec![String::new()], 1, "not a record"),
    ] {
        let error = read_all(&lines).unwrap_err();
        assert_eq!(error.line, line, "{error}");
        assert!(error.what.contains(word), "{error}");
    }
}

#[test]
fn a_line_written_anew_breaks_the_chain() {
    let (mut writer, first) = Writer::new(&header());
    let mut forged = vec![first, writer.input(Tick::from_ms(1), &Input::Timer)];
    forged.push(journal()[2].clone());
    assert!(read_all(&forged).unwrap_err().what.contains("line before"));
}

#[test]
fn a_recording_is_no_journal() {
    assert!(!is_journal(r#"{"t_ms":0,"kind":"meta","config":{}}"#));
    assert!(!is_journal("xJkAA=="));
}
