//! `jadoube verify`: whether a journal is whole, and the digest for a signed slip; with `--replay`
//! whether this program shows the same, and where not.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::compare::{Compared, compare};
use super::evidence::Evidence;
use crate::daemon::roster::PROGRAM;
use crate::journal::{After, Entry};

/// The exit code if this program would have shown something else.
const DIFFERS: u8 = 3;

/// Arguments of `jadoube verify`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A journal, .jsonl or .jsonl.gz
    file: PathBuf,
    /// Replay it too, and list where this program would have shown something else
    #[arg(long)]
    replay: bool,
}

/// Runs the command: exit code 1 if the journal is damaged or does not follow the one before it, 3 if it is whole and this program would
/// have shown something else.
///
/// # Errors
/// The file cannot be read, or is no journal.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let evidence = Evidence::read(&args.file)?;
    let mut out = std::io::stdout().lock();
    out.write_all(report(&evidence).as_bytes())?;
    let follows = follows(&args.file, &evidence);
    if let (Ok(text) | Err(text), true) = (&follows, evidence.header.after.is_some()) {
        writeln!(out, "{:10}{text}", "follows")?;
    }
    let whole = (evidence.damage.is_none() || evidence.torn) && follows.is_ok();
    let mut same = true;
    if args.replay {
        let compared = compare(&evidence);
        same = compared.differences.is_empty();
        out.write_all(replayed(&evidence, &compared).as_bytes())?;
    }
    Ok(match (whole, same) {
        (false, _) => ExitCode::FAILURE,
        (true, false) => ExitCode::from(DIFFERS),
        (true, true) => ExitCode::SUCCESS,
    })
}

/// What there is to say of the journal of the game before, and whether it is the one that was followed.
fn follows(path: &Path, evidence: &Evidence) -> Result<String, String> {
    let Some(After { file, hash }) = &evidence.header.after else { return Ok(String::new()) };
    let beside = [path.with_file_name(file), path.with_file_name(format!("{file}.gz"))];
    let Some(before) = beside.iter().find(|path| path.exists()) else {
        return Ok(format!("{file}, which is not beside it: whether it is the same is not known"));
    };
    match Evidence::read(before) {
        Ok(before) if before.hash == *hash => Ok(format!("{file}, as it was")),
        Ok(_) => Err(format!("{file}, which was CHANGED or gone on with since")),
        Err(error) => Err(format!("{file}, which cannot be read: {error:#}")),
    }
}

/// What this program makes of the same inputs.
fn replayed(evidence: &Evidence, compared: &Compared) -> String {
    let (lines, differences) = (compared.lines, &compared.differences);
    let mut out = match differences.len() {
        0 => {
            format!("replayed  {PROGRAM} shows the same: all {lines} lines of what was shown and answered\n")
        }
        n => format!(
            "replayed  {PROGRAM} DIFFERS in {n} points ({lines} lines of what was shown and answered). What \
             was shown then stands in the journal as it was:\n"
        ),
    };
    for difference in differences {
        let when = evidence.wall(difference.at);
        out.push_str(&format!("{:10}line {}, {when} UTC: {}\n", "", difference.line, difference.what));
    }
    let mut note = |count: usize, text: &str| {
        if count > 0 {
            out.push_str(&format!("{:10}{count} {text}\n", ""));
        }
    };
    note(
        compared.wordless,
        "lines were compared by id and revision alone: the program that wrote them kept no words",
    );
    note(compared.unfinished, "more are shown after the last input, where the journal ends");
    out
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
    say("rules", format!("{}{}", header.ruleset, evidence.rules()));
    let clock = match header.clock_synchronised {
        Some(true) => "the host's clock was synchronised",
        Some(false) => "the host's clock was NOT synchronised: the times may be off, their distances are not",
        None => "whether the host's clock was synchronised is not known",
    };
    say("begun", format!("{} UTC; {clock}", evidence.wall(crate::tick::Tick::ZERO)));
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
