//! An hour of play on a line that damages one byte in a hundred. Single mode has no checksum, so a
//! damaged byte can look like a piece or like a press; nobody may be accused because of that, and each
//! game must be followed again. Only in the first half minute of a run nothing tells yet that the line
//! is disturbed: that is counted.
//!
//! `JADOUBE_SEEDS=n` runs so many hours; what was measured is printed.

use std::collections::BTreeMap;

use jadoube::emulator::{Emulator, Line, Recording, Sent};
use jadoube::events::{BoardId, Device, Report, Row, RowKind, Setup};
use jadoube::laws::Severity;
use jadoube::mating::Budget;
use jadoube::table::{Effects, Input, Publish, Table};
use jadoube::tick::{Span, Tick};
use jadoube_dgt::Command;

const GAMES: [&str; 4] = [
    include_str!("../fixtures/demo/table-1-illegal-move.jsonl"),
    include_str!("../fixtures/demo/table-2-unpromoted-pawn.jsonl"),
    include_str!("../fixtures/demo/table-3-press-without-move.jsonl"),
    include_str!("../fixtures/demo/table-4-clean.jsonl"),
];
const HOUR: Span = Span::from_ms(3_600_000);
/// One byte in so many is damaged.
const ONE_IN: u64 = 100;
/// A record that went wrong is right again with the next game at the latest; these take less.
const THREE_GAMES: Span = Span::from_ms(180_000);
/// By then a line that is disturbed has told so.
const UNTOLD: Tick = Tick::from_ms(30_000);
/// The same incident in two runs is told within this time.
const NEAR: Span = Span::from_ms(5_000);

/// Numbers that are the same whenever the seed is.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// An hour of games at one table, the array set up again after each.
fn hour() -> Recording {
    let mut rows: Vec<Row> = Vec::new();
    let mut at = Tick::ZERO;
    for game in 0.. {
        if at >= Tick::ZERO + HOUR {
            break;
        }
        let recording = Recording::parse(GAMES[game % GAMES.len()]).unwrap().set_up_again();
        if rows.is_empty() {
            rows.push(Row { at, kind: RowKind::Meta(Box::new(recording.setup().clone())) });
        }
        // Only the first game needs to be told what stands there.
        let told = |report: &Report| game == 0 || !matches!(report, Report::Dump(_));
        rows.extend(recording.reports().iter().filter(|(_, report)| told(report)).map(
            |(of_game, report)| Row {
                at: Tick::from_us(at.us() + of_game.us()),
                kind: RowKind::Report(report.clone()),
            },
        ));
        at = rows.last().unwrap().at + Span::from_ms(2_000);
    }
    Recording::from_rows(rows).unwrap()
}

