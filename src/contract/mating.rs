//! The mating question of an alert and its answer, as a message and as a sentence.

use serde_json::{Value, json};
use shakmaty::Color;

use crate::alerts::Alert;
use crate::laws::color_name;
use crate::mating::{Answer, Impossible, Open, Proof, in_san};

/// `null` where nothing depends on it.
pub(super) fn mating(alert: &Alert) -> Value {
    let Some(ask) = &alert.advice.mating else { return Value::Null };
    let (word, text) = match &alert.mating {
        Some(answer) => (answer.verdict().word(), sentence(answer, ask.side, &ask.fen)),
        None => ("not-proven", "not proven: not answered yet".to_owned()),
    };
    let line = alert.mating.as_ref().and_then(|answer| match &answer.proof {
        Proof::Line(line) => Some(json!(line)),
        _ => None,
    });
    json!({
        "fen": ask.fen,
        "side": ask.side.to_string(),
        "answer": word,
        "text": format!("{}: {text}", color_name(ask.side)),
        "line": line,
        "nodes": alert.mating.as_ref().map(|answer| answer.nodes),
        "by": alert.mating.as_ref().and_then(|answer| answer.by.clone()),
    })
}

fn sentence(answer: &Answer, side: Color, fen: &str) -> String {
    match &answer.proof {
        Proof::Line(line) if line.is_empty() => "yes, it is mate".to_owned(),
        Proof::Line(line) => match in_san(fen, line) {
            Some(moves) => format!("yes, by {moves}"),
            None => format!("yes, in {} moves of both", line.len()),
        },
        Proof::Never(why) => {
            let name = color_name(side);
            match why {
                Impossible::Stalemate => "no: it is stalemate".to_owned(),
                Impossible::Mated => format!("no: {name} is mated"),
                Impossible::Material => "no: the pieces do not suffice".to_owned(),
                Impossible::Exhausted => {
                    format!("no: none of the {} positions that can still arise is mate", answer.nodes)
                }
                Impossible::Solver => {
                    format!("no: proven by {}", answer.by.as_deref().unwrap_or("the solver"))
                }
            }
        }
        Proof::Open(why) => {
            let why = match why {
                Open::Budget => "neither a line nor a proof was found",
                Open::NotLegal => "the position is not a legal one",
                Open::LineFails => "the solver's line does not mate",
                Open::Unanswered => "the solver did not look into it",
            };
            format!("not proven: {why}")
        }
    }
}
