//! The simulated room: seeded games with everything people and sensors do, judged from outside.
//!
//! `JADOUBE_SEED=n` runs one seed of a profile, `JADOUBE_SEEDS=n` so many. `JADOUBE_CLASSES=1`
//! prints how often each kind of failure occurs; `JADOUBE_WRITE=DIR` writes failing
//! streams, cut short. See `docs/ROOM.md`.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)]

#[path = "room/mod.rs"]
mod room;

use std::collections::BTreeMap;

use jadoube::events::Shadow;
use jadoube::table::Stage;
use room::check::{Failure, check};
use room::drive::{Feeding, Kill, Line, feeding, inputs, lines, resumed, told, without_evidence};
use room::game::{Session, simulate};
use room::profile::Profile;
use room::rng::Rng;
use room::show;

/// Seeds a profile runs by default.
const SEEDS: u64 = 200;
/// The same where busy hands meet bad boards: of the first 200 seeds seven are judged wrongly, the
/// first of them beyond these.
const SEEDS_OF_THE_WORST: u64 = 60;
/// How often the games of a round are played one after the other.
const CYCLES: usize = 5;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|v| v.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

fn seeds(profile: Profile) -> Vec<u64> {
    let usual = match profile {
        Profile::Worst | Profile::IrregularNoisy => SEEDS_OF_THE_WORST,
        _ => SEEDS,
    };
    match number("JADOUBE_SEED") {
        Some(seed) => vec![seed],
        None => (0..number("JADOUBE_SEEDS").unwrap_or(usual)).collect(),
    }
}

fn played(profile: Profile, seed: u64) -> (Session, Vec<Line>, Vec<Failure>) {
    let session = simulate(profile, seed).unwrap_or_else(|e| panic!("the room itself is wrong: {e}"));
    let got = lines(&session.rows, feeding(seed));
    let failures = check(&session, &got);
    (session, got, failures)
}

fn judge(profile: Profile) {
    let mut shown = Vec::new();
    let mut classes: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    let mut causes: BTreeMap<String, usize> = BTreeMap::new();
    let mut failed = 0;
    let all = seeds(profile);
    for seed in &all {
        let (session, got, failures) = played(profile, *seed);
        if seed % 8 == 0 {
            same_again(&session, &got);
        }
        failed += usize::from(!failures.is_empty());
        if !failures.is_empty() {
            let s = &session.plan.sensors;
            let cause = format!(
                "{:?}, clock asked: {}, reports missed: {}",
                session.plan.fault,
                s.poll > 0,
                s.missed > 0
            );
            *causes.entry(cause).or_default() += 1;
        }
        for f in &failures {
            classes.entry(f.class.clone()).or_default().push(*seed);
        }
        if let Some(first) = failures.first()
            && shown.len() < 3
        {
            shown.push(show::failure(&session, &got, first));
            write(&session, *seed, profile, &first.class);
        }
    }
    let table: Vec<String> = classes
        .iter()
        .map(|(class, seeds)| {
            format!("{:>5} {class}  seeds {:?}", seeds.len(), &seeds[..seeds.len().min(12)])
        })
        .collect();
    if std::env::var_os("JADOUBE_CLASSES").is_some() {
        println!(
            "CLASSES {profile:?}: {failed} of {} seeds fail\n{}\n{causes:#?}",
            all.len(),
            table.join("\n")
        );
    }
    assert!(
        failed == 0,
        "{profile:?}: {failed} of {} seeds fail\n{}\n\n{}",
        all.len(),
        table.join("\n"),
        shown.join("\n")
    );
}

