//! One connection to a broker, whatever client makes it.
//!
//! The client's own queues and sessions are not used: each connection is a new client with a
//! clean start, so that nothing but the outbox decides what is sent, and in which order.

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

impl Drop for Connection {
    fn drop(&mut self) {
        self.tasks.iter().for_each(AbortHandle::abort);
    }
}
