//! Stage 1, what a device said: reports in the sensor's own frame.
//!
//! In: bytes of a device family (through the codecs of `protocols/`) or lines of a neutral
//! recording. Out: [`Report`]s. Never: chess, orientation, an opinion.

mod calibration;
mod dgt;
mod neutral;
mod setup;
mod wood;

pub use calibration::{Calibration, Lag, Resolution};
pub use dgt::DgtAdapter;
pub use neutral::{NeutralError, Row, RowKind, parse_row};
pub use setup::{
    BoardId, Device, Pieces, Seat, Setup, SetupError, Shadow, Start, TimeControl, TopicPart, TopicPartError,
    Variant,
};
pub use wood::{Sensed, SensorSquare, Wood, WoodError};

use crate::tick::Dial;

/// One thing a device reported, in the sensor's frame and by the clock's ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// Every square at once.
    Dump(Wood),
    /// One square has changed.
    Square {
        /// Where, in the sensor's frame.
        at: SensorSquare,
        /// What stands there now.
        seen: Sensed,
    },
    /// The chess clock, at a change or as a tick.
    Clock(ClockReading),
    /// The clock was unplugged from the board, or is back.
    ClockConnected(bool),
    /// The link to the board went down or came back.
    Link {
        /// Whether the board can be heard.
        up: bool,
    },
    /// What the device says of itself.
    Identity(Identity),
    /// Bytes that made no sense: counted, never an alert for an arbiter.
    Junk {
        /// The reason, a stable name for counters.
        why: &'static str,
        /// How many bytes were dropped.
        bytes: u16,
    },
}

/// One end of the chess clock as it stands on the table.
///
/// Which colour sits there is decided by the seating, never here. For a neutral recording, whose
/// clock is given by colour, left is White.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lever {
    /// The left end.
    Left,
    /// The right end.
    Right,
}

impl Lever {
    /// The other end.
    #[must_use]
    pub const fn other(self) -> Lever {
        match self {
            Lever::Left => Lever::Right,
            Lever::Right => Lever::Left,
        }
    }
}

/// What the chess clock showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockReading {
    /// Time left at the left end.
    pub left: Dial,
    /// Time left at the right end.
    pub right: Dial,
    /// Whose time runs, if anybody's.
    pub running: Option<Lever>,
    /// The end that was pressed last (that end is down).
    pub down: Lever,
    /// The clock itself says that a flag fell at this end.
    pub flag: Option<Lever>,
}

/// What a device says of itself; operators need it, the game does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// The serial number.
    Serial(String),
    /// The firmware's version.
    Version(u8, u8),
    /// Battery charge in per cent.
    Battery(u8),
}
