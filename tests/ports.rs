//! Boards that are known by their serial numbers: found wherever they are plugged in, never taken for
//! each other.
#![cfg(feature = "daemon")]

#[path = "common/daemon.rs"]
mod daemon;
#[path = "common/mosquitto.rs"]
mod mosquitto;
#[path = "common/pty_board.rs"]
mod pty_board;
#[path = "common/wait.rs"]
mod wait;

use std::path::Path;

use daemon::Daemon;
use jadoube_dgt::Command;
use mosquitto::{Mosquitto, Subscriber};
use pty_board::{PtyBoard, legal_move};
use wait::{Scratch, wait_for};

/// A room whose ports are links in a directory, and what its broker is told.
struct Room {
    daemon: Daemon,
    ports: Scratch,
    told: Subscriber,
    _broker: Mosquitto,
}

impl Room {
    /// `boards`: id, and its keys with PORTS for the directory.
    fn open(ports: Scratch, boards: &[(&str, &str)]) -> Room {
        let broker = Mosquitto::started(false, "allow_anonymous true");
        let told = broker.subscribe("jadoube/v1/hall/#", &[]);
        let dir = ports.path().to_str().unwrap();
        let mut more = format!("[broker]\nhost = \"127.0.0.1\"\nport = {}\n", broker.port);
        more.push_str(&format!("[ports]\nlook_in = [\"{dir}/tty*\"]\n"));
        for (id, keys) in boards {
            more.push_str(&format!("[[board]]\nid = \"{id}\"\n{}\n", keys.replace("PORTS", dir)));
        }
        Room { daemon: Daemon::start(&[], &more), ports, told, _broker: broker }
    }

    /// Waits until a board's line in `boards` says this.
    fn waits(&self, id: &str, so: impl Fn(&serde_json::Value) -> bool) {
        let last = |room: &Room| {
            let got = room.told.got();
            let boards = got.iter().rfind(|got| got.topic.ends_with("/boards"))?.json();
            boards["boards"].as_array()?.iter().find(|line| line["id"] == id).cloned()
        };
        let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            wait_for(id, || last(self).filter(|line| so(line)))
        }));
        assert!(found.is_ok(), "{id}: {:#?}\n{}", last(self), self.daemon.log());
    }

    fn up(&self, id: &str, port: &str, serial: &str) {
        self.waits(id, |line| {
            let at = line["port"].as_str().is_some_and(|at| at.ends_with(port));
            line["link"] == "up" && at && line["serial"] == serial
        });
    }
}

fn unplug(ports: &Path, name: &str) {
    std::fs::remove_file(ports.join(name)).unwrap();
}

#[test]
fn a_board_with_a_serial_number_is_found_wherever_it_is() {
    let ports = Scratch::new();
    let (one, two) = (PtyBoard::numbered(*b"10001"), PtyBoard::numbered(*b"10002"));
    // Plugged in the wrong way round.
    one.link(&ports.path().join("tty1"));
    two.link(&ports.path().join("tty0"));
    let room = Room::open(
        ports,
        &[
            ("b1", "port = \"PORTS/tty0\"\nserial = \"10001\""),
            ("b2", "port = \"PORTS/tty1\"\nserial = \"10002\""),
        ],
    );
    room.up("b1", "tty1", "10001");
    room.up("b2", "tty0", "10002");
    let log = room.daemon.log();
    assert!(log.contains("another board is plugged in at"), "{log}");
    // Over, once each board is found.
    wait_for("the condition is over", || {
        room.daemon.log().contains("over: board b1: another board").then_some(())
    });
    legal_move(&one);
    room.told.wait("its move", |got| got.topic.ends_with("/b1/move") && got.payload.contains("e2e4"));
    // What the other board said while it was asked is part of no game.
    assert!(
        !room.daemon.journal("b1").contains(&hex::encode("10002")),
        "the wrong board's bytes are journalled"
    );
}

#[test]
fn a_board_that_told_its_number_is_found_under_another_name() {
    let ports = Scratch::new();
    let (one, two) = (PtyBoard::numbered(*b"10001"), PtyBoard::numbered(*b"10002"));
    one.link(&ports.path().join("tty0"));
    two.link(&ports.path().join("tty1"));
    let room = Room::open(ports, &[("b1", "port = \"PORTS/tty0\""), ("b2", "port = \"PORTS/tty1\"")]);
    room.up("b1", "tty0", "10001");
    room.up("b2", "tty1", "10002");
    wait_for("all is asked", || two.heard().contains(&Command::Battery).then_some(()));
    let asked = two.heard().len();
    unplug(room.ports.path(), "tty0");
    drop(one);
    room.waits("b1", |line| line["link"] == "down");
    // Something else comes first, and is no board at all; then the board, under another name.
    std::fs::write(room.ports.path().join("tty2"), "").unwrap();
    let again = PtyBoard::numbered(*b"10001");
    again.link(&room.ports.path().join("tty3"));
    room.up("b1", "tty3", "10001");
    legal_move(&again);
    room.told.wait("its move", |got| got.topic.ends_with("/b1/move") && got.payload.contains("e2e4"));
    // The port of the other board was open all the time, so nobody asked there.
    assert_eq!(two.heard().len(), asked);
}

#[test]
fn without_its_number_no_other_board_will_do() {
    let ports = Scratch::new();
    let other = PtyBoard::numbered(*b"99999");
    other.link(&ports.path().join("tty0"));
    let room = Room::open(ports, &[("b1", "port = \"PORTS/tty0\"\nserial = \"10001\"")]);
    room.told.wait("the condition", |got| {
        got.topic.ends_with("/health") && got.payload.contains("its number is 99999, not 10001")
    });
    room.waits("b1", |line| {
        line["link"] == "down" && line["why"].as_str().is_some_and(|why| why.contains("another board"))
    });
    // It comes back, at the same name: seen anew.
    unplug(room.ports.path(), "tty0");
    drop(other);
    let own = PtyBoard::numbered(*b"10001");
    own.link(&room.ports.path().join("tty0"));
    room.up("b1", "tty0", "10001");
    wait_for("it is asked for its changes", || own.heard().contains(&Command::UpdateNice).then_some(()));
}
