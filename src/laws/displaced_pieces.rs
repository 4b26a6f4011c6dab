//! displaced-pieces and out-of-turn: pieces outside the move stand where they do not belong (FIDE
//! 7.4), or the side not on move made a whole move.
//!
//! Sensors show where the pieces stand and in whose time; they do not show who pushed them.

use shakmaty::Bitboard;

use super::detect::Found;
use super::finding::Certainty;
use super::reason::color_name;
use super::rules::RuleId;
use crate::game::{Explanation, Judgement, Matter, Moment};

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
    let on = judgement.before.turn;
    match (judgement.moment, &judgement.matter) {
        (Moment::Press(side), Matter::Action(Explanation::Legal { m, displaced })) if displaced.any() => {
            let what = format!(
                "{} were displaced while {} played {} and pressed",
                names(*displaced),
                color_name(side),
                judgement.before.san(m)
            );
            // What fell goes back; the move stays.
            let found = Found::new(RuleId::DisplacedPieces, None, *displaced, what);
            Some(Found { tried: Some(m.uci()), ..found })
        }
        (_, Matter::Displaced { squares, out_of_turn: true }) => {
            let what = format!(
                "{} moved a piece although it is {}'s turn ({})",
                color_name(!on),
                color_name(on),
                names(*squares)
            );
            Some(Found::new(RuleId::OutOfTurn, judgement.side, *squares, what))
        }
        (_, Matter::Displaced { squares, .. }) => {
            let what = format!("{} stand wrong in {}'s time", names(*squares), color_name(on));
            Some(Found::new(RuleId::DisplacedPieces, None, *squares, what))
        }
        (_, Matter::Missing { squares }) => {
            let names: Vec<String> = squares.into_iter().map(|s| s.to_string()).collect();
            let what = format!(
                "nothing has stood on {} for some moves: knocked off the board, or a sensor fails",
                names.join(", ")
            );
            let found = Found::new(RuleId::DisplacedPieces, None, *squares, what);
            Some(Found { certainty: Certainty::Probable, ..found })
        }
        _ => None,
    }
}

fn names(squares: Bitboard) -> String {
    let names: Vec<String> = squares.into_iter().map(|s| s.to_string()).collect();
    format!("squares {}", names.join(", "))
}