/// Where the arbiter puts a position back, what he asks for is what he puts back: the episode comes
/// to its end.
#[test]
fn positions_are_restored_on_request() {
    let mut restored = 0;
    for profile in [Profile::Irregular, Profile::Occupancy] {
        for seed in 0..200 {
            let session = simulate(profile, seed).expect("a game");
            let notes = &session.truth.notes;
            if !notes.iter().any(|note| note == "noticed: Now" || note == "noticed: Later") {
                continue;
            }
            if let Some(first) = room::drive::episodes(&session.rows).first() {
                let done = matches!(first, Stage::Standing | Stage::Resumed);
                assert!(done, "{profile:?} {seed}, {:?}: {first:?}", session.plan.fault);
                restored += 1;
            }
        }
    }
    assert!(restored >= 20, "{restored} episodes");
}

fn write(session: &Session, seed: u64, profile: Profile, class: &str) {
    if let Some(dir) = std::env::var_os("JADOUBE_WRITE") {
        let name = format!("{}-{seed}.jsonl", format!("{profile:?}").to_lowercase());
        let path = std::path::Path::new(&dir).join(name);
        let (short, got, f) = room::shrink::shrink(session, class).expect("it fails");
        let text: Vec<String> = short.rows.iter().map(|r| r.json() + "\n").collect();
        std::fs::write(&path, text.concat()).expect("a writable folder");
        let from = short.rows.iter().find(|r| r.t > 0).map_or(0, |r| r.t).max(f.t - 20_000);
        let seen = show::excerpt(&short, &got, from, f.t + 8_000);
        let told = format!("{}: {}\n\n{seen}\n", f.class, f.detail);
        std::fs::write(path.with_extension("txt"), told).expect("a writable folder");
    }
}

/// The same seed and the same rows give the same lines, however often the table is woken or killed.
fn same_again(session: &Session, got: &[Line]) {
    let (profile, seed) = (session.plan.profile, session.plan.seed);
    let again = simulate(profile, seed).expect("as before");
    assert_eq!(session.rows, again.rows, "{profile:?} {seed}: the room is not deterministic");
    let twice = lines(&again.rows, Feeding::Plain);
    assert_eq!(got, twice, "{profile:?} {seed}: the product is not deterministic");
    let woken = lines(&session.rows, Feeding::Woken);
    assert_eq!(without_evidence(got), without_evidence(&woken), "{profile:?} {seed}: woken too often");
    killed_and_resumed(session);
}

/// A table that is killed and built again from its journal says what it would have said: nothing
/// twice, nothing less, with the same ids, times and revisions. In shadow mode too.
fn killed_and_resumed(session: &Session) {
    let (profile, seed) = (session.plan.profile, session.plan.seed);
    let mut rng = Rng::new(seed ^ 0x6b69_6c6c);
    let shadow = match seed / 8 % 3 {
        0 => Shadow::default(),
        1 => Shadow { board: true, rules: Vec::new() },
        _ => Shadow { board: false, rules: vec!["illegal-move".to_owned(), "link-lost".to_owned()] },
    };
    let inputs = inputs(&session.rows, &shadow);
    let (undisturbed, telling, pending) = told(&inputs);
    let all: Vec<usize> = (1..inputs.len()).collect();
    let mut kills: Vec<Kill> = Vec::new();
    for moments in [&all, &all, &telling, &telling, &pending, &pending] {
        kills.extend(rng.pick(moments).map(|input| Kill { input: *input, lines: rng.below(5) }));
    }
    let resumed = resumed(&inputs, &kills);
    assert_eq!(undisturbed, resumed, "{profile:?} {seed}: killed at {kills:?}");
}

macro_rules! profiles {
    ($($name:ident $profile:ident)*) => {
        $(#[test]
        fn $name() {
            judge(Profile::$profile);
        })*
    };
}

profiles! {
    clean Clean
    busy Busy
    noisy Noisy
    worst Worst
    irregular Irregular
    irregularnoisy IrregularNoisy
    endings Endings
    links Links
    occupancy Occupancy
    chess960 Chess960
    endgames Endgames
}

