//! From a board's bytes to an arbiter's subscriber and back: an illegal move is pressed, arrives
//! as a retained alert, is ruled on and goes away.
#![cfg(feature = "daemon")]

#[path = "common/mosquitto.rs"]
mod mosquitto;
#[path = "common/pty_board.rs"]
mod pty_board;
#[path = "common/wait.rs"]
mod wait;

use jadoube::contract::drafts;
use jadoube::daemon::config::{Board, Broker, Config, Event};
use jadoube::daemon::room;
use jadoube::events::{BoardId, TimeControl, TopicPart};
use jadoube::journal::{Entry, Reader, Shown};
use jadoube::table::{Effects, Table};
use jadoube_dgt::Side;
use mosquitto::{Mosquitto, Subscriber};
use pty_board::{PtyBoard, clock, illegal_move, legal_move};
use tokio::runtime::Runtime;
use wait::{Scratch, wait_for};

fn config(board: &PtyBoard, dir: &Scratch, broker: Broker) -> Config {
    let time = TimeControl { base_s: 5400, inc_s: 30, bonus: None, increment_on_first_move: false };
    Config {
        event: Event {
            name: None,
            ruleset: "fide-2023/standard".to_owned(),
            rules: Vec::new(),
            time_control: Some(time),
            shadow: jadoube::events::Shadow::default(),
            mating: jadoube::mating::Budget::DECIDES,
            escalate: jadoube::tick::Span::ZERO,
        },
        boards: vec![Board {
            id: BoardId::new("b1").unwrap(),
            port: Some(board.path.clone()),
            serial: None,
            white_sits: None,
            arbiter: None,
            shadow: None,
            hold: false,
        }],
        look_in: None,
        delay: jadoube::contract::Delay::default(),
        records: None,
        broker,
        metrics: None,
        node: TopicPart::new("hall").unwrap(),
        root: TopicPart::new("jadoube").unwrap(),
        journal_dir: dir.path().join("journal"),
        keep: None,
        resume: std::time::Duration::ZERO,
    }
}

