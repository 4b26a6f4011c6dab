//! What the emulated device notices, and when, in its own terms.
//!
//! In: a [`Recording`]. Out: [`Score`], cues in order of time. Never: anything that depends on the
//! host. How the clock stands on the table is decided here: a recording gives it by colour, a
//! device by its ends. White has the left end, as on a board whose connector is at White's left;
//! if the first dump is the start position turned round, the whole table is, and White has the
//! right end.

use jadoube_dgt::{ClockAck, ClockReport, Field, PieceCode, Side, SideTime};
use shakmaty::{Color, Role, Square};

use super::recording::{LONGEST, Recording, dial};
use super::ticking::{Shown, seconds_between};
use crate::events::{ClockReading, Lever, Report, Sensed, SensorSquare, Setup, Wood};
use crate::tick::{Dial, Span, Tick};

/// How soon after a link is back a reading of the clock still tells what it showed just then.
const SOON: Span = Span::from_ms(2_000);

/// The codes of a whole board, in the order of a dump.
pub(super) type Codes = Box<[PieceCode; 64]>;

/// All that the device notices.
#[derive(Clone, Debug)]
pub(super) struct Score {
    /// What stands there before the first cue.
    pub(super) wood: Codes,
    /// What the clock shows before the first cue; `None` if there is no clock.
    pub(super) clock: Option<ClockReport>,
    /// In order of time.
    pub(super) cues: Vec<Cue>,
}

/// One thing that the device notices.
#[derive(Clone, Debug)]
pub(super) struct Cue {
    /// Stream time.
    pub(super) at: Tick,
    pub(super) what: What,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    /// A field has changed.
    Field(Field, PieceCode),
    /// The whole board, whatever was noticed before.
    Wood(Codes),
    /// A field has changed and the device does not say so.
    Unnoticed(Field, PieceCode),
    /// The clock shows this.
    Clock(ClockReport),
    /// The clock shows this and the device does not say so.
    Unsaid(ClockReport),
    /// The device says something in the place of something else.
    Say(Saying),
    /// The cable is pulled.
    Unplug,
    /// The cable is back; what changed in between, if it is known.
    Plug { wood: Option<Codes>, clock: Option<ClockReport> },
}

/// What a device says in the place of a reading.
#[derive(Clone, Copy, Debug)]
pub(super) enum Saying {
    /// Zeros.
    EmptyClock,
    /// Something of the clock's buttons.
    Ack(ClockAck),
}

impl Score {
    pub(super) fn new(recording: &Recording) -> Score {
        let reports = recording.reports();
        let setup = recording.setup();
        let start = setup.start_wood().unwrap_or_else(|_| Wood::empty());
        let first = next_dump(reports);
        let mut writer = Writer {
            turned: first.is_some_and(|wood| is_turned(wood, &start)),
            per_move: setup.time_control.is_some_and(|control| control.inc_s > 0),
            increments: increments(setup),
            fallen: [false; 2],
            last: None,
            cues: Vec::with_capacity(reports.len() * 2),
        };
        let first_reading = reports.iter().find_map(|(_, report)| reading(report));
        let clock = first_reading.map(|reading| writer.clock(&reading));
        for (nth, (at, report)) in reports.iter().enumerate() {
            writer.report(*at, report, &reports[nth + 1..]);
        }
        let end = Tick::ZERO + recording.length();
        writer.tick_until(None, end);
        let mut cues = writer.cues;
        // Seconds were written when the next reading was met: later than what came between.
        cues.sort_by_key(|cue| cue.at);
        Score { wood: codes(first.unwrap_or(&start)), clock, cues }
    }
}

struct Writer {
    turned: bool,
    per_move: bool,
    increments: Vec<u32>,
    /// Whose time ran out and was not set since, left and right of the recording.
    fallen: [bool; 2],
    /// The last reading, if the link was up since.
    last: Option<Shown>,
    cues: Vec<Cue>,
}

