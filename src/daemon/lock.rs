//! One daemon for each journal directory and node: two would send each other's undelivered
//! messages, and count the same ids.
//!
//! The lock is the kernel's and ends with the process, however it ends; the file itself stays and
//! means nothing.

use std::fs::{DirBuilder, File, OpenOptions};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use thiserror::Error;

/// Files beside the journals are for the service and its group.
pub const MODE: u32 = 0o640;

/// Why a directory is not ours.
#[derive(Debug, Error)]
pub enum LockError {
    /// Somebody has it.
    #[error(
        "{dir} with node name \"{node}\" is in use by another jadoube; give each daemon its own node name and journal_dir"
    )]
    InUse {
        /// The directory.
        dir: String,
        /// The node.
        node: String,
    },
    /// It cannot be said, because the directory or its file system takes no lock.
    #[error("{dir} cannot be locked against another jadoube: {error}")]
    Impossible {
        /// The directory.
        dir: String,
        /// What the system says.
        error: std::io::Error,
    },
}

/// The lock; it is held until this is dropped.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of this node in this directory, which is made if it is not there.
    ///
    /// # Errors
    /// Another daemon has it, or the directory takes none.
    pub fn take(dir: &Path, node: &str) -> Result<Lock, LockError> {
        let name = || dir.display().to_string();
        let impossible = |error| LockError::Impossible { dir: name(), error };
        DirBuilder::new().recursive(true).mode(0o750).create(dir).map_err(impossible)?;
        let path = dir.join(format!("{node}.lock"));
        let open = OpenOptions::new().write(true).create(true).truncate(false).mode(MODE).open(path);
        let file = open.map_err(impossible)?;
        match claim(&file) {
            Ok(true) => Ok(Lock { _file: file }),
            Ok(false) => Err(LockError::InUse { dir: name(), node: node.to_owned() }),
            Err(error) => Err(impossible(error)),
        }
    }
}

/// Whether this open file is ours alone from now on.
///
/// # Errors
/// The file system has no locks.
pub fn claim(file: &File) -> std::io::Result<bool> {
    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(Errno::WOULDBLOCK) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
