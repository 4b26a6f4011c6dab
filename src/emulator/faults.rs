//! What goes wrong at a board and on its line: seeded, so that the same seed gives the same bytes.
//!
//! In: a score, bytes. Out: what a device notices and sends that is not perfect. [`FAULTS`] is the one
//! list: the command line, its errors and `docs/SIMULATOR.md` use it.

mod line;
mod noticed;
mod page;

use std::collections::BTreeMap;

use thiserror::Error;

pub(super) use line::disturbed;
pub(super) use noticed::{message, noticed};
pub use page::page;

/// A kind of fault.
#[derive(Clone, Copy, Debug)]
pub struct FaultKind {
    /// As it is given: `name=value`.
    pub name: &'static str,
    /// What its value counts.
    pub unit: &'static str,
    /// The least and the most it may be.
    pub range: (u32, u32),
    /// What happens.
    pub about: &'static str,
}

const fn kind(name: &'static str, unit: &'static str, range: (u32, u32), about: &'static str) -> FaultKind {
    FaultKind { name, unit, range, about }
}

/// All kinds.
pub const FAULTS: [FaultKind; 18] = [
    kind(
        "scan",
        "ms",
        (1, 5_000),
        "fields are told in their order, a8 to h1, at the end of a look that takes so long; what came and went within one look is not told",
    ),
    kind(
        "clock-poll",
        "ms",
        (1, 10_000),
        "the board looks at its clock so often: readings are late by up to that, and those in between are not seen",
    ),
    kind("lever-late", "ms", (1, 10_000), "a press is told up to so much later, and no reading before it"),
    kind(
        "lever-lost",
        "percent",
        (1, 100),
        "the reading in which the lever went over is lost; the next one shows it",
    ),
    kind(
        "lost",
        "percent",
        (1, 100),
        "a field has changed and the board does not say so; the next dump shows it",
    ),
    kind("ghost", "an hour", (1, 10_000), "a piece appears on an empty field for up to a second and a half"),
    kind("flicker", "an hour", (1, 10_000), "a piece vanishes for less than half a second"),
    kind("misread", "an hour", (1, 10_000), "a piece is read as another one for up to two seconds"),
    kind("damage", "percent", (1, 100), "one bit of a byte is changed on the line"),
    kind("drop", "percent", (1, 100), "a byte is lost on the line"),
    kind("double", "percent", (1, 100), "a byte comes twice"),
    kind(
        "unplug",
        "an hour",
        (1, 1_000),
        "the cable is out for two to six seconds, and the board has forgotten its mode",
    ),
    kind(
        "button-acks",
        "an hour",
        (1, 10_000),
        "a button of the clock is pressed: its message comes in the place of a reading",
    ),
    kind("empty-clock", "percent", (1, 100), "zeros come in the place of a reading of the clock"),
    kind("turn-bits", "on", (1, 1), "the clock's bits for whose turn it is say the contrary of its lever"),
    kind(
        "cadence",
        "s",
        (2, 60),
        "the clock is told every so many seconds only, but at once when it is pressed, started or stopped",
    ),
    kind(
        "irregular",
        "percent",
        (1, 100),
        "a reading in which only time has passed is left out, as by clocks that tell their seconds irregularly",
    ),
    kind(
        "only-changes",
        "on",
        (1, 1),
        "the clock is told when it is pressed, started or stopped, and never because time has passed",
    ),
];

/// What goes wrong, and the seed of when.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    values: BTreeMap<&'static str, u32>,
    seed: u64,
}

/// A fault that is none.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FaultError {
    /// Its kind is not known.
    #[error("fault \"{given}\" is not known: use {known}")]
    Unknown {
        /// As given.
        given: String,
        /// Those that exist.
        known: String,
    },
    /// Its value is not one.
    #[error("fault {name} needs a whole number from {least} to {most} ({unit}): {name}={least}, say")]
    Value {
        /// Its name.
        name: &'static str,
        /// The unit.
        unit: &'static str,
        /// The least.
        least: u32,
        /// The most.
        most: u32,
    },
}

impl Faults {
    /// None, so far.
    #[must_use]
    pub fn seeded(seed: u64) -> Faults {
        Faults { values: BTreeMap::new(), seed }
    }

    /// Adds one, given as `name=value`, or as `name` if it is only on or off.
    ///
    /// # Errors
    /// Its kind or its value is not one; the error says what is allowed.
    pub fn add(&mut self, given: &str) -> Result<(), FaultError> {
        let (name, value) = given.split_once('=').unwrap_or((given, ""));
        let Some(kind) = FAULTS.iter().find(|kind| kind.name == name.trim()) else {
            let known: Vec<&str> = FAULTS.iter().map(|kind| kind.name).collect();
            return Err(FaultError::Unknown { given: name.to_owned(), known: known.join(", ") });
        };
        let (least, most) = kind.range;
        let value = match value.trim() {
            "" if least == most => Some(least),
            text => text.parse().ok().filter(|value| (least..=most).contains(value)),
        };
        let wrong = FaultError::Value { name: kind.name, unit: kind.unit, least, most };
        self.values.insert(kind.name, value.ok_or(wrong)?);
        Ok(())
    }

    /// The value of a kind, if it is to happen.
    pub(super) fn value(&self, name: &str) -> Option<u32> {
        self.values.get(name).copied()
    }

    /// Numbers for one kind, the same whichever others there are.
    pub(super) fn numbers(&self, name: &str) -> Rng {
        Rng(u64::from(crc32fast::hash(name.as_bytes())) << 32 ^ self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            | 1)
    }
}

/// Numbers that are the same whenever the seed is.
#[derive(Clone, Debug)]
pub(super) struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// One of `from` to `to`, both included.
    fn range(&mut self, from: u64, to: u64) -> u64 {
        from + self.next() % (to - from + 1)
    }

    fn percent(&mut self, percent: u32) -> bool {
        self.range(1, 100) <= u64::from(percent)
    }
}

#[cfg(test)]
mod tests;
