//! The one list of figures: what is told and the page `docs/METRICS.md` come from it.

/// A figure.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// As it is told, without the `_total` of counters.
    pub name: &'static str,
    /// `counter`, `gauge` or `histogram`.
    pub kind: &'static str,
    /// What it is divided by.
    pub labels: &'static str,
    /// What it says.
    pub about: &'static str,
}

const fn metric(name: &'static str, kind: &'static str, labels: &'static str, about: &'static str) -> Metric {
    Metric { name, kind, labels, about }
}

/// Every figure.
pub const METRICS: &[Metric] = &[
    metric("jadoube_heard", "gauge", "board", "1 while the board is heard"),
    metric("jadoube_watched", "gauge", "board", "1 while alerts of the board can be relied on"),
    metric("jadoube_losses", "counter", "board", "how often the link of the board was lost"),
    metric("jadoube_bytes", "counter", "board", "bytes that the board has sent"),
    metric(
        "jadoube_inputs",
        "counter",
        "board",
        "inputs that the board's table has taken: lines of its journal",
    ),
    metric(
        "jadoube_junk",
        "gauge",
        "board, reason",
        "what was understood as nothing since the daemon began with the board",
    ),
    metric("jadoube_alerts", "counter", "code, state", "alerts that came to this state, by kind"),
    metric("jadoube_open", "gauge", "", "alerts that people are shown and that are open"),
    metric(
        "jadoube_requests",
        "counter",
        "verb, outcome",
        "requests done and refused; a verb that is none is \"unknown\"",
    ),
    metric("jadoube_settle_seconds", "histogram", "", "from a press to the first word of the alert about it"),
    metric("jadoube_sync_seconds", "histogram", "", "how long the disk took to sync journals"),
    metric("jadoube_records", "gauge", "", "journal records written since the daemon began"),
    metric("jadoube_connected", "gauge", "", "1 while there is a connection to the broker"),
    metric(
        "jadoube_outbox",
        "gauge",
        "name",
        "messages: \"waiting\" (not acknowledged yet), \"in_flight\" (of these, given to the broker), \
         \"acknowledged\", \"refused\" and \"dropped\" since the daemon began, and \"oldest_s\": how many seconds \
         the oldest has waited",
    ),
    metric(
        "jadoube_mating",
        "gauge",
        "name",
        "answers to the mating question: \"yes\", \"no\", \"not_proven\"",
    ),
    metric("jadoube_conditions", "gauge", "name", "1 for what is not as it should be, as in `health`"),
    metric("jadoube_uptime_seconds", "gauge", "", "since the daemon began"),
];

/// What the figure of this field says.
pub(super) fn about(field: &str) -> &'static str {
    let of = |metric: &&Metric| {
        metric.name.strip_prefix("jadoube_").is_some_and(|name| name.trim_end_matches("_seconds") == field)
    };
    METRICS.iter().find(of).map_or("", |metric| metric.about)
}

/// `docs/METRICS.md`.
#[must_use]
pub fn metrics_page() -> String {
    let mut out = String::from(
        "# Metrics\n\nWritten from the list in `src/daemon/metrics/list.rs`; a test keeps it equal.\n\nWith \
         `[metrics] listen = \"127.0.0.1:9190\"` the daemon answers over HTTP:\n\n- `/metrics`: the figures \
         below, in the text form of Prometheus (OpenMetrics)\n- `/healthz`: 200 while the daemon runs\n- \
         `/readyz`: 200 while there is a connection to the broker and journals are written, else 503 with what \
         is missing, a line each\n\nAnother address than loopback can be given; there is no login, so keep it \
         behind one of your own. Nothing here tells a move, a clock or a result, nor of which board an alert \
         is.\n\n| figure | kind | labels | what |\n| --- | --- | --- | --- |\n",
    );
    for metric in METRICS {
        let total = if metric.kind == "counter" { "_total" } else { "" };
        out.push_str(&format!(
            "| `{}{total}` | {} | {} | {} |\n",
            metric.name, metric.kind, metric.labels, metric.about
        ));
    }
    out
}
