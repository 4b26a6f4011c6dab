//! Positions worth a look although nobody has asked: those that a wall of pawns may have killed.

use shakmaty::{Bitboard, Board, Color, attacks};

/// Whether no pawn can move or take another, and kings and bishops are all there is beside them.
///
/// Says nothing about whether anybody can mate: it only keeps open positions, which are nearly
/// all, from being looked at.
#[must_use]
pub fn is_locked(board: &Board) -> bool {
    let pawns = board.pawns();
    let others = board.knights() | board.rooks_and_queens();
    if pawns.is_empty() || others.any() {
        return false;
    }
    let stuck = |color: Color| {
        let ours = pawns & board.by_color(color);
        let theirs = pawns & board.by_color(!color);
        let ahead = color.fold_wb(ours.shift(8), ours.shift(-8));
        let takes = ours.into_iter().fold(Bitboard::EMPTY, |all, s| all | attacks::pawn_attacks(color, s));
        ahead.is_subset(pawns) && (takes & theirs).is_empty()
    };
    stuck(Color::White) && stuck(Color::Black)
}
