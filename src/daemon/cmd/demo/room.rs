//! The room of the demo: boards, daemon and broker in one process, until the games are over.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use super::arbiter::{Received, Subscriber};
use super::tables::{Board, TABLES, Table};
use crate::contract::Delay;
use crate::daemon::config::{self, Broker, Config, Event};
use crate::daemon::room;
use crate::events::{Shadow, TopicPart};
use crate::mating::Budget;
use crate::tick::Span;

/// How long a message may still be on its way when the last game is over.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// The demo ends after this, whatever happens, unless it is held.
const LONGEST: Duration = Duration::from_secs(58);

pub(super) async fn show(hold: bool) -> anyhow::Result<ExitCode> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let began = Instant::now();
    let journals = Folder::new()?;
    let boards: Vec<Board> = TABLES.iter().map(Table::set_up).collect::<anyhow::Result<_>>()?;
    let config = config(&journals, &boards)?;
    let (root, node) = (config.root.clone(), config.node.clone());
    let room = room::start(config).await?;
    let broker = room.broker_address().context("the demo's broker has no address")?;
    let mut arbiter = Subscriber::connect(broker, root.as_str(), node.as_str()).await?;
    say(&format!(
        "{} simulated DGT boards play; what an arbiter receives is printed below.\n\
         Listen too: mosquitto_sub -h {} -p {} -v -t '{root}/v1/{node}/#'\n",
        boards.len(),
        broker.ip(),
        broker.port(),
    ))?;

    let mut playing: JoinSet<_> = boards.into_iter().map(|board| board.play(hold)).collect();
    let mut played = Vec::new();
    let mut received = Received::default();
    let mut end = if hold { None } else { Some(began + LONGEST) };
    loop {
        tokio::select! {
            message = arbiter.next() => {
                let (topic, payload) = message?;
                if let Some(text) = received.take(&topic, &payload) {
                    say(&text)?;
                }
            }
            Some(board) = playing.join_next() => {
                // Kept, so that it stays plugged in until the room is closed.
                played.push(board.context("a board's task failed")?.context("a pseudo-terminal failed")?);
                if playing.is_empty() {
                    end = Some(Instant::now() + LAST_WORDS);
                }
            }
            () = sleep_until(end.unwrap_or(began)), if end.is_some() => break,
            _ = interrupt.recv() => break,
            _ = terminate.recv() => break,
        }
    }
    room.stop().await;
    drop(played);
    say(&format!("After {} s: {}", began.elapsed().as_secs(), received.summary()))?;
    Ok(if received.is_right() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn config(journals: &Folder, boards: &[Board]) -> anyhow::Result<Config> {
    let setup = boards.first().context("a demo without boards")?.recording.setup().clone();
    let port = |board: &Board| Some(board.cable.path()?.to_owned());
    let boards = boards.iter().map(|board| {
        let port = Some(port(board).context("no pseudo-terminal")?);
        let id = board.recording.setup().board.clone();
        Ok(config::Board {
            id,
            port,
            serial: None,
            white_sits: None,
            arbiter: None,
            shadow: None,
            hold: false,
        })
    });
    Ok(Config {
        event: Event {
            name: None,
            ruleset: setup.ruleset,
            rules: setup.event_rules,
            time_control: setup.time_control,
            shadow: Shadow::default(),
            mating: Budget::DECIDES,
            escalate: Span::ZERO,
        },
        boards: boards.collect::<anyhow::Result<_>>()?,
        look_in: None,
        delay: Delay::default(),
        records: None,
        // A free port: a broker may run here already.
        broker: Broker::Embedded { port: 0 },
        metrics: None,
        node: TopicPart::new("demo")?,
        root: TopicPart::new("jadoube")?,
        journal_dir: journals.0.clone(),
        keep: None,
        resume: std::time::Duration::ZERO,
    })
}

fn say(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}\n", text.trim_end())?;
    out.flush()
}

/// A folder for the demo's journals, which nobody needs afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new() -> anyhow::Result<Folder> {
        let path = std::env::temp_dir().join(format!("jadoube-demo-{}", std::process::id()));
        std::fs::create_dir(&path).with_context(|| format!("no folder {} for journals", path.display()))?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // It lies among temporary files: what cannot be removed does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
