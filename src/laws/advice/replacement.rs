//! The duty of the move that replaces one taken back: what was touched must move or be captured,
//! in the order it was touched, as far as it can.
//!
//! Sensors prove lifts, not touches; the arbiter may know better.

use shakmaty::{Chess, Color, Move, Piece, Position, Role, Square};

use super::{Replacement, restore};
use crate::laws::finding::Finding;
use crate::laws::reason::role_name;
use crate::laws::rules::RuleId;

/// The duty after `finding`, if the last correct position is one that has legal moves.
pub(super) fn duty(finding: &Finding) -> Option<Replacement> {
    let setup = restore::setup(&finding.facts.last_correct_fen)?;
    let (chess, mode) = restore::position(&setup)?;
    let by = chess.turn();
    if finding.side.is_some_and(|side| side != by) {
        return None;
    }
    let legal: Vec<Move> = chess.legal_moves().into_iter().collect();
    let touched = touched(finding, &chess);
    let (text, keep) = choose(finding, &chess, by, &legal, &touched);
    let free = keep.len() == legal.len();
    let mut names: Vec<String> = keep.iter().map(|m| m.to_uci(mode).to_string()).collect();
    names.sort_unstable();
    Some(Replacement { by, text, free, legal: names })
}

/// The pieces of the last correct position in the order they were lifted or taken.
fn touched(finding: &Finding, chess: &Chess) -> Vec<(Square, Piece)> {
    let mut out: Vec<(Square, Piece)> = Vec::new();
    for step in &finding.facts.action {
        let lifted = step.before.is_some() && step.before != step.piece;
        let Some(piece) = chess.board().piece_at(step.square) else { continue };
        // A square that has been emptied before may hold another piece by now.
        let first = !out.iter().any(|(square, _)| *square == step.square);
        if lifted && first && step.before == Some(piece.char()) {
            out.push((step.square, piece));
        }
    }
    out
}

type Choice = (String, Vec<Move>);

fn choose(
    finding: &Finding,
    chess: &Chess,
    by: Color,
    legal: &[Move],
    touched: &[(Square, Piece)],
) -> Choice {
    let only = |keep: &dyn Fn(&Move) -> bool| legal.iter().filter(|m| keep(m)).copied().collect::<Vec<_>>();
    if finding.code == RuleId::TwoHands {
        let same = only(&|m| finding.facts.tried.as_deref() == Some(&plain(m)[..]));
        if !same.is_empty() {
            return ("the same move, with one hand".to_owned(), same);
        }
    }
    if let Some(choice) = castling(finding, chess, by, legal, touched) {
        return choice;
    }
    let own = touched.iter().find(|(_, piece)| piece.color == by);
    if let Some((from, piece)) = own {
        let released = released(finding, *from, *piece);
        let stays = only(&|m| m.from() == Some(*from) && Some(m.to()) == released);
        if let (false, Some(to)) = (stays.is_empty(), released) {
            return (format!("the {} released on {to} stays there", at(*piece, *from)), stays);
        }
    }
    let enemy = touched.iter().find(|(_, piece)| piece.color != by);
    if let (Some((from, mine)), Some((to, theirs))) = (own, enemy) {
        let captures = only(&|m| m.from() == Some(*from) && captured_on(m) == Some(*to));
        if !captures.is_empty() {
            let text = format!("{} must capture {}", at(*mine, *from), at(*theirs, *to));
            return (text, captures);
        }
    }
    for (square, piece) in touched {
        let (keep, text) = if piece.color == by {
            (only(&|m| m.from() == Some(*square)), format!("the touched {} must move", at(*piece, *square)))
        } else {
            let text = format!("the touched {} must be captured", at(*piece, *square));
            (only(&|m| captured_on(m) == Some(*square)), text)
        };
        if !keep.is_empty() {
            return (text, keep);
        }
    }
    let text = match touched.is_empty() {
        true => "any legal move",
        false => "any legal move; no touched piece can move or be captured",
    };
    (text.to_owned(), legal.to_vec())
}

/// King and rook touched: the order decides whether castling is still open.
fn castling(
    finding: &Finding,
    chess: &Chess,
    by: Color,
    legal: &[Move],
    touched: &[(Square, Piece)],
) -> Option<Choice> {
    let own: Vec<(Square, Role)> =
        touched.iter().filter(|(_, p)| p.color == by).map(|(s, p)| (*s, p.role)).collect();
    let king = chess.board().king_of(by)?;
    let keep = |test: &dyn Fn(&Move) -> bool| legal.iter().filter(|m| test(m)).copied().collect::<Vec<_>>();
    let castles_with = |m: &Move, corner: Square| matches!(m, Move::Castle { rook, .. } if *rook == corner);
    match own[..] {
        [(corner, Role::Rook), (_, Role::King), ..] => {
            let rook_moves = keep(&|m| m.from() == Some(corner) && !castles_with(m, corner));
            if !rook_moves.is_empty() {
                return Some((format!("the rook {corner} was touched first and must move"), rook_moves));
            }
            let others = keep(&|m| m.from() == Some(king) && !castles_with(m, corner));
            if !others.is_empty() {
                return Some(("the king must move; no castling with that rook".to_owned(), others));
            }
            Some((
                "any legal move but castling with that rook".to_owned(),
                keep(&|m| !castles_with(m, corner)),
            ))
        }
        [(_, Role::King), ref rest @ ..] => {
            let corner = match rest {
                [(corner, Role::Rook), ..] => *corner,
                _ => meant_corner(finding, king)?,
            };
            let castle = keep(&|m| castles_with(m, corner));
            if !castle.is_empty() {
                return Some(("castling on that side".to_owned(), castle));
            }
            let moves = keep(&|m| m.from() == Some(king));
            if !moves.is_empty() {
                return Some((format!("the king {king} must move; the rook need not"), moves));
            }
            Some(("any legal move; the king cannot move".to_owned(), legal.to_vec()))
        }
        _ => None,
    }
}

/// A king that went two squares along its rank meant to castle with the rook of that corner.
fn meant_corner(finding: &Finding, king: Square) -> Option<Square> {
    let tried = finding.facts.tried.as_deref()?;
    let from = tried.get(..2)?.parse::<Square>().ok()?;
    let to = tried.get(2..4)?.parse::<Square>().ok()?;
    if from != king || from.rank() != to.rank() || from.file().distance(to.file()) != 2 {
        return None;
    }
    let file = if to.file() > from.file() { shakmaty::File::H } else { shakmaty::File::A };
    Some(Square::from_coords(file, from.rank()))
}

/// Where the piece lifted from `from` was put down in the end.
fn released(finding: &Finding, from: Square, piece: Piece) -> Option<Square> {
    let steps = &finding.facts.action;
    let lifted = steps.iter().position(|step| step.square == from && step.piece.is_none())?;
    let put = steps[lifted..].iter().rev().find(|step| step.piece == Some(piece.char()))?;
    let last = steps.iter().rev().find(|step| step.square == put.square)?;
    (last.piece == put.piece && put.square != from).then_some(put.square)
}

/// The square whose piece a move takes.
fn captured_on(m: &Move) -> Option<Square> {
    match m {
        Move::EnPassant { from, to } => Some(Square::from_coords(to.file(), from.rank())),
        m if m.is_capture() => Some(m.to()),
        _ => None,
    }
}

/// A move as the findings write it: castling as the king's move.
fn plain(m: &Move) -> String {
    m.to_uci(shakmaty::CastlingMode::Standard).to_string()
}

fn at(piece: Piece, square: Square) -> String {
    format!("{} {square}", role_name(piece.role))
}
