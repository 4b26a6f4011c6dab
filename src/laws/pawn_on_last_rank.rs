//! pawn-on-last-rank: a pawn stands on the last rank, and play has gone on from there (FIDE 7.5.2;
//! in A.5 and B.3 the arbiter who finds it waits until the next move is completed, A.5.4).
//!
//! The press that left it there is pawn-not-promoted. This is the condition that remains: told
//! when the other side has completed a move beside it, or when a declared position holds it. That
//! it is a pawn is what the board says twice, before the move and after it.

use shakmaty::Square;

use super::detect::Found;
use super::impossible::pawns_left;
use super::rules::RuleId;
use crate::game::{Explanation, Judgement, Matter, Moment};

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
    let (Moment::Press(_), Matter::Action(Explanation::Legal { m, .. })) =
        (judgement.moment, &judgement.matter)
    else {
        return None;
    };
    // What this move brought there is a matter of its own.
    let stand = pawns_left(&judgement.after.board) & pawns_left(judgement.wood.known()) & !m.changed();
    if stand.is_empty() {
        return None;
    }
    let names: Vec<String> = stand.into_iter().map(|square: Square| square.to_string()).collect();
    let what = format!("a pawn stands on the last rank ({}), and play has gone on", names.join(", "));
    Some(Found::new(RuleId::PawnOnLastRank, None, stand, what))
}
