//! The duty of the move that replaces one taken back, from a finding's contacts, and in words.
//!
//! Sensors prove lifts, not touches; the arbiter may know better.

use std::collections::BTreeSet;

use shakmaty::{Piece, Square};

use super::Replacement;
use crate::game::Position;
use crate::laws::case::{Duty, Touch, duty};
use crate::laws::finding::{Finding, Step};
use crate::laws::reason::role_name;
use crate::laws::rules::RuleId;
use crate::laws::ruleset::{Rules, Topic};

/// The duty after `finding`, if it is about the side on move in the last correct position.
pub(super) fn bound(finding: &Finding, rules: &Rules) -> Option<(Position, Duty)> {
    let before = Position::from_fen(&finding.facts.last_correct_fen)?;
    before.to_chess()?;
    if finding.side.is_some_and(|side| side != before.turn) {
        return None;
    }
    // The board has not taken it, or nothing was moved: he is as free as before.
    if !rules.takes_illegal_moves {
        let duty = Duty::free(&before, Topic::DutyVoid);
        return Some((before, duty));
    }
    if finding.code == RuleId::PressWithoutMove {
        let duty = Duty::free(&before, Topic::PressWithoutMove);
        return Some((before, duty));
    }
    // The move is known, and must be the same again.
    if matches!(finding.code, RuleId::TwoHands | RuleId::CastlingIncomplete) {
        let tried = finding.facts.tried.as_deref();
        let moves = before.legal_moves();
        let same = moves.iter().find(|m| Some(m.uci().as_str()) == tried);
        if let Some(m) = same {
            let duty = Duty::same_move(&before, m);
            return Some((before, duty));
        }
    }
    let bound = duty(&before, &touches(&finding.facts.action, &before), &BTreeSet::new());
    Some((before, bound))
}

/// The physical steps as touches. What a board cannot name is what the position has there.
pub(in crate::laws) fn touches(action: &[Step], before: &Position) -> Vec<Touch> {
    let mut out: Vec<Touch> = Vec::new();
    for step in action {
        let at_ms = Some(step.at.ms());
        let lifted = step.before.filter(|_| step.before != step.piece);
        if let Some(letter) = lifted
            && let Some(piece) = Piece::from_char(letter).or_else(|| before.board.piece_at(step.square))
        {
            out.push(Touch {
                square: step.square,
                piece,
                lifted: true,
                at_ms,
                inverted: false,
                announced: None,
            });
        }
        let placed = step.piece.filter(|_| step.before != step.piece);
        let in_hand = || out.iter().rfind(|touch| touch.lifted).map(|touch| touch.piece);
        if let Some(letter) = placed
            && let Some(piece) = Piece::from_char(letter).or_else(in_hand)
        {
            out.push(Touch {
                square: step.square,
                piece,
                lifted: false,
                at_ms,
                inverted: false,
                announced: None,
            });
        }
    }
    out
}

/// The duty as an arbiter reads it.
pub(super) fn in_words(finding: &Finding, before: &Position, duty: &Duty, rules: &Rules) -> Replacement {
    let free = duty.legal.len() == before.legal_moves().len();
    let rule = rules.articles(duty.rule).last().map(|article| (*article).to_owned());
    Replacement { by: duty.by, text: text(finding, before, duty), rule, free, legal: duty.legal.clone() }
}

fn text(finding: &Finding, before: &Position, duty: &Duty) -> String {
    let at = |square: &Square| match before.board.piece_at(*square) {
        Some(piece) => format!("{} {square}", role_name(piece.role)),
        None => square.to_string(),
    };
    let moved = duty.must_move.first().map(at);
    let taken = duty.must_capture.first().map(at);
    match (duty.rule, moved, taken) {
        _ if finding.code == RuleId::PressWithoutMove => "any legal move".to_owned(),
        (Topic::DutyReleased, ..) if finding.code == RuleId::TwoHands => {
            "the same move, with one hand".to_owned()
        }
        (Topic::DutyReleased, ..) if finding.code == RuleId::CastlingIncomplete => {
            "castling on that side".to_owned()
        }
        (Topic::DutyReleased | Topic::DutyPromotion, Some(piece), _) => {
            let to = duty.legal.first().and_then(|uci| uci.get(2..4)).unwrap_or_default();
            format!("the {piece} released on {to} stays there")
        }
        (Topic::DutyCastling, ..) => "castling on that side".to_owned(),
        (Topic::DutyKingFirst, Some(king), _) => format!("the {king} must move; the rook need not"),
        (Topic::DutyKingFirst, None, _) => "any legal move; the king cannot move".to_owned(),
        (Topic::DutyRookFirst, Some(piece), _) if piece.starts_with("rook") => {
            format!("the {piece} was touched first and must move")
        }
        (Topic::DutyRookFirst, ..) => "the king must move; no castling with that rook".to_owned(),
        (_, Some(mine), Some(theirs)) => format!("{mine} must capture {theirs}"),
        (_, Some(piece), None) => format!("the touched {piece} must move"),
        (_, None, Some(piece)) => format!("the touched {piece} must be captured"),
        _ if duty.legal.len() < before.legal_moves().len() => {
            "any legal move but castling with that rook".to_owned()
        }
        _ if finding.facts.action.is_empty() => "any legal move".to_owned(),
        _ => "any legal move; no touched piece can move or be captured".to_owned(),
    }
}
