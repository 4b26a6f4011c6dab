//! Findings that are facts for the record or for the operator: forgotten presses, lever knocks,
//! illegal moves not pressed, missed readings, plies nobody saw.

use shakmaty::Bitboard;

use super::detect::Found;
use super::finding::{Certainty, Severity};
use super::illegal_move;
use super::reason::{color_name, reason, role_name};
use super::rules::RuleId;
use crate::game::{Explanation, Judgement, Matter, Move, Position, STORIES_TOLD};

/// So many sequences that explain a gap are written out.
const LINES_SHOWN: usize = 3;

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
    let side = judgement.side;
    Some(match &judgement.matter {
        Matter::PressForgotten => {
            let who = side.map_or("a player", color_name);
            let what = format!("{who} did not press; the move was completed by what followed");
            Found::new(RuleId::PressForgotten, side, Bitboard::EMPTY, what)
        }
        Matter::LeverBack => Found {
            severity: Severity::Log,
            ..Found::new(
                RuleId::ClockLeverKnocked,
                None,
                Bitboard::EMPTY,
                "the lever went over and back without a move".to_owned(),
            )
        },
        Matter::Unpressed(illegal) => {
            let what = format!("{} (the clock was not pressed)", reason(&judgement.before, illegal));
            Found::new(RuleId::IllegalMoveUnpressed, side, illegal_move::squares(illegal), what)
        }
        Matter::Action(Explanation::Misread { m, squares }) => {
            let what = format!("{} was played, but a square shows what cannot be", judgement.before.san(m));
            Found::new(RuleId::SensorFault, None, *squares, what)
        }
        Matter::AnotherPiece { m, seen, exchanged: false } => {
            let was = m.promotion.map_or("piece", role_name);
            let what = format!(
                "{} showed a {was} when the move was completed and shows a {} now; the record keeps the {was}",
                m.to,
                role_name(seen.role)
            );
            Found::new(RuleId::SensorFault, None, Bitboard::from(m.to), what)
        }
        Matter::Unseen { stories, found } => {
            let what = match stories {
                0 => "the board has changed in a way that no short legal sequence explains".to_owned(),
                1 => "moves that were not seen could be told from the board".to_owned(),
                n => several(&judgement.before, *n, found),
            };
            let certainty = if *stories > 1 { Certainty::Probable } else { Certainty::Certain };
            Found { certainty, ..Found::new(RuleId::SyncLost, None, Bitboard::EMPTY, what) }
        }
        _ => return None,
    })
}

/// A gap that several sequences explain: the position is certain, the order of the moves is not.
fn several(before: &Position, stories: usize, found: &[Vec<Move>]) -> String {
    let plies = found.first().map_or(0, Vec::len);
    let many = if stories >= STORIES_TOLD { " or more" } else { "" };
    let lines: Vec<String> = found.iter().take(LINES_SHOWN).map(|moves| line(before, moves)).collect();
    let rest = if stories > lines.len() { "; and others" } else { "" };
    let gap = if plies == 1 { "one ply was not seen".to_owned() } else { format!("gap of {plies} plies") };
    format!(
        "{gap}, {stories}{many} legal sequences explain the board, the first was taken: {}{rest}",
        lines.join("; ")
    )
}

/// Moves one after the other, as `e4 e5 Nf3`.
fn line(before: &Position, moves: &[Move]) -> String {
    let mut position = before.clone();
    let mut names = Vec::new();
    for m in moves {
        names.push(position.san(m));
        position = position.play(m);
    }
    names.join(" ")
}
