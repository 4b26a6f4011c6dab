//! The access lists that are delivered, against a real mosquitto: who reads what, and whose requests count.
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
use mosquitto::{Got, Mosquitto, Subscriber};
use pty_board::{PtyBoard, illegal_move};
use rustix::process::Signal;
use wait::wait_for;

const ACL: &str = include_str!("../systemd/mosquitto/jadoube.acl");
/// The users of the list, and one that is not in it.
const USERS: [&str; 5] = ["jadoube", "arbiter", "operator", "spectator", "guest"];

struct Hall {
    broker: Mosquitto,
    daemon: Daemon,
    board: PtyBoard,
}

/// A hall with an alert on board b1.
fn hall() -> Hall {
    let mut broker =
        Mosquitto::prepare(false, "allow_anonymous false\npassword_file DIR/passwords\nacl_file DIR/acl");
    broker.dir.write("acl", ACL);
    broker.dir.write("secret", "of-jadoube\n");
    for user in USERS {
        broker.password(user, &format!("of-{user}"));
    }
    broker.start();
    let board = PtyBoard::new();
    let config = format!(
        "[broker]\nhost = \"127.0.0.1\"\nport = {}\nuser = \"jadoube\"\npassword_file = \"{}\"\n",
        broker.port,
        broker.dir.path().join("secret").display()
    );
    let daemon = Daemon::start(&[("b1", &board.path)], &config);
    Hall { broker, daemon, board }
}

impl Hall {
    fn reads(&self, user: &str, topic: &str) -> Subscriber {
        self.broker.subscribe(topic, &["-u", user, "-P", &format!("of-{user}")])
    }

    /// Asks as `user`; what the broker does with it is not told to the asker under MQTT 3.1.1.
    fn asks(&self, user: &str, verb: &str, payload: &str) {
        let topic = format!("jadoube/v1/hall/arbiter/b1/request/{verb}");
        self.broker.publish(&topic, payload, &["-V", "311", "-u", user, "-P", &format!("of-{user}")]);
    }
}

/// The first levels below the node, of all that came.
fn trees(subscriber: &Subscriber) -> Vec<String> {
    let tree = |got: Got| {
        let path = got.topic.strip_prefix("jadoube/v1/hall/").unwrap_or("another root").to_owned();
        path.split('/').next().unwrap_or_default().to_owned()
    };
    let mut trees: Vec<String> = subscriber.got().into_iter().map(tree).collect();
    trees.sort();
    trees.dedup();
    trees
}

#[test]
fn each_reads_what_he_may_and_requests_without_rights_change_nothing() {
    let mut hall = hall();
    let spectator = hall.reads("spectator", "#");
    let guest = hall.reads("guest", "#");
    let operator = hall.reads("operator", "#");
    let arbiter = hall.reads("arbiter", "jadoube/#");
    wait_for("the board is heard", || {
        arbiter.got().iter().any(|got| got.payload.contains("\"link\":\"up\"")).then_some(())
    });
    illegal_move(&hall.board);
    let alert = arbiter.wait("an alert", |got| got.topic.contains("/alerts/") && !got.payload.is_empty());
    let id = alert.json()["id"].as_str().expect("an id").to_owned();
    wait_for("the public has a move", || {
        spectator.got().iter().any(|got| got.topic.ends_with("/game")).then_some(())
    });

    // Whoever has no right to ask is not heard: the ruling of an arbiter after them is the first.
    let ask = |id_of: &str| {
        format!("{{\"id\":\"{id_of}\",\"by\":\"{id_of}\",\"alert\":\"{id}\",\"ruling\":\"dismissed\"}}")
    };
    for user in ["spectator", "guest", "operator"] {
        hall.asks(user, "rule", &ask(user));
    }
    // What an operator may ask is done.
    hall.asks("operator", "zone", "{\"id\":\"z1\",\"by\":\"operator\",\"arbiter\":\"north\"}");
    arbiter.wait("the operator is answered", |got| {
        got.topic.ends_with("/response/zone") && got.payload.contains("z1")
    });
    hall.asks("arbiter", "rule", &ask("arbiter"));
    let answer = arbiter.wait("the arbiter is answered", |got| got.topic.ends_with("/response/rule"));
    assert_eq!((answer.json()["id"].as_str(), answer.json()["ok"].as_bool()), (Some("arbiter"), Some(true)));
    let ruled = arbiter
        .wait("it is ruled on", |got| got.topic.ends_with("/log") && got.payload.contains("\"ruling\":{"));
    assert_eq!(ruled.json()["ruling"]["by"], "arbiter");
    let answers = arbiter.got().into_iter().filter(|got| got.topic.contains("/response/rule")).count();
    assert_eq!(answers, 1, "nobody else was answered");

    assert_eq!(trees(&spectator), ["broadcast", "status"]);
    assert!(guest.got().is_empty(), "{:?}", guest.got());
    let secret = |got: &Got| got.topic.contains("/alerts/") || got.topic.ends_with("/log");
    assert!(!operator.got().iter().any(secret), "{:?}", operator.got());
    assert_eq!(trees(&operator), ["arbiter", "boards", "broadcast", "health", "status"]);
    assert!(hall.daemon.stop(Signal::TERM).success(), "{}", hall.daemon.log());
    assert!(!hall.daemon.log().contains("of-jadoube"), "a password is in the log");
}

#[test]
fn who_has_no_name_reads_nothing() {
    let mut hall = hall();
    let arbiter = hall.reads("arbiter", "jadoube/#");
    arbiter.wait("the daemon is there", |got| got.topic.ends_with("/status"));
    let nobody = hall.broker.subscribe("#", &[]);
    let wrong = hall.broker.subscribe("#", &["-u", "arbiter", "-P", "wrong"]);
    illegal_move(&hall.board);
    arbiter.wait("an alert", |got| got.topic.contains("/alerts/"));
    assert!(nobody.got().is_empty() && wrong.got().is_empty());
    assert!(hall.daemon.stop(Signal::TERM).success());
}

/// Every verb is one that an arbiter may ask for, and each that an operator is given exists.
#[test]
fn the_list_knows_the_verbs() {
    let verbs: Vec<&str> =
        ACL.lines().filter_map(|line| line.rsplit_once("/request/")).map(|(_, verb)| verb).collect();
    assert!(verbs.contains(&"+") && verbs.len() > 4, "{verbs:?}");
    for verb in verbs.into_iter().filter(|verb| *verb != "+") {
        assert!(jadoube::alerts::VERBS.iter().any(|shape| shape.name == verb), "{verb}");
    }
}
