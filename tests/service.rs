//! The daemon as a service: what it tells the service manager, a reload that drops no game, and the
//! unit itself.
#![cfg(feature = "daemon")]

#[path = "common/daemon.rs"]
mod daemon;
#[path = "common/mosquitto.rs"]
mod mosquitto;
#[path = "common/pty_board.rs"]
mod pty_board;
#[path = "common/wait.rs"]
mod wait;

use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Command as Program, Stdio};
use std::time::Duration;

use daemon::Daemon;
use jadoube_dgt::{Command, PieceCode, Side};
use mosquitto::{Mosquitto, pid, spawn};
use pty_board::{PtyBoard, clock, legal_move, play};
use rustix::process::{Signal, kill_process};
use wait::{Scratch, wait_for};

/// What comes on a service manager's socket.
struct Manager {
    socket: UnixDatagram,
    heard: String,
}

impl Manager {
    fn at(path: &Path) -> Manager {
        let socket = UnixDatagram::bind(path).unwrap();
        socket.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
        Manager { socket, heard: String::new() }
    }

    /// Waits until `text` was said `times` times.
    fn hears(&mut self, text: &str, times: usize) {
        wait_for(text, || {
            let mut buffer = [0; 4096];
            if let Ok(length) = self.socket.recv(&mut buffer) {
                self.heard.push_str(&String::from_utf8_lossy(&buffer[..length]));
                self.heard.push('\n');
            }
            (self.heard.lines().filter(|line| line.starts_with(text)).count() >= times).then_some(())
        });
    }
}

#[test]
fn a_service_manager_is_told_and_a_reload_drops_no_game() {
    let board = PtyBoard::new();
    let broker = Mosquitto::started(false, "allow_anonymous true");
    let arbiter = broker.subscribe("jadoube/v1/hall/#", &[]);
    let dir = Scratch::new();
    let mut manager = Manager::at(&dir.path().join("notify"));
    let room = |ruleset: &str, more: &str| {
        format!(
            "[event]\nruleset = \"{ruleset}\"\n[node]\nname = \"hall\"\n[broker]\nhost = \"127.0.0.1\"\n\
             port = {}\n[[board]]\nid = \"b1\"\nport = \"{}\"\n{more}",
            broker.port,
            board.path.display()
        )
    };
    let config = dir.write("room.toml", &room("fide-2023/standard", ""));
    let log = std::fs::File::create(dir.path().join("log")).unwrap();
    let mut program = Program::new(env!("CARGO_BIN_EXE_jadoube"));
    program.arg("run").arg("--config").arg(&config).env_remove("STATE_DIRECTORY");
    program.env("NOTIFY_SOCKET", dir.path().join("notify")).env("WATCHDOG_USEC", "400000");
    let child = spawn(program.stdout(Stdio::null()).stderr(log), "jadoube");
    let mut daemon = Daemon { child, dir };

    manager.hears("READY=1", 1);
    manager.hears("WATCHDOG=1", 3);
    wait_for("the board is asked", || board.heard().contains(&Command::Version).then_some(()));
    legal_move(&board);
    arbiter.wait("the move", |got| got.topic.ends_with("/b1/move") && got.payload.contains("e2e4"));

    // Another rule set, in the middle of the game.
    daemon.dir.write("room.toml", &room("fide-2023/blitz-b3", ""));
    kill_process(pid(&daemon.child), Signal::HUP).unwrap();
    manager.hears("RELOADING=1", 1);
    manager.hears("READY=1", 2);
    wait_for("the journal says so", || daemon.journal("b1").contains("fide-2023/blitz-b3").then_some(()));
    // A wrong one changes nothing; one with another board says that it needs a restart.
    daemon.dir.write("room.toml", &room("fide-1066/standard", ""));
    kill_process(pid(&daemon.child), Signal::HUP).unwrap();
    manager.hears("READY=1", 3);
    let said = |daemon: &Daemon| std::fs::read_to_string(daemon.dir.path().join("log")).unwrap();
    wait_for("it is explained", || said(&daemon).contains("nothing is changed").then_some(()));
    let more = "[[board]]\nid = \"b2\"\nport = \"/dev/nowhere\"\n";
    daemon.dir.write("room.toml", &room("fide-2023/blitz-b3", more));
    kill_process(pid(&daemon.child), Signal::HUP).unwrap();
    arbiter.wait("health says so", |got| {
        got.topic.ends_with("/health") && got.payload.contains("needs-restart")
    });

    // So does another budget, which the solver's thread was begun with.
    daemon.dir.write("room.toml", &room("fide-2023/blitz-b3", ""));
    kill_process(pid(&daemon.child), Signal::HUP).unwrap();
    let over = |times| said(&daemon).matches("start it anew for those").count() >= times;
    wait_for("the other board is forgotten", || {
        said(&daemon).contains("over: the configuration").then_some(())
    });
    let costly = room("fide-2023/blitz-b3", "").replace("[node]", "mating_nodes = 1000\n[node]");
    daemon.dir.write("room.toml", &costly);
    kill_process(pid(&daemon.child), Signal::HUP).unwrap();
    wait_for("the budget needs a restart", || {
        (said(&daemon).matches("WARN").count() >= 2 && over(2)).then_some(())
    });
    // Long enough for a socket that nobody reads to be full: the boards are watched all the same.
    std::thread::sleep(Duration::from_secs(4));
    // The game goes on, under the new rules: a knight that moves like a rook.
    play(&board, 12, 28, PieceCode::BLACK_PAWN);
    board.say(&clock(5425, 5425, Side::Left));
    play(&board, 62, 46, PieceCode::WHITE_KNIGHT);
    board.say(&clock(5450, 5425, Side::Right));
    let alert = arbiter.wait("an alert", |got| got.topic.contains("/b1/alerts/") && !got.payload.is_empty());
    assert_eq!(
        (alert.json()["ruleset"].as_str(), alert.json()["found"]["ply"].as_u64()),
        (Some("fide-2023/blitz-b3"), Some(3))
    );
    kill_process(pid(&daemon.child), Signal::TERM).unwrap();
    manager.hears("STOPPING=1", 1);
    assert!(daemon.child.wait().unwrap().success());
}

