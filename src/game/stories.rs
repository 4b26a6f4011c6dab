//! Stories: short sequences of legal moves that the wood has shown, from the positions that may
//! be on the board.
//!
//! A story grows whenever the wood equals the position after one more legal move, apart from
//! pieces that are in somebody's hand. Pieces passing over squares leave stories behind that
//! nothing confirms; the press decides which one was played.

use shakmaty::{Bitboard, Color, Piece};

use super::gap;
use super::position::{Move, Position};
use super::standing::Standing;
use crate::events::{Sensed, Wood};
use crate::tick::{Span, Tick};
use crate::timeline::Contact;

/// How many stories are kept at once.
pub const STORIES_MAX: usize = 48;
/// How many plies a story may be ahead of the record.
pub const DEPTH_MAX: usize = 4;
/// A move that stood on the board for so long is not replaced by one that nobody saw stand.
const RESTED: Span = Span::from_ms(1_000);
/// How many pieces may be in somebody's hand at once.
const IN_HAND_MAX: usize = 2;

/// A position that may be on the board, from which stories start.
#[derive(Clone, Debug)]
pub struct Root {
    /// The position.
    pub position: Position,
    /// How many plies of the record stay if this is the one.
    pub keep: usize,
}

/// A sequence of legal moves from a root.
#[derive(Clone, Debug)]
pub struct Story {
    /// Which root it starts from.
    pub root: usize,
    /// The moves.
    pub moves: Vec<Move>,
    /// The position after them.
    pub position: Position,
    /// When the wood first showed it.
    pub first: Tick,
    /// When the wood showed it last.
    pub last: Tick,
    /// When the wood last showed it without its last move.
    pub parent_last: Tick,
    /// Whether the wood shows it now, apart from pieces in somebody's hand.
    pub shown: bool,
    /// The squares whose piece is in somebody's hand.
    pub in_hand: Bitboard,
    /// On a board that sees only occupancy: a capture whose square was never seen empty. A piece
    /// in the air looks the same.
    pub guessed: bool,
    replies: Option<Vec<Move>>,
}

impl Story {
    fn start(root: usize, position: Position) -> Self {
        Story {
            root,
            moves: Vec::new(),
            position,
            first: Tick::ZERO,
            last: Tick::ZERO,
            parent_last: Tick::ZERO,
            shown: false,
            in_hand: Bitboard::EMPTY,
            guessed: false,
            replies: None,
        }
    }

    /// Whether the wood shows exactly this.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.shown && self.in_hand.is_empty()
    }

    /// Whether nothing happened since the wood showed this story but `m`, and pieces lifted from
    /// where they belong. Else a piece that only passed by would be gone on from.
    fn goes_on(&self, m: &Move, contacts: &[Contact]) -> bool {
        let part = m.changed();
        let piece = Sensed::Piece(Piece { color: self.position.turn, role: m.role });
        let taken = m.capture.and_then(|s| self.position.board.piece_at(s)).map(Sensed::Piece);
        self.moves.is_empty()
            || contacts.iter().filter(|c| c.at > self.last && !c.in_dump).all(|c| {
                part.contains(c.square)
                    || self.position.board.occupied().contains(c.square)
                    // The moving piece itself on its way, or the one it takes on its way off.
                    || c.now == piece
                    || c.was == piece
                    || taken.is_some_and(|taken| c.now == taken || c.was == taken)
            })
    }

    /// Who made the last move.
    #[must_use]
    pub fn mover(&self) -> Color {
        !self.position.turn
    }

    /// How many moves it has.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.moves.len()
    }
}

/// All stories from all roots.
#[derive(Clone, Debug, Default)]
pub struct Stories {
    /// Where stories start; the first is the end of the record.
    pub roots: Vec<Root>,
    all: Vec<Story>,
}

impl Stories {
    /// Forgets everything and starts from `roots`.
    pub fn restart(&mut self, roots: Vec<Root>) {
        self.all.clear();
        self.all.extend(roots.iter().enumerate().map(|(i, root)| Story::start(i, root.position.clone())));
        self.roots = roots;
    }

    /// The stories, those with fewer moves first within a root.
    pub fn iter(&self) -> impl Iterator<Item = &Story> {
        self.all.iter()
    }

    /// Takes a new state of the wood. `touched` are the squares that changed since the record's
    /// end; it decides only where the board cannot tell pieces apart.
    pub fn grow(&mut self, at: Tick, wood: &Wood, standing: &Standing, contacts: &[Contact]) {
        let touched = contacts.iter().fold(Bitboard::EMPTY, |all, c| all | Bitboard::from(c.square));
        for story in &mut self.all {
            let off = standing.unexplained(wood, &story.position.board);
            let last_to = story.moves.last().map_or(Bitboard::EMPTY, landing);
            story.shown = fits_in_hands(off, wood) && (off & last_to).is_empty();
            story.in_hand = off;
            if story.shown {
                if story.last == Tick::ZERO && story.moves.is_empty() {
                    story.first = at;
                }
                story.last = at;
            }
        }
        for index in 0..self.all.len() {
            self.grow_one(index, at, wood, standing, (touched, contacts));
        }
        self.grow_pair(at, wood, standing);
        self.prune();
    }

