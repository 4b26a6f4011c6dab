//! What contacts show of single pieces: taken up and put back where they stood.

use shakmaty::{Color, Piece, Square};

use crate::events::Sensed;
use crate::game::Judgement;
use crate::tick::{Span, Tick};

/// A piece that is off the board for less was not read for a moment, or slid about on its square.
pub(super) const LIFTED: Span = Span::from_ms(250);

/// A piece that was taken up and put back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ThereAndBack {
    pub(super) piece: Piece,
    pub(super) square: Square,
    pub(super) lifted: Tick,
}

/// The pieces of `color` that were taken up and put back since the last move, in that order.
pub(super) fn put_back(judgement: &Judgement, color: Color) -> Vec<ThereAndBack> {
    let contacts = &judgement.contacts;
    let mut out = Vec::new();
    for (index, up) in contacts.iter().enumerate() {
        let Sensed::Piece(piece) = up.was else { continue };
        let stood = judgement.before.board.piece_at(up.square) == Some(piece);
        if up.now != Sensed::Empty || piece.color != color || !stood || up.in_dump {
            continue;
        }
        let next = contacts[index + 1..].iter().find(|c| c.square == up.square);
        let back = next.is_some_and(|c| c.now == up.was && !c.in_dump && c.at.since(up.at) >= LIFTED);
        if back {
            out.push(ThereAndBack { piece, square: up.square, lifted: up.at });
        }
    }
    out
}

/// When a piece was first taken up from `square`.
pub(super) fn first_lift(judgement: &Judgement, square: Square) -> Option<Tick> {
    let lift = judgement.contacts.iter().find(|c| c.square == square && c.now == Sensed::Empty)?;
    Some(lift.at)
}
