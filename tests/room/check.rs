//! The judges: alerts against what was done, moves against what was played.

use super::drive::{Feeding, Line, feeding};
use super::game::Session;
use super::truth::Incident;

/// Something the product got wrong.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What kind of mistake, to sort by.
    pub class: String,
    pub detail: String,
    pub t: i64,
}

struct Alarm<'a> {
    t: i64,
    code: &'a str,
    side: Option<&'a str>,
    severity: &'a str,
    used: bool,
}

fn alarms(lines: &[Line]) -> Vec<Alarm<'_>> {
    let mut out = Vec::new();
    for line in lines {
        let v = &line.value;
        let severity = v["severity"].as_str().unwrap_or_default();
        if v["kind"] != "finding" || !matches!(severity, "act" | "check") || v["revision"] != 0 {
            continue;
        }
        let withdrawn = lines.iter().any(|w| {
            w.value["kind"] == "withdraw" && w.value["id"] == v["id"] && (0..=1_000).contains(&(w.t - line.t))
        });
        if !withdrawn {
            let (code, side) = (v["code"].as_str().unwrap_or_default(), v["side"].as_str());
            out.push(Alarm { t: line.t, code, side, severity, used: false });
        }
    }
    out
}

/// All that the product got wrong in this session.
pub fn check(session: &Session, lines: &[Line]) -> Vec<Failure> {
    let mut out = Vec::new();
    let mut alarms = alarms(lines);
    for incident in &session.truth.incidents {
        one_alert(session, incident, &mut alarms, &mut out);
    }
    for alarm in alarms.iter().filter(|a| !a.used) {
        let beside = session.truth.incidents.iter().any(|i| {
            i.beside.contains(&alarm.code) && alarm.t >= i.from - 100 && alarm.t <= i.until + session.lag
        });
        // What the players do after something irregular, as far as it calls for the arbiter.
        let follows = matches!(alarm.code, "clock-paused" | "premature-result")
            && session.truth.incidents.iter().any(|i| i.from <= alarm.t);
        if !beside && !follows {
            out.push(Failure {
                class: format!("false {}", alarm.code),
                detail: format!(
                    "{} {} at {} names nothing that happened",
                    alarm.severity, alarm.code, alarm.t
                ),
                t: alarm.t,
            });
        }
    }
    out.extend(moves(session, lines));
    out.extend(clocks_set(session, lines));
    out.extend(frame(session, lines));
    out.sort_by_key(|f| f.t);
    out
}

