//! `jadoube demo`: a room with simulated boards, and what its arbiter gets to read.
//!
//! Nothing is staged behind the boards: each plays real DGT bytes on a pseudo-terminal, the daemon
//! reads them as it reads any port, alerts go through a broker, and what is printed is what a
//! subscriber received.

#[cfg(feature = "embedded-broker")]
mod arbiter;
#[cfg(feature = "embedded-broker")]
mod room;
#[cfg(feature = "embedded-broker")]
mod tables;

use std::process::ExitCode;

/// Show it all with simulated boards.
///
/// Ends by itself within a minute. The exit code is 0 only if every alert that was meant to be
/// shown arrived, and none at the table where nothing happens.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Play the games again and again until interrupted
    #[arg(long)]
    pub hold: bool,
}

/// Runs the demo.
///
/// # Errors
/// No pseudo-terminal, no place for journals, or no broker.
#[cfg(feature = "embedded-broker")]
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(room::show(args.hold))
}

/// Says that this build cannot.
///
/// # Errors
/// Always.
#[cfg(not(feature = "embedded-broker"))]
pub fn run(_args: Args) -> anyhow::Result<ExitCode> {
    anyhow::bail!("the demo needs a broker in the box: build with the feature embedded-broker")
}
