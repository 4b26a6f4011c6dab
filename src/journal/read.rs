//! From lines back to inputs, and where a journal is damaged.

use serde::Deserialize;
use thiserror::Error;

use super::data::{Data, to_entry};
use super::record::{Entry, Record};
use super::{CRC_KEY, NO_PREV, VERSION, chain};
use crate::table::Input;
use crate::tick::Tick;

/// Why a line cannot be read. Reading stops there: what comes after cannot be trusted.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line}: {what}")]
pub struct JournalError {
    /// Counted from 1, as editors do.
    pub line: u64,
    /// What is wrong.
    pub what: String,
}

/// Reads one journal, line after line, and checks each against those before it.
#[derive(Debug)]
pub struct Reader {
    pub(super) seq: u64,
    pub(super) inputs: u64,
    pub(super) tick: u64,
    pub(super) prev: String,
}

#[derive(Deserialize)]
struct Fields {
    v: u32,
    seq: u64,
    #[serde(default)]
    input: Option<u64>,
    tick: u64,
    prev: String,
}

impl Default for Reader {
    fn default() -> Self {
        Reader::new()
    }
}

/// Whether a file that begins with this line is meant to be a journal, whole or damaged.
#[must_use]
pub fn is_journal(first_line: &str) -> bool {
    let line = first_line.trim_start_matches('\u{feff}');
    line.starts_with("{\"v\":") && line.contains("\"kind\":\"header\"")
}

impl Reader {
    /// At the start of a journal.
    #[must_use]
    pub fn new() -> Self {
        Reader { seq: 0, inputs: 0, tick: 0, prev: NO_PREV.to_owned() }
    }

    /// What the last line is known by; the header of the journal after this one names it.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.prev
    }

    /// Reads the next line, with or without its newline.
    ///
    /// # Errors
    /// [`JournalError`] names the line and what is wrong. The reader must not be used after it.
    pub fn read_line(&mut self, line: &str) -> Result<Record, JournalError> {
        self.read(line.trim_end_matches(['\n', '\r']))
            .map_err(|what| JournalError { line: self.seq + 1, what })
    }

    fn read(&mut self, line: &str) -> Result<Record, String> {
        let crc = checksum(line)?;
        let fields: Fields = serde_json::from_str(line).map_err(|error| not_a_record(&error))?;
        if fields.v != VERSION {
            return Err(format!("format version {} is not known: this program reads {VERSION}", fields.v));
        }
        let whole = CRC_KEY.len() + 10;
        if crc != crc32fast::hash(&line.as_bytes()[..line.len() - whole]) {
            return Err("damaged: the checksum does not fit".to_owned());
        }
        if fields.seq != self.seq {
            return Err(format!(
                "record {} expected, found {}: lines are missing or out of order",
                self.seq, fields.seq
            ));
        }
        if fields.prev != self.prev {
            return Err("the line before is not the one this record was written after".to_owned());
        }
        if fields.tick < self.tick {
            return Err(format!("tick {} is before that of the line above, {}", fields.tick, self.tick));
        }
        let data: Data = serde_json::from_str(line).map_err(|error| not_a_record(&error))?;
        let said = if let Data::Shown { said, .. } = &data { said.clone() } else { None };
        let entry = to_entry(data)?;
        self.check_place(&entry, fields.input)?;
        self.prev = chain(line);
        self.seq += 1;
        self.tick = fields.tick;
        Ok(Record { seq: fields.seq, ordinal: fields.input, tick: Tick::from_us(fields.tick), entry, said })
    }

    fn check_place(&mut self, entry: &Entry, ordinal: Option<u64>) -> Result<(), String> {
        if matches!(entry, Entry::Header(_)) != (self.seq == 0) {
            return Err("a journal has one header, and it is the first line".to_owned());
        }
        if let Entry::Input(Input::Carried(carried)) = entry {
            if self.seq != 1 || ordinal.is_some() {
                return Err("what was before the game stands in the second line, and is no input".to_owned());
            }
            self.inputs = carried.inputs;
        } else if matches!(entry, Entry::Input(_)) {
            self.inputs += 1;
            if ordinal != Some(self.inputs) {
                return Err(format!("input {} expected", self.inputs));
            }
        }
        Ok(())
    }
}

/// The checksum that the line carries.
fn checksum(line: &str) -> Result<u32, String> {
    let cut = || "cut off or not a record: it does not end with a checksum".to_owned();
    let (_, tail) = line.rsplit_once(CRC_KEY).ok_or_else(cut)?;
    let digits = tail.strip_suffix("\"}").filter(|digits| digits.len() == 8).ok_or_else(cut)?;
    u32::from_str_radix(digits, 16).map_err(|_| cut())
}

fn not_a_record(error: &serde_json::Error) -> String {
    format!("not a record of a journal: {error}")
}
