//! Stage 2, when the hands rest: contacts, presses and clock readings in the players' frame.
//!
//! In: reports in the sensor's frame. Out: [`Happening`]s: what stands where, in the frame of the
//! players, and who pressed. Never: which moves are legal.

mod grain;
mod lag;
mod seating;

use self::grain::Grain;
pub use crate::events::Resolution;
pub use lag::{Lags, PRESSES_MAX, SETTLE, SETTLE_MAX};
pub use seating::{Seating, Turned};

use shakmaty::{Color, Square};

use crate::events::{Calibration, ClockReading, Lever, Report, Sensed, Wood};
use crate::tick::{Dial, Span, Tick};

/// How many contacts are remembered; far more than any move needs.
pub const CONTACTS_MAX: usize = 256;

/// A reading that contradicts the last press may be stale for so long after it.
const STALE: Span = Span::from_ms(2_000);
/// So many reports that an empty square is empty are kept.
const EMPTIED_MAX: usize = 16;
/// Readings in whole seconds that come late tell the time that has run to within so much.
const READING_BLUR: Span = Span::from_ms(1_500);
/// Nobody presses back so soon after the other's press.
const AT_ONCE: Span = Span::from_ms(100);
/// A piece is carried from one square to another in that time.
const CARRIED: Span = Span::from_ms(3_000);
/// Messages that are told at the same time arrive so far apart at most; nobody plays and presses
/// sooner.
const OVERTAKEN: Span = Span::from_ms(250);

/// A change on one square, in the players' frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contact {
    /// When it was reported.
    pub at: Tick,
    /// Where.
    pub square: Square,
    /// What stood there.
    pub was: Sensed,
    /// What stands there now.
    pub now: Sensed,
    /// Seen in a dump of all squares: the hand may have been there long before.
    pub in_dump: bool,
}

/// The clock in the players' frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// When it was read.
    pub at: Tick,
    /// White's time.
    pub white: Dial,
    /// Black's time.
    pub black: Dial,
    /// Whose time runs.
    pub running: Option<Color>,
    /// Who pressed last.
    pub down: Color,
    /// A fallen flag as the clock itself marks it.
    pub flag: Option<Color>,
}

impl Clock {
    /// The time of one side.
    #[must_use]
    pub fn dial(&self, side: Color) -> Dial {
        side.fold_wb(self.white, self.black)
    }

    /// Both times: White, Black.
    #[must_use]
    pub fn dials(&self) -> (Dial, Dial) {
        (self.white, self.black)
    }

    /// Whether the clock shows exactly what it showed: nobody has pressed, and hardly any time ran.
    #[must_use]
    pub fn stands_as(&self, before: &Clock) -> bool {
        (self.dials(), self.running, self.down) == (before.dials(), before.running, before.down)
    }

    /// Whether nobody has pressed since `before`: the same time ran all the while, no increment was
    /// added, and the other time stood still.
    #[must_use]
    pub fn ran_on_since(&self, before: &Clock) -> bool {
        let Some(side) = self.running.filter(|s| before.running == Some(*s) && self.down == before.down)
        else {
            return false;
        };
        let spent = u64::from(before.dial(side).ms().saturating_sub(self.dial(side).ms()));
        self.dial(!side) == before.dial(!side)
            && spent.abs_diff(self.at.since(before.at).ms()) <= READING_BLUR.ms()
    }
}

/// What happened at the board, in the players' frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// One square changed.
    Contact(Contact),
    /// An empty square was reported empty: what had stood there meanwhile was missed, or the report
    /// came twice.
    EmptiedAgain(Square),
    /// All squares were read; the changes came before it as contacts.
    Dumped,
    /// The lever was pressed while the clock was running.
    Pressed(Color),
    /// The clock was stopped.
    Stopped,
    /// The clock was started, or restarted with that side's time running.
    Started(Color),
    /// The clock was read; nothing else is new.
    Ticked,
    /// The clock was unplugged from the board, or is back.
    ClockConnected(bool),
    /// The board cannot be heard any more, or again.
    Link(bool),
}

/// What the clock shows at one end.
fn dial(reading: &ClockReading, lever: Lever) -> Dial {
    if lever == Lever::Left { reading.left } else { reading.right }
}