impl Writer {
    fn report(&mut self, at: Tick, report: &Report, later: &[(Tick, Report)]) {
        match report {
            Report::Square { at: square, seen } => self.cue(at, What::Field(field(*square), code(*seen))),
            Report::Dump(wood) => self.cue(at, What::Wood(codes(wood))),
            Report::Clock(reading) => {
                let now = Shown::after(self.last, at, *reading);
                self.tick_until(Some(now), at);
                self.last = Some(now);
                let shown = self.clock(reading);
                self.cue(at, What::Clock(shown));
            }
            Report::Link { up: false } => {
                self.tick_until(None, at);
                self.last = None;
                self.cue(at, What::Unplug);
            }
            Report::Link { up: true } => {
                let soon = later.iter().take_while(|(then, _)| then.since(at) <= SOON);
                let next = soon.into_iter().find_map(|(_, report)| reading(report));
                let clock = next.map(|reading| self.clock(&reading));
                self.cue(at, What::Plug { wood: next_dump(later).map(codes), clock });
            }
            Report::ClockConnected(_) | Report::Identity(_) | Report::Junk { .. } => {}
        }
    }

    fn cue(&mut self, at: Tick, what: What) {
        self.cues.push(Cue { at, what });
    }

    fn tick_until(&mut self, next: Option<Shown>, end: Tick) {
        let Some(last) = self.last else { return };
        for (at, reading) in seconds_between(last, next, end, &self.increments) {
            let shown = self.clock(&reading);
            self.cue(at, What::Clock(shown));
        }
    }

    /// A reading as the clock sends it.
    fn clock(&mut self, reading: &ClockReading) -> ClockReport {
        for (fallen, side) in self.fallen.iter_mut().zip([Lever::Left, Lever::Right]) {
            *fallen = dial(reading, side).seconds() == 0 && (*fallen || reading.running == Some(side));
        }
        let running = reading.running.is_some();
        let time = |time: Dial, fallen: bool| SideTime {
            per_move: self.per_move,
            // A clock that has stopped at zero is blocked; one that runs on only shows the flag.
            flag_fallen_blocked: fallen && !running,
            flag_shown: fallen && running,
            ..SideTime::from_seconds(time.seconds().min(LONGEST.seconds())).unwrap_or_default()
        };
        let (left, right) = (time(reading.left, self.fallen[0]), time(reading.right, self.fallen[1]));
        let to_move = match (reading.down, self.turned) {
            (Lever::Right, false) | (Lever::Left, true) => Side::Left,
            (Lever::Left, false) | (Lever::Right, true) => Side::Right,
        };
        ClockReport {
            right: if self.turned { left } else { right },
            left: if self.turned { right } else { left },
            running,
            lever: jadoube_dgt::Lever::while_moving(to_move),
            battery_low: false,
            // As in captures of real clocks.
            turn_bit_3: to_move == Side::Left,
            turn_bit_4: to_move == Side::Right,
        }
    }
}

/// What a press may add: the increment, and the time of the next period.
fn increments(setup: &Setup) -> Vec<u32> {
    let Some(control) = setup.time_control else { return Vec::new() };
    let bonus = control.bonus.map(|(_, seconds)| control.inc_s.saturating_add(seconds));
    std::iter::once(control.inc_s).chain(bonus).collect()
}

fn reading(report: &Report) -> Option<ClockReading> {
    match report {
        Report::Clock(reading) => Some(*reading),
        _ => None,
    }
}

/// The dump that comes before any field changes or the link goes: what stood there all the time.
fn next_dump(reports: &[(Tick, Report)]) -> Option<&Wood> {
    for (_, report) in reports {
        match report {
            Report::Dump(wood) => return Some(wood),
            Report::Square { .. } | Report::Link { .. } => return None,
            _ => {}
        }
    }
    None
}

/// Whether the position looks more like the start turned by 180° than like the start. A board
/// turned by 90° looks like neither; its clock stands as usual.
fn is_turned(wood: &Wood, start: &Wood) -> bool {
    let mut turned = Wood::empty();
    for square in Square::ALL {
        turned.set(square.rotate_180(), start.at(square));
    }
    wood.differs_wood(&turned).count() < wood.differs_wood(start).count()
}

fn field(square: SensorSquare) -> Field {
    // Squares run along the ranks as fields do, but from the first rank up; 63 is the most.
    Field::new((square.raw().to_u32() as u8) ^ 56).unwrap_or_else(|| unreachable!("64 squares, 64 fields"))
}

fn codes(wood: &Wood) -> Codes {
    let mut codes = [PieceCode::EMPTY; 64];
    for square in Square::ALL {
        codes[usize::from(field(SensorSquare::new(square)).index())] = code(wood.at(square));
    }
    Box::new(codes)
}

