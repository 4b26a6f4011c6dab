//! The commands of the program.

pub mod advise;
pub mod boards;
mod compare;
pub mod demo;
mod evidence;
pub mod explain;
pub mod label;
pub mod pages;
pub mod record;
pub mod replay;
pub mod report;
pub mod run;
pub mod simulate;
pub mod validate;
pub mod verify;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Reads electronic chessboards, notices irregularities and tells the arbiter over MQTT.
#[derive(Debug, Parser)]
#[command(name = "jadoube", version, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Cmd,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Cmd {
    /// Watch the boards of a room
    Run(run::Args),
    /// Check a configuration and say what it would run, without running it
    Validate(validate::Args),
    /// List the boards that are plugged in
    Boards(boards::Args),
    /// Write down what one board says, without a configuration
    Record(record::Args),
    /// Read recordings again and print what was noticed
    Replay(replay::Args),
    /// Write down what really happened in a recording, for judging and for the hand model
    Label(label::Args),
    /// Say what the Laws propose for the cases of a file
    Advise(advise::Args),
    /// Explain an alert from its journal, with what was shown and entered, and when
    Explain(explain::Args),
    /// Report the incidents of a round from its journals, or make a page of one of them
    Report(report::Args),
    /// Check that a journal is whole, and print its digest
    Verify(verify::Args),
    /// Behave like a board that plays a recording
    Simulate(simulate::Args),
    /// Show it all with simulated boards
    Demo(demo::Args),
    /// Write the manual, a page for each command
    #[command(hide = true)]
    Man(pages::ManArgs),
    /// Print the completions for a shell
    #[command(hide = true)]
    Completions(pages::CompletionArgs),
}

impl Cli {
    /// Does it.
    ///
    /// # Errors
    /// Whatever made the command fail; exit code 1.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self.command {
            Cmd::Run(args) => run::run(args),
            Cmd::Validate(args) => validate::run(args),
            Cmd::Boards(args) => boards::run(args),
            Cmd::Record(args) => record::run(args),
            Cmd::Replay(args) => replay::run(args),
            Cmd::Label(args) => label::run(args),
            Cmd::Advise(args) => advise::run(args),
            Cmd::Explain(args) => explain::run(args),
            Cmd::Report(args) => report::run(args),
            Cmd::Verify(args) => verify::run(args),
            Cmd::Simulate(args) => simulate::run(args),
            Cmd::Demo(args) => demo::run(args),
            Cmd::Man(args) => pages::man(args),
            Cmd::Completions(args) => pages::completions(args),
        }
    }
}
