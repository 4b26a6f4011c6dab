//! Each kind of answer once, and what is not asked at all.

use super::*;
use shakmaty::Board;

fn ask(fen: &str, side: Color) -> Answer {
    can_still_mate(fen, side, Budget::DECIDES)
}

#[test]
fn each_proof_says_what_it_rests_on() {
    let never = |fen, side| match ask(fen, side).proof {
        Proof::Never(why) => why,
        other => panic!("{fen}: {other:?}"),
    };
    assert_eq!(never("8/8/4kq2/8/8/3KB3/8/8 w - - 0 1", Color::White), Impossible::Material);
    assert_eq!(never("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", Color::White), Impossible::Stalemate);
    assert_eq!(never("R5k1/5ppp/8/8/8/8/p7/6K1 b - - 0 1", Color::Black), Impossible::Mated);
    assert_eq!(never("k7/1R6/8/8/8/8/8/7K b - - 0 1", Color::White), Impossible::Exhausted);
    let mated = ask("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Color::White);
    assert_eq!((mated.verdict(), mated.proof), (CanStillMate::Yes, Proof::Line(Vec::new())));
}

/// Too many positions to visit, and the pawns and bishops are locked for ever.
#[test]
fn what_the_solver_proves_is_said_to_be_its_proof() {
    let fen = "8/2b4B/4k3/8/8/2p1p1p1/2PpP1P1/1B1K3n b - - 0 1";
    let answer = ask(fen, Color::White);
    assert_eq!(answer.proof, Proof::Never(Impossible::Solver));
    assert_eq!(answer.by.as_deref(), Some(SOLVER));
}

#[test]
fn a_position_that_is_none_leaves_the_question_open() {
    for fen in ["", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "kk6/8/8/8/8/8/8/KQ6 w - - 0 1"] {
        assert_eq!(ask(fen, Color::White).verdict(), CanStillMate::NotProven, "{fen}");
    }
    // A lone king never mates, whatever else stands on the board.
    let answer = ask("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", Color::Black);
    assert_eq!(answer.proof, Proof::Never(Impossible::Material));
}

/// chasolver knows standard castling only: a line still counts, a proof of its own would not.
#[test]
fn chess960_is_answered_without_the_solvers_word() {
    let answer = ask("1r2k3/p1p5/8/8/8/8/P1P5/1R2K3 w Bb - 0 1", Color::White);
    assert_eq!(answer.verdict(), CanStillMate::Yes);
    assert_eq!(answer.by, None);
}

#[test]
fn a_line_that_does_not_mate_is_not_believed() {
    let chess = legal("7k/8/5KQ1/8/8/8/8/8 w - - 0 1".parse().unwrap()).unwrap();
    let owned = |moves: &[&str]| moves.iter().map(|m| (*m).to_owned()).collect::<Vec<String>>();
    let mates = |moves: &[&str]| line::mates(&chess, Color::White, &owned(moves));
    assert!(mates(&["g6g7"]).is_some());
    for wrong in [&["g6f7"][..], &["g6g7", "h8g8"], &["g6a7"], &["h8g8"], &["x"], &[]] {
        assert_eq!(mates(wrong), None, "{wrong:?}");
    }
    assert_eq!(line::mates(&chess, Color::Black, &owned(&["g6g7"])), None, "the wrong side");
}

#[test]
fn lines_read_as_arbiters_write_them() {
    assert_eq!(
        in_san("7k/8/5KQ1/8/8/8/8/8 w - - 0 12", &["h8g8".to_owned()]),
        None,
        "no move of this position"
    );
    let fen = "6k1/8/5KQ1/8/8/8/8/8 b - - 0 12";
    let line = ["g8h8", "g6g7"].map(str::to_owned);
    assert_eq!(in_san(fen, &line).as_deref(), Some("12...Kh8 13.Qg7#"));
}

#[test]
fn only_locked_walls_are_looked_at() {
    let locked = |placement: &str| is_locked(&placement.parse::<Board>().unwrap());
    assert!(locked("4k3/8/8/p2p2p1/P2P2P1/8/8/4K3"));
    assert!(locked("4k3/3b4/8/1p1p1p1p/1P1P1P1P/8/8/4K3"));
    assert!(locked("4k3/8/p7/p2p4/P2P4/P7/8/4K3"), "doubled pawns");
    for open in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "4k3/8/8/8/8/8/8/4K3",
        "4k3/8/8/p2p2p1/P2P4/6P1/8/4K3",
        "4k3/8/8/pp1p2p1/P2P2P1/8/8/4K3",
        "4k3/8/8/p2p2p1/P2P2P1/8/8/1N2K3",
    ] {
        assert!(!locked(open), "{open}");
    }
}
