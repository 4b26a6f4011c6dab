//! The times proposed for a position that is restored, and what the clock shows against them.
//!
//! The arbiter judges: to leave both times as they are is a choice that the Laws give (7.1).

use shakmaty::{ByColor, Color};

use crate::events::TimeControl;
use crate::laws::{TimeGift, color_name};
use crate::tick::Dial;

/// A difference up to this is a reading in whole seconds.
const SAME_MS: u32 = 1_500;

/// Both times as proposed, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// White, Black; `None` if the clock was not read.
    pub dials: Option<(Dial, Dial)>,
    /// In words, with the choice to leave them unchanged.
    pub text: String,
}

/// What the clock shows once it was set, or was not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimesNow {
    /// The times proposed.
    AsProposed,
    /// The times at which it was stopped.
    Unchanged,
    /// Others.
    Differ,
}

impl TimesNow {
    /// The words used in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            TimesNow::AsProposed => "as proposed",
            TimesNow::Unchanged => "unchanged",
            TimesNow::Differ => "differ",
        }
    }

    /// Compares both times with those proposed and those at which the clock was stopped.
    #[must_use]
    pub fn of(shown: (Dial, Dial), proposed: Option<(Dial, Dial)>, stopped: Option<(Dial, Dial)>) -> Self {
        let near = |a: Dial, b: Dial| a.ms().abs_diff(b.ms()) <= SAME_MS;
        let same =
            |other: Option<(Dial, Dial)>| other.is_some_and(|o| near(shown.0, o.0) && near(shown.1, o.1));
        if same(proposed) {
            TimesNow::AsProposed
        } else if same(stopped) {
            TimesNow::Unchanged
        } else {
            TimesNow::Differ
        }
    }
}

impl Times {
    /// After an action that a press completed: the increments of the presses that are `undone`, its own
    /// and those of what was played since, are taken back, and time is given if it is upheld. `stopped` is what the clock showed when it was stopped.
    #[must_use]
    pub fn after_action(
        stopped: Option<(Dial, Dial)>,
        undone: ByColor<u32>,
        increment_s: u32,
        gift: Option<TimeGift>,
        ruled: bool,
    ) -> Times {
        let Some((mut white, mut black)) = stopped else {
            return Times { dials: None, text: "the clock was not read: times by judgement".to_owned() };
        };
        let mut parts: Vec<String> = Vec::new();
        for side in Color::ALL {
            let presses = undone[side];
            if presses == 0 || increment_s == 0 {
                continue;
            }
            let dial = side.fold_wb(&mut white, &mut black);
            let back = increment_s.saturating_mul(presses).saturating_mul(1000);
            *dial = Dial::from_ms(dial.ms().saturating_sub(back));
            let what = match presses {
                1 => format!("increment of {increment_s} s"),
                _ => format!("{presses} increments of {increment_s} s"),
            };
            parts.push(format!("{}'s {what} taken back", color_name(side)));
        }
        if let Some(gift) = gift {
            let dial = gift.to.fold_wb(&mut white, &mut black);
            *dial = Dial::from_ms(dial.ms().saturating_add(gift.seconds.saturating_mul(1000)));
            let time = Dial::from_s(gift.seconds).text();
            let if_upheld = if ruled { "" } else { " if upheld" };
            parts.push(format!("{time} added for {}{if_upheld}", color_name(gift.to)));
        }
        if parts.is_empty() {
            parts.push("times by judgement".to_owned());
        }
        Times { dials: Some((white, black)), text: sentence((white, black), &parts.join(", ")) }
    }

    /// The times that the clock showed at an earlier ply.
    #[must_use]
    pub fn recorded(dials: Option<(Dial, Dial)>, ply: u32) -> Times {
        let text = match dials {
            Some(dials) => sentence(dials, &format!("recorded at ply {ply}")),
            None => format!("the clock was not read at ply {ply}: times by judgement"),
        };
        Times { dials, text }
    }
}

impl Times {
    /// The times at the start of a game.
    #[must_use]
    pub fn at_start(control: Option<TimeControl>) -> Times {
        let Some(control) = control else {
            return Times { dials: None, text: "the event's times at the start".to_owned() };
        };
        let first = if control.increment_on_first_move { control.inc_s } else { 0 };
        let dial = Dial::from_s(control.base_s.saturating_add(first));
        Times { dials: Some((dial, dial)), text: sentence((dial, dial), "as at the start") }
    }
}

fn sentence(dials: (Dial, Dial), why: &str) -> String {
    format!("White {}, Black {} ({why}), or left unchanged", dials.0.text(), dials.1.text())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_white() -> ByColor<u32> {
        ByColor { white: 1, black: 0 }
    }

    const STOPPED: Option<(Dial, Dial)> = Some((Dial::from_s(630), Dial::from_s(590)));

    #[test]
    fn the_increment_is_taken_back_and_the_penalty_given() {
        let gift = Some(TimeGift { to: Color::Black, seconds: 120 });
        let times = Times::after_action(STOPPED, of_white(), 30, gift, false);
        assert_eq!(times.dials, Some((Dial::from_s(600), Dial::from_s(710))));
        assert_eq!(
            times.text,
            "White 10:00, Black 11:50 (White's increment of 30 s taken back, 2:00 added for Black if upheld), \
             or left unchanged"
        );
        let ruled = Times::after_action(STOPPED, of_white(), 30, gift, true);
        assert!(!ruled.text.contains("if upheld"), "{}", ruled.text);
    }

    #[test]
    fn without_a_press_or_a_clock_nothing_is_invented() {
        // A reply that is undone with it gives its increment back as well.
        let replied = Times::after_action(STOPPED, ByColor { white: 2, black: 1 }, 30, None, true);
        let less = |dial: Dial, s: u32| Dial::from_ms(dial.ms() - s * 1000);
        assert_eq!(replied.dials, STOPPED.map(|(white, black)| (less(white, 60), less(black, 30))));
        assert!(replied.text.contains("White's 2 increments of 30 s taken back"), "{}", replied.text);
        assert_eq!(Times::after_action(STOPPED, ByColor::default(), 30, None, false).dials, STOPPED);
        assert_eq!(Times::after_action(None, of_white(), 30, None, true).dials, None);
        let low = Some((Dial::from_s(10), Dial::from_s(9)));
        let times = Times::after_action(low, of_white(), 30, None, true);
        assert_eq!(times.dials, Some((Dial::from_s(0), Dial::from_s(9))), "no time is below nothing");
        assert_eq!(Times::recorded(None, 4).dials, None);
        assert!(Times::recorded(STOPPED, 4).text.contains("recorded at ply 4), or left unchanged"));
    }

    #[test]
    fn what_is_shown_is_read_back() {
        let proposed = Some((Dial::from_s(600), Dial::from_s(710)));
        let read = |white, black| TimesNow::of((Dial::from_s(white), Dial::from_s(black)), proposed, STOPPED);
        assert_eq!(read(600, 711), TimesNow::AsProposed);
        assert_eq!(read(630, 590), TimesNow::Unchanged);
        assert_eq!(read(600, 650), TimesNow::Differ);
    }
}
