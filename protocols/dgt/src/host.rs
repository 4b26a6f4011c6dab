//! What a board hears from its host: the other end of the line, for emulated boards.
//!
//! Seen on: hosts and their documents; the bytes are those of `command`. Clock commands are
//! framed once more inside:
//!
//! ```text
//! 2B n 03 c x × (n - 3) 00     n counts from 03 to 00
//! c  01 text in segments (XL)  02 icons     03 end of text, show times
//!    08 buttons                09 version   0A set and run   0B beep
//!    0C text (DGT 3000)        0D text (Revelation II)
//! ```
//!
//! Integrity: none. Two or more independent sources agree on 01 to 0C; one names 0D. Open: what a
//! clock does with a command whose 03 or 00 is missing; it is told as
//! [`ClockCommand::Malformed`].

use crate::command::{CLOCK_PROBE, Command, Forbidden, Frame, HostByte};

/// What a host says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostSaid {
    /// A command.
    Command(Command),
    /// [`CLOCK_PROBE`].
    ClockProbe,
    /// Another command to the clock.
    Clock {
        /// Which.
        command: ClockCommand,
        /// Its whole length in bytes, 2..=257.
        len: u16,
    },
    /// Another framed command, not read.
    Framed {
        /// Which; never [`Frame::Clock`].
        frame: Frame,
        /// Its whole length in bytes, 2..=257.
        len: u16,
    },
    /// A command that this crate's hosts cannot send.
    Forbidden {
        /// Which.
        what: Forbidden,
        /// Its byte.
        byte: u8,
    },
    /// A byte that is no command we know.
    Unknown(u8),
}

/// A command to the clock, without what it shows or sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClockCommand {
    /// Show a text in seven segments.
    Segments,
    /// Show icons.
    Icons,
    /// Show the times again.
    EndText,
    /// Ask for the buttons.
    Buttons,
    /// Ask for the version, in other words than [`CLOCK_PROBE`].
    Version,
    /// Set the times and start.
    SetAndRun,
    /// Beep.
    Beep,
    /// Show a text on a DGT 3000.
    Ascii,
    /// Show a text on a Revelation II.
    LongAscii,
    /// Anything else that is well formed.
    Other(u8),
    /// Not of the form of a clock command.
    Malformed,
}

impl ClockCommand {
    fn read(command: u8) -> ClockCommand {
        match command {
            0x01 => ClockCommand::Segments,
            0x02 => ClockCommand::Icons,
            0x03 => ClockCommand::EndText,
            0x08 => ClockCommand::Buttons,
            0x09 => ClockCommand::Version,
            0x0A => ClockCommand::SetAndRun,
            0x0B => ClockCommand::Beep,
            0x0C => ClockCommand::Ascii,
            0x0D => ClockCommand::LongAscii,
            other => ClockCommand::Other(other),
        }
    }
}

/// Splits what a host sends into commands, for an emulated board.
///
/// Every byte belongs to exactly one [`HostSaid`], and the result does not depend on how the
/// stream was split. There is no mark to find the start of a command again: a damaged framed
/// command swallows as many bytes as its length says, at most 255.
#[derive(Debug, Clone, Default)]
pub struct CommandDecoder {
    /// Bytes of the current framed command so far; 0 between commands.
    seen: u16,
    frame: Option<Frame>,
    total: u16,
    /// The first bytes, those after the length included, and the last one.
    first: [u8; CLOCK_PROBE.len()],
    last: u8,
}

impl CommandDecoder {
    /// A decoder between two commands.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next bytes of the stream and calls `said` for each thing they complete.
    pub fn feed(&mut self, bytes: &[u8], mut said: impl FnMut(HostSaid)) {
        for &byte in bytes {
            if let Some(what) = self.take(byte) {
                said(what);
            }
        }
    }

    fn take(&mut self, byte: u8) -> Option<HostSaid> {
        match self.seen {
            0 => match HostByte::of(byte) {
                HostByte::Frame(frame) => self.frame = Some(frame),
                HostByte::Command(command) => return Some(HostSaid::Command(command)),
                HostByte::Forbidden(what) => return Some(HostSaid::Forbidden { what, byte }),
                HostByte::Unknown => return Some(HostSaid::Unknown(byte)),
            },
            1 => self.total = 2 + u16::from(byte),
            _ => {}
        }
        if let Some(slot) = self.first.get_mut(usize::from(self.seen)) {
            *slot = byte;
        }
        self.last = byte;
        self.seen += 1;
        if self.seen < 2 || self.seen < self.total {
            return None;
        }
        self.seen = 0;
        let len = self.total;
        Some(match self.frame? {
            Frame::Clock if self.first == CLOCK_PROBE && usize::from(len) == CLOCK_PROBE.len() => {
                HostSaid::ClockProbe
            }
            Frame::Clock => HostSaid::Clock { command: self.clock_command(), len },
            frame => HostSaid::Framed { frame, len },
        })
    }

    fn clock_command(&self) -> ClockCommand {
        let [_, _, start, command, _] = self.first;
        let whole = usize::from(self.total) >= CLOCK_PROBE.len() && start == 0x03 && self.last == 0x00;
        if whole { ClockCommand::read(command) } else { ClockCommand::Malformed }
    }
}
