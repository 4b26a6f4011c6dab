//! The moves laid along the moments of a recording.
//!
//! Each moment belongs to the position before some ply. Which one is what agrees best over the
//! whole recording: squares that differ from the position cost something, and presses of the
//! wrong side. So slides, take-backs, pieces put straight, noise, and moves that were restored
//! cost little wherever they are put, and the moves find their places. Where an observer saw an
//! illegal move that was put right, a place for it and for what was restored lies between. Nothing
//! of what the detector says is used.

use shakmaty::{Bitboard, Board, Color};

use super::moves::Game;
use super::stream::{Moment, Trace, What};
use crate::tick::Span;

/// A press by the player whose turn it is. Less than a move costs: presses may be read late.
const WRONG_PRESS: u32 = 1;
/// A ply that begins to stand at a moment at which nobody touched its squares.
const UNTOUCHED: u32 = 2;
/// A ply over before anything else was seen of it.
const SKIPPED: u32 = 4;
/// A moment at which something illegal may have stood.
const ILLEGAL: u32 = 1;
/// More squares that differ say no more.
const DIFFERS_MAX: u32 = 8;
/// What stood on the board so long after the clock was stopped for good is not the game.
const AFTERWARDS: Span = Span::from_ms(2_000);

/// For each ply the moment from which the board agrees with it better than with the ply before.
#[derive(Clone, Debug)]
pub(super) struct Alignment {
    /// By ply, from 0; never decreasing.
    pub(super) entered: Vec<usize>,
    /// How badly it agrees.
    pub(super) cost: u32,
}

/// What may stand for a while.
struct Place {
    /// `None` while something illegal stands.
    board: Option<Board>,
    turn: Color,
    /// The squares by which it begins; none if it begins with a press or a restoration.
    changed: Bitboard,
    /// The ply that leads to it, counted from 0.
    ply: Option<usize>,
}

struct Problem<'a> {
    places: Vec<Place>,
    trace: &'a Trace,
    /// How many moments belong to the game.
    moments: usize,
}

/// Lays the game along the trace. Before each ply of `restored`, counted from 1, something illegal
/// was pressed and put right.
pub(super) fn align(game: &Game, restored: &[usize], trace: &Trace) -> Alignment {
    let place = |board: Option<&Board>, turn| Place {
        board: board.cloned(),
        turn,
        changed: Bitboard::EMPTY,
        ply: None,
    };
    let mut places = vec![place(Some(&game.start.board), game.start.turn)];
    for (index, ply) in game.plies.iter().enumerate() {
        let side = ply.side();
        if restored.contains(&(index + 1)) {
            places.push(place(None, !side));
            places.push(place(Some(&ply.before.board), side));
        }
        if let Some(last) = places.last_mut() {
            // A turn may have been passed.
            last.turn = side;
        }
        places.push(Place {
            board: Some(ply.after.board.clone()),
            turn: ply.after.turn,
            changed: differing(&ply.before.board, &ply.after.board),
            ply: Some(index),
        });
    }
    let over = trace.stopped().map(|at| at + AFTERWARDS);
    let moments = trace.moments.partition_point(|moment| over.is_none_or(|over| moment.at <= over));
    Problem { places, trace, moments }.solve(game.plies.len())
}

/// The squares on which two boards differ.
pub(super) fn differing(a: &Board, b: &Board) -> Bitboard {
    crate::events::Wood::from_board(a).differs(b)
}

impl Problem<'_> {
    fn solve(&self, plies: usize) -> Alignment {
        let last = self.places.len() - 1;
        let moments = &self.trace.moments[..self.moments];
        // How many places were left at a moment, for each place it may have.
        let mut steps: Vec<u16> = Vec::with_capacity(self.places.len() * moments.len());
        let mut costs: Vec<u32> = vec![u32::MAX / 2; self.places.len()];
        costs[0] = 0;
        for moment in moments {
            let (mut next, mut step) = (costs.clone(), vec![0u16; self.places.len()]);
            for place in 1..=last {
                let enter = costs[place - 1] + self.enter(moment, place);
                // As late as possible where it makes no difference: a hand may hold the piece yet.
                if enter <= next[place] {
                    (next[place], step[place]) = (enter, 1);
                }
                let skip = next[place - 1] + SKIPPED;
                if skip < next[place] {
                    (next[place], step[place]) = (skip, step[place - 1].saturating_add(1));
                }
            }
            for (cost, place) in next.iter_mut().zip(&self.places) {
                *cost = cost.saturating_add(stay(moment, place));
            }
            costs = next;
            steps.extend(step);
        }
        let mut entered = vec![moments.len(); plies];
        let mut place = last;
        for index in (0..moments.len()).rev() {
            let step = usize::from(steps[index * self.places.len() + place]);
            for left in &self.places[place - step + 1..=place] {
                if let Some(ply) = left.ply {
                    entered[ply] = index;
                }
            }
            place -= step;
        }
        Alignment { entered, cost: costs[last] }
    }

    fn enter(&self, moment: &Moment, place: usize) -> u32 {
        let place = &self.places[place];
        let fits = match (moment.what, &place.board) {
            (What::Pressed(side), None) => side != place.turn,
            (What::Contacts(touched) | What::Dumped(touched), Some(_)) => {
                place.ply.is_none() || (touched & place.changed).any()
            }
            _ => false,
        };
        if fits { 0 } else { UNTOUCHED }
    }
}

fn stay(moment: &Moment, place: &Place) -> u32 {
    match (moment.what, &place.board) {
        (What::Pressed(side), Some(_)) if place.turn == side => WRONG_PRESS,
        (What::Pressed(_) | What::Link(_), _) => 0,
        (What::Contacts(_) | What::Dumped(_), None) => ILLEGAL,
        (What::Contacts(_) | What::Dumped(_), Some(board)) => {
            let off = moment.wood.differs(board).count();
            u32::try_from(off).unwrap_or(DIFFERS_MAX).min(DIFFERS_MAX)
        }
    }
}
