//! From the bytes of a DGT board to reports.
//!
//! The codec knows the bytes; here is only what they mean as reports: field 0 is the sensor's a8
//! and field 63 its h1, whoever sits where, and the clock keeps its left and right end. Nothing
//! is suppressed: a repeated reading is evidence too, of silence at least.
//!
//! What needs a memory: that the clock is missing is said once, and a reading that an
//! acknowledgement or zeros have taken the place of may have hidden a change of the lever. Nothing
//! is made up then. The next reading shows the lever as it is; a board that speaks of changes only
//! owes none while the clock stands, so it has to be asked.

use jadoube_dgt::{ClockReport, Decoder, Field, Heard, Message, PieceCode, Side, SideTime};
use shakmaty::{Color, Piece, Role, Square};

use super::{ClockReading, Identity, Lever, Report, Sensed, SensorSquare, Wood};
use crate::tick::Dial;

/// So often the clock is asked for in a row. A board whose clock never answers with a reading would
/// be asked for ever.
const ASKS_MAX: u8 = 5;

/// Turns a DGT board's bytes into reports, whatever way they are split.
#[derive(Clone, Debug, Default)]
pub struct DgtAdapter {
    decoder: Decoder,
    clock: ClockMemory,
}

/// What is known of the clock's messages so far.
#[derive(Clone, Debug, Default)]
struct ClockMemory {
    /// The board said that it has no clock; said once, until a clock is heard again.
    missing: bool,
    /// The last message was in the place of a reading.
    hidden: bool,
    /// How often the clock was asked for since its last reading.
    asks: u8,
}

impl DgtAdapter {
    /// Feeds bytes as they came from the port.
    pub fn feed(&mut self, bytes: &[u8], heard: &mut Vec<Report>) {
        let clock = &mut self.clock;
        self.decoder.feed(bytes, |what| hear(what, clock, heard));
    }

    /// Ends the stream, as when the port was lost: what was begun is counted as junk, and the
    /// next byte starts afresh.
    pub fn finish(&mut self, heard: &mut Vec<Report>) {
        let clock = &mut self.clock;
        self.decoder.finish(|what| hear(what, clock, heard));
        // Whoever opens a port asks for the clock.
        self.clock.hidden = false;
        self.clock.asks = 0;
    }

    /// Whether nothing was begun and nothing is missing: what comes next needs nothing before it.
    #[must_use]
    pub fn is_between_messages(&self) -> bool {
        self.decoder.is_between_messages() && !self.clock.missing && !self.clock.hidden
    }

    /// Whether a reading of the clock may have been hidden, so that it should be asked for. Says so
    /// once for each message that hid one.
    pub fn take_wants_clock(&mut self) -> bool {
        let wants = std::mem::take(&mut self.clock.hidden) && self.clock.asks < ASKS_MAX;
        self.clock.asks += u8::from(wants);
        wants
    }
}

fn hear(what: Heard<'_>, clock: &mut ClockMemory, heard: &mut Vec<Report>) {
    match what {
        Heard::Junk { why, bytes } => heard.push(Report::Junk { why: why.name(), bytes }),
        // The log is of the past and has no times: nothing that happens now. What of it cannot be
        // read comes as junk.
        Heard::Log(_) => {}
        Heard::Message(message) => hear_message(message, clock, heard),
    }
}

