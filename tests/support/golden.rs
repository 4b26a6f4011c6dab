//! Files that are compared word for word, and written anew with `UPDATE_GOLDEN=1`.
// Each test program uses a part of this.
#![allow(dead_code)]

use std::path::{Path, PathBuf};

use serde_json::Value;

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Compares, or writes.
pub(crate) fn golden(file: &str, got: &str) {
    let path: PathBuf = root().join(file);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, got).unwrap();
        return;
    }
    let wanted = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
    assert_eq!(got, wanted, "{file} differs: see the head of this test");
}

/// JSON as it is checked in.
pub(crate) fn pretty(value: &Value) -> String {
    format!("{}\n", serde_json::to_string_pretty(value).unwrap())
}

/// A message of `fixtures/contract/`: the path below the node, whether it is retained, and its body.
pub(crate) type Shown = (String, bool, Option<Value>);

/// The messages of a file of `fixtures/contract/`.
pub(crate) fn messages(file: &str) -> Vec<Shown> {
    let text = std::fs::read_to_string(root().join("fixtures/contract").join(file)).unwrap();
    let parts = text.split("\n\n").filter(|part| !part.trim().is_empty());
    parts
        .map(|part| {
            let (head, body) = part.split_once('\n').unwrap_or_else(|| panic!("{file}: {part}"));
            let (topic, kept) = head.split_once(' ').unwrap();
            let path = topic.strip_prefix("jadoube/v1/hall/").unwrap_or_else(|| panic!("{file}: {topic}"));
            let body = (!body.starts_with("(empty")).then(|| serde_json::from_str(body).unwrap());
            (path.to_owned(), kept == "(retained)", body)
        })
        .collect()
}
