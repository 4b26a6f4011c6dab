//! What the last run left of a board: its journal, read back into a table that goes on with it.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::journal_file::name::Named;
use crate::contract::{Broadcast, Delay};
use crate::events::BoardId;
use crate::journal::{Entry, Header, Reader, Record, Resumed, resume_with};
use crate::table::{Effects, Publish, Table};
use crate::tick::Tick;

/// No first line is longer.
const LONGEST: u64 = 64 * 1024;

/// What there is to go on with.
#[derive(Debug)]
pub enum Left {
    /// Nothing, or nothing of today.
    Nothing,
    /// A journal, read to its end.
    Journal(Box<Earlier>),
    /// A journal that cannot be gone on with, and why, for people.
    Damaged(String),
}

/// A journal of an earlier run, and where it leads.
#[derive(Debug)]
pub struct Earlier {
    /// Its file.
    pub path: PathBuf,
    /// Bytes of its whole lines; what comes after them was cut off as it was written.
    pub whole: u64,
    /// Its first line.
    pub header: Header,
    /// The table as it was.
    pub resumed: Resumed,
    /// The game as the public saw it.
    pub feed: Broadcast,
}

impl Earlier {
    /// The tick that belongs to this wall-clock time in the journal; never before its last one.
    #[must_use]
    pub fn tick(&self, now_ms: u64) -> Tick {
        let since = now_ms.saturating_sub(self.header.start_ms);
        Tick::from_ms(since).max(self.resumed.writer.tick())
    }
}

/// The latest of a board's journals, if its last line was written within `within` before `now_ms`.
#[must_use]
pub fn find(
    journals: &[Named],
    node: &str,
    board: &BoardId,
    now_ms: u64,
    within: Duration,
    delay: Delay,
) -> Left {
    let Some(path) = latest(journals, node).filter(|_| !within.is_zero()) else { return Left::Nothing };
    if is_untouched_since(&path, now_ms, within) {
        // Not read at all: a hall has many boards, and yesterday's journals are long.
        return Left::Nothing;
    }
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) => return Left::Damaged(format!("{} cannot be read: {error}", path.display())),
    };
    // A torn line may end within a letter.
    let text = String::from_utf8_lossy(&bytes);
    let mut feed = Broadcast::new(board.clone(), delay);
    if delay != Delay::default() {
        games_before(&path, &text, now_ms, delay).iter().for_each(|game| hear_game(game, &mut feed));
    }
    let resumed = resume_with(text.lines(), &mut |publish| hear(publish, &mut feed));
    // What was due before the last line was told before it was written.
    let last = resumed.writer.tick();
    feed.settle(if resumed.told { last } else { just_before(last) });
    let lines = usize::try_from(resumed.lines).unwrap_or(usize::MAX);
    let whole: usize = text.split_inclusive('\n').take(lines).map(str::len).sum();
    let torn = text.split_inclusive('\n').nth(lines);
    let Some(header) = resumed.header.clone().filter(|header| header.board == *board) else {
        return Left::Damaged(format!("{} does not begin as a journal of board {board}", path.display()));
    };
    let last_ms = header.start_ms.saturating_add(resumed.writer.tick().ms());
    let most = u64::try_from(within.as_millis()).unwrap_or(u64::MAX);
    if now_ms.saturating_sub(last_ms) > most {
        return Left::Nothing;
    }
    if let Some(damage) = resumed.damage.as_ref().filter(|_| torn.is_none_or(|line| line.ends_with('\n'))) {
        return Left::Damaged(format!("{}: {damage}", path.display()));
    }
    let whole = u64::try_from(whole).unwrap_or(u64::MAX);
    Left::Journal(Box::new(Earlier { path, whole, header, resumed, feed }))
}

