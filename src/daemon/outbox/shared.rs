//! The outbox as tasks share it. Posting never waits for the broker.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::timeout;

use super::Outbox;
use crate::contract::Draft;

/// How long somebody waits for a slow disk; as long as for its journal.
const PATIENCE: Duration = Duration::from_millis(250);

/// A handle to the outbox; cheap to clone.
#[derive(Clone, Debug)]
pub struct Post {
    shared: Arc<(Mutex<Outbox>, Notify)>,
}

impl Post {
    /// Shares an outbox.
    #[must_use]
    pub fn new(outbox: Outbox) -> Self {
        Post { shared: Arc::new((Mutex::new(outbox), Notify::new())) }
    }

    /// Posts a draft.
    pub fn post(&self, draft: Draft) {
        self.with(|outbox| outbox.post(draft, None));
        self.shared.1.notify_one();
    }

    /// Posts an answer, also to the topic the asker chose.
    pub fn post_reply(&self, draft: Draft, reply_topic: Option<&str>, correlation: Option<Vec<u8>>) {
        self.with(|outbox| match reply_topic {
            Some(topic) => outbox.post_reply(draft, topic, correlation),
            None => outbox.post(draft, correlation),
        });
        self.shared.1.notify_one();
    }

    /// Waits until what must not be lost is in the outbox's file, so that the end of this process does
    /// not lose it; not for long, if the disk is slow.
    pub async fn kept(&self) {
        if let Some(kept) = self.with(|outbox| outbox.until_kept()) {
            let _ = timeout(PATIENCE, kept).await;
        }
    }

    /// Does something with the outbox itself.
    pub fn with<T>(&self, work: impl FnOnce(&mut Outbox) -> T) -> T {
        work(&mut self.lock())
    }

    /// Returns when something was posted since the last time.
    pub async fn posted(&self) {
        self.shared.1.notified().await;
    }

    fn lock(&self) -> MutexGuard<'_, Outbox> {
        // A task that panicked while posting has left a whole queue behind: each change is small.
        self.shared.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
