//! `jadoube record`: a journal of one board, without a configuration.
//!
//! Nothing is judged and nothing published; `replay` does the one, and nobody needs the other.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, anyhow};
use jadoube_dgt::{Decoder, Heard, Message};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;
use tokio::time::sleep;

use crate::daemon::host::{self, Clock};
use crate::daemon::lock::MODE;
use crate::daemon::port::{self, Told, Wanted};
use crate::daemon::ports::Ports;
use crate::daemon::roster::PROGRAM;
use crate::events::{BoardId, Device, Report, Setup};
use crate::journal::{Header, Writer};
use crate::laws::{RuleSet, Rules};
use crate::table::Input;
use crate::tick::Tick;

/// Write down what one board says, without a configuration.
///
/// Ends at Ctrl-C, or after so many seconds. `replay` and `verify` read what was written.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The serial port, as /dev/ttyUSB0
    port: PathBuf,
    /// The journal, a new file; by default the port's name and the time, here
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// End after so many seconds
    #[arg(long, value_name = "N")]
    seconds: Option<u32>,
    /// The board's name in the journal
    #[arg(long, value_name = "ID", default_value = "board")]
    board: String,
    /// The rule set that a replay applies
    #[arg(long, value_name = "KEY", default_value = "fide-2023/standard")]
    ruleset: String,
}

/// Runs it.
///
/// # Errors
/// The port cannot be opened, or the file not be written; says what to do.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let board = BoardId::new(&args.board).map_err(|error| anyhow!("--board: {error}"))?;
    if RuleSet::by_key(&args.ruleset).is_none() {
        let known: Vec<&str> = RuleSet::ALL.iter().map(|set| set.key).collect();
        return Err(anyhow!("--ruleset {} is not known; there are {}", args.ruleset, known.join(", ")));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(record(&args, board))
}

