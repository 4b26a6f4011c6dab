//! Windows: until when something can be claimed, as the evidence of the reply hardens, and the wait
//! for one completed move while an illegal position is on the board (FIDE A.5.4).

use shakmaty::Color;

use super::{Desk, Kept};
use crate::alerts::alert::Notify;
use crate::laws::{May, Replied, RuleId, Wait, WindowState};
use crate::table::Publish;
use crate::tick::Tick;

impl Desk {
    /// Whether somebody's reply would change an open alert.
    #[must_use]
    pub fn awaits_reply(&self) -> bool {
        self.kept.iter().any(waits_for_reply)
    }

    /// A reply of `by` is on the board, and not completed; `None`: none is, or no longer.
    pub fn reply_shown(&mut self, by: Option<Color>, at: Tick, out: &mut Vec<Publish>) {
        for index in 0..self.kept.len() {
            let kept = &mut self.kept[index];
            if !waits_for_reply(kept) {
                continue;
            }
            let answers = by.is_some() && kept.alert.primary().side == by.map(Color::other);
            kept.now.replied = if answers { Replied::OnBoard } else { Replied::No };
            self.revise(index, at, out);
        }
    }

    /// `by` has made (released) a move: what could be claimed against the other player only until
    /// then stands.
    pub fn reply_made(&mut self, by: Color, at: Tick, out: &mut Vec<Publish>) {
        for index in 0..self.kept.len() {
            let kept = &mut self.kept[index];
            if !waits_for_reply(kept) || kept.alert.primary().side != Some(by.other()) {
                continue;
            }
            kept.now.replied = Replied::Made;
            // What is asked is asked no more.
            if self.advise_again(index) {
                if !self.kept[index].alert.advice.window_open() {
                    self.release(index, Notify::AfterWindow);
                }
                self.publish(index, at, out);
            }
        }
    }

    /// A move has been completed; `illegal`: an illegal position is on the board after it.
    pub fn completed(&mut self, illegal: bool, at: Tick, out: &mut Vec<Publish>) {
        for index in 0..self.kept.len() {
            let kept = &mut self.kept[index];
            if !kept.is_open() || kept.now.wait != Wait::Begun {
                continue;
            }
            if illegal {
                kept.now.wait = Wait::StillThere;
                self.revise(index, at, out);
            } else {
                self.close(index, at, out);
            }
        }
        self.forget();
    }

    /// A player has stopped the clock: silent alerts that can still be claimed are now announced;
    /// if there are none, the newest silent one, so that a late claim finds its answer.
    pub fn clock_stopped(&mut self, at: Tick, out: &mut Vec<Publish>) {
        let silent = |kept: &Kept| kept.is_open() && kept.alert.notify == Notify::Silent;
        let mut tell: Vec<usize> = (0..self.kept.len())
            .filter(|index| silent(&self.kept[*index]) && self.kept[*index].alert.advice.window_open())
            .collect();
        if tell.is_empty() {
            tell.extend(self.kept.iter().rposition(silent));
        }
        for index in tell {
            self.announce(index);
            self.publish(index, at, out);
        }
    }

    /// `by` claims something against the other player: what of `fits` still waits for a claim has one,
    /// and is announced. The ids of these alerts.
    pub fn claimed(
        &mut self,
        by: Color,
        fits: impl Fn(RuleId) -> bool,
        at: Tick,
        out: &mut Vec<Publish>,
    ) -> Vec<String> {
        let mut ids = Vec::new();
        for index in 0..self.kept.len() {
            let kept = &mut self.kept[index];
            let open = kept.alert.advice.window_open() && fits(kept.alert.primary().code);
            if !kept.is_open() || !open || kept.alert.primary().side != Some(by.other()) {
                continue;
            }
            kept.now.claimed = true;
            ids.push(kept.alert.id.clone());
            self.announce(index);
            self.advise_again(index);
            self.publish(index, at, out);
        }
        ids
    }

    /// From now on people are shown this alert, as something that asks for them now.
    pub(super) fn announce(&mut self, index: usize) {
        let kept = &mut self.kept[index];
        kept.held = false;
        kept.alert.notify = Notify::Now;
    }

    /// An alert that was kept back is kept back no longer.
    pub(super) fn release(&mut self, index: usize, how: Notify) {
        let kept = &mut self.kept[index];
        if std::mem::take(&mut kept.held) {
            kept.alert.notify = how;
        }
    }
}

fn waits_for_reply(kept: &Kept) -> bool {
    let advice = &kept.alert.advice;
    let open = match advice.window.map(|window| window.state) {
        Some(WindowState::Open | WindowState::ReplyOnBoard) => true,
        // Closed for the opponent, and not for an arbiter who saw it, until a move has been made.
        Some(WindowState::Closed) => advice.may != May::KeepOut,
        Some(WindowState::Claimed) | None => false,
    };
    kept.is_open() && open
}
