//! The alert document: the head an arbiter reads first, then everything asked at the board.

use serde_json::{Value, json};
use shakmaty::Color;

use super::fields::{self, Object, object};
use super::mating::mating;
use super::restoring;
use crate::alerts::{Alert, AlertState, Decision, Note, Outcome, Restoring};
use crate::laws::{Advice, Facts, Finding};

/// The JSON object of an alert: the same on its retained topic, on the log and for cards.
#[must_use]
pub fn alert_document(alert: &Alert) -> Object {
    let finding = alert.primary();
    let mut doc = object([("schema", "jadoube.alert/1".into()), ("board", alert.board.as_str().into())]);
    doc.extend(fields::finding(finding));
    doc.insert("revision".to_owned(), alert.revision.into());
    doc.extend(object([
        ("state", alert.state.word().into()),
        ("notify", alert.notify.word().into()),
        ("at", alert.at.ms().into()),
        ("head", head(alert, finding)),
    ]));
    doc.extend(at_the_board(alert, &finding.facts, &alert.advice));
    let all = alert.findings.iter().map(|each| Value::Object(fields::finding(each))).collect();
    doc.insert("findings".to_owned(), all);
    doc.insert("ruling".to_owned(), ruling(alert));
    doc.extend(care(alert));
    doc
}

/// What is read in two seconds: parts in reading order, each with a stable id and English text.
fn head(alert: &Alert, finding: &Finding) -> Value {
    let part = |part: &str, id: String, text: String| json!({"part": part, "id": id, "text": text});
    let colour = match finding.side {
        Some(Color::White) => ("colour-white", "White"),
        Some(Color::Black) => ("colour-black", "Black"),
        None => ("colour-unknown", "nobody named"),
    };
    let (may, may_text) = match (alert.state, &alert.ruling) {
        (AlertState::Withdrawn, _) => ("may-withdrawn".to_owned(), "withdrawn, nothing to do".to_owned()),
        (_, Some(ruling)) => {
            (format!("may-ruled-{}", ruling.outcome.word()), ruled(ruling.outcome).to_owned())
        }
        (AlertState::Closed, None) => ("may-closed".to_owned(), "closed".to_owned()),
        (AlertState::Open, None) => {
            (format!("may-{}", alert.advice.may.word()), alert.advice.may.text().to_owned())
        }
    };
    Value::Array(vec![
        part("table", "table".to_owned(), format!("board {}", alert.board)),
        part("colour", colour.0.to_owned(), colour.1.to_owned()),
        part("may", may, may_text),
        part("what", format!("what-{}", finding.code.name()), finding.what.clone()),
        part("consequence", consequence_id(&alert.advice), alert.advice.consequence.clone()),
        part(
            "certainty",
            format!("certainty-{}", finding.certainty.word()),
            finding.certainty.word().to_owned(),
        ),
    ])
}

const fn ruled(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Ruled(Decision::Upheld) => "ruled: upheld",
        Outcome::Ruled(Decision::Dismissed) => "ruled: dismissed",
        Outcome::Ruled(Decision::Stands) => "ruled: it stands",
        Outcome::Ruled(Decision::Noted) => "ruled: noted",
        Outcome::AgreedCorrection => "the players go back by agreement",
    }
}

/// The stable id of the kind of consequence.
fn consequence_id(advice: &Advice) -> String {
    match (advice.offence, advice.time, &advice.mating) {
        (Some(number), Some(_), _) => format!("consequence-offence-{number}-time"),
        (Some(number), None, Some(_)) => format!("consequence-offence-{number}-loss-if-mate"),
        (Some(number), None, None) => format!("consequence-offence-{number}"),
        (None, _, Some(_)) => "consequence-flag-if-mate".to_owned(),
        (None, _, None) => format!("consequence-{}", advice.may.word()),
    }
}

