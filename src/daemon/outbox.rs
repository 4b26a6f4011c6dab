//! What is on its way to the broker. Pure: no socket, no clock of its own.
//!
//! - A message leaves only when the broker has acknowledged it; what was sent and not acknowledged
//!   when a connection is lost is sent again, in order. So a reader may see a message twice and
//!   drops repeats of (id, revision).
//! - A retained topic needs only its latest value, so a newer one takes the place of one that
//!   still waits. Everything retained is published anew on each connection, cleared topics too: a
//!   broker that lost its memory, or found an old one, is put right.
//! - Memory: logs and alerts are never dropped; they are few, and a day without a broker holds some
//!   megabytes. Single moves are dropped beyond [`MOST_MOVES`], oldest first, since the retained
//!   record of the game has them all. Cleared topics are forgotten beyond [`MOST_CLEARED`], oldest
//!   first.

mod shared;
mod stale;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::sync::oneshot;

use super::spool::Change;
use crate::contract::{Draft, topic};
pub use shared::Post;

/// How many single moves may wait: a quarter of an hour of 256 boards at blitz speed.
pub const MOST_MOVES: usize = 64_000;
/// How many cleared topics are remembered, to be cleared again.
pub const MOST_CLEARED: usize = 10_000;

/// How long a topic is left alone after the broker refused a message on it.
const HOLD: Duration = Duration::from_secs(5);

/// A message as it goes to the broker, with QoS 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The whole topic.
    pub topic: String,
    /// The payload; empty to clear a retained topic.
    pub payload: Vec<u8>,
    /// Whether the broker keeps it.
    pub retain: bool,
    /// MQTT 5 correlation data, in the answer to a request that had it.
    pub correlation: Option<Vec<u8>>,
    /// What may happen to it before it is acknowledged.
    pub keep: Keep,
}

impl Message {
    /// The size of its packet, at most.
    #[must_use]
    pub fn size(&self) -> usize {
        self.topic.len() + self.payload.len() + self.correlation.as_ref().map_or(0, Vec::len) + 32
    }
}

/// What may happen to a message before it is acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Nothing: it waits until it is acknowledged.
    Always,
    /// A newer one on its topic takes its place (retained topics).
    Latest,
    /// The oldest go when there are too many.
    WhileRoom,
    /// If the broker refuses it, that is the asker's loss (an answer to a topic the asker chose).
    Once,
}

impl Keep {
    /// What may happen to a message at this path, below the node or whole.
    #[must_use]
    pub fn of(path: &str, retain: bool) -> Keep {
        match path.rsplit('/').collect::<Vec<_>>()[..] {
            _ if retain => Keep::Latest,
            ["move", _, "broadcast", ..] => Keep::WhileRoom,
            _ => Keep::Always,
        }
    }
}

/// The place of a message in the order. What is published anew goes before what waits.
pub type Ticket = i64;

/// Figures for the operator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Depth {
    /// Messages that are not acknowledged yet.
    pub waiting: usize,
    /// Of those, given to the broker.
    pub in_flight: usize,
    /// Acknowledged so far.
    pub acknowledged: u64,
    /// Refused by the broker so far.
    pub refused: u64,
    /// Single moves dropped for want of room.
    pub dropped: u64,
}

/// What is on its way to the broker.
#[derive(Debug)]
pub struct Outbox {
    root: String,
    node: String,
    epoch: u64,
    seqs: BTreeMap<String, u64>,
    back: Ticket,
    front: Ticket,
    messages: BTreeMap<Ticket, Arc<Message>>,
    waiting: BTreeSet<Ticket>,
    moves: BTreeSet<Ticket>,
    /// The ticket of the latest value of each retained topic that is not acknowledged.
    newest: BTreeMap<String, Ticket>,
    /// What every retained topic must hold, with the order in which it became so.
    truth: BTreeMap<String, (u64, Arc<Message>)>,
    stamped: u64,
    held: BTreeMap<String, Instant>,
    depth: Depth,
    is_connected: bool,
    /// Since when each message waits; what is only published anew is not among them.
    born: BTreeMap<Ticket, Instant>,
    /// Logs, alerts and moves are also kept on the disk while they wait.
    spool: Option<Sender<Change>>,
}

