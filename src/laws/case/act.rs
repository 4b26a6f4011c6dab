//! What an act was: a legal move, something the rules of chess do not allow, nothing at all. The
//! game stage explains the wood; here its answer is sorted by what the Laws make of it.

use shakmaty::{Bitboard, Color, Piece, Role};

use super::reasons::{castling_reasons, illegal_reasons, king_left};
use super::{Act, Touch, place};
use crate::events::{Sensed, Wood};
use crate::game::{Explanation, Illegal, Move, Position, Scene, Standing};
use crate::laws::ruleset::Topic;
use crate::tick::Tick;
use crate::timeline::Contact;

/// What an act was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The board is as it was.
    Nothing,
    /// A legal move; beside it pieces are displaced.
    Legal { m: Move, displaced: Bitboard },
    /// A piece is not down yet.
    Unfinished,
    /// The king castled, the rook stayed, and the castling is legal.
    CastlingIncomplete(Move),
    /// A pawn on the last rank, or taken off with nothing put there.
    PawnLeft { m: Move, empty: bool },
    /// What the rules of chess do not allow, and why.
    Illegal(Fault),
}

/// An illegal act.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fault {
    /// Why.
    pub(super) reasons: Vec<Topic>,
    /// A pawn reached the last rank by it and was left there.
    pub(super) pawn_left: bool,
    /// The king was captured.
    pub(super) king_taken: bool,
    /// The promotion that was meant, where what was put there cannot be.
    pub(super) promotion: Option<Move>,
    /// The en passant capture whose victim was left.
    pub(super) victim_left: Option<Move>,
}

/// An act as it was read.
#[derive(Clone, Debug)]
pub(super) struct Read {
    pub(super) by: Color,
    pub(super) before: Position,
    /// The position before as the file wrote it, where it came from there.
    pub(super) before_fen: String,
    pub(super) touches: Vec<Touch>,
    pub(super) pressed: bool,
    pub(super) two_hands: bool,
    pub(super) kind: Kind,
    pub(super) wood: Wood,
}

impl Read {
    /// Reads `act` of the side to move in `before`; `history` are the moves that led there.
    pub(super) fn of(before: &Position, before_fen: String, act: &Act, history: &[String]) -> Read {
        let wood = act.wood.clone().unwrap_or_else(|| after_touches(before, &act.touches));
        let press = act.press.filter(|press| press.by == before.turn && !press.neighbour);
        let kind = kind(before, &act.touches, &wood, history);
        Read {
            by: before.turn,
            before: before.clone(),
            before_fen,
            touches: act.touches.clone(),
            pressed: press.is_some(),
            two_hands: act.two_hands,
            kind,
            wood,
        }
    }

    /// The position the game goes on from if the act stands.
    pub(super) fn after(&self) -> Position {
        match &self.kind {
            Kind::Nothing => place::passed(&self.before),
            Kind::Legal { m, displaced } if displaced.is_empty() => self.before.play(m),
            _ => place::standing(&self.before, &self.wood),
        }
    }

    /// Whether an opponent, or a king, has been moved against the rules of chess and completed.
    pub(super) fn is_illegal(&self) -> bool {
        matches!(self.kind, Kind::Illegal(_))
    }
}

/// The wood after the steps.
fn after_touches(before: &Position, touches: &[Touch]) -> Wood {
    let mut wood = Wood::from_board(&before.board);
    for touch in touches {
        wood.set(touch.square, if touch.lifted { Sensed::Empty } else { Sensed::Piece(touch.piece) });
    }
    wood
}

/// Steps whose moments are not known are taken to be as far apart as those of a calm hand.
const CALM_MS: u64 = 1000;

/// The steps as the game stage knows contacts.
fn contacts(before: &Position, touches: &[Touch]) -> Vec<Contact> {
    let mut wood = Wood::from_board(&before.board);
    let mut at = 0;
    let mut out = Vec::new();
    for touch in touches {
        at = touch.at_ms.unwrap_or(at + CALM_MS);
        let now = if touch.lifted { Sensed::Empty } else { Sensed::Piece(touch.piece) };
        let was = wood.at(touch.square);
        wood.set(touch.square, now);
        out.push(Contact { at: Tick::from_ms(at), square: touch.square, was, now, in_dump: false });
    }
    out
}

