//! What the public sees and when: `[broadcast]`, and `[records]` where games are written.

use std::path::Path;

use super::{Section, Walk};
use crate::contract::Delay;
use crate::daemon::config::Records;
use crate::events::TopicPart;
use crate::tick::Span;

/// A day; nobody means more.
const MINUTES_MAX: u32 = 24 * 60;
/// More moves than a game has.
const MOVES_MAX: u32 = 500;

impl Walk<'_> {
    pub(super) fn delay(&mut self, section: &Section<'_>) -> Delay {
        let minutes = self.number(section, "delay_minutes", 0, MINUTES_MAX).map_or(0, |found| found.value);
        let moves = self.number(section, "delay_moves", 0, MOVES_MAX).map_or(0, |found| found.value);
        // A move is one of each player.
        Delay { time: Span::from_ms(u64::from(minutes) * 60_000), plies: 2 * moves, held: false }
    }

    pub(super) fn records(
        &mut self,
        section: &Section<'_>,
        event: Option<&TopicPart>,
        journal_dir: &Path,
    ) -> Records {
        let mut text = |key: &str| self.text(section, key).map(|found| found.value);
        let (event_tag, site, round) = (text("event"), text("site"), text("round"));
        let dir = self.text(section, "dir");
        if let Some(dir) = dir.as_ref().filter(|dir| dir.value.is_empty()) {
            let hint = "the path of a directory, or leave dir out".to_owned();
            self.wrong(&dir.at, "dir is empty", hint);
        }
        let journals = event.map_or(journal_dir.to_owned(), |name| journal_dir.join(name.as_str()));
        let dir = dir.map_or_else(|| journals.join("records"), |dir| self.home.join(dir.value));
        let named = || event.map_or_else(|| "?".to_owned(), |name| name.as_str().to_owned());
        let or_unknown = |text: Option<String>| text.unwrap_or_else(|| "?".to_owned());
        Records {
            dir,
            event: event_tag.unwrap_or_else(named),
            site: or_unknown(site),
            round: or_unknown(round),
        }
    }
}
