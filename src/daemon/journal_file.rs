//! Journals on the disk: one thread writes them all, so that no board waits for a slow disk, and another
//! waits for the disk, so that lines reach their files meanwhile.
//!
//! Lines reach the file at once, those of all boards that came together in one go; data is synced
//! in groups, and at once before an alert goes out. A line in the file survives the end of this process, a synced one that of the machine.
//! If the disk fails, lines are kept and tried again, up to a bound; alerts go out all the same,
//! and the condition is reported.

pub mod name;
mod syncing;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use syncing::Syncing;
use tokio::sync::oneshot;

use super::lock::MODE;
use super::roster::Roster;

/// Ordinary lines are synced at most this often.
const GROUP: Duration = Duration::from_millis(10);
/// A failing disk is tried again this often.
const RETRY: Duration = Duration::from_secs(1);
/// So many bytes of a journal are kept while the disk fails.
const MOST_KEPT: usize = 8 * 1024 * 1024;
/// So many orders are taken before what they bring is written.
const TOGETHER: usize = 1024;
/// How long an alert waits for the disk. Longer than a healthy one ever needs; shorter than an
/// arbiter notices.
const PATIENCE: Duration = Duration::from_millis(250);

/// The condition of a disk that is not quick enough for alerts: of all boards, since it is one disk.
const SLOW: &str = "journal-slow";

enum Order {
    Open(u64, PathBuf),
    /// The bytes that stay, and then more.
    GoOn(u64, PathBuf, u64),
    Line(u64, String),
    Sync(u64, oneshot::Sender<()>),
    Write(u64, oneshot::Sender<()>),
    Close(u64),
    Stop(oneshot::Sender<()>),
}

/// The thread that writes, and the way to it; cheap to clone.
#[derive(Clone, Debug)]
pub struct Journals {
    orders: Sender<Order>,
    roster: Roster,
    keys: Arc<AtomicU64>,
}

/// One journal. Dropping it writes what is left and closes the file.
#[derive(Debug)]
pub struct JournalFile {
    key: u64,
    journals: Journals,
    slow: bool,
}

impl Journals {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system has no thread left.
    pub fn start(roster: Roster) -> std::io::Result<Journals> {
        let (orders, taken) = channel();
        let syncing = Syncing::start(roster.clone())?;
        let journals = Journals { orders, roster: roster.clone(), keys: Arc::default() };
        std::thread::Builder::new().name("journal".to_owned()).spawn(move || {
            let (files, pending) = (BTreeMap::new(), BTreeSet::new());
            Thread { files, pending, roster, syncing, turn: 0 }.run(&taken);
        })?;
        Ok(journals)
    }

    /// Begins a journal. The file is made by the thread; if that fails, it is tried again.
    #[must_use]
    pub fn open(&self, path: &Path) -> JournalFile {
        self.begin(path, Order::Open)
    }

    /// Goes on with a journal after its first `whole` bytes; what comes after them is cut off.
    #[must_use]
    pub fn go_on(&self, path: &Path, whole: u64) -> JournalFile {
        self.begin(path, |key, path| Order::GoOn(key, path, whole))
    }

    fn begin(&self, path: &Path, order: impl FnOnce(u64, PathBuf) -> Order) -> JournalFile {
        let key = self.keys.fetch_add(1, Ordering::Relaxed);
        self.order(order(key, path.to_owned()));
        JournalFile { key, journals: self.clone(), slow: false }
    }

    /// Writes and syncs everything, and ends the thread.
    pub async fn stop(&self) {
        let (done, ended) = oneshot::channel();
        self.order(Order::Stop(done));
        // A hanging disk must not keep the program from ending.
        let _ = tokio::time::timeout(Duration::from_secs(5), ended).await;
    }

    fn order(&self, order: Order) {
        if self.orders.send(order).is_err() {
            self.roster.warn("journal", "the journal is not written: its thread has ended".to_owned());
        }
    }
}

impl JournalFile {
    /// Adds a line, with its newline.
    pub fn line(&self, line: String) {
        self.journals.order(Order::Line(self.key, line));
    }

    /// Waits until everything so far is in the file, where the end of this process does not lose it; not
    /// for long, and not at all for a disk that fails.
    pub async fn written(&self) {
        let (done, written) = oneshot::channel();
        self.journals.order(Order::Write(self.key, done));
        let _ = tokio::time::timeout(PATIENCE, written).await;
    }

