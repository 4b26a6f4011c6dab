//! MQTT 5 by rumqttc.

use std::time::Duration;

use rumqttc::{
    AsyncClient, ConnAck, ConnectReturnCode, ConnectionError, DisconnectReasonCode, Event, EventLoop,
    LastWill, MqttOptions, NetworkOptions, Packet, PubAckReason, PublishNoticeError, PublishOptions,
    PublishProperties, PublishResult, QoS, SessionMode, StateError, SubscribeFilter,
};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tracing::{debug, warn};

use super::{Connection, Incoming, LinkEvent, Look, Loss, Outgoing, Publisher, Tls, look, tls};
use crate::daemon::config::environment::Password;
use crate::daemon::outbox::{Message, Ticket};

/// At most this many unacknowledged messages, if the broker allows as many.
const WINDOW: usize = 64;
/// A broker that is silent for longer is lost; alerts must not wait for it in vain.
const KEEP_ALIVE_S: u16 = 5;
/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(10);
/// No request is larger.
const LARGEST: u32 = 256 * 1024;

/// Connects to one broker as one client.
#[derive(Clone, Debug)]
pub struct MqttPublisher {
    /// The broker's host name or address.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// Whom to log in as.
    pub user: Option<String>,
    /// Where the password comes from; read anew for each connection, so that it can be corrected.
    pub password: Option<Password>,
    /// How the connection is encrypted, if it is.
    pub tls: Option<Tls>,
    /// The client's name: that of the node and the start of this run. A run takes its own connection
    /// over when it comes back, and nobody else's.
    pub client_id: String,
    /// The start of this run, as in its messages.
    pub epoch: u64,
    /// What the broker publishes when this client is lost.
    pub will: Message,
    /// The topics that requests come on.
    pub requests: String,
    /// The topic of `health`.
    pub health: String,
    /// The topics that hold our alerts, also those of earlier runs.
    pub alerts: String,
}

impl Publisher for MqttPublisher {
    fn name(&self) -> &str {
        &self.client_id
    }

    fn epoch(&self) -> u64 {
        self.epoch
    }

    fn is_status(&self, topic: &str) -> bool {
        topic == self.will.topic
    }

    async fn look(&mut self) -> Result<Look, String> {
        let options = self.options(&format!("{}-look", self.name()))?;
        let (client, eventloop, _) = self.reach(options).await?;
        Ok(look::serve(client, eventloop, self.will.topic.clone(), self.health.clone()))
    }

    async fn connect(&mut self) -> Result<Connection, String> {
        let mut options = self.options(self.name())?;
        let will = &self.will;
        options.set_last_will(LastWill::new(
            &will.topic,
            will.payload.clone(),
            QoS::AtLeastOnce,
            will.retain,
            None,
        ));
        let (client, eventloop, connack) = self.reach(options).await?;
        let told = connack.properties.as_ref();
        let allowed = told.and_then(|told| told.receive_max);
        let window = allowed.map_or(WINDOW, |max| WINDOW.min(usize::from(max))).max(1);
        let largest = told.and_then(|told| told.max_packet_size).and_then(|max| usize::try_from(max).ok());
        let largest = largest.unwrap_or(usize::MAX);
        let (to_broker, outgoing) = mpsc::unbounded_channel();
        let (heard, events) = mpsc::unbounded_channel();
        let reading = tokio::spawn(read(eventloop, heard.clone()));
        let asking = tokio::spawn(subscribe(client.clone(), self.filters()));
        let sending = tokio::spawn(send(client, outgoing, heard));
        let tasks = vec![reading.abort_handle(), asking.abort_handle(), sending.abort_handle()];
        Ok(Connection { window, largest, to_broker, events, tasks })
    }
}

