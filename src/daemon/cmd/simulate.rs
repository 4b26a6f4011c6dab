//! `jadoube simulate`: a DGT board with clock on a pseudo-terminal, playing a recording.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::Instant;

use super::replay::decoded::{Decoded, decode};
use super::replay::source::Overrides;
use crate::daemon::pty::{Cable, play};
use crate::emulator::{Emulator, Faults, Recording};
use crate::events::{Report, Row, RowKind};
use crate::journal::is_journal;
use crate::tick::{Span, Tick};

/// Play a recording, a journal or a capture as a DGT board on a pseudo-terminal.
///
/// The first line of standard output is the path to open. The board answers every command at once
/// and begins to play at the first update mode it is set to. What a DGT board cannot say is told
/// on standard error.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// A neutral recording, .jsonl or .jsonl.gz; a journal, packed or not; a capture, .inbytes
    pub file: PathBuf,
    /// Cut waits over this many seconds, and give the cut back on that side's clock
    #[arg(long, value_name = "SECONDS", value_parser = limit)]
    pub compress: Option<Span>,
    /// Hold hands and clock while no host is synchronised: a host may be ended at any moment and
    /// started again, and is told in all what it would have been told undisturbed. The host must lock
    /// the port (flock), as this program does
    #[arg(long)]
    pub hold: bool,
    /// Let something go wrong, as often as wanted: docs/SIMULATOR.md lists all kinds
    #[arg(long = "fault", value_name = "NAME=VALUE", value_parser = fault)]
    pub faults: Vec<String>,
    /// When it goes wrong: the same seed gives the same bytes
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// Refuses a fault that is none.
fn fault(given: &str) -> Result<String, String> {
    Faults::default().add(given).map(|()| given.to_owned()).map_err(|error| error.to_string())
}

/// The shortest wait that may be cut: what is shorter belongs to a hand.
const SHORTEST_S: f64 = 0.5;

/// Reads the longest wait that is left.
fn limit(text: &str) -> Result<Span, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (SHORTEST_S..=86_400.0).contains(&seconds) => {
            Ok(Span::from_ms((seconds * 1000.0) as u64))
        }
        _ => Err(format!("use a number of seconds, {SHORTEST_S} or more")),
    }
}

/// Runs the command: exit code 0 once all is sent.
///
/// # Errors
/// A recording that cannot be read or that no DGT board can play, or a terminal that fails.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut recording =
        read(&args.file).with_context(|| format!("{} cannot be played", args.file.display()))?;
    if let Some(limit) = args.compress {
        recording = recording.compressed(limit);
    }
    for note in recording.notes() {
        eprintln!("note: {note}");
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut faults = Faults::seeded(args.seed);
    for fault in &args.faults {
        faults.add(fault)?;
    }
    runtime.block_on(simulate(&recording, faults, args.hold))
}

async fn simulate(recording: &Recording, faults: Faults, hold: bool) -> anyhow::Result<ExitCode> {
    // Taken before the path is told, so that the link is never left behind.
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    // A name of its own: that of the terminal is given to another one as soon as this one ends, and a
    // host that still looks for this board would find that.
    let mut cable = Cable::loose().context("no pseudo-terminal")?;
    tell(cable.path().context("no pseudo-terminal")?)?;
    eprintln!("plays {} s once a host sets an update mode", recording.length().ms() / 1000);
    let mut board = Emulator::with_faults(recording, faults);
    if hold {
        board = board.holding();
    }
    tokio::select! {
        read = play(&mut board, &mut cable, Instant::now()) => {
            eprintln!("{}", if read? { "all is sent" } else { "all is sent, but the host has not read all of it" });
            Ok(ExitCode::SUCCESS)
        }
        _ = interrupt.recv() => stopped(),
        _ = terminate.recv() => stopped(),
    }
}

fn stopped() -> anyhow::Result<ExitCode> {
    anyhow::bail!("stopped before all was sent")
}

/// The first line on standard output, alone and flushed: scripts wait for it.
fn tell(path: &Path) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", path.display())?;
    out.flush()
}

/// Reads a neutral recording as it is, and of a journal or a capture what its board said.
fn read(path: &Path) -> anyhow::Result<Recording> {
    let file = std::fs::File::open(path)?;
    let mut text = Vec::new();
    if path.extension().is_some_and(|extension| extension == "gz") {
        flate2::read::MultiGzDecoder::new(file).read_to_end(&mut text)?;
    } else {
        std::io::BufReader::new(file).read_to_end(&mut text)?;
    }
    let text = String::from_utf8_lossy(&text);
    let is_capture = path.extension().is_some_and(|extension| extension == "inbytes");
    if is_capture || text.lines().next().is_some_and(is_journal) {
        return said(path);
    }
    Ok(Recording::parse(&text)?)
}

/// What a board said, as a recording from its first report on. That its link was lost is its host's
/// matter, and what it says of itself this board says otherwise.
fn said(path: &Path) -> anyhow::Result<Recording> {
    let wrong = "`jadoube verify` says whether a journal is whole";
    let Decoded { setup, reports, .. } = decode(path, &Overrides::default(), wrong)?;
    let is_played = |report: &Report| {
        matches!(
            report,
            Report::Dump(_) | Report::Square { .. } | Report::Clock(_) | Report::ClockConnected(_)
        )
    };
    let mut reports = reports.into_iter().filter(|(_, report)| is_played(report)).peekable();
    let begin = reports.peek().map_or(Tick::ZERO, |(at, _)| *at);
    let meta = Row { at: Tick::ZERO, kind: RowKind::Meta(Box::new(setup)) };
    let rows =
        reports.map(|(at, report)| Row { at: Tick::ZERO + at.since(begin), kind: RowKind::Report(report) });
    Ok(Recording::from_rows(std::iter::once(meta).chain(rows).collect())?)
}
