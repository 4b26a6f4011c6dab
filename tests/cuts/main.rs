//! kill -9 of the daemon and cuts of its connection to the broker, while arbiters rule.
//!
//! Boards hold hands and clock while no host is synchronised, and games leave an arbiter time to rule.
//! So a subscriber that is never away must be told in all what an undisturbed run tells: the same
//! alerts with the same ids, revisions and rulings, the same moves, the same retained truth in the
//! end, once repeats of (id, revision) are dropped. Each request is answered, and done once.
//!
//! Some kills and cuts come at any moment; others in the moment in which something of importance is
//! on its way, and that is lost on the wire.
//!
//! `JADOUBE_KILLS=n` kills so often and cuts a quarter as often; the moments follow from `JADOUBE_SEED`.
#![cfg(feature = "daemon")]

mod arbiter;
#[path = "../common/daemon.rs"]
mod daemon;
mod games;
#[path = "../common/mosquitto.rs"]
mod mosquitto;
#[path = "../common/played.rs"]
mod played;
#[path = "../common/proxy.rs"]
mod proxy;
#[path = "../common/wait.rs"]
mod wait;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use arbiter::{Answers, Arbiter};
use daemon::Daemon;
use mosquitto::{Got, Mosquitto};
use played::{Board, Rng, differences, number, round, without_numbers};
use proxy::Proxy;
use rustix::process::Signal;
use wait::Scratch;

