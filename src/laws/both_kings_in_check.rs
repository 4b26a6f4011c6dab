//! both-kings-in-check: an illegal position that stands; in A.5 and B.3 the arbiter who finds it
//! waits until the next move is completed (FIDE A.5.4).

use shakmaty::Color;

use super::detect::Found;
use super::rules::RuleId;
use crate::game::{Explanation, Judgement, Matter, Moment, Position};

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
    let (Moment::Press(_), Matter::Action(explained)) = (judgement.moment, &judgement.matter) else {
        return None;
    };
    if !matches!(explained, Explanation::Illegal(_) | Explanation::Legal { .. }) {
        return None;
    }
    // Not the wood: the opponent's hand may be carrying a piece past a king just now.
    let now = &judgement.after;
    // It was so before: nothing new to tell.
    if !both_kings_in_check(now) || both_kings_in_check(&judgement.before) {
        return None;
    }
    let kings = now.board.kings();
    Some(Found::new(RuleId::BothKingsInCheck, None, kings, "both kings are in check".to_owned()))
}

/// Whether both kings are in check.
#[must_use]
pub fn both_kings_in_check(position: &Position) -> bool {
    Color::ALL.iter().all(|side| position.in_check(*side))
}
