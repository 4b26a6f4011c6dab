//! `jadoube verify` and `jadoube explain`: a journal before an appeals committee.
#![cfg(feature = "daemon")]
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

#[path = "support/script.rs"]
mod script;
#[path = "common/wait.rs"]
mod wait;

use std::process::{Command, Output};

use jadoube::alerts::{Decision, Verb};
use jadoube::events::BoardId;
use jadoube::journal::{Header, Shown, Writer};
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
        rules_digest: None,
        clock_synchronised: None,
    };
    let (mut writer, mut out) = Writer::new(&header);
    let mut table = Table::new();
    for (at, input) in inputs {
        out.push_str(&writer.input(at, &input));
        let mut effects = Effects::default();
        table.step(at, input, &mut effects);
        for publish in effects.publish {
            if let Some(shown) = Shown::of(&publish) {
                out.push_str(&writer.shown(at, &shown));
            }
            if let Publish::Response(response) = publish {
                out.push_str(&writer.response(at, &response));
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
        "square e1: empty",
        "square f1: R stands there",
        "right runs",
        "revision 0, open, now: step in; first: +2:00 to Black",
        "rule by arbiter: {\"alert\":\"t-g1-p1-illegal-move-1\",\"ruling\":\"upheld\",\"why\":\"seen it\"}",
        "done: t-g1-p1-illegal-move-1 upheld: white has 1 upheld offence",
        "the journal gives the same 2 revisions",
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
    again.verb =
        Verb::Rule { alert: "t-g1-p1-illegal-move-1".to_owned(), ruling: Decision::Dismissed, why: None };
    inputs.push((at, Input::Request(again)));
    let dir = Scratch::new();
    let path = dir.write("t.jsonl", &journal_of(&script, inputs));
    let said = text(&jadoube(&["explain", path.to_str().unwrap(), "t-g1-p1-illegal-move-1"]).stdout);
    let entered = said.split("What was entered").nth(1).unwrap();
    let second = entered.split("dismissed").nth(1).unwrap();
    assert!(second.trim_start_matches(['"', '}', '\n', ' ']).starts_with("refused: id"), "{entered}");
}
