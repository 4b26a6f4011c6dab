//! What a host may say to a board, and what it must not.
//!
//! Seen on: all boards for 40..=4D; 48, 4C and 55 on newer ones. Layout:
//!
//! ```text
//! c            one byte, 40..=5A: a command
//! c n x × n    c is 2B (clock), 2C (I2C clock), 60 (lights) or 63 (developer key);
//!              n is the number of bytes that follow it
//! 81..=A2      a command of bus mode: a board in single mode goes to bus mode by it
//! ```
//!
//! Integrity: none in this direction, not even a mark for the start of a command. A board's
//! buffer holds 10 bytes: pace commands (about 100 ms) rather than queue them. Two or more
//! independent sources agree on the bytes of [`Command`] and on the frame of 2B; one each names
//! 2C, 56..=5A, 60 and 63. Open: whether 2C and 63 are framed like 2B (taken for granted here).
//!
//! [`Command`] holds only what leaves board, clock and players as they are. [`Forbidden`] names
//! the rest, and why; it is read from bytes, for an emulated board, and never written.

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
}

impl Command {
    /// All commands, in the order of their bytes.
    pub const ALL: [Command; 13] = [
        Command::Reset,
        Command::SendClock,
        Command::SendBoard,
        Command::Update,
        Command::UpdateBoard,
        Command::ReturnSerial,
        Command::ReturnBusAddress,
        Command::Trademark,
        Command::HardwareVersion,
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

/// A command of one byte that a host must not send to a board in a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Forbidden {
    /// 49, send the internal log. It takes 8 s in which no move is reported, and the board writes
    /// into the log that it was read.
    ReadLog,
    /// 4A, go to bus mode, where the board reports nothing unasked.
    BusMode,
    /// 4E, start the boot loader, which waits for firmware.
    BootLoader,
    /// 50 and 52, send the black or the white fields of a draughts board. Harmless alone, but no
    /// chessboard's business.
    DraughtsDump,
    /// 51, 53 and 54, change which fields are scanned. The board keeps it without power, so a
    /// chessboard would be half blind from then on.
    ScanFields,
    /// 56, 57 and 58, the clock over I2C. The layout of the answer is not known.
    I2cClock,
    /// 59 and 5A, lock and key of a Pegasus.
    LockOrKey,
    /// 81 to A2 but for a few that are unknown: a command of bus mode. Any of them takes the board
    /// out of single mode, and some write into the log (85) or restart it (89).
    Bus,
}

/// The first byte of a command with a length. No host may send one, but for [`CLOCK_PROBE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Frame {
    /// 2B, to the clock: texts, beeps and times would disturb a game.
    Clock,
    /// 2C, to a clock over I2C.
    I2cClock,
    /// 60, lights: they would tell the players something.
    Lights,
    /// 63, developer key of a Pegasus.
    DeveloperKey,
}

/// What the first byte of a command is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HostByte {
    /// A command that may be sent.
    Command(Command),
    /// The start of a framed command.
    Frame(Frame),
    /// A command that must not be sent.
    Forbidden(Forbidden),
    /// No command that any source names. It is not sent either.
    Unknown,
}

impl HostByte {
    /// What this byte is as the first of a command.
    pub fn of(byte: u8) -> HostByte {
        if let Some(command) = Command::from_byte(byte) {
            return HostByte::Command(command);
        }
        match byte {
            0x2B => HostByte::Frame(Frame::Clock),
            0x2C => HostByte::Frame(Frame::I2cClock),
            0x60 => HostByte::Frame(Frame::Lights),
            0x63 => HostByte::Frame(Frame::DeveloperKey),
            0x49 => HostByte::Forbidden(Forbidden::ReadLog),
            0x4A => HostByte::Forbidden(Forbidden::BusMode),
            0x4E => HostByte::Forbidden(Forbidden::BootLoader),
            0x50 | 0x52 => HostByte::Forbidden(Forbidden::DraughtsDump),
            0x51 | 0x53 | 0x54 => HostByte::Forbidden(Forbidden::ScanFields),
            0x56..=0x58 => HostByte::Forbidden(Forbidden::I2cClock),
            0x59 | 0x5A => HostByte::Forbidden(Forbidden::LockOrKey),
            0x81..=0x8D | 0x91..=0x9B | 0xA0..=0xA2 => HostByte::Forbidden(Forbidden::Bus),
            _ => HostByte::Unknown,
        }
    }
}
