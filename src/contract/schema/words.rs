//! The words of the contract, as the types that are published have them.
//!
//! Each list names every variant: a new one does not build until it is listed.

use crate::alerts::{AlertState, Notify, Restoring};
use crate::laws::{Certainty, ClaimKind, Holds, May, Severity, TimesNow, Verdict, WindowState};
use crate::mating::CanStillMate;
use crate::table::Stage;

/// The words of all variants; a match without a wildcard is what finds one that is missing.
macro_rules! words {
    ($kind:ident: $($id:ident),+) => {{
        const _: fn($kind) = |one| match one { $($kind::$id => (),)+ };
        &[$($kind::$id.word()),+]
    }};
}

pub(super) const SIDES: &[&str] = &["white", "black"];
pub(super) const RESULTS: &[&str] = &["1-0", "0-1", "1/2-1/2"];
/// Results that an arbiter can enter: also that both have lost.
pub(super) const SCORES: &[&str] = &["1-0", "0-1", "1/2-1/2", "0-0"];
pub(super) const SIGNALS: &[&str] = &["pending", "1-0", "0-1", "1/2-1/2"];
pub(super) const ALERT_STATES: &[&str] = words!(AlertState: Open, Closed, Withdrawn);
pub(super) const NOTIFY: &[&str] = words!(Notify: Now, Silent, AfterWindow, Escalated);
pub(super) const RESTORING: &[&str] = words!(Restoring: Asked, Restored, Abandoned);
pub(super) const SEVERITIES: &[&str] = words!(Severity: Operator, Log, Check, Act);
pub(super) const CERTAINTIES: &[&str] = words!(Certainty: Possible, Probable, Certain);
pub(super) const MAY: &[&str] = words!(May: StepIn, IfSeenOrClaimed, KeepOut, WaitOneMove, Nothing);
pub(super) const WINDOWS: &[&str] = words!(WindowState: Open, ReplyOnBoard, Claimed, Closed);
pub(super) const MATING: &[&str] = words!(CanStillMate: Yes, No, NotProven);
pub(super) const STAGES: &[&str] = words!(Stage: Travelling, Standing, Resumed, Abandoned);
pub(super) const TIMES_NOW: &[&str] = words!(TimesNow: AsProposed, Unchanged, Differ);
pub(super) const CLAIMS: &[&str] = words!(ClaimKind: Threefold, Fifty, TouchMove, IllegalMove, Flag);
pub(super) const VERDICTS: &[&str] = words!(Verdict: Proven, NotShown, Refuted, Gap);
pub(super) const HOLDS: &[&str] = words!(Holds: All, Some, None, Unknown);
/// Rulings, and what ends an alert without one.
pub(super) const RULINGS: &[&str] = &["upheld", "dismissed", "stands", "noted", "agreed-correction"];
/// What an arbiter gives, where it is not what was proposed.
pub(super) const PENALTIES: &[&str] = &["none", "warning", "time", "loss", "draw"];
/// Where a note on an alert comes from.
pub(super) const SOURCES: &[&str] = &["arbiter", "scoresheet", "witness", "video"];
/// What people have said of the public feed.
pub(super) const FEEDS: &[&str] = &["held", "released"];
/// The parts of an alert's head, in their order.
pub(super) const PARTS: &[&str] = &["table", "colour", "may", "what", "consequence", "certainty"];
/// What rule sets are for.
pub(super) const FORMATS: &[&str] = &["standard", "rapid", "blitz", "hybrid", "regular"];
/// Why a board is not watched.
pub(super) const NOT_WATCHED: &[&str] = &["link", "position", "clock"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alerts::{Decision, Outcome};
    use crate::laws::RuleSet;

    #[test]
    fn words_that_are_no_type_of_their_own_are_those_in_use() {
        let mut formats: Vec<&str> = RuleSet::ALL.iter().map(|set| set.format).collect();
        formats.sort_unstable();
        formats.dedup();
        let mut listed = FORMATS.to_vec();
        listed.sort_unstable();
        assert_eq!(listed, formats);
        let ruled = Decision::ALL.map(Outcome::Ruled);
        let rulings: Vec<&str> =
            ruled.into_iter().chain([Outcome::AgreedCorrection]).map(Outcome::word).collect();
        assert_eq!(RULINGS, rulings);
    }
}
