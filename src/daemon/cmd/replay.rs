//! `jadoube replay`: reads what was recorded and says again what was found.
//!
//! Three kinds of files: the daemon's own journals, neutral recordings (`.jsonl`, `.jsonl.gz`) and
//! captures of DGT bytes as lines of base64 (`.inbytes`, without time stamps).

pub mod decoded;
mod games;
mod inbytes;
pub(super) mod source;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::ValueEnum;

use self::games::Games;
use self::source::{Overrides, Source};
use crate::alerts::Alert;
use crate::contract::{card, replay_line};
use crate::laws::RuleSet;
use crate::mating::Budget;
use crate::table::{Effects, Input, MatingQuestion, Publish, Table};
use crate::tick::Tick;

/// Arguments of `jadoube replay`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What to read: a journal, a neutral recording or a capture.
    #[arg(required_unless_present = "batch", conflicts_with = "batch")]
    files: Vec<PathBuf>,
    /// How to print it.
    #[arg(long, value_enum, default_value = "card")]
    output: Output,
    /// Replay every recording of this folder.
    #[arg(long, value_name = "DIR", requires = "out")]
    batch: Option<PathBuf>,
    /// Where to write one file per recording of the folder; created if it is not there.
    #[arg(long, value_name = "OUT", requires = "batch")]
    out: Option<PathBuf>,
    /// Positions the mating question may visit; 20,000,000 if not given.
    #[arg(long, value_name = "NODES")]
    mating_nodes: Option<u64>,
    #[command(flatten)]
    settings: Settings,
}

/// What a replay is told beside the file.
#[derive(Debug)]
struct Told {
    overrides: Overrides,
    budget: Budget,
}

/// Settings for recordings that do not give them.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Settings {
    /// Rule set, if the recording does not name one, as fide-2023/standard.
    #[arg(long, value_name = "KEY")]
    ruleset: Option<String>,
    /// Base time in seconds, if the recording does not give it.
    #[arg(long, value_name = "SECONDS")]
    base: Option<u32>,
    /// Increment in seconds, if the recording does not give it.
    #[arg(long, value_name = "SECONDS")]
    inc: Option<u32>,
}

/// How replay prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Output {
    /// The card an arbiter reads, for every alert.
    Card,
    /// One JSON object a line.
    Jsonl,
    /// The games, each as one or more sections (docs/RECORDS.md).
    Pgn,
}

