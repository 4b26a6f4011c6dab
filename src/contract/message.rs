//! MQTT messages, version 1: one [`Draft`] per topic a publication goes to.
//!
//! Two trees: `arbiter/…` for what only arbiters may know, `broadcast/…` for what was played.
//! What would help a player never goes to the second: no finding, no word about a press.

use serde_json::{Map, Value, json};

use super::alert::alert_document;
use super::answer::report_document;
use super::fields::{self, Object, object};
use super::request::RequestError;
use super::restoring;
use crate::alerts::{Alert, AlertState, ClockSetting, Response};
use crate::events::{BoardId, Calibration, Resolution};
use crate::game::{Completed, PlyKind};
use crate::laws::{Finding, Severity};
use crate::table::{BoardState, MoveMade, Orders, Publish, ResultEntered, Watched};
use crate::tick::{Span, Tick};

/// A message before the daemon adds `epoch` and `seq` and prefixes root and node.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// Below `<root>/v1/<node>/`, as `arbiter/b1/alerts/…`.
    pub path: String,
    /// Whether the broker keeps it.
    pub retain: bool,
    /// The JSON object; `None` clears a retained topic (an empty payload).
    pub body: Option<Map<String, Value>>,
}

/// The messages that one publication becomes.
///
/// What is for the public goes out when [`Broadcast`](super::Broadcast) says so, which also makes the
/// retained list of a game.
#[must_use]
pub fn drafts(publish: &Publish, board: &BoardId) -> Vec<Draft> {
    match publish {
        Publish::Move(made) => made_public(made, true, board).into_iter().collect(),
        Publish::Retract { to_ply, at } => vec![retracted_public(*to_ply, *at, board)],
        Publish::Finding(finding) => noted(finding, board).into_iter().collect(),
        Publish::Withdraw { id, at } => {
            vec![event(format!("arbiter/{board}/log"), withdrawn(id, *at, board))]
        }
        Publish::Alert(alert) => alert_drafts(alert, board),
        Publish::State(state) => vec![Draft {
            path: format!("arbiter/{board}/state"),
            retain: true,
            body: Some(board_state(state, board)),
        }],
        Publish::Response(response) => vec![answered(response, board)],
        // Kept from people.
        Publish::Shadowed(_) | Publish::Held(_) => Vec::new(),
        // For the journal; people read it in the state.
        Publish::Calibration(_) => Vec::new(),
    }
}

/// The whole topic of a draft.
#[must_use]
pub fn topic(root: &str, node: &str, path: &str) -> String {
    format!("{root}/v1/{node}/{path}")
}

/// The answer to a request that could not be read: it never reached the board.
#[must_use]
pub fn refusal(verb: &str, error: &RequestError, board: &BoardId) -> Draft {
    let body = object([
        ("schema", "jadoube.response/1".into()),
        ("board", board.as_str().into()),
        ("id", error.id.as_deref().map_or(Value::Null, Value::from)),
        ("verb", verb.into()),
        ("ok", false.into()),
        ("error", error.message.as_str().into()),
    ]);
    event(format!("arbiter/{board}/response/{}", part(verb)), body)
}

/// The message of a ply. That there is no move any more is told only if there was one: `replaces`.
pub(super) fn made_public(made: &MoveMade, replaces: bool, board: &BoardId) -> Option<Draft> {
    let body = played(made, board).filter(|_| replaces || made.record.kind != PlyKind::Null)?;
    Some(event(format!("broadcast/{board}/move"), body))
}

/// The message that plies were taken back.
pub(super) fn retracted_public(to_ply: u32, at: Tick, board: &BoardId) -> Draft {
    event(format!("broadcast/{board}/move"), retracted(to_ply, at, board))
}

fn event(path: String, body: Object) -> Draft {
    Draft { path, retain: false, body: Some(body) }
}

/// `text` as part of a topic: what topics give a meaning becomes `_`. Nothing is cut off, or two
/// long ids could share a topic.
fn part(text: &str) -> String {
    let safe = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let out: String = text.chars().map(|c| if safe(c) { c } else { '_' }).collect();
    if out.is_empty() { "_".to_owned() } else { out }
}

fn alert_drafts(alert: &Alert, board: &BoardId) -> Vec<Draft> {
    let document = alert_document(alert);
    let open = alert.state == AlertState::Open;
    vec![
        event(format!("arbiter/{board}/log"), document.clone()),
        Draft {
            path: format!("arbiter/{board}/alerts/{}", part(&alert.id)),
            retain: true,
            body: open.then_some(document),
        },
    ]
}

/// A finding that opens no alert goes to the log alone; the others are in their alert.
fn noted(finding: &Finding, board: &BoardId) -> Option<Draft> {
    if finding.severity >= Severity::Check {
        return None;
    }
    let mut body = object([("schema", "jadoube.finding/1".into()), ("board", board.as_str().into())]);
    body.extend(fields::finding(finding));
    body.extend(object([
        ("ply", finding.facts.ply.into()),
        ("pressed_t_ms", fields::ms(finding.facts.pressed_at)),
        ("evidence", json!([finding.facts.evidence.0, finding.facts.evidence.1])),
    ]));
    body.extend(finding.facts.order.map(fields::order));
    Some(event(format!("arbiter/{board}/log"), body))
}

/// Named apart from the finding, so that a reader who drops repeats of (id, revision) keeps it.
fn withdrawn(id: &str, at: Tick, board: &BoardId) -> Object {
    object([
        ("schema", "jadoube.withdraw/1".into()),
        ("board", board.as_str().into()),
        ("id", format!("{id}.withdrawn").into()),
        ("revision", 0.into()),
        ("finding", id.into()),
        ("t_ms", at.ms().into()),
    ])
}

