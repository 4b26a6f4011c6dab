//! The rules of this repository that no compiler checks, as tests. What a message asks for is what
//! `CONTRIBUTING.md` asks for.

mod edges;
mod licences;
mod readme;
mod source;
mod style;

use std::fs;
use std::path::Path;

use jadoube::laws::RULES;
use source::{root, tracked};

/// Findings that must have a worked example in `fixtures/laws/`, one folder each.
const WITH_FIXTURE: &[&str] = &[
    "illegal-move",
    "press-without-move",
    "press-move-incomplete",
    "pawn-not-promoted",
    "displaced-pieces",
    "wrong-setup",
    "wrong-orientation",
    "castling-rook-first",
    "flag-fall",
    "result-by-kings",
    "game-ended",
    "fivefold",
    "seventy-five",
    "dead-position",
    "threefold",
    "fifty",
    "touch-move",
    "released-piece-moved",
    "adjust-out-of-turn",
    "clock-paused",
    "clock-not-running",
    "premature-result",
];

#[test]
fn rules_have_fixtures() {
    let mut missing = Vec::new();
    for name in WITH_FIXTURE {
        assert!(RULES.iter().any(|rule| rule.name == *name), "{name} is not in RULES");
        let dir = root().join("fixtures/laws").join(name);
        if fs::read_dir(dir).map_or(0, Iterator::count) == 0 {
            missing
                .push(format!("fixtures/laws/{name}/ has nothing in it: add a recording and what it gives"));
        }
    }
    report(missing);
}

#[test]
fn fixtures_have_rules() {
    let Ok(dirs) = fs::read_dir(root().join("fixtures/laws")) else { return };
    let wrong = dirs
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_type().unwrap().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .filter(|name| name != "no-alarm" && !RULES.iter().any(|rule| rule.name == name))
        .map(|name| format!("fixtures/laws/{name}/ is no finding of RULES"));
    report(wrong.collect());
}

#[test]
fn no_paths_of_one_machine() {
    // Put together here, so that this file does not hold them.
    let machine = [["/wo", "rk/"], ["/ro", "ot/"], ["/tmp/", "wt"]].map(|parts| parts.concat());
    let mut wrong = Vec::new();
    for path in tracked() {
        let Ok(text) = fs::read_to_string(root().join(&path)) else { continue };
        for (number, line) in text.lines().enumerate() {
            if let Some(found) = machine.iter().find(|found| line.contains(found.as_str())) {
                wrong.push(format!("{path}:{}: names {found}, which is no place for others", number + 1));
            }
        }
    }
    report(wrong);
}

#[test]
fn every_page_is_there() {
    let pages = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE"];
    let missing = pages.iter().filter(|page| !root().join(page).is_file());
    report(missing.map(|page| format!("{page} is missing")).collect());
}

#[test]
fn links_between_pages_lead_somewhere() {
    let mut wrong = Vec::new();
    for path in tracked().iter().filter(|path| path.ends_with(".md")) {
        let text = fs::read_to_string(root().join(path)).unwrap();
        let from = Path::new(path).parent().unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap();
            if !file.is_empty() && !file.contains("://") && !root().join(from).join(file).exists() {
                wrong.push(format!("{path}: the link to {link} leads nowhere"));
            }
        }
    }
    report(wrong);
}

/// Fails with all that is wrong, one a line.
#[track_caller]
fn report(wrong: Vec<String>) {
    assert!(wrong.is_empty(), "{} to mend:\n  {}", wrong.len(), wrong.join("\n  "));
}
