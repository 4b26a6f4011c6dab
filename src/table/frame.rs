//! How the board lies and who sits where, as far as it is news: a board turned by half, and White's
//! array on the side where Black was to sit.
//!
//! A half turn is only a change of frame: the operator is told once a game, no arbiter. Boards do
//! not see people: reversed colours can be told only where the settings say where White sits, and
//! then never for certain, for the board itself may have been laid the other way round.

use shakmaty::Bitboard;

use super::seat::ARRAY_SQUARES_MAX;
use super::{Effects, Table};
use crate::events::{Pieces, Seat, Start};
use crate::laws::{Found, RuleId};
use crate::timeline::{Happening, Turned};

impl Table {
    /// The clock starts: what is to be told of the frame, once a game.
    pub(super) fn frame(&mut self, happening: &Happening, out: &mut Effects) {
        let begins = matches!(happening, Happening::Started(_)) && self.tracker.record().is_empty();
        if !begins || self.framed == self.game || !self.line.has_dump() {
            return;
        }
        self.framed = self.game;
        let turned = self.line.seating().turned;
        if turned == Turned::Half && self.setup.white_sits != Some(Seat::EighthRank) {
            self.rotated(out);
        }
        let (sits, stands) = match (self.setup.white_sits, turned) {
            (Some(Seat::FirstRank), Turned::Half) => ("first", "eighth"),
            (Some(Seat::EighthRank), Turned::No) => ("eighth", "first"),
            _ => return,
        };
        let off =
            self.setup.start_wood().map_or(usize::MAX, |right| self.line.wood().differs_wood(&right).count());
        let array = self.setup.start == Start::Standard && off <= ARRAY_SQUARES_MAX;
        if !array || self.setup.pieces == Pieces::Occupancy {
            return;
        }
        let what = format!(
            "White's array stands along the board's own {stands} rank, and White was to sit at the {sits}: \
             colours reversed, or the board lies the other way round"
        );
        self.found_by_clock(Found::new(RuleId::ColoursReversed, None, Bitboard::EMPTY, what), out);
    }

    /// The board lies turned by half against the players.
    pub(super) fn rotated(&mut self, out: &mut Effects) {
        let what = "the board lies turned by half: its own a1 is the players' h8, and all squares are told \
                    as the players see them";
        self.found_plain(RuleId::SensorRotated, what, out);
    }
}
