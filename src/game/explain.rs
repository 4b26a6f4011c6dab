//! How the wood at a press relates to the record: the explanation that the Laws then name.

use std::cmp::Reverse;

use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};

use super::position::{Move, Position};
use super::standing::Standing;
use crate::events::{Sensed, Wood};
use crate::tick::{Span, Tick};
use crate::timeline::Contact;

/// What a hand did that is not a legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// One of the mover's pieces went from one square to another.
    Piece {
        /// What moved.
        piece: Piece,
        /// From.
        from: Square,
        /// To.
        to: Square,
        /// What stood there.
        taken: Option<Piece>,
    },
    /// A castling that is not allowed; with the rook, or only the king by two squares.
    Castling(Move),
    /// An en passant capture whose victim was left on the board.
    VictimLeft(Move),
    /// The opponent's piece was moved.
    OpponentsPiece {
        /// What moved.
        piece: Piece,
        /// From.
        from: Square,
        /// To.
        to: Square,
    },
    /// A pawn was exchanged for something it cannot become.
    WrongPromotion {
        /// The promotion as it should have been.
        m: Move,
        /// What was put there.
        put: Piece,
    },
    /// Two moves in one.
    TwoMoves {
        /// The squares of the first and the second: from, to, from, to.
        squares: [Square; 4],
    },
}

/// How the wood relates to the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Explanation {
    /// A legal move; `displaced` squares outside it differ too.
    Legal {
        /// The move.
        m: Move,
        /// Squares outside the move that differ; empty for a clean move.
        displaced: Bitboard,
    },
    /// A legal move, but a square shows what cannot be: a sensor's fault.
    Misread {
        /// The move.
        m: Move,
        /// The squares.
        squares: Bitboard,
    },
    /// Nothing has changed but pieces of the opponent in his hand.
    NoMove,
    /// The mover's own pieces are in the air.
    InAir {
        /// Where they were lifted.
        lifted: Bitboard,
    },
    /// The king castled, the rook stayed, and the castling is legal.
    CastlingIncomplete(Move),
    /// A pawn stands on the last rank, or vanished there; the promotion to a queen.
    Unpromoted(Move),
    /// Something the rules of chess do not allow.
    Illegal(Illegal),
    /// None of these.
    Unexplained {
        /// The squares that differ.
        squares: Bitboard,
    },
}

/// What makes a move the likelier one: fewest squares left over, lifted first, landed last.
type Key = (usize, Tick, Reverse<Tick>);

/// A hand that has set one piece down does not take up another sooner; a piece that goes up
/// earlier was knocked over.
const ANOTHER_MOVE: Span = Span::from_ms(250);

/// A piece that goes up so soon after another was set down nearby was touched by the same hand.
const KNOCKED: Span = Span::from_ms(150);

/// What is explained.
#[derive(Debug)]
pub struct Scene<'a> {
    /// The end of the record.
    pub position: &'a Position,
    /// Known differences.
    pub standing: &'a Standing,
    /// What stands there.
    pub wood: &'a Wood,
    /// The contacts since the last move.
    pub contacts: &'a [Contact],
    /// When the clock was pressed, if it was.
    pub pressed_at: Option<Tick>,
}

