//! The mating question: positions with their answers, and every line played on the board.
//!
//! `fixtures/mating/by-hand.txt` was written by people. `generated.txt` is made by the generator
//! below (`UPDATE_FIXTURES=1` makes it anew): a "yes" in it has a line, a "no" is proven by the
//! pieces or by visiting all positions that can arise, never by the solver's word alone.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

use std::path::{Path, PathBuf};

use jadoube::mating::{Answer, Budget, CanStillMate, Impossible, Proof, can_still_mate, in_san};
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, Piece, Position, PositionError, Role, Setup, Square,
};
use shakmaty::{fen::Fen, uci::UciMove};

struct Case {
    fen: String,
    right: [CanStillMate; 2],
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/mating")
}

fn cases(name: &str) -> Vec<Case> {
    let text = std::fs::read_to_string(folder().join(name)).expect("a readable fixture");
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let parts: Vec<&str> = line.split("; ").collect();
            let [fen, white, black] = parts[..] else { panic!("three parts: {line}") };
            let word = |word: &str| match word {
                "yes" => CanStillMate::Yes,
                "no" => CanStillMate::No,
                _ => panic!("yes or no: {line}"),
            };
            Case { fen: fen.to_owned(), right: [word(white), word(black)] }
        })
        .collect()
}

/// A position that need not have arisen in a game.
fn position(fen: &str) -> Chess {
    let setup = fen.parse::<Fen>().expect("a FEN").into_setup();
    setup
        .position::<Chess>(CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .expect("a position")
}

/// Plays a line with nothing but shakmaty.
fn ends_in_mate(fen: &str, side: Color, line: &[String]) -> bool {
    let mut now = position(fen);
    for text in line {
        let m = text.parse::<UciMove>().expect("a move").to_move(&now).expect("a legal move");
        now.play_unchecked(m);
    }
    now.is_checkmate() && now.turn() != side
}

fn check(fen: &str, side: Color, answer: &Answer) {
    if let Proof::Line(line) = &answer.proof {
        assert!(ends_in_mate(fen, side, line), "{fen} {side}: {line:?}");
        assert!(in_san(fen, line).is_some(), "{fen} {side}: {line:?}");
    }
}

fn all_are_right(name: &str) -> usize {
    let cases = cases(name);
    let mut wrong = Vec::new();
    for Case { fen, right } in &cases {
        for (side, right) in Color::ALL.into_iter().zip(right) {
            let answer = can_still_mate(fen, side, Budget::DECIDES);
            check(fen, side, &answer);
            if answer.verdict() != *right {
                wrong.push(format!("{fen} {side}: {answer:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    cases.len()
}

#[test]
fn positions_written_by_hand_are_answered_rightly() {
    assert!(all_are_right("by-hand.txt") >= 35);
}

#[test]
fn generated_positions_are_answered_rightly() {
    if std::env::var_os("UPDATE_FIXTURES").is_some() {
        std::fs::write(folder().join("generated.txt"), generated()).expect("a writable fixture");
    }
    assert!(all_are_right("generated.txt") >= 300);
}

/// Our own search and chasolver are independent of each other: neither may contradict the other.
#[test]
fn a_smaller_budget_says_less_and_nothing_else() {
    let mut less = 0;
    for Case { fen, right } in cases("generated.txt").iter().chain(&cases("by-hand.txt")) {
        for (side, right) in Color::ALL.into_iter().zip(right) {
            for nodes in [0, 300, 20_000] {
                let answer = can_still_mate(fen, side, Budget::nodes(nodes));
                assert!(answer.nodes <= nodes, "{fen} {side}: {answer:?}");
                check(fen, side, &answer);
                match answer.verdict() {
                    CanStillMate::NotProven => less += 1,
                    said => assert_eq!(said, *right, "{fen} {side} with {nodes}: {answer:?}"),
                }
            }
        }
    }
    assert!(less > 100, "small budgets leave questions open: {less}");
}

/// What White can, Black can with colours exchanged.
#[test]
fn colours_make_no_difference() {
    for Case { fen, right } in cases("by-hand.txt") {
        let mirrored = mirrored(&fen);
        for (side, right) in Color::ALL.into_iter().zip(right) {
            let answer = can_still_mate(&mirrored, !side, Budget::DECIDES);
            assert_eq!(answer.verdict(), right, "{mirrored} {}: {answer:?}", !side);
        }
    }
}

fn mirrored(fen: &str) -> String {
    let mut setup = fen.parse::<Fen>().expect("a FEN").into_setup();
    setup.mirror();
    Fen::try_from_setup(setup).expect("a FEN").to_string()
}

/// A table of positions with known answers from elsewhere, where there is one.
#[test]
fn no_answer_of_a_larger_table_is_wrong() {
    let Some(shared) = std::env::var_os("JADOUBE_SHARED") else { return };
    let path = Path::new(&shared).join("cases/mating-question.csv");
    let Ok(text) = std::fs::read_to_string(path) else { return };
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().expect("a head").split(',').collect();
    let column = |name: &str| head.iter().position(|h| *h == name).expect("the column is there");
    let columns = [column("white_verdict"), column("black_verdict")];
    let (mut asked, mut open) = (0, 0);
    for row in lines.map(|line| line.split(',').collect::<Vec<_>>()) {
        for (side, column) in Color::ALL.into_iter().zip(columns) {
            let answer = can_still_mate(row[0], side, Budget::nodes(20_000));
            asked += 1;
            check(row[0], side, &answer);
            match answer.verdict() {
                CanStillMate::Yes => assert_eq!(row[column], "W", "{} {side}", row[0]),
                CanStillMate::No => assert_eq!(row[column], "U", "{} {side}", row[0]),
                CanStillMate::NotProven => open += 1,
            }
        }
    }
    assert!(open * 8 < asked, "{open} of {asked} are open");
}

/// A generator that gives the same positions wherever it runs.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % n as u64).expect("small")
    }

    fn square(&mut self, ranks: std::ops::Range<usize>) -> Square {
        let at = self.below((ranks.end - ranks.start) * 8) + ranks.start * 8;
        Square::new(u32::try_from(at).expect("a square"))
    }
}

fn generated() -> String {
    let mut out = String::from(
        "# Position; whether White can still mate; whether Black can. Made by the generator in tests/mating.rs.\n",
    );
    let mut dice = Dice(20_230_101);
    for (kind, wanted) in [(sparse as fn(&mut Dice) -> Setup, 130), (wall, 110), (late, 90)] {
        let mut made = 0;
        while made < wanted {
            let setup = kind(&mut dice);
            let Ok(chess) = setup.position::<Chess>(CastlingMode::Standard) else { continue };
            let fen = Fen::from_position(&chess, EnPassantMode::Legal).to_string();
            let answers = Color::ALL.map(|side| can_still_mate(&fen, side, Budget::DECIDES));
            let sure = |a: &Answer| {
                a.proof != Proof::Never(Impossible::Solver) && a.verdict() != CanStillMate::NotProven
            };
            if !answers.iter().all(sure) || out.contains(&fen) {
                continue;
            }
            made += 1;
            out += &format!("{fen}; {}; {}\n", answers[0].verdict().word(), answers[1].verdict().word());
        }
    }
    out
}

/// Kings and up to three men.
fn sparse(dice: &mut Dice) -> Setup {
    let mut setup = Setup::empty();
    for color in Color::ALL {
        setup.board.set_piece_at(dice.square(0..8), Piece { color, role: Role::King });
    }
    for _ in 0..=dice.below(3) {
        let role =
            [Role::Knight, Role::Bishop, Role::Bishop, Role::Rook, Role::Pawn, Role::Queen][dice.below(6)];
        let color = Color::from_white(dice.below(2) == 0);
        let ranks = if role == Role::Pawn { 1..7 } else { 0..8 };
        setup.board.set_piece_at(dice.square(ranks), Piece { color, role });
    }
    setup.turn = Color::from_white(dice.below(2) == 0);
    setup
}

/// Rams on most files, kings on their sides of them, perhaps bishops.
fn wall(dice: &mut Dice) -> Setup {
    let mut setup = Setup::empty();
    let files = [[0, 2, 4, 6], [1, 3, 5, 7], [0, 3, 6, 6], [1, 4, 7, 7]][dice.below(4)];
    for file in files {
        let rank = 2 + dice.below(3);
        for (rank, color) in [(rank, Color::White), (rank + 1, Color::Black)] {
            let square = Square::new(u32::try_from(rank * 8 + file).expect("a square"));
            setup.board.set_piece_at(square, Piece { color, role: Role::Pawn });
        }
    }
    setup.board.set_piece_at(dice.square(0..2), Piece { color: Color::White, role: Role::King });
    setup.board.set_piece_at(dice.square(6..8), Piece { color: Color::Black, role: Role::King });
    for _ in 0..dice.below(3) {
        let color = Color::from_white(dice.below(2) == 0);
        let at = dice.square(color.fold_wb(0..2, 6..8));
        if setup.board.piece_at(at).is_none() {
            setup.board.set_piece_at(at, Piece { color, role: Role::Bishop });
        }
    }
    setup.turn = Color::from_white(dice.below(2) == 0);
    setup
}

/// Far into a game of random moves.
fn late(dice: &mut Dice) -> Setup {
    let mut chess = Chess::default();
    for _ in 0..60 + dice.below(260) {
        let moves = chess.legal_moves();
        if moves.is_empty() {
            break;
        }
        // Captures first, so that few men are left.
        let takes: Vec<_> = moves.iter().filter(|m| m.is_capture()).collect();
        let m = if takes.is_empty() || dice.below(3) == 0 {
            moves[dice.below(moves.len())]
        } else {
            *takes[dice.below(takes.len())]
        };
        chess.play_unchecked(m);
    }
    chess.to_setup(EnPassantMode::Legal)
}
