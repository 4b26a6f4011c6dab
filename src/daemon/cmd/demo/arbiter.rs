//! The arbiter's side of the demo: a subscriber like any other, and what it makes of messages.

use std::collections::BTreeSet;
use std::net::SocketAddr;

use anyhow::Context;
use rumqttc::{AsyncClient, Event, EventLoop, MqttOptions, Packet, QoS};
use serde_json::Value;

use super::tables::TABLES;
use crate::contract::{card_from_json, topic};

/// No alert is larger.
const LARGEST: u32 = 256 * 1024;

/// A connection to the broker that hears alerts and moves.
pub(super) struct Subscriber {
    // Dropping the client would end the connection.
    _client: AsyncClient,
    events: EventLoop,
}

impl Subscriber {
    pub(super) async fn connect(broker: SocketAddr, root: &str, node: &str) -> anyhow::Result<Subscriber> {
        let mut options =
            MqttOptions::new(format!("{node}-arbiter"), (broker.ip().to_string(), broker.port()));
        options.set_max_packet_size(Some(LARGEST));
        let (client, events) = AsyncClient::builder(options).capacity(16).build();
        for filter in ["arbiter/+/alerts/+", "broadcast/+/move"] {
            client.subscribe(topic(root, node, filter), QoS::AtLeastOnce).await?;
        }
        Ok(Subscriber { _client: client, events })
    }

    /// The next message: its topic and payload.
    pub(super) async fn next(&mut self) -> anyhow::Result<(String, Vec<u8>)> {
        loop {
            let event = self.events.poll().await.context("the subscriber lost the broker")?;
            if let Event::Incoming(Packet::Publish(publish)) = event {
                return Ok((String::from_utf8_lossy(&publish.topic).into_owned(), publish.payload.to_vec()));
            }
        }
    }
}

/// What the arbiter has received so far.
#[derive(Debug, Default)]
pub(super) struct Received {
    /// Board, code and side of every alert.
    alerts: BTreeSet<(String, String, String)>,
    /// Id and revision of what was printed: a broker may deliver twice.
    known: BTreeSet<(String, u64)>,
    moves: usize,
}

impl Received {
    /// Takes a message; what is to be printed of it.
    pub(super) fn take(&mut self, topic: &str, payload: &[u8]) -> Option<String> {
        if topic.ends_with("/move") {
            self.moves += 1;
            return None;
        }
        let id = topic.rsplit('/').next().unwrap_or_default();
        if payload.is_empty() {
            return Some(format!("[{id} is no longer open]"));
        }
        let alert: Value = serde_json::from_slice(payload).ok()?;
        let revision = alert["revision"].as_u64().unwrap_or_default();
        if !self.known.insert((id.to_owned(), revision)) {
            return None;
        }
        let text = |key: &str| alert[key].as_str().unwrap_or_default().to_owned();
        self.alerts.insert((text("board"), text("code"), text("side")));
        if revision > 0 {
            return Some(format!("[{id}, revision {revision}: {}]", text("state")));
        }
        Some(card_from_json(&alert))
    }

    /// Whether all that was meant to be shown arrived, and nothing where nothing happens.
    pub(super) fn is_right(&self) -> bool {
        self.missing().is_empty() && self.at_clean_tables().is_empty()
    }

    /// A few lines for people.
    pub(super) fn summary(&self) -> String {
        let mut out = format!(
            "{} boards, {} moves, {} alerts.\n",
            TABLES.len(),
            self.moves,
            self.known.iter().filter(|(_, revision)| *revision == 0).count()
        );
        for table in &TABLES {
            let verdict = match table.shows {
                Some((code, side)) if self.arrived(table.board, code, side) => {
                    format!("{code} by {side}: arrived")
                }
                Some((code, side)) => format!("{code} by {side}: MISSING"),
                None if self.at_clean_tables().contains(&table.board) => "clean play: FALSE ALARM".to_owned(),
                None => "clean play: no alert".to_owned(),
            };
            out.push_str(&format!("  {}  {verdict}\n", table.board));
        }
        out
    }

    fn arrived(&self, board: &str, code: &str, side: &str) -> bool {
        self.alerts.contains(&(board.to_owned(), code.to_owned(), side.to_owned()))
    }

    fn missing(&self) -> Vec<&'static str> {
        let wanted =
            TABLES.iter().filter_map(|table| table.shows.map(|(code, side)| (table.board, code, side)));
        wanted
            .filter(|(board, code, side)| !self.arrived(board, code, side))
            .map(|(board, ..)| board)
            .collect()
    }

    fn at_clean_tables(&self) -> Vec<&'static str> {
        let clean = TABLES.iter().filter(|table| table.shows.is_none()).map(|table| table.board);
        clean.filter(|board| self.alerts.iter().any(|(at, ..)| at == board)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alert(board: &str, code: &str, side: &str) -> Vec<u8> {
        serde_json::json!({"board": board, "code": code, "side": side, "revision": 0, "state": "open"})
            .to_string()
            .into_bytes()
    }

    #[test]
    fn it_is_right_only_if_all_came_and_nothing_else_at_the_clean_table() {
        let mut received = Received::default();
        for (nth, table) in TABLES.iter().enumerate() {
            let Some((code, side)) = table.shows else { continue };
            assert!(!received.is_right());
            let topic = format!("a/alerts/{nth}");
            assert!(received.take(&topic, &alert(table.board, code, side)).is_some());
            assert!(received.take(&topic, &alert(table.board, code, side)).is_none(), "delivered twice");
        }
        assert!(received.is_right(), "{}", received.summary());
        received.take("a/alerts/x", &alert("table-4", "illegal-move", "white"));
        assert!(!received.is_right() && received.summary().contains("FALSE ALARM"));
    }
}
