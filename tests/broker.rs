//! The way to a real broker: nothing is lost, order is kept, and what is retained is the truth.
#![cfg(feature = "daemon")]

#[path = "common/mosquitto.rs"]
mod mosquitto;
#[path = "common/proxy.rs"]
mod proxy;
#[path = "common/wait.rs"]
mod wait;

use std::path::PathBuf;

use jadoube::contract::Draft;
use jadoube::daemon::config::environment::Password;
use jadoube::daemon::courier::carry;
use jadoube::daemon::host::Clock;
use jadoube::daemon::outbox::{Keep, MOST_MOVES, Message, Outbox, Post};
use jadoube::daemon::publisher::MqttPublisher;
use jadoube::daemon::roster::Roster;
use mosquitto::{Got, Mosquitto};
use proxy::Proxy;
use rustix::process::Signal;
use serde_json::{Map, Value, json};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use wait::{Scratch, wait_for};

/// The daemon's way to a broker, without boards.
struct Way {
    runtime: Runtime,
    post: Post,
    roster: Roster,
    leave: watch::Sender<bool>,
    courier: Option<JoinHandle<()>>,
    _requests: mpsc::Receiver<jadoube::daemon::publisher::Incoming>,
}

impl Way {
    fn to(port: u16, user: Option<&str>, password_file: Option<PathBuf>) -> Way {
        Way::began(7, port, user, password_file)
    }

    /// The same for a run that began then.
    fn began(epoch: u64, port: u16, user: Option<&str>, password_file: Option<PathBuf>) -> Way {
        let runtime = Runtime::new().unwrap();
        let clock = Clock::start();
        let post = Post::new(Outbox::new("jadoube", "hall", epoch));
        let roster = Roster::new(post.clone(), clock);
        roster.publish_status(true);
        let publisher = MqttPublisher {
            host: "127.0.0.1".to_owned(),
            port,
            user: user.map(str::to_owned),
            password: password_file.map(Password::File),
            tls: None,
            client_id: format!("jadoube-hall-{epoch}"),
            epoch,
            health: "jadoube/v1/hall/health".to_owned(),
            will: Message {
                topic: "jadoube/v1/hall/status".to_owned(),
                payload: br#"{"state":"offline"}"#.to_vec(),
                retain: true,
                correlation: None,
                keep: Keep::Latest,
            },
            requests: "jadoube/v1/hall/arbiter/+/request/+".to_owned(),
            alerts: "jadoube/v1/hall/arbiter/+/alerts/+".to_owned(),
        };
        let (leave, leaving) = watch::channel(false);
        let (requests, incoming) = mpsc::channel(16);
        let courier = runtime.spawn(carry(publisher, post.clone(), requests, roster.clone(), leaving));
        Way { runtime, post, roster, leave, courier: Some(courier), _requests: incoming }
    }

    fn post(&self, path: &str, retain: bool, body: Value) {
        let body = match body {
            Value::Object(body) => Some(body),
            _ => None,
        };
        self.post.post(Draft { path: path.to_owned(), retain, body });
    }

    fn log(&self, n: u64) {
        self.post("arbiter/b1/log", false, json!({ "n": n }));
    }

    fn delivered(&self) {
        wait_for("everything is acknowledged", || self.post.with(|outbox| outbox.is_empty()).then_some(()));
    }

    fn goodbye(mut self) {
        self.roster.publish_status(false);
        self.leave.send(true).unwrap();
        let courier = self.courier.take().unwrap();
        self.runtime.block_on(courier).unwrap();
    }
}

/// The numbers of the log, without repeats that follow.
fn numbers(got: &[Got]) -> Vec<u64> {
    let mut seen = Vec::new();
    for message in got.iter().filter(|message| message.topic.ends_with("/log")) {
        let n = message.json()["n"].as_u64().unwrap();
        if !seen.contains(&n) {
            seen.push(n);
        }
    }
    seen
}

fn online(got: &Got) -> bool {
    got.topic == "jadoube/v1/hall/status" && got.payload.contains("online")
}

fn offline(got: &Got) -> bool {
    got.topic == "jadoube/v1/hall/status" && got.payload.contains("offline")
}

/// All that a broker keeps, asked by a new subscriber.
fn retained(broker: &Mosquitto) -> Vec<(String, Value)> {
    // Retained messages come before anything published after the subscription was made.
    let subscriber = broker.subscribe("#", &[]);
    let mark = "mark/end";
    wait_for("the mark comes", || {
        broker.publish(mark, "{}", &[]);
        subscriber.got().iter().any(|got| got.topic == mark).then_some(())
    });
    let got = subscriber.got();
    got.iter().filter(|got| got.retained).map(|got| (got.topic.clone(), got.json())).collect()
}

