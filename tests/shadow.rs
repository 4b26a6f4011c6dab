//! Shadow mode through the running program: what is shadowed is in the journal and in the counts, and
//! nowhere else.
#![cfg(feature = "daemon")]

#[path = "common/daemon.rs"]
mod daemon;
#[path = "common/mosquitto.rs"]
mod mosquitto;
#[path = "common/pty_board.rs"]
mod pty_board;
#[path = "common/wait.rs"]
mod wait;

use std::process::Command as Program;
use std::time::Duration;

use daemon::Daemon;
use jadoube::journal::{Entry, Reader, Shown};
use jadoube_dgt::{Command, Side};
use mosquitto::{Got, Mosquitto, Subscriber};
use pty_board::{PtyBoard, clock, illegal_move};
use rustix::process::Signal;
use serde_json::Value;
use wait::wait_for;

fn asked(board: &PtyBoard) {
    wait_for("the board is asked", || board.heard().contains(&Command::Version).then_some(()));
}

/// White presses without having moved, and the lever goes back.
fn empty_press(board: &PtyBoard) {
    for to_move in [Side::Left, Side::Right, Side::Left] {
        board.say(&clock(5400, 5400, to_move));
        std::thread::sleep(Duration::from_millis(1_200));
    }
}

/// What the journal says of findings and alerts: shown to people or shadowed, and the id.
fn recorded(daemon: &Daemon, board: &str) -> Vec<(bool, String)> {
    let text = daemon.journal(board);
    let mut reader = Reader::new();
    let records = text.lines().map(|line| reader.read_line(line).expect("a whole journal"));
    let said = records.filter_map(|record| match record.entry {
        Entry::Shown(Shown::Alert { id, .. } | Shown::Finding { id, .. }) => Some((true, id)),
        Entry::Shown(Shown::Shadowed { id, .. }) => Some((false, id)),
        _ => None,
    });
    said.collect()
}

/// The findings of a board's journal, replayed: name, and whether it is shadowed.
fn replayed(daemon: &Daemon, board: &str) -> Vec<(String, bool)> {
    let name = |path: &std::path::PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    let journals = daemon.board_journals();
    let path = journals.iter().find(|path| name(path).starts_with(&format!("{board}-"))).unwrap();
    let mut program = Program::new(env!("CARGO_BIN_EXE_jadoube"));
    let out = program.arg("replay").arg(path).args(["--output", "jsonl"]).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let lines = String::from_utf8(out.stdout).unwrap();
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let findings = lines.filter(|line| line["kind"] == "finding");
    findings.map(|line| (line["code"].as_str().unwrap().to_owned(), line["shadowed"] == true)).collect()
}

/// Whatever people were told of a board: alerts, retained or not, and its log.
fn told(arbiter: &Subscriber, board: &str) -> Vec<Got> {
    let of = |got: &Got| {
        got.topic.contains(&format!("/arbiter/{board}/"))
            && (got.topic.contains("/alerts/") || got.topic.ends_with("/log"))
    };
    arbiter.got().into_iter().filter(of).collect()
}

fn counted(health: &Subscriber, rule: &str, times: u64) {
    health.wait(&format!("{rule} is counted"), |got| got.json()["shadowed"][rule] == times);
}

