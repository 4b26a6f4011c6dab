//! What a board has shown of its own times: it begins its next journal with that.
//!
//! Measured by the stages behind this one, from inputs alone, so that a replay gives the same.

use crate::tick::Span;

/// How finely a device tells moments apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Resolution {
    /// It has not shown enough to tell.
    #[default]
    Unknown,
    /// Its reports are held back and come together: their times say nothing.
    HeldBack,
    /// To within so much.
    Within(Span),
}

impl Resolution {
    /// The uncertainty of a moment, if it is known.
    #[must_use]
    pub fn known(self) -> Option<Span> {
        match self {
            Resolution::Within(span) => Some(span),
            Resolution::Unknown | Resolution::HeldBack => None,
        }
    }
}

/// How late squares are told after the press that they belong to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lag {
    /// Presses that squares explained.
    pub presses: u32,
    /// Of these, presses whose squares came after them.
    pub late: u32,
    /// Half of the late ones were no later than this.
    pub median: Span,
    /// None was later.
    pub most: Span,
}

/// The times of one board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calibration {
    /// How late squares come.
    pub lag: Lag,
    /// So long late readings are waited for after a press.
    pub waits: Span,
    /// How finely squares are told apart in time.
    pub scan: Resolution,
    /// The usual time between two readings of the clock while it runs.
    pub clock_period: Option<Span>,
    /// By how much the times of its readings stray at most from what its dial says.
    pub clock_strays: Option<Span>,
    /// The serial numbers of the board that has shown this, each form once.
    pub serials: Vec<String>,
}
