//! Ten minutes without a broker, and then how long it takes until everything has left.

use std::path::Path;
use std::time::{Duration, Instant};

use jadoube::contract::Draft;
use jadoube::daemon::courier::carry;
use jadoube::daemon::host::Clock;
use jadoube::daemon::outbox::{Keep, Message, Outbox, Post};
use jadoube::daemon::publisher::MqttPublisher;
use jadoube::daemon::roster::Roster;
use jadoube::daemon::spool;
use serde_json::{Map, Value};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, watch};

use crate::memory_mb;
use crate::mosquitto::Mosquitto;
use crate::wait::Scratch;

const CUT_S: u64 = 600;
/// A ply every so many seconds at each board, and something for the log.
const PLY_S: u64 = 3;
const LOG_S: u64 = 30;
/// As long as such messages are.
const MOVE_BYTES: usize = 330;
const STATE_BYTES: usize = 1_100;
const LOG_BYTES: usize = 3_500;

pub(crate) fn measure(boards: u64) {
    let (dir, runtime) = (Scratch::new(), Runtime::new().expect("a runtime"));
    let post = Post::new(Outbox::new("jadoube", "bench", 7));
    let roster = Roster::new(post.clone(), Clock::start());
    let (changes, spool) = spool::start(dir.path(), "bench", 7, roster.clone()).expect("a thread");
    post.with(|outbox| outbox.keep_with(changes, Vec::new(), Vec::new()));
    let memory = || memory_mb(Path::new("/proc/self/status")).0;
    let before = memory();
    let began = Instant::now();
    fill(&post, boards);
    runtime.block_on(post.kept());
    let (filled, taken, depth) = (began.elapsed(), memory() - before, post.with(|outbox| outbox.depth()));
    let file = std::fs::metadata(dir.path().join("bench-7.outbox")).map_or(0, |file| file.len());

    let broker = Mosquitto::started(false, "allow_anonymous true\nmax_queued_messages 0");
    let (_leave, leaving) = watch::channel(false);
    let (requests, _incoming) = mpsc::channel(16);
    let began = Instant::now();
    let courier = runtime.spawn(carry(publisher(broker.port), post.clone(), requests, roster, leaving));
    while !post.with(|outbox| outbox.is_empty()) {
        std::thread::sleep(Duration::from_millis(1));
    }
    let lasted = began.elapsed().as_secs_f64();
    println!(
        "recovery: ten minutes of {boards} boards without a broker: {} messages wait, {} moves dropped, \
         {taken:.0} MB, {:.1} MB on the disk, taken in within {:.1} s",
        depth.waiting,
        depth.dropped,
        file as f64 / 1e6,
        filled.as_secs_f64()
    );
    println!(
        "  all acknowledged after {lasted:.2} s: {:.0} messages a second",
        depth.waiting as f64 / lasted
    );
    courier.abort();
    post.with(Outbox::end_spool);
    spool.join().expect("it ends");
}

/// In the order in which it comes.
fn fill(post: &Post, boards: u64) {
    let put = |path: String, retain: bool, bytes: usize| {
        let body = Some(Map::from_iter([("text".to_owned(), Value::from("x".repeat(bytes)))]));
        post.post(Draft { path, retain, body });
    };
    for second in 0..CUT_S {
        for board in 0..boards {
            put(format!("arbiter/b{board}/state"), true, STATE_BYTES);
            if (second + board).is_multiple_of(PLY_S) {
                put(format!("broadcast/b{board}/move"), false, MOVE_BYTES);
                let plies = usize::try_from(second / PLY_S).expect("a few");
                put(format!("broadcast/b{board}/game"), true, 200 + plies * MOVE_BYTES);
            }
            if (second + board).is_multiple_of(LOG_S) {
                put(format!("arbiter/b{board}/log"), false, LOG_BYTES);
                put(format!("arbiter/b{board}/alerts/{}", second / LOG_S), true, LOG_BYTES);
            }
        }
    }
}

fn publisher(port: u16) -> MqttPublisher {
    MqttPublisher {
        host: "127.0.0.1".to_owned(),
        port,
        user: None,
        password: None,
        tls: None,
        client_id: "jadoube-bench".to_owned(),
        epoch: 7,
        health: "jadoube/v1/bench/health".to_owned(),
        will: Message {
            topic: "jadoube/v1/bench/status".to_owned(),
            payload: b"{}".to_vec(),
            retain: true,
            correlation: None,
            keep: Keep::Latest,
        },
        requests: "jadoube/v1/bench/arbiter/+/request/+".to_owned(),
        alerts: "jadoube/v1/bench/arbiter/+/alerts/+".to_owned(),
    }
}