impl MqttPublisher {
    /// A request says whether it is retained when it comes, not only when it is found; of alerts
    /// only those are wanted that were there before, so our own are not sent back to us; and of
    /// `status` what others make of it.
    fn filters(&self) -> [SubscribeFilter; 3] {
        let filter = |path: &str| SubscribeFilter::new(path, QoS::AtLeastOnce);
        [
            SubscribeFilter { preserve_retain: true, ..filter(&self.requests) },
            SubscribeFilter { nolocal: true, ..filter(&self.alerts) },
            SubscribeFilter { nolocal: true, ..filter(&self.will.topic) },
        ]
    }

    /// Connects, and waits for the broker's word.
    async fn reach(&self, options: MqttOptions) -> Result<(AsyncClient, EventLoop, ConnAck), String> {
        let (client, mut eventloop) = AsyncClient::builder(options).capacity(2 * WINDOW).build();
        match tokio::time::timeout(CONNECT, connack(&mut eventloop)).await {
            Ok(Ok(connack)) => Ok((client, eventloop, connack)),
            Ok(Err(error)) => Err(self.explain(&error)),
            Err(_) => Err(format!("the broker at {} does not answer", self.place())),
        }
    }

    fn options(&self, name: &str) -> Result<MqttOptions, String> {
        let mut options = MqttOptions::new(name, (self.host.clone(), self.port));
        options.set_keep_alive(KEEP_ALIVE_S);
        options.set_session_mode(SessionMode::Clean);
        // Small messages that follow each other would wait for the broker's acknowledgement of the first.
        let mut network = NetworkOptions::new();
        network.set_tcp_nodelay(true);
        options.set_network_options(network);
        if let Some(tls) = &self.tls {
            options.set_transport(tls.transport()?);
        }
        options.set_max_packet_size(Some(LARGEST));
        if let Some(user) = &self.user {
            match &self.password {
                Some(password) => {
                    let password = password.read()?;
                    options.set_credentials(user.clone(), password.into_bytes());
                }
                None => {
                    options.set_username(user.clone());
                }
            }
        }
        Ok(options)
    }

    fn place(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }

    fn explain(&self, error: &ConnectionError) -> String {
        let place = self.place();
        let said = error.to_string();
        if let Some(advice) = self.tls.as_ref().and_then(|_| tls::advice(&said)) {
            return format!("the broker at {place} cannot be used: {advice} ({said})");
        }
        match error {
            ConnectionError::ConnectionRefused(
                ConnectReturnCode::BadUserNamePassword | ConnectReturnCode::NotAuthorized,
            ) => match &self.user {
                Some(user) => {
                    let password = self.password.as_ref();
                    let place_of = password.map_or("password_file".to_owned(), Password::place);
                    format!(
                        "the broker at {place} refuses user \"{user}\" with this password: check user and {place_of}"
                    )
                }
                None => {
                    format!("the broker at {place} wants a user and a password: set user and password_file")
                }
            },
            ConnectionError::Io(error) => format!("the broker at {place} cannot be reached: {error}"),
            other => format!("the broker at {place} cannot be used: {other}"),
        }
    }
}

async fn connack(eventloop: &mut EventLoop) -> Result<ConnAck, ConnectionError> {
    loop {
        if let Event::Incoming(Packet::ConnAck(connack)) = eventloop.poll().await? {
            return Ok(connack);
        }
    }
}

