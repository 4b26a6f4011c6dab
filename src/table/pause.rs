//! A player stops the clock: what the arbiter is probably being called for.

use super::{Effects, Table, count};
use crate::laws::clock_paused;
use crate::timeline::Happening;

impl Table {
    /// The clock was stopped.
    pub(super) fn paused(&mut self, out: &mut Effects) {
        let now = self.now;
        self.desks(out, |desk, out| desk.clock_stopped(now, out));
        // A clock stopped as the game ends calls nobody, and one that stands already was told.
        // Nor does an arbiter's who is there already.
        if self.is_restoring()
            || self.tracker.is_over()
            || self.tracker.record().is_empty()
            || self.clock.is_stopped()
        {
            return;
        }
        let found = clock_paused(self.pending());
        self.pause = Some(self.found_by_clock(found, out));
    }

    /// The clock runs again: whoever was called has come.
    pub(super) fn resumed(&mut self, happening: &Happening, out: &mut Effects) {
        if matches!(happening, Happening::Started(_) | Happening::Pressed(_))
            && let Some(id) = self.pause.take()
        {
            let now = self.now;
            self.desks(out, |desk, out| desk.closed(&id, now, out));
        }
    }

    /// What is pending, the likeliest first: an open alert, then a draw that can be claimed.
    fn pending(&self) -> Option<String> {
        let open = self.desk.open().filter(|a| a.asks()).last();
        if let Some(alert) = open {
            return Some(alert.primary().what.clone());
        }
        let plies = count(self.tracker.record().len());
        let (_, code) = self.claimable.filter(|(ply, _)| *ply == plies)?;
        Some(format!("a draw that can be claimed: {}", code.name()))
    }
}
