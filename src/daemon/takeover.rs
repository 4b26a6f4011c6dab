//! A second machine takes over: what the first one left of its node, copied here, becomes ours.
//!
//! The copy may have been made while the first machine wrote: a last line that is torn is cut off when
//! the journal is gone on with. The copy itself is not changed. Nothing of ours is written over: where a
//! file is there already, it must be a part of the copy, or the other way round, and the longer one stays.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::config::Config;
use super::lock::MODE;
use super::{journal_file, names};

/// What was taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Journals.
    pub journals: usize,
    /// Files of messages that were not delivered.
    pub outboxes: usize,
}

/// Takes what is in `from` of this configuration's node: journals of the event, the outbox, the file of
/// names.
///
/// # Errors
/// There is nothing to take, a file differs from one of ours, or it cannot be read or written.
pub fn take_over(from: &Path, config: &Config) -> Result<Taken> {
    let mut taken = Taken::default();
    let journals = config.journals();
    // The copy has the shape of a journal_dir, with the event's folder in it where it has a name.
    let event = match &config.event.name {
        Some(name) => from.join(name.as_str()),
        None => from.to_owned(),
    };
    let known: Vec<&str> = config.boards.iter().map(|board| board.id.as_str()).collect();
    for (board, files) in journal_file::name::list(&event) {
        if !known.contains(&board.as_str()) {
            continue;
        }
        for named in files {
            copy(&named.path, &journals)?;
            taken.journals += 1;
        }
    }
    let outbox = format!("{}-", config.node);
    for entry in std::fs::read_dir(from).with_context(|| format!("{} cannot be read", from.display()))? {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name.starts_with(&outbox) && name.ends_with(".outbox") {
            copy(&path, &config.journal_dir)?;
            taken.outboxes += 1;
        }
    }
    let names = event.join(names::FILE);
    if names.is_file() {
        copy(&names, &journals)?;
    }
    if taken == Taken::default() {
        bail!(
            "{} has no journal of a board of this configuration and no outbox of node \"{}\": give the copy of the \
             other machine's journal_dir",
            from.display(),
            config.node
        );
    }
    Ok(taken)
}

/// Copies one file into a folder, through a name of its own, and flushes it.
fn copy(from: &Path, dir: &Path) -> Result<()> {
    let name = from.file_name().with_context(|| format!("{} has no name", from.display()))?;
    DirBuilder::new()
        .recursive(true)
        .mode(0o750)
        .create(dir)
        .with_context(|| format!("{} cannot be made", dir.display()))?;
    let to = dir.join(name);
    let theirs = read(from)?;
    if to.exists() {
        let ours = read(&to)?;
        if ours.starts_with(&theirs) {
            return Ok(());
        }
        if !theirs.starts_with(&ours) {
            bail!(
                "{} and {} are two different files: move one of them away, it cannot be both",
                to.display(),
                from.display()
            );
        }
    }
    let beside: PathBuf = dir.join(format!(".{}.taken", name.to_string_lossy()));
    let write = || -> std::io::Result<()> {
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(MODE).open(&beside)?;
        file.write_all(&theirs)?;
        file.sync_all()?;
        std::fs::rename(&beside, &to)?;
        File::open(dir)?.sync_all()
    };
    write().with_context(|| format!("{} cannot be written", to.display()))
}

fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut file = File::open(path).with_context(|| format!("{} cannot be read", path.display()))?;
    file.read_to_end(&mut bytes).with_context(|| format!("{} cannot be read", path.display()))?;
    Ok(bytes)
}
