//! The boards and the conditions of the equipment, as an operator sees them: the retained topics
//! `boards`, `health` and `status`.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value, json};
use tracing::{info, warn};

use super::host::Clock;
use super::mating::Tally;
use super::metrics::{Look, Metrics};
use super::outbox::Post;
use crate::contract::Draft;
use crate::events::BoardId;

/// The program and its version.
pub const PROGRAM: &str = concat!("jadoube ", env!("CARGO_PKG_VERSION"));

/// One board's line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardLine {
    /// The port it is at.
    pub port: String,
    /// Whether the board is heard.
    pub heard: bool,
    /// Why it is not, for people.
    pub why: Option<String>,
    /// Since when, milliseconds since 1970.
    pub since_ms: u64,
    /// Its serial number.
    pub serial: Option<String>,
    /// Its firmware's version.
    pub version: Option<String>,
    /// Its battery, per cent.
    pub battery: Option<u8>,
}

#[derive(Debug, Default)]
struct State {
    boards: BTreeMap<BoardId, BoardLine>,
    /// What is not as it should be, by a stable name.
    conditions: BTreeMap<String, String>,
    records: u64,
    /// Findings that nobody was told, per rule.
    shadowed: BTreeMap<&'static str, u64>,
    mating: Tally,
}

/// The operator's view, shared by all tasks; cheap to clone.
#[derive(Clone, Debug)]
pub struct Roster {
    state: Arc<Mutex<State>>,
    post: Post,
    clock: Clock,
    metrics: Metrics,
}

impl Roster {
    /// No boards yet.
    #[must_use]
    pub fn new(post: Post, clock: Clock) -> Self {
        Roster { state: Arc::default(), post, clock, metrics: Metrics::new() }
    }

    /// Changes a board's line, and publishes the list if that changed anything.
    pub fn board(&self, board: &BoardId, change: impl FnOnce(&mut BoardLine)) {
        let mut state = self.lock();
        let line = state.boards.entry(board.clone()).or_default();
        let before = line.clone();
        change(line);
        if line.heard != before.heard {
            line.since_ms = self.now_ms();
        }
        if *line != before {
            let boards = boards(&state);
            drop(state);
            self.post.post(boards);
        }
    }

    /// Something is not as it should be. Logged once, shown in `health` until it is cleared.
    pub fn report(&self, condition: &str, what: String) {
        let fresh = self.lock().conditions.insert(condition.to_owned(), what.clone()) != Some(what);
        if fresh {
            self.publish_health();
        }
    }

    /// A condition is over.
    pub fn clear(&self, condition: &str) {
        let gone = self.lock().conditions.remove(condition);
        if let Some(what) = gone {
            info!("over: {what}");
            self.publish_health();
        }
    }

    /// Like [`report`](Self::report), with a line in the log.
    pub fn warn(&self, condition: &str, what: String) {
        let known = self.lock().conditions.get(condition) == Some(&what);
        if !known {
            warn!("{what}");
        }
        self.report(condition, what);
    }

    /// What is not as it should be under this name, if anything.
    #[must_use]
    pub fn condition(&self, condition: &str) -> Option<String> {
        self.lock().conditions.get(condition).cloned()
    }

    /// So many journal records have been written.
    pub fn recorded(&self, records: u64) {
        self.lock().records += records;
    }

    /// A finding of this rule was kept from people.
    pub fn shadowed(&self, rule: &'static str) {
        *self.lock().shadowed.entry(rule).or_insert(0) += 1;
    }

    /// Looks at what the mating solver has done, or adds to it.
    pub fn mating<T>(&self, look: impl FnOnce(&mut Tally) -> T) -> T {
        look(&mut self.lock().mating)
    }

    /// The figures that are counted as things happen.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// All figures, in the text form of Prometheus.
    #[must_use]
    pub fn figures(&self) -> String {
        let (depth, connected, oldest) = self.post.with(|outbox| {
            (outbox.depth(), outbox.is_connected(), outbox.oldest_s(std::time::Instant::now()))
        });
        let number = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
        let state = self.lock();
        let Tally { yes, no, not_proven, .. } = state.mating;
        let look = Look {
            boards: state.boards.iter().map(|(id, line)| (id.to_string(), line.heard)).collect(),
            conditions: state.conditions.keys().cloned().collect(),
            records: state.records,
            mating: vec![("yes", yes), ("no", no), ("not_proven", not_proven)],
            outbox: vec![
                ("waiting", number(depth.waiting)),
                ("in_flight", number(depth.in_flight)),
                ("acknowledged", depth.acknowledged),
                ("refused", depth.refused),
                ("dropped", depth.dropped),
                ("oldest_s", oldest),
            ],
            connected,
            uptime_s: self.clock.now().ms() / 1000,
        };
        drop(state);
        self.metrics.text(&look)
    }

    /// What the daemon lacks to do its work, in words; empty when it is ready.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        let connected = self.post.with(|outbox| outbox.is_connected());
        let state = self.lock();
        let journal = state
            .conditions
            .iter()
            .filter(|(name, _)| name.starts_with("journal") && *name != "journal-slow");
        let journal = journal.map(|(_, what)| what.clone());
        let broker = match state.conditions.get("broker").or_else(|| state.conditions.get("broker-rival")) {
            Some(why) => format!("no connection to the broker: {why}"),
            None => "no connection to the broker yet".to_owned(),
        };
        (!connected).then_some(broker).into_iter().chain(journal).collect()
    }

    /// Publishes `health`.
    pub fn publish_health(&self) {
        let depth = self.post.with(|outbox| outbox.depth());
        let state = self.lock();
        let body = json!({
            "schema": "jadoube.health/1",
            "version": PROGRAM,
            "uptime_s": self.clock.now().ms() / 1000,
            "boards": state.boards.len(),
            "boards_heard": state.boards.values().filter(|line| line.heard).count(),
            "journal_records": state.records,
            "shadowed": state.shadowed,
            "mating": {
                "yes": state.mating.yes,
                "no": state.mating.no,
                "not_proven": state.mating.not_proven,
                "lines_failed": state.mating.lines_failed,
                "refused": state.mating.refused,
            },
            "outbox": {
                "waiting": depth.waiting,
                "in_flight": depth.in_flight,
                "acknowledged": depth.acknowledged,
                "refused": depth.refused,
                "dropped": depth.dropped,
            },
            "conditions": state.conditions,
        });
        drop(state);
        self.post.post(retained("health", body));
    }

    /// Publishes whether the daemon is there.
    pub fn publish_status(&self, online: bool) {
        self.post.post(retained("status", status_body(online)));
    }

    fn now_ms(&self) -> u64 {
        self.clock.start_ms() + self.clock.now().ms()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The body of `status`, which is also the will.
#[must_use]
pub fn status_body(online: bool) -> Value {
    json!({
        "schema": "jadoube.status/1",
        "state": if online { "online" } else { "offline" },
        "version": PROGRAM,
    })
}

fn boards(state: &State) -> Draft {
    let list: Vec<Value> = state
        .boards
        .iter()
        .map(|(id, line)| {
            json!({
                "id": id.as_str(),
                "port": line.port,
                "link": if line.heard { "up" } else { "down" },
                "why": line.why,
                "since_ms": line.since_ms,
                "serial": line.serial,
                "version": line.version,
                "battery": line.battery,
            })
        })
        .collect();
    retained("boards", json!({ "schema": "jadoube.boards/1", "boards": list }))
}

fn retained(path: &str, body: Value) -> Draft {
    let body = match body {
        Value::Object(body) => body,
        _ => Map::new(),
    };
    Draft { path: path.to_owned(), retain: true, body: Some(body) }
}
