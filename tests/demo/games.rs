//! The demo's games, as they were written. `fixtures/demo/` holds what comes of them, so that
//! `simulate` and `replay` can play them too; with `BLESS=1` the files are written anew.

use std::path::PathBuf;

use jadoube::emulator::{Recording, Script, to_jsonl};
use jadoube::events::{Device, Lever, Report, Sensed, Setup, TimeControl, TopicPart};
use shakmaty::{Color, Piece, Role, Square};

const WHITE: Lever = Lever::Left;
const BLACK: Lever = Lever::Right;

/// Tables start one after the other, so that their alerts come one after the other.
fn table(name: &str, starts_ms: u64) -> Script {
    let mut setup = Setup::plain(TopicPart::new(name).unwrap(), Device::Neutral);
    setup.ruleset = "fide-2023/blitz-b2".to_owned();
    setup.time_control =
        Some(TimeControl { base_s: 180, inc_s: 2, bonus: None, increment_on_first_move: true });
    Script::new(setup).wait(starts_ms).run(true)
}

/// Moves as `e2e4`, each after thinking for about as long as a blitz player does.
fn play(script: Script, moves: &str) -> Script {
    const THINKING_MS: [u64; 5] = [1_200, 900, 1_600, 700, 1_300];
    moves.split_whitespace().zip(THINKING_MS.into_iter().cycle()).fold(script, |script, (text, ms)| {
        let (from, to) = (text[..2].parse().unwrap(), text[2..].parse().unwrap());
        script.moves(ms, from, to)
    })
}

/// One hand: the king first, then the rook.
fn castle(script: Script, king: [Square; 2], rook: [Square; 2]) -> Script {
    script.carry(1_000, king[0], king[1]).carry(250, rook[0], rook[1]).wait(300).press()
}

/// Black's knight leaves his king in check. The arbiter has it put back, gives White two minutes,
/// and Black moves otherwise.
fn illegal_move() -> Script {
    let game = play(table("table-1", 1_500), "e2e4 e7e5 g1f3 b8c6 f1b5 d7d6 b1c3 c6d4");
    let game = game.wait(3_000).run(false).wait(2_500);
    let game = game.carry(500, Square::D4, Square::C6).wait(1_000).hand_back().wait(500).give(WHITE, 120);
    play(game.wait(1_500).run(true), "c8d7 d2d4 e5d4 f3d4 g8f6 d4c6").wait(2_000)
}

/// White's pawn stays a pawn on the last rank. The arbiter replaces it by a queen.
fn unpromoted_pawn() -> Script {
    let game = play(table("table-2", 6_000), "e2e4 d7d5 e4d5 c7c6 d5c6 g8f6 c6b7 e7e6");
    let game = game.lift(Square::A8).moves(900, Square::B7, Square::A8).wait(3_000).run(false).wait(3_000);
    let queen = Sensed::Piece(Piece { color: Color::White, role: Role::Queen });
    let game = game.lift(Square::A8).wait(600).place(Square::A8, queen).wait(1_500).give(BLACK, 120);
    play(game.wait(1_500).run(true), "f8d6 a8b8 e8e7 g1f3 h8e8").wait(2_000)
}

/// Black presses the clock and has not moved. The arbiter gives it back, and White two minutes.
fn press_without_move() -> Script {
    let game = play(table("table-3", 10_500), "d2d4 g8f6 c2c4 e7e6 b1c3 f8b4 d1c2 b4c3 b2c3");
    let game = game.wait(1_700).press().wait(3_000).run(false).wait(2_500);
    let game = game.hand_back().wait(700).give(WHITE, 120);
    play(game.wait(1_500).run(true), "d7d5 c4d5 e6d5 c1g5 h7h6").wait(2_000)
}

/// Nothing happens here but chess: captures, castling on both wings.
fn clean() -> Script {
    let game =
        play(table("table-4", 2_500), "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 g7g6 c1e3 f8g7 f2f3");
    let game = castle(game, [Square::E8, Square::G8], [Square::H8, Square::F8]);
    let game = play(game, "d1d2 b8c6");
    castle(game, [Square::E1, Square::C1], [Square::A1, Square::D1]).wait(1_500)
}

#[test]
fn the_files_are_what_was_written() {
    for (name, script) in [
        ("table-1-illegal-move", illegal_move()),
        ("table-2-unpromoted-pawn", unpromoted_pawn()),
        ("table-3-press-without-move", press_without_move()),
        ("table-4-clean", clean()),
    ] {
        let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("fixtures/demo/{name}.jsonl"));
        let text = to_jsonl(&script.rows());
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&file, &text).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text, "{name}: written anew with BLESS=1");
        let recording = Recording::parse(&text).unwrap();
        assert!(
            (30_000..50_000).contains(&recording.length().ms()),
            "{name}: {} ms",
            recording.length().ms()
        );
        assert_eq!(recording.notes(), [""; 0], "{name}: a DGT board can say it all");
        assert!(recording.reports().iter().all(|(_, report)| !matches!(report, Report::Link { .. })));
    }
}
