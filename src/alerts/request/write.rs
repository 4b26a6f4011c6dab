//! From what is asked to the keys of a request, as journals hold them.

use serde_json::{Map, Value, json};

use super::list::{ENDS, FEEDS, OF_THE_EVENT, PLACES, SIGHTS};
use super::{Declared, Goal, OnBoard, Profile, Verb};
use crate::events::Lever;
use crate::laws::Which;

impl Verb {
    /// The keys of this request, as [`Verb::read`] reads them.
    #[must_use]
    pub fn keys(&self) -> Map<String, Value> {
        let mut object = match value(self) {
            Value::Object(object) => object,
            _ => Map::new(),
        };
        // What may be left out is left out.
        object.retain(|_, value| !value.is_null());
        object
    }

    /// The last part of the topic on which it is asked.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Verb::Rule { .. } => "rule",
            Verb::Undo { .. } => "undo",
            Verb::Acknowledge { .. } => "acknowledge",
            Verb::Release { .. } => "release",
            Verb::Seen { .. } => "seen",
            Verb::AgreedCorrection { .. } => "agreed-correction",
            Verb::Strike { .. } => "strike",
            Verb::Evidence { .. } => "evidence",
            Verb::Protest { .. } => "protest",
            Verb::Report { .. } => "report",
            Verb::Claim(_) => "claim",
            Verb::Restore(Goal::Declared(_)) => "position",
            Verb::Restore(_) => "restore",
            Verb::Board(verb) => verb.word(),
        }
    }

    /// The alert it is about, if it is about one.
    #[must_use]
    pub fn alert(&self) -> Option<&str> {
        match self {
            Verb::Rule { alert, .. }
            | Verb::Undo { alert }
            | Verb::Acknowledge { alert, .. }
            | Verb::Release { alert }
            | Verb::Seen { alert, .. }
            | Verb::AgreedCorrection { alert }
            | Verb::Strike { alert, .. }
            | Verb::Evidence { alert, .. }
            | Verb::Protest { alert, .. }
            | Verb::Restore(Goal::Alert(alert)) => Some(alert),
            Verb::Report { .. } | Verb::Claim(_) | Verb::Restore(_) | Verb::Board(_) => None,
        }
    }
}

fn value(verb: &Verb) -> Value {
    match verb {
        Verb::Rule { alert, ruling, why, penalty, revision } => json!({
            "alert": alert,
            "ruling": ruling.word(),
            "why": why,
            "penalty": penalty.map(|penalty| penalty.kind),
            "seconds": penalty.and_then(|penalty| penalty.seconds),
            "revision": revision,
        }),
        Verb::Undo { alert } | Verb::AgreedCorrection { alert } | Verb::Release { alert } => {
            json!({"alert": alert})
        }
        Verb::Acknowledge { alert, to } => json!({"alert": alert, "to": to}),
        Verb::Seen { alert, what } => json!({"alert": alert, "what": SIGHTS[*what as usize]}),
        Verb::Strike { alert, steps } => json!({"alert": alert, "steps": steps}),
        Verb::Evidence { alert, from, what } => json!({"alert": alert, "from": from, "what": what}),
        Verb::Protest { alert, player, what } => {
            json!({"alert": alert, "player": player.to_string(), "what": what})
        }
        Verb::Restore(goal) => restore(goal),
        Verb::Report { code, player, what, witness, ply } => json!({
            "code": code.name(),
            "player": player.map(|side| side.to_string()),
            "what": what,
            "witness": witness,
            "ply": ply,
        }),
        Verb::Claim(claim) => json!({
            "player": claim.by.to_string(),
            "of": claim.of.word(),
            "move": claim.written,
            "square": claim.square.map(|square| square.to_string()),
        }),
        Verb::Board(verb) => about_board(verb),
    }
}

fn restore(goal: &Goal) -> Value {
    match goal {
        Goal::Alert(alert) => json!({"alert": alert}),
        Goal::Position(Which::Ply(ply)) => json!({"ply": ply}),
        Goal::Position(Which::LastCorrect) => json!({"position": PLACES[0]}),
        Goal::Position(Which::LastIdentifiable) => json!({"position": PLACES[1]}),
        Goal::Position(Which::Start) => json!({"position": PLACES[2]}),
        Goal::Declared(Declared::Fen(fen)) => json!({"fen": fen}),
        Goal::Declared(Declared::Standing(side)) => json!({"to_move": side.to_string()}),
    }
}

fn about_board(verb: &OnBoard) -> Value {
    match verb {
        OnBoard::Result { score, why } => json!({"result": score.unwrap_or("*"), "why": why}),
        OnBoard::NewGame { fen } => json!({"fen": fen}),
        OnBoard::Pairing(pairing) => json!({"white": pairing.white, "black": pairing.black}),
        OnBoard::Profile(None) => json!({"ruleset": OF_THE_EVENT}),
        OnBoard::Profile(Some(Profile { ruleset, time_control })) => json!({
            "ruleset": ruleset,
            "base_s": time_control.map(|control| control.base_s),
            "inc_s": time_control.map(|control| control.inc_s),
        }),
        OnBoard::ClockSet(setting) => json!({
            "white_s": setting.dials.0.ms() / 1000,
            "black_s": setting.dials.1.ms() / 1000,
            "white_moves": setting.moves.map(|(white, _)| white),
            "black_moves": setting.moves.map(|(_, black)| black),
        }),
        OnBoard::ClockSeat(lever) => json!({"white": ENDS[usize::from(*lever == Lever::Right)]}),
        OnBoard::Orientation(seat) => json!({"white_sits": seat.word()}),
        OnBoard::Mute { code, why } => json!({"code": code.name(), "why": why}),
        OnBoard::Unmute(code) => json!({"code": code.name()}),
        OnBoard::Zone(arbiter) => json!({"arbiter": arbiter}),
        OnBoard::Hold(held) => json!({"feed": FEEDS[usize::from(!held)]}),
        OnBoard::Contacts { seconds } => json!({"seconds": seconds}),
        OnBoard::Games => json!({}),
    }
}

impl OnBoard {
    /// The last part of the topic on which it is asked.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            OnBoard::Result { .. } => "result",
            OnBoard::NewGame { .. } => "new-game",
            OnBoard::Pairing(_) => "pairing",
            OnBoard::Profile(_) => "profile",
            OnBoard::ClockSet(_) => "clock-set",
            OnBoard::ClockSeat(_) => "clock-seat",
            OnBoard::Orientation(_) => "orientation",
            OnBoard::Mute { .. } => "mute",
            OnBoard::Unmute(_) => "unmute",
            OnBoard::Zone(_) => "zone",
            OnBoard::Hold(_) => "hold",
            OnBoard::Contacts { .. } => "contacts",
            OnBoard::Games => "games",
        }
    }
}

#[cfg(test)]
mod tests;
