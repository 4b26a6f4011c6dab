//! Moves from positions of our own kind agree with shakmaty's wherever the position is legal.

use jadoube::game::Position;
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen, uci::UciMove};

fn ours(position: &Position) -> Vec<String> {
    let mut out: Vec<String> = position.legal_moves().iter().map(|m| m.uci_chess960()).collect();
    out.sort();
    out
}

fn theirs(chess: &Chess) -> Vec<String> {
    let mut out: Vec<String> =
        chess.legal_moves().into_iter().map(|m| UciMove::from_chess960(m).to_string()).collect();
    out.sort();
    out
}

/// Walks a random game in both and compares at every ply.
fn walk(start: Chess, choices: &[usize]) {
    let mut chess = start;
    let mut position =
        Position::from_fen(&Fen::from_position(&chess, EnPassantMode::Always).to_string()).expect("a FEN");
    for choice in choices {
        assert_eq!(ours(&position), theirs(&chess), "{}", position.fen());
        let moves = chess.legal_moves();
        if moves.is_empty() {
            assert_eq!(position.is_mate(), chess.is_checkmate());
            assert_eq!(position.is_stalemate(), chess.is_stalemate());
            return;
        }
        let theirs = moves[choice % moves.len()];
        let name = UciMove::from_chess960(theirs).to_string();
        let ours =
            position.legal_moves().into_iter().find(|m| m.uci_chess960() == name).expect("the same move");
        assert!(
            !position.san(&ours).contains('-') || position.san(&ours).starts_with("O-O"),
            "short notation"
        );
        position = position.play(&ours);
        chess.play_unchecked(theirs);
        assert_eq!(position.board, *chess.board());
        assert_eq!(position.turn, chess.turn());
        assert_eq!(position.castles, chess.castles().castling_rights());
    }
}

proptest! {
    #[test]
    fn random_games_have_the_same_moves(choices in prop::collection::vec(0usize..218, 1..160)) {
        walk(Chess::default(), &choices);
    }

    #[test]
    fn random_chess960_games_have_the_same_moves(
        array in 0u32..960,
        choices in prop::collection::vec(0usize..218, 1..120),
    ) {
        let board = shakmaty::Board::chess960(array);
        let fen: Fen = format!("{} w HAha - 0 1", board.board_fen()).parse().expect("a FEN");
        let rooks = board.rooks();
        let mut setup = fen.into_setup();
        setup.castling_rights = rooks;
        let start = setup.position::<Chess>(CastlingMode::Chess960).expect("an array");
        walk(start, &choices);
    }

    #[test]
    fn any_wood_has_moves_without_a_panic(seed in prop::collection::vec(0u8..13, 64), white in any::<bool>()) {
        let mut board = shakmaty::Board::empty();
        for (square, code) in shakmaty::Square::ALL.into_iter().zip(seed) {
            if let Some(piece) = "PNBRQKpnbrqk".chars().nth(usize::from(code)).and_then(shakmaty::Piece::from_char) {
                board.set_piece_at(square, piece);
            }
        }
        let turn = if white { shakmaty::Color::White } else { shakmaty::Color::Black };
        let position = Position::from_wood(board, turn, shakmaty::Bitboard::CORNERS, &Position::initial());
        for m in position.legal_moves() {
            let after = position.play(&m);
            prop_assert_eq!(after.turn, !turn);
            prop_assert!(m.changed().contains(m.from) || m.rook.is_some());
        }
    }
}
