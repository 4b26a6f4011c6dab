//! Boards that play recordings to a running daemon, and what of two runs can be compared.
// Each test program uses a part of this.
#![allow(dead_code)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command as Program, Stdio};

use jadoube::emulator::{Recording, to_jsonl};
use jadoube::events::{Row, RowKind};
use jadoube::tick::Tick;
use serde_json::Value;

use crate::mosquitto::spawn;

/// What a variable of the environment says, or what is usual.
pub(crate) fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// Numbers that are the same whenever the seed is.
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn range(&mut self, from: u64, to: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        from + self.0 % (to - from + 1)
    }
}

/// So many games at a table, beginning with another one at each, the array set up again after each.
pub(crate) fn round(recordings: &[String], table: usize, games: usize) -> String {
    let mut rows: Vec<Row> = Vec::new();
    let mut at = Tick::ZERO;
    for game in 0..games {
        let recording = Recording::parse(&recordings[(table + game) % recordings.len()]).unwrap();
        let recording = recording.set_up_again();
        if rows.is_empty() {
            rows.push(Row { at, kind: RowKind::Meta(Box::new(recording.setup().clone())) });
        }
        let moved = recording.reports().iter().map(|(of_game, report)| Row {
            at: Tick::from_us(at.us() + of_game.us()),
            kind: RowKind::Report(report.clone()),
        });
        rows.extend(moved);
        at = Tick::from_us(rows.last().unwrap().at.us() + 2_000_000);
    }
    to_jsonl(&rows)
}

/// `jadoube simulate`, playing a file.
pub(crate) struct Board {
    child: Child,
    pub(crate) path: PathBuf,
}

impl Board {
    pub(crate) fn plays(file: &Path, hold: bool) -> Board {
        let mut program = Program::new(env!("CARGO_BIN_EXE_jadoube"));
        program.arg("simulate").arg(file).stdout(Stdio::piped()).stderr(Stdio::null());
        if hold {
            program.arg("--hold");
        }
        let mut child = spawn(&mut program, "jadoube");
        let mut path = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut path).unwrap();
        Board { child, path: PathBuf::from(path.trim_end()) }
    }

    pub(crate) fn is_done(&mut self) -> bool {
        let ended = self.child.try_wait().unwrap();
        assert!(ended.is_none_or(|status| status.success()), "a board failed: {ended:?}");
        ended.is_some()
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Fields that say when, or number messages and inputs. The clock beside an alert is the one last heard
/// before it: a board that holds lets no time run while a judgement that was waited for comes due.
const DIFFER: &[&str] =
    &["epoch", "seq", "t_ms", "at", "evidence", "pressed_t_ms", "clock_now", "clock_then"];

/// Times and what counts messages and inputs differ between any two runs.
pub(crate) fn without_numbers(value: Value) -> String {
    fn walk(value: Value) -> Value {
        match value {
            Value::Object(map) => Value::Object(
                map.into_iter()
                    .filter(|(key, _)| !DIFFER.contains(&key.as_str()))
                    .map(|(key, value)| (key, walk(value)))
                    .collect(),
            ),
            Value::Array(list) => Value::Array(list.into_iter().map(walk).collect()),
            other => other,
        }
    }
    walk(value).to_string()
}

/// Of two runs what is not the same in both, by its key.
pub(crate) fn differences<T: std::fmt::Debug + PartialEq>(
    undisturbed: &BTreeMap<String, T>,
    disturbed: &BTreeMap<String, T>,
) -> Vec<String> {
    let keys: BTreeSet<&String> = undisturbed.keys().chain(disturbed.keys()).collect();
    keys.into_iter()
        .filter(|key| undisturbed.get(*key) != disturbed.get(*key))
        .map(|key| {
            let (before, after) = (undisturbed.get(key), disturbed.get(key));
            format!("{key}\n  undisturbed {before:?}\n  disturbed   {after:?}")
        })
        .collect()
}
