//! Alerts that an earlier run left open at the broker. Nobody can rule on them any more, so they are
//! closed in the open: on the log, and then their topics are cleared.

use serde_json::{Map, Value};

use super::Outbox;
use crate::contract::{Draft, topic};

impl Outbox {
    /// Takes what the broker kept on a topic of alerts. Returns what was done, for the log; `None`
    /// if the topic holds what it should.
    pub fn found(&mut self, whole_topic: &str, payload: &[u8]) -> Option<String> {
        let path = whole_topic.strip_prefix(&topic(&self.root, &self.node, ""))?.to_owned();
        let ["arbiter", board, "alerts", _] = path.split('/').collect::<Vec<_>>()[..] else { return None };
        // What we hold ourselves is published anew with each connection.
        if payload.is_empty() || self.truth.contains_key(whole_topic) {
            return None;
        }
        let said = match serde_json::from_slice(payload) {
            Ok(Value::Object(alert)) if alert.get("epoch") == Some(&Value::from(self.epoch)) => return None,
            Ok(Value::Object(alert)) => {
                let log =
                    Draft { path: format!("arbiter/{board}/log"), retain: false, body: Some(closed(alert)) };
                self.post(log, None);
                format!("{path} is of an earlier run and closed")
            }
            _ => {
                let start = String::from_utf8_lossy(&payload[..payload.len().min(200)]).into_owned();
                format!("{path} held no alert and is cleared: {start:?}")
            }
        };
        self.post(Draft { path, retain: true, body: None }, None);
        Some(said)
    }
}

/// The last revision of an alert whose run has ended.
fn closed(mut alert: Map<String, Value>) -> Map<String, Value> {
    let revision = alert.get("revision").and_then(Value::as_u64).unwrap_or(0);
    alert.insert("revision".to_owned(), Value::from(revision.saturating_add(1)));
    alert.insert("state".to_owned(), Value::from("closed"));
    alert.insert("closed_by".to_owned(), Value::from("restart"));
    alert
}