fn kind(before: &Position, touches: &[Touch], wood: &Wood, history: &[String]) -> Kind {
    if wood.differs(&before.board).is_empty() {
        return Kind::Nothing;
    }
    if let Some(fault) = king_left(before, wood) {
        return Kind::Illegal(fault);
    }
    if let Some(fault) = castled_astray(before, touches, wood, history) {
        return Kind::Illegal(fault);
    }
    let contacts = contacts(before, touches);
    let standing = Standing::default();
    let scene = Scene { position: before, standing: &standing, wood, contacts: &contacts, pressed_at: None };
    match scene.explain() {
        // All contacts of an act are the actor's: nothing that differs is the other hand's.
        Explanation::Legal { m, .. } | Explanation::Misread { m, .. } => {
            Kind::Legal { m, displaced: wood.differs(&before.play(&m).board) }
        }
        Explanation::CastlingIncomplete(m) => Kind::CastlingIncomplete(m),
        Explanation::Unpromoted(m) => Kind::PawnLeft { m, empty: false },
        Explanation::InAir { lifted } => in_air(before, touches, lifted),
        Explanation::Illegal(illegal) => Kind::Illegal(fault(before, &illegal, history)),
        // Something of the opponent's is gone, and nothing else: nobody captured it.
        Explanation::NoMove => {
            Kind::Illegal(Fault { reasons: vec![Topic::OpponentsPieceMoved], ..Fault::default() })
        }
        Explanation::Unexplained { .. } => Kind::Illegal(Fault::default()),
    }
}

fn fault(before: &Position, illegal: &Illegal, history: &[String]) -> Fault {
    let mut out = Fault { reasons: illegal_reasons(before, illegal, history), ..Fault::default() };
    match illegal {
        Illegal::Piece { piece, to, taken, .. } => {
            let last = piece.color.relative_rank(shakmaty::Rank::Eighth);
            out.pawn_left = piece.role == Role::Pawn && to.rank() == last;
            out.king_taken =
                taken.is_some_and(|taken| taken.role == Role::King && taken.color != piece.color);
        }
        Illegal::WrongPromotion { m, .. } => out.promotion = Some(*m),
        Illegal::VictimLeft(m) => out.victim_left = Some(*m),
        _ => {}
    }
    out
}

/// Own pieces are in the hand, or beside the board. A pawn that was about to be promoted and has
/// gone altogether has been left unpromoted, whatever became of it.
fn in_air(before: &Position, touches: &[Touch], lifted: Bitboard) -> Kind {
    let seventh = before.turn.relative_rank(shakmaty::Rank::Seventh);
    let pawns = lifted & before.board.pawns() & Bitboard::from(seventh);
    let (Some(from), 1) = (pawns.into_iter().next(), lifted.count()) else { return Kind::Unfinished };
    let taken =
        |m: &Move| m.capture.is_some_and(|square| touches.iter().any(|t| t.lifted && t.square == square));
    let moves = before.legal_moves();
    let queens = moves.iter().filter(|m| m.from == from && m.promotion == Some(Role::Queen));
    let capture = queens.clone().find(|m| taken(m));
    let ahead = queens.clone().find(|m| m.capture.is_none());
    match capture.or(ahead) {
        Some(m) => Kind::PawnLeft { m: *m, empty: true },
        None => Kind::Unfinished,
    }
}

/// The king went two squares towards a rook and the rook crossed him, though the array or an
/// earlier fault put them where no castling exists.
fn castled_astray(before: &Position, touches: &[Touch], wood: &Wood, history: &[String]) -> Option<Fault> {
    let us = before.turn;
    let home = us.backrank();
    let king = before.board.king_of(us)?;
    let is = |role| Sensed::Piece(Piece { color: us, role });
    let king_to =
        (Bitboard::from(home) & wood.known().kings() & wood.known().by_color(us)).into_iter().next()?;
    if king.rank() != home || king.file().distance(king_to.file()) != 2 {
        return None;
    }
    let right = king_to.file() > king.file();
    let crossed = king.offset(if right { 1 } else { -1 })?;
    let rooks = before.board.rooks() & before.board.by_color(us) & home;
    let rook = rooks.into_iter().find(|rook| {
        (rook.file() > king.file()) == right
            && (touches.is_empty() || touches.iter().any(|t| t.square == *rook))
    })?;
    let m = Move {
        from: king,
        to: king_to,
        role: Role::King,
        capture: None,
        promotion: None,
        rook: Some((rook, crossed)),
    };
    let stands = wood.at(crossed) == is(Role::Rook) && wood.differs(&before.play(&m).board).is_empty();
    let legal = before.legal_moves().iter().any(|other| other.rook == m.rook && other.to == m.to);
    (stands && !legal).then(|| Fault { reasons: castling_reasons(before, &m, history), ..Fault::default() })
}
