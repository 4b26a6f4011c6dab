//! What the tracker does when a press was not explained by any story in time.

use shakmaty::{Bitboard, Color, Role, Square};

use super::explain::{Explanation, Illegal, Scene};
use super::gap;
use super::ply::{Completed, PlyKind};
use super::position::{Move, Position};
use super::record::Completion;
use super::told::{Matter, Moment, Told};
use super::tracker::{AIR, AIR_UNPROVEN, LastCommit, MISREAD, Now, Press, Tracker, Unseen};
use crate::events::Sensed;
use crate::tick::{Span, Tick};

impl Tracker {
    /// The deadline after a press: explain what stands there, or wait where that is right.
    pub(super) fn judge(&mut self, now: Now<'_>, out: &mut Vec<Told>) {
        let Some(press) = self.press else { return };
        let position = self.record.end().clone();
        if position.turn != press.side {
            self.judge_wrong_turn(now, press, out);
            return;
        }
        let explained = self.explain(now, &position);
        let in_air = matches!(explained, Explanation::InAir { .. });
        if !in_air && self.try_resolve_at_last(now, press, out) {
            return;
        }
        match explained {
            Explanation::InAir { .. } if self.wait_for_landing(now, press) => return,
            Explanation::InAir { .. } if self.try_resolve_at_last(now, press, out) => return,
            Explanation::InAir { lifted } => {
                self.vanished(now, press, lifted, out);
                return;
            }
            Explanation::Legal { displaced, .. } if displaced.any() && self.two_plies(now, press, out) => {
                return;
            }
            Explanation::Illegal(_) | Explanation::Unexplained { .. } if self.two_plies(now, press, out) => {
                return;
            }
            Explanation::Legal { displaced, .. } if displaced.any() && self.lands_late(now, press) => return,
            Explanation::Illegal(_) | Explanation::Unexplained { .. } if self.lands_late(now, press) => {
                return;
            }
            Explanation::NoMove if self.came_from_nowhere(now, &position) => {
                self.press = None;
                self.wants_dump = true;
                self.unseen = Some(Unseen { plies: Some(1), tries: 0 });
                return;
            }
            Explanation::Misread { m, squares }
                if squares != Bitboard::from(m.from) && now.at.since(press.at) < MISREAD =>
            {
                self.wants_dump = true;
                self.judge_at = Some(press.at + MISREAD);
                return;
            }
            Explanation::Unexplained { .. } if now.at.since(press.at) < MISREAD => {
                self.wants_dump = true;
                self.judge_at = Some(press.at + MISREAD);
                return;
            }
            _ => {}
        }
        self.press = None;
        self.settle_press(now, press, &position, explained, out);
    }

    /// Move and reply came within one look at the squares: exactly one pair explains the wood.
    fn two_plies(&mut self, now: Now<'_>, press: Press, out: &mut Vec<Told>) -> bool {
        let Some(pair) = gap::only_pair(self.record.end(), now.line.wood(), &self.standing) else {
            return false;
        };
        let (contacts, first) = (self.contacts(now), pair[0]);
        self.press = None;
        self.add(now, &first, Completed::Press, Some(press.at), &contacts, Bitboard::EMPTY, out);
        self.rebase(now);
        true
    }

    /// The lever went over again: what is still open is settled with what is there.
    pub(super) fn force_judge(&mut self, now: Now<'_>, out: &mut Vec<Told>) {
        let Some(press) = self.press.take() else { return };
        self.judge_at = None;
        let position = self.record.end().clone();
        if position.turn != press.side {
            return;
        }
        let explained = self.explain(now, &position);
        if !matches!(explained, Explanation::Legal { displaced, .. } if displaced.is_empty())
            && self.two_plies(now, press, out)
        {
            return;
        }
        match explained {
            Explanation::InAir { .. } | Explanation::Unexplained { .. } => {
                self.unseen = Some(Unseen { plies: Some(1), tries: 0 });
                self.doubt();
            }
            explained => self.settle_press(now, press, &position, explained, out),
        }
    }

    /// The opponent has answered already, and the mover's piece was not seen to land: a reading is
    /// missing, which all squares will show.
    fn lands_late(&mut self, now: Now<'_>, press: Press) -> bool {
        if !gap::is_answered_in_the_air(self.record.end(), now.line.wood(), &self.standing) {
            return false;
        }
        if !self.wait_for_landing(now, press) {
            self.press = None;
            self.unseen = Some(Unseen { plies: Some(1), tries: 0 });
        }
        true
    }

    fn wait_for_landing(&mut self, now: Now<'_>, press: Press) -> bool {
        self.wants_dump |= !press.in_air;
        self.press = Some(Press { in_air: true, ..press });
        let last = if press.proven { AIR } else { AIR_UNPROVEN };
        for until in [AIR, last] {
            if now.at.since(press.at) < until {
                self.judge_at = Some(press.at + until);
                return true;
            }
        }
        false
    }