/// What a run has told.
#[derive(Default)]
struct Told {
    /// The position of the record, whenever it changed.
    record: Vec<(Tick, String)>,
    /// When each finding was made, and of what kind; those that were taken back are not here.
    findings: BTreeMap<String, (Tick, &'static str, Severity, bool)>,
    damaged: u64,
    bytes: u64,
}

/// Plays the hour to a table that asks the board as the daemon does.
fn told(recording: &Recording, mut damage: Option<Rng>) -> Told {
    let (mut board, mut table) = (Emulator::new(recording), Table::solving(Budget::nodes(1_000)));
    let (mut told, mut effects, mut now) = (Told::default(), Effects::default(), Tick::ZERO);
    let setup = Setup {
        time_control: recording.setup().time_control,
        ..Setup::plain(BoardId::new("b1").unwrap(), Device::Dgt)
    };
    table.step(now, Input::Setting(Box::new(setup)), &mut effects);
    let opening = [Command::SendBoard, Command::UpdateNice, Command::SendClock].map(Command::byte);
    board.host(now, &opening);
    let mut asks: Vec<(Tick, Command)> = Vec::new();
    while !board.is_done() {
        let due = [board.next_due(), effects.wake_at, asks.first().map(|ask| ask.0)];
        now = due.into_iter().flatten().min().unwrap_or(now + Span::from_ms(1)).max(now);
        if let Some((_, command)) = asks.first().copied().filter(|ask| ask.0 <= now) {
            asks.remove(0);
            board.host(now, &[command.byte()]);
        }
        let mut sent = Vec::new();
        board.poll(now, &mut sent);
        let mut inputs: Vec<Input> = Vec::new();
        for Sent { what, .. } in sent {
            let Line::Bytes(mut bytes) = what else { continue };
            for byte in &mut bytes {
                told.bytes += 1;
                if let Some(rng) = damage.as_mut()
                    && rng.next().is_multiple_of(ONE_IN)
                {
                    *byte ^= 1 << (rng.next() % 8);
                    told.damaged += 1;
                }
            }
            inputs.push(Input::Bytes(bytes));
        }
        if inputs.is_empty() {
            inputs.push(Input::Timer);
        }
        for input in inputs {
            effects.publish.clear();
            table.step(now, input, &mut effects);
            if std::mem::take(&mut effects.ask_dump) {
                asks.push((now + Span::from_ms(10), Command::SendBoard));
            }
            if std::mem::take(&mut effects.ask_clock) {
                asks.push((now + Span::from_ms(1_000), Command::SendClock));
            }
            asks.sort_by_key(|ask| ask.0);
            for publish in &effects.publish {
                match publish {
                    Publish::State(state) => {
                        let fen = state.recorded.split(' ').take(2).collect::<Vec<_>>().join(" ");
                        if told.record.last().is_none_or(|(_, last)| *last != fen) {
                            told.record.push((now, fen));
                        }
                    }
                    Publish::Finding(found) => {
                        let of = (found.at, found.code.name(), found.severity, found.side.is_some());
                        told.findings.insert(found.id.clone(), of);
                    }
                    Publish::Withdraw { id, .. } => {
                        told.findings.remove(id);
                    }
                    _ => {}
                }
            }
        }
    }
    told
}

/// For each time in which the record of the damaged run is not that of the clean one: how long.
fn apart(clean: &Told, damaged: &Told) -> Vec<Span> {
    let mut times: Vec<Tick> = clean.record.iter().chain(&damaged.record).map(|(at, _)| *at).collect();
    times.sort();
    times.dedup();
    let at = |told: &Told, time: Tick| {
        let until = told.record.partition_point(|(at, _)| *at <= time);
        until.checked_sub(1).map(|index| told.record[index].1.clone())
    };
    let (mut out, mut since) = (Vec::new(), None);
    for time in times {
        match (at(clean, time) == at(damaged, time), since) {
            (false, None) => since = Some(time),
            (true, Some(begin)) => {
                out.push(time.since(begin));
                since = None;
            }
            _ => {}
        }
    }
    // The last game ends with the recording.
    let end = clean.record.last().map_or(Tick::ZERO, |(at, _)| *at);
    out.extend(since.map(|begin: Tick| end.since(begin)));
    out.sort();
    out
}

#[test]
fn an_hour_of_damaged_bytes_accuses_nobody_and_every_game_is_followed_again() {
    let hours = std::env::var("JADOUBE_SEEDS").map_or(3, |n| n.parse::<u64>().expect("a number"));
    let recording = hour();
    let clean = told(&recording, None);
    assert!(clean.findings.len() > 100, "an hour without findings shows nothing");
    let (mut accused, mut longest) = (Vec::new(), Span::ZERO);
    for seed in 1..=hours {
        let damaged = told(&recording, Some(Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))));
        assert!(damaged.damaged * 120 > damaged.bytes, "one byte in a hundred");
        let known = |at: Tick, code: &str| {
            clean
                .findings
                .values()
                .any(|(of, about, ..)| *about == code && of.us().abs_diff(at.us()) < NEAR.us())
        };
        let mut checks: BTreeMap<&str, usize> = BTreeMap::new();
        for (id, (at, code, severity, names)) in &damaged.findings {
            match severity {
                Severity::Act if *names && !known(*at, code) => {
                    accused.push((*at, format!("seed {seed}: {id} at {} ms", at.ms())));
                }
                Severity::Act | Severity::Check if !known(*at, code) => *checks.entry(code).or_default() += 1,
                _ => {}
            }
        }
        let apart = apart(&clean, &damaged);
        let missed = clean.findings.values().filter(|(at, code, severity, _)| {
            *severity == Severity::Act
                && !damaged
                    .findings
                    .values()
                    .any(|(of, about, ..)| about == code && of.us().abs_diff(at.us()) < NEAR.us())
        });
        longest = longest.max(apart.last().copied().unwrap_or(Span::ZERO));
        println!(
            "hour {seed}: {} of {} bytes damaged; {} of {} positions were recorded late or otherwise, for {} ms \
             (median), {} ms (longest); incidents missed {}; checks {checks:?}",
            damaged.damaged,
            damaged.bytes,
            apart.len(),
            clean.record.len(),
            apart.get(apart.len() / 2).map_or(0, |span| span.ms()),
            apart.last().map_or(0, |span| span.ms()),
            missed.count(),
        );
    }
    // Before anything tells that the line is disturbed, a damaged byte cannot be told from a hand.
    let early = accused.iter().filter(|(at, _)| *at < UNTOLD).count();
    let text = accused.iter().map(|(_, what)| what.as_str()).collect::<Vec<_>>().join("\n");
    assert!(
        early == accused.len() && early as u64 <= hours / 20,
        "{} accused falsely:\n{text}",
        accused.len()
    );
    assert!(longest < THREE_GAMES, "a record went wrong for {} s", longest.ms() / 1000);
}
