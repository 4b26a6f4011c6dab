//! pawn-not-promoted: a pawn on the last rank, or gone there, when the clock was pressed (FIDE
//! 7.5.2). A queen is put there; the move is not taken back.

use shakmaty::Bitboard;

use super::detect::Found;
use super::finding::Severity;
use super::reason::{color_name, role_name};
use super::rules::RuleId;
use crate::game::{Explanation, Judgement, Matter, Moment};

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
    match (judgement.moment, &judgement.matter) {
        (Moment::Press(side), Matter::Action(Explanation::Unpromoted(m))) => {
            let stands = judgement.wood.at(m.to).is_occupied();
            let how = if stands { "was not exchanged" } else { "was taken off and nothing put in its place" };
            let what = format!(
                "{}: the pawn {}-{} {how} before the clock was pressed",
                color_name(side),
                m.from,
                m.to
            );
            let tried = Some(format!("{}{}", m.from, m.to));
            Some(Found { tried, ..Found::new(RuleId::PawnNotPromoted, Some(side), m.changed(), what) })
        }
        (_, Matter::AnotherPiece { m, seen, exchanged: true }) => {
            let what = format!(
                "a {} was put in the place of the pawn on {}; the record has a queen there",
                role_name(seen.role),
                m.to
            );
            let found = Found::new(RuleId::PawnNotPromoted, judgement.side, Bitboard::from(m.to), what);
            Some(Found { severity: Severity::Log, ..found })
        }
        _ => None,
    }
}
