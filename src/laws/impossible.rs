//! What of a placement no game can reach, as far as counting shows (FIDE 3.10.3).
//!
//! A position from which nobody can tell by counting may be unreachable all the same; then only
//! the moves that led there tell.

use shakmaty::{Bitboard, Board, Color, Piece, Rank, Role};

use super::reason::color_name;

/// The pawns that stand on the rank furthest from where they began.
#[must_use]
pub fn pawns_left(board: &Board) -> Bitboard {
    let of = |color: Color| {
        let pawns = board.by_piece(Piece { color, role: Role::Pawn });
        pawns & Bitboard::from(color.relative_rank(Rank::Eighth))
    };
    of(Color::White) | of(Color::Black)
}

/// The squares to look at, and what cannot be; `None` if counting finds nothing.
pub(super) fn impossible(board: &Board) -> Option<(Bitboard, String)> {
    Color::ALL.into_iter().find_map(|color| {
        let of = |role| board.by_piece(Piece { color, role });
        let who = color_name(color);
        let (kings, pawns, men) = (of(Role::King), of(Role::Pawn), board.by_color(color));
        let behind = pawns & Bitboard::from(color.backrank());
        let promoted = promoted(board, color);
        if kings.is_empty() {
            Some((Bitboard::EMPTY, format!("{who} has no king")))
        } else if kings.count() > 1 {
            Some((kings, format!("{who} has {} kings", kings.count())))
        } else if pawns.count() > 8 {
            Some((pawns, format!("{who} has {} pawns", pawns.count())))
        } else if behind.any() {
            Some((behind, format!("a pawn of {who} stands behind where pawns begin")))
        } else if men.count() > 16 {
            Some((men, format!("{who} has {} pieces", men.count())))
        } else if promoted + pawns.count() > 8 {
            let more = promoted + pawns.count() - 8;
            let what = format!("{who} has {more} more of the pieces than pawns are gone");
            Some((men & !pawns & !kings, what))
        } else {
            None
        }
    })
}

/// Whether a game can reach this placement, as far as counting shows.
#[must_use]
pub fn is_possible(board: &Board) -> bool {
    impossible(board).is_none() && pawns_left(board).is_empty()
}

/// How many pieces of `color` must be promoted pawns.
fn promoted(board: &Board, color: Color) -> usize {
    let of = |role| board.by_piece(Piece { color, role });
    let bishops = of(Role::Bishop);
    [
        (of(Role::Queen), 1),
        (of(Role::Rook), 2),
        (of(Role::Knight), 2),
        (bishops & Bitboard::LIGHT_SQUARES, 1),
        (bishops & Bitboard::DARK_SQUARES, 1),
    ]
    .into_iter()
    .map(|(pieces, had)| pieces.count().saturating_sub(had))
    .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(placement: &str) -> Option<String> {
        let board: Board = placement.parse().unwrap_or_else(|_| Board::empty());
        impossible(&board).map(|(_, what)| what)
    }

    #[test]
    fn what_games_can_reach_is_possible() {
        for placement in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "4k3/8/8/8/8/8/8/QQQQKQQQ",
            "4k3/8/8/8/8/8/8/4K3",
            "4k2r/8/2b5/3b4/8/8/PPPPPPPP/RNBQKBNR",
        ] {
            assert_eq!(why(placement), None, "{placement}");
        }
    }

    #[test]
    fn what_cannot_be_is_said() {
        for (placement, what) in [
            ("4k3/8/8/8/8/8/8/8", "White has no king"),
            ("4k1k1/8/8/8/8/8/8/4K3", "Black has 2 kings"),
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPPPPPP/RNBQKB1R", "White has 9 pawns"),
            ("4k3/8/8/8/8/8/8/P3K3", "a pawn of White stands behind where pawns begin"),
            ("4k3/8/8/8/8/Q7/PPPPPPPP/3QK3", "White has 1 more of the pieces than pawns are gone"),
            ("4k3/8/8/8/2B1B3/8/PPPPPPPP/4K3", "White has 1 more of the pieces than pawns are gone"),
        ] {
            assert_eq!(why(placement).as_deref(), Some(what), "{placement}");
        }
    }
}
