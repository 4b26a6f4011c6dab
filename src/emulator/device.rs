//! The device: a DGT board in single mode, its clock and its line.
//!
//! In: a [`Recording`], the host's bytes. Out: [`Sent`]. Never: more than the line carries; a
//! message is sent when its last byte is through, and the next one waits for it.
//!
//! Choices, where the protocol or a recording leaves them open:
//!
//! - The recording waits for the first update mode, and its time zero is then. A board that is
//!   plugged in again has forgotten its mode, so the recording waits again, for the same reason:
//!   nothing would be heard. A reset stops messages, not hands.
//! - A whole board in the middle of a recording is what its host got when it asked. A device does
//!   not send one unasked, so it is sent only if it contradicts what the device has seen: the host
//!   must end up with the same wood, and would ask if it knew.
//! - A clock's first reading after an update mode began is a change, so it is sent at once.
//! - Bus mode is silence: nobody is addressed here. A board is in it when it is switched on or plugged
//!   in; the next command brings it back, and is carried out.
//! - The clock answers commands, and shows and sets nothing. A time that is to be set is refused,
//!   as by a clock that is not in the mode for it.
//! - The log holds what a board writes at power-on, and no game.
//! - While the cable is out the line is silent and what was on it is lost; the shell makes of
//!   [`Line::Unplug`] what it can.

use std::collections::VecDeque;

use jadoube_dgt::{
    Battery, ClockAck, ClockCommand, ClockReport, Command, CommandDecoder, Field, Forbidden, HostSaid,
    LogEntry, MAX_ENCODED, Message, encode_log,
};

use super::cues::{Codes, Score, What};
use super::faults::{Faults, Rng, disturbed, message, noticed};
use super::hold::Hold;
use super::recording::Recording;
use crate::tick::{Span, Tick};

/// 9600 baud, ten bits a byte.
const BYTES_PER_SECOND: u64 = 960;
/// In update mode the clock is sent at least this often.
const CLOCK_AT_LEAST: Span = Span::from_ms(1_000);
/// An acknowledgement as of a DGT 3000: all well, version, 2.0.
const CLOCK_VERSION: ClockAck = ClockAck([0x10, 0x09, 0x20, 0x00]);
const TRADEMARK: &[u8] = b"Digital Game Technology\r\nJadoube emulated board\r\n";

/// What happens on the device's line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A whole message.
    Bytes(Vec<u8>),
    /// The cable is pulled.
    Unplug,
    /// The cable is back.
    Plug,
}

/// Something that happens on the line, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// When its last byte is through.
    pub at: Tick,
    /// What it is.
    pub what: Line,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Idle,
    /// Fields, and the clock at least once a second.
    Update,
    /// Fields only.
    UpdateBoard,
    /// Fields, and the clock when it has changed.
    UpdateNice,
}

/// How stream time and the host's time belong together.
#[derive(Clone, Copy, Debug)]
pub(super) enum Playing {
    /// Stream time stands still here until an update mode begins.
    Waits { stream: Tick },
    /// Stream time was `stream` when the host's time was `host`.
    Since { host: Tick, stream: Tick },
}

/// A DGT board with clock that plays a recording.
///
/// Time comes with each call and never decreases. Call [`host`](Self::host) with what the host
/// sends and [`poll`](Self::poll) at the latest when [`next_due`](Self::next_due) says.
#[derive(Debug)]
pub struct Emulator {
    pub(super) score: Score,
    pub(super) next: usize,
    pub(super) playing: Playing,
    plugged: bool,
    pub(super) mode: Mode,
    pub(super) wood: Codes,
    pub(super) clock: Option<ClockReport>,
    /// What the clock showed when it was last sent, and when; `None` since the mode began.
    pub(super) told: Option<(Tick, Option<ClockReport>)>,
    commands: CommandDecoder,
    pub(super) queue: VecDeque<Sent>,
    pub(super) line_free: Tick,
    serial: [u8; 5],
    long_serial: [u8; 10],
    /// Hands and clock hold while no host is synchronised.
    pub(super) hold: Option<Hold>,
    faults: Faults,
    noise: Rng,
}

impl Emulator {
    /// A board that is plugged in, idle, and waits for its host.
    #[must_use]
    pub fn new(recording: &Recording) -> Self {
        let score = Score::new(recording);
        let number = serial_number(recording.setup().board.as_str());
        let mut long_serial = *b"3000000000";
        long_serial[5..].copy_from_slice(&number);
        Emulator {
            next: 0,
            playing: Playing::Waits { stream: Tick::ZERO },
            plugged: true,
            mode: Mode::Idle,
            wood: score.wood.clone(),
            clock: score.clock,
            told: None,
            commands: CommandDecoder::new(),
            queue: VecDeque::new(),
            line_free: Tick::ZERO,
            serial: number,
            long_serial,
            hold: None,
            faults: Faults::default(),
            noise: Faults::default().numbers("line"),
            score,
        }
    }

