//! `jadoube verify` and `jadoube explain`: a journal before an appeals committee.
#![cfg(feature = "daemon")]
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

#[path = "support/script.rs"]
mod script;
#[path = "common/wait.rs"]
mod wait;

use std::process::{Command, Output};

use jadoube::alerts::{Decision, Response, Verb};
use jadoube::contract::drafts;
use jadoube::events::BoardId;
use jadoube::journal::{After, Answered, Entry, Header, Reader, Record, Said, Shown, Writer};
use jadoube::laws::Rules;
use jadoube::table::{Effects, Input, Publish, Table};
use jadoube::tick::Tick;
use wait::Scratch;

/// The journal that a daemon would have written of a script.
fn journal(text: &str) -> String {
    let script = script::parse(text);
    journal_of(&script, script::inputs(&script))
}

fn journal_of(script: &script::Script, inputs: Vec<(Tick, Input)>) -> String {
    let header = Header {
        program: "jadoube 0.0.9".to_owned(),
        node: "hall".to_owned(),
        board: BoardId::new("t").unwrap(),
        ruleset: script.setup.ruleset.clone(),
        start_ms: 1_796_050_000_000,
        after: None,
        rules_digest: Some(Rules::of_setup(&script.setup).digest()),
        clock_synchronised: Some(true),
    };
    let (mut writer, mut out) = Writer::new(&header);
    let mut table = Table::new();
    for (at, input) in inputs {
        out.push_str(&writer.input(at, &input));
        let mut effects = Effects::default();
        table.step(at, input, &mut effects);
        for publish in effects.publish {
            let hidden = matches!(publish, Publish::Shadowed(_) | Publish::Held(_));
            let shows = hidden || !drafts(&publish, &header.board).is_empty();
            if let Some(shown) = Shown::of(&publish).filter(|_| shows) {
                out.push_str(&writer.said(at, &shown, Said::of(&publish)));
            }
            match publish {
                Publish::Response(response) => out.push_str(&writer.response(at, &response)),
                Publish::Calibration(times) => out.push_str(&writer.calibration(at, &times)),
                _ => {}
            }
        }
    }
    out
}

const GAME: &str = "ruleset fide-2023/standard\nstart r3kr2/8/8/8/8/8/8/4K2R w K - 0 1\n--\n\
    go:W ..2000 e1-g1 h1-f1 W! ..1000 ask:rule,alert=p1-illegal-move-1,ruling=upheld,why=seen_it ..500\n";

fn jadoube(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_jadoube")).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_whole_journal_is_verified_and_one_changed_letter_is_found() {
    let dir = Scratch::new();
    let whole = journal(GAME);
    let path = dir.write("t.jsonl", &whole);
    let name = path.to_str().unwrap();
    let out = jadoube(&["verify", name]);
    let said = text(&out.stdout);
    assert!(out.status.success(), "{said}");
    assert!(said.contains("whole: every line") && said.contains("node hall"), "{said}");
    // Anybody can check the digest without us.
    let sum = Command::new("sha256sum").arg(&path).output().unwrap();
    assert!(said.contains(text(&sum.stdout).split(' ').next().unwrap()), "{said}");

    let torn = format!("{whole}{{\"v\":1,\"se");
    dir.write("t.jsonl", &torn);
    let out = jadoube(&["verify", name]);
    assert!(out.status.success() && text(&out.stdout).contains("is cut off"));

    dir.write("t.jsonl", &whole.replacen("\"by\":\"arbiter\"", "\"by\":\"Arbiter\"", 1));
    let out = jadoube(&["verify", name]);
    assert_eq!(out.status.code(), Some(1));
    assert!(text(&out.stdout).contains("BROKEN: line"), "{}", text(&out.stdout));

    dir.write("t.jsonl", "{\"t_ms\":0}\n");
    let out = jadoube(&["verify", name]);
    assert!(text(&out.stderr).contains("is no journal"), "{}", text(&out.stderr));
}

#[test]
fn an_alert_is_explained_from_what_the_board_said_to_the_ruling() {
    let dir = Scratch::new();
    let path = dir.write("t.jsonl", &journal(GAME));
    let name = path.to_str().unwrap();
    let listed = text(&jadoube(&["explain", name]).stdout);
    assert!(listed.contains("t-g1-p1-illegal-move-1  White: castling"), "{listed}");
    let out = jadoube(&["explain", name, "t-g1-p1-illegal-move-1"]);
    let said = text(&out.stdout);
    assert!(out.status.success(), "{}", text(&out.stderr));
    for wanted in [
        "BOARD T | WHITE | RULED: UPHELD",
        "e1: empty",
        "f1: a white rook stands there",
        "the clock is pressed at its left end",
        "revision 0, to the arbiters",
        "step in; first: +2:00 to Black",
        "rule by arbiter: ruling \"upheld\", why \"seen it\"",
        "done: t-g1-p1-illegal-move-1 upheld: white has 1 upheld offence",
        "ruling: upheld",
        "the same in this program",
        "the journal gives the same revisions",
    ] {
        assert!(said.contains(wanted), "{wanted:?} is not in:\n{said}");
    }
    let out = jadoube(&["explain", name, "t-g1-p9-illegal-move-1"]);
    assert!(!out.status.success());
    assert!(text(&out.stderr).contains("it has t-g1-p1-illegal-move-1"), "{}", text(&out.stderr));
}

