//! Illegal moves of many kinds, as steps of a hand.

use shakmaty::{Board, Color, Piece, Rank, Role, Square, attacks};

use super::chess::{self, Mv, Pos};
use super::game::Game;
use super::profile::Fault;

/// What a hand does to one square.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    Lift(Square),
    Set(Square, Piece),
}

/// An illegal move ready to be played.
#[derive(Clone, Debug)]
pub struct Illegal {
    pub what: &'static str,
    pub steps: Vec<Step>,
    pub after: Board,
    pub uci: String,
    pub codes: Vec<&'static str>,
}

fn result(board: &Board, steps: &[Step]) -> Board {
    let mut after = board.clone();
    for step in steps {
        match step {
            Step::Lift(s) => {
                after.discard_piece_at(*s);
            }
            Step::Set(s, p) => {
                after.discard_piece_at(*s);
                after.set_piece_at(*s, *p);
            }
        }
    }
    after
}

impl Game {
    fn made(&self, what: &'static str, steps: Vec<Step>, from: Square, to: Square) -> Illegal {
        let after = result(self.pos.board(), &steps);
        Illegal { what, steps, after, uci: format!("{from}{to}"), codes: vec!["illegal-move"] }
    }

    /// The steps of a move by geometry, in one of the orders of a capture.
    fn steps(&mut self, m: &Mv) -> Vec<Step> {
        let mut steps = vec![Step::Lift(m.from), Step::Set(m.to, m.piece)];
        if m.victim.is_some() && self.rng.percent(60) {
            steps.insert(self.rng.below(2), Step::Lift(m.to));
        }
        steps
    }

    pub fn illegal(&mut self, fault: Fault) -> Option<Illegal> {
        let us = self.pos.turn();
        let board = self.pos.board().clone();
        let all = match fault {
            Fault::SelfCheck => self.self_checks(&board, us),
            Fault::Geometry | Fault::Jump => self.wrong_ways(&board, us, fault == Fault::Jump),
            Fault::OwnCapture => self.own_captures(&board, us),
            Fault::OpponentsPiece => self.theirs(&board, us),
            Fault::Castling => self.castlings(&board, us),
            Fault::EpVictimLeft => self.victims_left(),
            Fault::EpNotAllowed => self.no_en_passant(&board, us),
            Fault::WrongPromotion => self.wrong_promotions(us),
            Fault::TwoMoves => self.two_moves(us),
            _ => Vec::new(),
        };
        let fits = |i: &Illegal| {
            i.after.kings().count() == 2 && i.after != board && !chess::is_legal_result(&self.pos, &i.after)
        };
        let all: Vec<Illegal> = all.into_iter().filter(fits).collect();
        self.rng.pick(&all).cloned()
    }

    fn self_checks(&mut self, board: &Board, us: Color) -> Vec<Illegal> {
        let last = us.relative_rank(Rank::Eighth);
        let pseudo = chess::pseudo(board, us);
        let mut out = Vec::new();
        for m in pseudo {
            let mut after = board.clone();
            m.apply(&mut after);
            if chess::king_attacked(&after, us) && !(m.piece.role == Role::Pawn && m.to.rank() == last) {
                let steps = self.steps(&m);
                out.push(self.made("leaves the king in check", steps, m.from, m.to));
            }
        }
        out
    }

    fn wrong_ways(&mut self, board: &Board, us: Color, jump: bool) -> Vec<Illegal> {
        let mut out = Vec::new();
        for from in board.by_color(us) {
            let piece = board.piece_at(from).expect("occupied");
            let right = attacks::attacks(from, piece, board.occupied());
            let free = attacks::attacks(from, piece, shakmaty::Bitboard::EMPTY);
            for to in !board.by_color(us) & !board.kings() {
                let jumps = free.contains(to) && !right.contains(to);
                if right.contains(to) || to == from || jumps != jump {
                    continue;
                }
                let edge = to.rank() == Rank::First || to.rank() == Rank::Eighth;
                // Pawns: neither promotions nor what pawns may do; kings: nothing like castling.
                if piece.role == Role::Pawn && (edge || from.file() == to.file() || jump) {
                    continue;
                }
                if piece.role == Role::Pawn && from.distance(to) == 1 && board.piece_at(to).is_none() {
                    continue;
                }
                if piece.role == Role::King && from.rank() == to.rank() {
                    continue;
                }
                let m = chess::plain(board, from, to);
                let steps = self.steps(&m);
                let what = if jump { "jumps over pieces" } else { "does not move like that" };
                out.push(self.made(what, steps, from, to));
            }
        }
        out
    }

    fn own_captures(&mut self, board: &Board, us: Color) -> Vec<Illegal> {
        let mut out = Vec::new();
        for from in board.by_color(us) {
            let piece = board.piece_at(from).expect("occupied");
            if piece.role == Role::Pawn {
                continue;
            }
            let targets = attacks::attacks(from, piece, board.occupied());
            for to in targets & board.by_color(us) & !board.kings() {
                // Taking a twin looks like a piece in hand; hands alone tell.
                if board.piece_at(to) == Some(piece) {
                    continue;
                }
                let m = chess::plain(board, from, to);
                let steps = self.steps(&m);
                out.push(self.made("captures an own piece", steps, from, to));
            }
        }
        out
    }

