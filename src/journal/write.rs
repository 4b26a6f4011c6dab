//! From inputs to lines.

use serde::Serialize;

use super::calibration::CalibrationData;
use super::data::{Data, from_goes_on, from_input, from_response, from_shown};
use super::read::Reader;
use super::record::{GoesOn, Header, Shown};
use super::said::Said;
use super::{CRC_KEY, NO_PREV, VERSION, chain};
use crate::alerts::Response;
use crate::events::Calibration;
use crate::table::Input;
use crate::tick::Tick;

/// Turns inputs into the lines of one journal. Every line ends with a newline.
///
/// # Invariants
/// `seq` counts lines without a gap, ticks never decrease, and each line names the one before.
#[derive(Debug)]
pub struct Writer {
    seq: u64,
    inputs: u64,
    tick: Tick,
    prev: String,
}

#[derive(Serialize)]
struct Line<'a> {
    v: u32,
    seq: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<u64>,
    tick: u64,
    #[serde(flatten)]
    data: &'a Data,
    prev: &'a str,
}

impl Writer {
    /// A new journal, and its first line.
    #[must_use]
    pub fn new(header: &Header) -> (Writer, String) {
        let mut writer = Writer { seq: 0, inputs: 0, tick: Tick::ZERO, prev: NO_PREV.to_owned() };
        let line = writer.line(Tick::ZERO, None, &Data::Header(header.into()));
        (writer, line)
    }

    /// Goes on with a journal after the lines that were read of it.
    #[must_use]
    pub(super) fn after(reader: Reader) -> Writer {
        let Reader { seq, inputs, tick, prev } = reader;
        Writer { seq, inputs, tick: Tick::from_us(tick), prev }
    }

    /// The line of an input. A tick before that of the last line is taken as that one.
    pub fn input(&mut self, at: Tick, input: &Input) -> String {
        if let Input::Carried(carried) = input {
            self.inputs = carried.inputs;
            return self.line(at, None, &from_input(input));
        }
        self.inputs += 1;
        self.line(at, Some(self.inputs), &from_input(input))
    }

    /// What the last line is known by, for the journal that comes after this one.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.prev
    }

    /// The line that says what people were shown.
    pub fn shown(&mut self, at: Tick, shown: &Shown) -> String {
        self.line(at, None, &from_shown(shown, None))
    }

    /// The same, and in which words.
    pub fn said(&mut self, at: Tick, shown: &Shown, said: Option<Said>) -> String {
        self.line(at, None, &from_shown(shown, said))
    }

    /// The line that says how a request was answered.
    pub fn response(&mut self, at: Tick, response: &Response) -> String {
        self.line(at, None, &from_response(response))
    }

    /// The line that says by which times the board is judged from here.
    pub fn calibration(&mut self, at: Tick, shown: &Calibration) -> String {
        self.line(at, None, &Data::Calibration(CalibrationData::of(shown)))
    }

    /// The line that says that a program goes on here.
    pub fn goes_on(&mut self, at: Tick, goes_on: &GoesOn) -> String {
        self.line(at, None, &from_goes_on(goes_on))
    }

    /// The tick of the last line: inputs must not be given to the table with an earlier one.
    #[must_use]
    pub fn tick(&self) -> Tick {
        self.tick
    }

    fn line(&mut self, at: Tick, input: Option<u64>, data: &Data) -> String {
        self.tick = self.tick.max(at);
        let line = Line { v: VERSION, seq: self.seq, input, tick: self.tick.us(), data, prev: &self.prev };
        // Maps with text keys and plain values only: nothing that JSON could refuse.
        let mut text = serde_json::to_string(&line).unwrap_or_default();
        text.pop();
        let crc = crc32fast::hash(text.as_bytes());
        text.push_str(CRC_KEY);
        text.push_str(&format!("{crc:08x}\"}}"));
        self.prev = chain(&text);
        self.seq += 1;
        text.push('\n');
        text
    }
}
