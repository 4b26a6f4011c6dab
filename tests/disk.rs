//! A disk that is full, read-only or slow: alerts go out all the same, the condition is reported,
//! and the journal is whole again afterwards. The disks are real file systems in a mount namespace of
//! the daemon's own; the slow one is the system's call made slow.
#![cfg(feature = "daemon")]

#[path = "common/daemon.rs"]
mod daemon;
#[path = "common/mosquitto.rs"]
mod mosquitto;
#[path = "common/pty_board.rs"]
mod pty_board;
#[path = "common/wait.rs"]
mod wait;

use std::path::{Path, PathBuf};
use std::process::{Child, Command as Program, Stdio};
use std::time::Duration;

use jadoube_dgt::{Command, Message};
use mosquitto::{Got, Mosquitto, Subscriber, pid, spawn};
use pty_board::{PtyBoard, encode, illegal_move};
use rustix::process::{Signal, kill_process};
use wait::{Scratch, wait_for};

/// A room with one board, whose daemon is started with a program around it.
struct Room {
    board: PtyBoard,
    health: Subscriber,
    arbiter: Subscriber,
    _broker: Mosquitto,
    dir: Scratch,
    child: Child,
}

impl Room {
    /// `around` gives the program that runs `jadoube run --config FILE`; its arguments come last.
    fn new(around: impl FnOnce(&Path) -> Program, package: &str) -> Room {
        let board = PtyBoard::new();
        let broker = Mosquitto::started(false, "allow_anonymous true");
        let (health, arbiter) = (
            broker.subscribe("jadoube/v1/hall/health", &[]),
            broker.subscribe("jadoube/v1/hall/arbiter/#", &[]),
        );
        let dir = Scratch::new();
        std::fs::create_dir(dir.path().join("journal")).unwrap();
        let config = dir.write(
            "room.toml",
            &format!(
                "[event]\nruleset = \"fide-2023/standard\"\n[node]\nname = \"hall\"\n[[board]]\nid = \"b1\"\n\
                 port = \"{}\"\n[broker]\nhost = \"127.0.0.1\"\nport = {}\n",
                board.path.display(),
                broker.port
            ),
        );
        let log = std::fs::File::create(dir.path().join("room.log")).unwrap();
        let mut program = around(&dir.path().join("journal"));
        program.arg(env!("CARGO_BIN_EXE_jadoube")).arg("run").arg("--config").arg(config);
        program.env_remove("STATE_DIRECTORY").stdout(Stdio::null()).stderr(log);
        let child = spawn(&mut program, package);
        let room = Room { board, health, arbiter, _broker: broker, dir, child };
        wait_for("the board is asked", || room.board.heard().contains(&Command::Version).then_some(()));
        room
    }

    /// A file system in memory at the journals' directory, with these options.
    fn on(options: &str) -> Room {
        let options = options.to_owned();
        Room::new(
            move |journals| {
                let mut program = Program::new("unshare");
                let script = "mount -t tmpfs -o \"$1\" none \"$2\" && shift 2 && exec \"$@\"";
                program.args(["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", &options]);
                program.arg(journals);
                program
            },
            "util-linux",
        )
    }

    /// Mounts the journals' file system anew with other options.
    fn remount(&self, options: &str) {
        let mut program = Program::new("nsenter");
        program.args([
            "--target",
            &self.child.id().to_string(),
            "--user",
            "--preserve-credentials",
            "--mount",
        ]);
        program.args(["mount", "-o", &format!("remount,{options}")]).arg(self.dir.path().join("journal"));
        assert!(spawn(&mut program, "util-linux").wait().unwrap().success(), "remount,{options}");
    }

    /// The journal, as the daemon sees it.
    fn journal(&self) -> Option<PathBuf> {
        let root = PathBuf::from(format!("/proc/{}/root", self.child.id()));
        let dir = self.dir.path().join("journal");
        let entries = std::fs::read_dir(root.join(dir.strip_prefix("/").unwrap())).ok()?;
        let mut paths = entries.flatten().map(|entry| entry.path());
        paths.find(|path| path.extension().is_some_and(|end| end == "jsonl"))
    }

    fn condition(&self, name: &str, says: &str) -> String {
        let holds =
            |got: &Got| got.json()["conditions"][name].as_str().is_some_and(|text| text.contains(says));
        let got = self.health.wait(name, holds).json();
        got["conditions"][name].as_str().unwrap().to_owned()
    }

    /// Waits until the latest `health` names no condition of this board's journal.
    fn is_well_again(&self) {
        wait_for("the journal's condition is over", || {
            let last = self.health.got().last()?.json();
            let named = |name: &String| name.starts_with("journal");
            (!last["conditions"].as_object()?.keys().any(named)).then_some(())
        });
    }

    /// An illegal move is made, and told.
    fn alert(&self) -> String {
        illegal_move(&self.board);
        let open = |got: &Got| got.topic.contains("/alerts/") && got.payload.contains("\"illegal-move\"");
        self.arbiter.wait("the alert", open).json()["id"].as_str().unwrap().to_owned()
    }

    /// The journal has the alert and no gap, up to what is being written just now.
    fn is_whole_with(&self, alert: &str) {
        wait_for("the journal is whole, with the alert", || {
            let path = self.journal()?;
            let text = std::fs::read_to_string(&path).ok()?;
            let mut verify = Program::new(env!("CARGO_BIN_EXE_jadoube"));
            let out = verify.arg("verify").arg(&path).output().unwrap();
            let said = String::from_utf8_lossy(&out.stdout).into_owned();
            (text.contains(&format!("\"alert\":{{\"id\":\"{alert}\"")) && said.contains("whole"))
                .then_some(())
        });
    }

    fn stop(mut self) {
        kill_process(pid(&self.child), Signal::TERM).unwrap();
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_disk_that_is_full_holds_up_no_alert_and_gets_everything_when_there_is_room() {
    let room = Room::on("size=64k");
    let version = encode(&Message::Version { major: 1, minor: 7 });
    let much = version.repeat(180);
    wait_for("the disk is full", || {
        room.board.say_bytes(&much);
        std::thread::sleep(Duration::from_millis(20));
        let last = room.health.got().last()?.json();
        last["conditions"]["journal-b1"].as_str().map(|_| ())
    });
    let told = room.condition("journal-b1", "cannot be written");
    assert!(told.contains("No space left"), "{told}");
    let alert = room.alert();
    room.remount("size=8m");
    room.is_well_again();
    room.is_whole_with(&alert);
    room.stop();
}

#[test]
fn a_disk_that_is_read_only_holds_up_no_alert_and_gets_everything_when_it_is_not() {
    let room = Room::on("ro");
    let told = room.condition("journal-b1", "cannot be written");
    assert!(told.contains("Read-only"), "{told}");
    let alert = room.alert();
    room.remount("rw");
    room.is_well_again();
    room.is_whole_with(&alert);
    room.stop();
}

#[test]
fn a_disk_that_takes_seconds_holds_up_no_alert() {
    let slow = |_: &Path| {
        let mut program = Program::new("strace");
        // The tracer is a grandchild: signals go to the daemon.
        program.args(["-D", "-f", "-q", "-o", "/dev/null", "-e", "trace=fdatasync"]);
        program.args(["-e", "inject=fdatasync:delay_enter=3000000"]);
        program
    };
    let room = Room::new(slow, "strace");
    let alert = room.alert();
    let told = room.condition("journal-slow", "too slow");
    assert!(told.contains("alerts go out"), "{told}");
    room.is_whole_with(&alert);
    room.stop();
}
