//! position-unexplained: the board cannot follow from the last certain position. Names nobody.

use super::detect::Found;
use super::rules::RuleId;
use crate::game::{Explanation, Judgement, Matter};

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
    let Matter::Action(Explanation::Unexplained { squares }) = judgement.matter else { return None };
    let names: Vec<String> = squares.into_iter().map(|s| s.to_string()).collect();
    let what =
        format!("the board does not follow from the last certain position: {} differ", names.join(", "));
    Some(Found::new(RuleId::PositionUnexplained, None, squares, what))
}
