//! two-hands: two pieces of one move were handled faster than one hand can (FIDE 7.5.4).
//!
//! Both pieces off the board at once proves nothing: one hand can hold two. What one hand cannot
//! do is take hold at two places within the time that a grasp and the way between them need. The
//! device's resolution is added to the interval, so a slow device never claims it; and sensors do
//! not see hands, so it is never more than possible.

use shakmaty::{Bitboard, Square};

use super::detect::Found;
use super::reason::color_name;
use super::rules::RuleId;
use crate::events::Sensed;
use crate::game::{Explanation, Judgement, Matter, Moment};
use crate::tick::{Span, Tick};

/// To let go or to take hold of a piece takes a hand at least so long.
const GRASP_MS: u64 = 90;
/// From one square to the next at the speed of a very quick hand (square 55 mm, 3.6 m/s).
pub(super) const SQUARE_MS: u64 = 15;
/// A square's side, in millimetres, for the speed told to the arbiter.
pub(super) const SQUARE_MM: u64 = 55;

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
    let (Moment::Press(side), Matter::Action(Explanation::Legal { m, .. })) =
        (judgement.moment, &judgement.matter)
    else {
        return None;
    };
    let resolution = judgement.resolution?;
    let (pair, word) = match (m.rook, m.capture) {
        (Some((rook, _)), _) => ([m.from, rook], "king and rook"),
        (None, Some(victim)) => ([m.from, victim], "both pieces"),
        _ => return None,
    };
    let (first, second) = (lifted(judgement, pair[0])?, lifted(judgement, pair[1])?);
    let between = first.max(second).since(first.min(second));
    let apart = u64::from(pair[0].distance(pair[1]));
    if apart < 2 || (between + resolution) > Span::from_ms(GRASP_MS + SQUARE_MS * apart) {
        return None;
    }
    let at_most = (between + resolution).ms().max(1);
    let what = format!(
        "{} lifted {word} of {} within {} ms (at most {at_most} ms), {apart} squares apart: \
         one hand would need more than {} m/s",
        color_name(side),
        judgement.before.san(m),
        between.ms(),
        (apart * SQUARE_MM).div_ceil(at_most)
    );
    let squares = Bitboard::from(m.from) | Bitboard::from(m.to);
    Some(Found::new(RuleId::TwoHands, Some(side), squares, what))
}

/// When the piece that the move took from `square` was lifted for good.
fn lifted(judgement: &Judgement, square: Square) -> Option<Tick> {
    let stood = judgement.before.board.piece_at(square)?;
    let own = |seen: Sensed| seen == Sensed::Piece(stood) || seen == Sensed::Something;
    let lift = judgement
        .contacts
        .iter()
        .rev()
        .find(|c| c.square == square && own(c.was) && c.now == Sensed::Empty && !c.in_dump)?;
    Some(lift.at)
}
