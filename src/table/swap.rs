//! Another board at the same table, told by its serial number.
//!
//! A board has a short serial number and, if it is a newer one, a long one; each is compared with
//! what was said in the same form before.

use super::{Effects, Table};
use crate::laws::RuleId;

impl Table {
    /// The board has said who it is.
    pub(super) fn identified(&mut self, serial: &str, out: &mut Effects) {
        let known = self.serials.iter().find(|known| known.len() == serial.len());
        let Some(known) = known.cloned() else {
            self.serials.push(serial.to_owned());
            return;
        };
        if known == serial {
            return;
        }
        // Whatever else was known was said by the other board.
        self.serials = vec![serial.to_owned()];
        self.another_calibration();
        if self.tracker.record().is_empty() || self.tracker.is_over() {
            return;
        }
        self.tracker.board_swapped();
        let what = format!("board {known} was replaced by board {serial} in the middle of the game");
        self.found_plain(RuleId::BoardSwapped, &what, out);
    }
}
