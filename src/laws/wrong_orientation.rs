//! wrong-orientation: the board is turned by a quarter (FIDE 2.1, 7.2.2). A half turn is only a
//! change of frame and no fault.

use shakmaty::Bitboard;

use super::detect::Found;
use super::rules::RuleId;
use crate::game::{Judgement, Matter};

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
    matches!(judgement.matter, Matter::Sideways).then(|| {
        let what = "the board is turned by a quarter: the corner at White's right hand is dark".to_owned();
        Found::new(RuleId::WrongOrientation, None, Bitboard::EMPTY, what)
    })
}
