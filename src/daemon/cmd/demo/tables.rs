//! The tables of the demo: which game each plays, and what must be noticed there.

use std::io;
use std::time::Duration;

use anyhow::Context;
use tokio::time::sleep;

use crate::daemon::pty::{Cable, play};
use crate::emulator::{Emulator, Recording};

/// Between the end of a game and the next one, when the demo is held.
const PAUSE: Duration = Duration::from_secs(4);

/// A table of the demo.
pub(super) struct Table {
    /// Its board's name.
    pub(super) board: &'static str,
    /// The alert that must arrive: its code and the offender; `None` where nothing happens.
    pub(super) shows: Option<(&'static str, &'static str)>,
    recording: &'static str,
}

/// All tables.
pub(super) const TABLES: [Table; 4] = [
    Table {
        board: "table-1",
        shows: Some(("illegal-move", "black")),
        recording: include_str!("../../../../fixtures/demo/table-1-illegal-move.jsonl"),
    },
    Table {
        board: "table-2",
        shows: Some(("pawn-not-promoted", "white")),
        recording: include_str!("../../../../fixtures/demo/table-2-unpromoted-pawn.jsonl"),
    },
    Table {
        board: "table-3",
        shows: Some(("press-without-move", "black")),
        recording: include_str!("../../../../fixtures/demo/table-3-press-without-move.jsonl"),
    },
    Table {
        board: "table-4",
        shows: None,
        recording: include_str!("../../../../fixtures/demo/table-4-clean.jsonl"),
    },
];

/// A table's board, plugged in and waiting for its host.
pub(super) struct Board {
    pub(super) recording: Recording,
    pub(super) cable: Cable,
}

impl Table {
    /// Sets the board up. One that is held is plugged in anew for each game, so its cable is
    /// loose.
    pub(super) fn set_up(&self, hold: bool) -> anyhow::Result<Board> {
        let recording =
            Recording::parse(self.recording).with_context(|| format!("the game of {}", self.board))?;
        let cable = if hold { Cable::loose() } else { Cable::fixed() };
        Ok(Board { recording, cable: cable.context("no pseudo-terminal")? })
    }
}

impl Board {
    /// Plays the game once, or for ever. The board comes back still plugged in: pulling it would
    /// be one more incident.
    pub(super) async fn play(mut self, hold: bool) -> io::Result<Board> {
        loop {
            play(Emulator::new(&self.recording), &mut self.cable).await?;
            if !hold {
                return Ok(self);
            }
            sleep(PAUSE).await;
            self.cable.replug()?;
        }
    }
}
