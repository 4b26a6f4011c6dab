//! Where games begin and which moves people choose; also how many stories explain a gap.

use shakmaty::{Board, CastlingMode, Chess, Color, Piece, Position as _, Role, Square, fen::Fen};

use super::chess::{Mv, Pos};
use super::profile::{Begin, Plan};
use super::rng::Rng;

/// Endgames from which pawns soon arrive.
const ENDGAMES: [&str; 10] = [
    "8/1P4k1/8/8/5K2/8/6p1/8 w - - 0 1",
    "8/5kP1/8/8/2p5/1P2K3/p7/8 b - - 0 1",
    "1n4k1/P6p/8/8/8/6P1/p5K1/1N6 w - - 0 1",
    "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1",
    "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
    "4k3/2P3P1/3p1p2/8/8/2P2p2/4p2P/4K3 w - - 0 1",
    "6k1/1P3ppp/8/4pP2/3pP3/8/1p3PPP/6K1 b - e3 0 1",
    "r1bq1rk1/pP3ppp/2n2n2/3pp3/3PP3/2N2N2/Pp3PPP/R1BQ1RK1 w - - 0 12",
    "2r3k1/3P1ppp/8/8/8/8/3p1PPP/2R3K1 b - - 0 1",
    "8/2k5/8/pP6/8/3K4/6Pp/8 w - a6 0 1",
];

pub fn legal(fen: &str, mode: CastlingMode) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN of ours");
    fen.into_position(mode).expect("a legal position of ours")
}

/// The start, and its FEN if it is not the array.
pub fn position(begin: Begin, rng: &mut Rng) -> (Pos, Option<String>) {
    match begin {
        Begin::Array => (Pos::Legal(Chess::default()), None),
        Begin::Endgame => {
            let fen = rng.one_of(&ENDGAMES);
            (Pos::Legal(legal(fen, CastlingMode::Standard)), Some(fen.to_owned()))
        }
        Begin::Chess960 => {
            let fen = array_960(rng);
            (Pos::Legal(legal(&fen, CastlingMode::Chess960)), Some(fen))
        }
    }
}

fn array_960(rng: &mut Rng) -> String {
    let mut files: [Option<char>; 8] = [None; 8];
    files[rng.below(4) * 2] = Some('b');
    files[rng.below(4) * 2 + 1] = Some('b');
    for letter in ['q', 'n', 'n'] {
        let free: Vec<usize> = (0..8).filter(|i| files[*i].is_none()).collect();
        files[free[rng.below(free.len())]] = Some(letter);
    }
    let mut rest = ['r', 'k', 'r'].into_iter();
    for file in &mut files {
        if file.is_none() {
            *file = rest.next();
        }
    }
    let row: String = files.iter().flatten().collect();
    let rooks: String =
        "HGFEDCBA".chars().zip(row.chars().rev()).filter(|(_, c)| *c == 'r').map(|(f, _)| f).collect();
    format!("{row}/pppppppp/8/8/8/8/PPPPPPPP/{} w {rooks}{} - 0 1", row.to_uppercase(), rooks.to_lowercase())
}

/// A random but plausible choice: captures, castling and promotions are likelier than their number.
pub fn choose(pos: &Pos, moves: &[Mv], plan: &Plan, rng: &mut Rng) -> Mv {
    let weight = |m: &Mv| -> usize {
        let mut w = 10;
        if m.rook.is_some() {
            w += 120;
        }
        if m.victim.is_some_and(|v| v != m.to) {
            w += 200;
        } else if m.victim.is_some() {
            w += 25;
        }
        if m.promotion.is_some_and(|r| r != Role::Queen) && plan.sensors.occupancy {
            return 0;
        }
        if let Some(role) = m.promotion {
            w += if role == Role::Queen { 120 } else { 15 };
        }
        match m.piece.role {
            Role::King if m.rook.is_none() && pos.board().occupied().count() > 16 => w = 2,
            Role::Pawn => w += 6,
            Role::Knight | Role::Bishop if plan.plies > 20 => w += 8,
            _ => {}
        }
        w
    };
    let total: usize = moves.iter().map(weight).sum();
    let mut at = rng.below(total);
    for m in moves {
        let w = weight(m);
        if at < w {
            return m.clone();
        }
        at -= w;
    }
    moves[0].clone()
}

/// How many legal sequences of at most `plies` moves (of that parity) lead to `wood`; `None` if
/// there are too many positions to look at.
pub fn paths(from: &Pos, wood: &Board, plies: usize, c960: bool) -> Option<usize> {
    let mut visits = 0;
    let mut total = 0;
    let mut n = plies % 2;
    while n <= plies {
        total += count(from, wood, n, c960, &mut visits)?;
        n += 2;
    }
    Some(total)
}

fn count(pos: &Pos, wood: &Board, left: usize, c960: bool, visits: &mut usize) -> Option<usize> {
    *visits += 1;
    if *visits > 20_000 {
        return None;
    }
    let off = Square::ALL.iter().filter(|s| pos.board().piece_at(**s) != wood.piece_at(**s)).count();
    if left == 0 {
        return Some(usize::from(off == 0));
    }
    if off > left * 3 + 1 {
        return Some(0);
    }
    let mut total = 0;
    for m in pos.moves(c960) {
        total += count(&pos.play(&m), wood, left - 1, c960, visits)?;
        if total > 3 {
            break;
        }
    }
    Some(total)
}

/// Arrays as tired arbiters set them up: what is wrong, and the wood.
pub fn wrong_array(rng: &mut Rng) -> (&'static str, Board) {
    let mut board = Chess::default().board().clone();
    let color = if rng.percent(50) { Color::White } else { Color::Black };
    let rank = color.fold_wb(0, 56);
    let sq = |f: u32| Square::new(rank + f);
    let mut swap = |a: u32, b: u32| {
        let (pa, pb) = (board.piece_at(sq(a)), board.piece_at(sq(b)));
        for (s, p) in [(sq(a), pb), (sq(b), pa)] {
            board.discard_piece_at(s);
            if let Some(p) = p {
                board.set_piece_at(s, p);
            }
        }
    };
    match rng.below(6) {
        0 => {
            swap(3, 4);
            ("king and queen swapped", board)
        }
        1 => {
            swap(1, 2);
            ("bishop and knight swapped", board)
        }
        2 => {
            swap(6, 7);
            ("knight and rook swapped", board)
        }
        3 => {
            let file = rng.range(0, 7);
            let square = Square::new(u32::try_from(file).expect("a file") + color.fold_wb(8, 48));
            board.discard_piece_at(square);
            ("a pawn is missing", board)
        }
        4 => {
            let file = u32::try_from(rng.range(0, 7)).expect("a file");
            // Black's: a pawn of White's might be his first move.
            board.discard_piece_at(Square::new(file + 48));
            board.set_piece_at(Square::new(file + 40), Piece { color: Color::Black, role: Role::Pawn });
            ("a pawn stands one step ahead", board)
        }
        _ => {
            let file = u32::try_from(rng.range(0, 7)).expect("a file");
            board.set_piece_at(Square::new(file + 24), Piece { color, role: Role::Queen });
            ("a queen too many", board)
        }
    }
}
