//! Worked cases as events: each is played as contacts and presses through the whole table, and the
//! alert says what the case expects.
//!
//! What sensors cannot see, or people have no request for, stands in [`EXCEPTIONS`] with its reason;
//! an exception that no longer differs is an error too.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

#[path = "support/script.rs"]
mod script;
#[path = "support/streams.rs"]
mod streams;
#[path = "support/worked.rs"]
mod worked;

use std::collections::BTreeMap;

use jadoube::alerts::Alert;
use jadoube::laws::{May, Rules, RuleSet, Severity, Starts};
use jadoube::table::Publish;
use serde_json::Value;
use streams::Until;
use worked::Worked;

/// Cases whose events cannot give the same advice: why, and which.
const EXCEPTIONS: &[(&str, &[&str])] = &[];

/// The alerts that a script ends with.
fn alerts(text: &str) -> Vec<Alert> {
    let script = script::parse(text);
    let mut last: BTreeMap<String, Alert> = BTreeMap::new();
    for item in script::published(&script::inputs(&script)) {
        if let Publish::Alert(alert) = item {
            last.insert(alert.id.clone(), *alert);
        }
    }
    last.into_values().filter(|alert| alert.ruling.is_none() && alert.asks()).collect()
}

/// Requests that tell what the arbiter has seen.
fn told(case: &Worked, before: &[Alert]) -> Vec<String> {
    let rules = Rules::plain(RuleSet::by_key(case.ruleset()).unwrap());
    let seen = case.facts["arbiter_observed"] == true && rules.starts == Starts::ObservedOrClaimed;
    let ids = before.iter().filter(|alert| seen && alert.advice.may == May::IfSeenOrClaimed);
    ids.map(|alert| format!("ask:seen,alert={},what=action", alert.id.trim_start_matches("t-g1-"))).collect()
}

/// What of the case the alert does not say; an empty list where it agrees.
fn differences(case: &Worked) -> Result<Vec<String>, streams::CannotBePlayed> {
    let first = alerts(&streams::script(&case.facts, Until::Act, &[])?);
    let asked = told(case, &first);
    let all = alerts(&streams::script(&case.facts, Until::End, &asked)?);
    let expected = &case.expected;
    let Some(code) = expected["finding"].as_str() else {
        let loud = all.iter().filter(|alert| alert.primary().severity >= Severity::Check);
        return Ok(loud.map(|alert| format!("raises {}", alert.id)).collect());
    };
    let names = |alert: &&Alert| alert.findings.iter().any(|finding| finding.code.name() == code);
    let Some(alert) = all.iter().find(names) else {
        let there: Vec<&str> = all.iter().map(|alert| alert.id.as_str()).collect();
        return Ok(vec![format!("no alert of {code}: {there:?}")]);
    };
    Ok(compare(alert, expected))
}

fn compare(alert: &Alert, expected: &Value) -> Vec<String> {
    let advice = &alert.advice;
    let mut out = Vec::new();
    let mut same = |key: &str, ours: Value| {
        if let Some(wanted) = expected.get(key)
            && *wanted != ours
        {
            out.push(format!("{key}: {ours}, wanted {wanted}"));
        }
    };
    same("offence_number", advice.offence.into());
    let time = advice.time.map(|gift| serde_json::json!({"to": gift.to.to_string(), "seconds": gift.seconds}));
    same("penalty", time.unwrap_or(Value::Null));
    let decided = ["loss", "draw", "win-claim", "game-ended"];
    if decided.iter().any(|word| expected["consequence"] == *word) {
        same("result", advice.result.map_or(Value::Null, |score| score.word().into()));
    }
    same("restore", advice.restore.as_ref().map_or(Value::Null, |back| back.fen.clone().into()));
    if let Some(legal) = expected["replacement"].get("legal") {
        let ours = advice.replacement.as_ref().map(|duty| duty.legal.clone());
        if serde_json::json!(ours) != *legal {
            out.push(format!("replacement: {ours:?}, wanted {legal}"));
        }
    }
    if expected["window"]["closes"] == "opponent-release" && expected["window"]["open"] != advice.window_open() {
        out.push(format!("window: {:?}, wanted {}", advice.window, expected["window"]));
    }
    let named: Vec<&str> = advice.article.as_deref().unwrap_or_default().split(", ").collect();
    for article in expected["articles"].as_array().into_iter().flatten() {
        if !named.contains(&article.as_str().unwrap_or_default()) {
            out.push(format!("article {article} is not among {named:?}"));
        }
    }
    out
}

#[test]
fn cases_played_as_events_give_the_same_advice() {
    let mut wrong = Vec::new();
    let mut excepted: BTreeMap<&str, bool> =
        EXCEPTIONS.iter().flat_map(|(_, ids)| ids.iter().map(|id| (*id, false))).collect();
    let (mut all, mut agree) = (0, 0);
    for case in worked::all() {
        all += 1;
        let found = match differences(&case) {
            Ok(found) => found,
            Err(why) => vec![format!("cannot be played: {why}")],
        };
        agree += usize::from(found.is_empty());
        match (excepted.get_mut(case.id.as_str()), found.is_empty()) {
            (Some(fails), false) => *fails = true,
            (None, false) => wrong.push(format!("{} ({}): {}", case.id, case.expected["consequence"], found.join("; "))),
            _ => {}
        }
    }
    let spare: Vec<&str> = excepted.iter().filter(|(_, fails)| !**fails).map(|(id, _)| *id).collect();
    println!("{agree} of {all} cases give the same advice as events");
    assert!(spare.is_empty(), "no exceptions any more: {}", spare.join(", "));
    assert!(wrong.is_empty(), "{} of {all} differ:\n{}", wrong.len(), wrong.join("\n"));
}
