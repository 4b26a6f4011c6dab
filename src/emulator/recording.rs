//! A recording as the emulator takes it: read, checked, and refused if a DGT board cannot say it.
//!
//! In: text in the neutral format. Out: [`Recording`], with notes of what is lost on the way to
//! the device. Never: half a recording; the first wrong line refuses all of it, by its number.

use thiserror::Error;

use super::compress;
use crate::events::{
    ClockReading, Lever, NeutralError, Pieces, Report, Row, RowKind, Sensed, Setup, parse_row,
};
use crate::tick::{Dial, Span, Tick};

/// The longest time that a DGT clock can show.
pub(super) const LONGEST: Dial = Dial::from_s(jadoube_dgt::SideTime::MAX_SECONDS);

/// A recording that a DGT board can play.
///
/// # Invariants
/// Times never decrease. There is one setting, and no occupancy board.
#[derive(Clone, Debug)]
pub struct Recording {
    setup: Setup,
    reports: Vec<(Tick, Report)>,
    notes: Vec<String>,
}

/// Why a recording cannot be played.
#[derive(Debug, Error)]
pub enum RecordingError {
    /// A line cannot be read.
    #[error("line {line}: {why}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What is wrong and what would be right.
        why: NeutralError,
    },
    /// The settings do not come first.
    #[error("line {line}: the first line, and only that, has the kind \"meta\"")]
    Meta {
        /// Counted from 1.
        line: usize,
    },
    /// Time goes backwards.
    #[error("line {line}: t_ms goes back from {before} to {now}; lines are sorted by t_ms")]
    Order {
        /// Counted from 1.
        line: usize,
        /// The time of the line before.
        before: u64,
        /// The time of this line.
        now: u64,
    },
    /// There is no line at all.
    #[error("the recording is empty")]
    Empty,
    /// The board of the recording cannot tell pieces apart.
    #[error(
        "the recording is of an occupancy board (\"pieces\":\"occupancy\"); a DGT board names every piece, so it cannot play it"
    )]
    Occupancy,
}

impl Recording {
    /// Reads the text of a recording, one JSON object a line; blank lines are skipped.
    ///
    /// # Errors
    /// The first line that cannot be read, or why no DGT board can play it.
    pub fn parse(text: &str) -> Result<Recording, RecordingError> {
        let mut rows = Vec::new();
        for (line, content) in (1..).zip(text.lines()).filter(|(_, content)| !content.trim().is_empty()) {
            rows.push((line, parse_row(content).map_err(|why| RecordingError::Line { line, why })?));
        }
        Recording::check(rows)
    }

    /// Takes rows as they are; lines are counted from 1.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn from_rows(rows: Vec<Row>) -> Result<Recording, RecordingError> {
        Recording::check((1..).zip(rows).collect())
    }

    fn check(rows: Vec<(usize, Row)>) -> Result<Recording, RecordingError> {
        let mut rows = rows.into_iter();
        let (line, first) = rows.next().ok_or(RecordingError::Empty)?;
        let RowKind::Meta(setup) = first.kind else {
            return Err(RecordingError::Meta { line });
        };
        if setup.pieces == Pieces::Occupancy {
            return Err(RecordingError::Occupancy);
        }
        let mut before = first.at;
        let mut reports = Vec::new();
        for (line, row) in rows {
            let RowKind::Report(report) = row.kind else {
                return Err(RecordingError::Meta { line });
            };
            if row.at < before {
                return Err(RecordingError::Order { line, before: before.ms(), now: row.at.ms() });
            }
            before = row.at;
            reports.push((row.at, report));
        }
        let notes = notes(&reports);
        Ok(Recording { setup: *setup, reports, notes })
    }

    /// The settings in its first line.
    #[must_use]
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// What was reported, and when.
    #[must_use]
    pub fn reports(&self) -> &[(Tick, Report)] {
        &self.reports
    }

    /// What a DGT board cannot say of this recording, one sentence each.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// How long it takes.
    #[must_use]
    pub fn length(&self) -> Span {
        self.reports.last().map_or(Span::ZERO, |(at, _)| at.since(Tick::ZERO))
    }

    /// The same with more at its end; `more` comes later and is in order.
    pub(super) fn followed_by(mut self, more: Vec<(Tick, Report)>) -> Recording {
        self.reports.extend(more);
        self.notes = notes(&self.reports);
        self
    }

    /// The same with waits over `limit` cut, and what was cut given back on the clock of the side
    /// whose time ran, so that clock and host still agree. Hands and presses keep their pace.
    ///
    /// A wait lies between two rows in which something happens; a clock that merely ticks is not
    /// something. Whole seconds are cut from its middle. The side's displayed time is raised from
    /// there on, so base time and increments look as they were.
    ///
    /// Not cut are waits of a side whose clock will show zero later on: raised, it would not
    /// fall, and lowering its start instead would show a time control that is not the event's.
    /// Nor are waits without a link: nobody knows whose time ran.
    #[must_use]
    pub fn compressed(self, limit: Span) -> Recording {
        let reports = compress::compress(&self.reports, limit);
        let notes = notes(&reports);
        Recording { setup: self.setup, reports, notes }
    }
}