/// Of the games before this one on the board, those that the public may still be waiting for and the
/// one before them, the earliest first. Each is the text of its journal.
fn games_before(path: &Path, text: &str, now_ms: u64, delay: Delay) -> Vec<String> {
    const MOST: usize = 8;
    let mut games: Vec<String> = Vec::new();
    let mut header = first_line(text);
    while let Some((start_ms, after)) = header.and_then(|header| Some((header.start_ms, header.after?))) {
        let before = std::fs::read(path.with_file_name(after.file));
        let Ok(before) = before.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()) else { break };
        header = first_line(&before).filter(|header| header.start_ms == start_ms);
        if header.is_none() {
            // Its times are not those of the games after it.
            break;
        }
        let mut reader = Reader::new();
        let last = before.lines().map_while(|line| reader.read_line(line).ok()).last();
        let ended_ms = start_ms.saturating_add(last.map_or(0, |record| record.tick.ms()));
        games.push(before);
        if ended_ms.saturating_add(delay.time.ms()) < now_ms || games.len() == MOST {
            break;
        }
    }
    games.reverse();
    games
}

fn first_line(text: &str) -> Option<Header> {
    let record = Reader::new().read_line(text.lines().next()?).ok()?;
    match record.entry {
        Entry::Header(header) => Some(header),
        _ => None,
    }
}

/// What was published in an earlier game.
fn hear_game(text: &str, feed: &mut Broadcast) {
    let (mut reader, mut table) = (Reader::new(), Table::new());
    for (at, input) in text.lines().map_while(|line| reader.read_line(line).ok()).filter_map(Record::input) {
        let mut effects = Effects::default();
        table.step(at, input, &mut effects);
        // What belongs to the next game is in its own journal.
        let of_this = effects.began.as_ref().map_or(usize::MAX, |began| began.published_before);
        effects.publish.iter().take(of_this).for_each(|item| hear(item, feed));
    }
}

/// What was due before something happened was told by then.
fn hear(publish: &Publish, feed: &mut Broadcast) {
    let at = match publish {
        Publish::Move(made) => made.at,
        Publish::Retract { at, .. } => *at,
        Publish::State(state) => state.at,
        _ => return,
    };
    // What came of the same input may not have been.
    feed.settle(just_before(at));
    feed.take(publish);
}

fn just_before(at: Tick) -> Tick {
    Tick::from_us(at.us().saturating_sub(1))
}

/// Whether the file was last written longer than `within` before `now_ms`, as the file system says.
fn is_untouched_since(path: &Path, now_ms: u64, within: Duration) -> bool {
    let written = std::fs::metadata(path).and_then(|file| file.modified());
    let written = written.ok().and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
    let now = Duration::from_millis(now_ms);
    written.is_some_and(|written| now.saturating_sub(written) > within)
}

/// The journal that this node began last. A later game's may have been torn before it said what was
/// before the game; the game before has all of that, and goes on instead.
fn latest(journals: &[Named], node: &str) -> Option<PathBuf> {
    let mut ours = journals.iter().rev().filter(|journal| !is_of_another(&journal.path, node));
    let last = ours.next()?;
    if !is_torn_at_its_beginning(&last.path) {
        return Some(last.path.clone());
    }
    let before = ours.next().filter(|journal| journal.start_ms == last.start_ms);
    let Some(before) = before else { return Some(last.path.clone()) };
    let aside = last.path.with_extension("torn");
    match std::fs::rename(&last.path, &aside) {
        Ok(()) => Some(before.path.clone()),
        Err(_) => Some(last.path.clone()),
    }
}

/// Whether a file has no whole second line.
fn is_torn_at_its_beginning(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let mut lines = BufReader::new(file.take(LONGEST * 4));
    let mut line = Vec::new();
    let mut whole = |lines: &mut BufReader<_>| {
        line.clear();
        lines.read_until(b'\n', &mut line).is_ok() && line.ends_with(b"\n")
    };
    !(whole(&mut lines) && whole(&mut lines))
}

