//! The HTTP side: three pages, nothing that changes anything.

use std::net::SocketAddr;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tracing::{info, warn};

use crate::daemon::roster::Roster;

/// The form of OpenMetrics.
const TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The server, which answers until it is stopped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Server {
    /// Listens on `address` and answers with what `roster` knows.
    ///
    /// # Errors
    /// The address cannot be listened on.
    pub async fn start(address: SocketAddr, roster: Roster) -> std::io::Result<Server> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let pages = Router::new()
            .route("/metrics", get(metrics))
            .route("/healthz", get(|| async { "alive\n" }))
            .route("/readyz", get(ready))
            .with_state(roster);
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(async move {
            // Answers are short: one that is being given is not waited for.
            let serve = axum::serve(listener, pages);
            tokio::select! {
                ended = serve => ended.unwrap_or_else(|error| warn!("metrics: {error}")),
                _ = stopped => {}
            }
        });
        info!("metrics are at http://{address}/metrics");
        Ok(Server { address, stop, task })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Stops it.
    pub async fn stop(self) {
        // It may have ended already.
        let _ = self.stop.send(());
        let _ = self.task.await;
    }
}

async fn metrics(State(roster): State<Roster>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, TYPE)], roster.figures())
}

async fn ready(State(roster): State<Roster>) -> impl IntoResponse {
    match roster.missing() {
        missing if missing.is_empty() => (StatusCode::OK, "ready\n".to_owned()),
        missing => (StatusCode::SERVICE_UNAVAILABLE, missing.join("\n") + "\n"),
    }
}
