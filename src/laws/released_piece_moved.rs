//! released-piece-moved: the piece rested on a square where it could have been moved, and went on
//! to another (FIDE 4.7); or another piece was put on the promotion square first (4.4.4).
//!
//! Whether the hand had let go is not seen: possible, and for the record only.

use shakmaty::{Bitboard, Color, Piece, Role};

use super::detect::Found;
use super::reason::{color_name, role_name};
use super::rules::RuleId;
use crate::events::Sensed;
use crate::game::{Explanation, Judgement, Matter, Moment, Move};
use crate::tick::Span;

/// A piece that slides or hovers does not stay so long.
const RESTED: Span = Span::from_ms(500);

/// Another piece has stood on the promotion square before: the choice was made with it (4.4.4).
fn chosen_anew(judgement: &Judgement, side: Color, m: &Move) -> Option<Found> {
    let promoted = m.promotion?;
    let contacts = &judgement.contacts;
    let (first, rested) = contacts.iter().enumerate().find_map(|(index, down)| {
        let Sensed::Piece(Piece { color, role }) = down.now else { return None };
        let other = color == side && ![promoted, Role::Pawn, Role::King].contains(&role);
        if down.square != m.to || !other || down.in_dump {
            return None;
        }
        let next = contacts[index + 1..].iter().find(|c| c.square == down.square && !c.in_dump)?;
        let rested = next.at.since(down.at);
        (rested >= RESTED).then_some((role, rested))
    })?;
    let what = format!(
        "a {} stood on the promotion square {} for {} ms before {} exchanged it for a {}",
        role_name(first),
        m.to,
        rested.ms(),
        color_name(side),
        role_name(promoted)
    );
    let squares = Bitboard::from(m.to);
    Some(Found { tried: Some(m.uci()), ..Found::new(RuleId::ReleasedPieceMoved, Some(side), squares, what) })
}

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
    let (Moment::Press(side), Matter::Action(Explanation::Legal { m, .. })) =
        (judgement.moment, &judgement.matter)
    else {
        return None;
    };
    let piece = Piece { color: side, role: m.role };
    let contacts = &judgement.contacts;
    let mut rests = contacts.iter().enumerate().filter_map(|(index, down)| {
        let elsewhere = down.square != m.from && down.square != m.to;
        if !elsewhere || down.now != Sensed::Piece(piece) || down.in_dump {
            return None;
        }
        let next = contacts[index + 1..].iter().find(|c| c.square == down.square)?;
        let rested = next.at.since(down.at);
        (rested >= RESTED && !next.in_dump).then_some((down.square, rested))
    });
    if let Some(found) = chosen_anew(judgement, side, m) {
        return Some(found);
    }
    let (square, rested) = rests.find(|(square, _)| {
        let moves = judgement.before.legal_moves();
        moves.iter().any(|other| other.from == m.from && other.to == *square && other.rook.is_none())
    })?;
    let what = format!(
        "{}'s {} rested on {square} for {} ms before {} was played",
        color_name(side),
        role_name(m.role),
        rested.ms(),
        judgement.before.san(m)
    );
    let squares = Bitboard::from(square) | m.changed();
    Some(Found { tried: Some(m.uci()), ..Found::new(RuleId::ReleasedPieceMoved, Some(side), squares, what) })
}
