//! `jadoube run`: watches the boards of a room until it is told to end.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use tokio::signal::unix::{SignalKind, signal};
use tracing::{error, info};

use crate::daemon::config::Config;
use crate::daemon::room;
use crate::daemon::service::Service;
use crate::daemon::takeover::take_over;

/// Arguments of `run`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The configuration; systemd/jadoube.toml explains every key
    #[arg(long, value_name = "FILE")]
    pub config: PathBuf,
    /// Take over for another machine: a copy of its journal_dir, with the journals and the outbox of this node
    #[arg(long, value_name = "DIR")]
    pub take_over: Option<PathBuf>,
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
    if let Some(from) = &args.take_over {
        let taken = take_over(from, &config).context("nothing is started")?;
        info!("taken over: {} journals, {} outboxes", taken.journals, taken.outboxes);
    }
    let runtime = tokio::runtime::Runtime::new().context("the runtime cannot be started")?;
    runtime.block_on(async {
        let mut terminate = signal(SignalKind::terminate()).context("SIGTERM cannot be heard")?;
        let mut interrupt = signal(SignalKind::interrupt()).context("SIGINT cannot be heard")?;
        let mut hangup = signal(SignalKind::hangup()).context("SIGHUP cannot be heard")?;
        let mut room = room::start(config).await?;
        let service = Service::start().context("the service manager's thread cannot be started")?;
        service.ready(room.summary());
        let watchdog = tokio::spawn(service.clone().watchdog());
        loop {
            tokio::select! {
                _ = terminate.recv() => { info!("SIGTERM: closing the room"); break }
                _ = interrupt.recv() => { info!("SIGINT: closing the room"); break }
                _ = hangup.recv() => reload(&mut room, &args.config, &service),
            }
        }
        service.stopping();
        room.stop().await;
        watchdog.abort();
        service.told().await;
        Ok(ExitCode::SUCCESS)
    })
}

/// Reads the configuration again. One that is wrong changes nothing, and is explained in the log.
fn reload(room: &mut room::RoomHandle, path: &Path, service: &Service) {
    service.reloading();
    match Config::load(path) {
        Ok(config) => room.reload(&config),
        Err(wrong) => error!("SIGHUP: the configuration is wrong, nothing is changed:\n{wrong}"),
    }
    service.ready(room.summary());
}
