//! `jadoube explain`: one alert from its journal, in words a chief arbiter can read aloud: what the
//! board said, what was shown to whom and when, what was entered, by which program, rules and times it
//! was judged, and whether this program finds the same.

mod words;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;

use self::words::{Words, times};
use super::compare::compare;
use super::evidence::Evidence;
use crate::alerts::Alert;
use crate::contract::card;
use crate::daemon::roster::PROGRAM;
use crate::events::{Calibration, DgtAdapter, Report};
use crate::journal::{Entry, Said, Shown};
use crate::table::{Effects, Input, Publish, Table};
use crate::tick::Tick;

/// What the board said is read aloud: of more lines than this the middle is left out.
const SAID_MAX: usize = 48;

/// Arguments of `jadoube explain`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The board's journal, .jsonl or .jsonl.gz
    journal: PathBuf,
    /// The id of an alert; without it all alerts are listed
    alert: Option<String>,
}

/// A revision of an alert as this program makes it.
struct Revision {
    alert: Alert,
    /// The times of the board as they were known then.
    times: Option<Calibration>,
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
    let revisions: Vec<&Revision> = told.iter().filter(|revision| revision.alert.id == id).collect();
    let (Some(first), Some(latest)) = (revisions.first(), revisions.last()) else {
        let mut known: Vec<&str> = told.iter().map(|revision| revision.alert.id.as_str()).collect();
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
    let mut text = format!(
        "Alert {id}, found at {} UTC, as it is in the end. Times in the card count from {} UTC.\n\n",
        evidence.wall(first.alert.primary().at),
        evidence.wall(Tick::ZERO)
    );
    text.push_str(&card(&latest.alert));
    text.push_str(&said(&evidence, &first.alert));
    text.push_str(&shown(&evidence, &id, &revisions));
    text.push_str(&entered(&evidence, &id));
    text.push_str(&judged(&evidence, first));
    text.push_str(&compared(&evidence, &id));
    out.write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Every revision of every alert that this program makes of the inputs, whoever is shown it.
fn replay(evidence: &Evidence) -> Vec<Revision> {
    let mut table = Table::new();
    let mut out = Vec::new();
    for record in &evidence.records {
        let Entry::Input(input) = &record.entry else { continue };
        let mut effects = Effects::default();
        table.step(record.tick, input.clone(), &mut effects);
        // What belongs to the next game is in its own journal.
        let of_this = effects.began.as_ref().map_or(usize::MAX, |began| began.published_before);
        effects.publish.truncate(of_this);
        for mut publish in effects.publish {
            while let Publish::Held(inner) | Publish::Shadowed(inner) = publish {
                publish = *inner;
            }
            if let Publish::Alert(alert) = publish {
                out.push(Revision { alert: *alert, times: table.calibration() });
            }
        }
    }
    out
}

/// The alerts of a journal, a line each.
fn list(evidence: &Evidence, told: &[Revision]) -> String {
    let mut out = String::new();
    for Revision { alert, .. } in told.iter().filter(|revision| revision.alert.revision == 0) {
        let (at, what) = (alert.primary().at, &alert.primary().what);
        out.push_str(&format!("{} UTC  {}  {what}\n", evidence.wall(at), alert.id));
    }
    if out.is_empty() { "no alerts\n".to_owned() } else { out }
}

fn heading(text: &str) -> String {
    format!("\n{text}\n{}\n", "-".repeat(text.chars().count()))
}

/// What the board and its clock said in the records of the evidence.
fn said(evidence: &Evidence, alert: &Alert) -> String {
    let (first, last) = alert.primary().facts.evidence;
    let mut out = heading("What the board said");
    let inputs = if first == last { format!("Input {first}") } else { format!("Inputs {first} to {last}") };
    out.push_str(&format!(
        "{inputs} of the journal, UTC; squares and ends of the clock as the board names them.\n"
    ));
    let (mut adapter, mut words) = (DgtAdapter::default(), Words::default());
    let (mut lines, mut readings) = (Vec::new(), 0u32);
    let mut all_squares = None;
    for record in &evidence.records {
        let (Entry::Input(input), Some(number)) = (&record.entry, record.ordinal) else { continue };
        let mut reports = Vec::new();
        match input {
            // What came before decides how the next byte is read.
            Input::Bytes(bytes) => adapter.feed(bytes, &mut reports),
            Input::Report(report) => reports.push(report.clone()),
            _ => {}
        }
        for report in &reports {
            let text = words.of(report);
            if number < first
                && let Report::Dump(wood) = report
            {
                all_squares = Some((record.tick, wood.placement()));
            }
            if number < first || number > last {
                continue;
            }
            match text {
                Some(text) => lines.push(format!("{}  {text}\n", time(evidence, record.tick))),
                None => readings += 1,
            }
        }
    }
    if let Some((at, placement)) = all_squares {
        let when = time(evidence, at);
        out.push_str(&format!("{when}  (all squares, as they were read last before: {placement})\n"));
    }
    let half = SAID_MAX / 2;
    if lines.len() > SAID_MAX {
        let left_out = lines.len() - 2 * half;
        lines.splice(half..half + left_out, [format!("{:10}  … {left_out} more …\n", "")]);
    }
    out.push_str(&lines.concat());
    match readings {
        0 => {}
        1 => out.push_str("Beside that one reading of the clock, whose time ran on.\n"),
        n => out.push_str(&format!("Beside that {n} readings of the clock, whose time ran on.\n")),
    }
    if lines.is_empty() && readings == 0 {
        out.push_str("nothing: the finding follows from what it had said before\n");
    }
    out
}

/// The time of day, to the tenth of a second.
fn time(evidence: &Evidence, at: Tick) -> String {
    evidence.wall(at).split(' ').nth(1).unwrap_or_default().to_owned()
}

/// What people were shown, when, and who.
fn shown(evidence: &Evidence, id: &str, revisions: &[&Revision]) -> String {
    let mut out = heading("What was shown");
    let mut before: Option<Said> = None;
    for record in &evidence.records {
        let Entry::Shown(shown) = &record.entry else { continue };
        let (revision, whom) = match shown {
            Shown::Alert { id: of, revision } if of == id => (*revision, "to the arbiters"),
            Shown::Held { id: of, revision } if of == id => {
                (*revision, "to nobody before its window had closed")
            }
            Shown::Shadowed { id: of, revision } if of == id => (*revision, "to nobody: shadow mode"),
            _ => continue,
        };
        // A journal of an earlier program has no words; this program's are those of the same revision.
        let again = revisions.iter().find(|other| other.alert.revision == revision);
        let again = || again.and_then(|other| Said::of(&Publish::Alert(Box::new(other.alert.clone()))));
        let now = record.said.clone().or_else(again);
        out.push_str(&format!("{}  revision {revision}, {whom}\n", time(evidence, record.tick)));
        if let Some(now) = &now {
            match &before {
                None => out.push_str(&first_words(now)),
                Some(before) => out.push_str(&changed_words(before, now)),
            }
        }
        before = now.or(before);
    }
    if before.is_none() {
        out.push_str("nothing, as the journal has it\n");
    }
    out
}

/// What the first showing said, without what the card says anyway.
fn first_words(said: &Said) -> String {
    let about = |matter: &str| said.about(matter).unwrap_or("nothing");
    let how = match about("notify") {
        "silent" => ", without sound",
        "after-window" => ", after its window had closed",
        _ => "",
    };
    let mut out = format!(
        "{:10}  {} ({}, {}{how})\n{:10}  {}; {}\n",
        "",
        about("what"),
        about("severity"),
        about("certainty"),
        "",
        about("may I act"),
        about("consequence")
    );
    if let Some(window) = said.about("window") {
        out.push_str(&format!("{:10}  {window}\n", ""));
    }
    out
}

/// What a revision changed.
fn changed_words(before: &Said, now: &Said) -> String {
    let mut out = String::new();
    for (matter, was, is) in before.differs(now) {
        let text = match (matter, is) {
            ("notify", Some("now")) => "from now on with sound".to_owned(),
            ("notify", Some("silent")) => "from now on without sound".to_owned(),
            (_, Some(is)) => format!("{matter}: {is}"),
            (_, None) => format!("{matter}: no longer said, it was {}", was.unwrap_or("nothing")),
        };
        out.push_str(&format!("{:10}  {text}\n", ""));
    }
    if out.is_empty() {
        format!("{:10}  in the same words; what stands on the board or clock had changed\n", "")
    } else {
        out
    }
}

/// What people entered about it, and what they were answered.
fn entered(evidence: &Evidence, id: &str) -> String {
    let mut out = heading("What was entered");
    let nothing = out.clone();
    for (place, record) in evidence.records.iter().enumerate() {
        let Entry::Input(Input::Request(request)) = &record.entry else { continue };
        let keys = request.verb.keys();
        if keys.get("alert").and_then(serde_json::Value::as_str) != Some(id) {
            continue;
        }
        let keys: Vec<String> = keys
            .iter()
            .filter(|(key, _)| *key != "alert")
            .map(|(key, value)| match value.as_str() {
                Some(text) => format!("{key} \"{text}\""),
                None => format!("{key} {value}"),
            })
            .collect();
        let keys = if keys.is_empty() { String::new() } else { format!(": {}", keys.join(", ")) };
        let when = time(evidence, record.tick);
        out.push_str(&format!("{when}  {} by {}{keys}\n", request.verb.word(), request.by));
        // The same id may have been asked before: what counts is the answer that came after.
        let answer = evidence.records[place..].iter().find_map(|other| match &other.entry {
            Entry::Response(answered) if answered.id == request.id => Some(answered),
            _ => None,
        });
        if let Some(answer) = answer {
            let how = if answer.done { "done" } else { "refused" };
            out.push_str(&format!("{:10}  {how}: {}\n", "", answer.text));
        }
    }
    if out == nothing {
        out.push_str("nothing\n");
    }
    out
}

/// By which program, rules and times it was judged.
fn judged(evidence: &Evidence, first: &Revision) -> String {
    let mut out = heading("How it was judged");
    let header = &evidence.header;
    let goes_on = evidence.goes_on().filter(|(at, _)| *at <= first.alert.primary().at).last();
    let program = goes_on.map_or(&header.program, |(_, goes_on)| &goes_on.program);
    out.push_str(&format!("Program: {program}. Rules: {}{}.\n", header.ruleset, evidence.rules()));
    out.push_str(match header.clock_synchronised {
        Some(true) => "Times of day: the host's clock was synchronised.\n",
        Some(false) => "Times of day: the host's clock was not synchronised; distances between times hold.\n",
        None => "Times of day: not known how well the host's clock was set; distances between times hold.\n",
    });
    // Where nothing was pressed, nothing was waited for.
    if first.alert.primary().facts.pressed_at.is_some() {
        out.push_str(&format!("{}\n", times(first.times.as_ref())));
    }
    if let Some(order) = first.alert.primary().facts.order {
        out.push_str(&format!("Which came first, press or landing, is {}.\n", order.text()));
    }
    out
}

/// Whether this program finds what the journal says was shown.
fn compared(evidence: &Evidence, id: &str) -> String {
    let mut out = heading("The same today?");
    let compared = compare(evidence);
    let about: Vec<_> = compared.differences.iter().filter(|d| d.id.as_deref() == Some(id)).collect();
    if about.is_empty() {
        out.push_str(&format!(
            "Replayed with {PROGRAM}, the journal gives the same revisions of this alert.\n"
        ));
    } else {
        out.push_str(&format!(
            "Replayed with {PROGRAM} it is not the same. What was shown then stands as it was.\n"
        ));
    }
    for difference in about {
        out.push_str(&format!("line {}: {}\n", difference.line, difference.what));
    }
    out
}
