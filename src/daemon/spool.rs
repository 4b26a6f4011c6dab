//! What the broker has not acknowledged, on the disk: so that an alert survives the end of this
//! process while the broker is away.
//!
//! One file per run beside the journals. A line is either a message that waits or the ticket of
//! one that does no more; the file is emptied whenever nothing waits. The next run sends what is
//! left, as it was, and deletes the file once it has a record of its own. Written by one thread, so
//! that a slow disk delays neither boards nor messages.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use serde::{Deserialize, Serialize};
use tracing::{info, warn};

use super::outbox::{Keep, Message, Ticket};
use super::roster::Roster;

/// A file that is longer is emptied when nothing waits.
const LONG: u64 = 256 * 1024;

/// Something the file must know.
#[derive(Debug)]
pub enum Change {
    /// This message waits.
    Waits(Ticket, Arc<Message>),
    /// It does no more.
    Done(Ticket),
    /// Everything before this is written; the files of earlier runs may go.
    Restored(Vec<PathBuf>),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Waits { ticket: Ticket, topic: String, payload: String, retain: bool },
    Done(Ticket),
}

/// What earlier runs of this node left, oldest first, and the files it is in.
#[must_use]
pub fn left_over(dir: &Path, node: &str) -> (Vec<Message>, Vec<PathBuf>) {
    let prefix = format!("{node}-");
    let ours = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        let epoch = name.and_then(|name| name.strip_prefix(&prefix)?.strip_suffix(".outbox"));
        epoch.is_some_and(|epoch| epoch.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries.map(|entry| entry.path()).filter(ours).collect();
    files.sort();
    let mut messages = Vec::new();
    for file in &files {
        match std::fs::read_to_string(file) {
            Ok(text) => messages.extend(waiting(&text)),
            Err(error) => warn!("{} cannot be read: {error}", file.display()),
        }
    }
    if !messages.is_empty() {
        info!("{} messages of an earlier run were not delivered and are sent now", messages.len());
    }
    (messages, files)
}

/// The messages of a file that were not acknowledged. A line cut off by the end of the process is
/// passed over.
fn waiting(text: &str) -> Vec<Message> {
    let mut waiting = BTreeMap::new();
    for line in text.lines() {
        match serde_json::from_str(line) {
            Ok(Line::Waits { ticket, topic, payload, retain }) => {
                let keep = if retain { Keep::Latest } else { Keep::Always };
                let payload = payload.into_bytes();
                waiting.insert(ticket, Message { topic, payload, retain, correlation: None, keep });
            }
            Ok(Line::Done(ticket)) => {
                waiting.remove(&ticket);
            }
            Err(_) => {}
        }
    }
    waiting.into_values().collect()
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
            self.file = Some(OpenOptions::new().append(true).create(true).open(&self.path)?);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_not_acknowledged_is_left() {
        let text = concat!(
            "{\"waits\":{\"ticket\":1,\"topic\":\"a/log\",\"payload\":\"{}\",\"retain\":false}}\n",
            "{\"waits\":{\"ticket\":2,\"topic\":\"a/alerts/x\",\"payload\":\"{}\",\"retain\":true}}\n",
            "{\"done\":1}\n",
            "{\"waits\":{\"ticket\":3,\"topic\":\"a/lo",
        );
        let left = waiting(text);
        assert_eq!(left.len(), 1);
        assert_eq!((left[0].topic.as_str(), left[0].keep), ("a/alerts/x", Keep::Latest));
    }
}
