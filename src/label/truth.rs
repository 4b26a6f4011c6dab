//! The truth of a recording in the format of the corpus, for the scorer to judge the product by.

use serde_json::{Value, json};
use shakmaty::Color;
use thiserror::Error;

use super::incidents::Seen;
use super::ply::{Hand, Labelled};
use super::stream::{Pace, Recording, What};
use crate::events::{Setup, Start, Wood};
use crate::laws::RuleId;
use crate::tick::{Span, Tick};

/// A piece that stands elsewhere in the opponent's time is no passing touch after so long.
const STANDS: Span = Span::from_ms(3_000);

/// Why an observer's note finds no place in the recording.
#[derive(Debug, Error)]
pub enum TruthError {
    /// Nothing of the kind happens there.
    #[error("incident {number} ({id}, ply {ply}): {what} there; give its time in the recording as t_ms")]
    NotSeen {
        /// Counted from 1.
        number: usize,
        /// Which.
        id: &'static str,
        /// Of which ply.
        ply: usize,
        /// What is missing.
        what: String,
    },
}

/// When a finding becomes certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    /// With the press of its side.
    Press,
    /// When the clock is started.
    Start,
    /// When the clock shows zero.
    Zero,
    /// When a piece has stood elsewhere for long.
    Stands,
}

/// What the corpus calls a finding.
struct Code {
    names: &'static [&'static str],
    when: When,
    required: bool,
    /// Whoever did it: sensors cannot tell.
    nobodys: bool,
}

const fn code(names: &'static [&'static str], when: When) -> Option<Code> {
    Some(Code { names, when, required: true, nobodys: false })
}

const fn claim(names: &'static [&'static str]) -> Option<Code> {
    Some(Code { names, when: When::Press, required: false, nobodys: false })
}

const fn nobodys(names: &'static [&'static str], when: When) -> Option<Code> {
    Some(Code { names, when, required: true, nobodys: true })
}

/// The names that are accepted for a finding, the best first; `None` for what is only allowed.
fn code_of(rule: RuleId) -> Option<Code> {
    use When::{Press, Stands, Start, Zero};
    match rule {
        RuleId::IllegalMove => {
            code(&["ILLEGAL_MOVE_COMPLETED", "ILLEGAL_POSITION", "PROMOTION_WRONG_PIECE", "TWO_MOVES"], Press)
        }
        RuleId::PressWithoutMove => code(&["PRESS_WITHOUT_MOVE"], Press),
        RuleId::PressMoveIncomplete => {
            code(&["PRESS_MOVE_INCOMPLETE", "PRESS_WITHOUT_MOVE", "ILLEGAL_MOVE_COMPLETED"], Press)
        }
        RuleId::PawnNotPromoted => code(&["PAWN_NOT_PROMOTED", "ILLEGAL_MOVE_COMPLETED"], Press),
        RuleId::PawnOnLastRank => {
            nobodys(&["PAWN_NOT_PROMOTED", "ILLEGAL_POSITION", "ILLEGAL_MOVE_COMPLETED"], Press)
        }
        RuleId::CastlingIncomplete => code(&["ILLEGAL_MOVE_COMPLETED", "ILLEGAL_POSITION"], Press),
        RuleId::IllegalPosition => nobodys(&["ILLEGAL_POSITION", "ILLEGAL_MOVE_COMPLETED"], Press),
        // Required only where the scan shows it, which nobody at the board can say.
        RuleId::TwoHands => claim(&["TWO_HANDS"]),
        RuleId::CastlingRookFirst => code(&["CASTLING_ROOK_FIRST", "TOUCH_MOVE"], Press),
        RuleId::OutOfTurn => nobodys(
            &[
                "MOVE_OUT_OF_TURN",
                "ILLEGAL_MOVE_COMPLETED",
                "DISPLACED_PIECES",
                "ILLEGAL_POSITION",
                "PRESS_WITHOUT_MOVE",
            ],
            Stands,
        ),
        RuleId::DisplacedPieces => nobodys(
            &["DISPLACED_PIECES", "ILLEGAL_POSITION", "MOVE_OUT_OF_TURN", "ILLEGAL_MOVE_COMPLETED"],
            Stands,
        ),
        RuleId::BothKingsInCheck => nobodys(&["BOTH_KINGS_IN_CHECK", "ILLEGAL_POSITION"], Press),
        RuleId::WrongSetup => nobodys(&["WRONG_SETUP", "ILLEGAL_POSITION"], Start),
        RuleId::WrongOrientation => nobodys(&["WRONG_ORIENTATION", "WRONG_SETUP"], Start),
        RuleId::ClockSidesSwapped => {
            nobodys(&["CLOCK_SIDES_SWAPPED", "COLOURS_REVERSED", "CLOCK_INCORRECT"], Start)
        }
        RuleId::ColoursReversed => {
            nobodys(&["COLOURS_REVERSED", "CLOCK_INCORRECT", "CLOCK_SIDES_SWAPPED"], Start)
        }
        RuleId::ClockIncorrect => nobodys(&["CLOCK_INCORRECT"], Start),
        RuleId::ClockLeverKnocked => code(&["CLOCK_LEVER_KNOCKED", "PRESS_WITHOUT_MOVE"], Press),
        RuleId::FlagFall => code(&["FLAG_FALL"], Zero),
        RuleId::TouchMove => claim(&["TOUCH_MOVE"]),
        RuleId::ReleasedPieceMoved => claim(&["RELEASED_PIECE_MOVED", "TOUCH_MOVE"]),
        RuleId::PositionUnexplained => {
            nobodys(&["ILLEGAL_POSITION", "DISPLACED_PIECES", "SYNC_LOST"], Stands)
        }
        _ => None,
    }
}