/// Both sides have more time than before although the lever is where it was.
fn both_gained(before: &ClockReading, now: &ClockReading) -> bool {
    let more = |was: Dial, is: Dial| is.ms() >= was.ms().saturating_add(1_000);
    more(before.left, now.left) && more(before.right, now.right)
}

/// What is known of wood, clock and link, and the contacts that led there.
#[derive(Debug)]
pub struct Timeline {
    raw: Wood,
    wood: Wood,
    seating: Seating,
    seen_dump: bool,
    clock: Option<ClockReading>,
    clock_at: Tick,
    /// The last reading was a tick.
    ticks: bool,
    flipped_at: Tick,
    doubted: Option<ClockReading>,
    before_press: Option<ClockReading>,
    /// When two presses were concluded from the times.
    inferred_at: Option<Tick>,
    unplugged_at: Option<Tick>,
    clock_unheard: bool,
    link: bool,
    contacts: std::collections::VecDeque<Contact>,
    grain: Grain,
    /// The last reports that an empty square was emptied: what stood there in between was missed.
    emptied_again: std::collections::VecDeque<(Tick, Square)>,
}

impl Default for Timeline {
    fn default() -> Self {
        Timeline {
            raw: Wood::empty(),
            wood: Wood::empty(),
            seating: Seating::default(),
            seen_dump: false,
            clock: None,
            clock_at: Tick::ZERO,
            ticks: false,
            flipped_at: Tick::ZERO,
            doubted: None,
            before_press: None,
            inferred_at: None,
            unplugged_at: None,
            clock_unheard: false,
            link: true,
            contacts: std::collections::VecDeque::new(),
            grain: Grain::default(),
            emptied_again: std::collections::VecDeque::new(),
        }
    }
}

impl Timeline {
    /// Takes one report; says what happened, in order.
    pub fn heard(&mut self, at: Tick, report: &Report, out: &mut Vec<Happening>) {
        match report {
            Report::Square { at: sensor, seen } => {
                let square = self.seating.square(*sensor);
                if !self.is_overtaken(at, square, *seen) {
                    self.raw.set(sensor.raw(), *seen);
                    self.touch(at, square, *seen, false, out);
                }
            }
            Report::Dump(wood) => {
                self.raw = wood.clone();
                self.seen_dump = true;
                let now = self.seating.wood(wood);
                for square in self.wood.differs_wood(&now) {
                    self.touch(at, square, now.at(square), true, out);
                }
                self.wood = now;
                out.push(Happening::Dumped);
            }
            Report::Clock(reading) => self.clock_read(at, *reading, out),
            Report::ClockConnected(connected) => {
                if !connected {
                    self.unplugged_at = Some(at);
                }
                out.push(Happening::ClockConnected(*connected));
            }
            Report::Link { up } => {
                if self.link != *up {
                    self.link = *up;
                    // What the lever did unheard is not known: the next reading is a state.
                    self.clock_unheard = true;
                    out.push(Happening::Link(*up));
                }
            }
            Report::Identity(_) | Report::Junk { .. } => {}
        }
    }

    fn touch(&mut self, at: Tick, square: Square, now: Sensed, in_dump: bool, out: &mut Vec<Happening>) {
        let was = self.wood.at(square);
        // A repeated report says nothing new, but where pieces cannot be told apart it may mean
        // that one was replaced by another.
        if was == now && (now != Sensed::Something || in_dump) {
            if now == Sensed::Empty && !in_dump {
                if self.emptied_again.len() == EMPTIED_MAX {
                    self.emptied_again.pop_front();
                }
                self.emptied_again.push_back((at, square));
                out.push(Happening::EmptiedAgain(square));
            }
            return;
        }
        self.wood.set(square, now);
        let contact = Contact { at, square, was, now, in_dump };
        if !in_dump {
            self.grain.square(at, square);
        }
        if self.contacts.len() == CONTACTS_MAX {
            self.contacts.pop_front();
        }
        self.contacts.push_back(contact);
        out.push(Happening::Contact(contact));
    }

    /// A report that a piece stands where it was passed through a moment ago, told late or twice: no
    /// piece of its kind is off the board that could have been put there.
    fn is_overtaken(&self, at: Tick, square: Square, now: Sensed) -> bool {
        if !matches!(now, Sensed::Piece(_)) || self.wood.at(square) == now {
            return false;
        }
        let soon = |then: Tick| at.since(then) <= OVERTAKEN;
        let passed = self.emptied_again.iter().any(|(then, s)| *s == square && soon(*then))
            || self
                .contacts
                .iter()
                .rev()
                .take_while(|c| soon(c.at))
                .any(|c| c.square == square && c.now == now);
        let recent = || self.contacts.iter().rev().take_while(|c| at.since(c.at) <= CARRIED);
        let lifted = recent().filter(|c| c.was == now).count();
        let set = recent().filter(|c| c.now == now).count();
        passed && set > 0 && lifted <= set
    }

