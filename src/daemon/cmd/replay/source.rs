//! A recorded file as a sequence of inputs, whatever its kind.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, bail};
use flate2::read::MultiGzDecoder;

use super::inbytes;
use crate::events::{BoardId, Device, RowKind, Setup, TimeControl, parse_row};
use crate::journal;
use crate::laws::RuleSet;
use crate::table::Input;
use crate::tick::Tick;

/// Settings from the command line for recordings that do not give them.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// Rule set key.
    pub ruleset: Option<String>,
    /// Base time, seconds.
    pub base_s: Option<u32>,
    /// Increment, seconds.
    pub inc_s: Option<u32>,
}

impl Overrides {
    fn apply(&self, setup: &mut Setup) {
        if let Some(key) = &self.ruleset {
            setup.ruleset.clone_from(key);
        }
        if let Some(base_s) = self.base_s {
            setup.time_control = Some(TimeControl {
                base_s,
                inc_s: self.inc_s.unwrap_or(0),
                bonus: None,
                increment_on_first_move: false,
            });
        }
    }
}

/// Damage: where, and what is wrong.
pub type Damage = String;

type Lines = std::io::Lines<Box<dyn BufRead>>;

/// A recorded file.
pub struct Source {
    kind: Kind,
    overrides: Overrides,
    first: Option<String>,
    line: usize,
    last: Tick,
}

enum Kind {
    Neutral { lines: Lines, seen_meta: bool },
    Journal { lines: Lines, reader: journal::Reader },
    Prepared { inputs: VecDeque<(Tick, Input)>, damage: Option<Damage> },
}

impl Source {
    /// Opens a file and finds out what it is.
    ///
    /// # Errors
    /// The file cannot be read, or is empty.
    pub fn open(path: &Path, overrides: &Overrides) -> anyhow::Result<Source> {
        let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
        let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
        let mut file = BufReader::new(file);
        // Told by its first bytes: recordings are renamed and sent around.
        let zipped = file.fill_buf().is_ok_and(|start| start.starts_with(&[0x1f, 0x8b]));
        if name.ends_with(".gz") && !zipped {
            bail!("{}: the name says gzip, the content does not: rename it without .gz", path.display());
        }
        let reader: Box<dyn Read> = if zipped { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
        let reader: Box<dyn BufRead> = Box::new(BufReader::new(reader));
        let mut lines = reader.lines();
        let Some(first) = lines.next() else { bail!("{}: the file is empty", path.display()) };
        let first = first.with_context(|| format!("cannot read {}", path.display()))?;
        let first = first.trim_start_matches('\u{feff}').to_owned();
        let kind = if name.ends_with(".inbytes") {
            let mut setup = Setup::plain(board("capture")?, Device::Dgt);
            overrides.apply(&mut setup);
            let (inputs, damage) = inbytes::inputs(setup, std::iter::once(Ok(first.clone())).chain(lines));
            Kind::Prepared { inputs, damage }
        } else if journal::is_journal(&first) {
            Kind::Journal { lines, reader: journal::Reader::new() }
        } else {
            Kind::Neutral { lines, seen_meta: false }
        };
        Ok(Source { kind, overrides: overrides.clone(), first: Some(first), line: 0, last: Tick::ZERO })
    }

    /// Whether the answers of the mating solver are among the inputs.
    pub fn has_answers(&self) -> bool {
        matches!(self.kind, Kind::Journal { .. })
    }

    /// Whether its times were taken when it was recorded; a capture has none.
    pub fn is_timed(&self) -> bool {
        !matches!(self.kind, Kind::Prepared { .. })
    }

    /// The next input, or the damage at which reading stops.
    pub fn next(&mut self) -> Option<Result<(Tick, Input), Damage>> {
        if let Kind::Prepared { inputs, damage } = &mut self.kind {
            return inputs.pop_front().map(Ok).or_else(|| damage.take().map(Err));
        }
        loop {
            let text = match self.first.take() {
                Some(first) => first,
                None => match self.lines().and_then(Iterator::next).or_else(|| self.ended())? {
                    Ok(text) => text,
                    Err(error) => {
                        return Some(Err(format!("line {}: cannot be read: {error}", self.line + 1)));
                    }
                },
            };
            self.line += 1;
            if text.trim().is_empty() {
                continue;
            }
            match self.parse(&text) {
                Ok(Some(input)) => return Some(Ok(input)),
                Ok(None) => {}
                Err(what) => return Some(Err(what)),
            }
        }
    }

    /// The end: a recording without its first line holds nothing.
    fn ended(&mut self) -> Option<std::io::Result<String>> {
        let Kind::Neutral { seen_meta, .. } = &mut self.kind else { return None };
        let whole = std::mem::replace(seen_meta, true);
        (!whole)
            .then(|| Err(std::io::Error::other("a recording begins with its meta line, and there is none")))
    }

    fn lines(&mut self) -> Option<&mut Lines> {
        match &mut self.kind {
            Kind::Neutral { lines, .. } | Kind::Journal { lines, .. } => Some(lines),
            Kind::Prepared { .. } => None,
        }
    }

    fn parse(&mut self, text: &str) -> Result<Option<(Tick, Input)>, Damage> {
        match &mut self.kind {
            Kind::Journal { reader, .. } => {
                let record = reader.read_line(text).map_err(|error| error.to_string())?;
                match record.entry {
                    journal::Entry::Input(input) => Ok(Some((record.tick, input))),
                    _ => Ok(None),
                }
            }
            Kind::Neutral { seen_meta, .. } => {
                let place = |what: String| format!("line {}: {what}", self.line);
                let row = parse_row(text).map_err(|error| place(error.to_string()))?;
                if row.at < self.last {
                    return Err(place(format!(
                        "t_ms {} is earlier than the line before ({}): lines must be in order of time",
                        row.at.ms(),
                        self.last.ms()
                    )));
                }
                self.last = row.at;
                let input = match row.kind {
                    RowKind::Meta(_) if *seen_meta => {
                        return Err(place(
                            "a second meta line: a recording has one, its first line".to_owned(),
                        ));
                    }
                    RowKind::Meta(mut setup) => {
                        *seen_meta = true;
                        self.overrides.apply(&mut setup);
                        check_ruleset(&setup).map_err(place)?;
                        Input::Setting(setup)
                    }
                    RowKind::Report(_) if !*seen_meta => {
                        return Err(place("a recording begins with its meta line".to_owned()));
                    }
                    RowKind::Report(report) => Input::Report(report),
                };
                Ok(Some((row.at, input)))
            }
            Kind::Prepared { .. } => Ok(None),
        }
    }
}

fn check_ruleset(setup: &Setup) -> Result<(), String> {
    if RuleSet::by_key(&setup.ruleset).is_some() {
        return Ok(());
    }
    let known: Vec<&str> = RuleSet::ALL.iter().map(|set| set.key).collect();
    Err(format!("rule set \"{}\" is not known: use one of {}", setup.ruleset, known.join(", ")))
}

fn board(name: &str) -> anyhow::Result<BoardId> {
    Ok(BoardId::new(name)?)
}
