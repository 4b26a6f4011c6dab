//! Requests that are none, over a real mosquitto: each is answered with what is wrong or dropped, nothing else
//! happens, and the daemon goes on as before.
#![cfg(feature = "daemon")]

#[path = "common/daemon.rs"]
mod daemon;
#[path = "common/mosquitto.rs"]
mod mosquitto;
#[path = "common/pty_board.rs"]
mod pty_board;
#[path = "common/wait.rs"]
mod wait;

use std::process::Command;

use daemon::Daemon;
use jadoube::alerts::{CHOICES, Key, KeyKind, VERBS};
use mosquitto::{Got, Mosquitto, Subscriber, spawn};
use pty_board::{PtyBoard, illegal_move};
use rustix::process::Signal;
use serde_json::{Value, json};
use wait::wait_for;

struct Hall {
    broker: Mosquitto,
    daemon: Daemon,
    reader: Subscriber,
    alert: String,
    _board: PtyBoard,
}

/// A hall with an alert open on b1.
fn hall() -> Hall {
    let broker = Mosquitto::started(false, "allow_anonymous true\nmessage_size_limit 0");
    let board = PtyBoard::new();
    let config = format!("[broker]\nhost = \"127.0.0.1\"\nport = {}\n", broker.port);
    let daemon = Daemon::start(&[("b1", &board.path)], &config);
    // Not the requests themselves: what they hold is no text for a client that prints lines.
    let more = ["-t", "jadoube/v1/hall/arbiter/+/alerts/+", "-t", "jadoube/v1/hall/arbiter/+/log"];
    let reader = broker.subscribe("jadoube/v1/hall/arbiter/+/response/+", &more);
    wait_for("the board is asked", || (!board.heard().is_empty()).then_some(()));
    illegal_move(&board);
    let alert = reader.wait("an alert", |got| got.topic.contains("/alerts/") && !got.payload.is_empty());
    let alert = alert.json()["id"].as_str().expect("an id").to_owned();
    Hall { broker, daemon, reader, alert, _board: board }
}

impl Hall {
    fn ask(&self, board: &str, verb: &str, payload: &[u8], more: &[&str]) {
        let file = self.broker.dir.path().join("payload");
        std::fs::write(&file, payload).unwrap();
        let mut command = Command::new("mosquitto_pub");
        let port = self.broker.port.to_string();
        let topic = format!("jadoube/v1/hall/arbiter/{board}/request/{verb}");
        command.args(["-V", "mqttv5", "-q", "1", "-h", "127.0.0.1", "-p", &port, "-t", &topic, "-f"]);
        assert!(spawn(command.arg(file).args(more), "mosquitto-clients").wait().unwrap().success());
    }

    /// Everything sent so far has been looked at: a request that is right is answered after it.
    fn settled(&self, id: &str) {
        let right = json!({"id": id, "by": "a"}).to_string();
        self.ask("b1", "games", right.as_bytes(), &[]);
        self.reader.wait("what is right is answered", |got| {
            got.topic.ends_with("/response/games") && got.payload.contains(&format!("\"id\":\"{id}\""))
        });
    }

    fn answers(&self) -> Vec<Value> {
        let answer = |got: &Got| got.topic.contains("/response/");
        self.reader.got().iter().filter(|got| answer(got)).map(Got::json).collect()
    }

    /// The resident memory of the daemon, kilobytes.
    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.daemon.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("VmRSS");
        line.split_whitespace().nth(1).and_then(|kb| kb.parse().ok()).expect("kB")
    }

    /// The alert as the reader has it last.
    fn alert(&self) -> Value {
        let of = |got: &&Got| got.topic.ends_with("/log") && got.payload.contains(&self.alert);
        self.reader.got().iter().rfind(of).map(Got::json).expect("the alert")
    }
}

fn wrong(key: &Key) -> Value {
    match key.kind {
        KeyKind::Text
        | KeyKind::Fen
        | KeyKind::RuleSet
        | KeyKind::Word(_)
        | KeyKind::Code
        | KeyKind::Square => json!(7),
        KeyKind::Count | KeyKind::Moment => json!("seven"),
        KeyKind::Counts => json!({"1": 2}),
    }
}

/// Each verb with each key wrong in turn, and with one that nobody knows; how many that were.
fn verbs_with_wrong_keys(hall: &Hall) -> usize {
    let mut asked = 0;
    let mut ask = |verb: &str, body: &Value| {
        hall.ask("b1", verb, body.to_string().as_bytes(), &[]);
        asked += 1;
    };
    for shape in VERBS {
        for (n, key) in shape.keys.iter().enumerate() {
            let mut body = json!({"id": format!("w-{}-{n}", shape.name), "by": "a"});
            body[key.name] = wrong(key);
            ask(shape.name, &body);
        }
        ask(shape.name, &json!({"id": format!("o-{}", shape.name), "by": "a", "nonsense": 1}));
        if CHOICES.contains(&shape.name) {
            ask(shape.name, &json!({"id": format!("n-{}", shape.name), "by": "a"}));
        }
    }
    asked
}

