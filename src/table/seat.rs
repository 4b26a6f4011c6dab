//! Deciding who sits where: from the array before the game, and from the clock at its start.

use shakmaty::Color;

use super::{Effects, Table, tracker};
use crate::events::{Device, Lever, Sensed};
use crate::game::Phase;
use crate::laws::{Found, RuleId};
use crate::timeline::{Happening, Seating, Turned};

/// An array with more wrong squares than this says nothing about how the board lies.
pub(super) const ARRAY_SQUARES_MAX: usize = 8;

impl Table {
    pub(super) fn seat(&mut self, happening: &Happening, out: &mut Effects) {
        if !self.tracker.record().is_empty() {
            let set_up = self.tracker.is_rebuilding() && matches!(happening, Happening::Contact(_));
            if set_up || matches!(happening, Happening::Dumped) {
                self.seat_again(out);
            }
            return;
        }
        match happening {
            Happening::Dumped | Happening::Contact(_) if self.tracker.phase() == Phase::Waiting => {
                self.seat_by_array(matches!(happening, Happening::Dumped));
            }
            Happening::Contact(contact) => {
                let white = |seen: Sensed| matches!(seen, Sensed::Piece(p) if p.color == Color::White);
                let start = self.tracker.record().end().turn;
                let running = self.line.clock().and_then(|c| c.running);
                if start == Color::White
                    && running == Some(Color::Black)
                    && (white(contact.was) || white(contact.now))
                    && !self.line.was_pressed()
                    && !self.tracker.is_doubted()
                {
                    self.swap_clock(out);
                }
            }
            _ => {}
        }
    }

    /// How the board lies, from the array that stands on it.
    fn seat_by_array(&mut self, dumped: bool) {
        let right = self.tracker_start_wood();
        let now = self.line.seating();
        let off = |turned: Turned| {
            let wood = Seating { turned, ..now }.wood(self.line.raw());
            wood.differs_wood(&right).count()
        };
        let Some(best) = Turned::ALL.into_iter().min_by_key(|t| off(*t)) else { return };
        let enough = if dumped { ARRAY_SQUARES_MAX } else { 0 };
        if best == now.turned || off(best) > enough || off(best) >= off(now.turned) {
            return;
        }
        // The clock stands beside the board: who sits on the other side has its other end.
        let white = match (self.setup.device, best) {
            (Device::Dgt, Turned::Half) => Lever::Right,
            _ => Lever::Left,
        };
        self.line.seat(Seating { turned: best, white });
        self.tracker = tracker(&self.setup);
    }

    /// The position of the record stands the other way round: the board was turned, or another one
    /// was put there. The clock stays where it was.
    fn seat_again(&mut self, out: &mut Effects) {
        let now = self.line.seating();
        let turned = match now.turned {
            Turned::No => Turned::Half,
            Turned::Half => Turned::No,
            Turned::Quarter | Turned::ThreeQuarters => return,
        };
        let turned = Seating { turned, ..now };
        let (record, rebuilding) = (self.tracker.record(), self.tracker.is_rebuilding());
        // On another board any position of the game may be set up, the array to begin with.
        let first = if rebuilding { 0 } else { record.len() };
        let least = if rebuilding { 0 } else { ARRAY_SQUARES_MAX };
        let (wood, other) = (now.wood(self.line.raw()), turned.wood(self.line.raw()));
        let shows = |keep: usize| {
            let board = &record.at(keep).board;
            other.differs(board).is_empty() && wood.differs(board).count() > least
        };
        let here = |keep: usize| wood.differs(&record.at(keep).board).is_empty();
        if (first..=record.len()).any(here) || !(first..=record.len()).any(shows) {
            return;
        }
        self.line.seat(turned);
        if turned.turned == Turned::Half {
            self.rotated(out);
        }
    }

    fn tracker_start_wood(&self) -> crate::events::Wood {
        self.setup.start_wood().unwrap_or_else(|_| crate::events::Wood::empty())
    }

    /// White plays while the clock's other end runs: the ends belong to the other players.
    fn swap_clock(&mut self, out: &mut Effects) {
        let seating = self.line.seating();
        self.line.seat(Seating { white: seating.white.other(), ..seating });
        if self.setup.device == Device::Dgt && seating.turned == Turned::Half {
            return; // The clock was not turned with the board: known only now, and no fault.
        }
        let what =
            "White plays while Black's end of the clock runs: the clock's sides are swapped".to_owned();
        let found = Found::new(RuleId::ClockSidesSwapped, None, shakmaty::Bitboard::EMPTY, what);
        self.found_by_clock(found, out);
    }
}
