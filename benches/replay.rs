//! Replay speed: sensor events a second through `Table::step`, and the same in units of a reference
//! load of the same run, so that figures of different machines can be compared.
//!
//! The recording is a series of games of random legal moves, played by a hand and written by
//! `emulator::Script`: every lift, placing, press and tick of the clock is an event.

use std::hint::black_box;
use std::time::{Duration, Instant};

use jadoube::emulator::{Script, to_jsonl};
use jadoube::events::{BoardId, Device, Row, RowKind, Sensed, Setup, TimeControl, parse_row};
use jadoube::table::{Effects, Input, Publish, Table};
use shakmaty::{CastlingSide, Chess, Color, Move, Piece, Position, Square};

const GAMES: u64 = 100;
const PLIES: usize = 120;
/// Each figure is the best of so many passes: what disturbs a pass only makes it slower.
const PASSES: usize = 7;
/// The depth of the reference load.
const PERFT: u32 = 5;

fn main() {
    let games: Vec<Vec<Row>> = (1..=GAMES).map(game).collect();
    let text: Vec<String> = games.iter().map(|rows| to_jsonl(rows)).collect();
    let events: usize = games.iter().map(|rows| rows.len() - 1).sum();
    let plies: usize = games.iter().map(|rows| replay(rows.iter().cloned())).sum();
    println!("replay: {GAMES} games, {plies} plies, {events} sensor events; best of {PASSES} passes");

    let reference = best(|| {
        black_box(shakmaty::perft(black_box(&Chess::default()), PERFT));
    });
    let nodes = shakmaty::perft(&Chess::default(), PERFT) as f64 / reference.as_secs_f64();
    println!("  reference: perft {PERFT} from the initial position, {} nodes a second", thousands(nodes));

    let step = best(|| {
        for rows in &games {
            black_box(replay(rows.iter().cloned()));
        }
    });
    let read = best(|| {
        for text in &text {
            let rows = text.lines().map(|line| parse_row(line).expect("a row of our own"));
            black_box(replay(rows));
        }
    });
    for (what, time) in [("through Table::step", step), ("read from JSON Lines, and through", read)] {
        let rate = events as f64 / time.as_secs_f64();
        println!(
            "  {what}: {} events a second, {:.2} per 1,000 nodes of the reference",
            thousands(rate),
            rate / nodes * 1000.0
        );
    }
}

/// Steps through a recording; how many moves were published.
fn replay(rows: impl Iterator<Item = Row>) -> usize {
    let (mut table, mut effects, mut moves) = (Table::new(), Effects::default(), 0);
    for row in rows {
        let input = match row.kind {
            RowKind::Meta(setup) => Input::Setting(setup),
            RowKind::Report(report) => Input::Report(report),
        };
        table.step(row.at, input, &mut effects);
        moves += effects.publish.drain(..).filter(|item| matches!(item, Publish::Move(_))).count();
    }
    moves
}

fn best(mut pass: impl FnMut()) -> Duration {
    let time = |()| {
        let begin = Instant::now();
        pass();
        begin.elapsed()
    };
    std::iter::repeat_n((), PASSES).map(time).min().expect("at least one pass")
}

fn thousands(rate: f64) -> String {
    format!("{:.0} thousand", rate / 1000.0)
}

/// A game of random legal moves, the same for the same seed.
fn game(seed: u64) -> Vec<Row> {
    let mut setup = Setup::plain(BoardId::new("bench").expect("a topic part"), Device::Neutral);
    setup.ruleset = "fide-2023/blitz-b2".to_owned();
    setup.time_control =
        Some(TimeControl { base_s: 180, inc_s: 2, bonus: None, increment_on_first_move: true });
    let mut script = Script::new(setup).wait(2_000).run(true);
    let mut position = Chess::default();
    let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    for _ in 0..PLIES {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let m = moves[(random >> 33) as usize % moves.len()];
        script = hand(script.wait(500 + (random >> 54)), &m, position.turn()).wait(250).press();
        position.play_unchecked(m);
    }
    script.rows()
}

/// What a hand does to make the move.
fn hand(script: Script, m: &Move, turn: Color) -> Script {
    match *m {
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(king < rook);
            let rank = king.rank();
            let king_to = Square::from_coords(side.king_to_file(), rank);
            script.carry(0, king, king_to).carry(200, rook, Square::from_coords(side.rook_to_file(), rank))
        }
        Move::EnPassant { from, to } => {
            let victim = Square::from_coords(to.file(), from.rank());
            script.carry(0, from, to).wait(200).lift(victim)
        }
        Move::Normal { from, to, promotion: Some(role), .. } => {
            let queen = Sensed::Piece(Piece { color: turn, role });
            script.lift(from).wait(300).place(to, queen)
        }
        Move::Normal { from, to, .. } => script.carry(0, from, to),
        Move::Put { to, role } => script.place(to, Sensed::Piece(Piece { color: turn, role })),
    }
}
