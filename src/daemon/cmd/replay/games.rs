//! The games of a recording as PGN, as they are in the end.

use crate::contract::{Broadcast, Delay, GameFeed, Tags, record_pgn};
use crate::events::{BoardId, Setup};
use crate::table::Publish;
use crate::tick::Tick;

/// The games heard so far.
pub(super) struct Games {
    /// Nobody waits.
    feed: Broadcast,
    tags: Tags,
    done: Vec<String>,
}

impl Games {
    pub(super) fn new() -> Self {
        let mut games = Games {
            feed: Broadcast::new(unknown(), Delay::default()),
            tags: Tags::default(),
            done: Vec::new(),
        };
        games.tags.event = "?".to_owned();
        games.tags.site = "?".to_owned();
        games.tags.round = "?".to_owned();
        games.tags.date = "????.??.??".to_owned();
        games
    }

    /// Whose games they are.
    pub(super) fn set(&mut self, setup: &Setup) {
        self.tags.board = setup.board.as_str().to_owned();
        self.tags.time_control = setup.time_control;
    }

    pub(super) fn take(&mut self, publish: &Publish) {
        let begins = matches!(publish, Publish::Move(made) if made.ply == 1 && made.revision == 0);
        if begins {
            self.done.extend(self.written());
        }
        self.feed.take(publish);
        self.feed.settle(Tick::from_us(u64::MAX));
    }

    /// All games, one after the other.
    pub(super) fn text(&self) -> String {
        let games: Vec<String> = self.done.iter().cloned().chain(self.written()).collect();
        games.join("\n")
    }

    fn written(&self) -> Option<String> {
        let game: &GameFeed = self.feed.game();
        game.plies().next().map(|_| record_pgn(&self.tags, game))
    }
}

/// The name matters to messages alone, and none is sent.
fn unknown() -> BoardId {
    BoardId::new("board").unwrap_or_else(|_| unreachable!())
}
