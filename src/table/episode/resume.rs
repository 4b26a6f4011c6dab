//! The clock is started or pressed while pieces travel: does play go on, and from where?

use shakmaty::Color;

use super::{Stage, Times, Wanted};
use crate::alerts::Restoring;
use crate::game::Now;
use crate::laws::{Homes, Which};
use crate::table::{Effects, Table};
use crate::timeline::Happening;

/// So few squares may be wrong where the position wanted is taken to stand: one bad sensor must not
/// hide it.
const OFF_MAX: usize = 2;

impl Table {
    /// What the game stage hears of a happening; nothing while only the arbiter's hands are at work.
    pub(in crate::table) fn steered(
        &mut self,
        happening: &Happening,
        out: &mut Effects,
    ) -> Option<Happening> {
        let stage = self.episode.as_ref().map(|episode| episode.stage);
        match (stage, happening) {
            (Some(Stage::Travelling), Happening::Pressed(side)) => self.pressed_meanwhile(*side, out),
            (Some(Stage::Travelling), Happening::Started(side)) => self.started_meanwhile(*side, out),
            (Some(Stage::Standing), Happening::Started(side)) => {
                self.put_back_further(*side, out);
                Some(happening.clone())
            }
            // The other side's time is set running by its lever: nobody claims to have moved.
            (Some(Stage::Standing), Happening::Pressed(side)) if self.is_untouched(side.other()) => {
                Some(Happening::Started(side.other()))
            }
            _ => Some(happening.clone()),
        }
    }

    fn pressed_meanwhile(&mut self, side: Color, out: &mut Effects) -> Option<Happening> {
        let target = self.target_keep()?;
        let len = self.tracker.record().len();
        let now = Now { at: self.now, line: &self.line };
        let earlier = (0..target).rev();
        for keep in std::iter::once(target).filter(|_| self.is_target_recorded()).chain(earlier) {
            if self.tracker.shows(now, keep, side.other(), keep == len) {
                self.take(keep, out);
                return Some(Happening::Started(side.other()));
            }
            if self.tracker.shows_move(now, keep, side, keep == len) {
                self.take(keep, out);
                return Some(Happening::Pressed(side));
            }
        }
        let legal = self.tracker.shows_move(now, len, side, false);
        // Nobody came to the board: whatever the move is, it was played from the end of the record.
        if (legal || self.is_played_on(side)) && !self.is_on_its_way() {
            self.tracker.release(now);
            if !legal {
                // Somebody may have helped all the same: people have to look.
                self.tracker.doubt();
            }
            self.abandon(out);
            return Some(Happening::Pressed(side));
        }
        self.tracker.clock_runs_while_held();
        let episode = self.episode.as_mut()?;
        let left = episode.movements.len();
        match episode.pressed.replace((side, left)) {
            // Both have pressed and nothing was put back between: they play.
            Some((other, before)) if other != side && left >= before => {
                self.tracker.release_unseen(now);
                self.abandon(out);
                Some(Happening::Pressed(side))
            }
            _ => None,
        }
    }

    fn started_meanwhile(&mut self, side: Color, out: &mut Effects) -> Option<Happening> {
        let target = self.target_keep()?;
        let len = self.tracker.record().len();
        let now = Now { at: self.now, line: &self.line };
        let begun = Some(Happening::Started(side));
        let stands = self.tracker.shows(now, target, side, target == len) || self.is_near(target, side);
        if stands && self.is_target_recorded() {
            self.take(target, out);
            return begun;
        }
        if target > 0 && self.tracker.shows(now, 0, side, true) {
            // The array, and nobody asked for it: another game.
            self.tracker.release(now);
            self.abandon(out);
            return begun;
        }
        let unchanged = self.tracker.shows(now, len, side, false);
        if unchanged || self.tracker.shows_move(now, len, side.other(), false) && !self.is_on_its_way() {
            self.tracker.release(now);
            self.abandon(out);
            return begun;
        }
        if let Some(keep) = (0..len).rev().find(|keep| self.tracker.shows(now, *keep, side, false)) {
            self.take(keep, out);
            return begun;
        }
        self.tracker.clock_runs_while_held();
        None
    }

