//! Figures over HTTP, from a running daemon: Prometheus' text, alive, ready, and what is missing.
#![cfg(feature = "daemon")]

#[path = "common/daemon.rs"]
mod daemon;
#[path = "common/mosquitto.rs"]
mod mosquitto;
#[path = "common/pty_board.rs"]
mod pty_board;
#[path = "common/wait.rs"]
mod wait;

use std::io::{Read, Write};
use std::net::TcpStream;

use daemon::Daemon;
use jadoube::daemon::metrics::{METRICS, metrics_page};
use mosquitto::{Mosquitto, free_port};
use pty_board::{PtyBoard, illegal_move};
use rustix::process::Signal;
use wait::wait_for;

/// The status and the body of a page; `None` while nobody listens.
fn get(port: u16, page: &str) -> Option<(u16, String)> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    write!(stream, "GET {page} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").ok()?;
    let mut text = String::new();
    stream.read_to_string(&mut text).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    Some((head.split(' ').nth(1)?.parse().ok()?, body.to_owned()))
}

/// The value of a figure with its labels.
fn figure(port: u16, name: &str) -> Option<f64> {
    let (_, text) = get(port, "/metrics")?;
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
}

#[test]
fn figures_are_told_and_readiness_follows_the_broker() {
    let mut broker = Mosquitto::prepare(false, "allow_anonymous true");
    let board = PtyBoard::new();
    let port = free_port();
    let config = format!(
        "[broker]\nhost = \"127.0.0.1\"\nport = {}\n[metrics]\nlisten = \"127.0.0.1:{port}\"\n",
        broker.port
    );
    let mut daemon = Daemon::start(&[("b1", &board.path)], &config);
    wait_for("the daemon is alive", || get(port, "/healthz").filter(|(status, _)| *status == 200));
    let (status, what) = wait_for("not ready yet", || get(port, "/readyz"));
    assert_eq!(status, 503, "{what}");
    assert!(what.contains("broker"), "{what}");
    broker.start();
    wait_for("ready", || get(port, "/readyz").filter(|(status, _)| *status == 200));
    illegal_move(&board);
    wait_for("an alert is counted", || {
        figure(port, "jadoube_alerts_total{code=\"illegal-move\",state=\"open\"}").filter(|n| *n >= 1.0)
    });
    assert_eq!(figure(port, "jadoube_open"), Some(1.0));
    assert_eq!(figure(port, "jadoube_connected"), Some(1.0));
    assert_eq!(figure(port, "jadoube_heard{board=\"b1\"}"), Some(1.0));
    assert!(figure(port, "jadoube_bytes_total{board=\"b1\"}") > Some(64.0));
    assert!(figure(port, "jadoube_settle_seconds_count") >= Some(1.0));
    assert!(figure(port, "jadoube_sync_seconds_count") >= Some(1.0));
    let (_, text) = get(port, "/metrics").unwrap();
    let of_list = |line: &str| METRICS.iter().any(|metric| line.starts_with(metric.name));
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        assert!(of_list(line), "{line} is not in the list");
        // Nothing of the game: no move, no time, no result.
        assert!(!line.contains("e2") && !line.contains("1-0"), "{line}");
    }
    assert_eq!(get(port, "/other").map(|(status, _)| status), Some(404));
    broker.stop(Signal::TERM);
    let (_, what) =
        wait_for("not ready any more", || get(port, "/readyz").filter(|(status, _)| *status == 503));
    assert!(what.contains("broker"), "{what}");
    assert!(daemon.stop(Signal::TERM).success(), "{}", daemon.log());
}

#[test]
fn an_address_that_is_taken_is_named() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let board = PtyBoard::new();
    let config = format!(
        "[broker]\nhost = \"127.0.0.1\"\nport = {}\n[metrics]\nlisten = \"127.0.0.1:{port}\"\n",
        free_port()
    );
    let mut daemon = Daemon::start(&[("b1", &board.path)], &config);
    assert!(!daemon.child.wait().unwrap().success());
    assert!(daemon.log().contains(&format!("[metrics] listen = \"127.0.0.1:{port}\"")), "{}", daemon.log());
}

#[test]
fn the_page_is_that_of_the_list() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/METRICS.md");
    let page = metrics_page();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    assert!(std::fs::read_to_string(path).unwrap_or_default() == page, "docs/METRICS.md: UPDATE_GOLDEN=1");
}
