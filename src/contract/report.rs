//! The incident report of a round as Markdown, for the chief arbiter: facts, what was shown, rulings,
//! times, and the digests by which later tampering is found.

use super::card::capital;
use crate::alerts::{Alert, AlertState};

/// Something that happened at a moment, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// When, UTC.
    pub when: String,
    /// What.
    pub text: String,
}

/// An incident: an alert, and everything about it that is in its journal.
#[derive(Clone, Debug)]
pub struct Incident {
    /// The alert as it is in the end.
    pub alert: Alert,
    /// The file it is in.
    pub journal: String,
    /// When it was found.
    pub found: String,
    /// What people were shown.
    pub shown: Vec<Line>,
    /// What people entered, and what they were answered.
    pub entered: Vec<Line>,
    /// First and last line of the evidence in the file, from 1.
    pub lines: (u64, u64),
}

/// A journal of the round.
#[derive(Clone, Debug)]
pub struct JournalLine {
    /// Its file.
    pub name: String,
    /// The board.
    pub board: String,
    /// When it began.
    pub begun: String,
    /// When its last line was written.
    pub ended: String,
    /// The program that wrote it, and its rules.
    pub written: String,
    /// Whether it is whole, in words.
    pub whole: String,
    /// SHA-256 of the file, unpacked.
    pub digest: String,
}

/// A round.
#[derive(Clone, Debug)]
pub struct Round {
    /// The name of the event or its folder.
    pub name: String,
    /// Its journals, sorted by name.
    pub journals: Vec<JournalLine>,
    /// What cannot be read, in words.
    pub unread: Vec<String>,
    /// SHA-256 over the digests.
    pub digest: String,
    /// Its incidents, the earliest first.
    pub incidents: Vec<Incident>,
    /// The program that makes the report.
    pub program: String,
}

/// The report.
#[must_use]
pub fn round_report(round: &Round) -> String {
    let mut out = format!("# Incidents: {}\n\n", safe(&round.name));
    let begun = round.journals.iter().map(|journal| journal.begun.as_str()).min();
    let ended = round.journals.iter().map(|journal| journal.ended.as_str()).max();
    if let (Some(begun), Some(ended)) = (begun, ended) {
        out.push_str(&format!("From {begun} to {ended} UTC. "));
    }
    let mut boards: Vec<&str> = round.journals.iter().map(|journal| journal.board.as_str()).collect();
    boards.sort_unstable();
    boards.dedup();
    out.push_str(&format!(
        "{}, {}, {}.\n\nAll times are UTC. What the board showed is fact, what the Laws propose is advice; only \
         a ruling is a decision. Made by {}.\n",
        count(boards.len(), "board"),
        count(round.journals.len(), "journal"),
        count(round.incidents.len(), "incident"),
        safe(&round.program),
    ));
    for why in &round.unread {
        out.push_str(&format!("\n**Not read:** {}\n", safe(why)));
    }
    overview(&mut out, &round.incidents);
    for incident in &round.incidents {
        details(&mut out, incident);
    }
    journals(&mut out, round);
    out
}

fn overview(out: &mut String, incidents: &[Incident]) {
    if incidents.is_empty() {
        out.push_str("\nNobody was shown an alert.\n");
        return;
    }
    out.push_str("\n| found | board | game | ply | player | what | ruling |\n| --- | --- | --- | --- | --- | --- | --- |\n");
    for incident in incidents {
        let (alert, primary) = (&incident.alert, incident.alert.primary());
        out.push_str(&format!(
            "| {} | {} | {} | {} | {} | {} | {} |\n",
            incident.found,
            safe(alert.board.as_str()),
            primary.facts.game,
            primary.facts.ply,
            player(alert),
            safe(&primary.what),
            safe(&ruling(alert)),
        ));
    }
}