/// What is asked on opening the card, in the order it is asked.
fn at_the_board(alert: &Alert, facts: &Facts, advice: &Advice) -> Object {
    let next = advice.to_move.or(facts.to_move);
    let mut out = object([
        (
            "last_correct",
            json!({
                "fen": facts.last_correct_fen,
                "ply": facts.last_correct_ply,
                "to_move": fields::side(facts.to_move),
            }),
        ),
        (
            "found",
            json!({"game": facts.game, "ply": facts.ply, "t_ms": alert.primary().at.ms(), "wood": facts.wood}),
        ),
        ("tried", facts.tried.as_deref().map_or(Value::Null, Value::from)),
        ("action", action(alert, facts)),
        ("pressed_t_ms", fields::ms(facts.pressed_at)),
        ("offences", json!({"white": alert.offences.0, "black": alert.offences.1})),
        ("ruleset", alert.ruleset.as_str().into()),
        ("format", alert.format.into()),
        ("regime", alert.regime.as_str().into()),
        ("clock_then", fields::dials(facts.dials_then)),
        ("clock_now", fields::dials(facts.dials_now)),
        ("may", advice.may.word().into()),
        ("consequence", advice.consequence.as_str().into()),
        ("article", advice.article.clone().map_or(Value::Null, Value::from)),
        ("offence", advice.offence.map_or(Value::Null, Value::from)),
        ("time", time(advice)),
        ("mating", mating(alert)),
        ("restore", restore(advice)),
        ("next_to_move", fields::side(next)),
        ("replacement", replacement(advice)),
        ("steps", advice.steps.iter().map(|step| Value::from(step.as_str())).collect()),
        ("window", window(advice)),
        ("result", advice.result.map_or(Value::Null, |score| score.word().into())),
        ("what_if", json!({"upheld": advice.if_upheld, "not": advice.if_not})),
        ("seen_by", alert.seen_by.as_deref().map_or(Value::Null, Value::from)),
        ("evidence", json!([facts.evidence.0, facts.evidence.1])),
    ]);
    out.extend(facts.order.map(fields::order));
    out
}

fn action(alert: &Alert, facts: &Facts) -> Value {
    let step = |(number, step): (usize, &crate::laws::Step)| {
        let mut doc = json!({
            "t_ms": step.at.ms(),
            "square": step.square.to_string(),
            "before": step.before.map(String::from),
            "after": step.piece.map(String::from),
        });
        if alert.struck.contains(&(number + 1)) {
            doc["struck"] = true.into();
        }
        doc
    };
    facts.action.iter().enumerate().map(step).collect()
}

fn time(advice: &Advice) -> Value {
    advice.time.map_or(Value::Null, |gift| json!({"to": gift.to.to_string(), "seconds": gift.seconds}))
}

fn restore(advice: &Advice) -> Value {
    let Some(restore) = &advice.restore else { return Value::Null };
    let touch = |(square, put): &(shakmaty::Square, Option<char>)| json!({"square": square.to_string(), "put": put.map(String::from)});
    let squares: Value = restore.squares.iter().map(touch).collect();
    json!({
        "fen": restore.fen,
        "ply": restore.ply,
        "squares": squares,
        "movements": restoring::movements(&restore.movements),
        "clocks": fields::dials(restore.clocks),
        "counter": restore.counter.map_or(Value::Null, restoring::counter),
    })
}

fn replacement(advice: &Advice) -> Value {
    let Some(duty) = &advice.replacement else { return Value::Null };
    json!({"by": duty.by.to_string(), "text": duty.text, "rule": duty.rule, "free": duty.free, "legal": duty.legal})
}

fn window(advice: &Advice) -> Value {
    let Some(window) = advice.window else { return Value::Null };
    json!({"open": advice.window_open(), "state": window.state.word(), "text": window.text})
}

fn ruling(alert: &Alert) -> Value {
    let Some(ruling) = &alert.ruling else { return Value::Null };
    json!({
        "ruling": ruling.outcome.word(),
        "why": ruling.why,
        "by": ruling.by,
        "t_ms": ruling.at.ms(),
        "request": ruling.request,
        "penalty": ruling.penalty.map(|penalty| json!({"kind": penalty.kind, "seconds": penalty.seconds})),
        "protest": ruling.protest.as_ref().map(|protest| {
            json!({
                "player": protest.player.to_string(),
                "what": protest.what,
                "by": protest.by,
                "t_ms": protest.at.ms(),
            })
        }),
    })
}

/// Who takes care of it, and what else speaks about it.
fn care(alert: &Alert) -> Object {
    let going = alert.acknowledged.as_ref().map_or(
        Value::Null,
        |going| json!({"by": going.by, "handed_by": going.handed_by, "t_ms": going.at.ms()}),
    );
    let note =
        |note: &Note| json!({"from": note.from, "what": note.what, "by": note.by, "t_ms": note.at.ms()});
    object([
        ("zone", json!(alert.zone)),
        ("acknowledged", going),
        ("repeats", json!(alert.repeats)),
        ("restoring", json!(alert.restoring.map(Restoring::word))),
        ("notes", alert.notes.iter().map(note).collect()),
    ])
}
