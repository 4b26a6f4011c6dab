//! Moves that were not seen: which legal sequences lead from one position to the wood?

use shakmaty::{Board, Color};

use super::position::{Move, Position};
use super::standing::Standing;
use crate::events::Wood;

/// How many pieces a hand may hold: its own, and the one it captures.
const IN_HAND: usize = 2;
/// How many positions a search may visit, so that it ends in a fraction of a second anywhere.
pub const VISITS_MAX: usize = 60_000;

/// Exactly one pair of move and reply explains the wood, apart from pieces that the side to move
/// then has in its hand.
#[must_use]
pub fn only_pair(from: &Position, wood: &Wood, standing: &Standing) -> Option<[Move; 2]> {
    let mut only = None;
    for m in from.legal_moves() {
        let next = from.play(&m);
        if standing.unexplained(wood, &next.board).count() > settled_at_most(&next, 1) + IN_HAND {
            continue;
        }
        for reply in next.legal_moves() {
            let after = next.play(&reply);
            let off = standing.unexplained(wood, &after.board);
            // What nobody saw land has not landed, unless it was taken there.
            let in_hand = (off & wood.occupied()).is_empty()
                && off.count() <= IN_HAND
                && !off.contains(reply.to)
                && !off.contains(m.to);
            if in_hand && only.replace([m, reply]).is_some() {
                return None;
            }
        }
    }
    only
}

/// A move whose landing nobody saw, and its reply, explain the wood.
#[must_use]
pub fn is_answered_in_the_air(from: &Position, wood: &Wood, standing: &Standing) -> bool {
    let lifted = standing.unexplained(wood, &from.board) & from.board.by_color(from.turn) & !wood.occupied();
    from.legal_moves().iter().filter(|m| lifted.contains(m.from) && m.capture.is_none()).any(|m| {
        let next = from.play(m);
        let off = |p: &Position| standing.unexplained(wood, &p.board);
        let settled = |reply: &Move| reply.to != m.to && off(&next.play(reply)) == m.to.into();
        off(&next).count() <= settled_at_most(&next, 1) + 1 && next.legal_moves().iter().any(settled)
    })
}

/// What a search has found.
#[derive(Debug)]
pub struct Found {
    /// The sequences.
    pub found: Vec<Vec<Move>>,
    /// Whether these are all.
    pub complete: bool,
    /// Whether every move left a square whose piece is not there in the end; else some piece went
    /// out and came back.
    pub direct: bool,
}

/// The legal sequences of exactly `plies` moves from `from` to `wood`, at most `most` of them.
#[must_use]
pub fn search(from: &Position, wood: &Wood, standing: &Standing, plies: usize, most: usize) -> Found {
    let mut search =
        Search { wood, standing, most, visits: 0, found: Vec::new(), line: Vec::new(), direct: true };
    search.go(from, plies);
    if search.found.is_empty() && search.visits < VISITS_MAX {
        search.direct = false;
        search.go(from, plies);
    }
    let complete = search.visits < VISITS_MAX && search.found.len() < most;
    Found { found: search.found, complete, direct: search.direct }
}

/// All legal sequences of exactly `plies` moves from `from` to the pieces of `to`, at most `most`;
/// none is complete if there may be more.
#[must_use]
pub fn sequences(from: &Position, to: &Board, plies: usize, most: usize) -> Found {
    let (wood, standing) = (Wood::from_board(to), Standing::default());
    let mut search = Search {
        wood: &wood,
        standing: &standing,
        most: most + 1,
        visits: 0,
        found: Vec::new(),
        line: Vec::new(),
        direct: false,
    };
    search.go(from, plies);
    let complete = search.visits < VISITS_MAX && search.found.len() <= most;
    Found { found: search.found, complete, direct: false }
}

struct Search<'a> {
    wood: &'a Wood,
    standing: &'a Standing,
    most: usize,
    visits: usize,
    found: Vec<Vec<Move>>,
    line: Vec<Move>,
    /// Only moves from squares whose piece is not there in the end.
    direct: bool,
}

impl Search<'_> {
    fn go(&mut self, position: &Position, left: usize) {
        self.visits += 1;
        if self.visits >= VISITS_MAX || self.found.len() >= self.most {
            return;
        }
        let off = self.standing.unexplained(self.wood, &position.board);
        if left == 0 {
            if off.is_empty() {
                self.found.push(self.line.clone());
            }
            return;
        }
        if off.count() > settled_at_most(position, left) {
            return;
        }
        for m in position.legal_moves() {
            if self.direct && !off.contains(m.from) {
                continue;
            }
            let next = position.play(&m);
            let off = self.standing.unexplained(self.wood, &next.board).count();
            if off > settled_at_most(&next, left - 1) {
                continue;
            }
            self.line.push(m);
            self.go(&next, left - 1);
            self.line.pop();
        }
    }
}

/// How many squares so many plies can settle: a move two, an en passant capture three, castling
/// four, and each side castles once.
fn settled_at_most(position: &Position, plies: usize) -> usize {
    let can_castle = |side: Color| (position.castles & position.board.by_color(side)).any();
    let castlings = Color::ALL.into_iter().filter(|side| can_castle(*side)).count();
    2 * plies + 2 * castlings.min(plies) + usize::from(plies > 0)
}