    fn grow_one(
        &mut self,
        index: usize,
        at: Tick,
        wood: &Wood,
        standing: &Standing,
        (touched, contacts): (Bitboard, &[Contact]),
    ) {
        let story = &self.all[index];
        let depth_max = if story.root == 0 { DEPTH_MAX } else { 2 };
        // A story that was never on the board cannot be gone on from.
        if story.depth() >= depth_max || (story.depth() > 0 && story.last == Tick::ZERO) {
            return;
        }
        let off = standing.unexplained(wood, &story.position.board);
        let placed = off & wood.occupied();
        let raw_off = wood.differs(&story.position.board);
        if off.is_empty() && (raw_off.is_empty() || standing.is_empty()) && wood.unknown().is_empty() {
            return;
        }
        if off.count() > 6 {
            return;
        }
        let vague = wood.unknown().any();
        let replies =
            self.all[index].replies.take().unwrap_or_else(|| self.all[index].position.legal_moves());
        let mut born: Vec<(Move, Bitboard, bool)> = Vec::new();
        for m in &replies {
            let changed = m.changed();
            // Whatever was placed must be part of the move, and the move's landing must show.
            if !(placed & !changed).is_empty() || (raw_off & changed).is_empty() {
                continue;
            }
            if !(landing(m) & !wood.occupied()).is_empty() {
                continue;
            }
            let seen = !vague || changed.is_subset(touched);
            let on_top = m.capture == Some(m.to) && touched.contains(m.from);
            if !(seen || on_top) {
                continue;
            }
            let after = self.all[index].position.play(m);
            let left = standing.unexplained(wood, &after.board);
            let fits = fits_in_hands(left, wood) && (left & landing(m)).is_empty();
            if fits && self.all[index].goes_on(m, contacts) {
                born.push((*m, left, !seen));
            }
        }
        let parent = self.all[index].clone();
        self.all[index].replies = Some(replies);
        for (m, left, guessed) in born {
            let known = self.all.iter_mut().find(|s| {
                s.root == parent.root
                    && s.depth() == parent.depth() + 1
                    && s.moves.last() == Some(&m)
                    && s.moves[..parent.depth()] == parent.moves[..]
            });
            if let Some(known) = known {
                known.shown = true;
                known.in_hand = left;
                known.last = at;
                known.parent_last = parent.last;
                known.guessed &= guessed;
                continue;
            }
            let mut moves = parent.moves.clone();
            moves.push(m);
            let position = parent.position.play(&m);
            self.all.push(Story {
                moves,
                position,
                first: at,
                last: at,
                parent_last: parent.last,
                shown: true,
                in_hand: left,
                guessed: guessed || parent.guessed,
                ..Story::start(parent.root, parent.position.clone())
            });
        }
    }

    /// The reply was set down before the move it answers: neither showed alone.
    fn grow_pair(&mut self, at: Tick, wood: &Wood, standing: &Standing) {
        if self.all.iter().any(|s| s.shown) {
            return;
        }
        let Some(root) = self.all.first().filter(|s| s.depth() == 0).cloned() else { return };
        let placed = standing.unexplained(wood, &root.position.board) & wood.occupied();
        let of = |color: Color| (placed & wood.known().by_color(color)).any();
        if !of(Color::White) || !of(Color::Black) || placed.count() > 4 {
            return;
        }
        let Some([first, second]) = gap::only_pair(&root.position, wood, standing) else { return };
        // What rested on the board for so long was the move; a captured piece is carried off now.
        let other = |s: &Story| s.root == 0 && s.depth() == 1 && s.moves[0] != first;
        if self.all.iter().any(|s| other(s) && s.last.since(s.first) >= RESTED) {
            return;
        }
        let between = root.position.play(&first);
        let after = between.play(&second);
        let left = standing.unexplained(wood, &after.board);
        let born = |moves: Vec<Move>, position: Position, shown: bool| Story {
            moves,
            position,
            first: at,
            last: at,
            shown,
            in_hand: if shown { left } else { Bitboard::EMPTY },
            ..Story::start(0, root.position.clone())
        };
        self.all.push(born(vec![first], between, false));
        self.all.push(born(vec![first, second], after, true));
    }

    /// Keeps the number bounded: what was seen longest ago goes first, roots stay.
    fn prune(&mut self) {
        while self.all.len() > STORIES_MAX {
            let oldest = self
                .all
                .iter()
                .enumerate()
                .filter(|(_, s)| s.depth() > 0 && !s.shown)
                .min_by_key(|(_, s)| (s.last, s.first))
                .map(|(i, _)| i);
            match oldest {
                Some(i) => {
                    self.all.remove(i);
                }
                None => self.all.truncate(STORIES_MAX),
            }
        }
    }
}

/// The squares where a move leaves its pieces.
fn landing(m: &Move) -> Bitboard {
    let rook = m.rook.map_or(Bitboard::EMPTY, |(_, to)| Bitboard::from(to));
    Bitboard::from(m.to) | rook
}

/// Whether all that is off can be in somebody's hand.
fn fits_in_hands(off: Bitboard, wood: &Wood) -> bool {
    (off & wood.occupied()).is_empty() && off.count() <= IN_HAND_MAX
}