/// `systemd-analyze`, which is in the package systemd.
fn analyze(args: &[&str]) -> (bool, String) {
    let out = Program::new("systemd-analyze").args(args).output();
    let out = out.expect("systemd-analyze is needed: install the Debian package systemd");
    let said = [out.stdout, out.stderr].concat();
    (out.status.success(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn the_unit_is_right_and_hardened() {
    let unit = Path::new(env!("CARGO_MANIFEST_DIR")).join("systemd/jadoube.service");
    // Exposure of at most 2.0, in tenths.
    let (fine, said) = analyze(&["security", "--offline=true", "--threshold=20", unit.to_str().unwrap()]);
    assert!(fine, "{said}");
    // The program is not installed where the unit expects it: a copy names what is there.
    let dir = Scratch::new();
    let text = std::fs::read_to_string(&unit).unwrap();
    let copy = dir.write("jadoube.service", &text.replace("/usr/bin/jadoube", env!("CARGO_BIN_EXE_jadoube")));
    let (fine, said) = analyze(&["verify", "--man=no", copy.to_str().unwrap()]);
    assert!(fine && !said.contains("jadoube.service"), "{said}");
}

/// A program of systemd on a root of its own.
fn in_root(program: &str, root: &Path, file: &str, more: &[&str]) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("systemd").join(file);
    let mut command = Program::new(program);
    command.arg(format!("--root={}", root.display())).args(more).arg(file);
    let out =
        command.output().unwrap_or_else(|error| panic!("{program} is needed ({error}): package systemd"));
    let said = String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned();
    assert!(out.status.success(), "{program}: {said}");
    said
}

/// The user that the unit names is made, is in the group of the ports, and owns the directories.
#[test]
fn the_user_and_the_directories_are_those_of_the_unit() {
    let unit = include_str!("../systemd/jadoube.service");
    for line in ["User=jadoube", "Group=jadoube", "SupplementaryGroups=dialout", "StateDirectory=jadoube"] {
        assert!(unit.lines().any(|l| l == line), "{line}");
    }
    let root = Scratch::new();
    std::fs::create_dir_all(root.path().join("etc/jadoube")).unwrap();
    if !rustix::process::geteuid().is_root() {
        // Only root may give files away; what can be read is read.
        in_root("systemd-sysusers", root.path(), "jadoube.sysusers", &["--dry-run"]);
        return;
    }
    in_root("systemd-sysusers", root.path(), "jadoube.sysusers", &[]);
    let read = |path: &str| std::fs::read_to_string(root.path().join(path)).unwrap();
    let (users, groups) = (read("etc/passwd"), read("etc/group"));
    let id = |text: &str, name: &str| -> u32 {
        let line = text.lines().find(|line| line.starts_with(&format!("{name}:"))).expect(text);
        line.split(':').nth(2).unwrap().parse().unwrap()
    };
    assert!(
        groups.lines().any(|line| line.starts_with("dialout:") && line.ends_with(":jadoube")),
        "{groups}"
    );
    assert!(users.contains(":/var/lib/jadoube:"), "{users}");
    root.write("etc/jadoube/jadoube.toml", "");
    in_root("systemd-tmpfiles", root.path(), "jadoube.tmpfiles", &["--create"]);
    let (user, group) = (id(&users, "jadoube"), id(&groups, "jadoube"));
    for (path, wanted) in [
        ("etc/jadoube", (0o750, 0, group)),
        ("etc/jadoube/jadoube.toml", (0o640, 0, group)),
        ("var/lib/jadoube", (0o750, user, group)),
    ] {
        let data = std::fs::metadata(root.path().join(path)).unwrap();
        assert_eq!((data.mode() & 0o7777, data.uid(), data.gid()), wanted, "{path}");
    }
}
