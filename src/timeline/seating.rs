//! Who sits where: how the sensor's frame and the clock's ends belong to the players.

use shakmaty::{Color, File, Rank, Square};

use crate::events::{Lever, Sensed, SensorSquare, Wood};

/// How far the board is turned against the players' frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Turned {
    /// Sensor a1 is on White's left.
    #[default]
    No,
    /// A quarter: White sits along the sensor's a-file. A wrong placing of the board (2.1).
    Quarter,
    /// Half: White sits on the other side. A change of frame and nothing else.
    Half,
    /// A quarter the other way: White sits along the sensor's h-file.
    ThreeQuarters,
}

impl Turned {
    /// Every way a board can lie.
    pub const ALL: [Turned; 4] = [Turned::No, Turned::Half, Turned::Quarter, Turned::ThreeQuarters];

    /// Whether the right-hand corner is of the wrong colour.
    #[must_use]
    pub const fn is_sideways(self) -> bool {
        matches!(self, Turned::Quarter | Turned::ThreeQuarters)
    }
}

/// The only way from a sensor's square to a player's square, and from a lever to a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seating {
    /// How the board lies.
    pub turned: Turned,
    /// Which end of the clock is White's.
    pub white: Lever,
}

impl Default for Seating {
    fn default() -> Self {
        Seating { turned: Turned::No, white: Lever::Left }
    }
}

impl Seating {
    /// The player's name of a sensor's square.
    #[must_use]
    pub fn square(self, at: SensorSquare) -> Square {
        let raw = at.raw();
        let (file, rank) = (u32::from(raw.file()), u32::from(raw.rank()));
        let (file, rank) = match self.turned {
            Turned::No => (file, rank),
            Turned::Half => (7 - file, 7 - rank),
            Turned::Quarter => (7 - rank, file),
            Turned::ThreeQuarters => (rank, 7 - file),
        };
        Square::from_coords(File::new(file), Rank::new(rank))
    }

    /// The sensor under a player's square.
    #[must_use]
    pub fn sensor(self, at: Square) -> SensorSquare {
        let back = match self.turned {
            Turned::Quarter => Turned::ThreeQuarters,
            Turned::ThreeQuarters => Turned::Quarter,
            same => same,
        };
        SensorSquare::new(Seating { turned: back, ..self }.square(SensorSquare::new(at)))
    }

    /// The wood in the players' frame.
    #[must_use]
    pub fn wood(self, raw: &Wood) -> Wood {
        if self.turned == Turned::No {
            return raw.clone();
        }
        let mut out = Wood::empty();
        for square in raw.occupied() {
            let seen = raw.at(square);
            debug_assert!(seen != Sensed::Empty, "an occupied square holds something");
            out.set(self.square(SensorSquare::new(square)), seen);
        }
        out
    }

    /// Whose end of the clock that is.
    #[must_use]
    pub fn color(self, lever: Lever) -> Color {
        if lever == self.white { Color::White } else { Color::Black }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_lie_can_be_undone() {
        for turned in Turned::ALL {
            let seating = Seating { turned, white: Lever::Left };
            for square in Square::ALL {
                assert_eq!(seating.square(seating.sensor(square)), square);
            }
        }
    }

    #[test]
    fn a_quarter_turn_reads_the_a_file_as_the_first_rank() {
        let seating = Seating { turned: Turned::Quarter, white: Lever::Left };
        assert_eq!(seating.square(SensorSquare::new(Square::A8)), Square::A1);
        assert_eq!(seating.square(SensorSquare::new(Square::B4)), Square::E2);
    }
}
