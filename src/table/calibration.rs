//! The times of the board as it has shown them: taken over from an earlier journal, told when they
//! change what is done, forgotten with the board.

use shakmaty::Piece;

use super::{Effects, Publish, Table};
use crate::events::{Calibration, Resolution, Sensed};
use crate::game::{Judgement, Moment};
use crate::laws::{Found, RuleId, Unordered};
use crate::timeline::Lags;

/// A wait that changes by less is not told.
const MATERIAL_MS: u64 = 50;

impl Table {
    /// What the board has shown of its times, for the first setting of its next journal; `None` as
    /// long as it has shown nothing.
    #[must_use]
    pub fn calibration(&self) -> Option<Calibration> {
        let now = self.measured();
        let shown = now.lag.presses > 0 || now.clock_period.is_some();
        shown.then_some(now)
    }

    fn measured(&self) -> Calibration {
        Calibration { serials: self.serials.clone(), ..self.line.calibration(self.tracker.lags()) }
    }

    /// Begins with what the board has shown in an earlier journal.
    pub(super) fn calibrate(&mut self, earlier: Calibration) {
        self.tracker.calibrate(Lags::after(&earlier));
        if self.serials.is_empty() {
            self.serials.clone_from(&earlier.serials);
        }
        self.calibration = earlier.clone();
        self.line.calibrate(earlier);
    }

    /// Another board is at the table: what the last one has shown says nothing of it.
    pub(super) fn another_calibration(&mut self) {
        self.tracker.calibrate(Lags::default());
        self.line.another_board();
    }

    /// After a ply and at the end of a game: what is journalled when it has changed what is done.
    pub(super) fn recalibrated(&mut self, out: &mut Effects) {
        let over = self.tracker.is_over();
        let ended = !std::mem::replace(&mut self.was_over, over) && over;
        let now = self.measured();
        if is_material(&self.calibration, &now) || ended && now != self.calibration {
            self.calibration = now.clone();
            out.publish.push(Publish::Calibration(Box::new(now)));
        }
    }
}

/// Whether it changes what is waited for or what two hands are told by.
fn is_material(before: &Calibration, now: &Calibration) -> bool {
    let scan = match (before.scan, now.scan) {
        (Resolution::Within(was), Resolution::Within(is)) => was.us().abs_diff(is.us()) * 4 > was.us(),
        (was, is) => was != is,
    };
    scan || before.waits.ms().abs_diff(now.waits.ms()) >= MATERIAL_MS
        || before.clock_period.is_some() != now.clock_period.is_some()
}

/// Which of press and landing came first is not known: they were told closer together than this
/// board tells them apart. `None` where that is no question.
pub(super) fn order(judgement: &Judgement, found: &Found) -> Option<Unordered> {
    let (Moment::Press(side), Some(pressed)) = (judgement.moment, judgement.pressed_at) else { return None };
    let own = |seen: Sensed| match seen {
        Sensed::Piece(Piece { color, .. }) => color == side,
        Sensed::Something => true,
        Sensed::Empty => false,
    };
    let landed = judgement.contacts.iter().rev().find(|c| {
        let moved =
            judgement.before.board.piece_at(c.square).is_none_or(|piece| Sensed::Piece(piece) != c.now);
        own(c.now) && moved && !c.in_dump && judgement.wood.at(c.square) == c.now
    })?;
    let (press_first, within) = match pressed < landed.at {
        true => (true, judgement.press_blur),
        // Only there does it matter that the press is told late.
        false if found.code == RuleId::OtherHandPress => (false, judgement.press_resolution?),
        false => return None,
    };
    let apart = if press_first { landed.at.since(pressed) } else { pressed.since(landed.at) };
    (apart <= within).then_some(Unordered { press_first, apart, within })
}