#[test]
fn birth_and_will_and_goodbye_are_retained() {
    let broker = Mosquitto::started(false, "allow_anonymous true");
    let subscriber = broker.subscribe("jadoube/v1/hall/#", &[]);
    let way = Way::to(broker.port, None, None);
    subscriber.wait("online", online);
    way.delivered();
    // Gone without a word: the broker says so.
    way.courier.as_ref().unwrap().abort();
    subscriber.wait("the will", offline);
    drop(way);

    let way = Way::to(broker.port, None, None);
    wait_for("online again", || subscriber.got().last().filter(|got| online(got)).map(|_| ()));
    way.goodbye();
    let last = wait_for("offline", || subscriber.got().last().filter(|got| offline(got)).cloned());
    assert_eq!(last.json()["schema"], "jadoube.status/1", "not the will: {last:?}");
    assert_eq!(retained(&broker).len(), 1);
}

#[test]
fn a_wrong_password_is_waited_for() {
    let mut broker = Mosquitto::prepare(false, "allow_anonymous false\npassword_file DIR/passwords");
    broker.password("arbiter", "right");
    broker.start();
    let subscriber = broker.subscribe("jadoube/#", &["-u", "arbiter", "-P", "right"]);
    let dir = Scratch::new();
    let file = dir.write("password", "wrong\n");
    let way = Way::to(broker.port, Some("arbiter"), Some(file.clone()));
    (1..=3).for_each(|n| way.log(n));
    let why = wait_for("the reason is told", || way.roster.condition("broker"));
    assert!(why.contains("refuses user \"arbiter\"") && why.contains("password_file"), "{why}");
    assert!(subscriber.got().is_empty());
    std::fs::write(&file, "right\n").unwrap();
    subscriber.wait("the log", |got| got.payload.contains("\"n\":3"));
    assert_eq!(numbers(&subscriber.got()), [1, 2, 3]);
    way.delivered();
}

#[test]
fn a_broker_that_is_away_at_first_gets_everything_in_order() {
    let mut broker = Mosquitto::prepare(true, "allow_anonymous true");
    let way = Way::to(broker.port, None, None);
    (1..=500).for_each(|n| way.log(n));
    way.post("arbiter/b1/alerts/a", true, json!({"revision": 0}));
    way.post("arbiter/b1/alerts/a", true, json!({"revision": 1}));
    // The subscriber has its session before the daemon connects again.
    broker.start();
    let again = broker.subscribe("jadoube/#", &["-c", "-i", "console"]);
    way.delivered();
    (501..=1000).for_each(|n| way.log(n));
    way.delivered();
    again.wait("the last one", |got| got.payload.contains("\"n\":1000"));
    let numbers = numbers(&again.got());
    assert!(numbers.is_sorted(), "{numbers:?}");
    let alerts: Vec<_> = retained(&broker).into_iter().filter(|(topic, _)| topic.ends_with("/a")).collect();
    assert_eq!(alerts.len(), 1);
    assert_eq!(alerts[0].1["revision"], 1);
}

