//! What the board shows without a press: a move that stands there, the result by the kings on
//! centre squares.

use shakmaty::{Bitboard, Color, Square};

use super::position::Move;
use super::stories::Story;
use super::tracker::{Phase, Tracker};
use crate::timeline::Timeline;

/// What the kings show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Signal {
    /// Nothing.
    #[default]
    None,
    /// One king was taken to the centre while the clock stands; the other decides what it means.
    Pending,
    /// A result: the winner, or nobody.
    Shown(Option<Color>),
}

impl Signal {
    /// The word used in messages; `None` for nothing.
    #[must_use]
    pub const fn word(self) -> Option<&'static str> {
        match self {
            Signal::None => None,
            Signal::Pending => Some("pending"),
            Signal::Shown(Some(Color::White)) => Some("1-0"),
            Signal::Shown(Some(Color::Black)) => Some("0-1"),
            Signal::Shown(None) => Some("1/2-1/2"),
        }
    }
}

/// The four squares in the middle.
pub(super) fn centre() -> Bitboard {
    [Square::D4, Square::E4, Square::D5, Square::E5]
        .into_iter()
        .fold(Bitboard::EMPTY, |all, square| all | Bitboard::from(square))
}

impl Tracker {
    /// What the kings show now.
    #[must_use]
    pub fn signal(&self, line: &Timeline) -> Signal {
        if self.kings_shown {
            return Signal::Shown(self.winner);
        }
        if self.phase == Phase::Playing || !line.has_dump() {
            return Signal::None;
        }
        let played = &self.record.end().board;
        let kings = line.wood().known().kings() & centre() & !(played.kings() & centre());
        // A move that was made and not pressed is a move.
        let moved = self.stories.iter().any(|s| s.shown);
        if kings.any() && !moved { Signal::Pending } else { Signal::None }
    }

    /// Who has a move on the board that is not completed, if it stands there with nothing in the air.
    ///
    /// Whether it has been released sensors do not see.
    #[must_use]
    pub fn reply_shown(&self) -> Option<Color> {
        let made = |s: &&Story| s.root == 0 && s.depth() > 0 && s.is_exact() && !s.guessed;
        let waits = self.phase == Phase::Playing && self.unseen.is_none();
        waits.then(|| self.stories.iter().find(made)).flatten().map(|_| self.record.end().turn)
    }

    /// The move that is on the board and not completed, where it is one move.
    #[must_use]
    pub fn move_shown(&self) -> Option<Move> {
        self.reply_shown()?;
        let one = |s: &&Story| s.root == 0 && s.depth() == 1 && s.is_exact() && !s.guessed;
        self.stories.iter().find(one).and_then(|story| story.moves.first().copied())
    }
}