/// The time of one end.
pub(super) const fn dial(reading: &ClockReading, side: Lever) -> Dial {
    match side {
        Lever::Left => reading.left,
        Lever::Right => reading.right,
    }
}

/// Its place in a pair of both ends.
pub(super) const fn index(side: Lever) -> usize {
    match side {
        Lever::Left => 0,
        Lever::Right => 1,
    }
}

fn notes(reports: &[(Tick, Report)]) -> Vec<String> {
    let readings: Vec<&ClockReading> = reports
        .iter()
        .filter_map(|(_, report)| match report {
            Report::Clock(reading) => Some(reading),
            _ => None,
        })
        .collect();
    let count =
        |wrong: &dyn Fn(&ClockReading) -> bool| readings.iter().filter(|reading| wrong(reading)).count();
    let either =
        |reading: &ClockReading, wrong: &dyn Fn(Dial) -> bool| wrong(reading.left) || wrong(reading.right);
    let fractions = count(&|reading| either(reading, &|time| time.ms() % 1000 != 0));
    let long = count(&|reading| either(reading, &|time| time.seconds() > LONGEST.seconds()));
    let against = count(&|reading| reading.running.is_some_and(|side| side == reading.down));
    let unknown = reports.iter().filter(|(_, report)| match report {
        Report::Square { seen, .. } => *seen == Sensed::Something,
        Report::Dump(wood) => !wood.unknown().is_empty(),
        _ => false,
    });
    let unknown = unknown.count();
    [
        (
            fractions,
            "clock readings have fractions of a second: a DGT clock shows whole seconds, rounded down",
        ),
        (long, "clock readings are above 9:59:59, the longest time a DGT clock can show: shown as 9:59:59"),
        (
            against,
            "clock readings let the time of the side run that pressed last: a DGT clock runs by its lever",
        ),
        (unknown, "lines hold a piece that is not known: sent as a result piece, which is no chessman"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| format!("{count} {what}"))
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const META: &str = r#"{"t_ms":0,"kind":"meta","board":"b1","config":{"format":"blitz","rules":"main"},"pieces":"identified"}"#;

    fn error(lines: &[&str]) -> String {
        Recording::parse(&lines.join("\n")).unwrap_err().to_string()
    }

    #[test]
    fn wrong_files_name_the_line() {
        let square = r#"{"t_ms":5,"kind":"square","sq":"e2","piece":null}"#;
        assert!(error(&[META, "", "{"]).starts_with("line 3: "));
        assert!(error(&[square]).starts_with("line 1: the first line"));
        assert!(error(&[META, square, META]).starts_with("line 3: the first line"));
        assert!(
            error(&[META, square, r#"{"t_ms":4,"kind":"link","up":false}"#])
                .starts_with("line 3: t_ms goes back")
        );
        assert_eq!(error(&[""]), "the recording is empty");
        assert!(error(&[&META.replace("identified", "occupancy")]).contains("occupancy"));
    }

    #[test]
    fn what_is_lost_is_said() {
        let clock = r#"{"t_ms":5,"kind":"clock","white_ms":36000000,"black_ms":1500,"running":"white","lever":"white_down"}"#;
        let recording = Recording::parse(&format!("{META}\n{clock}\n")).unwrap();
        let notes = recording.notes();
        assert_eq!(notes.len(), 3, "{notes:?}");
        assert!(notes[0].contains("fractions") && notes[1].contains("9:59:59") && notes[2].contains("lever"));
    }
}
