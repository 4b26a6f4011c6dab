//! Recordings cut short, with messages doubled, late, out of order or lost: nothing fails, and no
//! alert that calls for action names a player whom the truth does not name.
//!
//! `JADOUBE_SEEDS=n` tries n mutants of each recording, `JADOUBE_SEED=n` one; `JADOUBE_RECORDING`
//! names one recording, as a failure names it. `JADOUBE_WRITE=DIR` writes the mutants that fail.
//! A corpus is read where `JADOUBE_SHARED` or `../shared` has one.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)]

#[path = "mutate/mutator.rs"]
mod mutator;
#[path = "mutate/recording.rs"]
mod recording;
#[path = "room/mod.rs"]
#[allow(dead_code, reason = "the judges of the room are not asked here")]
mod room;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use mutator::{KINDS, Kind, mutate};
use recording::{PROFILES, Recording, Row};
use room::drive::{Feeding, Line, lines_of};
use room::rng::Rng;

/// Mutants of each recording by default.
const SEEDS: u64 = 2;
/// Games of each profile of the room.
const GAMES: u64 = 12;
/// Mutants of each recording of a corpus.
const SEEDS_OF_CORPUS: u64 = 6;
/// The same at most, when `JADOUBE_SEEDS` asks for more.
const SEEDS_MOST: u64 = 60;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|v| v.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

fn seeds(by_default: u64) -> Vec<u64> {
    match number("JADOUBE_SEED") {
        Some(seed) => vec![seed],
        None => (0..by_default).collect(),
    }
}

fn is_wanted(name: &str) -> bool {
    std::env::var("JADOUBE_RECORDING").map_or(true, |wanted| wanted == name)
}

/// The chance of one mutant: of the recording's name and the seed, and of nothing else.
fn chance(name: &str, seed: u64) -> Rng {
    let hash = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |h: u64, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    Rng::new(hash ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// What is wrong with one mutant.
struct Wrong {
    class: String,
    detail: String,
}

/// Whoever an alert that calls for action names although the truth does not.
fn accused(recording: &Recording, said: &[Line], names: &BTreeMap<String, Vec<String>>) -> Vec<Wrong> {
    let acts = said.iter().filter(|l| l.value["kind"] == "finding" && l.value["severity"] == "act");
    let mut out = Vec::new();
    for line in acts {
        let word = |key: &str| line.value[key].as_str().unwrap_or_default();
        let (Some(side), code) = (line.value["side"].as_str(), word("code")) else { continue };
        let own = vec![code.to_owned()];
        if !recording.knows(names.get(code).unwrap_or(&own), side, line.t) {
            let detail = format!("{code} {side} at {}: {}", line.t, word("what"));
            out.push(Wrong { class: code.to_owned(), detail });
        }
    }
    out
}

#[derive(Default)]
struct Tally {
    mutants: BTreeMap<Kind, usize>,
    classes: BTreeMap<String, Vec<String>>,
    shown: Vec<String>,
}

fn try_one(recording: &Recording, seed: u64, names: &BTreeMap<String, Vec<String>>, tally: &mut Tally) {
    let mut rng = chance(&recording.name, seed);
    let kind = rng.one_of(&KINDS);
    let (rows, told) = mutate(&recording.rows, kind, &mut rng);
    let texts: Vec<String> = rows.iter().map(Row::text).collect();
    *tally.mutants.entry(kind).or_default() += 1;
    let said = catch_unwind(AssertUnwindSafe(|| lines_of(&texts, Feeding::Plain)));
    let wrong = match &said {
        Ok(said) => accused(recording, said, names),
        Err(_) => vec![Wrong { class: "panic".to_owned(), detail: "it panicked".to_owned() }],
    };
    let Some(first) = wrong.first() else { return };
    let name = &recording.name;
    for wrong in &wrong {
        let class = format!("{kind:?} {}", wrong.class);
        tally.classes.entry(class).or_default().push(format!("{name}:{seed}"));
    }
    tally.shown.push(format!(
        "{name} seed {seed}, {told}\n  {}\nagain: JADOUBE_RECORDING={name} JADOUBE_SEED={seed} cargo test --test mutate",
        first.detail
    ));
    if let Some(dir) = std::env::var_os("JADOUBE_WRITE") {
        let path = std::path::Path::new(&dir).join(format!("{}-{seed}.jsonl", name.replace('/', "-")));
        std::fs::write(&path, texts.join("\n") + "\n").expect("a writable folder");
    }
}

impl Tally {
    /// Tries the mutants of one recording.
    fn judge(&mut self, recording: &Recording, by_default: u64, names: &BTreeMap<String, Vec<String>>) {
        if is_wanted(&recording.name) {
            for seed in seeds(by_default) {
                try_one(recording, seed, names, self);
            }
        }
    }

    fn finish(self) {
        let line = |(class, of): (&String, &Vec<String>)| {
            format!("{:>5} {class}  {:?}", of.len(), &of[..of.len().min(8)])
        };
        let classes = self.classes.iter().map(line).collect::<Vec<_>>().join("\n");
        println!("mutants {:?}\n{classes}", self.mutants);
        let (count, shown) = (self.shown.len(), self.shown.into_iter().take(3).collect::<Vec<_>>());
        assert!(count == 0, "{count} mutants are judged wrongly\n{classes}\n\n{}", shown.join("\n\n"));
    }
}

#[test]
fn games_of_the_room_accuse_nobody_wrongly() {
    let wanted = std::env::var("JADOUBE_RECORDING").ok();
    let games = match wanted.as_deref().map(|name| name.split_once('-')) {
        Some(of_a_profile) => {
            let game = of_a_profile.and_then(|(name, seed)| recording::profile(name).zip(seed.parse().ok()));
            game.into_iter().collect()
        }
        None => {
            let games = number("JADOUBE_SEEDS").map_or(GAMES, |n| n.max(GAMES));
            PROFILES.iter().flat_map(|p| (0..games).map(|seed| (*p, seed))).collect::<Vec<_>>()
        }
    };
    let mut tally = Tally::default();
    for (profile, seed) in games {
        tally.judge(&recording::from_room(profile, seed), SEEDS, &BTreeMap::new());
    }
    tally.finish();
}

#[test]
fn kept_streams_accuse_nobody_else() {
    let mut tally = Tally::default();
    for folder in ["room", "field-reports"] {
        for recording in recording::kept(folder) {
            tally.judge(&recording, SEEDS, &BTreeMap::new());
        }
    }
    tally.finish();
}

#[test]
fn a_corpus_accuses_nobody_wrongly() {
    let Some(corpus) = recording::corpus() else {
        println!("no corpus: NOT JUDGED");
        return;
    };
    let seeds = number("JADOUBE_SEEDS").map_or(SEEDS_OF_CORPUS, |n| n.clamp(SEEDS_OF_CORPUS, SEEDS_MOST));
    let (mut tally, names) = (Tally::default(), recording::names(&corpus));
    for recording in recording::from_corpus(&corpus) {
        tally.judge(&recording, seeds, &names);
    }
    tally.finish();
}
