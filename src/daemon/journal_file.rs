//! Journals on the disk: one thread writes them all, so that no board waits for a slow disk.
//!
//! Lines reach the file within 10 ms; data is synced in groups, and at once before an alert goes
//! out. A line in the file survives the end of this process, a synced one that of the machine.
//! If the disk fails, lines are kept and tried again, up to a bound; alerts go out all the same,
//! and the condition is reported.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::lock::MODE;
use super::roster::Roster;

/// Ordinary lines are written at least this often.
const GROUP: Duration = Duration::from_millis(10);
/// A failing disk is tried again this often.
const RETRY: Duration = Duration::from_secs(1);
/// So many bytes of a journal are kept while the disk fails.
const MOST_KEPT: usize = 8 * 1024 * 1024;
/// How long an alert waits for the disk. Longer than a healthy one ever needs; shorter than an
/// arbiter notices.
const PATIENCE: Duration = Duration::from_millis(250);

enum Order {
    Open(u64, PathBuf),
    /// The bytes that stay, and then more.
    GoOn(u64, PathBuf, u64),
    Line(u64, String),
    Sync(u64, oneshot::Sender<()>),
    Close(u64),
    Stop(oneshot::Sender<()>),
}

/// The thread that writes, and the way to it; cheap to clone.
#[derive(Clone, Debug)]
pub struct Journals {
    orders: Sender<Order>,
    roster: Roster,
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
        let journals = Journals { orders, roster: roster.clone() };
        std::thread::Builder::new().name("journal".to_owned()).spawn(move || {
            Thread { files: BTreeMap::new(), roster, pause: GROUP, synced: None }.run(&taken)
        })?;
        Ok(journals)
    }

    /// Begins a journal. The file is made by the thread; if that fails, it is tried again.
    #[must_use]
    pub fn open(&self, key: u64, path: &Path) -> JournalFile {
        self.order(Order::Open(key, path.to_owned()));
        JournalFile { key, journals: self.clone(), slow: false }
    }

    /// Goes on with a journal after its first `whole` bytes; what comes after them is cut off.
    #[must_use]
    pub fn go_on(&self, key: u64, path: &Path, whole: u64) -> JournalFile {
        self.order(Order::GoOn(key, path.to_owned(), whole));
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

    /// Waits until everything so far is on the disk, but not longer than an arbiter would notice.
    pub async fn sync(&mut self) {
        let (done, synced) = oneshot::channel();
        self.journals.order(Order::Sync(self.key, done));
        // Once the disk was too slow, nobody waits for long until it has answered in time again.
        let patience = if self.slow { Duration::from_millis(20) } else { PATIENCE };
        let in_time = matches!(tokio::time::timeout(patience, synced).await, Ok(Ok(())));
        if self.slow == in_time {
            self.slow = !in_time;
            let condition = format!("journal-sync-{}", self.key);
            match in_time {
                true => self.journals.roster.clear(&condition),
                false => {
                    let what = "the disk is too slow or fails: alerts go out before their record is safe";
                    self.journals.roster.warn(&condition, what.to_owned());
                }
            }
        }
    }
}

impl Drop for JournalFile {
    fn drop(&mut self) {
        let _ = self.journals.orders.send(Order::Close(self.key));
    }
}

