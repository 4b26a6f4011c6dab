//! Jadoube.

use std::process::ExitCode;

use clap::Parser;
use jadoube::daemon::cmd::simulate;

#[derive(Parser)]
enum Jadoube {
    Simulate(simulate::SimulateArgs),
}

fn main() -> anyhow::Result<ExitCode> {
    match Jadoube::parse() {
        Jadoube::Simulate(args) => simulate::run(args),
    }
}
