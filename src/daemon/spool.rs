//! What the broker has not acknowledged, on the disk: so that an alert survives the end of this
//! process while the broker is away.
//!
//! One file per run beside the journals. A line is either a message that waits or the ticket of
//! one that does no more; the file is emptied whenever nothing waits. The next run sends what is
//! left, as it was, and deletes the file once it has a record of its own. Written by one thread, so
//! that a slow disk delays neither boards nor messages. It is locked while its run lives.

mod left;

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

/// A file that is longer is emptied when nothing waits.
const LONG: u64 = 256 * 1024;

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
        .spawn(move || Spool { path, file: None, waiting: 0, length: 0, roster }.run(&taken))?;
    Ok((changes, thread))
}

struct Spool {
    path: PathBuf,
    file: Option<File>,
    waiting: usize,
    length: u64,
    roster: Roster,
}

impl Spool {
    fn run(mut self, changes: &Receiver<Change>) {
        while let Ok(change) = changes.recv() {
            if let Change::Asked(done) = change {
                let _ = done.send(());
                continue;
            }
            match self.take(change) {
                Ok(()) => self.roster.clear("outbox-file"),
                Err(error) => {
                    let path = self.path.display();
                    self.roster.warn("outbox-file", format!("{path} cannot be written: {error}"));
                }
            }
        }
        if self.waiting == 0 && self.file.is_some() {
            let _ = std::fs::remove_file(&self.path);
        }
    }

    fn take(&mut self, change: Change) -> std::io::Result<()> {
        match change {
            Change::Waits(ticket, message) => {
                self.waiting += 1;
                self.write(&Line::Waits {
                    ticket,
                    topic: message.topic.clone(),
                    payload: String::from_utf8_lossy(&message.payload).into_owned(),
                    retain: message.retain,
                })
            }
            Change::Done(ticket) => {
                self.waiting = self.waiting.saturating_sub(1);
                if self.waiting == 0 && self.length > LONG {
                    self.length = 0;
                    return self.file.as_ref().map_or(Ok(()), |file| file.set_len(0));
                }
                self.write(&Line::Done(ticket))
            }
            Change::Asked(_) => Ok(()),
            Change::Restored(files) => {
                if let Some(file) = &self.file {
                    file.sync_data()?;
                }
                files.iter().try_for_each(std::fs::remove_file)
            }
        }
    }

    fn write(&mut self, line: &Line) -> std::io::Result<()> {
        if self.file.is_none() {
            if let Some(dir) = self.path.parent() {
                std::fs::create_dir_all(dir)?;
            }
            let file = OpenOptions::new().append(true).create(true).mode(MODE).open(&self.path)?;
            // Where there are no locks the file is written all the same.
            let _ = claim(&file);
            self.file = Some(file);
        }
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        self.length += text.len() as u64;
        match &mut self.file {
            Some(file) => file.write_all(text.as_bytes()),
            None => Ok(()),
        }
    }
}