#[test]
fn a_broker_that_restarts_loses_nothing_for_a_kept_session() {
    let mut broker = Mosquitto::started(true, "allow_anonymous true\nmax_queued_messages 0");
    let subscriber = broker.subscribe("jadoube/#", &["-c", "-i", "console"]);
    let way = Way::to(broker.port, None, None);
    subscriber.wait("online", online);
    let total = 1_500;
    let posting = {
        let post = way.post.clone();
        std::thread::spawn(move || {
            for n in 1..=total {
                let body = Map::from_iter([("n".to_owned(), Value::from(n))]);
                post.post(Draft { path: "arbiter/b1/log".to_owned(), retain: false, body: Some(body) });
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
        })
    };
    for so_many in [200, 700] {
        wait_for("some have come", || (numbers(&subscriber.got()).len() >= so_many).then_some(()));
        broker.stop(Signal::TERM);
        broker.start();
    }
    posting.join().unwrap();
    way.delivered();
    let all: Vec<u64> = (1..=total).collect();
    wait_for("all have come", || (numbers(&subscriber.got()).len() == all.len()).then_some(()));
    assert_eq!(numbers(&subscriber.got()), all, "in order, after dropping repeats");
}

#[test]
fn a_broker_that_was_killed_is_told_the_whole_truth_again() {
    let mut broker = Mosquitto::started(false, "allow_anonymous true");
    let way = Way::to(broker.port, None, None);
    for id in ["a", "b", "c"] {
        way.post(&format!("arbiter/b1/alerts/{id}"), true, json!({"revision": 0}));
    }
    way.post("arbiter/b1/alerts/b", true, Value::Null);
    way.delivered();
    broker.stop(Signal::KILL);
    way.post("arbiter/b1/alerts/c", true, json!({"revision": 1}));
    way.post("arbiter/b1/alerts/d", true, json!({"revision": 0}));
    way.log(1);
    broker.start();
    way.delivered();
    let kept = retained(&broker);
    let alerts: Vec<_> = kept
        .iter()
        .filter_map(|(topic, body)| Some((topic.split_once("/alerts/")?.1, body["revision"].as_u64()?)))
        .collect();
    assert_eq!(alerts, [("a", 0), ("c", 1), ("d", 0)]);
    assert!(kept.iter().any(|(topic, _)| topic.ends_with("/status")));
}

#[test]
fn a_topic_the_broker_refuses_does_not_stop_the_others() {
    let broker = Mosquitto::prepare(false, "allow_anonymous true\nacl_file DIR/acl");
    broker.dir.write(
        "acl",
        "topic readwrite jadoube/v1/hall/status\ntopic readwrite jadoube/v1/hall/arbiter/#\ntopic read #\n",
    );
    let mut broker = broker;
    broker.start();
    let subscriber = broker.subscribe("jadoube/#", &[]);
    let way = Way::to(broker.port, None, None);
    subscriber.wait("online", online);
    way.post("broadcast/b1/move", false, json!({"ply": 1}));
    (1..=3).for_each(|n| way.log(n));
    subscriber.wait("the log", |got| got.payload.contains("\"n\":3"));
    wait_for("only the refused move waits", || {
        let depth = way.post.with(|outbox| outbox.depth());
        (depth.refused > 0 && depth.waiting == 1).then_some(())
    });
}

#[test]
fn alerts_of_an_earlier_run_are_closed_on_the_log_and_cleared() {
    let broker = Mosquitto::started(false, "allow_anonymous true");
    let topic = |id: &str| format!("jadoube/v1/hall/arbiter/b1/alerts/{id}");
    let old = r#"{"schema":"jadoube.alert/1","id":"old","revision":2,"state":"open","epoch":3,"seq":9}"#;
    broker.publish(&topic("old"), old, &["-r"]);
    broker.publish(&topic("junk"), "x", &["-r"]);
    broker.publish(&topic("mine"), &old.replace(":3", ":7"), &["-r"]);
    let all = broker.subscribe("jadoube/v1/hall/arbiter/#", &[]);
    all.wait("it is there", |got| got.topic == topic("mine"));
    let way = Way::to(broker.port, None, None);
    way.post("arbiter/b1/alerts/new", true, json!({"revision": 0}));
    for id in ["old", "junk"] {
        all.wait("it is cleared", |got| got.topic == topic(id) && got.payload.is_empty());
    }
    let log: Vec<_> = all.got().into_iter().filter(|got| got.topic.ends_with("/log")).collect();
    assert_eq!(log.len(), 1, "{log:?}");
    let closed = json!({
        "schema": "jadoube.alert/1", "id": "old", "revision": 3, "state": "closed",
        "epoch": 7, "seq": log[0].json()["seq"], "closed_by": "restart",
    });
    assert_eq!(log[0].json(), closed);
    way.delivered();
    way.goodbye();
    let kept = retained(&broker);
    let kept: Vec<_> =
        kept.iter().filter_map(|(topic, _)| topic.split_once("/alerts/")).map(|kept| kept.1).collect();
    assert_eq!(kept, ["mine", "new"]);
}

#[test]
fn a_client_of_the_same_name_is_named_and_given_way_to() {
    let broker = Mosquitto::started(false, "allow_anonymous true");
    let status = broker.subscribe("jadoube/v1/hall/status", &[]);
    let (first, second) = (Way::to(broker.port, None, None), Way::to(broker.port, None, None));
    // How it is noticed depends on whether the broker gives the reason before it closes.
    let wanted = "another client named \"jadoube-hall-7\" has taken over";
    for way in [&first, &second] {
        wait_for("it is said", || way.roster.condition("broker-rival").filter(|why| why.contains(wanted)));
    }
    std::thread::sleep(std::time::Duration::from_secs(5));
    let connections = status.got().iter().filter(|got| online(got)).count();
    assert!(connections < 20, "{connections}: they wait longer and longer");
}

#[test]
fn an_old_memory_of_the_broker_is_put_right() {
    let mut broker = Mosquitto::started(true, "allow_anonymous true");
    let way = Way::to(broker.port, None, None);
    for id in ["a", "b"] {
        way.post(&format!("arbiter/b1/alerts/{id}"), true, json!({"revision": 0}));
    }
    way.delivered();
    broker.stop(Signal::TERM);
    let memory = broker.dir.path().join("mosquitto.db");
    let old = std::fs::read(&memory).unwrap();
    broker.start();
    way.post("arbiter/b1/alerts/b", true, Value::Null);
    way.post("arbiter/b1/alerts/a", true, json!({"revision": 1}));
    way.delivered();
    broker.stop(Signal::KILL);
    std::fs::write(&memory, old).unwrap();
    broker.start();
    let alerts = || {
        let kept = retained(&broker).into_iter();
        kept.filter_map(|(topic, body)| {
            Some((topic.split_once("/alerts/")?.1.to_owned(), body["revision"].clone()))
        })
        .collect::<Vec<_>>()
    };
    wait_for("the truth is told again", || (alerts() == [("a".to_owned(), json!(1))]).then_some(()));
}

#[test]
fn what_waits_for_a_broker_that_reads_no_more_is_bounded_and_comes_in_order() {
    let broker = Mosquitto::started(false, "allow_anonymous true\nmax_queued_messages 0");
    let subscriber = broker.subscribe("jadoube/#", &["-c", "-i", "console"]);
    let proxy = Proxy::to(broker.port);
    let way = Way::to(proxy.port, None, None);
    subscriber.wait("online", online);
    way.delivered();
    proxy.stall(true);
    let (logs, moves) = (2_000, MOST_MOVES as u64 + 4_000);
    let mut most = 0;
    for n in 1..=moves {
        way.post("broadcast/b1/move", false, json!({ "n": n }));
        way.post("arbiter/b1/state", true, json!({ "n": n }));
        if n <= logs {
            way.log(n);
        }
        most = most.max(way.post.with(|outbox| outbox.depth()).in_flight);
    }
    // Moves that are on their way, and the state before the last, are not dropped.
    let depth = way.post.with(|outbox| outbox.depth());
    assert!(most <= 64 && depth.waiting <= MOST_MOVES + 2_000 + 2 * 64, "{most} {depth:?}");
    let room = (moves - depth.dropped) as usize;
    assert!((MOST_MOVES..MOST_MOVES + 64).contains(&room), "the oldest go, and no more than must: {depth:?}");
    proxy.stall(false);
    way.delivered();
    let last = format!("\"n\":{moves},");
    subscriber.wait("the last move", |got| got.topic.ends_with("/move") && got.payload.contains(&last));
    assert_eq!(numbers(&subscriber.got()), (1..=logs).collect::<Vec<_>>());
    let mut of_moves: Vec<u64> = Vec::new();
    for got in subscriber.got().iter().filter(|got| got.topic.ends_with("/move")) {
        of_moves.push(got.json()["n"].as_u64().unwrap());
    }
    let again = of_moves.windows(2).filter(|pair| pair[0] >= pair[1]).count();
    assert!(again <= 1, "in order; at most once from what was not acknowledged on");
    assert!(of_moves.len() >= MOST_MOVES, "{}", of_moves.len());
}

#[test]
fn of_two_that_begin_at_once_one_speaks_in_the_end() {
    let broker = Mosquitto::started(false, "allow_anonymous true");
    let status = broker.subscribe("jadoube/v1/hall/status", &[]);
    let ways = [Way::began(8, broker.port, None, None), Way::began(9, broker.port, None, None)];
    let silent = |way: &Way| way.roster.condition("broker-rival").is_some();
    let quiet = wait_for("one is silent", || ways.iter().position(silent));
    let other = 1 - quiet;
    ways[other].log(1);
    ways[other].delivered();
    ways[quiet].log(2);
    std::thread::sleep(std::time::Duration::from_secs(1));
    assert!(!silent(&ways[other]) && ways[quiet].post.with(|outbox| !outbox.is_empty()));
    let last = status.got().last().unwrap().json();
    assert_eq!((&last["state"], &last["epoch"]), (&json!("online"), &json!([8, 9][other])), "{last}");
}
