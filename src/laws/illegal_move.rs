//! illegal-move: a move that Article 3 does not allow, completed with the clock (FIDE 7.5.1).
//!
//! Sensors show the change and the press. What they cannot show is who touched what without
//! lifting it; that does not matter here. Without the press it is no offence.

use shakmaty::Bitboard;

use super::detect::Found;
use super::reason::{color_name, reason};
use super::rules::RuleId;
use crate::game::{Explanation, Illegal, Judgement, Matter, Moment};

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
    let (Moment::Press(side), Matter::Action(explained)) = (judgement.moment, &judgement.matter) else {
        return None;
    };
    let Explanation::Illegal(illegal) = explained else { return None };
    let what = format!("{}: {}", color_name(side), reason(&judgement.before, illegal));
    let tried = Some(tried(illegal));
    Some(Found { tried, ..Found::new(RuleId::IllegalMove, Some(side), squares(illegal), what) })
}

/// The squares of an illegal action.
pub(super) fn squares(illegal: &Illegal) -> Bitboard {
    match illegal {
        Illegal::Piece { from, to, .. } | Illegal::OpponentsPiece { from, to, .. } => {
            Bitboard::from(*from) | Bitboard::from(*to)
        }
        Illegal::Castling(m) | Illegal::VictimLeft(m) | Illegal::WrongPromotion { m, .. } => m.changed(),
        Illegal::TwoMoves { squares } => {
            squares.iter().fold(Bitboard::EMPTY, |all, s| all | Bitboard::from(*s))
        }
    }
}

fn tried(illegal: &Illegal) -> String {
    match illegal {
        Illegal::Piece { from, to, .. } | Illegal::OpponentsPiece { from, to, .. } => format!("{from}{to}"),
        Illegal::Castling(m) | Illegal::VictimLeft(m) | Illegal::WrongPromotion { m, .. } => m.uci(),
        Illegal::TwoMoves { squares: [a, b, c, d] } => format!("{a}{b} {c}{d}"),
    }
}
