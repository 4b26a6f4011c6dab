//! chasolver, and the way to it and back. It plays by a move generator of its own, and knows
//! standard castling only.

use std::str::FromStr;

use chasolver::{Winnability, is_unwinnable_fast, winnability};
use shakmaty::{Chess, Color, EnPassantMode, Position, Square, fen::Fen};

/// What chasolver said.
pub(super) enum Said {
    /// These moves mate, in UCI notation.
    Line(Vec<String>),
    /// There is a proof that none do.
    Never,
    /// Nothing, or the position is none that it can take.
    Nothing,
}

/// All that it can do; a few seconds at worst.
pub(super) fn full(position: &Chess, side: Color) -> Said {
    let Some((board, whole)) = board(position) else { return Said::Nothing };
    match winnability(&board, color(side)) {
        Some(Winnability::Winnable { helpmate }) => {
            Said::Line(helpmate.iter().map(ToString::to_string).collect())
        }
        Some(Winnability::Unwinnable) if whole => Said::Never,
        Some(Winnability::Unwinnable) | None => Said::Nothing,
    }
}

/// Its quick look, which only ever proves that there is no mate.
pub(super) fn quick(position: &Chess, side: Color) -> Said {
    match board(position) {
        Some((board, true)) if is_unwinnable_fast(&board, color(side)) => Said::Never,
        _ => Said::Nothing,
    }
}

/// The position as chasolver takes it, and whether nothing of it was lost: with castling rights it
/// does not know, a line still counts, and a proof that there is none does not.
fn board(position: &Chess) -> Option<(chess::Board, bool)> {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    let standard = [Square::A1, Square::H1, Square::A8, Square::H8];
    let at_home = |king: Square, color| setup.board.king_of(color) == Some(king);
    let known = setup.castling_rights.into_iter().all(|rook| {
        let color = if u32::from(rook.rank()) == 0 { Color::White } else { Color::Black };
        standard.contains(&rook) && at_home(color.fold_wb(Square::E1, Square::E8), color)
    });
    if !known {
        setup.castling_rights = shakmaty::Bitboard::EMPTY;
    }
    let fen = Fen::try_from_setup(setup).ok()?.to_string();
    Some((chess::Board::from_str(&fen).ok()?, known))
}

fn color(side: Color) -> chess::Color {
    side.fold_wb(chess::Color::White, chess::Color::Black)
}
