//! All stages as one deterministic step per board.
//!
//! In: an [`Input`] with its [`Tick`]. Out: [`Effects`]. Never: a clock, a socket, a file,
//! randomness or hash-map order; the same inputs give the same effects on any machine.

mod calibration;
mod claim;
mod effects;
mod entered;
mod episode;
mod frame;
mod handover;
mod holds;
mod input;
mod mating;
mod news;
mod noise;
mod orders;
mod pause;
mod request;
mod seat;
mod shadow;
mod standing;
mod swap;

pub use effects::{BoardState, Effects, MoveMade, Publish, Watched};
pub use entered::{Orders, ResultEntered};
pub use episode::{EpisodeState, Stage};
pub use handover::{Began, Carried};
pub use input::Input;
pub use mating::{MatingAnswer, MatingQuestion};

use std::collections::{BTreeMap, VecDeque};

use shakmaty::Color;

use crate::alerts::{Answers, Desk, Response};
use crate::events::{
    BoardId, Calibration, Device, DgtAdapter, Identity, Report, Setup, Start, Variant, Wood,
};
use crate::game::{Now, Phase, Position, Signal, Told, Tracker};
use crate::laws::{ClockRules, Finding, RuleId, Rules};
use crate::mating::Budget;
use crate::tick::{Dial, Span, Tick};
use crate::timeline::{Happening, SETTLE, Timeline};

/// How many inputs are remembered to name the evidence of a finding.
const INPUTS_MAX: usize = 2048;

/// One board: everything known about it.
#[derive(Debug)]
pub struct Table {
    /// The settings as they were given, and with what people have entered since.
    given: Setup,
    setup: Setup,
    rules: Rules,
    /// What people have entered about the board.
    entered: entered::Entered,
    adapter: DgtAdapter,
    line: Timeline,
    tracker: Tracker,
    clock: ClockRules,
    desk: Desk,
    answers: Answers,
    /// Alerts in shadow mode, and the findings that were kept from people.
    shadow_desk: Desk,
    hidden: VecDeque<String>,
    now: Tick,
    game: u32,
    /// Findings made so far per game, ply and rule, to number them.
    ordinals: BTreeMap<(u32, u32, RuleId), u32>,
    /// Finding ids per judgement, to take them back.
    judged: VecDeque<(u32, Vec<String>)>,
    /// Questions the mating solver was asked, and what each is for.
    asked: VecDeque<mating::Asked>,
    questions: u32,
    /// Findings for the record that a player may claim.
    noted: VecDeque<Finding>,
    /// Claims of this step whose answer asks a mating question.
    claims: Vec<(String, Color, Response)>,
    /// Answers its questions itself, at once.
    solves: Option<Budget>,
    /// Which input was the how-manieth, to name evidence.
    inputs: VecDeque<(Tick, u64)>,
    input_count: u64,
    /// The finding about the clock that was stopped, while it stands.
    pause: Option<String>,
    /// After so many plies the game was dead by proof, not by material.
    dead_at: Option<usize>,
    /// A draw that can be claimed, and after which ply.
    claimable: Option<(u32, RuleId)>,
    /// The serial numbers that the board has said, each form once.
    serials: Vec<String>,
    /// The link is lost, or what happened meanwhile is not yet explained.
    deaf: Option<claim::Deaf>,
    /// After so many plies the board could not be heard for a while, and looked the same afterwards.
    unheard: Vec<u32>,
    /// The last game at whose start the frame was looked at.
    framed: u32,
    /// What has been told of conditions that stand.
    standing: Vec<standing::Standing>,
    /// The result as the kings show it.
    signal: Signal,
    /// A position is being restored, or was.
    episode: Option<episode::Episode>,
    /// For the game that may be about to begin.
    handover: handover::Handover,
    /// What the clock showed when it was stopped, while it stands.
    stopped_at: Option<(Dial, Dial)>,
    junk: BTreeMap<&'static str, u64>,
    /// When bytes made no sense last.
    noise: VecDeque<Tick>,
    /// The times of the board as they were told last.
    calibration: Calibration,
    /// The game was over when they were looked at last.
    was_over: bool,
    watched: Watched,
    told: Vec<Told>,
    heard: Vec<Report>,
    happened: Vec<Happening>,
}

