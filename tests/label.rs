//! `jadoube label` as people run it: the real program on real files.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use base64::Engine as _;
use jadoube::emulator::{Emulator, Line, Recording, Script, to_jsonl};
use jadoube::events::{BoardId, Device, Setup, TimeControl};
use jadoube::journal::{Header, Writer};
use jadoube::table::Input;
use jadoube::tick::Tick;
use serde_json::Value;
use shakmaty::Square;

fn jadoube(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_jadoube")).args(args).output().expect("the program runs")
}

fn folder(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("jadoube-label-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).expect("a folder of our own");
    dir
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn write(dir: &Path, name: &str, text: &str) -> String {
    let path = dir.join(name);
    std::fs::write(&path, text).expect("a writable folder");
    path.display().to_string()
}

fn setup(device: Device) -> Setup {
    let mut setup = Setup::plain(BoardId::new("t1").expect("a name"), device);
    setup.time_control =
        Some(TimeControl { base_s: 300, inc_s: 3, bonus: None, increment_on_first_move: false });
    setup
}

/// Five moves of White's and Black's; with the last White leaves his king in check and presses.
fn script() -> Script {
    Script::new(setup(Device::Neutral))
        .run(true)
        .moves(900, Square::E2, Square::E4)
        .moves(1_100, Square::E7, Square::E5)
        .moves(900, Square::D2, Square::D4)
        .moves(700, Square::F8, Square::B4)
        .moves(900, Square::G1, Square::F3)
        .wait(3_000)
}

const MOVES: &str = "[White \"?\"]\n\n1. e4 e5 2. d4 Bb4+ 3. g1f3 *\n";
const SEEN: &str = "[[incident]]\nply = 5\nid = \"illegal-move\"\nside = \"white\"\nnote = \"in check\"\n";

fn labels(out: &Output) -> Vec<Value> {
    assert!(out.status.success(), "{}", text(&out.stderr));
    let lines = text(&out.stdout);
    lines.lines().map(|line| serde_json::from_str(line).expect("JSON Lines and no more")).collect()
}

fn number(label: &Value, key: &str) -> i64 {
    label[key].as_i64().unwrap_or_else(|| panic!("{key} of {label}"))
}

#[test]
fn a_recording_gives_labels_and_what_the_scorer_needs() {
    let dir = folder("whole");
    let file = write(&dir, "game.jsonl", &to_jsonl(&script().rows()));
    let moves = write(&dir, "game.pgn", MOVES);
    let seen = write(&dir, "seen.toml", SEEN);
    let to = dir.join("out");
    let args = ["label", &file, "--moves", &moves, "--incidents", &seen, "--out", &to.display().to_string()];
    let labels = labels(&jadoube(&args));
    assert_eq!(labels.len(), 5);
    assert_eq!(labels[1]["uci"], "e7e5");
    assert_eq!(labels[1]["kind"], "quiet");
    for label in &labels {
        assert!(number(label, "lift_to_land_ms") > 0 && number(label, "land_to_press_ms") >= 0, "{label}");
        assert_eq!(label["pace"], "blitz");
    }
    assert_eq!(labels[4]["legal"], false);
    let read = |name: &str| std::fs::read_to_string(to.join(name)).expect("it was written");
    let truth: Value = serde_json::from_str(&read("game.truth.json")).expect("JSON");
    assert_eq!((&truth["id"], &truth["clean"]), (&Value::from("game"), &Value::from(false)));
    assert_eq!(truth["moves"][4]["legal"], false);
    assert_eq!(truth["findings"][0]["codes"][0], "ILLEGAL_MOVE_COMPLETED");
    assert_eq!(truth["findings"][0]["t_certain_ms"], labels[4]["t_press_ms"]);
    // The neutral stream beside it says the same as the recording.
    let stream = to.join("game.jsonl").display().to_string();
    let replay = |file: &str| text(&jadoube(&["replay", file, "--output", "jsonl"]).stdout);
    assert_eq!(replay(&stream), replay(&file));
    assert!(replay(&stream).contains("illegal-move"));
    let again = jadoube(&args);
    assert_eq!(again.status.code(), Some(1), "nothing is overwritten");
    assert!(text(&again.stderr).contains("is there already"), "{}", text(&again.stderr));
}

/// The bytes of a DGT board, as the daemon journals them, with the time of each.
fn bytes() -> Vec<(Tick, Vec<u8>)> {
    let recording = Recording::from_rows(script().rows()).expect("a DGT board can say it");
    let mut board = Emulator::new(&recording);
    board.host(Tick::ZERO, &[0x42, 0x4B]);
    let (mut now, mut sent) = (Tick::ZERO, Vec::new());
    while !board.is_done() {
        now = board.next_due().unwrap_or(now);
        board.poll(now, &mut sent);
    }
    let bytes = |line| match line {
        Line::Bytes(bytes) => bytes,
        other => panic!("nobody pulls the plug: {other:?}"),
    };
    sent.into_iter().map(|sent| (sent.at, bytes(sent.what))).collect()
}

#[test]
fn a_journal_of_a_dgt_board_is_labelled() {
    let dir = folder("journal");
    let header = Header {
        node: String::new(),
        program: "jadoube".to_owned(),
        board: BoardId::new("t1").expect("a name"),
        ruleset: "fide-2023/blitz-b2".to_owned(),
        start_ms: 0,
        after: None,
        rules_digest: None,
        clock_synchronised: None,
    };
    let (mut writer, mut journal) = Writer::new(&header);
    journal += &writer.input(Tick::ZERO, &Input::Setting(Box::new(setup(Device::Dgt))));
    for (at, bytes) in bytes() {
        journal += &writer.input(at, &Input::Bytes(bytes));
    }
    let file = write(&dir, "t1.journal", &journal);
    let moves = write(&dir, "game.uci", "e2e4\ne7e5\nd2d4\nf8b4\ng1f3\n");
    let seen = write(&dir, "seen.jsonl", "{\"ply\":5,\"id\":\"illegal-move\",\"side\":\"white\"}\n");
    let to = dir.join("out").display().to_string();
    let out =
        jadoube(&["label", &file, "--moves", &moves, "--incidents", &seen, "--out", &to, "--name", "t1"]);
    let labels = labels(&out);
    let rows = script().rows();
    for (label, (from, land)) in labels.iter().zip([("e2", "e4"), ("e7", "e5"), ("d2", "d4"), ("f8", "b4")]) {
        let recorded = |square: &str| {
            let row = to_jsonl(&rows);
            let row = row.lines().find(|line| line.contains(&format!("\"sq\":\"{square}\""))).expect("a row");
            let value: Value = serde_json::from_str(row).expect("JSON");
            value["t_ms"].as_i64().expect("a time")
        };
        let late = |key: &str, square: &str| {
            number(label, key) - number(&labels[0], "t_lift_ms") - (recorded(square) - recorded("e2"))
        };
        // The line carries one message after the other, which takes its time.
        assert!(late("t_lift_ms", from).abs() <= 60 && late("t_land_ms", land).abs() <= 60, "{label}");
        assert!(label["t_press_ms"].is_i64(), "{label}");
        assert_eq!(label["confidence"], "medium", "a DGT board looks every 200 ms: {label}");
    }
    let stream = dir.join("out/t1.jsonl").display().to_string();
    let replayed = text(&jadoube(&["replay", &stream, "--output", "jsonl"]).stdout);
    assert!(replayed.contains("\"uci\":\"f8b4\"") && replayed.contains("illegal-move"), "{replayed}");
}

#[test]
fn a_capture_has_no_times_to_trust() {
    let dir = folder("capture");
    let base64 = base64::engine::general_purpose::STANDARD;
    let lines: String = bytes().into_iter().map(|(_, bytes)| base64.encode(bytes) + "\n").collect();
    let file = write(&dir, "game.inbytes", &lines);
    let moves = write(&dir, "game.uci", "1. e2e4 e7e5 2. d2d4 f8b4");
    let labels = labels(&jadoube(&["label", &file, "--moves", &moves, "--base", "300", "--inc", "3"]));
    assert_eq!(labels.len(), 4);
    for label in labels {
        assert_eq!(label["confidence"], "low");
        assert!(label["why"].to_string().contains("seconds of the chess clock"), "{label}");
    }
}

#[test]
fn labels_of_several_runs_are_fitted_together() {
    let dir = folder("fit");
    let file = write(&dir, "game.jsonl", &to_jsonl(&script().rows()));
    let moves = write(&dir, "game.uci", "e2e4 e7e5 d2d4 f8b4");
    let one = text(&jadoube(&["label", &file, "--moves", &moves]).stdout);
    let many = write(&dir, "many.jsonl", &one.repeat(8));
    let to = dir.join("hands.toml").display().to_string();
    let out = jadoube(&["label", "--labels", &many, "--fit", &to]);
    assert!(out.status.success() && out.stdout.is_empty(), "{}", text(&out.stderr));
    assert!(text(&out.stderr).contains("pace.rapid.lift_to_land_ms (0)"), "{}", text(&out.stderr));
    let fitted = std::fs::read_to_string(&to).expect("it was written");
    let blitz = fitted.split("[pace.rapid]").next().expect("the first section");
    assert!(blitz.contains("# 32 samples") && blitz.contains("lift_to_land_ms = ["), "{blitz}");
    assert!(!blitz.contains("lift_to_land_ms = [140, 480]"), "{blitz}");
    assert!(fitted.contains("lift_to_land_ms = [280, 900] # default: 0 samples, 20 are needed"), "{fitted}");
    let with_one = jadoube(&["label", &file, "--moves", &moves, "--labels", &many, "--fit", &to]);
    assert_eq!(labels(&with_one).len(), 4);
    assert!(text(&with_one.stderr).contains("fitted to 36 plies"), "{}", text(&with_one.stderr));
}

#[test]
fn what_is_wrong_says_what_to_do() {
    let dir = folder("errors");
    let file = write(&dir, "game.jsonl", &to_jsonl(&script().rows()));
    let still = write(&dir, "still.jsonl", &to_jsonl(&Script::new(setup(Device::Neutral)).wait(500).rows()));
    let good = write(&dir, "good.uci", "e2e4 e7e5 d2d4 f8b4");
    let cases = [
        ("e2e4 e7e5 d2d3 f8b4", "", "do not fit at ply 3 (d3): at 0:"),
        ("e2e4 e7e5 d2d3 f8b4", "", "the board showed nothing on d3 instead of P"),
        ("e4 e5 d4 Bb4 Nf3", "", "ply 5: Nf3 is not legal in"),
        ("e4 e5 d4 Bb4 g1f3", "", "list illegal-move for ply 5 with --incidents"),
        ("e4 e5 x9", "", "ply 3: \"x9\" is no move"),
        ("\n", "", "the file is empty"),
        ("[Event \"x\"]\n\n*", "", "there is no move in it"),
        ("e4 e5 *\n\n[Event \"y\"]\n\nd4 *", "", "more than one game"),
        ("e4 e5", "ply = 2\nid = \"ilegal\"", "use one of illegal-move, illegal-move-unpressed"),
        ("e4 e5", "ply = 9\nid = \"illegal-move\"", "is of ply 9: the moves have plies 1 to 2"),
        ("e4 e5", "ply = 2\nid = \"flag-fall\"", "no clock shows zero there; give its time"),
        ("e4 e5", "ply = 2\nid = \"illegal-move\"\nsied = \"white\"", "unknown field `sied`"),
        ("e4 e5", "ply = 2\nid = \"illegal-move\"\nside = \"both\"", "neither white nor black"),
    ];
    for (index, (moves, incident, words)) in cases.into_iter().enumerate() {
        let moves = write(&dir, &format!("{index}.uci"), moves);
        let seen = write(&dir, &format!("{index}.toml"), &format!("[[incident]]\n{incident}\n"));
        let to = dir.join("out").display().to_string();
        let mut args = vec!["label", &file, "--moves", &moves, "--out", &to];
        if !incident.is_empty() {
            args.extend(["--incidents", &seen]);
        }
        let out = jadoube(&args);
        assert_eq!(out.status.code(), Some(1), "{index}: {}", text(&out.stderr));
        assert!(text(&out.stderr).contains(words), "{index}: {}", text(&out.stderr));
        assert!(out.stdout.is_empty() && !dir.join("out").exists(), "{index}: nothing is written");
    }
    let missing = dir.join("missing").display().to_string();
    for (args, words) in [
        (vec!["label", &still, "--moves", &good], "no square changes"),
        (vec!["label", &good, "--moves", &good], "a recording is a journal"),
        (vec!["label", &file, "--moves", &missing], "cannot read"),
        (vec!["label", &file, "--moves", &good, "--incidents", &good], ".toml or .jsonl"),
        (vec!["label", "--labels", &file, "--fit", &missing], "line 1 is no label"),
    ] {
        let out = jadoube(&args);
        assert_eq!(out.status.code(), Some(1), "{args:?}");
        assert!(text(&out.stderr).contains(words), "{args:?}: {}", text(&out.stderr));
    }
    assert_eq!(jadoube(&["label", &file]).status.code(), Some(2), "usage: no moves");
    assert_eq!(jadoube(&["label", "--moves", &good]).status.code(), Some(2), "usage: no recording");
}
