//! The `report` of an answer: what a sentence does not hold.

use serde_json::{Value, json};

use super::claim::claim_document;
use super::fields::{self, Object, object};
use crate::alerts::{ContactsShown, GameSummary, Report};

/// The whole report.
pub(super) fn report_document(report: &Report) -> Object {
    match report {
        Report::Claim(claim) => claim_document(claim),
        Report::Contacts(shown) => contacts(shown),
        Report::Games(games) => object([("games", games.iter().map(game).collect())]),
    }
}

fn contacts(shown: &ContactsShown) -> Object {
    let letter = |letter: &Option<char>| letter.map(String::from);
    let contacts: Value = shown
        .contacts
        .iter()
        .map(|(at, square, before, after)| {
            json!({
                "t_ms": at.ms(),
                "square": square.to_string(),
                "before": letter(before),
                "after": letter(after),
            })
        })
        .collect();
    let presses: Value =
        shown.presses.iter().map(|(at, side)| json!({"t_ms": at.ms(), "side": side.to_string()})).collect();
    object([
        ("from_t_ms", shown.from.ms().into()),
        ("to_t_ms", shown.to.ms().into()),
        ("contacts", contacts),
        ("presses", presses),
        ("left_out", shown.left_out.into()),
    ])
}

fn game(game: &GameSummary) -> Value {
    json!({
        "game": game.game,
        "began_t_ms": fields::ms(game.began),
        "plies": game.plies,
        "result": game.result,
        "offences": {"white": game.offences.0, "black": game.offences.1},
    })
}
