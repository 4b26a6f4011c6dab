//! clock-paused: a player stopped the clock in the middle of a game (FIDE 6.11.2): the arbiter is
//! being called.
//!
//! That it was stopped is certain; what for is not said by any sensor, so what is pending is named.

use shakmaty::Bitboard;

use super::detect::Found;
use super::finding::Severity;
use super::rules::RuleId;

/// The finding; `pending` is what the arbiter is most likely called for, in words.
#[must_use]
pub fn clock_paused(pending: Option<String>) -> Found {
    let severity = if pending.is_some() { Severity::Check } else { Severity::Log };
    let what = match pending {
        Some(pending) => format!("the clock was stopped; pending: {pending}"),
        None => "the clock was stopped; nothing is pending that the board shows".to_owned(),
    };
    Found { severity, ..Found::new(RuleId::ClockPaused, None, Bitboard::EMPTY, what) }
}