    fn clock_read(&mut self, at: Tick, reading: ClockReading, out: &mut Vec<Happening>) {
        if self.is_stale(at, &reading) {
            self.doubted = Some(reading);
            return;
        }
        if self.unplugged_at.take().is_some_and(|gone| at.since(gone) > STALE) {
            // What the lever did meanwhile is not known.
            self.clock = None;
        }
        self.doubted = None;
        self.grain.clock(at);
        let state_only = std::mem::take(&mut self.clock_unheard);
        let before = self.clock.replace(reading);
        let ticked = before.filter(|b| !state_only && b.running == reading.running);
        // The first reading after a press or a start comes in the middle of a second.
        if let (Some(before), true) = (ticked, std::mem::replace(&mut self.ticks, ticked.is_some())) {
            let passed = |l: Lever| (dial(&before, l).ms(), dial(&reading, l).ms());
            self.grain.told(at.since(self.clock_at), before.running.map(passed));
        }
        if !state_only && before.is_some_and(|b| b.running.is_some() && b.down != reading.down) {
            self.flipped_at = at;
            self.before_press = before;
        }
        self.clock_at = at;
        let color = |lever: Lever| self.seating.color(lever);
        let Some(before) = before.filter(|_| !state_only) else {
            // The first reading is a state: nobody has pressed.
            out.push(match reading.running {
                Some(_) if state_only => Happening::Ticked,
                None if state_only => Happening::Stopped,
                Some(lever) => Happening::Started(color(lever)),
                None => Happening::Ticked,
            });
            return;
        };
        let flipped = before.down != reading.down;
        if !flipped
            && let (Some(side), Some(_)) = (before.running, reading.running)
            && both_gained(&before, &reading)
        {
            // Both have pressed between two looks at the lever; a reading from between the two may
            // still be on its way.
            self.inferred_at = Some(at);
            self.flipped_at = at;
            let dial = |end: Lever| if before.running == Some(end) { reading } else { before };
            let (left, right) = (dial(Lever::Left).left, dial(Lever::Right).right);
            let running = before.running.map(Lever::other);
            self.before_press =
                Some(ClockReading { left, right, running, down: before.down.other(), ..before });
            out.push(Happening::Pressed(color(side)));
            out.push(Happening::Pressed(color(side.other())));
            return;
        }
        out.push(match (before.running, reading.running) {
            (Some(_), _) if flipped => Happening::Pressed(color(reading.down)),
            (None, Some(lever)) => Happening::Started(color(lever)),
            (Some(_), None) => Happening::Stopped,
            _ => Happening::Ticked,
        });
        if flipped && before.running.is_some() && reading.running.is_none() {
            out.push(Happening::Stopped);
        }
    }

    /// A reading from before the last press that was overtaken on its way: it shows what was shown
    /// then, without the increment, or comes sooner than anybody can press back. So does one that
    /// comes soon after it with no square touched in between.
    ///
    /// If the next reading says the same it was true after all.
    fn is_stale(&self, at: Tick, reading: &ClockReading) -> bool {
        let (Some(known), Some(before)) = (self.clock, self.before_press) else { return false };
        let again = self.doubted.is_some_and(|d| d.down == reading.down);
        if known.down == reading.down || again || at.since(self.flipped_at) > STALE {
            return false;
        }
        // `known.down` has just been pressed; before that the other side's time stood still.
        let as_before = reading.running == before.running
            && dial(reading, reading.down) == dial(&before, reading.down)
            && dial(reading, known.down) <= dial(&before, known.down);
        let without_increment =
            dial(reading, known.down).ms().saturating_add(1_000) <= dial(&known, known.down).ms();
        let idle = self.contacts.back().is_none_or(|c| c.at <= self.flipped_at);
        let soon = if idle { OVERTAKEN } else { AT_ONCE };
        as_before && (without_increment || at.since(self.flipped_at) <= soon)
    }

