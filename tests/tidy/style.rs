//! How files are written.

use crate::report;
use crate::source::Source;

/// Aim for [`LINES`]; nothing is longer than [`LINES_MAX`].
const LINES: usize = 500;
const LINES_MAX: usize = 700;
const FUNCTION_MAX: usize = 90;

#[test]
fn files_begin_by_saying_what_they_are() {
    let bare = Source::all().into_iter().filter(|file| !file.text.starts_with("//! "));
    report(bare.map(|file| format!("{}: begin with `//! ` and what this file is for", file.path)).collect());
}

#[test]
fn files_are_short() {
    let mut wrong = Vec::new();
    for file in Source::all() {
        let lines = file.text.lines().count();
        if lines > LINES_MAX {
            wrong.push(format!("{}: {lines} lines, at most {LINES_MAX}: split it by meaning", file.path));
        } else if lines > LINES {
            eprintln!("{}: {lines} lines; aim for {LINES}", file.path);
        }
    }
    report(wrong);
}

#[test]
fn functions_are_short() {
    let mut wrong = Vec::new();
    for file in Source::all() {
        for (name, line, length) in functions(&file.text) {
            if length > FUNCTION_MAX {
                wrong.push(format!(
                    "{}:{line}: `{name}` has {length} lines, at most {FUNCTION_MAX}",
                    file.path
                ));
            }
        }
    }
    report(wrong);
}

#[test]
fn nothing_is_left_for_later() {
    // Put together here, so that this file does not hold them.
    let words = [["TO", "DO"], ["FIX", "ME"], ["XX", "X"]].map(|parts| parts.concat());
    let ignored = ["#[", "ignore"].concat();
    let mut wrong = Vec::new();
    for file in Source::all() {
        for (index, line) in file.text.lines().enumerate() {
            let word =
                line.split(|c: char| !c.is_alphanumeric()).find(|word| words.iter().any(|w| w == word));
            if let Some(word) = word {
                wrong.push(format!("{}:{}: {word}: do it, or open an issue", file.path, index + 1));
            }
            if line.contains(&ignored) {
                wrong.push(format!("{}:{}: a test that is not run proves nothing", file.path, index + 1));
            }
        }
    }
    report(wrong);
}

/// Outside the daemon nothing panics on what comes from outside. Where an `unwrap` cannot fail, a
/// comment says why.
#[test]
fn the_core_does_not_panic() {
    let calls = [".unwrap()", ".expect(", "panic!(", "unreachable!("];
    let mut wrong = Vec::new();
    for file in Source::all() {
        let core = file.path.starts_with("src/") || file.path.starts_with("protocols/");
        if !core || file.path == "src/main.rs" || file.path.starts_with("src/daemon/") {
            continue;
        }
        let lines: Vec<&str> = file.text.lines().collect();
        let tests = file.tests_begin();
        for (number, line) in file.code().filter(|(number, _)| *number < tests) {
            let before = if number > 1 { lines[number - 2] } else { "" };
            let explained = line.contains("//") || before.contains("//") || message_in(line);
            if calls.iter().any(|call| line.contains(call)) && !explained {
                wrong.push(format!(
                    "{}:{number}: say in a comment why this cannot fail, or handle it",
                    file.path
                ));
            }
        }
    }
    report(wrong);
}

/// `unreachable!("why")` carries its reason itself.
fn message_in(line: &str) -> bool {
    line.contains("unreachable!(\"")
}

/// Functions with the line they begin at and their length. Formatted code is all that is needed:
/// a body ends where a line closes it at the depth of its `fn`.
fn functions(text: &str) -> Vec<(&str, usize, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let Some(name) = function_name(code) else { continue };
        let close = format!("{}}}", &line[..line.len() - code.len()]);
        let one_line = code.ends_with('}') || code.ends_with(';');
        if let Some(end) = lines[index..].iter().position(|line| *line == close).filter(|_| !one_line) {
            found.push((name, index + 1, end + 1));
        }
    }
    found
}

fn function_name(code: &str) -> Option<&str> {
    let (before, after) = code.split_once("fn ")?;
    let qualifiers = ["pub", "pub(crate)", "pub(super)", "const", "async", "unsafe", "extern", "\"C\""];
    let declared = before.split_whitespace().all(|word| qualifiers.contains(&word));
    declared.then(|| after.split(['(', '<']).next().unwrap_or(after))
}

#[test]
fn functions_are_measured() {
    let text = "fn one() {}\n\nimpl A {\n    pub const fn two(&self) {\n        three();\n    }\n}\n";
    assert_eq!(functions(text), [("two", 4, 3)]);
}
