//! `jadoube demo`: not built yet.

use std::process::ExitCode;

use anyhow::{Result, bail};

/// Arguments of `demo`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Keep playing until interrupted
    #[arg(long)]
    pub hold: bool,
    /// Play other games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// Runs it.
///
/// # Errors
/// Always, for now.
pub fn run(_args: Args) -> Result<ExitCode> {
    bail!("demo is not built yet")
}
