//! `jadoube boards`: what is plugged in, and which board of the configuration that is.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use jadoube_dgt::Command;
use serde_json::{Value, json};

use crate::daemon::config::{Board, Config};
use crate::daemon::ports::{Adapter, Host, Identity, Plugged, ask, device, expand};

/// The last one is answered by every board.
const QUESTIONS: [Command; 4] =
    [Command::Version, Command::Battery, Command::ReturnLongSerial, Command::ReturnSerial];

/// List the boards that are plugged in.
///
/// Without --ask no port is opened. With it, each port that is not in use and that an adapter of boards
/// has, or that the configuration names, is asked for serial number, version and battery; a game on that
/// board is not disturbed, and a port in use is left alone.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Ask the boards who they are
    #[arg(long)]
    ask: bool,
    /// Say which board of this configuration is where
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Another root than /sys
    #[arg(long, value_name = "DIR", hide = true)]
    sysfs: Option<PathBuf>,
    /// Another root than /dev
    #[arg(long, value_name = "DIR", hide = true)]
    dev: Option<PathBuf>,
}

/// A port and what is known of it.
struct Seen {
    plugged: Plugged,
    /// Whether the configuration names it.
    named: bool,
    answer: Option<Result<Identity, String>>,
}

/// Runs it. Exit code 2 if the configuration is wrong.
///
/// # Errors
/// Standard output is closed, or the system has no thread left.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let config = match args.config.as_deref().map(Config::load).transpose() {
        Ok(config) => config,
        Err(error) => {
            writeln!(std::io::stderr(), "{error}")?;
            return Ok(ExitCode::from(2));
        }
    };
    let usual = Host::default();
    let host = Host { sys: args.sysfs.unwrap_or(usual.sys), dev: args.dev.unwrap_or(usual.dev) };
    let mut seen = look(&host, config.as_ref());
    if args.ask {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(ask_all(&mut seen));
    }
    let boards = config.map(|config| config.boards).unwrap_or_default();
    let text = if args.json { as_json(&seen, &boards) } else { as_text(&seen, &boards) };
    std::io::stdout().lock().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// All ports of USB devices, and those that the configuration names.
fn look(host: &Host, config: Option<&Config>) -> Vec<Seen> {
    let plugged = host.plugged();
    let mut seen: Vec<Seen> =
        plugged.into_iter().map(|plugged| Seen { plugged, named: false, answer: None }).collect();
    let Some(config) = config else { return seen };
    let own = config.boards.iter().filter_map(|board| board.port.clone()).filter(|port| port.exists());
    let looked_in = config.look_in.iter().flatten().flat_map(|pattern| expand(pattern));
    for port in own.chain(looked_in) {
        match seen.iter_mut().find(|seen| device(&seen.plugged.port) == device(&port)) {
            Some(seen) => seen.named = true,
            None => {
                let adapter = host.adapter(&port);
                let plugged = Plugged { port, adapter, names: Vec::new() };
                seen.push(Seen { plugged, named: true, answer: None });
            }
        }
    }
    seen
}

async fn ask_all(seen: &mut [Seen]) {
    for seen in seen {
        if seen.named || seen.plugged.adapter.as_ref().is_some_and(Adapter::is_of_boards) {
            seen.answer = Some(ask(&seen.plugged.port, &QUESTIONS).await);
        }
    }
}

impl Seen {
    /// The board of the configuration that is here: the number decides, and then the port.
    fn board<'a>(&self, boards: &'a [Board]) -> Option<&'a Board> {
        let identity = self.answer.as_ref().and_then(|answer| answer.as_ref().ok());
        let by_number = boards.iter().find(|board| {
            let number = board.serial.as_deref().zip(identity);
            number.is_some_and(|(number, identity)| identity.is(number))
        });
        let here = |board: &&Board| {
            let at = board.port.as_ref().is_some_and(|port| device(port) == device(&self.plugged.port));
            // A number that was asked for and is not this one says that it is elsewhere.
            at && (board.serial.is_none() || identity.is_none())
        };
        by_number.or_else(|| boards.iter().find(here))
    }
}

/// Boards of the configuration that are at none of the ports.
fn missing<'a>(seen: &[Seen], boards: &'a [Board]) -> Vec<&'a Board> {
    let found: Vec<_> = seen.iter().filter_map(|seen| seen.board(boards)).map(|board| &board.id).collect();
    boards.iter().filter(|board| !found.contains(&&board.id)).collect()
}

fn as_text(seen: &[Seen], boards: &[Board]) -> String {
    let mut out = String::new();
    if seen.is_empty() {
        out.push_str("no serial port of a USB device is plugged in\n");
    }
    for seen in seen {
        let Plugged { port, adapter, names } = &seen.plugged;
        let board = seen.board(boards).map_or(String::new(), |board| format!("  board {}", board.id));
        _ = writeln!(out, "{}{board}", port.display());
        if let Some(adapter) = adapter {
            let texts = [&adapter.manufacturer, &adapter.product, &adapter.serial];
            let texts: Vec<&str> = texts.into_iter().flatten().map(String::as_str).collect();
            _ = writeln!(out, "  {}:{} {}", adapter.vendor_id, adapter.product_id, texts.join(", "));
        }
        for name in names {
            _ = writeln!(out, "  {}", name.display());
        }
        match &seen.answer {
            Some(Ok(identity)) => _ = writeln!(out, "  {}", said(identity)),
            Some(Err(why)) => _ = writeln!(out, "  {why}"),
            None => {}
        }
    }
    for board in missing(seen, boards) {
        _ = writeln!(out, "board {} is not found: {}", board.id, board.place());
    }
    out
}

fn said(identity: &Identity) -> String {
    let part = |label: &str, value: Option<String>| value.map(|value| format!("{label} {value}"));
    let parts = [
        part("serial number", identity.serial.clone()),
        part("long", identity.long_serial.clone()),
        part("version", identity.version.clone()),
        part("battery", identity.battery.map(|percent| format!("{percent} %"))),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "a board that does not say who it is".to_owned() } else { parts.join(", ") }
}

fn as_json(seen: &[Seen], boards: &[Board]) -> String {
    let ports: Vec<Value> = seen
        .iter()
        .map(|seen| {
            let answer = seen.answer.as_ref();
            json!({
                "port": seen.plugged.port,
                "names": seen.plugged.names,
                "adapter": seen.plugged.adapter,
                "board": seen.board(boards).map(|board| board.id.as_str()),
                "identity": answer.and_then(|answer| answer.as_ref().ok()),
                "why": answer.and_then(|answer| answer.as_ref().err()),
            })
        })
        .collect();
    let missing: Vec<&str> = missing(seen, boards).iter().map(|board| board.id.as_str()).collect();
    let mut text = json!({ "ports": ports, "missing": missing }).to_string();
    text.push('\n');
    text
}
