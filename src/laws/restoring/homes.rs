//! Where each piece stood before the plies that are undone: going back there is the natural way.

use shakmaty::{Board, Square};

use crate::game::{Entry, Record};

/// For each square, where the piece that stands there now stood in the position wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Homes(Vec<(Square, Square)>);

impl Homes {
    /// Of the pieces at the end of `record`, in the position after `keep` plies.
    #[must_use]
    pub fn of(record: &Record, keep: usize) -> Homes {
        let mut homes: Vec<(Square, Square)> = Vec::new();
        for entry in record.entries().iter().skip(keep) {
            let steps = steps(entry);
            let from = |square: Square| {
                homes.iter().find(|(now, _)| *now == square).map_or(square, |(_, home)| *home)
            };
            let came: Vec<(Square, Square)> = steps.iter().map(|(a, b)| (*b, from(*a))).collect();
            homes.retain(|(now, _)| !steps.iter().any(|(a, b)| a == now || b == now));
            homes.extend(came);
        }
        Homes(homes)
    }

    /// Of the piece that was moved, as `e2e4` says.
    #[must_use]
    pub fn undoing(uci: &str) -> Homes {
        let square = |at: std::ops::Range<usize>| uci.get(at)?.parse::<Square>().ok();
        Homes(square(0..2).zip(square(2..4)).map(|(from, to)| (to, from)).into_iter().collect())
    }

    /// Whether what stands on `from` came there from `to`.
    pub(super) fn lead(&self, from: Square, to: Square) -> bool {
        self.0.contains(&(from, to))
    }
}

/// From where to where pieces went in a ply.
fn steps(entry: &Entry) -> Vec<(Square, Square)> {
    if let Some(m) = &entry.m {
        return std::iter::once((m.from, m.to)).chain(m.rook).collect();
    }
    let (before, after) = (&entry.before.board, &entry.after.board);
    let moved = |board: &Board, other: &Board| -> Vec<Square> {
        let changed = |s: &Square| board.piece_at(*s) != other.piece_at(*s);
        board.occupied().into_iter().filter(changed).collect()
    };
    let (gone, come) = (moved(before, after), moved(after, before));
    gone.into_iter()
        .filter_map(|a| {
            let same: Vec<Square> =
                come.iter().copied().filter(|b| after.piece_at(*b) == before.piece_at(a)).collect();
            <[Square; 1]>::try_from(same).ok().map(|[b]| (a, b))
        })
        .collect()
}
