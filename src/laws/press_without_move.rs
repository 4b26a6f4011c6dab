//! press-without-move: the clock was pressed and nothing had been moved (FIDE 7.5.3).
//!
//! A late press for a move that was already answered (6.2.2) is none, and neither is a lever that
//! goes back after somebody else's fault; the game stage tells them apart.

use shakmaty::Bitboard;

use super::detect::Found;
use super::reason::color_name;
use super::rules::RuleId;
use crate::game::{Explanation, Judgement, Matter, Moment};

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
    match (judgement.moment, &judgement.matter) {
        (Moment::Press(side), Matter::Action(Explanation::NoMove)) => {
            let what = format!("{} pressed the clock without having made a move", color_name(side));
            Some(Found::new(RuleId::PressWithoutMove, Some(side), Bitboard::EMPTY, what))
        }
        _ => None,
    }
}