fn code(seen: Sensed) -> PieceCode {
    let piece = match seen {
        Sensed::Empty => return PieceCode::EMPTY,
        Sensed::Something => return PieceCode::DRAW,
        Sensed::Piece(piece) => piece,
    };
    match (piece.color, piece.role) {
        (Color::White, Role::Pawn) => PieceCode::WHITE_PAWN,
        (Color::White, Role::Rook) => PieceCode::WHITE_ROOK,
        (Color::White, Role::Knight) => PieceCode::WHITE_KNIGHT,
        (Color::White, Role::Bishop) => PieceCode::WHITE_BISHOP,
        (Color::White, Role::King) => PieceCode::WHITE_KING,
        (Color::White, Role::Queen) => PieceCode::WHITE_QUEEN,
        (Color::Black, Role::Pawn) => PieceCode::BLACK_PAWN,
        (Color::Black, Role::Rook) => PieceCode::BLACK_ROOK,
        (Color::Black, Role::Knight) => PieceCode::BLACK_KNIGHT,
        (Color::Black, Role::Bishop) => PieceCode::BLACK_BISHOP,
        (Color::Black, Role::King) => PieceCode::BLACK_KING,
        (Color::Black, Role::Queen) => PieceCode::BLACK_QUEEN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(lines: &[&str]) -> Score {
        let meta = r#"{"t_ms":0,"kind":"meta","config":{"base_s":180,"inc_s":2}}"#;
        Score::new(&Recording::parse(&format!("{meta}\n{}", lines.join("\n"))).unwrap())
    }

    const RUNS: &str = r#"{"t_ms":900,"kind":"clock","white_ms":1900,"black_ms":182000,"running":"white","lever":"black_down"}"#;

    #[test]
    fn a_board_turned_round_has_white_at_the_right_end() {
        let array = r#"{"t_ms":0,"kind":"board","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"}"#;
        let turned = r#"{"t_ms":0,"kind":"board","fen":"RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr"}"#;
        let quarter = r#"{"t_ms":0,"kind":"board","fen":"rp4PR/np4PN/bp4PB/kp4PK/qp4PQ/bp4PB/np4PN/rp4PR"}"#;
        for (dump, white) in [(array, Side::Left), (turned, Side::Right), (quarter, Side::Left)] {
            let clock = score(&[dump, RUNS]).clock.unwrap();
            assert_eq!(clock.time(white).total_seconds(), 1, "{dump}");
            assert_eq!(clock.side_to_move(), white);
            assert_eq!(clock.turn_hint(), Some(white));
            assert!(clock.left.per_move);
        }
    }

    #[test]
    fn a_flag_is_shown_while_running_and_blocks_a_stopped_clock() {
        let zero = RUNS.replace("900,", "1900,").replace("1900,\"black", "0,\"black");
        let stopped = zero.replace("\"white\"", "null").replace("1900,", "5000,");
        let cues = score(&[RUNS, &zero, &stopped]).cues;
        let left: Vec<(u32, bool, bool)> = cues
            .iter()
            .map(|cue| match &cue.what {
                What::Clock(report) => {
                    (report.left.total_seconds(), report.left.flag_shown, report.left.flag_fallen_blocked)
                }
                _ => panic!("only readings"),
            })
            .collect();
        assert_eq!(left, [(1, false, false), (0, true, false), (0, false, true)]);
    }

    #[test]
    fn what_happened_without_a_link_is_there_when_it_is_back() {
        let cues = score(&[
            RUNS,
            r#"{"t_ms":950,"kind":"link","up":false}"#,
            r#"{"t_ms":9000,"kind":"link","up":true}"#,
            r#"{"t_ms":9040,"kind":"board","fen":"8/8/8/8/8/8/8/K7"}"#,
            r#"{"t_ms":9060,"kind":"clock","white_ms":70000,"black_ms":90000,"running":"black","lever":"white_down"}"#,
        ])
        .cues;
        let What::Plug { wood: Some(wood), clock: Some(clock) } = &cues[2].what else {
            panic!("a plug that knows what happened: {:?}", cues[2]);
        };
        assert_eq!(wood[56], PieceCode::WHITE_KING);
        assert_eq!(clock.right.total_seconds(), 90);
        assert_eq!(cues.len(), 5, "no seconds are shown to nobody");
    }
}
