//! Positions and moves as the players know them: shakmaty where the position is legal, a small
//! generator of our own where it is not.

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, Move, Piece, Position as _, Rank, Role,
    Square, attacks, fen::Fen,
};

/// A move with everything hands need to know.
#[derive(Clone, Debug)]
pub struct Mv {
    pub piece: Piece,
    pub from: Square,
    pub to: Square,
    /// Where the captured piece stands.
    pub victim: Option<Square>,
    pub promotion: Option<Role>,
    /// The rook's way in castling.
    pub rook: Option<(Square, Square)>,
    pub uci: String,
    pub chess: Option<Move>,
}

impl Mv {
    pub fn changed(&self) -> Bitboard {
        let mut out = Bitboard::from(self.from) | Bitboard::from(self.to);
        if let Some(v) = self.victim {
            out.add(v);
        }
        if let Some((a, b)) = self.rook {
            out = out | Bitboard::from(a) | Bitboard::from(b);
        }
        out
    }

    /// All squares a hand may be seen on while it makes this move.
    pub fn way(&self) -> Bitboard {
        let mut out = self.changed() | attacks::between(self.from, self.to);
        if let Some((a, b)) = self.rook {
            out = out | attacks::between(a, b) | attacks::between(self.from, a);
        }
        out
    }

    pub fn side(&self) -> Color {
        self.piece.color
    }

    pub fn apply(&self, board: &mut Board) {
        board.discard_piece_at(self.from);
        if let Some(v) = self.victim {
            board.discard_piece_at(v);
        }
        if let Some((a, _)) = self.rook {
            board.discard_piece_at(a);
        }
        let role = self.promotion.unwrap_or(self.piece.role);
        board.set_piece_at(self.to, Piece { color: self.piece.color, role });
        if let Some((_, b)) = self.rook {
            board.set_piece_at(b, Piece { color: self.piece.color, role: Role::Rook });
        }
    }
}

#[derive(Clone, Debug)]
pub enum Pos {
    Legal(Chess),
    /// Anything else: no castling, no en passant, kings are never taken.
    Odd {
        board: Board,
        turn: Color,
    },
}

impl Pos {
    pub fn turn(&self) -> Color {
        match self {
            Pos::Legal(c) => c.turn(),
            Pos::Odd { turn, .. } => *turn,
        }
    }

    pub fn board(&self) -> &Board {
        match self {
            Pos::Legal(c) => c.board(),
            Pos::Odd { board, .. } => board,
        }
    }

    pub fn moves(&self, c960: bool) -> Vec<Mv> {
        match self {
            Pos::Legal(c) => c.legal_moves().into_iter().map(|m| of_shakmaty(c, m, c960)).collect(),
            Pos::Odd { board, turn } => own_legal(board, *turn),
        }
    }

    pub fn play(&self, m: &Mv) -> Pos {
        match (self, m.chess) {
            (Pos::Legal(c), Some(cm)) => {
                let mut next = c.clone();
                next.play_unchecked(cm);
                Pos::Legal(next)
            }
            _ => {
                let mut board = self.board().clone();
                m.apply(&mut board);
                Pos::odd(board, !self.turn())
            }
        }
    }

    /// A position reached by something that was no legal move.
    pub fn odd(board: Board, turn: Color) -> Pos {
        Pos::Odd { board, turn }
    }

    /// The other side is to move and nothing has changed; `None` if that cannot be played on.
    pub fn passed(&self) -> Option<Pos> {
        match self {
            Pos::Legal(c) => c.clone().swap_turn().ok().map(Pos::Legal),
            Pos::Odd { board, turn } => Some(Pos::odd(board.clone(), !*turn)),
        }
    }

    /// Only of a legal position.
    pub fn fen(&self) -> Option<String> {
        match self {
            Pos::Legal(c) => Some(Fen::from_position(c, EnPassantMode::Legal).to_string()),
            Pos::Odd { .. } => None,
        }
    }