impl Default for Table {
    fn default() -> Self {
        Table::new()
    }
}

impl Table {
    /// A board of which nothing is known yet; the first input is its setting.
    #[must_use]
    pub fn new() -> Self {
        // The name is replaced by the first setting.
        let board = BoardId::new("board").unwrap_or_else(|_| unreachable!("a plain word is a topic part"));
        let setup = Setup::plain(board, Device::Neutral);
        let tracker = tracker(&setup);
        Table {
            rules: Rules::of_setup(&setup),
            given: setup.clone(),
            setup,
            entered: entered::Entered::default(),
            adapter: DgtAdapter::default(),
            line: Timeline::default(),
            tracker,
            clock: ClockRules::default(),
            desk: Desk::default(),
            answers: Answers::default(),
            shadow_desk: Desk::default(),
            hidden: VecDeque::new(),
            now: Tick::ZERO,
            game: 1,
            ordinals: BTreeMap::new(),
            judged: VecDeque::new(),
            asked: VecDeque::new(),
            questions: 0,
            noted: VecDeque::new(),
            claims: Vec::new(),
            solves: None,
            inputs: VecDeque::new(),
            input_count: 0,
            pause: None,
            dead_at: None,
            claimable: None,
            serials: Vec::new(),
            deaf: None,
            unheard: Vec::new(),
            framed: 0,
            standing: Vec::new(),
            signal: Signal::None,
            episode: None,
            handover: handover::Handover::default(),
            stopped_at: None,
            junk: BTreeMap::new(),
            noise: VecDeque::new(),
            calibration: Calibration { waits: SETTLE, ..Calibration::default() },
            was_over: false,
            watched: Watched::No { since: Tick::ZERO, why: "position" },
            told: Vec::new(),
            heard: Vec::new(),
            happened: Vec::new(),
        }
    }

    /// A board that answers the mating question itself, within the step that asks it: for replays of
    /// recordings, which hold no answers.
    #[must_use]
    pub fn solving(budget: Budget) -> Self {
        Table { solves: Some(budget), ..Table::new() }
    }

    /// The only way in. `now` never decreases (an earlier one is taken as the latest seen).
    ///
    /// Deadlines due at or before `now` are acted on first, earliest first, each at its own tick.
    pub fn step(&mut self, now: Tick, input: Input, out: &mut Effects) {
        let now = now.max(self.now);
        self.fire_until(now, out);
        self.now = now;
        if !matches!(input, Input::Carried(_)) {
            self.count_input(now);
        }
        self.keep_for_next(&input);
        let from = out.publish.len();
        match input {
            Input::Setting(setup) => self.setting(*setup, out),
            Input::Bytes(bytes) => self.bytes(Some(&bytes), out),
            Input::Report(report) => {
                if matches!(report, Report::Link { .. }) {
                    self.bytes(None, out);
                }
                self.report(&report, out);
            }
            Input::Timer => {}
            Input::Request(request) => self.request(request, out),
            Input::Answer(answer) => self.answered(&answer, out),
            Input::Carried(carried) => self.carry(*carried, out),
        }
        self.ask_for_advice(from, out);
        self.hand_over(out);
        out.wake_at = self.next_deadline();
    }

    /// The settings it has.
    #[must_use]
    #[expect(clippy::misnamed_getters, reason = "what was given is what a caller compares with")]
    pub fn setup(&self) -> &Setup {
        &self.given
    }

    /// The settings with what people have entered since.
    #[must_use]
    pub fn effective(&self) -> &Setup {
        &self.setup
    }

    /// Everything that must be retained at the broker, for publishing anew after a reconnect: the
    /// state and all open alerts.
    #[must_use]
    pub fn retained(&self) -> Vec<Publish> {
        let mut out: Vec<Publish> = self.desk.shown().cloned().map(|a| Publish::Alert(Box::new(a))).collect();
        out.push(Publish::State(Box::new(self.state())));
        out
    }

