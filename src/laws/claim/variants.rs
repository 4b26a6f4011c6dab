//! The lines that the game can have taken: one where all was seen, one for each sequence that
//! explains what was not.

use shakmaty::Color;

use super::line::{Line, Sure, count, is_quiet};
use crate::game::{Move, PlyKind, Position, sequences};

/// Sequences that are looked at for one gap.
const CANDIDATES_MAX: usize = 64;
/// Lines that are looked at in all.
const VARIANTS_MAX: usize = 256;

/// A position that stood, in one of the lines.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    /// Plies before it.
    pub(super) ply: u32,
    /// The move that led to it; empty at the start.
    pub(super) label: String,
    pub(super) position: Position,
    /// Whose move led to it; `None` at the start and for a press without a move.
    pub(super) mover: Option<Color>,
    /// The move took nothing and moved no pawn.
    pub(super) quiet: bool,
    /// How many breaks came before it.
    pub(super) breaks: usize,
    /// It was taken from the board: what came just before it is not known.
    pub(super) taken: bool,
}

/// One of the lines.
#[derive(Clone, Debug)]
pub(super) struct Variant {
    pub(super) spots: Vec<Spot>,
    /// Breaks: after which ply, up to which, and why.
    pub(super) breaks: Vec<Break>,
}

/// Something between two positions of a line is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Break {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) why: &'static str,
}

/// Why the record has a gap.
pub(super) const UNSEEN: &str = "moves were not seen";
pub(super) const FROM_BOARD: &str = "no moves explain what stood there: the position is that of the board";
pub(super) const UNHEARD: &str = "the board could not be heard, and looked the same afterwards";
pub(super) const BEFORE: &str = "the record begins in the middle of the game";

/// All lines that the game can have taken, and the gaps that make them several.
pub(super) struct Variants {
    pub(super) all: Vec<Variant>,
    pub(super) gaps: Vec<Break>,
}

impl Variant {
    fn last(&self) -> &Position {
        // A line has its start at least.
        &self.spots[self.spots.len() - 1].position
    }

    fn push(&mut self, ply: u32, label: String, position: Position, mover: Option<Color>, quiet: bool) {
        let breaks = self.breaks.len();
        self.spots.push(Spot { ply, label, position, mover, quiet, breaks, taken: false });
    }

    /// The last position was taken from the board.
    fn taken(&mut self) {
        if let Some(spot) = self.spots.last_mut() {
            spot.taken = true;
        }
    }

    /// Adds a legal move.
    pub(super) fn play(&mut self, m: &Move, ply: u32) {
        let before = self.last();
        let label = super::line::label(before, &before.san(m));
        let (after, mover) = (before.play(m), before.turn);
        let quiet = m.capture.is_none() && m.role != shakmaty::Role::Pawn;
        self.push(ply, label, after, Some(mover), quiet);
    }

    /// The breaks since the last move that cannot be taken back: those before it hide nothing that
    /// could matter.
    pub(super) fn breaks_since_quiet(&self) -> &[Break] {
        let settled = |spot: &&Spot| !spot.quiet && !spot.taken;
        let from = self.spots.iter().rev().find(settled).map_or(0, |spot| spot.breaks);
        &self.breaks[from.min(self.breaks.len())..]
    }
}

impl Variants {
    pub(super) fn of(line: &Line) -> Variants {
        let start = Variant { spots: Vec::new(), breaks: Vec::new() };
        let mut out = Variants { all: vec![start], gaps: Vec::new() };
        if line.begins_late {
            out.broken(Break { from: 0, to: 0, why: BEFORE });
        }
        for variant in &mut out.all {
            variant.push(0, String::new(), line.start.clone(), None, true);
        }
        out.unheard(line, 0);
        let cut = settled(line);
        let mut at = 0;
        while let Some(ply) = line.plies.get(at) {
            let run =
                line.plies[at..].iter().take_while(|p| p.sure == Sure::Concluded && p.m.is_some()).count();
            if run > 0 && at + run > cut {
                out.unseen(line, at, run);
                at += run;
            } else {
                out.step(line, at, ply.sure == Sure::FromBoard);
                at += 1;
            }
            out.unheard(line, at);
        }
        out
    }

    /// A break in all lines.
    fn broken(&mut self, gap: Break) {
        for variant in &mut self.all {
            variant.breaks.push(gap);
        }
    }

    fn unheard(&mut self, line: &Line, plies: usize) {
        let at = count(plies);
        if line.unheard.contains(&at) {
            self.broken(Break { from: at, to: at, why: UNHEARD });
        }
    }

    /// The ply at `index` as the record has it.
    fn step(&mut self, line: &Line, index: usize, from_board: bool) {
        let (ply, number) = (&line.plies[index], count(index + 1));
        let gap = from_board || ply.kind == PlyKind::Legal && ply.m.is_none();
        for variant in &mut self.all {
            if let (Some(m), false) = (&ply.m, gap) {
                variant.play(m, number);
                if variant.last().board == ply.after.board {
                    continue;
                }
                variant.spots.pop();
            }
            if gap {
                variant.breaks.push(Break { from: number.saturating_sub(1), to: number, why: FROM_BOARD });
            }
            let quiet = is_quiet(&variant.last().board, &ply.after.board);
            // A right that is lost does not come back.
            let castles = ply.after.castles & variant.last().castles;
            let mover = (ply.kind != PlyKind::Null).then_some(ply.side);
            variant.push(number, ply.label.clone(), Position { castles, ..ply.after.clone() }, mover, quiet);
            if gap {
                variant.taken();
            }
        }
    }

    /// `run` plies from `index` were not seen: each sequence that explains them makes a line.
    fn unseen(&mut self, line: &Line, index: usize, run: usize) {
        let (from, to) = (count(index), count(index + run));
        let gap = Break { from, to, why: UNSEEN };
        let after = &line.plies[index + run - 1].after;
        let mut out = Vec::new();
        for variant in &self.all {
            let found = sequences(variant.last(), &after.board, run, CANDIDATES_MAX);
            let few = out.len() + found.found.len() <= VARIANTS_MAX;
            if !found.complete || found.found.is_empty() || !few {
                let mut broken = variant.clone();
                broken.breaks.push(gap);
                let quiet = is_quiet(&variant.last().board, &after.board);
                let label = line.plies[index + run - 1].label.clone();
                broken.push(to, label, after.clone(), None, quiet);
                broken.taken();
                out.push(broken);
                continue;
            }
            for moves in &found.found {
                let mut told = variant.clone();
                for (n, m) in moves.iter().enumerate() {
                    told.play(m, count(index + n + 1));
                }
                out.push(told);
            }
        }
        self.gaps.push(gap);
        self.all = out;
    }
}

/// How many plies of the record are settled: up to the last capture or pawn move that was seen,
/// nothing that stood before can come again. None if the game did not only go by legal moves since.
fn settled(line: &Line) -> usize {
    let moved = |at: usize| {
        let ply = &line.plies[at];
        ply.m.is_some_and(|m| m.capture.is_some() || m.role == shakmaty::Role::Pawn) && ply.sure == Sure::Seen
    };
    let last = (0..line.plies.len()).rev().find(|at| moved(*at)).map_or(0, |at| at + 1);
    let odd = |ply: &super::line::Ply| ply.sure == Sure::FromBoard || ply.m.is_none();
    if line.plies[last..].iter().any(odd) { 0 } else { last }
}
