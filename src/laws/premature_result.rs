//! premature-result: a result is shown although the last move was illegal.
//!
//! An illegal move that mates ends nothing (5.1.1 asks for a legal one), and neither do kings put
//! into the centre after it. The players may know and mean it all the same: never certain.

use super::detect::Found;
use super::rules::RuleId;
use crate::game::{Explanation, Judgement, Matter, Moment};

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
    let what = match (&judgement.matter, judgement.moment) {
        (Matter::Kings { .. }, _) if judgement.past.illegal => {
            "the kings signal a result although the last move was illegal"
        }
        (Matter::Action(Explanation::Illegal(_)), Moment::Press(_)) if judgement.after.is_mate() => {
            "the board shows mate, but the move was illegal: the game is not over"
        }
        _ => return None,
    };
    let kings = judgement.wood.known().kings();
    Some(Found::new(RuleId::PrematureResult, None, kings, what.to_owned()))
}
