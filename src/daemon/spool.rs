//! What the broker has not acknowledged, on the disk: so that an alert survives the end of this
//! process while the broker is away.
//!
//! One file per run beside the journals. A line is either a message that waits or the ticket of
//! one that does no more; a file that is mostly about those is written anew. The next run sends what
//! is left, as it was, and deletes the file once it has a record of its own. Written by one thread, so
//! that a slow disk delays neither boards nor messages. It is locked while its run lives.

mod left;

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use super::lock::{MODE, claim};
use super::outbox::{Message, Ticket};
use super::roster::Roster;
pub use left::LeftOver;

/// A file that is longer, and so many times as long as what waits, is written anew.
const LONG: usize = 256 * 1024;
const MOSTLY_DONE: usize = 4;
/// So many changes are taken before what they bring is written.
const TOGETHER: usize = 256;
/// How a file is called while it is written anew.
const ANEW: &str = "outbox-anew";

/// Something the file must know.
#[derive(Debug)]
pub enum Change {
    /// This message waits.
    Waits(Ticket, Arc<Message>),
    /// It does no more.
    Done(Ticket),
    /// Somebody wants to know when everything before this is written.
    Asked(oneshot::Sender<()>),
    /// Everything before this is written; the files of earlier runs may go.
    Restored(Vec<PathBuf>),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Waits { ticket: Ticket, topic: String, payload: String, retain: bool },
    Done(Ticket),
}

/// Starts the thread that writes the file of this run. It ends when the sender is dropped.
///
/// # Errors
/// The system has no thread left.
pub fn start(
    dir: &Path,
    node: &str,
    epoch: u64,
    roster: Roster,
) -> std::io::Result<(Sender<Change>, JoinHandle<()>)> {
    let path = dir.join(format!("{node}-{epoch}.outbox"));
    let (changes, taken) = channel();
    let thread = std::thread::Builder::new()
        .name("outbox".to_owned())
        .spawn(move || Spool::new(path, roster).run(&taken))?;
    Ok((changes, thread))
}

struct Spool {
    path: PathBuf,
    file: Option<File>,
    /// What waits, and how long its lines are.
    waiting: BTreeMap<Ticket, (Arc<Message>, usize)>,
    live: usize,
    length: usize,
    /// Lines that are not in the file yet.
    rest: String,
    /// Whether all others are.
    whole: bool,
    roster: Roster,
}

impl Spool {
    fn new(path: PathBuf, roster: Roster) -> Self {
        let (waiting, rest) = (BTreeMap::new(), String::new());
        Spool { path, file: None, waiting, live: 0, length: 0, rest, whole: true, roster }
    }

    fn run(mut self, changes: &Receiver<Change>) {
        while let Ok(first) = changes.recv() {
            let (mut asked, mut restored) = (Vec::new(), Vec::new());
            for change in std::iter::once(first).chain(changes.try_iter()).take(TOGETHER) {
                match change {
                    Change::Waits(ticket, message) => self.waits(ticket, message),
                    Change::Done(ticket) => self.done(ticket),
                    Change::Asked(done) => asked.push(done),
                    Change::Restored(files) => restored.extend(files),
                }
            }
            match self.write(&restored) {
                Ok(()) => self.roster.clear("outbox-file"),
                Err(error) => {
                    let path = self.path.display();
                    self.roster.warn("outbox-file", format!("{path} cannot be written: {error}"));
                }
            }
            // Also if it failed: nobody waits for a disk that does not work.
            for done in asked {
                let _ = done.send(());
            }
        }
        if self.waiting.is_empty() && self.file.is_some() {
            let _ = std::fs::remove_file(&self.path);
        }
    }

    fn waits(&mut self, ticket: Ticket, message: Arc<Message>) {
        let length = line(&mut self.rest, &waits(ticket, &message));
        self.live += length;
        self.waiting.insert(ticket, (message, length));
    }

    fn done(&mut self, ticket: Ticket) {
        if let Some((_, length)) = self.waiting.remove(&ticket) {
            self.live -= length;
            line(&mut self.rest, &Line::Done(ticket));
        }
    }

    /// Writes what is left; then the files of earlier runs may go. What a failing disk did not take is
    /// written later, with all that waits by then.
    fn write(&mut self, restored: &[PathBuf]) -> std::io::Result<()> {
        let text = std::mem::take(&mut self.rest);
        if !std::mem::replace(&mut self.whole, false)
            || self.length + text.len() > LONG.max(MOSTLY_DONE * self.live)
        {
            self.write_anew()?;
        } else if !text.is_empty() {
            if self.file.is_none() {
                self.file = Some(made(&self.path)?);
            }
            self.length += text.len();
            self.file.as_mut().map_or(Ok(()), |file| file.write_all(text.as_bytes()))?;
        }
        self.whole = true;
        if let (Some(file), false) = (&self.file, restored.is_empty()) {
            file.sync_data()?;
        }
        restored.iter().try_for_each(std::fs::remove_file)
    }

    /// Only what waits; in the place of the old file once it is whole.
    fn write_anew(&mut self) -> std::io::Result<()> {
        let mut text = String::with_capacity(self.live);
        for (ticket, (message, _)) in &self.waiting {
            line(&mut text, &waits(*ticket, message));
        }
        let anew = self.path.with_extension(ANEW);
        let _ = std::fs::remove_file(&anew);
        let mut file = made(&anew)?;
        file.write_all(text.as_bytes())?;
        file.sync_data()?;
        std::fs::rename(&anew, &self.path)?;
        (self.file, self.length) = (Some(file), text.len());
        Ok(())
    }
}

fn made(path: &Path) -> std::io::Result<File> {
    if let Some(dir) = path.parent() {
        std::fs::create_dir_all(dir)?;
    }
    let file = OpenOptions::new().append(true).create(true).mode(MODE).open(path)?;
    // Where there are no locks the file is written all the same.
    let _ = claim(&file);
    Ok(file)
}

fn waits(ticket: Ticket, message: &Message) -> Line {
    Line::Waits {
        ticket,
        topic: message.topic.clone(),
        payload: String::from_utf8_lossy(&message.payload).into_owned(),
        retain: message.retain,
    }
}

/// Adds a line; how long it is.
fn line(text: &mut String, line: &Line) -> usize {
    let before = text.len();
    // Texts and numbers can always be written.
    if let Ok(line) = serde_json::to_string(line) {
        text.push_str(&line);
        text.push('\n');
    }
    text.len() - before
}

#[cfg(test)]
mod tests;
