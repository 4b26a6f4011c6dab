//! `jadoube replay` as people and judges run it: the real program on real files.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use jadoube::emulator::{Script, to_jsonl};
use jadoube::events::{BoardId, Device, Setup, TimeControl};
use shakmaty::Square;

fn jadoube(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_jadoube")).args(args).output().expect("the program runs")
}

fn folder(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("jadoube-replay-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).expect("a folder of our own");
    dir
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A game in which White leaves his king in check and presses.
fn recording() -> String {
    let mut setup = Setup::plain(BoardId::new("t1").expect("a name"), Device::Neutral);
    setup.time_control =
        Some(TimeControl { base_s: 300, inc_s: 3, bonus: None, increment_on_first_move: false });
    let script = Script::new(setup)
        .run(true)
        .moves(900, Square::E2, Square::E4)
        .moves(900, Square::E7, Square::E5)
        .moves(900, Square::D2, Square::D4)
        .moves(900, Square::F8, Square::B4)
        .moves(900, Square::G1, Square::F3)
        .wait(3_000);
    to_jsonl(&script.rows())
}

fn write(dir: &Path, name: &str, text: &str) -> String {
    let path = dir.join(name);
    std::fs::write(&path, text).expect("a writable folder");
    path.display().to_string()
}

#[test]
fn a_recording_gives_moves_and_findings_and_twice_the_same_bytes() {
    let dir = folder("twice");
    let file = write(&dir, "game.jsonl", &recording());
    let first = jadoube(&["replay", &file, "--output", "jsonl"]);
    assert!(first.status.success(), "{}", text(&first.stderr));
    let out = text(&first.stdout);
    assert_eq!(out.lines().filter(|l| l.contains("\"kind\":\"move\"")).count(), 5, "{out}");
    let finding = out.lines().find(|l| l.contains("\"code\":\"illegal-move\"")).expect("a finding");
    assert!(finding.contains("\"severity\":\"act\"") && finding.contains("\"side\":\"white\""), "{finding}");
    assert!(
        out.lines().all(|l| serde_json::from_str::<serde_json::Value>(l).is_ok()),
        "JSON Lines and no more"
    );
    assert_eq!(first.stdout, jadoube(&["replay", &file, "--output", "jsonl"]).stdout);
    let card = text(&jadoube(&["replay", &file]).stdout);
    assert!(card.contains("T1") && card.contains("7.5.1"), "{card}");
}

#[test]
fn damage_gives_everything_before_it_its_place_and_a_failure() {
    let dir = folder("damage");
    let whole = recording();
    let mut lines: Vec<&str> = whole.lines().collect();
    let cut = lines.len() - 3;
    lines[cut] = "{\"t_ms\":1,\"kind\":\"squa";
    let file = write(&dir, "damaged.jsonl", &lines.join("\n"));
    let out = jadoube(&["replay", &file, "--output", "jsonl"]);
    assert_eq!(out.status.code(), Some(1));
    assert!(text(&out.stderr).contains(&format!("line {}", cut + 1)), "{}", text(&out.stderr));
    assert!(text(&out.stdout).lines().count() >= 4, "output up to the damage");
    for (name, content, word) in [
        ("kind.jsonl", "{\"t_ms\":0,\"kind\":\"hum\"}\n", "hum"),
        ("nometa.jsonl", "{\"t_ms\":0,\"kind\":\"link\",\"up\":true}\n", "meta"),
        ("empty.jsonl", "", "empty"),
        ("bytes.inbytes", "not base64!\n", "line 1"),
    ] {
        let file = write(&dir, name, content);
        let out = jadoube(&["replay", &file, "--output", "jsonl"]);
        assert_eq!(out.status.code(), Some(1), "{name}");
        assert!(text(&out.stderr).contains(word), "{name}: {}", text(&out.stderr));
        assert!(out.stdout.is_empty(), "{name}");
    }
}

#[test]
fn a_folder_is_replayed_file_by_file() {
    let dir = folder("batch");
    let streams = dir.join("in");
    std::fs::create_dir_all(&streams).expect("a folder");
    write(&streams, "a.jsonl", &recording());
    write(&streams, "b.jsonl", "{\"t_ms\":0,\"kind\":\"hum\"}\n");
    write(&streams, "a.truth.json", "{}");
    write(&streams, "index.csv", "id");
    let (from, to) = (streams.display().to_string(), dir.join("out").display().to_string());
    let out = jadoube(&["replay", "--batch", &from, "--out", &to]);
    assert_eq!(out.status.code(), Some(1), "one stream is damaged");
    let mut names: Vec<String> = std::fs::read_dir(&to)
        .expect("the folder was made")
        .map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["a.jsonl", "b.jsonl"]);
    let a = std::fs::read_to_string(dir.join("out/a.jsonl")).expect("written");
    assert!(a.contains("illegal-move"));
    let same = jadoube(&["replay", "--batch", &from, "--out", &from]);
    assert_eq!(same.status.code(), Some(1));
    assert!(text(&same.stderr).contains("another folder"), "{}", text(&same.stderr));
}

/// A capture says the same however its messages are cut into lines.
#[test]
fn a_capture_says_the_same_in_any_grouping() {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    let dir = folder("grouping");
    let bytes = capture();
    let lines = |size: usize| -> String { bytes.chunks(size).map(|c| STANDARD.encode(c) + "\n").collect() };
    let mut seen = Vec::new();
    for size in [1, 7, 10, 64, 1000] {
        let file = write(&dir, &format!("{size}.inbytes"), &lines(size));
        let out = jadoube(&["replay", &file, "--output", "jsonl"]);
        assert!(out.status.success(), "{}", text(&out.stderr));
        seen.push(text(&out.stdout));
    }
    assert!(seen[0].contains("\"uci\":\"e2e4\"") && seen[0].contains("illegal-move"), "{}", seen[0]);
    for other in &seen[1..] {
        assert_eq!(&seen[0], other);
    }
}

/// The bytes that a DGT board would have sent for the recording.
fn capture() -> Vec<u8> {
    use jadoube_dgt::{Field, Lever, Message, PieceCode, SideTime};
    let mut out = Vec::new();
    let mut send = |message: Message<'_>| {
        let mut buffer = [0u8; 80];
        let len = message.encode(&mut buffer).expect("it fits");
        out.extend_from_slice(&buffer[..len]);
    };
    let mut array = [PieceCode::EMPTY; 64];
    for (index, code) in [8, 9, 10, 12, 11, 10, 9, 8].into_iter().enumerate() {
        array[index] = PieceCode::from_byte(code);
        array[index + 8] = PieceCode::BLACK_PAWN;
        array[index + 48] = PieceCode::WHITE_PAWN;
        array[index + 56] = PieceCode::from_byte(code - 6);
    }
    send(Message::Dump(array));
    let moves = [("e2", "e4", 1), ("e7", "e5", 7), ("d2", "d4", 1), ("f8", "b4", 10), ("g1", "f3", 3)];
    let field = |name: &str| {
        let b = name.as_bytes();
        Field::new((b'8' - b[1]) * 8 + (b[0] - b'a')).expect("a square")
    };
    let mut left = [300u32, 300];
    let clock = |turn: usize, left: [u32; 2], send: &mut dyn FnMut(Message<'_>)| {
        let time = |s| SideTime::from_seconds(s).expect("below ten hours");
        send(Message::Clock(jadoube_dgt::ClockReport {
            left: time(left[0]),
            right: time(left[1]),
            running: true,
            lever: if turn == 0 { Lever::LeftHigh } else { Lever::RightHigh },
            battery_low: false,
            turn_bit_3: turn == 0,
            turn_bit_4: turn == 1,
        }));
    };
    clock(0, left, &mut send);
    for (ply, (from, to, piece)) in moves.into_iter().enumerate() {
        left[ply % 2] -= 1;
        clock(ply % 2, left, &mut send);
        send(Message::Field { field: field(from), piece: PieceCode::EMPTY });
        send(Message::Field { field: field(to), piece: PieceCode::from_byte(piece) });
        left[ply % 2] -= 1;
        clock(ply % 2, left, &mut send);
        clock((ply + 1) % 2, left, &mut send);
    }
    for _ in 0..3 {
        left[1] -= 1;
        clock(1, left, &mut send);
    }
    out
}
