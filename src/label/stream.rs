//! A recording as moments: contacts, presses and gaps of the link, in the players' frame.

use shakmaty::{Board, Color, Square};

use crate::events::{ClockReading, Lever, Pieces, Report, Sensed, SensorSquare, Setup, Wood};
use crate::tick::Tick;
use crate::timeline::{Seating, Timeline, Turned};

/// A recording with its settings.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The settings it begins with.
    pub setup: Setup,
    /// What was reported, and when.
    pub reports: Vec<(Tick, Report)>,
    /// Whether the times are of a clock, or were spread between the seconds of the chess clock.
    pub timed: bool,
}

/// How fast the game is, as the constants of the simulated room know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pace {
    /// Ten minutes or less for sixty moves.
    Blitz,
    /// Less than an hour.
    Rapid,
    /// The rest.
    Classical,
}

impl Pace {
    /// By the time control; by the rule set where that is not known.
    #[must_use]
    pub fn of(setup: &Setup) -> Pace {
        let minutes = setup.time_control.map(|control| control.base_s / 60 + control.inc_s);
        match (minutes, setup.ruleset.split('/').nth(1).unwrap_or_default()) {
            (Some(0..=10), _) => Pace::Blitz,
            (Some(11..=59), _) => Pace::Rapid,
            (None, key) if key.starts_with("blitz") => Pace::Blitz,
            (None, key) if key.starts_with("rapid") => Pace::Rapid,
            _ => Pace::Classical,
        }
    }

    /// Its name in the file of constants.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Pace::Blitz => "blitz",
            Pace::Rapid => "rapid",
            Pace::Classical => "classical",
        }
    }
}

/// A change of one square.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    pub(super) at: Tick,
    pub(super) square: Square,
    pub(super) was: Sensed,
    pub(super) now: Sensed,
    /// Seen in a dump of all squares: the hand may have been there long before.
    pub(super) in_dump: bool,
    /// The moment it belongs to.
    pub(super) moment: usize,
}

/// What happened at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// Squares changed, those of this set.
    Contacts(shakmaty::Bitboard),
    /// All squares were told, whether or not something was new.
    Dumped(shakmaty::Bitboard),
    /// The lever went over while somebody's time ran.
    Pressed(Color),
    /// The link went down or came back.
    Link(bool),
}

/// A moment, and the wood as it was known then.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    pub(super) at: Tick,
    pub(super) what: What,
    pub(super) wood: Wood,
}

/// What the clock showed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown {
    pub(super) at: Tick,
    pub(super) white_ms: u32,
    pub(super) black_ms: u32,
    pub(super) running: Option<Color>,
}

impl Shown {
    pub(super) fn left_ms(&self, side: Color) -> u32 {
        side.fold_wb(self.white_ms, self.black_ms)
    }
}

/// The recording as one seating reads it.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    pub(super) moments: Vec<Moment>,
    pub(super) contacts: Vec<Contact>,
    pub(super) clock: Vec<Shown>,
    /// From when to when the lever was not heard: until a reading after a gap of the link.
    pub(super) unheard: Vec<(Tick, Option<Tick>)>,
    /// What must speak for this seating: half of the presses, if the clock's ends are exchanged.
    pub(super) doubt: u32,
}

impl Recording {
    /// The ways board and clock may belong to the players, as far as the wood at the start says.
    pub(super) fn seatings(&self, start: &Board) -> Vec<Seating> {
        let first = self.reports.iter().find_map(|(_, report)| match report {
            Report::Dump(wood) => Some(wood.clone()),
            _ => None,
        });
        let first = first.unwrap_or_else(|| Wood::from_board(start));
        let off = |turned: Turned| Seating { turned, white: Lever::Left }.wood(&first).differs(start).count();
        let least = Turned::ALL.into_iter().map(off).min().unwrap_or(0);
        let turns = Turned::ALL.into_iter().filter(|turned| off(*turned) == least);
        // Clocks are set up the wrong way round, too.
        let ends = [Lever::Left, Lever::Right];
        turns.flat_map(|turned| ends.map(|white| Seating { turned, white })).collect()
    }

    /// How long the board needs to look at every square, in milliseconds, if that is known.
    pub(super) fn scan_ms(&self) -> Option<u64> {
        if self.setup.scan.ms() > 0 {
            return Some(self.setup.scan.ms());
        }
        let mut line = Timeline::default();
        let mut heard = Vec::new();
        for (at, report) in &self.reports {
            line.heard(*at, report, &mut heard);
            heard.clear();
        }
        line.resolution().known().map(crate::tick::Span::ms)
    }

    pub(super) fn sees_occupancy(&self) -> bool {
        self.setup.pieces == Pieces::Occupancy
    }

    pub(super) fn end(&self) -> Tick {
        self.reports.last().map_or(Tick::ZERO, |(at, _)| *at)
    }
}