#[test]
fn each_is_answered_or_dropped_and_nothing_else_happens() {
    let mut hall = hall();
    let before = hall.alert();
    let mut expected = 0;
    let mut refused = |hall: &Hall, board: &str, verb: &str, payload: &[u8], more: &[&str]| {
        hall.ask(board, verb, payload, more);
        expected += 1;
    };
    for payload in [
        &b""[..],
        b"{",
        b"[]",
        b"null",
        b"\"rule\"",
        b"{}",
        &[0xff, 0xfe, 0x00],
        b"{\"id\":1}",
        b"{\"id\":\"\"}",
    ] {
        refused(&hall, "b1", "rule", payload, &[]);
    }
    // Deeper than anybody nests, longer than anybody writes.
    refused(&hall, "b1", "rule", "[".repeat(4_000).as_bytes(), &[]);
    refused(&hall, "b1", "rule", &vec![b'x'; 200_000], &[]);
    let ruling = json!({"id": "m1", "by": "a", "alert": hall.alert, "ruling": "upheld"}).to_string();
    refused(&hall, "b1", "explode", ruling.as_bytes(), &[]);
    refused(&hall, "b9", "rule", ruling.as_bytes(), &[]);
    let stale =
        json!({"id": "m2", "by": "a", "alert": hall.alert, "ruling": "upheld", "sent_ms": 1_000}).to_string();
    refused(&hall, "b1", "rule", stale.as_bytes(), &[]);
    expected += verbs_with_wrong_keys(&hall);
    hall.settled("s1");
    let answers = hall.answers();
    let bad: Vec<&Value> = answers.iter().filter(|answer| answer["ok"] == false).collect();
    let ids: Vec<String> = bad.iter().map(|answer| answer["id"].to_string()).collect();
    assert_eq!(bad.len(), expected, "each is answered once: {ids:?}");
    for answer in &bad {
        let why = answer["error"].as_str().expect("a reason");
        assert!(why.len() > 10 && why.len() < 1_200, "{answer}");
    }
    let of =
        |id: &str| answers.iter().find(|answer| answer["id"] == id).expect("answered under its id").clone();
    assert!(
        of("m1")["error"].as_str().is_some_and(|why| why.contains("no board \"b9\"") || why.contains("verb"))
    );
    assert!(of("m2")["error"].as_str().is_some_and(|why| why.contains("look again")), "{}", of("m2"));

    // Larger than the daemon takes at all: the broker does not hand it on. Retained: refused, and does nothing.
    let kilobytes = hall.memory();
    for _ in 0..5 {
        hall.ask("b1", "rule", &vec![b'x'; 2_000_000], &[]);
    }
    hall.ask("b1", "rule", ruling.as_bytes(), &["-r"]);
    hall.settled("s2");
    let retained = hall.answers().into_iter().rfind(|answer| answer["id"] == "m1").expect("it is answered");
    assert!(retained["error"].as_str().is_some_and(|why| why.contains("retained")), "{retained}");
    hall.ask("b1", "rule", b"", &["-r"]);
    assert!(hall.memory() < kilobytes + 20_000, "{} kB, was {kilobytes}", hall.memory());
    assert_eq!(hall.alert(), before, "nothing has happened to the alert");

    // What is right still works, once.
    let right = json!({"id": "r1", "by": "a", "alert": hall.alert, "ruling": "dismissed"}).to_string();
    for _ in 0..3 {
        hall.ask("b1", "rule", right.as_bytes(), &[]);
    }
    hall.settled("s3");
    let ruled: Vec<Value> = hall.answers().into_iter().filter(|answer| answer["id"] == "r1").collect();
    assert!(ruled.len() == 3 && ruled.iter().all(|answer| answer["text"] == ruled[0]["text"]), "{ruled:?}");
    let revisions: Vec<u64> = hall
        .reader
        .got()
        .iter()
        .filter(|got| got.topic.ends_with("/log") && got.payload.contains("\"ruling\":\"dismissed\""))
        .filter_map(|got| got.json()["revision"].as_u64())
        .collect();
    assert_eq!(revisions.len(), 1, "{revisions:?}");
    assert!(hall.daemon.stop(Signal::TERM).success(), "{}", hall.daemon.log());
}
