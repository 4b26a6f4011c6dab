//! Waits for the disk, so that the thread that writes never does.

use std::fs::File;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::{PATIENCE, SLOW};
use crate::daemon::roster::Roster;

struct Job {
    key: u64,
    file: File,
    waiters: Vec<oneshot::Sender<()>>,
}

#[derive(Default)]
struct Shared {
    /// Files that are not done.
    waiting: AtomicUsize,
    /// How long the last one took.
    took_us: AtomicU64,
    /// Files that the disk did not take.
    failed: Mutex<Vec<u64>>,
}

/// The way to the thread that waits.
pub(super) struct Syncing {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    shared: Arc<Shared>,
    last: Instant,
}

impl Syncing {
    pub(super) fn start(roster: Roster) -> std::io::Result<Syncing> {
        let (jobs, taken) = channel::<Job>();
        let shared = Arc::<Shared>::default();
        let of_thread = shared.clone();
        let thread = std::thread::Builder::new().name("journal-sync".to_owned()).spawn(move || {
            for job in taken {
                sync(job, &of_thread, &roster);
                of_thread.waiting.fetch_sub(1, Ordering::SeqCst);
            }
        })?;
        Ok(Syncing { jobs: Some(jobs), thread: Some(thread), shared, last: Instant::now() })
    }

    /// Whether it will be done; `false` if not.
    pub(super) fn sync(&mut self, key: u64, file: &File, waiters: Vec<oneshot::Sender<()>>) -> bool {
        let (Some(jobs), Ok(file)) = (&self.jobs, file.try_clone()) else { return false };
        self.last = Instant::now();
        self.shared.waiting.fetch_add(1, Ordering::SeqCst);
        jobs.send(Job { key, file, waiters }).is_ok()
    }

    /// Whether it has nothing to do, and ordinary lines have taken no more than a tenth of the disk's time.
    pub(super) fn has_time(&self) -> bool {
        let took = Duration::from_micros(self.shared.took_us.load(Ordering::SeqCst));
        self.shared.waiting.load(Ordering::SeqCst) == 0 && self.last.elapsed() >= took * 10
    }

    /// The files that are to be synced again.
    pub(super) fn failed(&self) -> Vec<u64> {
        std::mem::take(&mut *self.shared.failed.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits until everything is done.
    pub(super) fn finish(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn sync(job: Job, shared: &Shared, roster: &Roster) {
    let begin = Instant::now();
    let synced = job.file.sync_data().is_ok();
    let took = begin.elapsed();
    shared.took_us.store(u64::try_from(took.as_micros()).unwrap_or(u64::MAX), Ordering::SeqCst);
    if !synced {
        shared.failed.lock().unwrap_or_else(PoisonError::into_inner).push(job.key);
        return;
    }
    roster.metrics().synced(took.as_secs_f64());
    if took < PATIENCE {
        roster.clear(SLOW);
    }
    for waiter in job.waiters {
        let _ = waiter.send(());
    }
}
