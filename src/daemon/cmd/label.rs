//! `jadoube label`: what really happened in a recording, ply by ply.
//!
//! The moves come from a file, never from the detector. Labels go to standard output, the truth of
//! the recording and constants that fit it to files.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::ValueEnum;

use super::replay::decoded::{Decoded, decode};
use super::replay::source::Overrides;
use super::replay::{Settings, overrides};
use crate::emulator::to_jsonl;
use crate::events::{Row, RowKind};
use crate::label::{Confidence, Incidents, Label, Labelled, Recording, fit, label, truth};

/// Label a recording with the moves that were played.
///
/// Lays the moves of --moves along the contacts and presses of RECORDING, without asking the
/// detector, and prints one JSON object a ply: when the piece was lifted and set down, when the
/// clock was pressed, in which order a capture was carried out, which squares were touched. A ply
/// that cannot be found says so and has no times.
///
/// With --out the recording and its truth are written as the corpus has them, so that `jadoube
/// replay` can be judged on it. With --fit the labels, and those of earlier runs given by
/// --labels, become constants of the simulated room (JADOUBE_HANDS=FILE).
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A journal, a neutral recording (.jsonl, .jsonl.gz) or a capture (.inbytes)
    #[arg(required_unless_present = "labels", requires = "moves")]
    recording: Option<PathBuf>,
    /// What was played: a PGN with one game, or moves as e2e4 or Nf3
    #[arg(long, value_name = "FILE", requires = "recording")]
    moves: Option<PathBuf>,
    /// What an observer saw: [[incident]] in .toml, or one JSON object a line, with ply, id and
    /// perhaps side, note, squares, t_ms, board
    #[arg(long, value_name = "FILE", requires = "recording")]
    incidents: Option<PathBuf>,
    /// How to print the labels
    #[arg(long, value_enum, default_value = "jsonl")]
    output: Output,
    /// Write NAME.jsonl and NAME.truth.json to this folder; created if it is not there
    #[arg(long, value_name = "DIR", requires = "recording")]
    out: Option<PathBuf>,
    /// NAME; that of the recording by default
    #[arg(long, value_name = "NAME", requires = "out")]
    name: Option<String>,
    /// Write constants of hands that fit the labels
    #[arg(long, value_name = "FILE")]
    fit: Option<PathBuf>,
    /// Labels of earlier runs to fit as well
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "fit")]
    labels: Vec<PathBuf>,
    #[command(flatten)]
    settings: Settings,
}

/// How labels are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Output {
    /// One JSON object a ply.
    Jsonl,
    /// A line a ply, for people.
    Table,
}

