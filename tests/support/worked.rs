//! The worked cases of `fixtures/cases/`, read for tests.
//!
//! A case may say what follows from the same facts under other rule sets: `under` names them, each
//! with what is different there. What it does not name of finding and consequence is the same;
//! nothing else is carried over, since editions differ in the rest.
// Each test program uses a part of this.
#![allow(dead_code)]

use std::path::PathBuf;

use jadoube::contract::{CaseOfFile, read_cases};
use serde_json::{Map, Value, json};

/// A case and what is expected of it.
pub struct Worked {
    pub id: String,
    pub facts: Value,
    pub expected: Value,
}

impl Worked {
    /// As the program reads it.
    pub fn read(&self) -> CaseOfFile {
        let file = json!([{"id": self.id, "facts": self.facts}]).to_string();
        read_cases(&file).unwrap().remove(0)
    }

    pub fn ruleset(&self) -> &str {
        self.facts["ruleset"].as_str().unwrap()
    }
}

/// The files of `fixtures/cases/`.
pub fn files() -> Vec<PathBuf> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/cases");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "fixtures/cases/ is empty");
    files
}

/// All cases of a file, those under other rule sets too.
pub fn of_file(path: &PathBuf) -> Vec<Worked> {
    let text = std::fs::read_to_string(path).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let cases = file["cases"].as_array().unwrap();
    assert!(!cases.is_empty(), "{} has no cases", path.display());
    cases.iter().flat_map(expanded).collect()
}

fn expanded(case: &Value) -> Vec<Worked> {
    let id = case["id"].as_str().unwrap();
    let (facts, expected) = (&case["facts"], &case["expected"]);
    let mut out = vec![Worked { id: id.to_owned(), facts: facts.clone(), expected: expected.clone() }];
    for (key, different) in case["under"].as_object().unwrap_or(&Map::new()) {
        let mut facts = facts.clone();
        facts["ruleset"] = key.as_str().into();
        let mut wanted = json!({"finding": expected["finding"], "consequence": expected["consequence"]});
        for (name, value) in different.as_object().unwrap_or_else(|| panic!("{id}: under {key}")) {
            wanted[name] = value.clone();
        }
        assert!(wanted.get("articles").is_some(), "{id} under {key} names no articles");
        out.push(Worked { id: format!("{id}@{key}"), facts, expected: wanted });
    }
    out
}

/// All cases of the project.
pub fn all() -> Vec<Worked> {
    let all: Vec<Worked> = files().iter().flat_map(of_file).collect();
    let mut ids: Vec<&str> = all.iter().map(|case| case.id.as_str()).collect();
    ids.sort_unstable();
    if let Some(twice) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
        panic!("two cases are called {}", twice[0]);
    }
    all
}
