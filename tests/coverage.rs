//! Which test reaches which article: `docs/COVERAGE.md` is written from the worked cases and the
//! scripts, and compared.
//!
//! `UPDATE_GOLDEN=1 cargo test --test coverage` writes it anew. An article that no test reaches
//! needs its reason in [`REASONS`].
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

#[path = "support/script.rs"]
mod script;
#[path = "support/worked.rs"]
mod worked;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use jadoube::laws::{Circumstances, Proposal, RULES, RuleSet, Rules, Topic, advise, propose};
use jadoube::mating::{Budget, can_still_mate};
use jadoube::table::Publish;
use shakmaty::Color;

/// Articles that no test reaches, each with its reason: edition, matter, why.
const REASONS: &[(&str, &str, &str)] = &[
    ("", "automatic-draw", CLAIMS),
    ("", "threefold-with-written-move", CLAIMS),
    ("", "threefold-on-the-board", CLAIMS),
    ("", "fifty-with-written-move", CLAIMS),
    ("", "fifty-made", CLAIMS),
    ("", "draw-claim-right", CLAIMS),
    ("", "draw-claim-wrong", CLAIMS),
    ("", "draw-claim-lost", CLAIMS),
    ("", "draw-claim-is-an-offer", CLAIMS),
];

/// Claims of a draw are no findings and no cases.
const CLAIMS: &str = "a claim of a draw is a request: `tests/claims.rs`";

/// An edition that takes over the articles of another where it has none of its own: a test under
/// the other reaches them.
const TAKES_OVER: &[(&str, &str)] =
    &[("US Chess blitz rules", "US Chess, 7th edition with the changes of August 2020")];

/// How many tests a row names; the others are counted.
const NAMED: usize = 2;

/// Tests that reach a matter, by edition and the articles named.
type Reached = BTreeMap<(&'static str, Topic, &'static str), BTreeSet<String>>;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn set_of(key: &str) -> &'static RuleSet {
    RuleSet::by_key(key).unwrap_or_else(|| panic!("{key} is no rule set"))
}

/// The scripts of a rule, or all: name and path.
fn scripts() -> Vec<(String, PathBuf)> {
    let folder = root().join("fixtures/laws");
    let mut out = Vec::new();
    for rule in std::fs::read_dir(&folder).unwrap() {
        for file in std::fs::read_dir(rule.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let name = path.strip_prefix(&folder).unwrap().with_extension("");
            out.push((name.to_string_lossy().into_owned(), path));
        }
    }
    out.sort();
    out
}

fn plain(key: &str) -> Rules {
    Rules::plain(set_of(key))
}

/// What one script reaches under the rule set it names, or another: matter and articles.
fn reached_by(path: &Path, ruleset: Option<&str>) -> (String, Vec<(Topic, String)>) {
    let mut script = script::parse(&std::fs::read_to_string(path).unwrap());
    if let Some(key) = ruleset {
        script.setup.ruleset = key.to_owned();
    }
    let rules = plain(&script.setup.ruleset);
    let articles = |topic: Topic| rules.articles(topic).join(", ");
    let mut out = Vec::new();
    for item in script::published(&script::inputs(&script)) {
        match item {
            Publish::Alert(alert) => {
                out.extend(alert.advice.topics.iter().map(|topic| (*topic, articles(*topic))));
            }
            // What is only for the record opens no alert; its articles are those of its advice.
            Publish::Finding(finding) => {
                let advice = advise(&finding, &rules, &Circumstances::default());
                out.extend(advice.topics.iter().map(|topic| (*topic, articles(*topic))));
            }
            _ => {}
        }
    }
    (script.setup.ruleset, out)
}

fn note(reached: &mut Reached, key: &str, topic: Topic, test: &str) {
    if let Some(articles) = set_of(key).article(topic) {
        reached.entry((set_of(key).edition, topic, articles)).or_default().insert(test.to_owned());
    }
}

fn note_proposal(reached: &mut Reached, key: &str, proposal: &Proposal, test: &str) {
    for topic in &proposal.topics {
        note(reached, key, *topic, test);
    }
    if let Some(then) = &proposal.if_claimed {
        note_proposal(reached, key, then, test);
    }
}

