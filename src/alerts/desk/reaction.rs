//! Who takes care of an alert: going there, handing it over, giving it back; that nobody does; what
//! else speaks about it, and a protest against the ruling.

use shakmaty::Color;

use super::{Desk, Kept};
use crate::alerts::alert::{Acknowledged, AlertState, Note, Notify, Protest, Restoring};
use crate::table::Publish;
use crate::tick::{Span, Tick};

/// What is entered about one alert at most.
const NOTES: usize = 16;

impl Desk {
    /// Whose zone the board is in; its open alerts say so too.
    pub fn set_zone(&mut self, zone: Option<String>, at: Tick, out: &mut Vec<Publish>) {
        if self.zone == zone {
            return;
        }
        self.zone.clone_from(&zone);
        for index in 0..self.kept.len() {
            if self.kept[index].is_open() {
                self.kept[index].alert.zone.clone_from(&zone);
                self.publish(index, at, out);
            }
        }
    }

    /// After so long without a reaction an alert is told again, to everybody; zero: never.
    pub fn escalate_after(&mut self, span: Span) {
        self.escalate = span;
    }

    /// When the next alert is escalated, unless somebody reacts.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Tick> {
        self.kept.iter().filter_map(|kept| self.due(kept)).min()
    }

    /// Escalates what is due.
    pub fn fire(&mut self, now: Tick, out: &mut Vec<Publish>) {
        for index in 0..self.kept.len() {
            if self.due(&self.kept[index]).is_some_and(|due| due <= now) {
                self.kept[index].alert.notify = Notify::Escalated;
                self.publish(index, now, out);
            }
        }
    }

    /// When this alert is escalated: it is told, asks for somebody, and nobody has done anything.
    fn due(&self, kept: &Kept) -> Option<Tick> {
        let alert = &kept.alert;
        let waits = kept.is_open()
            && !kept.held
            && alert.notify == Notify::Now
            && alert.acknowledged.is_none()
            && alert.seen_by.is_none();
        kept.waits_since.filter(|_| waits && self.escalate > Span::ZERO).map(|since| since + self.escalate)
    }

    /// Somebody is going to the board: the one who asks, or another.
    pub(super) fn acknowledge(
        &mut self,
        index: usize,
        to: Option<&str>,
        by: &str,
        at: Tick,
        out: &mut Vec<Publish>,
    ) -> Result<String, String> {
        self.is_still_open(index, "nobody has to go")?;
        let goes = to.unwrap_or(by);
        let kept = &mut self.kept[index];
        let before = kept.alert.acknowledged.take().map(|earlier| earlier.by);
        let handed_by = Some(by.to_owned()).filter(|by| by != goes);
        kept.alert.acknowledged = Some(Acknowledged { by: goes.to_owned(), handed_by, at });
        if kept.alert.notify == Notify::Escalated {
            kept.alert.notify = Notify::Now;
        }
        self.publish(index, at, out);
        let id = &self.kept[index].alert.id;
        Ok(match before.filter(|before| before != goes) {
            Some(before) => format!("{id}: {goes} goes, instead of {before}"),
            None => format!("{id}: {goes} goes"),
        })
    }

    /// Nobody is going any more: it waits again, from now on.
    pub(super) fn given_back(
        &mut self,
        index: usize,
        at: Tick,
        out: &mut Vec<Publish>,
    ) -> Result<String, String> {
        self.is_still_open(index, "nobody has to go")?;
        let kept = &mut self.kept[index];
        let id = kept.alert.id.clone();
        let Some(earlier) = kept.alert.acknowledged.take() else {
            return Err(format!("alert \"{id}\" was not acknowledged: it waits for somebody"));
        };
        kept.waits_since = Some(at);
        self.publish(index, at, out);
        Ok(format!("{id}: {} does not go; it waits for somebody", earlier.by))
    }

    /// Something else speaks about it.
    pub(super) fn evidence(
        &mut self,
        index: usize,
        from: &'static str,
        what: &str,
        by: &str,
        at: Tick,
        out: &mut Vec<Publish>,
    ) -> Result<String, String> {
        let alert = &mut self.kept[index].alert;
        if alert.notes.len() == NOTES {
            return Err(format!("alert \"{}\" has {NOTES} notes: no more can be kept with it", alert.id));
        }
        alert.notes.push(Note { from, what: what.to_owned(), by: by.to_owned(), at });
        let said = format!("{}: kept, as note {}", alert.id, alert.notes.len());
        self.publish(index, at, out);
        Ok(said)
    }

    /// A player accepts the ruling under protest.
    pub(super) fn protest(
        &mut self,
        index: usize,
        player: Color,
        what: Option<String>,
        by: &str,
        at: Tick,
        out: &mut Vec<Publish>,
    ) -> Result<String, String> {
        let alert = &mut self.kept[index].alert;
        let id = alert.id.clone();
        let Some(ruling) = &mut alert.ruling else {
            return Err(format!("alert \"{id}\" has no ruling to protest against: rule first"));
        };
        ruling.protest = Some(Protest { player, what, by: by.to_owned(), at });
        self.publish(index, at, out);
        Ok(format!("{id}: {player} accepts the ruling under protest"))
    }

    /// The position of this alert is being restored, stands, or is given up.
    pub fn restoring(&mut self, id: &str, how: Restoring, at: Tick, out: &mut Vec<Publish>) {
        let Ok(index) = self.find(id) else { return };
        if self.kept[index].alert.restoring.replace(how) == Some(how) {
            return;
        }
        if how == Restoring::Restored && self.kept[index].is_open() {
            self.close(index, at, out);
            self.forget();
        } else {
            self.publish(index, at, out);
        }
    }

    fn is_still_open(&self, index: usize, so: &str) -> Result<(), String> {
        let alert = &self.kept[index].alert;
        match alert.state {
            AlertState::Open => Ok(()),
            state => Err(format!("alert \"{}\" is {}: {so}", alert.id, state.word())),
        }
    }
}
