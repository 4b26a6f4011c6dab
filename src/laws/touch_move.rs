//! touch-move: a piece was taken up and put back, and then another one was moved (FIDE 4.3).
//!
//! Sensors hear neither "j'adoube" nor the opponent's consent, and do not see whose hand it was:
//! never more than possible, and for the record only.

use shakmaty::Bitboard;

use super::contacts::{first_lift, put_back};
use super::detect::Found;
use super::reason::{color_name, role_name};
use super::rules::RuleId;
use crate::game::{Explanation, Judgement, Matter, Moment};

/// More pieces taken up and put back than this were knocked over, or set straight one by one.
const PIECES_MAX: usize = 2;

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
    let (Moment::Press(side), Matter::Action(Explanation::Legal { m, .. })) =
        (judgement.moment, &judgement.matter)
    else {
        return None;
    };
    let touched = put_back(judgement, side);
    if touched.is_empty() || touched.len() > PIECES_MAX {
        return None;
    }
    let moved = first_lift(judgement, m.from)?;
    let castled = m.rook.map(|(rook, _)| rook);
    let moves = judgement.before.legal_moves();
    // The first touched piece that can move is the one that counts.
    let first = touched.iter().find(|t| {
        t.lifted < moved
            && t.square != m.from
            && Some(t.square) != castled
            && moves.iter().any(|other| other.from == t.square)
    })?;
    let what = format!(
        "{} took up the {} on {} and put it back, then played {}",
        color_name(side),
        role_name(first.piece.role),
        first.square,
        judgement.before.san(m)
    );
    let squares = Bitboard::from(first.square) | m.changed();
    Some(Found { tried: Some(m.uci()), ..Found::new(RuleId::TouchMove, Some(side), squares, what) })
}
