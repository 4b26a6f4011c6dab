//! What was played: movetext in short notation, or UCI moves, read against the position.

use shakmaty::san::{San, SanPlus};
use shakmaty::{Board, CastlingSide, Color, Role, Square};
use thiserror::Error;

use crate::events::{Setup, Start, Variant};
use crate::game::{Move, Position};

/// The moves of one game.
#[derive(Clone, Debug)]
pub struct Game {
    /// Where it began.
    pub start: Position,
    /// Its plies.
    pub plies: Vec<Ply>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
}

/// One ply as it was played.
#[derive(Clone, Debug)]
pub struct Ply {
    /// The move.
    pub m: Move,
    /// The position before it.
    pub before: Position,
    /// The position after it.
    pub after: Position,
    /// As the corpus writes it.
    pub uci: String,
    /// Whether the Laws allow it; one that they do not can stand.
    pub legal: bool,
}

impl Ply {
    /// Who made it.
    #[must_use]
    pub fn side(&self) -> Color {
        self.before.turn
    }

    /// In short notation.
    #[must_use]
    pub fn san(&self) -> String {
        self.before.san(&self.m)
    }
}

/// Why moves cannot be read.
#[derive(Debug, Error)]
pub enum MovesError {
    /// No move in the file.
    #[error("there is no move in it: write a PGN, or moves as e2e4 or Nf3 separated by spaces or line ends")]
    Empty,
    /// Two games in one file.
    #[error("it holds more than one game: keep the one that was recorded")]
    Second,
    /// A move that is none.
    #[error("ply {ply}: \"{given}\" is no move: use e2e4, e7e8q, Nf3, exd5, O-O or e8=Q")]
    Word {
        /// Counted from 1.
        ply: usize,
        /// As given.
        given: String,
    },
    /// A press without a move is no move.
    #[error(
        "ply {ply}: no move, but nobody saw a press without one: if play went on like that, list press-without-move for ply {ply} with --incidents"
    )]
    Null {
        /// Counted from 1.
        ply: usize,
    },
    /// A move that the Laws do not allow.
    #[error(
        "ply {ply}: {given} is not legal in {fen}; if it was played and stood, write it as from and to square and list illegal-move for ply {ply} with --incidents"
    )]
    Illegal {
        /// Counted from 1.
        ply: usize,
        /// As given.
        given: String,
        /// Where.
        fen: String,
    },
    /// Two moves that are written alike.
    #[error("ply {ply}: {given} can be {first} or {second}: name the square it comes from")]
    Ambiguous {
        /// Counted from 1.
        ply: usize,
        /// As given.
        given: String,
        /// One.
        first: String,
        /// The other.
        second: String,
    },
    /// The start position.
    #[error("the start position \"{0}\" cannot be read: it must be a FEN")]
    Start(String),
    /// Chess960 needs its array.
    #[error("a game of Chess960 needs its array: give the FEN in the PGN or in the recording's meta line")]
    Array,
}

/// What an observer saw that explains moves the Laws do not allow.
#[derive(Default)]
pub(super) struct Excuses {
    /// Plies, counted from 1, that were illegal and may stand, with what stood on the board then if
    /// it was not one piece from here to there.
    pub(super) illegal: Vec<(usize, Option<Board>)>,
    /// Plies before which the turn was passed by a press without a move.
    pub(super) passed: Vec<usize>,
}

/// The words of a file of moves.
#[derive(Default)]
struct Words {
    moves: Vec<String>,
    fen: Option<String>,
    result: Option<String>,
}

/// How a turn that was passed is written.
const NULL: [&str; 3] = ["0000", "--", "Z0"];
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

