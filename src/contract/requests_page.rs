//! `docs/REQUESTS.md`, written from the list of verbs.

use crate::alerts::{CHOICES, COMMON, Key, KeyKind, VERBS};

/// The page, in Markdown.
#[must_use]
pub fn requests_page() -> String {
    let mut out = String::from(
        "# Requests\n\nWritten from the list of verbs in `src/alerts/request/list.rs`; a test keeps it \
         equal. How a request is sent and answered stands in [MQTT.md](MQTT.md#requests).\n\nEach is a JSON \
         object on `arbiter/<board>/request/<verb>` with the keys of its verb and those of every request; \
         `schema` may be added, any other key is refused. What may be left out may also be null.\n\n\
         | key | | what |\n| --- | --- | --- |\n",
    );
    COMMON.iter().for_each(|key| out.push_str(&row(key, false)));
    for verb in VERBS {
        out.push_str(&format!("\n## {}\n\n{}.\n", verb.name, capital(verb.about)));
        if !verb.keys.is_empty() {
            out.push_str("\n| key | | what |\n| --- | --- | --- |\n");
        }
        for key in verb.keys {
            out.push_str(&row(key, CHOICES.contains(&verb.name)));
        }
    }
    out
}

fn row(key: &Key, choice: bool) -> String {
    let kind = match key.kind {
        KeyKind::Text => "text".to_owned(),
        KeyKind::Word(words) => words.join(", "),
        KeyKind::Code => "id of a finding, see [RULES.md](RULES.md)".to_owned(),
        KeyKind::Square => "square, as `e4`".to_owned(),
        KeyKind::Count => "whole number".to_owned(),
        KeyKind::Counts => "list of whole numbers".to_owned(),
        KeyKind::Fen => "FEN".to_owned(),
        KeyKind::RuleSet => "rule set or `event`".to_owned(),
        KeyKind::Moment => "milliseconds".to_owned(),
    };
    let needed = match (choice, key.needed) {
        (true, _) => "this or another: ",
        (false, true) => "",
        (false, false) => "may be left out: ",
    };
    format!("| `{}` | {needed}{kind} | {} |\n", key.name, key.about)
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