fn hear_message(message: Message<'_>, clock: &mut ClockMemory, heard: &mut Vec<Report>) {
    match message {
        Message::Dump(codes) => heard.push(Report::Dump(wood(&codes))),
        Message::Field { field, piece } => {
            heard.push(Report::Square { at: SensorSquare::new(square(field)), seen: sensed(piece) });
        }
        Message::Clock(report) => {
            if std::mem::take(clock).missing {
                heard.push(Report::ClockConnected(true));
            }
            heard.push(Report::Clock(reading(&report)));
        }
        Message::NoClock => {
            let before = std::mem::replace(clock, ClockMemory { missing: true, ..ClockMemory::default() });
            if !before.missing {
                heard.push(Report::ClockConnected(false));
            }
        }
        // Neither says anything about times or lever, nor that a clock that was missing is back.
        Message::Ack(_) | Message::EmptyClock => clock.hidden = true,
        // A long number is the same board's: the newer form, and unique where the short one is not.
        Message::SerialNumber(digits) => heard.push(serial(&digits)),
        Message::LongSerialNumber(digits) => heard.push(serial(&digits)),
        Message::Version { major, minor } => heard.push(Report::Identity(Identity::Version(major, minor))),
        Message::Battery(battery) => heard.push(Report::Identity(Identity::Battery(battery.percent))),
        Message::LargeDump(codes) => heard.push(not_chess(codes.len())),
        Message::Draughts { pieces, .. } => heard.push(not_chess(pieces.len())),
        Message::BusAddress(_)
        | Message::Trademark(_)
        | Message::HardwareVersion { .. }
        | Message::Skipped { .. } => {}
    }
}

/// A board with other fields than those of chess: its squares mean nothing here, and somebody
/// should know why this board shows no position.
fn not_chess(fields: usize) -> Report {
    Report::Junk { why: "not-a-chessboard", bytes: fields as u16 }
}

fn serial(digits: &[u8]) -> Report {
    Report::Identity(Identity::Serial(digits.iter().map(|&byte| char::from(byte)).collect()))
}

/// The sensor's own name for a field: as one reads a page, 0 is a8 and 63 is h1.
fn square(field: Field) -> Square {
    // Fields run along the ranks as squares do, but from the eighth rank down.
    Square::new(u32::from(field.index() ^ 56))
}

fn wood(codes: &[PieceCode; 64]) -> Wood {
    let mut wood = Wood::empty();
    for (field, &code) in Field::all().zip(codes) {
        wood.set(square(field), sensed(code));
    }
    wood
}

/// A result piece is something that stands there and is no chessman, so no known piece.
fn sensed(code: PieceCode) -> Sensed {
    let (color, role) = match code {
        PieceCode::EMPTY => return Sensed::Empty,
        PieceCode::WHITE_PAWN => (Color::White, Role::Pawn),
        PieceCode::WHITE_ROOK => (Color::White, Role::Rook),
        PieceCode::WHITE_KNIGHT => (Color::White, Role::Knight),
        PieceCode::WHITE_BISHOP => (Color::White, Role::Bishop),
        PieceCode::WHITE_KING => (Color::White, Role::King),
        PieceCode::WHITE_QUEEN => (Color::White, Role::Queen),
        PieceCode::BLACK_PAWN => (Color::Black, Role::Pawn),
        PieceCode::BLACK_ROOK => (Color::Black, Role::Rook),
        PieceCode::BLACK_KNIGHT => (Color::Black, Role::Knight),
        PieceCode::BLACK_BISHOP => (Color::Black, Role::Bishop),
        PieceCode::BLACK_KING => (Color::Black, Role::King),
        PieceCode::BLACK_QUEEN => (Color::Black, Role::Queen),
        _ => return Sensed::Something,
    };
    Sensed::Piece(Piece { color, role })
}

fn reading(report: &ClockReport) -> ClockReading {
    let to_move = lever(report.side_to_move());
    ClockReading {
        left: Dial::from_s(report.left.total_seconds()),
        right: Dial::from_s(report.right.total_seconds()),
        // The lever decides whose time runs; the status bits for the turn are hints only.
        running: report.running.then_some(to_move),
        down: lever(report.pressed_last()),
        flag: flag(report, to_move),
    }
}

/// The end whose flag has fallen with the clock blocked at zero. A flag that is only on the
/// display may belong to a period that ended long ago. If both ends say so, the reading can name
/// one: the end whose time ran last.
fn flag(report: &ClockReport, to_move: Lever) -> Option<Lever> {
    let fallen = |time: SideTime| time.flag_fallen_blocked;
    match (fallen(report.left), fallen(report.right)) {
        (false, false) => None,
        (true, false) => Some(Lever::Left),
        (false, true) => Some(Lever::Right),
        (true, true) => Some(to_move),
    }
}

