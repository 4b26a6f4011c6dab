//! What the pieces alone prove, whatever is played. Mate on the board is asked first.

use shakmaty::{Bitboard, Board, Color};

/// Whether `side` can never mate with these pieces against those of the opponent.
///
/// Each case takes into account that the other side's own men may stand in their king's way, and
/// that pawns become pieces.
pub(super) fn cannot_mate(board: &Board, side: Color) -> bool {
    let ours = board.by_color(side) & !board.kings();
    let theirs = board.by_color(!side) & !board.kings();
    if ours.is_empty() {
        return true;
    }
    let one_knight = ours.count() == 1 && (ours & board.knights()).any();
    if one_knight && (theirs & !board.queens()).is_empty() {
        return true;
    }
    // Bishops of one square colour leave the others to the king; only a knight or a bishop of the
    // other square colour of the opponent's can stand there without guarding.
    let of_one_colour = |bishops: Bitboard| {
        (bishops & Bitboard::LIGHT_SQUARES).is_empty() || (bishops & Bitboard::DARK_SQUARES).is_empty()
    };
    ours == ours & board.bishops()
        && of_one_colour(board.bishops())
        && (board.knights() | board.pawns()).is_empty()
}
