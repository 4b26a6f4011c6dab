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

/// The end of a process may come between any two lines. A line is written when what was told before it
/// cannot be lost any more: so what the last line caused is told, and what came before is not told again.
#[test]
fn what_the_last_line_caused_is_told_after_a_restart_and_nothing_before_it() {
    let (board, inputs) = inputs();
    let dir = Scratch::new();
    let file = name::name(board.as_str(), START_MS, 1);
    let (mut table, (mut writer, mut text)) = (Table::new(), Writer::new(&header(&board, None)));
    let (mut before, mut moves, mut quiet) = (0, 0, 0);
    for (at, input) in &inputs {
        text.push_str(&writer.input(*at, input));
        let mut effects = Effects::default();
        table.step(*at, input.clone(), &mut effects);
        if effects.began.is_some() {
            break;
        }
        let public = |item: &&Publish| matches!(item, Publish::Move(_) | Publish::Retract { .. });
        let now = effects.publish.iter().filter(public).count();
        if now + before > 0 {
            dir.write(&file, &text);
            let journals = name::list(dir.path()).remove(board.as_str()).unwrap();
            let (now_ms, long) = (START_MS + at.ms(), Duration::from_secs(1 << 40));
            let left = resume::find(&journals, "hall", &board, now_ms, long, Delay::default());
            let Left::Journal(mut earlier) = left else { panic!("{left:?}") };
            let told = earlier.feed.release(*at);
            let told = told.iter().filter(|draft| draft.path.ends_with("/move")).count();
            assert_eq!(told, now, "at {at:?}, where {before} were told before");
        }
        (moves, quiet) = (moves + now, quiet + usize::from(now == 0 && before > 0));
        before = now;
    }
    assert!(moves > 15 && quiet > 10, "{moves} moves, {quiet} lines after one");
}
