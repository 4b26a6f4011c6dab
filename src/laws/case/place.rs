//! Positions as text and back: what stands after an act, with both counters, and FENs as files
//! compare them.

use shakmaty::{Bitboard, Color, Piece, Role, Square};

use crate::events::Wood;
use crate::game::{Move, Position};

/// The initial array.
pub(super) const ARRAY: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The FEN; an en passant square only if somebody can capture there.
pub(super) fn fen(position: &Position) -> String {
    let by_passing = |m: &Move| m.role == Role::Pawn && m.capture.is_some_and(|square| square != m.to);
    if position.ep.is_none() || position.legal_moves().iter().any(by_passing) {
        return position.fen();
    }
    Position { ep: None, ..position.clone() }.fen()
}

/// The position after an act that stands, whatever the rules of chess say of it: the wood as it
/// is, the other side to move, both counters counted on.
pub(super) fn standing(before: &Position, wood: &Wood) -> Position {
    let board = wood.known().clone();
    let changed = wood.differs(&before.board);
    let pawns = changed & (before.board.pawns() | board.pawns());
    let irreversible = pawns.any() || board.occupied().count() < before.board.occupied().count();
    let by = before.turn;
    let mut next = Position {
        castles: before.castles,
        turn: by.other(),
        ep: None,
        halfmoves: if irreversible { 0 } else { before.halfmoves + 1 },
        fullmoves: before.fullmoves + u32::from(by == Color::Black),
        board,
    };
    for color in Color::ALL {
        let home = Bitboard::from(color.backrank());
        let king = before.board.kings() & before.board.by_color(color) & !changed & home;
        let rooks = next.board.rooks() & next.board.by_color(color) & !changed;
        let keep = if king.any() { rooks & home } else { Bitboard::EMPTY };
        next.castles &= keep | !home;
    }
    next
}

/// The position after a press without a move, which counts as a ply.
pub(super) fn passed(before: &Position) -> Position {
    Position { halfmoves: before.halfmoves + 1, ..before.pass() }
}

/// The position after the move written so, legal or not; `None` if nothing stands there.
pub(super) fn played(before: &Position, uci: &str) -> Option<Position> {
    if let Some(m) = before.legal_moves().iter().find(|m| m.uci() == uci || m.uci_chess960() == uci) {
        return Some(before.play(m));
    }
    let from: Square = uci.get(..2)?.parse().ok()?;
    let to: Square = uci.get(2..4)?.parse().ok()?;
    let piece = before.board.piece_at(from)?;
    let promotion = uci.chars().nth(4).and_then(Role::from_char);
    let mut wood = Wood::from_board(&before.board);
    wood.set(from, crate::events::Sensed::Empty);
    let put = Piece { color: piece.color, role: promotion.unwrap_or(piece.role) };
    wood.set(to, crate::events::Sensed::Piece(put));
    Some(standing(before, &wood))
}

/// The position with a queen in place of the pawn that `m` brought to the last rank.
pub(super) fn queened(before: &Position, m: &Move) -> Position {
    before.play(&Move { promotion: Some(Role::Queen), ..*m })
}
