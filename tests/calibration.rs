//! The times of a board: what it has shown is measured alike on a replay, after a kill and in the
//! next journal, and the program waits accordingly.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

#[path = "support/script.rs"]
mod script;

use jadoube::events::{BoardId, Calibration, Identity, Report, Setup};
use jadoube::journal::{Header, Writer, resume};
use jadoube::table::{Effects, Input, Publish, Table};
use jadoube::tick::{Span, Tick};
use proptest::prelude::*;

/// Sixteen moves; each is pressed 200 ms after its landing.
const GAME: &str = "time 300+0\n--\ngo:W ..1000 \
    e2-e4 W! ..900 e7-e5 B! ..1300 g1-f3 W! ..700 b8-c6 B! ..1100 f1-c4 W! ..900 f8-c5 B! ..800 \
    d2-d3 W! ..900 g8-f6 B! ..1300 a2-a3 W! ..700 a7-a6 B! ..1100 h2-h3 W! ..900 h7-h6 B! ..800 \
    b2-b3 W! ..900 b7-b6 B! ..1300 b1-d2 W! ..700 d7-d6 B! ..1500";
/// From a landing to its press.
const PRESSED_AFTER_MS: u64 = 200;

/// The inputs of the game on a board whose squares are told so much late.
fn late_by(ms: u64) -> Vec<(Tick, Input)> {
    let mut inputs = script::inputs(&script::parse(&format!("{GAME}\n--\n")));
    for (at, input) in &mut inputs {
        if matches!(input, Input::Report(Report::Square { .. })) {
            *at = *at + Span::from_ms(ms);
        }
    }
    inputs.sort_by_key(|(at, _)| *at);
    inputs
}

fn played(inputs: &[(Tick, Input)]) -> (Table, Vec<Publish>) {
    let (mut table, mut effects) = (Table::new(), Effects::default());
    for (at, input) in inputs {
        table.step(*at, input.clone(), &mut effects);
    }
    (table, effects.publish)
}

fn shown(inputs: &[(Tick, Input)]) -> Calibration {
    played(inputs).0.calibration().expect("sixteen presses")
}

#[test]
fn the_wait_follows_how_late_the_squares_come() {
    for (late, most, waits) in [(0, 0, 300), (200, 0, 300), (400, 200, 300), (500, 300, 425), (800, 600, 700)]
    {
        let shown = shown(&late_by(late));
        assert_eq!((shown.lag.most.ms(), shown.waits.ms()), (most, waits), "late by {late}: {shown:?}");
        assert_eq!((shown.lag.presses, shown.lag.late), (16, if most > 0 { 16 } else { 0 }));
        assert_eq!(shown.lag.median.ms(), most);
    }
}

/// On a board that is as late as boards are, the first press may look like one without a move until
/// its squares come; a journal that begins with what the board has shown says nothing wrong at all.
#[test]
fn a_late_board_that_is_known_gives_no_alert() {
    for late in [0, 400, 800] {
        let inputs = begun_with(shown(&late_by(late)), late_by(late));
        let (_, published) = played(&inputs);
        let first = |p: &&Publish| matches!(p, Publish::Move(made) if made.revision == 0);
        assert_eq!(published.iter().filter(first).count(), 16, "late by {late}");
        let wrong: Vec<&Publish> = published.iter().filter(|p| matches!(p, Publish::Alert(_))).collect();
        assert!(wrong.is_empty(), "late by {late}: {wrong:?}");
    }
}

#[test]
fn what_changes_the_wait_is_told_once() {
    let told = |late| {
        let (_, published) = played(&late_by(late));
        published.into_iter().filter_map(|p| if let Publish::Calibration(c) = p { Some(c) } else { None })
    };
    let all: Vec<_> = told(800).collect();
    let waits: Vec<u64> = all.iter().map(|c| c.waits.ms()).collect();
    assert!(waits.len() <= 4 && waits.last() == Some(&700), "{all:?}");
    assert!(told(0).all(|c| c.waits.ms() == 300));
}

#[test]
fn another_board_begins_with_nothing() {
    let serial = |text: &str| Input::Report(Report::Identity(Identity::Serial(text.to_owned())));
    let mut inputs = late_by(800);
    inputs.insert(1, (inputs[0].0, serial("10001")));
    let end = inputs.last().expect("a game").0;
    inputs.push((end, serial("10001")));
    assert_eq!(shown(&inputs).waits, Span::from_ms(700), "it is the same board");
    let serials = shown(&inputs).serials;
    assert_eq!(serials, ["10001"]);
    inputs.push((end, serial("20002")));
    assert_eq!(played(&inputs).0.calibration(), None);
}

/// A board that says at once that it is another than that of the last journal.
#[test]
fn the_next_journal_of_another_board_begins_with_nothing() {
    let earlier = Calibration { serials: vec!["10001".to_owned()], ..shown(&late_by(800)) };
    let mut inputs = begun_with(earlier, late_by(0));
    let other = Identity::Serial("20002".to_owned());
    inputs.insert(1, (inputs[0].0, Input::Report(Report::Identity(other))));
    assert_eq!(shown(&inputs).waits, Span::from_ms(300));
}

fn begun_with(earlier: Calibration, mut inputs: Vec<(Tick, Input)>) -> Vec<(Tick, Input)> {
    let Some((_, Input::Setting(setup))) = inputs.first_mut() else { panic!("a setting comes first") };
    **setup = Setup { calibration: Some(Box::new(earlier)), ..(**setup).clone() };
    inputs
}

fn journal(inputs: &[(Tick, Input)]) -> String {
    let board = BoardId::new("t").expect("a word");
    let ruleset = "fide-2023/standard".to_owned();
    let header = Header {
        program: "test".to_owned(),
        node: String::new(),
        board,
        ruleset,
        start_ms: 0,
        after: None,
        rules_digest: None,
        clock_synchronised: None,
    };
    let (mut writer, mut text) = Writer::new(&header);
    inputs.iter().for_each(|(at, input)| text.push_str(&writer.input(*at, input)));
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_board_is_measured_alike_by_replay_kill_and_in_the_next_journal(late in 0u64..850, cut in any::<prop::sample::Index>()) {
        let inputs = late_by(late);
        let whole = shown(&inputs);
        prop_assert_eq!(whole.lag.most.ms(), late.saturating_sub(PRESSED_AFTER_MS));
        prop_assert_eq!(&shown(&inputs), &whole);
        // Killed anywhere, built again from the journal, and gone on with.
        let (before, after) = inputs.split_at(cut.index(inputs.len()));
        let mut again = resume(journal(before).lines()).table;
        let mut effects = Effects::default();
        after.iter().for_each(|(at, input)| again.step(*at, input.clone(), &mut effects));
        prop_assert_eq!(again.calibration(), Some(whole.clone()));
        // A new journal begins with the same wait, and keeps it in its own first line.
        let next = begun_with(whole.clone(), late_by(late)[..2].to_vec());
        let table = resume(journal(&next).lines()).table;
        let begun = table.calibration().expect("begun with it");
        prop_assert_eq!((begun.waits, begun.lag), (whole.waits, whole.lag));
        prop_assert!(table.setup().calibration.is_none(), "what it was told is taken over, no setting");
    }
}
