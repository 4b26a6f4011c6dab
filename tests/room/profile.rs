//! What a game may contain: habits of the players, tricks of the sensors, one irregularity or end.

use super::rng::Rng;
use super::settings::{BusyHabits, PaceTimes, hands};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Good hands on a good board.
    Clean,
    /// Hands that adjust, touch, take back, forget the clock.
    Busy,
    /// Good hands on a bad board.
    Noisy,
    /// Busy hands on a bad board.
    Worst,
    /// One irregularity, good hands, good board.
    Irregular,
    /// One irregularity, busy hands, bad board.
    IrregularNoisy,
    /// How games end.
    Endings,
    /// The link is lost.
    Links,
    /// A board that only sees occupancy.
    Occupancy,
    Chess960,
    /// From endgames: promotions.
    Endgames,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    Blitz,
    Rapid,
    Classical,
}

impl Pace {
    fn times(self) -> &'static PaceTimes {
        let paces = &hands().pace;
        match self {
            Pace::Blitz => &paces.blitz,
            Pace::Rapid => &paces.rapid,
            Pace::Classical => &paces.classical,
        }
    }

    /// From the lift to the landing.
    pub fn carry(self, rng: &mut Rng) -> i64 {
        self.times().lift_to_land_ms.draw(rng)
    }

    /// From the landing to the press.
    pub fn reach(self, rng: &mut Rng) -> i64 {
        self.times().land_to_press_ms.draw(rng)
    }

    pub fn think(self, rng: &mut Rng) -> i64 {
        self.times().think_ms.draw(rng)
    }
}

/// In per cent, per ply or per chance.
#[derive(Clone, Copy, Debug, Default)]
pub struct Habits {
    pub slide: u32,
    pub rest: u32,
    pub carried_off: u32,
    pub set_aside: u32,
    pub adjust: u32,
    pub adjust_in_move: u32,
    pub touch: u32,
    pub take_back: u32,
    pub premature: u32,
    pub reply_before_press: u32,
    pub forget: u32,
    pub press_twice: u32,
    pub pause: u32,
    pub penalty: u32,
    pub queen_fetched: u32,
}

#[derive(Clone, Copy, Debug)]
pub struct Sensors {
    pub scan: i64,
    /// Reports wait for the end of the scan and come together.
    pub batched: bool,
    pub board_latency: (i64, i64),
    pub clock_latency: (i64, i64),
    /// 0: the clock speaks by itself; otherwise it is asked so often.
    pub poll: i64,
    pub tick: i64,
    pub occupancy: bool,
    /// Sensor frame against players' frame, in quarters.
    pub turned: u8,
    /// The rest in per mille per chance.
    pub missed: u32,
    pub misread: u32,
    pub duplicate: u32,
    pub flicker: u32,
    pub stale: u32,
    pub frozen: u32,
}

impl Sensors {
    /// Nothing arrives later than this after it happened.
    pub fn lag(&self) -> i64 {
        self.scan * 2 + self.board_latency.1.max(self.clock_latency.1 + self.poll) + 20
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    SelfCheck,
    Geometry,
    Jump,
    OwnCapture,
    OpponentsPiece,
    Castling,
    EpVictimLeft,
    EpNotAllowed,
    WrongPromotion,
    TwoMoves,
    NoMove,
    InAir,
    Unpromoted,
    UnpromotedRemoved,
    RookFirst,
    CastlingIncomplete,
    DisplacedOwn,
    DisplacedTheirs,
    OutOfTurn,
    WrongSetup,
    Orientation,
    FlagFall,
    LeverKnocked,
    ClockTimes,
    ClockIncrement,
}

pub const FAULTS: [Fault; 25] = [
    Fault::SelfCheck,
    Fault::Geometry,
    Fault::Jump,
    Fault::OwnCapture,
    Fault::OpponentsPiece,
    Fault::Castling,
    Fault::EpVictimLeft,
    Fault::EpNotAllowed,
    Fault::WrongPromotion,
    Fault::TwoMoves,
    Fault::NoMove,
    Fault::InAir,
    Fault::Unpromoted,
    Fault::UnpromotedRemoved,
    Fault::RookFirst,
    Fault::CastlingIncomplete,
    Fault::DisplacedOwn,
    Fault::DisplacedTheirs,
    Fault::OutOfTurn,
    Fault::WrongSetup,
    Fault::Orientation,
    Fault::FlagFall,
    Fault::LeverKnocked,
    Fault::ClockTimes,
    Fault::ClockIncrement,
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    Array,
    Endgame,
    Chess960,
}

/// Everything decided before the first hand moves.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub profile: Profile,
    pub seed: u64,
    pub pace: Pace,
    pub base_s: i64,
    pub inc_s: i64,
    pub bonus: Option<(i64, i64)>,
    pub first_increment: bool,
    pub rules: &'static str,
    pub plies: usize,
    pub begin: Begin,
    pub habits: Habits,
    pub sensors: Sensors,
    pub fault: Option<Fault>,
    pub links: bool,
    pub fancy_end: bool,
}

