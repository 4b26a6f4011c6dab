//! Standing differences: squares known to differ from the record, so that one wrong square does
//! not blind the rest of the game.

use shakmaty::{Bitboard, Board, Square};

use crate::events::{Sensed, Wood};

/// Squares on which the wood is known to differ from the record, and what stands there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    list: Vec<(Square, Sensed)>,
}

impl Standing {
    /// Takes what stands on `squares` now as known to differ.
    pub fn accept(&mut self, squares: Bitboard, wood: &Wood) {
        for square in squares {
            self.list.retain(|(s, _)| *s != square);
            self.list.push((square, wood.at(square)));
        }
    }

    /// Forgets the squares on which the wood has changed or agrees with the record again.
    pub fn settle(&mut self, wood: &Wood, board: &Board) {
        let off = wood.differs(board);
        self.list.retain(|(square, seen)| off.contains(*square) && wood.at(*square) == *seen);
    }

    /// The squares on which `wood` contradicts `board` in a way not known before.
    #[must_use]
    pub fn unexplained(&self, wood: &Wood, board: &Board) -> Bitboard {
        let mut off = wood.differs(board);
        for (square, seen) in &self.list {
            if wood.at(*square) == *seen {
                off.discard(*square);
            }
        }
        off
    }

    /// The squares.
    #[must_use]
    pub fn squares(&self) -> Bitboard {
        self.list.iter().map(|(s, _)| Bitboard::from(*s)).fold(Bitboard::EMPTY, |a, b| a | b)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The squares and what stands there.
    #[must_use]
    pub fn list(&self) -> &[(Square, Sensed)] {
        &self.list
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.list.clear();
    }
}
