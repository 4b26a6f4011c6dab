//! MQTT messages, version 1: one [`Draft`] per topic a publication goes to.

use serde_json::{Map, Value};

use crate::events::BoardId;
use crate::table::Publish;

/// A message before the daemon adds `epoch` and `seq` and prefixes root and node.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// Below `<root>/v1/<node>/`, as `arbiter/b1/alerts/…`.
    pub path: String,
    /// Whether the broker keeps it.
    pub retain: bool,
    /// The JSON object; `None` clears a retained topic (an empty payload).
    pub body: Option<Map<String, Value>>,
}

/// The messages that one publication becomes.
#[must_use]
pub fn drafts(_publish: &Publish, _board: &BoardId) -> Vec<Draft> {
    Vec::new()
}

/// The whole topic of a draft.
#[must_use]
pub fn topic(root: &str, node: &str, path: &str) -> String {
    format!("{root}/v1/{node}/{path}")
}
