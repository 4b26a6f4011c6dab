//! A whole room: all boards, the journals, the way to the broker. Starts it, and ends it cleanly.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use serde_json::Value;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{interval, sleep, timeout};
use tracing::{error, info};

use super::board::{self, Begin, Board, Changes};
use super::config::{self, Broker, Config, check};
use super::courier::carry;
use super::host::{self, Clock};
use super::journal_file::name::{self, Named, first_game};
use super::journal_file::{JournalFile, Journals};
use super::lock::{Lock, LockError};
use super::mating::Mating;
use super::metrics::Server;
use super::names::Names;
use super::outbox::{Keep, Message, Outbox, Post};
use super::port;
use super::ports::Ports;
use super::publisher::MqttPublisher;
use super::records::Records;
use super::requests::{Asked, Desk};
use super::resume::{self, Earlier, Left};
use super::retention;
use super::roster::{PROGRAM, Roster, status_body};
use super::spool::{self, LeftOver};
use crate::contract::{Delay, drafts, topic};
use crate::events::{BoardId, Setup};
use crate::journal::{Header, Writer};
use crate::laws::Rules;

/// How often `health` is published.
const HEALTH: Duration = Duration::from_secs(10);
/// How long the last messages may take when the room closes.
const LAST_WORDS: Duration = Duration::from_secs(3);
/// So many questions to a board may wait for its port.
const ASKS: usize = 8;

/// A running room.
pub struct RoomHandle {
    broker: Option<SocketAddr>,
    #[cfg(feature = "embedded-broker")]
    embedded: Option<super::broker::Embedded>,
    epoch: u64,
    journals: Journals,
    roster: Roster,
    post: Post,
    spool: std::thread::JoinHandle<()>,
    records: Option<std::thread::JoinHandle<()>>,
    leave_boards: watch::Sender<bool>,
    leave_broker: watch::Sender<bool>,
    /// What the room was started with, and what was changed since.
    config: Config,
    /// The names of the conditions that come from it.
    remarks: Vec<String>,
    settings: BTreeMap<BoardId, watch::Sender<Setup>>,
    delays: BTreeMap<BoardId, watch::Sender<Delay>>,
    boards: Vec<JoinHandle<()>>,
    courier: JoinHandle<()>,
    others: Vec<JoinHandle<()>>,
    lock: Option<Lock>,
    metrics: Option<Server>,
}

/// What is not as people may think, as conditions; those of an earlier look that are over are cleared.
fn look_at(config: &Config, day: &str, roster: &Roster, before: &mut Vec<String>) {
    let remarks = check::remarks(config, day);
    let standing: Vec<_> = remarks.into_iter().filter(|remark| remark.standing).collect();
    before.retain(|name| standing.iter().all(|remark| remark.name != *name));
    before.drain(..).for_each(|over| roster.clear(&over));
    for remark in standing {
        roster.warn(&remark.name, remark.text);
        before.push(remark.name);
    }
}

