//! Every line reaches its file, in order, whoever waits and whatever fails.

use super::*;
use crate::daemon::host::Clock;
use crate::daemon::outbox::{Outbox, Post};

fn roster() -> Roster {
    Roster::new(Post::new(Outbox::new("jadoube", "hall", 1)), Clock::start())
}

fn scratch(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("jadoube-journal-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    dir
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_line_is_lost_between_groups_and_syncs() {
    let dir = scratch("lines");
    let journals = Journals::start(roster()).unwrap();
    let mut boards = Vec::new();
    for board in 0..4_u64 {
        let (mut file, dir) = (journals.open(&dir.join(format!("{board}.jsonl"))), dir.clone());
        boards.push(tokio::spawn(async move {
            for n in 0..500_u64 {
                file.line(format!("{n}\n"));
                if (n + board) % 7 == 0 || (n + board) % 7 == 4 {
                    match (n + board) % 7 {
                        0 => file.sync().await,
                        _ => file.written().await,
                    }
                    let text = std::fs::read_to_string(dir.join(format!("{board}.jsonl"))).unwrap();
                    assert!(text.ends_with(&format!("{n}\n")), "what was waited for is there");
                } else if n % 3 == 0 {
                    tokio::time::sleep(Duration::from_millis(n % 4)).await;
                }
            }
        }));
    }
    for board in boards {
        board.await.unwrap();
    }
    journals.stop().await;
    let all: String = (0..500).map(|n| format!("{n}\n")).collect();
    for board in 0..4 {
        assert_eq!(std::fs::read_to_string(dir.join(format!("{board}.jsonl"))).unwrap(), all);
    }
    std::fs::remove_dir_all(&dir).unwrap();
}

#[tokio::test]
async fn a_disk_that_comes_back_gets_every_line() {
    let dir = scratch("back");
    let roster = roster();
    // A file where the directory should be.
    std::fs::write(&dir, "").unwrap();
    let journals = Journals::start(roster.clone()).unwrap();
    let mut file = journals.open(&dir.join("b1-1-g1.jsonl"));
    file.line("1\n".to_owned());
    let begin = Instant::now();
    file.sync().await;
    file.written().await;
    assert!(begin.elapsed() < Duration::from_secs(5), "an alert waits for a moment only");
    assert!(roster.condition("journal-b1").unwrap().contains("b1-1-g1.jsonl"));
    file.line("2\n".to_owned());
    std::fs::remove_file(&dir).unwrap();
    while roster.condition("journal-b1").is_some() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    file.line("3\n".to_owned());
    drop(file);
    journals.stop().await;
    assert_eq!(std::fs::read_to_string(dir.join("b1-1-g1.jsonl")).unwrap(), "1\n2\n3\n");
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn what_does_not_fit_is_counted_and_what_was_kept_stays_whole() {
    let mut kept = Kept::new(PathBuf::from("nowhere"), None);
    let line = format!("{}\n", "x".repeat(1024 * 1024 - 1));
    (0..10).for_each(|_| kept.add(&line));
    assert_eq!((kept.lines, kept.lost), (8, 2));
    assert_eq!(kept.rest.len(), MOST_KEPT);
}

#[test]
fn a_journal_that_exists_is_never_touched() {
    let dir = scratch("exists");
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("b1-1-g1.jsonl"), "evidence\n").unwrap();
    let mut kept = Kept::new(dir.join("b1-1-g1.jsonl"), None);
    kept.add("new\n");
    assert!(kept.write().is_err());
    assert_eq!(std::fs::read_to_string(dir.join("b1-1-g1.jsonl")).unwrap(), "evidence\n");
    std::fs::remove_dir_all(&dir).unwrap();
}