fn one_alert(s: &Session, incident: &Incident, alarms: &mut [Alarm<'_>], out: &mut Vec<Failure>) {
    let side = incident.side.map(|c| c.fold_wb("white", "black"));
    let mut found = 0;
    for alarm in alarms.iter_mut() {
        let fits = !alarm.used
            && incident.codes.contains(&alarm.code)
            && (incident.from - 100..=incident.until + s.lag).contains(&alarm.t);
        if !fits {
            continue;
        }
        alarm.used = true;
        found += 1;
        let mut wrong = |class: String, detail: String| {
            out.push(Failure { class, detail, t: incident.from });
        };
        let what = format!("{}: {} at {}", incident.kind, alarm.code, alarm.t);
        if found > 1 {
            wrong(format!("twice {}", incident.kind), what);
            continue;
        }
        if side.is_some() && alarm.side.is_some() && alarm.side != side {
            wrong(format!("wrong side {}", incident.kind), format!("{what} blames {:?}", alarm.side));
        }
        if alarm.t > incident.certain + incident.within + s.lag {
            let late = alarm.t - incident.certain;
            wrong(format!("late {}", incident.kind), format!("{what}, {late} ms after it was certain"));
        }
    }
    if found == 0 && incident.required && !(incident.kind == "no increment" && s.truth.plies.len() < 12) {
        out.push(Failure {
            class: format!("missing {}", incident.kind),
            detail: format!(
                "{} at {}, {}: no {:?}",
                incident.kind, incident.from, incident.note, incident.codes
            ),
            t: incident.from,
        });
    }
}

fn of_code<'a>(lines: &'a [Line], code: &'a str) -> impl Iterator<Item = &'a Line> {
    lines.iter().filter(move |l| l.value["kind"] == "finding" && l.value["code"] == code)
}

/// Times changed by hand are for the record: each time, for the right side, and never otherwise.
fn clocks_set(s: &Session, lines: &[Line]) -> Vec<Failure> {
    let mut out = Vec::new();
    let mut fail = |class: &str, detail: String, t: i64| {
        out.push(Failure { class: class.to_owned(), detail, t });
    };
    for told in of_code(lines, "clock-adjusted") {
        if !s.truth.dialled.iter().any(|t| (told.t - 120_000..=told.t + 100).contains(t)) {
            fail("false clock-adjusted", told.text.clone(), told.t);
        }
    }
    for adjusted in &s.truth.adjusted {
        let (go, by) = (adjusted.go, adjusted.by);
        let heard = !s.truth.down.iter().any(|(a, b)| go >= a - 60_000 && go <= b + 10_000);
        if !adjusted.shown || !heard || go > s.truth.game_end {
            continue;
        }
        let due = |l: &&Line| (go - 100..=go + s.lag + 5_000).contains(&l.t);
        let Some(told) = of_code(lines, "clock-adjusted").find(due) else {
            // Times set while a position is restored on request are the arbiter's.
            if feeding(s.plan.seed) == Feeding::Asked {
                continue;
            }
            fail("missing clock-adjusted", format!("by {by:?} at {go}"), go);
            continue;
        };
        let side = match by.map(|ms| ms.abs() >= 2_000) {
            [true, false] => Some("white"),
            [false, true] => Some("black"),
            _ => None,
        };
        if told.value["side"].as_str() != side {
            fail("wrong side clock-adjusted", format!("by {by:?} at {go}: {}", told.text), go);
        }
    }
    out
}

/// A board turned by half is told to the operator, any other board is not.
fn frame(s: &Session, lines: &[Line]) -> Option<Failure> {
    let told = of_code(lines, "sensor-rotated").next();
    let half = s.plan.sensors.turned == 2;
    let (class, detail) = match (half, told) {
        (true, None) => ("missing sensor-rotated", "the board lies turned by half".to_owned()),
        (false, Some(line)) => ("false sensor-rotated", line.text.clone()),
        _ => return None,
    };
    Some(Failure { class: class.to_owned(), detail, t: s.started })
}

/// The moves that stand in the end.
pub fn record(lines: &[Line]) -> Vec<(String, i64)> {
    let mut out: Vec<(String, i64)> = Vec::new();
    for line in lines {
        match line.value["kind"].as_str() {
            Some("move") => out.push((line.value["uci"].as_str().unwrap_or_default().to_owned(), line.t)),
            Some("retract") => {
                let keep = line.value["to_ply"].as_u64().unwrap_or(0);
                out.truncate(usize::try_from(keep).unwrap_or(0));
            }
            _ => {}
        }
    }
    out.retain(|(uci, _)| uci != "0000");
    out
}

fn moves(s: &Session, lines: &[Line]) -> Option<Failure> {
    let truth = &s.truth.plies;
    let got = record(lines);
    let same = |i: usize, j: usize| match (truth.get(i), got.get(j)) {
        (Some(a), Some(b)) => !a.legal || a.uci == b.0,
        _ => false,
    };
    if truth.len() == got.len() && (0..got.len()).all(|i| same(i, i)) {
        return None;
    }
    // Around gaps that several stories explain only what is before and after is compared.
    let vague: Vec<_> = s.truth.gaps.iter().filter(|g| g.paths != Some(1)).collect();
    if let (Some(first), Some(last)) = (vague.first(), vague.last()) {
        let tail = truth.len() - last.end;
        let head = (0..first.first).all(|i| same(i, i));
        let rest = got.len() >= tail && (0..tail).all(|k| same(truth.len() - 1 - k, got.len() - 1 - k));
        if head && rest {
            return None;
        }
    }
    let at = (0..truth.len().max(got.len())).find(|i| !same(*i, *i)).unwrap_or(0);
    let wanted = truth.get(at).map_or("nothing", |p| p.uci.as_str());
    let (given, given_t) = got.get(at).map_or(("nothing", i64::MAX), |g| (g.0.as_str(), g.1));
    let t = truth.get(at).map_or(given_t, |p| p.begun.min(given_t)).min(s.truth.game_end);
    let class = match (wanted, given) {
        ("nothing", _) => "moves: too many at the end",
        (_, "nothing") => "moves: too few at the end",
        _ => "moves: another",
    };
    Some(Failure {
        class: class.to_owned(),
        detail: format!(
            "ply {} is {given}, played was {wanted}; {} plies of {}; gaps {:?}; differ {:?}",
            at + 1,
            got.len(),
            truth.len(),
            s.truth.gaps,
            differing(truth, &got)
        ),
        t,
    })
}

/// The plies that differ, counted from 1: number, played, recorded.
fn differing(truth: &[super::truth::TruePly], got: &[(String, i64)]) -> Vec<(usize, String, String)> {
    let pairs = truth.iter().zip(got).enumerate();
    pairs
        .filter(|(_, (a, b))| a.uci != b.0)
        .map(|(i, (a, b))| (i + 1, a.uci.clone(), b.0.clone()))
        .take(12)
        .collect()
}