/// Scripts played under other rule sets, with the articles that must be named there.
fn under() -> Vec<(String, String, String)> {
    let text = std::fs::read_to_string(root().join("fixtures/coverage/scripts-under.txt")).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    rows.map(|row| {
        let parts: Vec<&str> = row.splitn(3, ' ').collect();
        let [script, key, articles] = parts[..] else { panic!("{row}: script, rule set, articles") };
        (script.to_owned(), key.to_owned(), articles.to_owned())
    })
    .collect()
}

fn reached() -> Reached {
    let mut reached = Reached::new();
    let solved = |fen: &str, side: Color| can_still_mate(fen, side, Budget::DECIDES).verdict();
    for case in worked::all() {
        let read = case.read().read.unwrap_or_else(|why| panic!("{}: {why}", case.id));
        let proposal = propose(&read.case, &read.rules, &solved);
        let name = case.id.split('@').next().unwrap_or_default();
        note_proposal(&mut reached, case.ruleset(), &proposal, name);
    }
    for (name, path) in scripts() {
        let (key, topics) = reached_by(&path, None);
        for (topic, _) in topics {
            note(&mut reached, &key, topic, &name);
        }
    }
    for (name, key, articles) in under() {
        let path = root().join("fixtures/laws").join(format!("{name}.txt"));
        let (_, topics) = reached_by(&path, Some(&key));
        let mut shown = false;
        for (topic, named) in topics {
            if named == articles {
                note(&mut reached, &key, topic, &name);
                shown = true;
            }
        }
        assert!(shown, "{name} under {key} does not name {articles}");
    }
    reached
}

/// The files of `src/laws/` that name a matter.
fn code_of(files: &[(String, String)], topic: Topic) -> String {
    let (id, name) = (format!("{topic:?}"), topic.name());
    let detector = format!("{}.rs", name.replace('-', "_"));
    let word = |text: &str| {
        text.match_indices(&id).any(|(at, _)| {
            let after = text[at + id.len()..].chars().next();
            let before = text[..at].ends_with("Topic::");
            before && after.is_none_or(|c| !c.is_alphanumeric() && c != '_')
        })
    };
    let named = files.iter().filter(|(file, text)| *file == detector || word(text));
    let short: Vec<String> = named.map(|(file, _)| format!("`{}`", file.trim_end_matches(".rs"))).collect();
    short.join(" ")
}