impl Outbox {
    /// Empty, for messages of this node and run.
    #[must_use]
    pub fn new(root: &str, node: &str, epoch: u64) -> Self {
        Outbox {
            root: root.to_owned(),
            node: node.to_owned(),
            epoch,
            seqs: BTreeMap::new(),
            back: 0,
            front: 0,
            messages: BTreeMap::new(),
            waiting: BTreeSet::new(),
            moves: BTreeSet::new(),
            newest: BTreeMap::new(),
            truth: BTreeMap::new(),
            stamped: 0,
            held: BTreeMap::new(),
            depth: Depth::default(),
            is_connected: false,
            born: BTreeMap::new(),
            spool: None,
        }
    }

    /// From now on what must not be lost is also kept by `spool`. What an earlier run left goes
    /// first, as it was; then `spool` may delete those files.
    pub fn keep_with(&mut self, spool: Sender<Change>, left: Vec<Message>, files: Vec<std::path::PathBuf>) {
        self.spool = Some(spool);
        left.into_iter().for_each(|message| self.put(message));
        self.tell_spool(|| Change::Restored(files));
    }

    /// Nothing more is kept on the disk.
    pub fn end_spool(&mut self) {
        self.spool = None;
    }

    /// Hears when everything posted so far is written that must be; `None` if nothing is written at all.
    pub fn until_kept(&self) -> Option<oneshot::Receiver<()>> {
        let (done, kept) = oneshot::channel();
        self.spool.as_ref()?.send(Change::Asked(done)).ok().map(|()| kept)
    }

    fn tell_spool(&self, change: impl FnOnce() -> Change) {
        if let Some(spool) = &self.spool {
            // Without its thread there is no file; messages go out all the same.
            let _ = spool.send(change());
        }
    }

    /// Adds a draft: prefixes its path and gives it `epoch` and `seq`.
    pub fn post(&mut self, draft: Draft, correlation: Option<Vec<u8>>) {
        let message = self.stamp(draft, correlation);
        self.put(message);
    }

    /// Adds an answer twice: at its own topic, and at the topic the asker chose.
    pub fn post_reply(&mut self, draft: Draft, reply_topic: &str, correlation: Option<Vec<u8>>) {
        let message = self.stamp(draft, correlation);
        let reply = Message { topic: reply_topic.to_owned(), keep: Keep::Once, ..message.clone() };
        self.put(message);
        self.put(reply);
    }

    fn stamp(&mut self, draft: Draft, correlation: Option<Vec<u8>>) -> Message {
        let keep = Keep::of(&draft.path, draft.retain);
        let payload = match draft.body {
            None => Vec::new(),
            Some(mut body) => {
                let seq = self.seqs.entry(tree(&draft.path)).or_default();
                *seq += 1;
                body.insert("epoch".to_owned(), Value::from(self.epoch));
                body.insert("seq".to_owned(), Value::from(*seq));
                Value::Object(body).to_string().into_bytes()
            }
        };
        let topic = topic(&self.root, &self.node, &draft.path);
        Message { topic, payload, retain: draft.retain, correlation, keep }
    }

    fn put(&mut self, message: Message) {
        let message = Arc::new(message);
        self.back += 1;
        let ticket = self.back;
        match message.keep {
            Keep::Latest => {
                self.remember(&message);
                if let Some(older) = self.newest.insert(message.topic.clone(), ticket)
                    && self.waiting.contains(&older)
                {
                    self.forget(older);
                }
            }
            Keep::WhileRoom => {
                self.moves.insert(ticket);
                if self.moves.len() > MOST_MOVES
                    && let Some(oldest) = self.moves.iter().copied().find(|old| self.waiting.contains(old))
                {
                    self.forget(oldest);
                    self.depth.dropped += 1;
                }
            }
            Keep::Always | Keep::Once => {}
        }
        if must_survive(&message) {
            self.tell_spool(|| Change::Waits(ticket, message.clone()));
        }
        self.born.insert(ticket, Instant::now());
        self.messages.insert(ticket, message);
        self.waiting.insert(ticket);
    }

    fn remember(&mut self, message: &Arc<Message>) {
        self.stamped += 1;
        self.truth.insert(message.topic.clone(), (self.stamped, message.clone()));
        if self.truth.len() > MOST_CLEARED {
            let cleared = self.truth.iter().filter(|(_, (_, kept))| kept.payload.is_empty());
            let oldest = cleared.min_by_key(|(_, (stamp, _))| *stamp).map(|(topic, _)| topic.clone());
            if let Some(topic) = oldest {
                self.truth.remove(&topic);
            }
        }
    }