struct Thread {
    files: BTreeMap<u64, Kept>,
    roster: Roster,
    /// The least time between two syncs of ordinary lines; longer on slow disks.
    pause: Duration,
    synced: Option<Instant>,
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
        match self.files.values().any(|kept| kept.dirty || !kept.rest.is_empty() || kept.closing) {
            true => GROUP,
            false => Duration::from_secs(60),
        }
    }

    /// Takes orders until the group is full or somebody waits for the disk.
    fn gather(&mut self, first: Order, orders: &Receiver<Order>) -> Option<oneshot::Sender<()>> {
        let end = Instant::now() + GROUP;
        let mut next = Some(first);
        let mut urgent = false;
        while let Some(order) = next {
            urgent |= matches!(order, Order::Sync(..));
            match order {
                Order::Open(key, path) => {
                    self.files.insert(key, Kept::new(path, None));
                }
                Order::GoOn(key, path, whole) => {
                    self.files.insert(key, Kept::new(path, Some(whole)));
                }
                Order::Line(key, line) => {
                    if let Some(kept) = self.files.get_mut(&key) {
                        kept.add(&line);
                    }
                }
                Order::Sync(key, done) => {
                    if let Some(kept) = self.files.get_mut(&key) {
                        kept.waiters.push(done);
                    }
                }
                Order::Close(key) => {
                    if let Some(kept) = self.files.get_mut(&key) {
                        kept.closing = true;
                    }
                }
                Order::Stop(done) => return Some(done),
            }
            let left = end.saturating_duration_since(Instant::now());
            next = match left.is_zero() {
                true => None,
                // What is there already belongs to the group, but nobody waits for more.
                false if urgent => orders.try_recv().ok(),
                false => orders.recv_timeout(left).ok(),
            };
        }
        None
    }

    fn write_all(&mut self, last: bool) {
        let now = Instant::now();
        let mut records = 0;
        for (key, kept) in &mut self.files {
            if kept.failed_at.is_some_and(|at| !last && now.duration_since(at) < RETRY) {
                continue;
            }
            let condition = format!("journal-{key}");
            match kept.write() {
                Ok(written) => {
                    records += written;
                    if kept.failed_at.take().is_some() && kept.lost == 0 {
                        self.roster.clear(&condition);
                    }
                }
                Err(error) => {
                    kept.failed_at = Some(now);
                    let mut what = format!("the journal {} cannot be written: {error}", kept.path.display());
                    if kept.lost > 0 {
                        what.push_str(&format!("; {} records are lost", kept.lost));
                    }
                    self.roster.warn(&condition, what);
                }
            }
        }
        if records > 0 {
            self.roster.recorded(records);
        }
        self.sync(last);
        self.files.retain(|_, kept| !(kept.closing && kept.rest.is_empty() && !kept.dirty));
    }

    /// First the files that an alert waits for, then the others, if the disk has had a rest.
    fn sync(&mut self, last: bool) {
        for kept in self.files.values_mut().filter(|kept| !kept.waiters.is_empty()) {
            if kept.sync() {
                kept.waiters.drain(..).for_each(|waiter| {
                    let _ = waiter.send(());
                });
            } else {
                kept.waiters.clear();
            }
        }
        let begin = Instant::now();
        if last || self.synced.is_none_or(|at| begin.duration_since(at) >= self.pause) {
            for kept in self.files.values_mut().filter(|kept| kept.dirty) {
                kept.sync();
            }
            // At most a tenth of the disk's time goes into groups.
            self.pause = GROUP.max(begin.elapsed() * 10);
            self.synced = Some(Instant::now());
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
        self.lines += 1;
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

    /// Whether everything is on the disk now.
    fn sync(&mut self) -> bool {
        let Some(file) = &self.file else { return false };
        if !self.dirty || file.sync_data().is_ok() {
            self.dirty = false;
        }
        !self.dirty && self.rest.is_empty()
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

/// A run counts its games within so many numbers. More than a board sees in a week of blitz.
const GAMES_OF_A_RUN: u64 = 100;

/// The number of the first game of a run: ids, which begin with it, must not come again while the
/// journals of earlier runs are kept, and each of those may have seen several games.
#[must_use]
pub fn first_game(earlier: u64) -> u32 {
    let first = earlier.saturating_mul(GAMES_OF_A_RUN).saturating_add(1);
    u32::try_from(first).unwrap_or(u32::MAX).min(u32::MAX / 2)
}

/// How many journals there are of each board. Names alone are looked at.
#[must_use]
pub fn journals_of(dir: &Path) -> BTreeMap<String, u64> {
    let mut journals = BTreeMap::new();
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        if let Some(board) = entry.file_name().to_str().and_then(board_of) {
            *journals.entry(board.to_owned()).or_default() += 1;
        }
    }
    journals
}

/// The board of `<board>-<start>[-<part>].jsonl`, packed or not. A start is told from a part, and
/// from a number at the end of a board's name, by its length.
fn board_of(name: &str) -> Option<&str> {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let stem = name.strip_suffix(".gz").unwrap_or(name).strip_suffix(".jsonl")?;
    let (before, last) = stem.rsplit_once('-')?;
    match before.rsplit_once('-') {
        Some((board, start)) if number(last) && last.len() < 12 && number(start) && start.len() >= 12 => {
            Some(board)
        }
        _ => number(last).then_some(before),
    }
}

#[cfg(test)]
mod tests;
