//! What the service manager is told: ready, alive, reading its configuration anew, ending.
//!
//! Never fatal: without a service manager nothing happens, and what it does not take is only logged.

use std::time::Duration;

use sd_notify::NotifyState;
use tokio::time::interval;
use tracing::debug;

fn tell(state: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(state) {
        debug!("the service manager cannot be told: {error}");
    }
}

/// The room is open.
pub fn ready(status: &str) {
    tell(&[NotifyState::Ready, NotifyState::Status(status)]);
}

/// The configuration is being read again; [`ready`] ends that.
pub fn reloading() {
    let mut state = vec![NotifyState::Reloading];
    state.extend(NotifyState::monotonic_usec_now().ok());
    tell(&state);
}

/// The room is being closed.
pub fn stopping() {
    tell(&[NotifyState::Stopping]);
}

/// Says that the program is alive, as often as the service manager wants it, for as long as this
/// task gets its turns. Where none wants it, it waits for ever.
pub async fn watchdog() {
    let Some(most) = sd_notify::watchdog_enabled() else { return std::future::pending().await };
    let mut every = interval((most / 2).max(Duration::from_millis(10)));
    loop {
        every.tick().await;
        tell(&[NotifyState::Watchdog]);
    }
}