/// Runs the command.
///
/// # Errors
/// A file that cannot be read, or moves that do not fit the recording. Nothing is written then.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut all = Vec::new();
    for path in &args.labels {
        all.extend(earlier(path)?);
    }
    if let (Some(path), Some(moves)) = (&args.recording, &args.moves) {
        let recording = read(path, &overrides(&args.settings)?)?;
        let moves_text = text(moves)?;
        let notes = args.incidents.as_deref().map_or_else(|| Ok(Incidents::default()), incidents)?;
        let named = |error: crate::label::LabelError| match &error {
            crate::label::LabelError::Moves(why) => anyhow::anyhow!("{}: {why}", moves.display()),
            crate::label::LabelError::Incidents(why) => {
                let file = args.incidents.as_deref().unwrap_or(moves);
                anyhow::anyhow!("{}: {why}", file.display())
            }
            _ => anyhow::anyhow!("{}: {error}", path.display()),
        };
        let labelled = label(&recording, &moves_text, &notes).map_err(named)?;
        if let Some(dir) = &args.out {
            corpus(&args, dir, path, &recording, &labelled)?;
        }
        if !print(&labelled.labels, args.output)? {
            return Ok(ExitCode::SUCCESS);
        }
        summary(&labelled.labels);
        all.extend(labelled.labels);
    }
    if let Some(path) = &args.fit {
        let fitted = fit(&all);
        std::fs::write(path, &fitted.text).with_context(|| format!("cannot write {}", path.display()))?;
        let few: Vec<String> = fitted.few.iter().map(|(key, n)| format!("{key} ({n})")).collect();
        eprintln!("{}: {} keys fitted to {} plies", path.display(), fitted.told.len(), all.len());
        if !few.is_empty() {
            eprintln!("too few samples, so as they were: {}", few.join(", "));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn text(path: &Path) -> anyhow::Result<String> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    // Older PGN files are in Latin-1; only names have letters beyond ASCII.
    let text = String::from_utf8_lossy(&bytes).into_owned();
    if text.trim().is_empty() {
        bail!("{}: the file is empty", path.display());
    }
    if text.contains('\0') {
        bail!("{}: this is no text: moves, notes and labels are text files", path.display());
    }
    Ok(text)
}

fn incidents(path: &Path) -> anyhow::Result<Incidents> {
    let text = text(path)?;
    let name = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    match name {
        "toml" => toml::from_str(&text).with_context(|| format!("{}", path.display())),
        "jsonl" => Incidents::from_jsonl(&text).with_context(|| format!("{}", path.display())),
        _ => bail!("{}: incidents are written in a file .toml or .jsonl", path.display()),
    }
}

fn earlier(path: &Path) -> anyhow::Result<Vec<Label>> {
    let lines = text(path)?;
    let read = (1..).zip(lines.lines()).filter(|(_, line)| !line.trim().is_empty()).map(|(number, line)| {
        serde_json::from_str(line)
            .with_context(|| format!("{}: line {number} is no label of `jadoube label`", path.display()))
    });
    read.collect()
}

/// The whole recording, decoded.
fn read(path: &Path, overrides: &Overrides) -> anyhow::Result<Recording> {
    let wrong = "a recording is a journal, .jsonl, .jsonl.gz or .inbytes; moves are given with --moves";
    let Decoded { setup, reports, timed } = decode(path, overrides, wrong)?;
    Ok(Recording { setup, reports, timed })
}

/// Writes the recording as a neutral one, and its truth beside it.
fn corpus(
    args: &Args,
    dir: &Path,
    path: &Path,
    recording: &Recording,
    labelled: &Labelled,
) -> anyhow::Result<()> {
    let own = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let own = [".jsonl.gz", ".jsonl", ".inbytes"].iter().find_map(|end| own.strip_suffix(end)).unwrap_or(own);
    let name = args.name.as_deref().unwrap_or(own);
    if name.is_empty() || name.contains('/') {
        bail!("--name \"{name}\" is no file name");
    }
    let value = truth(recording, labelled, name).with_context(|| {
        args.incidents.as_ref().map_or_else(String::new, |file| file.display().to_string())
    })?;
    std::fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
    let (stream, truth) = (dir.join(format!("{name}.jsonl")), dir.join(format!("{name}.truth.json")));
    if let Some(there) = [&stream, &truth].into_iter().find(|file| file.exists()) {
        bail!("{} is there already: choose another --out or --name", there.display());
    }
    let first = (crate::tick::Tick::ZERO, RowKind::Meta(Box::new(recording.setup.clone())));
    let rest = recording.reports.iter().map(|(at, report)| (*at, RowKind::Report(report.clone())));
    let rows: Vec<Row> = std::iter::once(first).chain(rest).map(|(at, kind)| Row { at, kind }).collect();
    let put = |file: &Path, text: String| {
        std::fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
    };
    put(&stream, to_jsonl(&rows))?;
    put(&truth, serde_json::to_string_pretty(&value)? + "\n")?;
    eprintln!("wrote {} and {}", stream.display(), truth.display());
    Ok(())
}

/// Prints the labels; `false` when nobody reads any more.
fn print(labels: &[Label], output: Output) -> anyhow::Result<bool> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut write = || -> std::io::Result<()> {
        for label in labels {
            match output {
                Output::Jsonl => writeln!(out, "{}", serde_json::to_string(label)?)?,
                Output::Table => writeln!(out, "{}", line(label))?,
            }
        }
        out.flush()
    };
    match write() {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error.into()),
    }
}

fn line(label: &Label) -> String {
    let ms = |value: Option<i64>| value.map_or("-".to_owned(), |ms| ms.to_string());
    let order = label.order.as_deref().unwrap_or_default();
    let confidence = format!("{:?}", label.confidence).to_lowercase();
    format!(
        "{:>4} {:<8} think {:>7} carry {:>6} press {:>6}  {:<10} {order:<22} {confidence:<6} {}",
        label.ply,
        label.san,
        ms(label.think_ms),
        ms(label.lift_to_land_ms),
        ms(label.land_to_press_ms),
        label.kind,
        label.why.join("; ")
    )
}

/// What could not be found, said where people read it.
fn summary(labels: &[Label]) {
    let lost: Vec<&Label> = labels.iter().filter(|label| label.confidence == Confidence::None).collect();
    let low = labels.iter().filter(|label| label.confidence == Confidence::Low).count();
    eprintln!(
        "{} of {} plies aligned, {low} of them with times of low confidence",
        labels.len() - lost.len(),
        labels.len()
    );
    for label in lost {
        eprintln!("ply {} ({}) could not be aligned: {}", label.ply, label.san, label.why.join("; "));
    }
}
