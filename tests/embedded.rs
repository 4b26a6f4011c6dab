//! The broker in the box: told to listen elsewhere than on loopback it wants a password.
#![cfg(feature = "embedded-broker")]

#[path = "common/daemon.rs"]
mod daemon;
#[path = "common/mosquitto.rs"]
mod mosquitto;
#[path = "common/pty_board.rs"]
mod pty_board;
#[path = "common/wait.rs"]
mod wait;

use daemon::Daemon;
use mosquitto::{Subscriber, free_port};
use pty_board::{PtyBoard, illegal_move};
use rustix::process::Signal;
use wait::{Scratch, wait_for};

#[test]
fn a_broker_that_others_can_reach_wants_a_password() {
    let (dir, board, port) = (Scratch::new(), PtyBoard::new(), free_port());
    let secret = dir.write("secret", "open sesame\n");
    let config = format!(
        "[broker]\nlisten = \"0.0.0.0:{port}\"\nuser = \"hall\"\npassword_file = \"{}\"\n",
        secret.display()
    );
    let mut daemon = Daemon::start(&[("b1", &board.path)], &config);
    let reader = wait_for("who has the password reads", || {
        let reader = Subscriber::start(port, "#", &["-u", "hall", "-P", "open sesame"]);
        std::thread::sleep(std::time::Duration::from_millis(700));
        reader.got().iter().any(|got| got.topic.ends_with("/status")).then_some(reader)
    });
    let nobody = Subscriber::start(port, "#", &[]);
    let wrong = Subscriber::start(port, "#", &["-u", "hall", "-P", "other"]);
    illegal_move(&board);
    reader.wait("an alert", |got| got.topic.contains("/alerts/") && !got.payload.is_empty());
    assert!(nobody.got().is_empty() && wrong.got().is_empty());
    assert!(daemon.stop(Signal::TERM).success(), "{}", daemon.log());
    assert!(!daemon.log().contains("open sesame"), "{}", daemon.log());
}

#[test]
fn without_one_it_does_not_start() {
    let board = PtyBoard::new();
    let mut daemon = Daemon::start(&[("b1", &board.path)], "[broker]\nlisten = \"0.0.0.0:0\"\n");
    assert_eq!(daemon.child.wait().unwrap().code(), Some(2));
    assert!(daemon.log().contains("listen is given without user and password"), "{}", daemon.log());
}
