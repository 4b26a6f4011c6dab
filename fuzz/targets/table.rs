//! Bytes of a board through decoder and adapter into a table, whole steps, hands and clock among
//! them: a script of one byte an action, so that games arise, and nonsense in the middle of them.
//!
//! What must hold: nothing panics, deadlines are not in the past, and the same inputs give the same
//! effects.
#![no_main]

use jadoube::events::{Device, Report, Setup, TimeControl, TopicPart};
use jadoube::laws::RuleSet;
use jadoube::table::{Effects, Input, Table};
use jadoube::tick::{Span, Tick};
use jadoube_dgt::{ClockReport, Field, Lever, MAX_ENCODED, Message, PieceCode, SideTime};
use libfuzzer_sys::fuzz_target;

/// How long an action waits before it happens, by the two highest bits of its byte.
const WAITS: [u64; 4] = [0, 40, 400, 2_500];

fuzz_target!(|script: &[u8]| {
    let inputs = Room::play(script);
    let publish = step_all(&inputs);
    assert_eq!(step_all(&inputs), publish);
});

fn step_all(inputs: &[(Tick, Input)]) -> usize {
    let mut table = Table::new();
    let mut publish = 0;
    for (at, input) in inputs {
        let mut effects = Effects::default();
        table.step(*at, input.clone(), &mut effects);
        publish += effects.publish.len();
        assert!(effects.wake_at.is_none_or(|due| due >= *at), "a deadline that has passed");
    }
    publish + table.retained().len()
}

/// A board and a clock as the script moves them.
struct Room<'a> {
    script: std::slice::Iter<'a, u8>,
    wood: [PieceCode; 64],
    clock: ClockReport,
    now: Tick,
    inputs: Vec<(Tick, Input)>,
}

impl<'a> Room<'a> {
    fn play(script: &'a [u8]) -> Vec<(Tick, Input)> {
        let mut room = Room {
            script: script.iter(),
            wood: array(),
            clock: clock(),
            now: Tick::ZERO,
            inputs: Vec::new(),
        };
        let ruleset = room.next();
        room.take(Input::Setting(Box::new(setup(ruleset))));
        room.say(&Message::Dump(room.wood));
        room.say(&Message::Clock(room.clock));
        while let Some(&action) = room.script.next() {
            room.now = room.now + Span::from_ms(WAITS[usize::from(action >> 6)]);
            room.act(action & 0x3F);
        }
        room.inputs
    }

    fn act(&mut self, action: u8) {
        match action {
            // A piece is lifted, and set elsewhere a little later.
            0..=23 => {
                let (from, to) = (self.field(), self.field());
                let piece = self.wood[usize::from(from.index())];
                self.set(from, PieceCode::EMPTY);
                self.now = self.now + Span::from_ms(u64::from(action) * 20);
                self.set(to, piece);
            }
            24..=31 => {
                let (field, piece) = (self.field(), PieceCode::from_byte(self.next()));
                self.set(field, piece);
            }
            32..=43 => {
                self.clock.lever = Lever::while_moving(self.clock.side_to_move().opposite());
                self.say(&Message::Clock(self.clock));
            }
            44..=47 => {
                self.clock.running = !self.clock.running;
                self.say(&Message::Clock(self.clock));
            }
            48..=51 => {
                let seconds = u32::from(self.next()) * 4;
                let time = SideTime::from_seconds(seconds).unwrap_or_default();
                if action & 1 == 0 {
                    self.clock.left = time
                } else {
                    self.clock.right = time
                }
                self.say(&Message::Clock(self.clock));
            }
            52 => self.say(&Message::NoClock),
            53 => self.say(&Message::EmptyClock),
            54..=55 => self.take(Input::Report(Report::Link { up: action == 55 })),
            56..=58 => self.say(&Message::Dump(self.wood)),
            59 => {
                self.wood = array();
                self.say(&Message::Dump(self.wood));
            }
            60 => self.take(Input::Timer),
            _ => {
                let count = usize::from(self.next() % 24);
                let bytes = (0..count).map(|_| self.next()).collect();
                self.take(Input::Bytes(bytes));
            }
        }
    }

    fn next(&mut self) -> u8 {
        self.script.next().copied().unwrap_or_default()
    }

    fn field(&mut self) -> Field {
        Field::new(self.next() % 64).expect("below 64")
    }

    fn set(&mut self, field: Field, piece: PieceCode) {
        self.wood[usize::from(field.index())] = piece;
        self.say(&Message::Field { field, piece });
    }

    fn say(&mut self, message: &Message<'_>) {
        let mut out = [0; MAX_ENCODED];
        // A clock that stands at zero on both sides has no encoding of its own.
        let Some(length) = message.encode(&mut out) else { return };
        self.take(Input::Bytes(out[..length].to_vec()));
    }

    fn take(&mut self, input: Input) {
        self.inputs.push((self.now, input));
    }
}

fn setup(ruleset: u8) -> Setup {
    let mut setup = Setup::plain(TopicPart::new("board").expect("a plain word"), Device::Dgt);
    setup.ruleset = RuleSet::ALL[usize::from(ruleset) % RuleSet::ALL.len()].key.to_owned();
    setup.time_control =
        Some(TimeControl { base_s: 180, inc_s: 2, bonus: None, increment_on_first_move: true });
    setup
}

fn array() -> [PieceCode; 64] {
    let mut array = [PieceCode::EMPTY; 64];
    let men = [2, 3, 4, 6, 5, 4, 3, 2];
    for (file, man) in men.into_iter().enumerate() {
        array[file] = PieceCode::from_byte(man + 6);
        array[8 + file] = PieceCode::BLACK_PAWN;
        array[48 + file] = PieceCode::WHITE_PAWN;
        array[56 + file] = PieceCode::from_byte(man);
    }
    array
}

fn clock() -> ClockReport {
    let time = SideTime::from_seconds(182).expect("below ten hours");
    ClockReport {
        right: time,
        left: time,
        running: false,
        lever: Lever::LeftHigh,
        battery_low: false,
        turn_bit_3: true,
        turn_bit_4: false,
    }
}
