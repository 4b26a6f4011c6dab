//! The sentences of advice, in an arbiter's words.

use shakmaty::Color;

use super::{Advice, ClaimWindow, May, Replacement, TimeGift, WindowState};
use crate::laws::case::Score;
use crate::laws::reason::color_name;
use crate::laws::restoring::HandMove;
use crate::mating::CanStillMate;

/// The window of a claim that the opponent's next move closes.
pub(super) const UNTIL_REPLY: ClaimWindow =
    ClaimWindow { state: WindowState::Open, text: "claimable until the reply is released" };
/// The same, with the reply on the board.
pub(super) const REPLY_ON_BOARD: ClaimWindow = ClaimWindow {
    state: WindowState::ReplyOnBoard,
    text: "the reply is on the board: claimable only if it has not been released",
};
/// The same, used.
pub(super) const CLAIMED: ClaimWindow = ClaimWindow { state: WindowState::Claimed, text: "claimed in time" };
/// The same, closed.
pub(super) const REPLY_MADE: ClaimWindow =
    ClaimWindow { state: WindowState::Closed, text: "closed: the reply has been made" };
/// The window of a claim about Article 4.
pub(super) const UNTIL_TOUCH: ClaimWindow =
    ClaimWindow { state: WindowState::Open, text: "claimable until the opponent touches a piece" };
/// The same, closed.
pub(super) const TOUCHED: ClaimWindow =
    ClaimWindow { state: WindowState::Closed, text: "closed for the opponent: he has touched a piece" };
/// What follows once the window is closed.
pub(super) const STANDS: &str = "stands: no time, no count; only both players together may correct it";

/// Seconds as an arbiter sets them: `2:00`.
fn minutes(seconds: u32) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

fn ordinal(number: u32) -> String {
    match number {
        1 => "first".to_owned(),
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        n => format!("{n}th"),
    }
}

const fn verdict_word(verdict: CanStillMate) -> &'static str {
    match verdict {
        CanStillMate::Yes => "yes",
        CanStillMate::No => "no, so a draw",
        CanStillMate::NotProven => "not proven",
    }
}

/// An offence that costs time: `first: +2:00 to Black`.
pub(super) fn costs_time(number: u32, time: Option<TimeGift>) -> String {
    match time {
        Some(gift) => format!("{}: +{} to {}", ordinal(number), minutes(gift.seconds), color_name(gift.to)),
        None => format!("{}: no time is added", ordinal(number)),
    }
}

/// What no text settles, and the event leaves to the arbiter.
pub(super) fn undecided(number: u32) -> String {
    format!("{}: no text says what follows, it is for you to decide", ordinal(number))
}

/// The queen that takes the pawn's place gives mate, and the event lets it.
pub(super) fn mate_stands(number: u32) -> String {
    format!("{}: the queen gives mate, and that ends the game", ordinal(number))
}

/// A fallen flag where a list of pieces says who can win on time.
pub(super) fn by_the_list(side: Color, result: Option<Score>) -> String {
    let (whose, other) = (color_name(side), color_name(side.other()));
    match result {
        Some(Score::Draw) => {
            format!("if {other} claims it: a draw, {other} has not the pieces to win on time")
        }
        _ => format!("if {other} claims it: {whose} loses on time"),
    }
}

/// A castling without the rook, which no text settles:
/// `not settled: White completes the castling, or it is illegal: first: +2:00 to Black`.
pub(super) fn castling_open(offender: Color, illegal: &str) -> String {
    format!("not settled: {} completes the castling, or it is illegal: {illegal}", color_name(offender))
}

/// An offence that loses the game: `second: loss? Black can mate: not proven`.
pub(super) fn loses_by_offence(number: u32, offender: Color, verdict: Option<CanStillMate>) -> String {
    match verdict {
        Some(verdict) => format!(
            "{}: loss? {} can mate: {}",
            ordinal(number),
            color_name(offender.other()),
            verdict_word(verdict)
        ),
        None => format!("{}: {} loses", ordinal(number), color_name(offender)),
    }
}

