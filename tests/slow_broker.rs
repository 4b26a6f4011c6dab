//! A broker that stands still in the middle of play, for longer than its connections last: boards are
//! read all the same, and afterwards everything is told, in order.
#![cfg(feature = "daemon")]

#[path = "common/daemon.rs"]
mod daemon;
#[path = "common/mosquitto.rs"]
mod mosquitto;
#[path = "common/played.rs"]
mod played;
#[path = "common/wait.rs"]
mod wait;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use daemon::Daemon;
use jadoube::journal::{Entry, Reader, Shown};
use mosquitto::{Got, Mosquitto};
use played::Board;
use rustix::process::Signal;
use serde_json::Value;
use wait::{Scratch, wait_for};

const GAMES: [&str; 2] = [
    include_str!("../fixtures/demo/table-1-illegal-move.jsonl"),
    include_str!("../fixtures/demo/table-4-clean.jsonl"),
];
/// So much of them is played.
const PLAYED_MS: u64 = 26_000;
/// The broker stands still from here on, for so long: twice what a connection lasts without a word.
const STOPS_AFTER: Duration = Duration::from_secs(6);
const STOPPED: Duration = Duration::from_secs(14);

/// The beginning of a recording.
fn beginning(recording: &str) -> String {
    let early = |line: &&str| {
        let row: Value = serde_json::from_str(line).unwrap();
        row["t_ms"].as_u64().unwrap() <= PLAYED_MS
    };
    recording.lines().filter(early).map(|line| format!("{line}\n")).collect()
}

/// What a journal says was shown: alerts and findings by id and revision, and moves by ply and revision.
fn shown(journal: &str) -> (BTreeSet<String>, Vec<String>) {
    let (mut reader, mut log, mut moves) = (Reader::new(), BTreeSet::new(), Vec::new());
    for record in journal.lines().map_while(|line| reader.read_line(line).ok()) {
        match record.entry {
            Entry::Shown(Shown::Alert { id, revision } | Shown::Finding { id, revision }) => {
                log.insert(format!("{id} {revision}"));
            }
            Entry::Shown(Shown::Move { ply, revision }) => moves.push(format!("{ply} {revision}")),
            _ => {}
        }
    }
    (log, moves)
}

/// What came on a topic, without what came again when the connection was made anew.
fn without_repeats(got: &[Got], topic: &str) -> Vec<Value> {
    let mut known = BTreeSet::new();
    let of_topic = got.iter().filter(|got| got.topic.ends_with(topic)).map(Got::json);
    of_topic.filter(|said| known.insert((said["epoch"].as_u64(), said["seq"].as_u64()))).collect()
}

#[test]
fn a_broker_that_stands_still_holds_up_no_board_and_is_told_everything_in_order() {
    let dir = Scratch::new();
    let mut boards: Vec<Board> = (1..)
        .zip(GAMES)
        .map(|(table, game)| Board::plays(&dir.write(&format!("{table}.jsonl"), &beginning(game)), false))
        .collect();
    let broker = Mosquitto::started(false, "allow_anonymous true\nmax_queued_messages 0");
    let subscriber = broker.subscribe("jadoube/v1/hall/#", &["-c", "-i", "witness"]);
    let at = format!("[broker]\nhost = \"127.0.0.1\"\nport = {}\n", broker.port);
    let names = ["b1", "b2"];
    let places: Vec<(&str, &Path, &str)> =
        names.iter().zip(&boards).map(|(name, board)| (*name, board.path.as_path(), "")).collect();
    let mut daemon = Daemon::configured("base_s = 180\ninc_s = 2\n", &places, &at);
    subscriber.wait("a board plays", |got| got.topic.ends_with("/move"));
    std::thread::sleep(STOPS_AFTER);

    broker.signal(Signal::STOP);
    let moves = |board: &str| shown(&daemon.journal(board)).1.len();
    let before: BTreeMap<&str, usize> = names.iter().map(|board| (*board, moves(board))).collect();
    std::thread::sleep(STOPPED);
    for (board, before) in before {
        let during = moves(board) - before;
        // One is stopped by its arbiter for most of that time.
        assert!(during >= if board == "b1" { 1 } else { 6 }, "{board}: {during} moves were read meanwhile");
    }
    broker.signal(Signal::CONT);
    wait_for("the boards have played", || boards.iter_mut().all(Board::is_done).then_some(()));
    // The last judgement; then all there is to tell.
    std::thread::sleep(Duration::from_secs(2));
    let (journals, told): (Vec<_>, Vec<_>) =
        names.iter().map(|board| (daemon.journal(board), format!("{board}/log"))).unzip();
    for (board, journal) in names.iter().zip(&journals) {
        let (log, moves) = shown(journal);
        let arrived = || {
            let said = without_repeats(&subscriber.got(), &format!("{board}/move"));
            let made = said.iter().filter(|said| said["kind"] == "move");
            made.map(|said| format!("{} {}", said["ply"], said["revision"])).collect::<Vec<_>>()
        };
        wait_for("all moves", || (arrived().len() >= moves.len()).then_some(()));
        assert_eq!(arrived(), moves, "{board}: each once, in order");
        let said = without_repeats(&subscriber.got(), &format!("{board}/log"));
        let ids = said.iter().filter(|said| said["schema"] != "jadoube.withdraw/1");
        let ids: Vec<_> =
            ids.map(|said| format!("{} {}", said["id"].as_str().unwrap(), said["revision"])).collect();
        assert_eq!(ids.iter().cloned().collect::<BTreeSet<_>>(), log, "{board}");
        assert_eq!(ids.len(), log.len(), "{board}: each once");
    }
    for topic in told.iter().map(String::as_str).chain(["b1/move", "b2/move"]) {
        let seqs: Vec<_> =
            without_repeats(&subscriber.got(), topic).iter().map(|said| said["seq"].as_u64()).collect();
        assert!(seqs.is_sorted() && !seqs.is_empty(), "{topic}: {seqs:?}");
    }
    let rival = subscriber.got().into_iter().find(|got| got.payload.contains("broker-rival"));
    assert!(rival.is_none(), "nobody else was there: {rival:?}\n{}", daemon.log());
    daemon.stop(Signal::TERM);
}
