//! Which stage may use which: the flow has one direction.

use std::collections::BTreeSet;

use crate::report;
use crate::source::Source;

/// Each stage, and those it may use.
const ALLOWED: &[(&str, &[&str])] = &[
    ("tick", &[]),
    ("mating", &[]),
    ("events", &["tick"]),
    ("timeline", &["tick", "events"]),
    ("game", &["tick", "events", "timeline"]),
    ("laws", &["tick", "events", "timeline", "game", "mating"]),
    ("alerts", &["tick", "events", "timeline", "game", "mating", "laws"]),
    ("table", &["tick", "events", "timeline", "game", "mating", "laws", "alerts"]),
    ("journal", &["tick", "events", "mating", "alerts"]),
    ("contract", &["tick", "events", "game", "mating", "laws", "alerts", "table"]),
    ("emulator", &["tick", "events"]),
    ("label", &["tick", "events", "timeline", "game", "laws"]),
    (
        "daemon",
        &[
            "tick", "events", "timeline", "game", "mating", "laws", "alerts", "table", "journal", "contract",
            "emulator", "label",
        ],
    ),
    ("lib", &[]),
    ("main", &[]),
];

/// Single types that may be used beside that, each with its reason.
const BESIDE: &[(&str, &str, &str)] = &[
    ("journal", "table::Input", "what a record holds"),
    ("journal", "table::Publish", "an alert is recorded as it was published"),
    ("journal", "table::Carried", "what was before a later game is its first input"),
    ("journal", "table::Orders", "what people have entered goes on with the next game"),
    ("journal", "laws::RuleId", "which findings are muted is part of that"),
    ("journal", "timeline::Seating", "who sits where is part of that"),
    ("journal", "timeline::Turned", "how the board lies is part of that"),
    ("journal", "laws::Finding", "its words are recorded as they were shown"),
    ("journal", "table::MatingAnswer", "the solver's answer is an input"),
    ("journal", "table::Table", "a table is built again from its journal"),
    ("journal", "table::Effects", "what the table asked for while it was built again"),
    ("journal", "table::MatingQuestion", "what was asked and not answered is asked again"),
    ("alerts", "table::Publish", "what the desk tells"),
];

/// Who may use the crates of `protocols/`.
const BYTES: &[&str] = &["events", "emulator", "daemon"];

#[test]
fn the_flow_has_one_direction() {
    let mut wrong = Vec::new();
    let mut used = BTreeSet::new();
    for file in Source::all() {
        let Some(stage) = file.stage() else { continue };
        let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| *name == stage) else {
            wrong.push(format!("{}: no stage of ALLOWED in tests/tidy/edges.rs", file.path));
            continue;
        };
        for (number, item) in uses(&file) {
            let other = item.split("::").next().unwrap_or_default();
            let beside = BESIDE.iter().find(|(by, what, _)| *by == stage && within(&item, what));
            if let Some((by, what, _)) = beside {
                used.insert((*by, *what));
            } else if other != stage && !allowed.contains(&other) {
                wrong.push(format!("{}:{number}: {stage} must not use {item}", file.path));
            }
        }
    }
    let spare = BESIDE.iter().filter(|(by, what, _)| !used.contains(&(*by, *what)));
    wrong.extend(
        spare.map(|(by, what, _)| format!("BESIDE: {by} no longer uses {what}: take it off the list")),
    );
    report(wrong);
}

#[test]
fn only_the_edge_knows_bytes() {
    let mut wrong = Vec::new();
    for file in Source::all() {
        let Some(stage) = file.stage().filter(|stage| !BYTES.contains(stage)) else { continue };
        for (number, _) in file.code().filter(|(_, line)| line.contains("jadoube_dgt")) {
            wrong.push(format!("{}:{number}: {stage} must not know the bytes of a device", file.path));
        }
    }
    report(wrong);
}

#[test]
fn protocols_know_no_chess() {
    let mut wrong = Vec::new();
    for file in Source::all().into_iter().filter(|file| file.path.starts_with("protocols/")) {
        if file.path.ends_with("/src/lib.rs") && !file.text.contains("#![no_std]") {
            wrong.push(format!("{}: protocol crates are #![no_std]", file.path));
        }
        for (number, _) in file.code().filter(|(_, line)| line.contains("shakmaty")) {
            wrong.push(format!("{}:{number}: protocol crates know no chess", file.path));
        }
    }
    report(wrong);
}

fn within(item: &str, what: &str) -> bool {
    item == what || item.strip_prefix(what).is_some_and(|rest| rest.starts_with("::"))
}

/// What a file uses of the crate: `tick::Tick` for `use crate::tick::{Dial, Tick};`, and so on for
/// each item of a group.
fn uses(file: &Source) -> Vec<(usize, String)> {
    let mut code = String::new();
    let mut starts = Vec::new();
    for (number, line) in file.code() {
        starts.push((code.len(), number));
        code.push_str(line.split(" // ").next().unwrap_or(line));
        code.push('\n');
    }
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let number =
            starts.iter().take_while(|(start, _)| *start <= at).last().map_or(0, |(_, number)| *number);
        let mut items = Vec::new();
        tree(code[at + "crate::".len()..].trim_start(), String::new(), &mut items);
        found.extend(items.into_iter().map(|item| (number, item)));
    }
    found
}

/// Reads one path, or a group of them, and gives what follows it.
fn tree<'a>(text: &'a str, prefix: String, items: &mut Vec<String>) -> &'a str {
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
            if rest.is_empty() || rest.starts_with('}') {
                return rest.strip_prefix('}').unwrap_or(rest);
            }
            let before = rest.len();
            rest = tree(rest, prefix.clone(), items);
            if rest.len() == before {
                return rest;
            }
        }
    }
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '*')).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let path = if prefix.is_empty() { name.to_owned() } else { format!("{prefix}::{name}") };
    match rest.strip_prefix("::") {
        Some(deeper) if !deeper.starts_with('<') => tree(deeper, path, items),
        _ => {
            items.push(path);
            // `Tick as Time`
            rest.strip_prefix(" as ")
                .map_or(rest, |name| name.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_'))
        }
    }
}

#[test]
fn uses_are_read() {
    let text = "use crate::tick::{Dial, Tick as T};\nuse crate::{\n    table::Input, // why\n    laws::{a::B, C},\n};\n// crate::none\nlet x = crate::game::f(1);\n";
    let file = Source { path: "src/x.rs".to_owned(), text: text.to_owned() };
    let items: Vec<String> =
        uses(&file).into_iter().map(|(number, item)| format!("{number} {item}")).collect();
    let wanted = ["1 tick::Dial", "1 tick::Tick", "2 table::Input", "2 laws::a::B", "2 laws::C", "7 game::f"];
    assert_eq!(items, wanted);
}
