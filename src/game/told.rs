//! What the game stage tells the stages to its right.

use shakmaty::{Bitboard, Color, Piece, Square};

use super::explain::{Explanation, Illegal};
use super::history::Past;
use super::position::{Move, Position};
use crate::events::Wood;
use crate::tick::{Span, Tick};
use crate::timeline::{Contact, Resolution};

/// News from the game.
#[derive(Clone, Debug)]
pub enum Told {
    /// The ply with this index (from 0) is part of the record, or was corrected.
    Ply(usize),
    /// The plies after so many are forgotten.
    Retracted(usize),
    /// Something was explained that the Laws may have a name for.
    Judged(Box<Judgement>),
    /// An earlier judgement was wrong: later evidence explains it better.
    Unjudged(u32),
    /// An earlier position was restored; so many plies stand.
    Restored(usize),
    /// The players or the arbiter began a new game.
    NewGame,
    /// The clock was stopped: pending alerts may now be acted on.
    Paused,
}

/// The moment at which something was explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The clock was pressed by this side.
    Press(Color),
    /// Nothing has moved for a while, and the clock was not pressed.
    Rest,
    /// The clock was started.
    ClockStart,
    /// The game ended, or a result was shown.
    End,
    /// After moves that were not seen.
    Gap,
}

/// What was explained.
#[derive(Clone, Debug)]
pub enum Matter {
    /// What the side to move did.
    Action(Explanation),
    /// Pieces have been gone since a move some plies ago: knocked off the board, or their sensors fail.
    Missing {
        /// Where a piece stood.
        squares: Bitboard,
    },
    /// Pieces stand wrong in the time of the side to move; `own` are of the side not on move.
    Displaced {
        /// Squares that differ.
        squares: Bitboard,
        /// A whole move of the side not on move, if it is one.
        out_of_turn: bool,
    },
    /// The press came before the move's last piece was taken up, and it landed in time all the same.
    BegunLate {
        /// The move.
        m: Move,
        /// Where the piece stood.
        lifted: Square,
        /// How long after the press the move was complete.
        landed: Span,
    },
    /// Something not allowed stands on the board and the clock was not pressed.
    Unpressed(Illegal),
    /// The set-up is wrong.
    WrongSetup {
        /// The squares that differ.
        squares: Bitboard,
        /// The board is turned by a quarter too.
        sideways: bool,
        /// The clock was started.
        started: bool,
    },
    /// On the square of the last promotion stands another piece than before.
    AnotherPiece {
        /// The promotion as the record has it.
        m: Move,
        /// What stands there.
        seen: Piece,
        /// A pawn had been left there, and this was put in its place.
        exchanged: bool,
    },
    /// The pieces were set up anew, and no result was shown.
    Reset,
    /// The board is turned by a quarter.
    Sideways,
    /// Mate.
    Mate,
    /// Stalemate.
    Stalemate,
    /// Two kings on centre squares.
    Kings {
        /// The result they signal: winner, or `None` for a draw.
        winner: Option<Color>,
    },
    /// A press was forgotten, and the game went on.
    PressForgotten,
    /// Lever over and back without a move.
    LeverBack,
    /// Plies were played unseen; how many stories explain it (0: none was found).
    Unseen {
        /// How many legal stories.
        stories: usize,
        /// The first of them; the very first was taken.
        found: Vec<Vec<Move>>,
    },
}

/// Something explained, with all that is known about it.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// Counted per game; an [`Told::Unjudged`] names it.
    pub key: u32,
    /// The moment.
    pub moment: Moment,
    /// Whom it is about.
    pub side: Option<Color>,
    /// When it became known.
    pub at: Tick,
    /// When the clock was pressed, if it was.
    pub pressed_at: Option<Tick>,
    /// The last correct position.
    pub before: Position,
    /// The position at the end of the record now.
    pub after: Position,
    /// Plies in the record at that position.
    pub plies: usize,
    /// What stood on the board.
    pub wood: Wood,
    /// The contacts since the last correct position.
    pub contacts: Vec<Contact>,
    /// What was explained.
    pub matter: Matter,
    /// How finely the device tells moments apart.
    pub resolution: Resolution,
    /// How finely presses and squares can be compared; `None` while that is not known.
    pub press_resolution: Option<Span>,
    /// Press and square that were told closer together may have happened in either order.
    pub press_blur: Span,
    /// The record rests on what was not seen: what seems irregular may be its own mistake.
    pub doubted: bool,
    /// Chess960 is played.
    pub chess960: bool,
    /// What came before it.
    pub past: Past,
}
