//! Two daemons of one node name: one speaks, the other waits, and nobody is left out for ever.
#![cfg(feature = "daemon")]

#[path = "common/daemon.rs"]
mod daemon;
#[path = "common/mosquitto.rs"]
mod mosquitto;
#[path = "common/wait.rs"]
mod wait;

use std::path::Path;
use std::time::{Duration, Instant};

use daemon::Daemon;
use mosquitto::{Mosquitto, Subscriber};
use rustix::process::Signal;
use wait::wait_for;

/// What was said on `status`, each with the start of its run.
fn said(status: &Subscriber) -> Vec<(String, u64)> {
    let read = |got: mosquitto::Got| {
        let body = got.json();
        (body["state"].as_str().unwrap().to_owned(), body["epoch"].as_u64().unwrap())
    };
    status.got().into_iter().map(read).collect()
}

fn start(broker: &Mosquitto) -> Daemon {
    let to = format!("[broker]\nhost = \"127.0.0.1\"\nport = {}\n", broker.port);
    Daemon::start(&[("b1", Path::new("/nonexistent/board"))], &to)
}

fn waits(daemon: &Daemon) {
    wait_for("it waits", || daemon.log().contains("is online under this node name").then_some(()));
}

#[test]
fn a_second_daemon_of_a_node_name_is_refused_until_the_first_is_gone() {
    let broker = Mosquitto::started(false, "allow_anonymous true");
    let status = broker.subscribe("jadoube/v1/hall/status", &[]);
    let all = broker.subscribe("jadoube/v1/hall/#", &[]);
    let so_many = |n: usize| wait_for("status", || Some(said(&status)).filter(|said| said.len() >= n));
    let mut first = start(&broker);
    let a = so_many(1)[0].1;
    let mut second = start(&broker);
    waits(&second);
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(said(&status), [("online".to_owned(), a)], "the first one keeps its connection");
    assert!(!first.log().contains("is lost"), "{}", first.log());
    let strange = all.got().into_iter().find(|got| !got.payload.is_empty() && got.json()["epoch"] != a);
    assert_eq!(strange, None, "the second one publishes nothing");
    assert!(!second.board_journals().is_empty(), "its boards are journalled all the same");

    // Killed: the broker says so, and who waits is next.
    first.stop(Signal::KILL);
    let b = so_many(3)[2].1;
    assert!(b != a);
    first.again();
    waits(&first);
    // Ended in good order: the same.
    second.stop(Signal::TERM);
    let c = so_many(5)[4].1;
    let states = [("online", a), ("offline", a), ("online", b), ("offline", b), ("online", c)];
    assert_eq!(said(&status), states.map(|(state, epoch)| (state.to_owned(), epoch)));
}

#[test]
fn one_that_waits_ends_at_once_when_it_is_told_to_and_says_nothing() {
    let broker = Mosquitto::started(false, "allow_anonymous true");
    let status = broker.subscribe("jadoube/v1/hall/status", &[]);
    let _first = start(&broker);
    status.wait("the first is online", |got| got.payload.contains("online"));
    let mut second = start(&broker);
    waits(&second);
    let began = Instant::now();
    assert!(second.stop(Signal::TERM).success());
    assert!(began.elapsed() < Duration::from_secs(10));
    assert_eq!(said(&status).len(), 1);
}

#[test]
fn a_daemon_that_is_started_again_after_a_kill_is_in_at_once() {
    let broker = Mosquitto::started(true, "allow_anonymous true");
    let status = broker.subscribe("jadoube/v1/hall/status", &[]);
    let mut daemon = start(&broker);
    status.wait("online", |got| got.payload.contains("online"));
    daemon.stop(Signal::KILL);
    let began = Instant::now();
    daemon.again();
    wait_for("online again", || {
        (said(&status).iter().filter(|said| said.0 == "online").count() == 2).then_some(())
    });
    // The keep-alive of five seconds, and one and a half times that at the broker.
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}
