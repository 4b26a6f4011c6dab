//! The games of the round as files: each game in a file of its own, in both forms of
//! [`contract`](crate::contract), and the games of all boards in one file, in the boards' order.
//!
//! What is written is what the public may see. A file is written beside its place and then put there,
//! so that a reader never sees half of one. One thread writes; a slow or failing disk holds up nobody,
//! is reported, and what was not written is tried again.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use super::config;
use super::roster::Roster;
use crate::contract::{GameFeed, Tags, record_pgn, strict_pgn};
use crate::events::{BoardId, TimeControl};

/// Files are not written more often: many boards move at once.
const PAUSE: Duration = Duration::from_millis(500);
/// What could not be written is tried again after this time.
const AGAIN: Duration = Duration::from_secs(5);

/// A game as the public sees it now.
#[derive(Debug)]
struct Update {
    board: BoardId,
    game: GameFeed,
    /// When tick 0 of its journal was, milliseconds since 1970.
    start_ms: u64,
    time_control: Option<TimeControl>,
    /// White, Black, where they are known.
    names: (Option<String>, Option<String>),
}

/// The way to the thread that writes.
#[derive(Clone, Debug)]
pub struct Records(Sender<Update>);

impl Records {
    /// Starts the thread. It ends, with everything written that can be, when the last sender is gone.
    ///
    /// # Errors
    /// The system has no thread left.
    pub fn start(
        config: &config::Config,
        roster: Roster,
    ) -> std::io::Result<Option<(Records, JoinHandle<()>)>> {
        let Some(records) = config.records.clone() else { return Ok(None) };
        let (updates, taken) = channel();
        let boards = config.boards.iter().map(|board| board.id.clone()).collect();
        let writer = Writer { records, boards, games: BTreeMap::new(), dirty: BTreeMap::new(), roster };
        let thread =
            std::thread::Builder::new().name("records".to_owned()).spawn(move || writer.run(&taken))?;
        Ok(Some((Records(updates), thread)))
    }

    /// The public sees this now.
    pub fn update(
        &self,
        game: &GameFeed,
        start_ms: u64,
        time_control: Option<TimeControl>,
        names: (Option<String>, Option<String>),
    ) {
        // Without the thread nothing is written, and that has been said.
        let board = game.board().clone();
        let _ = self.0.send(Update { board, game: game.clone(), start_ms, time_control, names });
    }
}

struct Writer {
    records: config::Records,
    boards: Vec<BoardId>,
    /// The latest game of each board, in its first form.
    games: BTreeMap<BoardId, String>,
    /// Files that are not as they must be.
    dirty: BTreeMap<String, String>,
    roster: Roster,
}

impl Writer {
    fn run(mut self, updates: &Receiver<Update>) {
        loop {
            match if self.dirty.is_empty() {
                updates.recv().map_err(Into::into)
            } else {
                updates.recv_timeout(AGAIN)
            } {
                Ok(update) => {
                    // Of one board only the latest counts.
                    let mut latest = BTreeMap::from([(key(&update), update)]);
                    latest.extend(updates.try_iter().map(|update| (key(&update), update)));
                    latest.into_values().for_each(|update| self.take(&update));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    self.write();
                    return;
                }
            }
            self.write();
            std::thread::sleep(PAUSE);
        }
    }

    fn take(&mut self, update: &Update) {
        let tags = self.tags(update);
        let strict = strict_pgn(&tags, &update.game);
        let name = format!("{}-board-{}-{}", self.round(), update.board, moment(began_ms(update)));
        self.dirty.insert(format!("{name}.record.pgn"), record_pgn(&tags, &update.game));
        self.dirty.insert(format!("{name}.pgn"), strict.clone());
        self.games.insert(update.board.clone(), strict);
        let round: Vec<&str> =
            self.boards.iter().filter_map(|board| self.games.get(board)).map(String::as_str).collect();
        self.dirty.insert(format!("{}.pgn", self.round()), round.join("\n"));
    }

    fn tags(&self, update: &Update) -> Tags {
        Tags {
            event: self.records.event.clone(),
            site: self.records.site.clone(),
            date: moment(began_ms(update)).get(..8).map_or_else(|| "????.??.??".to_owned(), dotted),
            round: self.records.round.clone(),
            white: update.names.0.clone(),
            black: update.names.1.clone(),
            board: update.board.as_str().to_owned(),
            time_control: update.time_control,
        }
    }

    /// The first part of all names.
    fn round(&self) -> String {
        let fine = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' };
        match self.records.round.as_str() {
            "?" | "" => "round".to_owned(),
            round => format!("round-{}", round.chars().map(fine).collect::<String>()),
        }
    }

    fn write(&mut self) {
        let dir = self.records.dir.clone();
        let mut failed = None;
        self.dirty.retain(|name, text| match write(&dir, name, text) {
            Ok(()) => false,
            Err(error) => {
                failed = Some(format!("{} cannot be written: {error}", dir.join(name).display()));
                true
            }
        });
        match failed {
            Some(why) => self.roster.warn("records", why),
            None => self.roster.clear("records"),
        }
    }
}

/// Of updates with the same key the latest is the only one wanted.
fn key(update: &Update) -> (BoardId, u64) {
    (update.board.clone(), began_ms(update))
}

fn began_ms(update: &Update) -> u64 {
    update.start_ms.saturating_add(update.game.began().map_or(0, crate::tick::Tick::ms))
}

/// `20261130-140302`, UTC.
fn moment(ms: u64) -> String {
    let time = std::time::UNIX_EPOCH + Duration::from_millis(ms);
    let text = humantime::format_rfc3339_seconds(time).to_string();
    text.chars().filter(char::is_ascii_digit).enumerate().fold(String::new(), |mut out, (place, digit)| {
        if place == 8 {
            out.push('-');
        }
        out.push(digit);
        out
    })
}

/// `20261130` as `2026.11.30`.
fn dotted(day: &str) -> String {
    format!("{}.{}.{}", &day[..4], &day[4..6], &day[6..8])
}

/// Puts `text` into its place as a whole.
pub(super) fn write(dir: &Path, name: &str, text: &str) -> std::io::Result<()> {
    std::fs::create_dir_all(dir)?;
    let beside = dir.join(format!(".{name}.new"));
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(&beside)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(&beside, dir.join(name))?;
    // The new name too must survive a power cut.
    File::open(dir)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_names_and_dates() {
        assert_eq!(moment(1_764_511_382_000), "20251130-140302");
        assert_eq!(dotted("20251130"), "2025.11.30");
    }
}
