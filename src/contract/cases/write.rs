//! Advice on a case as a line of JSON.

use serde_json::{Value, json};
use shakmaty::{ByColor, Color, Square};

use crate::contract::fields::{Object, object};
use crate::laws::{Asked, Duty, Proposal, Rules, Topic};
use crate::mating::CanStillMate;

/// The line for one case.
#[must_use]
pub fn advice_line(id: &str, proposal: &Proposal, rules: &Rules) -> String {
    json!({"id": id, "advice": Value::Object(advice(proposal, rules))}).to_string()
}

/// The line for a case that cannot be read.
#[must_use]
pub fn error_line(id: &str, why: &str) -> String {
    json!({"id": id, "error": why}).to_string()
}

fn advice(proposal: &Proposal, rules: &Rules) -> Object {
    let mut out = object([
        ("finding", proposal.finding.map_or(Value::Null, |topic| topic.name().into())),
        ("consequence", proposal.consequence.word().into()),
        ("offence_number", proposal.offence.into()),
        ("articles", json!(proposal.articles)),
        (
            "penalty",
            proposal
                .penalty
                .map_or(Value::Null, |(to, seconds)| json!({"to": to.to_string(), "seconds": seconds})),
        ),
        ("result", proposal.result.map_or(Value::Null, |score| score.word().into())),
        ("restore", json!(proposal.restore)),
        ("replacement", proposal.replacement.as_ref().map_or(Value::Null, |duty| replacement(duty, rules))),
        ("offences_after", counts(proposal.offences_after)),
        (
            "window",
            proposal.window.map_or(Value::Null, |(closes, open)| json!({"closes": closes, "open": open})),
        ),
        ("mate_possible", mates(&proposal.asked)),
        ("clocks", proposal.clocks.iter().map(|step| step.word()).collect()),
        ("confidence", confidence(proposal, rules).into()),
    ]);
    let mut optional = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            out.insert(key.to_owned(), value);
        }
    };
    let names =
        |topics: &[Topic]| Value::from(topics.iter().map(|topic| topic.name()).collect::<Vec<&str>>());
    optional("also", (!proposal.also.is_empty()).then(|| names(&proposal.also)));
    optional("claim", proposal.claim.map(|claim| claim.word().into()));
    optional("position_in_force", proposal.in_force.clone().map(Value::from));
    let settings: Vec<&str> = proposal.settled_by.iter().map(|id| id.setting().name).collect();
    optional("settable_by", (!settings.is_empty()).then(|| settings.into()));
    optional("if_claimed", proposal.if_claimed.as_ref().map(|then| Value::Object(advice(then, rules))));
    out
}

fn counts(both: ByColor<u32>) -> Value {
    json!({"white": both.white, "black": both.black})
}

/// The article a duty follows from: the last named, where a matter has several.
pub(super) fn rule_of(duty: &Duty, rules: &Rules) -> String {
    rules.articles(duty.rule).last().map_or_else(String::new, |article| (*article).to_owned())
}

fn replacement(duty: &Duty, rules: &Rules) -> Value {
    let squares = |list: &[Square]| list.iter().map(ToString::to_string).collect::<Vec<String>>();
    json!({
        "by": color(duty.by),
        "rule": rule_of(duty, rules),
        "must_move": squares(&duty.must_move),
        "must_capture": squares(&duty.must_capture),
        "legal": duty.legal,
    })
}

fn color(color: Color) -> String {
    color.to_string()
}

/// Where nothing is proven, the answer is null.
fn mates(asked: &[Asked]) -> Value {
    if asked.is_empty() {
        return Value::Null;
    }
    let one = |asked: &Asked| {
        let answer = match asked.answer {
            CanStillMate::Yes => Value::Bool(true),
            CanStillMate::No => Value::Bool(false),
            CanStillMate::NotProven => Value::Null,
        };
        json!({"position": asked.fen, "winner": color(asked.winner), "answer": answer})
    };
    asked.iter().map(one).collect()
}

/// What the advice rests on.
fn confidence(proposal: &Proposal, rules: &Rules) -> &'static str {
    if !proposal.settled_by.is_empty() {
        "unsettled"
    } else if rules.known_by == "quotation" {
        "secondary"
    } else {
        "law"
    }
}
