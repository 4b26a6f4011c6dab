//! Restoring as it is published: hand movements, and the episode in the state of a board.

use serde_json::{Value, json};

use super::fields;
use crate::laws::HandMove;
use crate::table::EpisodeState;

/// Hand movements in their order: what, from where, to where (null: beside the board), and in words.
pub(super) fn movements(movements: &[HandMove]) -> Value {
    let one = |hand: &HandMove| {
        json!({
            "piece": hand.piece.map(|piece| piece.char().to_string()),
            "from": hand.from.map(|square| square.to_string()),
            "to": hand.to.map(|square| square.to_string()),
            "text": hand.text(),
        })
    };
    movements.iter().map(one).collect()
}

/// Moves completed by each side, as the clock counts them.
pub(super) fn counter((white, black): (u32, u32)) -> Value {
    json!({"white": white, "black": black})
}

/// A position being restored.
pub(super) fn episode(state: &EpisodeState) -> Value {
    json!({
        "alert": state.alert,
        "stage": state.stage.word(),
        "ply": state.ply,
        "fen": state.fen,
        "movements": movements(&state.movements),
        "total": state.total,
        "done": state.total.saturating_sub(state.movements.len()),
        "squares_left": state.squares_left,
        "clocks_proposed": fields::dials(state.clocks.dials),
        "clocks_text": state.clocks.text,
        "counter": counter(state.counter),
        "times_now": state.times_now.map(|times| times.word()),
        "since_t_ms": state.since.ms(),
    })
}
