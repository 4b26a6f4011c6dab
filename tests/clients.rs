//! Two consoles in other languages drive a whole session, each at a board of its own: Python with paho by
//! MQTT 5, JavaScript with MQTT.js by MQTT 3.1.1. Alert, acknowledge, uphold, restore, replacement, the second
//! offence with the result proposed, undo, closed.
#![cfg(feature = "daemon")]

#[path = "common/daemon.rs"]
mod daemon;
#[path = "common/mosquitto.rs"]
mod mosquitto;
#[path = "common/pty_board.rs"]
mod pty_board;
#[path = "common/wait.rs"]
mod wait;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use daemon::Daemon;
use jadoube_dgt::{ClockReport, Lever, Message, PieceCode, Side, SideTime};
use mosquitto::{Mosquitto, spawn};
use pty_board::{PtyBoard, clock, illegal_move, play};
use rustix::process::Signal;

/// A console, and what it prints.
struct Console {
    name: &'static str,
    child: Child,
    lines: Receiver<String>,
}

impl Console {
    fn start(name: &'static str, command: &mut Command, package: &str, port: u16, board: &str) -> Console {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients/");
        command.arg(format!("{folder}{name}")).args([port.to_string().as_str(), board]);
        let mut child = spawn(command.stdout(Stdio::piped()).stderr(Stdio::piped()), package);
        let (out, lines) = channel();
        let printed = BufReader::new(child.stdout.take().unwrap()).lines();
        std::thread::spawn(move || printed.map_while(Result::ok).for_each(|line| drop(out.send(line))));
        Console { name, child, lines }
    }

    /// The next line it prints.
    fn line(&mut self) -> String {
        self.lines.recv_timeout(Duration::from_secs(45)).unwrap_or_else(|_| {
            let _ = self.child.kill();
            let mut said = String::new();
            let _ = std::io::Read::read_to_string(&mut self.child.stderr.take().unwrap(), &mut said);
            panic!("{} has nothing more to say: {said}", self.name)
        })
    }
}

impl Drop for Console {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The clock stands, with White to move.
fn stopped(white_s: u32, black_s: u32) -> Message<'static> {
    Message::Clock(ClockReport {
        left: SideTime::from_seconds(white_s).unwrap(),
        right: SideTime::from_seconds(black_s).unwrap(),
        running: false,
        lever: Lever::while_moving(Side::Right),
        battery_low: false,
        turn_bit_3: true,
        turn_bit_4: false,
    })
}

/// One session: what the console prints, with the hands of players and arbiter between.
fn session(console: &mut Console, board: &PtyBoard) {
    illegal_move(board);
    assert_eq!(console.line(), "alert first: +2:00 to Black");
    board.say(&stopped(5450, 5420));
    assert_eq!(console.line(), "acknowledged");
    assert_eq!(console.line(), "upheld white has 1 upheld offence");
    assert_eq!(console.line(), "restore rook a3 back to a1");
    play(board, 40, 56, PieceCode::WHITE_ROOK);
    // The times that are proposed, and play goes on with a move that replaces the one taken back.
    board.say(&stopped(5420, 5540));
    std::thread::sleep(Duration::from_millis(500));
    board.say(&clock(5420, 5540, Side::Left));
    std::thread::sleep(Duration::from_millis(600));
    play(board, 62, 45, PieceCode::WHITE_KNIGHT);
    board.say(&clock(5445, 5540, Side::Right));
    assert_eq!(console.line(), "replaced g1f3");
    play(board, 6, 21, PieceCode::BLACK_KNIGHT);
    board.say(&clock(5445, 5565, Side::Left));
    play(board, 56, 40, PieceCode::WHITE_ROOK);
    board.say(&clock(5470, 5565, Side::Right));
    assert_eq!(console.line(), "second 2 0-1");
    assert_eq!(console.line(), "undone white has 0 upheld offences");
    assert_eq!(console.line(), "again first: +2:00 to Black");
    assert_eq!(console.line(), "closed");
    assert!(console.child.wait().unwrap().success());
}

#[test]
fn consoles_in_other_languages_drive_a_whole_session() {
    let broker = Mosquitto::started(false, "allow_anonymous true");
    let boards = [PtyBoard::numbered(*b"10001"), PtyBoard::numbered(*b"10002")];
    let mut daemon = Daemon::start(
        &[("b1", &boards[0].path), ("b2", &boards[1].path)],
        &format!("[broker]\nhost = \"127.0.0.1\"\nport = {}\n", broker.port),
    );
    // Debian's packages belong to Debian's Python, and Node does not look for them by itself.
    let python = &mut Command::new("/usr/bin/python3");
    let node = &mut Command::new("node");
    node.env("NODE_PATH", "/usr/share/nodejs");
    let mut consoles = [
        Console::start("arbiter.py", python, "python3-paho-mqtt", broker.port, "b1"),
        Console::start("arbiter.js", node, "node-mqtt", broker.port, "b2"),
    ];
    wait::wait_for("both boards are asked", || {
        boards.iter().all(|board| !board.heard().is_empty()).then_some(())
    });
    std::thread::scope(|scope| {
        for (console, board) in consoles.iter_mut().zip(&boards) {
            scope.spawn(move || session(console, board));
        }
    });
    assert!(daemon.stop(Signal::TERM).success(), "{}", daemon.log());
}
