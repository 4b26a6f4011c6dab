//! `jadoube replay`: not built yet.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::ValueEnum;

/// Arguments of `replay`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Journals, neutral recordings or captures
    #[arg(value_name = "FILE", required_unless_present = "batch")]
    pub files: Vec<PathBuf>,
    /// What to print
    #[arg(long, value_enum, default_value_t = Output::Card)]
    pub output: Output,
    /// Replay every recording below this directory
    #[arg(long, value_name = "DIR", requires = "out")]
    pub batch: Option<PathBuf>,
    /// Where the outputs of --batch go
    #[arg(long, value_name = "OUT", requires = "batch")]
    pub out: Option<PathBuf>,
    /// Rule set, for recordings that name none
    #[arg(long, value_name = "KEY")]
    pub ruleset: Option<String>,
    /// Seconds at the start, for recordings that say nothing of it
    #[arg(long, value_name = "SECONDS")]
    pub base: Option<u32>,
    /// Seconds added with each move
    #[arg(long, value_name = "SECONDS", requires = "base")]
    pub inc: Option<u32>,
}

/// What to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// Cards for people
    Card,
    /// JSON Lines
    Jsonl,
}

/// Runs it.
///
/// # Errors
/// Always, for now.
pub fn run(_args: Args) -> Result<ExitCode> {
    bail!("replay is not built yet")
}
