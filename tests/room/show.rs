//! Failures as people read them: events and outputs side by side around the first difference.

use super::check::Failure;
use super::drive::Line;
use super::game::Session;
use super::sense::{Kind, Row};

fn row(r: &Row) -> String {
    match &r.kind {
        Kind::Meta(text) => text.clone(),
        Kind::Board(fen) => format!("dump {fen}"),
        Kind::Square(sq, None) => format!("{sq} ."),
        Kind::Square(sq, Some(c)) => format!("{sq} {c}"),
        Kind::Clock(c) => {
            let [w, b] = c.dials.map(|d| d / 1_000);
            let runs = c.running.map_or("stands", |s| s.fold_wb("W runs", "B runs"));
            format!("clock {w} {b} {runs}, {} down", c.down.char())
        }
        Kind::Link(up) => format!("link {}", if *up { "up" } else { "down" }),
    }
}

/// What was said and concluded from `from` to `to`.
pub fn excerpt(session: &Session, lines: &[Line], from: i64, to: i64) -> String {
    let mut all: Vec<(i64, u8, String)> = Vec::new();
    for r in session.rows.iter().filter(|r| r.t >= from && r.t <= to) {
        all.push((r.t, 0, format!("{:>9}  {}", r.t, row(r))));
    }
    for l in lines.iter().filter(|l| l.t >= from && l.t <= to) {
        let v = &l.value;
        let text = match v["kind"].as_str() {
            Some("move") => format!(
                "{}. {} by {}{}",
                v["ply"],
                v["uci"].as_str().unwrap_or_default(),
                v["by"].as_str().unwrap_or_default(),
                if v["legal"] == false { " NOT LEGAL" } else { "" }
            ),
            Some("retract") => format!("retract to {}", v["to_ply"]),
            Some("finding") => format!(
                "{} {} {}: {}",
                v["code"].as_str().unwrap_or_default(),
                v["severity"].as_str().unwrap_or_default(),
                v["side"].as_str().unwrap_or("-"),
                v["what"].as_str().unwrap_or_default()
            ),
            _ => l.text.clone(),
        };
        all.push((l.t, 1, format!("{:>9}                              => {text}", l.t)));
    }
    for p in session.truth.plies.iter().filter(|p| p.begun >= from && p.begun <= to) {
        let pressed = p.pressed.map_or("never".to_owned(), |t| t.to_string());
        all.push((
            p.begun,
            2,
            format!("{:>9}  TRUTH {} placed {} pressed {pressed}", p.begun, p.uci, p.placed),
        ));
    }
    for i in session.truth.incidents.iter().filter(|i| i.from >= from && i.from <= to) {
        all.push((i.from, 2, format!("{:>9}  TRUTH {} {}", i.from, i.kind, i.note)));
    }
    all.sort_by_key(|(t, k, _)| (*t, *k));
    all.into_iter().map(|(_, _, text)| text).collect::<Vec<_>>().join("\n")
}

/// A failure with its seed and how to see it again.
pub fn failure(session: &Session, lines: &[Line], f: &Failure) -> String {
    let p = &session.plan;
    format!(
        "{:?} seed {}: {}\n  {}\n  {:?} {}+{} {:?}, fault {:?}, {:?}\nagain: JADOUBE_SEED={} cargo test --test simulate_room {}\n{}\n",
        p.profile,
        p.seed,
        f.class,
        f.detail,
        p.pace,
        p.base_s,
        p.inc_s,
        p.sensors,
        p.fault,
        session.truth.notes,
        p.seed,
        format!("{:?}", p.profile).to_lowercase(),
        excerpt(session, lines, f.t - 9_000, f.t + 7_000)
    )
}
