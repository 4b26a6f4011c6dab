//! Carries what is in the outbox to the broker, for as long as it takes.

mod patience;
mod standing;

use std::time::{Duration, Instant};

use tokio::sync::{mpsc, watch};
use tokio::time::{sleep, sleep_until, timeout};
use tracing::{debug, info, warn};

use super::outbox::{Outbox, Post, Ticket};
use super::publisher::{Connection, Incoming, LinkEvent, Loss, Outgoing, Publisher};
use super::roster::Roster;
use patience::Patience;
use standing::{Answer, SILENT, Turn, answer, our_turn};

/// A connection that lasts so long is nobody's but ours. Longer than a rival ever waits.
const STEADY: Duration = Duration::from_secs(60);
/// The condition that somebody else uses our name.
const RIVAL: &str = "broker-rival";
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
    let mut patience = Patience::new();
    let mut said = String::new();
    loop {
        let turn = match publisher.look().await {
            Ok(look) => our_turn(look, publisher.epoch(), &roster, &mut leave, SILENT).await,
            Err(why) => Turn::Again(None, why),
        };
        let made = match turn {
            Turn::Ours { over } => publisher.connect().await.map(|made| (made, over)),
            Turn::Again(Some(pause), why) => {
                warn!("the connection to the broker is lost: {why}");
                sleep(pause).await;
                continue;
            }
            Turn::Again(None, why) => Err(why),
            // What waits is another run's to tell, or is on the disk.
            Turn::Leave if roster.condition(RIVAL).is_some() => return,
            Turn::Leave => Err("the room is closing".to_owned()),
        };
        let pause = match made {
            Ok((connection, over)) => {
                info!("connected to the broker");
                roster.clear("broker");
                said.clear();
                let began = Instant::now();
                post.with(Outbox::connected);
                let way = Way { post: &post, requests: &requests, roster: &roster, over };
                let loss = serve(connection, &publisher, &way, &mut leave).await;
                post.with(Outbox::lost);
                let Some(loss) = loss else { return };
                let pause = patience.ended(began.elapsed(), loss == Loss::TakenOver);
                let why = explain(loss, publisher.name(), &patience, &roster);
                warn!("the connection to the broker is lost: {why}; messages wait");
                roster.report("broker", why);
                pause
            }
            Err(why) => {
                if why != said {
                    warn!("{why}; boards are read all the same, messages wait");
                    roster.report("broker", why.clone());
                    said = why;
                }
                patience.away()
            }
        };
        if *leave.borrow() && post.with(|outbox| outbox.is_empty()) {
            return;
        }
        sleep(pause).await;
    }
}

/// What a connection is served with.
struct Way<'a> {
    post: &'a Post,
    requests: &'a mpsc::Sender<Incoming>,
    roster: &'a Roster,
    /// A run that is taken as gone though the broker has it as online.
    over: Option<u64>,
}

/// Why a connection ended, for people. A rival stays a condition over the short connections that
/// one gets beside it, or nobody could read of it.
fn explain(loss: Loss, name: &str, patience: &Patience, roster: &Roster) -> String {
    let advice = "two daemons need two node names";
    match loss {
        Loss::TakenOver => {
            let why = format!("another client named \"{name}\" has taken over; {advice}");
            roster.report(RIVAL, why.clone());
            why
        }
        Loss::Rival => format!("another daemon that began earlier has this node name; {advice}"),
        Loss::Gone(why) if patience.is_tried() => {
            let why = format!(
                "{why}; it is always lost at once: if another client named \"{name}\" has taken over, {advice}"
            );
            roster.report(RIVAL, why.clone());
            why
        }
        Loss::Gone(why) => why,
    }
}

/// Serves one connection; returns why it ended, or `None` if it was left on purpose.
async fn serve<P: Publisher>(
    mut connection: Connection,
    publisher: &P,
    way: &Way<'_>,
    leave: &mut watch::Receiver<bool>,
) -> Option<Loss> {
    let Way { post, requests, roster, over } = *way;
    let stopped = || Some(Loss::Gone("the client has stopped".to_owned()));
    let steady = sleep(STEADY);
    tokio::pin!(steady);
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
                return stopped();
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
                Some(LinkEvent::Incoming(incoming)) if publisher.is_status(&incoming.topic) => {
                    match answer(&incoming.payload, incoming.retained, publisher.epoch(), over) {
                        Answer::GiveWay => {
                            say_goodbye(connection).await;
                            return Some(Loss::Rival);
                        }
                        Answer::SayAgain if !*leave.borrow() => roster.publish_status(true),
                        Answer::SayAgain | Answer::Nothing => {}
                    }
                }
                Some(LinkEvent::Incoming(incoming)) => heard(post, requests, incoming),
                Some(LinkEvent::Lost(why)) => return Some(why),
                None => return stopped(),
            },
            () = &mut steady, if !steady.is_elapsed() => roster.clear(RIVAL),
            () = post.posted() => {}
            () = sleep_until(next_try.unwrap_or_else(Instant::now).into()), if next_try.is_some() => {}
            changed = leave.changed() => if changed.is_err() { return None },
        }
    }
}

/// What the broker kept of our alerts is compared with what it should keep; all else is a request.
fn heard(post: &Post, requests: &mpsc::Sender<Incoming>, incoming: Incoming) {
    if incoming.topic.split('/').rev().nth(1) == Some("alerts") {
        let done =
            incoming.retained.then(|| post.with(|outbox| outbox.found(&incoming.topic, &incoming.payload)));
        if let Some(done) = done.flatten() {
            info!("{done}");
        }
    } else if requests.try_send(incoming).is_err() {
        warn!("too many requests at once: one is dropped");
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
                debug!("left the broker: {why:?}");
                return;
            }
        }
    };
    let _ = timeout(GOODBYE, gone).await;
}