fn details(out: &mut String, incident: &Incident) {
    let (alert, primary) = (&incident.alert, incident.alert.primary());
    let facts = &primary.facts;
    out.push_str(&format!("\n## {}\n\n{}.\n\n", safe(&alert.id), safe(&capital(&primary.what))));
    let mut point = |label: &str, text: String| {
        if !text.is_empty() {
            out.push_str(&format!("- **{label}:** {}\n", safe(&text)));
        }
    };
    point(
        "Where",
        format!("board {}, game {}, ply {}, {}", alert.board, facts.game, facts.ply, player(alert)),
    );
    point("Found", incident.found.clone());
    let kind = format!("{}, {}, {}", primary.code.name(), primary.severity.word(), primary.certainty.word());
    point("Kind", kind);
    for other in alert.findings.iter().skip(1) {
        point("Also", format!("{}: {}", other.code.name(), other.what));
    }
    point("Last correct position", format!("{} (ply {})", facts.last_correct_fen, facts.last_correct_ply));
    point("On the board", facts.wood.clone());
    point("Clock", clocks(alert));
    let before = format!("White {}, Black {}", alert.offences.0, alert.offences.1);
    point("Offences upheld before", before);
    point("Rules", alert.regime.clone());
    let article = alert.advice.article.as_ref().map_or(String::new(), |article| format!(" ({article})"));
    point("Proposed", format!("{}{article}", alert.advice.consequence));
    point("Ruling", ruling(alert));
    if let Some(protest) = alert.ruling.as_ref().and_then(|ruling| ruling.protest.as_ref()) {
        let what = protest.what.as_ref().map_or(String::new(), |what| format!(": {what}"));
        point("Protest", format!("{}{what}", protest.player));
    }
    if let Some(how) = alert.restoring {
        point("Restoring", how.word().to_owned());
    }
    for note in &alert.notes {
        point("Note", format!("{} ({}): {}", note.from, note.by, note.what));
    }
    if let Some(earlier) = &alert.repeats {
        point("Repeats", earlier.clone());
    }
    point("State", alert.state.word().to_owned());
    let (first, last) = incident.lines;
    point("Evidence", format!("{}, lines {first} to {last}", incident.journal));
    table(out, "What was shown", &incident.shown);
    table(out, "What was entered", &incident.entered);
}

fn table(out: &mut String, title: &str, lines: &[Line]) {
    out.push_str(&format!("\n{title}:\n\n"));
    if lines.is_empty() {
        out.push_str("nothing\n");
        return;
    }
    out.push_str("| when | |\n| --- | --- |\n");
    for line in lines {
        out.push_str(&format!("| {} | {} |\n", line.when, safe(&line.text)));
    }
}

fn journals(out: &mut String, round: &Round) {
    out.push_str("\n## Journals\n\n| file | board | begun | last line | written by | state | sha256 |\n| --- | --- | --- | --- | --- | --- | --- |\n");
    for journal in &round.journals {
        out.push_str(&format!(
            "| {} | {} | {} | {} | {} | {} | `{}` |\n",
            safe(&journal.name),
            safe(&journal.board),
            journal.begun,
            journal.ended,
            safe(&journal.written),
            safe(&journal.whole),
            journal.digest,
        ));
    }
    out.push_str(&format!("\nDigest over all journals: `{}`\n", round.digest));
}

fn player(alert: &Alert) -> String {
    alert.primary().side.map_or_else(|| "nobody named".to_owned(), |side| capital(&side.to_string()))
}

/// The ruling in words, or that there is none.
#[must_use]
pub(super) fn ruling(alert: &Alert) -> String {
    match (&alert.ruling, alert.state) {
        (Some(ruling), _) => {
            let why = ruling.why.as_ref().map_or(String::new(), |why| format!(": {why}"));
            let penalty = ruling.penalty.map_or(String::new(), |penalty| match penalty.seconds {
                Some(seconds) => format!(", {seconds} s given"),
                None => format!(", penalty: {}", penalty.kind),
            });
            format!("{} by {}{penalty}{why}", ruling.outcome.word(), ruling.by)
        }
        (None, AlertState::Withdrawn) => "withdrawn: later evidence took it back".to_owned(),
        (None, AlertState::Open) => "none: open at the end of the journal".to_owned(),
        (None, AlertState::Closed) => "none: closed without one".to_owned(),
    }
}

fn clocks(alert: &Alert) -> String {
    let facts = &alert.primary().facts;
    let text = |label: &str, dials: Option<(crate::tick::Dial, crate::tick::Dial)>| {
        dials.map(|(white, black)| format!("{label} White {}, Black {}", white.text(), black.text()))
    };
    let both = [text("then", facts.dials_then), text("when found", facts.dials_now)];
    both.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// `1 board`, `2 boards`.
fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Text of people inside Markdown: it must neither end a cell nor be taken for markup.
fn safe(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '|' | '*' | '_' | '`' | '[' | ']' | '\\' | '#' => {
                out.push('\\');
                out.push(letter);
            }
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}
