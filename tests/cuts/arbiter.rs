//! An arbiter at the broker: rules on what opens, one request after the other at each board, and
//! sends each again until it is answered.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::mosquitto::{Got, Subscriber, publish};
use crate::wait::LIMIT;

/// An answer takes so long at most where nothing is wrong.
const PATIENCE: Duration = Duration::from_millis(700);
/// So often he looks.
const LOOKS: Duration = Duration::from_millis(20);

/// What he was answered, by the id of his request; and how often he asked in all.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    pub(crate) by_id: BTreeMap<String, BTreeSet<String>>,
    pub(crate) sent: usize,
}

pub(crate) struct Arbiter {
    leaves: Arc<AtomicBool>,
    thread: JoinHandle<Answers>,
}

impl Arbiter {
    /// He is never away.
    pub(crate) fn at(port: u16) -> Arbiter {
        let root = "jadoube/v1/hall/arbiter/+";
        let (log, response) = (format!("{root}/log"), format!("{root}/response/+"));
        let heard = Subscriber::start(port, &log, &["-t", &response, "-c", "-i", "arbiter"]);
        let leaves = Arc::new(AtomicBool::new(false));
        let desk =
            Desk { port, boards: BTreeMap::new(), known: BTreeSet::new(), answers: Answers::default() };
        let told = leaves.clone();
        Arbiter { leaves, thread: std::thread::spawn(move || desk.work(&heard, &told)) }
    }

    /// Once everything he asked is answered.
    pub(crate) fn leaves(self) -> Answers {
        self.leaves.store(true, Ordering::SeqCst);
        self.thread.join().unwrap()
    }
}

struct Request {
    id: String,
    topic: String,
    payload: String,
    sent: Option<Instant>,
}

struct Desk {
    port: u16,
    /// By board: what is to be asked.
    boards: BTreeMap<String, VecDeque<Request>>,
    /// Alerts that were dealt with.
    known: BTreeSet<String>,
    answers: Answers,
}

impl Desk {
    fn work(mut self, heard: &Subscriber, leaves: &AtomicBool) -> Answers {
        let (mut read, mut limit) = (0, None);
        loop {
            let new = heard.since(read);
            read += new.len();
            new.iter().for_each(|got| self.hear(got));
            self.ask();
            if leaves.load(Ordering::SeqCst) {
                let waiting: Vec<_> = self.boards.values().flatten().map(|asked| asked.id.as_str()).collect();
                if waiting.is_empty() {
                    return self.answers;
                }
                let limit = *limit.get_or_insert_with(|| Instant::now() + LIMIT);
                assert!(Instant::now() < limit, "not answered: {waiting:?}");
            }
            std::thread::sleep(LOOKS);
        }
    }

    fn hear(&mut self, got: &Got) {
        let said = got.json();
        let (Some(board), Some(id)) = (said["board"].as_str(), said["id"].as_str()) else { return };
        if got.topic.contains("/response/") {
            self.answers.by_id.entry(id.to_owned()).or_default().insert(answer(&said));
            if let Some(asked) = self.boards.get_mut(board) {
                asked.retain(|asked| asked.id != id);
            }
        } else if said["schema"] == "jadoube.alert/1"
            && said["state"] == "open"
            && self.known.insert(id.to_owned())
        {
            let asked = self.boards.entry(board.to_owned()).or_default();
            asked.extend(requests(board, id, said["code"].as_str().unwrap_or_default()));
        }
    }

    /// The first of each board, if it was not sent lately.
    fn ask(&mut self) {
        for asked in self.boards.values_mut().filter_map(|asked| asked.front_mut()) {
            if asked.sent.is_none_or(|at| at.elapsed() >= PATIENCE) {
                asked.sent = Some(Instant::now());
                self.answers.sent += 1;
                publish(self.port, &asked.topic, &asked.payload, &[]);
            }
        }
    }
}

/// The answer without what numbers messages.
fn answer(said: &Value) -> String {
    format!("{} {} {}", said["ok"], said["text"], said["error"])
}

/// What he does about an alert: changes his mind twice, and adds what somebody else has seen. Done
/// twice, each of these would be seen: a report opens an alert, a ruling makes a revision.
fn requests(board: &str, alert: &str, code: &str) -> Vec<Request> {
    let rule = |ruling: &str| ("rule", json!({"alert": alert, "ruling": ruling}));
    let steps = match code {
        "illegal-move" | "pawn-not-promoted" | "press-without-move" => vec![
            rule("dismissed"),
            ("undo", json!({"alert": alert})),
            (
                "report",
                json!({"code": "touch-move", "player": "white", "what": "heard", "witness": "a captain"}),
            ),
            rule("upheld"),
        ],
        "touch-move" => vec![rule("noted")],
        _ => Vec::new(),
    };
    let request = |(step, (verb, mut body)): (usize, (&str, Value))| {
        let id = format!("{alert}/{step}");
        (body["id"], body["by"]) = (Value::from(id.as_str()), Value::from("floor arbiter"));
        let topic = format!("jadoube/v1/hall/arbiter/{board}/request/{verb}");
        Request { id, topic, payload: body.to_string(), sent: None }
    };
    steps.into_iter().enumerate().map(request).collect()
}
