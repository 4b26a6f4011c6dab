//! How long journals are kept.
//!
//! An event's journals lie in a folder of its name, if it has one, so that they can be put away
//! together. Where `keep_days` says so, journals that nobody has written to for so long are
//! deleted, whichever event they are of; nothing else ever is.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::journal_file::name::read;

/// So often it is looked whether something is to go.
pub const EVERY: Duration = Duration::from_secs(24 * 3_600);

/// What was done.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Gone {
    /// How many journals were deleted.
    pub journals: usize,
    /// Why one could not be, for people.
    pub failed: Option<String>,
}

/// Deletes the journals in `dir` and in its folders that were written to longer than `keep` before
/// `now`; those of runs since `run_ms` stay.
#[must_use]
pub fn clear(dir: &Path, keep: Duration, now: SystemTime, run_ms: u64) -> Gone {
    let mut gone = Gone::default();
    let folders = entries(dir).filter(|path| path.is_dir() && !path.is_symlink());
    for folder in folders.chain([dir.to_owned()]) {
        for journal in entries(&folder).filter(|path| is_old(path, keep, now, run_ms)) {
            match std::fs::remove_file(&journal) {
                Ok(()) => gone.journals += 1,
                Err(error) => gone.failed = Some(format!("{} cannot be deleted: {error}", journal.display())),
            }
        }
        if folder != dir {
            // Only an empty one goes, and whether it does is nobody's matter.
            let _ = std::fs::remove_dir(&folder);
        }
    }
    gone
}

fn entries(dir: &Path) -> impl Iterator<Item = PathBuf> {
    std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path())
}

fn is_old(path: &Path, keep: Duration, now: SystemTime, run_ms: u64) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let of_this_run = |name| read(name).is_none_or(|(_, start_ms, _)| start_ms >= run_ms);
    if name.is_none_or(of_this_run) {
        return false;
    }
    let written = std::fs::symlink_metadata(path).ok().filter(std::fs::Metadata::is_file);
    let written = written.and_then(|file| file.modified().ok());
    written.and_then(|at| now.duration_since(at).ok()).is_some_and(|age| age > keep)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    const DAY: Duration = Duration::from_secs(24 * 3_600);

    #[test]
    fn old_journals_go_and_nothing_else_does() {
        let dir = std::env::temp_dir().join(format!("jadoube-retention-{}", std::process::id()));
        let now = SystemTime::UNIX_EPOCH + 1_000 * DAY;
        let write = |name: &str, days: u32| {
            let path = dir.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            File::create(&path).unwrap().set_modified(now - days * DAY).unwrap();
        };
        let journals = [
            ("b1-1800000000000-g1.jsonl", 31, false),
            ("open/b1-1800000000000-g1.jsonl.gz", 31, false),
            ("b1-1800000000000-g2.jsonl", 29, true),
            // Of this run, whatever its file's time says.
            ("b2-1900000000000-g1.jsonl", 31, true),
            ("notes.jsonl", 400, true),
            ("hall-1800000000000.outbox", 400, true),
            ("hall.lock", 400, true),
        ];
        for (name, days, _) in journals {
            write(name, days);
        }
        let gone = clear(&dir, 30 * DAY, now, 1_900_000_000_000);
        assert_eq!(gone, Gone { journals: 2, failed: None });
        for (name, _, stays) in journals {
            assert_eq!(dir.join(name).exists(), stays, "{name}");
        }
        assert!(!dir.join("open").exists(), "an empty folder goes with its journals");
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