/// Starts a room. It runs until [`RoomHandle::stop`]; ports that are missing and a broker that is
/// away are no errors, they are waited for.
///
/// # Errors
/// Another daemon has the journal directory, the embedded broker's port is taken, or the system has
/// no thread left.
pub async fn start(config: Config) -> Result<RoomHandle> {
    let clock = Clock::start();
    let epoch = clock.start_ms();
    let post = Post::new(Outbox::new(config.root.as_str(), config.node.as_str(), epoch));
    let roster = Roster::new(post.clone(), clock);
    let lock = lock(&config, &roster)?;
    let mut remarks = Vec::new();
    look_at(&config, &clock.day(), &roster, &mut remarks);
    let journals = Journals::start(roster.clone()).context("the journal's thread cannot be started")?;
    let left = LeftOver::find(&config.journal_dir, config.node.as_str());
    if !left.damage.is_empty() {
        roster.report("outbox-damage", left.damage.join("; "));
    }
    let (to_spool, spool) = spool::start(&config.journal_dir, config.node.as_str(), epoch, roster.clone())
        .context("the outbox's thread cannot be started")?;
    post.with(|outbox| outbox.keep_with(to_spool, left.messages, left.files));
    roster.publish_status(true);
    let mating = Mating::start(roster.clone(), config.event.mating)
        .context("the mating solver's thread cannot be started")?;

    let records = Records::start(&config, roster.clone()).context("the records' thread cannot be started")?;
    let (to_records, records) = records.unzip();

    #[cfg(feature = "embedded-broker")]
    let embedded = match config.broker {
        Broker::Embedded { port } => Some(super::broker::Embedded::start(port).await?),
        Broker::Listening { listen, ref user, ref password } => {
            let password = password.read().map_err(anyhow::Error::msg)?;
            Some(super::broker::Embedded::listening(listen, user, &password).await?)
        }
        Broker::Remote { .. } => None,
    };
    #[cfg(feature = "embedded-broker")]
    let address = embedded.as_ref().map(super::broker::Embedded::address);
    #[cfg(not(feature = "embedded-broker"))]
    let address = None;
    if let Some(address) = address {
        info!("the embedded broker listens on {address}");
    }

    let metrics = figures(&config, &roster).await?;
    let (leave_boards, leaving_boards) = watch::channel(false);
    let (leave_broker, leaving_broker) = watch::channel(false);
    let shared = Shared {
        clock,
        journals: journals.clone(),
        post: post.clone(),
        roster: roster.clone(),
        mating: mating.clone(),
        records: to_records,
        names: Names::beside(&config.journals()),
        ports: Ports::new(config.look_in.clone(), roster.clone()),
    };
    // Before the broker is asked what it holds: what the boards hold must be known by then.
    let Boards { tasks: boards, requests, settings, delays } =
        begin_boards(&config, &shared, &leaving_boards);

    let desk = desk(&config, &shared, requests);
    let publisher = publisher(&config, epoch, address, desk.filter());
    let (to_desk, incoming) = mpsc::channel(256);
    let courier = tokio::spawn(carry(publisher, post.clone(), to_desk, roster.clone(), leaving_broker));
    let mut others = vec![tokio::spawn(desk.run(incoming)), tokio::spawn(health(roster.clone()))];
    if let Some(keep) = config.keep {
        others.push(tokio::spawn(keep_journals(config.journal_dir.clone(), keep, epoch, roster.clone())));
    }
    info!("{PROGRAM}: {} boards, node {}, epoch {epoch}", config.boards.len(), config.node);
    Ok(RoomHandle {
        broker: address,
        #[cfg(feature = "embedded-broker")]
        embedded,
        epoch,
        journals,
        roster,
        post,
        spool,
        records,
        leave_boards,
        leave_broker,
        settings,
        delays,
        config,
        remarks,
        boards,
        courier,
        others,
        lock,
        metrics,
    })
}

/// Where requests are taken and handed on to the boards.
fn desk(config: &Config, shared: &Shared, boards: BTreeMap<BoardId, mpsc::Sender<Asked>>) -> Desk {
    Desk {
        root: config.root.clone(),
        node: config.node.clone(),
        boards,
        post: shared.post.clone(),
        roster: shared.roster.clone(),
        clock: shared.clock,
        names: shared.names.clone(),
    }
}

/// Tells figures over HTTP, if that is wanted.
async fn figures(config: &Config, roster: &Roster) -> Result<Option<Server>> {
    let Some(address) = config.metrics else { return Ok(None) };
    let server = Server::start(address, roster.clone()).await;
    server.map(Some).with_context(|| format!("[metrics] listen = \"{address}\" cannot be listened on"))
}

/// What all boards work with.
#[derive(Clone, Debug)]
struct Shared {
    clock: Clock,
    journals: Journals,
    post: Post,
    roster: Roster,
    mating: Mating,
    ports: Ports,
    records: Option<Records>,
    names: Names,
}

/// The boards' tasks and the ways to them.
struct Boards {
    tasks: Vec<JoinHandle<()>>,
    requests: BTreeMap<BoardId, mpsc::Sender<Asked>>,
    settings: BTreeMap<BoardId, watch::Sender<Setup>>,
    delays: BTreeMap<BoardId, watch::Sender<Delay>>,
}

