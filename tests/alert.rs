//! From a board's bytes to an arbiter's subscriber and back: an illegal move is pressed, arrives
//! as a retained alert, is ruled on and goes away.
#![cfg(feature = "daemon")]

#[path = "common/mosquitto.rs"]
mod mosquitto;
#[path = "common/pty_board.rs"]
mod pty_board;
#[path = "common/wait.rs"]
mod wait;

use std::time::Duration;

use jadoube::daemon::config::{Board, Broker, Config, Event};
use jadoube::daemon::room;
use jadoube::events::{BoardId, TimeControl, TopicPart};
use jadoube_dgt::{ClockReport, Lever, Message, PieceCode, Side, SideTime};
use mosquitto::{Mosquitto, Subscriber};
use pty_board::{PtyBoard, change};
use tokio::runtime::Runtime;
use wait::{Scratch, wait_for};

fn config(board: &PtyBoard, dir: &Scratch, broker: Broker) -> Config {
    let time = TimeControl { base_s: 5400, inc_s: 30, bonus: None, increment_on_first_move: false };
    Config {
        event: Event { ruleset: "fide-2023/standard".to_owned(), time_control: Some(time) },
        boards: vec![Board { id: BoardId::new("b1").unwrap(), port: board.path.clone() }],
        broker,
        node: TopicPart::new("hall").unwrap(),
        root: TopicPart::new("jadoube").unwrap(),
        journal_dir: dir.path().join("journal"),
    }
}

/// The clock; White sits at its left end.
fn clock(white_s: u32, black_s: u32, to_move: Side) -> Message<'static> {
    Message::Clock(ClockReport {
        left: SideTime::from_seconds(white_s).unwrap(),
        right: SideTime::from_seconds(black_s).unwrap(),
        running: true,
        lever: Lever::while_moving(to_move),
        battery_low: false,
        turn_bit_3: to_move == Side::Right,
        turn_bit_4: to_move == Side::Left,
    })
}

/// A piece goes from one field to another, as slowly as a hand.
fn play(board: &PtyBoard, from: u8, to: u8, piece: PieceCode) {
    board.say(&change(from, PieceCode::EMPTY));
    std::thread::sleep(Duration::from_millis(250));
    board.say(&change(to, piece));
    std::thread::sleep(Duration::from_millis(400));
}

fn illegal_move(board: &PtyBoard) {
    board.say(&clock(5400, 5400, Side::Left));
    std::thread::sleep(Duration::from_millis(600));
    // e2-e4, e7-e5, and a rook over its pawn, a1-a3; each with the clock pressed.
    play(board, 52, 36, PieceCode::WHITE_PAWN);
    board.say(&clock(5425, 5400, Side::Right));
    play(board, 12, 28, PieceCode::BLACK_PAWN);
    board.say(&clock(5425, 5425, Side::Left));
    play(board, 56, 40, PieceCode::WHITE_ROOK);
    board.say(&clock(5450, 5425, Side::Right));
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
    let remote =
        Broker::Remote { host: "127.0.0.1".to_owned(), port: broker.port, user: None, password_file: None };
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
    let journal = std::fs::read_dir(dir.path().join("journal")).unwrap().next().unwrap().unwrap().path();
    let text = std::fs::read_to_string(journal).unwrap();
    for kind in ["\"kind\":\"shown\"", "\"kind\":\"request\"", "\"kind\":\"response\""] {
        assert!(text.contains(kind), "{kind}");
    }
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
