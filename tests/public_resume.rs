//! A restart in a later game, while the public still waits for the game before: it gets both, as an
//! undisturbed run gives them.
#![cfg(feature = "daemon")]

#[path = "common/wait.rs"]
mod wait;

use std::time::Duration;

use jadoube::contract::{Broadcast, Delay};
use jadoube::daemon::journal_file::name;
use jadoube::daemon::resume::{self, Left};
use jadoube::emulator::Recording;
use jadoube::events::BoardId;
use jadoube::journal::{After, Header, Writer};
use jadoube::table::{Effects, Input, Publish, Table};
use jadoube::tick::{Span, Tick};
use wait::Scratch;

/// Two games at a table, the array set up again in between.
const GAMES: [&str; 2] = [
    include_str!("../fixtures/demo/table-4-clean.jsonl"),
    include_str!("../fixtures/demo/table-1-illegal-move.jsonl"),
];
const START_MS: u64 = 1_796_050_000_000;

/// What a daemon writes and publishes.
struct Round {
    /// Name and text of each journal.
    journals: Vec<(String, String)>,
    published: Vec<(Tick, Publish)>,
}

fn header(board: &BoardId, after: Option<After>) -> Header {
    Header {
        program: "p".to_owned(),
        node: "hall".to_owned(),
        board: board.clone(),
        ruleset: "fide-2023/blitz-b2".to_owned(),
        start_ms: START_MS,
        after,
        rules_digest: None,
        clock_synchronised: None,
    }
}

fn inputs() -> (BoardId, Vec<(Tick, Input)>) {
    let mut out = Vec::new();
    let (mut begin, mut board) = (Tick::ZERO, None);
    for game in GAMES {
        let recording = Recording::parse(game).unwrap().set_up_again();
        if board.is_none() {
            board = Some(recording.setup().board.clone());
            out.push((begin, Input::Setting(Box::new(recording.setup().clone()))));
        }
        for (at, report) in recording.reports() {
            out.push((Tick::from_us(begin.us() + at.us()), Input::Report(report.clone())));
        }
        begin = out.last().unwrap().0 + Span::from_ms(2_000);
    }
    (board.unwrap(), out)
}

/// Plays until `end`.
fn play(board: &BoardId, inputs: &[(Tick, Input)], end: Tick) -> Round {
    let (mut table, mut game) = (Table::new(), 1);
    let (mut writer, text) = Writer::new(&header(board, None));
    let mut out = Round { journals: Vec::new(), published: Vec::new() };
    out.journals.push((name::name(board.as_str(), START_MS, game), text));
    for (at, input) in inputs.iter().filter(|(at, _)| *at <= end) {
        out.journals.last_mut().unwrap().1.push_str(&writer.input(*at, input));
        let mut effects = Effects::default();
        table.step(*at, input.clone(), &mut effects);
        out.published.extend(effects.publish.into_iter().map(|publish| (*at, publish)));
        if let Some(began) = effects.began {
            game += 1;
            let file = out.journals.last().unwrap().0.clone();
            let after = After { file, hash: writer.hash().to_owned() };
            let (mut next, mut text) = Writer::new(&header(board, Some(after)));
            for (at, input) in began.inputs() {
                text.push_str(&next.input(at, &input));
            }
            writer = next;
            out.journals.push((name::name(board.as_str(), START_MS, game), text));
        }
    }
    out
}

/// The public's game at some moments from then on.
fn shown(feed: &mut Broadcast, now: Tick) -> Vec<String> {
    let later = [0, 5_000, 20_000, 60_000, 600_000].map(|ms| now + Span::from_ms(ms));
    later
        .into_iter()
        .map(|at| {
            let told = feed.release(at);
            format!("{:?}\n{told:?}", feed.game().draft())
        })
        .collect()
}

#[test]
fn what_waits_of_the_game_before_comes_after_a_restart_too() {
    let (board, inputs) = inputs();
    let whole = play(&board, &inputs, Tick::from_us(u64::MAX));
    assert_eq!(whole.journals.len(), 2, "each game has a journal");
    let second = whole.published.iter().rposition(
        |(_, publish)| matches!(publish, Publish::Move(made) if made.ply == 1 && made.revision == 0),
    );
    let second = whole.published[second.unwrap()].0;
    let (mut waited, mut over) = (0, 0);
    for (ms, delay_ms) in [(500, 20_000), (3_000, 8_000), (9_000, 8_000), (9_000, 40_000), (1_000, 0)] {
        let end = second + Span::from_ms(ms);
        let round = play(&board, &inputs, end);
        let delay = Delay { time: Span::from_ms(delay_ms), plies: 2, held: false };
        let mut undisturbed = Broadcast::new(board.clone(), delay);
        for (at, publish) in &round.published {
            undisturbed.settle(Tick::from_us(at.us().saturating_sub(1)));
            undisturbed.take(publish);
        }

        let dir = Scratch::new();
        round.journals.iter().for_each(|(name, text)| drop(dir.write(name, text)));
        let now_ms = START_MS + end.ms();
        let journals = name::list(dir.path()).remove(board.as_str()).unwrap();
        // Files are written now, which may be long before or after the time in them.
        let left = resume::find(&journals, "hall", &board, now_ms, Duration::from_secs(1 << 40), delay);
        let Left::Journal(mut earlier) = left else { panic!("{left:?}") };
        let last = round.published.last().unwrap().0;
        let before = |feed: &mut Broadcast| {
            feed.settle(last);
            feed.game().plies().count()
        };
        let plies = before(&mut undisturbed);
        assert_eq!(before(&mut earlier.feed), plies);
        assert_eq!(shown(&mut earlier.feed, end), shown(&mut undisturbed, end), "{ms} {delay_ms}");
        if plies > 4 { waited += 1 } else { over += 1 }
    }
    assert!(waited > 0 && over > 0, "the game before is still shown at {waited} moments, over at {over}");
}
