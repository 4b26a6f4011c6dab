//! Why an act is not legal, by meaning: the topics whose articles a rule set names.

use shakmaty::{Bitboard, Piece, Rank, Role, Square, attacks};

use super::act::Fault;
use crate::events::Wood;
use crate::game::{CastlingFault, Illegal, Move, Position};
use crate::laws::ruleset::Topic;

/// Why `illegal` is not allowed in `before`.
pub(super) fn illegal_reasons(before: &Position, illegal: &Illegal, history: &[String]) -> Vec<Topic> {
    match illegal {
        Illegal::Piece { piece, from, to, taken } => piece_reasons(before, *piece, *from, *to, *taken),
        Illegal::Castling(m) => castling_reasons(before, m, history),
        Illegal::VictimLeft(_) => vec![Topic::CapturedPawnLeft],
        Illegal::OpponentsPiece { .. } => vec![Topic::OpponentsPieceMoved],
        Illegal::WrongPromotion { .. } => vec![Topic::PromotionPiece],
        Illegal::TwoMoves { .. } => Vec::new(),
    }
}

fn piece_reasons(
    before: &Position,
    piece: Piece,
    from: Square,
    to: Square,
    taken: Option<Piece>,
) -> Vec<Topic> {
    let mut out = Vec::new();
    match taken {
        Some(taken) if taken.color == piece.color => return vec![Topic::OwnPieceCaptured],
        Some(Piece { role: Role::King, .. }) => out.push(Topic::KingCaptured),
        _ => {}
    }
    if piece.role == Role::Pawn {
        out.extend(pawn_reason(before, piece, from, to, taken));
    } else if !attacks::attacks(from, piece, Bitboard::EMPTY).contains(to) {
        out.push(way(piece.role));
    } else if (attacks::between(from, to) & before.board.occupied()).any() {
        out.extend([way(piece.role), Topic::JumpedOver]);
    }
    let geometry = out.iter().any(|topic| *topic != Topic::KingCaptured);
    if !geometry {
        let mut after = before.clone();
        after.board.discard_piece_at(from);
        after.board.set_piece_at(to, piece);
        if after.in_check(piece.color) {
            out.push(Topic::KingLeftInCheck);
        }
    }
    out
}

/// The article about how a piece moves.
const fn way(role: Role) -> Topic {
    match role {
        Role::Pawn => Topic::PawnMove,
        Role::Knight => Topic::KnightMove,
        Role::Bishop => Topic::BishopMove,
        Role::Rook => Topic::RookMove,
        Role::Queen => Topic::QueenMove,
        Role::King => Topic::KingMove,
    }
}

fn pawn_reason(
    before: &Position,
    pawn: Piece,
    from: Square,
    to: Square,
    taken: Option<Piece>,
) -> Option<Topic> {
    let up = if pawn.color.is_white() { 1 } else { -1 };
    let step = (i32::from(to.rank()) - i32::from(from.rank())) * up;
    let aside = u32::from(from.file()).abs_diff(u32::from(to.file()));
    match (step, aside, taken) {
        (1, 1, Some(_)) | (1, 0, None) => None,
        (1, 1, None) => {
            let beside = Square::from_coords(to.file(), from.rank());
            let other = Piece { color: pawn.color.other(), role: Role::Pawn };
            let passing = before.board.piece_at(beside) == Some(other);
            Some(if passing { Topic::EnPassant } else { Topic::PawnMove })
        }
        (2, 0, None) => {
            let passed = attacks::between(from, to) & before.board.occupied();
            let at_home = from.rank() == pawn.color.relative_rank(Rank::Second);
            (passed.any() || !at_home).then_some(Topic::PawnMove)
        }
        _ => Some(Topic::PawnMove),
    }
}

/// Why a castling is not allowed; the history tells who has moved before.
pub(super) fn castling_reasons(before: &Position, m: &Move, history: &[String]) -> Vec<Topic> {
    let rook = m.rook.map(|(rook, _)| rook);
    match before.castling_fault(m) {
        Some(CastlingFault::RightLost) => {
            let left = |square: Square| history.iter().any(|uci| uci.starts_with(&square.to_string()));
            match (left(m.from), rook.is_some_and(left)) {
                (true, false) => vec![Topic::CastlingKingMoved],
                (false, true) => vec![Topic::CastlingRookMoved],
                _ => vec![Topic::CastlingKingMoved, Topic::CastlingRookMoved],
            }
        }
        Some(CastlingFault::Blocked(_)) => vec![Topic::CastlingBlocked],
        Some(CastlingFault::OutOfCheck(_) | CastlingFault::Through(..)) => vec![Topic::CastlingAttacked],
        None => Vec::new(),
    }
}

/// The wood shows a whole move that every rule allows but the one about the own king.
pub(super) fn king_left(before: &Position, wood: &Wood) -> Option<Fault> {
    let shows = |m: &&Move| wood.differs(&before.play(m).board).is_empty();
    let moves = before.moves_into_check();
    let m = moves.iter().find(shows)?;
    debug_assert!(m.rook.is_none(), "castling has reasons of its own");
    Some(Fault { reasons: vec![Topic::KingLeftInCheck], ..Fault::default() })
}