/// A ply as the public sees it; `None` for one that is no move.
///
/// Neither legality nor the press is told: both would help a player.
pub(super) fn played(made: &MoveMade, board: &BoardId) -> Option<Object> {
    let record = &made.record;
    let mut body = object([
        ("schema", "jadoube.move/1".into()),
        ("board", board.as_str().into()),
        ("kind", "move".into()),
        ("ply", made.ply.into()),
        ("revision", made.revision.into()),
    ]);
    if record.kind == PlyKind::Null {
        // Only a correction needs saying: there was a move here, there is none now.
        body.insert("kind".to_owned(), "void".into());
        body.insert("t_ms".to_owned(), made.at.ms().into());
        return (made.revision > 0).then_some(body);
    }
    body.extend(object([
        ("side", record.side.to_string().into()),
        ("uci", record.uci.as_str().into()),
        ("san", record.san.as_str().into()),
        ("fen", record.fen.as_str().into()),
        ("clock", fields::dials(record.dials)),
        ("t_ms", made.at.ms().into()),
    ]));
    if record.by == Completed::Inferred {
        // Concluded from the board after something was not seen.
        body.insert("inferred".to_owned(), true.into());
    }
    if record.piece_assumed {
        body.insert("piece".to_owned(), "assumed".into());
    }
    if record.stories > 1 {
        body.insert("candidates".to_owned(), record.stories.into());
    }
    Some(body)
}

fn retracted(to_ply: u32, at: Tick, board: &BoardId) -> Object {
    object([
        ("schema", "jadoube.move/1".into()),
        ("board", board.as_str().into()),
        ("kind", "retract".into()),
        ("to_ply", to_ply.into()),
        ("t_ms", at.ms().into()),
    ])
}

fn board_state(state: &BoardState, board: &BoardId) -> Object {
    let watched = match state.watched {
        Watched::Yes => json!({"watched": true}),
        Watched::No { since, why } => json!({"watched": false, "since_t_ms": since.ms(), "why": why}),
    };
    let junk: Object = state.junk.iter().map(|(why, count)| ((*why).to_owned(), (*count).into())).collect();
    object([
        ("schema", "jadoube.state/1".into()),
        ("board", board.as_str().into()),
        ("t_ms", state.at.ms().into()),
        ("watch", watched),
        ("sensed", state.sensed.as_str().into()),
        ("recorded", state.recorded.as_str().into()),
        ("ply", state.ply.into()),
        ("to_move", state.turn.to_string().into()),
        ("clock", fields::dials(state.dials)),
        ("running", fields::side(state.running)),
        ("signal", state.signal.word().map_or(Value::Null, Value::from)),
        ("offences", json!({"white": state.offences.0, "black": state.offences.1})),
        ("open_alerts", state.open_alerts.iter().map(|id| Value::from(id.as_str())).collect()),
        ("episode", state.episode.as_ref().map_or(Value::Null, restoring::episode)),
        ("game", state.game.into()),
        ("result", state.result.as_ref().map_or(Value::Null, result)),
        ("pairing", json!({"white": state.pairing.white, "black": state.pairing.black})),
        ("ruleset", state.ruleset.as_str().into()),
        ("clock_set", state.clock_set.map_or(Value::Null, clock_set)),
        ("orders", orders(&state.orders)),
        ("junk", Value::Object(junk)),
        ("calibration", state.calibration.as_deref().map_or(Value::Null, calibration)),
    ])
}

/// A result as an arbiter has entered it.
fn result(entered: &ResultEntered) -> Value {
    json!({
        "score": entered.score,
        "why": entered.why,
        "by": entered.by,
        "t_ms": entered.at.ms(),
    })
}

/// What was set on the clock.
fn clock_set(setting: ClockSetting) -> Value {
    let mut body = json!({"times": fields::dials(Some(setting.dials))});
    body["moves"] = setting.moves.map_or(Value::Null, restoring::counter);
    body
}

/// What people have entered that stands until it is changed.
fn orders(orders: &Orders) -> Value {
    json!({
        "zone": orders.zone.clone().flatten(),
        "profile": orders.profile.as_ref().map(|profile| profile.ruleset.as_str()),
        "start": orders.start,
        "muted": orders.muted.iter().map(|code| code.name()).collect::<Vec<_>>(),
        "feed": orders.hold.map(|held| if held { "held" } else { "released" }),
    })
}

/// The times of the board, as a person wants them.
fn calibration(shown: &Calibration) -> Value {
    let span = |span: Option<Span>| span.map_or(Value::Null, |span| span.ms().into());
    json!({
        "lag_ms": shown.lag.most.ms(),
        "waits_ms": shown.waits.ms(),
        "presses": shown.lag.presses,
        "late_presses": shown.lag.late,
        "scan_ms": span(shown.scan.known()),
        "held_back": shown.scan == Resolution::HeldBack,
        "clock_period_ms": span(shown.clock_period),
    })
}

fn answered(response: &Response, board: &BoardId) -> Draft {
    let (ok, key, text) = match &response.outcome {
        Ok(text) => (true, "text", text),
        Err(text) => (false, "error", text),
    };
    let mut body = object([
        ("schema", "jadoube.response/1".into()),
        ("board", board.as_str().into()),
        ("id", response.id.as_str().into()),
        ("verb", response.verb.into()),
        ("ok", ok.into()),
        (key, text.as_str().into()),
    ]);
    if let Some(report) = &response.report {
        body.insert("revision".to_owned(), response.revision.into());
        body.insert("report".to_owned(), Value::Object(report_document(report)));
    }
    event(format!("arbiter/{board}/response/{}", part(response.verb)), body)
}
