//! One canonical script a rule, and more: what hands and clock do, and what must come of it.
//!
//! `fixtures/laws/<rule>/<case>.txt` holds settings, script and expectation (see
//! `support/script.rs`). `UPDATE_FIXTURES=1` writes the expectation anew; read the difference
//! before you commit it.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

#[path = "support/script.rs"]
mod script;

use std::path::{Path, PathBuf};

use jadoube::laws::RULES;

fn cases(dir: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(dir).expect("fixtures/laws is there") {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            out.extend(cases(&path));
        } else if path.extension().is_some_and(|e| e == "txt") {
            out.push(path);
        }
    }
    out.sort();
    out
}

#[test]
fn every_script_has_its_outcome() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/laws");
    let all = cases(&dir);
    assert!(all.len() >= 11, "one script a rule at least, found {}", all.len());
    script::compare(&all);
}

#[test]
fn a_folder_names_a_rule_and_its_scripts_show_it() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/laws");
    for path in cases(&dir) {
        let folder = path.parent().and_then(|p| p.file_name()).and_then(|n| n.to_str()).expect("a folder");
        if folder == "no-alarm" {
            let text = std::fs::read_to_string(&path).expect("a readable fixture");
            let script = script::parse(&text);
            assert!(!script.expected.contains("  alert"), "{}: no alert belongs there", path.display());
            continue;
        }
        assert!(RULES.iter().any(|r| r.name == folder), "{folder} is no rule");
        let script = script::parse(&std::fs::read_to_string(&path).expect("a readable fixture"));
        let shown = script.expected.lines().any(|l| l.starts_with(folder));
        assert!(shown, "{}: the rule's finding is not in the expectation", path.display());
    }
}

/// The same inputs give the same bytes, however often and however they are grouped in time.
#[test]
fn a_script_played_twice_gives_identical_lines() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/laws");
    for path in cases(&dir) {
        let script = script::parse(&std::fs::read_to_string(&path).expect("a readable fixture"));
        let inputs = script::inputs(&script);
        let first = script::lines(&inputs);
        assert_eq!(first, script::lines(&inputs), "{}", path.display());
        // Waking a board at its deadlines, or much too often, changes nothing.
        let mut woken = Vec::new();
        for pair in inputs.windows(2) {
            woken.push(pair[0].clone());
            let (from, to) = (pair[0].0.us(), pair[1].0.us());
            let mut at = from;
            while at + 70_000 < to && at < from + 8_000_000 {
                at += 70_000;
                woken.push((jadoube::tick::Tick::from_us(at), jadoube::table::Input::Timer));
            }
        }
        woken.extend(inputs.last().cloned());
        let without_evidence = |lines: Vec<String>| -> Vec<String> {
            lines
                .into_iter()
                .map(|l| l.split(",\"evidence\"").next().unwrap_or_default().to_owned())
                .collect()
        };
        assert_eq!(without_evidence(first), without_evidence(script::lines(&woken)), "{}", path.display());
    }
}
