//! both-kings-in-check: an illegal position that stands; in A.5 and B.3 the arbiter who finds it
//! waits until the next move is completed (FIDE A.5.4).

use shakmaty::Color;

use super::detect::Found;
use super::rules::RuleId;
use crate::game::{Explanation, Judgement, Matter, Moment};

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
    let (Moment::Press(_), Matter::Action(explained)) = (judgement.moment, &judgement.matter) else {
        return None;
    };
    if !matches!(explained, Explanation::Illegal(_) | Explanation::Legal { .. }) {
        return None;
    }
    // Not the wood: the opponent's hand may be carrying a piece past a king just now.
    let now = &judgement.after;
    let both = Color::ALL.iter().all(|c| now.in_check(*c));
    // It was so before: nothing new to tell.
    let before = Color::ALL.iter().all(|c| judgement.before.in_check(*c));
    if !both || before {
        return None;
    }
    let kings = now.board.kings();
    Some(Found::new(RuleId::BothKingsInCheck, None, kings, "both kings are in check".to_owned()))
}
