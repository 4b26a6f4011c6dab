//! What a recording says and what a host hears, in terms that can be compared.

use jadoube::emulator::{Emulator, Line, Recording, Script, Sent};
use jadoube::events::{
    ClockReading, Device, DgtAdapter, Lever, Report, Sensed, SensorSquare, Setup, TimeControl, TopicPart,
    Wood,
};
use jadoube::tick::Tick;

/// Host's commands.
pub(crate) const NICE: u8 = 0x4B;
pub(crate) const DUMP: u8 = 0x42;

/// A blitz board.
pub(crate) fn blitz(base_s: u32, inc_s: u32) -> Script {
    let mut setup = Setup::plain(TopicPart::new("table-1").unwrap(), Device::Neutral);
    setup.time_control = Some(TimeControl { base_s, inc_s, bonus: None, increment_on_first_move: true });
    Script::new(setup)
}

/// What can be told from a recording and from a device alike.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Told {
    /// Fields as they changed.
    pub(crate) squares: Vec<(SensorSquare, Sensed)>,
    /// The end that was down, whenever it changed.
    pub(crate) levers: Vec<Lever>,
    /// What stands there at the end.
    pub(crate) wood: Option<Wood>,
}

impl Told {
    pub(crate) fn of<'a>(reports: impl IntoIterator<Item = &'a Report>) -> Told {
        let mut told = Told::default();
        for report in reports {
            match report {
                Report::Dump(wood) => told.wood = Some(wood.clone()),
                Report::Square { at, seen } => {
                    told.squares.push((*at, *seen));
                    if let Some(wood) = &mut told.wood {
                        wood.set(at.raw(), *seen);
                    }
                }
                Report::Clock(reading) if told.levers.last() != Some(&reading.down) => {
                    told.levers.push(reading.down);
                }
                Report::Junk { why, .. } => panic!("junk: {why}"),
                _ => {}
            }
        }
        told
    }
}

/// Plays a recording to a host that asks for everything at once, without waiting.
pub(crate) fn play(recording: &Recording) -> Vec<Sent> {
    let mut board = Emulator::new(recording);
    let mut sent = Vec::new();
    board.host(Tick::ZERO, &[DUMP, NICE]);
    let mut now = Tick::ZERO;
    while !board.is_done() {
        match board.next_due() {
            Some(due) => now = due,
            // Plugged in again: the host sets the mode again.
            None => board.host(now, &[DUMP, NICE]),
        }
        board.poll(now, &mut sent);
    }
    sent
}

/// What was heard, each with its tick.
pub(crate) fn heard(sent: &[Sent]) -> Vec<(Tick, Report)> {
    let mut adapter = DgtAdapter::default();
    let mut out = Vec::new();
    let mut reports = Vec::new();
    for Sent { at, what } in sent {
        if let Line::Bytes(bytes) = what {
            adapter.feed(bytes, &mut reports);
            out.extend(reports.drain(..).map(|report| (*at, report)));
        }
    }
    out
}

/// The largest difference, in milliseconds, between what passed and what the running side used,
/// between any two messages with no press or stop between them.
pub(crate) fn worst_disagreement(heard: &[(Tick, Report)]) -> u64 {
    let mut run: Vec<(Tick, ClockReading)> = Vec::new();
    let mut worst = 0;
    for (at, report) in heard {
        let Report::Clock(now) = report else { continue };
        if run.last().is_some_and(|(_, last)| (last.down, last.running) != (now.down, now.running)) {
            run.clear();
        }
        for (then, first) in &run {
            let used = match now.running {
                None => first.left.ms().abs_diff(now.left.ms()) + first.right.ms().abs_diff(now.right.ms()),
                Some(Lever::Left) => first.left.ms().saturating_sub(now.left.ms()),
                Some(Lever::Right) => first.right.ms().saturating_sub(now.right.ms()),
            };
            let passed = if now.running.is_some() { at.since(*then).ms() } else { 0 };
            worst = worst.max(passed.abs_diff(u64::from(used)));
        }
        run.push((*at, *now));
    }
    worst
}