/// The id of a ruling is used again for another one: that is refused, and told as refused.
#[test]
fn each_request_is_told_with_its_own_answer() {
    let script = script::parse(GAME);
    let mut inputs = script::inputs(&script);
    let asked = inputs.iter().rfind(|(_, input)| matches!(input, Input::Request(_))).cloned();
    let Some((_, Input::Request(mut again))) = asked else { panic!("a ruling") };
    let at = inputs.last().unwrap().0;
    again.verb = Verb::ruling("t-g1-p1-illegal-move-1", Decision::Dismissed);
    inputs.push((at, Input::Request(again)));
    let dir = Scratch::new();
    let path = dir.write("t.jsonl", &journal_of(&script, inputs));
    let said = text(&jadoube(&["explain", path.to_str().unwrap(), "t-g1-p1-illegal-move-1"]).stdout);
    let entered = said.split("What was entered").nth(1).unwrap();
    let second = entered.split("dismissed").nth(1).unwrap();
    assert!(second.trim_start_matches(['"', '\n', ' ']).starts_with("refused: id"), "{entered}");
}

/// Scripts of which the explanation is kept as a whole, for reading.
const KEPT: &[&str] = &[
    "illegal-move/landing-told-after-the-press",
    "castling-rook-first",
    "clock-incorrect",
    "displaced-pieces",
    "flag-fall",
    "out-of-turn",
    "pawn-not-promoted",
    "press-move-incomplete",
    "press-without-move",
    "wrong-setup",
];

/// The script of that name, or the canonical one of a rule.
fn script_of(name: &str) -> String {
    let laws = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/laws");
    if let Ok(text) = std::fs::read_to_string(laws.join(format!("{name}.txt"))) {
        return text;
    }
    let entries = std::fs::read_dir(laws.join(name)).expect("a folder of that rule");
    let mut texts: Vec<String> =
        entries.map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap()).collect();
    texts.sort_by_key(|text| !text.starts_with("# Canonical."));
    assert!(texts.len() == 1 || texts[0].starts_with("# Canonical."), "{name} has no canonical script");
    texts.swap_remove(0)
}

/// What a chief arbiter reads aloud of ten kinds of alerts. `UPDATE_GOLDEN=1` writes it anew.
#[test]
fn alerts_of_many_kinds_are_explained_as_they_were() {
    let dir = Scratch::new();
    let golden = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/explain");
    for name in KEPT {
        let journal = dir.write("t.jsonl", &journal(&script_of(name)));
        let path = journal.to_str().unwrap();
        let listed = text(&jadoube(&["explain", path]).stdout);
        let id = listed.lines().next().and_then(|line| line.split_whitespace().nth(3)).expect("an alert");
        let out = jadoube(&["explain", path, id]);
        assert!(out.status.success(), "{name}: {}", text(&out.stderr));
        let said =
            text(&out.stdout).replace(concat!("jadoube ", env!("CARGO_PKG_VERSION")), "jadoube VERSION");
        let kept = golden.join(format!("{}.txt", name.replace('/', "-")));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::create_dir_all(&golden).unwrap();
            std::fs::write(&kept, &said).unwrap();
        }
        assert_eq!(said, std::fs::read_to_string(&kept).expect("a kept explanation"), "{name}");
        let same = jadoube(&["verify", "--replay", path]);
        assert!(same.status.success(), "{name}: {}", text(&same.stdout));
    }
}

