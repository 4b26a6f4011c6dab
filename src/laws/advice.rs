//! Advice: what the Laws propose for a finding. The arbiter decides.

use shakmaty::{Color, Square};

use super::finding::Finding;
use super::ruleset::RuleSet;
use crate::table::CanStillMate;

/// What an arbiter may do on seeing this alert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum May {
    /// The arbiter steps in on his own.
    StepIn,
    /// Only if he saw the action himself, or the opponent claims.
    IfSeenOrClaimed,
    /// It stands; keep out unless both players ask together.
    KeepOut,
    /// Wait until the next move is completed (A.5.4).
    WaitOneMove,
    /// Nothing to do; for the record.
    Nothing,
}

/// What to put back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restore {
    /// The position to restore, as a FEN.
    pub fen: String,
    /// Its ply.
    pub ply: u32,
    /// The squares to touch, with the letter to put there (`None`: clear it).
    pub squares: Vec<(Square, Option<char>)>,
}

/// Time to give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeGift {
    /// To whom.
    pub to: Color,
    /// Seconds.
    pub seconds: u32,
}

/// What the Laws propose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// May I act?
    pub may: May,
    /// The article in the edition of the event, if one applies.
    pub article: Option<&'static str>,
    /// What to put back, if anything.
    pub restore: Option<Restore>,
    /// Time to give if upheld.
    pub time: Option<TimeGift>,
    /// Which offence of this player it would be if upheld: 1 or 2; `None` if it does not count.
    pub offence: Option<u32>,
    /// For a second offence: whether the opponent can still mate.
    pub can_mate: Option<CanStillMate>,
    /// The consequence, one line: "first: +2:00 to Black".
    pub consequence: String,
    /// Until when the claim is open, in words; `None` where there is no window.
    pub window: Option<&'static str>,
}

/// What the Laws propose for `finding` under `rules`, given upheld offences before it.
#[must_use]
pub fn advise(_finding: &Finding, _rules: &RuleSet, _earlier: u32) -> Advice {
    Advice {
        may: May::Nothing,
        article: None,
        restore: None,
        time: None,
        offence: None,
        can_mate: None,
        consequence: String::new(),
        window: None,
    }
}
