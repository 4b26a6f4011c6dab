//! JSON Schemas (draft 2020-12) of messages and requests.
//!
//! What is given away is open: unknown fields and, where more may come, unknown words are allowed,
//! because they come without a new version. The strict form is for our own tests. Only keywords are
//! used that mean the same in draft 7, which the AsyncAPI document needs.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Field, Kind, MESSAGES, Message, REQUEST, Shape};
use crate::alerts::{
    CHOICES, COMMON, Key, KeyKind, LIST_MAX, NUMBER_MAX, OF_THE_EVENT, TEXT_MAX, VERBS, VerbShape,
};
use crate::laws::{RULES, RuleSet};

/// How a schema is written.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// Whether what is not listed is refused.
    pub(super) strict: bool,
    /// What comes before the name of a shape in a reference.
    pub(super) refs: &'static str,
}

const FILE: Style = Style { strict: false, refs: "#/$defs/" };
const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Shapes that a schema refers to, by name.
pub(super) type Shapes = BTreeMap<&'static str, Value>;

/// Every file below `schemas/` and what it holds.
#[must_use]
pub fn schemas() -> Vec<(String, Value)> {
    let messages = MESSAGES
        .iter()
        .map(|message| (format!("{}-{}.json", message.name, message.version), schema(message)));
    let requests = VERBS.iter().map(|verb| (format!("request/{}-1.json", verb.name), request_schema(verb)));
    messages.chain(requests).collect()
}

/// The schema of a message, for those who read it.
#[must_use]
pub fn schema(message: &Message) -> Value {
    whole(message, FILE)
}

/// The same, refusing what is not listed: for tests of what is published.
#[must_use]
pub fn strict_schema(message: &Message) -> Value {
    whole(message, Style { strict: true, ..FILE })
}

fn whole(message: &Message, style: Style) -> Value {
    let mut shapes = Shapes::new();
    let body = message_schema(message, style, &mut shapes);
    let mut out = Map::new();
    out.insert("$schema".to_owned(), DRAFT.into());
    out.insert("$id".to_owned(), format!("urn:jadoube:{}:{}", message.name, message.version).into());
    out.extend(body);
    if !shapes.is_empty() {
        out.insert("$defs".to_owned(), by_name(shapes));
    }
    Value::Object(out)
}

pub(super) fn by_name(shapes: Shapes) -> Value {
    Value::Object(shapes.into_iter().map(|(name, shape)| (name.to_owned(), shape)).collect())
}

/// The schema of a message without a head; the shapes it refers to are added to `shapes`.
pub(super) fn message_schema(message: &Message, style: Style, shapes: &mut Shapes) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("title".to_owned(), message.schema().into());
    out.insert("description".to_owned(), message.about.into());
    let named = json!({"const": message.schema(), "description": "name and version of this message"});
    let mut form =
        |form: &'static Shape| object(Some(("schema", named.clone())), message.sent(form), style, shapes);
    match message.forms {
        [one] => out.extend(form(one)),
        several => {
            out.insert("type".to_owned(), "object".into());
            let each = several.iter().map(|shape| {
                let mut body = form(shape);
                body.insert("description".to_owned(), shape.about.into());
                Value::Object(body)
            });
            out.insert("oneOf".to_owned(), each.collect());
        }
    }
    out
}

fn object<'a>(
    first: Option<(&str, Value)>,
    fields: impl Iterator<Item = &'a Field>,
    style: Style,
    shapes: &mut Shapes,
) -> Map<String, Value> {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    if let Some((name, schema)) = first {
        properties.insert(name.to_owned(), schema);
        required.push(Value::from(name));
    }
    for field in fields {
        properties.insert(field.name.to_owned(), property(field, style, shapes));
        if !field.may_miss {
            required.push(field.name.into());
        }
    }
    let mut out = Map::new();
    out.insert("type".to_owned(), "object".into());
    out.insert("properties".to_owned(), Value::Object(properties));
    out.insert("required".to_owned(), Value::Array(required));
    if style.strict {
        out.insert("additionalProperties".to_owned(), false.into());
    }
    out
}

fn property(field: &Field, style: Style, shapes: &mut Shapes) -> Value {
    let mut about = field.about.to_owned();
    if let Kind::Known(words) = field.kind {
        about.push_str(&format!(" ({} so far; more may come)", words.join(", ")));
    }
    let mut out = Map::new();
    out.insert("description".to_owned(), about.into());
    let schema = of_kind(field.kind, style, shapes);
    // Beside a reference nothing else is read in draft 7.
    match (field.null, matches!(field.kind, Kind::Object(_))) {
        (true, _) => {
            out.insert("anyOf".to_owned(), json!([schema, {"type": "null"}]));
        }
        (false, true) => {
            out.insert("allOf".to_owned(), json!([schema]));
        }
        (false, false) => {
            if let Value::Object(schema) = schema {
                out.extend(schema);
            }
        }
    }
    Value::Object(out)
}