/// What a newer program would have shown otherwise is listed, and the journal stays what it was.
#[test]
fn a_program_that_differs_says_where() {
    let dir = Scratch::new();
    let whole = journal(GAME);
    let path = dir.write("t.jsonl", &whole);
    let name = path.to_str().unwrap();
    let out = jadoube(&["verify", "--replay", name]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stdout));
    assert!(text(&out.stdout).contains("shows the same: all"), "{}", text(&out.stdout));

    // As another program would have written it: less sure, one thing not shown, one more shown, and
    // another answer.
    let otherwise = rewritten(&whole, |record, writer| {
        let at = record.tick;
        match &record.entry {
            Entry::Shown(shown @ Shown::Alert { revision: 0, .. }) => {
                let said = record.said.as_ref().map(|said| serde_json::to_string(said).unwrap());
                let said = said.map(|said| said.replace("\"certain\"", "\"probable\""));
                let said = said.map(|said| serde_json::from_str(&said).unwrap());
                let more = Shown::Finding { id: "t-g1-p1-two-hands-1".to_owned(), revision: 0 };
                Some(format!("{}{}", writer.said(at, shown, said), writer.shown(at, &more)))
            }
            Entry::Shown(Shown::Move { ply: 1, .. }) => Some(String::new()),
            Entry::Response(answered) => {
                let no = Answered { done: false, text: "no".to_owned(), ..answered.clone() };
                Some(writer.response(at, &response(&no)))
            }
            _ => None,
        }
    });
    dir.write("t.jsonl", &otherwise);
    let out = jadoube(&["verify", "--replay", name]);
    let said = text(&out.stdout);
    assert_eq!(out.status.code(), Some(3), "{said}");
    for wanted in [
        "whole: every line",
        "DIFFERS in 4 points",
        "alert t-g1-p1-illegal-move-1, revision 0: certainty was \"probable\"; this program says \"certain\"",
        "finding t-g1-p1-two-hands-1 was shown; this program does not show it",
        "ply 1 was not shown; this program shows it",
        "refused, \"no\"; this program: done",
    ] {
        assert!(said.contains(wanted), "{wanted:?} is not in:\n{said}");
    }
    let explained = text(&jadoube(&["explain", name, "t-g1-p1-illegal-move-1"]).stdout);
    assert!(explained.contains("(act, probable)"), "what was shown then is told:\n{explained}");
    assert!(explained.contains("it is not the same. What was shown then stands as it was."), "{explained}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), otherwise, "reading changes nothing");

    // An older program kept no words.
    let wordless = rewritten(&whole, |record, writer| match &record.entry {
        Entry::Shown(shown) => Some(writer.shown(record.tick, shown)),
        _ => None,
    });
    dir.write("t.jsonl", &wordless);
    let out = jadoube(&["verify", "--replay", name]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stdout));
    assert!(text(&out.stdout).contains("by id and revision alone"), "{}", text(&out.stdout));

    // A broken chain proves nothing, whatever a replay says.
    dir.write("t.jsonl", &whole.replacen("\"by\":\"arbiter\"", "\"by\":\"Arbiter\"", 1));
    assert_eq!(jadoube(&["verify", "--replay", name]).status.code(), Some(1));
}

fn response(answered: &Answered) -> Response {
    let text = answered.text.clone();
    let outcome = if answered.done { Ok(text) } else { Err(text) };
    Response { id: answered.id.clone(), verb: "rule", outcome, revision: 0, report: None }
}

/// The same journal, in one chain, with some lines put otherwise.
fn rewritten(whole: &str, mut otherwise: impl FnMut(&Record, &mut Writer) -> Option<String>) -> String {
    let mut reader = Reader::new();
    let records: Vec<Record> = whole.lines().map(|line| reader.read_line(line).unwrap()).collect();
    let Entry::Header(header) = &records[0].entry else { panic!("a header") };
    let (mut writer, mut out) = Writer::new(header);
    for record in &records[1..] {
        let line = otherwise(record, &mut writer).unwrap_or_else(|| match &record.entry {
            Entry::Input(input) => writer.input(record.tick, input),
            Entry::Shown(shown) => writer.said(record.tick, shown, record.said.clone()),
            Entry::Calibration(times) => writer.calibration(record.tick, times),
            Entry::Response(answered) => writer.response(record.tick, &response(answered)),
            other => panic!("{other:?} is not written again"),
        });
        out.push_str(&line);
    }
    out
}

#[test]
fn a_journal_follows_the_one_before_it_unless_that_was_changed() {
    let dir = Scratch::new();
    let first = journal(GAME);
    let mut reader = Reader::new();
    first.lines().for_each(|line| drop(reader.read_line(line).unwrap()));
    let after = After { file: "t-1-g1.jsonl".to_owned(), hash: reader.hash().to_owned() };
    let header = Header {
        program: "jadoube 0.0.9".to_owned(),
        node: "hall".to_owned(),
        board: BoardId::new("t").unwrap(),
        ruleset: "fide-2023/standard".to_owned(),
        start_ms: 1_796_050_000_000,
        after: Some(after),
        rules_digest: None,
        clock_synchronised: None,
    };
    let (_, second) = Writer::new(&header);
    let path = dir.write("t-1-g2.jsonl", &second);
    let verify = || jadoube(&["verify", path.to_str().unwrap()]);
    let alone = verify();
    assert!(
        alone.status.success() && text(&alone.stdout).contains("not beside it"),
        "{}",
        text(&alone.stdout)
    );
    let before = dir.write("t-1-g1.jsonl", &first);
    let both = verify();
    assert!(both.status.success() && text(&both.stdout).contains("t-1-g1.jsonl, as it was"));
    // The last line is taken away: that journal alone is whole all the same.
    let cut = first.trim_end().rsplit_once('\n').unwrap().0;
    std::fs::write(&before, format!("{cut}\n")).unwrap();
    assert!(jadoube(&["verify", before.to_str().unwrap()]).status.success());
    let changed = verify();
    assert_eq!(changed.status.code(), Some(1));
    assert!(text(&changed.stdout).contains("CHANGED"), "{}", text(&changed.stdout));
}