    /// A piece was lifted, the clock pressed, and nothing has landed for seconds.
    fn vanished(&mut self, now: Now<'_>, press: Press, lifted: Bitboard, out: &mut Vec<Told>) {
        let before = self.record.end().clone();
        let contacts = self.contacts(now);
        let plies = self.record.len();
        let seventh = before.turn.relative_rank(shakmaty::Rank::Seventh);
        let pawn = (lifted & before.board.pawns() & Bitboard::from(seventh)).into_iter().next();
        let queen = pawn.and_then(|from| {
            let fits =
                |m: &&Move| m.from == from && m.promotion == Some(Role::Queen) && self.is_vacant(now, m);
            before.legal_moves().iter().find(fits).copied()
        });
        self.press = None;
        if let Some(m) = queen {
            self.settle_press(now, press, &before, Explanation::Unpromoted(m), out);
            return;
        }
        // The piece may still land; the move is then completed without another word.
        let matter = Matter::Action(Explanation::InAir { lifted });
        let moment = Moment::Press(press.side);
        self.tell(now, moment, Some(press.side), Some(press.at), &before, plies, &contacts, matter, out);
        self.press = Some(Press { told: true, ..press });
    }

    fn is_vacant(&self, now: Now<'_>, m: &Move) -> bool {
        !now.line.wood().at(m.to).is_occupied()
    }

    /// The side that is not on move pressed.
    fn judge_wrong_turn(&mut self, now: Now<'_>, press: Press, out: &mut Vec<Told>) {
        self.press = None;
        let end = self.record.end().clone();
        if let Some(entry) = self.record.last_mut()
            && entry.ply.side == press.side
            && entry.ply.pressed_at.is_none()
        {
            // A late press for a move that the opponent has already answered (6.2.2).
            entry.ply.pressed_at = Some(press.at);
            return;
        }
        // What the side on move has begun is no matter of this press.
        let placed = now.line.wood().known().by_color(press.side) & !end.board.by_color(press.side);
        if (self.standing.unexplained(now.line.wood(), &end.board) & placed).is_empty() {
            return;
        }
        let squares = self.standing.unexplained(now.line.wood(), &end.board);
        let contacts = self.contacts(now);
        let plies = self.record.len();
        let out_of_turn = self.is_move_of(now, &end, press.side);
        let matter = Matter::Displaced { squares, out_of_turn };
        let moment = Moment::Press(press.side);
        self.tell(now, moment, Some(press.side), Some(press.at), &end, plies, &contacts, matter, out);
        self.adopt(now, end.turn);
    }

    /// Whether the wood shows one whole move of `side` although it is not its turn.
    pub(super) fn is_move_of(&self, now: Now<'_>, end: &Position, side: Color) -> bool {
        let turned = Position { turn: side, ep: None, ..end.clone() };
        turned
            .legal_moves()
            .iter()
            .any(|m| self.standing.unexplained(now.line.wood(), &turned.play(m).board).is_empty())
    }

    /// The board is as it is: the record goes on from the wood.
    pub(super) fn adopt(&mut self, now: Now<'_>, turn: Color) {
        let end = self.record.end().clone();
        let position = self.wood_position(now, &end, turn, Bitboard::EMPTY);
        self.record.anchor(position);
        self.standing.clear();
        self.doubt();
        self.since = now.at + Span::from_us(1);
        self.rebase(now);
    }

    /// The wood as a position; pieces on `in_hand` squares are put back in thought.
    fn wood_position(&self, now: Now<'_>, end: &Position, turn: Color, in_hand: Bitboard) -> Position {
        let wood = now.line.wood();
        let mut board = wood.known().clone();
        for square in wood.unknown() {
            // A board that only sees occupancy: what the record has there, or a pawn.
            let piece = end.board.piece_at(square).or_else(|| {
                let gone = end.board.occupied() & !wood.occupied();
                gone.into_iter().next().and_then(|s| end.board.piece_at(s))
            });
            if let Some(piece) = piece {
                board.set_piece_at(square, piece);
            }
        }
        for square in in_hand {
            board.discard_piece_at(square);
            if let Some(piece) = end.board.piece_at(square) {
                board.set_piece_at(square, piece);
            }
        }
        Position::from_wood(board, turn, end.castles, end)
    }

