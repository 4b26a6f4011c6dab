//! The tables of the demo: which game each plays, and what must be noticed there.

use std::io;

use anyhow::Context;
use tokio::time::Instant;

use crate::daemon::pty::{Cable, play, tick};
use crate::emulator::{Emulator, Recording};

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
    /// Sets the board up.
    pub(super) fn set_up(&self) -> anyhow::Result<Board> {
        let recording =
            Recording::parse(self.recording).with_context(|| format!("the game of {}", self.board))?;
        Ok(Board { recording, cable: Cable::fixed().context("no pseudo-terminal")? })
    }
}

impl Board {
    /// Plays the game once, or for ever. The board comes back still plugged in: pulling it would
    /// be one more incident.
    pub(super) async fn play(mut self, hold: bool) -> io::Result<Board> {
        let epoch = Instant::now();
        if hold {
            self.recording = self.recording.set_up_again();
        }
        let mut board = Emulator::new(&self.recording);
        loop {
            play(&mut board, &mut self.cable, epoch).await?;
            if !hold {
                return Ok(self);
            }
            board.next_game(tick(epoch), &self.recording);
        }
    }
}
