//! The duty of the move that replaces one taken back: what was touched must move or be captured,
//! in the order it was touched, as far as it can (FIDE 4.3 to 4.7).
//!
//! Sensors prove lifts, not touches; contacts that were accidents are struck out by the arbiter and
//! the duty is found anew.

use std::collections::BTreeSet;

use shakmaty::{Color, Piece, Role, Square};

use super::Touch;
use crate::game::{Move, Position};
use crate::laws::ruleset::Topic;

/// A piece that stands for less was not released: it slid.
const RESTED_MS: u64 = 500;

/// What the next move must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duty {
    /// Who.
    pub by: Color,
    /// By which rule.
    pub rule: Topic,
    /// Pieces that must move.
    pub must_move: Vec<Square>,
    /// Pieces that must be captured.
    pub must_capture: Vec<Square>,
    /// All legal moves that satisfy it, as `e1e2`, sorted.
    pub legal: Vec<String>,
}

/// The duty from `before` after `touches`, without those whose places in the list are `struck`.
#[must_use]
pub fn duty(before: &Position, touches: &[Touch], struck: &BTreeSet<usize>) -> Duty {
    let kept: Vec<Touch> =
        touches.iter().enumerate().filter(|(place, _)| !struck.contains(place)).map(|(_, t)| *t).collect();
    let moves = before.legal_moves();
    Hand { before, moves: &moves, touched: Vec::new(), held: Vec::new(), king_to: None }.follow(&kept)
}

impl Duty {
    /// One exact move, as after two hands or a piece released.
    #[must_use]
    pub fn same_move(before: &Position, m: &Move) -> Duty {
        let choice = Choice {
            rule: Topic::DutyReleased,
            must_move: vec![m.from],
            must_capture: vec![],
            moves: vec![*m],
        };
        choice.written(before)
    }

    /// Any legal move.
    pub(in crate::laws) fn free(before: &Position, rule: Topic) -> Duty {
        let moves = before.legal_moves();
        Choice { rule, must_move: vec![], must_capture: vec![], moves }.written(before)
    }

    /// Whether it allows `m`.
    pub(in crate::laws) fn allows(&self, m: &Move) -> bool {
        self.legal.contains(&written(m))
    }
}

/// A move as files write it: castling as king takes rook only where king or
/// rook do not stand as in the array.
fn written(m: &Move) -> String {
    let odd = m.rook.is_some_and(|(rook, _)| {
        m.from.file() != shakmaty::File::E || !matches!(rook.file(), shakmaty::File::A | shakmaty::File::H)
    });
    if odd { m.uci_chess960() } else { m.uci() }
}

/// A duty before it is written down.
struct Choice {
    rule: Topic,
    must_move: Vec<Square>,
    must_capture: Vec<Square>,
    moves: Vec<Move>,
}

impl Choice {
    fn written(self, before: &Position) -> Duty {
        let mut legal: Vec<String> = self.moves.iter().map(written).collect();
        legal.sort_unstable();
        Duty {
            by: before.turn,
            rule: self.rule,
            must_move: self.must_move,
            must_capture: self.must_capture,
            legal,
        }
    }
}

/// A hand over the board: what it has touched so far, and what it holds.
struct Hand<'a> {
    before: &'a Position,
    moves: &'a [Move],
    touched: Vec<(Square, Piece)>,
    /// Pieces in the air or on the way: where they stand now, if anywhere, and where they came from.
    held: Vec<(Option<Square>, Square, Piece)>,
    /// Where the king was last put down.
    king_to: Option<Square>,
}

