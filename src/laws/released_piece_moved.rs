//! released-piece-moved: the piece rested on a square where it could have been moved, and went on
//! to another (FIDE 4.7).
//!
//! Whether the hand had let go is not seen: possible, and for the record only.

use shakmaty::{Bitboard, Piece};

use super::detect::Found;
use super::reason::{color_name, role_name};
use super::rules::RuleId;
use crate::events::Sensed;
use crate::game::{Explanation, Judgement, Matter, Moment};
use crate::tick::Span;

/// A piece that slides or hovers does not stay so long.
const RESTED: Span = Span::from_ms(500);

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
