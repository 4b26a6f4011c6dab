//! wrong-setup: the pieces are not the initial array (or the declared one) when the clock starts
//! (FIDE 7.2.1). Before that they may be put right, and what stands wrong is told for the record.

use shakmaty::{Bitboard, Square};

use super::detect::Found;
use super::finding::Severity;
use super::rules::RuleId;
use crate::events::Wood;
use crate::game::{Judgement, Matter};

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
    let Matter::WrongSetup { squares, sideways, started } = judgement.matter else { return None };
    let right = Wood::from_board(&judgement.before.board);
    let faults: Vec<String> = squares
        .into_iter()
        .map(|s| {
            let letter = |wood: &Wood| wood.at(s).letter().map_or("nothing".to_owned(), |l| l.to_string());
            format!("{s} has {} instead of {}", letter(&judgement.wood), letter(&right))
        })
        .collect();
    let royal = [Square::D1, Square::E1, Square::D8, Square::E8];
    let queens = squares == royal.into_iter().map(Bitboard::from).fold(Bitboard::EMPTY, |a, b| a | b);
    let turned = match (sideways, queens) {
        (true, true) => "the board is turned by a quarter, and the queens stand on their own colour; ",
        (true, false) => "the board is turned by a quarter; ",
        (false, _) => "",
    };
    let what = format!("{turned}wrong set-up: {}", faults.join(", "));
    if started {
        return Some(Found::new(RuleId::WrongSetup, None, squares, what));
    }
    let what = format!("{what} (the clock has not been started)");
    Some(Found { severity: Severity::Log, ..Found::new(RuleId::WrongSetup, None, squares, what) })
}
