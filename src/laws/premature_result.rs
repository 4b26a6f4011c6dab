//! premature-result: a result is shown although the last move was illegal.
//!
//! An illegal move that mates ends nothing (5.1.1 asks for a legal one), and neither do kings put
//! into the centre after it. The players may know and mean it all the same: never certain.
//!
//! Nor can a player win by resignation who cannot mate by any series of legal moves (5.1.2): then
//! the side whose win is shown is named.

use shakmaty::{Bitboard, Color};

use super::detect::Found;
use super::reason::color_name;
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

/// The kings show that `winner` has won, and the answer to the mating question was no.
#[must_use]
pub fn cannot_win_by_resignation(winner: Color, kings: Bitboard) -> Found {
    let name = color_name(winner);
    let what =
        format!("the kings signal that {name} won, but {name} cannot mate by any series of legal moves");
    Found::new(RuleId::PrematureResult, Some(winner), kings, what)
}
