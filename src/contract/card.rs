//! The card an arbiter reads: the head in two seconds, the rest on opening it.
//!
//! There is one renderer, from the alert's JSON as a subscriber gets it, so that what a console
//! shows and what a replay prints cannot differ. Text from the wire is shown without control
//! characters; what is missing is left out.

mod diagram;

use serde_json::Value;

use super::alert::alert_document;
use crate::alerts::Alert;

/// Columns of a card.
const WIDTH: usize = 78;

/// The card as plain text, head first.
#[must_use]
pub fn card(alert: &Alert) -> String {
    card_from_json(&Value::Object(alert_document(alert)))
}

/// The card of an alert document as it comes from the broker.
#[must_use]
pub fn card_from_json(alert: &Value) -> String {
    let mut card = Card { out: String::new() };
    head(&mut card, alert);
    card.line(&"-".repeat(WIDTH));
    positions(&mut card, alert);
    to_do(&mut card, alert);
    action(&mut card, alert);
    circumstances(&mut card, alert);
    card.out
}

/// The text as it grows.
struct Card {
    out: String,
}

impl Card {
    fn line(&mut self, text: &str) {
        self.out.push_str(text.trim_end());
        self.out.push('\n');
    }

    /// A label and its text, wrapped under itself.
    fn entry(&mut self, label: &str, text: &str) {
        let indent = 13;
        let mut first = true;
        for row in wrap(text, WIDTH - indent) {
            let left = if first { label } else { "" };
            self.line(&format!("{left:indent$}{row}"));
            first = false;
        }
    }
}

/// `text` in rows of at most `width` characters, broken at blanks where there are any.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut rows = vec![String::new()];
    for word in text.split_whitespace() {
        let mut letters: Vec<char> = word.chars().collect();
        while !letters.is_empty() {
            let row = rows.len() - 1;
            let used = rows[row].chars().count();
            let gap = usize::from(used > 0);
            if used + gap + letters.len() <= width {
                rows[row].push_str(if gap == 1 { " " } else { "" });
                rows[row].extend(letters.drain(..));
            } else if used > 0 {
                rows.push(String::new());
            } else {
                rows[row].extend(letters.drain(..width));
            }
        }
    }
    rows
}

/// Text of a key, without control characters.
fn text(value: &Value) -> Option<String> {
    let clean = |raw: &str| raw.chars().map(|c| if c.is_control() { '?' } else { c }).collect::<String>();
    value.as_str().map(clean)
}

/// `text` with a capital.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// A moment of the recording as people read it: `1:02:03.4`.
fn moment(value: &Value) -> Option<String> {
    let ms = value.as_u64()?;
    let (h, m, s, tenth) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60, ms / 100 % 10);
    Some(format!("{h}:{m:02}:{s:02}.{tenth}"))
}

/// Both times of a clock: `White 1:02:03, Black 59:01`.
fn clock(value: &Value) -> Option<String> {
    let dial = |key: &str| {
        let ms = value[key].as_u64()?;
        Some(crate::tick::Dial::from_ms(u32::try_from(ms).ok()?).text())
    };
    Some(format!("White {}, Black {}", dial("white_ms")?, dial("black_ms")?))
}

fn head(card: &mut Card, alert: &Value) {
    let part = |name: &str| {
        let parts = alert["head"].as_array()?;
        text(&parts.iter().find(|part| part["part"] == name)?["text"])
    };
    let first: Vec<String> =
        ["table", "colour", "may"].iter().filter_map(|name| part(name)).map(|t| t.to_uppercase()).collect();
    for row in wrap(&first.join("  |  "), WIDTH) {
        card.line(&row);
    }
    for row in wrap(&capital(&part("what").unwrap_or_default()), WIDTH) {
        card.line(&row);
    }
    let mut third: Vec<String> = ["consequence", "certainty"].iter().filter_map(|name| part(name)).collect();
    match alert["notify"].as_str() {
        Some("silent") => third.push("silent until claimed".to_owned()),
        Some("after-window") => third.push("shown after its window had closed".to_owned()),
        _ => {}
    }
    for row in wrap(&third.join("  |  "), WIDTH) {
        card.line(&row);
    }
}

