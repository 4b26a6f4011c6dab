//! In which order a move was carried out, where there are several.

use shakmaty::Square;

use super::Ply;
use crate::events::Sensed;
use crate::label::stream::Contact;

type Runs = [(Square, Vec<Contact>)];

/// Names the order; `None` where the kind has one only, or contacts are missing.
pub(super) fn order(
    kind: &str,
    ply: &Ply,
    lift: Option<Contact>,
    land: Option<Contact>,
    victim: Option<Contact>,
    runs: &Runs,
) -> Option<&'static str> {
    match kind {
        "capture" => capture(lift?, land?, victim),
        "en-passant" => en_passant(lift?, land?, victim?),
        "castling" => castling(ply, lift, land, runs),
        "promotion" => promotion(ply, lift?, runs),
        _ => None,
    }
}

fn capture(lift: Contact, land: Contact, victim: Option<Contact>) -> Option<&'static str> {
    let Some(victim) = victim else {
        // The square was never seen empty.
        return land.was.is_occupied().then_some("on-top");
    };
    Some(if victim.moment < lift.moment { "victim-first" } else { "own-first" })
}

fn en_passant(lift: Contact, land: Contact, victim: Contact) -> Option<&'static str> {
    Some(match () {
        () if victim.moment < lift.moment => "victim-first",
        () if victim.moment < land.moment => "victim-before-landing",
        () => "victim-after-landing",
    })
}

fn castling(
    ply: &Ply,
    king: Option<Contact>,
    king_land: Option<Contact>,
    runs: &Runs,
) -> Option<&'static str> {
    let (rook, _) = ply.m.rook?;
    let rook = runs.iter().find(|(square, _)| *square == rook).and_then(|(_, run)| run.first())?;
    let (king, land) = (king?, king_land?);
    Some(match () {
        () if rook.moment < king.moment => "rook-first",
        () if rook.moment < land.moment => "both-in-hand",
        () => "king-first",
    })
}

fn promotion(ply: &Ply, lift: Contact, runs: &Runs) -> Option<&'static str> {
    let new = ply.after.board.piece_at(ply.m.to).map(Sensed::Piece)?;
    let pawn = ply.before.board.piece_at(ply.m.from).map(Sensed::Piece)?;
    let (_, run) = runs.iter().find(|(square, _)| *square == ply.m.to)?;
    let placed = run.iter().rev().find(|contact| contact.now == new)?;
    let pushed = run.iter().any(|contact| contact.now == pawn);
    Some(match pushed {
        true if placed.was == pawn => "pushed-and-replaced",
        true => "pushed-then-exchanged",
        false if placed.moment < lift.moment => "new-piece-first",
        false => "pawn-off-first",
    })
}