impl Game {
    pub(super) fn read(text: &str, setup: &Setup, excuses: &Excuses) -> Result<Game, MovesError> {
        let words = words(text)?;
        let start = start(&words, setup)?;
        let chess960 = setup.variant == Variant::Chess960;
        let mut plies: Vec<Ply> = Vec::new();
        let mut passed: Option<Position> = None;
        for word in &words.moves {
            let number = plies.len() + 1;
            let before =
                passed.take().unwrap_or_else(|| plies.last().map_or(&start, |ply| &ply.after).clone());
            if NULL.contains(&word.as_str()) {
                let excused = excuses.passed.contains(&number);
                passed = Some(before.pass()).filter(|_| excused);
                passed.as_ref().ok_or(MovesError::Null { ply: number })?;
                continue;
            }
            plies.push(ply(number, word, before, chess960, excuses)?);
        }
        if plies.is_empty() {
            return Err(MovesError::Empty);
        }
        Ok(Game { start, plies, result: words.result.unwrap_or_else(|| "*".to_owned()) })
    }

    /// What stands before each ply, and after the last.
    pub(super) fn boards(&self) -> Vec<Board> {
        let after = self.plies.iter().map(|ply| ply.after.board.clone());
        std::iter::once(self.start.board.clone()).chain(after).collect()
    }
}

fn start(words: &Words, setup: &Setup) -> Result<Position, MovesError> {
    let fen = match (&words.fen, &setup.start) {
        (Some(fen), _) | (None, Start::Fen(fen)) => fen,
        (None, Start::Standard) if setup.variant == Variant::Chess960 => return Err(MovesError::Array),
        (None, Start::Standard) => return Ok(Position::initial()),
    };
    Position::from_fen(fen).ok_or_else(|| MovesError::Start(fen.clone()))
}

/// Takes a file apart: tags, comments, variations and annotations are left out.
fn words(text: &str) -> Result<Words, MovesError> {
    let mut out = Words::default();
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    let mut depth = 0usize;
    while let Some(first) = rest.chars().next() {
        let len = match first {
            '{' => rest.find('}').map_or(rest.len(), |end| end + 1),
            ';' | '%' => rest.find('\n').unwrap_or(rest.len()),
            '[' => {
                let end = rest.find("]\n").or_else(|| rest.find("]\r")).map_or(rest.len(), |end| end + 1);
                if !out.moves.is_empty() || out.result.is_some() {
                    return Err(MovesError::Second);
                }
                tag(&rest[..end], &mut out);
                end
            }
            '(' => {
                depth += 1;
                1
            }
            ')' => {
                depth = depth.saturating_sub(1);
                1
            }
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || "{}();".contains(c));
                let end = end.unwrap_or(rest.len()).max(first.len_utf8());
                if depth == 0 {
                    word(&rest[..end], &mut out)?;
                }
                end
            }
        };
        rest = rest[len..].trim_start();
    }
    Ok(out)
}

fn tag(text: &str, out: &mut Words) {
    let value = || text.split('"').nth(1).map(str::to_owned);
    match text.trim_start_matches('[').split_whitespace().next() {
        Some("FEN") => out.fen = value(),
        Some("Result") => out.result = None,
        _ => {}
    }
}

fn word(text: &str, out: &mut Words) -> Result<(), MovesError> {
    if RESULTS.contains(&text) {
        return match out.result.replace(text.to_owned()) {
            None => Ok(()),
            Some(_) => Err(MovesError::Second),
        };
    }
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    // The number of a move, with dots or without; a passed turn is written in digits, too.
    let numbered = !NULL.contains(&text) && (digits.is_empty() || digits.starts_with('.'));
    let text = if numbered { digits.trim_start_matches('.') } else { text };
    let text = text.trim_end_matches(['!', '?']);
    if text.is_empty() || text.starts_with('$') || text == "e.p." {
        return Ok(());
    }
    if out.result.is_some() {
        return Err(MovesError::Second);
    }
    out.moves.push(text.to_owned());
    Ok(())
}