const fn lever(side: Side) -> Lever {
    match side {
        Side::Left => Lever::Left,
        Side::Right => Lever::Right,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(bytes: &[u8]) -> Vec<Report> {
        let mut out = Vec::new();
        DgtAdapter::default().feed(bytes, &mut out);
        out
    }

    #[test]
    fn a_dump_of_the_initial_array_reads_as_a_page() {
        let mut bytes = vec![0x86, 0x00, 0x43, 8, 9, 10, 12, 11, 10, 9, 8];
        bytes.extend([7; 8]);
        bytes.extend([0; 32]);
        bytes.extend([1; 8]);
        bytes.extend([2, 3, 4, 6, 5, 4, 3, 2]);
        let array = Wood::from_placement("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR").unwrap();
        assert_eq!(heard(&bytes), [Report::Dump(array)]);
    }

    #[test]
    fn fields_are_the_sensors_squares() {
        let update = |field: u8, piece: u8| heard(&[0x8E, 0, 5, field, piece]);
        let report = |at: Square, seen: Sensed| vec![Report::Square { at: SensorSquare::new(at), seen }];
        assert_eq!(update(0, 0), report(Square::A8, Sensed::Empty));
        assert_eq!(update(36, 1), report(Square::E4, Sensed::Piece(Piece::from_char('P').unwrap())));
        assert_eq!(update(63, 12), report(Square::H1, Sensed::Piece(Piece::from_char('q').unwrap())));
        assert_eq!(update(27, 14), report(Square::D5, Sensed::Something), "a result piece is no chessman");
    }

    #[test]
    fn the_side_with_the_high_end_runs_and_the_other_pressed() {
        // Right 0:03:00, left 0:02:58, running, right end high.
        let reading = |status: u8, head: u8| {
            let Some(Report::Clock(reading)) =
                heard(&[0x8D, 0, 10, head, 0x03, 0x00, 0x00, 0x02, 0x58, status]).pop()
            else {
                panic!("a clock reading");
            };
            reading
        };
        let running = reading(0x13, 0);
        assert_eq!((running.right, running.left), (Dial::from_s(180), Dial::from_s(178)));
        assert_eq!((running.running, running.down), (Some(Lever::Right), Lever::Left));
        let stopped = reading(0x08, 0);
        assert_eq!((stopped.running, stopped.down), (None, Lever::Right));
        assert_eq!((stopped.flag, reading(0x12, 0x10).flag), (None, Some(Lever::Right)));
    }

    #[test]
    fn a_missing_clock_is_said_once_until_it_is_back() {
        let mut adapter = DgtAdapter::default();
        let mut out = Vec::new();
        let none = [0x8D, 0, 10, 0, 0, 0, 0, 0, 0, 0x20];
        let empty = [0x8D, 0, 10, 0, 0, 0, 0, 0, 0, 0];
        let ack = [0x8D, 0, 10, 0x0A, 0x10, 0x09, 0x0A, 0x21, 0, 0];
        let time = [0x8D, 0, 10, 0, 3, 0, 0, 3, 0, 0x08];
        for bytes in [none, none, ack, empty, time, time] {
            adapter.feed(&bytes, &mut out);
        }
        assert_eq!(out[..2], [Report::ClockConnected(false), Report::ClockConnected(true)]);
        assert!(matches!(out[2..], [Report::Clock(_), Report::Clock(_)]));
    }

    #[test]
    fn turn_bits_change_nothing_whatever_they_say() {
        for status in (0..0x20_u8).filter(|status| status & 0x18 == 0) {
            let reading = |bits: u8| heard(&[0x8D, 0, 10, 0, 3, 0, 0, 2, 0x58, status | bits]);
            let plain = reading(0);
            assert!(matches!(plain[..], [Report::Clock(_)]));
            for bits in [0x08, 0x10, 0x18] {
                assert_eq!(reading(bits), plain, "{status:02X} {bits:02X}");
            }
        }
    }

    const LEFT_RUNS: [u8; 10] = [0x8D, 0, 10, 0, 3, 0, 0, 3, 0, 0x09];
    const RIGHT_RUNS: [u8; 10] = [0x8D, 0, 10, 0, 3, 0, 0, 3, 0, 0x13];
    const ACK: [u8; 10] = [0x8D, 0, 10, 0x0A, 0x10, 0x08, 0x2A, 0x05, 0x33, 0];
    const ZEROS: [u8; 10] = [0x8D, 0, 10, 0, 0, 0, 0, 0, 0, 0];

    #[test]
    fn a_lever_hidden_by_an_acknowledgement_is_neither_lost_nor_made_up() {
        for hides in [ACK, ZEROS] {
            let mut adapter = DgtAdapter::default();
            let mut out = Vec::new();
            adapter.feed(&LEFT_RUNS, &mut out);
            assert!(!adapter.take_wants_clock());
            adapter.feed(&hides, &mut out);
            assert_eq!(out.len(), 1, "it says nothing of the lever");
            assert!(adapter.take_wants_clock() && !adapter.take_wants_clock(), "once");
            adapter.feed(&RIGHT_RUNS, &mut out);
            let [_, Report::Clock(after)] = out[..] else { panic!("{out:?}") };
            assert_eq!((after.running, after.down), (Some(Lever::Right), Lever::Left));
            assert!(!adapter.take_wants_clock());
        }
    }

    #[test]
    fn a_reading_behind_it_makes_asking_needless_and_silence_is_asked_a_few_times_only() {
        let mut adapter = DgtAdapter::default();
        let mut out = Vec::new();
        adapter.feed(&[ACK, LEFT_RUNS].concat(), &mut out);
        assert!(!adapter.take_wants_clock());
        let mut asked = || {
            adapter.feed(&ZEROS, &mut out);
            adapter.take_wants_clock()
        };
        assert_eq!((0..20).filter(|_| asked()).count(), usize::from(ASKS_MAX));
        adapter.feed(&RIGHT_RUNS, &mut out);
        adapter.feed(&ACK, &mut out);
        assert!(adapter.take_wants_clock());
        adapter.feed(&ACK, &mut out);
        adapter.finish(&mut out);
        assert!(!adapter.take_wants_clock(), "the line is opened anew");
    }

    #[test]
    fn the_log_is_of_the_past_and_what_of_it_is_unreadable_is_counted() {
        let log = [0x8F, 0, 10, 0x6A, 0x41, 52, 0x10, 0x01, 0x6F, 0x6B];
        assert_eq!(heard(&log), [Report::Junk { why: "log-unreadable", bytes: 2 }]);
    }

    #[test]
    fn a_board_for_draughts_shows_no_position() {
        let mut hundred = vec![0x86, 0x00, 0x67];
        hundred.extend([1; 100]);
        assert_eq!(heard(&hundred), [Report::Junk { why: "not-a-chessboard", bytes: 100 }]);
    }

    #[test]
    fn junk_and_cut_ends_are_counted() {
        let mut adapter = DgtAdapter::default();
        let mut out = Vec::new();
        adapter.feed(&[0x01, 0x02, 0x8E, 0, 5, 0x24], &mut out);
        adapter.finish(&mut out);
        assert_eq!(out, [Report::Junk { why: "unframed", bytes: 2 }, Report::Junk { why: "cut", bytes: 4 }]);
    }

    #[test]
    fn a_device_says_who_it_is() {
        let mut bytes = vec![0x91, 0, 8];
        bytes.extend(b"12345");
        bytes.extend([0x93, 0, 5, 1, 80]);
        assert_eq!(
            heard(&bytes),
            [
                Report::Identity(Identity::Serial("12345".to_owned())),
                Report::Identity(Identity::Version(1, 80))
            ]
        );
    }
}
