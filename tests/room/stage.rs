//! The physical world as it is written down: who did what to wood and clock, and when.

use shakmaty::{Board, Color, Piece, Square};

/// Something that physically happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// The square now holds this.
    Sq(Square, Option<Piece>),
    /// A player presses his end of the clock.
    Press(Color),
    /// The clock is stopped.
    Stop,
    /// The clock is started with this side's time running; that side's end is up.
    Go(Color),
    /// This side's time is set.
    Dial(Color, i64),
    /// This side's time is changed by so much.
    DialBy(Color, i64),
}

/// The script of one game.
#[derive(Clone, Debug)]
pub struct Stage {
    acts: Vec<(i64, Act)>,
    /// What stands there once everything written so far has happened.
    pub wood: Board,
    pub start: Board,
}

impl Stage {
    pub fn new(start: Board) -> Stage {
        Stage { acts: Vec::new(), wood: start.clone(), start }
    }

    pub fn at(&mut self, t: i64, act: Act) {
        if let Act::Sq(square, what) = act {
            self.wood.discard_piece_at(square);
            if let Some(piece) = what {
                self.wood.set_piece_at(square, piece);
            }
        }
        self.acts.push((t, act));
    }

    pub fn lift(&mut self, t: i64, square: Square) {
        self.at(t, Act::Sq(square, None));
    }

    pub fn set(&mut self, t: i64, square: Square, piece: Piece) {
        self.at(t, Act::Sq(square, Some(piece)));
    }

    /// All acts in the order of time; `Err` if hands did what hands cannot do.
    pub fn acts(&self) -> Result<Vec<(i64, Act)>, String> {
        let mut acts = self.acts.clone();
        acts.sort_by_key(|(t, _)| *t);
        let mut wood = self.start.clone();
        for (t, act) in &acts {
            if let Act::Sq(square, what) = act {
                if what.is_none() && wood.piece_at(*square).is_none() {
                    return Err(format!("{t}: nothing to lift on {square}"));
                }
                wood.discard_piece_at(*square);
                if let Some(piece) = what {
                    wood.set_piece_at(*square, *piece);
                }
            }
        }
        if wood != self.wood {
            return Err(format!("acts are out of order: {wood} is not {}", self.wood));
        }
        Ok(acts)
    }

    pub fn last(&self) -> i64 {
        self.acts.iter().map(|(t, _)| *t).max().unwrap_or(0)
    }
}