fn begin_boards(config: &Config, shared: &Shared, leaving: &watch::Receiver<bool>) -> Boards {
    let mut out = Boards {
        tasks: Vec::new(),
        requests: BTreeMap::new(),
        settings: BTreeMap::new(),
        delays: BTreeMap::new(),
    };
    let journals = name::list(&config.journals());
    for (board, left) in config.boards.iter().zip(left_of_boards(config, shared, &journals)) {
        let (to_board, asked) = mpsc::channel(64);
        out.requests.insert(board.id.clone(), to_board);
        let (to_settings, setup) = watch::channel(config.setup(&board.id));
        out.settings.insert(board.id.clone(), to_settings);
        let (to_delays, delay) = watch::channel(config.delay(&board.id));
        out.delays.insert(board.id.clone(), to_delays);
        if let Left::Journal(earlier) = &left {
            let retained = earlier.resumed.table.retained();
            let kept = retained.iter().flat_map(|item| drafts(item, &board.id)).filter(|draft| draft.retain);
            kept.for_each(|draft| shared.post.post(draft));
        }
        let place = Place {
            left: std::sync::Mutex::new(Some(left)),
            node: config.node.as_str().to_owned(),
            board: board.clone(),
            changes: Changes { settings: setup, delay },
            first_game: first_game(journals.get(board.id.as_str()).map_or(&[], Vec::as_slice)),
            journals: config.journals(),
            shared: shared.clone(),
        };
        out.tasks.push(tokio::spawn(place.keep(asked, leaving.clone())));
    }
    out
}

/// What earlier runs left of each board, in their order. A journal may hold hours of play, so they
/// are read by as many threads as there are processors.
fn left_of_boards(config: &Config, shared: &Shared, journals: &BTreeMap<String, Vec<Named>>) -> Vec<Left> {
    let now_ms = shared.clock.start_ms();
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let read = |board: &config::Board| {
        let of_board = journals.get(board.id.as_str()).map_or(&[][..], Vec::as_slice);
        resume::find(
            of_board,
            config.node.as_str(),
            &board.id,
            now_ms,
            config.resume,
            config.delay(&board.id),
        )
    };
    let read = &read;
    std::thread::scope(|scope| {
        let share = config.boards.len().div_ceil(threads).max(1);
        let readers: Vec<_> = config
            .boards
            .chunks(share)
            .map(|boards| (boards, scope.spawn(move || boards.iter().map(read).collect::<Vec<_>>())))
            .collect();
        readers
            .into_iter()
            .flat_map(|(boards, reader)| {
                let failed =
                    |_| boards.iter().map(|_| Left::Damaged("its reading failed".to_owned())).collect();
                reader.join().unwrap_or_else(failed)
            })
            .collect()
    })
}

/// A directory that takes no lock is no reason to watch no board: the disk may come back.
fn lock(config: &Config, roster: &Roster) -> Result<Option<Lock>, LockError> {
    match Lock::take(&config.journal_dir, config.node.as_str()) {
        Ok(lock) => Ok(Some(lock)),
        Err(error @ LockError::InUse { .. }) => Err(error),
        Err(error @ LockError::Impossible { .. }) => {
            roster.warn("lock", error.to_string());
            Ok(None)
        }
    }
}

impl RoomHandle {
    /// Where the embedded broker listens, if there is one.
    #[must_use]
    pub fn broker_address(&self) -> Option<SocketAddr> {
        self.broker
    }

    /// The epoch of this run, as in its messages.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The room in a line, for people.
    #[must_use]
    pub fn summary(&self) -> String {
        format!("{} boards, rules {}", self.config.boards.len(), self.config.event.ruleset)
    }

    /// Takes over what a new configuration says of the event and of each board's settings: no game is
    /// touched. What else differs needs a new start, and that is said.
    pub fn reload(&mut self, config: &Config) {
        for (board, setting) in &self.settings {
            let new = config.setup(board);
            let changed = config.boards.iter().any(|known| known.id == *board)
                && setting.send_if_modified(|now| std::mem::replace(now, new.clone()) != new);
            if changed {
                info!("board {board} has new settings");
            }
        }
        for (board, delay) in &self.delays {
            let known = config.boards.iter().any(|known| known.id == *board);
            let new = config.delay(board);
            if known && delay.send_if_modified(|now| std::mem::replace(now, new) != new) {
                info!("board {board} has another broadcast delay, or is held or released");
            }
        }
        let fixed = |config: &Config| {
            let place = |board: &config::Board| (board.id.clone(), board.port.clone(), board.serial.clone());
            let places: Vec<_> = config.boards.iter().map(place).collect();
            (
                (places, config.look_in.clone()),
                config.broker.clone(),
                config.node.clone(),
                config.root.clone(),
                config.journals(),
                config.journal_dir.clone(),
                (config.keep, config.records.clone()),
                (config.event.mating, config.metrics),
            )
        };
        match fixed(config) == fixed(&self.config) {
            true => self.roster.clear("needs-restart"),
            false => self.roster.warn(
                "needs-restart",
                "the configuration has other boards, ports, broker, names, journals, records, keep_days, mating_nodes or metrics than \
                 this run: start it anew for those"
                    .to_owned(),
            ),
        }
        // What is fixed stays as it was begun, so that the next reading is compared with the same.
        let mating = self.config.event.mating;
        self.config.event = config::Event { mating, ..config.event.clone() };
        look_at(&self.config, &Clock::start().day(), &self.roster, &mut self.remarks);
    }

