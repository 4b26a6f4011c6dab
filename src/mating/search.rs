//! A search for a mate that both sides help to reach.
//!
//! Best first, each position once. It ends with a line, or when every position that can still
//! arise has been visited, which proves that there is none, or at its budget. Positions are
//! compared in full, so that no collision can hide one.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use shakmaty::{Bitboard, CastlingMode, Chess, Color, EnPassantMode, Move, Position, Square, attacks};

use super::{line, material};

/// How the search ended.
pub(super) enum Ended {
    /// With a line that mates.
    Mate(Vec<String>),
    /// No position that can still arise is mate.
    Exhausted,
    /// The budget was used up.
    Budget,
}

/// What makes two positions the same: placement, castling rights, turn and en passant.
type Key = ([u64; 5], u8);

fn key(position: &Chess) -> Key {
    let board = position.board();
    // Three bits tell the six kinds of pieces apart.
    let planes = [
        board.white(),
        board.pawns() | board.bishops() | board.queens(),
        board.knights() | board.bishops() | board.kings(),
        board.rooks() | board.queens() | board.kings(),
        position.castles().castling_rights(),
    ];
    let ep = position.ep_square(EnPassantMode::Legal).map_or(64, u8::from);
    (planes.map(u64::from), ep << 1 | u8::from(position.turn().is_white()))
}

struct Node {
    position: Chess,
    /// Where it comes from; the root from itself.
    parent: usize,
    by: Option<Move>,
    depth: u32,
}

/// Searches from `position`, which is neither mate nor stalemate, for a mate by `side`.
pub(super) fn search(position: &Chess, side: Color, budget: u64) -> (Ended, u64) {
    let mut nodes = vec![Node { position: position.clone(), parent: 0, by: None, depth: 0 }];
    let mut seen = BTreeSet::from([key(position)]);
    let mut open = BinaryHeap::from([(Reverse(0), Reverse(0))]);
    let mut visited = 0;
    while let Some((_, Reverse(index))) = open.pop() {
        let from = nodes[index].position.clone();
        let depth = nodes[index].depth + 1;
        for m in from.legal_moves() {
            let mut to = from.clone();
            to.play_unchecked(m);
            if !seen.insert(key(&to)) {
                continue;
            }
            if visited >= budget {
                return (Ended::Budget, visited);
            }
            visited += 1;
            if to.turn() != side && to.is_checkmate() {
                return (Ended::Mate(way(&nodes, index, m)), visited);
            }
            if material::cannot_mate(to.board(), side) {
                continue;
            }
            open.push((Reverse(distance(&to, side, depth)), Reverse(nodes.len())));
            nodes.push(Node { position: to, parent: index, by: Some(m), depth });
        }
    }
    (Ended::Exhausted, visited)
}

fn way(nodes: &[Node], mut index: usize, last: Move) -> Vec<String> {
    let mode = CastlingMode::detect(&nodes[0].position.to_setup(EnPassantMode::Legal));
    let mut out = vec![line::uci(last, mode)];
    while let Some(m) = nodes[index].by {
        out.push(line::uci(m, mode));
        index = nodes[index].parent;
    }
    out.reverse();
    out
}

/// How far a position looks from a mate by `side`; lower is better. Only the order depends on it.
fn distance(position: &Chess, side: Color, depth: u32) -> u32 {
    let board = position.board();
    let (Some(our_king), Some(their_king)) = (board.king_of(side), board.king_of(!side)) else {
        return u32::MAX;
    };
    let ours = board.by_color(side);
    let heavy = ours & board.rooks_and_queens();
    let way_to_a_queen = match heavy.is_empty() {
        false => 0,
        true => {
            let pawns = ours & board.pawns();
            100 + pawns.into_iter().map(|pawn| to_go(pawn, side, board.occupied())).min().unwrap_or(12) * 10
        }
    };
    let edge = |square: Square| {
        let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
        file.min(7 - file) + rank.min(7 - rank)
    };
    let kings = our_king.distance(their_king).saturating_sub(2);
    let free = attacks::king_attacks(their_king) & !board.by_color(!side);
    let free = free.into_iter().filter(|s| board.attacks_to(*s, side, board.occupied()).is_empty()).count();
    let free = u32::try_from(free).unwrap_or(8);
    way_to_a_queen + edge(their_king) * 4 + kings * 4 + free * 6 + depth
}

/// Steps of a pawn to the last rank; men in its way count double.
fn to_go(pawn: Square, side: Color, occupied: Bitboard) -> u32 {
    let rank = u32::from(pawn.rank());
    let ahead = Bitboard::from(pawn.file()) & occupied;
    let in_the_way =
        ahead.into_iter().filter(|s| side.fold_wb(s.rank() > pawn.rank(), s.rank() < pawn.rank()));
    side.fold_wb(7 - rank, rank) + u32::try_from(in_the_way.count()).unwrap_or(6) * 2
}