    /// A board at which these things go wrong.
    #[must_use]
    pub fn with_faults(recording: &Recording, faults: Faults) -> Self {
        let mut board = Emulator::new(recording);
        board.score = noticed(Score::new(recording), &faults);
        board.clock = board.score.clock;
        board.noise = faults.numbers("line");
        board.faults = faults;
        board
    }

    /// Goes on with another recording, at once if the host has set an update mode: the same board
    /// at the same table, another game.
    pub fn next_game(&mut self, now: Tick, recording: &Recording) {
        self.run(now);
        self.score = noticed(Score::new(recording), &self.faults);
        self.next = 0;
        self.playing = match self.mode {
            Mode::Idle => Playing::Waits { stream: Tick::ZERO },
            _ => Playing::Since { host: now, stream: Tick::ZERO },
        };
    }

    /// Takes what the host sent.
    pub fn host(&mut self, now: Tick, bytes: &[u8]) {
        self.run(now);
        if !self.plugged {
            return;
        }
        let mut said = Vec::new();
        self.commands.feed(bytes, |what| said.push(what));
        for what in said {
            match what {
                HostSaid::Command(command) => self.command(now, command),
                HostSaid::ClockProbe => self.clock_answers(now, ClockCommand::Version),
                HostSaid::Clock { command, .. } => self.clock_answers(now, command),
                HostSaid::Forbidden { what: Forbidden::BusMode | Forbidden::Bus, .. } => {
                    self.mode = Mode::Idle
                }
                HostSaid::Forbidden { what: Forbidden::ReadLog, .. } => self.send_log(now),
                HostSaid::Forbidden { .. } | HostSaid::Framed { .. } | HostSaid::Unknown(_) => {}
            }
        }
    }

    /// Gives everything that is through by `now`, in order.
    pub fn poll(&mut self, now: Tick, out: &mut Vec<Sent>) {
        self.run(now);
        while let Some(sent) = self.queue.pop_front_if(|sent| sent.at <= now) {
            out.push(sent);
        }
    }

    /// When something will be through, or noticed, next; `None` while all waits for the host.
    #[must_use]
    pub fn next_due(&self) -> Option<Tick> {
        let sent = self.queue.front().map(|sent| sent.at);
        [sent, self.next_cue(), self.clock_again()].into_iter().flatten().min()
    }