/// What the corpus calls a finding that is for the record or for the operator only.
fn allowed_name(rule: RuleId) -> Option<&'static str> {
    Some(match rule {
        RuleId::IllegalMoveUnpressed => "ILLEGAL_MOVE_UNPRESSED",
        RuleId::AdjustOutOfTurn => "ADJUST",
        RuleId::PressForgotten => "PRESS_FORGOTTEN",
        RuleId::Restored => "RESTORED",
        RuleId::NewGame => "NEW_GAME",
        RuleId::ClockPaused => "CLOCK_PAUSED",
        RuleId::ClockAdjusted => "CLOCK_ADJUSTED",
        RuleId::LinkLost => "LINK_LOST",
        RuleId::SensorRotated => "SENSOR_ROTATED",
        RuleId::SensorFault => "SENSOR_FAULT",
        RuleId::SyncLost => "SYNC_LOST",
        _ => return None,
    })
}

/// The truth of a labelled recording under the name `id`.
///
/// # Errors
/// A note that finds no place in the recording.
pub fn truth(recording: &Recording, labelled: &Labelled, id: &str) -> Result<Value, TruthError> {
    let findings: Vec<Value> = labelled
        .seen
        .iter()
        .filter_map(|seen| finding(labelled, seen).transpose())
        .collect::<Result<_, _>>()?;
    let game = &labelled.game;
    let last = labelled.hands.iter().filter_map(|hand| hand.press.max(hand.done)).max();
    let ended = labelled.trace.stopped().filter(|at| Some(*at) >= last).or(last).unwrap_or_default();
    let first = Wood::from_board(&game.start.board).placement();
    let end = game.plies.last().map_or_else(|| game.start.fen(), |ply| ply.after.fen());
    let played: Vec<&str> = game.plies.iter().map(|ply| ply.uci.as_str()).collect();
    let placed = labelled.hands.iter().all(|hand| hand.done.is_some());
    Ok(json!({
        "id": id,
        "scenario": "recorded",
        "kind": "recorded",
        "clean": labelled.seen.is_empty(),
        "source": {"clocks": if recording.timed { "recorded" } else { "the chess clock's seconds" }},
        "config": config(&recording.setup),
        "pace": Pace::of(&recording.setup).name(),
        "sensor": {"scan": recording.scan_ms()},
        "initial_placement": first,
        "moves_scored": true,
        "moves": moves(labelled),
        "moves_as_played": played,
        "gaps": gaps(labelled),
        "final_fen": end,
        "result": game.result,
        "t_game_start_ms": labelled.trace.started().unwrap_or_default().ms(),
        "t_game_end_ms": ended.ms(),
        "t_stream_end_ms": recording.end().ms(),
        "findings": findings,
        "allowed": allowed(labelled),
        "notes": if placed { vec![] } else { vec!["plies without times could not be aligned"] },
    }))
}

