//! Acknowledgements by the clock: what it did with a command, its version, its buttons.
//!
//! Seen on: XL and DGT 3000 clocks, in the update modes that carry clock messages only.
//! Framing: as in `frame`, id 8D like the times. Payload:
//!
//! ```text
//! payload  p a b  q c d  T        offsets 3..=9 of the message
//! p q      low four bits A in either: an acknowledgement, since no time has ten hours
//! a b c d  bits 0-6 of ack 0, 1, 2, 3
//! q        bit 4 is bit 7 of ack 0, bit 5 is bit 7 of ack 1
//! p        bit 4 is bit 7 of ack 2, bit 5 is bit 7 of ack 3
//! T        not read: no source says that it is the status here
//! ```
//!
//! ack 0 is 10 if all is well, ack 1 the command answered (below 80) or an event of the clock's
//! own (80 and above), ack 2 and 3 depend on it.
//!
//! An acknowledgement takes the place of a report of times, so the lever may have gone over unsaid
//! until the next one. The clock answers commands and tells of its buttons in the update modes
//! that carry clock messages only; Bluetooth firmware 2.10 may repeat an answer for a second.
//!
//! Integrity: none. Two or more independent sources agree on the form; the events 8A and 90
//! (a mode entered, left) are marked as doubtful by the only source that has them. Open: T; the
//! values of ack 0 that mean an error (20 and 40 were seen); ack 2 of a button, which tells
//! combinations apart.

/// The four bytes of an acknowledgement. Any values can occur.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClockAck(pub [u8; 4]);

/// What an acknowledgement says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AckMeaning {
    /// Text or icons were shown, or the end of text.
    Display,
    /// The request for the buttons was received; pressed buttons come as [`AckMeaning::Pressed`].
    Buttons,
    /// The version of the clock: major 1 is an XL, major 2 a DGT 3000. Each 0..=15.
    Version {
        /// Before the point.
        major: u8,
        /// After the point.
        minor: u8,
    },
    /// Times were set.
    SetAndRun,
    /// A beep.
    Beep,
    /// Text was shown on a DGT 3000.
    Ascii,
    /// The clock is ready; sent on its own.
    Ready,
    /// A button was pressed; sent on its own.
    Pressed(Button),
    /// The mode in which a host may set times was entered; doubtful. Its number.
    ModeEntered(u8),
    /// It was left; doubtful.
    ModeLeft,
    /// Anything else: the value of ack 1.
    Other(u8),
}

/// A button of the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Button {
    /// Back.
    Back,
    /// Plus.
    Plus,
    /// Run or pause.
    Run,
    /// Minus.
    Minus,
    /// Confirm.
    Ok,
    /// Anything else, combinations included: the value of ack 3.
    Other(u8),
}

impl ClockAck {
    /// Whether ack 0 says that all is well.
    pub const fn is_ok(self) -> bool {
        self.0[0] == 0x10
    }

    /// What was acknowledged or announced, whether or not it went well.
    pub const fn meaning(self) -> AckMeaning {
        let [_, what, two, three] = self.0;
        match what {
            0x01 => AckMeaning::Display,
            0x08 => AckMeaning::Buttons,
            0x09 => AckMeaning::Version { major: two >> 4, minor: two & 0x0F },
            0x0A => AckMeaning::SetAndRun,
            0x0B => AckMeaning::Beep,
            0x0C => AckMeaning::Ascii,
            0x81 => AckMeaning::Ready,
            0x88 => AckMeaning::Pressed(match three {
                0x31 => Button::Back,
                0x32 => Button::Plus,
                0x33 => Button::Run,
                0x34 => Button::Minus,
                0x35 => Button::Ok,
                other => Button::Other(other),
            }),
            0x8A => AckMeaning::ModeEntered(three),
            0x90 => AckMeaning::ModeLeft,
            other => AckMeaning::Other(other),
        }
    }

    /// `None` if the payload is one of times.
    pub(crate) fn read(&[p, a, b, q, c, d, _]: &[u8; 7]) -> Option<ClockAck> {
        // Both heads are compared by their low four bits: the upper ones carry parts of the acks.
        (p & 0x0F == 0x0A || q & 0x0F == 0x0A).then_some(ClockAck([
            a & 0x7F | q << 3 & 0x80,
            b & 0x7F | q << 2 & 0x80,
            c & 0x7F | p << 3 & 0x80,
            d & 0x7F | p << 2 & 0x80,
        ]))
    }

    pub(crate) fn payload(self) -> [u8; 7] {
        let [a, b, c, d] = self.0;
        let high = |low: u8, high: u8| 0x0A | low >> 3 & 0x10 | high >> 2 & 0x20;
        let (p, q) = (high(c, d), high(a, b));
        [p, a & 0x7F, b & 0x7F, q, c & 0x7F, d & 0x7F, 0]
    }
}
