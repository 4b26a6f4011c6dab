//! A board's table as it was where its journal ends: after a kill it goes on from there.
//!
//! What the journal says was shown is not told again. What the last input caused and the journal
//! does not say was shown is: it may never have gone out.

use super::read::{JournalError, Reader};
use super::record::{Answered, Entry, Header, Shown};
use super::write::Writer;
use crate::table::{Effects, Input, MatingQuestion, Publish, Table};
use crate::tick::Tick;

/// A table and everything needed to go on with it.
#[derive(Debug)]
pub struct Resumed {
    /// The first line.
    pub header: Option<Header>,
    /// The table, as it was after the last input.
    pub table: Table,
    /// Writes the lines that follow in the same journal.
    pub writer: Writer,
    /// The board's earliest deadline.
    pub wake_at: Option<Tick>,
    /// What the last input caused and nobody may have been told yet, in order.
    pub unshown: Vec<Publish>,
    /// Whether everything that the last input caused is where no end of a process can lose it: lines
    /// about it are written only then.
    pub told: bool,
    /// What the mating solver was asked and had not answered.
    pub unanswered: Vec<MatingQuestion>,
    /// Lines that could be read; what comes after them is to be cut off.
    pub lines: u64,
    /// Why reading stopped, if it was not the end.
    pub damage: Option<JournalError>,
}

/// Gives the inputs of a journal to a new table. Reading stops at the first damage: a line that
/// was cut off in the middle was not acted on.
#[must_use]
pub fn resume<'a>(lines: impl IntoIterator<Item = &'a str>) -> Resumed {
    resume_with(lines, &mut |_| {})
}

/// The same, telling `heard` of everything that was published, in order.
#[must_use]
pub fn resume_with<'a>(lines: impl IntoIterator<Item = &'a str>, heard: &mut dyn FnMut(&Publish)) -> Resumed {
    let mut reader = Reader::new();
    let mut table = Table::new();
    let mut effects = Effects::default();
    let (mut unshown, mut unanswered): (Vec<Publish>, Vec<MatingQuestion>) = (Vec::new(), Vec::new());
    let (mut read, mut damage, mut header, mut told) = (0, None, None, true);
    for line in lines {
        let record = match reader.read_line(line) {
            Ok(record) => record,
            Err(error) => {
                damage = Some(error);
                break;
            }
        };
        read += 1;
        told = !matches!(record.entry, Entry::Input(_));
        match record.entry {
            Entry::Header(first) => header = Some(first),
            Entry::GoesOn(_) => {}
            Entry::Input(input) => {
                if let Input::Answer(answer) = &input {
                    unanswered.retain(|asked| asked.question != answer.question);
                }
                table.step(record.tick, input, &mut effects);
                effects.publish.iter().for_each(&mut *heard);
                unshown.clear();
                unshown.extend(effects.publish.drain(..).filter(is_recorded));
                unanswered.append(&mut effects.ask_mating);
            }
            Entry::Shown(shown) => forget_up_to(&mut unshown, |p| Shown::of(p).as_ref() == Some(&shown)),
            Entry::Calibration(told) => {
                forget_up_to(&mut unshown, |p| matches!(p, Publish::Calibration(now) if *now == told));
            }
            Entry::Response(answered) => forget_up_to(&mut unshown, |p| is_answer(p, &answered)),
        }
    }
    Resumed {
        header,
        wake_at: effects.wake_at,
        table,
        writer: Writer::after(reader),
        unshown,
        told,
        unanswered,
        lines: read,
        damage,
    }
}

/// Whether the journal has a line of its own for this.
fn is_recorded(publish: &Publish) -> bool {
    Shown::of(publish).is_some() || matches!(publish, Publish::Response(_) | Publish::Calibration(_))
}

fn is_answer(publish: &Publish, answered: &Answered) -> bool {
    matches!(publish, Publish::Response(response) if response.id == answered.id)
}

/// What was shown was shown in order: everything before it is not for people, or was shown too.
fn forget_up_to(unshown: &mut Vec<Publish>, is_it: impl Fn(&Publish) -> bool) {
    if let Some(place) = unshown.iter().position(is_it) {
        unshown.drain(..=place);
    }
}
