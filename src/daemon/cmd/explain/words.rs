//! What a board said, in words; squares and ends of the clock as the board itself names them.

use crate::events::{Calibration, ClockReading, Identity, Lever, Report, Resolution};
use crate::tick::Dial;

/// Reads reports in order and puts them into words.
#[derive(Debug, Default)]
pub struct Words {
    clock: Option<ClockReading>,
}

impl Words {
    /// A report in words; `None` for a reading of the clock that tells nothing but that time runs.
    pub fn of(&mut self, report: &Report) -> Option<String> {
        Some(match report {
            Report::Dump(wood) => format!("all squares: {}", wood.placement()),
            Report::Square { at, seen } => match seen.letter() {
                Some('X') => format!("{}: a piece stands there", at.raw()),
                Some(letter) => format!("{}: a {} stands there", at.raw(), piece(letter)),
                None => format!("{}: empty", at.raw()),
            },
            Report::Clock(clock) => return self.clock(clock),
            Report::ClockConnected(true) => "a clock is connected to the board".to_owned(),
            Report::ClockConnected(false) => "no clock is connected to the board".to_owned(),
            Report::Link { up: true } => "(the board can be heard)".to_owned(),
            Report::Link { up: false } => "(the board cannot be heard)".to_owned(),
            Report::Identity(Identity::Serial(serial)) => format!("its serial number is {serial}"),
            Report::Identity(Identity::Version(major, minor)) => {
                format!("the version of its program is {major}.{minor:02}")
            }
            Report::Identity(Identity::Battery(percent)) => format!("its battery is at {percent} %"),
            Report::Junk { why, bytes } => format!("({bytes} bytes that make no sense: {why})"),
        })
    }

    fn clock(&mut self, now: &ClockReading) -> Option<String> {
        let before = self.clock.replace(*now);
        let what = match (before, now.running) {
            (Some(before), _) if before.down != now.down && before.running.is_some() => {
                format!("the clock is pressed at its {} end", end(now.down))
            }
            (Some(before), Some(side)) if before.running.is_none() => {
                format!("the clock is started, the time at its {} end runs", end(side))
            }
            (Some(before), None) if before.running.is_some() => "the clock is stopped".to_owned(),
            (Some(before), None) if (before.left, before.right) != (now.left, now.right) => {
                "the clock's times are changed".to_owned()
            }
            (Some(before), _) if has_run_out(&before, now) => "a time has run out".to_owned(),
            (Some(before), _) if before.flag == now.flag => return None,
            (_, Some(side)) => format!("the clock: the time at its {} end runs", end(side)),
            (_, None) => "the clock stands".to_owned(),
        };
        let flag =
            now.flag.map_or(String::new(), |side| format!(", the flag at its {} end is down", end(side)));
        Some(format!("{what}: left {}, right {}{flag}", now.left.text(), now.right.text()))
    }
}

/// Whether one end shows zero, and did not before.
fn has_run_out(before: &ClockReading, now: &ClockReading) -> bool {
    let out = |was: Dial, is: Dial| was.seconds() > 0 && is.seconds() == 0;
    out(before.left, now.left) || out(before.right, now.right)
}

fn end(lever: Lever) -> &'static str {
    match lever {
        Lever::Left => "left",
        Lever::Right => "right",
    }
}

/// `white rook` for the letter `R`.
fn piece(letter: char) -> String {
    let name = match letter.to_ascii_lowercase() {
        'p' => "pawn",
        'n' => "knight",
        'b' => "bishop",
        'r' => "rook",
        'q' => "queen",
        'k' => "king",
        _ => return letter.to_string(),
    };
    format!("{} {name}", if letter.is_ascii_uppercase() { "white" } else { "black" })
}

/// By which times of the board it was judged, as sentences.
pub fn times(shown: Option<&Calibration>) -> String {
    let Some(shown) = shown else {
        return "The board had shown nothing of its times yet; late squares were waited for as long as on any \
                board: 300 ms after a press."
            .to_owned();
    };
    let waited = format!("the program waited {} ms for late ones", shown.waits.ms());
    let mut out = match (shown.lag.late, shown.lag.presses) {
        (0, _) => format!("This board's squares had not come after a press so far; {waited}."),
        (late, presses) => format!(
            "This board's squares had come up to {} ms after the press (at {late} of {presses} presses); {waited}.",
            shown.lag.most.ms()
        ),
    };
    match shown.scan {
        Resolution::Within(scan) => {
            out.push_str(&format!(
                " Squares that change within {} ms cannot be told apart in time.",
                scan.ms()
            ));
        }
        Resolution::HeldBack => {
            out.push_str(" Its reports come in bundles: nothing is concluded from their times.")
        }
        Resolution::Unknown => {}
    }
    if let Some(period) = shown.clock_period {
        out.push_str(&format!(" It tells the running clock about every {} ms.", period.ms()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::Lag;
    use crate::tick::Span;

    #[test]
    fn a_reading_says_what_is_new_and_a_running_clock_nothing() {
        let reading = |left, running, down| {
            let (left, right) = (Dial::from_s(left), Dial::from_s(60));
            Report::Clock(ClockReading { left, right, running, down, flag: None })
        };
        let mut words = Words::default();
        let (left, right) = (Some(Lever::Left), Some(Lever::Right));
        let first = words.of(&reading(60, left, Lever::Right)).unwrap();
        assert_eq!(first, "the clock: the time at its left end runs: left 1:00, right 1:00");
        assert_eq!(words.of(&reading(59, left, Lever::Right)), None);
        let pressed = words.of(&reading(59, right, Lever::Left)).unwrap();
        assert_eq!(pressed, "the clock is pressed at its left end: left 0:59, right 1:00");
        let stopped = words.of(&reading(59, None, Lever::Left)).unwrap();
        assert!(stopped.starts_with("the clock is stopped: "), "{stopped}");
        let changed = words.of(&reading(90, None, Lever::Left)).unwrap();
        assert!(changed.starts_with("the clock's times are changed: left 1:30"), "{changed}");
        words.of(&reading(1, left, Lever::Right));
        let out = words.of(&reading(0, left, Lever::Right)).unwrap();
        assert_eq!(out, "a time has run out: left 0:00, right 1:00");
    }

    #[test]
    fn the_times_of_a_board_are_sentences() {
        let shown = Calibration {
            lag: Lag { presses: 38, late: 5, median: Span::from_ms(120), most: Span::from_ms(240) },
            waits: Span::from_ms(350),
            scan: Resolution::Within(Span::from_ms(200)),
            ..Calibration::default()
        };
        assert_eq!(
            times(Some(&shown)),
            "This board's squares had come up to 240 ms after the press (at 5 of 38 presses); the program waited \
             350 ms for late ones. Squares that change within 200 ms cannot be told apart in time."
        );
        assert!(times(None).contains("300 ms after a press"));
    }
}