#[test]
fn a_shadowed_board_and_a_shadowed_rule_are_counted_and_told_nobody() {
    let (first, second) = (PtyBoard::new(), PtyBoard::new());
    let broker = Mosquitto::started(false, "allow_anonymous true");
    let arbiter = broker.subscribe("jadoube/v1/hall/arbiter/#", &[]);
    let health = broker.subscribe("jadoube/v1/hall/health", &[]);
    let boards = [("b1", first.path.as_path(), "shadow = true\n"), ("b2", second.path.as_path(), "")];
    let at = format!("[broker]\nhost = \"127.0.0.1\"\nport = {}\n", broker.port);
    let mut daemon = Daemon::configured("shadow_rules = [\"press-without-move\"]\n", &boards, &at);
    asked(&first);
    asked(&second);
    std::thread::scope(|both| {
        for board in [&first, &second] {
            both.spawn(move || {
                empty_press(board);
                illegal_move(board);
            });
        }
    });

    // The board that is not shadowed is told about in the same run.
    let open = |got: &Got| got.topic.contains("/arbiter/b2/alerts/") && !got.payload.is_empty();
    let alert = arbiter.wait("the alert", open).json();
    assert_eq!((alert["code"].as_str(), alert["side"].as_str()), (Some("illegal-move"), Some("white")));
    counted(&health, "illegal-move", 1);
    counted(&health, "press-without-move", 2);
    let hidden = |board: &str| {
        wait_for("it is in the journal", || {
            let said = recorded(&daemon, board);
            said.iter().any(|(shown, id)| !shown && id.contains("press-without-move")).then_some(said)
        })
    };
    let (of_first, of_second) = (hidden("b1"), hidden("b2"));
    assert!(of_first.iter().all(|(shown, _)| !shown), "{of_first:?}");
    assert!(of_first.iter().any(|(_, id)| id.contains("illegal-move")), "{of_first:?}");
    assert!(of_second.iter().any(|(shown, id)| *shown && id.contains("illegal-move")), "{of_second:?}");

    daemon.stop(Signal::TERM);
    assert_eq!(told(&arbiter, "b1"), [], "nothing about a shadowed board");
    for got in told(&arbiter, "b2") {
        assert!(!got.payload.contains("press-without-move"), "{got:?}");
    }
    let late = broker.subscribe("jadoube/v1/hall/arbiter/#", &[]);
    late.wait("the alert is retained", open);
    assert_eq!(told(&late, "b1"), [], "nothing retained either");
    for (board, shadowed) in [("b1", true), ("b2", false)] {
        let findings = replayed(&daemon, board);
        assert!(findings.contains(&("illegal-move".to_owned(), shadowed)), "{board}: {findings:?}");
        assert!(findings.contains(&("press-without-move".to_owned(), true)), "{board}: {findings:?}");
    }
}

#[test]
fn a_shadowed_event_tells_nobody_but_of_the_board_that_is_taken_out() {
    let (first, second) = (PtyBoard::new(), PtyBoard::new());
    let broker = Mosquitto::started(false, "allow_anonymous true");
    let arbiter = broker.subscribe("jadoube/v1/hall/arbiter/#", &[]);
    let health = broker.subscribe("jadoube/v1/hall/health", &[]);
    let public = broker.subscribe("jadoube/v1/hall/broadcast/#", &[]);
    let boards = [("b1", first.path.as_path(), ""), ("b2", second.path.as_path(), "shadow = false\n")];
    let at = format!("[broker]\nhost = \"127.0.0.1\"\nport = {}\n", broker.port);
    let mut daemon = Daemon::configured("shadow = true\n", &boards, &at);
    asked(&first);
    asked(&second);
    std::thread::scope(|both| {
        for board in [&first, &second] {
            both.spawn(move || illegal_move(board));
        }
    });
    arbiter.wait("the alert of the other", |got| got.topic.contains("/arbiter/b2/alerts/"));
    counted(&health, "illegal-move", 1);
    // Shadow mode keeps back alerts, not the game.
    public
        .wait("the move is broadcast", |got| got.topic.contains("/b1/move") && got.payload.contains("e2e4"));
    let said = wait_for("it is in the journal", || {
        let said = recorded(&daemon, "b1");
        said.iter().any(|(_, id)| id.contains("illegal-move")).then_some(said)
    });
    assert!(said.iter().all(|(shown, _)| !shown), "{said:?}");
    daemon.stop(Signal::TERM);
    assert_eq!(told(&arbiter, "b1"), []);
    assert!(replayed(&daemon, "b1").contains(&("illegal-move".to_owned(), true)));
}
