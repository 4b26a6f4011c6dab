//! `jadoube verify`: whether a journal is whole, and the digest for a signed slip.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use super::evidence::Evidence;
use crate::journal::Entry;

/// Arguments of `jadoube verify`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A journal, .jsonl or .jsonl.gz
    file: PathBuf,
}

/// Runs the command: exit code 1 if the journal is damaged.
///
/// # Errors
/// The file cannot be read, or is no journal.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let evidence = Evidence::read(&args.file)?;
    let mut out = std::io::stdout().lock();
    out.write_all(report(&evidence).as_bytes())?;
    let whole = evidence.damage.is_none() || evidence.torn;
    Ok(if whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What is said of a journal.
fn report(evidence: &Evidence) -> String {
    let header = &evidence.header;
    let count = |wanted: fn(&Entry) -> bool| evidence.records.iter().filter(|r| wanted(&r.entry)).count();
    let mut out = String::new();
    let mut say = |label: &str, text: String| out.push_str(&format!("{label:10}{text}\n"));
    say(
        "board",
        format!("{}, node {}", header.board, if header.node.is_empty() { "-" } else { &header.node }),
    );
    say("program", header.program.clone());
    for (at, goes_on) in evidence.goes_on() {
        say("", format!("gone on with by {} at {} UTC", goes_on.program, evidence.wall(at)));
    }
    say("rules", header.ruleset.clone());
    say("begun", format!("{} UTC", evidence.wall(crate::tick::Tick::ZERO)));
    say("last line", format!("{} UTC", evidence.wall(evidence.last())));
    say(
        "lines",
        format!(
            "{}: {} inputs, {} shown, {} answers",
            evidence.records.len(),
            count(|entry| matches!(entry, Entry::Input(_))),
            count(|entry| matches!(entry, Entry::Shown(_))),
            count(|entry| matches!(entry, Entry::Response(_))),
        ),
    );
    say(
        "chain",
        match (&evidence.damage, evidence.torn) {
            (None, _) if evidence.line_ends_changed => {
                "whole, but its line ends were changed when it was copied: the digest is not that of the original"
                    .to_owned()
            }
            (None, _) => "whole: every line is as it was written, in its place".to_owned(),
            (Some(_), true) => {
                "whole up to the last line, which is cut off: the program ended while it wrote it, or the file \
                 was cut"
                    .to_owned()
            }
            (Some(damage), false) => format!("BROKEN: {damage}; what comes after that proves nothing"),
        },
    );
    say("sha256", evidence.digest.clone());
    out
}
