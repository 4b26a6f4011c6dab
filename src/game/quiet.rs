//! A link that was lost and came back to the same wood, with a clock that nobody has pressed: nothing
//! happened, and everything that was waited for before is waited for again.

use super::tracker::{Now, Press, SETUP, Tracker, Unseen};
use crate::events::Wood;
use crate::timeline::Clock;

/// The board as it was when the link was lost.
#[derive(Debug)]
pub(super) struct Gap {
    wood: Wood,
    /// The clock as it was last read.
    pub(super) clock: Option<Clock>,
    /// A press that was being explained.
    press: Option<Press>,
    /// The set-up was about to be judged.
    set_up: bool,
    /// How far the record was in doubt.
    doubted: u32,
    /// Everything before it is explained.
    alone: bool,
}

impl Tracker {
    pub(super) fn link(&mut self, now: Now<'_>, up: bool) {
        self.dumped_since_link = false;
        if up {
            self.wants_dump = true;
            self.unseen = Some(Unseen { plies: None, tries: 0 });
            self.doubt();
            self.rest_from(now.at);
            return;
        }
        let gap = Gap {
            wood: now.line.wood().clone(),
            clock: now.line.clock(),
            press: self.press.take(),
            set_up: self.setup_at.take().is_some(),
            doubted: self.doubted,
            alone: self.unseen.is_none(),
        };
        self.gap = Some(gap);
        self.judge_at = None;
        self.rest_at = None;
    }

    /// Looks whether nothing happened while the board could not be heard, and then goes on as before.
    pub(super) fn nothing_happened(&mut self, now: Now<'_>) {
        let open = self.unseen.is_some_and(|unseen| unseen.plies.is_none()) && !self.rebuilding;
        if !open || !self.dumped_since_link || !now.line.clock_is_heard() {
            return;
        }
        let same = |gap: &mut Gap| {
            gap.alone && gap.wood == *now.line.wood() && is_untouched(gap.clock, now.line.clock())
        };
        let Some(gap) = self.gap.take_if(same) else { return };
        self.unseen = None;
        self.gap_wood = None;
        self.doubted = gap.doubted;
        if let Some(press) = gap.press {
            self.press = Some(press);
            self.judge_at = Some(now.at + self.lags.waits());
        }
        if gap.set_up {
            self.setup_at = Some(now.at + SETUP);
        }
        self.rest_from(now.at);
    }

    /// The board stands as before the gap. If the clock only ran on meanwhile as well, nobody has
    /// moved, and the record is as good as it was.
    pub(super) fn nothing_missed(&mut self, now: Now<'_>) {
        let clock = now.line.clock().filter(|_| now.line.clock_is_heard());
        if let Some(gap) = self.gap.take_if(|gap| is_untouched(gap.clock, clock)) {
            self.doubted = gap.doubted;
        }
    }
}

/// Whether nobody has pressed between two readings.
fn is_untouched(before: Option<Clock>, after: Option<Clock>) -> bool {
    before.zip(after).is_some_and(|(before, after)| after.ran_on_since(&before) || after.stands_as(&before))
}