    /// The wood in the players' frame.
    #[must_use]
    pub fn wood(&self) -> &Wood {
        &self.wood
    }

    /// The wood in the sensor's frame.
    #[must_use]
    pub fn raw(&self) -> &Wood {
        &self.raw
    }

    /// Whether all squares have been read at least once.
    #[must_use]
    pub fn has_dump(&self) -> bool {
        self.seen_dump
    }

    /// The clock in the players' frame, if it was ever read.
    #[must_use]
    pub fn clock(&self) -> Option<Clock> {
        let reading = self.clock.filter(|_| self.unplugged_at.is_none())?;
        let (white, black) = match self.seating.white {
            Lever::Left => (reading.left, reading.right),
            Lever::Right => (reading.right, reading.left),
        };
        Some(Clock {
            at: self.clock_at,
            white,
            black,
            running: reading.running.map(|l| self.seating.color(l)),
            down: self.seating.color(reading.down),
            flag: reading.flag.map(|l| self.seating.color(l)),
        })
    }

    /// The clock as it was read last, by its ends; `None` while it is unplugged.
    #[must_use]
    pub fn clock_reading(&self) -> Option<ClockReading> {
        self.clock.filter(|_| self.unplugged_at.is_none())
    }

    /// How sensors and clock belong to the players.
    #[must_use]
    pub fn seating(&self) -> Seating {
        self.seating
    }

    /// Sets how sensors and clock belong to the players; the wood is read anew in that frame.
    pub fn seat(&mut self, seating: Seating) {
        if seating.turned != self.seating.turned {
            self.contacts.clear();
        }
        self.seating = seating;
        self.wood = seating.wood(&self.raw);
    }

    /// The contacts since `since`, oldest first (bounded by [`CONTACTS_MAX`]).
    pub fn contacts_since(&self, since: Tick) -> impl DoubleEndedIterator<Item = &Contact> {
        self.contacts.iter().filter(move |c| c.at >= since)
    }

    /// Whether the clock has been heard since the link came back.
    #[must_use]
    pub fn clock_is_heard(&self) -> bool {
        !self.clock_unheard && self.clock.is_some()
    }

    /// Whether the press at `at` was concluded from the times and not seen.
    #[must_use]
    pub fn press_was_inferred(&self, at: Tick) -> bool {
        self.inferred_at == Some(at)
    }

    /// Whether the lever has gone over since the clock was first read.
    #[must_use]
    pub fn was_pressed(&self) -> bool {
        self.flipped_at > Tick::ZERO
    }

    /// How finely this device tells moments apart, as far as it has shown.
    #[must_use]
    pub fn resolution(&self) -> Resolution {
        self.grain.resolution()
    }

    /// How finely presses and squares can be compared, as far as the device has shown.
    #[must_use]
    pub fn press_resolution(&self) -> Option<Span> {
        self.grain.press_resolution()
    }

    /// The times of the board as it has shown them; how late its squares come, as `lags` has it.
    #[must_use]
    pub fn calibration(&self, lags: &Lags) -> Calibration {
        Calibration {
            lag: lags.summary(),
            waits: lags.waits(),
            scan: self.grain.resolution(),
            clock_period: self.grain.period(),
            clock_strays: self.grain.strays(),
            serials: Vec::new(),
        }
    }

    /// Begins with what the board has shown in an earlier journal.
    pub fn calibrate(&mut self, earlier: Calibration) {
        self.grain = Grain::after(earlier);
    }

    /// Another board: nothing that was shown of its times holds.
    pub fn another_board(&mut self) {
        self.grain = self.grain.of_another();
    }

    /// The device looks at its squares only so often, whatever its reports look like.
    pub fn scans_every(&mut self, scan: Span) {
        self.grain.scans_every(scan);
    }

    /// Whether something has stood on `square` since `since` although its placing was not reported.
    #[must_use]
    pub fn was_missed(&self, square: Square, since: Tick) -> bool {
        self.emptied_since(since).any(|(_, s)| s == square)
    }

    /// Empty squares that were reported empty since `since`, and when.
    pub fn emptied_since(&self, since: Tick) -> impl Iterator<Item = (Tick, Square)> + '_ {
        self.emptied_again.iter().copied().filter(move |(at, _)| *at >= since)
    }

    /// Whether the board can be heard.
    #[must_use]
    pub fn is_up(&self) -> bool {
        self.link
    }
}
