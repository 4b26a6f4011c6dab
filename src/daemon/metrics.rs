//! Figures for Prometheus, and whether the daemon is alive and ready, over HTTP.
//!
//! Nothing here tells a move, a clock or a result, nor of which board an alert is: it may be shown on a
//! screen that others see.

mod list;
mod server;

pub use list::{METRICS, Metric, metrics_page};
pub use server::Server;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use self::list::about;
use crate::alerts::AlertState;
use crate::events::BoardId;
use crate::table::{BoardState, Publish, Watched};

/// A board.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OfBoard {
    board: String,
}

/// What was understood as nothing.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OfJunk {
    board: String,
    reason: &'static str,
}

/// Alerts by kind and by what became of them.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OfAlert {
    code: &'static str,
    state: &'static str,
}

/// Requests by verb and by whether they were done.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OfRequest {
    verb: String,
    outcome: &'static str,
}

/// One of several states, conditions or answers.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Named {
    name: String,
}

/// All figures; cheap to clone.
#[derive(Clone, Debug)]
pub struct Metrics {
    registry: Arc<Registry>,
    heard: Family<OfBoard, Gauge>,
    watched: Family<OfBoard, Gauge>,
    losses: Family<OfBoard, Counter>,
    bytes: Family<OfBoard, Counter>,
    inputs: Family<OfBoard, Counter>,
    junk: Family<OfJunk, Gauge>,
    alerts: Family<OfAlert, Counter>,
    open: Gauge,
    requests: Family<OfRequest, Counter>,
    settle: Histogram,
    sync: Histogram,
    connected: Gauge,
    outbox: Family<Named, Gauge>,
    records: Gauge,
    mating: Family<Named, Gauge>,
    conditions: Family<Named, Gauge>,
    uptime: Gauge,
    /// How many alerts each board has open, and the state each alert was told in last.
    told: Arc<Mutex<BTreeMap<BoardId, usize>>>,
}

