//! `jadoube report`: the incidents of a round, and the page of one, which a browser opens without a
//! network.
#![cfg(feature = "daemon")]
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

#[path = "common/mosquitto.rs"]
mod mosquitto;
#[path = "support/script.rs"]
mod script;
#[path = "common/wait.rs"]
mod wait;
#[path = "support/written.rs"]
mod written;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use mosquitto::spawn;
use wait::Scratch;

/// White castles through check and presses; the arbiter upholds it, for a reason that looks like markup.
const CASTLING: &str = "ruleset fide-2023/standard\nstart r3kr2/8/8/8/8/8/8/4K2R w K - 0 1\n--\n\
    go:W ..2000 e1-g1 h1-f1 W! ..1000 \
    ask:rule,alert=p1-illegal-move-1,ruling=upheld,why=</script><b>|seen|</b> ..500\n";
const CLEAN: &str = "ruleset fide-2023/standard\n--\ngo:W ..2000 e2-e4 W! ..1000 e7-e5 B! ..1000\n";
const ALERT: &str = "t-g1-p1-illegal-move-1";

fn jadoube(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_jadoube")).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn round(dir: &Scratch) -> String {
    dir.write("t-1796050000000-g1.jsonl", &written::journal("t", 1_796_050_000_000, CASTLING));
    dir.write("u-1796050000000-g1.jsonl", &written::journal("u", 1_796_050_000_000, CLEAN));
    dir.path().to_str().unwrap().to_owned()
}

#[test]
fn a_round_is_reported_with_facts_rulings_times_and_digests() {
    let dir = Scratch::new();
    let folder = round(&dir);
    let out = jadoube(&["report", &folder]);
    let said = text(&out.stdout);
    assert!(out.status.success(), "{}", text(&out.stderr));
    for wanted in [
        "2 boards, 2 journals, 1 incident.",
        "| t | 1 | 1 | White | White: castling",
        "## t-g1-p1-illegal-move-1",
        "- **Ruling:** upheld by arbiter: &lt;/script&gt;",
        "revision 0, to the arbiters",
        "rule by arbiter, ruling: upheld",
        "| t-1796050000000-g1.jsonl | t | 2026-11-30",
        "- **Offences upheld before:** White 0, Black 0",
    ] {
        assert!(said.contains(wanted), "{wanted} is not in\n{said}");
    }
    // Anybody can check the digest without us.
    let sums =
        Command::new("sh").current_dir(dir.path()).args(["-c", "sha256sum *.jsonl | sha256sum"]).output();
    let digest = text(&sums.unwrap().stdout);
    assert!(said.contains(digest.split(' ').next().unwrap()), "{digest} {said}");
}

#[test]
fn what_was_changed_or_is_missing_changes_the_digest_and_is_said() {
    let dir = Scratch::new();
    let folder = round(&dir);
    let whole = text(&jadoube(&["report", &folder]).stdout);
    let digest = |said: &str| said.lines().find(|line| line.starts_with("Digest over")).unwrap().to_owned();
    let path = dir.path().join("t-1796050000000-g1.jsonl");
    let changed =
        std::fs::read_to_string(&path).unwrap().replacen("\"by\":\"arbiter\"", "\"by\":\"Arbiter\"", 1);
    std::fs::write(&path, changed).unwrap();
    let out = jadoube(&["report", &folder]);
    assert_eq!(out.status.code(), Some(1));
    assert!(text(&out.stdout).contains("BROKEN: line"), "{}", text(&out.stdout));
    assert_ne!(digest(&text(&out.stdout)), digest(&whole));
    std::fs::remove_file(&path).unwrap();
    let less = jadoube(&["report", &folder]);
    assert_ne!(digest(&text(&less.stdout)), digest(&whole));
    std::fs::remove_file(dir.path().join("u-1796050000000-g1.jsonl")).unwrap();
    assert!(text(&jadoube(&["report", &folder]).stderr).contains("there is no journal"));
}

fn page(dir: &Scratch) -> PathBuf {
    let folder = round(dir);
    let file = dir.path().join("incident.html");
    let out = jadoube(&["report", &folder, "--incident", ALERT, "--html", file.to_str().unwrap()]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    file
}

fn dom(file: &Path, dir: &Scratch) -> String {
    let mut browser = Command::new("chromium");
    browser
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--dump-dom"])
        .arg(format!("--user-data-dir={}", dir.path().join("profile").display()))
        .arg(format!("file://{}", file.display()))
        .env("HOME", dir.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    text(&spawn(&mut browser, "chromium").wait_with_output().unwrap().stdout)
}

#[test]
fn the_page_needs_nothing_from_anywhere_and_names_cannot_leave_their_place() {
    let dir = Scratch::new();
    let page = std::fs::read_to_string(page(&dir)).unwrap();
    let namespace = page.replace("http://www.w3.org/2000/svg", "");
    for never in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!namespace.contains(never), "{never}");
    }
    assert_eq!(page.matches("</script>").count(), 1, "what people entered ends no script");
    assert!(!page.contains("<b>|seen|"));
    let out = jadoube(&["report", dir.path().to_str().unwrap(), "--incident", "x", "--html", "/dev/null"]);
    assert!(text(&out.stderr).contains(ALERT), "{}", text(&out.stderr));
}

#[test]
fn a_browser_shows_the_final_position_and_the_alert() {
    let dir = Scratch::new();
    let file = page(&dir);
    let shown = dom(&file, &dir);
    for wanted in [
        "data-placement=\"r3kr2/8/8/8/8/8/8/5RK1\"",
        "White: castling",
        "Ruling: upheld by arbiter",
        "<tr class=\"of-shown",
        "White presses, Black's time runs",
        "white king lifted from e1",
    ] {
        assert!(shown.contains(wanted), "{wanted} is not in\n{shown}");
    }
    // The script has drawn it: the moment it shows is marked.
    assert!(shown.contains(" now\"") && shown.contains(" UTC, "), "{shown}");
    let board = shown.split("id=\"board\"").nth(1).unwrap().split("</svg>").next().unwrap();
    assert_eq!(board.matches("<use ").count(), 5, "{board}");
}
