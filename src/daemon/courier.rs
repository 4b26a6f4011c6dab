//! Carries what is in the outbox to the broker, for as long as it takes.

use std::time::{Duration, Instant};

use tokio::sync::{mpsc, watch};
use tokio::time::{sleep, sleep_until, timeout};
use tracing::{debug, info, warn};

use super::outbox::{Outbox, Post, Ticket};
use super::publisher::{Connection, Incoming, LinkEvent, Outgoing, Publisher};
use super::roster::Roster;

/// The first pause after a failed connection, and the longest.
const PAUSE: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(5));
/// How long a goodbye may take.
const GOODBYE: Duration = Duration::from_secs(1);

/// Serves connections until `leave` says to go; then until the outbox is empty, or the caller has
/// waited long enough and drops it.
pub async fn carry<P: Publisher>(
    mut publisher: P,
    post: Post,
    requests: mpsc::Sender<Incoming>,
    roster: Roster,
    mut leave: watch::Receiver<bool>,
) {
    let mut pause = PAUSE.0;
    let mut said = String::new();
    loop {
        match publisher.connect().await {
            Ok(connection) => {
                info!("connected to the broker");
                roster.clear("broker");
                said.clear();
                pause = PAUSE.0;
                post.with(Outbox::connected);
                let why = serve(connection, &post, &requests, &mut leave).await;
                post.with(Outbox::lost);
                let Some(why) = why else { return };
                warn!("the connection to the broker is lost: {why}; messages wait");
                roster.report("broker", why);
            }
            Err(why) => {
                if why != said {
                    warn!("{why}; boards are read all the same, messages wait");
                    roster.report("broker", why.clone());
                    said = why;
                }
            }
        }
        if *leave.borrow() && post.with(|outbox| outbox.is_empty()) {
            return;
        }
        sleep(pause).await;
        pause = (pause * 2).min(PAUSE.1);
    }
}

/// Serves one connection; returns why it ended, or `None` if it was left on purpose.
async fn serve(
    mut connection: Connection,
    post: &Post,
    requests: &mpsc::Sender<Incoming>,
    leave: &mut watch::Receiver<bool>,
) -> Option<String> {
    let mut in_flight = 0;
    loop {
        while in_flight < connection.window
            && let Some((ticket, message)) = post.with(|outbox| outbox.next(Instant::now()))
        {
            if message.size() > connection.largest {
                refused(post, ticket, "it is larger than the broker takes");
                continue;
            }
            in_flight += 1;
            if connection.to_broker.send(Outgoing::Publish(ticket, message)).is_err() {
                return Some("the client has stopped".to_owned());
            }
        }
        if *leave.borrow() && post.with(|outbox| outbox.is_empty()) {
            say_goodbye(connection).await;
            return None;
        }
        let next_try = post.with(|outbox| outbox.next_try());
        tokio::select! {
            event = connection.events.recv() => match event {
                Some(LinkEvent::Acked(ticket)) => {
                    in_flight -= 1;
                    post.with(|outbox| outbox.acknowledged(ticket));
                }
                Some(LinkEvent::Refused(ticket, why)) => {
                    in_flight -= 1;
                    refused(post, ticket, &why);
                }
                Some(LinkEvent::Incoming(incoming)) => {
                    if requests.try_send(incoming).is_err() {
                        warn!("too many requests at once: one is dropped");
                    }
                }
                Some(LinkEvent::Lost(why)) => return Some(why),
                None => return Some("the client has stopped".to_owned()),
            },
            () = post.posted() => {}
            () = sleep_until(next_try.unwrap_or_else(Instant::now).into()), if next_try.is_some() => {}
            changed = leave.changed() => if changed.is_err() { return None },
        }
    }
}

fn refused(post: &Post, ticket: Ticket, why: &str) {
    if let Some(topic) = post.with(|outbox| outbox.refused(ticket, Instant::now())) {
        warn!("the broker refuses a message on {topic}: {why}");
    }
}

async fn say_goodbye(mut connection: Connection) {
    let _ = connection.to_broker.send(Outgoing::Disconnect);
    let gone = async {
        while let Some(event) = connection.events.recv().await {
            if let LinkEvent::Lost(why) = event {
                debug!("left the broker: {why}");
                return;
            }
        }
    };
    let _ = timeout(GOODBYE, gone).await;
}
