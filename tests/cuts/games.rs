//! Games in which an arbiter is given time: after each incident nothing happens for a while.

use jadoube::emulator::{Script, to_jsonl};
use jadoube::events::{Device, Lever, Sensed, Setup, TimeControl, TopicPart};
use shakmaty::{Color, Piece, Role, Square};

const WHITE: Lever = Lever::Left;
const BLACK: Lever = Lever::Right;
/// Longer than his requests take while the connection is cut, and asked again.
const FOR_RULINGS_MS: u64 = 9_000;

pub(crate) fn games() -> Vec<String> {
    [illegal_move(), unpromoted_pawn(), press_without_move(), clean()]
        .into_iter()
        .map(|game| to_jsonl(&game.rows()))
        .collect()
}

fn begin() -> Script {
    let mut setup = Setup::plain(TopicPart::new("table").unwrap(), Device::Neutral);
    setup.ruleset = "fide-2023/standard".to_owned();
    setup.time_control =
        Some(TimeControl { base_s: 180, inc_s: 2, bonus: None, increment_on_first_move: true });
    Script::new(setup).wait(1_500).run(true)
}

fn play(script: Script, moves: &str) -> Script {
    const THINKING_MS: [u64; 4] = [900, 600, 1_200, 700];
    moves.split_whitespace().zip(THINKING_MS.into_iter().cycle()).fold(script, |script, (text, ms)| {
        let (from, to) = (text[..2].parse().unwrap(), text[2..].parse().unwrap());
        script.moves(ms, from, to)
    })
}

/// He rules while nobody touches anything, and then stops the clock.
fn arbiter_comes(script: Script) -> Script {
    script.wait(FOR_RULINGS_MS).run(false).wait(2_500)
}

fn illegal_move() -> Script {
    let game = arbiter_comes(play(begin(), "e2e4 e7e5 g1f3 b8c6 f1b5 d7d6 b1c3 c6d4"));
    let game = game.carry(500, Square::D4, Square::C6).wait(1_000).hand_back().wait(500).give(WHITE, 120);
    play(game.wait(1_500).run(true), "c8d7 d2d4 e5d4").wait(2_000)
}

fn unpromoted_pawn() -> Script {
    let game = play(begin(), "e2e4 d7d5 e4d5 c7c6 d5c6 g8f6 c6b7 e7e6");
    let game = arbiter_comes(game.lift(Square::A8).moves(900, Square::B7, Square::A8));
    let queen = Sensed::Piece(Piece { color: Color::White, role: Role::Queen });
    let game = game.lift(Square::A8).wait(600).place(Square::A8, queen).wait(1_500).give(BLACK, 120);
    play(game.wait(1_500).run(true), "f8d6 a8b8 e8e7").wait(2_000)
}

fn press_without_move() -> Script {
    let game = play(begin(), "d2d4 g8f6 c2c4 e7e6 b1c3 f8b4 d1c2 b4c3 b2c3");
    let game = arbiter_comes(game.wait(1_700).press());
    let game = game.hand_back().wait(700).give(WHITE, 120);
    play(game.wait(1_500).run(true), "d7d5 c4d5 e6d5").wait(2_000)
}

/// Nothing but chess.
fn clean() -> Script {
    let game = play(begin(), "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 g7g6 c1e3 f8g7 f2f3");
    let game = game.carry(1_000, Square::E8, Square::G8).carry(250, Square::H8, Square::F8);
    play(game.wait(300).press(), "d1d2 b8c6").wait(1_500)
}
