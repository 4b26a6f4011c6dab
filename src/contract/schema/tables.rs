//! The tables of docs/MQTT.md: topics, and the fields of each message.
//!
//! A table stands between `<!-- fields NAME -->` (or `<!-- topics -->`) and `<!-- end -->`; what else
//! is on the page is written by people.

use super::{CHANNELS, Field, Kind, MESSAGES, Message, Retained, Shape};

const END: &str = "<!-- end -->";

/// The page with its tables written anew. A mark that names no table leaves what follows it as it is.
#[must_use]
pub fn with_tables(page: &str) -> String {
    let (mut out, mut rest) = (String::new(), page);
    while let Some((before, after)) = rest.split_once("<!-- ") {
        out.push_str(before);
        out.push_str("<!-- ");
        rest = after;
        let Some((name, body)) = after.split_once(" -->\n") else { continue };
        let Some((_, end)) = body.split_once(END) else { continue };
        if let Some(table) = table(name) {
            out.push_str(&format!("{name} -->\n\n{table}\n{END}"));
            rest = end;
        }
    }
    out.push_str(rest);
    out
}

/// The table that a mark names: `topics`, `fields alert`, `fields state episode`.
fn table(mark: &str) -> Option<String> {
    let words: Vec<&str> = mark.split(' ').collect();
    let of_message = |name: &str| MESSAGES.iter().find(|message| message.name == name);
    match words[..] {
        ["topics"] => Some(topics()),
        ["fields", name] => Some(fields(of_message(name)?)),
        ["fields", name, part] => {
            let mut fields = of_message(name)?.forms.iter().flat_map(|form| form.fields());
            let field = fields.find(|field| field.name == part)?;
            let mut out = HEAD.to_owned();
            rows(&mut out, inside(field.kind)?.fields(), "");
            Some(out)
        }
        _ => None,
    }
}

const HEAD: &str = "| key | | meaning |\n| --- | --- | --- |\n";

fn topics() -> String {
    let mut out = String::from("| topic | retained | schema | what |\n| --- | --- | --- | --- |\n");
    for channel in CHANNELS {
        let retained = match channel.retained {
            Retained::Yes => "yes",
            Retained::WhileOpen => "while open",
            Retained::No => "no",
        };
        let named = |name: &&&str| {
            MESSAGES
                .iter()
                .find(|message| message.name == **name)
                .map(|message| format!("`{}`", message.schema()))
        };
        let schemas: Vec<String> = channel.messages.iter().filter_map(|name| named(&name)).collect();
        let path = channel.path.replace('{', "<").replace('}', ">");
        out.push_str(&format!("| `{path}` | {retained} | {} | {} |\n", schemas.join(", "), channel.about));
    }
    out.push_str(
        "| `arbiter/<board>/request/<verb>` | refused if retained | `jadoube.request/1` | what an arbiter asks \
         for: sent to the daemon |\n",
    );
    out
}

/// A form's rows, each form with its sentence where there are several.
fn fields(message: &Message) -> String {
    let mut out = String::new();
    for form in message.forms {
        if message.forms.len() > 1 {
            out.push_str(&format!("{}:\n\n", capital(form.about)));
        }
        out.push_str(HEAD);
        rows(&mut out, form.fields(), "");
        if message.forms.len() > 1 {
            out.push('\n');
        }
    }
    format!("{}\n", out.trim_end())
}

fn rows(out: &mut String, fields: impl Iterator<Item = &'static Field>, before: &str) {
    for field in fields {
        let name = format!("{before}{}", field.name);
        let mut kind = label(field.kind);
        if field.null {
            kind.push_str(" or null");
        }
        if field.may_miss {
            kind.push_str("; may be missing");
        }
        out.push_str(&format!("| `{name}` | {kind} | {} |\n", field.about));
        if let Kind::OneOf(shapes) = field.kind {
            for shape in shapes {
                rows(out, shape.fields(), &format!("{name}."));
            }
        }
        if let Some(shape) = inside(field.kind).filter(|shape| shape.rows) {
            let list = if matches!(field.kind, Kind::List(_)) { "[]" } else { "" };
            rows(out, shape.fields(), &format!("{name}{list}."));
        }
    }
}

/// The object that a field holds, or a list of which it holds.
fn inside(kind: Kind) -> Option<&'static Shape> {
    match kind {
        Kind::Object(shape) => Some(shape),
        Kind::List(Kind::Object(shape)) => Some(*shape),
        _ => None,
    }
}

fn label(kind: Kind) -> String {
    let words = |words: &[&str]| words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    match kind {
        Kind::Text => "text".to_owned(),
        Kind::Is(word) => format!("`{word}`"),
        Kind::Word(list) => words(list),
        Kind::Known(list) => format!("{}; more may come", words(list)),
        Kind::Code => "id of a finding".to_owned(),
        Kind::Fen => "FEN".to_owned(),
        Kind::Placement => "placement".to_owned(),
        Kind::Move => "move, as `e2e4`".to_owned(),
        Kind::Moves => "moves, as `e2e4`".to_owned(),
        Kind::Square => "square".to_owned(),
        Kind::Letter => "letter of a piece".to_owned(),
        Kind::Sensed => "letter of a piece, or `X`".to_owned(),
        Kind::Bool => "true or false".to_owned(),
        Kind::Yes => "`true`".to_owned(),
        Kind::No => "`false`".to_owned(),
        Kind::Count => "number".to_owned(),
        Kind::Ms => "ms".to_owned(),
        Kind::List(item) => format!("list: {}", label(*item)),
        Kind::Pair(item) => format!("list of two: {}", label(*item)),
        Kind::ByName(item) => format!("by name: {}", label(*item)),
        Kind::OneOf(shapes) => {
            let names: Vec<&str> = shapes.iter().map(|shape| shape.name).collect();
            format!("object: {}", names.join(", "))
        }
        Kind::Object(shape) if shape.rows => "object".to_owned(),
        Kind::Object(shape) => {
            let names: Vec<&str> = shape.fields().map(|field| field.name).collect();
            format!("object of {}", words(&names))
        }
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
