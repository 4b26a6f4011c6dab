//! Faults of the start: a wrong array, a turned board, colours, the clock's setting; and the
//! clock's move counter.

use shakmaty::Color;

use super::proposal::{ClockStep, Consequence, Proposal};
use super::{Desk, place};
use crate::laws::ruleset::{Colours, SettingId, StartFaults, Topic};

/// Made moves of each player up to which colours are put right.
const TEN: u32 = 10;

impl Desk<'_> {
    /// Whether faults of the start are closed, and the word for the window.
    fn too_late_for_the_start(&self, array: bool) -> (bool, &'static str) {
        let done = self.case.completed;
        match self.rules.start_faults {
            StartFaults::AnyTime => (false, "game-end"),
            StartFaults::UntilCompletedByEach(moves) => {
                let word = match moves {
                    1 => "one-completed-each",
                    3 => "three-completed-each",
                    _ => "ten-completed-each",
                };
                (done.white >= moves && done.black >= moves, word)
            }
            StartFaults::UntilBlackCompletes(moves) if array => (done.black >= moves, "black-completes-ten"),
            StartFaults::UntilBlackCompletes(_) => (false, "game-end"),
        }
    }

    /// The array or the board.
    pub(super) fn start(&self) -> Proposal {
        let Some(start) = &self.case.start else { return self.nothing(&[], None) };
        // Queens on their own colour on a turned board are a wrong array: 7.2.1 before 7.2.2.
        let array = start.placed != start.declared;
        let topic = match (array, start.quarter, start.half) {
            (true, ..) => Topic::WrongSetup,
            (_, true, _) => Topic::WrongOrientation,
            (_, _, true) => {
                return self.proposal(None, Consequence::OperatorOnly).cite(self, &[Topic::BoardByHalf]);
            }
            _ => return self.nothing(&[], self.case.position.clone()),
        };
        let (closed, word) = self.too_late_for_the_start(array);
        if closed {
            let stands = self.proposal(Some(topic), Consequence::Continue).window(word, false);
            let own =
                if self.rules.articles(Topic::ArrayStands).is_empty() { topic } else { Topic::ArrayStands };
            return stands.cite(self, &[own]);
        }
        let about = [Topic::StartStillOpen, topic];
        if array {
            return self.begun_anew(topic, &start.declared).window(word, true).cite(self, &about);
        }
        Proposal {
            restore: self.case.position.clone(),
            ..self.proposal(Some(topic), Consequence::TransferPosition)
        }
        .window(word, true)
        .clocks(&[ClockStep::KeepElapsed])
        .cite(self, &about)
    }

    fn begun_anew(&self, topic: Topic, array: &str) -> Proposal {
        let standard = place::ARRAY.split(' ').next() == Some(array);
        let restore = if standard { place::ARRAY.to_owned() } else { format!("{array} w KQkq - 0 1") };
        let kept = self.rules.keeps_clocks_at_new_game;
        let clock = if kept { ClockStep::KeepElapsed } else { ClockStep::Reset };
        Proposal { restore: Some(restore), ..self.proposal(Some(topic), Consequence::NewGame) }
            .clocks(&[clock])
    }

    /// The players sit with each other's colours.
    pub(super) fn colours(&self) -> Proposal {
        if self.case.reversed == Some(false) {
            return self.nothing(&[], None);
        }
        let topic = Topic::ColoursReversed;
        let (made, done) = (self.case.made, self.case.completed);
        let array = place::ARRAY.split(' ').next().unwrap_or_default();
        let (closed, word) = match self.rules.colours {
            Colours::NewGameUntilTenMadeEach => (made.white >= TEN && made.black >= TEN, "ten-made-each"),
            Colours::NewGameUntilBlackCompletesTen => (done[Color::Black] >= TEN, "black-completes-ten"),
            Colours::ContinueUnlessRuled => {
                let ruled = self.rules.settings.is(SettingId::ArbiterOverride, "true");
                let proposal = match ruled {
                    true => self.begun_anew(topic, array),
                    false => self.proposal(Some(topic), Consequence::Continue),
                };
                let proposal = proposal.window("game-end", true).settled(SettingId::ArbiterOverride);
                return proposal.cite(self, &[topic]);
            }
            Colours::NoRule => {
                return self.proposal(Some(topic), Consequence::ArbiterDecides).window("game-end", true);
            }
        };
        let proposal = match closed {
            true => self.proposal(Some(topic), Consequence::Continue),
            false => self.begun_anew(topic, array),
        };
        proposal.window(word, !closed).cite(self, &[topic])
    }

    /// The clock's setting is not the event's.
    pub(super) fn clock_setting(&self) -> Proposal {
        if !self.case.clock_wrong {
            return self.nothing(&[], None);
        }
        let topic = Topic::ClockIncorrect;
        let (closed, word) = self.too_late_for_the_start(false);
        let correct = self
            .proposal(Some(topic), Consequence::CorrectClock)
            .clocks(&[ClockStep::CorrectSetting, ClockStep::JudgeTimes]);
        if !closed {
            return correct
                .window(word, true)
                .cite(self, &[Topic::StartStillOpen, topic, Topic::TimesByJudgement]);
        }
        let risk = self.rules.settings.is(SettingId::ScheduleAtRisk, "true");
        let proposal = if risk { correct } else { self.proposal(Some(topic), Consequence::Continue) };
        proposal.window(word, risk).settled(SettingId::ScheduleAtRisk).cite(self, &[Topic::ClockStands])
    }

    /// The clock's counter is not the number of moves: for the arbiter alone.
    pub(super) fn counter(&self) -> Proposal {
        if !self.case.counter_wrong {
            return self.nothing(&[], None);
        }
        let topic = Topic::MoveCounterMismatch;
        self.proposal(Some(topic), Consequence::ArbiterOnly).cite(self, &[topic])
    }
}
