//! castling-incomplete: the king went two squares, the rook still stands in its corner, and the
//! clock was pressed, although castling was legal (FIDE 3.8.2, 4.7.2).
//!
//! No text settles whether that is an illegal move or a move not finished, so nothing is proposed
//! but what both readings have in common: the king was released there, only that castling is left.
//! The squares are certain; what the player meant is the arbiter's matter.

use super::detect::Found;
use super::reason::color_name;
use super::rules::RuleId;
use crate::game::{Explanation, Judgement, Matter, Moment};

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
    let (Moment::Press(side), Matter::Action(Explanation::CastlingIncomplete(m))) =
        (judgement.moment, &judgement.matter)
    else {
        return None;
    };
    let (rook, _) = m.rook?;
    let what = format!(
        "{}: castling {}-{}: the rook still stands on {rook}, and the clock was pressed",
        color_name(side),
        m.from,
        m.to
    );
    let tried = Some(m.uci());
    Some(Found { tried, ..Found::new(RuleId::CastlingIncomplete, Some(side), m.changed(), what) })
}