fn config(setup: &Setup) -> Value {
    let control = setup.time_control;
    let start = match &setup.start {
        Start::Standard => "standard",
        Start::Fen(fen) => fen.as_str(),
    };
    json!({
        "ruleset": setup.ruleset,
        "base_s": control.map(|c| c.base_s),
        "inc_s": control.map(|c| c.inc_s),
        "bonus": control.and_then(|c| c.bonus),
        "start": start,
        "increment_on_first_move": control.is_some_and(|c| c.increment_on_first_move),
    })
}

fn side_name(side: Color) -> &'static str {
    side.fold_wb("white", "black")
}

fn moves(labelled: &Labelled) -> Vec<Value> {
    let pairs = labelled.game.plies.iter().zip(&labelled.hands);
    pairs
        .map(|(ply, hand)| {
            let mut value = json!({
                "uci": ply.uci,
                "side": side_name(ply.side()),
                "t_place_ms": hand.done.map(Tick::ms),
                "t_press_ms": hand.press.map(Tick::ms),
            });
            if !ply.legal {
                value["legal"] = json!(false);
            }
            value
        })
        .collect()
}

/// Plies that a lost link hid, in runs; how many stories explain them is not counted.
fn gaps(labelled: &Labelled) -> Vec<Value> {
    let hidden = |hand: &Hand| {
        let down = hand.why.iter().any(|why| why == "the link was down");
        down && (hand.done.is_none() || hand.patchy)
    };
    let mut out: Vec<(usize, usize)> = Vec::new();
    for (index, _) in labelled.hands.iter().enumerate().filter(|(_, hand)| hidden(hand)) {
        match out.last_mut().filter(|(_, to)| *to == index) {
            Some((_, to)) => *to = index + 1,
            None => out.push((index + 1, index + 1)),
        }
    }
    out.into_iter().map(|(from, to)| json!({"from_ply": from, "to_ply": to, "paths": -1})).collect()
}

fn allowed(labelled: &Labelled) -> Vec<&'static str> {
    let mut out = vec!["DRAW_CLAIMABLE", "GAME_END", "RESULT_BY_KINGS"];
    if !labelled.seen.is_empty() {
        out.extend(["CLOCK_ADJUSTED", "CLOCK_PAUSED", "RESTORED"]);
    }
    if labelled.game.plies.iter().any(|ply| !ply.legal) {
        out.extend(["ILLEGAL_MOVE_STANDS", "ILLEGAL_POSITION"]);
    }
    if labelled.hands.iter().any(|hand| hand.press.is_none()) {
        out.push("PRESS_FORGOTTEN");
    }
    if labelled.trace.moments.iter().any(|moment| matches!(moment.what, What::Link(_))) {
        out.extend(["LINK_LOST", "SYNC_LOST"]);
    }
    out.extend(labelled.seen.iter().filter_map(|seen| allowed_name(seen.rule.id)));
    out.sort_unstable();
    out.dedup();
    out
}

fn finding(labelled: &Labelled, seen: &Seen) -> Result<Option<Value>, TruthError> {
    let Some(code) = code_of(seen.rule.id) else { return Ok(None) };
    let happened = match seen.at_ms.map(Tick::from_ms) {
        Some(at) => Happened::at(at),
        None => times(labelled, seen, &code).map_err(|what| TruthError::NotSeen {
            number: seen.number,
            id: seen.rule.name,
            ply: seen.ply,
            what,
        })?,
    };
    let side = seen.side.filter(|_| !code.nobodys).map(side_name);
    Ok(Some(json!({
        "codes": code.names,
        "side": side,
        "t_from_ms": happened.from.ms(),
        "t_to_ms": happened.to.ms(),
        "squares": seen.squares.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "required": code.required && !happened.passing,
        "detail": {"id": seen.rule.name, "ply": seen.ply, "note": seen.note},
        "t_certain_ms": happened.certain.ms(),
    })))
}

/// When something happened.
struct Happened {
    from: Tick,
    to: Tick,
    /// When it could be told.
    certain: Tick,
    /// It was over before anybody could tell.
    passing: bool,
}

impl Happened {
    const fn at(at: Tick) -> Happened {
        Happened { from: at, to: at, certain: at, passing: false }
    }
}