/// Whether the journal says that another node wrote it. One whose first line cannot be read is ours:
/// people must hear of it.
fn is_of_another(path: &Path, node: &str) -> bool {
    let mut first = String::new();
    let read = File::open(path).and_then(|file| BufReader::new(file).take(LONGEST).read_line(&mut first));
    let record = read.ok().and_then(|_| Reader::new().read_line(&first).ok());
    record.is_some_and(|record| matches!(record.entry, Entry::Header(header) if header.node != node))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::daemon::journal_file::name::list;
    use crate::events::{Device, Setup};
    use crate::journal::Writer;
    use crate::table::Input;

    fn folder(name: &str) -> PathBuf {
        let dir = std::env::temp_dir().join(format!("jadoube-resume-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        dir
    }

    fn board() -> BoardId {
        BoardId::new("b1").unwrap()
    }

    fn journal(start_ms: u64) -> String {
        let header = Header {
            program: "p".into(),
            node: "hall".into(),
            board: board(),
            ruleset: "fide-2023/standard".into(),
            start_ms,
            after: None,
            rules_digest: None,
            clock_synchronised: None,
        };
        let (mut writer, mut text) = Writer::new(&header);
        let setup = Setup::plain(board(), Device::Dgt);
        text.push_str(&writer.input(Tick::ZERO, &Input::Setting(Box::new(setup))));
        text.push_str(&writer.input(Tick::from_ms(5_000), &Input::Timer));
        text
    }

    /// Writes a file as it would have been written then.
    fn written(path: &Path, text: &str, at_ms: u64) {
        std::fs::write(path, text).unwrap();
        let at = std::time::UNIX_EPOCH + Duration::from_millis(at_ms);
        File::options().write(true).open(path).unwrap().set_modified(at).unwrap();
    }

    fn found(dir: &Path, node: &str, now_ms: u64, within: Duration) -> Left {
        let journals = list(dir).remove("b1").unwrap_or_default();
        find(&journals, node, &board(), now_ms, within, Delay::default())
    }

    const HOUR: Duration = Duration::from_secs(3_600);

    #[test]
    fn the_latest_journal_is_gone_on_with_from_its_last_whole_line() {
        let dir = folder("latest");
        std::fs::write(dir.join("b1-1700000000000-g1.jsonl"), "old").unwrap();
        std::fs::write(dir.join("b10-1900000000000-g1.jsonl"), "of another board").unwrap();
        let text = journal(1_800_000_000_000);
        let torn = format!("{text}{{\"v\":1,\"seq\":3,\"ti");
        written(&dir.join("b1-1800000000000-g101.jsonl"), &torn, 1_800_000_005_000);
        let Left::Journal(earlier) = found(&dir, "hall", 1_800_000_060_000, HOUR) else { panic!("none") };
        assert_eq!(earlier.whole, text.len() as u64);
        let other = found(&dir, "annex", 1_800_000_060_000, HOUR);
        assert!(!matches!(other, Left::Journal(_)), "another node's game is not ours");
        assert_eq!(earlier.tick(1_800_000_060_000), Tick::from_ms(60_000));
        assert_eq!(earlier.tick(0), Tick::from_ms(5_000), "a clock that was set back moves nothing");
        std::fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn an_old_journal_and_none_at_all_are_nothing_and_damage_is_said() {
        let dir = folder("old");
        assert!(matches!(found(&dir, "hall", 0, HOUR), Left::Nothing));
        let path = dir.join("b1-1800000000000-g101.jsonl");
        let text = journal(1_800_000_000_000);
        written(&path, &text, 1_800_000_005_000);
        let later = 1_800_000_005_000 + 3_600_001;
        assert!(matches!(found(&dir, "hall", later, HOUR), Left::Nothing));
        assert!(matches!(found(&dir, "hall", later - 1, HOUR), Left::Journal(_)));
        assert!(matches!(found(&dir, "hall", later - 1, Duration::ZERO), Left::Nothing));
        // Copied later: what is in it says how old it is.
        written(&path, &text, later);
        assert!(matches!(found(&dir, "hall", later, HOUR), Left::Nothing));
        written(&path, &text.replacen("\"tick\":0", "\"tick\":1", 2), later);
        let Left::Damaged(why) = found(&dir, "hall", later - 1, HOUR) else { panic!("not found out") };
        assert!(why.contains("checksum") || why.contains("journal of board"), "{why}");
        std::fs::remove_dir_all(dir).unwrap();
    }
}
