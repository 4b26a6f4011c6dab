//! One incident as a page of its own: it opens without a network, replays what the board and clock
//! said with what was shown and ruled, and can be read printed and without a script.

mod svg;

use serde_json::{Value, json};

use super::alert::alert_document;
use super::card::capital;
use super::report::{Incident, Line, ruling};
use crate::tick::Dial;
use svg::{board, pieces};

const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// What was so from a moment on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// When, UTC.
    pub when: String,
    /// Milliseconds since the journal began.
    pub t_ms: u64,
    /// What it is: `board`, `clock`, `shown` or `entered`.
    pub kind: &'static str,
    /// What happened, in words.
    pub text: String,
    /// What stands on the board, players' frame.
    pub placement: String,
    /// The clock: White, Black.
    pub dials: Option<(Dial, Dial)>,
}

/// The page. `about` is who made it from what, as label and text.
#[must_use]
pub fn incident_page(incident: &Incident, frames: &[Frame], about: &[(&str, String)]) -> String {
    let (alert, primary) = (&incident.alert, incident.alert.primary());
    let what = escaped(&capital(&primary.what));
    let head = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{}\n",
        escaped(&alert.id),
        pieces(),
    );
    let mut out = head;
    out.push_str(&format!("<header>\n<p class=\"id\">{}</p>\n<h1>{what}</h1>\n", escaped(&alert.id)));
    out.push_str(&format!("<p class=\"ruling\">Ruling: {}</p>\n</header>\n", escaped(&ruling(alert))));
    out.push_str(&player(frames));
    out.push_str("<section>\n<h2>Positions</h2>\n<div class=\"boards\">\n");
    let facts = &primary.facts;
    let restore = alert.advice.restore.as_ref().map(|restore| restore.fen.as_str());
    for (title, fen) in [
        ("Last correct", Some(facts.last_correct_fen.as_str())),
        ("On the board when it was found", Some(facts.wood.as_str())),
        ("Proposed to restore", restore.filter(|fen| *fen != facts.last_correct_fen)),
    ] {
        let Some(fen) = fen.filter(|fen| !fen.is_empty()) else { continue };
        let drawn = board(fen.split(' ').next().unwrap_or_default());
        out.push_str(&format!("<figure>{drawn}<figcaption>{title}</figcaption></figure>\n"));
    }
    out.push_str("</div>\n</section>\n");
    out.push_str(&facts_of(incident));
    out.push_str(&lines("What was shown", &incident.shown));
    out.push_str(&lines("What was entered", &incident.entered));
    out.push_str(&happened(frames));
    let rows: String = about.iter().map(|(label, text)| row(label, text)).collect();
    out.push_str(&format!("<section>\n<h2>Evidence</h2>\n<table>\n{rows}</table>\n</section>\n"));
    out.push_str(&format!("<script>\nconst frames = {};\n{SCRIPT}</script>\n", data(frames)));
    out.push_str("</body>\n</html>\n");
    out
}

/// The board that moves. Without a script it shows how it ended.
fn player(frames: &[Frame]) -> String {
    let last = frames.last();
    let placement = last.map_or("8/8/8/8/8/8/8/8", |frame| frame.placement.as_str());
    let (text, when) = last.map_or(("", ""), |frame| (frame.text.as_str(), frame.when.as_str()));
    format!(
        "<section id=\"player\" data-placement=\"{}\">\n<h2>Replay</h2>\n<div class=\"stage\">\n\
         <div id=\"board\">{}</div>\n<div class=\"side\">\n\
         <p class=\"clock\"><span>Black</span> <b id=\"black\">–</b></p>\n\
         <p class=\"clock\"><span>White</span> <b id=\"white\">–</b></p>\n\
         <p id=\"when\">{}</p>\n<p id=\"text\">{}</p>\n\
         <p class=\"controls\"><button id=\"back\" type=\"button\" aria-label=\"One step back\">‹</button>\n\
         <button id=\"play\" type=\"button\">Play</button>\n\
         <button id=\"on\" type=\"button\" aria-label=\"One step on\">›</button></p>\n\
         <input id=\"slider\" class=\"controls\" type=\"range\" min=\"0\" max=\"{}\" value=\"{}\" aria-label=\"Moment\">\n\
         </div>\n</div>\n</section>\n",
        escaped(placement),
        board(placement),
        escaped(when),
        escaped(text),
        frames.len().saturating_sub(1),
        frames.len().saturating_sub(1),
    )
}

