//! Labels: for each ply what the hand did when, from the contacts that belong to it.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::align::{Alignment, align};
use super::incidents::{IncidentError, Incidents, Seen, check_plies, game};
use super::moves::{Game, MovesError, Ply};
use super::stream::{Pace, Recording, Trace};
use crate::laws::RuleId;
use crate::tick::Tick;

mod hand;
mod order;

/// A piece that was set down on the way, or brushed a square.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touch {
    /// Where.
    pub square: String,
    /// Its letter; `X` where the board does not know.
    pub piece: char,
    /// When it was set down.
    pub t_ms: u64,
    /// How long it stayed; not known if its lift was not seen.
    pub dwell_ms: Option<u64>,
    /// Whether the square lies between from and to.
    pub on_the_way: bool,
}

/// How far a label can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Not aligned at all: no times.
    None,
    /// The order is right, the times are not to be used.
    Low,
    /// Some times are missing or coarse.
    Medium,
    /// Every contact and the press were reported as they happened.
    High,
}

/// What is known of one ply.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Label {
    /// From 1.
    pub ply: usize,
    /// The move.
    pub uci: String,
    /// In short notation.
    pub san: String,
    /// Who made it.
    pub side: String,
    /// How fast the game is.
    pub pace: Pace,
    /// Whether the Laws allow it.
    pub legal: bool,
    /// `quiet`, `capture`, `castling`, `en-passant` or `promotion`.
    pub kind: String,
    /// In which order pieces were lifted and set, if the kind has several.
    pub order: Option<String>,
    /// From the square it left to the square it reached, as a king walks.
    pub distance: u32,
    /// The first contact that belongs to the move.
    pub t_begin_ms: Option<u64>,
    /// The lift of the piece; in castling of the king.
    pub t_lift_ms: Option<u64>,
    /// The last lift of the captured piece, if its square was seen empty.
    pub t_victim_ms: Option<u64>,
    /// The landing of the piece; in castling of the king.
    pub t_land_ms: Option<u64>,
    /// The last contact of the move.
    pub t_done_ms: Option<u64>,
    /// The press.
    pub t_press_ms: Option<u64>,
    /// From the lift to the landing.
    pub lift_to_land_ms: Option<i64>,
    /// From the last contact to the press; negative if the press was reported first.
    pub land_to_press_ms: Option<i64>,
    /// From the opponent's press, or his landing if he did not press, to the first contact.
    pub think_ms: Option<i64>,
    /// What the mover's clock showed when his turn began.
    pub left_ms: Option<u64>,
    /// The turn before or this move was made before the press before it.
    pub before_press: bool,
    /// Squares on which a piece of the move was set down meanwhile.
    pub touched: Vec<Touch>,
    /// What an observer noted of this ply.
    pub incidents: Vec<String>,
    /// Squares handled between the turn's beginning and the move.
    pub handled: Vec<String>,
    /// The board's scan: a time is late by up to this; none if not known.
    pub scan_ms: Option<u64>,
    /// How far it can be trusted.
    pub confidence: Confidence,
    /// Why not further.
    pub why: Vec<String>,
}

/// A recording with its labels.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// What was played.
    pub game: Game,
    /// One label a ply.
    pub labels: Vec<Label>,
    pub(super) trace: Trace,
    pub(super) hands: Vec<Hand>,
    pub(super) seen: Vec<Seen>,
}

/// Where and when a ply was carried out; none if it could not be aligned.
#[derive(Clone, Debug, Default)]
pub(super) struct Hand {
    pub(super) begin: Option<Tick>,
    pub(super) lift: Option<Tick>,
    pub(super) victim: Option<Tick>,
    pub(super) land: Option<Tick>,
    pub(super) done: Option<Tick>,
    pub(super) press: Option<Tick>,
    pub(super) order: Option<&'static str>,
    pub(super) why: Vec<String>,
    /// Something of it was only seen in a dump, or not at all.
    pub(super) patchy: bool,
    /// What the board said where it contradicts the move.
    pub(super) against: Option<Against>,
}

/// The board contradicts a move for long.
#[derive(Clone, Debug)]
pub(super) struct Against {
    pub(super) at: Tick,
    pub(super) squares: Vec<String>,
    pub(super) placement: String,
}

