//! A position to play from, legal or not.
//!
//! After an illegal move that stands, or with two queens too many, play goes on. So moves are
//! generated here from any placement that has pieces at all; for legal positions the result is the
//! same as shakmaty's (a property test compares them).

use std::num::NonZeroU32;

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, File, Piece, Position as _, Rank, Role,
    Setup, Square, attacks, fen::Fen, san::SanPlus,
};

/// A move of one side, with everything it changes on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where the piece comes from.
    pub from: Square,
    /// Where it goes; for castling the king's destination.
    pub to: Square,
    /// What moves; for castling the king.
    pub role: Role,
    /// The square of the captured piece, if any (en passant: not `to`).
    pub capture: Option<Square>,
    /// What the pawn becomes.
    pub promotion: Option<Role>,
    /// The rook's squares, when castling.
    pub rook: Option<(Square, Square)>,
}

impl Move {
    /// The squares whose occupant changes.
    #[must_use]
    pub fn changed(&self) -> Bitboard {
        let mut out = Bitboard::from(self.from) | Bitboard::from(self.to);
        if let Some(square) = self.capture {
            out.add(square);
        }
        if let Some((from, to)) = self.rook {
            out.add(from);
            out.add(to);
            // In Chess960 king or rook may castle without moving.
            if self.from == self.to {
                out.discard(self.from);
            }
            if from == to {
                out.discard(from);
            }
        }
        out
    }

    /// From and to as text: `e2e4`, `e7e8q`, castling king-to-square.
    #[must_use]
    pub fn uci(&self) -> String {
        let promotion = self.promotion.map_or(String::new(), |role| role.char().to_string());
        format!("{}{}{promotion}", self.from, self.to)
    }

    /// As [`uci`](Move::uci), but castling as king takes rook, as Chess960 writes it.
    #[must_use]
    pub fn uci_chess960(&self) -> String {
        match self.rook {
            Some((rook, _)) => format!("{}{rook}", self.from),
            None => self.uci(),
        }
    }
}

/// A position to play from.
///
/// # Equality
/// Placement, turn, castling rights, en passant square and counters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// What should stand where.
    pub board: Board,
    /// Whose turn it is.
    pub turn: Color,
    /// Rooks with which castling is still allowed.
    pub castles: Bitboard,
    /// Where a pawn that has just advanced two squares can be taken.
    pub ep: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmoves: u32,
    /// The number of the move, from 1.
    pub fullmoves: u32,
}

impl Position {
    /// The initial position of chess.
    #[must_use]
    pub fn initial() -> Self {
        Position::from_setup(&Setup::initial())
    }

    /// From a FEN; the position need not be legal. Counters that no game reaches are no FEN.
    #[must_use]
    pub fn from_fen(fen: &str) -> Option<Self> {
        const MOST: u32 = 100_000;
        let fen: Fen = fen.parse().ok()?;
        let setup = fen.as_setup();
        let counts = setup.halfmoves <= MOST && setup.fullmoves.get() <= MOST;
        counts.then(|| Position::from_setup(setup))
    }

    fn from_setup(setup: &Setup) -> Self {
        Position {
            board: setup.board.clone(),
            turn: setup.turn,
            castles: setup.castling_rights,
            ep: setup.ep_square,
            halfmoves: setup.halfmoves,
            fullmoves: setup.fullmoves.get(),
        }
    }

    /// Any placement, taken as a position: castling only where king and rook stand at home and
    /// `castles` still allowed it.
    #[must_use]
    pub fn from_wood(board: Board, turn: Color, castles: Bitboard, after: &Position) -> Self {
        let mut out = Position {
            castles,
            board,
            turn,
            ep: None,
            halfmoves: 0,
            fullmoves: after.fullmoves + u32::from(turn == Color::White && after.turn == Color::Black),
        };
        out.drop_lost_rights();
        out
    }

