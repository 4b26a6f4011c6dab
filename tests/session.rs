//! The session in docs/MQTT.md, word for word: a shell runs its commands against a real broker and a
//! daemon with one board, and prints what the page says. `UPDATE_GOLDEN=1` writes anew what is printed.
//!
//! Lines with `$` are commands, lines with `#` say what happens at the board. Nothing is replaced: the
//! clients of mosquitto learn the broker's port from their own configuration files.
#![cfg(feature = "daemon")]

#[path = "common/daemon.rs"]
mod daemon;
#[path = "support/golden.rs"]
mod golden;
#[path = "common/mosquitto.rs"]
mod mosquitto;
#[path = "common/pty_board.rs"]
mod pty_board;
#[path = "support/published.rs"]
mod published;
#[path = "common/wait.rs"]
mod wait;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use daemon::Daemon;
use golden::golden;
use mosquitto::{Got, Mosquitto};
use pty_board::{PtyBoard, illegal_move};
use published::Published;
use wait::{Scratch, wait_for};

const PAGE: &str = "docs/MQTT.md";
const BEGIN: &str = "<!-- session -->\n\n```console\n";
const END: &str = "```\n";

/// What happens at the board, as the page puts it.
const AT_THE_BOARD: &str = "# e2-e4, e7-e5, then White's rook jumps over its pawn, a1-a3, and White presses";

/// A shell with what it and its jobs print.
struct Shell {
    child: Child,
    printed: Arc<Mutex<Vec<String>>>,
}

impl Shell {
    fn start(broker: &Mosquitto, dir: &Scratch) -> Shell {
        for client in ["mosquitto_pub", "mosquitto_sub"] {
            dir.write(client, &format!("-h 127.0.0.1\n-p {}\n", broker.port));
        }
        let mut child = Command::new("bash")
            .env("XDG_CONFIG_HOME", dir.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let printed: Arc<Mutex<Vec<String>>> = Arc::default();
        let (lines, heard) = (BufReader::new(child.stdout.take().unwrap()).lines(), printed.clone());
        std::thread::spawn(move || {
            lines.map_while(Result::ok).for_each(|line| heard.lock().unwrap().push(line));
        });
        let mut shell = Shell { child, printed };
        // Jobs end with the shell, whatever becomes of the test.
        shell.run("trap 'kill $(jobs -p)' EXIT");
        shell
    }

    fn run(&mut self, command: &str) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{command}").unwrap();
    }

    fn count(&self) -> usize {
        self.printed.lock().unwrap().len()
    }

    /// What is printed beyond the first `from` lines: waits for `wanted` lines, then for silence.
    fn printed(&self, from: usize, wanted: usize) -> Vec<String> {
        wait_for("the lines of the page are printed", || {
            // Without the page's lines to wait for, they are what is written anew.
            (std::env::var_os("UPDATE_GOLDEN").is_some() || self.count() >= from + wanted).then_some(())
        });
        let mut before = None;
        while before.replace(self.count()) != Some(self.count()) {
            std::thread::sleep(QUIET);
        }
        self.printed.lock().unwrap()[from..].to_vec()
    }
}

/// So long nothing is printed until the next command is typed.
const QUIET: Duration = Duration::from_millis(900);

impl Drop for Shell {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

/// The page before the session, the session, and the page after it.
fn parts() -> (String, String, String) {
    let page = std::fs::read_to_string(golden::root().join(PAGE)).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("a session");
    let (block, after) = rest.split_once(END).expect("its end");
    (before.to_owned(), block.to_owned(), after.to_owned())
}

/// What a console is promised that reads along: each message as it is listed, and the numbers of a
/// tree one after the other, but for values of retained topics that newer ones have overtaken.
fn reads_along(got: &[Got]) {
    let mut published = Published::new();
    let mut numbers: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for got in got {
        published.heard(&got.topic, got.retained, &got.payload);
        if got.payload.is_empty() || got.topic.contains("/request/") {
            continue;
        }
        let tree = got.topic.split('/').skip(3).take(2).collect::<Vec<_>>().join("/");
        let stamp = |key: &str| got.json()[key].as_u64().unwrap();
        let now = (stamp("epoch"), stamp("seq"));
        let before = numbers.insert(tree, now);
        assert!(before.is_none_or(|before| before < now), "{before:?} before {got:?}");
    }
    assert!(published.faults.is_empty(), "{:#?}", published.faults);
    for schema in ["alert", "response", "state", "move", "game", "status", "health", "boards"] {
        assert!(published.count.contains_key(&format!("jadoube.{schema}/1")), "no {schema} came");
    }
}

#[test]
fn the_session_of_the_page_is_what_happens() {
    let (_, block, _) = parts();
    let board = PtyBoard::new();
    let broker = Mosquitto::started(false, "allow_anonymous true");
    let _daemon = Daemon::start(
        &[("b1", &board.path)],
        &format!("[broker]\nhost = \"127.0.0.1\"\nport = {}\n", broker.port),
    );
    let console = broker.subscribe("jadoube/v1/hall/#", &[]);
    console.wait("the board is heard", |got| got.payload.contains("\"sensed\":\"rnbqkbnr/"));
    let dir = Scratch::new();
    let mut shell = Shell::start(&broker, &dir);

    let lines: Vec<&str> = block.lines().collect();
    let mut got = String::new();
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        let next = lines[at + 1..].iter().position(|line| line.starts_with("$ ") || line.starts_with("# "));
        let printed = next.unwrap_or(lines.len() - at - 1);
        let from = shell.count();
        match line.strip_prefix("$ ") {
            Some(command) => shell.run(command),
            None => {
                assert_eq!(line, AT_THE_BOARD, "neither a command nor known at the board");
                illegal_move(&board);
            }
        }
        got.push_str(&format!("{line}\n"));
        for line in shell.printed(from, printed) {
            got.push_str(&format!("{line}\n"));
        }
        at += 1 + printed;
    }
    reads_along(&console.got());
    // The page as it is by now: its tables are written by another test.
    let (before, _, after) = parts();
    golden(PAGE, &format!("{before}{BEGIN}{got}{END}{after}"));
}
