//! Worked cases: facts in, advice out, compared field by field with what each case expects.
//!
//! The cases of the project are always compared; those of a shared folder where there is one.

#[path = "support/worked.rs"]
mod worked;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;

use jadoube::contract::{CaseOfFile, advice_line, error_line, read_cases};
use jadoube::laws::{RuleSet, propose};
use jadoube::mating::{Budget, CanStillMate, can_still_mate};
use serde_json::Value;
use shakmaty::Color;

thread_local! {
    /// Answers of the mating solver: the same questions come up under every rule set.
    static SOLVED: RefCell<BTreeMap<(String, bool), CanStillMate>> = RefCell::default();
}

fn solved(fen: &str, side: Color) -> CanStillMate {
    let question = (fen.to_owned(), side.is_white());
    let known = SOLVED.with_borrow(|all| all.get(&question).copied());
    known.unwrap_or_else(|| {
        let answer = can_still_mate(fen, side, Budget::DECIDES).verdict();
        SOLVED.with_borrow_mut(|all| all.insert(question, answer));
        answer
    })
}

/// What is compared exactly where a case expects it.
const EXACT: &[&str] = &[
    "finding",
    "consequence",
    "offence_number",
    "penalty",
    "result",
    "restore",
    "replacement",
    "offences_after",
    "window",
    "mate_possible",
    "claim",
    "position_in_force",
];

/// The advice on a case as a reader of the line gets it.
fn advice(case: &CaseOfFile) -> Value {
    let read = case.read.as_ref().unwrap_or_else(|why| panic!("{}: {why}", case.id));
    let proposal = propose(&read.case, &read.rules, &solved);
    let line: Value = serde_json::from_str(&advice_line(&case.id, &proposal, &read.rules)).unwrap();
    line["advice"].clone()
}

fn contains(ours: &Value, theirs: &Value) -> bool {
    let ours = ours.as_array().map(Vec::as_slice).unwrap_or_default();
    theirs.as_array().is_none_or(|list| list.iter().all(|item| ours.contains(item)))
}

/// What differs between the advice and what a case expects.
fn differences(id: &str, ours: &Value, expected: &Value) -> Vec<String> {
    let mut out = Vec::new();
    let mut differ = |key: &str| {
        out.push(format!("{id} {key}\n    ours   {}\n    wanted {}", ours[key], expected[key]));
    };
    for key in EXACT.iter().filter(|key| expected.get(**key).is_some()) {
        if ours.get(*key).unwrap_or(&Value::Null) != &expected[*key] {
            differ(key);
        }
    }
    for key in ["articles", "also"] {
        if !contains(&ours[key], &expected[key]) {
            differ(key);
        }
    }
    if expected.get("clocks").is_some() && ours["clocks"] != expected["clocks"] {
        differ("clocks");
    }
    let raised = [&ours["finding"]].into_iter().chain(ours["also"].as_array().into_iter().flatten());
    let absent = expected["absent"].as_array().map(Vec::as_slice).unwrap_or_default();
    for name in raised.filter(|name| absent.contains(name)) {
        out.push(format!("{id} raises {name}, which must be absent"));
    }
    out
}

fn compare(path: &PathBuf) {
    let cases = worked::of_file(path);
    let mut wrong = Vec::new();
    for case in &cases {
        wrong.extend(differences(&case.id, &advice(&case.read()), &case.expected));
    }
    assert!(wrong.is_empty(), "{} differences in {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn shared_cases_come_right() {
    let Some(shared) = std::env::var_os("JADOUBE_SHARED") else { return };
    let path = PathBuf::from(shared).join("cases/laws.json");
    if path.is_file() {
        compare(&path);
    }
}

#[test]
fn cases_of_the_project_come_right() {
    for file in worked::files() {
        compare(&file);
    }
}

/// What must hold of any advice, whatever the case.
fn sane(id: &str, advice: &Value, key: &str) {
    let at = format!("{id} under {key}: {advice}");
    let consequence = advice["consequence"].as_str().unwrap();
    let result = &advice["result"];
    match consequence {
        "loss" | "win-claim" => assert!(*result == "1-0" || *result == "0-1", "{at}"),
        "draw" => assert_eq!(*result, "1/2-1/2", "{at}"),
        "stands" | "claimable" | "must-correct" | "none" | "director-silent" => {
            assert!(result.is_null() && advice["penalty"].is_null(), "{at}");
            assert!(advice["offence_number"].is_null(), "{at}");
        }
        _ => {}
    }
    if !advice["penalty"].is_null() {
        assert!(advice["offence_number"].is_u64() && advice["window"]["open"] == true, "{at}");
    }
    let legal = advice["replacement"]["legal"].as_array();
    assert!(legal.is_none_or(|moves| !moves.is_empty() || consequence == "draw"), "{at}");
}

#[test]
fn every_case_has_sane_advice_under_every_rule_set() {
    let cases = worked::all();
    for set in RuleSet::ALL {
        for case in cases.iter().filter(|case| !case.id.contains('@')) {
            let mut facts = case.facts.clone();
            (facts["ruleset"], facts["event"]) = (set.key.into(), Value::Null);
            let case = worked::Worked { facts, id: case.id.clone(), expected: Value::Null }.read();
            let once = advice(&case);
            assert_eq!(once, advice(&case), "{}: advice is a pure function", case.id);
            sane(&case.id, &once, set.key);
        }
    }
}

/// Values that no key of the facts has, or only by accident.
fn odd_values() -> Vec<Value> {
    let long = "x".repeat(20_000);
    serde_json::from_str::<Value>(&format!(
        r#"[null, true, -1, 0, 1, 3, 1e300, 18446744073709551615, "", "white", "e9", "{long}", [], [[]], [null], {{}},
            {{"white": -1}}, {{"by": "both", "lift": "e2"}}, "8/8/8/8/8/8/8/8 w - - 0 1",
            "9/8/8/8/8/8/8/8 w - - 0 1", "4k3/P7/8/8/8/8/7p/4K3 b - - 4294967295 4294967295",
            "4k3/8/8/8/8/8/8/4K2R w HhAa - 9999 9999", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq e6 0 0", "kkkkkkkk/8/8/8/8/8/8/KKKKKKKK b KQkq e3 99999 99999"]"#
    ))
    .unwrap()
    .as_array()
    .unwrap()
    .clone()
}

/// The places of a value, and those below it.
fn places(value: &Value, at: &str, out: &mut Vec<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| places(value, &format!("{at}/{key}"), out)),
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(n, value)| places(value, &format!("{at}/{n}"), out));
        }
        _ => {}
    }
    out.push(at.to_owned());
}

