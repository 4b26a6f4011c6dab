//! The clock as a board reports it: times, lever, status.
//!
//! Seen on: XL and DGT 3000 clocks behind USB and Bluetooth boards; measured on three captures.
//! Framing: as in `frame`, id 8D, always 7 bytes of payload:
//!
//! ```text
//! payload  R M S  r m s  T          offsets 3..=9 of the message
//! R r      bits 0-3 hours 0..=9; A = this is no time but an acknowledgement (see `ack`)
//!          bit 4 flag fallen and clock blocked at zero
//!          bit 5 time per move (increment or delay) is on
//!          bit 6 flag shown on the display, the clock may run on
//! M m S s  minutes and seconds, two BCD digits, 00..=59
//!          capital letters: the right side; small letters: the left side
//! T        bit 0 running         bit 1 right end of the lever is high (else the left one)
//!          bit 2 battery low     bits 3, 4 whose turn (see below)
//!          bit 5 no clock connected, times invalid     bit 6 zero, ignored
//! ```
//!
//! Left and right are those of the clock seen from its front. The board does not exchange them
//! when players sit the other way round: in captures with the connector on White's left, the left
//! side is White's. Times have whole seconds and end at 9:59:59: hours have one digit, so a tenth
//! hour cannot be said, and a digit of A is an acknowledgement whatever the clock shows.
//!
//! Three payloads are no times, and are told apart in this order: an acknowledgement (an A in
//! either hour), zeros throughout (Bluetooth firmware 2.10 after a clock command, two sources; a
//! stopped clock at 0:00:00 on both sides without flags would look the same), bit 5 of the status.
//! They say nothing about the lever.
//!
//! Integrity: no checksum; digits above 9, hours above 9, minutes and seconds above 59 are
//! refused. A time that went up is no error: increments and the arbiter's corrections do that.
//!
//! Two or more independent sources agree on the layout. They do not agree on two points, decided
//! here by the captures: which triple is left (older texts have them the other way round), and
//! bits 3 and 4 (newer texts give bit 3 to the right side; in all captures it goes with the left
//! one). Hence those two bits are hints only; the lever decides. Open: what a clock would mean by
//! both or neither of the two bits; whether bit 6 is ever set.

use crate::{ClockAck, Message};

const FLAG_FALLEN_BLOCKED: u8 = 0x10;
const PER_MOVE: u8 = 0x20;
const FLAG_SHOWN: u8 = 0x40;

const RUNNING: u8 = 0x01;
const LEVER_RIGHT_HIGH: u8 = 0x02;
const BATTERY_LOW: u8 = 0x04;
const TURN_BIT_3: u8 = 0x08;
const TURN_BIT_4: u8 = 0x10;
const NOT_CONNECTED: u8 = 0x20;
const IGNORED: u8 = 0x40;

/// The payload that says that no clock is connected, and nothing else.
pub(crate) const NO_CLOCK: [u8; 7] = [0, 0, 0, 0, 0, 0, NOT_CONNECTED];

/// An end of the clock, seen from its front. Not a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The left one.
    Left,
    /// The right one.
    Right,
}

impl Side {
    /// The other end.
    pub const fn opposite(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}

/// Which end of the lever is up. A player presses his own end down, so the high end is that of
/// the player to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lever {
    /// The left end is up (`\` from the front): Right pressed last, Left is to move.
    LeftHigh,
    /// The right end is up (`/` from the front): Left pressed last, Right is to move.
    RightHigh,
}

impl Lever {
    /// The lever as it stands while this side is to move.
    pub const fn while_moving(side: Side) -> Lever {
        match side {
            Side::Left => Lever::LeftHigh,
            Side::Right => Lever::RightHigh,
        }
    }

    /// The side whose end is up: the side to move.
    pub const fn side_to_move(self) -> Side {
        match self {
            Lever::LeftHigh => Side::Left,
            Lever::RightHigh => Side::Right,
        }
    }

    /// The side whose end is down: the side that pressed last.
    pub const fn pressed_last(self) -> Side {
        self.side_to_move().opposite()
    }
}

/// The time of one side, and the flags beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SideTime {
    /// Hours, 0..=9.
    pub hours: u8,
    /// Minutes, 0..=59.
    pub minutes: u8,
    /// Seconds, 0..=59.
    pub seconds: u8,
    /// The flag has fallen and the clock stands at zero.
    pub flag_fallen_blocked: bool,
    /// Time per move (increment or delay) is on.
    pub per_move: bool,
    /// A flag is on the display; the clock may be running on in the next period.
    pub flag_shown: bool,
}

impl SideTime {
    /// The longest time that can be said: 9:59:59, in seconds.
    pub const MAX_SECONDS: u32 = 9 * 3600 + 59 * 60 + 59;

    /// This many seconds without any flag, or `None` above [`MAX_SECONDS`](Self::MAX_SECONDS).
    pub const fn from_seconds(total: u32) -> Option<SideTime> {
        if total > Self::MAX_SECONDS {
            return None;
        }
        Some(SideTime {
            hours: (total / 3600) as u8,
            minutes: (total / 60 % 60) as u8,
            seconds: (total % 60) as u8,
            flag_fallen_blocked: false,
            per_move: false,
            flag_shown: false,
        })
    }

