//! Jadoube.
use clap::Parser;
#[derive(Parser)]
enum Cli { Replay(jadoube::daemon::cmd::replay::ReplayArgs) }
fn main() -> anyhow::Result<std::process::ExitCode> {
    match Cli::parse() { Cli::Replay(a) => jadoube::daemon::cmd::replay::run(&a) }
}
