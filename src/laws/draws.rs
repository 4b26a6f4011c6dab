//! fivefold, seventy-five, dead-position; threefold and fifty, which a player may claim (FIDE 9.6,
//! 5.2.2, 9.2, 9.3).
//!
//! A history with a gap says nothing: what was not seen may hide a capture or a position more.
//! Mate on the last move ends the game before any of them.

use shakmaty::Bitboard;

use super::detect::Found;
use super::reason::color_name;
use super::rules::RuleId;
use super::ruleset::{AutomaticDraws, RuleSet};
use crate::game::{Explanation, History, Judgement, Matter, Move};

/// Plies in which nothing was taken and no pawn moved: claimable, and a draw of itself.
const FIFTY_MOVES: u32 = 100;
const SEVENTY_FIVE_MOVES: u32 = 150;

/// Whether what was found is a draw, or claimable, under `rules`: editions differ in which
/// repetitions and series end a game by themselves.
#[must_use]
pub fn is_a_draw_under(code: RuleId, judgement: &Judgement, rules: &RuleSet) -> bool {
    let in_a_row = judgement.past.history.is_some_and(|past| past.in_a_row);
    match (code, rules.automatic_draws) {
        (RuleId::Fivefold, AutomaticDraws::Any) => true,
        (RuleId::Fivefold, AutomaticDraws::Consecutive) => in_a_row,
        (RuleId::SeventyFive, AutomaticDraws::Any | AutomaticDraws::Consecutive) => true,
        (RuleId::Fivefold | RuleId::SeventyFive, _) => false,
        _ => true,
    }
}

pub(super) fn fivefold(judgement: &Judgement) -> Option<Found> {
    let (m, past) = legal(judgement)?;
    let first = past.times == 5 && !past.drawn_before && past.quiet < SEVENTY_FIVE_MOVES;
    first.then(|| found(RuleId::Fivefold, m, "the position stands for the fifth time".to_owned()))
}

pub(super) fn seventy_five(judgement: &Judgement) -> Option<Found> {
    let (m, past) = legal(judgement)?;
    if past.quiet != SEVENTY_FIVE_MOVES || past.drawn_before {
        return None;
    }
    let over = judgement.after.is_mate() || judgement.after.is_stalemate();
    let what = "75 moves by each player without a capture or a pawn move".to_owned();
    (!over).then(|| found(RuleId::SeventyFive, m, what))
}

pub(super) fn dead_position(judgement: &Judgement) -> Option<Found> {
    let (m, _) = legal(judgement)?;
    // Only these change which pieces there are.
    let changed = m.capture.is_some() || m.promotion.is_some();
    if !changed || judgement.before.is_dead_by_material() || !judgement.after.is_dead_by_material() {
        return None;
    }
    let what = "neither side has the pieces to mate by any series of moves".to_owned();
    Some(found(RuleId::DeadPosition, m, what))
}

/// A dead position that the pieces alone do not show: both answers to the mating question were no.
#[must_use]
pub fn dead_by_proof(m: &Move) -> Found {
    found(RuleId::DeadPosition, m, "neither side can mate by any series of legal moves".to_owned())
}

pub(super) fn threefold(judgement: &Judgement) -> Option<Found> {
    let (m, past) = legal(judgement)?;
    let word = match past.times {
        3 => "third",
        4 => "fourth",
        _ => return None,
    };
    let what = format!("the position stands for the {word} time: {}", claim(judgement));
    Some(claimable(RuleId::Threefold, judgement, m, what))
}

pub(super) fn fifty(judgement: &Judgement) -> Option<Found> {
    let (m, past) = legal(judgement)?;
    if past.quiet != FIFTY_MOVES || judgement.after.is_mate() {
        return None;
    }
    let what = format!("50 moves by each player without a capture or a pawn move: {}", claim(judgement));
    Some(claimable(RuleId::Fifty, judgement, m, what))
}

/// The move, and the past of the position it made.
fn legal(judgement: &Judgement) -> Option<(&Move, History)> {
    match &judgement.matter {
        Matter::Action(Explanation::Legal { m, .. }) => Some((m, judgement.past.history?)),
        _ => None,
    }
}

fn claim(judgement: &Judgement) -> String {
    format!("{} may claim a draw", color_name(judgement.after.turn))
}

fn found(code: RuleId, m: &Move, what: String) -> Found {
    Found::new(code, None, Bitboard::from(m.to), what)
}

fn claimable(code: RuleId, judgement: &Judgement, m: &Move, what: String) -> Found {
    Found { side: Some(judgement.after.turn), ..found(code, m, what) }
}