/// One by one: a broker may refuse one of them and not the other.
async fn subscribe(client: AsyncClient, filters: [SubscribeFilter; 3]) {
    for filter in filters {
        let path = filter.path.clone();
        let answer = match client.subscribe_many_tracked([filter]).await {
            Ok(notice) => notice.wait_completion_async().await.map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        if let Err(error) = answer {
            warn!("{path} cannot be heard, the broker refuses it: {error}");
        }
    }
}

/// Polls the client until the connection is gone. Nothing else may poll it, and it is never
/// cancelled in the middle of a poll while the connection is wanted.
async fn read(mut eventloop: EventLoop, heard: mpsc::UnboundedSender<LinkEvent>) {
    let mut goodbye = None;
    loop {
        let event = match eventloop.poll().await {
            Ok(Event::Incoming(Packet::Publish(publish))) => {
                let properties = publish.properties.unwrap_or_default();
                LinkEvent::Incoming(Incoming {
                    topic: String::from_utf8_lossy(&publish.topic).into_owned(),
                    payload: publish.payload.to_vec(),
                    retained: publish.retain,
                    reply_topic: properties.response_topic,
                    correlation: properties.correlation_data.map(|data| data.to_vec()),
                })
            }
            Ok(Event::Incoming(Packet::Disconnect(disconnect))) => {
                goodbye = Some(farewell(disconnect.reason_code));
                continue;
            }
            Ok(_) => continue,
            Err(error) => LinkEvent::Lost(goodbye.take().unwrap_or_else(|| loss(&error))),
        };
        let last = matches!(event, LinkEvent::Lost(_));
        if heard.send(event).is_err() || last {
            return;
        }
    }
}

/// The client gives the broker's goodbye as an error, or as a packet before one.
fn loss(error: &ConnectionError) -> Loss {
    match error {
        ConnectionError::MqttState(StateError::ServerDisconnect { reason_code, .. }) => {
            farewell(*reason_code)
        }
        other => Loss::Gone(other.to_string()),
    }
}

fn farewell(reason: DisconnectReasonCode) -> Loss {
    match reason {
        DisconnectReasonCode::SessionTakenOver => Loss::TakenOver,
        reason => Loss::Gone(format!("the broker says {reason:?}")),
    }
}

/// Hands messages to the client and waits for their acknowledgements.
async fn send(
    client: AsyncClient,
    mut outgoing: mpsc::UnboundedReceiver<Outgoing>,
    heard: mpsc::UnboundedSender<LinkEvent>,
) {
    let mut notices = JoinSet::new();
    loop {
        tokio::select! {
            next = outgoing.recv() => match next {
                None => return,
                Some(Outgoing::Disconnect) => {
                    let _ = client.disconnect().await;
                }
                Some(Outgoing::Publish(ticket, message)) => {
                    let mut options = PublishOptions::new(QoS::AtLeastOnce).retain(message.retain);
                    if let Some(data) = &message.correlation {
                        options = options.properties(PublishProperties {
                            correlation_data: Some(data.clone().into()),
                            ..PublishProperties::default()
                        });
                    }
                    match client.try_publish_tracked(message.topic.as_str(), message.payload.clone(), options) {
                        Ok(notice) => {
                            notices.spawn(async move { (ticket, notice.wait_async().await) });
                        }
                        Err(error) => {
                            let _ = heard.send(LinkEvent::Refused(ticket, error.to_string()));
                        }
                    }
                }
            },
            Some(done) = notices.join_next() => {
                if let Ok((ticket, result)) = done
                    && let Some(event) = verdict(ticket, result)
                {
                    let _ = heard.send(event);
                }
            }
        }
    }
}

/// What an acknowledgement says; `None` if there will be none, because the connection is gone.
fn verdict(ticket: Ticket, result: Result<PublishResult, PublishNoticeError>) -> Option<LinkEvent> {
    match result {
        Ok(PublishResult::Qos1(ack)) => match ack.reason {
            PubAckReason::Success | PubAckReason::NoMatchingSubscribers => Some(LinkEvent::Acked(ticket)),
            reason => Some(LinkEvent::Refused(ticket, format!("{reason:?}"))),
        },
        Ok(other) => Some(LinkEvent::Refused(ticket, format!("unexpected answer {other:?}"))),
        Err(PublishNoticeError::Recv | PublishNoticeError::SessionReset) => {
            debug!("no acknowledgement for message {ticket}: the connection is gone");
            None
        }
        Err(error) => Some(LinkEvent::Refused(ticket, error.to_string())),
    }
}
