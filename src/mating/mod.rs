//! The mating question: can this side still checkmate by any series of legal moves?
//!
//! In: a position, a side, a [`Budget`] in nodes. Out: an [`Answer`] with its proof. Never: time;
//! the same question with the same budget has the same answer on any machine.
//!
//! Mate and stalemate on the board come first, then what the pieces alone prove, then a search of
//! our own that ends with a line, with every position that can still arise, or with its budget,
//! and last chasolver. A line is played on the board by another move generator before it is
//! believed.

mod answer;
mod line;
mod locked;
mod material;
mod outside;
mod search;

pub use answer::{Answer, Budget, CanStillMate, Impossible, Open, Proof, SOLVER};
pub use line::in_san;
pub use locked::is_locked;

use shakmaty::{CastlingMode, Chess, Color, Position, PositionError, fen::Fen};

/// Whether `side` can still mate from the position of `fen` by any series of legal moves.
#[must_use]
pub fn can_still_mate(fen: &str, side: Color, budget: Budget) -> Answer {
    let Ok(fen) = fen.parse::<Fen>() else { return Answer::open(Open::NotLegal, 0) };
    let board = &fen.as_setup().board;
    // A lone king mates nobody in any placement, legal or not.
    if (board.by_color(side) & !board.kings()).is_empty() {
        return Answer::never(Impossible::Material, 0);
    }
    let Some(position) = legal(fen) else { return Answer::open(Open::NotLegal, 0) };
    if position.legal_moves().is_empty() {
        return match position.is_check() {
            true if position.turn() != side => Answer::line(Vec::new(), 0, None),
            true => Answer::never(Impossible::Mated, 0),
            false => Answer::never(Impossible::Stalemate, 0),
        };
    }
    if material::cannot_mate(position.board(), side) {
        return Answer::never(Impossible::Material, 0);
    }
    search_for(&position, side, budget)
}

fn search_for(position: &Chess, side: Color, budget: Budget) -> Answer {
    let (ended, nodes) = search::search(position, side, budget.own());
    match ended {
        search::Ended::Mate(line) => return Answer::line(line, nodes, None),
        search::Ended::Exhausted => return Answer::never(Impossible::Exhausted, nodes),
        search::Ended::Budget => {}
    }
    let said = match budget.admits_solver() {
        true => outside::full(position, side),
        false => outside::quick(position, side),
    };
    match said {
        outside::Said::Line(line) => match line::mates(position, side, &line) {
            Some(line) => Answer::line(line, nodes, Some(SOLVER)),
            None => Answer::open(Open::LineFails, nodes),
        },
        outside::Said::Never => Answer::never(Impossible::Solver, nodes),
        outside::Said::Nothing => Answer::open(Open::Budget, nodes),
    }
}

/// A legal position as it may arise in a game that began lawfully; extra queens are no reason to
/// refuse an answer.
fn legal(fen: Fen) -> Option<Chess> {
    let setup = fen.into_setup();
    let mode = CastlingMode::detect(&setup);
    setup
        .position::<Chess>(mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

#[cfg(test)]
mod tests;
