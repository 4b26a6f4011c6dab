//! The daemon comes back after kill -9 with the same game, alerts, offences and answers.
#![cfg(feature = "daemon")]

#[path = "common/daemon.rs"]
mod daemon;
#[path = "common/mosquitto.rs"]
mod mosquitto;
#[path = "common/pty_board.rs"]
mod pty_board;
#[path = "common/wait.rs"]
mod wait;

use std::time::Duration;

use daemon::Daemon;
use jadoube_dgt::{Command, PieceCode, Side};
use mosquitto::{Got, Mosquitto, Subscriber};
use pty_board::{PtyBoard, clock, illegal_move, play};
use rustix::process::Signal;
use serde_json::Value;
use wait::wait_for;

const BOARD: &str = "jadoube/v1/hall/arbiter/b1";

fn asked(board: &PtyBoard, times: usize) {
    wait_for("the board is asked", || {
        (board.heard().iter().filter(|said| **said == Command::Version).count() >= times).then_some(())
    });
}

fn is_open(got: &Got, code: &str) -> bool {
    got.topic.contains("/arbiter/b1/alerts/") && !got.payload.is_empty() && got.json()["code"] == code
}

fn epoch(got: &Got) -> u64 {
    got.json()["epoch"].as_u64().unwrap()
}

/// Asks and gives the answer of this run.
fn ask(broker: &Mosquitto, arbiter: &Subscriber, run: u64, verb: &str, body: &str) -> Value {
    broker.publish(&format!("{BOARD}/request/{verb}"), body, &[]);
    let topic = format!("{BOARD}/response/{verb}");
    arbiter.wait(verb, |got| got.topic == topic && epoch(got) == run).json()
}

#[test]
fn game_alerts_offences_and_answers_are_those_of_before() {
    let board = PtyBoard::new();
    let broker = Mosquitto::started(false, "allow_anonymous true");
    let arbiter = broker.subscribe("jadoube/v1/hall/#", &[]);
    let at = format!("[broker]\nhost = \"127.0.0.1\"\nport = {}\n", broker.port);
    let mut daemon = Daemon::start(&[("b1", &board.path)], &at);
    asked(&board, 1);
    illegal_move(&board);
    let first = arbiter.wait("the alert", |got| is_open(got, "illegal-move"));
    let (id, run) = (first.json()["id"].as_str().unwrap().to_owned(), epoch(&first));
    let ruling = format!("{{\"id\":\"r1\",\"by\":\"floor\",\"alert\":\"{id}\",\"ruling\":\"upheld\"}}");
    let answer = ask(&broker, &arbiter, run, "rule", &ruling);
    assert_eq!(answer["ok"], true, "{answer}");
    // Black's rook over its pawn, a8-a6: a second alert is open when the daemon is killed.
    std::thread::sleep(Duration::from_secs(1));
    play(&board, 0, 16, PieceCode::BLACK_ROOK);
    board.say(&clock(5450, 5450, Side::Left));
    let second =
        arbiter.wait("the second alert", |got| is_open(got, "illegal-move") && got.json()["side"] == "black");
    daemon.stop(Signal::KILL);

    daemon.again();
    let again = arbiter.wait("it is open again", |got| is_open(got, "illegal-move") && epoch(got) != run);
    let later = epoch(&again);
    assert_eq!(again.json()["id"], second.json()["id"]);
    let state = arbiter.wait("its state", |got| got.topic.ends_with("/b1/state") && epoch(got) == later);
    assert_eq!(state.json()["offences"]["white"], 1);
    let game = arbiter.wait("the game", |got| got.topic.ends_with("/b1/game") && epoch(got) == later).json();
    let moves: Vec<&str> =
        game["moves"].as_array().unwrap().iter().filter_map(|m| m["uci"].as_str()).collect();
    assert_eq!(moves, ["e2e4", "e7e5", "a1a3", "a8a6"]);
    // The request that was answered before is answered alike and does nothing again.
    let same = ask(&broker, &arbiter, later, "rule", &ruling);
    assert_eq!((&same["ok"], &same["text"]), (&answer["ok"], &answer["text"]));

    // Play goes on: White's next move is ply 5 of the same game.
    asked(&board, 2);
    board.say(&clock(5450, 5450, Side::Left));
    wait_for("the board is watched again", || {
        let watched = |got: &Got| got.topic.ends_with("/b1/state") && got.json()["watch"]["watched"] == true;
        arbiter.got().iter().any(|got| epoch_of(got) == Some(later) && watched(got)).then_some(())
    });
    play(&board, 51, 35, PieceCode::WHITE_PAWN);
    board.say(&clock(5475, 5450, Side::Right));
    let next = arbiter.wait("the next move", |got| {
        got.topic.ends_with("/b1/move") && epoch_of(got) == Some(later) && got.json()["uci"] == "d2d4"
    });
    assert_eq!(next.json()["ply"], 5);
    assert!(daemon.stop(Signal::TERM).success());
    assert_eq!(daemon.board_journals().len(), 1, "one journal, gone on with");
    let text = daemon.journal("b1");
    let goes_on = text.lines().filter(|line| line.contains("\"kind\":\"goes-on\"")).count();
    assert_eq!(goes_on, 1);
    let mut reader = jadoube::journal::Reader::new();
    text.lines().for_each(|line| drop(reader.read_line(line).expect("one whole chain")));
}

fn epoch_of(got: &Got) -> Option<u64> {
    if got.payload.is_empty() { None } else { got.json()["epoch"].as_u64() }
}