    /// Waits until everything so far is on the disk, but not longer than an arbiter would notice.
    pub async fn sync(&mut self) {
        let (done, synced) = oneshot::channel();
        self.journals.order(Order::Sync(self.key, done));
        // Once the disk was too slow, nobody waits for long until it has answered in time again.
        let patience = if self.slow { Duration::from_millis(20) } else { PATIENCE };
        let in_time = matches!(tokio::time::timeout(patience, synced).await, Ok(Ok(())));
        self.slow = !in_time;
        if self.slow {
            let what = "the disk is too slow or fails: alerts go out before their record is safe";
            self.journals.roster.warn(SLOW, what.to_owned());
        }
    }
}

impl Drop for JournalFile {
    fn drop(&mut self) {
        let _ = self.journals.orders.send(Order::Close(self.key));
    }
}

/// The name of what is not as it should be with a journal: by its board.
fn condition(path: &Path) -> String {
    let file = path.file_name().map(|file| file.to_string_lossy().into_owned()).unwrap_or_default();
    let board = name::read(&file).map_or(file.as_str(), |(board, _, _)| board);
    format!("journal-{board}")
}

struct Thread {
    files: BTreeMap<u64, Kept>,
    /// Those with something that is not in the file yet, or that are to be closed.
    pending: BTreeSet<u64>,
    roster: Roster,
    syncing: Syncing,
    /// The file that was synced last in a group.
    turn: u64,
}

/// One file and what is not in it yet.
struct Kept {
    path: PathBuf,
    /// So many bytes of it are there already.
    whole: Option<u64>,
    file: Option<File>,
    rest: Vec<u8>,
    lines: u64,
    lost: u64,
    dirty: bool,
    waiters: Vec<oneshot::Sender<()>>,
    /// Those who wait for the file only.
    writers: Vec<oneshot::Sender<()>>,
    failed_at: Option<Instant>,
    closing: bool,
}

impl Thread {
    fn run(mut self, orders: &Receiver<Order>) {
        loop {
            let first = match orders.recv_timeout(self.idle_for()) {
                Ok(order) => Some(order),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return self.write_all(true),
            };
            if let Some(order) = first
                && let Some(done) = self.gather(order, orders)
            {
                self.write_all(true);
                let _ = done.send(());
                return;
            }
            self.write_all(false);
        }
    }

    fn idle_for(&self) -> Duration {
        match !self.pending.is_empty() || self.files.values().any(|kept| kept.dirty) {
            true => GROUP,
            false => Duration::from_secs(60),
        }
    }

    /// Takes what is there already: under load many lines are written in one go.
    fn gather(&mut self, first: Order, orders: &Receiver<Order>) -> Option<oneshot::Sender<()>> {
        let mut next = Some(first);
        let mut taken = 0;
        while let Some(order) = next {
            match order {
                Order::Open(key, path) => {
                    self.files.insert(key, Kept::new(path, None));
                }
                Order::GoOn(key, path, whole) => {
                    self.files.insert(key, Kept::new(path, Some(whole)));
                }
                Order::Line(key, line) => self.change(key, |kept| kept.add(&line)),
                Order::Sync(key, done) => self.change(key, |kept| kept.waiters.push(done)),
                Order::Write(key, done) => self.change(key, |kept| kept.writers.push(done)),
                Order::Close(key) => self.change(key, |kept| kept.closing = true),
                Order::Stop(done) => return Some(done),
            }
            taken += 1;
            next = if taken < TOGETHER { orders.try_recv().ok() } else { None };
        }
        None
    }

    fn change(&mut self, key: u64, change: impl FnOnce(&mut Kept)) {
        if let Some(kept) = self.files.get_mut(&key) {
            change(kept);
            self.pending.insert(key);
        }
    }

    fn write_all(&mut self, last: bool) {
        let now = Instant::now();
        let (mut records, mut waited, mut ending) = (0, Vec::new(), false);
        for key in std::mem::take(&mut self.pending) {
            let Some(kept) = self.files.get_mut(&key) else { continue };
            if kept.failed_at.is_none_or(|at| last || now.duration_since(at) >= RETRY) {
                records += kept.write_and_tell(now, &self.roster);
            }
            if !kept.rest.is_empty() {
                self.pending.insert(key);
            }
            // If it is not there, the disk fails, and nobody waits for that.
            for writer in kept.writers.drain(..) {
                let _ = writer.send(());
            }
            if !kept.waiters.is_empty() {
                waited.push(key);
            }
            ending |= kept.closing;
        }
        if records > 0 {
            self.roster.recorded(records);
        }
        self.sync(&waited, last);
        if ending {
            let gone = |kept: &Kept| kept.closing && kept.rest.is_empty() && !kept.dirty;
            self.files.retain(|_, kept| !gone(kept));
            self.pending.extend(self.files.iter().filter(|(_, kept)| kept.closing).map(|(key, _)| *key));
        }
    }

