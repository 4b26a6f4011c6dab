//! Why a move is not legal, in the words of a chess player.

use shakmaty::{Bitboard, Board, Color, Piece, Role, Square, attacks};

use crate::game::{CastlingFault, Illegal, Move, Position};

/// The name of a piece kind.
#[must_use]
pub fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// `White` or `Black`.
#[must_use]
pub fn color_name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

/// A piece on a square as arbiters write it: `Rf8`, `pawn e4`.
fn at(board: &Board, square: Square) -> String {
    match board.piece_at(square) {
        Some(Piece { role: Role::Pawn, .. }) => format!("pawn {square}"),
        Some(Piece { role, .. }) => format!("{}{square}", role.upper_char()),
        None => square.to_string(),
    }
}

/// What was done and why it is not legal.
#[must_use]
pub fn reason(position: &Position, illegal: &Illegal) -> String {
    match illegal {
        Illegal::Piece { piece, from, to, taken } => moved(position, *piece, *from, *to, *taken),
        Illegal::Castling(m) => castling(position, m),
        Illegal::VictimLeft(m) => {
            let victim = m.capture.map_or(String::new(), |s| s.to_string());
            format!("en passant {}x{}, but the captured pawn was left on {victim}", m.from, m.to)
        }
        Illegal::OpponentsPiece { piece, from, to } => format!(
            "{}'s {} {from}-{to} was moved by the opponent",
            color_name(piece.color),
            role_name(piece.role)
        ),
        Illegal::WrongPromotion { m, put } => format!(
            "pawn {}-{} was exchanged for a {} {}, which it cannot become",
            m.from,
            m.to,
            color_name(put.color).to_lowercase(),
            role_name(put.role)
        ),
        Illegal::TwoMoves { squares: [a, b, c, d] } => format!("two moves in one: {a}-{b} and {c}-{d}"),
    }
}

fn moved(position: &Position, piece: Piece, from: Square, to: Square, taken: Option<Piece>) -> String {
    let name = role_name(piece.role);
    let sign = if taken.is_some() { 'x' } else { '-' };
    let head = format!("{name} {from}{sign}{to}");
    if let Some(taken) = taken {
        if taken.color == piece.color {
            return format!("{head} captures the player's own {}", role_name(taken.role));
        }
        if taken.role == Role::King {
            return format!("{head} captures the king");
        }
    }
    if piece.role == Role::Pawn {
        if let Some(why) = pawn(position, piece.color, from, to, taken) {
            return format!("{head}: {why}");
        }
    } else {
        let reach = attacks::attacks(from, piece, Bitboard::EMPTY);
        if !reach.contains(to) {
            return format!("{head}: a {name} does not move so");
        }
        let between = attacks::between(from, to) & position.board.occupied();
        if let Some(blocker) = between.into_iter().next() {
            return format!("{head} jumps over {}", at(&position.board, blocker));
        }
    }
    let mut after = position.clone();
    after.board.discard_piece_at(from);
    after.board.set_piece_at(to, piece);
    let king = after.board.king_of(piece.color);
    let by = king.map_or(Bitboard::EMPTY, |k| after.attackers(k, !piece.color));
    match (king, by.into_iter().next()) {
        (Some(king), Some(by)) if piece.role == Role::King => {
            format!("{head}: the king moves into check from {} on {king}", at(&after.board, by))
        }
        (Some(king), Some(by)) => {
            let verb = if position.in_check(piece.color) { "is left" } else { "is exposed" };
            format!("{head}: the king on {king} {verb} in check from {}", at(&after.board, by))
        }
        _ => format!("{head} is not a legal move"),
    }
}

