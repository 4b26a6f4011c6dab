//! `jadoube report`: the incidents of a round from its journals, as Markdown; or one incident as a page
//! that replays it.

mod frames;
mod gather;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use sha2::{Digest, Sha256};

use self::frames::frames;
use self::gather::{incidents, journal_line};
use super::evidence::Evidence;
use crate::contract::{Incident, Round, incident_page, round_report};
use crate::daemon::roster::PROGRAM;

/// Arguments of `jadoube report`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A folder of journals, or journals (.jsonl or .jsonl.gz)
    #[arg(required = true)]
    journals: Vec<PathBuf>,
    /// Only this incident: the id of its alert
    #[arg(long, value_name = "ID", requires = "html")]
    incident: Option<String>,
    /// Write the incident as a page that opens without a network
    #[arg(long, value_name = "FILE", requires = "incident")]
    html: Option<PathBuf>,
}

/// A journal of the round, and what it is called.
struct Journal {
    name: String,
    evidence: Evidence,
}

/// Runs the command: exit code 1 if a journal is damaged or cannot be read, after the report of the
/// others.
///
/// # Errors
/// There is no journal, or no such incident, or the page cannot be written.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let paths = paths(&args.journals)?;
    let (mut journals, mut unread) = (Vec::new(), Vec::new());
    for path in &paths {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        match Evidence::read(path) {
            Ok(evidence) => journals.push(Journal { name, evidence }),
            Err(error) => unread.push(format!("{error:#}")),
        }
    }
    if let (Some(id), Some(html)) = (&args.incident, &args.html) {
        return page(&journals, id, html);
    }
    let whole = unread.is_empty() && journals.iter().all(|journal| is_whole(&journal.evidence));
    let text = round_report(&round(&args.journals[0], &journals, unread));
    std::io::stdout().lock().write_all(text.as_bytes())?;
    Ok(if whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn is_whole(evidence: &Evidence) -> bool {
    evidence.damage.is_none() || evidence.torn
}

/// The journals, sorted by name; those of a folder, if it is one.
fn paths(given: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut out = Vec::new();
    for path in given {
        if !path.is_dir() {
            out.push(path.clone());
            continue;
        }
        let entries = std::fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))?;
        let journal = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            path.is_file() && (name.ends_with(".jsonl") || name.ends_with(".jsonl.gz"))
        };
        out.extend(entries.filter_map(|entry| Some(entry.ok()?.path())).filter(journal));
    }
    out.sort_by(|a, b| a.file_name().cmp(&b.file_name()).then_with(|| a.cmp(b)));
    out.dedup();
    if out.is_empty() {
        bail!("there is no journal: {} has no .jsonl file", given[0].display());
    }
    Ok(out)
}

fn round(place: &Path, journals: &[Journal], unread: Vec<String>) -> Round {
    let full = place.canonicalize().unwrap_or_else(|_| place.to_owned());
    let mut all: Vec<(u64, Incident)> = journals.iter().flat_map(incidents).collect();
    all.sort_by(|(a, one), (b, other)| a.cmp(b).then_with(|| one.alert.id.cmp(&other.alert.id)));
    Round {
        name: full.file_name().map_or_else(|| "round".to_owned(), |name| name.to_string_lossy().into_owned()),
        journals: journals.iter().map(journal_line).collect(),
        unread,
        digest: digest(journals),
        incidents: all.into_iter().map(|(_, incident)| incident).collect(),
        program: PROGRAM.to_owned(),
    }
}

/// SHA-256 of the list that `sha256sum` prints of the files in this order.
fn digest(journals: &[Journal]) -> String {
    let line = |journal: &Journal| format!("{}  {}\n", journal.evidence.digest, journal.name);
    hex::encode(Sha256::digest(journals.iter().map(line).collect::<String>()))
}

fn page(journals: &[Journal], id: &str, html: &Path) -> anyhow::Result<ExitCode> {
    let mut known = Vec::new();
    for journal in journals {
        for (_, incident) in incidents(journal) {
            if incident.alert.id == id {
                let about = [
                    (
                        "Journal",
                        format!("{}, lines {} to {}", journal.name, incident.lines.0, incident.lines.1),
                    ),
                    ("sha256", journal.evidence.digest.clone()),
                    ("State", journal_line(journal).whole),
                    ("Rules", format!("{}{}", journal.evidence.header.ruleset, journal.evidence.rules())),
                    ("Written by", journal.evidence.header.program.clone()),
                    ("Page made by", PROGRAM.to_owned()),
                ];
                let text = incident_page(&incident, &frames(&journal.evidence, &incident), &about);
                std::fs::write(html, text).with_context(|| format!("cannot write {}", html.display()))?;
                return Ok(ExitCode::SUCCESS);
            }
            known.push(incident.alert.id);
        }
    }
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    bail!("the journals have no incident \"{id}\": they have {known}")
}
