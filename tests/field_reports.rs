//! What people in the field reported about other programs, as recordings, and what must come of each.
//!
//! `fixtures/field-reports/NNN.jsonl` is the recording, `NNN.txt` beside it the full outcome: moves,
//! findings of every severity, alerts. Lines that begin with `#` say what it is about.
//! Reports in words, and variants told with a recording, are scripts in `scripts/`.
//! `UPDATE_FIXTURES=1` writes the outcomes anew; read the difference before you commit it.
//! `fixtures/field-reports/README.md` says where an outcome is less than was wished for, and which
//! test has the reports that are no recordings.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

#[path = "support/script.rs"]
mod script;

use std::path::{Path, PathBuf};

use jadoube::events::{RowKind, parse_row};
use jadoube::table::Input;
use jadoube::tick::Tick;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/field-reports")
}

/// The files of a folder with that extension, by name.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("fixtures/field-reports is there");
    let mut out: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    out.retain(|path| path.extension().is_some_and(|e| e == extension));
    out.sort();
    out
}

/// The recordings, by number.
fn recordings() -> Vec<PathBuf> {
    files(&folder(), "jsonl")
}

fn inputs(path: &Path) -> Vec<(Tick, Input)> {
    let text = std::fs::read_to_string(path).expect("a readable recording");
    let row = |line: &str| {
        let row = parse_row(line).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let input = match row.kind {
            RowKind::Meta(setup) => Input::Setting(setup),
            RowKind::Report(report) => Input::Report(report),
        };
        (row.at, input)
    };
    text.lines().map(row).collect()
}

/// The lines of a text file that say what it is about, and the outcome.
fn split(text: &str) -> (String, String) {
    let (about, outcome): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with('#'));
    (about.join("\n"), outcome.join("\n"))
}

#[test]
fn every_report_has_its_outcome() {
    let mut wrong = Vec::new();
    for path in &recordings() {
        let beside = path.with_extension("txt");
        let text = std::fs::read_to_string(&beside).unwrap_or_default();
        let (about, expected) = split(&text);
        let got = script::outcome(&script::published(&inputs(path)));
        if got == expected {
            continue;
        }
        if std::env::var_os("UPDATE_FIXTURES").is_some() {
            std::fs::write(&beside, format!("{about}\n{got}\n")).expect("a writable fixture");
            continue;
        }
        wrong.push(format!("{}\n--- expected\n{expected}\n--- got\n{got}", beside.display()));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_script_has_its_outcome() {
    let scripts = files(&folder().join("scripts"), "txt");
    assert!(!scripts.is_empty(), "reports that are no recordings are scripts");
    script::compare(&scripts);
}

#[test]
fn every_recording_says_what_it_is_about() {
    for path in recordings() {
        let text = std::fs::read_to_string(path.with_extension("txt")).unwrap_or_default();
        assert!(text.starts_with("# "), "{}: begin with `# ` and what was reported", path.display());
    }
}