fn facts_of(incident: &Incident) -> String {
    let document = Value::Object(alert_document(&incident.alert));
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let clock = |value: &Value| {
        let dial = |key: &str| u32::try_from(value[key].as_u64()?).ok().map(|ms| Dial::from_ms(ms).text());
        Some(format!("White {}, Black {}", dial("white_ms")?, dial("black_ms")?))
    };
    let (alert, facts) = (&incident.alert, &incident.alert.primary().facts);
    let steps: Vec<&str> = alert.advice.steps.iter().map(String::as_str).collect();
    let findings: Vec<String> =
        alert.findings.iter().skip(1).map(|other| format!("{}: {}", other.code.name(), other.what)).collect();
    let entries = [
        ("Board", Some(format!("{}, game {}, ply {}", alert.board, facts.game, facts.ply))),
        ("Player", Some(facts_side(alert))),
        ("Found", Some(format!("{} UTC", incident.found))),
        ("Also", Some(findings.join("; "))),
        ("How sure", text(&document["certainty"])),
        ("Clock then", clock(&document["clock_then"])),
        ("Clock when found", clock(&document["clock_now"])),
        ("Offences before", Some(format!("White {}, Black {}", alert.offences.0, alert.offences.1))),
        ("Rules", Some(alert.regime.clone())),
        ("Proposed", Some(alert.advice.consequence.clone())),
        ("Article", alert.advice.article.clone()),
        ("To do", Some(steps.join("; "))),
        ("Can mate", text(&document["mating"]["text"])),
        ("Ruling", Some(ruling(alert))),
    ];
    let rows: String = entries
        .into_iter()
        .filter_map(|(label, text)| Some(row(label, &text.filter(|text| !text.is_empty())?)))
        .collect();
    format!("<section>\n<h2>The alert</h2>\n<table>\n{rows}</table>\n</section>\n")
}

fn facts_side(alert: &crate::alerts::Alert) -> String {
    alert.primary().side.map_or_else(|| "nobody named".to_owned(), |side| capital(&side.to_string()))
}

fn row(label: &str, text: &str) -> String {
    format!("<tr><th>{}</th><td>{}</td></tr>\n", escaped(label), escaped(text))
}

fn lines(title: &str, lines: &[Line]) -> String {
    let rows: String = lines.iter().map(|line| row(&line.when, &line.text)).collect();
    let rows = if rows.is_empty() { row("", "nothing") } else { rows };
    format!("<section>\n<h2>{title}</h2>\n<table>\n{rows}</table>\n</section>\n")
}

fn happened(frames: &[Frame]) -> String {
    let mut rows = String::new();
    for (number, frame) in frames.iter().enumerate() {
        let clock = frame
            .dials
            .map_or(String::new(), |(white, black)| format!("{} – {}", white.text(), black.text()));
        rows.push_str(&format!(
            "<tr class=\"of-{}\" data-frame=\"{number}\"><th>{}</th><td>{}</td><td>{clock}</td></tr>\n",
            frame.kind,
            escaped(&frame.when),
            escaped(&frame.text),
        ));
    }
    format!(
        "<section>\n<h2>What happened</h2>\n<table id=\"happened\">\n<thead><tr><th>UTC</th><th>what</th>\
         <th>White – Black</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</section>\n"
    )
}

/// What the script replays. Nothing in it can end the script's element.
fn data(frames: &[Frame]) -> String {
    let all: Value = frames
        .iter()
        .map(|frame| {
            json!({
                "when": frame.when,
                "t": frame.t_ms,
                "text": frame.text,
                "placement": frame.placement,
                "white": frame.dials.map(|(white, _)| white.text()),
                "black": frame.dials.map(|(_, black)| black.text()),
            })
        })
        .collect();
    all.to_string().replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// Text inside HTML, without control characters.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}