    /// Ends the room: journals are complete, `status` is offline, and what could be delivered is.
    pub async fn stop(self) {
        let _ = self.leave_boards.send(true);
        for board in self.boards {
            let _ = timeout(LAST_WORDS, board).await;
        }
        self.others.iter().for_each(JoinHandle::abort);
        if let Some(metrics) = self.metrics {
            metrics.stop().await;
        }
        self.journals.stop().await;
        self.roster.publish_status(false);
        let _ = self.leave_broker.send(true);
        let mut courier = self.courier;
        if timeout(LAST_WORDS, &mut courier).await.is_err() {
            courier.abort();
        }
        if let Some(records) = self.records {
            let _ = timeout(LAST_WORDS, tokio::task::spawn_blocking(move || records.join())).await;
        }
        self.post.with(Outbox::end_spool);
        let spool = self.spool;
        let _ = timeout(LAST_WORDS, tokio::task::spawn_blocking(move || spool.join())).await;
        #[cfg(feature = "embedded-broker")]
        if let Some(embedded) = self.embedded {
            embedded.stop().await;
        }
        // Only now may another daemon have what is left here.
        drop(self.lock);
        info!("the room is closed");
    }
}

fn publisher(config: &Config, epoch: u64, embedded: Option<SocketAddr>, requests: String) -> MqttPublisher {
    let (root, node) = (config.root.as_str(), config.node.as_str());
    let mut will = status_body(false);
    will["epoch"] = Value::from(epoch);
    let (host, port, user, password, tls) = match &config.broker {
        Broker::Remote { host, port, user, password, tls } => {
            (host.clone(), *port, user.clone(), password.clone(), tls.clone())
        }
        Broker::Listening { listen, user, password } => {
            let address = embedded.unwrap_or(*listen);
            // Everywhere is here too.
            let ip =
                if address.ip().is_unspecified() { "127.0.0.1".to_owned() } else { address.ip().to_string() };
            (ip, address.port(), Some(user.clone()), Some(password.clone()), None)
        }
        Broker::Embedded { port } => {
            let address = embedded.unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], *port)));
            (address.ip().to_string(), address.port(), None, None, None)
        }
    };
    MqttPublisher {
        host,
        port,
        user,
        password,
        tls,
        client_id: format!("{root}-{node}-{epoch}"),
        epoch,
        will: Message {
            topic: topic(root, node, "status"),
            payload: will.to_string().into_bytes(),
            retain: true,
            correlation: None,
            keep: Keep::Latest,
        },
        requests,
        health: topic(root, node, "health"),
        alerts: topic(root, node, "arbiter/+/alerts/+"),
    }
}

/// Deletes old journals now and every day.
async fn keep_journals(dir: PathBuf, keep: Duration, run_ms: u64, roster: Roster) {
    let mut every = interval(retention::EVERY);
    loop {
        every.tick().await;
        let dir = dir.clone();
        let clear = move || retention::clear(&dir, keep, SystemTime::now(), run_ms);
        let Ok(gone) = tokio::task::spawn_blocking(clear).await else { continue };
        if gone.journals > 0 {
            info!("{} journals older than {} days are deleted", gone.journals, keep.as_secs() / (24 * 3_600));
        }
        match gone.failed {
            Some(why) => roster.warn("journals-kept", why),
            None => roster.clear("journals-kept"),
        }
    }
}

async fn health(roster: Roster) {
    let mut every = interval(HEALTH);
    loop {
        every.tick().await;
        roster.publish_health();
    }
}

/// What is needed to run one board, and to run it again.
struct Place {
    board: config::Board,
    changes: Changes,
    /// The number of the first game, unless a game goes on.
    first_game: u32,
    node: String,
    /// What the last run left of it, until that is used.
    left: std::sync::Mutex<Option<Left>>,
    /// Where its journals are.
    journals: PathBuf,
    shared: Shared,
}