/// A fallen flag: `White loses on time? Black can mate: not proven`.
pub(super) fn loses_on_time(side: Color, verdict: Option<CanStillMate>) -> String {
    let verdict = verdict.map_or("not proven", verdict_word);
    format!("{} loses on time? {} can mate: {verdict}", color_name(side), color_name(side.other()))
}

/// The duty, where there is anything to say of it: not where nothing is put back and any move will do.
fn duty_told(advice: &Advice) -> Option<&Replacement> {
    let put_back = advice.restore.as_ref().is_some_and(|restore| !restore.squares.is_empty());
    advice.replacement.as_ref().filter(|duty| put_back || !duty.free)
}

/// What to do at the board.
pub(super) fn steps(advice: &Advice) -> Vec<String> {
    let mut out = Vec::new();
    match advice.may {
        May::StepIn | May::IfSeenOrClaimed => {}
        May::KeepOut => return vec!["Leave the game alone; answer only what both players ask".to_owned()],
        May::WaitOneMove => {
            return vec![
                "Say nothing; watch until the next move is completed".to_owned(),
                "If the position is then still illegal, declare a draw".to_owned(),
            ];
        }
        May::Nothing => return out,
    }
    out.push("Stop the clock; note both times".to_owned());
    if let Some(restore) = &advice.restore {
        if restore.squares.is_empty() {
            out.push("The position stands already".to_owned());
        } else if restore.movements.len() > 12 {
            out.push("Set the position up from the diagram".to_owned());
        } else {
            let by_hand: Vec<String> = restore.movements.iter().map(HandMove::text).collect();
            out.push(format!("Put right: {}", by_hand.join(", ")));
        }
    }
    if let Some(duty) = duty_told(advice) {
        out.push(format!("{} replaces the move: {}", color_name(duty.by), duty.text));
    }
    if let Some(gift) = advice.time {
        out.push(format!("Add {} to {}", minutes(gift.seconds), color_name(gift.to)));
        out.push(format!("Take back an increment that this press gave {}", color_name(gift.to.other())));
    }
    if let Some(Score::Draw) = advice.result {
        out.push("Declare the game drawn".to_owned());
    } else if let Some(Score::Won(side)) = advice.result {
        out.push(format!("Declare the game won by {}", color_name(side)));
    } else if advice.mating.is_some() {
        out.push(
            "Before declaring a loss, ask whether the opponent can mate at all; if not: draw".to_owned(),
        );
    } else if let Some(side) = advice.to_move {
        out.push(format!("{} is to move: start {}'s time", color_name(side), color_name(side)));
    }
    out
}

/// What follows if the arbiter upholds, and if he does not.
pub(super) fn what_if(advice: &Advice) -> (Option<String>, Option<String>) {
    const GOES_ON: &str = "the game goes on from the board as it is; nothing is counted";
    match advice.may {
        May::KeepOut | May::Nothing => return (None, None),
        May::WaitOneMove => {
            let draw = "an illegal position after the next completed move: draw";
            return (Some(draw.to_owned()), Some("put right by then: the game goes on".to_owned()));
        }
        May::StepIn | May::IfSeenOrClaimed => {}
    }
    let mut parts = vec![advice.consequence.clone()];
    match &advice.restore {
        Some(restore) if !restore.squares.is_empty() => {
            parts.push(format!("position after ply {}", restore.ply));
        }
        _ => {}
    }
    if let Some(duty) = duty_told(advice).filter(|_| advice.mating.is_none()) {
        parts.push(format!("{} plays: {}", color_name(duty.by), duty.text));
    }
    let not = match advice.window.map(|window| window.state) {
        Some(WindowState::Open | WindowState::ReplyOnBoard) if advice.may == May::IfSeenOrClaimed => {
            "not seen and not claimed in time: it stands, nothing is counted".to_owned()
        }
        _ => GOES_ON.to_owned(),
    };
    (Some(parts.join("; ")), Some(not))
}