fn positions(card: &mut Card, alert: &Value) {
    let fen = |value: &Value| text(value).filter(|fen| !fen.is_empty());
    let last = fen(&alert["last_correct"]["fen"]);
    let restore = fen(&alert["restore"]["fen"]).filter(|fen| Some(fen) != last.as_ref());
    let found = fen(&alert["found"]["wood"]);
    let touched: Vec<String> = alert["restore"]["squares"]
        .as_array()
        .map(|squares| squares.iter().filter_map(|touch| text(&touch["square"])).collect())
        .unwrap_or_default();
    let mut boards = Vec::new();
    for (title, position, marked) in
        [("Last correct", &last, false), ("On the board", &found, true), ("To restore", &restore, false)]
    {
        let marks: &[String] = if marked { &touched } else { &[] };
        boards.extend(position.as_ref().and_then(|fen| diagram::diagram(title, fen, marks)));
    }
    for row in diagram::side_by_side(&boards) {
        card.line(&row);
    }
    if let Some(last) = last {
        let ply = alert["last_correct"]["ply"].as_u64().map_or(String::new(), |ply| format!(" (ply {ply})"));
        card.entry("Last correct", &format!("{last}{ply}"));
    }
    if let Some(side) = text(&alert["last_correct"]["to_move"]) {
        card.entry("To move", &capital(&side));
    }
    if let Some(restore) = restore {
        card.entry("Restore", &restore);
    }
    if !touched.is_empty() {
        card.entry("Touch (*)", &touched.join(" "));
    }
}

fn to_do(card: &mut Card, alert: &Value) {
    let steps = alert["steps"].as_array().map(Vec::as_slice).unwrap_or_default();
    for (number, step) in steps.iter().filter_map(text).enumerate() {
        let label = if number == 0 { "To do" } else { "" };
        card.entry(label, &format!("{}. {step}", number + 1));
    }
    let duty = &alert["replacement"];
    if duty["free"] == false {
        let legal: Vec<String> =
            duty["legal"].as_array().map(|moves| moves.iter().filter_map(text).collect()).unwrap_or_default();
        card.entry("Legal then", &legal.join(" "));
    }
}

fn action(card: &mut Card, alert: &Value) {
    let steps = alert["action"].as_array().map(Vec::as_slice).unwrap_or_default();
    /// Enough for any one incident; a burst is told by its number.
    const SHOWN: usize = 16;
    for (number, step) in steps.iter().take(SHOWN).enumerate() {
        let label = if number == 0 { "Happened" } else { "" };
        let when = moment(&step["t_ms"]).unwrap_or_default();
        let square = text(&step["square"]).unwrap_or_default();
        let what = match (text(&step["before"]), text(&step["after"])) {
            (Some(before), None) => format!("{before} lifted"),
            (None, Some(after)) => format!("{after} placed"),
            (Some(before), Some(after)) => format!("{after} in place of {before}"),
            (None, None) => "touched".to_owned(),
        };
        let struck = if step["struck"] == true { " (struck out)" } else { "" };
        card.entry(label, &format!("{when}  {square} {what}{struck}"));
    }
    if steps.len() > SHOWN {
        card.entry("", &format!("and {} more", steps.len() - SHOWN));
    }
    match moment(&alert["pressed_t_ms"]) {
        Some(when) => card.entry("Clock", &format!("pressed at {when}")),
        None => card.entry("Clock", "not pressed (tell nobody)"),
    }
    if let Some(order) = text(&alert["order"]["text"]) {
        card.entry("Order", &order);
    }
}

