//! `jadoube explain`: one alert from its journal, in words a chief arbiter can read aloud: what the
//! board said, what was shown and when, what was entered, and whether this program finds the same.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;

use super::evidence::Evidence;
use crate::alerts::Alert;
use crate::contract::card;
use crate::events::{DgtAdapter, Lever, Report};
use crate::journal::{Entry, Shown};
use crate::table::{Effects, Input, Publish, Table};
use crate::tick::Tick;

/// Arguments of `jadoube explain`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The board's journal, .jsonl or .jsonl.gz
    journal: PathBuf,
    /// The id of an alert; without it all alerts are listed
    alert: Option<String>,
}

/// Runs the command.
///
/// # Errors
/// The file cannot be read or is no journal, or has no such alert.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let evidence = Evidence::read(&args.journal)?;
    let told = replay(&evidence);
    let mut out = std::io::stdout().lock();
    let Some(id) = args.alert else {
        out.write_all(list(&evidence, &told).as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    };
    let revisions: Vec<&(Tick, Alert)> = told.iter().filter(|(_, alert)| alert.id == id).collect();
    let Some((_, latest)) = revisions.last() else {
        let mut known: Vec<&str> = told.iter().map(|(_, alert)| alert.id.as_str()).collect();
        known.sort_unstable();
        known.dedup();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        match &evidence.damage {
            Some(damage) => bail!(
                "the journal is damaged ({damage}) and is not read further; up to there it has no alert \
                 \"{id}\", only {known}"
            ),
            None => bail!("the journal has no alert \"{id}\": it has {known}"),
        }
    };
    let mut text = card(latest);
    text.push_str(&said(&evidence, latest));
    text.push_str(&shown(&evidence, &revisions));
    text.push_str(&entered(&evidence, &id));
    text.push_str(&compared(&evidence, &id, &revisions));
    out.write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Every revision of every alert that this program makes of the inputs, shown to people or held.
fn replay(evidence: &Evidence) -> Vec<(Tick, Alert)> {
    let mut table = Table::new();
    let mut out = Vec::new();
    for record in &evidence.records {
        let Entry::Input(input) = &record.entry else { continue };
        let mut effects = Effects::default();
        table.step(record.tick, input.clone(), &mut effects);
        for publish in effects.publish {
            let publish = if let Publish::Held(held) = publish { *held } else { publish };
            if let Publish::Alert(alert) = publish {
                out.push((record.tick, *alert));
            }
        }
    }
    out
}

/// The alerts of a journal, a line each.
fn list(evidence: &Evidence, told: &[(Tick, Alert)]) -> String {
    let mut out = String::new();
    for (at, alert) in told.iter().filter(|(_, alert)| alert.revision == 0) {
        let what = &alert.primary().what;
        out.push_str(&format!("{} UTC  {}  {what}\n", evidence.wall(*at), alert.id));
    }
    if out.is_empty() { "no alerts\n".to_owned() } else { out }
}

fn heading(text: &str) -> String {
    format!("\n{text}\n{}\n", "-".repeat(text.chars().count()))
}

/// What the board and its clock said in the records of the evidence.
fn said(evidence: &Evidence, alert: &Alert) -> String {
    let (first, last) = alert.primary().facts.evidence;
    let mut out = heading(&format!("What the board said (inputs {first} to {last})"));
    let mut adapter = DgtAdapter::default();
    for record in &evidence.records {
        let (Entry::Input(input), Some(number)) = (&record.entry, record.ordinal) else { continue };
        let mut reports = Vec::new();
        match input {
            // What came before decides how the next byte is read.
            Input::Bytes(bytes) => adapter.feed(bytes, &mut reports),
            Input::Report(report) => reports.push(report.clone()),
            _ => {}
        }
        if number < first || number > last {
            continue;
        }
        for report in &reports {
            let line = format!("{}  {number:>6}  {}\n", evidence.wall(record.tick), words(report));
            out.push_str(&line);
        }
    }
    out
}

/// A report in words; squares as the board numbers them.
fn words(report: &Report) -> String {
    match report {
        Report::Dump(wood) => format!("all squares: {}", wood.placement()),
        Report::Square { at, seen } => match seen.letter() {
            Some(letter) => format!("square {}: {letter} stands there", at.raw()),
            None => format!("square {}: empty", at.raw()),
        },
        Report::Clock(clock) => {
            let runs = match clock.running {
                Some(Lever::Left) => "left runs",
                Some(Lever::Right) => "right runs",
                None => "stands",
            };
            format!("clock: left {}, right {}, {runs}", clock.left.text(), clock.right.text())
        }
        Report::ClockConnected(true) => "the clock is connected".to_owned(),
        Report::ClockConnected(false) => "no clock is connected".to_owned(),
        Report::Link { up: true } => "the board can be heard".to_owned(),
        Report::Link { up: false } => "the board cannot be heard".to_owned(),
        Report::Identity(identity) => format!("the board says who it is: {identity:?}"),
        Report::Junk { why, bytes } => format!("{bytes} bytes that make no sense ({why})"),
    }
}

/// What people were shown, and when.
fn shown(evidence: &Evidence, revisions: &[&(Tick, Alert)]) -> String {
    let mut out = heading("What was shown");
    for (at, alert) in revisions {
        let window = alert.advice.window.map_or(String::new(), |window| format!(", {}", window.text));
        out.push_str(&format!(
            "{}  revision {}, {}, {}: {}; {}{window}\n",
            evidence.wall(*at),
            alert.revision,
            alert.state.word(),
            alert.notify.word(),
            alert.advice.may.text(),
            alert.advice.consequence,
        ));
    }
    out
}

/// What people entered about it, and what they were answered.
fn entered(evidence: &Evidence, id: &str) -> String {
    let mut out = heading("What was entered");
    for (place, record) in evidence.records.iter().enumerate() {
        let Entry::Input(Input::Request(request)) = &record.entry else { continue };
        let keys = request.verb.keys();
        if keys.get("alert").and_then(serde_json::Value::as_str) != Some(id) {
            continue;
        }
        let keys = serde_json::Value::Object(keys);
        let when = evidence.wall(record.tick);
        out.push_str(&format!("{when}  {} by {}: {keys}\n", request.verb.word(), request.by));
        // The same id may have been asked before: what counts is the answer that came after.
        let answer = evidence.records[place..].iter().find_map(|other| match &other.entry {
            Entry::Response(answered) if answered.id == request.id => Some(answered),
            _ => None,
        });
        if let Some(answer) = answer {
            let how = if answer.done { "done" } else { "refused" };
            out.push_str(&format!("{:21}  {how}: {}\n", "", answer.text));
        }
    }
    if out == heading("What was entered") {
        out.push_str("nothing\n");
    }
    out
}

/// Whether this program finds what the journal says was shown.
fn compared(evidence: &Evidence, id: &str, revisions: &[&(Tick, Alert)]) -> String {
    let mut out = heading("The same today?");
    let was: Vec<u32> = evidence
        .records
        .iter()
        .filter_map(|record| match &record.entry {
            Entry::Shown(Shown::Alert { id: of, revision } | Shown::Held { id: of, revision })
                if of == id =>
            {
                Some(*revision)
            }
            _ => None,
        })
        .collect();
    let now: Vec<u32> = revisions.iter().map(|(_, alert)| alert.revision).collect();
    if was == now {
        out.push_str(&format!(
            "Replayed with {}, the journal gives the same {} revisions.\n",
            crate::daemon::roster::PROGRAM,
            now.len()
        ));
    } else {
        out.push_str(&format!(
            "The journal says that revisions {was:?} were shown; replayed with {} it gives {now:?}. What was \
             shown then stands as it was.\n",
            crate::daemon::roster::PROGRAM
        ));
    }
    out
}