    /// The time in seconds, flags aside.
    pub const fn total_seconds(self) -> u32 {
        self.hours as u32 * 3600 + self.minutes as u32 * 60 + self.seconds as u32
    }

    fn read(&[head, minutes, seconds]: &[u8; 3]) -> Option<SideTime> {
        let hours = head & 0x0F;
        Some(SideTime {
            hours: (hours <= 9).then_some(hours)?,
            minutes: from_bcd(minutes)?,
            seconds: from_bcd(seconds)?,
            flag_fallen_blocked: head & FLAG_FALLEN_BLOCKED != 0,
            per_move: head & PER_MOVE != 0,
            flag_shown: head & FLAG_SHOWN != 0,
        })
    }

    fn write(self) -> Option<[u8; 3]> {
        let head = bit(self.flag_fallen_blocked, FLAG_FALLEN_BLOCKED)
            | bit(self.per_move, PER_MOVE)
            | bit(self.flag_shown, FLAG_SHOWN)
            | (self.hours <= 9).then_some(self.hours)?;
        Some([head, to_bcd(self.minutes)?, to_bcd(self.seconds)?])
    }
}

/// What a connected clock shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClockReport {
    /// The right side.
    pub right: SideTime,
    /// The left side.
    pub left: SideTime,
    /// A time is counting.
    pub running: bool,
    /// The lever. Do not read it as "who pressed": ask [`side_to_move`](Self::side_to_move) or
    /// [`pressed_last`](Self::pressed_last).
    pub lever: Lever,
    /// The battery of the clock is low.
    pub battery_low: bool,
    /// Status bit 3. A hint only: the sources disagree about its side.
    pub turn_bit_3: bool,
    /// Status bit 4. A hint only: the sources disagree about its side.
    pub turn_bit_4: bool,
}

impl ClockReport {
    /// The side to move: the one whose end of the lever is high.
    pub const fn side_to_move(&self) -> Side {
        self.lever.side_to_move()
    }

    /// The side that pressed last: the one whose end of the lever is low.
    pub const fn pressed_last(&self) -> Side {
        self.lever.pressed_last()
    }

    /// The time of one side.
    pub const fn time(&self, side: Side) -> SideTime {
        match side {
            Side::Left => self.left,
            Side::Right => self.right,
        }
    }

    /// Whose turn status bits 3 and 4 seem to say, read as in the captures: bit 3 is left, bit 4
    /// is right. `None` if both or neither are set. A hint: where it contradicts the lever, the
    /// lever is right.
    pub const fn turn_hint(&self) -> Option<Side> {
        match (self.turn_bit_3, self.turn_bit_4) {
            (true, false) => Some(Side::Left),
            (false, true) => Some(Side::Right),
            _ => None,
        }
    }

    /// `None` if a time is out of range or if the payload would be the one to be ignored.
    pub(crate) fn payload(&self) -> Option<[u8; 7]> {
        let [a, b, c] = self.right.write()?;
        let [d, e, f] = self.left.write()?;
        let status = bit(self.running, RUNNING)
            | bit(matches!(self.lever, Lever::RightHigh), LEVER_RIGHT_HIGH)
            | bit(self.battery_low, BATTERY_LOW)
            | bit(self.turn_bit_3, TURN_BIT_3)
            | bit(self.turn_bit_4, TURN_BIT_4);
        let payload = [a, b, c, d, e, f, status];
        (payload != [0; 7]).then_some(payload)
    }
}

pub(crate) fn read(payload: &[u8]) -> Option<Message<'static>> {
    let payload: &[u8; 7] = payload.try_into().ok()?;
    if let Some(ack) = ClockAck::read(payload) {
        return Some(Message::Ack(ack));
    }
    let [right @ .., _, _, _, status] = payload;
    let [_, _, _, left @ .., _] = payload;
    if payload[..6] == [0; 6] && status & !IGNORED == 0 {
        return Some(Message::EmptyClock);
    }
    if status & NOT_CONNECTED != 0 {
        return Some(Message::NoClock);
    }
    Some(Message::Clock(ClockReport {
        right: SideTime::read(right)?,
        left: SideTime::read(left)?,
        running: status & RUNNING != 0,
        lever: if status & LEVER_RIGHT_HIGH != 0 { Lever::RightHigh } else { Lever::LeftHigh },
        battery_low: status & BATTERY_LOW != 0,
        turn_bit_3: status & TURN_BIT_3 != 0,
        turn_bit_4: status & TURN_BIT_4 != 0,
    }))
}

/// The two digits of a byte, up to 59.
pub(crate) const fn from_bcd(byte: u8) -> Option<u8> {
    let (tens, ones) = (byte >> 4, byte & 0x0F);
    if tens <= 5 && ones <= 9 { Some(tens * 10 + ones) } else { None }
}

pub(crate) const fn to_bcd(value: u8) -> Option<u8> {
    if value <= 59 { Some(value / 10 * 16 + value % 10) } else { None }
}

const fn bit(set: bool, mask: u8) -> u8 {
    if set { mask } else { 0 }
}