/// Why a recording cannot be labelled.
#[derive(Debug, Error)]
pub enum LabelError {
    /// The file of moves.
    #[error("moves: {0}")]
    Moves(#[from] MovesError),
    /// The file of incidents.
    #[error("incidents: {0}")]
    Incidents(#[from] IncidentError),
    /// Nothing to align with.
    #[error("no square changes in the recording: there is nothing to label")]
    Still,
    /// Moves and recording contradict each other.
    #[error(
        "the moves do not fit at ply {ply} ({san}): at {at} the board showed {squares}, {placement}; correct the moves, or list what happened there with --incidents (illegal-move with the board that stood, sensor-fault if a square was read wrongly)"
    )]
    Contradicted {
        /// Counted from 1.
        ply: usize,
        /// The move.
        san: String,
        /// The recording's time.
        at: String,
        /// The squares that differ.
        squares: String,
        /// The whole board.
        placement: String,
    },
    /// Hardly anything fits.
    #[error("only {fit} of {plies} plies fit the recording: are these the moves of this game?")]
    Another {
        /// How many.
        fit: usize,
        /// Of how many.
        plies: usize,
    },
}

/// Labels a recording with the moves of `moves` and what an observer saw.
///
/// # Errors
/// What is wrong with the moves, the notes, or that they contradict the recording.
pub fn label(recording: &Recording, moves: &str, notes: &Incidents) -> Result<Labelled, LabelError> {
    let seen = notes.understood()?;
    let game = game(moves, &recording.setup, &seen)?;
    check_plies(&seen, &game)?;
    let start = &game.start.board;
    let restored = restored(&game, &seen);
    let ways = recording.seatings(start).into_iter().map(|seating| {
        let trace = Trace::new(recording, seating, start);
        let alignment = align(&game, &restored, &trace);
        (trace, alignment)
    });
    // The clock stands the wrong way round only if that explains the presses.
    let cost = |(trace, alignment): &(Trace, Alignment)| alignment.cost + trace.doubt;
    let best: Option<(Trace, Alignment)> = ways.min_by_key(cost);
    let Some((trace, alignment)) = best.filter(|(trace, _)| !trace.contacts.is_empty()) else {
        return Err(LabelError::Still);
    };
    let hands = hand::hands(&game, &trace, &alignment, recording.sees_occupancy());
    refuse(&game, &hands, &seen)?;
    let labels = labels(recording, &game, &trace, &hands, &seen);
    Ok(Labelled { game, labels, trace, hands, seen })
}

/// The plies before which something illegal was pressed and put right: the ply itself is legal.
fn restored(game: &Game, seen: &[Seen]) -> Vec<usize> {
    let pressed = [RuleId::IllegalMove, RuleId::CastlingIncomplete];
    let illegal = seen.iter().filter(|seen| pressed.contains(&seen.rule.id)).map(|seen| seen.ply);
    illegal.filter(|ply| game.plies.get(ply - 1).is_some_and(|ply| ply.legal)).collect()
}

/// Refuses moves that the recording contradicts.
fn refuse(game: &Game, hands: &[Hand], seen: &[Seen]) -> Result<(), LabelError> {
    let (fit, plies) = (hands.iter().filter(|hand| hand.done.is_some()).count(), hands.len());
    let fault = seen.iter().filter(|seen| seen.rule.id == RuleId::SensorFault).map(|seen| seen.ply).min();
    for (index, (hand, ply)) in hands.iter().zip(&game.plies).enumerate() {
        let excused = fault.is_some_and(|from| index + 1 >= from);
        if let Some(against) = hand.against.as_ref().filter(|_| !excused) {
            return Err(LabelError::Contradicted {
                ply: index + 1,
                san: ply.san(),
                at: clock_text(against.at),
                squares: against.squares.join(", "),
                placement: against.placement.clone(),
            });
        }
    }
    if fit * 2 < plies { Err(LabelError::Another { fit, plies }) } else { Ok(()) }
}

/// A time of the recording as people read it.
fn clock_text(at: Tick) -> String {
    let ms = at.ms();
    format!("{}:{:02}.{:03}", ms / 60_000, ms / 1_000 % 60, ms % 1_000)
}

