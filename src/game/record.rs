//! The record of one game: plies with the positions before and after them.

use shakmaty::Color;

use super::ply::{Completed, PlyKind, PlyRecord};
use super::position::{Move, Position};
use crate::tick::{Dial, Tick};

/// A ply of the record with its positions.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What is published of it.
    pub ply: PlyRecord,
    /// The position before it.
    pub before: Position,
    /// The position after it.
    pub after: Position,
    /// The legal move, if it is one.
    pub m: Option<Move>,
    /// How often this ply has been corrected.
    pub revision: u32,
    /// Something an arbiter may undo: the position before it may come back.
    pub disputed: bool,
    /// Nobody saw it, or not what came of it: the position after it is what the wood shows.
    pub unseen: bool,
    /// Other pieces were displaced with it.
    pub displaced: bool,
    /// The clock before it: White, Black.
    pub dials_before: Option<(Dial, Dial)>,
}

/// When and how a ply was completed.
#[derive(Clone, Copy, Debug)]
pub struct Completion {
    /// By what.
    pub by: Completed,
    /// When its last piece was placed.
    pub placed_at: Option<Tick>,
    /// When the clock was pressed.
    pub pressed_at: Option<Tick>,
    /// The clock afterwards.
    pub dials: Option<(Dial, Dial)>,
}

/// The plies of one game, and where they began.
#[derive(Clone, Debug)]
pub struct Record {
    start: Position,
    entries: Vec<Entry>,
    /// For each ply ever published, the revision it would carry next.
    revisions: Vec<u32>,
    chess960: bool,
}

impl Record {
    /// An empty record from `start`.
    #[must_use]
    pub fn new(start: Position, chess960: bool) -> Self {
        Record { start, entries: Vec::new(), revisions: Vec::new(), chess960 }
    }

    /// The position at the end.
    #[must_use]
    pub fn end(&self) -> &Position {
        self.entries.last().map_or(&self.start, |e| &e.after)
    }

    /// The position after so many plies.
    #[must_use]
    pub fn at(&self, plies: usize) -> &Position {
        match plies.checked_sub(1).and_then(|i| self.entries.get(i)) {
            Some(entry) => &entry.after,
            None => &self.start,
        }
    }

    /// The plies.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The last ply, to be amended.
    pub fn last_mut(&mut self) -> Option<&mut Entry> {
        self.entries.last_mut()
    }

    /// Whether castling is written king takes rook.
    #[must_use]
    pub fn is_chess960(&self) -> bool {
        self.chess960
    }

    /// The press of a ply that was completed without one, and not before `since`, has come; says
    /// whether there was such a ply.
    pub fn credit_press(&mut self, side: Color, since: Tick, at: Tick) -> bool {
        let owed = self.entries.iter_mut().rev().take(6).find(|e| {
            e.ply.side == side && e.ply.pressed_at.is_none() && e.ply.placed_at.is_some_and(|t| t >= since)
        });
        if let Some(entry) = owed {
            entry.ply.pressed_at = Some(at);
            return true;
        }
        false
    }

    /// How many plies there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Forgets the plies after `plies`.
    pub fn truncate(&mut self, plies: usize) {
        self.entries.truncate(plies);
    }

    /// A correction of the last ply: it keeps its number and gets a higher revision.
    pub fn take_back_for_correction(&mut self) {
        if self.entries.pop().is_some() {
            self.revisions[self.entries.len()] += 1;
        }
    }

    /// Adds a legal move.
    pub fn push_move(&mut self, m: &Move, how: Completion) {
        let before = self.end();
        let uci = if self.chess960 { m.uci_chess960() } else { m.uci() };
        let (san, after) = (before.san(m), before.play(m));
        self.push(PlyKind::Legal, uci, san, after, Some(*m), how);
    }

    /// Adds a press without a move.
    pub fn push_null(&mut self, how: Completion) {
        let before = self.end().clone();
        let after = before.pass();
        self.push_other(PlyKind::Null, "0000".to_owned(), "--".to_owned(), after, how);
    }

    /// Adds a ply that is not legal and is on the board.
    pub fn push_other(&mut self, kind: PlyKind, uci: String, san: String, after: Position, how: Completion) {
        self.push(kind, uci, san, after, None, how);
    }

    fn push(
        &mut self,
        kind: PlyKind,
        uci: String,
        san: String,
        after: Position,
        m: Option<Move>,
        how: Completion,
    ) {
        let before = self.end().clone();
        let ply = PlyRecord {
            side: before.turn,
            kind,
            uci,
            san,
            fen: after.fen(),
            by: how.by,
            placed_at: how.placed_at,
            pressed_at: how.pressed_at,
            dials: how.dials,
            piece_assumed: false,
            press_inferred: false,
            stories: 1,
        };
        let index = self.entries.len();
        if self.revisions.len() <= index {
            self.revisions.push(0);
        }
        self.entries.push(Entry {
            ply,
            before,
            after,
            m,
            revision: self.revisions[index],
            // An arbiter may have it undone.
            disputed: kind != PlyKind::Legal,
            unseen: false,
            displaced: false,
            dials_before: self.entries.last().and_then(|e| e.ply.dials),
        });
    }

    /// A position that was not reached by moves: the record goes on from there.
    pub fn anchor(&mut self, position: Position) {
        match self.entries.last_mut() {
            Some(entry) => {
                entry.after = position;
                entry.unseen = true;
            }
            None => self.start = position,
        }
    }

    /// The move number's side of the last ply.
    #[must_use]
    pub fn last_mover(&self) -> Option<Color> {
        self.entries.last().map(|e| e.ply.side)
    }
}
