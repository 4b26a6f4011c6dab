//! game-ended: mate or stalemate on the board (FIDE 5.1.1, 5.2.1).

use super::detect::Found;
use super::reason::color_name;
use super::rules::RuleId;
use crate::game::{Judgement, Matter};

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
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
