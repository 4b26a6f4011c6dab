//! other-hand-press: the clock was pressed so close to the moment in which the piece was set down
//! that the same hand cannot have done both (FIDE 6.2.3; no illegal move, a matter of 12.9).
//!
//! The hand is not seen: possible, and for the record only. Squares and clock come on two paths, so
//! the scan of the board and the unevenness of the clock's readings, as this board has shown them,
//! are added to the interval; a board that is slower than a hand claims nothing. On which side the
//! clock stands is not known: the nearer edge counts.

use shakmaty::{Bitboard, Square};

use super::detect::Found;
use super::reason::color_name;
use super::rules::RuleId;
use super::two_hands::{SQUARE_MM, SQUARE_MS};
use crate::game::{Explanation, Judgement, Matter, Moment};
use crate::tick::Span;

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
    let (Moment::Press(side), Matter::Action(Explanation::Legal { m, displaced })) =
        (judgement.moment, &judgement.matter)
    else {
        return None;
    };
    let (pressed, blur) = (judgement.pressed_at?, judgement.press_resolution?);
    let part = Bitboard::from(m.to) | m.rook.map_or(Bitboard::EMPTY, |(_, to)| Bitboard::from(to));
    let mut placed = judgement.contacts.iter().rev().filter(|c| part.contains(c.square));
    let landed = placed.find(|c| c.now.is_occupied())?;
    if landed.in_dump || displaced.any() {
        return None;
    }
    let before = pressed < landed.at;
    let apart = if before { landed.at.since(pressed) } else { pressed.since(landed.at) };
    let (halves, at_most) = (half_squares(landed.square), apart + blur);
    if at_most >= Span::from_ms(SQUARE_MS * halves / 2) {
        return None;
    }
    let what = format!(
        "{} pressed {} ms {} {} was set down on {} (at most {} ms apart): one hand would need more than {} m/s to the clock",
        color_name(side),
        apart.ms(),
        if before { "before" } else { "after" },
        judgement.before.san(m),
        landed.square,
        at_most.ms(),
        (halves * SQUARE_MM / 2).div_ceil(at_most.ms().max(1))
    );
    Some(Found::new(RuleId::OtherHandPress, Some(side), Bitboard::from(landed.square), what))
}

/// From a square to a lever beside the board, at least, in half squares: to the nearer edge, and
/// over the border.
fn half_squares(square: Square) -> u64 {
    let file = u64::from(u32::from(square.file()));
    2 * file.min(7 - file) + 3
}
