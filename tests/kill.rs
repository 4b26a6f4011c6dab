//! kill -9 at random moments of play at several tables, and a start after each.
//!
//! With boards that hold hands and clock while no host is synchronised, subscribers are told what an
//! undisturbed run tells, apart from times and from what numbers messages. With boards that go on
//! regardless, gaps are declared, nobody is accused of anything, and what was watched is told.
//!
//! `JADOUBE_KILLS=n` kills so often; the moments follow from `JADOUBE_SEED`.
#![cfg(feature = "daemon")]

#[path = "common/daemon.rs"]
mod daemon;
#[path = "common/mosquitto.rs"]
mod mosquitto;
#[path = "common/played.rs"]
mod played;
#[path = "support/published.rs"]
mod published;
#[path = "common/wait.rs"]
mod wait;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use daemon::Daemon;
use mosquitto::{Got, Mosquitto};
use played::{Board, Rng, differences, number, round, without_numbers};
use published::Published;
use rustix::process::Signal;
use serde_json::Value;
use wait::Scratch;

/// The demo's games: each table plays them one after the other, each beginning with another.
const GAMES: [&str; 4] = [
    include_str!("../fixtures/demo/table-1-illegal-move.jsonl"),
    include_str!("../fixtures/demo/table-2-unpromoted-pawn.jsonl"),
    include_str!("../fixtures/demo/table-3-press-without-move.jsonl"),
    include_str!("../fixtures/demo/table-4-clean.jsonl"),
];
/// So much play between two kills, in milliseconds, at least and at most: where boards hold, and where
/// they go on and something must be watched from its beginning to its end.
const SHORT: (u64, u64) = (300, 3_000);
const LONG: (u64, u64) = (300, 12_000);
/// A move, its press and its judgement take so long at most in the games played here.
const WATCHED_MS: (u64, u64) = (6_000, 1_500);
/// A start and the board's opening take so long; a kill may come then too.
const OPENING_MS: u64 = 1_500;

/// An alert as it was opened.
#[derive(Debug)]
struct Opened {
    id: String,
    board: String,
    code: String,
    /// Milliseconds since the daemon was first started.
    at: u64,
}

impl Opened {
    /// The same incident in two runs: what and where, at nearly the same time.
    fn is(&self, other: &Opened) -> bool {
        (&self.board, &self.code) == (&other.board, &other.code) && self.at.abs_diff(other.at) < 4_000
    }
}

/// What subscribers were told in a run, repeats dropped.
struct Run {
    /// By board and id: each revision of an alert.
    alerts: BTreeMap<String, BTreeSet<String>>,
    /// By board: plies as they were first told, and as they were corrected.
    moves: BTreeMap<String, Vec<String>>,
    opened: Vec<Opened>,
    /// When the daemon was killed, in milliseconds since its start.
    kills: Vec<u64>,
    log: String,
}

fn run(games: usize, hold: bool, kills: u64, between: (u64, u64), rng: &mut Rng) -> Run {
    let tables = GAMES.len();
    let dir = Scratch::new();
    let names: Vec<String> = (1..=tables).map(|table| format!("b{table}")).collect();
    let recordings = GAMES.map(str::to_owned);
    let mut boards: Vec<Board> = (0..tables)
        .map(|table| {
            let round = round(&recordings, table, games);
            Board::plays(&dir.write(&format!("{table}.jsonl"), &round), hold)
        })
        .collect();
    let broker = Mosquitto::started(false, "allow_anonymous true");
    // It is never away, as a client with a session that the broker keeps.
    let subscriber = broker.subscribe("jadoube/v1/hall/#", &[]);
    let at = format!("[broker]\nhost = \"127.0.0.1\"\nport = {}\n", broker.port);
    let places: Vec<(&str, &Path, &str)> =
        names.iter().zip(&boards).map(|(name, board)| (name.as_str(), board.path.as_path(), "")).collect();
    let mut daemon = Daemon::configured("base_s = 180\ninc_s = 2\n", &places, &at);
    let (begin, mut killed, mut log) = (Instant::now(), Vec::new(), String::new());
    let limit = Instant::now() + Duration::from_secs(60 * games as u64 + 10 * kills + 60);
    while !boards.iter_mut().all(Board::is_done) {
        assert!(Instant::now() < limit, "the boards do not come to an end");
        if (killed.len() as u64) < kills {
            // The boards begin to play at their first opening, so the first kill leaves them that.
            let opening = if killed.is_empty() { 2 * OPENING_MS } else { 0 };
            std::thread::sleep(Duration::from_millis(opening + rng.range(between.0, between.1 + OPENING_MS)));
            killed.push(u64::try_from(begin.elapsed().as_millis()).unwrap());
            daemon.stop(Signal::KILL);
            log.push_str(&daemon.log());
            daemon.again();
        } else {
            std::thread::sleep(Duration::from_millis(100));
        }
    }
    // The last judgement, and the last message.
    std::thread::sleep(Duration::from_secs(3));
    daemon.stop(Signal::TERM);
    log.push_str(&daemon.log());
    Run {
        alerts: alerts(&listed(subscriber.got())),
        moves: moves(&subscriber.got()),
        opened: opened(&subscriber.got()),
        kills: killed,
        log,
    }
}

/// What was told, which all is as the contract lists it.
fn listed(got: Vec<Got>) -> Vec<Got> {
    let mut published = Published::new();
    got.iter().for_each(|got| published.heard(&got.topic, got.retained, &got.payload));
    println!("{:?}", published.count);
    assert!(published.faults.is_empty(), "{:#?}", published.faults);
    got
}

