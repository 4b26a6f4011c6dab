//! The JSON Lines that `jadoube replay --output jsonl` prints.

use crate::table::Publish;

/// The line for one publication; `None` if replay does not print it.
#[must_use]
pub fn replay_line(_publish: &Publish) -> Option<String> {
    None
}
