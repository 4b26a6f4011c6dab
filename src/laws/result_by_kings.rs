//! result-by-kings: both kings on centre squares signal the result. Never read as moves.

use shakmaty::{Bitboard, Square};

use super::detect::Found;
use super::reason::color_name;
use super::rules::RuleId;
use crate::game::{Judgement, Matter};

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
    let Matter::Kings { winner } = judgement.matter else { return None };
    let what = winner.map_or("the kings signal a draw".to_owned(), |w| {
        format!("the kings signal that {} won", color_name(w))
    });
    let centre = [Square::D4, Square::E4, Square::D5, Square::E5];
    let kings = judgement.wood.known().kings();
    let squares = centre.into_iter().map(Bitboard::from).fold(Bitboard::EMPTY, |a, b| a | b) & kings;
    Some(Found::new(RuleId::ResultByKings, None, squares, what))
}
