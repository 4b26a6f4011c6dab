//! How much a table remembers: each kind of thing is bounded, however long a board is watched.

use super::Table;
use crate::game::STORIES_MAX;
use crate::timeline::{CONTACTS_MAX, PRESSES_MAX};

impl Table {
    /// What is remembered, how many of it, and how many at most; `None` where the game itself is the
    /// bound: its plies, and what is kept once a ply.
    #[must_use]
    pub fn holds(&self) -> Vec<(&'static str, usize, Option<usize>)> {
        let alerts = self.desk.holds().max(self.shadow_desk.holds());
        vec![
            ("plies", self.tracker.record().len(), None),
            ("findings numbered", self.ordinals.len(), None),
            ("stories", self.tracker.stories().iter().count(), Some(STORIES_MAX)),
            ("presses", self.tracker.lags().len(), Some(PRESSES_MAX)),
            ("contacts", self.line.contacts_since(crate::tick::Tick::ZERO).count(), Some(CONTACTS_MAX)),
            ("standing differences", self.tracker.standing().list().len(), Some(64)),
            ("alerts", alerts, Some(crate::alerts::ALERTS_MAX)),
            ("answers", self.answers.len(), Some(crate::alerts::ANSWERS)),
            ("findings noted", self.noted.len(), Some(super::claim::NOTED_MAX)),
            ("silences of the link", self.unheard.len(), None),
            ("inputs", self.inputs.len(), Some(super::INPUTS_MAX)),
            ("findings hidden", self.hidden.len(), Some(super::shadow::HIDDEN_MAX)),
            ("judgements", self.judged.len(), Some(super::news::JUDGED_MAX)),
            ("questions", self.asked.len(), Some(super::mating::ASKED_MAX)),
        ]
    }
}