impl Scene<'_> {
    /// Explains the wood as something that the side to move did.
    #[must_use]
    pub fn explain(&self) -> Explanation {
        let us = self.position.turn;
        let board = &self.position.board;
        let off = self.standing.unexplained(self.wood, board);
        let unanswered = off & !self.replied();
        if (unanswered & self.wood.occupied()).is_empty() {
            let off = if (off & self.wood.occupied()).is_empty() { off } else { unanswered };
            let own = off & board.by_color(us);
            if let Some(illegal) = self.own_twin_captured(own) {
                return Explanation::Illegal(illegal);
            }
            return if own.is_empty() { Explanation::NoMove } else { Explanation::InAir { lifted: own } };
        }
        let moves = self.position.legal_moves();
        if let Some(found) = self.nearly_legal(&moves) {
            return found;
        }
        if let Some(illegal) = self.illegal(&moves, off & !self.replied()) {
            return Explanation::Illegal(illegal);
        }
        // Nobody captures a king: he is in the mover's hand, in the middle of castling.
        let king = off & board.kings() & board.by_color(us);
        let shown = self.wood.known().kings() & self.wood.known().by_color(us);
        if king.any() && shown.is_empty() && self.wood.unknown().is_empty() {
            return Explanation::InAir { lifted: king };
        }
        self.with_displaced(&moves).unwrap_or(Explanation::Unexplained { squares: off })
    }

    /// A piece is gone, and meanwhile one just like it was taken off and set down again: it was
    /// captured by its twin.
    fn own_twin_captured(&self, own: Bitboard) -> Option<Illegal> {
        let from = own.into_iter().next().filter(|_| own.count() == 1)?;
        let gone = self.position.board.piece_at(from)?;
        let lifted = self.contacts.iter().rev().find(|c| c.square == from && c.now == Sensed::Empty)?;
        let back = self.contacts.iter().find(|c| {
            c.at > lifted.at && c.square != from && c.was == Sensed::Empty && c.now == Sensed::Piece(gone)
        })?;
        // What is adjusted after the press is no part of it.
        if self.pressed_at.is_some_and(|pressed| back.at.since(pressed) > ANOTHER_MOVE) {
            return None;
        }
        let stood = self.position.board.piece_at(back.square) == Some(gone);
        stood.then_some(Illegal::Piece { piece: gone, from, to: back.square, taken: Some(gone) })
    }

    /// What differs after `m`, but for what the opponent's hand did after it had landed.
    fn left_by(&self, m: &Move, after: &Position) -> Bitboard {
        let left = self.standing.unexplained(self.wood, &after.board);
        let landed = match self.contacts.iter().rposition(|c| c.square == m.to && c.now.is_occupied()) {
            Some(index) if !self.contacts[index].in_dump => Some(index + 1),
            // A reading of all squares says that it landed and not when: before the press, then.
            Some(_) => self.pressed_at.map(|at| self.first_since(at)),
            None => None,
        };
        match landed {
            Some(landed) => left & !self.theirs_after(landed, left & !m.changed(), left, after),
            None => left,
        }
    }

    /// The squares of what the opponent's hand has done since the mover last set something down.
    #[must_use]
    pub(super) fn replied(&self) -> Bitboard {
        let us = self.position.turn;
        let board = &self.position.board;
        let ours = |seen: Sensed| matches!(seen, Sensed::Piece(p) if p.color == us);
        let off = self.standing.unexplained(self.wood, board);
        let moved = off & (board.by_color(us) | self.wood.known().by_color(us));
        if moved.is_empty() {
            // Nothing of the mover's own has changed: whatever has was done in his time.
            return Bitboard::EMPTY;
        }
        // Set down where it had not stood; what was adjusted is back where it was.
        let elsewhere = |c: &Contact| self.stood(c.square) != c.now;
        let landed = self.contacts.iter().rposition(|c| ours(c.now) && !c.in_dump && elsewhere(c));
        // Nothing of his was seen to land: what came after his press is theirs.
        let landed = landed.map(|i| i + 1).or_else(|| self.pressed_at.map(|at| self.first_since(at)));
        let theirs = Position { turn: !us, ep: None, ..self.position.clone() };
        landed.map_or(Bitboard::EMPTY, |landed| self.theirs_after(landed, off, off, &theirs))
    }

    /// The first contact at `at` or later.
    fn first_since(&self, at: Tick) -> usize {
        self.contacts.iter().take_while(|c| c.at < at).count()
    }

    /// In the mover's own time, from `turn` on, a piece of his was set down that nobody saw taken up,
    /// and is gone again: a reading is missing, and the opponent may have captured it.
    #[must_use]
    pub(super) fn came_from_nowhere(&self, turn: Tick) -> bool {
        let us = self.position.turn;
        let mut touched = Vec::new();
        for contact in self.contacts.iter().filter(|c| !c.in_dump && c.at > turn) {
            if let Sensed::Piece(piece) = contact.now
                && piece.color == us
                && !touched.contains(&piece)
                && self.position.board.piece_at(contact.square) != Some(piece)
            {
                return true;
            }
            if let Sensed::Piece(piece) = contact.was {
                touched.push(piece);
            }
        }
        false
    }

    /// What the record has on a square.
    fn stood(&self, square: Square) -> Sensed {
        self.position.board.piece_at(square).map_or(Sensed::Empty, Sensed::Piece)
    }

    /// Which of `squares` the opponent's hand has changed from the contact `landed` on; `left` is all
    /// that differs from `after`, in which he is to move.
    fn theirs_after(&self, landed: usize, squares: Bitboard, left: Bitboard, after: &Position) -> Bitboard {
        let (us, board) = (self.position.turn, &after.board);
        let contacts = || self.contacts.iter().enumerate().filter(|(_, c)| !c.in_dump);
        let on = |square: Square| contacts().filter(move |(_, c)| c.square == square);
        let ours = |seen: Sensed| matches!(seen, Sensed::Piece(p) if p.color == us);
        let theirs = |square: &Square| {
            // What was touched and put back before is over.
            let stood = self.stood(*square);
            let over = on(*square).rfind(|(i, c)| *i < landed && c.now == stood).map(|(i, _)| i);
            let mut since = on(*square).filter(|(i, _)| over.is_none_or(|over| *i > over));
            let began_later = since.clone().next().is_some_and(|(i, _)| i >= landed);
            began_later && !since.any(|(_, c)| ours(c.now))
        };
        let mut later = Bitboard::EMPTY;
        for square in squares {
            if theirs(&square) {
                later.add(square);
            }
        }
        // They take one piece of the mover's, to capture it; several were knocked over.
        let taken = later & self.position.board.by_color(us) & !self.wood.occupied();
        if taken.count() > 1 {
            later &= !taken;
        }
        // What the mover's hand set down elsewhere it had taken up itself.
        for square in squares & left & !later & self.wood.occupied() {
            let Sensed::Piece(set) = self.wood.at(square) else { continue };
            later &= !board.by_piece(set);
        }
        // What they set down must be what they took up: else the mover's hand began it.
        for square in later & self.wood.occupied() {
            let Sensed::Piece(set) = self.wood.at(square) else { continue };
            let from = later & board.by_piece(set);
            if from.is_empty() || self.was_knocked(landed, from, square, after) {
                later.discard(square);
                later &= !from;
            }
        }
        later
    }

    /// A piece that went up as the mover's landed, and came down where it cannot be moved to, was
    /// knocked over by the mover's hand.
    fn was_knocked(&self, landed: usize, from: Bitboard, to: Square, after: &Position) -> bool {
        let Some(landing) = landed.checked_sub(1).and_then(|i| self.contacts.get(i)) else { return false };
        let with_it = self.contacts[landed..]
            .iter()
            .find(|c| from.contains(c.square) && c.now == Sensed::Empty)
            .is_some_and(|c| c.at.since(landing.at) <= KNOCKED);
        with_it && !after.legal_moves().iter().any(|m| m.to == to && from.contains(m.from))
    }

    /// Legal moves that show completely, or all but one square of them.
    fn nearly_legal(&self, moves: &[Move]) -> Option<Explanation> {
        let us = self.position.turn;
        let mut misread = None;
        for m in moves {
            let after = self.position.play(m);
            let left = self.left_by(m, &after);
            let in_hand = left & !self.wood.occupied();
            if left == in_hand && !left.contains(m.to) && (left & after.board.by_color(us)).is_empty() {
                return Some(Explanation::Legal { m: *m, displaced: Bitboard::EMPTY });
            }
            if left.count() > 2 {
                continue;
            }
            let at_to = self.wood.at(m.to);
            if m.promotion.is_some() && left == Bitboard::from(m.to) {
                return Some(match at_to {
                    Sensed::Piece(Piece { color, role: Role::Pawn }) if color == us => {
                        Explanation::Unpromoted(Move { promotion: Some(Role::Queen), ..*m })
                    }
                    // Another promotion explains that.
                    Sensed::Piece(put) if put.color == us && put.role != Role::King => continue,
                    Sensed::Piece(put) => Explanation::Illegal(Illegal::WrongPromotion { m: *m, put }),
                    _ => continue,
                });
            }
            if let Some((rook, rook_to)) = m.rook
                && left == Bitboard::from(rook_to)
                && !self.wood.at(rook_to).is_occupied()
            {
                return Some(Explanation::InAir { lifted: Bitboard::from(rook) });
            }
            if let Some((rook, rook_to)) = m.rook
                && left == Bitboard::from(rook) | Bitboard::from(rook_to)
                && self.wood.at(rook) == piece(us, Role::Rook)
            {
                return Some(Explanation::CastlingIncomplete(*m));
            }
            // The same piece on two squares, or a piece that changed its kind: a reading is missing.
            let origins = std::iter::once((m.from, m.role)).chain(m.rook.map(|(rook, _)| (rook, Role::Rook)));
            for (origin, role) in origins {
                if left == Bitboard::from(origin) && self.wood.at(origin) == piece(us, role) {
                    misread = Some(Explanation::Misread { m: *m, squares: left });
                }
            }
            if left == Bitboard::from(m.to) && at_to.is_occupied() && self.impossible_piece(m, at_to) {
                misread = misread.or(Some(Explanation::Misread { m: *m, squares: left }));
            }
        }
        misread
    }

    /// Whether what stands on the move's landing cannot have come from anywhere on the board.
    fn impossible_piece(&self, m: &Move, seen: Sensed) -> bool {
        let Sensed::Piece(seen) = seen else { return false };
        let had = (self.position.board.by_piece(seen) & !Bitboard::from(m.to)).count();
        let has = (self.wood.known().by_piece(seen) & !Bitboard::from(m.to)).count();
        has >= had
    }

    fn illegal(&self, moves: &[Move], off: Bitboard) -> Option<Illegal> {
        let us = self.position.turn;
        let change = Change::of(&self.position.board, self.wood, off, us);
        if let Some(m) = self.castling_attempt(&change) {
            return Some(Illegal::Castling(m));
        }
        if let Some(squares) = self.two_moves(moves) {
            return Some(Illegal::TwoMoves { squares });
        }
        if let Some(m) = self.moved_into_check() {
            let taken = m.capture.and_then(|square| self.position.board.piece_at(square));
            let piece = Piece { color: us, role: m.role };
            return Some(Illegal::Piece { piece, from: m.from, to: m.to, taken });
        }
        match (change.ours_lost.as_slice(), change.ours_gained.as_slice()) {
            ([from], [to]) if change.foreign_gained.is_empty() => {
                let piece = self.position.board.piece_at(*from)?;
                let left = Bitboard::from(*from) | Bitboard::from(*to);
                let beside: Vec<Square> =
                    change.theirs_lost.iter().copied().filter(|s| !left.contains(*s)).collect();
                let in_hand = beside.iter().all(|s| !self.wood.at(*s).is_occupied());
                if !in_hand
                    || beside.len() > 1
                    || self.wood.at(*to) != Sensed::Piece(piece) && !self.is_vague(*to)
                {
                    return None;
                }
                if let Some(m) = moves
                    .iter()
                    .find(|m| m.from == *from && m.to == *to && m.capture.is_some_and(|c| c != m.to))
                {
                    return Some(Illegal::VictimLeft(*m));
                }
                let taken = self.position.board.piece_at(*to);
                Some(Illegal::Piece { piece, from: *from, to: *to, taken })
            }
            // An own piece stood on the landing.
            ([a, b], [to]) if (a == to || b == to) && change.theirs_lost.is_empty() => {
                let from = if a == to { *b } else { *a };
                let piece = self.position.board.piece_at(from)?;
                let taken = self.position.board.piece_at(*to);
                (self.wood.at(*to) == Sensed::Piece(piece)).then_some(Illegal::Piece {
                    piece,
                    from,
                    to: *to,
                    taken,
                })
            }
            ([], []) | ([_], []) => match (change.theirs_lost.as_slice(), change.foreign_gained.as_slice()) {
                ([from], [to]) if change.ours_lost.iter().all(|s| s == to) => {
                    let piece = self.position.board.piece_at(*from)?;
                    let shows = self.wood.at(*to) == Sensed::Piece(piece) || self.is_vague(*to);
                    shows.then_some(Illegal::OpponentsPiece { piece, from: *from, to: *to })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// A promotion, or a capture en passant, that only the check on the own king forbids: more than
    /// one piece has changed, and the whole of it shows.
    fn moved_into_check(&self) -> Option<Move> {
        let several = |m: &Move| m.promotion.is_some() || m.capture.is_some_and(|square| square != m.to);
        let shows = |m: &Move| self.standing.unexplained(self.wood, &self.position.play(m).board).is_empty();
        self.position.moves_into_check().into_iter().find(|m| several(m) && shows(m))
    }

    fn is_vague(&self, square: Square) -> bool {
        self.wood.at(square) == Sensed::Something
    }

    /// King and rook, or the king alone, moved as in castling.
    fn castling_attempt(&self, change: &Change) -> Option<Move> {
        let us = self.position.turn;
        let king = self.position.board.king_of(us)?;
        if !change.ours_lost.contains(&king) || !change.foreign_gained.is_empty() {
            return None;
        }
        let rooks = self.position.board.rooks() & self.position.board.by_color(us) & us.backrank();
        for rook in rooks.into_iter().filter(|_| king.rank() == us.backrank()) {
            let m = self.position.castling(king, rook);
            let far = u32::from(king.file()).abs_diff(u32::from(m.to.file())) > 1;
            let king_there = self.wood.at(m.to) == piece(us, Role::King) || self.is_vague(m.to);
            let (_, rook_to) = m.rook?;
            let with_rook =
                change.ours_lost == sorted([king, rook]) && change.ours_gained == sorted([m.to, rook_to]);
            let alone =
                change.ours_lost == [king] && change.ours_gained == [m.to] && change.theirs_lost.is_empty();
            // The rook may be in the hand: then the castling is not finished, and not illegal.
            let legal = self.position.castling_fault(&m).is_none();
            if king_there
                && !legal
                && far
                && (with_rook || alone)
                && change.theirs_lost.iter().all(|s| *s == m.to || *s == rook_to)
            {
                return Some(m);
            }
        }
        None
    }

    /// Two of the mover's own moves one after the other.
    fn two_moves(&self, moves: &[Move]) -> Option<[Square; 4]> {
        let us = self.position.turn;
        for m in moves {
            let mut again = self.position.play(m);
            let left = self.standing.unexplained(self.wood, &again.board);
            if left.is_empty() || left.count() > 3 || left.contains(m.to) {
                continue;
            }
            again.turn = us;
            for second in again.legal_moves().iter().filter(|s| left.is_subset(s.changed())) {
                let done = self.standing.unexplained(self.wood, &again.play(second).board);
                if done.is_empty() && second.from != m.to && self.one_after_the_other(m, second) {
                    return Some([m.from, m.to, second.from, second.to]);
                }
            }
        }
        None
    }

    /// Whether the first move was finished before the second was begun.
    fn one_after_the_other(&self, first: &Move, second: &Move) -> bool {
        let times = |squares: Bitboard| {
            let seen = self.contacts.iter().filter(|c| squares.contains(c.square)).map(|c| c.at);
            Some((seen.clone().min()?, seen.max()?))
        };
        match (times(first.changed()), times(second.changed())) {
            (Some((_, end)), Some((begin, _))) => begin > end + ANOTHER_MOVE,
            _ => false,
        }
    }

    /// Whether all that differs after `m` are pieces that cannot be there: nothing is missing
    /// elsewhere from which they could have come.
    fn is_too_much(&self, m: &Move, left: Bitboard) -> bool {
        let after = self.position.play(m);
        (left & !self.wood.occupied()).is_empty()
            && left.into_iter().all(|square| match self.wood.at(square) {
                Sensed::Piece(piece) => {
                    after.board.piece_at(square).is_none()
                        && self.wood.known().by_piece(piece).count() > after.board.by_piece(piece).count()
                }
                _ => false,
            })
    }

    /// A legal move, and other pieces not where they belong.
    fn with_displaced(&self, moves: &[Move]) -> Option<Explanation> {
        let us = self.position.turn;
        let mut best: Option<(Key, Move, Bitboard)> = None;
        for m in moves {
            let after = self.position.play(m);
            let left = self.left_by(m, &after);
            if !(left & m.changed() & !Bitboard::from(m.from)).is_empty() || left.count() > 6 {
                continue;
            }
            // A piece knocked over is knocked by the hand that already carries the other; a piece
            // that seems to stand on two squares came to the second one last.
            let lifted = self.contacts.iter().find(|c| c.square == m.from);
            let landed = self.contacts.iter().rev().find(|c| c.square == m.to);
            let key = (
                left.count(),
                lifted.map_or(Tick::from_us(u64::MAX), |c| c.at),
                Reverse(landed.map_or(Tick::ZERO, |c| c.at)),
            );
            if best.as_ref().is_none_or(|b| key < b.0) {
                best = Some((key, *m, left));
            }
        }
        let (_, m, left) = best?;
        if self.is_too_much(&m, left) {
            return Some(Explanation::Misread { m, squares: left });
        }
        debug_assert!(self.position.board.by_color(us).contains(m.from), "a legal move moves an own piece");
        Some(Explanation::Legal { m, displaced: left })
    }
}

/// What a change of the wood took and gave, by colour.
#[derive(Debug, Default)]
struct Change {
    ours_lost: Vec<Square>,
    ours_gained: Vec<Square>,
    theirs_lost: Vec<Square>,
    foreign_gained: Vec<Square>,
}

impl Change {
    fn of(board: &Board, wood: &Wood, off: Bitboard, us: Color) -> Self {
        let mut out = Change::default();
        let lost_one = (off & board.by_color(us)).any();
        for square in off {
            match board.color_at(square) {
                Some(color) if color == us => out.ours_lost.push(square),
                Some(_) => out.theirs_lost.push(square),
                None => {}
            }
            match wood.at(square) {
                Sensed::Piece(p) if p.color == us => out.ours_gained.push(square),
                Sensed::Piece(_) => out.foreign_gained.push(square),
                // A board that only sees occupancy: it is taken for what was lifted.
                Sensed::Something if lost_one => out.ours_gained.push(square),
                Sensed::Something => out.foreign_gained.push(square),
                Sensed::Empty => {}
            }
        }
        out
    }
}

fn sorted(squares: [Square; 2]) -> Vec<Square> {
    let mut out = squares.to_vec();
    out.sort();
    out
}

fn piece(color: Color, role: Role) -> Sensed {
    Sensed::Piece(Piece { color, role })
}
