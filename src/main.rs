//! The program: reads its arguments, sets up the log, and does what is asked.
// Printing and the environment belong here and in `daemon`.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)]

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use clap::Parser;
use jadoube::daemon::cmd::Cli;
use tracing_subscriber::EnvFilter;

fn main() -> ExitCode {
    // Wrong usage ends here, with exit code 2.
    let cli = Cli::parse();
    let filter = EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| EnvFilter::new("info,mqtt5=warn,mqtt5_protocol=warn,rumqttc=warn"));
    let colours = std::io::stderr().is_terminal();
    tracing_subscriber::fmt().with_env_filter(filter).with_ansi(colours).with_writer(std::io::stderr).init();
    cli.run().unwrap_or_else(|error| {
        let _ = writeln!(std::io::stderr(), "jadoube: {error:#}");
        ExitCode::FAILURE
    })
}