fn circumstances(card: &mut Card, alert: &Value) {
    let count = |side: &str| alert["offences"][side].as_u64().unwrap_or(0);
    card.entry("Offences", &format!("White {}, Black {} (upheld before)", count("white"), count("black")));
    let mut labelled = |label: &str, value: Option<String>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            card.entry(label, &value);
        }
    };
    labelled("Rules", text(&alert["regime"]).or_else(|| text(&alert["ruleset"])));
    labelled("Clock then", clock(&alert["clock_then"]));
    let counter = &alert["restore"]["counter"];
    labelled(
        "Counter",
        counter["white"]
            .as_u64()
            .zip(counter["black"].as_u64())
            .map(|(white, black)| format!("White {white}, Black {black} (moves completed then)")),
    );
    labelled("Clock now", clock(&alert["clock_now"]));
    labelled("Article", text(&alert["article"]));
    labelled("If upheld", text(&alert["what_if"]["upheld"]));
    labelled("If not", text(&alert["what_if"]["not"]));
    labelled("Result", text(&alert["result"]));
    labelled("Seen by", text(&alert["seen_by"]));
    labelled("Can mate", text(&alert["mating"]["text"]));
    labelled("Window", text(&alert["window"]["text"]));
    labelled("Repeats", text(&alert["repeats"]));
    labelled("Goes there", text(&alert["acknowledged"]["by"]));
    labelled("Zone", text(&alert["zone"]));
    labelled("Ruling", ruling(&alert["ruling"]));
    labelled("Protest", protest(&alert["ruling"]["protest"]));
    labelled("Restoring", text(&alert["restoring"]));
    for note in alert["notes"].as_array().map(Vec::as_slice).unwrap_or_default() {
        let from = text(&note["from"]).unwrap_or_default();
        labelled("Note", text(&note["what"]).map(|what| format!("{from}: {what}")));
    }
    let findings = alert["findings"].as_array().map(Vec::as_slice).unwrap_or_default();
    for other in findings.iter().skip(1) {
        let what = text(&other["what"]).unwrap_or_default();
        labelled("Also", text(&other["code"]).map(|code| format!("{code}: {what}")));
    }
    let records = match (alert["evidence"][0].as_u64(), alert["evidence"][1].as_u64()) {
        (Some(first), Some(last)) => format!(", journal records {first} to {last}"),
        _ => String::new(),
    };
    let sure = text(&alert["certainty"]).unwrap_or_default();
    labelled("Evidence", Some(format!("{sure}{records}")));
    let revision = alert["revision"].as_u64().unwrap_or(0);
    let id = text(&alert["id"]).unwrap_or_default();
    let state = text(&alert["state"]).unwrap_or_default();
    labelled("Alert", Some(format!("{id}, revision {revision}, {state}")));
}

fn ruling(value: &Value) -> Option<String> {
    let why = text(&value["why"]).map_or(String::new(), |why| format!(": {why}"));
    let penalty = match (text(&value["penalty"]["kind"]), value["penalty"]["seconds"].as_u64()) {
        (Some(_), Some(seconds)) => format!(", {seconds} s given"),
        (Some(kind), None) => format!(", penalty: {kind}"),
        (None, _) => String::new(),
    };
    Some(format!("{} by {}{penalty}{why}", text(&value["ruling"])?, text(&value["by"])?))
}

fn protest(value: &Value) -> Option<String> {
    let what = text(&value["what"]).map_or(String::new(), |what| format!(": {what}"));
    Some(format!("{}{what}", text(&value["player"])?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_are_broken_and_short_ones_kept_together() {
        assert_eq!(wrap("ab cd efghijkl", 5), ["ab cd", "efghi", "jkl"]);
        assert_eq!(wrap("", 5), [""]);
    }

    #[test]
    fn a_card_of_anything_is_a_card() {
        for odd in [Value::Null, serde_json::json!([]), serde_json::json!({"head": 3, "steps": {"a": 1}})] {
            assert!(card_from_json(&odd).contains("not pressed"));
        }
    }

    #[test]
    fn control_characters_do_not_reach_a_terminal() {
        let alert = serde_json::json!({"id": "x\u{1b}[2J", "article": "\n7.5"});
        assert!(card_from_json(&alert).chars().all(|c| c == '\n' || !c.is_control()));
    }
}