    fn settle_press(
        &mut self,
        now: Now<'_>,
        press: Press,
        before: &Position,
        explained: Explanation,
        out: &mut Vec<Told>,
    ) {
        let contacts = self.contacts(now);
        let plies = self.record.len();
        match explained {
            // The wood with known differences as a position of its own: a piece that was displaced
            // long ago and has now moved on is a move from where it stood.
            Explanation::Illegal(_) | Explanation::Unexplained { .. }
                if self.moved_displaced(now, press, before, out) => {}
            Explanation::NoMove => self.no_move(now, press, before, out),
            Explanation::Legal { m, displaced } => {
                self.add(now, &m, Completed::Press, Some(press.at), &contacts, displaced, out);
                self.rebase(now);
            }
            Explanation::Misread { m, squares } => {
                self.add(now, &m, Completed::Press, Some(press.at), &contacts, Bitboard::EMPTY, out);
                self.standing.accept(squares, now.line.wood());
                self.doubt();
                let matter = Matter::Action(Explanation::Misread { m, squares });
                self.tell(now, Moment::Rest, None, Some(press.at), before, plies, &contacts, matter, out);
                self.rebase(now);
            }
            Explanation::CastlingIncomplete(m) => {
                let how = self.completion(now, press.at);
                let fixed = m.rook.map_or(Bitboard::EMPTY, |(a, b)| Bitboard::from(a) | Bitboard::from(b));
                self.record.push_move(&m, how);
                self.dispute(now, press, before, fixed, Explanation::CastlingIncomplete(m), out);
            }
            Explanation::Unpromoted(m) => {
                let how = self.completion(now, press.at);
                self.record.push_move(&m, how);
                if let Some(entry) = self.record.last_mut() {
                    entry.ply.kind = PlyKind::PromotionUnknown;
                }
                self.dispute(now, press, before, Bitboard::from(m.to), Explanation::Unpromoted(m), out);
            }
            Explanation::Illegal(illegal) => self.illegal(now, press, before, illegal, out),
            Explanation::InAir { .. } => {}
            Explanation::Unexplained { squares } => self.unexplained(now, press, before, squares, out),
        }
    }

    fn completion(&self, now: Now<'_>, pressed_at: Tick) -> Completion {
        Completion {
            by: Completed::Press,
            placed_at: self.contacts(now).last().map(|c| c.at),
            pressed_at: Some(pressed_at),
            dials: now.line.clock().map(|c| c.dials()),
        }
    }

    /// The last ply is one that an arbiter may undo; `fixed` squares are known to differ.
    fn dispute(
        &mut self,
        now: Now<'_>,
        press: Press,
        before: &Position,
        fixed: Bitboard,
        explained: Explanation,
        out: &mut Vec<Told>,
    ) {
        let contacts = self.contacts(now);
        let index = self.record.len().saturating_sub(1);
        if let Some(entry) = self.record.last_mut() {
            entry.disputed = true;
            entry.ply.press_inferred = now.line.press_was_inferred(press.at);
        }
        out.push(Told::Ply(index));
        if self.is_doubted() {
            self.doubt();
        }
        self.standing.accept(fixed, now.line.wood());
        let matter = Matter::Action(explained);
        let moment = Moment::Press(press.side);
        let key =
            self.tell(now, moment, Some(press.side), Some(press.at), before, index, &contacts, matter, out);
        let after = self.after_last_own(now, press.side);
        let since = std::mem::replace(&mut self.since, after);
        self.last_commit = Some(LastCommit { at: press.at, key: Some(key), since, standing_added: fixed });
        self.rebase(now);
    }

    /// Just after the last contact that the presser can have made; the opponent may have begun.
    fn after_last_own(&self, now: Now<'_>, side: Color) -> Tick {
        let own = |seen: Sensed| matches!(seen, Sensed::Piece(p) if p.color == side);
        let last =
            now.line.contacts_since(self.since).filter(|c| own(c.was) || own(c.now)).map(|c| c.at).max();
        last.map_or(self.since, |at| at + Span::from_us(1))
    }

    fn no_move(&mut self, now: Now<'_>, press: Press, before: &Position, out: &mut Vec<Told>) {
        let plies = self.record.len();
        let disputed =
            self.record.entries().last().filter(|e| (e.disputed || e.displaced) && e.ply.side != press.side);
        if let Some(entry) = disputed {
            // The lever goes back, or the opponent protests by pressing (never an offence by itself).
            if entry.ply.kind == PlyKind::Null {
                let before = entry.before.clone();
                self.record.truncate(plies - 1);
                out.push(Told::Retracted(plies - 1));
                let matter = Matter::LeverBack;
                self.tell(
                    now,
                    Moment::Press(press.side),
                    None,
                    Some(press.at),
                    &before,
                    plies - 1,
                    &[],
                    matter,
                    out,
                );
                self.rebase(now);
            }
            return;
        }
        let how = self.completion(now, press.at);
        self.record.push_null(how);
        self.dispute(now, press, before, Bitboard::EMPTY, Explanation::NoMove, out);
    }

