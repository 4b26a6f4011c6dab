//! Asks the mating question of every position of a table and compares: `cargo run --release
//! --example mating_question -- TABLE.csv NODES…`. The table needs the columns `fen`,
//! `white_verdict` and `black_verdict`, with W where that side can mate and U where it cannot.

use std::time::{Duration, Instant};

use jadoube::mating::{Budget, CanStillMate, can_still_mate};
use shakmaty::Color;

fn main() {
    let mut args = std::env::args().skip(1);
    let table = args.next().expect("a table");
    let text = std::fs::read_to_string(&table).expect("a readable table");
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().expect("a head").split(',').collect();
    let column = |name: &str| head.iter().position(|h| *h == name).expect("the column is there");
    let (fen, white, black) = (column("fen"), column("white_verdict"), column("black_verdict"));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    for nodes in args {
        let budget = Budget::nodes(nodes.parse().expect("a number of nodes"));
        let (mut times, mut counts, mut wrong) = (Vec::new(), [0; 3], 0);
        for row in &rows {
            for (side, right) in [(Color::White, row[white]), (Color::Black, row[black])] {
                let begin = Instant::now();
                let answer = can_still_mate(row[fen], side, budget);
                times.push(begin.elapsed());
                let (slot, agrees) = match answer.verdict() {
                    CanStillMate::Yes => (0, right == "W"),
                    CanStillMate::No => (1, right == "U"),
                    CanStillMate::NotProven => (2, true),
                };
                counts[slot] += 1;
                if !agrees {
                    wrong += 1;
                    println!("WRONG {} {side}: {answer:?}", row[fen]);
                }
                if slot == 2 && std::env::var_os("SHOW_OPEN").is_some() {
                    println!("open {} {side} ({right}): {answer:?}", row[fen]);
                }
            }
        }
        report(&nodes, &mut times, counts, wrong);
    }
}

fn report(nodes: &str, times: &mut [Duration], [yes, no, open]: [usize; 3], wrong: usize) {
    times.sort();
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
    let share = 100.0 * open as f64 / times.len() as f64;
    println!(
        "{nodes} nodes: {} questions, yes {yes}, no {no}, not proven {open} ({share:.2} %), wrong {wrong}; \
         p50 {:?}, p95 {:?}, p99 {:?}, max {:?}, all {:?}",
        times.len(),
        at(0.5),
        at(0.95),
        at(0.99),
        at(1.0),
        times.iter().sum::<Duration>()
    );
}
