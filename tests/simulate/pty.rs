//! The command `simulate` on a real pseudo-terminal.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jadoube::emulator::{Line, Recording, Script, Sent, to_jsonl};
use jadoube::events::{Device, DgtAdapter, Report, Row, RowKind, Setup};
use jadoube::journal::{Header, Writer};
use jadoube::table::Input;
use jadoube::tick::{Span, Tick};
use shakmaty::Square;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_serial::{SerialPortBuilderExt, SerialStream};

use crate::common::{DUMP, NICE, Told, blitz, play};

/// A recording in a file of its own, and the board that plays it; both go with it.
struct Board {
    child: Child,
    file: PathBuf,
    path: PathBuf,
}

impl Board {
    fn plays(name: &str, text: &str) -> Board {
        let file = std::env::temp_dir().join(format!("jadoube-test-{}-{name}", std::process::id()));
        std::fs::write(&file, text).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_jadoube"))
            .arg("simulate")
            .arg(&file)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut path = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut path).unwrap();
        Board { child, file, path: PathBuf::from(path.trim_end()) }
    }

    fn ends_well(mut self) {
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_file(&self.file);
    }
}

fn port(path: &Path) -> Option<SerialStream> {
    tokio_serial::new(path.to_string_lossy(), 9600).open_native_async().ok()
}

/// Asks for everything, and reads until the board is gone or `longest` is over.
async fn converse(path: &Path, ask: &[u8], longest: Duration, heard: &mut Vec<Report>) {
    let mut adapter = DgtAdapter::default();
    let mut port = port(path).expect("the path opens like a serial port");
    port.write_all(ask).await.unwrap();
    let mut buffer = [0; 512];
    let _ = tokio::time::timeout(longest, async {
        while let Ok(count @ 1..) = AsyncReadExt::read(&mut port, &mut buffer).await {
            adapter.feed(&buffer[..count], heard);
        }
    })
    .await;
}

fn said(script: &Script) -> Told {
    let recording = Recording::from_rows(script.clone().rows()).unwrap();
    Told::of(recording.reports().iter().map(|(_, report)| report))
}

fn opening() -> Script {
    let start = blitz(180, 2).wait(100).run(true);
    start.moves(200, Square::E2, Square::E4).moves(100, Square::E7, Square::E5).moves(
        300,
        Square::G1,
        Square::F3,
    )
}

const LONG: Duration = Duration::from_secs(20);

#[tokio::test]
async fn a_host_hears_the_game_and_the_board_ends() {
    let game = opening();
    let board = Board::plays("game.jsonl", &to_jsonl(&game.clone().rows()));
    let mut heard = Vec::new();
    converse(&board.path, &[NICE, DUMP], LONG, &mut heard).await;
    let told = Told::of(&heard);
    let said = said(&game);
    assert_eq!((told.squares, told.levers, told.wood), (said.squares, said.levers, said.wood));
    board.ends_well();
}

#[tokio::test]
async fn a_host_may_close_and_open_again() {
    let game = opening();
    let board = Board::plays("reopened.jsonl", &to_jsonl(&game.clone().rows()));
    let mut heard = Vec::new();
    converse(&board.path, &[DUMP], Duration::from_millis(200), &mut heard).await;
    assert!(matches!(heard[..], [Report::Dump(_)]), "{heard:?}");
    converse(&board.path, &[NICE], Duration::from_millis(700), &mut heard).await;
    converse(&board.path, &[NICE, DUMP], LONG, &mut heard).await;
    assert_eq!(Told::of(&heard).wood, said(&game).wood);
    board.ends_well();
}

