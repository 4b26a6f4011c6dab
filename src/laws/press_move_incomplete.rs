//! press-move-incomplete: the clock was pressed while the moved piece was in the air (FIDE 6.2.1).
//!
//! A missing reading of the landing looks the same until a dump shows the square, so it is never
//! certain.

use super::detect::Found;
use super::reason::color_name;
use super::rules::RuleId;
use crate::game::{Explanation, Judgement, Matter, Moment};

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
    match (judgement.moment, &judgement.matter) {
        (Moment::Press(side), Matter::Action(Explanation::InAir { lifted })) => {
            let from: Vec<String> = lifted.into_iter().map(|s| s.to_string()).collect();
            let what = format!(
                "{} pressed the clock while the piece from {} was in the air",
                color_name(side),
                from.join(" and ")
            );
            Some(Found::new(RuleId::PressMoveIncomplete, Some(side), *lifted, what))
        }
        _ => None,
    }
}
