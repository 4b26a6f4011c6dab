//! The retained list of a game: what a broadcast shows to somebody who has just joined.

use std::collections::BTreeMap;

use serde_json::Value;

use super::fields::{Object, object};
use super::message::{Draft, played};
use crate::events::BoardId;
use crate::game::PlyKind;
use crate::table::{MoveMade, Publish};

/// The game of one board as the public may see it.
#[derive(Clone, Debug)]
pub struct GameFeed {
    board: BoardId,
    moves: BTreeMap<u32, MoveMade>,
    result: Option<&'static str>,
}

impl GameFeed {
    /// No game yet.
    #[must_use]
    pub fn new(board: BoardId) -> Self {
        GameFeed { board, moves: BTreeMap::new(), result: None }
    }

    /// Takes in what was published; the retained message anew if it changed the game.
    pub fn take(&mut self, publish: &Publish) -> Option<Draft> {
        match publish {
            Publish::Move(made) => self.enter(made),
            Publish::Retract { to_ply, .. } => {
                let gone = self.moves.split_off(&to_ply.saturating_add(1));
                let ended = self.result.take().is_some();
                if gone.is_empty() && !ended {
                    return None;
                }
            }
            _ => return None,
        }
        Some(self.draft())
    }

    /// The result as scores, `1-0`, `0-1` or `1/2-1/2`, once an arbiter or the play has settled it.
    pub fn set_result(&mut self, result: Option<&'static str>) -> Draft {
        self.result = result;
        self.draft()
    }

    /// The retained message.
    #[must_use]
    pub fn draft(&self) -> Draft {
        Draft { path: format!("broadcast/{}/game", self.board), retain: true, body: Some(self.body()) }
    }

    fn enter(&mut self, made: &MoveMade) {
        if made.ply == 1 && made.revision == 0 {
            // A first move that corrects nothing begins a game; the pieces were only reset before.
            self.moves.clear();
            self.result = None;
        }
        self.moves.insert(made.ply, made.clone());
    }

    fn body(&self) -> Object {
        let shown = || self.moves.values().filter(|made| made.record.kind != PlyKind::Null);
        let moves: Vec<Value> = shown().filter_map(|made| played(made, &self.board)).map(bare).collect();
        let last = shown().next_back();
        object([
            ("schema", "jadoube.game/1".into()),
            ("board", self.board.as_str().into()),
            ("pairing", Value::Null),
            ("moves", Value::Array(moves)),
            ("fen", last.map_or(Value::Null, |made| made.record.fen.as_str().into())),
            ("result", self.result.map_or(Value::Null, Value::from)),
        ])
    }
}

/// A move inside the list: what the list itself says is left out.
fn bare(mut entry: Object) -> Value {
    for key in ["schema", "board", "kind"] {
        entry.shift_remove(key);
    }
    Value::Object(entry)
}
