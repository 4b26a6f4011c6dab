//! wrong-setup: the pieces are not the initial array (or the declared one) when the clock starts
//! (FIDE 7.2.1).

use super::detect::Found;
use super::rules::RuleId;
use crate::events::Wood;
use crate::game::{Judgement, Matter};

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
    let Matter::WrongSetup { squares } = judgement.matter else { return None };
    let right = Wood::from_board(&judgement.before.board);
    let faults: Vec<String> = squares
        .into_iter()
        .map(|s| {
            let letter = |wood: &Wood| wood.at(s).letter().map_or("nothing".to_owned(), |l| l.to_string());
            format!("{s} has {} instead of {}", letter(&judgement.wood), letter(&right))
        })
        .collect();
    let what = format!("wrong set-up: {}", faults.join(", "));
    Some(Found::new(RuleId::WrongSetup, None, squares, what))
}
