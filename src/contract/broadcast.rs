//! A board's part of the public tree: the queue of what is not public yet, and the game as it is.

use super::delay::{Delay, Item, Queue};
use super::feed::GameFeed;
use super::message::{Draft, made_public, retracted_public};
use crate::events::BoardId;
use crate::table::Publish;
use crate::tick::Tick;

/// What the public sees of a board.
#[derive(Clone, Debug)]
pub struct Broadcast {
    queue: Queue,
    game: GameFeed,
}

impl Broadcast {
    /// No game yet.
    #[must_use]
    pub fn new(board: BoardId, delay: Delay) -> Self {
        Broadcast { queue: Queue::new(delay), game: GameFeed::new(board) }
    }

    /// Takes in what was published. It is public once [`release`](Broadcast::release) says so.
    pub fn take(&mut self, publish: &Publish) {
        self.queue.take(publish);
    }

    /// The result, or that there is none, if neither the kings nor the last move say it.
    pub fn set_result(&mut self, result: Option<&'static str>, at: Tick) {
        self.queue.result(result, at);
    }

    /// How long the public waits from now on, and whether the board is held.
    pub fn set_delay(&mut self, delay: Delay) {
        self.queue.set_delay(delay);
    }

    /// Whether nothing goes out.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.queue.is_held()
    }

    /// When there is something to release, unless more happens before that.
    #[must_use]
    pub fn next_due(&self) -> Option<Tick> {
        self.queue.next_due()
    }

    /// The messages that are due at `now`: the game as it is then, and each change of it.
    pub fn release(&mut self, now: Tick) -> Vec<Draft> {
        let mut out = Vec::new();
        let mut changed = false;
        for (item, replaces) in self.queue.release(now) {
            changed |= self.game.show(&item);
            match &item {
                Item::Made(made) => out.extend(made_public(made, replaces, self.game.board())),
                Item::Retract { to_ply, at } => out.push(retracted_public(*to_ply, *at, self.game.board())),
                Item::Begin { .. } | Item::Result(_) | Item::Pairing(_) => {}
            }
        }
        if changed {
            out.insert(0, self.game.draft());
        }
        out
    }

    /// The same without a word: an earlier run has said it.
    pub fn settle(&mut self, now: Tick) {
        drop(self.release(now));
    }

    /// The game as the public sees it.
    #[must_use]
    pub fn game(&self) -> &GameFeed {
        &self.game
    }
}
