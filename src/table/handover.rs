//! A new game begins with a table of its own: nothing of the game before can reach into it, and its
//! journal needs no other.
//!
//! While the array stands with the clock stopped, what a new table has to know is small: it is noted
//! at each input. What happens after that is kept until the clock is started. If that begins a new
//! game, a new table takes what was noted and then the inputs since; the old one is dropped. Where
//! the array was never seen at rest, as after a lost link, the old table goes on with the new game.

use super::{Effects, Input, Orders, Table};
use crate::alerts::GameSummary;
use crate::events::{ClockReading, Setup, Wood};
use crate::tick::Tick;
use crate::timeline::Seating;

/// So many inputs may come between the array at rest and the start of the clock.
const TAIL_MAX: usize = 512;

/// All that a table has to know of what was before its game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carried {
    /// The settings, with the number of the game that begins and what the board has shown of its times.
    pub setup: Setup,
    /// How many inputs the board had had.
    pub inputs: u64,
    /// How many questions it had asked the mating solver.
    pub questions: u32,
    /// The ids of requests that were answered: none is carried out twice.
    pub answered: Vec<String>,
    /// What the board said of itself, each form of its serial number once.
    pub serials: Vec<String>,
    /// Who sits where.
    pub seating: Seating,
    /// The wood, in the sensor's frame.
    pub wood: Wood,
    /// The clock, which stands.
    pub clock: ClockReading,
    /// When bytes of the board made no sense last: its line may be disturbed.
    pub noise: Vec<Tick>,
    /// The game before was not over: its times may have been left as they were, and are not judged.
    pub clock_kept: bool,
    /// What people have entered that stands until it is changed.
    pub orders: Orders,
    /// The games before, oldest first.
    pub games: Vec<GameSummary>,
}

/// A game that began with a table of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Began {
    /// What was before it, and when that was so.
    pub carried: (Tick, Carried),
    /// The inputs since, with the one that began the game.
    pub tail: Vec<(Tick, Input)>,
    /// What is published from here on belongs to the new game.
    pub published_before: usize,
}

impl Began {
    /// All inputs of the new game's journal so far, in order.
    pub fn inputs(self) -> impl Iterator<Item = (Tick, Input)> {
        let (at, carried) = self.carried;
        std::iter::once((at, Input::Carried(Box::new(carried)))).chain(self.tail)
    }
}

/// What is kept for the game that may be about to begin.
#[derive(Debug, Default)]
pub(super) struct Handover {
    noted: Option<(Tick, Carried)>,
    tail: Vec<(Tick, Input)>,
    /// A new game was told, after so many publications of this step.
    begins: Option<usize>,
}

impl Table {
    /// Keeps an input for the game that may be about to begin. What people ask and what the solver
    /// answers is about the game before.
    pub(super) fn keep_for_next(&mut self, input: &Input) {
        let kept = matches!(input, Input::Bytes(_) | Input::Report(_) | Input::Timer);
        if !kept || self.handover.tail.len() == TAIL_MAX {
            self.handover = Handover::default();
        } else if self.handover.noted.is_some() {
            self.handover.tail.push((self.now, input.clone()));
        }
    }

    /// A new game was told: what the step publishes from here on is not the old table's to say.
    pub(super) fn game_begins(&mut self, out: &Effects) {
        if self.handover.noted.is_some() {
            self.handover.begins = Some(out.publish.len());
        }
    }

    /// At the end of a step: hands over if a game has begun; else notes what the next one needs.
    pub(super) fn hand_over(&mut self, out: &mut Effects) {
        match (self.handover.begins.take(), self.handover.noted.take()) {
            (Some(published_before), Some(carried)) => self.begin_anew(published_before, carried, out),
            (_, noted) => {
                self.handover.noted = noted;
                self.note_for_next();
            }
        }
    }

    fn begin_anew(&mut self, published_before: usize, carried: (Tick, Carried), out: &mut Effects) {
        let tail = std::mem::take(&mut self.handover.tail);
        *self = Table { solves: self.solves, ..Table::new() };
        out.publish.truncate(published_before);
        let began = Began { carried, tail, published_before };
        for (at, input) in began.clone().inputs() {
            self.step(at, input, out);
        }
        out.began = Some(Box::new(began));
    }

    pub(super) fn note_for_next(&mut self) {
        let stands = self.line.clock_reading().filter(|clock| clock.running.is_none());
        let Some(clock) = stands.filter(|_| self.is_between_games()) else { return };
        self.handover.tail.clear();
        let carried = Carried {
            setup: Setup {
                first_game: self.game + 1,
                calibration: self.calibration().map(Box::new),
                ..self.given.clone()
            },
            inputs: self.input_count,
            questions: self.questions,
            answered: self.answers.ids(),
            serials: self.serials.clone(),
            seating: self.line.seating(),
            wood: self.line.raw().clone(),
            clock,
            noise: self.noise.iter().copied().collect(),
            clock_kept: !self.tracker.is_over(),
            orders: self.entered.orders.clone(),
            games: self.games(),
        };
        self.handover.noted = Some((self.now, carried));
    }

    /// The array stands, everything is heard, and nothing is being waited for.
    fn is_between_games(&self) -> bool {
        let begun = !self.tracker.record().is_empty() || self.tracker.is_over();
        let wood = self.line.wood();
        begun
            && self.line.is_up()
            && self.line.has_dump()
            && self.adapter.is_between_messages()
            && self.deaf.is_none()
            && self.setup.start_wood().is_ok_and(|array| wood.differs_wood(&array).is_empty())
    }

    /// Takes over what was before this table's game.
    pub(super) fn carry(&mut self, carried: Carried, out: &mut Effects) {
        let Carried { setup, inputs, questions, answered, serials, seating, wood, clock, .. } = carried;
        let Carried { noise, clock_kept, orders, games, .. } = carried;
        self.noise = noise.into();
        self.entered.carry(orders, games);
        self.setting(setup, out);
        (self.input_count, self.questions, self.serials) = (inputs, questions, serials);
        self.answers.forget_all_but_ids(answered);
        self.line.seat(seating);
        self.report(&crate::events::Report::Dump(wood), out);
        self.report(&crate::events::Report::Clock(clock), out);
        if clock_kept {
            self.clock.kept();
        }
    }
}
