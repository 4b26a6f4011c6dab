//! What the service manager is told: ready, alive, reading its configuration anew, ending.
//!
//! Never fatal, and never waited for: a thread of its own talks to the service manager, since one that
//! does not read would block whoever tells it something. Without a service manager nothing happens.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use sd_notify::NotifyState;
use tokio::time::interval;
use tracing::debug;

enum Said {
    Ready(String),
    Reloading,
    Stopping,
    Alive,
}

/// The way to the service manager; cheap to clone.
#[derive(Clone, Debug)]
pub struct Service {
    to_thread: Sender<Said>,
    /// How much is not told yet.
    waiting: Arc<AtomicUsize>,
}

impl Service {
    /// Starts the thread that talks to it. It ends with the last clone of this.
    ///
    /// # Errors
    /// The system has no thread left.
    pub fn start() -> std::io::Result<Service> {
        let (to_thread, said) = channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let service = Service { to_thread, waiting: waiting.clone() };
        std::thread::Builder::new().name("service".to_owned()).spawn(move || talk(&said, &waiting))?;
        Ok(service)
    }

    /// The room is open.
    pub fn ready(&self, status: String) {
        self.tell(Said::Ready(status));
    }

    /// The configuration is being read again; [`ready`](Self::ready) ends that.
    pub fn reloading(&self) {
        self.tell(Said::Reloading);
    }

    /// The room is being closed.
    pub fn stopping(&self) {
        self.tell(Said::Stopping);
    }

    /// Waits until all is told, and not for long: a service manager that does not read gets no more.
    pub async fn told(&self) {
        for _ in 0..100 {
            if self.waiting.load(Ordering::Relaxed) == 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Says that the program is alive, as often as the service manager wants it, for as long as this
    /// task gets its turns. Where none wants it, it waits for ever.
    pub async fn watchdog(self) {
        let Some(most) = sd_notify::watchdog_enabled() else { return std::future::pending().await };
        let mut every = interval((most / 2).max(Duration::from_millis(10)));
        loop {
            every.tick().await;
            // One that is not read yet says the same.
            if self.waiting.load(Ordering::Relaxed) == 0 {
                self.tell(Said::Alive);
            }
        }
    }

    fn tell(&self, said: Said) {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        if self.to_thread.send(said).is_err() {
            debug!("the thread that talks to the service manager has ended");
        }
    }
}

fn talk(said: &Receiver<Said>, waiting: &AtomicUsize) {
    for said in said {
        let told = match &said {
            Said::Ready(status) => sd_notify::notify(&[NotifyState::Ready, NotifyState::Status(status)]),
            Said::Reloading => {
                let mut state = vec![NotifyState::Reloading];
                state.extend(NotifyState::monotonic_usec_now().ok());
                sd_notify::notify(&state)
            }
            Said::Stopping => sd_notify::notify(&[NotifyState::Stopping]),
            Said::Alive => sd_notify::notify(&[NotifyState::Watchdog]),
        };
        waiting.fetch_sub(1, Ordering::Relaxed);
        if let Err(error) = told {
            debug!("the service manager cannot be told: {error}");
        }
    }
}
