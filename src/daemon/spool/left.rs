//! What earlier runs left. A file may end in the middle of a line, or hold what a failing disk made
//! of it: every line that can be read counts, and what cannot is kept for people to look at.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use tracing::{info, warn};

use super::{ANEW, Line};
use crate::daemon::lock::claim;
use crate::daemon::outbox::{Keep, Message, Ticket};

/// No message is longer: a line that is was not written by this program.
const LONGEST: usize = 1024 * 1024;
/// So many bad lines of a file are told one by one.
const MOST_TOLD: usize = 8;

/// What earlier runs of a node left.
#[derive(Debug, Default)]
pub struct LeftOver {
    /// The messages that were not acknowledged, oldest first.
    pub messages: Vec<Message>,
    /// The files they are in, which may go when the messages are written anew.
    pub files: Vec<PathBuf>,
    /// What is wrong with the files, for people.
    pub damage: Vec<String>,
}

impl LeftOver {
    /// Reads the files of this node. One that a living daemon writes is not touched, and one that
    /// cannot be read or whose damage cannot be kept stays where it is.
    #[must_use]
    pub fn find(dir: &Path, node: &str) -> LeftOver {
        let prefix = format!("{node}-");
        let ours = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str());
            let epoch = name.and_then(|name| name.strip_prefix(&prefix)?.strip_suffix(".outbox"));
            epoch.is_some_and(|epoch| epoch.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
        let paths: Vec<_> = entries.map(|entry| entry.path()).collect();
        // One that was being written anew is not whole, and the one it was made from is there.
        let half = paths.iter().filter(|path| path.extension().is_some_and(|end| end == ANEW));
        let half = half.filter(|path| ours(&path.with_extension("outbox")));
        half.for_each(|path| drop(std::fs::remove_file(path)));
        let mut files: Vec<_> = paths.into_iter().filter(ours).collect();
        files.sort();
        let mut left = LeftOver::default();
        for file in files {
            left.take(file);
        }
        if !left.messages.is_empty() {
            info!("{} messages of an earlier run were not delivered and are sent now", left.messages.len());
        }
        left.damage.iter().for_each(|what| warn!("{what}"));
        left
    }

    fn take(&mut self, path: PathBuf) {
        let name = path.display().to_string();
        let read = File::open(&path).and_then(|file| {
            // Where there are no locks there is no second daemon to be told from either.
            let free = claim(&file).unwrap_or(true);
            if free { Waiting::read(BufReader::new(&file)).map(Some) } else { Ok(None) }
        });
        let waiting = match read {
            Ok(Some(waiting)) => waiting,
            Ok(None) => {
                self.damage.push(format!("{name} belongs to another jadoube that runs; it is left alone"));
                return;
            }
            Err(error) => {
                self.damage.push(format!("{name} cannot be read and stays: {error}"));
                return;
            }
        };
        self.messages.extend(waiting.messages.into_values());
        if waiting.bad == 0 {
            self.files.push(path);
            return;
        }
        self.damage.extend(waiting.told.iter().map(|what| format!("{name}, {what}")));
        let copy = PathBuf::from(format!("{name}.damaged"));
        let bad = waiting.bad;
        match std::fs::copy(&path, &copy) {
            Ok(_) => {
                let what =
                    format!("{name}: {bad} damaged lines are not sent; it is kept as {}", copy.display());
                self.damage.push(what);
                self.files.push(path);
            }
            Err(error) => self.damage.push(format!(
                "{name}: {bad} damaged lines are not sent; it stays, since it cannot be copied: {error}"
            )),
        }
    }
}

/// The messages of one file, and what is wrong with it.
#[derive(Debug, Default)]
struct Waiting {
    messages: BTreeMap<Ticket, Message>,
    bad: usize,
    told: Vec<String>,
}

impl Waiting {
    fn read(mut from: impl BufRead) -> std::io::Result<Waiting> {
        let mut waiting = Waiting::default();
        let mut line = Vec::new();
        for number in 1_u64.. {
            line.clear();
            let most = LONGEST as u64 + 1;
            if from.by_ref().take(most).read_until(b'\n', &mut line)? == 0 {
                break;
            }
            let whole = line.pop_if(|last| *last == b'\n').is_some();
            if line.len() > LONGEST {
                from.skip_until(b'\n')?;
                waiting.wrong(number, "it is longer than any message");
            } else if let Err(why) = waiting.line(&line) {
                waiting.wrong(number, if whole { why } else { "the file ends in the middle of it" });
            }
        }
        Ok(waiting)
    }

    fn line(&mut self, line: &[u8]) -> Result<(), &'static str> {
        if line.contains(&0) {
            return Err("there are zero bytes in it");
        }
        let text = std::str::from_utf8(line).map_err(|_| "it is not UTF-8")?;
        match serde_json::from_str(text).map_err(|_| "it is no record of a message")? {
            Line::Waits { ticket, topic, payload, retain } => {
                // The broker would end the connection over it, each time.
                if topic.is_empty() || topic.len() > usize::from(u16::MAX) || !rumqttc::valid_topic(&topic) {
                    return Err("its topic is none");
                }
                let keep = Keep::of(&topic, retain);
                let payload = payload.into_bytes();
                self.messages.insert(ticket, Message { topic, payload, retain, correlation: None, keep });
            }
            Line::Done(ticket) => {
                self.messages.remove(&ticket);
            }
        }
        Ok(())
    }

    fn wrong(&mut self, number: u64, why: &str) {
        self.bad += 1;
        if self.told.len() < MOST_TOLD {
            self.told.push(format!("line {number} is damaged: {why}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "{\"waits\":{\"ticket\":1,\"topic\":\"a/log\",\"payload\":\"{}\",\"retain\":false}}\n";
    const ALERT: &str =
        "{\"waits\":{\"ticket\":2,\"topic\":\"a/alerts/x\",\"payload\":\"{}\",\"retain\":true}}\n";

    fn read(bytes: &[u8]) -> Waiting {
        Waiting::read(bytes).unwrap()
    }

    #[test]
    fn only_what_was_not_acknowledged_is_left() {
        let left = read(format!("{LOG}{ALERT}{{\"done\":1}}\n").as_bytes());
        let left: Vec<_> = left.messages.values().map(|left| (left.topic.as_str(), left.keep)).collect();
        assert_eq!(left, [("a/alerts/x", Keep::Latest)]);
    }

    #[test]
    fn a_bad_line_costs_no_other() {
        let long = "x".repeat(3 * LONGEST);
        let text = format!("{LOG}\n{long}\n{{}}\n\0\0\n");
        let text = [text.as_bytes(), b"\xff\xfe\n", ALERT.as_bytes(), b"{\"waits\":{\"ti"].concat();
        let left = read(&text);
        assert_eq!(left.messages.keys().copied().collect::<Vec<_>>(), [1, 2]);
        let lines: Vec<_> = left.told.iter().map(|told| told.split(' ').nth(1).unwrap()).collect();
        assert_eq!(lines, ["2", "3", "4", "5", "6", "8"]);
        assert!(left.told[1].contains("longer") && left.told[3].contains("zero"), "{:?}", left.told);
        assert!(left.told[4].contains("UTF-8") && left.told[5].contains("ends in the middle"));
    }
}
