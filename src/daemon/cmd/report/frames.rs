//! What stood on board and clock around an incident, moment by moment, from its journal.

use shakmaty::Color;

use super::super::evidence::Evidence;
use super::gather::{entered, shown};
use crate::contract::{Frame, Incident};
use crate::events::Wood;
use crate::journal::Entry;
use crate::table::{BoardState, Effects, Publish, Table};
use crate::tick::{Span, Tick};

/// So long before the evidence begins the replay begins.
const BEFORE: Span = Span::from_ms(15_000);
/// So long after the last word about it the replay ends.
const AFTER: Span = Span::from_ms(3_000);
/// Of more moments the later ones of the board are left out; words are not.
const MOST: usize = 3_000;

/// The moments of an incident, in order.
pub(super) fn frames(evidence: &Evidence, incident: &Incident) -> Vec<Frame> {
    let id = &incident.alert.id;
    let words: Vec<(Tick, &'static str, String)> = shown(evidence, id)
        .into_iter()
        .map(|(at, text)| (at, "shown", format!("Shown: {text}")))
        .chain(
            entered(evidence, id).into_iter().map(|(at, text)| (at, "entered", format!("Entered: {text}"))),
        )
        .collect();
    let (begin, end) = window(evidence, incident, &words);
    let mut table = Table::new();
    let mut said = Vec::new();
    let mut before: Option<BoardState> = None;
    for record in evidence.records.iter().take_while(|record| record.tick <= end) {
        let Entry::Input(input) = &record.entry else { continue };
        let mut effects = Effects::default();
        table.step(record.tick, input.clone(), &mut effects);
        if effects.began.is_some() {
            break;
        }
        let Some(now) = state(&table) else { continue };
        if record.tick >= begin && said.len() < MOST {
            let texts = before.as_ref().map(|before| changes(before, &now)).unwrap_or_default();
            for (kind, text) in texts {
                said.push((record.tick, kind, text, now.clone()));
            }
        }
        while let Some((at, kind, text)) = words.iter().find(|(at, ..)| *at == record.tick).cloned() {
            if said.iter().any(|(known, _, same, _)| *known == at && *same == text) {
                break;
            }
            said.push((at, kind, text, now.clone()));
        }
        before = Some(now);
    }
    let frame = |(at, kind, text, state): (Tick, &'static str, String, BoardState)| Frame {
        when: evidence.wall(at),
        t_ms: at.ms(),
        kind,
        text,
        placement: state.sensed,
        dials: state.dials,
    };
    said.into_iter().map(frame).collect()
}

/// From when to when it is replayed.
fn window(evidence: &Evidence, incident: &Incident, words: &[(Tick, &'static str, String)]) -> (Tick, Tick) {
    let (first, _) = incident.alert.primary().facts.evidence;
    let begin = evidence.records.iter().find(|record| record.ordinal == Some(first));
    let begin = begin.map_or(incident.alert.primary().at, |record| record.tick);
    let end = words.iter().map(|(at, ..)| *at).max().unwrap_or(begin).max(incident.alert.primary().at);
    (Tick::from_us(begin.us().saturating_sub(BEFORE.us())), end + AFTER)
}

fn state(table: &Table) -> Option<BoardState> {
    table.retained().into_iter().find_map(|item| match item {
        Publish::State(state) => Some(*state),
        _ => None,
    })
}

/// What is otherwise than a moment ago, in words.
fn changes(before: &BoardState, now: &BoardState) -> Vec<(&'static str, String)> {
    let mut out = Vec::new();
    if before.sensed != now.sensed {
        out.push(("board", contacts(&before.sensed, &now.sensed)));
    }
    if before.running != now.running {
        let side = |side: Color| if side == Color::White { "White" } else { "Black" };
        out.push((
            "clock",
            match (before.running, now.running) {
                (_, None) => "The clock is stopped".to_owned(),
                (None, Some(runs)) => format!("The clock is started, {}'s time runs", side(runs)),
                (Some(was), Some(runs)) => format!("{} presses, {}'s time runs", side(was), side(runs)),
            },
        ));
    } else if before.running.is_none() && before.dials != now.dials && before.dials.is_some() {
        out.push(("clock", "The times on the clock are changed".to_owned()));
    }
    out
}

/// What happened on the squares. More than a few are told by their number.
fn contacts(before: &str, now: &str) -> String {
    const FEW: usize = 6;
    let (Ok(before), Ok(now)) = (Wood::from_placement(before), Wood::from_placement(now)) else {
        return "The board changes".to_owned();
    };
    let texts: Vec<String> = shakmaty::Square::ALL
        .into_iter()
        .filter_map(|square| {
            let (was, is) = (before.at(square).letter(), now.at(square).letter());
            match (was, is) {
                _ if was == is => None,
                (Some(was), None) => Some(format!("{} lifted from {square}", piece(was))),
                (None, Some(is)) => Some(format!("{} placed on {square}", piece(is))),
                (Some(was), Some(is)) => {
                    Some(format!("{} in place of {} on {square}", piece(is), piece(was)))
                }
                (None, None) => None,
            }
        })
        .collect();
    if texts.len() > FEW {
        return format!("All squares are read: {} are otherwise", texts.len());
    }
    texts.join(", ")
}

fn piece(letter: char) -> String {
    let name = match letter.to_ascii_lowercase() {
        'p' => "pawn",
        'n' => "knight",
        'b' => "bishop",
        'r' => "rook",
        'q' => "queen",
        'k' => "king",
        _ => return "a piece".to_owned(),
    };
    format!("{} {name}", if letter.is_ascii_uppercase() { "white" } else { "black" })
}
