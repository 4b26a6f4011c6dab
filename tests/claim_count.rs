//! Claims of a draw on random legal games: the verdict is that of an independent count.

use jadoube::game::{Completed, Completion, Position, Record};
use jadoube::laws::{
    ClaimKind, ClaimView, FlagSeen, Line, PlayersClaim, RuleSet, Rules, TurnSeen, Verdict, examine,
};
use jadoube::mating::CanStillMate;
use proptest::prelude::*;
use shakmaty::{ByColor, CastlingMode, Chess, Color, EnPassantMode, Position as _, fen::Fen};

/// Few pieces, so that positions come again: with rights to castle, a pawn that has passed another,
/// a long series behind them, rooks elsewhere than in the array.
const STARTS: &[&str] = &[
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1",
    "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
    "k7/8/8/8/8/8/8/6NK b - - 95 90",
    "1r2k3/8/8/8/8/8/8/1R2K3 w Bb - 0 1",
    "7k/8/8/8/8/8/6p1/K5R1 w - - 97 80",
];

/// What makes a position the same, without our own type: the FEN up to the counters, with an en
/// passant square only if the capture is legal.
fn key(chess: &Chess) -> String {
    let fen = Fen::from_position(chess, EnPassantMode::Legal).to_string();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

fn chess(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    let setup = fen.into_setup();
    let mode = CastlingMode::detect(&setup);
    setup.position(mode).expect("a legal position")
}

struct Game {
    record: Record,
    declared: Position,
    chess: Chess,
    keys: Vec<String>,
}

impl Game {
    /// Plays moves by their place among those allowed, quiet ones more often than others.
    fn play(start: &str, choices: &[u8]) -> Game {
        let declared = Position::from_fen(start).expect("a FEN");
        let mut game = Game {
            record: Record::new(declared.clone(), true),
            declared,
            chess: chess(start),
            keys: vec![key(&chess(start))],
        };
        for choice in choices {
            let moves = game.record.end().legal_moves();
            if moves.is_empty() {
                break;
            }
            let m = moves[usize::from(*choice) % moves.len().min(3)];
            let uci: shakmaty::uci::UciMove = m.uci_chess960().parse().expect("a move");
            game.chess.play_unchecked(uci.to_move(&game.chess).expect("legal in both"));
            game.keys.push(key(&game.chess));
            let how = Completion { by: Completed::Press, placed_at: None, pressed_at: None, dials: None };
            game.record.push_move(&m, how);
        }
        game
    }

    fn verdict(&self, of: ClaimKind, by: Color, written: Option<String>) -> Verdict {
        let rules = Rules::plain(RuleSet::by_key("fide-2023/standard").expect("a rule set"));
        let turn = TurnSeen::of(self.record.end(), 0, &[], None, true);
        let view = ClaimView {
            rules: &rules,
            line: Line::of(&self.record, &self.declared, &[]),
            lost: false,
            uncompleted: false,
            over: false,
            chess960: true,
            occupancy: false,
            turn,
            last: None,
            alerts: Vec::new(),
            offences: ByColor { white: 0, black: 0 },
            flag: FlagSeen::default(),
            mates: &|_, _| CanStillMate::NotProven,
        };
        examine(&PlayersClaim { by, of, written, square: None }, &view).verdict
    }
}

/// How often the last position stood, and for how many half-moves nothing was taken or pushed.
fn counted(keys: &[String], chess: &Chess) -> (usize, u32) {
    let last = keys.last().expect("a start");
    (keys.iter().filter(|key| *key == last).count(), chess.halfmoves())
}

fn wanted(holds: bool) -> Verdict {
    if holds { Verdict::Proven } else { Verdict::Refuted }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn the_verdict_is_that_of_a_naive_count(
        start in prop::sample::select(STARTS.to_vec()),
        choices in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let game = Game::play(start, &choices);
        let over = game.chess.is_checkmate() || game.chess.is_stalemate();
        let turn = game.chess.turn();
        let (times, quiet) = counted(&game.keys, &game.chess);
        prop_assert_eq!(game.verdict(ClaimKind::Threefold, turn, None), wanted(times >= 3 && !over));
        prop_assert_eq!(game.verdict(ClaimKind::Fifty, turn, None), wanted(quiet >= 100 && !over));
        prop_assert_eq!(game.verdict(ClaimKind::Threefold, turn.other(), None), Verdict::Refuted);
        for m in game.record.end().legal_moves() {
            let uci: shakmaty::uci::UciMove = m.uci_chess960().parse().expect("a move");
            let mut after = game.chess.clone();
            after.play_unchecked(uci.to_move(&game.chess).expect("legal in both"));
            let mut keys = game.keys.clone();
            keys.push(key(&after));
            let (times, quiet) = counted(&keys, &after);
            let written = Some(m.uci_chess960());
            prop_assert_eq!(game.verdict(ClaimKind::Threefold, turn, written.clone()), wanted(times >= 3));
            prop_assert_eq!(game.verdict(ClaimKind::Fifty, turn, written), wanted(quiet >= 100));
        }
    }
}
