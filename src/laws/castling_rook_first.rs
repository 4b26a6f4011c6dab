//! castling-rook-first: the rook was lifted before the king (FIDE 4.4.2 speaks of touching).
//!
//! Lift order is a fact; intent is the arbiter's matter. In Chess960 the rook may go first.

use super::detect::Found;
use super::reason::color_name;
use super::rules::RuleId;
use crate::events::Sensed;
use crate::game::{Explanation, Judgement, Matter, Moment};
use crate::tick::{Span, Tick};

/// No device needs longer to look at all its squares.
const SCAN_MAX: Span = Span::from_ms(250);

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
    let (Moment::Press(side), Matter::Action(Explanation::Legal { m, .. })) =
        (judgement.moment, &judgement.matter)
    else {
        return None;
    };
    let (rook, _) = m.rook?;
    let lifted = |square| -> Option<Tick> {
        let mut lifts =
            judgement.contacts.iter().filter(|c| c.square == square && c.now == Sensed::Empty && !c.in_dump);
        lifts.next().map(|c| c.at)
    };
    let (first, second) = (lifted(rook)?, lifted(m.from)?);
    // Reported in one scan: the order is not known.
    if first >= second
        || second.since(first) <= judgement.resolution.known().unwrap_or(Span::from_ms(20)).min(SCAN_MAX)
    {
        return None;
    }
    // An adjusted rook that was put back before the king went up is no castling with the rook first.
    let back = judgement
        .contacts
        .iter()
        .any(|c| c.square == rook && c.at > first && c.at < second && c.now.is_occupied());
    if back || judgement.chess960 {
        return None;
    }
    let what = format!(
        "{} castled {} and lifted the rook before the king",
        color_name(side),
        judgement.before.san(m)
    );
    Some(Found::new(RuleId::CastlingRookFirst, Some(side), m.changed(), what))
}