    fn to_setup(&self) -> Setup {
        let mut setup = Setup::empty();
        setup.board = self.board.clone();
        setup.turn = self.turn;
        setup.castling_rights = self.castles;
        setup.ep_square = self.ep;
        setup.halfmoves = self.halfmoves;
        setup.fullmoves = NonZeroU32::new(self.fullmoves).unwrap_or(NonZeroU32::MIN);
        setup
    }

    /// The position as a FEN.
    #[must_use]
    pub fn fen(&self) -> String {
        Fen::try_from_setup(self.to_setup()).map_or_else(
            |_| format!("{} {} - - 0 1", self.board.board_fen(), self.turn.char()),
            |fen| fen.to_string(),
        )
    }

    /// As a legal position, if it is one.
    #[must_use]
    pub fn to_chess(&self) -> Option<Chess> {
        let too_much = |e: shakmaty::PositionError<Chess>| e.ignore_too_much_material();
        self.to_setup()
            .position::<Chess>(CastlingMode::detect(&self.to_setup()))
            .or_else(too_much)
            .or_else(|e| e.ignore_invalid_ep_square())
            .or_else(|e| e.ignore_impossible_check())
            .ok()
    }

    /// The move in figurine-free short notation, with `+` or `#`; long form where the position is
    /// not legal.
    #[must_use]
    pub fn san(&self, m: &Move) -> String {
        let short = self.to_chess().and_then(|chess| {
            let found = chess.legal_moves().into_iter().find(|c| {
                c.from() == Some(m.from)
                    && match (c, m.rook) {
                        (shakmaty::Move::Castle { rook, .. }, Some((from, _))) => *rook == from,
                        (shakmaty::Move::Castle { .. }, None) | (_, Some(_)) => false,
                        _ => c.to() == m.to && c.promotion() == m.promotion,
                    }
            })?;
            Some(SanPlus::from_move(chess, found).to_string())
        });
        short.unwrap_or_else(|| format!("{}-{}", m.from, m.to))
    }

    /// Whether the side to move is in check.
    #[must_use]
    pub fn in_check(&self, side: Color) -> bool {
        let kings = self.board.kings() & self.board.by_color(side);
        kings.into_iter().any(|k| self.attackers(k, !side).any())
    }

    /// The pieces of `by` that attack `square`.
    #[must_use]
    pub fn attackers(&self, square: Square, by: Color) -> Bitboard {
        self.board.attacks_to(square, by, self.board.occupied())
    }

    /// Whether the side to move is mated.
    #[must_use]
    pub fn is_mate(&self) -> bool {
        self.has_its_kings() && self.in_check(self.turn) && self.legal_moves().is_empty()
    }

    /// Whether each side has one king. Else something is misread, and nothing ends a game.
    fn has_its_kings(&self) -> bool {
        Color::ALL.into_iter().all(|side| (self.board.kings() & self.board.by_color(side)).count() == 1)
    }

    /// Whether the side to move has no move and is not in check.
    #[must_use]
    pub fn is_stalemate(&self) -> bool {
        self.has_its_kings() && !self.in_check(self.turn) && self.legal_moves().is_empty()
    }

    /// The position after `m`, which need not be legal.
    #[must_use]
    pub fn play(&self, m: &Move) -> Position {
        let mut next = self.clone();
        let us = self.turn;
        if let Some(square) = m.capture {
            next.board.discard_piece_at(square);
        }
        if let Some((rook_from, rook_to)) = m.rook {
            next.board.discard_piece_at(m.from);
            next.board.discard_piece_at(rook_from);
            next.board.set_piece_at(m.to, Piece { color: us, role: Role::King });
            next.board.set_piece_at(rook_to, Piece { color: us, role: Role::Rook });
        } else {
            next.board.discard_piece_at(m.from);
            next.board.set_piece_at(m.to, Piece { color: us, role: m.promotion.unwrap_or(m.role) });
        }
        if m.role == Role::King {
            next.castles &= !Bitboard::from(us.backrank());
        }
        next.castles.discard(m.from);
        if let Some(square) = m.capture {
            next.castles.discard(square);
        }
        let double = m.role == Role::Pawn && m.from.rank().distance(m.to.rank()) == 2;
        next.ep = double.then(|| Square::from_coords(m.from.file(), us.relative_rank(Rank::Third)));
        next.halfmoves = if m.role == Role::Pawn || m.capture.is_some() { 0 } else { self.halfmoves + 1 };
        next.fullmoves += u32::from(us == Color::Black);
        next.turn = !us;
        next
    }

