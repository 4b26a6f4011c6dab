//! A ply of the record. A game may hold plies that are not legal and yet stand.

use shakmaty::Color;

use crate::tick::{Dial, Tick};

/// By what a move was completed (FIDE 6.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completed {
    /// The mover pressed the clock.
    Press,
    /// The opponent replied; the press was forgotten.
    Reply,
    /// The mover made his next move; the press was forgotten.
    NextMove,
    /// The move or what followed ended the game.
    GameEnd,
    /// Concluded from the board after something was not seen.
    Inferred,
}

impl Completed {
    /// The word used in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Completed::Press => "press",
            Completed::Reply => "reply",
            Completed::NextMove => "next-move",
            Completed::GameEnd => "game-end",
            Completed::Inferred => "inferred",
        }
    }
}

/// What kind of ply it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlyKind {
    /// A legal move.
    Legal,
    /// A press without a move.
    Null,
    /// Not legal, and on the board.
    Illegal,
    /// A pawn reached the last rank and was not exchanged; a queen is assumed (7.5.2).
    PromotionUnknown,
}

/// A ply of the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlyRecord {
    /// Who played it.
    pub side: Color,
    /// What kind.
    pub kind: PlyKind,
    /// As `e2e4`, `e7e8q`; castling king-to-square (Chess960: king takes rook); `0000` for a null.
    pub uci: String,
    /// As `Nf3`, `exd5`, `O-O`; for an illegal ply `from-to` in long form, for a null `--`.
    pub san: String,
    /// The position after it, as a FEN.
    pub fen: String,
    /// By what it was completed.
    pub by: Completed,
    /// When its last piece was placed, if seen.
    pub placed_at: Option<Tick>,
    /// When the clock was pressed, if it was.
    pub pressed_at: Option<Tick>,
    /// The clock afterwards: White, Black.
    pub dials: Option<(Dial, Dial)>,
    /// What the pawn became was not seen, because the board does not tell pieces apart.
    pub piece_assumed: bool,
    /// The press was not seen: the times show that it must have happened.
    pub press_inferred: bool,
    /// How many legal sequences explain the gap that this ply is in; 1 if there is no doubt.
    pub stories: usize,
}