fn alerts(got: &[Got]) -> BTreeMap<String, BTreeSet<String>> {
    let mut alerts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for got in got.iter().filter(|got| got.topic.ends_with("/log")) {
        let alert = got.json();
        // That the board was not heard for a while is the restart's own record, and so is that something
        // stood for long: the daemon's time runs while the board holds.
        if let (Some(id), Some(code)) = (alert["id"].as_str(), alert["code"].as_str())
            && !["link-lost", "illegal-move-unpressed"].contains(&code)
        {
            alerts.entry(id.to_owned()).or_default().insert(without_numbers(alert));
        }
    }
    alerts
}

fn opened(got: &[Got]) -> Vec<Opened> {
    let mut known = BTreeSet::new();
    let mut opened = Vec::new();
    for got in got.iter().filter(|got| got.topic.ends_with("/log")) {
        let alert = got.json();
        let (Some(id), Some(code)) = (alert["id"].as_str(), alert["code"].as_str()) else { continue };
        let alert_of = |severity: &str| alert["severity"] == severity;
        if (alert_of("act") || alert_of("check")) && known.insert(id.to_owned()) {
            let board = alert["board"].as_str().unwrap().to_owned();
            let (id, code) = (id.to_owned(), code.to_owned());
            opened.push(Opened { id, board, code, at: alert["t_ms"].as_u64().unwrap() });
        }
    }
    opened
}

fn moves(got: &[Got]) -> BTreeMap<String, Vec<String>> {
    let mut moves: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for got in got.iter().filter(|got| got.topic.ends_with("/move")) {
        let told = moves.entry(got.topic.clone()).or_default();
        let text = without_numbers(got.json());
        if told.last() != Some(&text) {
            told.push(text);
        }
    }
    moves
}

/// The plies of each board, with nothing but what was played.
fn plies(run: &Run) -> BTreeMap<String, Vec<String>> {
    let played = |text: &String| {
        let made: Value = serde_json::from_str(text).unwrap();
        format!("{} {} {} {}", made["kind"], made["ply"], made["revision"], made["uci"])
    };
    run.moves.iter().map(|(board, moves)| (board.clone(), moves.iter().map(played).collect())).collect()
}

#[test]
fn boards_that_hold_give_what_an_undisturbed_run_gives() {
    let (kills, seed) = (number("JADOUBE_KILLS", 10), number("JADOUBE_SEED", 1));
    // A kill comes about every three seconds of play; a game takes three quarters of a minute.
    let games = usize::try_from(kills * 2 / 45 + 1).unwrap();
    let mut rng = Rng(seed | 1 << 40);
    let (killed, undisturbed) = std::thread::scope(|both| {
        let undisturbed = both.spawn(|| run(games, true, 0, SHORT, &mut Rng(1)));
        (run(games, true, kills, SHORT, &mut rng), undisturbed.join().unwrap())
    });
    println!("{} kills, {} alerts, {games} games a table", killed.kills.len(), undisturbed.alerts.len());
    assert!(undisturbed.alerts.len() >= 3 * games, "{:?}", undisturbed.alerts.keys());
    let mut wrong = differences(&undisturbed.alerts, &killed.alerts);
    wrong.extend(differences(&plies(&undisturbed), &plies(&killed)));
    // A message that was read, and not in the journal yet when the process was killed, is lost: its ply
    // is inferred, or has the clock of the reading before.
    let lost = |key: &String| {
        let (before, after) = (&undisturbed.moves[key], &killed.moves[key]);
        before.iter().zip(after).filter(|(before, after)| before != after).count()
    };
    let lost: usize = undisturbed.moves.keys().map(lost).sum();
    println!("{lost} plies lost their press or its clock with the process");
    assert!(lost as u64 <= kills * GAMES.len() as u64 / 20, "{lost} presses are lost");
    assert!(wrong.is_empty(), "seed {seed}, {} differ:\n{}\n{}", wrong.len(), wrong.join("\n"), killed.log);
}

#[test]
fn boards_that_go_on_regardless_accuse_nobody_falsely() {
    let kills = number("JADOUBE_KILLS", 6);
    let games = usize::try_from(kills * 8 / 45 + 1).unwrap();
    let mut rng = Rng(number("JADOUBE_SEED", 1) | 1 << 41);
    let (killed, undisturbed) = std::thread::scope(|both| {
        let undisturbed = both.spawn(|| run(games, false, 0, LONG, &mut Rng(1)));
        (run(games, false, kills, LONG, &mut rng), undisturbed.join().unwrap())
    });
    let mut false_acts = Vec::new();
    for told in &killed.opened {
        let last = killed.alerts[&told.id].last().unwrap();
        let alert: Value = serde_json::from_str(last).unwrap();
        let right = undisturbed.opened.iter().any(|known| known.is(told));
        if alert["severity"] == "act" && alert["side"].is_string() && !right {
            false_acts.push(format!("{told:?}: {alert}"));
        }
    }
    assert!(false_acts.is_empty(), "{}\nundisturbed {:?}", false_acts.join("\n"), undisturbed.opened);
    // What was watched from beginning to end is told.
    let watched = |at: u64| {
        !killed.kills.iter().any(|kill| (at.saturating_sub(WATCHED_MS.0)..at + WATCHED_MS.1).contains(kill))
    };
    let (seen, unseen): (Vec<_>, Vec<_>) = undisturbed.opened.iter().partition(|known| watched(known.at));
    println!(
        "{} kills: {} incidents were watched, {} were not; {} alerts were told",
        killed.kills.len(),
        seen.len(),
        unseen.len(),
        killed.opened.len()
    );
    let missed: Vec<_> =
        seen.iter().filter(|known| !killed.opened.iter().any(|told| known.is(told))).collect();
    assert!(missed.is_empty(), "{missed:?}, kills at {:?}, told {:?}", killed.kills, killed.opened);
}