fn labels(recording: &Recording, game: &Game, trace: &Trace, hands: &[Hand], seen: &[Seen]) -> Vec<Label> {
    let scan_ms = recording.scan_ms();
    let pace = Pace::of(&recording.setup);
    (0..hands.len())
        .map(|index| {
            let (ply, hand) = (&game.plies[index], &hands[index]);
            let turn = turn_began(hands, trace, ply, index);
            let beside = hand::beside(trace, hands, index, ply, turn);
            let (confidence, why) = trusted(recording, hand, scan_ms);
            let ms = |at: Option<Tick>| at.map(Tick::ms);
            let between = |from: Option<Tick>, to: Option<Tick>| Some(difference(from?, to?));
            let paused = turn.zip(hand.begin).is_some_and(|(from, to)| trace.paused(from, to));
            Label {
                ply: index + 1,
                uci: ply.uci.clone(),
                san: ply.san(),
                side: ply.side().fold_wb("white", "black").to_owned(),
                pace,
                legal: ply.legal,
                kind: kind(ply).to_owned(),
                order: hand.order.map(str::to_owned),
                distance: ply.m.from.distance(ply.m.to),
                t_begin_ms: ms(hand.begin),
                t_lift_ms: ms(hand.lift),
                t_victim_ms: ms(hand.victim),
                t_land_ms: ms(hand.land),
                t_done_ms: ms(hand.done),
                t_press_ms: ms(hand.press),
                lift_to_land_ms: between(hand.lift, hand.land),
                land_to_press_ms: between(hand.done, hand.press),
                think_ms: between(turn, hand.begin).filter(|_| !paused),
                left_ms: turn
                    .and_then(|at| trace.clock_at(at))
                    .map(|shown| u64::from(shown.left_ms(ply.side()))),
                before_press: hurried(hands, index),
                touched: beside.touched,
                incidents: seen
                    .iter()
                    .filter(|seen| seen.ply == index + 1)
                    .map(|seen| seen.rule.name.to_owned())
                    .collect(),
                handled: beside.handled,
                scan_ms,
                confidence,
                why,
            }
        })
        .collect()
}

/// From when it was the mover's turn.
fn turn_began(hands: &[Hand], trace: &Trace, ply: &Ply, index: usize) -> Option<Tick> {
    match index.checked_sub(1) {
        Some(before) => hands[before].press.or(hands[before].done),
        None => trace.clock.iter().find(|shown| shown.running == Some(ply.side())).map(|shown| shown.at),
    }
}

/// Somebody did not wait for a press: this mover for the one before, or the opponent for his.
fn hurried(hands: &[Hand], index: usize) -> bool {
    let began_before = |next: usize, press: Option<Tick>| {
        let begin = hands.get(next).and_then(|hand| hand.begin);
        begin.zip(press).is_some_and(|(begin, press)| begin < press)
    };
    let before = index.checked_sub(1).and_then(|before| hands[before].press);
    began_before(index, before) || began_before(index + 1, hands[index].press)
}

fn trusted(recording: &Recording, hand: &Hand, scan_ms: Option<u64>) -> (Confidence, Vec<String>) {
    let mut why = hand.why.clone();
    let mut least = Confidence::High;
    if hand.press.is_none() && hand.done.is_some() {
        why.push("no press was seen".to_owned());
        least = Confidence::Medium;
    }
    match scan_ms {
        None => {
            why.push("how often the board looks at its squares is not known".to_owned());
            least = Confidence::Medium;
        }
        Some(scan) if scan > COARSE_MS => {
            why.push(format!("the board looks at its squares only every {scan} ms"));
            least = Confidence::Medium;
        }
        Some(_) => {}
    }
    if hand.patchy {
        least = Confidence::Low;
    }
    if !recording.timed {
        why.push("the recording has no times but the seconds of the chess clock".to_owned());
        least = Confidence::Low;
    }
    if hand.done.is_none() {
        least = Confidence::None;
    }
    (least, why)
}

/// A scan that is not small beside the times of hands.
const COARSE_MS: u64 = 100;

pub(super) fn difference(from: Tick, to: Tick) -> i64 {
    let ms = |at: Tick| i64::try_from(at.ms()).unwrap_or(i64::MAX);
    ms(to) - ms(from)
}

pub(super) fn kind(ply: &Ply) -> &'static str {
    let m = &ply.m;
    match m.capture {
        _ if m.rook.is_some() => "castling",
        _ if m.promotion.is_some() => "promotion",
        Some(victim) if victim != m.to => "en-passant",
        Some(_) => "capture",
        None => "quiet",
    }
}