impl Hand<'_> {
    fn follow(mut self, touches: &[Touch]) -> Duty {
        for (place, touch) in touches.iter().enumerate() {
            if touch.lifted {
                self.lift(touch);
            } else if let Some(choice) = self.put(touch, &touches[place + 1..]) {
                return choice.written(self.before);
            }
        }
        self.choice().written(self.before)
    }

    fn lift(&mut self, touch: &Touch) {
        if let Some(held) = self.held.iter_mut().find(|(at, _, _)| *at == Some(touch.square)) {
            held.0 = None;
            return;
        }
        self.held.push((None, touch.square, touch.piece));
        let stood = self.before.board.piece_at(touch.square) == Some(touch.piece);
        // The opponent's king cannot be captured: touching him binds nobody.
        let binds = touch.piece.color == self.before.turn || touch.piece.role != Role::King;
        if stood && binds && !self.touched.iter().any(|(square, _)| *square == touch.square) {
            self.touched.push((touch.square, touch.piece));
        }
    }

    /// A piece is put down; the duty, if that was a release that cannot be taken back.
    fn put(&mut self, touch: &Touch, later: &[Touch]) -> Option<Choice> {
        let us = self.before.turn;
        let place = self.held.iter().rposition(|(at, _, piece)| at.is_none() && *piece == touch.piece);
        let from = match place {
            Some(place) => {
                self.held[place].0 = Some(touch.square);
                self.held[place].1
            }
            // A piece from beside the board: the pawn in the hand is being promoted.
            None => {
                let pawn = Piece { color: us, role: Role::Pawn };
                self.held.iter().rfind(|(_, _, piece)| *piece == pawn)?.1
            }
        };
        if touch.piece.color != us || from == touch.square {
            return None;
        }
        if touch.piece.role == Role::King {
            self.king_to = Some(touch.square);
        }
        let left = later.iter().find(|next| next.lifted && next.square == touch.square);
        if let (Some(put), Some(gone)) = (touch.at_ms, left.and_then(|next| next.at_ms))
            && gone.saturating_sub(put) < RESTED_MS
        {
            return None;
        }
        if touch.piece.role == Role::Rook && self.castling().is_some() {
            return None;
        }
        let fits = |m: &&Move| {
            let pawn_waits = m.promotion.is_some() && touch.piece.role == Role::Pawn;
            let shows = m.promotion.unwrap_or(m.role) == touch.piece.role;
            m.from == from && m.to == touch.square && (shows || pawn_waits)
        };
        let allowed = self.choice().moves;
        let moves: Vec<Move> = allowed.iter().filter(fits).copied().collect();
        let first = moves.first()?;
        let chosen = first.promotion.is_some() && moves.len() == 1;
        let rule = if chosen { Topic::DutyPromotion } else { Topic::DutyReleased };
        Some(Choice { rule, must_move: vec![first.from], must_capture: vec![], moves })
    }

    fn only(&self, keep: impl Fn(&Move) -> bool) -> Vec<Move> {
        self.moves.iter().filter(|m| keep(m)).copied().collect()
    }

    fn own(&self) -> Vec<(Square, Piece)> {
        self.touched.iter().filter(|(_, piece)| piece.color == self.before.turn).copied().collect()
    }

    /// Castling was meant: the king's square, the rook's, and whether the rook came first.
    fn castling(&self) -> Option<(Square, Square, bool)> {
        match self.own()[..] {
            [(king, Piece { role: Role::King, .. }), (rook, Piece { role: Role::Rook, .. }), ..] => {
                Some((king, rook, false))
            }
            [(rook, Piece { role: Role::Rook, .. }), (king, Piece { role: Role::King, .. }), ..] => {
                Some((king, rook, true))
            }
            [(king, Piece { role: Role::King, .. }), ..] => {
                // The king alone went two squares along his rank.
                let to = self
                    .king_to
                    .filter(|to| to.rank() == king.rank() && to.file().distance(king.file()) == 2)?;
                let file = if to.file() > king.file() { shakmaty::File::H } else { shakmaty::File::A };
                let corner = Square::from_coords(file, king.rank());
                let rook = Piece { color: self.before.turn, role: Role::Rook };
                let at_home = king.rank() == self.before.turn.backrank();
                (at_home && self.before.board.piece_at(corner) == Some(rook)).then_some((king, corner, false))
            }
            _ => None,
        }
    }

    fn choice(&self) -> Choice {
        let choice = |rule, must_move, must_capture, moves| Choice { rule, must_move, must_capture, moves };
        if let Some((king, rook, rook_first)) = self.castling() {
            return self.castled(king, rook, rook_first);
        }
        let own = self.own();
        let enemy = self.touched.iter().find(|(_, piece)| piece.color != self.before.turn);
        let rule = match (own.first(), enemy) {
            (Some(_), Some(_)) => Topic::DutyBoth,
            (None, Some(_)) => Topic::DutyEnemy,
            _ => Topic::DutyOwn,
        };
        if let (Some((from, _)), Some((to, _))) = (own.first(), enemy) {
            let captures = self.only(|m| m.from == *from && m.capture == Some(*to));
            if !captures.is_empty() {
                return choice(rule, vec![*from], vec![*to], captures);
            }
        }
        for (square, piece) in &self.touched {
            let ours = piece.color == self.before.turn;
            let moves = match ours {
                true => self.only(|m| m.from == *square),
                false => self.only(|m| m.capture == Some(*square)),
            };
            if !moves.is_empty() {
                let (must_move, must_capture) =
                    if ours { (vec![*square], vec![]) } else { (vec![], vec![*square]) };
                return choice(rule, must_move, must_capture, moves);
            }
        }
        choice(Topic::DutyVoid, vec![], vec![], self.moves.to_vec())
    }

    fn castled(&self, king: Square, rook: Square, rook_first: bool) -> Choice {
        let choice = |rule, must_move, moves| Choice { rule, must_move, must_capture: vec![], moves };
        let castles = |m: &Move| m.rook.is_some_and(|(from, _)| from == rook);
        let of_the_king = self.only(|m| m.from == king && !castles(m));
        if rook_first {
            let of_the_rook = self.only(|m| m.from == rook && !castles(m));
            if !of_the_rook.is_empty() {
                return choice(Topic::DutyRookFirst, vec![rook], of_the_rook);
            }
            if !of_the_king.is_empty() {
                return choice(Topic::DutyRookFirst, vec![king], of_the_king);
            }
            return choice(Topic::DutyVoid, vec![], self.only(|m| !castles(m)));
        }
        let castle = self.only(castles);
        if !castle.is_empty() {
            return choice(Topic::DutyCastling, vec![king], castle);
        }
        if !of_the_king.is_empty() {
            return choice(Topic::DutyKingFirst, vec![king], of_the_king);
        }
        choice(Topic::DutyKingFirst, vec![], self.moves.to_vec())
    }
}
