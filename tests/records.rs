//! The public's part of a running room: a delay by moves over kill -9, a board that is held and
//! released, games as files.
#![cfg(feature = "daemon")]

#[path = "common/daemon.rs"]
mod daemon;
#[path = "common/mosquitto.rs"]
mod mosquitto;
#[path = "common/pty_board.rs"]
mod pty_board;
#[path = "common/wait.rs"]
mod wait;

use std::path::{Path, PathBuf};
use std::time::Duration;

use daemon::Daemon;
use jadoube_dgt::{PieceCode, Side};
use mosquitto::{Mosquitto, Subscriber, pid};
use pty_board::{PtyBoard, clock, illegal_move, play};
use rustix::process::{Signal, kill_process};
use serde_json::Value;
use wait::wait_for;

fn start(board: &PtyBoard, broker: &Mosquitto, more: &str, hold: &str) -> Daemon {
    let places = [("b1", board.path.as_path(), hold)];
    let broker = format!("[broker]\nhost = \"127.0.0.1\"\nport = {}\n{more}", broker.port);
    Daemon::configured("base_s = 5400\ninc_s = 30\n", &places, &broker)
}

/// Ply and notation of each move message so far.
fn moves(public: &Subscriber) -> Vec<(u64, String)> {
    let made = |got: Value| Some((got["ply"].as_u64()?, got["san"].as_str()?.to_owned()));
    public
        .got()
        .iter()
        .filter(|got| got.topic.ends_with("/move"))
        .filter_map(|got| made(got.json()))
        .collect()
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(dir) else { return Vec::new() };
    let mut out: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    out.sort();
    out
}

fn text(dir: &Path, end: &str) -> Option<String> {
    let found = files(dir).into_iter().find(|path| path.to_string_lossy().ends_with(end));
    found.and_then(|path| std::fs::read_to_string(path).ok())
}

/// A piece goes from one field to another, and the clock is pressed.
fn make(board: &PtyBoard, from: u8, to: u8, piece: PieceCode, then: Side) {
    play(board, from, to, piece);
    board.say(&clock(5425, 5425, then));
    std::thread::sleep(Duration::from_millis(400));
}

#[test]
fn a_delay_by_moves_holds_over_kill_9_in_messages_and_files() {
    let board = PtyBoard::new();
    let broker = Mosquitto::started(false, "allow_anonymous true");
    let public = broker.subscribe("jadoube/v1/hall/broadcast/#", &[]);
    let arbiter = broker.subscribe("jadoube/v1/hall/arbiter/b1/state", &[]);
    let more = "[broadcast]\ndelay_moves = 1\n[records]\nround = \"1\"\n";
    let mut daemon = start(&board, &broker, more, "");
    wait_for("the board is asked", || board.heard().contains(&jadoube_dgt::Command::Version).then_some(()));
    board.say(&clock(5400, 5400, Side::Left));
    std::thread::sleep(Duration::from_millis(600));
    make(&board, 52, 36, PieceCode::WHITE_PAWN, Side::Right);
    make(&board, 12, 28, PieceCode::BLACK_PAWN, Side::Left);
    make(&board, 54, 46, PieceCode::WHITE_PAWN, Side::Right);
    // The arbiter is told at once; the public knows of the first move only.
    let told = |ply: u64| arbiter.got().iter().any(|got| got.json()["ply"] == ply);
    wait_for("the arbiter is told", || told(3).then_some(()));
    wait_for("the first move", || (moves(&public) == [(1, "e4".to_owned())]).then_some(()));
    let records = daemon.dir.path().join("journal/records");
    let one = wait_for("the file", || text(&records, "round-1.pgn").filter(|text| text.contains("1. e4")));
    assert!(one.contains("1. e4") && !one.contains("e5"), "{one}");
    for got in public.got() {
        assert!(!got.payload.contains("g2g3") && !got.payload.contains("e7e5"), "{got:?}");
    }

    daemon.stop(Signal::KILL);
    daemon.again();
    wait_for("the board goes on", || daemon.log().contains("goes on with").then_some(()));
    std::thread::sleep(Duration::from_millis(1_500));
    assert_eq!(moves(&public), [(1, "e4".to_owned())], "nothing early, nothing twice");
    board.say(&clock(5425, 5425, Side::Right));
    std::thread::sleep(Duration::from_millis(600));
    make(&board, 11, 19, PieceCode::BLACK_PAWN, Side::Left);
    wait_for("the arbiter is told", || told(4).then_some(()));
    wait_for("the second move", || {
        moves(&public).iter().any(|(ply, san)| *ply == 2 && san == "e5").then_some(())
    });
    assert!(!moves(&public).iter().any(|(ply, _)| *ply > 2), "{:?}", moves(&public));
    assert_eq!(moves(&public).iter().filter(|(ply, _)| *ply == 1).count(), 1, "{:?}", moves(&public));
    let two = wait_for("the file", || text(&records, "round-1.pgn").filter(|text| text.contains("e5")));
    assert!(two.contains("[%clk 1:30:") && two.contains("[TimeControl \"5400+30\"]"), "{two}");
    assert!(!two.contains("g3"), "{two}");
    assert_eq!(files(&records).len(), 3, "a round, a game, its record: {:?}", files(&records));
}

#[test]
fn a_board_that_is_held_is_released_by_a_reload() {
    let board = PtyBoard::new();
    let broker = Mosquitto::started(false, "allow_anonymous true");
    let public = broker.subscribe("jadoube/v1/hall/broadcast/#", &[]);
    let arbiter = broker.subscribe("jadoube/v1/hall/arbiter/b1/alerts/+", &[]);
    let daemon = start(&board, &broker, "[records]\n", "hold = true\n");
    wait_for("the board is asked", || board.heard().contains(&jadoube_dgt::Command::Version).then_some(()));
    illegal_move(&board);
    wait_for("the arbiter is told", || arbiter.got().first().cloned());
    assert!(public.got().is_empty(), "{:?}", public.got());
    let config = daemon.dir.path().join("room.toml");
    let released = std::fs::read_to_string(&config).unwrap().replace("hold = true\n", "");
    std::fs::write(&config, released).unwrap();
    kill_process(pid(&daemon.child), Signal::HUP).unwrap();
    wait_for("the moves", || (moves(&public).len() >= 2).then_some(()));
    let records = daemon.dir.path().join("journal/records");
    wait_for("the file", || text(&records, "round.pgn").filter(|text| text.contains("1. e4")));
}