#[test]
fn an_illegal_move_reaches_the_arbiter_and_a_ruling_closes_it() {
    let board = PtyBoard::new();
    let dir = Scratch::new();
    let broker = Mosquitto::started(false, "allow_anonymous true");
    let arbiter = broker.subscribe("jadoube/v1/hall/arbiter/#", &[]);
    let public = broker.subscribe("jadoube/v1/hall/broadcast/#", &[]);
    let own = broker.subscribe("console/1", &[]);
    let runtime = Runtime::new().unwrap();
    let remote = Broker::Remote {
        host: "127.0.0.1".to_owned(),
        port: broker.port,
        user: None,
        password: None,
        tls: None,
    };
    let room = runtime.block_on(room::start(config(&board, &dir, remote))).unwrap();
    wait_for("the board is asked", || board.heard().contains(&jadoube_dgt::Command::Version).then_some(()));
    illegal_move(&board);

    let open = |got: &mosquitto::Got| got.topic.contains("/alerts/") && !got.payload.is_empty();
    let alert = arbiter.wait("the alert", |got| open(got) && got.payload.contains("illegal-move"));
    let body = alert.json();
    for key in ["schema", "epoch", "seq", "id", "revision", "head", "restore", "steps", "evidence"] {
        assert!(!body[key].is_null(), "{key}: {body}");
    }
    assert_eq!((body["code"].as_str(), body["side"].as_str()), (Some("illegal-move"), Some("white")));
    assert_eq!(body["epoch"], room.epoch());
    let logged = arbiter.wait("the log has it too", |got| {
        got.topic.ends_with("/log") && got.payload.contains("illegal-move")
    });
    assert_eq!(logged.json()["id"], body["id"]);
    let late = broker.subscribe("jadoube/v1/hall/arbiter/+/alerts/#", &[]);
    assert!(late.wait("it is retained", |got| got.topic == alert.topic).retained);

    let ask = format!(r#"{{"id":"r1","by":"arbiter","alert":{},"ruling":"upheld"}}"#, body["id"]);
    let more = ["-D", "publish", "response-topic", "console/1", "-D", "publish", "correlation-data", "c1"];
    broker.publish("jadoube/v1/hall/arbiter/b1/request/rule", &ask, &more);
    let answer = arbiter.wait("the answer", |got| got.topic.ends_with("/response/rule"));
    assert_eq!((&answer.json()["id"], &answer.json()["ok"]), (&"r1".into(), &true.into()), "{answer:?}");
    assert_eq!(own.wait("at the topic of one's own", |_| true).correlation, "c1");
    arbiter.wait("the alert is cleared", |got| got.topic == alert.topic && got.payload.is_empty());

    assert_nothing_for_players(&public);
    runtime.block_on(room.stop());
    let text = std::fs::read_to_string(journal(&dir)).unwrap();
    for kind in ["\"kind\":\"shown\"", "\"kind\":\"request\"", "\"kind\":\"response\""] {
        assert!(text.contains(kind), "{kind}");
    }
    assert_eq!(shown_again(&text), shown(&text), "the journal alone gives what was shown");
}

/// What the journal says was shown, in order.
fn shown(journal: &str) -> Vec<Shown> {
    let mut reader = Reader::new();
    let records = journal.lines().map(|line| reader.read_line(line).unwrap());
    let shown = records.filter_map(|record| match record.entry {
        Entry::Shown(shown) => Some(shown),
        _ => None,
    });
    shown.collect()
}

/// What a table shows that is given the journal's inputs again.
fn shown_again(journal: &str) -> Vec<Shown> {
    let (mut reader, mut table, mut shown) = (Reader::new(), Table::new(), Vec::new());
    let board = BoardId::new("b1").unwrap();
    for line in journal.lines() {
        if let Some((at, input)) = reader.read_line(line).unwrap().input() {
            let mut effects = Effects::default();
            table.step(at, input, &mut effects);
            let told = effects.publish.iter().filter(|item| !drafts(item, &board).is_empty());
            shown.extend(told.filter_map(Shown::of));
        }
    }
    assert!(!shown.is_empty());
    shown
}

fn assert_nothing_for_players(public: &Subscriber) {
    public.wait("the move is broadcast", |got| got.topic.ends_with("/move") && got.payload.contains("e2e4"));
    for got in public.got() {
        for word in ["illegal", "press", "alert"] {
            assert!(!got.payload.contains(word), "{word}: {got:?}");
        }
    }
}

#[test]
fn the_embedded_broker_serves_a_room_without_one() {
    let board = PtyBoard::new();
    let dir = Scratch::new();
    let runtime = Runtime::new().unwrap();
    let room = runtime.block_on(room::start(config(&board, &dir, Broker::Embedded { port: 0 }))).unwrap();
    let address = room.broker_address().unwrap();
    assert!(address.ip().is_loopback());
    let arbiter = Subscriber::start(address.port(), "jadoube/v1/hall/#", &[]);
    arbiter.wait("online", |got| got.topic.ends_with("/status") && got.payload.contains("online"));
    illegal_move(&board);
    arbiter.wait("the alert", |got| got.topic.contains("/alerts/") && got.payload.contains("illegal-move"));
    runtime.block_on(room.stop());
    arbiter.wait("offline", |got| got.topic.ends_with("/status") && got.payload.contains("offline"));
}

/// White's time runs out: the alert goes out at once, and its revision says whether Black can mate.
#[test]
fn the_answer_to_the_mating_question_revises_the_alert() {
    let board = PtyBoard::new();
    let dir = Scratch::new();
    let runtime = Runtime::new().unwrap();
    let room = runtime.block_on(room::start(config(&board, &dir, Broker::Embedded { port: 0 }))).unwrap();
    let arbiter = Subscriber::start(room.broker_address().unwrap().port(), "jadoube/v1/hall/#", &[]);
    wait_for("the board is asked", || board.heard().contains(&jadoube_dgt::Command::Version).then_some(()));
    legal_move(&board);
    for _ in 0..2 {
        // Once more, for a single zero may be a damaged reading.
        board.say(&clock(5425, 0, Side::Right));
        std::thread::sleep(std::time::Duration::from_millis(300));
    }
    let flag = |got: &mosquitto::Got| got.topic.ends_with("/log") && got.payload.contains("flag-fall");
    let first = arbiter.wait("the alert", flag).json();
    assert_eq!(first["mating"]["answer"], "not-proven", "it does not wait for the solver");
    let answered = |got: &mosquitto::Got| flag(got) && got.payload.contains("\"answer\":\"yes\"");
    let revised = arbiter.wait("its revision", answered).json();
    assert_eq!(revised["id"], first["id"]);
    assert!(revised["revision"].as_u64() > first["revision"].as_u64());
    assert!(revised["mating"]["text"].as_str().unwrap().starts_with("White: yes, by 1..."), "{revised}");
    runtime.block_on(room.stop());

    let journal = journal(&dir);
    let text = std::fs::read_to_string(&journal).unwrap();
    assert_eq!(shown_again(&text), shown(&text), "the answer is in the journal");
    // Killed before the answer came: a replay asks again.
    let killed = text.split_inclusive('\n').take_while(|line| !line.contains("\"kind\":\"answer\""));
    let cut = dir.write("cut.jsonl", &killed.collect::<String>());
    let replayed = std::process::Command::new(env!("CARGO_BIN_EXE_jadoube")).arg("replay").arg(cut).output();
    let card = String::from_utf8(replayed.unwrap().stdout).unwrap();
    assert!(card.contains("White: yes, by 1..."), "{card}");
}

fn journal(dir: &Scratch) -> std::path::PathBuf {
    let mut files = std::fs::read_dir(dir.path().join("journal")).unwrap().map(|entry| entry.unwrap().path());
    files.find(|path| path.extension().is_some_and(|end| end == "jsonl")).unwrap()
}