fn pawn(position: &Position, color: Color, from: Square, to: Square, taken: Option<Piece>) -> Option<String> {
    let up = if color.is_white() { 1 } else { -1 };
    let step = i32::from(to.rank()) - i32::from(from.rank());
    let aside = i32::from(from.file()).abs_diff(i32::from(to.file()));
    if step * up < 0 || (step == 0 && aside > 0) {
        return Some("a pawn does not move backwards or sideways".to_owned());
    }
    if aside == 1 && step * up == 1 {
        if taken.is_none() {
            let beside = Square::from_coords(to.file(), from.rank());
            let pawn = position.board.piece_at(beside) == Some(Piece { color: !color, role: Role::Pawn });
            return Some(if pawn {
                format!("en passant is not allowed: the pawn {beside} has not just advanced two squares")
            } else {
                format!("there is nothing to capture on {to}")
            });
        }
        return None;
    }
    if aside == 0 && taken.is_some() {
        return Some("a pawn does not capture straight ahead".to_owned());
    }
    if aside == 0 && step * up == 2 {
        let passed = attacks::between(from, to) & position.board.occupied();
        if let Some(blocker) = passed.into_iter().next() {
            return Some(format!("it jumps over {}", at(&position.board, blocker)));
        }
        if from.rank() != color.relative_rank(shakmaty::Rank::Second) {
            return Some("only a pawn that has not moved may advance two squares".to_owned());
        }
        return None;
    }
    (aside != 0 || step * up != 1).then(|| "a pawn does not move so".to_owned())
}

fn castling(position: &Position, m: &Move) -> String {
    let side = m.rook.map_or("", |(rook, _)| if rook.file() > m.from.file() { "O-O" } else { "O-O-O" });
    let head = format!("castling {side} {}-{}", m.from, m.to);
    let rook = m.rook.map_or(String::new(), |(rook, _)| rook.to_string());
    match position.castling_fault(m) {
        Some(CastlingFault::RightLost) => format!("{head}: the king or the rook {rook} has moved before"),
        Some(CastlingFault::Blocked(by)) => format!("{head}: {} stands between", at(&position.board, by)),
        Some(CastlingFault::OutOfCheck(by)) => {
            format!("{head}: out of check from {}", at(&position.board, by))
        }
        Some(CastlingFault::Through(square, by)) if square == m.to => {
            format!("{head}: into check from {} on {square}", at(&position.board, by))
        }
        Some(CastlingFault::Through(square, by)) => {
            format!("{head}: through {square}, which is attacked by {}", at(&position.board, by))
        }
        None => format!("{head} was not completed with the rook"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(fen: &str, from: Square, to: Square) -> String {
        let position = Position::from_fen(fen).unwrap();
        let piece = position.board.piece_at(from).unwrap();
        let taken = position.board.piece_at(to);
        reason(&position, &Illegal::Piece { piece, from, to, taken })
    }

    #[test]
    fn the_reason_names_the_piece_that_gives_check() {
        let fen = "4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1";
        assert_eq!(
            why(fen, Square::E2, Square::D3),
            "bishop e2-d3: the king on e1 is exposed in check from Re8"
        );
        let fen = "4r2k/8/8/8/8/8/8/3K4 w - - 0 1";
        assert_eq!(why(fen, Square::D1, Square::E1), "king d1-e1: the king moves into check from Re8 on e1");
    }

    #[test]
    fn geometry_comes_first() {
        let fen = "7k/8/8/8/8/2p5/1P6/R3K3 w - - 0 1";
        assert_eq!(why(fen, Square::A1, Square::B3), "rook a1-b3: a rook does not move so");
        assert_eq!(why(fen, Square::B2, Square::A3), "pawn b2-a3: there is nothing to capture on a3");
        assert_eq!(
            why(fen, Square::B2, Square::C2),
            "pawn b2-c2: a pawn does not move backwards or sideways"
        );
    }

    #[test]
    fn castling_through_check_names_square_and_attacker() {
        let position = Position::from_fen("5r1k/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        let m = position.castling(Square::E1, Square::H1);
        assert_eq!(
            reason(&position, &Illegal::Castling(m)),
            "castling O-O e1-g1: through f1, which is attacked by Rf8"
        );
    }
}
