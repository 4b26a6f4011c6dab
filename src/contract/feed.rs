//! The retained list of a game: what a broadcast shows to somebody who has just joined.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::delay::Item;
use super::fields::{Object, object};
use super::message::{Draft, played};
use crate::alerts::Pairing;
use crate::events::BoardId;
use crate::game::PlyKind;
use crate::table::MoveMade;
use crate::tick::Tick;

/// The game of one board as the public may see it.
#[derive(Clone, Debug)]
pub struct GameFeed {
    board: BoardId,
    moves: BTreeMap<u32, MoveMade>,
    result: Option<&'static str>,
    began: Option<Tick>,
    start: Option<String>,
    pairing: Pairing,
}

impl GameFeed {
    /// No game yet.
    #[must_use]
    pub fn new(board: BoardId) -> Self {
        GameFeed {
            board,
            moves: BTreeMap::new(),
            result: None,
            began: None,
            start: None,
            pairing: Pairing::default(),
        }
    }

    /// Takes in what has become public; whether it changed the game.
    pub fn show(&mut self, item: &Item) -> bool {
        match item {
            Item::Begin { at, start, pairing } => {
                *self = GameFeed {
                    began: Some(*at),
                    start: start.clone(),
                    pairing: pairing.clone(),
                    ..GameFeed::new(self.board.clone())
                };
            }
            Item::Pairing(pairing) => self.pairing.clone_from(pairing),
            Item::Made(made) => {
                self.began.get_or_insert(made.at);
                self.moves.insert(made.ply, (**made).clone());
            }
            Item::Retract { to_ply, .. } => {
                let gone = self.moves.split_off(&to_ply.saturating_add(1));
                let ended = self.result.take().is_some();
                return !gone.is_empty() || ended;
            }
            Item::Result(result) => {
                return std::mem::replace(&mut self.result, *result) != *result;
            }
        }
        true
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &BoardId {
        &self.board
    }

    /// The plies, null ones too, in order.
    pub fn plies(&self) -> impl Iterator<Item = &MoveMade> {
        self.moves.values()
    }

    /// The result as scores, `1-0`, `0-1` or `1/2-1/2`, once an arbiter or the play has settled it.
    #[must_use]
    pub fn result(&self) -> Option<&'static str> {
        self.result
    }

    /// When its first move was made.
    #[must_use]
    pub fn began(&self) -> Option<Tick> {
        self.began
    }

    /// The position it began with, as a FEN, where that was told.
    #[must_use]
    pub fn start(&self) -> Option<&str> {
        self.start.as_deref()
    }

    /// The retained message.
    #[must_use]
    pub fn draft(&self) -> Draft {
        Draft { path: format!("broadcast/{}/game", self.board), retain: true, body: Some(self.body()) }
    }

    /// Who plays, by tokens; the shell knows the names.
    #[must_use]
    pub fn pairing(&self) -> &Pairing {
        &self.pairing
    }

    fn pairing_document(&self) -> Value {
        match &self.pairing {
            Pairing { white: None, black: None } => Value::Null,
            Pairing { white, black } => json!({"white": white, "black": black}),
        }
    }

    fn body(&self) -> Object {
        let shown = || self.moves.values().filter(|made| made.record.kind != PlyKind::Null);
        let moves: Vec<Value> = shown().filter_map(|made| played(made, &self.board)).map(bare).collect();
        let last = shown().next_back();
        object([
            ("schema", "jadoube.game/1".into()),
            ("board", self.board.as_str().into()),
            ("pairing", self.pairing_document()),
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
