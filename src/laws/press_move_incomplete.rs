//! press-move-incomplete: the clock was pressed while the moved piece was in the air (FIDE 6.2.1).
//!
//! A missing reading of the landing looks the same until a dump shows the square, so it is never
//! certain. A piece that is taken up only after the press and lands within a second is told for the
//! record: a board that reports late shows the same, and nobody can step in any more.

use shakmaty::Bitboard;

use super::detect::Found;
use super::finding::Severity;
use super::reason::{color_name, role_name};
use super::rules::RuleId;
use crate::game::{Explanation, Judgement, Matter, Moment};

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
    match (judgement.moment, &judgement.matter) {
        (Moment::Press(side), Matter::Action(Explanation::InAir { lifted })) => {
            let from: Vec<String> = lifted.into_iter().map(|s| s.to_string()).collect();
            let what = format!(
                "{} pressed the clock while the piece from {} was in the air",
                color_name(side),
                from.join(" and ")
            );
            Some(Found::new(RuleId::PressMoveIncomplete, Some(side), *lifted, what))
        }
        (Moment::Press(side), Matter::BegunLate { m, lifted, landed }) => {
            let piece = judgement.before.board.role_at(*lifted).map_or("piece", role_name);
            let what = format!(
                "{} pressed the clock before the {piece} on {lifted} was taken up; {} was completed {} ms \
                 after the press",
                color_name(side),
                judgement.before.san(m),
                landed.ms()
            );
            let squares = Bitboard::from(*lifted);
            let found = Found::new(RuleId::PressMoveIncomplete, Some(side), squares, what);
            Some(Found { severity: Severity::Log, ..found })
        }
        _ => None,
    }
}
