//! The list of verbs against what reads and what writes it.

use crate::alerts::request::list::CLAIMS;
use crate::alerts::{CHOICES, Key, KeyKind, VERBS, Verb};
use crate::laws::ClaimKind;
use serde_json::{Map, Value, json};

fn sample(key: &Key) -> Value {
    match key.kind {
        KeyKind::Text => "b1-g1-p9-illegal-move-1".into(),
        // The amount goes with this penalty alone.
        KeyKind::Word(_) if key.name == "penalty" => "time".into(),
        KeyKind::Word(words) => words[words.len() - 1].into(),
        KeyKind::Code => "two-hands".into(),
        KeyKind::Square => "e4".into(),
        KeyKind::Count => 7.into(),
        KeyKind::Counts => json!([1, 3]),
        KeyKind::Fen => "8/8/8/4k3/8/4K3/8/8 w - - 0 1".into(),
        KeyKind::RuleSet => "fide-2023/blitz-b3".into(),
        KeyKind::Moment => 1_764_511_382_000_u64.into(),
    }
}

/// What is listed is read, and what is read is written again under the same keys.
#[test]
fn every_verb_of_the_list_is_read_and_written() {
    for shape in VERBS.iter().filter(|shape| !CHOICES.contains(&shape.name)) {
        for all in [true, false] {
            let keys = shape.keys.iter().filter(|key| all || key.needed);
            let object: Map<String, Value> = keys.map(|key| (key.name.to_owned(), sample(key))).collect();
            let verb = Verb::read(shape.name, &object).unwrap();
            assert_eq!(verb.word(), shape.name);
            let written = verb.keys();
            assert_eq!(Verb::read(shape.name, &written), Ok(verb), "{}", shape.name);
            for (name, value) in &object {
                assert_eq!(written.get(name), Some(value), "{}", shape.name);
            }
        }
    }
}

#[test]
fn every_claim_can_be_named() {
    let known: Vec<&str> = ClaimKind::ALL.iter().map(|kind| kind.word()).collect();
    assert_eq!(known, CLAIMS);
}

#[test]
fn of_some_verbs_exactly_one_key_is_given() {
    for shape in VERBS.iter().filter(|shape| CHOICES.contains(&shape.name)) {
        let read = |keys: &[Key]| {
            let object: Map<String, Value> =
                keys.iter().map(|key| (key.name.to_owned(), sample(key))).collect();
            (Verb::read(shape.name, &object), object)
        };
        for key in shape.keys {
            let (verb, object) = read(&[*key]);
            assert_eq!(verb.map(|verb| verb.keys()), Ok(object));
        }
        assert!(read(&[]).0.is_err() && read(&shape.keys[..2]).0.is_err());
    }
}

#[test]
fn a_key_that_is_needed_is_asked_for_by_name() {
    for shape in VERBS {
        for missing in shape.keys.iter().filter(|key| key.needed) {
            let keys = shape.keys.iter().filter(|key| key.name != missing.name);
            let object = keys.map(|key| (key.name.to_owned(), sample(key))).collect();
            let why = Verb::read(shape.name, &object).unwrap_err();
            assert!(why.contains(&format!("\"{}\" is missing", missing.name)), "{why}");
        }
    }
}

/// Keys that go together, or not, are refused by name and with what would be right.
#[test]
fn keys_that_do_not_go_together_are_refused() {
    for (verb, keys, said) in [
        ("rule", json!({"alert": "a", "ruling": "upheld", "penalty": "time"}), "how much time"),
        (
            "rule",
            json!({"alert": "a", "ruling": "upheld", "penalty": "loss", "seconds": 9}),
            "\"time\" alone",
        ),
        ("rule", json!({"alert": "a", "ruling": "upheld", "seconds": 9}), "\"time\" alone"),
        ("profile", json!({"ruleset": "event", "base_s": 300}), "its own times"),
        ("profile", json!({"ruleset": "fide-2023/standard", "inc_s": 3}), "goes with \"base_s\""),
        ("profile", json!({"ruleset": "chess"}), "use event, fide-2023/standard"),
        ("clock-set", json!({"white_s": 1, "black_s": 1, "white_moves": 3}), "both"),
        ("position", json!({"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}), "both kings"),
        ("new-game", json!({"fen": "what"}), "both kings"),
        ("contacts", json!({"seconds": 0}), "1 to 600"),
        ("contacts", json!({"seconds": 601}), "1 to 600"),
        ("result", json!({"result": "2-0"}), "\"1-0\""),
    ] {
        let Value::Object(object) = keys else { panic!("an object") };
        let why = Verb::read(verb, &object).unwrap_err();
        assert!(why.contains(said), "{verb}: {why}");
    }
}
