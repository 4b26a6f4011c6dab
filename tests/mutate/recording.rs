//! Recordings with the truth about them: games of the simulated room, kept streams, a corpus.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::room::drive::{Feeding, Line, lines_of};
use crate::room::game::simulate;
use crate::room::profile::Profile;

/// One line of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub t: i64,
    /// The line; its time is taken from `t`.
    text: String,
}

impl Row {
    pub fn new(text: &str) -> Row {
        let value: Value = serde_json::from_str(text).expect("a line of a recording");
        Row { t: value["t_ms"].as_i64().expect("a time"), text: text.to_owned() }
    }

    pub fn text(&self) -> String {
        let (head, tail) = self.text.split_once("\"t_ms\":").expect("a time");
        let tail = tail.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
        format!("{head}\"t_ms\":{}{tail}", self.t)
    }

    /// The same line at another time.
    pub fn at(&self, t: i64) -> Row {
        Row { t, text: self.text.clone() }
    }

    pub fn kind(&self) -> &'static str {
        let is = |kind: &&&str| self.text.contains(&format!("\"{kind}\""));
        ["square", "clock", "link", "meta", "board"].iter().find(is).copied().unwrap_or("another")
    }
}

impl Row {
    /// Whether a row about the link says that it is there.
    pub fn is_up(&self) -> bool {
        self.text.replace(' ', "").contains("\"up\":true")
    }
}

/// Something that an alert may name.
#[derive(Clone, Debug)]
pub struct Known {
    /// Names of it; none: any name will do.
    pub codes: Vec<String>,
    /// The offender, if it has one.
    pub side: Option<String>,
    pub from: i64,
    pub to: i64,
}

#[derive(Clone, Debug)]
pub struct Recording {
    pub name: String,
    pub rows: Vec<Row>,
    pub known: Vec<Known>,
    /// Names that may come at any time.
    pub allowed: Vec<String>,
}

/// How far from its time an alert may still mean it: streams are delayed and parts of them lost.
const EARLY: i64 = 2_500;
const LATE: i64 = 60_000;

impl Recording {
    /// Whether somebody is rightly named so; `names` are what the code may be called.
    pub fn knows(&self, names: &[String], side: &str, t: i64) -> bool {
        let known = self.known.iter().any(|k| {
            (k.codes.is_empty() || k.codes.iter().any(|code| names.contains(code)))
                && k.side.as_deref().is_none_or(|s| s == side)
                && (k.from - EARLY..=k.to + LATE).contains(&t)
        });
        known || names.iter().any(|name| self.allowed.contains(name))
    }
}

pub const PROFILES: [Profile; 11] = [
    Profile::Clean,
    Profile::Busy,
    Profile::Noisy,
    Profile::Worst,
    Profile::Irregular,
    Profile::IrregularNoisy,
    Profile::Endings,
    Profile::Links,
    Profile::Occupancy,
    Profile::Chess960,
    Profile::Endgames,
];

/// The profile that a recording's name begins with.
pub fn profile(name: &str) -> Option<Profile> {
    PROFILES.into_iter().find(|p| format!("{p:?}").to_lowercase() == name)
}

/// A game of the simulated room, and what was irregular in it.
pub fn from_room(profile: Profile, seed: u64) -> Recording {
    let session = simulate(profile, seed).unwrap_or_else(|e| panic!("the room itself is wrong: {e}"));
    let known = session.truth.incidents.iter().map(|i| Known {
        codes: i.codes.iter().chain(&i.beside).map(|c| (*c).to_owned()).collect(),
        side: i.side.map(|c| c.fold_wb("white", "black").to_owned()),
        from: i.from,
        to: i.until,
    });
    Recording {
        name: format!("{}-{seed}", format!("{profile:?}").to_lowercase()),
        known: known.collect(),
        rows: session.rows.iter().map(|r| Row::new(&r.json())).collect(),
        allowed: Vec::new(),
    }
}

/// The kept streams of a folder. Whom the program names there it may name, under any title.
pub fn kept(folder: &str) -> Vec<Recording> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(folder);
    let mut out = Vec::new();
    for path in files(&dir) {
        let Some(name) = stem(&path) else { continue };
        let rows: Vec<Row> = read(&path).lines().map(Row::new).collect();
        let texts: Vec<String> = rows.iter().map(Row::text).collect();
        let said = lines_of(&texts, Feeding::Plain);
        let known = said.iter().filter(|l| is_named(l)).map(|l| Known {
            codes: Vec::new(),
            side: l.value["side"].as_str().map(str::to_owned),
            from: l.t,
            to: i64::MAX - LATE,
        });
        out.push(Recording {
            name: format!("{folder}/{name}"),
            known: known.collect(),
            rows,
            allowed: Vec::new(),
        });
    }
    out
}

fn is_named(line: &Line) -> bool {
    matches!(line.value["severity"].as_str(), Some("act" | "check")) && line.value["side"].is_string()
}

/// The folder of a corpus with its truth, where there is one.
pub fn corpus() -> Option<PathBuf> {
    let shared = std::env::var_os("JADOUBE_SHARED").map_or_else(|| PathBuf::from("../shared"), PathBuf::from);
    let dir = shared.join("corpus");
    dir.join("open").is_dir().then_some(dir)
}

/// What a corpus calls the findings of this program.
pub fn names(corpus: &Path) -> BTreeMap<String, Vec<String>> {
    let map: BTreeMap<String, Value> =
        serde_json::from_str(&read(&corpus.join("map.json"))).expect("a map of names");
    let list = |value: Value| match value {
        Value::String(one) => vec![one],
        Value::Array(some) => some.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    map.into_iter().map(|(ours, theirs)| (ours, list(theirs))).collect()
}

/// All recordings of a corpus.
pub fn from_corpus(corpus: &Path) -> Vec<Recording> {
    let open = corpus.join("open");
    files(&open)
        .iter()
        .filter_map(|path| {
            let name = stem(path)?;
            let truth = read(&open.join(format!("{name}.truth.json")));
            let truth: Value = serde_json::from_str(&truth).expect("a truth file");
            let words = |value: &Value| -> Vec<String> {
                value.as_array().into_iter().flatten().filter_map(|v| v.as_str().map(str::to_owned)).collect()
            };
            let known = truth["findings"].as_array().into_iter().flatten().map(|f| {
                let number = |key: &str| f[key].as_i64().unwrap_or(0);
                Known {
                    codes: words(&f["codes"]),
                    side: f["side"].as_str().map(str::to_owned),
                    from: number("t_from_ms"),
                    to: number("t_to_ms").max(number("t_certain_ms")),
                }
            });
            let known = known.collect();
            let rows = read(path).lines().map(Row::new).collect();
            Some(Recording { name, rows, known, allowed: words(&truth["allowed"]) })
        })
        .collect()
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    let mut out: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    out.sort();
    out
}

/// The name of a recording without its ending; `None` for files that are none.
fn stem(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let stem = name.strip_suffix(".jsonl.gz").or_else(|| name.strip_suffix(".jsonl"))?;
    Some(stem.to_owned())
}

fn read(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    if path.extension().is_some_and(|e| e == "gz") {
        let mut text = String::new();
        flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).expect("a whole recording");
        return text;
    }
    String::from_utf8(bytes).expect("text")
}
