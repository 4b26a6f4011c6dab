//! What a host says to a board.
//!
//! Seen on: all boards for 40..=4D; 48, 4C and 55 on newer ones. Layout:
//!
//! ```text
//! c            one byte, 40..=5A: a command
//! c n x × n    c is 2B (clock), 2C (I2C clock), 60 (lights) or 63 (developer key);
//!              n is the number of bytes that follow it
//! ```
//!
//! Integrity: none in this direction, not even a mark for the start of a command. A board's
//! buffer holds 10 bytes: pace commands (about 100 ms) rather than queue them. Two or more
//! independent sources agree on the bytes of [`Command`] and on the frame of 2B; one each names
//! 2C, 60 and 63. Open: whether 2C and 63 are framed like 2B (taken for granted here).
//!
//! [`Command`] cannot hold what must never be sent to a board during a game: the boot loader
//! (4E), the draughts scan modes (50..=54, some of them kept by the board for ever), texts,
//! beeps and times for the clock (2B), lights (60). Nor does it hold the download of the internal
//! log (49): it takes 8 s in which no move is reported, and writes a mark into the log.

/// The request for the clock's version, which tells whether there is a clock at all, and the
/// only clock command that disturbs nobody. It is answered in the update modes with clock
/// messages, by [`AckMeaning::Version`](crate::AckMeaning::Version).
pub const CLOCK_PROBE: [u8; 5] = [0x2B, 0x03, 0x03, 0x09, 0x00];

/// A command that may be sent to a board at any time.
///
/// A board that was just opened or plugged in again has forgotten its update mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Command {
    /// Leave any update mode. No answer.
    Reset,
    /// Send the clock once.
    SendClock,
    /// Send the whole board once; the update mode stays.
    SendBoard,
    /// Report each changed field, and the clock at least once a second.
    Update,
    /// Report each changed field, never the clock.
    UpdateBoard,
    /// Report each changed field, and the clock when it has changed.
    UpdateNice,
    /// Send the serial number.
    ReturnSerial,
    /// Send the long serial number.
    ReturnLongSerial,
    /// Send the bus address.
    ReturnBusAddress,
    /// Send the trademark text.
    Trademark,
    /// Send the hardware version.
    HardwareVersion,
    /// Send the firmware version.
    Version,
    /// Send the state of the battery; answered by wireless boards only.
    Battery,
    /// Go to bus mode, where this crate's decoder is deaf. No answer.
    ToBusMode,
}

impl Command {
    /// All commands, in the order of their bytes.
    pub const ALL: [Command; 14] = [
        Command::Reset,
        Command::SendClock,
        Command::SendBoard,
        Command::Update,
        Command::UpdateBoard,
        Command::ReturnSerial,
        Command::ReturnBusAddress,
        Command::Trademark,
        Command::HardwareVersion,
        Command::ToBusMode,
        Command::UpdateNice,
        Command::Battery,
        Command::Version,
        Command::ReturnLongSerial,
    ];

    /// The byte to send.
    pub const fn byte(self) -> u8 {
        match self {
            Command::Reset => 0x40,
            Command::SendClock => 0x41,
            Command::SendBoard => 0x42,
            Command::Update => 0x43,
            Command::UpdateBoard => 0x44,
            Command::ReturnSerial => 0x45,
            Command::ReturnBusAddress => 0x46,
            Command::Trademark => 0x47,
            Command::HardwareVersion => 0x48,
            Command::ToBusMode => 0x4A,
            Command::UpdateNice => 0x4B,
            Command::Battery => 0x4C,
            Command::Version => 0x4D,
            Command::ReturnLongSerial => 0x55,
        }
    }

    /// The command of a byte, or `None` if it is none of these.
    pub fn from_byte(byte: u8) -> Option<Command> {
        Command::ALL.into_iter().find(|command| command.byte() == byte)
    }
}

/// What a board hears from its host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HostSaid {
    /// A command.
    Command(Command),
    /// [`CLOCK_PROBE`].
    ClockProbe,
    /// Another framed command, not read.
    Other {
        /// 2B, 2C, 60 or 63.
        id: u8,
        /// Its whole length in bytes, 2..=257.
        len: u16,
    },
    /// A byte that is no command we know: bus mode, draughts, boot loader, log, or noise.
    Unknown(u8),
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
    id: u8,
    total: u16,
    /// All bytes so far are those of the probe.
    probe: bool,
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
            0 if matches!(byte, 0x2B | 0x2C | 0x60 | 0x63) => {
                self.id = byte;
                self.probe = true;
            }
            0 => {
                let command = Command::from_byte(byte).map(HostSaid::Command);
                return Some(command.unwrap_or(HostSaid::Unknown(byte)));
            }
            1 => self.total = 2 + u16::from(byte),
            _ => {}
        }
        self.probe &= CLOCK_PROBE.get(usize::from(self.seen)) == Some(&byte);
        self.seen += 1;
        if self.seen < 2 || self.seen < self.total {
            return None;
        }
        self.seen = 0;
        Some(if self.probe { HostSaid::ClockProbe } else { HostSaid::Other { id: self.id, len: self.total } })
    }
}