    fn fire_until(&mut self, now: Tick, out: &mut Effects) {
        while let Some(due) = self.next_deadline().filter(|due| *due <= now) {
            self.now = due.max(self.now);
            if self.desk.next_deadline().is_some_and(|waited| waited <= due) {
                self.desk.fire(self.now, &mut out.publish);
                continue;
            }
            let at = Now { at: self.now, line: &self.line };
            let mut told = std::mem::take(&mut self.told);
            self.tracker.fire(at, &mut told);
            self.told = told;
            let from = out.publish.len();
            if self.pass_on(out) | self.ended_meanwhile(out) {
                self.publish_state(out);
            }
            self.reply(out);
            self.ask_for_advice(from, out);
            self.note_for_next();
        }
    }

    /// The board's earliest deadline.
    fn next_deadline(&self) -> Option<Tick> {
        [self.tracker.next_deadline(), self.desk.next_deadline()].into_iter().flatten().min()
    }

    fn count_input(&mut self, now: Tick) {
        self.input_count += 1;
        if self.inputs.len() == INPUTS_MAX {
            self.inputs.pop_front();
        }
        self.inputs.push_back((now, self.input_count));
    }

    fn setting(&mut self, mut setup: Setup, out: &mut Effects) {
        if let Some(earlier) = setup.calibration.take() {
            self.calibrate(*earlier);
        }
        if setup.scan > Span::ZERO {
            // One look at all squares; the reports of a look follow each other on the line.
            self.line.scans_every(setup.scan);
        }
        self.given = setup;
        self.overlay(out);
        if self.tracker.record().is_empty() && self.tracker.phase() == Phase::Waiting {
            let lags = self.tracker.lags().clone();
            self.tracker = tracker(&self.setup);
            self.tracker.calibrate(lags);
            self.game = self.game.max(self.setup.first_game);
        }
        self.publish_state(out);
    }

    /// Takes bytes; `None` is a break: what the device had begun to say does not go on behind it.
    fn bytes(&mut self, bytes: Option<&[u8]>, out: &mut Effects) {
        let mut heard = std::mem::take(&mut self.heard);
        match bytes {
            Some(bytes) => self.adapter.feed(bytes, &mut heard),
            None => self.adapter.finish(&mut heard),
        }
        for report in heard.drain(..) {
            self.report(&report, out);
        }
        self.heard = heard;
        out.ask_clock |= self.adapter.take_wants_clock();
    }

    fn report(&mut self, report: &Report, out: &mut Effects) {
        if let Report::Junk { why, .. } = report {
            return self.junk(why);
        }
        if let Report::Identity(Identity::Serial(serial)) = report {
            self.identified(serial, out);
        }
        let mut happened = std::mem::take(&mut self.happened);
        self.line.heard(self.now, report, &mut happened);
        let mut changed = false;
        for happening in happened.drain(..) {
            changed |= self.happening(&happening, out);
        }
        self.happened = happened;
        if changed {
            self.publish_state(out);
        }
    }

    /// Passes one happening on; says whether the state that people see has changed.
    fn happening(&mut self, happening: &Happening, out: &mut Effects) -> bool {
        self.seat(happening, out);
        self.resumed(happening, out);
        let restoring = self.is_restoring();
        if let Some(heard) = self.steered(happening, out) {
            let at = Now { at: self.now, line: &self.line };
            let mut told = std::mem::take(&mut self.told);
            self.tracker.happened(at, &heard, &mut told);
            self.told = told;
        }
        let mut changed = self.pass_on(out);
        self.reply(out);
        self.frame(happening, out);
        match happening {
            Happening::Stopped => self.stopped_at = self.line.clock().map(|clock| clock.dials()),
            Happening::Started(_) | Happening::Pressed(_) => self.stopped_at = None,
            _ => {}
        }
        if let Happening::Pressed(side) = happening {
            self.entered.pressed(self.now, *side);
        }
        if self.tracker.is_over() {
            self.clock.game_over();
        }
        if let Some(clock) = self.line.clock() {
            let plies = self.tracker.record().len();
            let control = self.setup.time_control;
            for found in self.clock.heard(self.now, &clock, happening, control, plies) {
                if !(restoring && episode::is_arbiters(found.code)) {
                    self.found_by_clock(found, out);
                    changed = true;
                }
            }
        }
        changed |= self.episode_heard(happening, out);
        changed |= self.watch(happening, out);
        let signal = self.tracker.signal(&self.line);
        changed |= std::mem::replace(&mut self.signal, signal) != signal;
        changed || !matches!(happening, Happening::Contact(_) | Happening::Ticked)
    }

