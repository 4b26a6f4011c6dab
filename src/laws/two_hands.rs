//! two-hands: two pieces of one move were handled faster than one hand can (FIDE 7.5.4).
//!
//! Both pieces off the board at once proves nothing: one hand can hold two. What one hand cannot
//! do is take hold at two places within the time that a grasp and the way between them need. The
//! device's resolution is added to the interval, so a slow device never claims it; and sensors do
//! not see hands, so it is never more than possible.
//!
//! A device that has not yet shown how finely it tells moments apart can show one thing all the
//! same, in castling. One hand castles serially (so it was in every capture measured): the king is
//! set down, the hand goes to the rook, at least 105 ms later the rook goes up. A scan delays a
//! report by less than its period, so king and rook then seem to be off the board together for less
//! than 250 - 105 ms at the slowest scan known, and a latency of 100 ms more does not fill that up.
//! Both off for longer is no scan's work; and that they went up at one moment and came down at one
//! moment too is a coincidence twice over for one hand that carries both.

use shakmaty::{Bitboard, Square};

use super::detect::Found;
use super::reason::color_name;
use super::rules::RuleId;
use crate::events::Sensed;
use crate::game::{Explanation, Judgement, Matter, Moment, Move};
use crate::tick::{Span, Tick};
use crate::timeline::Resolution;

/// To let go or to take hold of a piece takes a hand at least so long.
const GRASP_MS: u64 = 90;
/// From one square to the next at the speed of a very quick hand (square 55 mm, 3.6 m/s).
pub(super) const SQUARE_MS: u64 = 15;
/// The slowest scan of all squares that is known.
const SCAN_MAX: Span = Span::from_ms(250);
/// Two reports at one moment.
const AT_ONCE: Span = Span::from_ms(60);
/// A square's side, in millimetres, for the speed told to the arbiter.
pub(super) const SQUARE_MM: u64 = 55;

pub(super) fn detect(judgement: &Judgement) -> Option<Found> {
    let (Moment::Press(side), Matter::Action(Explanation::Legal { m, .. })) =
        (judgement.moment, &judgement.matter)
    else {
        return None;
    };
    let what = match judgement.resolution {
        Resolution::Within(resolution) => lifted_too_fast(judgement, m, resolution)?,
        Resolution::Unknown => castled_at_once(judgement, m)?,
        Resolution::HeldBack => return None,
    };
    let what = format!("{} lifted {what}", color_name(side));
    let squares = Bitboard::from(m.from) | Bitboard::from(m.to);
    Some(Found::new(RuleId::TwoHands, Some(side), squares, what))
}

/// Two pieces were taken hold of faster than one hand gets from one to the other.
fn lifted_too_fast(judgement: &Judgement, m: &Move, resolution: Span) -> Option<String> {
    let (pair, word) = match (m.rook, m.capture) {
        (Some((rook, _)), _) => ([m.from, rook], "king and rook"),
        (None, Some(victim)) => ([m.from, victim], "both pieces"),
        _ => return None,
    };
    let between = apart(lifted(judgement, pair[0])?, lifted(judgement, pair[1])?);
    let squares = u64::from(pair[0].distance(pair[1]));
    if squares < 2 || (between + resolution) > Span::from_ms(GRASP_MS + SQUARE_MS * squares) {
        return None;
    }
    let at_most = (between + resolution).ms().max(1);
    Some(format!(
        "{word} of {} within {} ms (at most {at_most} ms), {squares} squares apart: \
         one hand would need more than {} m/s",
        judgement.before.san(m),
        between.ms(),
        (squares * SQUARE_MM).div_ceil(at_most)
    ))
}

/// King and rook went up at one moment, were both off the board for longer than any scan, and came
/// down at one moment.
fn castled_at_once(judgement: &Judgement, m: &Move) -> Option<String> {
    let (rook, rook_to) = m.rook?;
    let free = |square| judgement.before.board.piece_at(square).is_none();
    // On each other's squares both must be taken up (Chess960).
    if !free(m.to) || !free(rook_to) {
        return None;
    }
    let (king_up, rook_up) = (lifted(judgement, m.from)?, lifted(judgement, rook)?);
    let (king_down, rook_down) = (placed(judgement, m.from, m.to)?, placed(judgement, rook, rook_to)?);
    let (up, down) = (apart(king_up, rook_up), apart(king_down, rook_down));
    let both = king_down.min(rook_down).since(king_up.max(rook_up));
    let squares = m.from.distance(rook);
    (squares >= 2 && up <= AT_ONCE && down <= AT_ONCE && both > SCAN_MAX).then(|| {
        format!(
            "king and rook of {} within {} ms, {squares} squares apart, had both in the air for {} ms \
             and set them down within {} ms",
            judgement.before.san(m),
            up.ms(),
            both.ms(),
            down.ms()
        )
    })
}

fn apart(one: Tick, other: Tick) -> Span {
    one.max(other).since(one.min(other))
}

/// When the piece that stood on `from` was set down on `to` for good.
fn placed(judgement: &Judgement, from: Square, to: Square) -> Option<Tick> {
    let moved = judgement.before.board.piece_at(from)?;
    let own = |seen: Sensed| seen == Sensed::Piece(moved) || seen == Sensed::Something;
    let set = judgement.contacts.iter().rev().find(|c| c.square == to && own(c.now) && !c.in_dump)?;
    Some(set.at)
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