/// What is read from elsewhere when somebody asks.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// Each board, and whether it is heard.
    pub boards: Vec<(String, bool)>,
    /// Names of what is not as it should be.
    pub conditions: Vec<String>,
    /// Journal records written.
    pub records: u64,
    /// The mating solver's answers, by word.
    pub mating: Vec<(&'static str, u64)>,
    /// Messages of the outbox, by what is with them.
    pub outbox: Vec<(&'static str, u64)>,
    /// Whether there is a connection to the broker.
    pub connected: bool,
    /// Seconds since the daemon began.
    pub uptime_s: u64,
}

fn gauge(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

impl Default for Metrics {
    fn default() -> Self {
        Metrics::new()
    }
}

impl Metrics {
    /// Nothing has happened yet.
    #[must_use]
    pub fn new() -> Self {
        let settle = Histogram::new([0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 1.5, 3.0, 10.0, 60.0]);
        let sync = Histogram::new([0.000_1, 0.000_3, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0]);
        let mut out = Metrics {
            registry: Arc::default(),
            heard: Family::default(),
            watched: Family::default(),
            losses: Family::default(),
            bytes: Family::default(),
            inputs: Family::default(),
            junk: Family::default(),
            alerts: Family::default(),
            open: Gauge::default(),
            requests: Family::default(),
            settle,
            sync,
            connected: Gauge::default(),
            outbox: Family::default(),
            records: Gauge::default(),
            mating: Family::default(),
            conditions: Family::default(),
            uptime: Gauge::default(),
            told: Arc::default(),
        };
        let mut registry = Registry::with_prefix("jadoube");
        macro_rules! register {
            ($($field:ident)*) => {
                $(registry.register(stringify!($field).to_owned(), about(stringify!($field)), out.$field.clone());)*
            };
        }
        register!(heard watched losses bytes inputs junk alerts open requests connected outbox);
        register!(records mating conditions);
        let unit = prometheus_client::registry::Unit::Seconds;
        registry.register_with_unit("settle", about("settle"), unit.clone(), out.settle.clone());
        registry.register_with_unit("sync", about("sync"), unit.clone(), out.sync.clone());
        registry.register_with_unit("uptime", about("uptime"), unit, out.uptime.clone());
        out.registry = Arc::new(registry);
        out
    }

    /// A board has said so many bytes.
    pub fn bytes(&self, board: &BoardId, bytes: usize) {
        let count = u64::try_from(bytes).unwrap_or(0);
        self.bytes.get_or_create(&OfBoard { board: board.to_string() }).inc_by(count);
    }

    /// A board's link was lost.
    pub fn lost(&self, board: &BoardId) {
        self.losses.get_or_create(&OfBoard { board: board.to_string() }).inc();
    }

    /// A line was acted on.
    pub fn input(&self, board: &BoardId) {
        self.inputs.get_or_create(&OfBoard { board: board.to_string() }).inc();
    }

    /// Data was synced in so many seconds.
    pub fn synced(&self, seconds: f64) {
        self.sync.observe(seconds);
    }

    /// What a board has told.
    pub fn published(&self, board: &BoardId, item: &Publish) {
        match item {
            Publish::Alert(alert) => {
                let primary = alert.primary();
                let first = alert.revision == primary.revision && alert.state == AlertState::Open;
                if first && let Some(pressed) = primary.facts.pressed_at {
                    let span = alert.at.since(pressed);
                    // A histogram has no finer grain than a millisecond anyway.
                    self.settle.observe(f64::from(u32::try_from(span.ms()).unwrap_or(u32::MAX)) / 1000.0);
                }
                if first || alert.state != AlertState::Open {
                    let of = OfAlert { code: primary.code.name(), state: alert.state.word() };
                    self.alerts.get_or_create(&of).inc();
                }
            }
            Publish::State(state) => self.state(board, state),
            Publish::Response(response) => {
                let outcome = if response.outcome.is_ok() { "done" } else { "refused" };
                self.request(response.verb, outcome);
            }
            _ => {}
        }
    }

    /// A request was answered, or refused before it reached a board.
    pub fn request(&self, verb: &str, outcome: &'static str) {
        let known = crate::alerts::VERBS.iter().any(|shape| shape.name == verb);
        // What anybody may send must not become a label.
        let verb = if known { verb } else { "unknown" }.to_owned();
        self.requests.get_or_create(&OfRequest { verb, outcome }).inc();
    }

    fn state(&self, board: &BoardId, state: &BoardState) {
        let name = board.to_string();
        let watched = i64::from(matches!(state.watched, Watched::Yes));
        self.watched.get_or_create(&OfBoard { board: name.clone() }).set(watched);
        for (reason, count) in &state.junk {
            self.junk.get_or_create(&OfJunk { board: name.clone(), reason }).set(gauge(*count));
        }
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.insert(board.clone(), state.open_alerts.len());
        self.open.set(i64::try_from(told.values().sum::<usize>()).unwrap_or(i64::MAX));
    }

    /// All of it, in the text form of Prometheus.
    #[must_use]
    pub fn text(&self, look: &Look) -> String {
        for (board, heard) in &look.boards {
            self.heard.get_or_create(&OfBoard { board: board.clone() }).set(i64::from(*heard));
        }
        self.conditions.clear();
        for name in &look.conditions {
            self.conditions.get_or_create(&Named { name: name.clone() }).set(1);
        }
        for (name, count) in &look.mating {
            self.mating.get_or_create(&Named { name: (*name).to_owned() }).set(gauge(*count));
        }
        for (name, count) in &look.outbox {
            self.outbox.get_or_create(&Named { name: (*name).to_owned() }).set(gauge(*count));
        }
        self.records.set(gauge(look.records));
        self.connected.set(i64::from(look.connected));
        self.uptime.set(gauge(look.uptime_s));
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = prometheus_client::encoding::text::encode(&mut text, &self.registry);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_of_the_list_is_there_and_no_other() {
        let metrics = Metrics::new();
        let board = BoardId::new("b1").unwrap();
        metrics.bytes(&board, 3);
        metrics.input(&board);
        metrics.lost(&board);
        metrics.request("rule", "done");
        metrics.request("x\ny", "refused");
        metrics.synced(0.001);
        metrics.alerts.get_or_create(&OfAlert { code: "two-hands", state: "open" }).inc();
        metrics.junk.get_or_create(&OfJunk { board: "b1".to_owned(), reason: "cut" }).set(2);
        metrics.watched.get_or_create(&OfBoard { board: "b1".to_owned() }).set(1);
        let look = Look {
            boards: vec![("b1".to_owned(), true)],
            conditions: vec!["journal".to_owned()],
            mating: vec![("yes", 1)],
            outbox: vec![("waiting", 4)],
            connected: true,
            ..Look::default()
        };
        let text = metrics.text(&look);
        let types: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()).collect();
        let listed: Vec<&str> = METRICS.iter().map(|metric| metric.name).collect();
        let mut sorted = (types.clone(), listed.clone());
        sorted.0.sort_unstable();
        sorted.1.sort_unstable();
        assert_eq!(sorted.0, sorted.1, "{text}");
        for line in [
            "jadoube_bytes_total{board=\"b1\"} 3",
            "jadoube_heard{board=\"b1\"} 1",
            "jadoube_requests_total{verb=\"unknown\",outcome=\"refused\"} 1",
            "jadoube_conditions{name=\"journal\"} 1",
            "jadoube_outbox{name=\"waiting\"} 4",
        ] {
            assert!(text.lines().any(|l| l == line), "{line} is not in\n{text}");
        }
        let over = metrics.text(&Look::default());
        assert!(!over.contains("jadoube_conditions{"), "a condition that is over is gone");
    }
}