    /// Whether the recording is over and everything is through.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.next == self.score.cues.len()
            && self.queue.is_empty()
            && matches!(self.playing, Playing::Since { .. })
    }

    /// Lets everything happen that happens by `now`, in its order.
    pub(super) fn run(&mut self, now: Tick) {
        loop {
            match (self.next_cue(), self.clock_again()) {
                (Some(cue), again) if cue <= now && again.is_none_or(|again| cue <= again) => self.cue(cue),
                (_, Some(again)) if again <= now => self.say_clock(again),
                _ => return,
            }
        }
    }

    fn next_cue(&self) -> Option<Tick> {
        let Playing::Since { host, stream } = self.playing else { return None };
        self.score.cues.get(self.next).map(|cue| host + cue.at.since(stream))
    }

    /// When the clock is sent again though nothing changed.
    fn clock_again(&self) -> Option<Tick> {
        // After the end nothing is left to be said, or the recording would never be over.
        let repeats = self.mode == Mode::Update && self.next < self.score.cues.len();
        self.told.filter(|_| repeats).map(|(at, _)| at + CLOCK_AT_LEAST)
    }

    fn cue(&mut self, now: Tick) {
        let cue = self.score.cues[self.next].clone();
        self.next += 1;
        match cue.what {
            What::Field(field, piece) => {
                self.wood[usize::from(field.index())] = piece;
                if self.mode != Mode::Idle {
                    self.send(now, &Message::Field { field, piece });
                }
            }
            What::Wood(wood) => {
                let contradicts = self.wood != wood;
                self.wood = wood;
                if contradicts && self.mode != Mode::Idle {
                    self.send_board(now);
                }
            }
            What::Clock(report) => {
                self.clock = Some(report);
                if self.carries_clock() && self.told.is_none_or(|(_, told)| told != self.clock) {
                    self.say_clock(now);
                }
            }
            What::Unnoticed(field, piece) => self.wood[usize::from(field.index())] = piece,
            What::Unsaid(report) => self.clock = Some(report),
            What::Say(saying) if self.carries_clock() => self.send(now, &message(saying)),
            What::Say(_) => {}
            What::Unplug => {
                self.plugged = false;
                self.mode = Mode::Idle;
                self.told = None;
                self.commands = CommandDecoder::new();
                self.queue.retain(|sent| sent.at <= now);
                self.queue.push_back(Sent { at: now, what: Line::Unplug });
                self.line_free = now;
            }
            What::Plug { wood, clock } => {
                self.plugged = true;
                self.wood = wood.unwrap_or_else(|| self.wood.clone());
                self.clock = clock.or(self.clock);
                self.playing = Playing::Waits { stream: cue.at };
                self.queue.push_back(Sent { at: now, what: Line::Plug });
            }
        }
    }

    fn command(&mut self, now: Tick, command: Command) {
        match command {
            Command::Reset => {
                self.mode = Mode::Idle;
                self.stand_still(now);
            }
            Command::Update => self.begin(now, Mode::Update),
            Command::UpdateBoard => self.begin(now, Mode::UpdateBoard),
            Command::UpdateNice => self.begin(now, Mode::UpdateNice),
            Command::SendClock => {
                self.send_clock(now);
                self.synchronised(now, Hold::clock_sent);
            }
            Command::SendBoard => {
                self.send_board(now);
                self.synchronised(now, Hold::board_sent);
            }
            Command::ReturnSerial => self.send(now, &Message::SerialNumber(self.serial)),
            Command::ReturnLongSerial => self.send(now, &Message::LongSerialNumber(self.long_serial)),
            Command::ReturnBusAddress => self.send(now, &Message::BusAddress(1)),
            Command::Trademark => self.send(now, &Message::Trademark(TRADEMARK)),
            Command::HardwareVersion => self.send(now, &Message::HardwareVersion { major: 1, minor: 0 }),
            Command::Version => self.send(now, &Message::Version { major: 1, minor: 80 }),
            Command::Battery => self.send(
                now,
                &Message::Battery(Battery {
                    percent: 100,
                    left_minutes: None,
                    on_minutes: None,
                    standby_minutes: None,
                    charging: false,
                    discharging: true,
                }),
            ),
        }
    }

    fn begin(&mut self, now: Tick, mode: Mode) {
        self.mode = mode;
        self.told = None;
        match (&mut self.hold, self.playing) {
            (Some(hold), _) => hold.mode_begins(),
            (None, Playing::Waits { stream }) => self.playing = Playing::Since { host: now, stream },
            (None, Playing::Since { .. }) => {}
        }
        if self.carries_clock() {
            self.say_clock(now);
        }
    }

    fn carries_clock(&self) -> bool {
        matches!(self.mode, Mode::Update | Mode::UpdateNice)
    }

    /// Sends the clock because the mode wants it.
    fn say_clock(&mut self, now: Tick) {
        self.told = Some((now, self.clock));
        self.send_clock(now);
    }

    fn send_clock(&mut self, now: Tick) {
        let message = self.clock.map_or(Message::NoClock, Message::Clock);
        self.send(now, &message);
    }

    fn send_board(&mut self, now: Tick) {
        let message = Message::Dump(*self.wood);
        self.send(now, &message);
    }

    /// The clock answers through the board, in the modes that carry its messages.
    fn clock_answers(&mut self, now: Tick, command: ClockCommand) {
        if !self.carries_clock() || self.clock.is_none() {
            return;
        }
        let ack = match command {
            ClockCommand::Version => CLOCK_VERSION,
            ClockCommand::Segments | ClockCommand::Icons | ClockCommand::EndText => well(0x01),
            ClockCommand::Buttons => well(0x08),
            ClockCommand::SetAndRun => ClockAck([0x40, 0x0A, 0, 0]),
            ClockCommand::Beep => well(0x0B),
            ClockCommand::Ascii | ClockCommand::LongAscii => well(0x0C),
            ClockCommand::Other(_) | ClockCommand::Malformed => return,
        };
        self.send(now, &Message::Ack(ack));
    }

    /// Power came on, and what stands now; three fillers before, as boards have them.
    fn send_log(&mut self, now: Tick) {
        let mut entries = vec![LogEntry::Nothing; 3];
        entries.push(LogEntry::PowerOn);
        let stands = Field::all().zip(self.wood.iter().copied()).filter(|(_, piece)| !piece.is_empty());
        entries.extend(stands.map(|(field, piece)| LogEntry::Piece { field, piece, soon: false }));
        entries.push(LogEntry::End);
        let mut bytes = [0; MAX_ENCODED];
        let length = encode_log(&entries, &mut bytes);
        self.put_on_line(now, &bytes, length);
    }

    fn send(&mut self, now: Tick, message: &Message<'_>) {
        let mut bytes = [0; MAX_ENCODED];
        let length = message.encode(&mut bytes);
        self.put_on_line(now, &bytes, length);
    }

    fn put_on_line(&mut self, now: Tick, bytes: &[u8], length: Option<usize>) {
        // Nothing is made here that the codec refuses; if it were, silence is what a board does.
        let Some(length) = length else { return };
        let length_us = (length as u64 * 1_000_000).div_ceil(BYTES_PER_SECOND);
        self.line_free = self.line_free.max(now) + Span::from_us(length_us);
        let bytes = disturbed(bytes[..length].to_vec(), &self.faults, &mut self.noise);
        self.queue.push_back(Sent { at: self.line_free, what: Line::Bytes(bytes) });
    }
}

/// The command was carried out.
const fn well(command: u8) -> ClockAck {
    ClockAck([0x10, command, 0, 0])
}

/// Five digits out of a board's name: the same name is the same board, two names hardly ever.
fn serial_number(board: &str) -> [u8; 5] {
    let mut number = crc32fast::hash(board.as_bytes()) % 100_000;
    let mut digits = [b'0'; 5];
    for digit in digits.iter_mut().rev() {
        *digit += (number % 10) as u8;
        number /= 10;
    }
    digits
}

#[cfg(test)]
mod tests;
