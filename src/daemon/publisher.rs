//! One connection to a broker, whatever client makes it.
//!
//! The client's own queues and sessions are not used: each connection is a new client with a
//! clean start, so that nothing but the outbox decides what is sent, and in which order.

mod look;
mod mqtt;
mod tls;

use std::future::Future;
use std::sync::Arc;

use tokio::sync::mpsc;
use tokio::task::AbortHandle;

use super::outbox::{Message, Ticket};
pub use mqtt::MqttPublisher;
pub use tls::{SYSTEM, Tls};

/// Makes connections to a broker.
pub trait Publisher: Send {
    /// The name by which the broker knows this client; it serves one client of a name.
    fn name(&self) -> &str;

    /// The start of this run, as in its messages.
    fn epoch(&self) -> u64;

    /// Whether messages on this topic say who speaks for the node.
    fn is_status(&self, topic: &str) -> bool;

    /// Looks who speaks for the node, as a client that changes nothing and disturbs nobody.
    fn look(&mut self) -> impl Future<Output = Result<Look, String>> + Send;

    /// Connects once; the error says why not, for people.
    fn connect(&mut self) -> impl Future<Output = Result<Connection, String>> + Send;
}

/// One connection. Dropping it ends it at once.
#[derive(Debug)]
pub struct Connection {
    /// How many messages may be unacknowledged at a time.
    pub window: usize,
    /// The largest packet that the broker takes; a larger one would end the connection.
    pub largest: usize,
    /// To the broker.
    pub to_broker: mpsc::UnboundedSender<Outgoing>,
    /// From the broker.
    pub events: mpsc::UnboundedReceiver<LinkEvent>,
    /// The tasks that serve it.
    pub tasks: Vec<AbortHandle>,
}

/// A connection that only looks. Dropping it ends it.
#[derive(Debug)]
pub struct Look {
    /// What is seen.
    pub seen: mpsc::UnboundedReceiver<Seen>,
    /// The task that serves it.
    pub task: AbortHandle,
}

/// What one sees of those who speak for the node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// What `status` holds; `None`: nothing that can be read.
    Status(Option<Standing>),
    /// All that the broker kept has been seen.
    AllKept,
    /// The broker does not let us look.
    Refused(String),
    /// The run that began then has just said something.
    Alive(u64),
    /// The connection is gone, and why.
    Lost(String),
}

/// Who speaks for a node, by its `status`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The start of that run.
    pub epoch: u64,
    /// Whether it is there.
    pub online: bool,
}

impl Standing {
    /// Reads a payload of `status`. One without an epoch is nobody's.
    #[must_use]
    pub fn read(payload: &[u8]) -> Option<Standing> {
        let body: serde_json::Value = serde_json::from_slice(payload).ok()?;
        Some(Standing { epoch: body.get("epoch")?.as_u64()?, online: body.get("state")? == "online" })
    }
}

/// Something for the broker.
#[derive(Debug)]
pub enum Outgoing {
    /// A message; the ticket comes back with its acknowledgement.
    Publish(Ticket, Arc<Message>),
    /// Say goodbye: the will is not published.
    Disconnect,
}

/// Something from the broker.
#[derive(Debug)]
pub enum LinkEvent {
    /// It has this message.
    Acked(Ticket),
    /// It refused this message, and why.
    Refused(Ticket, String),
    /// A message on a subscribed topic.
    Incoming(Incoming),
    /// The connection is gone, and why.
    Lost(Loss),
}

/// Why a connection is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Another client of the same name has connected.
    TakenOver,
    /// Another daemon speaks for the node, and began before us.
    Rival,
    /// Anything else, for people.
    Gone(String),
}

/// A message on a subscribed topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incoming {
    /// The whole topic.
    pub topic: String,
    /// The payload.
    pub payload: Vec<u8>,
    /// Whether the broker kept it from earlier.
    pub retained: bool,
    /// Where the asker wants the answer.
    pub reply_topic: Option<String>,
    /// What the asker wants back with it.
    pub correlation: Option<Vec<u8>>,
}

impl Drop for Look {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.tasks.iter().for_each(AbortHandle::abort);
    }
}
