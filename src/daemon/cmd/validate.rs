//! `jadoube validate`: whether a configuration is right, and what it would run.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::daemon::config::check::{Severity, remarks};
use crate::daemon::config::{Broker, Config};
use crate::daemon::host::Clock;
use crate::laws::RuleSet;

/// Check a configuration and say what it would run, without running it.
///
/// Opens no port and calls no broker. Exit code 0: fine, warnings are printed; 1: warnings with
/// --strict; 2: errors. `run` starts what can be watched in spite of the errors that are found here
/// beyond wrong text, and reports all of them.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The configuration; systemd/jadoube.toml explains every key
    #[arg(long, value_name = "FILE")]
    pub config: PathBuf,
    /// Warnings make exit code 1
    #[arg(long)]
    pub strict: bool,
}

/// Runs it.
///
/// # Errors
/// Standard output is closed.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut err = std::io::stderr().lock();
    let config = match Config::load(&args.config) {
        Ok(config) => config,
        Err(error) => {
            writeln!(err, "{error}")?;
            return Ok(ExitCode::from(2));
        }
    };
    std::io::stdout().lock().write_all(summary(&config).as_bytes())?;
    let remarks = remarks(&config, &Clock::start().day());
    for remark in &remarks {
        let word = if remark.severity == Severity::Error { "error" } else { "warning" };
        writeln!(err, "{word}: {}", remark.text)?;
    }
    Ok(match remarks.iter().map(|remark| remark.severity).max() {
        Some(Severity::Error) => ExitCode::from(2),
        Some(Severity::Warning) if args.strict => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    })
}

/// What would run. No secret is in it: of a password only where it comes from.
fn summary(config: &Config) -> String {
    let mut out = String::new();
    let mut say = |label: &str, text: String| _ = writeln!(out, "{label:10}{text}");
    let event = &config.event;
    if let Some(name) = &event.name {
        say("event", name.to_string());
    }
    let title = RuleSet::by_key(&event.ruleset).map_or(String::new(), |set| format!(" ({})", set.title()));
    say("rules", format!("{}{title}", event.ruleset));
    for (key, value) in &event.rules {
        say("", format!("{key} = {value}"));
    }
    say(
        "time",
        event.time_control.map_or("not given: settings of clocks are not judged".to_owned(), |time| {
            format!("{} s, {} s a move", time.base_s, time.inc_s)
        }),
    );
    if !event.shadow.rules.is_empty() {
        say("shadow", format!("nobody is told of {}", event.shadow.rules.join(", ")));
    }
    say("node", config.node.to_string());
    say("journals", journals(config));
    say("messages", messages(config));
    let width = config.boards.iter().map(|board| board.id.as_str().len()).max().unwrap_or(0);
    for (index, board) in config.boards.iter().enumerate() {
        let label = if index == 0 { "boards" } else { "" };
        let mut text = format!("{:width$}  {}", board.id.as_str(), board.place());
        if let (Some(_), Some(serial)) = (&board.port, &board.serial) {
            _ = write!(text, ", serial number {serial}");
        }
        if board.shadow.unwrap_or(event.shadow.board) {
            text.push_str(", shadow: nobody is told");
        }
        say(label, text);
    }
    out
}

fn journals(config: &Config) -> String {
    let days = config.keep.map(|keep| format!(", kept for {} days", keep.as_secs() / 86_400));
    format!("{}{}", config.journals().display(), days.unwrap_or_default())
}

fn messages(config: &Config) -> String {
    let topics = format!("{}/v1/{}/…", config.root, config.node);
    match &config.broker {
        Broker::Embedded { port } => format!("a broker of our own at 127.0.0.1:{port}, {topics}"),
        Broker::Listening { listen, user, password } => {
            let place = password.place();
            format!("a broker of our own at {listen} for {user}, password: {place}, {topics}")
        }
        Broker::Remote { host, port, user, password, tls } => {
            let user = user.as_ref().map_or(String::new(), |user| format!(" as {user}"));
            let password = password.as_ref().map_or(String::new(), |p| format!(", password: {}", p.place()));
            let tls = if tls.is_some() { " by TLS" } else { "" };
            format!("{host}:{port}{tls}{user}{password}, {topics}")
        }
    }
}