/// Runs the command.
///
/// # Errors
/// A file that cannot be opened, or wrong arguments. Damage inside a file is an exit code, after
/// everything up to the damage was printed.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let budget = args.mating_nodes.map_or(Budget::DECIDES, Budget::nodes);
    let told = Told { overrides: overrides(&args.settings)?, budget };
    if let (Some(dir), Some(out)) = (&args.batch, &args.out) {
        return batch(dir, out, &told);
    }
    let [file] = args.files.as_slice() else {
        bail!("replay prints one file at a time: use --batch DIR --out OUT for several");
    };
    let stdout = std::io::stdout().lock();
    let mut out = BufWriter::new(stdout);
    let whole = one(file, &told, args.output, &mut out)?;
    match out.flush() {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => return Err(error.into()),
        _ => {}
    }
    Ok(if whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

pub(super) fn overrides(args: &Settings) -> anyhow::Result<Overrides> {
    if let Some(key) = args.ruleset.as_deref()
        && RuleSet::by_key(key).is_none()
    {
        let known: Vec<&str> = RuleSet::ALL.iter().map(|set| set.key).collect();
        bail!("rule set \"{key}\" is not known: use one of {}", known.join(", "));
    }
    if args.inc.is_some() && args.base.is_none() {
        bail!("--inc needs --base: an increment alone is no time control");
    }
    Ok(Overrides { ruleset: args.ruleset.clone(), base_s: args.base, inc_s: args.inc })
}

/// Replays one file; says whether it was read to its end.
fn one(file: &Path, told: &Told, output: Output, out: &mut impl Write) -> anyhow::Result<bool> {
    let mut source = Source::open(file, &told.overrides)?;
    // A journal has the answers that came; those that did not are worked out in the end.
    let mut table = if source.has_answers() { Table::new() } else { Table::solving(told.budget) };
    let mut effects = Effects::default();
    let mut summary = Summary::default();
    let mut games = Games::new();
    let mut open: Vec<MatingQuestion> = Vec::new();
    let mut last = Tick::ZERO;
    // What a game says that begins in the last line of a journal is in the journal of that game.
    let mut of_the_next: Vec<Publish> = Vec::new();
    loop {
        let read = source.next();
        let ended = !matches!(read, Some(Ok(_)));
        let mut damage = None;
        match read {
            Some(Ok((at, input))) => {
                if let Input::Answer(answer) = &input {
                    open.retain(|asked| asked.question != answer.question);
                }
                last = at;
                effects.publish.append(&mut of_the_next);
                let before = effects.publish.len();
                table.step(at, input, &mut effects);
                games.set(table.setup());
                if let Some(began) = effects.began.take().filter(|_| source.has_answers()) {
                    of_the_next = effects.publish.split_off(before.max(began.published_before));
                }
                open.append(&mut effects.ask_mating);
            }
            Some(Err(what)) => damage = Some(what),
            None => {}
        }
        if ended {
            answer(&mut table, last, &mut open, told.budget, &mut effects);
        }
        let said = std::mem::take(&mut effects.publish);
        for (index, publish) in said.iter().enumerate() {
            if output == Output::Pgn {
                games.take(publish);
                continue;
            }
            if !print(publish, &said[index..], output, &mut summary, out)? {
                return Ok(true);
            }
        }
        if let Some(damage) = damage {
            out.flush()?;
            eprintln!("{}: {damage}", file.display());
            return Ok(false);
        }
        if ended {
            break;
        }
    }
    if output == Output::Pgn {
        out.write_all(games.text().as_bytes())?;
    }
    if output == Output::Card {
        writeln!(out, "{}", summary.text())?;
    }
    Ok(true)
}

/// Answers what is asked, and what is asked because of that.
fn answer(
    table: &mut Table,
    at: Tick,
    open: &mut Vec<MatingQuestion>,
    budget: Budget,
    effects: &mut Effects,
) {
    while !open.is_empty() {
        let asked = open.remove(0);
        table.answered_here(at, &asked.answer(budget), effects);
        open.append(&mut effects.ask_mating);
    }
}

/// Prints one publication, the first of `from_here`; `false` when nobody reads any more.
fn print(
    publish: &Publish,
    from_here: &[Publish],
    output: Output,
    summary: &mut Summary,
    out: &mut impl Write,
) -> anyhow::Result<bool> {
    let text = match output {
        Output::Jsonl => replay_line(publish),
        // All at once, in the end: a later line may correct an earlier move.
        Output::Pgn => None,
        Output::Card => {
            summary.count(publish);
            // An alert that people are shown only after its window is read here at once.
            match if let Publish::Held(held) = publish { held } else { publish } {
                // Every opening, as it is at the end of its step, and the answer to its question.
                Publish::Alert(alert) if alert.revision == 0 => {
                    let latest = latest(alert, from_here);
                    summary.open(latest);
                    Some(card(latest))
                }
                Publish::Alert(alert) if summary.answered(alert) => Some(card(alert)),
                _ => None,
            }
        }
    };
    let Some(text) = text else { return Ok(true) };
    match writeln!(out, "{text}") {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// The alert as the same step leaves it.
fn latest<'a>(alert: &'a Alert, from_here: &'a [Publish]) -> &'a Alert {
    let same = |item: &'a Publish| match if let Publish::Held(held) = item { held } else { item } {
        Publish::Alert(later) if later.id == alert.id => Some(&**later),
        _ => None,
    };
    from_here.iter().rev().find_map(same).unwrap_or(alert)
}

/// What a person wants to know in the end.
#[derive(Debug, Default)]
struct Summary {
    plies: u32,
    alerts: u32,
    moves: Vec<String>,
    /// Alerts whose card was printed without the answer to its mating question.
    unanswered: Vec<String>,
}

impl Summary {
    fn count(&mut self, publish: &Publish) {
        match publish {
            Publish::Move(made) => {
                self.moves.push(made.record.san.clone());
            }
            Publish::Retract { to_ply, .. } => self.moves.truncate(*to_ply as usize),
            Publish::Alert(alert) if alert.revision == 0 => self.alerts += 1,
            _ => {}
        }
        self.plies = u32::try_from(self.moves.len()).unwrap_or(u32::MAX);
    }

    fn open(&mut self, alert: &Alert) {
        if alert.advice.mating.is_some() && alert.mating.is_none() {
            self.unanswered.push(alert.id.clone());
        }
    }

    /// Whether this is the answer that its card lacked.
    fn answered(&mut self, alert: &Alert) -> bool {
        let before = self.unanswered.len();
        self.unanswered.retain(|id| *id != alert.id || alert.mating.is_none());
        self.unanswered.len() < before
    }

    fn text(&self) -> String {
        format!("{} plies, {} alerts. {}", self.plies, self.alerts, self.moves.join(" "))
    }
}

/// Replays every recording of a folder.
fn batch(dir: &Path, out: &Path, told: &Told) -> anyhow::Result<ExitCode> {
    std::fs::create_dir_all(out).with_context(|| format!("cannot create {}", out.display()))?;
    let same = dir.canonicalize().ok().is_some_and(|d| out.canonicalize().is_ok_and(|o| o == d));
    if same {
        bail!("--out must be another folder than --batch, or recordings would be overwritten");
    }
    let mut names: Vec<PathBuf> = std::fs::read_dir(dir)
        .with_context(|| format!("cannot read the folder {}", dir.display()))?
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| stem(path).is_some())
        .collect();
    names.sort();
    let mut whole = true;
    let mut last: Option<String> = None;
    for path in &names {
        let Some(stem) = stem(path) else { continue };
        if last.as_deref() == Some(stem.as_str()) {
            eprintln!(
                "{}: {stem}.jsonl is there too: rename one, both would be {stem}.jsonl",
                path.display()
            );
            whole = false;
            continue;
        }
        last = Some(stem.clone());
        let target = out.join(format!("{stem}.jsonl"));
        let file = File::create(&target).with_context(|| format!("cannot write {}", target.display()))?;
        let mut writer = BufWriter::new(file);
        match one(path, told, Output::Jsonl, &mut writer) {
            Ok(read) => whole &= read,
            Err(error) => {
                eprintln!("{error:#}");
                whole = false;
            }
        }
        writer.flush().with_context(|| format!("cannot write {}", target.display()))?;
    }
    Ok(if whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The name of a recording without its ending; `None` for files that are none.
fn stem(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let stem = name.strip_suffix(".jsonl.gz").or_else(|| name.strip_suffix(".jsonl"))?;
    Some(stem.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_recordings_are_replayed_from_a_folder() {
        assert_eq!(stem(Path::new("x/o0001.jsonl.gz")).as_deref(), Some("o0001"));
        assert_eq!(stem(Path::new("x/o0001.jsonl")).as_deref(), Some("o0001"));
        for other in ["o0001.truth.json", "index.csv", "expected.json"] {
            assert_eq!(stem(Path::new(other)), None);
        }
    }
}
