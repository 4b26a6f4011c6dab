//! The host's clocks and name. Nothing else in the daemon reads a clock for what goes to a table.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use crate::tick::Tick;

/// Ticks since the room was opened, and when that was.
///
/// The monotonic clock gives the ticks, so that setting the host's time during a round moves
/// nothing; the wall clock is read once.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: Instant,
    start_ms: u64,
    /// What it showed when it began.
    first: Tick,
}

impl Clock {
    /// Begins now.
    #[must_use]
    pub fn start() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let start_ms = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        Clock { start: Instant::now(), start_ms, first: Tick::ZERO }
    }

    /// The same clock for a journal that was begun earlier: it showed `first` when this one began.
    #[must_use]
    pub fn beginning_at(self, first: Tick) -> Self {
        Clock { first, ..self }
    }

    /// Now.
    #[must_use]
    pub fn now(&self) -> Tick {
        let us = u64::try_from(self.start.elapsed().as_micros()).unwrap_or(u64::MAX);
        Tick::from_us(self.first.us().saturating_add(us))
    }

    /// Milliseconds since 1970 now, by the wall clock.
    #[must_use]
    pub fn now_ms(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }

    /// The host's instant of a tick, to wait for.
    #[must_use]
    pub fn instant(&self, tick: Tick) -> Instant {
        self.start + std::time::Duration::from_micros(tick.us().saturating_sub(self.first.us()))
    }

    /// The day it began, UTC, as `2026-11-30`.
    #[must_use]
    pub fn day(&self) -> String {
        let began = UNIX_EPOCH + std::time::Duration::from_millis(self.start_ms);
        humantime::format_rfc3339_seconds(began).to_string().chars().take(10).collect()
    }

    /// Milliseconds since 1970 when it began; the epoch of this run.
    #[must_use]
    pub fn start_ms(&self) -> u64 {
        self.start_ms
    }
}

/// Whether the host's clock is known to be synchronised with a time service; `None` where nobody says.
#[must_use]
pub fn clock_synchronised() -> Option<bool> {
    // What systemd-timesyncd says; other services say nothing that can be read without asking them.
    let run = std::path::Path::new("/run/systemd/timesync");
    run.exists().then(|| run.join("synchronized").exists())
}

/// The host's name; `jadoube` where there is none.
#[must_use]
pub fn name() -> String {
    let read = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = read.trim();
    if name.is_empty() || name == "(none)" { "jadoube".to_owned() } else { name.to_owned() }
}
