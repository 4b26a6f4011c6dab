//! Feeding a stream to a table, and what comes of it.

use jadoube::contract::replay_line;
use jadoube::events::{RowKind, parse_row};
use jadoube::table::{Effects, Input, Table};
use jadoube::tick::Tick;
use serde_json::Value;

use super::sense::Row;

/// A line the product gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub t: i64,
    pub text: String,
    pub value: Value,
}

/// How a stream is fed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feeding {
    Plain,
    /// Woken at every deadline, and much too often besides.
    Woken,
}

fn input(text: &str) -> (Tick, Input) {
    let row = parse_row(text).unwrap_or_else(|e| panic!("the room wrote a bad line {text}: {e}"));
    let input = match row.kind {
        RowKind::Meta(setup) => Input::Setting(setup),
        RowKind::Report(report) => Input::Report(report),
    };
    (row.at, input)
}

/// The lines of replay for these rows.
pub fn lines(rows: &[Row], feeding: Feeding) -> Vec<Line> {
    let texts: Vec<String> = rows.iter().map(Row::json).collect();
    lines_of(&texts, feeding)
}

pub fn lines_of(texts: &[String], feeding: Feeding) -> Vec<Line> {
    let mut table = Table::new();
    let mut effects = Effects::default();
    let mut out = Vec::new();
    let mut last = Tick::ZERO;
    for text in texts {
        let (at, input) = input(text);
        if feeding == Feeding::Woken {
            let mut t = last.us() + 90_000;
            while t < at.us() && t < last.us() + 8_000_000 {
                table.step(Tick::from_us(t), Input::Timer, &mut effects);
                t += 90_000;
            }
        }
        last = at;
        table.step(at, input, &mut effects);
        out.extend(effects.publish.drain(..).filter_map(|p| replay_line(&p)));
    }
    out.into_iter().map(read).collect()
}

fn read(text: String) -> Line {
    let value: Value = serde_json::from_str(&text).expect("replay prints JSON");
    Line { t: value["t_ms"].as_i64().unwrap_or(-1), value, text }
}

/// Without what counts inputs, which extra wake-ups change.
pub fn without_evidence(lines: &[Line]) -> Vec<String> {
    lines.iter().map(|l| l.text.split(",\"evidence\"").next().unwrap_or_default().to_owned()).collect()
}

/// How much room the state of a table takes, by its own account, after these lines.
pub fn size_after(texts: &[String]) -> usize {
    let mut table = Table::new();
    let mut effects = Effects::default();
    for text in texts {
        let (at, input) = input(text);
        table.step(at, input, &mut effects);
        effects.publish.clear();
    }
    format!("{table:?}").len()
}

/// Kill and resume: the place where a later step stops at any row, takes the journal written so
/// far and goes on from it. Until then the whole stream is fed again, which must change nothing.
pub fn resumed(rows: &[Row], _killed_at: usize) -> Vec<Line> {
    lines(rows, Feeding::Plain)
}
