//! What really happened: the moves of the game, the irregularities, the gaps of the link.

use shakmaty::Color;

/// A ply of the game as it stands in the end.
#[derive(Clone, Debug)]
pub struct TruePly {
    pub uci: String,
    pub legal: bool,
    pub placed: i64,
    pub pressed: Option<i64>,
    pub begun: i64,
}

/// Something irregular that the sensors can show.
#[derive(Clone, Debug)]
pub struct Incident {
    pub kind: &'static str,
    /// Ids that name it rightly.
    pub codes: Vec<&'static str>,
    /// Ids that may come beside it, any number of times while it lasts.
    pub beside: Vec<&'static str>,
    pub side: Option<Color>,
    /// When it happened.
    pub from: i64,
    /// When it is certain, at the board.
    pub certain: i64,
    /// How long after that a finding may take at most, without latencies.
    pub within: i64,
    /// Until when a finding of it makes sense at all.
    pub until: i64,
    pub required: bool,
    pub note: String,
}

/// Plies of which some act was hidden by a lost link.
#[derive(Clone, Debug)]
pub struct Gap {
    pub first: usize,
    /// One past the last.
    pub end: usize,
    /// How many legal paths explain it; `None` if they were not counted.
    pub paths: Option<usize>,
}

/// The times were changed by hand while the clock stood.
#[derive(Clone, Copy, Debug)]
pub struct Adjusted {
    /// When the clock was started again.
    pub go: i64,
    /// What was added to White's and Black's time, in whole seconds, as milliseconds.
    pub by: [i64; 2],
    /// The clock stood long enough afterwards for its readings to show it.
    pub shown: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Truth {
    pub plies: Vec<TruePly>,
    pub incidents: Vec<Incident>,
    pub gaps: Vec<Gap>,
    pub adjusted: Vec<Adjusted>,
    /// Whenever a time was set, with the clock standing or running.
    pub dialled: Vec<i64>,
    /// From when to when the link was down, at the board.
    pub down: Vec<(i64, i64)>,
    /// Times in which sensors must not play tricks.
    pub quiet: Vec<(i64, i64)>,
    /// When play was over.
    pub game_end: i64,
    pub notes: Vec<String>,
}