fn ply(
    number: usize,
    word: &str,
    before: Position,
    chess960: bool,
    excuses: &Excuses,
) -> Result<Ply, MovesError> {
    let legal = before.legal_moves();
    let uci = Uci::read(word);
    let found: Vec<Move> = match &uci {
        Some(uci) => uci.among(&legal, chess960).into_iter().collect(),
        None => {
            short(word, &legal).ok_or_else(|| MovesError::Word { ply: number, given: word.to_owned() })?
        }
    };
    let text = |m: &Move| if chess960 { m.uci_chess960() } else { m.uci() };
    let stood = excuses.illegal.iter().find(|(ply, _)| *ply == number).map(|(_, board)| board);
    match (found.as_slice(), uci) {
        // What stood tells it from the legal move that is written alike.
        ([m], _) if stood.is_none_or(Option::is_none) => {
            Ok(Ply { m: *m, after: before.play(m), uci: text(m), legal: true, before })
        }
        ([first, second, ..], _) => Err(MovesError::Ambiguous {
            ply: number,
            given: word.to_owned(),
            first: text(first),
            second: text(second),
        }),
        (_, uci) => {
            let illegal = stood.zip(uci).and_then(|(stood, uci)| uci.illegal(&before, stood));
            let Some((m, after)) = illegal else {
                return Err(MovesError::Illegal { ply: number, given: word.to_owned(), fen: before.fen() });
            };
            Ok(Ply { m, after, uci: m.uci(), legal: false, before })
        }
    }
}

/// A move as from and to square.
#[derive(Clone, Copy)]
struct Uci {
    from: Square,
    to: Square,
    promotion: Option<Role>,
}

impl Uci {
    fn read(word: &str) -> Option<Uci> {
        let square = |at: usize| word.get(at..at + 2)?.parse::<Square>().ok();
        let promotion = match word.get(4..)? {
            "" => None,
            letter => {
                let mut letters = letter.chars();
                let role = letters.next().and_then(Role::from_char)?;
                letters.next().is_none().then_some(role)
            }
        };
        let uci = Uci { from: square(0)?, to: square(2)?, promotion };
        (word.len() == 4 || uci.promotion.is_some()).then_some(uci)
    }

    /// Castling may be written king to square or king takes rook.
    fn among(&self, legal: &[Move], chess960: bool) -> Option<Move> {
        let plain = |m: &&Move| m.rook.is_none() && m.to == self.to;
        let takes_rook = |m: &&Move| m.rook.is_some_and(|(rook, _)| rook == self.to);
        let to_square = |m: &&Move| !chess960 && m.rook.is_some() && m.to == self.to;
        let all = || legal.iter().filter(|m| m.from == self.from && m.promotion == self.promotion);
        let found = all().find(plain).or_else(|| all().find(takes_rook));
        found.or_else(|| all().find(to_square)).copied()
    }

    /// The move as it was carried out although it is not allowed, and what stands then.
    fn illegal(&self, before: &Position, stood: &Option<Board>) -> Option<(Move, Position)> {
        let piece = before.board.piece_at(self.from)?;
        let king = piece.role == Role::King && self.from.rank() == self.to.rank();
        let side = match i32::from(self.to.file()) - i32::from(self.from.file()) {
            2 => Some(CastlingSide::KingSide),
            -2 => Some(CastlingSide::QueenSide),
            _ => None,
        };
        let corner = side.map(|side| {
            let file = if side == CastlingSide::KingSide { shakmaty::File::H } else { shakmaty::File::A };
            Square::from_coords(file, self.from.rank())
        });
        let own_rook = |s: &Square| before.board.piece_at(*s) == Some(piece.color.rook());
        let m = match corner.filter(|_| king).filter(own_rook) {
            Some(rook) => before.castling(self.from, rook),
            None => Move {
                from: self.from,
                to: self.to,
                role: piece.role,
                capture: before.board.piece_at(self.to).map(|_| self.to),
                promotion: self.promotion,
                rook: None,
            },
        };
        let mut board = before.play(&m).board;
        if m.rook.is_none() {
            // Whose piece it is need not be whose turn it is.
            let role = m.promotion.unwrap_or(piece.role);
            board.set_piece_at(m.to, shakmaty::Piece { color: piece.color, role });
        }
        let board = stood.clone().unwrap_or(board);
        Some((m, Position::from_wood(board, !before.turn, before.castles, before)))
    }
}

