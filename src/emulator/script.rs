//! Recordings written by hand: the demo's games, and what tests need.
//!
//! In: what players do, in words of code. Out: the rows a board and a clock would have made of it,
//! consistent in time: the clock runs down by what passes and presses add the increment. Never: an
//! opinion on what is legal; scripts are there to break rules.

use shakmaty::Square;

use super::recording::index;
use crate::events::{ClockReading, Lever, Report, Row, RowKind, Sensed, SensorSquare, Setup, Wood};
use crate::tick::{Dial, Span, Tick};

/// How long a hand needs from a square to another.
const HAND: Span = Span::from_ms(300);
const SECOND: u64 = 1_000_000;

/// A game as it is played, for writing a recording.
///
/// White sits at the left end of the clock, and the sensor's frame is the players'.
#[derive(Clone, Debug)]
pub struct Script {
    setup: Setup,
    now: Tick,
    wood: Wood,
    /// Time left, in microseconds, left and right.
    left_us: [u64; 2],
    running: Option<Lever>,
    down: Lever,
    /// Every how many seconds the clock reports that it ticks.
    every: u64,
    rows: Vec<Row>,
}

impl Script {
    /// A board with its start position and a clock that stands, White to move.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        let wood = setup.start_wood().unwrap_or_else(|_| Wood::empty());
        let base = setup.time_control.map_or(0, |control| {
            control.base_s + if control.increment_on_first_move { control.inc_s } else { 0 }
        });
        let mut script = Script {
            now: Tick::ZERO,
            wood: wood.clone(),
            left_us: [u64::from(base) * SECOND; 2],
            running: None,
            down: Lever::Right,
            every: 1,
            rows: vec![Row { at: Tick::ZERO, kind: RowKind::Meta(Box::new(setup.clone())) }],
            setup,
        };
        script.report(Report::Dump(wood));
        script.clock();
        script
    }

    /// Lets the clock report its ticks only every so many seconds, as some recorders do.
    #[must_use]
    pub fn ticking_every(mut self, seconds: u32) -> Self {
        self.every = u64::from(seconds.max(1));
        self
    }

    /// Lets time pass; the clock ticks.
    #[must_use]
    pub fn wait(mut self, ms: u64) -> Self {
        let end = self.now + Span::from_ms(ms);
        while let Some(side) = self.running {
            let time = self.left_us[index(side)];
            let to_tick = if time.is_multiple_of(SECOND) { SECOND } else { time % SECOND };
            if time == 0 || self.now + Span::from_us(to_tick) > end {
                break;
            }
            self.pass(Span::from_us(to_tick));
            if (self.left_us[index(side)] / SECOND).is_multiple_of(self.every) {
                self.clock();
            }
        }
        self.pass(end.since(self.now));
        self
    }

    /// Starts the clock of the side to move, or stops the clock.
    #[must_use]
    pub fn run(mut self, runs: bool) -> Self {
        self.running = runs.then_some(self.down.other());
        self.clock();
        self
    }

    /// The player to move presses the clock: his increment comes, the other time runs.
    #[must_use]
    pub fn press(mut self) -> Self {
        let mover = self.down.other();
        let increment = self.setup.time_control.map_or(0, |control| control.inc_s);
        self.left_us[index(mover)] += u64::from(increment) * SECOND;
        self.down = mover;
        self.running = Some(mover.other());
        self.clock();
        self
    }

    /// The arbiter, the clock standing: it is the other player's turn again, nothing is added.
    #[must_use]
    pub fn hand_back(mut self) -> Self {
        self.down = self.down.other();
        self.running = None;
        self.clock();
        self
    }

    /// The arbiter gives a player time, the clock standing.
    #[must_use]
    pub fn give(mut self, side: Lever, seconds: u32) -> Self {
        self.left_us[index(side)] += u64::from(seconds) * SECOND;
        self.running = None;
        self.clock();
        self
    }

    /// Takes away what stands there.
    #[must_use]
    pub fn lift(mut self, square: Square) -> Self {
        self.see(square, Sensed::Empty);
        self
    }

    /// Puts this there, whatever stood there.
    #[must_use]
    pub fn place(mut self, square: Square, seen: Sensed) -> Self {
        self.see(square, seen);
        self
    }

    /// After thinking for `ms`, a hand carries what stands on `from` to `to`; what stood there is
    /// gone, and its square may be seen empty or not: here it is not.
    #[must_use]
    pub fn carry(self, ms: u64, from: Square, to: Square) -> Self {
        let moved = self.wood.at(from);
        self.wait(ms).lift(from).wait(HAND.ms()).place(to, moved)
    }

    /// A whole move: [`carry`](Self::carry), and a press a moment later.
    #[must_use]
    pub fn moves(self, ms: u64, from: Square, to: Square) -> Self {
        self.carry(ms, from, to).wait(HAND.ms()).press()
    }

    /// The board as it stands now.
    #[must_use]
    pub fn wood(&self) -> &Wood {
        &self.wood
    }

    /// What was recorded.
    #[must_use]
    pub fn rows(self) -> Vec<Row> {
        self.rows
    }

    fn see(&mut self, square: Square, seen: Sensed) {
        self.wood.set(square, seen);
        self.report(Report::Square { at: SensorSquare::new(square), seen });
    }

    fn pass(&mut self, span: Span) {
        self.now = self.now + span;
        if let Some(side) = self.running {
            let time = &mut self.left_us[index(side)];
            *time = time.saturating_sub(span.us());
        }
    }

    fn clock(&mut self) {
        // A second is shown until it is used up, so zero is shown when the flag falls.
        let [left, right] = self.left_us.map(|us| Dial::from_s(us.div_ceil(SECOND) as u32));
        self.report(Report::Clock(ClockReading {
            left,
            right,
            running: self.running,
            down: self.down,
            flag: None,
        }));
    }

    fn report(&mut self, report: Report) {
        self.rows.push(Row { at: self.now, kind: RowKind::Report(report) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::{Device, TimeControl, TopicPart};

    fn script() -> Script {
        let mut setup = Setup::plain(TopicPart::new("table-1").unwrap(), Device::Neutral);
        setup.time_control =
            Some(TimeControl { base_s: 180, inc_s: 2, bonus: None, increment_on_first_move: true });
        Script::new(setup)
    }

    #[test]
    fn the_clock_loses_what_passes_and_gains_the_increment() {
        let rows = script().run(true).moves(1_200, Square::E2, Square::E4).wait(2_100).rows();
        let times: Vec<(u64, u32, u32)> = rows
            .iter()
            .filter_map(|row| match &row.kind {
                RowKind::Report(Report::Clock(reading)) => {
                    Some((row.at.ms(), reading.left.seconds(), reading.right.seconds()))
                }
                _ => None,
            })
            .collect();
        let expected = [
            (0, 182, 182),
            (0, 182, 182),
            (1_000, 181, 182),
            (1_800, 183, 182),
            (2_800, 183, 181),
            (3_800, 183, 180),
        ];
        assert_eq!(times, expected);
    }
}
