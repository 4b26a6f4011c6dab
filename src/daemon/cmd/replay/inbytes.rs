//! Captures of DGT bytes: lines of base64, without time stamps.
//!
//! The order is all there is. The time comes from the clock: whenever a side's running time went
//! down by a second, a second has passed; messages in between are spread evenly.

use std::collections::VecDeque;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::source::Damage;
use crate::events::{ClockReading, DgtAdapter, Lever, Report, Setup};
use crate::table::Input;
use crate::tick::Tick;

/// Between two messages when the clock does not say how long it was.
const UNKNOWN_MS: u64 = 100;

/// The inputs of a capture with plausible times, and where it is damaged.
///
/// Each message is an input of its own, however the lines of the file cut them.
pub fn inputs(
    setup: Setup,
    lines: impl Iterator<Item = std::io::Result<String>>,
) -> (VecDeque<(Tick, Input)>, Option<Damage>) {
    let mut cutter = Cutter::default();
    let mut damage = None;
    for (number, line) in lines.enumerate() {
        match line.map_err(|e| e.to_string()).and_then(|l| decode(&l)) {
            Ok(bytes) => bytes.into_iter().for_each(|byte| cutter.feed(byte)),
            Err(what) => {
                damage = Some(format!("line {}: {what}", number + 1));
                break;
            }
        }
    }
    (spread(setup, &cutter.finish()), damage)
}

/// Cuts a stream of bytes where messages end, and says how much time each tells to have passed.
#[derive(Default)]
struct Cutter {
    adapter: DgtAdapter,
    before: Option<ClockReading>,
    bytes: Vec<u8>,
    messages: Vec<(Vec<u8>, u64)>,
}

impl Cutter {
    fn feed(&mut self, byte: u8) {
        self.bytes.push(byte);
        let mut heard = Vec::new();
        self.adapter.feed(&[byte], &mut heard);
        if heard.is_empty() {
            return;
        }
        let mut passed = 0;
        for report in &heard {
            if let Report::Clock(reading) = report {
                passed += self.before.map_or(0, |b| seconds(&b, reading));
                self.before = Some(*reading);
            }
        }
        self.messages.push((std::mem::take(&mut self.bytes), passed * 1000));
    }

    fn finish(mut self) -> Vec<(Vec<u8>, u64)> {
        if !self.bytes.is_empty() {
            self.messages.push((self.bytes, 0));
        }
        self.messages
    }
}

fn decode(line: &str) -> Result<Vec<u8>, String> {
    STANDARD.decode(line.trim()).map_err(|error| format!("not base64: {error}"))
}

/// The seconds that have passed between two readings, as far as the clock tells.
fn seconds(before: &ClockReading, now: &ClockReading) -> u64 {
    let dial = |r: &ClockReading, lever: Lever| match lever {
        Lever::Left => r.left.seconds(),
        Lever::Right => r.right.seconds(),
    };
    match before.running {
        Some(side) => u64::from(dial(before, side).saturating_sub(dial(now, side))),
        None => 0,
    }
}

/// Gives each message a time: those before a passing second share it.
fn spread(setup: Setup, messages: &[(Vec<u8>, u64)]) -> VecDeque<(Tick, Input)> {
    let mut out = VecDeque::new();
    out.push_back((Tick::ZERO, Input::Setting(Box::new(setup))));
    let mut now_ms = 0;
    let mut index = 0;
    while index < messages.len() {
        let rest = &messages[index..];
        let quiet = rest.iter().position(|(_, ms)| *ms > 0);
        let (count, span) = match quiet {
            Some(n) => (n + 1, rest[n].1),
            None => (rest.len(), UNKNOWN_MS * rest.len() as u64),
        };
        for (place, (bytes, _)) in rest[..count].iter().enumerate() {
            let at = now_ms + span * (place as u64 + 1) / count as u64;
            out.push_back((Tick::from_ms(at), Input::Bytes(bytes.clone())));
        }
        now_ms += span;
        index += count;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::{BoardId, Device};

    #[test]
    fn messages_before_a_passing_second_share_it() {
        let setup = Setup::plain(BoardId::new("b").unwrap(), Device::Dgt);
        // Clock 3:02 v 3:02 left running; a field update; clock a second later.
        let lines = ["jQAKIAMCIAMCCQ==", "jgAFNAA=", "jQAKIAMCIAMBCQ=="];
        let (inputs, damage) = inputs(setup, lines.iter().map(|l| Ok((*l).to_owned())));
        assert_eq!(damage, None);
        let at: Vec<u64> = inputs.iter().map(|(t, _)| t.ms()).collect();
        assert_eq!(at, [0, 333, 666, 1000]);
    }

    #[test]
    fn damage_names_its_line() {
        let setup = Setup::plain(BoardId::new("b").unwrap(), Device::Dgt);
        let lines = ["jgAFNAA=", "%%%"];
        let (inputs, damage) = inputs(setup, lines.iter().map(|l| Ok((*l).to_owned())));
        assert_eq!(inputs.len(), 2);
        assert!(damage.unwrap().starts_with("line 2: not base64"));
    }
}
