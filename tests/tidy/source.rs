//! The files of the repository, as the rules see them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files under version control, relative to the root; all files where there is no git.
pub fn tracked() -> Vec<String> {
    let listed = Command::new("git").arg("-C").arg(root()).args(["ls-files", "-z"]).output();
    let mut files: Vec<String> = match listed {
        Ok(output) if output.status.success() => {
            let names = String::from_utf8(output.stdout).expect("names in UTF-8");
            names.split_terminator('\0').map(str::to_owned).collect()
        }
        _ => walk(Path::new("")),
    };
    files.retain(|file| root().join(file).is_file());
    files.sort();
    files
}

fn walk(dir: &Path) -> Vec<String> {
    let mut files = Vec::new();
    for entry in fs::read_dir(root().join(dir)).expect("a folder").flatten() {
        let path = dir.join(entry.file_name());
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let generated = ["target", ".git"].map(PathBuf::from).contains(&path);
            files.extend(if generated { Vec::new() } else { walk(&path) });
        } else {
            files.push(path.to_string_lossy().into_owned());
        }
    }
    files
}

/// A Rust file.
pub struct Source {
    /// Relative to the root, with `/`.
    pub path: String,
    pub text: String,
}

impl Source {
    /// Every Rust file under version control.
    pub fn all() -> Vec<Source> {
        let files = tracked().into_iter().filter(|file| file.ends_with(".rs"));
        files.map(|path| Source { text: fs::read_to_string(root().join(&path)).unwrap(), path }).collect()
    }

    /// The stage it belongs to: `game` for `src/game/…`, `tick` for `src/tick.rs`.
    pub fn stage(&self) -> Option<&str> {
        let inside = self.path.strip_prefix("src/")?;
        match inside.split_once('/') {
            Some((stage, _)) => Some(stage),
            None => inside.strip_suffix(".rs"),
        }
    }

    /// Lines with their numbers, without those that are comments.
    pub fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate().map(|(index, line)| (index + 1, line));
        lines.filter(|(_, line)| !line.trim_start().starts_with("//"))
    }

    /// The number of the line where a file's own tests begin; beyond the last if it has none.
    pub fn tests_begin(&self) -> usize {
        if self.path.starts_with("tests/")
            || self.path.contains("/tests/")
            || self.path.ends_with("/tests.rs")
        {
            return 0;
        }
        let mut lines = self.text.lines();
        lines.position(|line| line == "#[cfg(test)]").map_or(usize::MAX, |index| index + 1)
    }
}