async fn record(args: &Args, board: BoardId) -> anyhow::Result<ExitCode> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    // Told at once if it is not to be had; later it is waited for, as in a room.
    drop(port::open(&args.port).map_err(|why| anyhow!("{why}"))?);
    let clock = Clock::start();
    let path = args.out.clone().unwrap_or_else(|| default_name(&args.port, clock));
    let mut journal = Recording::begin(&path, &board, &args.ruleset, clock)?;
    let (to_us, mut told) = mpsc::channel(1024);
    let (_ask, asks) = mpsc::channel(1);
    let wanted = Wanted { board, port: Some(args.port.clone()), serial: None };
    // Only this port: another board of that number would be another recording.
    let serving = tokio::spawn(port::serve(Ports::nowhere(), wanted, clock, to_us, asks));
    writeln!(std::io::stderr(), "writes {}; Ctrl-C ends it", path.display())?;
    let end = sleep(Duration::from_secs(args.seconds.map_or(u64::from(u32::MAX), u64::from)));
    tokio::pin!(end);
    loop {
        tokio::select! {
            heard = told.recv() => match heard {
                Some(heard) => journal.take(heard)?,
                None => break,
            },
            () = &mut end => break,
            _ = interrupt.recv() => break,
            _ = terminate.recv() => break,
        }
    }
    serving.abort();
    let summary = journal.end(clock.now())?;
    std::io::stdout().lock().write_all(summary.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn default_name(port: &Path, clock: Clock) -> PathBuf {
    let name = port.file_name().map_or("board".into(), |name| name.to_string_lossy());
    PathBuf::from(format!("{name}-{}.jsonl", clock.start_ms()))
}

/// The journal while it is written, and what was counted.
struct Recording {
    path: PathBuf,
    file: File,
    writer: Writer,
    decoder: Decoder,
    up: Option<bool>,
    bytes: u64,
    messages: BTreeMap<&'static str, u64>,
    junk: BTreeMap<&'static str, u64>,
}

impl Recording {
    fn begin(path: &Path, board: &BoardId, ruleset: &str, clock: Clock) -> anyhow::Result<Recording> {
        let setup = Setup { ruleset: ruleset.to_owned(), ..Setup::plain(board.clone(), Device::Dgt) };
        let header = Header {
            program: PROGRAM.to_owned(),
            node: String::new(),
            board: board.clone(),
            ruleset: ruleset.to_owned(),
            start_ms: clock.start_ms(),
            after: None,
            rules_digest: Some(Rules::of_setup(&setup).digest()),
            clock_synchronised: host::clock_synchronised(),
        };
        let (mut writer, first) = Writer::new(&header);
        let setting = writer.input(Tick::ZERO, &Input::Setting(Box::new(setup)));
        let file = OpenOptions::new().write(true).create_new(true).mode(MODE).open(path);
        let file = file.with_context(|| format!("{} cannot be made: give another --out", path.display()))?;
        let mut recording = Recording {
            path: path.to_owned(),
            file,
            writer,
            decoder: Decoder::new(),
            up: None,
            bytes: 0,
            messages: BTreeMap::new(),
            junk: BTreeMap::new(),
        };
        recording.line(&first)?;
        recording.line(&setting)?;
        Ok(recording)
    }

    /// One write a line: what is there when the program ends is whole.
    fn line(&mut self, line: &str) -> anyhow::Result<()> {
        let written = self.file.write_all(line.as_bytes());
        written.with_context(|| format!("{} cannot be written", self.path.display()))
    }

    fn take(&mut self, told: Told) -> anyhow::Result<()> {
        match told {
            Told::At(_) => Ok(()),
            Told::Up(at) => self.link(at, true),
            Told::Down(at, why) => {
                writeln!(std::io::stderr(), "not heard: {why}")?;
                self.junk_of(|decoder, count| decoder.finish(count));
                self.link(at, false)
            }
            Told::Bytes(at, bytes) => {
                self.bytes += bytes.len() as u64;
                self.junk_of(|decoder, count| decoder.feed(&bytes, count));
                let line = self.writer.input(at, &Input::Bytes(bytes));
                self.line(&line)
            }
        }
    }

    fn link(&mut self, at: Tick, up: bool) -> anyhow::Result<()> {
        if self.up.replace(up) == Some(up) {
            return Ok(());
        }
        let line = self.writer.input(at, &Input::Report(Report::Link { up }));
        self.line(&line)
    }

    /// Counts what the decoder says when it is given something.
    fn junk_of(&mut self, give: impl FnOnce(&mut Decoder, &mut dyn FnMut(Heard<'_>))) {
        let (messages, junk) = (&mut self.messages, &mut self.junk);
        give(&mut self.decoder, &mut |heard| match heard {
            Heard::Message(message) => *messages.entry(kind(&message)).or_insert(0) += 1,
            Heard::Log(_) => *messages.entry("log entries").or_insert(0) += 1,
            Heard::Junk { why, bytes } => *junk.entry(why.name()).or_insert(0) += u64::from(bytes),
        });
    }

    /// Closes it, and says what is in it.
    fn end(mut self, at: Tick) -> anyhow::Result<String> {
        self.junk_of(|decoder, count| decoder.finish(count));
        self.link(at, false)?;
        self.file.sync_all().with_context(|| format!("{} cannot be written", self.path.display()))?;
        let mut out = format!("journal   {}\n", self.path.display());
        _ = writeln!(out, "duration  {:.1} s", at.ms() as f64 / 1000.0);
        _ = writeln!(out, "bytes     {}", self.bytes);
        for (label, counts) in [("messages", &self.messages), ("junk", &self.junk)] {
            let list: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
            let list = if list.is_empty() { "none".to_owned() } else { list.join(", ") };
            _ = writeln!(out, "{label:10}{list}");
        }
        if self.messages.is_empty() {
            out.push_str("no board was heard: is it switched on, and is this its port?\n");
        }
        Ok(out)
    }
}

fn kind(message: &Message<'_>) -> &'static str {
    match message {
        Message::Dump(_) => "dumps",
        Message::Field { .. } => "squares",
        Message::Clock(_) => "clock times",
        Message::Ack(_) => "clock acknowledgements",
        Message::NoClock => "no clock",
        Message::EmptyClock => "empty clock",
        Message::SerialNumber(_) | Message::LongSerialNumber(_) => "serial numbers",
        Message::Version { .. } | Message::HardwareVersion { .. } => "versions",
        Message::Battery(_) => "battery",
        Message::BusAddress(_) | Message::Trademark(_) => "names",
        Message::LargeDump(_) | Message::Draughts { .. } => "dumps of other games",
        Message::Skipped { .. } => "not understood",
    }
}
