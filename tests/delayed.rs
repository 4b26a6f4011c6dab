//! An event that keeps alerts back until their window has closed, through the running program: the
//! journal has them at once, people get them after the reply; and what people enter by request.
#![cfg(feature = "daemon")]

#[path = "common/daemon.rs"]
mod daemon;
#[path = "common/mosquitto.rs"]
mod mosquitto;
#[path = "common/pty_board.rs"]
mod pty_board;
#[path = "common/wait.rs"]
mod wait;

use daemon::Daemon;
use jadoube::journal::{Entry, Reader, Shown};
use jadoube_dgt::{Command, PieceCode, Side};
use mosquitto::{Got, Mosquitto};
use pty_board::{PtyBoard, clock, illegal_move, play};
use rustix::process::Signal;
use wait::wait_for;

const RULES: &str = "extends = \"fide-2023/blitz-b3\"\nname = \"Hall regulations\"\nnotify = \"delayed\"\n";

fn is_alert(got: &Got) -> bool {
    got.topic.contains("/arbiter/b1/alerts/") && !got.payload.is_empty()
}

/// What the journal says of alerts: held or shown, in order.
fn recorded(daemon: &Daemon) -> Vec<&'static str> {
    let text = daemon.journal("b1");
    let mut reader = Reader::new();
    let records = text.lines().map(|line| reader.read_line(line).expect("a whole journal"));
    let said = records.filter_map(|record| match record.entry {
        Entry::Shown(Shown::Alert { id, .. }) if id.contains("illegal-move") => Some("shown"),
        Entry::Shown(Shown::Held { id, .. }) if id.contains("illegal-move") => Some("held"),
        _ => None,
    });
    said.collect()
}

#[test]
fn a_delayed_alert_comes_after_the_reply_and_can_be_ruled_on_and_taken_back() {
    let board = PtyBoard::new();
    let broker = Mosquitto::started(false, "allow_anonymous true");
    let arbiter = broker.subscribe("jadoube/v1/hall/arbiter/#", &[]);
    let at = format!("[broker]\nhost = \"127.0.0.1\"\nport = {}\n", broker.port);
    let mut daemon = Daemon::configured(RULES, &[("b1", board.path.as_path(), "")], &at);
    wait_for("the board is asked", || board.heard().contains(&Command::Version).then_some(()));
    illegal_move(&board);
    wait_for("it is in the journal", || recorded(&daemon).contains(&"held").then_some(()));
    assert!(!arbiter.got().iter().any(is_alert), "nobody is told while it can be claimed");
    assert!(!recorded(&daemon).contains(&"shown"));

    // Black replies: e5 pawn stays, g8-f6.
    play(&board, 6, 21, PieceCode::BLACK_KNIGHT);
    board.say(&clock(5450, 5450, Side::Left));
    let alert = arbiter.wait("the alert", is_alert).json();
    assert_eq!((alert["notify"].as_str(), alert["may"].as_str()), (Some("after-window"), Some("keep-out")));
    assert_eq!(alert["window"]["state"], "closed");
    assert_eq!(alert["regime"], "Hall regulations");
    let id = alert["id"].as_str().unwrap().to_owned();

    let ask = |verb: &str, body: String| {
        broker.publish(&format!("jadoube/v1/hall/arbiter/b1/request/{verb}"), &body, &[]);
        let topic = format!("/arbiter/b1/response/{verb}");
        arbiter.wait(verb, |got| got.topic.ends_with(&topic)).json()
    };
    let stands = format!(
        "{{\"id\":\"1\",\"by\":\"floor\",\"alert\":\"{id}\",\"ruling\":\"stands\",\"why\":\"A.5.2\"}}"
    );
    assert_eq!(ask("rule", stands)["ok"], true);
    arbiter.wait("it is cleared", |got| got.topic.contains("/alerts/") && got.payload.is_empty());
    let undone = ask("undo", format!("{{\"id\":\"2\",\"by\":\"floor\",\"alert\":\"{id}\"}}"));
    assert_eq!(undone["ok"], true, "{undone}");
    let report =
        "{\"id\":\"3\",\"by\":\"floor\",\"code\":\"two-hands\",\"player\":\"black\",\"what\":\"saw it\"}";
    let reported = ask("report", report.to_owned());
    assert_eq!(reported["ok"], true, "{reported}");
    assert!(reported["text"].as_str().unwrap().contains("two-hands"), "{reported}");
    let hands = |got: &Got| is_alert(got) && got.json()["code"] == "two-hands";
    let seen = arbiter.wait("the reported alert", |got| hands(got) && got.json()["may"] == "step-in").json();
    assert_eq!((seen["side"].as_str(), seen["seen_by"].as_str()), (Some("black"), Some("floor")));
    daemon.stop(Signal::TERM);
}