fn law_files() -> Vec<(String, String)> {
    let folder = root().join("src/laws");
    let mut out = Vec::new();
    for part in ["", "case", "advice"] {
        for entry in std::fs::read_dir(folder.join(part)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "rs") {
                let name = path.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
                out.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    out.sort();
    out
}

/// The editions, and the articles of all rule sets of each: articles and what they are about.
fn editions() -> Vec<(&'static str, BTreeSet<(&'static str, Topic)>)> {
    let mut out: Vec<(&str, BTreeSet<(&str, Topic)>)> = Vec::new();
    for set in RuleSet::ALL {
        if out.iter().all(|(edition, _)| *edition != set.edition) {
            out.push((set.edition, BTreeSet::new()));
        }
        let (_, articles) = out.iter_mut().find(|(edition, _)| *edition == set.edition).unwrap();
        articles.extend(Topic::ALL.iter().filter_map(|topic| Some((set.article(*topic)?, *topic))));
    }
    out
}

/// Articles in the order of a rule book: numbers as numbers.
fn order(articles: &str) -> Vec<(u32, String)> {
    let part = |text: &str| (text.parse().unwrap_or(u32::MAX), text.to_owned());
    articles.split([',', '.', ' ']).map(part).collect()
}

fn some_of(tests: &BTreeSet<String>) -> String {
    let named: Vec<String> = tests.iter().take(NAMED).cloned().collect();
    let more = tests.len().saturating_sub(NAMED);
    let rest = if more > 0 { format!(" +{more}") } else { String::new() };
    format!("{}{rest}", named.join(", "))
}

/// The script that shows a rule as simply as can be: the only one, or the one that says so.
fn canonical(rule: &str, scripts: &[(String, PathBuf)]) -> Result<String, String> {
    let of_rule: Vec<_> = scripts.iter().filter(|(name, _)| name.split('/').next() == Some(rule)).collect();
    let says = |path: &PathBuf| std::fs::read_to_string(path).unwrap().starts_with("# Canonical.");
    let marked: Vec<_> = of_rule.iter().filter(|(_, path)| says(path)).collect();
    match (&of_rule[..], &marked[..]) {
        ([(only, _)], _) => Ok(only.clone()),
        (_, [(one, _)]) => Ok(one.clone()),
        (of_rule, marked) => {
            Err(format!("{rule}: {} scripts, {} of them canonical", of_rule.len(), marked.len()))
        }
    }
}

fn page(reached: &Reached, files: &[(String, String)], missing: &mut Vec<String>) -> String {
    let mut page = String::from(
        "# Which test reaches what\n\n\
         Written from the worked cases and the scripts; do not edit it by hand \
         (`UPDATE_GOLDEN=1 cargo test --test coverage` writes it anew).\n\n\
         ## Findings\n\n\
         Each finding has one canonical script in `fixtures/laws/`.\n\n\
         | finding | script |\n| --- | --- |\n",
    );
    let scripts = scripts();
    for rule in RULES {
        match canonical(rule.name, &scripts) {
            Ok(script) => writeln!(page, "| {} | {script} |", rule.name).unwrap(),
            Err(why) => missing.push(why),
        }
    }
    page.push_str(
        "\n## Articles\n\n\
         Code is below `src/laws/`. Tests are ids of `fixtures/cases/` (a `/` after capitals) and \
         scripts of `fixtures/laws/`; of many, two are named.\n",
    );
    let mut open = String::new();
    for (edition, topics) in editions() {
        write!(page, "\n### {edition}\n\n| articles | about | code | tests |\n| --- | --- | --- | --- |\n")
            .unwrap();
        let mut rows: Vec<(&str, Topic)> = topics.into_iter().collect();
        rows.sort_by_key(|(articles, topic)| (order(articles), *topic));
        for (articles, topic) in rows {
            let about = topic.name();
            let own = reached.get(&(edition, topic, articles));
            if let Some(tests) = own.or_else(|| taken_over(reached, edition, topic, articles)) {
                let code = code_of(files, topic);
                writeln!(page, "| {articles} | {about} | {code} | {} |", some_of(tests)).unwrap();
            } else if let Some((.., why)) = reason(edition, about) {
                writeln!(open, "- {edition}, {articles} ({about}): {why}").unwrap();
            } else {
                missing.push(format!("{edition}: {about} ({articles}) is reached by no test"));
            }
        }
    }
    if open.is_empty() {
        open.push_str("Nothing.\n");
    }
    write!(page, "\n## Not covered\n\n{open}").unwrap();
    page
}

/// What reaches an article that an edition has from another.
fn taken_over<'a>(
    reached: &'a Reached,
    edition: &str,
    topic: Topic,
    articles: &'static str,
) -> Option<&'a BTreeSet<String>> {
    let (_, from) = TAKES_OVER.iter().find(|(of, _)| *of == edition)?;
    reached.get(&(*from, topic, articles))
}

fn reason(edition: &str, about: &str) -> Option<&'static (&'static str, &'static str, &'static str)> {
    REASONS.iter().find(|(of, matter, _)| edition.starts_with(of) && *matter == about)
}

#[test]
fn every_article_is_reached_and_the_page_says_by_what() {
    let (reached, files) = (reached(), law_files());
    let mut missing = Vec::new();
    let page = page(&reached, &files, &mut missing);
    for (edition, about, _) in REASONS {
        let covered = reached.keys().any(|(of, topic, _)| of.starts_with(edition) && topic.name() == *about);
        let known = Topic::named(about).is_some();
        if covered || !known {
            missing.push(format!("REASONS: {edition} {about} is reached, or nothing: take it off the list"));
        }
    }
    assert!(missing.is_empty(), "{} are missing:\n{}", missing.len(), missing.join("\n"));
    let path = root().join("docs/COVERAGE.md");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, page).unwrap();
        return;
    }
    let wanted = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = page.lines().zip(wanted.lines()).find(|(ours, theirs)| ours != theirs);
    assert!(page == wanted, "docs/COVERAGE.md differs ({differs:?}): see the head of this test");
}