    fn illegal(
        &mut self,
        now: Now<'_>,
        press: Press,
        before: &Position,
        illegal: Illegal,
        out: &mut Vec<Told>,
    ) {
        let how = self.completion(now, press.at);
        // What the opponent has lifted meanwhile is in his hand, not gone.
        let off = self.standing.unexplained(now.line.wood(), &before.board);
        let part = involved(&illegal);
        let contacts = self.contacts(now);
        let scene = Scene {
            position: before,
            standing: &self.standing,
            wood: now.line.wood(),
            contacts: &contacts,
            pressed_at: Some(press.at),
        };
        let lifted = !now.line.wood().occupied() & before.board.by_color(!before.turn);
        let in_hand = off & (lifted | scene.replied()) & !part;
        let after = self.wood_position(now, before, !before.turn, in_hand);
        let (from, to) = tried(&illegal);
        let taken = if before.board.piece_at(to).is_some() { "x" } else { "-" };
        let letter = before
            .board
            .role_at(from)
            .filter(|r| *r != Role::Pawn)
            .map_or(String::new(), |r| r.upper_char().to_string());
        self.record.push_other(
            PlyKind::Illegal,
            format!("{from}{to}"),
            format!("{letter}{from}{taken}{to}"),
            after,
            how,
        );
        self.standing.clear();
        self.dispute(now, press, before, Bitboard::EMPTY, Explanation::Illegal(illegal), out);
    }

    fn unexplained(
        &mut self,
        now: Now<'_>,
        press: Press,
        before: &Position,
        squares: Bitboard,
        out: &mut Vec<Told>,
    ) {
        let how = self.completion(now, press.at);
        let placed = squares & now.line.wood().occupied();
        let gone = squares & before.board.by_color(before.turn) & !placed;
        let to = placed.into_iter().next_back().unwrap_or(Square::A1);
        let from = gone.into_iter().next().unwrap_or(to);
        let after = self.wood_position(now, before, !before.turn, Bitboard::EMPTY);
        self.record.push_other(PlyKind::Illegal, format!("{from}{to}"), format!("{from}-{to}"), after, how);
        self.standing.clear();
        self.dispute(now, press, before, Bitboard::EMPTY, Explanation::Unexplained { squares }, out);
    }

    /// A legal move from where the pieces really stood.
    fn moved_displaced(
        &mut self,
        now: Now<'_>,
        press: Press,
        before: &Position,
        out: &mut Vec<Told>,
    ) -> bool {
        if self.standing.is_empty() {
            return false;
        }
        let Some((from, m)) = self.move_of_displaced(now, before) else { return false };
        self.record.anchor(from);
        self.standing.clear();
        let contacts = self.contacts(now);
        self.add(now, &m, Completed::Press, Some(press.at), &contacts, Bitboard::EMPTY, out);
        self.rebase(now);
        true
    }

    fn move_of_displaced(&self, now: Now<'_>, before: &Position) -> Option<(Position, Move)> {
        let mut board = before.board.clone();
        for (square, seen) in self.standing.list() {
            board.discard_piece_at(*square);
            if let Sensed::Piece(piece) = seen {
                board.set_piece_at(*square, *piece);
            }
        }
        let from = Position { board, ..before.clone() };
        let m = from
            .legal_moves()
            .into_iter()
            .find(|m| now.line.wood().differs(&from.play(m).board).is_empty())?;
        Some((from, m))
    }
}

/// The from and to squares that stand for an illegal ply in the record.
fn tried(illegal: &Illegal) -> (Square, Square) {
    match illegal {
        Illegal::Piece { from, to, .. } | Illegal::OpponentsPiece { from, to, .. } => (*from, *to),
        Illegal::Castling(m) | Illegal::VictimLeft(m) | Illegal::WrongPromotion { m, .. } => (m.from, m.to),
        Illegal::TwoMoves { squares } => (squares[2], squares[3]),
    }
}

/// The squares an illegal action concerns.
fn involved(illegal: &Illegal) -> Bitboard {
    match illegal {
        Illegal::Piece { piece, from, to, .. } => {
            // A pawn that takes en passant though it may not takes the pawn beside it away.
            let aside = piece.role == Role::Pawn && from.file() != to.file();
            let beside = if aside {
                Bitboard::from(Square::from_coords(to.file(), from.rank()))
            } else {
                Bitboard::EMPTY
            };
            Bitboard::from(*from) | Bitboard::from(*to) | beside
        }
        Illegal::OpponentsPiece { from, to, .. } => Bitboard::from(*from) | Bitboard::from(*to),
        Illegal::Castling(m) | Illegal::VictimLeft(m) | Illegal::WrongPromotion { m, .. } => m.changed(),
        Illegal::TwoMoves { squares } => {
            squares.iter().map(|s| Bitboard::from(*s)).fold(Bitboard::EMPTY, |a, b| a | b)
        }
    }
}
