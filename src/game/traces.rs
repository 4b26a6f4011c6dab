//! Traces: how well a sequence of moves that nobody saw complete agrees with what hands were seen
//! to touch, and in which order.

use shakmaty::{Bitboard, Square};

use super::position::Move;
use crate::tick::{Span, Tick};
use crate::timeline::{Contact, Timeline};

/// Squares are looked at one after the other: lifts nearer to each other than this have no order.
const ORDER: Span = Span::from_ms(300);

/// What was touched, for comparing sequences with it.
#[derive(Debug)]
pub struct Traces {
    contacts: Vec<Contact>,
    emptied: Vec<(Tick, Square)>,
}

impl Traces {
    /// What was touched since `since`, readings of all squares left out: they have no time.
    #[must_use]
    pub fn since(line: &Timeline, since: Tick) -> Self {
        Traces {
            contacts: line.contacts_since(since).filter(|c| !c.in_dump).copied().collect(),
            emptied: line.emptied_since(since).collect(),
        }
    }

    /// How often a sequence contradicts what was touched: squares that were touched and are no part
    /// of it, squares of it that were never touched, lifts in another order.
    #[must_use]
    pub fn against(&self, moves: &[Move]) -> usize {
        let part = moves.iter().fold(Bitboard::EMPTY, |all, m| all | m.changed());
        let seen = self.touched();
        if seen.is_empty() {
            return 0;
        }
        let apart = (seen & !part).count() + (part & !seen).count();
        let lifts: Vec<Option<Tick>> = self.lifts(moves);
        let known: Vec<Tick> = lifts.into_iter().flatten().collect();
        let swapped = known.windows(2).filter(|w| w[0].since(w[1]) > ORDER).count();
        apart + swapped
    }

    /// Of several sequences those that agree best with what was touched.
    #[must_use]
    pub fn likeliest<'a>(&self, found: &'a [Vec<Move>]) -> Vec<&'a Vec<Move>> {
        let against: Vec<usize> = found.iter().map(|moves| self.against(moves)).collect();
        let least = against.iter().min();
        found.iter().zip(&against).filter(|(_, n)| Some(*n) == least).map(|(moves, _)| moves).collect()
    }

    /// Whether each move was seen to be set down, so that nothing of the sequence is guessed.
    #[must_use]
    pub fn shows_all(&self, moves: &[Move]) -> bool {
        moves.iter().all(|m| {
            let ends = moves.iter().filter(|n| n.to == m.to).count();
            let landed = |c: &&Contact| c.square == m.to && c.now.is_occupied() && c.now != c.was;
            self.contacts.iter().filter(landed).count() >= ends
        })
    }

    fn touched(&self) -> Bitboard {
        let contacts = self.contacts.iter().map(|c| c.square);
        contacts
            .chain(self.emptied.iter().map(|(_, s)| *s))
            .fold(Bitboard::EMPTY, |all, s| all | Bitboard::from(s))
    }

    /// When the piece of each move was taken up; after the one before had come to that square.
    fn lifts(&self, moves: &[Move]) -> Vec<Option<Tick>> {
        let mut out: Vec<Option<Tick>> = Vec::new();
        for (i, m) in moves.iter().enumerate() {
            let after = moves[..i].iter().rposition(|n| n.to == m.from).and_then(|n| out[n]);
            let up =
                self.contacts.iter().filter(|c| c.square == m.from && !c.now.is_occupied()).map(|c| c.at);
            let again = self.emptied.iter().filter(|(_, s)| *s == m.from).map(|(at, _)| *at);
            out.push(up.chain(again).filter(|at| after.is_none_or(|after| *at > after)).min());
        }
        out
    }
}
