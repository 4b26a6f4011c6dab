//! From a journal to its incidents: what was found, shown, entered and answered.

use super::super::evidence::Evidence;
use super::Journal;
use crate::alerts::Alert;
use crate::contract::{Incident, JournalLine, Line};
use crate::journal::{Entry, Record, Said, Shown};
use crate::table::{Effects, Input, Publish, Table};
use crate::tick::Tick;

/// The incidents that people were shown, in the order of the journal, each with the wall-clock time it
/// was found, in milliseconds.
pub(super) fn incidents(journal: &Journal) -> Vec<(u64, Incident)> {
    let evidence = &journal.evidence;
    let shown = |id: &str| {
        let of =
            |record: &Record| matches!(&record.entry, Entry::Shown(Shown::Alert { id: of, .. }) if of == id);
        evidence.records.iter().any(of)
    };
    let all = alerts(evidence).into_iter().filter(|alert| shown(&alert.id));
    all.map(|alert| (evidence.header.start_ms + alert.primary().at.ms(), incident(journal, alert))).collect()
}

/// Every alert as this program leaves it, in the order in which they were opened.
fn alerts(evidence: &Evidence) -> Vec<Alert> {
    let mut table = Table::new();
    let mut out: Vec<Alert> = Vec::new();
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
            let Publish::Alert(alert) = publish else { continue };
            match out.iter_mut().find(|known| known.id == alert.id) {
                Some(known) => *known = *alert,
                None => out.push(*alert),
            }
        }
        if effects.began.is_some() {
            break;
        }
    }
    out
}

fn incident(journal: &Journal, alert: Alert) -> Incident {
    let evidence = &journal.evidence;
    Incident {
        journal: journal.name.clone(),
        found: evidence.wall(alert.primary().at),
        shown: shown(evidence, &alert.id).into_iter().map(|(at, text)| line(evidence, at, text)).collect(),
        entered: entered(evidence, &alert.id)
            .into_iter()
            .map(|(at, text)| line(evidence, at, text))
            .collect(),
        lines: lines(evidence, &alert),
        alert,
    }
}

fn line(evidence: &Evidence, at: Tick, text: String) -> Line {
    Line { when: evidence.wall(at), text }
}

/// What people were shown, in the words of the time.
pub(super) fn shown(evidence: &Evidence, id: &str) -> Vec<(Tick, String)> {
    let mut out = Vec::new();
    let mut before: Option<Said> = None;
    for record in &evidence.records {
        let (revision, to) = match &record.entry {
            Entry::Shown(Shown::Alert { id: of, revision }) if of == id => (*revision, "to the arbiters"),
            Entry::Shown(Shown::Held { id: of, revision }) if of == id => {
                (*revision, "to nobody before its window had closed")
            }
            _ => continue,
        };
        let mut text = format!("revision {revision}, {to}");
        if let Some(now) = &record.said {
            for (matter, is) in news(before.as_ref(), now) {
                text.push_str(&format!("; {matter}: {is}"));
            }
            before = Some(now.clone());
        }
        out.push((record.tick, text));
    }
    out
}

/// What a revision said first, or said otherwise than the one before.
fn news<'a>(before: Option<&'a Said>, now: &'a Said) -> Vec<(&'a str, &'a str)> {
    const FIRST: [&str; 4] = ["what", "may I act", "consequence", "window"];
    match before {
        None => FIRST.into_iter().filter_map(|matter| Some((matter, now.about(matter)?))).collect(),
        Some(before) => before
            .differs(now)
            .into_iter()
            .map(|(matter, _, is)| (matter, is.unwrap_or("no longer said")))
            .collect(),
    }
}

/// What people entered about it, and what they were answered.
pub(super) fn entered(evidence: &Evidence, id: &str) -> Vec<(Tick, String)> {
    let mut out = Vec::new();
    for (place, record) in evidence.records.iter().enumerate() {
        let Entry::Input(Input::Request(request)) = &record.entry else { continue };
        let keys = request.verb.keys();
        if keys.get("alert").and_then(serde_json::Value::as_str) != Some(id) {
            continue;
        }
        let mut text = format!("{} by {}", request.verb.word(), request.by);
        for (key, value) in keys.iter().filter(|(key, _)| *key != "alert") {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            text.push_str(&format!(", {key}: {value}"));
        }
        // The same id may have been asked before: what counts is the answer that came after.
        let answer = evidence.records[place..].iter().find_map(|other| match &other.entry {
            Entry::Response(answered) if answered.id == request.id => Some(answered),
            _ => None,
        });
        if let Some(answer) = answer {
            let how = if answer.done { "done" } else { "refused" };
            text.push_str(&format!(" – {how}: {}", answer.text));
        }
        out.push((record.tick, text));
    }
    out
}

/// First and last line of the evidence, from 1.
fn lines(evidence: &Evidence, alert: &Alert) -> (u64, u64) {
    let (first, last) = alert.primary().facts.evidence;
    let line = |ordinal: u64| {
        let found = evidence.records.iter().find(|record| record.ordinal == Some(ordinal));
        found.map_or(0, |record| record.seq + 1)
    };
    (line(first), line(last))
}

pub(super) fn journal_line(journal: &Journal) -> JournalLine {
    let Journal { name, evidence } = journal;
    let header = &evidence.header;
    JournalLine {
        name: name.clone(),
        board: header.board.as_str().to_owned(),
        begun: evidence.wall(Tick::ZERO),
        ended: evidence.wall(evidence.last()),
        written: format!("{}, {}", header.program, header.ruleset),
        whole: match (&evidence.damage, evidence.torn) {
            (None, _) => "whole".to_owned(),
            (Some(_), true) => "whole, its last line is cut off".to_owned(),
            (Some(damage), false) => format!("BROKEN: {damage}; what comes after that is not in this report"),
        },
        digest: evidence.digest.clone(),
    }
}