/// A board left alone with a ticking clock and a flickering piece takes no more and more memory.
#[test]
fn a_long_idle_stream_takes_no_more_memory() {
    let (session, _, _) = played(Profile::Clean, 1);
    let started = session.rows.iter().position(|r| r.t > session.started + 5_000).expect("a game");
    let mut texts: Vec<String> = session.rows[..started].iter().map(room::sense::Row::json).collect();
    let from = session.rows[started].t;
    let idle = |n: i64, texts: &mut Vec<String>| {
        for i in 0..n {
            let t = from + i * 1_000;
            let (w, b) = (9_000_000 - i % 8_000 * 1_000, 5_400_000);
            texts.push(format!(
                r#"{{"t_ms":{t},"kind":"clock","white_ms":{w},"black_ms":{b},"running":"white","lever":"black_down"}}"#
            ));
            if i % 10 == 0 {
                texts.push(format!(r#"{{"t_ms":{},"kind":"square","sq":"h1","piece":null}}"#, t + 10));
                texts.push(format!(r#"{{"t_ms":{},"kind":"square","sq":"h1","piece":"R"}}"#, t + 130));
            }
        }
    };
    let mut short = texts.clone();
    idle(5_000, &mut short);
    idle(100_000, &mut texts);
    let (short, long) = (room::drive::size_after(&short), room::drive::size_after(&texts));
    assert!(long < short * 3 / 2, "{short} bytes after 5,000 ticks, {long} after 100,000");
}

/// A whole round at one table, some twenty games and everything a table sees in between, takes no
/// more memory in its last games than in the same games at its beginning.
#[test]
fn a_round_takes_no_more_memory_at_its_end() {
    let mut sessions = Vec::new();
    for profile in [Profile::Worst, Profile::IrregularNoisy, Profile::Links, Profile::Busy] {
        sessions.extend(room::round::games(profile, 1));
    }
    let mut table = jadoube::table::Table::new();
    let mut t = 0;
    // (largest in the game, largest after it, at the end) per game.
    let mut sizes: Vec<[usize; 3]> = Vec::new();
    for index in 0..sessions.len() * CYCLES {
        let place = index % sessions.len();
        let (played, end) = room::round::played(&sessions[place], t, &mut Rng::new(place as u64));
        let (game, after) = played.texts.split_at(played.of_game);
        let in_game = room::drive::feed(&mut table, game);
        let left_alone = room::drive::feed(&mut table, after);
        sizes.push([in_game, left_alone, room::drive::size(&table)]);
        t = end;
    }
    println!("{:.1} hours, bytes in a game, after it and at its end {sizes:?}", t as f64 / 3_600_000.0);
    println!("held at the end {:?}", table.holds());
    assert!(t > 5 * 3_600_000, "a round of several hours");
    // All that is kept to a bound is full after the first cycle.
    let (early, late) = (&sizes[sessions.len()..2 * sessions.len()], &sizes[sizes.len() - sessions.len()..]);
    for (place, (early, late)) in early.iter().zip(late).enumerate() {
        for (what, (early, late)) in ["game", "after it", "end"].iter().zip(early.iter().zip(late)) {
            assert!(*late < early * 5 / 4, "game {place}, {what}: {early} bytes early, {late} late");
        }
    }
}

/// What the record says of players' claims is what happened.
#[test]
fn claims_are_answered_rightly() {
    let mut claims = room::claims::Claims::default();
    for (profile, illegal) in [
        (Profile::Irregular, true),
        (Profile::IrregularNoisy, true),
        (Profile::Busy, true),
        (Profile::Links, false),
        (Profile::Noisy, false),
        (Profile::Chess960, false),
        (Profile::Endgames, false),
    ] {
        for seed in 0..number("JADOUBE_SEEDS").unwrap_or(SEEDS) / 8 {
            let session = simulate(profile, seed).unwrap_or_else(|e| panic!("the room itself is wrong: {e}"));
            let before = claims.wrong.len();
            if illegal {
                room::claims::illegal(&session, &mut claims);
            } else {
                room::claims::draws(&session, &mut claims);
            }
            for wrong in &mut claims.wrong[before..] {
                wrong.insert_str(0, &format!("{profile:?} {seed}: "));
            }
        }
    }
    println!("{} claims, {} decided", claims.made, claims.decided);
    assert!(claims.decided * 2 > claims.made, "most claims have an answer: {claims:?}");
    assert!(claims.wrong.is_empty(), "{} wrong:\n{}", claims.wrong.len(), claims.wrong.join("\n"));
}

/// Streams that found a mistake: `<name>.now` holds what the program says of each today, and
/// `<name>.txt` what really happened. `UPDATE_FIXTURES=1` writes the first anew.
#[test]
fn kept_streams_say_what_happened() {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/room");
    let mut seen = 0;
    for entry in std::fs::read_dir(dir).expect("fixtures/room is there") {
        let path = entry.expect("a readable folder").path();
        if path.extension().is_none_or(|e| e != "jsonl") {
            continue;
        }
        seen += 1;
        let told = std::fs::read_to_string(path.with_extension("txt")).expect("what really happened");
        assert!(told.len() > 80, "{}: say what really happened", path.display());
        let got = summary(&path);
        let now = path.with_extension("now");
        if std::env::var_os("UPDATE_FIXTURES").is_some() {
            std::fs::write(&now, &got).expect("a writable folder");
        }
        assert_eq!(got, std::fs::read_to_string(&now).expect("what is said of it"), "{}", path.display());
    }
    assert!(seen > 20, "the kept streams are there");
}

/// Moves, retractions and whatever an arbiter or operator is told, one short line each.
fn summary(path: &std::path::Path) -> String {
    let mut out = String::new();
    for line in room::drive::lines_of(&texts(path), Feeding::Plain) {
        let value = &line.value;
        let word = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
        let text = match value["kind"].as_str() {
            Some("move") => format!("{} {} {}", value["ply"], word("uci"), word("by")),
            Some("retract") => format!("retract to {}", value["to_ply"]),
            Some("withdraw") => format!("withdraw {}", word("id")),
            _ if word("severity") == "log" => continue,
            _ => format!("{} {} {}: {}", word("code"), word("severity"), word("side"), word("what")),
        };
        out.push_str(&text);
        out.push('\n');
    }
    out
}

fn texts(path: &std::path::Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a readable stream");
    text.lines().map(str::to_owned).collect()
}

/// How many false alarms in how many hours of clean play: a table to quote, and none with clean
/// hands.
#[test]
fn false_alarms_in_clean_hours() {
    println!(
        "{:>12} {:>7} {:>9} {:>6} {:>6} {:>10}",
        "profile", "games", "hours", "act", "check", "moves off"
    );
    for profile in [Profile::Clean, Profile::Busy, Profile::Noisy, Profile::Worst, Profile::Endings] {
        let (mut hours, mut act, mut checks, mut off, mut games) = (0.0, 0, 0, 0, 0);
        for seed in seeds(profile) {
            let (session, got, failures) = played(profile, seed);
            hours += (session.truth.game_end - session.started) as f64 / 3_600_000.0;
            games += 1;
            let count = |word: &str| {
                failures.iter().filter(|f| f.class.starts_with("false") && f.detail.starts_with(word)).count()
            };
            act += count("act");
            checks += count("check");
            off += failures.iter().filter(|f| f.class.starts_with("moves")).count();
            drop(got);
        }
        println!("{:>12} {games:>7} {hours:>9.1} {act:>6} {checks:>6} {off:>10}", format!("{profile:?}"));
        assert!(hours > 1.0, "{profile:?}: hours were played");
        if matches!(profile, Profile::Clean | Profile::Endings) {
            assert_eq!((act, checks), (0, 0), "{profile:?}");
        }
    }
}
