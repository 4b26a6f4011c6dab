//! Names of journals: `<board>-<start>-g<game>.jsonl`, packed or not.
//!
//! `start` is when the run began (milliseconds since 1970), `game` the first game in the file. One
//! game a file, but where a game began unseen: it is in the file of the game before.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A run counts its games within so many numbers. More than a board sees in a week of blitz.
const GAMES_OF_A_RUN: u32 = 100;

/// One journal, as its name says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Named {
    /// When the run began, milliseconds since 1970.
    pub start_ms: u64,
    /// The first game in it.
    pub game: u32,
    /// Where it is.
    pub path: PathBuf,
}

/// The name of a journal.
#[must_use]
pub fn name(board: &str, start_ms: u64, game: u32) -> String {
    format!("{board}-{start_ms}-g{game}.jsonl")
}

/// Board, start and game of a journal of this name; `None` if it is none.
#[must_use]
pub fn read(name: &str) -> Option<(&str, u64, u32)> {
    let stem = name.strip_suffix(".gz").unwrap_or(name).strip_suffix(".jsonl")?;
    let (rest, game) = stem.rsplit_once("-g")?;
    let (board, start) = rest.rsplit_once('-')?;
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if board.is_empty() || !plain(game) || !plain(start) {
        return None;
    }
    Some((board, start.parse().ok()?, game.parse().ok()?))
}

/// The journals of each board in a directory, the oldest first. Names alone are looked at.
#[must_use]
pub fn list(dir: &Path) -> BTreeMap<String, Vec<Named>> {
    let mut journals: BTreeMap<String, Vec<Named>> = BTreeMap::new();
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        if let Some((board, start_ms, game)) = entry.file_name().to_str().and_then(read) {
            let named = Named { start_ms, game, path: entry.path() };
            journals.entry(board.to_owned()).or_default().push(named);
        }
    }
    journals.values_mut().for_each(|of_board| of_board.sort());
    journals
}

/// The number of the first game of a run after these journals: ids, which begin with it, must not
/// come again while the journals of earlier runs are kept.
#[must_use]
pub fn first_game(earlier: &[Named]) -> u32 {
    let last = earlier.iter().map(|journal| journal.game).max().unwrap_or(0);
    last.div_ceil(GAMES_OF_A_RUN).saturating_mul(GAMES_OF_A_RUN).saturating_add(1).min(u32::MAX / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written_whatever_the_board_is_called() {
        for board in ["b1", "hall-2", "t-1800000000000-g7", "a.b", "-"] {
            let name = name(board, 1_800_000_000_000, 102);
            assert_eq!(read(&name), Some((board, 1_800_000_000_000, 102)), "{name}");
            assert_eq!(read(&format!("{name}.gz")), Some((board, 1_800_000_000_000, 102)));
        }
        for other in
            ["b1-1800000000000.jsonl", "b1-x-g1.jsonl", "b1-18-g+1.jsonl", "-18-g1.jsonl", "b1-18-g1"]
        {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn each_run_counts_its_games_from_the_next_hundred() {
        let of = |game| Named { start_ms: 0, game, path: PathBuf::new() };
        assert_eq!(first_game(&[]), 1);
        assert_eq!(first_game(&[of(1)]), 101);
        assert_eq!(first_game(&[of(1), of(7), of(100)]), 101);
        assert_eq!(first_game(&[of(101)]), 201);
        assert!(first_game(&[of(u32::MAX)]) >= u32::MAX / 2);
    }
}
