//! The JSON Lines that `jadoube replay --output jsonl` prints.

use serde_json::{Value, json};

use super::fields::{self, Object, object};
use crate::laws::Finding;
use crate::table::{MoveMade, Publish};
use crate::tick::Tick;

/// The line for one publication; `None` if replay does not print it.
#[must_use]
pub fn replay_line(publish: &Publish) -> Option<String> {
    Some(Value::Object(line(publish)?).to_string())
}

fn line(publish: &Publish) -> Option<Object> {
    let line = match publish {
        Publish::Shadowed(hidden) => {
            let mut line = line(hidden)?;
            line.insert("shadowed".to_owned(), true.into());
            line
        }
        // A finding is told at once, whatever the event's regulations say of its alert.
        Publish::Held(held) => return line(held),
        Publish::Move(made) => made_line(made),
        Publish::Retract { to_ply, at } => {
            object([("kind", "retract".into()), ("to_ply", (*to_ply).into()), ("t_ms", at.ms().into())])
        }
        Publish::Finding(finding) => finding_line(finding),
        Publish::Withdraw { id, at } => withdraw_line(id, *at),
        Publish::Alert(_) | Publish::State(_) | Publish::Response(_) | Publish::Calibration(_) => {
            return None;
        }
    };
    Some(line)
}

fn made_line(made: &MoveMade) -> Object {
    let record = &made.record;
    let mut line = object([
        ("kind", "move".into()),
        ("ply", made.ply.into()),
        ("revision", made.revision.into()),
        ("uci", record.uci.as_str().into()),
        ("t_ms", made.at.ms().into()),
    ]);
    if fields::illegal(record) {
        line.insert("legal".to_owned(), false.into());
    }
    if record.piece_assumed {
        line.insert("piece".to_owned(), "assumed".into());
    }
    if record.press_inferred {
        line.insert("press".to_owned(), "inferred".into());
    }
    if record.stories > 1 {
        line.insert("candidates".to_owned(), record.stories.into());
    }
    line.extend(object([
        ("san", record.san.as_str().into()),
        ("side", record.side.to_string().into()),
        ("by", record.by.word().into()),
        ("placed_t_ms", fields::ms(record.placed_at)),
        ("pressed_t_ms", fields::ms(record.pressed_at)),
        ("clock", fields::dials(record.dials)),
    ]));
    line
}

fn finding_line(finding: &Finding) -> Object {
    let facts = &finding.facts;
    let mut line = object([("kind", "finding".into())]);
    line.extend(fields::finding(finding));
    line.extend(object([
        ("game", facts.game.into()),
        ("ply", facts.ply.into()),
        ("last_correct", json!({"fen": facts.last_correct_fen, "ply": facts.last_correct_ply})),
        ("pressed_t_ms", fields::ms(facts.pressed_at)),
        ("evidence", json!([facts.evidence.0, facts.evidence.1])),
    ]));
    line
}

fn withdraw_line(id: &str, at: Tick) -> Object {
    object([("kind", "withdraw".into()), ("id", id.into()), ("t_ms", at.ms().into())])
}
