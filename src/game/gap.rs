//! Moves that were not seen: which legal sequences lead from one position to the wood?

use super::position::{Move, Position};
use super::standing::Standing;
use crate::events::Wood;

/// How many positions a search may visit, so that it ends in a fraction of a second anywhere.
pub const VISITS_MAX: usize = 60_000;

/// The legal sequences of exactly `plies` moves from `from` to `wood`, at most `most` of them.
///
/// Returns the sequences and whether the search was complete.
#[must_use]
pub fn paths(
    from: &Position,
    wood: &Wood,
    standing: &Standing,
    plies: usize,
    most: usize,
) -> (Vec<Vec<Move>>, bool) {
    let mut search = Search { wood, standing, most, visits: 0, found: Vec::new(), line: Vec::new() };
    search.go(from, plies);
    let complete = search.visits < VISITS_MAX && search.found.len() < most;
    (search.found, complete)
}

struct Search<'a> {
    wood: &'a Wood,
    standing: &'a Standing,
    most: usize,
    visits: usize,
    found: Vec<Vec<Move>>,
    line: Vec<Move>,
}

impl Search<'_> {
    fn go(&mut self, position: &Position, left: usize) {
        self.visits += 1;
        if self.visits >= VISITS_MAX || self.found.len() >= self.most {
            return;
        }
        let off = self.standing.unexplained(self.wood, &position.board).count();
        if left == 0 {
            if off == 0 {
                self.found.push(self.line.clone());
            }
            return;
        }
        // A move settles two squares, castling four, en passant three.
        if off > 2 * left + 4 {
            return;
        }
        for m in position.legal_moves() {
            let next = position.play(&m);
            let off = self.standing.unexplained(self.wood, &next.board).count();
            if off > 2 * (left - 1) + if left > 2 { 2 } else { 1 } {
                continue;
            }
            self.line.push(m);
            self.go(&next, left - 1);
            self.line.pop();
        }
    }
}