    fn forget(&mut self, ticket: Ticket) {
        self.waiting.remove(&ticket);
        self.moves.remove(&ticket);
        self.born.remove(&ticket);
        let Some(message) = self.messages.remove(&ticket) else { return };
        if self.newest.get(&message.topic) == Some(&ticket) {
            self.newest.remove(&message.topic);
        }
        if ticket > 0 && must_survive(&message) {
            self.tell_spool(|| Change::Done(ticket));
        }
    }

    /// A connection has been made: everything retained is to be published anew, before what waits.
    pub fn connected(&mut self) {
        self.is_connected = true;
        self.held.clear();
        let mut anew: Vec<_> =
            self.truth.iter().filter(|(topic, _)| !self.newest.contains_key(*topic)).collect();
        anew.sort_by_key(|(_, (stamp, _))| std::cmp::Reverse(*stamp));
        let anew: Vec<_> = anew.into_iter().map(|(_, (_, message))| message.clone()).collect();
        for message in anew {
            self.front -= 1;
            self.newest.insert(message.topic.clone(), self.front);
            self.messages.insert(self.front, message);
            self.waiting.insert(self.front);
        }
    }

    /// The connection is lost: what is not acknowledged waits again, in its place.
    pub fn lost(&mut self) {
        self.is_connected = false;
        let tickets: Vec<_> = self.messages.keys().copied().collect();
        for ticket in tickets {
            if self.is_overtaken(ticket) {
                self.forget(ticket);
            } else {
                self.waiting.insert(ticket);
            }
        }
    }

    /// A retained value that a newer one has replaced is not worth sending again.
    fn is_overtaken(&self, ticket: Ticket) -> bool {
        let Some(message) = self.messages.get(&ticket) else { return true };
        message.keep == Keep::Latest && self.newest.get(&message.topic) != Some(&ticket)
    }

    /// The next message to send, which is in flight from then on; `None` if there is none now.
    pub fn next(&mut self, now: Instant) -> Option<(Ticket, Arc<Message>)> {
        self.held.retain(|_, until| *until > now);
        let free = |ticket: &&Ticket| {
            self.held.is_empty()
                || self.messages.get(ticket).is_some_and(|message| !self.held.contains_key(&message.topic))
        };
        let ticket = *self.waiting.iter().find(free)?;
        self.waiting.remove(&ticket);
        let message = self.messages.get(&ticket)?.clone();
        Some((ticket, message))
    }

    /// When a topic that the broker refused may be tried again.
    #[must_use]
    pub fn next_try(&self) -> Option<Instant> {
        self.held.values().min().copied()
    }

    /// The broker has a message.
    pub fn acknowledged(&mut self, ticket: Ticket) {
        if self.messages.contains_key(&ticket) {
            self.depth.acknowledged += 1;
            self.forget(ticket);
        }
    }

    /// The broker refused a message: its topic waits a while, others go on. Returns the topic.
    pub fn refused(&mut self, ticket: Ticket, now: Instant) -> Option<String> {
        let message = self.messages.get(&ticket)?.clone();
        self.depth.refused += 1;
        if message.keep == Keep::Once || self.is_overtaken(ticket) {
            self.forget(ticket);
        } else {
            self.waiting.insert(ticket);
            self.held.insert(message.topic.clone(), now + HOLD);
        }
        Some(message.topic.clone())
    }

    /// Whether everything has been acknowledged.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Whether there is a connection to the broker.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.is_connected
    }

    /// Seconds that the oldest message has waited; 0 if none waits.
    #[must_use]
    pub fn oldest_s(&self, now: Instant) -> u64 {
        self.born.values().min().map_or(0, |born| now.saturating_duration_since(*born).as_secs())
    }

    /// Figures for the operator.
    #[must_use]
    pub fn depth(&self) -> Depth {
        let in_flight = self.messages.len() - self.waiting.len();
        Depth { waiting: self.messages.len(), in_flight, ..self.depth }
    }
}

/// Logs and alerts, which an arbiter must see, sooner or later, and moves. An answer is given again to
/// one who asks again.
fn must_survive(message: &Message) -> bool {
    match message.keep {
        Keep::Always => message.topic.ends_with("/log"),
        Keep::Latest => message.topic.contains("/alerts/"),
        Keep::WhileRoom => true,
        Keep::Once => false,
    }
}

/// The topic tree and board that a path's `seq` is counted for.
fn tree(path: &str) -> String {
    match path.split('/').collect::<Vec<_>>()[..] {
        ["arbiter" | "broadcast", board, ..] => format!("{}/{board}", &path[..path.find('/').unwrap_or(0)]),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests;
