//! `jadoube run`: watches the boards of a room until it is told to end.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use tokio::signal::unix::{SignalKind, signal};
use tracing::info;

use crate::daemon::config::Config;
use crate::daemon::room;

/// Arguments of `run`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The configuration; systemd/jadoube.toml explains every key
    #[arg(long, value_name = "FILE")]
    pub config: PathBuf,
}

/// Runs it. Exit code 2, and nothing started, if the configuration is wrong.
///
/// # Errors
/// The room could not be started.
pub fn run(args: Args) -> Result<ExitCode> {
    let config = match Config::load(&args.config) {
        Ok(config) => config,
        Err(error) => {
            // Nobody can be told if even standard error is closed.
            let _ = writeln!(std::io::stderr(), "{error}");
            return Ok(ExitCode::from(2));
        }
    };
    let runtime = tokio::runtime::Runtime::new().context("the runtime cannot be started")?;
    runtime.block_on(async {
        let mut terminate = signal(SignalKind::terminate()).context("SIGTERM cannot be heard")?;
        let mut interrupt = signal(SignalKind::interrupt()).context("SIGINT cannot be heard")?;
        let room = room::start(config).await?;
        tokio::select! {
            _ = terminate.recv() => info!("SIGTERM: closing the room"),
            _ = interrupt.recv() => info!("SIGINT: closing the room"),
        }
        room.stop().await;
        Ok(ExitCode::SUCCESS)
    })
}
