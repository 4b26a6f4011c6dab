//! Wood: any pieces on any squares, as sensors see them. Nothing here knows what is legal.

use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};
use thiserror::Error;

/// A square in the sensor's frame: the board's own numbering, whoever sits where.
///
/// It becomes a [`Square`] of the players' frame only through the seating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SensorSquare(Square);

impl SensorSquare {
    /// The sensor at the place that the board calls `square`.
    #[must_use]
    pub const fn new(square: Square) -> Self {
        SensorSquare(square)
    }

    /// The board's own name for the place; not the players'.
    #[must_use]
    pub const fn raw(self) -> Square {
        self.0
    }
}

/// What a sensor sees on its square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sensed {
    /// Nothing.
    Empty,
    /// This piece.
    Piece(Piece),
    /// Something: the board cannot tell what.
    Something,
}

impl Sensed {
    /// Whether anything stands there.
    #[must_use]
    pub const fn is_occupied(self) -> bool {
        !matches!(self, Sensed::Empty)
    }

    /// The letter used in placements: `K`, `p`, `X`; `None` when empty.
    #[must_use]
    pub fn letter(self) -> Option<char> {
        match self {
            Sensed::Empty => None,
            Sensed::Piece(piece) => Some(piece.char()),
            Sensed::Something => Some('X'),
        }
    }
}

/// Any pieces on any squares.
///
/// # Invariants
/// A square that holds an unknown something holds no known piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wood {
    known: Board,
    unknown: Bitboard,
}

impl Wood {
    /// An empty board.
    #[must_use]
    pub fn empty() -> Self {
        Wood { known: Board::empty(), unknown: Bitboard::EMPTY }
    }

    /// The pieces of `board`, all known.
    #[must_use]
    pub fn from_board(board: &Board) -> Self {
        Wood { known: board.clone(), unknown: Bitboard::EMPTY }
    }

    /// What stands on `square`.
    #[must_use]
    pub fn at(&self, square: Square) -> Sensed {
        match self.known.piece_at(square) {
            Some(piece) => Sensed::Piece(piece),
            None if self.unknown.contains(square) => Sensed::Something,
            None => Sensed::Empty,
        }
    }

    /// Puts `seen` on `square`, whatever stood there.
    pub fn set(&mut self, square: Square, seen: Sensed) {
        self.unknown.discard(square);
        self.known.discard_piece_at(square);
        match seen {
            Sensed::Empty => {}
            Sensed::Piece(piece) => self.known.set_piece_at(square, piece),
            Sensed::Something => self.unknown.add(square),
        }
    }

    /// The squares that hold something.
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        self.known.occupied() | self.unknown
    }

    /// The squares whose piece is not known.
    #[must_use]
    pub fn unknown(&self) -> Bitboard {
        self.unknown
    }

    /// The pieces that are known.
    #[must_use]
    pub fn known(&self) -> &Board {
        &self.known
    }

    /// The squares on which this wood contradicts `board`.
    ///
    /// An unknown something agrees with any piece.
    #[must_use]
    pub fn differs(&self, board: &Board) -> Bitboard {
        let mut out = self.occupied() ^ board.occupied();
        let both = self.known.occupied() & board.occupied();
        for color in Color::ALL {
            out |= (self.known.by_color(color) ^ board.by_color(color)) & both;
        }
        for role in Role::ALL {
            out |= (self.known.by_role(role) ^ board.by_role(role)) & both;
        }
        out
    }

    /// The squares on which two woods contradict each other; unknown agrees with anything.
    #[must_use]
    pub fn differs_wood(&self, other: &Wood) -> Bitboard {
        let vague = self.unknown | other.unknown;
        let mut out = self.occupied() ^ other.occupied();
        for color in Color::ALL {
            out |= (self.known.by_color(color) ^ other.known.by_color(color)) & !vague;
        }
        for role in Role::ALL {
            out |= (self.known.by_role(role) ^ other.known.by_role(role)) & !vague;
        }
        out
    }

    /// The placement as in the first field of a FEN; `X` for an unknown something.
    #[must_use]
    pub fn placement(&self) -> String {
        let mut out = String::with_capacity(72);
        for rank in (0..8).rev() {
            let mut gap = 0u8;
            for file in 0..8 {
                let square = Square::new(rank * 8 + file);
                match self.at(square).letter() {
                    None => gap += 1,
                    Some(letter) => {
                        if gap > 0 {
                            out.push(char::from(b'0' + gap));
                            gap = 0;
                        }
                        out.push(letter);
                    }
                }
            }
            if gap > 0 {
                out.push(char::from(b'0' + gap));
            }
            if rank > 0 {
                out.push('/');
            }
        }
        out
    }

    /// Reads the first field of a FEN, where `X` stands for an unknown something.
    ///
    /// # Errors
    /// [`WoodError`] names the rank or letter that cannot be read.
    pub fn from_placement(text: &str) -> Result<Wood, WoodError> {
        let mut wood = Wood::empty();
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != 8 {
            return Err(WoodError::Ranks(rows.len()));
        }
        for (row, rank) in rows.iter().zip((0..8u32).rev()) {
            let mut file = 0u32;
            for letter in row.chars() {
                if let Some(gap) = letter.to_digit(10) {
                    file += gap;
                    continue;
                }
                let seen = match letter {
                    'X' => Sensed::Something,
                    _ => Sensed::Piece(Piece::from_char(letter).ok_or(WoodError::Letter(letter))?),
                };
                if file > 7 {
                    return Err(WoodError::Width(rank + 1));
                }
                wood.set(Square::new(rank * 8 + file), seen);
                file += 1;
            }
            if file != 8 {
                return Err(WoodError::Width(rank + 1));
            }
        }
        Ok(wood)
    }
}

/// Why a placement cannot be read.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum WoodError {
    /// Not eight ranks.
    #[error("a placement has 8 ranks separated by '/', this one has {0}")]
    Ranks(usize),
    /// A rank is too short or too long.
    #[error("rank {0} does not describe exactly 8 squares")]
    Width(u32),
    /// A letter that is no piece.
    #[error("'{0}' is no piece: use KQRBNP for White, kqrbnp for Black, X for something unknown")]
    Letter(char),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placements_round_trip() {
        for text in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "XXXXXXXX/XXXXXXXX/8/8/8/8/XXXXXXXX/XXXXXXXX",
            "8/8/8/3k4/8/5K2/8/8",
        ] {
            assert_eq!(Wood::from_placement(text).map(|w| w.placement()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn bad_placements_say_what_is_wrong() {
        assert_eq!(Wood::from_placement("8/8"), Err(WoodError::Ranks(2)));
        assert_eq!(Wood::from_placement("9/8/8/8/8/8/8/8"), Err(WoodError::Width(8)));
        assert_eq!(Wood::from_placement("7z/8/8/8/8/8/8/8"), Err(WoodError::Letter('z')));
    }

    #[test]
    fn an_unknown_something_agrees_with_any_piece() {
        let wood = Wood::from_placement("XXXXXXXX/XXXXXXXX/8/8/8/8/XXXXXXXX/XXXXXXXX").unwrap();
        assert!(wood.differs(&Board::new()).is_empty());
    }
}