fn of_kind(kind: Kind, style: Style, shapes: &mut Shapes) -> Value {
    let text = |pattern: &str| json!({"type": "string", "pattern": pattern});
    match kind {
        Kind::Text => json!({"type": "string"}),
        Kind::Is(word) => json!({"const": word}),
        Kind::Word(words) => json!({"enum": words}),
        Kind::Known(words) if style.strict => json!({"enum": words}),
        Kind::Known(words) => json!({"type": "string", "examples": words}),
        Kind::Code if style.strict => json!({"enum": codes()}),
        Kind::Code => text("^[a-z0-9]+(-[a-z0-9]+)*$"),
        Kind::Fen => text(FEN),
        Kind::Placement => text(PLACEMENT),
        Kind::Move => text("^[a-h][1-8][a-h][1-8][qrbnk]?$"),
        Kind::Moves => text("^[a-h][1-8][a-h][1-8][qrbnk]?( [a-h][1-8][a-h][1-8][qrbnk]?)*$"),
        Kind::Square => text(SQUARE),
        Kind::Letter => text("^[KQRBNPkqrbnp]$"),
        Kind::Sensed => text("^[KQRBNPkqrbnpX]$"),
        Kind::Bool => json!({"type": "boolean"}),
        Kind::Yes => json!({"const": true}),
        Kind::No => json!({"const": false}),
        Kind::Count | Kind::Ms => json!({"type": "integer", "minimum": 0}),
        Kind::List(item) => json!({"type": "array", "items": of_kind(*item, style, shapes)}),
        Kind::Pair(item) => {
            json!({"type": "array", "items": of_kind(*item, style, shapes), "minItems": 2, "maxItems": 2})
        }
        Kind::ByName(item) => {
            json!({"type": "object", "additionalProperties": of_kind(*item, style, shapes)})
        }
        Kind::OneOf(shapes_of) => {
            let each: Vec<Value> =
                shapes_of.iter().map(|shape| of_kind(Kind::Object(shape), style, shapes)).collect();
            json!({"oneOf": each})
        }
        Kind::Object(shape) => {
            let mut body = object(None, shape.fields(), style, shapes);
            body.insert("description".to_owned(), shape.about.into());
            shapes.insert(shape.name, Value::Object(body));
            json!({"$ref": format!("{}{}", style.refs, shape.name)})
        }
    }
}

const SQUARE: &str = "^[a-h][1-8]$";
/// X is a piece that the board does not tell apart.
const PLACEMENT: &str = "^[1-8KQRBNPkqrbnpX]+(/[1-8KQRBNPkqrbnpX]+){7}$";
const FEN: &str =
    "^[1-8KQRBNPkqrbnp]+(/[1-8KQRBNPkqrbnp]+){7} [wb] (-|[A-Ha-hKQkq]+) (-|[a-h][36]) [0-9]+ [0-9]+$";
/// Not blank, and without control characters.
const WORDS: &str = "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\u0000-\\u001f\\u007f-\\u009f\\s][^\\u0000-\\u001f\\u007f-\\u009f]*$";

fn codes() -> Vec<&'static str> {
    RULES.iter().map(|rule| rule.name).collect()
}

/// The schema of a request, as strict as the daemon is about each key. What keys say of each other, the
/// daemon alone looks at.
#[must_use]
pub fn request_schema(verb: &VerbShape) -> Value {
    let mut out = Map::new();
    out.insert("$schema".to_owned(), DRAFT.into());
    out.insert("$id".to_owned(), format!("urn:jadoube:request:{}:1", verb.name).into());
    out.extend(request_body(verb));
    Value::Object(out)
}

pub(super) fn request_body(verb: &VerbShape) -> Map<String, Value> {
    let mut properties = Map::new();
    let named = json!({"const": REQUEST, "description": "may be left out"});
    properties.insert("schema".to_owned(), named);
    let mut required = Vec::new();
    for key in COMMON.iter().chain(verb.keys) {
        properties.insert(key.name.to_owned(), request_key(key));
        if key.needed {
            required.push(key.name.into());
        }
    }
    let mut out = Map::new();
    out.insert("title".to_owned(), format!("request {}", verb.name).into());
    out.insert("description".to_owned(), verb.about.into());
    out.insert("type".to_owned(), "object".into());
    out.insert("properties".to_owned(), Value::Object(properties));
    out.insert("required".to_owned(), Value::Array(required));
    out.insert("additionalProperties".to_owned(), false.into());
    if CHOICES.contains(&verb.name) {
        let given =
            |key: &Key| json!({"required": [key.name], "properties": {key.name: {"not": {"type": "null"}}}});
        out.insert("oneOf".to_owned(), verb.keys.iter().map(given).collect());
    }
    out
}

/// What a text of a request must be.
fn words() -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("minLength".to_owned(), 1.into());
    out.insert("maxLength".to_owned(), TEXT_MAX.into());
    out.insert("pattern".to_owned(), WORDS.into());
    out
}

/// A key that may be left out may as well be null.
fn request_key(key: &Key) -> Value {
    let typed = |name: &str| if key.needed { json!(name) } else { json!([name, "null"]) };
    let one_of = |words: &[&'static str]| {
        let words = words.iter().map(|word| Value::from(*word));
        let null = (!key.needed).then_some(Value::Null);
        json!({"enum": words.chain(null).collect::<Vec<_>>()})
    };
    let mut out = match key.kind {
        KeyKind::Word(words) => one_of(words),
        KeyKind::Code => one_of(&codes()),
        KeyKind::Square => json!({"type": typed("string"), "pattern": SQUARE}),
        KeyKind::Count => json!({"type": typed("integer"), "minimum": 0, "maximum": NUMBER_MAX}),
        KeyKind::Text | KeyKind::Fen => {
            let mut out = words();
            out.insert("type".to_owned(), typed("string"));
            Value::Object(out)
        }
        KeyKind::RuleSet => {
            let keys = RuleSet::ALL.iter().map(|set| set.key);
            one_of(&keys.chain([OF_THE_EVENT]).collect::<Vec<_>>())
        }
        KeyKind::Moment => json!({"type": typed("integer"), "minimum": 0}),
        KeyKind::Counts => json!({
            "type": typed("array"),
            "items": {"type": "integer", "minimum": 1, "maximum": NUMBER_MAX},
            "maxItems": LIST_MAX,
        }),
    };
    out["description"] = key.about.into();
    out
}
