//! clock-adjusted: the times were changed by hand: by how much, and for whom (FIDE 7.1, 7.5.5).
//!
//! Penalties, time given back and corrections are set while the clock stands; what it showed when
//! it was stopped is compared with what it shows when it runs again. On some clocks times can be
//! set while they run: then a jump that no increment, no bonus and no running explains. One
//! reading proves nothing: a second one must agree. The start of a game sets the clock and does not
//! adjust it.

use shakmaty::{Bitboard, Color};

use super::detect::Found;
use super::reason::color_name;
use super::rules::RuleId;
use crate::tick::{Dial, Tick};
use crate::timeline::{Clock, Happening};

/// A difference below this is a reading in whole seconds that came late.
const LEAST_MS: i64 = 2_000;
/// A jump below this while the clock runs may be a delay, or readings that stood still.
const JUMP_MS: i64 = 45_000;
/// Two readings agree within this.
const AGREE_MS: i64 = 3_000;
/// A clock that runs out may add the time of the next period by itself.
const RUN_OUT_MS: i64 = 5_000;

/// Both times at a moment, and whose runs.
#[derive(Clone, Copy, Debug)]
struct Shown {
    at: Tick,
    dials: [i64; 2],
    running: Option<Color>,
}

impl Shown {
    fn of(at: Tick, clock: &Clock) -> Shown {
        let ms = |dial: Dial| i64::from(dial.ms());
        Shown { at, dials: [ms(clock.white), ms(clock.black)], running: clock.running }
    }

    /// What the clock shows at `at` if nobody touches it.
    fn expected(&self, at: Tick) -> [i64; 2] {
        let passed = i64::try_from(at.since(self.at).ms()).unwrap_or(i64::MAX);
        let mut dials = self.dials;
        if let Some(side) = self.running {
            let dial = &mut dials[index(side)];
            *dial = dial.saturating_sub(passed).max(0);
        }
        dials
    }
}

/// What is remembered of the clock since the last press, start or stop.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Adjusting {
    /// From this the times follow until somebody presses, or changes them.
    from: Option<Shown>,
    /// The clock was started again and has not been found right yet.
    restarted: bool,
    /// The reading before this one.
    last: Option<Shown>,
    /// A change that the next reading must show too.
    doubted: Option<[i64; 2]>,
}

fn index(side: Color) -> usize {
    side.fold_wb(0, 1)
}

fn agree(a: [i64; 2], b: [i64; 2]) -> bool {
    (0..2).all(|i| (a[i] - b[i]).abs() <= AGREE_MS)
}

impl Adjusting {
    /// Takes what happened; `begun` once the clock has been started for the first time.
    pub(super) fn heard(
        &mut self,
        at: Tick,
        clock: &Clock,
        happening: &Happening,
        begun: bool,
    ) -> Option<Found> {
        let now = Shown::of(at, clock);
        match happening {
            // What a clock that stands shows changes by hand only, heard or not.
            Happening::Link(_) if self.stands() => (self.last, self.doubted) = (None, None),
            Happening::Link(_) | Happening::ClockConnected(_) => *self = Adjusting::default(),
            Happening::Contact(_) | Happening::EmptiedAgain(_) | Happening::Dumped => {}
            // Increments and bonuses come with the press.
            Happening::Pressed(_) => self.begin(now),
            Happening::Stopped if self.stands() => {}
            Happening::Stopped => self.begin(now),
            Happening::Started(_) if !begun => self.begin(now),
            Happening::Started(_) => return self.started(now),
            // It was started while nobody heard it.
            Happening::Ticked if self.stands() && now.running.is_some() => self.begin(now),
            Happening::Ticked => {
                let found = self.ticked(now);
                self.last = Some(now);
                return found;
            }
        }
        None
    }

    fn stands(&self) -> bool {
        self.from.is_some_and(|from| from.running.is_none())
    }

    fn begin(&mut self, now: Shown) {
        *self = Adjusting { from: Some(now), last: Some(now), ..Adjusting::default() };
    }

    /// The clock runs again: what it shows against what it showed when it was stopped.
    fn started(&mut self, now: Shown) -> Option<Found> {
        let Some(stopped) = self.from.filter(|from| from.running.is_none()) else {
            self.begin(now);
            return None;
        };
        let stood = self.last;
        self.from = Some(Shown { dials: stopped.dials, ..now });
        self.restarted = true;
        // The last reading of the clock that stood may say the same already.
        self.doubted = stood.map(|last| [0, 1].map(|i| last.dials[i] - stopped.dials[i]));
        let found = self.compare(now);
        self.last = Some(now);
        found
    }

    fn ticked(&mut self, now: Shown) -> Option<Found> {
        let from = self.from.filter(|from| from.running == now.running);
        if from.is_none() {
            self.begin(now);
            return None;
        }
        // An arbiter sets one digit after the other: told once the clock runs again. A clock that
        // stands still though it runs was not heard anew, or a delay runs.
        let still = now.running.is_none() || self.last.is_some_and(|last| last.dials == now.dials);
        if still { None } else { self.compare(now) }
    }

    fn compare(&mut self, now: Shown) -> Option<Found> {
        let expected = self.from?.expected(now.at);
        let change = [0, 1].map(|i| now.dials[i] - expected[i]);
        let least = if self.restarted { LEAST_MS } else { JUMP_MS };
        let ran_out = now.running.is_some_and(|side| expected[index(side)] < RUN_OUT_MS);
        // Both sides alike: the clock was set for another game.
        let set_anew = now.dials[0] == now.dials[1] && change.iter().all(|ms| ms.abs() >= LEAST_MS);
        if change.iter().all(|ms| ms.abs() < least) || ran_out && !self.restarted || set_anew {
            self.begin(now);
            return None;
        }
        if self.doubted.is_some_and(|before| agree(before, change)) {
            self.begin(now);
            return Some(found(change));
        }
        self.doubted = Some(change);
        None
    }
}

/// What was changed, in words.
fn found(change: [i64; 2]) -> Found {
    let changed = |side: &Color| change[index(*side)].abs() >= LEAST_MS;
    let parts: Vec<String> = Color::ALL
        .into_iter()
        .filter(changed)
        .map(|side| {
            let ms = change[index(side)];
            let size = Dial::from_s(u32::try_from((ms.abs() + 500) / 1000).unwrap_or(u32::MAX));
            format!(
                "{}'s time was changed by {}{}",
                color_name(side),
                if ms < 0 { '-' } else { '+' },
                size.text()
            )
        })
        .collect();
    let both = Color::ALL.iter().all(changed);
    let side = if both { None } else { Color::ALL.into_iter().find(changed) };
    Found::new(RuleId::ClockAdjusted, side, Bitboard::EMPTY, parts.join(", "))
}