    /// First the files that an alert waits for, then others in turn. Another thread waits for the disk,
    /// so that lines reach their files meanwhile.
    fn sync(&mut self, waited: &[u64], last: bool) {
        for key in self.syncing.failed() {
            self.files.entry(key).and_modify(|kept| kept.dirty = true);
        }
        for key in waited {
            let Some(kept) = self.files.get_mut(key) else { continue };
            let waiters = std::mem::take(&mut kept.waiters);
            // What is not in the file is waited for in vain.
            if let Some(file) = kept.file.as_ref().filter(|_| kept.rest.is_empty()) {
                kept.dirty = !self.syncing.sync(*key, file, waiters);
            }
        }
        if last {
            self.syncing.finish();
            self.files.values_mut().filter(|kept| kept.dirty).for_each(Kept::sync);
            return;
        }
        if self.syncing.has_time() {
            let turn = self.turn;
            let dirty = |(_, kept): &(&u64, &mut Kept)| kept.dirty && kept.file.is_some();
            let (before, after) =
                self.files.iter_mut().filter(dirty).partition::<Vec<_>, _>(|(key, _)| **key <= turn);
            let Some((key, kept)) = after.into_iter().chain(before).next() else { return };
            self.turn = *key;
            kept.dirty = kept.file.as_ref().is_some_and(|file| !self.syncing.sync(*key, file, Vec::new()));
        }
    }
}

impl Kept {
    fn new(path: PathBuf, whole: Option<u64>) -> Self {
        Kept {
            path,
            whole,
            file: None,
            rest: Vec::new(),
            lines: 0,
            lost: 0,
            dirty: false,
            waiters: Vec::new(),
            writers: Vec::new(),
            failed_at: None,
            closing: false,
        }
    }

    fn add(&mut self, line: &str) {
        if self.rest.len() + line.len() > MOST_KEPT {
            self.lost += 1;
            return;
        }
        self.rest.extend_from_slice(line.as_bytes());
        self.lines += line.matches('\n').count() as u64;
    }

    /// Writes, and says so if that fails or works again; gives how many lines are in the file now.
    fn write_and_tell(&mut self, now: Instant, roster: &Roster) -> u64 {
        let condition = condition(&self.path);
        match self.write() {
            Ok(written) => {
                if self.failed_at.take().is_some() && self.lost == 0 {
                    roster.clear(&condition);
                }
                written
            }
            Err(error) => {
                self.failed_at = Some(now);
                let mut what = format!("the journal {} cannot be written: {error}", self.path.display());
                if self.lost > 0 {
                    what.push_str(&format!("; {} records are lost", self.lost));
                }
                roster.warn(&condition, what);
                0
            }
        }
    }

    /// Writes what is left; keeps what the disk did not take, to the byte, so that no line is torn.
    fn write(&mut self) -> std::io::Result<u64> {
        if self.rest.is_empty() {
            return Ok(0);
        }
        if self.file.is_none() {
            self.file = Some(match self.whole {
                Some(whole) => go_on(&self.path, whole)?,
                None => create(&self.path)?,
            });
        }
        let Some(file) = &mut self.file else { return Ok(0) };
        let mut taken = 0;
        let result = loop {
            match file.write(&self.rest[taken..]) {
                Ok(0) => break Err(std::io::ErrorKind::WriteZero.into()),
                Ok(n) => taken += n,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
            if taken == self.rest.len() {
                break Ok(std::mem::take(&mut self.lines));
            }
        };
        self.rest.drain(..taken);
        self.dirty |= taken > 0;
        result
    }

    fn sync(&mut self) {
        if let Some(file) = &self.file {
            self.dirty = file.sync_data().is_err();
        }
    }
}

/// Makes the file and its directory. A journal that exists is never touched.
fn create(path: &Path) -> std::io::Result<File> {
    let make = || OpenOptions::new().append(true).create_new(true).mode(MODE).open(path);
    if let Some(dir) = path.parent() {
        std::fs::create_dir_all(dir)?;
        let file = make()?;
        // The name itself must survive too.
        File::open(dir)?.sync_all()?;
        return Ok(file);
    }
    make()
}

/// Opens a journal that was begun earlier and cuts off what was torn.
fn go_on(path: &Path, whole: u64) -> std::io::Result<File> {
    let file = OpenOptions::new().append(true).open(path)?;
    file.set_len(whole)?;
    file.sync_data()?;
    Ok(file)
}

#[cfg(test)]
mod tests;
