//! What the journal says was shown, beside what this program shows of the same inputs.

use std::collections::VecDeque;

use super::evidence::Evidence;
use crate::contract::drafts;
use crate::events::Calibration;
use crate::journal::{Entry, Record, Said, Shown};
use crate::table::{Effects, Publish, Table};
use crate::tick::Tick;

/// Where this program's answer is not that of the journal.
#[derive(Debug)]
pub struct Difference {
    /// The journal's line, from 1: the one that says otherwise, or the input after which this program
    /// shows something more.
    pub line: u64,
    /// When.
    pub at: Tick,
    /// The id of the alert or finding it is about.
    pub id: Option<String>,
    /// In words.
    pub what: String,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Compared {
    /// Lines that say what people were shown or answered.
    pub lines: usize,
    /// Of these, lines of an earlier program that do not have the words.
    pub wordless: usize,
    /// Where the answers differ.
    pub differences: Vec<Difference>,
    /// What this program shows after the last input, and the journal ends before it says so.
    pub unfinished: usize,
}

/// One thing to compare.
struct Item {
    what: What,
    said: Option<Said>,
    line: u64,
    at: Tick,
}

#[derive(PartialEq)]
enum What {
    Shown(Shown),
    Response(String, bool, String),
    Calibration(Calibration),
}

/// Replays the inputs and compares, line by line.
#[must_use]
pub fn compare(evidence: &Evidence) -> Compared {
    let mut out = Compared::default();
    let (mut table, mut last) = (Table::new(), 0);
    // What this program shows and has not been found in the journal yet. The inputs with which a later
    // game begins are written together, and what they show after them.
    let mut now: VecDeque<Item> = VecDeque::new();
    for record in &evidence.records {
        let line = record.seq + 1;
        match &record.entry {
            Entry::Input(input) => {
                let mut effects = Effects::default();
                table.step(record.tick, input.clone(), &mut effects);
                last = line;
                // What belongs to the next game is in its own journal.
                let of_this = effects.began.as_ref().map_or(usize::MAX, |began| began.published_before);
                effects.publish.truncate(of_this);
                let board = &table.setup().board;
                let items = effects.publish.iter().filter_map(|publish| {
                    let hidden = matches!(publish, Publish::Shadowed(_) | Publish::Held(_));
                    let what = match publish {
                        Publish::Response(response) => {
                            let (Ok(text) | Err(text)) = &response.outcome;
                            What::Response(response.id.clone(), response.outcome.is_ok(), text.clone())
                        }
                        Publish::Calibration(shown) => What::Calibration((**shown).clone()),
                        _ if hidden || !drafts(publish, board).is_empty() => What::Shown(Shown::of(publish)?),
                        _ => return None,
                    };
                    Some(Item { what, said: Said::of(publish), line, at: record.tick })
                });
                now.extend(items);
            }
            _ => {
                if let Some(was) = told(record) {
                    out.lines += 1;
                    out.beside(&was, &mut now);
                }
            }
        }
    }
    // The last input may be one that nobody had time to act on.
    out.unfinished = now.iter().filter(|item| item.line == last).count();
    out.more(now.into_iter().filter(|item| item.line < last));
    out
}

/// What a line says was shown or answered.
fn told(record: &Record) -> Option<Item> {
    let what = match &record.entry {
        Entry::Shown(shown) => What::Shown(shown.clone()),
        Entry::Response(answered) => {
            What::Response(answered.id.clone(), answered.done, answered.text.clone())
        }
        Entry::Calibration(shown) => What::Calibration((**shown).clone()),
        Entry::Header(_) | Entry::Input(_) | Entry::GoesOn(_) => return None,
    };
    Some(Item { what, said: record.said.clone(), line: record.seq + 1, at: record.tick })
}

impl Compared {
    /// A line of the journal beside what this program shows.
    fn beside(&mut self, was: &Item, now: &mut VecDeque<Item>) {
        let same = |is: &Item| match (&was.what, &is.what) {
            (What::Response(a, ..), What::Response(b, ..)) => a == b,
            (What::Calibration(_), What::Calibration(_)) => true,
            (a, b) => a == b,
        };
        let found = now.iter().position(same).and_then(|place| now.remove(place));
        let Some(is) = found else {
            return self.differ(was, format!("{} was shown; this program does not show it", was.what.name()));
        };
        // What was shown was shown in order.
        let before = now.iter().take_while(|item| item.line < is.line).count();
        self.more(now.drain(..before));
        match (&was.what, &is.what) {
            (What::Response(_, done, text), What::Response(_, now_done, now_text))
                if (done, text) != (now_done, now_text) =>
            {
                let how = |done: bool| if done { "done" } else { "refused" };
                let (was_how, now_how) = (how(*done), how(*now_done));
                let name = was.what.name();
                self.differ(
                    was,
                    format!("{name}: {was_how}, \"{text}\"; this program: {now_how}, \"{now_text}\""),
                );
            }
            (What::Calibration(then), What::Calibration(now)) if then != now => {
                let (then, now) = (then.waits.ms(), now.waits.ms());
                let what = format!(
                    "late squares were waited for up to {then} ms; this program waits up to {now} ms, or has \
                     measured other times of the board"
                );
                self.differ(was, what);
            }
            _ => {}
        }
        match (&was.said, &is.said) {
            (Some(then), Some(now)) => {
                for (matter, then, now) in then.differs(now) {
                    let text = |text: Option<&str>| text.map_or("nothing".to_owned(), |t| format!("\"{t}\""));
                    let name = was.what.name();
                    let what =
                        format!("{name}: {matter} was {}; this program says {}", text(then), text(now));
                    self.differ(was, what);
                }
            }
            (None, Some(_)) => self.wordless += 1,
            _ => {}
        }
    }

    /// What this program shows and the journal does not have.
    fn more(&mut self, items: impl Iterator<Item = Item>) {
        for item in items {
            self.differ(&item, format!("{} was not shown; this program shows it", item.what.name()));
        }
    }

    fn differ(&mut self, item: &Item, what: String) {
        let id = match &item.what {
            What::Shown(shown) => shown.id().map(str::to_owned),
            What::Response(..) | What::Calibration(_) => None,
        };
        self.differences.push(Difference { line: item.line, at: item.at, id, what });
    }
}

impl What {
    fn name(&self) -> String {
        match self {
            What::Shown(Shown::Alert { id, revision }) => format!("alert {id}, revision {revision}"),
            What::Shown(Shown::Finding { id, .. }) => format!("finding {id}"),
            What::Shown(Shown::Withdraw { id }) => format!("the withdrawal of {id}"),
            What::Shown(Shown::Move { ply, revision: 0 }) => format!("ply {ply}"),
            What::Shown(Shown::Move { ply, revision }) => format!("correction {revision} of ply {ply}"),
            What::Shown(Shown::Retract { to_ply }) => format!("that the plies after {to_ply} are taken back"),
            What::Shown(Shown::Shadowed { id, revision }) => {
                format!("in shadow mode, shown to nobody: {id}, revision {revision}")
            }
            What::Shown(Shown::Held { id, revision }) => {
                format!("kept back until its window closes: {id}, revision {revision}")
            }
            What::Response(id, ..) => format!("the answer to request {id}"),
            What::Calibration(_) => "the times of the board".to_owned(),
        }
    }
}
