//! adjust-out-of-turn: a piece of the player not on move was taken up and put back in the time of
//! his opponent (FIDE 4.2.1, 6.2.5).
//!
//! Whose hand it was is not seen, nor what was said: possible, and for the record only.

use shakmaty::Bitboard;

use super::contacts::put_back;
use super::detect::Found;
use super::reason::{color_name, role_name};
use super::rules::RuleId;
use crate::game::{Explanation, Judgement, Matter, Moment};

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
    let (Moment::Press(mover), Matter::Action(Explanation::Legal { m, .. })) =
        (judgement.moment, &judgement.matter)
    else {
        return None;
    };
    // Until he presses, his own time runs.
    let since = judgement.past.turn_since?;
    let pressed = judgement.pressed_at?;
    let mut adjusted = put_back(judgement, !mover);
    adjusted.retain(|t| t.lifted > since && t.lifted < pressed && m.capture != Some(t.square));
    let first = adjusted.first()?;
    let squares = adjusted.iter().fold(Bitboard::EMPTY, |all, t| all | Bitboard::from(t.square));
    let what = format!(
        "{}'s {} on {} was taken up and put back in {}'s time",
        color_name(!mover),
        role_name(first.piece.role),
        first.square,
        color_name(mover)
    );
    Some(Found::new(RuleId::AdjustOutOfTurn, Some(!mover), squares, what))
}
