//! flag-fall, clock-incorrect and clock-sides-swapped: what the clock alone shows.
//!
//! Penalties of one or two minutes, bonuses, pauses and corrections are normal; only the start and
//! the first presses are judged, and an increment only when two presses contradict it.

use shakmaty::{Bitboard, Color};

use super::clock_adjusted::Adjusting;
use super::clock_not_running::Stopped;
use super::detect::Found;
use super::reason::color_name;
use super::rules::RuleId;
use crate::events::TimeControl;
use crate::tick::{Dial, Tick};
use crate::timeline::{Clock, Happening};

/// A difference from the event's time below this is somebody's slow hand at the start, seconds.
const START_TOLERANCE_S: u32 = 3;
/// After so many presses the increment is not judged any more.
const PRESSES_JUDGED: u32 = 8;
/// Readings of whole seconds that come late blur by so much.
const FLAG_TOLERANCE_MS: u64 = 2_500;
/// Shorter increments cannot be told from whole-second readings.
const INCREMENT_MIN_S: u32 = 2;

/// What is remembered of the clock.
#[derive(Clone, Debug, Default)]
pub struct ClockRules {
    started: bool,
    flagged: (bool, bool),
    presses: u32,
    without_increment: u32,
    incorrect: bool,
    turn_since: Option<(Tick, Dial)>,
    /// The last reading: when, White's and Black's time.
    last: Option<(Tick, Dial, Dial)>,
    /// A flag that the reading before does not explain: the next one must say so too.
    doubted: Option<Color>,
    stopped: Option<Stopped>,
    adjusting: Adjusting,
}

impl ClockRules {
    /// Takes a clock reading. `control` is the event's; `plies` those in the record.
    pub fn heard(
        &mut self,
        at: Tick,
        clock: &Clock,
        happening: &Happening,
        control: Option<TimeControl>,
        plies: usize,
    ) -> Vec<Found> {
        let mut found = Vec::new();
        found.extend(self.adjusting.heard(at, clock, happening, self.started));
        match happening {
            Happening::Started(_) if !self.started => {
                self.started = true;
                if plies == 0 {
                    found.extend(control.and_then(|control| self.start(clock, control)));
                }
                self.turn_begins(at, clock);
            }
            Happening::Started(_) => self.turn_begins(at, clock),
            Happening::Pressed(side) => {
                self.started = true;
                found.extend(control.and_then(|control| self.pressed(at, clock, *side, control)));
                self.turn_begins(at, clock);
            }
            Happening::Stopped => self.turn_since = None,
            _ => {}
        }
        found.extend(self.standing(at, clock, happening, plies));
        found.extend(self.flag(at, clock));
        self.last = Some((at, clock.white, clock.black));
        found
    }

    /// A game that was cancelled goes on as another with its times as they are: no start to be judged.
    pub fn kept(&mut self) {
        self.started = true;
    }

    /// Whether the clock stands since somebody stopped it.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.is_some()
    }

    /// The game is over: a clock that stands stands rightly.
    pub fn game_over(&mut self) {
        self.stopped = None;
        self.adjusting = Adjusting::default();
    }

    /// The times are as an arbiter has set them: what was changed is no news.
    pub fn set_by_arbiter(&mut self) {
        self.adjusting = Adjusting::default();
    }

    fn standing(&mut self, at: Tick, clock: &Clock, happening: &Happening, plies: usize) -> Option<Found> {
        if clock.running.is_some() {
            self.stopped = None;
        } else if self.started && matches!(happening, Happening::Stopped) {
            self.stopped.get_or_insert(Stopped::new(clock, plies));
        }
        self.stopped.as_mut()?.heard(at, clock, happening, plies)
    }

    fn turn_begins(&mut self, at: Tick, clock: &Clock) {
        self.turn_since = clock.running.map(|side| (at, clock.dial(side)));
    }

    fn start(&mut self, clock: &Clock, control: TimeControl) -> Option<Found> {
        let right = |dial: Dial| {
            let shown = u64::from(dial.ms());
            [0, control.inc_s].iter().any(|more| {
                let right = (u64::from(control.base_s) + u64::from(*more)) * 1000;
                shown.abs_diff(right) <= u64::from(START_TOLERANCE_S) * 1000
            })
        };
        if right(clock.white) && right(clock.black) {
            return None;
        }
        self.incorrect = true;
        let what = format!(
            "the clock shows White {} and Black {} at the start; the event's time control is {} with {} s a move",
            clock.white.text(),
            clock.black.text(),
            Dial::from_s(control.base_s).text(),
            control.inc_s
        );
        Some(Found::new(RuleId::ClockIncorrect, None, Bitboard::EMPTY, what))
    }

    /// Whether the increment was added at this press.
    fn pressed(&mut self, at: Tick, clock: &Clock, side: Color, control: TimeControl) -> Option<Found> {
        self.presses += 1;
        let (since, before) = self.turn_since?;
        if self.incorrect || self.presses > PRESSES_JUDGED || control.inc_s < INCREMENT_MIN_S {
            return None;
        }
        let spent = i64::try_from(at.since(since).ms()).unwrap_or(i64::MAX);
        let left = i64::from(before.ms()).saturating_sub(spent);
        let gained = i64::from(clock.dial(side).ms()) - left;
        let increment = i64::from(control.inc_s) * 1000;
        // Whole-second readings and late messages blur by a second or so.
        if gained.abs() < increment / 2 && gained < 1_200 {
            self.without_increment += 1;
        } else {
            self.without_increment = 0;
        }
        if self.without_increment < 2 {
            return None;
        }
        self.incorrect = true;
        let what = format!("the clock does not add the increment of {} s a move", control.inc_s);
        Some(Found::new(RuleId::ClockIncorrect, None, Bitboard::EMPTY, what))
    }

    fn flag(&mut self, at: Tick, clock: &Clock) -> Option<Found> {
        let at_zero = |side: Color| clock.dial(side).ms() == 0 && (clock.running == Some(side));
        let doubted = self.doubted.take();
        let side = clock.flag.or_else(|| Color::ALL.into_iter().find(|s| at_zero(*s)))?;
        if doubted != Some(side) && !self.can_have_run_out(at, side) {
            // One damaged reading is no fallen flag.
            self.doubted = Some(side);
            return None;
        }
        let told = side.fold_wb(&mut self.flagged.0, &mut self.flagged.1);
        if std::mem::replace(told, true) {
            return None;
        }
        let what = format!("{}'s time has run out", color_name(side));
        Some(Found::new(RuleId::FlagFall, Some(side), Bitboard::EMPTY, what))
    }

    /// Whether the time that has passed since the last reading explains a zero.
    fn can_have_run_out(&self, at: Tick, side: Color) -> bool {
        let Some((since, white, black)) = self.last else { return false };
        let left = u64::from(side.fold_wb(white, black).ms());
        left <= at.since(since).ms() + FLAG_TOLERANCE_MS
    }
}