    pub fn in_check(&self) -> bool {
        king_attacked(self.board(), self.turn())
    }

    pub fn is_over(&self) -> bool {
        self.moves(false).is_empty()
    }
}

fn of_shakmaty(c: &Chess, m: Move, c960: bool) -> Mv {
    let mode = if c960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
    let uci = m.to_uci(mode).to_string();
    let us = c.turn();
    let base = |role: Role, from: Square, to: Square| Mv {
        piece: Piece { color: us, role },
        from,
        to,
        victim: None,
        promotion: None,
        rook: None,
        uci: uci.clone(),
        chess: Some(m),
    };
    match m {
        Move::Normal { role, from, capture, to, promotion } => {
            Mv { victim: capture.map(|_| to), promotion, ..base(role, from, to) }
        }
        Move::EnPassant { from, to } => {
            Mv { victim: Some(Square::from_coords(to.file(), from.rank())), ..base(Role::Pawn, from, to) }
        }
        Move::Castle { king, rook } => {
            let short = rook > king;
            let rank = king.rank();
            let (kf, rf) = if short {
                (shakmaty::File::G, shakmaty::File::F)
            } else {
                (shakmaty::File::C, shakmaty::File::D)
            };
            Mv {
                rook: Some((rook, Square::from_coords(rf, rank))),
                ..base(Role::King, king, Square::from_coords(kf, rank))
            }
        }
        Move::Put { .. } => unreachable!("no pieces are dropped in chess"),
    }
}

pub fn king_attacked(board: &Board, color: Color) -> bool {
    board.king_of(color).is_some_and(|k| board.attacks_to(k, !color, board.occupied()).any())
}

pub fn plain(board: &Board, from: Square, to: Square) -> Mv {
    let piece = board.piece_at(from).expect("a piece to move");
    let victim = board.piece_at(to).map(|_| to);
    Mv { piece, from, to, victim, promotion: None, rook: None, uci: format!("{from}{to}"), chess: None }
}

/// Moves by geometry alone; the king may be left in check, kings are not taken.
pub fn pseudo(board: &Board, us: Color) -> Vec<Mv> {
    let mut out = Vec::new();
    let kings = board.kings();
    for from in board.by_color(us) {
        let piece = board.piece_at(from).expect("occupied");
        let targets = if piece.role == Role::Pawn {
            pawn_targets(board, us, from)
        } else {
            attacks::attacks(from, piece, board.occupied()) & !board.by_color(us)
        };
        for to in targets & !kings {
            let m = plain(board, from, to);
            if piece.role == Role::Pawn && to.rank() == us.relative_rank(Rank::Eighth) {
                for role in [Role::Queen, Role::Knight, Role::Rook, Role::Bishop] {
                    let uci = format!("{}{}", m.uci, role.char());
                    out.push(Mv { promotion: Some(role), uci, ..m.clone() });
                }
            } else {
                out.push(m);
            }
        }
    }
    out
}

fn pawn_targets(board: &Board, us: Color, from: Square) -> Bitboard {
    let mut out = attacks::pawn_attacks(us, from) & board.by_color(!us);
    let step = us.fold_wb(8, -8);
    if let Some(one) = from.offset(step).filter(|s| !board.occupied().contains(*s)) {
        out.add(one);
        if from.rank() == us.relative_rank(Rank::Second)
            && let Some(two) = one.offset(step).filter(|s| !board.occupied().contains(*s))
        {
            out.add(two);
        }
    }
    out
}

fn own_legal(board: &Board, us: Color) -> Vec<Mv> {
    let mut out = pseudo(board, us);
    out.retain(|m| {
        let mut after = board.clone();
        m.apply(&mut after);
        !king_attacked(&after, us)
    });
    out
}

/// Whether some legal move leads to exactly this wood.
pub fn is_legal_result(pos: &Pos, wood: &Board) -> bool {
    pos.moves(false).iter().any(|m| {
        let mut after = pos.board().clone();
        m.apply(&mut after);
        after == *wood
    })
}
