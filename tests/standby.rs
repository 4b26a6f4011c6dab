//! A second machine takes over from a copied journal: the game, alerts, ids and offences, what waits for the
//! public, and what was not delivered.
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
use std::process::{Child, Command, Stdio};

use daemon::Daemon;
use jadoube_dgt::{PieceCode, Side};
use mosquitto::{Mosquitto, pid, spawn};
use pty_board::{PtyBoard, clock, illegal_move, play};
use rustix::process::{Signal, kill_process};
use wait::{Scratch, wait_for};

/// The second machine.
struct Second {
    dir: Scratch,
    child: Child,
}

impl Second {
    /// With a copy of the first one's journal_dir in `copy`.
    fn start(config: &str, copy: impl Fn(&Path)) -> Second {
        let dir = Scratch::new();
        copy(&dir.path().join("copy"));
        let path = dir.write("room.toml", config);
        let log = std::fs::File::create(dir.path().join("room.log")).unwrap();
        let mut program = Command::new(env!("CARGO_BIN_EXE_jadoube"));
        program.arg("run").arg("--config").arg(path).arg("--take-over").arg(dir.path().join("copy"));
        program.env_remove("STATE_DIRECTORY").stdout(Stdio::null()).stderr(log);
        Second { child: spawn(&mut program, "jadoube"), dir }
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.dir.path().join("room.log")).unwrap_or_default()
    }
}

impl Drop for Second {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Copies a folder of files, as a tool that syncs machines does.
fn copy_all(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            std::fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
        }
    }
}

/// The configuration of both machines: the public waits for two more moves of each player.
fn config(board: &PtyBoard, port: u16) -> (String, String) {
    let broker = format!("[broadcast]\ndelay_moves = 2\n[broker]\nhost = \"127.0.0.1\"\nport = {port}\n");
    let whole = format!(
        "journal_dir = \"journal\"\n[event]\nruleset = \"fide-2023/standard\"\n[node]\nname = \"hall\"\n\
         [[board]]\nid = \"b1\"\nport = \"{}\"\n{broker}",
        board.path.display()
    );
    (broker, whole)
}

#[test]
fn a_second_machine_goes_on_where_the_first_was() {
    let mut broker = Mosquitto::started(true, "allow_anonymous true");
    let board = PtyBoard::new();
    let (more, whole) = config(&board, broker.port);
    let mut first = Daemon::start(&[("b1", &board.path)], &more);
    let reader = broker.subscribe("jadoube/v1/hall/#", &["-i", "console", "-c", "-x", "3600"]);
    illegal_move(&board);
    let alert = reader.wait("an alert", |got| got.topic.contains("/alerts/") && !got.payload.is_empty());
    let id = alert.json()["id"].as_str().unwrap().to_owned();
    let ruling = format!("{{\"id\":\"r1\",\"by\":\"a\",\"alert\":\"{id}\",\"ruling\":\"upheld\"}}");
    broker.publish("jadoube/v1/hall/arbiter/b1/request/rule", &ruling, &[]);
    reader.wait("it is upheld", |got| got.topic.ends_with("/response/rule"));
    // The rook goes back; then the broker is gone, and what comes now waits in the outbox.
    play(&board, 40, 56, PieceCode::WHITE_ROOK);
    board.say(&clock(5420, 5540, Side::Left));
    wait_for("it is restored", || {
        let restored =
            |got: &mosquitto::Got| got.topic.ends_with("/log") && got.payload.contains("\"restored\"");
        reader.got().iter().any(restored).then_some(())
    });
    broker.stop(Signal::KILL);
    drop(reader);
    play(&board, 57, 42, PieceCode::WHITE_KNIGHT);
    board.say(&clock(5445, 5540, Side::Right));
    play(&board, 6, 21, PieceCode::BLACK_KNIGHT);
    board.say(&clock(5445, 5565, Side::Left));
    // An alert that nobody is told: a rook over its pawn again.
    play(&board, 56, 40, PieceCode::WHITE_ROOK);
    board.say(&clock(5470, 5565, Side::Right));
    wait_for("the second offence is in the outbox", || {
        let outbox = first.outbox().and_then(|path| std::fs::read_to_string(path).ok())?;
        outbox.contains("b1-g1-p5-illegal-move-1").then_some(())
    });
    kill_process(pid(&first.child), Signal::KILL).unwrap();
    first.child.wait().unwrap();

    let journal = first.dir.path().join("journal");
    let mut second = Second::start(&whole, |copy| copy_all(&journal, copy));
    broker.start();
    let reader = broker.subscribe("jadoube/v1/hall/#", &[]);
    let alert = reader.wait("the second offence is told", |got| {
        got.topic.ends_with("/alerts/b1-g1-p5-illegal-move-1") && got.json()["offence"] == 2
    });
    assert_eq!(alert.json()["repeats"], id.as_str());
    assert_eq!(alert.json()["offences"]["white"], 1, "{}", second.log());
    // Answered once: the ruling is not made again.
    broker.publish("jadoube/v1/hall/arbiter/b1/request/rule", &ruling, &[]);
    let answer = reader.wait("the same answer", |got| got.topic.ends_with("/response/rule"));
    assert!(answer.payload.contains("white has 1 upheld offence"), "{answer:?}");
    // What waits for the public still waits: two moves of each player after it.
    let public = |reader: &mosquitto::Subscriber| {
        let moves = reader.got().into_iter().filter(|got| got.topic.ends_with("broadcast/b1/move"));
        moves.filter_map(|got| got.json()["ply"].as_u64()).max()
    };
    let game = reader.wait("the public's game", |got| {
        got.topic.ends_with("broadcast/b1/game") && got.json()["moves"][0]["uci"] == "e2e4"
    });
    assert_eq!(game.json()["moves"].as_array().map(Vec::len), Some(1), "nothing goes out early: {game:?}");
    assert!(public(&reader).is_none_or(|ply| ply == 1), "{:?}", public(&reader));
    kill_process(pid(&second.child), Signal::TERM).unwrap();
    assert!(second.child.wait().unwrap().success(), "{}", second.log());
    // The journal is one chain over both machines.
    let journals = second.dir.path().join("journal");
    let path = std::fs::read_dir(&journals).unwrap().map(|entry| entry.unwrap().path());
    let path = path.into_iter().find(|path| path.extension().is_some_and(|end| end == "jsonl")).unwrap();
    let verified = Command::new(env!("CARGO_BIN_EXE_jadoube")).arg("verify").arg(&path).output().unwrap();
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
}

#[test]
fn what_cannot_be_taken_is_named_and_nothing_starts() {
    let board = PtyBoard::new();
    let (_, whole) = config(&board, mosquitto::free_port());
    let mut empty = Second::start(&whole, |copy| std::fs::create_dir_all(copy).unwrap());
    assert!(!empty.child.wait().unwrap().success());
    assert!(empty.log().contains("no journal of a board of this configuration"), "{}", empty.log());
    let mut missing = Second::start(&whole, |_| {});
    assert!(!missing.child.wait().unwrap().success());
    assert!(missing.log().contains("cannot be read"), "{}", missing.log());
}
