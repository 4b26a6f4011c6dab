//! The manual and the completions, made of the commands themselves, so that they cannot differ.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::Cli;
use crate::daemon::config::environment::VARIABLES;

/// Write the manual, a page for each command.
#[derive(Debug, clap::Args)]
pub struct ManArgs {
    /// The folder for the pages, which is made if it is not there
    dir: PathBuf,
}

/// Print the completions for a shell.
#[derive(Debug, clap::Args)]
pub struct CompletionArgs {
    /// The shell
    shell: clap_complete::Shell,
}

/// Writes the pages.
///
/// # Errors
/// A page cannot be written.
pub fn man(args: ManArgs) -> anyhow::Result<ExitCode> {
    std::fs::create_dir_all(&args.dir).with_context(|| format!("no folder {}", args.dir.display()))?;
    let mut root = Cli::command().disable_help_subcommand(true);
    root.build();
    let commands: Vec<Command> =
        root.get_subcommands().filter(|command| !command.is_hide_set()).cloned().collect();
    let mut text = Vec::new();
    Man::new(root.clone()).render(&mut text)?;
    // After the page's own sections.
    more().to_writer(&mut text)?;
    write(&args.dir.join("jadoube.1"), &text)?;
    for command in commands {
        let name = format!("jadoube-{}", command.get_name());
        let mut text = Vec::new();
        Man::new(command.version(env!("CARGO_PKG_VERSION"))).title(&name).render(&mut text)?;
        write(&args.dir.join(format!("{name}.1")), &text)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write(path: &std::path::Path, text: &[u8]) -> anyhow::Result<()> {
    std::fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))
}

/// The environment, the files and the exit codes.
fn more() -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["ENVIRONMENT"]);
    for (name, what) in VARIABLES {
        roff.control("TP", []).text([bold(name)]).text([roman(what)]);
    }
    roff.control("SH", ["FILES"]);
    for (path, what) in [
        ("/etc/jadoube/jadoube.toml", "The configuration of the service; it explains every key."),
        ("/var/lib/jadoube/journal", "The journals of the service."),
    ] {
        roff.control("TP", []).text([bold(path)]).text([roman(what)]);
    }
    roff.control("SH", ["EXIT STATUS"]);
    roff.text([roman(
        "0: done. 1: it failed, and standard error says why. 2: wrong usage, or a wrong configuration.",
    )]);
    roff
}

/// Prints them.
///
/// # Errors
/// Standard output is closed.
pub fn completions(args: CompletionArgs) -> anyhow::Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "jadoube", &mut text);
    std::io::stdout().lock().write_all(&text)?;
    Ok(ExitCode::SUCCESS)
}