    /// The position at the end of the record stands, with `side` to move, who has not begun.
    fn is_untouched(&self, side: Color) -> bool {
        let now = Now { at: self.now, line: &self.line };
        self.tracker.shows(now, self.tracker.record().len(), side, false)
    }

    /// The position wanted stood, and then an earlier one was set up.
    fn put_back_further(&mut self, side: Color, out: &mut Effects) {
        let len = self.tracker.record().len();
        let now = Now { at: self.now, line: &self.line };
        let played = self.tracker.shows(now, len, side, false)
            || self.tracker.shows_move(now, len, side.other(), false);
        let earlier = (1..len).rev().find(|keep| self.tracker.shows(now, *keep, side, false));
        if let Some(keep) = earlier.filter(|_| !played) {
            self.take(keep, out);
        }
    }

    /// The ply of the position wanted, within the record.
    fn target_keep(&self) -> Option<usize> {
        let ply = self.episode.as_ref()?.order.wanted.ply;
        Some(usize::try_from(ply).unwrap_or(usize::MAX).min(self.tracker.record().len()))
    }

    fn is_target_recorded(&self) -> bool {
        self.episode.as_ref().is_some_and(|episode| episode.recorded)
    }

    /// The clock never stood still, nothing has been put back, and the player on move presses: a move,
    /// legal or not, has been made.
    fn is_played_on(&self, side: Color) -> bool {
        let Some(episode) = &self.episode else { return false };
        !episode.clock_stood
            && episode.movements.len() == episode.total
            && side == self.tracker.record().end().turn
    }

    /// All that differs from the end of the record is as the position wanted has it.
    fn is_on_its_way(&self) -> bool {
        let Some(episode) = &self.episode else { return false };
        let wood = self.line.wood();
        let off = wood.differs(&self.tracker.record().end().board);
        (off & wood.differs(&episode.target().board)).is_empty()
    }

    /// The position wanted stands but for a square or two, and nearer than the record's own.
    fn is_near(&self, keep: usize, side: Color) -> bool {
        let (wood, record) = (self.line.wood(), self.tracker.record());
        let off = wood.differs(&record.at(keep).board).count();
        let here = wood.differs(&record.end().board).count();
        record.at(keep).turn == side && off <= OFF_MAX && off < here
    }

    /// Play goes on from the position after `keep` plies.
    fn take(&mut self, keep: usize, out: &mut Effects) {
        let Some(episode) = &mut self.episode else { return };
        episode.stage = Stage::Standing;
        let alert = episode.order.alert.clone();
        let ply = u32::try_from(keep).unwrap_or(u32::MAX);
        let how = if episode.order.wanted.ply == ply { Restoring::Restored } else { Restoring::Abandoned };
        if episode.order.wanted.ply != ply
            && let Ok(wanted) = Wanted::of(self.tracker.record(), Which::Ply(ply))
        {
            episode.instead_of = Some(episode.order.wanted.ply);
            // Another position: what was proposed for the one wanted is not for this one.
            episode.order.basis = super::Basis::Known(Times::recorded(wanted.dials, ply));
            episode.order.wanted = wanted;
            episode.order.duty = None;
            episode.homes = Homes::default();
            episode.look(self.line.wood());
        }
        self.about_restoring(alert.as_deref(), how, out);
        self.cut_back(keep, None, out);
    }

    /// The game went on from another position.
    pub(in crate::table) fn abandon(&mut self, out: &mut Effects) {
        let Some(episode) = &mut self.episode else { return };
        episode.stage = Stage::Abandoned;
        let alert = episode.order.alert.clone();
        self.about_restoring(alert.as_deref(), Restoring::Abandoned, out);
    }

    /// A result is shown while pieces travel: nothing is restored any more; says whether that is so.
    pub(in crate::table) fn ended_meanwhile(&mut self, out: &mut Effects) -> bool {
        let travelling = self.episode.as_ref().is_some_and(|e| e.stage == Stage::Travelling);
        if !travelling || !self.tracker.is_over() {
            return false;
        }
        self.tracker.release(Now { at: self.now, line: &self.line });
        self.abandon(out);
        true
    }
}