impl Place {
    /// Runs the board. Should its task fail, which is a mistake in this program, the board begins
    /// anew with a journal of its own, and no other board notices.
    async fn keep(self, asked: mpsc::Receiver<Asked>, leave: watch::Receiver<bool>) {
        let asked = std::sync::Arc::new(tokio::sync::Mutex::new(asked));
        let id = &self.board.id;
        self.shared.roster.board(id, |line| {
            line.port = self.board.place();
            line.why = Some("starting".to_owned());
        });
        let mut first_game = self.first_game;
        loop {
            let (to_board, told) = mpsc::channel(1024);
            let (ask, asks) = mpsc::channel(ASKS);
            let earlier = self.earlier_run();
            let clock = match &earlier {
                Some(earlier) => self.shared.clock.beginning_at(earlier.tick(self.shared.clock.start_ms())),
                None => self.shared.clock,
            };
            let port =
                tokio::spawn(port::serve(self.shared.ports.clone(), self.wanted(), clock, to_board, asks));
            let (board, begin) = self.begin(first_game, clock, earlier, ask);
            let setup = Setup { first_game, ..self.changes.settings.borrow().clone() };
            let changes = self.changes.clone();
            let (asked, leaving) = (asked.clone(), leave.clone());
            let task = tokio::spawn(async move {
                board::run(board, setup, begin, changes, told, &mut *asked.lock().await, leaving).await;
            });
            let failed = task.await.is_err();
            port.abort();
            if !failed || *leave.borrow() {
                return;
            }
            error!("board {id}: its task failed and begins anew; this is a mistake in the program");
            self.shared.roster.board(id, |line| {
                line.heard = false;
                line.why = Some("begins anew after a mistake in the program".to_owned());
            });
            sleep(Duration::from_secs(1)).await;
            let journals = name::list(&self.journals);
            let written = name::first_game(journals.get(id.as_str()).map_or(&[], Vec::as_slice));
            first_game = written.max(first_game + 1);
        }
    }

    fn wanted(&self) -> port::Wanted {
        let config::Board { id, port, serial, .. } = self.board.clone();
        port::Wanted { board: id, port, serial }
    }

    /// The journal to go on with, once: a board that begins anew after a mistake in the program would
    /// run into it again.
    fn earlier_run(&self) -> Option<Box<Earlier>> {
        let mut left = self.left.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let id = &self.board.id;
        match left.take()? {
            Left::Nothing => None,
            Left::Journal(earlier) => {
                info!("board {id} goes on with {}", earlier.path.display());
                Some(earlier)
            }
            Left::Damaged(why) => {
                let what = format!("board {id} begins anew, its journal cannot be gone on with: {why}");
                self.shared.roster.warn(&format!("journal-left-{id}"), what);
                None
            }
        }
    }

    fn begin(
        &self,
        first_game: u32,
        clock: Clock,
        earlier: Option<Box<Earlier>>,
        ask: mpsc::Sender<port::Ask>,
    ) -> (Board, Begin) {
        let id = self.board.id.clone();
        let start_ms = self.shared.clock.start_ms();
        if let Some(earlier) = earlier {
            let Earlier { path, whole, header, resumed, feed } = *earlier;
            let file = self.shared.journals.go_on(&path, whole);
            // Its own writer comes with the table.
            let (writer, _) = Writer::new(&header);
            return (
                self.board(clock, writer, file, path, header, ask),
                Begin::GoOn(Box::new((resumed, feed))),
            );
        }
        let header = Header {
            program: PROGRAM.to_owned(),
            node: self.node.clone(),
            board: id.clone(),
            ruleset: self.changes.settings.borrow().ruleset.clone(),
            start_ms,
            after: None,
            rules_digest: Some(Rules::of_setup(&self.changes.settings.borrow()).digest()),
            clock_synchronised: host::clock_synchronised(),
        };
        let (writer, line) = Writer::new(&header);
        let path = self.journals.join(name::name(id.as_str(), start_ms, first_game));
        let file = self.shared.journals.open(&path);
        file.line(line);
        (self.board(clock, writer, file, path, header, ask), Begin::Anew)
    }

    fn board(
        &self,
        clock: Clock,
        writer: Writer,
        file: JournalFile,
        path: PathBuf,
        header: Header,
        ask: mpsc::Sender<port::Ask>,
    ) -> Board {
        Board {
            id: self.board.id.clone(),
            port: PathBuf::from(self.board.place()),
            clock,
            writer,
            file,
            path,
            header,
            journals: self.shared.journals.clone(),
            post: self.shared.post.clone(),
            roster: self.shared.roster.clone(),
            mating: self.shared.mating.clone(),
            records: self.shared.records.clone(),
            names: self.shared.names.clone(),
            ask,
        }
    }
}