/// So much play between two blows, in milliseconds: at least, and at most.
const BETWEEN: (u64, u64) = (300, 4_000);
/// A start and the board's opening take so long; a blow may come then too.
const OPENING_MS: u64 = 1_500;
/// After a cut the connection is left alone for so long: the arbiter must get a word in.
const AFTER_CUT_MS: u64 = 4_000;
/// What must reach people and is not retained.
const WORDS: [&str; 3] = ["/log", "/move", "/response/"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blow {
    Kill,
    /// In the moment in which something is said, and it is lost.
    KillAtWord,
    /// The connection, and so long no other one.
    Cut(u64),
    CutAtWord(u64),
}

/// So many kills and a quarter as many cuts, in any order; never two cuts one after the other.
fn blows(kills: u64, rng: &mut Rng) -> Vec<Blow> {
    let mut blows: Vec<Blow> =
        (0..kills).map(|n| if n % 2 == 0 { Blow::Kill } else { Blow::KillAtWord }).collect();
    for n in 0..kills.div_ceil(4) {
        let away = rng.range(0, 1_500);
        let cut = if n % 2 == 0 { Blow::Cut(away) } else { Blow::CutAtWord(away) };
        let place = rng.range(0, blows.len() as u64) as usize;
        blows.insert(place, cut);
    }
    blows
}

/// What subscribers were told in a run, repeats dropped.
#[derive(Debug)]
struct Run {
    /// By id and revision: each alert and finding.
    log: BTreeMap<String, String>,
    /// By board: plies as they were told.
    moves: BTreeMap<String, Vec<String>>,
    /// What the broker holds in the end.
    retained: BTreeMap<String, String>,
    answers: Answers,
    repeats: usize,
    daemon: String,
}

fn run(games: usize, blows: &[Blow], rng: &mut Rng) -> Run {
    let dir = Scratch::new();
    let recordings = games::games();
    let names: Vec<String> = (1..=recordings.len()).map(|table| format!("b{table}")).collect();
    let mut boards: Vec<Board> = (0..recordings.len())
        .map(|table| {
            let round = round(&recordings, table, games);
            Board::plays(&dir.write(&format!("{table}.jsonl"), &round), true)
        })
        .collect();
    let broker = Mosquitto::started(false, "allow_anonymous true\nmax_queued_messages 0");
    let subscriber = broker.subscribe("jadoube/v1/hall/#", &["-c", "-i", "witness"]);
    let arbiter = Arbiter::at(broker.port);
    let proxy = Proxy::to(broker.port);
    let at = format!("[broker]\nhost = \"127.0.0.1\"\nport = {}\n", proxy.port);
    let places: Vec<(&str, &Path, &str)> =
        names.iter().zip(&boards).map(|(name, board)| (name.as_str(), board.path.as_path(), "")).collect();
    let mut daemon = Daemon::configured("base_s = 180\ninc_s = 2\n", &places, &at);
    let limit = Instant::now() + Duration::from_secs(90 * games as u64 + 15 * blows.len() as u64 + 60);
    let (mut blows, mut log, mut first) = (blows.iter(), String::new(), true);
    while !boards.iter_mut().all(Board::is_done) {
        assert!(Instant::now() < limit, "the boards do not come to an end");
        let Some(blow) = blows.next() else {
            std::thread::sleep(Duration::from_millis(100));
            continue;
        };
        // The boards begin to play at their first opening, so the first blow leaves them that.
        let opening = if std::mem::take(&mut first) { 2 * OPENING_MS } else { 0 };
        pause(opening + rng.range(BETWEEN.0, BETWEEN.1 + OPENING_MS));
        strike(*blow, &mut daemon, &proxy, &mut log);
    }
    assert_eq!(blows.len(), 0, "the boards came to an end before all blows had come");
    let answers = arbiter.leaves();
    // The last judgement, and the last message.
    std::thread::sleep(Duration::from_secs(3));
    let retained = retained(&broker);
    daemon.stop(Signal::TERM);
    log.push_str(&daemon.log());
    let got = subscriber.got();
    let (log_told, repeats) = told(&got);
    Run { log: log_told, moves: moves(&got), retained, answers, repeats, daemon: log }
}

fn pause(ms: u64) {
    std::thread::sleep(Duration::from_millis(ms));
}

fn strike(blow: Blow, daemon: &mut Daemon, proxy: &Proxy, log: &mut String) {
    if matches!(blow, Blow::KillAtWord | Blow::CutAtWord(_)) {
        proxy.trap(&WORDS);
        let end = Instant::now() + Duration::from_secs(5);
        while !proxy.is_sprung() && Instant::now() < end {
            std::thread::sleep(Duration::from_micros(200));
        }
        proxy.trap(&[]);
    }
    match blow {
        Blow::Kill | Blow::KillAtWord => {
            daemon.stop(Signal::KILL);
            log.push_str(&daemon.log());
            daemon.again();
        }
        Blow::Cut(ms) | Blow::CutAtWord(ms) => {
            proxy.away(true);
            pause(ms);
            proxy.away(false);
            pause(AFTER_CUT_MS);
        }
    }
}

/// What a restart records of itself, and what stood for long: the daemon's time runs while the board
/// holds.
const OF_THE_RESTART: [&str; 2] = ["link-lost", "illegal-move-unpressed"];

/// The log by id and revision, and how many repeats were dropped.
fn told(got: &[Got]) -> (BTreeMap<String, String>, usize) {
    let (mut log, mut repeats) = (BTreeMap::new(), 0);
    for got in got.iter().filter(|got| got.topic.ends_with("/log")) {
        let said = got.json();
        if OF_THE_RESTART.iter().any(|code| said["code"] == *code) {
            continue;
        }
        let key = format!("{} revision {}", said["id"].as_str().unwrap(), said["revision"]);
        repeats += usize::from(log.contains_key(&key));
        log.entry(key).or_insert_with(|| without_numbers(said));
    }
    (log, repeats)
}

/// A repeat has the same ply, revision and time in the same journal.
fn moves(got: &[Got]) -> BTreeMap<String, Vec<String>> {
    let (mut moves, mut known): (BTreeMap<String, Vec<String>>, _) = (BTreeMap::new(), BTreeSet::new());
    for got in got.iter().filter(|got| got.topic.ends_with("/move")) {
        let said = got.json();
        let key = ["kind", "ply", "to_ply", "revision", "t_ms"].map(|key| said[key].to_string()).join(" ");
        if known.insert((got.topic.clone(), key)) {
            let text = format!("{} {} {} {}", said["kind"], said["ply"], said["revision"], said["uci"]);
            moves.entry(got.topic.clone()).or_default().push(text);
        }
    }
    moves
}

/// Alerts and games as the broker holds them.
fn retained(broker: &Mosquitto) -> BTreeMap<String, String> {
    let late = broker.subscribe("jadoube/v1/hall/#", &[]);
    late.wait("what is retained", |got| got.topic.ends_with("/status"));
    pause(500);
    let of_importance = |got: &Got| got.topic.contains("/alerts/") || got.topic.ends_with("/game");
    let kept = late.got().into_iter().filter(|got| got.retained && of_importance(got));
    kept.map(|got| (got.topic.clone(), plies(got.json()))).collect()
}

/// Of a game what was played: a reading of the clock that was lost with the process is not in it.
fn plies(mut document: serde_json::Value) -> String {
    for made in document["moves"].as_array_mut().into_iter().flatten() {
        made.as_object_mut().unwrap().retain(|key, _| !["clock", "inferred"].contains(&key.as_str()));
    }
    without_numbers(document)
}

#[test]
fn an_arbiter_is_told_the_same_and_heard_whatever_is_killed_or_cut() {
    let (kills, seed) = (number("JADOUBE_KILLS", 8), number("JADOUBE_SEED", 1));
    let mut rng = Rng(seed | 1 << 42);
    let blows = blows(kills, &mut rng);
    // A blow comes about every two seconds and a half of play; a game takes about forty. Some to spare: the
    // boards must not come to an end before all blows have come.
    let games = blows.len() * 3 / 40 + 1;
    let (disturbed, undisturbed) = std::thread::scope(|both| {
        let undisturbed = both.spawn(|| run(games, &[], &mut Rng(1)));
        (run(games, &blows, &mut rng), undisturbed.join().unwrap())
    });
    let cuts = blows.len() as u64 - kills;
    println!(
        "{kills} kills, {cuts} cuts, {games} games a table: {} revisions and findings ({} repeats dropped), \
         {} requests, sent {} times",
        disturbed.log.len(),
        disturbed.repeats,
        disturbed.answers.by_id.len(),
        disturbed.answers.sent
    );
    assert!(undisturbed.answers.by_id.len() >= 15 * games, "{:?}", undisturbed.answers);
    let mut wrong = differences(&undisturbed.log, &disturbed.log);
    wrong.extend(differences(&undisturbed.moves, &disturbed.moves));
    wrong.extend(differences(&undisturbed.retained, &disturbed.retained));
    wrong.extend(differences(&undisturbed.answers.by_id, &disturbed.answers.by_id));
    let refused =
        |answers: &BTreeSet<String>| answers.len() != 1 || !answers.iter().all(|a| a.starts_with("true"));
    let refused: Vec<_> = disturbed.answers.by_id.iter().filter(|(_, answers)| refused(answers)).collect();
    assert!(refused.is_empty(), "seed {seed}: {refused:#?}");
    let differ = wrong.len();
    assert!(wrong.is_empty(), "seed {seed}, {differ} differ:\n{}\n{}", wrong.join("\n"), disturbed.daemon);
}
