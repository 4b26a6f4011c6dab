//! The report on a claim as a JSON object.

use serde_json::{Value, json};

use super::fields::{Object, object};
use crate::laws::{Asked, ClaimGap, ClaimReport, Follows};
use crate::mating::CanStillMate;

/// The whole report.
pub(super) fn claim_document(report: &ClaimReport) -> Object {
    let claim = &report.claim;
    object([
        ("player", claim.by.to_string().into()),
        ("of", claim.of.word().into()),
        ("move", json!(claim.written)),
        ("square", claim.square.map_or(Value::Null, |square| square.to_string().into())),
        ("verdict", report.verdict.word().into()),
        ("certainty", report.certainty.word().into()),
        ("summary", report.summary.as_str().into()),
        ("proof", json!(report.proof)),
        ("position", json!(report.position)),
        ("gap", report.gap.as_ref().map_or(Value::Null, gap)),
        (
            "may_claim",
            json!({
                "open": report.may_claim.open,
                "text": report.may_claim.text,
                "articles": report.may_claim.articles,
            }),
        ),
        ("if_right", follows(&report.if_right)),
        ("if_wrong", follows(&report.if_wrong)),
        ("mating", report.asked.iter().map(asked).collect()),
        ("alerts", json!(report.alerts)),
        ("unsettled", json!(report.unsettled)),
    ])
}

fn gap(gap: &ClaimGap) -> Value {
    json!({
        "from_ply": gap.from,
        "to_ply": gap.to,
        "why": gap.why,
        "candidates": gap.candidates,
        "holds": gap.holds.word(),
    })
}

fn follows(follows: &Follows) -> Value {
    json!({
        "text": follows.text,
        "articles": follows.articles,
        "result": follows.result.map(|score| score.word()),
        "time": follows.time.map(|time| json!({"to": time.to.to_string(), "seconds": time.seconds})),
        "restore": follows.restore,
        "legal": follows.legal,
    })
}

fn asked(asked: &Asked) -> Value {
    let answer = match asked.answer {
        CanStillMate::Yes => "yes",
        CanStillMate::No => "no",
        CanStillMate::NotProven => "not-proven",
    };
    json!({"fen": asked.fen, "side": asked.winner.to_string(), "answer": answer})
}
