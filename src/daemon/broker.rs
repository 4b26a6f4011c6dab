//! The broker in the box, for the demo and for rooms without one: on loopback only and open to everybody
//! on this machine, or where it is told to listen, and then for those who have the password. Nothing is
//! kept on disk.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use mqtt5::broker::auth::PasswordAuthProvider;
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
        Embedded::begin(SocketAddr::from((Ipv4Addr::LOCALHOST, port)), None).await
    }

    /// Starts one at this address, for this user alone.
    ///
    /// # Errors
    /// The address cannot be listened on.
    pub async fn listening(address: SocketAddr, user: &str, password: &str) -> Result<Embedded> {
        let users = PasswordAuthProvider::new();
        users.add_user(user, password).context("the password cannot be kept")?;
        Embedded::begin(address, Some(users)).await
    }

    async fn begin(address: SocketAddr, users: Option<PasswordAuthProvider>) -> Result<Embedded> {
        let config = BrokerConfig {
            bind_addresses: vec![address],
            storage_config: StorageConfig {
                backend: StorageBackend::Memory,
                enable_persistence: false,
                ..StorageConfig::default()
            },
            sys_topics_enabled: false,
            ..BrokerConfig::default()
        };
        let broker = MqttBroker::with_config(config).await.with_context(|| {
            format!("the embedded broker cannot listen on {address}; if a broker runs there, name it as [broker] host")
        })?;
        let mut broker = match users {
            Some(users) => broker.with_auth_provider(Arc::new(users)),
            None => broker,
        };
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
