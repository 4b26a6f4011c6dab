//! game-ended: mate or stalemate on the board (FIDE 5.1.1, 5.2.1), or the pieces set up anew.
//!
//! Players who set the pieces up again have agreed on something; sensors do not know on what.

use shakmaty::Bitboard;

use super::detect::Found;
use super::finding::Certainty;
use super::reason::color_name;
use super::rules::RuleId;
use crate::game::{Judgement, Matter};

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
    if matches!(judgement.matter, Matter::Reset) {
        let what = "the pieces were set up again and no result was shown; the moves are kept";
        let found = Found::new(RuleId::GameEnded, None, Bitboard::EMPTY, what.to_owned());
        return Some(Found { certainty: Certainty::Probable, ..found });
    }
    let loser = judgement.before.turn;
    let what = match judgement.matter {
        Matter::Mate => format!("{} is mated: {} wins", color_name(loser), color_name(!loser)),
        Matter::Stalemate => format!("{} is stalemated: draw", color_name(loser)),
        _ => return None,
    };
    let side = matches!(judgement.matter, Matter::Mate).then_some(!loser);
    let king = judgement.before.board.kings() & judgement.before.board.by_color(loser);
    Some(Found::new(RuleId::GameEnded, side, king, what))
}
