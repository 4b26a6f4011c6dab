//! Licences: this program is GPL-3.0-or-later, and so may be everything it is built from.
//!
//! `deny.toml` says the same to cargo-deny, which knows more and is run by hand.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::report;
use crate::source::{root, tracked};

const OURS: &str = "GPL-3.0-or-later";

/// Licences whose code may become part of a work under GPL-3.0-or-later.
const FIT: &[&str] = &[
    OURS,
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Crates that must not come in: C libraries of the host, or a second TLS library.
const BANNED: &[&str] =
    &["openssl", "openssl-sys", "native-tls", "aws-lc-rs", "aws-lc-sys", "libudev", "libudev-sys"];

#[test]
fn every_package_is_gpl() {
    let mut wrong = Vec::new();
    for path in tracked().iter().filter(|path| path.ends_with("Cargo.toml")) {
        let text = fs::read_to_string(root().join(path)).unwrap();
        let named = [format!("license = \"{OURS}\""), "license.workspace = true".to_owned()];
        if !named.iter().any(|line| text.lines().any(|l| l == line)) {
            wrong.push(format!("{path}: say `license.workspace = true`"));
        }
    }
    let text = fs::read_to_string(root().join("LICENSE")).unwrap_or_default();
    if !text.contains("GNU GENERAL PUBLIC LICENSE\n                       Version 3") {
        wrong.push("LICENSE: not the text of the GPL, version 3".to_owned());
    }
    report(wrong);
}

#[test]
fn dependencies_fit() {
    let mut wrong = Vec::new();
    for package in packages() {
        let name = package["name"].as_str().unwrap_or_default();
        let licence = package["license"].as_str().unwrap_or_default();
        if BANNED.contains(&name) {
            wrong.push(format!("{name} came in: find out by `cargo tree -i {name}`, and leave it out"));
        }
        if !fits(licence) {
            wrong.push(format!("{name}: licence {licence:?} is not known to fit {OURS}"));
        }
    }
    report(wrong);
}

/// All packages that are built on this host, as cargo sees them.
fn packages() -> Vec<Value> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let host = host();
    let output = Command::new(cargo)
        .current_dir(root())
        .args(["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", &host])
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let mut all: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    match all["packages"].take() {
        Value::Array(packages) if !packages.is_empty() => packages,
        _ => panic!("cargo metadata names no packages"),
    }
}

fn host() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output().expect("rustc runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let host = text.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    host.to_owned()
}

/// Whether one may take the package under a licence that fits: an SPDX expression, with `/` for
/// `OR` in old packages.
fn fits(expression: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    !rest.is_empty() && any(&mut rest) && rest.is_empty()
}

fn any(words: &mut &[&str]) -> bool {
    let mut fit = all(words);
    while let ["OR", rest @ ..] = *words {
        *words = rest;
        fit |= all(words);
    }
    fit
}

fn all(words: &mut &[&str]) -> bool {
    let mut fit = one(words);
    while let ["AND", rest @ ..] = *words {
        *words = rest;
        fit &= one(words);
    }
    fit
}

fn one(words: &mut &[&str]) -> bool {
    match *words {
        ["(", rest @ ..] => {
            *words = rest;
            let fit = any(words);
            *words = words.strip_prefix(&[")"]).unwrap_or(words);
            fit
        }
        [licence, "WITH", exception, rest @ ..] => {
            *words = rest;
            FIT.contains(&format!("{licence} WITH {exception}").as_str())
        }
        [licence, rest @ ..] => {
            *words = rest;
            FIT.contains(licence)
        }
        [] => false,
    }
}

#[test]
fn expressions_are_read() {
    for fit in ["MIT", "MIT/Apache-2.0", "(MIT OR GPL-2.0-only) AND Unicode-3.0", "MIT OR GPL-3.0-only"] {
        assert!(fits(fit), "{fit}");
    }
    for unfit in ["", "GPL-2.0-only", "MIT AND SSPL-1.0", "Apache-2.0 WITH Else", "(MIT OR ISC) AND OpenSSL"]
    {
        assert!(!fits(unfit), "{unfit}");
    }
}
