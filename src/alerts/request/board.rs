//! What is asked about a board, beside what is asked about its alerts.

use shakmaty::Color;

use crate::events::{Lever, Seat, TimeControl};
use crate::laws::RuleId;
use crate::tick::Dial;

/// Something about the board that is no alert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OnBoard {
    /// The result of the game.
    Result {
        /// A score of the list of verbs; `None` takes back what was entered.
        score: Option<&'static str>,
        /// Why, in the arbiter's words.
        why: Option<String>,
    },
    /// A new game begins now.
    NewGame {
        /// The position it begins with, as a FEN.
        fen: Option<String>,
    },
    /// Who plays.
    Pairing(Pairing),
    /// Another rule set; `None`: that of the event.
    Profile(Option<Profile>),
    /// What was set on the clock.
    ClockSet(ClockSetting),
    /// White's end of the clock.
    ClockSeat(Lever),
    /// Where White sits.
    Orientation(Seat),
    /// Findings of this kind are not told.
    Mute {
        /// Which.
        code: RuleId,
        /// Why, in the arbiter's words.
        why: Option<String>,
    },
    /// They are told again.
    Unmute(RuleId),
    /// Whose zone the board is in.
    Zone(Option<String>),
    /// Whether its moves are kept from the public.
    Hold(bool),
    /// What was touched and pressed in the last so many seconds.
    Contacts {
        /// So many.
        seconds: u32,
    },
    /// The games of the board.
    Games,
}

/// A position that an arbiter declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Declared {
    /// This one, as a FEN.
    Fen(String),
    /// What stands on the board, with this side to move.
    Standing(Color),
}

/// Who plays. The core never sees a name: what stands here is a token that says nothing once the
/// file of names is gone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairing {
    /// White.
    pub white: Option<String>,
    /// Black.
    pub black: Option<String>,
}

/// What a board is played under, where it is not what the event has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Rule set key.
    pub ruleset: String,
    /// `None`: as the event has it.
    pub time_control: Option<TimeControl>,
}

/// What an arbiter has set on the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockSetting {
    /// White's time, Black's.
    pub dials: (Dial, Dial),
    /// Moves completed by White and by Black, where they were set too.
    pub moves: Option<(u32, u32)>,
}
