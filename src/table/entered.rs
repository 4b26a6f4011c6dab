//! What people have entered about a board, beside what they have entered about its alerts.

use std::collections::VecDeque;

use shakmaty::Color;

use crate::alerts::{ClockSetting, GameSummary, Pairing, Profile};
use crate::laws::RuleId;
use crate::tick::Tick;

/// Games of a board that are remembered.
pub(super) const GAMES_MAX: usize = 64;
/// Presses that are remembered to be told on request.
pub(super) const PRESSES_MAX: usize = 512;

/// What stands until it is changed, over the games of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Orders {
    /// The arbiter whose zone the board is in; `None`: as configured.
    pub zone: Option<Zone>,
    /// What the board is played under; `None`: as the event has it.
    pub profile: Option<Profile>,
    /// The position that games begin with, as a FEN; `None`: as the event has it.
    pub start: Option<String>,
    /// Findings that are not told.
    pub muted: Vec<RuleId>,
    /// Whether its moves are kept from the public; `None`: as configured.
    pub hold: Option<bool>,
    /// Who plays the next game, where that was entered after the one on the board was over.
    pub next: Option<Pairing>,
}

/// The arbiter whose zone it is; `None`: nobody's.
pub type Zone = Option<String>;

/// The result of a game as an arbiter has entered it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultEntered {
    /// A score, as `1-0`.
    pub score: &'static str,
    /// Why, in his words.
    pub why: Option<String>,
    /// By whom.
    pub by: String,
    /// When.
    pub at: Tick,
}

/// All of it.
#[derive(Debug, Default)]
pub(super) struct Entered {
    pub orders: Orders,
    pub result: Option<ResultEntered>,
    pub pairing: Pairing,
    pub clock_set: Option<ClockSetting>,
    /// Who has declared the game that begins.
    pub new_game_by: Option<String>,
    /// The games before.
    pub games: VecDeque<GameSummary>,
    /// The game that is being played, as it was told last.
    pub current: Option<GameSummary>,
    /// The latest presses.
    pub presses: VecDeque<(Tick, Color)>,
}

impl Entered {
    /// Takes over what was entered in the games before.
    pub fn carry(&mut self, orders: Orders, games: Vec<GameSummary>) {
        self.orders = orders;
        self.games = games.into();
        self.pairing = self.orders.next.take().unwrap_or_default();
    }

    /// A new game begins.
    pub fn begin_game(&mut self) {
        self.games.extend(self.current.take());
        while self.games.len() > GAMES_MAX {
            self.games.pop_front();
        }
        self.result = None;
        self.pairing = self.orders.next.take().unwrap_or_default();
        self.clock_set = None;
    }

    pub fn pressed(&mut self, at: Tick, side: Color) {
        if self.presses.len() == PRESSES_MAX {
            self.presses.pop_front();
        }
        self.presses.push_back((at, side));
    }
}
