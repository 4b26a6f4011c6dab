//! The line of a game: its positions one after the other, and how far each is known.

use shakmaty::{Board, Color};

use crate::game::{Completed, Move, PlyKind, Position, Record};

/// How a position of the record came to be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sure {
    /// The move was seen.
    Seen,
    /// Nobody saw it: it is one of the sequences that explain what stood there afterwards.
    Concluded,
    /// The position was taken from the board; how it was reached is not known.
    FromBoard,
}

/// A ply and what it led to.
#[derive(Clone, Debug)]
pub(super) struct Ply {
    pub(super) side: Color,
    pub(super) kind: PlyKind,
    pub(super) m: Option<Move>,
    /// As an arbiter reads it: `31...Kg7`.
    pub(super) label: String,
    pub(super) after: Position,
    pub(super) sure: Sure,
    /// An arbiter may undo it.
    pub(super) disputed: bool,
    /// The clock was pressed for it.
    pub(super) pressed: bool,
}

/// The positions of a game in order.
#[derive(Clone, Debug)]
pub struct Line {
    pub(super) start: Position,
    pub(super) plies: Vec<Ply>,
    /// What came before the record is not known.
    pub(super) begins_late: bool,
    /// After so many plies the board could not be heard for a while, and looked the same afterwards.
    pub(super) unheard: Vec<u32>,
}

impl Line {
    /// The line of `record`; `declared` is where the game was to begin. After each of `unheard` plies
    /// the board could not be heard, and nothing had changed when it was back.
    #[must_use]
    pub fn of(record: &Record, declared: &Position, unheard: &[u32]) -> Line {
        let start = record.at(0).clone();
        let plies: Vec<Ply> = record
            .entries()
            .iter()
            .map(|entry| Ply {
                side: entry.ply.side,
                kind: entry.ply.kind,
                m: entry.m,
                label: label(&entry.before, &entry.ply.san),
                after: entry.after.clone(),
                sure: match (entry.unseen, entry.ply.by) {
                    (false, _) => Sure::Seen,
                    (true, Completed::Inferred) => Sure::Concluded,
                    (true, _) => Sure::FromBoard,
                },
                disputed: entry.disputed,
                pressed: entry.ply.pressed_at.is_some(),
            })
            .collect();
        let unheard = unheard.iter().copied().filter(|ply| count(plies.len()) >= *ply).collect();
        Line { begins_late: start.board != declared.board, start, plies, unheard }
    }

    /// The position after so many plies.
    pub(super) fn at(&self, plies: usize) -> &Position {
        plies.checked_sub(1).and_then(|last| self.plies.get(last)).map_or(&self.start, |ply| &ply.after)
    }

    /// The position at the end.
    pub(super) fn end(&self) -> &Position {
        self.at(self.plies.len())
    }
}

/// A move with its number: `31...Kg7`.
pub(super) fn label(before: &Position, san: &str) -> String {
    let dots = if before.turn == Color::White { "." } else { "..." };
    format!("{}{dots}{san}", before.fullmoves)
}

/// Whether a ply between these boards can be followed by the first of them again: no pawn has moved
/// and nothing is gone.
pub(super) fn is_quiet(before: &Board, after: &Board) -> bool {
    let same = |color: Color| {
        before.pawns() & before.by_color(color) == after.pawns() & after.by_color(color)
            && before.by_color(color).count() == after.by_color(color).count()
    };
    Color::ALL.into_iter().all(same)
}

/// A number of plies.
pub(super) fn count(plies: usize) -> u32 {
    u32::try_from(plies).unwrap_or(u32::MAX)
}
