//! Lists of pieces that some rule sets count instead of asking what is possible on the board.

use shakmaty::{Color, Role};

use crate::game::Position;

/// Whether `side` has neither pawn, rook nor queen, nor two minor pieces.
pub(super) fn lacks_mating_list(fen: &str, side: Color) -> bool {
    let Some(position) = Position::from_fen(fen) else { return false };
    let own = position.board.by_color(side);
    let heavy = own & (position.board.pawns() | position.board.rooks_and_queens());
    let minor = own & (position.board.knights() | position.board.bishops());
    heavy.is_empty() && minor.count() < 2
}

/// Whether `side` has a lone king, one minor piece, or two knights against no pawn.
///
/// A forced win, which the rule excepts, is for the director to see.
pub(super) fn cannot_win_on_time(fen: &str, side: Color) -> bool {
    let Some(position) = Position::from_fen(fen) else { return false };
    let count =
        |role: Role, color: Color| (position.board.by_role(role) & position.board.by_color(color)).count();
    let two_knights = count(Role::Knight, side) == 2
        && count(Role::Bishop, side) == 0
        && count(Role::Pawn, side.other()) == 0;
    let none = |role: Role| count(role, side) == 0;
    let light = none(Role::Pawn) && none(Role::Rook) && none(Role::Queen);
    light && (count(Role::Knight, side) + count(Role::Bishop, side) < 2 || two_knights)
}
