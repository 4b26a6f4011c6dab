//! What is known about a board before anything happens on it: the event's settings.

use std::fmt;

use shakmaty::fen::Fen;
use thiserror::Error;

use super::calibration::Calibration;
use super::wood::{Wood, WoodError};
use crate::tick::Span;

/// A part of an MQTT topic.
///
/// # Invariants
/// Not empty, at most 64 bytes, no `+`, `#`, `/`, `$` at the start, control or blank characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TopicPart(String);

/// Why a text cannot be part of a topic.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("'{0}' cannot be part of an MQTT topic: use 1 to 64 letters, digits, '-', '_' or '.'")]
pub struct TopicPartError(String);

impl TopicPart {
    /// Checks `text`.
    ///
    /// # Errors
    /// [`TopicPartError`] if it is empty, too long, or holds a character that topics give a meaning.
    pub fn new(text: &str) -> Result<Self, TopicPartError> {
        let fine = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        if text.is_empty() || text.len() > 64 || !text.chars().all(fine) {
            return Err(TopicPartError(text.to_owned()));
        }
        Ok(TopicPart(text.to_owned()))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TopicPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The name of a board in topics, journals and cards.
pub type BoardId = TopicPart;

/// The time control of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Time for all moves at the start, seconds.
    pub base_s: u32,
    /// Added with each move, seconds.
    pub inc_s: u32,
    /// After this many moves of a player so many seconds are added.
    pub bonus: Option<(u32, u32)>,
    /// Whether the first increment is already on the clock at the start.
    pub increment_on_first_move: bool,
}

/// Where the record begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The initial array of chess.
    Standard,
    /// A position declared by an arbiter, as a FEN: play goes on from there.
    Fen(String),
}

/// Which chess is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Ordinary chess.
    Standard,
    /// Chess960: the array is what stands there at the start.
    Chess960,
}

/// What the sensors can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// Which piece stands on a square.
    Identified,
    /// Only that something stands there.
    Occupancy,
}

/// On which side of the board White has his seat, by the board's own ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// At its own first rank.
    FirstRank,
    /// At its own eighth rank.
    EighthRank,
}

impl Seat {
    /// What a setting may say.
    pub const ALLOWED: &'static str = "\"rank-1\" or \"rank-8\"";

    /// From the word of a setting.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Seat> {
        match word {
            "rank-1" => Some(Seat::FirstRank),
            "rank-8" => Some(Seat::EighthRank),
            _ => None,
        }
    }

    /// The word of a setting.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Seat::FirstRank => "rank-1",
            Seat::EighthRank => "rank-8",
        }
    }
}

/// Which kind of device speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// A DGT board in single mode, over bytes.
    Dgt,
    /// A neutral recording, whose clock is given by colour.
    Neutral,
}

/// What is watched without telling anybody.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shadow {
    /// All findings of the board.
    pub board: bool,
    /// Findings of these rules, by name.
    pub rules: Vec<String>,
}

/// The settings of one board for one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The board's name.
    pub board: BoardId,
    /// Rule set key, `edition/format`, as `fide-2023/rapid-a5`.
    pub ruleset: String,
    /// What the event changes in the rule set, and its settings: key and value.
    pub event_rules: Vec<(String, String)>,
    /// `None` when it is not known; the clock's setting is then not judged.
    pub time_control: Option<TimeControl>,
    /// Where the record begins.
    pub start: Start,
    /// Which chess.
    pub variant: Variant,
    /// What the sensors can tell.
    pub pieces: Pieces,
    /// Which device.
    pub device: Device,
    /// Where White sits; `None` if that is not known, and then nothing is said about it.
    pub white_sits: Option<Seat>,
    /// How long the device needs to look at every square once; zero if that is not known.
    pub scan: Span,
    /// The number of the first game, from 1; higher where earlier runs have had games on this board,
    /// so that no id is given twice.
    pub first_game: u32,
    /// What is watched without telling anybody.
    pub shadow: Shadow,
    /// The arbiter whose zone the board is in.
    pub zone: Option<String>,
    /// After so long without a reaction an alert is told again, to everybody; zero: never.
    pub escalate: Span,
    /// What the board has shown of its times in an earlier journal; a table takes it over.
    pub calibration: Option<Box<Calibration>>,
}

/// Why settings cannot be used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SetupError {
    /// The board's name.
    #[error(transparent)]
    Board(#[from] TopicPartError),
    /// The format and rules do not name a rule set.
    #[error(
        "format \"{format}\" with rules \"{rules}\" names no rule set: use standard, rapid or blitz with main, rapid with A5, or blitz with B3"
    )]
    Regime {
        /// As given.
        format: String,
        /// As given.
        rules: String,
    },
    /// The rule set is not known.
    #[error("rule set \"{given}\" is not known: use one of {known}")]
    Ruleset {
        /// As given.
        given: String,
        /// Those that exist.
        known: String,
    },
    /// The start position.
    #[error("start position \"{fen}\" cannot be read: {why}")]
    Start {
        /// As given.
        fen: String,
        /// What is wrong.
        why: String,
    },
    /// A placement.
    #[error("placement cannot be read: {0}")]
    Placement(#[from] WoodError),
}

impl Setup {
    /// A board with the defaults of a recording without meta data: fide-2023/standard from the
    /// initial array, time control unknown.
    #[must_use]
    pub fn plain(board: BoardId, device: Device) -> Self {
        Setup {
            board,
            ruleset: "fide-2023/standard".to_owned(),
            event_rules: Vec::new(),
            time_control: None,
            start: Start::Standard,
            variant: Variant::Standard,
            pieces: Pieces::Identified,
            device,
            white_sits: None,
            scan: match device {
                Device::Dgt => Span::from_ms(200),
                Device::Neutral => Span::ZERO,
            },
            first_game: 1,
            shadow: Shadow::default(),
            zone: None,
            escalate: Span::ZERO,
            calibration: None,
        }
    }

    /// The wood that should stand at the start, unless it is Chess960, whose array is free.
    ///
    /// # Errors
    /// A start position that cannot be read.
    pub fn start_wood(&self) -> Result<Wood, SetupError> {
        let placement = match &self.start {
            Start::Standard => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            Start::Fen(fen) => {
                let parsed: Result<Fen, _> = fen.parse();
                if let Err(why) = parsed {
                    return Err(SetupError::Start { fen: fen.clone(), why: why.to_string() });
                }
                fen.split(' ').next().unwrap_or_default()
            }
        };
        Ok(Wood::from_placement(placement)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topic_parts_cannot_hold_wildcards() {
        for bad in ["", "a/b", "a+", "#", "$SYS", "a b", "a\n"] {
            assert!(TopicPart::new(bad).is_err(), "{bad:?}");
        }
        assert_eq!(TopicPart::new("table-7").map(|t| t.to_string()), Ok("table-7".to_owned()));
    }
}
