//! The fields that messages and replay lines share, under the same names.

use serde_json::{Map, Value, json};
use shakmaty::{Color, Square};

use crate::game::{PlyKind, PlyRecord};
use crate::laws::{Finding, Unordered};
use crate::tick::{Dial, Tick};

/// A JSON object in writing order.
pub(super) type Object = Map<String, Value>;

/// `white` or `black`, or null.
pub(super) fn side(side: Option<Color>) -> Value {
    side.map_or(Value::Null, |side| side.to_string().into())
}

/// Square names.
pub(super) fn squares(squares: &[Square]) -> Value {
    squares.iter().map(|square| Value::from(square.to_string())).collect()
}

/// Milliseconds, or null.
pub(super) fn ms(at: Option<Tick>) -> Value {
    at.map_or(Value::Null, |at| at.ms().into())
}

/// Both times of a clock, or null.
pub(super) fn dials(dials: Option<(Dial, Dial)>) -> Value {
    dials.map_or(Value::Null, |(white, black)| json!({"white_ms": white.ms(), "black_ms": black.ms()}))
}

/// The object of entries, in their order.
pub(super) fn object<const N: usize>(entries: [(&str, Value); N]) -> Object {
    entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// What every finding carries: id to squares under the names of replay, then what happened.
pub(super) fn finding(finding: &Finding) -> Object {
    object([
        ("id", finding.id.as_str().into()),
        ("revision", finding.revision.into()),
        ("code", finding.code.name().into()),
        ("severity", finding.severity.word().into()),
        ("certainty", finding.certainty.word().into()),
        ("side", side(finding.side)),
        ("t_ms", finding.at.ms().into()),
        ("squares", squares(&finding.squares)),
        ("what", finding.what.as_str().into()),
    ])
}

/// That press and landing may have happened in either order.
pub(super) fn order(order: Unordered) -> (String, Value) {
    let text = order.text();
    let doc = json!({"apart_ms": order.apart.ms(), "within_ms": order.within.ms(), "text": text});
    ("order".to_owned(), doc)
}

/// Whether a ply is on the board without being a legal move.
pub(super) fn illegal(record: &PlyRecord) -> bool {
    record.kind == PlyKind::Illegal
}