/// The legal moves that are written so in short notation; `None` if it is no such notation.
fn short(word: &str, legal: &[Move]) -> Option<Vec<Move>> {
    let letters = word.replace('0', "O").replace("e.p.", "");
    // Some write the piece a pawn becomes without the sign before it.
    let san = SanPlus::from_ascii(letters.as_bytes()).ok()?.san;
    let fits = |m: &&Move| match san {
        San::Normal { role, file, rank, to, promotion, .. } => {
            m.rook.is_none()
                && m.role == role
                && m.to == to
                && m.promotion == promotion
                && file.is_none_or(|file| m.from.file() == file)
                && rank.is_none_or(|rank| m.from.rank() == rank)
        }
        San::Castle(side) => m.rook.is_some_and(|(rook, _)| {
            let king_side = rook.file() > m.from.file();
            king_side == (side == CastlingSide::KingSide)
        }),
        San::Put { .. } | San::Null => false,
    };
    Some(legal.iter().filter(fits).copied().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::{BoardId, Device};

    fn read(text: &str) -> Result<Game, String> {
        let setup = Setup::plain(BoardId::new("b").unwrap(), Device::Neutral);
        Game::read(text, &setup, &Excuses::default()).map_err(|e| e.to_string())
    }

    fn ucis(text: &str) -> Vec<String> {
        read(text).unwrap().plies.into_iter().map(|p| p.uci).collect()
    }

    #[test]
    fn notations_say_the_same() {
        let right = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "e1g1"];
        let pgn = "[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4! {a [note]} e5 2.Nf3 (2. f4 exf4) 2...Nc6\n\
                   3. Bc4 $1 Bc5 ; rest\n4. O-O 1-0\n";
        assert_eq!(ucis(pgn), right);
        assert_eq!(ucis("e2e4\ne7e5\ng1f3\nb8c6\nf1c4\nf8c5\ne1g1\n"), right);
        assert_eq!(ucis("1. e2e4 e7e5 2. Ngf3 Nc6 3. Bc4 Bc5 4. 0-0 *"), right);
        assert_eq!(read(pgn).unwrap().result, "1-0");
        assert_eq!(ucis("[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\na8=Q Kg7"), ["a7a8q", "h7g7"]);
    }

    #[test]
    fn what_is_wrong_names_its_ply() {
        for (text, words) in [
            ("", "no move"),
            ("[Event \"x\"]\n\n*\n", "no move"),
            ("e4 e5 Ke3", "ply 3: Ke3 is not legal in"),
            ("e4 0000", "list press-without-move for ply 2"),
            ("e4 hello", "ply 2: \"hello\" is no move"),
            ("e4 1-0 d4 *", "more than one game"),
            ("e4 *\n\n[Event \"y\"]\n\nd4 *", "more than one game"),
            ("Nf3 d5 Nd4 d6", "ply 4: d6 is not legal"),
            ("Nf3 a6 d3 b6 Nd2", "can be b1d2 or f3d2"),
            ("[FEN \"hello\"]\n\ne4", "must be a FEN"),
        ] {
            let error = read(text).map(|_| ()).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn an_illegal_ply_stands_only_where_somebody_saw_it() {
        let setup = Setup::plain(BoardId::new("b").unwrap(), Device::Neutral);
        let excuses = Excuses { illegal: vec![(2, None)], passed: vec![3] };
        let game = Game::read("e2e4 e7e2 0000 e2d1q", &setup, &excuses).unwrap();
        assert_eq!(game.plies.iter().map(|p| p.legal).collect::<Vec<_>>(), [true, false, true]);
        assert_eq!(game.plies[1].after.board.piece_at(Square::E2), Some(Color::Black.pawn()));
        assert_eq!(game.plies[2].side(), Color::Black, "White passed his turn");
        assert!(Game::read("e2e4 e7e2", &setup, &Excuses::default()).is_err());
    }
}