impl Trace {
    /// The recording in the frame of `seating`; until all squares are told, `start` stands there.
    pub(super) fn new(recording: &Recording, seating: Seating, start: &Board) -> Trace {
        let mut out = Trace::default();
        let mut wood = Wood::from_board(start);
        let mut clock: Option<ClockReading> = None;
        for (at, report) in &recording.reports {
            match report {
                Report::Square { at: sensor, seen } => out.square(*at, seating, *sensor, *seen, &mut wood),
                Report::Dump(raw) => {
                    let now = seating.wood(raw);
                    let changed = wood.differs_wood(&now);
                    let moment = out.moments.len();
                    for square in changed {
                        let (was, now) = (wood.at(square), now.at(square));
                        out.contacts.push(Contact { at: *at, square, was, now, in_dump: true, moment });
                    }
                    wood = now;
                    out.moments.push(Moment { at: *at, what: What::Dumped(changed), wood: wood.clone() });
                }
                Report::Clock(reading) => {
                    let pressed = clock.is_some_and(|b| b.running.is_some() && b.down != reading.down);
                    clock = Some(*reading);
                    if let Some((_, until @ None)) = out.unheard.last_mut() {
                        *until = Some(*at);
                    }
                    out.shown(*at, seating, reading);
                    if pressed {
                        let what = What::Pressed(seating.color(reading.down));
                        out.moments.push(Moment { at: *at, what, wood: wood.clone() });
                    }
                }
                Report::Link { up } => {
                    // What the lever did unheard is not known.
                    out.lose(*at, &mut clock);
                    out.moments.push(Moment { at: *at, what: What::Link(*up), wood: wood.clone() });
                }
                Report::ClockConnected(_) => out.lose(*at, &mut clock),
                Report::Identity(_) | Report::Junk { .. } => {}
            }
        }
        if seating.white == Lever::Right {
            let presses = out.moments.iter().filter(|moment| matches!(moment.what, What::Pressed(_)));
            out.doubt = u32::try_from(presses.count() / 2).unwrap_or(u32::MAX);
        }
        out
    }

    fn square(&mut self, at: Tick, seating: Seating, sensor: SensorSquare, now: Sensed, wood: &mut Wood) {
        let square = seating.square(sensor);
        let was = wood.at(square);
        if was == now && now != Sensed::Something {
            return;
        }
        wood.set(square, now);
        let moment = self.moments.len();
        self.contacts.push(Contact { at, square, was, now, in_dump: false, moment });
        self.moments.push(Moment { at, what: What::Contacts(square.into()), wood: wood.clone() });
    }

    fn lose(&mut self, at: Tick, clock: &mut Option<ClockReading>) {
        *clock = None;
        if self.unheard.last().is_none_or(|(_, until)| until.is_some()) {
            self.unheard.push((at, None));
        }
    }

    fn shown(&mut self, at: Tick, seating: Seating, reading: &ClockReading) {
        let (white, black) = match seating.white {
            Lever::Left => (reading.left, reading.right),
            Lever::Right => (reading.right, reading.left),
        };
        let running = reading.running.map(|lever| seating.color(lever));
        self.clock.push(Shown { at, white_ms: white.ms(), black_ms: black.ms(), running });
    }

    /// When somebody's time first ran.
    pub(super) fn started(&self) -> Option<Tick> {
        self.clock.iter().find(|shown| shown.running.is_some()).map(|shown| shown.at)
    }

    /// When the clock was last stopped for good.
    pub(super) fn stopped(&self) -> Option<Tick> {
        let last = self.clock.iter().rposition(|shown| shown.running.is_some())?;
        self.clock.get(last + 1).map(|shown| shown.at)
    }

    /// Whether nobody's time ran at some moment from `from` to `to`.
    pub(super) fn paused(&self, from: Tick, to: Tick) -> bool {
        let before = self.clock.iter().rev().find(|shown| shown.at <= from);
        let within = self.clock.iter().filter(|shown| shown.at > from && shown.at < to);
        within.chain(before).any(|shown| shown.running.is_none())
    }

    /// What the clock last showed at `at`.
    pub(super) fn clock_at(&self, at: Tick) -> Option<&Shown> {
        let after = self.clock.partition_point(|shown| shown.at <= at);
        after.checked_sub(1).map(|index| &self.clock[index])
    }

    /// Whether a press between these times may have gone unheard.
    pub(super) fn lever_was_unheard(&self, from: Tick, to: Tick) -> bool {
        self.unheard.iter().any(|(lost, until)| *lost <= to && until.is_none_or(|until| until >= from))
    }

    /// Whether the link was down at some time between these.
    pub(super) fn link_was_down(&self, from: Tick, to: Tick) -> bool {
        let mut up = true;
        for moment in self.moments.iter().filter(|moment| moment.at <= to) {
            if let What::Link(now) = moment.what {
                if moment.at >= from {
                    return true;
                }
                up = now;
            }
        }
        !up
    }
}