/// Whatever stands in the facts, each case gives one line: advice, or an error that says why.
#[test]
fn odd_facts_give_one_line_each() {
    let odd = odd_values();
    let unproven = |_: &str, _: Color| CanStillMate::NotProven;
    for (number, case) in worked::all().iter().enumerate() {
        let mut all = Vec::new();
        places(&case.facts, "", &mut all);
        // Each value comes to each place of some case; all at all places would take minutes.
        for (place, at) in all.iter().filter(|at| !at.is_empty()).enumerate() {
            for value in odd.iter().skip((number + place) % 6).step_by(6) {
                let mut facts = case.facts.clone();
                *facts.pointer_mut(at).unwrap() = value.clone();
                let case = worked::Worked { facts, id: case.id.clone(), expected: Value::Null }.read();
                let line = match &case.read {
                    Ok(read) => {
                        advice_line(&case.id, &propose(&read.case, &read.rules, &unproven), &read.rules)
                    }
                    Err(why) => error_line(&case.id, &why.to_string()),
                };
                assert!(!line.contains('\n') && line.len() < 60_000, "{} {at}: {line}", case.id);
            }
        }
    }
}

#[test]
fn keys_that_are_missing_are_not_known() {
    let unproven = |_: &str, _: Color| CanStillMate::NotProven;
    for case in worked::all() {
        let keys: Vec<String> = case.facts.as_object().unwrap().keys().cloned().collect();
        for key in keys {
            let mut facts = case.facts.clone();
            facts.as_object_mut().unwrap().remove(&key);
            let case = worked::Worked { facts, id: case.id.clone(), expected: Value::Null }.read();
            match case.read {
                Ok(read) => drop(propose(&read.case, &read.rules, &unproven)),
                Err(why) => assert!(["ruleset", "situation"].contains(&key.as_str()), "{key}: {why}"),
            }
        }
    }
}

#[test]
fn what_cannot_be_read_is_said_and_the_rest_goes_on() {
    let good = r#"{"id":"a","facts":{"ruleset":"fide-2023/standard","situation":"counter-mismatch"}}"#;
    let rows = [
        (r#"{"id":"b"}"#, "no facts"),
        (r#"{"id":"b","facts":{"ruleset":"fide-1997/x","situation":"action"}}"#, "fide-2023/standard"),
        (r#"{"id":"b","facts":{"ruleset":"uscf/blitz","situation":"party"}}"#, "one of action"),
        (r#"{"id":"b","facts":{"ruleset":"uscf/blitz"}}"#, "no situation"),
        (r#"{"id":"b","facts":{"ruleset":"uscf/blitz","situation":"action","position":"x"}}"#, "no FEN"),
        (r#"{"id":"b","facts":{"ruleset":"uscf/blitz","situation":"action","event":{"x":1}}}"#, "b2_seconds"),
        (
            r#"{"id":"b","facts":{"ruleset":"uscf/blitz","situation":"action","contacts":[1]}}"#,
            "contacts is 1",
        ),
    ];
    for (bad, word) in rows {
        let cases = read_cases(&format!("{{\"cases\":[{bad},{good}]}}")).unwrap();
        let why = cases[0].read.as_ref().unwrap_err().to_string();
        assert!(why.contains(word), "{word:?} is not in {why:?}");
        assert!(cases[0].id == "b" && cases[1].read.is_ok());
    }
    assert!(read_cases("{").is_err() && read_cases("{}").is_err() && read_cases("3").is_err());
}
