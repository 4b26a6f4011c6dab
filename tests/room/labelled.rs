//! Recordings of the room labelled with what was played: the labels give back when hands moved,
//! and constants fitted to them are those the room played with.

use jadoube::events::{RowKind, parse_row};
use jadoube::label::{Confidence, Incidents, Label, Recording, fit, label};

use super::game::{Session, simulate};
use super::profile::{Begin, Profile};
use super::sense::Row;
use super::settings::{Even, Hands, Short, hands};

/// What an observer would have noted: illegal moves that were pressed and put right.
fn notes(session: &Session) -> Incidents {
    let illegal = session.truth.incidents.iter().filter(|incident| incident.kind == "illegal move");
    let lines: Vec<String> = illegal
        .map(|incident| {
            let before = session.truth.plies.iter().take_while(|ply| ply.placed < incident.from).count();
            format!(r#"{{"ply":{},"id":"illegal-move"}}"#, before + 1)
        })
        .collect();
    Incidents::from_jsonl(&lines.join("\n")).expect("as documented")
}

/// What the program is given of a session: the lines, the moves and the notes, nothing else.
fn labels(session: &Session) -> Result<Vec<Label>, String> {
    let mut reports = Vec::new();
    let mut setup = None;
    for text in session.rows.iter().map(Row::json) {
        let row = parse_row(&text).map_err(|e| e.to_string())?;
        match row.kind {
            RowKind::Meta(given) => setup = Some(*given),
            RowKind::Report(report) => reports.push((row.at, report)),
        }
    }
    let setup = setup.expect("the room writes a meta line");
    let moves: Vec<&str> = session.truth.plies.iter().map(|ply| ply.uci.as_str()).collect();
    let recording = Recording { setup, reports, timed: true };
    let labelled = label(&recording, &moves.join("\n"), &notes(session));
    Ok(labelled.map_err(|e| e.to_string())?.labels)
}

fn milliseconds(at: Option<u64>) -> Option<i64> {
    at.map(|ms| i64::try_from(ms).expect("no such long game"))
}

/// What is wrong with the times of one ply; they are reported late, by no more than the lag.
fn wrong(session: &Session, label: &Label) -> Option<String> {
    let ply = &session.truth.plies[label.ply - 1];
    let habits = &session.plan.habits;
    // A piece that was misread as the one it took is seen when it is read rightly.
    let misread = if session.plan.sensors.misread > 0 { hands().board.misread_right_ms.ends().1 } else { 0 };
    let late = |at: Option<u64>, from: i64, to: i64| {
        milliseconds(at).is_some_and(|at| (from..=to + session.lag + misread).contains(&at))
    };
    // A victim's lift that was lost looks like a capture on top; no dump shows it later.
    let lost = session.plan.sensors.missed > 0 && label.order.as_deref() == Some("on-top");
    let begun = late(label.t_begin_ms, ply.begun, if lost { ply.placed } else { ply.begun });
    // A captured piece that is carried off, or somebody who adjusts meanwhile, ends later; so does
    // castling in Chess960 with a rook that stays.
    let castling = session.plan.begin == Begin::Chess960 && label.kind == "castling";
    let alone = habits.carried_off == 0 && habits.adjust_in_move == 0 && !castling;
    let done = late(label.t_done_ms, if alone { ply.placed } else { ply.begun }, ply.placed);
    let pressed = match ply.pressed {
        None => label.t_press_ms.is_none(),
        // Two presses between two questions to the clock leave no trace.
        Some(_) if session.plan.sensors.poll > 0 && label.t_press_ms.is_none() => true,
        Some(at) => late(label.t_press_ms, at, at),
    };
    (!(begun && done && pressed)).then(|| format!("{ply:?}\n  is labelled {label:?}"))
}

/// `JADOUBE_SEEDS` are for the detector; labels are checked on half as many.
fn seeds() -> u64 {
    std::env::var("JADOUBE_SEEDS").map_or(40, |n| n.parse().expect("a number")) / 2
}

/// Each label that says it can be trusted has the times of the hand that moved. Where reports are
/// lost or stale, chance makes a few recordings look like another hand: one label in 2,000 may be wrong.
fn times_are_given_back(profile: Profile) {
    let (mut plies, mut trusted, mut aligned, mut failed) = (0, 0, 0, Vec::new());
    let mut lossy = 0;
    for seed in 0..seeds() {
        let session = simulate(profile, seed).expect("the room is right");
        // An illegal move that stands is written by what stood, which the room does not write down.
        let stands = session.truth.plies.iter().any(|ply| !ply.legal);
        let notable = session.truth.incidents.iter().all(|i| !i.required || i.kind == "illegal move");
        if session.truth.plies.is_empty() || stands || !notable {
            continue;
        }
        let labels = labels(&session).unwrap_or_else(|e| panic!("{profile:?} {seed}: {e}"));
        assert_eq!(labels.len(), session.truth.plies.len());
        let sensors = &session.plan.sensors;
        let lost = sensors.missed > 0 || sensors.stale > 0 || sensors.poll > 0;
        for label in &labels {
            plies += 1;
            aligned += usize::from(label.confidence > Confidence::None);
            if label.confidence >= Confidence::Medium {
                trusted += 1;
                lossy += usize::from(lost);
                let wrong = wrong(&session, label).map(|what| format!("{profile:?} {seed}: {what}"));
                assert!(lost || wrong.is_none(), "on a good board: {wrong:?}");
                failed.extend(wrong);
            }
        }
    }
    println!("{profile:?}: {plies} plies, {aligned} aligned, {trusted} trusted, {} wrong", failed.len());
    let shown = failed[..failed.len().min(4)].join("\n");
    assert!(failed.len() * 2_000 <= lossy, "{} of {lossy}\n{shown}", failed.len());
    assert!(aligned * 100 >= plies * 98, "{profile:?}: only {aligned} of {plies} plies are aligned");
    let share = if profile == Profile::Occupancy { 50 } else { 80 };
    assert!(trusted * 100 >= plies * share, "{profile:?}: only {trusted} of {plies} can be trusted");
}

#[test]
fn times_are_given_back_of_good_hands() {
    for profile in [Profile::Clean, Profile::Endings, Profile::Chess960] {
        times_are_given_back(profile);
    }
}

#[test]
fn times_are_given_back_of_busy_hands_and_bad_boards() {
    for profile in [Profile::Busy, Profile::Noisy, Profile::Worst, Profile::Endgames] {
        times_are_given_back(profile);
    }
}

#[test]
fn times_are_given_back_around_what_was_put_right() {
    for profile in [Profile::Irregular, Profile::IrregularNoisy] {
        times_are_given_back(profile);
    }
}

#[test]
fn times_are_given_back_of_boards_that_see_little() {
    for profile in [Profile::Occupancy, Profile::Links] {
        times_are_given_back(profile);
    }
}

/// Moves of another game are refused, at the ply at which it parts.
#[test]
fn moves_that_were_not_played_are_refused() {
    let mut session = simulate(Profile::Clean, 3).expect("the room is right");
    let at = session.truth.plies.iter().position(|ply| ply.uci.starts_with("g1")).expect("a knight moves");
    assert_ne!(session.truth.plies[at].uci, "g1h3");
    session.truth.plies[at].uci = "g1h3".to_owned();
    session.truth.plies.truncate(at + 1);
    let error = labels(&session).expect_err("it was not played");
    assert!(error.contains(&format!("do not fit at ply {} (Nh3)", at + 1)), "{error}");
}

fn near(what: &str, (low, high): (i64, i64), (right_low, right_high): (i64, i64), share: i64) {
    let allowed = (right_high - right_low) * share / 100;
    let off = (low - right_low).abs().max((high - right_high).abs());
    assert!(off <= allowed, "{what}: [{low}, {high}] instead of [{right_low}, {right_high}]");
}

/// Constants fitted to games of the room are those of its file, with any file.
#[test]
fn a_fit_gives_back_the_constants() {
    let mut all = Vec::new();
    for seed in 0..120 {
        let session = simulate(Profile::Clean, seed).expect("the room is right");
        all.extend(labels(&session).expect("clean games are aligned"));
    }
    let fitted = fit(&all);
    let got = Hands::parse(&fitted.text).unwrap_or_else(|e| panic!("{e}\n{}", fitted.text));
    let told = |key: &str| assert!(fitted.told.contains(&key), "{key} is fitted: {:?}", fitted.told);
    let right = hands();
    let short = |key: &str, got: Short, right: Short, share| {
        told(key);
        near(key, got.ends(), right.ends(), share);
    };
    for (name, got, right) in [
        ("blitz", &got.pace.blitz, &right.pace.blitz),
        ("rapid", &got.pace.rapid, &right.pace.rapid),
        ("classical", &got.pace.classical, &right.pace.classical),
    ] {
        short(&format!("pace.{name}.lift_to_land_ms"), got.lift_to_land_ms, right.lift_to_land_ms, 15);
        short(&format!("pace.{name}.land_to_press_ms"), got.land_to_press_ms, right.land_to_press_ms, 15);
        short(&format!("pace.{name}.think_ms"), got.think_ms, right.think_ms, 25);
    }
    let even = |key: &str, got: Even, right: Even, share| {
        told(key);
        near(key, got.ends(), right.ends(), share);
    };
    even("slide.dwell_ms", got.slide.dwell_ms, right.slide.dwell_ms, 25);
    even("capture.victim_to_land_ms", got.capture.victim_to_land_ms, right.capture.victim_to_land_ms, 25);
    told("reach.base_ms");
    let reach = |h: &Hands| (h.reach.base_ms, h.reach.base_ms + h.capture.victim_to_own_more_ms);
    near("reach.base_ms", reach(&got), reach(right), 20);
    let parts = |h: &Hands| {
        let c = &h.capture;
        let own = c.perhaps_set_aside_parts + c.own_first_parts;
        let all = c.on_top_parts + c.victim_first_parts + own;
        [c.on_top_parts, c.victim_first_parts, own].map(|part| part * 100 / all)
    };
    let off = parts(&got).into_iter().zip(parts(right)).map(|(a, b)| a.abs_diff(b)).max();
    assert!(off <= Some(6), "captures: {:?} instead of {:?}", parts(&got), parts(right));
}

/// With few games the keys stay as they are, and the file says of how many samples there were.
#[test]
fn few_samples_change_nothing() {
    let session = simulate(Profile::Clean, 1).expect("the room is right");
    let few = &labels(&session).expect("a clean game is aligned")[..10];
    let fitted = fit(few);
    assert!(fitted.told.is_empty(), "{:?}", fitted.told);
    let got = Hands::parse(&fitted.text).expect("all keys are there");
    assert_eq!(format!("{got:?}"), format!("{:?}", Hands::parse(&fit(&[]).text).expect("the same")));
    assert!(fitted.text.contains("samples, 20 are needed"), "{}", fitted.text);
}
