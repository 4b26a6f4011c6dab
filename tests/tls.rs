//! Encryption to a real mosquitto, with certificates made by openssl: what is trusted, what is refused and how
//! that is said, and a broker that asks for our certificate.
#![cfg(feature = "daemon")]

#[path = "common/daemon.rs"]
mod daemon;
#[path = "common/mosquitto.rs"]
mod mosquitto;
#[path = "common/pty_board.rs"]
mod pty_board;
#[path = "common/wait.rs"]
mod wait;

use std::process::{Command, Stdio};

use daemon::Daemon;
use mosquitto::{Mosquitto, free_port, spawn};
use pty_board::{PtyBoard, illegal_move};
use rustix::process::Signal;
use wait::{Scratch, wait_for};

fn openssl(dir: &Scratch, args: &str) {
    let mut command = Command::new("openssl");
    command.args(args.split(' ')).current_dir(dir.path()).stdout(Stdio::null()).stderr(Stdio::null());
    assert!(spawn(&mut command, "openssl").wait().unwrap().success(), "openssl {args}");
}

/// An authority `NAME.crt` with its key.
fn authority(dir: &Scratch, name: &str) {
    openssl(
        dir,
        &format!(
            "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={name} -keyout {name}.key -out {name}.crt"
        ),
    );
}

/// A certificate `NAME.crt` of `ca` for `host`, that is over in so many days.
fn certificate(dir: &Scratch, name: &str, ca: &str, host: &str, days: i32) {
    openssl(dir, &format!("req -newkey rsa:2048 -nodes -subj /CN={name} -keyout {name}.key -out {name}.csr"));
    dir.write(&format!("{name}.ext"), &format!("subjectAltName={host}\n"));
    openssl(
        dir,
        &format!(
            "x509 -req -in {name}.csr -CA {ca}.crt -CAkey {ca}.key -CAcreateserial -days {days} -extfile {name}.ext -out {name}.crt"
        ),
    );
}

/// A broker that shows this certificate, and its port with TLS.
fn broker(dir: &Scratch, server: &str, more: &str) -> (Mosquitto, u16) {
    let port = free_port();
    let place = dir.path().display();
    let extra = format!(
        "allow_anonymous true\nlistener {port} 127.0.0.1\ncafile {place}/ca.crt\ncertfile {place}/{server}.crt\n\
         keyfile {place}/{server}.key\n{more}"
    );
    (Mosquitto::started(false, &extra), port)
}

/// A daemon that connects with TLS; `more` goes into `[broker]`.
fn daemon(board: &PtyBoard, dir: &Scratch, port: u16, ca: &str, more: &str) -> Daemon {
    let place = dir.path().display();
    let config =
        format!("[broker]\nhost = \"localhost\"\nport = {port}\nca_file = \"{place}/{ca}.crt\"\n{more}");
    Daemon::start(&[("b1", &board.path)], &config)
}

/// Waits until the daemon says this of the broker, and ends it.
fn says(mut daemon: Daemon, what: &str) {
    let end = std::time::Instant::now() + std::time::Duration::from_secs(40);
    while !daemon.log().contains(what) {
        assert!(std::time::Instant::now() < end, "{what:?} is not said:\n{}", daemon.log());
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert!(!daemon.log().contains("PRIVATE KEY"), "{}", daemon.log());
    daemon.stop(Signal::TERM);
}

#[test]
fn alerts_go_out_encrypted_with_certificates_of_both() {
    let dir = Scratch::new();
    authority(&dir, "ca");
    certificate(&dir, "server", "ca", "DNS:localhost", 2);
    certificate(&dir, "client", "ca", "DNS:jadoube", 2);
    let (broker, port) = broker(&dir, "server", "require_certificate true\n");
    let board = PtyBoard::new();
    let place = dir.path().display();
    let ours = format!("client_cert = \"{place}/client.crt\"\nclient_key = \"{place}/client.key\"\n");
    let mut with = daemon(&board, &dir, port, "ca", &ours);
    // Read at the other listener of the same broker, which has no encryption.
    let reader = broker.subscribe("jadoube/v1/hall/#", &[]);
    wait_for("the board is asked", || (!board.heard().is_empty()).then_some(()));
    illegal_move(&board);
    reader.wait("an alert", |got| got.topic.contains("/alerts/") && !got.payload.is_empty());
    assert!(with.stop(Signal::TERM).success(), "{}", with.log());
    // Without our certificate the broker does not have us, and that is said.
    says(daemon(&board, &dir, port, "ca", ""), "set client_cert and client_key");
}

#[test]
fn what_is_wrong_with_a_certificate_is_said() {
    let dir = Scratch::new();
    authority(&dir, "ca");
    authority(&dir, "other");
    certificate(&dir, "server", "ca", "DNS:localhost", 2);
    certificate(&dir, "elsewhere", "ca", "DNS:other.example", 2);
    certificate(&dir, "expired", "ca", "DNS:localhost", -1);
    let board = PtyBoard::new();
    let (fine, port) = broker(&dir, "server", "");
    says(daemon(&board, &dir, port, "other", ""), "of an authority that ca_file does not have");
    says(daemon(&board, &dir, fine.port, "ca", ""), "speak TLS at this port");
    let (_elsewhere, port) = broker(&dir, "elsewhere", "");
    says(daemon(&board, &dir, port, "ca", ""), "is for another name");
    let (_expired, port) = broker(&dir, "expired", "");
    says(daemon(&board, &dir, port, "ca", ""), "has expired");
}
