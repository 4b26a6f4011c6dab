//! Looks who speaks for a node, before this daemon does.
//!
//! A client of a name of its own, without a will: the one that speaks keeps its connection, and
//! nothing is published. `health` is heard too, since a broker that was restarted may still hold the
//! `status` of a daemon that is gone.

use std::time::Duration;

use rumqttc::{AsyncClient, Event, EventLoop, Packet, QoS};
use tokio::sync::mpsc;
use tracing::debug;

use super::{Look, Seen, Standing};

/// Some brokers send what they kept a moment after the answer to the subscription.
const KEPT_COMES: Duration = Duration::from_millis(50);

/// Serves a connection that has been made.
pub(super) fn serve(client: AsyncClient, eventloop: EventLoop, status: String, health: String) -> Look {
    let (to_courier, seen) = mpsc::unbounded_channel();
    let task = tokio::spawn(async move {
        let asking = ask(client, [status.clone(), health.clone()], to_courier.clone());
        let reading = read(eventloop, &status, &health, to_courier);
        tokio::join!(asking, reading);
    });
    Look { seen, task: task.abort_handle() }
}

/// The answer to the second question comes after all that the first one brought.
async fn ask(client: AsyncClient, topics: [String; 2], to_courier: mpsc::UnboundedSender<Seen>) {
    for topic in topics {
        let answer = match client.subscribe_tracked(topic.clone(), QoS::AtMostOnce).await {
            Ok(notice) => notice.wait_completion_async().await.map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        if let Err(why) = answer {
            let _ = to_courier.send(Seen::Refused(format!("{topic}: {why}")));
            break;
        }
    }
    tokio::time::sleep(KEPT_COMES).await;
    let _ = to_courier.send(Seen::AllKept);
    // The client is kept: with it the connection would end.
    to_courier.closed().await;
    drop(client);
}

async fn read(mut eventloop: EventLoop, status: &str, health: &str, to_courier: mpsc::UnboundedSender<Seen>) {
    loop {
        let seen = match eventloop.poll().await {
            Ok(Event::Incoming(Packet::Publish(publish))) => {
                let standing = Standing::read(&publish.payload);
                if publish.topic == status.as_bytes() {
                    Seen::Status(standing)
                } else if publish.topic == health.as_bytes() && !publish.retain {
                    let Some(epoch) = epoch(&publish.payload) else { continue };
                    Seen::Alive(epoch)
                } else {
                    continue;
                }
            }
            Ok(_) => continue,
            Err(error) => Seen::Lost(error.to_string()),
        };
        let last = matches!(seen, Seen::Lost(_));
        if to_courier.send(seen).is_err() || last {
            debug!("no longer looking who speaks for the node");
            return;
        }
    }
}

fn epoch(payload: &[u8]) -> Option<u64> {
    let body: serde_json::Value = serde_json::from_slice(payload).ok()?;
    body.get("epoch")?.as_u64()
}