    fn theirs(&mut self, board: &Board, us: Color) -> Vec<Illegal> {
        let mut out = Vec::new();
        let last = [Rank::First, Rank::Eighth];
        for m in chess::pseudo(board, !us) {
            if m.victim.is_some() || m.piece.role == Role::Pawn && last.contains(&m.to.rank()) {
                continue;
            }
            let steps = self.steps(&m);
            let codes = vec!["illegal-move", "displaced-pieces", "out-of-turn"];
            out.push(Illegal { codes, ..self.made("moves the opponent's piece", steps, m.from, m.to) });
        }
        out
    }

    fn castlings(&mut self, board: &Board, us: Color) -> Vec<Illegal> {
        let mut out = Vec::new();
        let rank = us.fold_wb(0, 56);
        let king = Square::new(rank + 4);
        if board.piece_at(king) != Some(Piece { color: us, role: Role::King }) {
            return out;
        }
        let legal = self.pos.moves(false);
        for (rook, to, rook_to) in [(7, 6, 5), (0, 2, 3)] {
            let [rook, to, rook_to] = [rook, to, rook_to].map(|f| Square::new(rank + f));
            let castled = |m: &Mv| m.rook.is_some_and(|(r, _)| r == rook);
            let blocked = (attacks::between(king, rook) & board.occupied()).any();
            let rook_piece = Piece { color: us, role: Role::Rook };
            if board.piece_at(rook) != Some(rook_piece) || blocked || legal.iter().any(castled) {
                continue;
            }
            let king_piece = Piece { color: us, role: Role::King };
            let steps = vec![
                Step::Lift(king),
                Step::Set(to, king_piece),
                Step::Lift(rook),
                Step::Set(rook_to, rook_piece),
            ];
            out.push(self.made("castles though it is not allowed", steps, king, to));
        }
        out
    }

    fn victims_left(&mut self) -> Vec<Illegal> {
        let moves = self.pos.moves(false);
        let ep = moves.into_iter().filter(|m| m.victim.is_some_and(|v| v != m.to));
        ep.map(|m| {
            let steps = vec![Step::Lift(m.from), Step::Set(m.to, m.piece)];
            self.made("leaves the pawn it took en passant", steps, m.from, m.to)
        })
        .collect()
    }

    fn no_en_passant(&mut self, board: &Board, us: Color) -> Vec<Illegal> {
        let mut out = Vec::new();
        let pawn = Piece { color: us, role: Role::Pawn };
        let fifth = us.relative_rank(Rank::Fifth);
        for from in board.by_piece(pawn) {
            if from.rank() != fifth {
                continue;
            }
            for to in attacks::pawn_attacks(us, from) & !board.occupied() {
                let victim = Square::from_coords(to.file(), from.rank());
                if board.piece_at(victim) != Some(Piece { color: !us, role: Role::Pawn }) {
                    continue;
                }
                let steps = vec![Step::Lift(from), Step::Set(to, pawn), Step::Lift(victim)];
                out.push(self.made("takes en passant though it may not", steps, from, to));
            }
        }
        out
    }

    fn wrong_promotions(&mut self, us: Color) -> Vec<Illegal> {
        let queens = self.pos.moves(false).into_iter().filter(|m| m.promotion == Some(Role::Queen));
        let queens: Vec<Mv> = queens.collect();
        let mut out = Vec::new();
        for m in queens {
            let put = Piece { color: !us, role: self.rng.one_of(&[Role::Queen, Role::Rook, Role::Knight]) };
            // The captured piece put back while the pawn goes off is another story.
            if m.victim.and_then(|v| self.pos.board().piece_at(v)) == Some(put) {
                continue;
            }
            let mut steps = vec![Step::Lift(m.from), Step::Set(m.to, put)];
            if m.victim.is_some() {
                steps.insert(0, Step::Lift(m.to));
            }
            out.push(self.made("promotes to a piece of the wrong colour", steps, m.from, m.to));
        }
        out
    }

    fn two_moves(&mut self, us: Color) -> Vec<Illegal> {
        let mut out = Vec::new();
        let quiet = |m: &Mv| m.victim.is_none() && m.promotion.is_none() && m.rook.is_none();
        let firsts: Vec<Mv> = self.pos.moves(false).into_iter().filter(quiet).collect();
        let Some(first) = self.rng.pick(&firsts).cloned() else { return out };
        let mut board = self.pos.board().clone();
        first.apply(&mut board);
        let second: Vec<Mv> = Pos::odd(board, us).moves(false).into_iter().filter(quiet).collect();
        for second in second {
            if (second.changed() & first.changed()).any() {
                continue;
            }
            let steps = vec![
                Step::Lift(first.from),
                Step::Set(first.to, first.piece),
                Step::Lift(second.from),
                Step::Set(second.to, second.piece),
            ];
            let codes = vec!["illegal-move", "displaced-pieces"];
            let made = self.made("makes two moves in one", steps, second.from, second.to);
            out.push(Illegal { codes, ..made });
        }
        out
    }
}
