//! illegal-position: no game can reach what stands there, and play has gone on from it (FIDE
//! 3.10.3, 7.6).
//!
//! The press that made it so has its own finding; this is the condition that remains: in the
//! record before a completed move and after it, and on the board at the press. One misread square
//! or a piece in the air does not make it. A king left in check is told by illegal-move; once the
//! other side has replied it is an ordinary check, and both kings by both-kings-in-check. Nothing
//! is claimed on a board that cannot tell pieces apart.

use super::detect::Found;
use super::impossible::impossible;
use super::rules::RuleId;
use crate::game::{Explanation, Judgement, Matter, Moment};

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
    let (Moment::Press(_), Matter::Action(Explanation::Legal { .. })) = (judgement.moment, &judgement.matter)
    else {
        return None;
    };
    if judgement.wood.unknown().any() {
        return None;
    }
    let (squares, what) = impossible(&judgement.after.board)?;
    let same = |board| impossible(board).is_some_and(|(_, other)| other == what);
    if !same(&judgement.before.board) || !same(judgement.wood.known()) {
        return None;
    }
    let what = format!("the position cannot be, and play has gone on: {what}");
    Some(Found::new(RuleId::IllegalPosition, None, squares, what))
}