    /// The same position with the turn passed, as after a press without a move.
    #[must_use]
    pub fn pass(&self) -> Position {
        let mut next = self.clone();
        next.ep = None;
        next.fullmoves += u32::from(self.turn == Color::Black);
        next.turn = !self.turn;
        next
    }

    /// All moves the Laws allow here (Article 3).
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(48);
        self.pseudo_moves(&mut moves);
        moves.retain(|m| self.is_safe(m));
        self.castling_moves(&mut moves);
        moves
    }

    /// The moves that Article 3 forbids for one reason only: the mover's king would be in check.
    #[must_use]
    pub fn moves_into_check(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.pseudo_moves(&mut moves);
        moves.retain(|m| !self.is_safe(m));
        moves
    }

    /// Whether the mover's king is safe after `m`.
    fn is_safe(&self, m: &Move) -> bool {
        let us = self.turn;
        let mut occupied = self.board.occupied();
        occupied.discard(m.from);
        let gone = m.capture.map_or(Bitboard::EMPTY, Bitboard::from);
        occupied &= !gone;
        occupied.add(m.to);
        let kings = if m.role == Role::King {
            Bitboard::from(m.to)
        } else {
            self.board.kings() & self.board.by_color(us)
        };
        kings.into_iter().all(|k| (self.board.attacks_to(k, !us, occupied) & !gone).is_empty())
    }

    fn drop_lost_rights(&mut self) {
        for color in Color::ALL {
            let home = Bitboard::from(color.backrank());
            let rooks = self.board.rooks() & self.board.by_color(color);
            let king_home = (self.board.kings() & self.board.by_color(color) & home).any();
            let keep = if king_home { rooks & home } else { Bitboard::EMPTY };
            self.castles &= keep | !home;
        }
    }

    fn pseudo_moves(&self, out: &mut Vec<Move>) {
        let us = self.turn;
        let ours = self.board.by_color(us);
        // The king is never taken: a move that could take him is not a chess move.
        let targets = !ours & !(self.board.kings() & self.board.by_color(!us));
        for from in ours {
            let Some(piece) = self.board.piece_at(from) else { continue };
            if piece.role == Role::Pawn {
                self.pawn_moves(from, targets, out);
                continue;
            }
            for to in attacks::attacks(from, piece, self.board.occupied()) & targets {
                let capture = self.board.occupied().contains(to).then_some(to);
                out.push(Move { from, to, role: piece.role, capture, promotion: None, rook: None });
            }
        }
    }

    fn pawn_moves(&self, from: Square, targets: Bitboard, out: &mut Vec<Move>) {
        let us = self.turn;
        let occupied = self.board.occupied();
        let push = |to: Square, capture: Option<Square>, out: &mut Vec<Move>| {
            let m = Move { from, to, role: Role::Pawn, capture, promotion: None, rook: None };
            if to.rank() == us.relative_rank(Rank::Eighth) {
                for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                    out.push(Move { promotion: Some(role), ..m });
                }
            } else {
                out.push(m);
            }
        };
        let hits = attacks::pawn_attacks(us, from);
        for to in hits & self.board.by_color(!us) & targets {
            push(to, Some(to), out);
        }
        if let Some(ep) = self.ep.filter(|ep| hits.contains(*ep) && !occupied.contains(*ep)) {
            let victim = Square::from_coords(ep.file(), from.rank());
            if self.board.piece_at(victim) == Some(Piece { color: !us, role: Role::Pawn }) {
                push(ep, Some(victim), out);
            }
        }
        let step = |square: Square| square.offset(if us.is_white() { 8 } else { -8 });
        if let Some(one) = step(from).filter(|to| !occupied.contains(*to)) {
            push(one, None, out);
            if from.rank() == us.relative_rank(Rank::Second)
                && let Some(two) = step(one).filter(|to| !occupied.contains(*to))
            {
                push(two, None, out);
            }
        }
    }

    fn castling_moves(&self, out: &mut Vec<Move>) {
        let us = self.turn;
        let kings = self.board.kings() & self.board.by_color(us) & Bitboard::from(us.backrank());
        let Some(king) = kings.into_iter().next().filter(|_| kings.count() == 1) else { return };
        if self.attackers(king, !us).any() {
            return;
        }
        for rook in self.castles & self.board.rooks() & self.board.by_color(us) & us.backrank() {
            let m = self.castling(king, rook);
            if self.castling_fault(&m).is_none() {
                out.push(m);
            }
        }
    }

    /// The castling of `king` with `rook`, allowed or not.
    #[must_use]
    pub fn castling(&self, king: Square, rook: Square) -> Move {
        let rank = king.rank();
        let (king_to, rook_to) =
            if rook.file() > king.file() { (File::G, File::F) } else { (File::C, File::D) };
        Move {
            from: king,
            to: Square::from_coords(king_to, rank),
            role: Role::King,
            capture: None,
            promotion: None,
            rook: Some((rook, Square::from_coords(rook_to, rank))),
        }
    }

    /// Why castling is not allowed; `None` if it is.
    #[must_use]
    pub fn castling_fault(&self, m: &Move) -> Option<CastlingFault> {
        let us = self.turn;
        let (rook, rook_to) = m.rook?;
        if !self.castles.contains(rook) {
            return Some(CastlingFault::RightLost);
        }
        let mut others = self.board.occupied();
        others.discard(m.from);
        others.discard(rook);
        let path = attacks::between(m.from, m.to)
            | Bitboard::from(m.to)
            | attacks::between(rook, rook_to)
            | Bitboard::from(rook_to)
            | attacks::between(m.from, rook);
        if let Some(blocker) = (path & others).into_iter().next() {
            return Some(CastlingFault::Blocked(blocker));
        }
        if let Some(by) = self.attackers(m.from, !us).into_iter().next() {
            return Some(CastlingFault::OutOfCheck(by));
        }
        for square in attacks::between(m.from, m.to) | Bitboard::from(m.to) {
            let hit = self.board.attacks_to(
                square,
                !us,
                others | Bitboard::from(rook_to) & !Bitboard::from(square),
            );
            if let Some(by) = hit.into_iter().next() {
                return Some(CastlingFault::Through(square, by));
            }
        }
        None
    }

    /// Whether this is the same position as `other` (FIDE 9.2.3): the same side to move, the same
    /// pieces on the same squares, the same moves possible.
    #[must_use]
    pub fn repeats(&self, other: &Position) -> bool {
        let stands = self.turn == other.turn && self.castles == other.castles && self.board == other.board;
        stands && (self.ep == other.ep || self.legal_ep() == other.legal_ep())
    }

    /// Whether neither side could mate by any series of moves, told by the pieces alone; `false`
    /// where the position is not legal.
    #[must_use]
    pub fn is_dead_by_material(&self) -> bool {
        let chess = self.to_setup().position::<Chess>(CastlingMode::detect(&self.to_setup())).ok();
        chess.is_some_and(|chess| chess.is_insufficient_material())
    }

    /// Whether an en passant capture is meaningful; used when comparing with other programs.
    #[must_use]
    pub fn legal_ep(&self) -> Option<Square> {
        self.to_chess().and_then(|c| c.ep_square(EnPassantMode::Legal))
    }
}

/// Why castling is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastlingFault {
    /// King or rook has moved before.
    RightLost,
    /// A piece stands between.
    Blocked(Square),
    /// The king is in check from there.
    OutOfCheck(Square),
    /// The king would cross or reach the first square, attacked from the second.
    Through(Square, Square),
}