impl Plan {
    pub fn draw(profile: Profile, seed: u64, rng: &mut Rng) -> Plan {
        let pace = rng.one_of(&[Pace::Blitz, Pace::Blitz, Pace::Rapid, Pace::Classical]);
        let (base_s, inc_s) = match pace {
            Pace::Blitz => rng.one_of(&[(180, 2), (300, 0), (300, 3), (180, 0)]),
            Pace::Rapid => rng.one_of(&[(900, 10), (600, 5), (1_500, 0)]),
            Pace::Classical => rng.one_of(&[(5_400, 30), (7_200, 0), (3_000, 10)]),
        };
        let rules = match pace {
            Pace::Blitz => rng.one_of(&["main", "B3"]),
            Pace::Rapid => rng.one_of(&["main", "A5"]),
            Pace::Classical => "main",
        };
        let busy = matches!(profile, Profile::Busy | Profile::Worst | Profile::IrregularNoisy)
            || matches!(profile, Profile::Chess960 | Profile::Endgames) && rng.percent(50);
        let bad = matches!(profile, Profile::Noisy | Profile::Worst | Profile::IrregularNoisy)
            || matches!(profile, Profile::Endgames) && rng.percent(30);
        let begin = match profile {
            Profile::Chess960 => Begin::Chess960,
            Profile::Endgames => Begin::Endgame,
            Profile::Irregular | Profile::IrregularNoisy if rng.percent(25) => Begin::Endgame,
            _ if rng.percent(12) => Begin::Endgame,
            _ => Begin::Array,
        };
        let irregular = matches!(profile, Profile::Irregular | Profile::IrregularNoisy);
        let fault = irregular.then(|| rng.one_of(&FAULTS));
        let begin = match fault {
            Some(Fault::Unpromoted | Fault::UnpromotedRemoved | Fault::WrongPromotion) => Begin::Endgame,
            Some(
                Fault::WrongSetup
                | Fault::Orientation
                | Fault::Castling
                | Fault::RookFirst
                | Fault::CastlingIncomplete,
            ) => Begin::Array,
            _ => begin,
        };
        let bonus = (pace == Pace::Classical && rng.percent(50)).then_some((40, 1_800));
        Plan {
            profile,
            seed,
            pace,
            base_s,
            inc_s,
            bonus,
            first_increment: rng.percent(50),
            rules,
            plies: usize::try_from(rng.skewed(10, 130)).expect("positive"),
            begin,
            habits: if busy { Habits::busy(rng) } else { Habits::clean(rng) },
            sensors: Sensors::draw(bad, profile, rng),
            fault,
            links: profile == Profile::Links,
            fancy_end: profile == Profile::Endings || rng.percent(25),
        }
    }
}

impl Habits {
    fn clean(rng: &mut Rng) -> Habits {
        let of = &hands().habits.clean;
        Habits {
            slide: rng.one_of(&of.slide_percent),
            carried_off: rng.one_of(&of.carried_off_percent),
            ..Habits::default()
        }
    }

    fn busy(rng: &mut Rng) -> Habits {
        let of: &BusyHabits = &hands().habits.busy;
        let mut some = |most: u32| if rng.percent(of.has_percent) { most } else { 0 };
        Habits {
            slide: some(of.slide_percent),
            rest: some(of.rest_percent),
            carried_off: some(of.carried_off_percent),
            set_aside: some(of.set_aside_percent),
            adjust: some(of.adjust_percent),
            adjust_in_move: some(of.adjust_in_move_percent),
            touch: some(of.touch_percent),
            take_back: some(of.take_back_percent),
            premature: some(of.premature_percent),
            reply_before_press: some(of.reply_before_press_percent),
            forget: some(of.forget_percent),
            press_twice: some(of.press_twice_percent),
            pause: some(of.pause_percent),
            penalty: some(of.penalty_percent),
            queen_fetched: some(of.queen_fetched_percent),
        }
    }
}

impl Sensors {
    fn draw(bad: bool, profile: Profile, rng: &mut Rng) -> Sensors {
        let (b, c) = (&hands().board, &hands().clock);
        let slow = b.bad_latency_most_ms.draw(rng);
        let mut some = |most: u32| if bad && rng.percent(b.bad_has_percent) { most } else { 0 };
        let missed = some(b.missed_permille);
        let misread = some(b.misread_permille);
        let duplicate = some(b.duplicate_permille);
        let flicker = some(b.flicker_permille);
        let stale = some(c.stale_permille);
        let frozen = some(c.frozen_permille);
        let occupancy = profile == Profile::Occupancy;
        let batched = bad && rng.percent(b.bad_batched_percent);
        let late = bad && rng.percent(c.bad_asked_percent);
        Sensors {
            scan: if occupancy {
                rng.one_of(&b.scan_occupancy_ms)
            } else if batched {
                rng.one_of(&b.scan_batched_ms)
            } else {
                rng.one_of(&b.scan_ms)
            },
            batched,
            board_latency: (b.latency_ms[0], if bad { slow } else { b.latency_ms[1] }),
            clock_latency: (c.latency_ms[0], if bad { c.bad_latency_sum_ms - slow } else { c.latency_ms[1] }),
            poll: if late { rng.one_of(&c.asked_every_ms) } else { 0 },
            // A clock that is asked is heard every time; one that speaks may be silent for long.
            tick: if late { c.asked_tick_ms } else { rng.one_of(&c.tick_ms) },
            occupancy,
            turned: if !occupancy && rng.percent(b.turned_percent) { 2 } else { 0 },
            missed,
            misread,
            duplicate,
            flicker,
            stale,
            frozen,
        }
    }
}
