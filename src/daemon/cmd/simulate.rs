//! `jadoube simulate`: not built yet.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};

/// Arguments of `simulate`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The neutral recording to play
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Cut waits that are longer
    #[arg(long, value_name = "SECONDS")]
    pub compress: Option<f64>,
}

/// Runs it.
///
/// # Errors
/// Always, for now.
pub fn run(_args: Args) -> Result<ExitCode> {
    bail!("simulate is not built yet")
}
