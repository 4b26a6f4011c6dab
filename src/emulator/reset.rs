//! After the game: players stop the clock, set up the pieces again and set the clock.

use super::recording::Recording;
use crate::events::{ClockReading, Report, Sensed, SensorSquare, Wood};
use crate::tick::{Span, Tick};
use shakmaty::Square;

/// Before the clock is stopped, and between pieces, hands that are in no hurry.
const PAUSE: Span = Span::from_ms(3_000);
const LIFT: Span = Span::from_ms(150);
const PLACE: Span = Span::from_ms(250);

impl Recording {
    /// The same, and at its end all is set up as at its beginning, so that it can be played again.
    #[must_use]
    pub fn set_up_again(self) -> Recording {
        let reports = self.reports();
        let mut at = Tick::ZERO + self.length();
        let mut more = Vec::new();
        let mut then = |wait: Span, report: Report| {
            at = at + wait;
            more.push((at, report));
        };
        let mut readings = reports.iter().filter_map(|(_, report)| match report {
            Report::Clock(reading) => Some(*reading),
            _ => None,
        });
        let clock = readings.next();
        if let Some(last) = readings.next_back() {
            then(PAUSE, Report::Clock(ClockReading { running: None, ..last }));
        }
        let (start, end) = woods(reports);
        let differing: Vec<Square> =
            Square::ALL.into_iter().filter(|at| start.at(*at) != end.at(*at)).collect();
        for square in differing.iter().filter(|square| end.at(**square).is_occupied()) {
            then(LIFT, Report::Square { at: SensorSquare::new(*square), seen: Sensed::Empty });
        }
        for square in differing.iter().filter(|square| start.at(**square).is_occupied()) {
            then(PLACE, Report::Square { at: SensorSquare::new(*square), seen: start.at(*square) });
        }
        if let Some(first) = clock {
            then(PAUSE, Report::Clock(ClockReading { running: None, ..first }));
        }
        self.followed_by(more)
    }
}

/// What stood there first and what stands there last.
fn woods(reports: &[(Tick, Report)]) -> (Wood, Wood) {
    let mut first = None;
    let mut wood = Wood::empty();
    for (_, report) in reports {
        match report {
            Report::Dump(seen) => wood = seen.clone(),
            Report::Square { at, seen } => wood.set(at.raw(), *seen),
            _ => continue,
        }
        first.get_or_insert_with(|| wood.clone());
    }
    (first.unwrap_or_else(Wood::empty), wood)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emulator::Script;
    use crate::events::{Device, Setup, TopicPart};

    #[test]
    fn all_stands_as_it_stood() {
        let setup = Setup::plain(TopicPart::new("table-1").unwrap(), Device::Neutral);
        let game = Script::new(setup).run(true).moves(500, Square::E2, Square::E4).moves(
            500,
            Square::D7,
            Square::D5,
        );
        let game = game.moves(500, Square::E4, Square::D5);
        let again = Recording::from_rows(game.rows()).unwrap().set_up_again();
        let (start, end) = woods(again.reports());
        assert_eq!(start, end);
        let Some((_, Report::Clock(last))) = again.reports().last() else { panic!("a reading") };
        assert_eq!(last.running, None);
        assert!(again.reports().is_sorted_by_key(|(at, _)| *at));
    }
}
