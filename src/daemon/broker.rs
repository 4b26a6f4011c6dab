//! The broker in the box, for the demo and for rooms without one: on loopback only, open to
//! everybody on this machine, nothing kept on disk.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use anyhow::{Context, Result};
use mqtt5::broker::config::{StorageBackend, StorageConfig};
use mqtt5::broker::{BrokerConfig, BrokerShutdownHandle, MqttBroker};
use tokio::task::JoinHandle;

/// A running broker.
pub struct Embedded {
    address: SocketAddr,
    shutdown: BrokerShutdownHandle,
    task: JoinHandle<()>,
}

impl Embedded {
    /// Starts one at this port of 127.0.0.1; at a free one for port 0.
    ///
    /// # Errors
    /// The port is taken.
    pub async fn start(port: u16) -> Result<Embedded> {
        let config = BrokerConfig {
            bind_addresses: vec![SocketAddr::from((Ipv4Addr::LOCALHOST, port))],
            storage_config: StorageConfig {
                backend: StorageBackend::Memory,
                enable_persistence: false,
                ..StorageConfig::default()
            },
            sys_topics_enabled: false,
            ..BrokerConfig::default()
        };
        let mut broker = MqttBroker::with_config(config).await.with_context(|| {
            format!("the embedded broker cannot listen on 127.0.0.1:{port}; if a broker runs there, name it as [broker] host")
        })?;
        let address = broker.local_addr().context("the embedded broker has no address")?;
        let shutdown = broker.shutdown_handle();
        let mut ready = broker.ready_receiver();
        let task = tokio::spawn(async move {
            if let Err(error) = broker.run().await {
                tracing::error!("the embedded broker has ended: {error}");
            }
        });
        ready.wait_for(|ready| *ready).await.context("the embedded broker did not start")?;
        Ok(Embedded { address, shutdown, task })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends it.
    pub async fn stop(self) {
        self.shutdown.shutdown();
        let _ = tokio::time::timeout(Duration::from_secs(2), self.task).await;
    }
}
