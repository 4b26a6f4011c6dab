//! The chess clock: what it counts, and what it says when it is asked or speaks by itself.

use shakmaty::Color;

use super::profile::Sensors;
use super::rng::Rng;
use super::sense::{Kind, Reading, Row};
use super::settings::hands;
use super::stage::Act;
use super::truth::Adjusted;

/// The settings of the clock itself, which need not be the event's.
#[derive(Clone, Copy, Debug)]
pub struct Clockwork {
    pub dials: [i64; 2],
    pub inc_ms: i64,
    pub bonus: Option<(i64, i64)>,
    pub down: Color,
}

#[derive(Clone, Copy, Debug)]
struct State {
    dials: [i64; 2],
    running: Option<Color>,
    down: Color,
    at: i64,
    presses: [i64; 2],
}

fn index_of(side: Color) -> usize {
    side.fold_wb(0, 1)
}

impl State {
    fn pass(&mut self, t: i64) {
        if let Some(side) = self.running {
            let dial = &mut self.dials[index_of(side)];
            *dial = (*dial - (t - self.at)).max(0);
        }
        self.at = t;
    }

    fn reading(&self) -> Reading {
        Reading {
            dials: self.dials.map(|d| d.max(0) / 1_000 * 1_000),
            running: self.running,
            down: self.down,
        }
    }
}

impl Clockwork {
    /// The state after each change, with ticks between.
    fn states(&self, acts: &[(i64, Act)], end: i64, step: i64) -> Vec<(i64, Reading, bool)> {
        let mut state = State { dials: self.dials, running: None, down: self.down, at: 0, presses: [0, 0] };
        let mut out = vec![(0, state.reading(), true)];
        let mut tick = step;
        let mut acts = acts.iter().filter(|(_, a)| !matches!(a, Act::Sq(..))).peekable();
        loop {
            let due = acts.peek().map_or(end, |(t, _)| *t);
            // The moment a flag falls is said at once.
            let falls = state.running.map(|s| state.at + state.dials[index_of(s)]).filter(|f| *f > state.at);
            let until = due.min(tick).min(end);
            if let Some(falls) = falls.filter(|f| *f < until) {
                state.pass(falls);
                out.push((falls, state.reading(), true));
                continue;
            }
            if until >= end {
                // Two last readings, so that time is known and what they say can be thought over.
                for t in [end, end + 9_000] {
                    state.pass(t);
                    out.push((t, state.reading(), true));
                }
                return out;
            }
            if tick <= due {
                state.pass(tick);
                if state.running.is_some() {
                    out.push((tick, state.reading(), false));
                }
                tick = tick.saturating_add(step);
                continue;
            }
            let Some((t, act)) = acts.next() else { unreachable!("the end comes first") };
            state.pass(*t);
            self.act(&mut state, *act);
            out.push((*t, state.reading(), true));
        }
    }

    fn act(&self, state: &mut State, act: Act) {
        match act {
            Act::Press(side) => {
                let counted = state.running == Some(side);
                if counted {
                    let i = index_of(side);
                    state.dials[i] += self.inc_ms;
                    state.presses[i] += 1;
                    if let Some((n, s)) = self.bonus
                        && state.presses[i] == n
                    {
                        state.dials[i] += s * 1_000;
                    }
                }
                if state.running.is_some() {
                    state.running = Some(!side);
                }
                state.down = side;
            }
            Act::Stop => state.running = None,
            Act::Go(side) => {
                state.running = Some(side);
                state.down = !side;
            }
            Act::Dial(side, ms) => state.dials[index_of(side)] = ms,
            Act::DialBy(side, ms) => {
                let dial = &mut state.dials[index_of(side)];
                *dial = (*dial + ms).max(1_000);
            }
            Act::Sq(..) => {}
        }
    }

    /// What the clock shows at `t`.
    pub fn at(&self, acts: &[(i64, Act)], t: i64) -> Reading {
        self.states(acts, t + 1, i64::MAX).last().expect("a state").1
    }

    /// What was changed by hand between a stop and the next start.
    pub fn adjusted(&self, acts: &[(i64, Act)], lag: i64) -> Vec<Adjusted> {
        let mut out = Vec::new();
        let first = self.at(acts, 0).dials;
        let (mut stopped, mut dialled) = (None, 0);
        for (t, act) in acts {
            match act {
                Act::Stop => stopped = stopped.or(Some(*t)),
                Act::Dial(..) | Act::DialBy(..) => dialled = *t,
                Act::Go(_) => {
                    let Some(stop) = stopped.take().filter(|stop| dialled >= *stop) else { continue };
                    let (before, after) = (self.at(acts, stop).dials, self.at(acts, *t - 1).dials);
                    let by = [0, 1].map(|i| after[i] - before[i]);
                    // Both alike, or as they began: the clock was set for another game.
                    let alike = after[0] == after[1];
                    let anew = alike && (by.iter().all(|ms| ms.abs() >= 2_000) || after == first);
                    if by.iter().any(|ms| ms.abs() >= 2_000) && !anew {
                        out.push(Adjusted { go: *t, by, shown: t - dialled > lag + 200 });
                    }
                }
                _ => {}
            }
        }
        out
    }

    pub fn rows(&self, acts: &[(i64, Act)], end: i64, s: &Sensors, rng: &mut Rng) -> Vec<Row> {
        let states = self.states(acts, end, if s.poll > 0 { s.poll } else { s.tick });
        let mut rows = Vec::new();
        let mut sent: Option<Reading> = None;
        let mut last_tick = 0;
        let mut clear = 0;
        let mut frozen_until = 0;
        let of = &hands().clock;
        if s.poll > 0 {
            let mut index = 0;
            let mut t = 0;
            while t < end + 9_000 + s.poll {
                while index + 1 < states.len() && states[index + 1].0 <= t {
                    index += 1;
                }
                let now = states[index].1;
                let changed = sent.is_none_or(|o| o.running != now.running || o.down != now.down);
                let falls = sent.is_some_and(|o| {
                    now.running.is_some_and(|s| now.dials[index_of(s)] == 0 && o.dials != now.dials)
                });
                let moved = sent.is_none_or(|o| o.dials != now.dials);
                if changed || falls || t >= end || moved && (now.running.is_none() || t - last_tick >= s.tick)
                {
                    let at = (t + rng.range(s.clock_latency.0, s.clock_latency.1)).max(clear);
                    clear = at;
                    last_tick = t;
                    rows.push(Row { t: at, kind: Kind::Clock(now) });
                    sent = Some(now);
                }
                t += s.poll;
            }
            return rows;
        }
        for (t, reading, change) in states {
            let at = (t + rng.range(s.clock_latency.0, s.clock_latency.1)).max(clear);
            clear = at;
            let mut reading = reading;
            if !change {
                if t < frozen_until
                    && let Some(old) = sent
                {
                    reading.dials = old.dials;
                } else if rng.permille(s.frozen) {
                    frozen_until = t + of.frozen_ms.draw(rng);
                }
            }
            let flipped = sent.is_some_and(|o| o.down != reading.down && o.running.is_some());
            rows.push(Row { t: at, kind: Kind::Clock(reading) });
            if let Some(old) = sent.filter(|_| flipped && rng.permille(s.stale)) {
                clear = at + of.stale_after_ms.draw(rng);
                rows.push(Row { t: clear, kind: Kind::Clock(old) });
                // The next reading puts it right.
                let again = clear + of.stale_right_ms.draw(rng);
                rows.push(Row { t: again, kind: Kind::Clock(reading) });
                clear = again;
            }
            sent = Some(reading);
        }
        rows
    }
}