    /// Keeps track of whether the board is being watched.
    fn watch(&mut self, happening: &Happening, out: &mut Effects) -> bool {
        let why = if !self.line.is_up() {
            Some("link")
        } else if !self.line.has_dump() || !self.tracker.is_certain() {
            Some("position")
        } else if matches!(happening, Happening::ClockConnected(false)) || self.is_without_clock() {
            Some("clock")
        } else {
            None
        };
        match happening {
            Happening::Link(false) => {
                self.deaf();
                self.found_plain(RuleId::LinkLost, "the board cannot be heard", out);
            }
            Happening::ClockConnected(false) => {
                self.found_plain(RuleId::ClockDisconnected, "the clock is not connected to the board", out);
            }
            _ => {}
        }
        let clock_back = matches!(happening, Happening::ClockConnected(true) | Happening::Pressed(_));
        let now = match (why, &self.watched) {
            (None, Watched::No { why: "clock", .. }) if !clock_back => return false,
            (None, _) => Watched::Yes,
            (Some(why), Watched::No { why: known, .. }) if *known == why => return false,
            (Some(why), _) => Watched::No { since: self.now, why },
        };
        let changed = now != self.watched;
        self.watched = now;
        changed
    }

    /// Moves are made and no clock was ever heard: nothing about presses can be told.
    fn is_without_clock(&self) -> bool {
        self.line.clock().is_none() && !self.tracker.record().is_empty()
    }

    fn publish_state(&mut self, out: &mut Effects) {
        if !self.tracker.record().is_empty() {
            self.entered.current = Some(self.summary());
        }
        out.publish.push(Publish::State(Box::new(self.state())));
    }

    fn state(&self) -> BoardState {
        let record = self.tracker.record();
        let clock = self.line.clock();
        BoardState {
            at: self.now,
            sensed: self.line.wood().placement(),
            recorded: record.end().fen(),
            ply: count(record.len()),
            turn: record.end().turn,
            dials: clock.map(|c| c.dials()),
            running: clock.and_then(|c| c.running),
            signal: self.tracker.signal(&self.line),
            offences: (self.desk.offences(Color::White), self.desk.offences(Color::Black)),
            watched: self.watched.clone(),
            open_alerts: self.desk.shown().map(|a| a.id.clone()).collect(),
            episode: self.episode_state(),
            game: self.game,
            result: self.entered.result.clone(),
            pairing: self.entered.pairing.clone(),
            clock_set: self.entered.clock_set,
            ruleset: self.rules.key.to_owned(),
            orders: self.entered.orders.clone(),
            junk: self.junk.iter().map(|(why, n)| (*why, *n)).collect(),
            calibration: (self.calibration != Calibration { waits: SETTLE, ..Calibration::default() })
                .then(|| Box::new(self.calibration.clone())),
        }
    }
}

fn tracker(setup: &Setup) -> Tracker {
    let start = match &setup.start {
        Start::Standard => Position::initial(),
        Start::Fen(fen) => Position::from_fen(fen).unwrap_or_else(Position::initial),
    };
    let wood = Wood::from_board(&start.board);
    Tracker::new(start, wood, setup.variant == Variant::Chess960)
}

/// A number of plies as published.
fn count(plies: usize) -> u32 {
    u32::try_from(plies).unwrap_or(u32::MAX)
}