#[tokio::test]
async fn a_pulled_cable_comes_back_under_the_same_path() {
    let mut rows = opening().rows();
    let last = rows.last().unwrap().at.ms();
    let link = |ms, up| Row { at: Tick::from_ms(last + ms), kind: RowKind::Report(Report::Link { up }) };
    rows.extend([link(200, false), link(700, true)]);
    let after = opening().wait(1_000).carry(0, Square::B8, Square::C6).rows();
    rows.extend(after.into_iter().filter(|row| row.at.ms() > last + 700));
    let board = Board::plays("cable.jsonl", &to_jsonl(&rows));
    let mut heard = Vec::new();
    converse(&board.path, &[NICE, DUMP], LONG, &mut heard).await;
    assert_eq!(Told::of(&heard).squares.len(), 6);
    let back = async {
        while port(&board.path).is_none() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(LONG, back).await.unwrap();
    converse(&board.path, &[NICE, DUMP], LONG, &mut heard).await;
    let told = Told::of(&heard);
    assert_eq!(told.squares.len(), 8);
    assert_eq!(told.wood.unwrap().placement(), "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R");
    let link = board.path.clone();
    board.ends_well();
    assert!(!link.exists() && !link.parent().unwrap().exists(), "nothing is left behind");
}

/// What a board would say that plays this, as a journal and as a capture of its bytes.
fn recorded(game: &Script) -> (String, String) {
    let recording = Recording::from_rows(game.clone().rows()).unwrap();
    let board = recording.setup().board.clone();
    let header = Header {
        program: "p".to_owned(),
        node: "hall".to_owned(),
        board: board.clone(),
        ruleset: recording.setup().ruleset.clone(),
        start_ms: 1_800_000_000_000,
        after: None,
        rules_digest: None,
        clock_synchronised: None,
    };
    let (mut writer, mut journal) = Writer::new(&header);
    let mut capture = String::new();
    // The journal of a run that has been there for an hour when the game begins.
    let later = |at: Tick| at + Span::from_ms(3_600_000);
    let setup = Setup::plain(board, Device::Dgt);
    journal.push_str(&writer.input(Tick::ZERO, &Input::Setting(Box::new(setup))));
    for Sent { at, what } in play(&recording) {
        if let Line::Bytes(bytes) = what {
            capture.push_str(&format!("{}\n", STANDARD.encode(&bytes)));
            journal.push_str(&writer.input(later(at), &Input::Bytes(bytes)));
        }
    }
    (journal, capture)
}

#[tokio::test]
async fn journals_and_captures_are_played_as_their_board_said_it() {
    let game = opening();
    let (journal, capture) = recorded(&game);
    for (name, text) in [("journal.jsonl", journal), ("capture.inbytes", capture)] {
        let board = Board::plays(name, &text);
        let mut heard = Vec::new();
        converse(&board.path, &[NICE, DUMP], LONG, &mut heard).await;
        let (told, said) = (Told::of(&heard), said(&game));
        assert_eq!((told.squares, told.levers, told.wood), (said.squares, said.levers, said.wood), "{name}");
        board.ends_well();
    }
}

/// A host claims the port (`TIOCEXCL`) and is killed: that must not shut out the next one. Root is
/// never shut out, so here the board and the next host are somebody else.
#[test]
fn a_port_that_was_claimed_opens_again_for_everybody() {
    use std::io::Write;
    let file = std::env::temp_dir().join(format!("jadoube-test-{}-claimed", std::process::id()));
    std::fs::write(&file, to_jsonl(&opening().rows())).unwrap();
    // The program where somebody else may run it, too.
    let program = std::env::temp_dir().join(format!("jadoube-test-{}-program", std::process::id()));
    std::fs::copy(env!("CARGO_BIN_EXE_jadoube"), &program).unwrap();
    for options in [&[][..], &["--hold"]] {
        let mut child = as_nobody(&program)
            .arg("simulate")
            .arg(&file)
            .args(options)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let path = Path::new(line.trim_end());
        let mut host = std::fs::OpenOptions::new().read(true).write(true).open(path).unwrap();
        rustix::termios::ioctl_tiocexcl(&host).unwrap();
        rustix::fs::flock(&host, rustix::fs::FlockOperation::LockExclusive).unwrap();
        host.write_all(&[DUMP]).unwrap();
        host.read_exact(&mut [0; 67]).unwrap();
        // As it is when its program is killed: the lock goes, the claim stays.
        drop(host);
        let mut opens = as_nobody("dd");
        opens.arg(format!("if={}", path.display())).args(["count=0", "status=none"]);
        assert!(opens.status().unwrap().success(), "{options:?}: shut out");
        child.kill().unwrap();
        child.wait().unwrap();
    }
    std::fs::remove_file(&file).unwrap();
    std::fs::remove_file(&program).unwrap();
}

/// A program that root runs as a user who is nobody, and anybody else as himself.
fn as_nobody(program: impl AsRef<std::ffi::OsStr>) -> Command {
    use std::os::unix::process::CommandExt;
    let mut command = Command::new(program);
    if rustix::process::getuid().is_root() {
        command.uid(65_534);
    }
    command
}

#[test]
fn wrong_files_are_refused_by_line() {
    let meta = r#"{"t_ms":0,"kind":"meta","config":{},"pieces":"occupancy"}"#;
    let changed = recorded(&opening()).0.replacen("86", "87", 1);
    for (name, text, word) in [
        ("journal", changed, "jadoube verify"),
        ("occupancy", meta.to_owned(), "occupancy"),
        ("damaged", format!("{}\n{{\"t_ms\":", meta.replace("occupancy", "identified")), "line 2"),
    ] {
        let file = std::env::temp_dir().join(format!("jadoube-test-{}-{name}.jsonl", std::process::id()));
        std::fs::write(&file, text).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_jadoube"))
            .arg("simulate")
            .arg(&file)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let success = child.wait().unwrap().success();
        let mut error = String::new();
        child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
        std::fs::remove_file(&file).unwrap();
        assert!(!success && error.contains(word), "{error}");
    }
}