/// When it happened, or what is missing there.
fn times(labelled: &Labelled, seen: &Seen, code: &Code) -> Result<Happened, String> {
    let (after, before) = around(labelled, seen.ply);
    let trace = &labelled.trace;
    match code.when {
        When::Start => {
            let started = trace.started().ok_or("nobody's clock runs")?;
            Ok(Happened::at(started))
        }
        When::Zero => {
            let zero = trace.clock.iter().find(|shown| {
                let fallen = shown.running.filter(|side| shown.left_ms(*side) == 0);
                shown.at >= after && fallen.is_some_and(|side| seen.side.is_none_or(|s| s == side))
            });
            zero.map(|shown| Happened::at(shown.at)).ok_or("no clock shows zero".to_owned())
        }
        When::Press => {
            let side = seen.side.or_else(|| labelled.game.plies.get(seen.ply - 1).map(|ply| ply.side()));
            let press = trace.moments.iter().find(|moment| {
                let by_side = matches!(moment.what, What::Pressed(by) if side.is_none_or(|s| s == by));
                by_side && moment.at > after && moment.at <= before
            });
            let at = press.ok_or_else(|| match side {
                Some(side) => format!("{} does not press", side.fold_wb("White", "Black")),
                None => "nobody presses".to_owned(),
            })?;
            let touched = trace.contacts.iter().find(|c| c.at > after && c.at <= at.at);
            Ok(Happened { from: touched.map_or(at.at, |contact| contact.at), ..Happened::at(at.at) })
        }
        When::Stands => {
            let long = standing(labelled, seen.ply, after, before, STANDS);
            let first = long.or_else(|| standing(labelled, seen.ply, after, before, Span::ZERO));
            let first = first.ok_or("no piece stands elsewhere")?;
            // What the mover displaces with his move is told with his press.
            let hand = labelled.hands.get(seen.ply - 1);
            let press = hand.filter(|hand| hand.begin <= Some(first)).and_then(|hand| hand.press);
            let certain = press.filter(|press| *press >= first).unwrap_or(first + STANDS);
            Ok(Happened { from: first, to: first, certain, passing: long.is_none() })
        }
    }
}

/// The time between the ply before and the end of this one.
fn around(labelled: &Labelled, ply: usize) -> (Tick, Tick) {
    let after = labelled.hands[..ply - 1].iter().rev().find_map(|hand| hand.press.max(hand.done));
    let hand = labelled.hands.get(ply - 1);
    let before = hand.and_then(|hand| hand.press.max(hand.done));
    let end = labelled.trace.moments.last().map_or(Tick::ZERO, |moment| moment.at);
    (after.unwrap_or(Tick::ZERO), before.unwrap_or(end))
}

/// The first moment from which the board is neither as before the ply nor as after it for long.
fn standing(labelled: &Labelled, ply: usize, after: Tick, before: Tick, long: Span) -> Option<Tick> {
    let game = &labelled.game;
    let was = game
        .plies
        .get(ply - 1)
        .map_or_else(|| game.plies.last().map(|last| &last.after.board), |ply| Some(&ply.before.board))?;
    let becomes = game.plies.get(ply - 1).map(|ply| &ply.after.board);
    let mut since: Option<Tick> = None;
    for moment in labelled.trace.moments.iter().filter(|moment| moment.at > after) {
        if since.is_some_and(|since| moment.at.since(since) >= long) {
            return since;
        }
        // A piece of which only the lift was seen is in a hand, not elsewhere.
        let elsewhere = |board: &shakmaty::Board| (moment.wood.differs(board) & moment.wood.occupied()).any();
        let off = elsewhere(was) && becomes.is_none_or(elsewhere);
        since = if off { since.or(Some(moment.at)) } else { None };
        if moment.at > before && since.is_none() {
            return None;
        }
    }
    since
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::{RULES, Severity};

    /// The corpus has no name for these: it neither asks for them nor counts them.
    const UNNAMED: &[RuleId] = &[
        RuleId::ClockNotRunning,
        RuleId::Fivefold,
        RuleId::SeventyFive,
        RuleId::DeadPosition,
        RuleId::PrematureResult,
    ];

    #[test]
    fn what_an_arbiter_is_told_has_a_name_in_the_corpus() {
        for rule in RULES.iter().filter(|rule| matches!(rule.severity, Severity::Act | Severity::Check)) {
            assert_eq!(code_of(rule.id).is_none(), UNNAMED.contains(&rule.id), "{}", rule.name);
        }
    }
}
