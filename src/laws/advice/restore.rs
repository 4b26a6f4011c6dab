//! The position to put on the board and the squares that takes.
//!
//! Positions may be illegal, so everything here works on `Setup`, never on a checked position.

use std::num::NonZeroU32;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, FromSetup, Piece, Position, Role, Setup, Square};

use super::Restore;
use crate::events::Wood;
use crate::laws::finding::{Facts, Finding};
use crate::laws::impossible;
use crate::laws::restoring::{Homes, plan};

/// The initial array.
const ARRAY: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A FEN as a setup, however odd the position.
pub(super) fn setup(fen: &str) -> Option<Setup> {
    fen.parse::<Fen>().ok().map(Fen::into_setup)
}

/// Who is to move in a FEN.
pub(super) fn turn(fen: &str) -> Option<Color> {
    setup(fen).map(|setup| setup.turn)
}

/// Whether a game can reach the placement of a FEN, as far as counting shows.
pub(super) fn is_possible(fen: &str) -> bool {
    setup(fen).is_some_and(|setup| impossible::is_possible(&setup.board))
}

/// A position with all its moves, if the Laws allow it.
pub(super) fn position(setup: &Setup) -> Option<(Chess, CastlingMode)> {
    let mode = CastlingMode::detect(setup);
    Chess::from_setup(setup.clone(), mode).ok().map(|chess| (chess, mode))
}

/// Back to the last correct position.
pub(super) fn last_correct(facts: &Facts) -> Option<Restore> {
    let target = setup(&facts.last_correct_fen)?;
    Some(restore(facts.last_correct_fen.clone(), &target, facts.last_correct_ply, facts))
}

/// To the position of a FEN that a move more than the last correct one has led to, or to that one.
pub(super) fn to(fen: &str, facts: &Facts) -> Option<Restore> {
    let target = setup(fen)?;
    let played = u32::from(turn(&facts.last_correct_fen) != Some(target.turn));
    Some(restore(fen.to_owned(), &target, facts.last_correct_ply + played, facts))
}

/// The array the game should have started from.
pub(super) fn array(facts: &Facts) -> Restore {
    match (setup(&facts.last_correct_fen), setup(ARRAY)) {
        (Some(target), _) => restore(facts.last_correct_fen.clone(), &target, 0, facts),
        (None, Some(target)) => restore(ARRAY.to_owned(), &target, 0, facts),
        (None, None) => Restore { fen: ARRAY.to_owned(), ply: 0, ..Restore::default() },
    }
}

/// The last correct position, with the move of the finding made if it is legal there: what was
/// displaced beside a legal move goes back, the move stays.
pub(super) fn after_legal_part(finding: &Finding) -> Option<Restore> {
    let facts = &finding.facts;
    let moved = facts.tried.as_deref().and_then(|tried| {
        let (mut chess, _) = position(&setup(&facts.last_correct_fen)?)?;
        let legal = tried.parse::<UciMove>().ok()?.to_move(&chess).ok()?;
        chess.play_unchecked(legal);
        Some(chess.to_setup(EnPassantMode::Legal))
    });
    match moved {
        Some(target) => Some(restore(write(target.clone()), &target, facts.last_correct_ply + 1, facts)),
        None => last_correct(facts),
    }
}

/// The position with a queen of `side` in place of the pawn on the last rank, the opponent to move.
pub(super) fn queened(finding: &Finding, side: Color) -> Option<Restore> {
    let facts = &finding.facts;
    let mut target = setup(&facts.last_correct_fen)?;
    let (from, to) = promotion(finding, &target, side)?;
    target.board.discard_piece_at(from);
    target.board.set_piece_at(to, Piece { color: side, role: Role::Queen });
    target.castling_rights.discard(to);
    target.ep_square = None;
    target.halfmoves = 0;
    target.turn = side.other();
    if side == Color::Black {
        target.fullmoves = NonZeroU32::new(target.fullmoves.get().saturating_add(1))?;
    }
    Some(restore(write(target.clone()), &target, facts.last_correct_ply + 1, facts))
}

/// From where to where the pawn went: by the move that was tried, else by what is missing.
fn promotion(finding: &Finding, before: &Setup, side: Color) -> Option<(Square, Square)> {
    let facts = &finding.facts;
    let last = if side == Color::White { 7 } else { 0 };
    let on_last = |square: &Square| u32::from(square.rank()) == last;
    let tried = facts.tried.as_deref().and_then(|tried| {
        let from = tried.get(..2)?.parse::<Square>().ok()?;
        let to = tried.get(2..4)?.parse::<Square>().ok()?;
        Some((from, to))
    });
    if let Some((from, to)) = tried.filter(|(_, to)| on_last(to)) {
        return Some((from, to));
    }
    let seventh = if side == Color::White { 6 } else { 1 };
    let pawns = before.board.pawns() & before.board.by_color(side);
    let wood = Wood::from_placement(&facts.wood).ok()?;
    let gone: Vec<Square> = pawns
        .into_iter()
        .filter(|square| u32::from(square.rank()) == seventh && !wood.at(*square).is_occupied())
        .collect();
    let [from] = gone[..] else { return None };
    let seen = finding.squares.iter().chain(&facts.differs).copied().find(on_last);
    Some((from, seen.unwrap_or(Square::from_coords(from.file(), shakmaty::Rank::new(last)))))
}

fn write(setup: Setup) -> String {
    // A setup of ordinary chess always fits; what would not is dropped.
    Fen::try_from_setup(setup).unwrap_or_else(|lossy| lossy.ignore()).to_string()
}

/// The squares on which the wood is not what `target` says.
fn restore(fen: String, target: &Setup, ply: u32, facts: &Facts) -> Restore {
    let squares: Vec<Square> = match Wood::from_placement(&facts.wood) {
        Ok(wood) => wood.differs(&target.board).into_iter().collect(),
        Err(_) => facts.differs.clone(),
    };
    let put = |square: Square| (square, target.board.piece_at(square).map(Piece::char));
    let wood = Wood::from_placement(&facts.wood).ok();
    let known = setup(&facts.last_correct_fen).map(|before| before.board).unwrap_or_default();
    let homes = facts.tried.as_deref().map(Homes::undoing).unwrap_or_default();
    let movements = wood.map(|wood| plan(&wood, &known, &target.board, &homes));
    let same = ply == facts.last_correct_ply;
    Restore {
        fen,
        ply,
        squares: squares.into_iter().map(put).collect(),
        movements: movements.unwrap_or_default(),
        clocks: facts.dials_then.filter(|_| same),
        counter: facts.counter.map(|before| if same { before } else { completed(before, facts.to_move) }),
    }
}

/// With one more move of the side that was to move.
fn completed((white, black): (u32, u32), by: Option<Color>) -> (u32, u32) {
    (white + u32::from(by == Some(Color::White)), black + u32::from(by == Some(Color::Black)))
}
