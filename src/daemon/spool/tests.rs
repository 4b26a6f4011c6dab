//! What waits is in the file whatever came before it, and a file does not grow with what is done.

use super::*;
use crate::daemon::host::Clock;
use crate::daemon::outbox::{Keep, Outbox, Post};

struct Dir(PathBuf);

impl Dir {
    fn new(name: &str) -> Dir {
        let dir = std::env::temp_dir().join(format!("jadoube-spool-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        Dir(dir)
    }

    fn started(&self) -> (Sender<Change>, JoinHandle<()>) {
        let roster = Roster::new(Post::new(Outbox::new("jadoube", "hall", 7)), Clock::start());
        start(&self.0, "hall", 7, roster).unwrap()
    }

    fn length(&self) -> usize {
        std::fs::metadata(self.0.join("hall-7.outbox")).map_or(0, |file| file.len() as usize)
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn message(n: Ticket) -> Arc<Message> {
    let (topic, payload) = (format!("a/{n}/log"), vec![b'x'; 2_000]);
    Arc::new(Message { topic, payload, retain: false, correlation: None, keep: Keep::Always })
}

fn written(changes: &Sender<Change>) {
    let (asked, done) = oneshot::channel();
    changes.send(Change::Asked(asked)).unwrap();
    done.blocking_recv().unwrap();
}

#[test]
fn a_file_does_not_grow_with_what_is_done_while_something_always_waits() {
    let dir = Dir::new("grows");
    let (changes, thread) = dir.started();
    let mut longest = 0;
    for n in 1..=3_000 {
        changes.send(Change::Waits(n, message(n))).unwrap();
        // The first is refused for ever.
        if n > 11 {
            changes.send(Change::Done(n - 10)).unwrap();
        }
        if n % 50 == 0 {
            written(&changes);
            longest = longest.max(dir.length());
        }
    }
    written(&changes);
    assert!(longest > LONG / 2 && longest < 2 * LONG, "{longest}");
    std::fs::write(dir.0.join("hall-7.outbox-anew"), "half").unwrap();
    drop(changes);
    thread.join().unwrap();
    let left = LeftOver::find(&dir.0, "hall");
    let topics: Vec<_> = left.messages.iter().map(|message| message.topic.as_str()).collect();
    let wanted: Vec<_> = std::iter::once(1).chain(2_991..=3_000).map(|n| format!("a/{n}/log")).collect();
    assert_eq!(topics, wanted);
    assert!(left.damage.is_empty() && !dir.0.join("hall-7.outbox-anew").exists());
}

#[test]
fn a_file_about_which_nothing_is_left_to_do_goes() {
    let dir = Dir::new("goes");
    let (changes, thread) = dir.started();
    changes.send(Change::Waits(1, message(1))).unwrap();
    written(&changes);
    assert!(dir.length() > 2_000, "what somebody waited for is written");
    changes.send(Change::Done(1)).unwrap();
    drop(changes);
    thread.join().unwrap();
    assert_eq!(dir.length(), 0);
}

#[test]
fn what_a_failing_disk_did_not_take_is_written_once_it_works() {
    let dir = Dir::new("fails");
    let (changes, thread) = dir.started();
    let path = dir.0.join("hall-7.outbox");
    // Nothing can be written where a directory is.
    std::fs::create_dir(&path).unwrap();
    changes.send(Change::Waits(1, message(1))).unwrap();
    written(&changes);
    std::fs::remove_dir(&path).unwrap();
    changes.send(Change::Waits(2, message(2))).unwrap();
    written(&changes);
    drop(changes);
    thread.join().unwrap();
    let topics: Vec<_> = LeftOver::find(&dir.0, "hall").messages.into_iter().map(|m| m.topic).collect();
    assert_eq!(topics, ["a/1/log", "a/2/log"]);
}
