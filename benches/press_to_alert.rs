//! From the last byte of a clock press to the alert at a subscriber: one board at a
//! pseudo-terminal, the whole daemon, its embedded broker, an MQTT subscriber.
//!
//! Every press that is measured is one of White without a move, so every one makes an alert. The
//! settling time is what the core waits for late readings on purpose; it is in the alert, as `t_ms`
//! less `pressed_t_ms`, and the rest is what the program, the disk and the broker need.
//! `JADOUBE_PRESSES` sets how many.

#[path = "../tests/common/pty_board.rs"]
mod pty_board;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jadoube::daemon::config::{Board, Broker, Config, Event};
use jadoube::daemon::room;
use jadoube::events::TopicPart;
use jadoube_dgt::{ClockReport, Lever, Message, Side, SideTime};
use pty_board::{PtyBoard, encode};
use rumqttc::{AsyncClient, Event as Heard, EventLoop, MqttOptions, Packet, QoS};
use serde_json::Value;
use tokio::runtime::Runtime;
use tokio::time::{sleep, timeout};

const PRESSES: usize = 50;

fn main() {
    let presses = std::env::var("JADOUBE_PRESSES").map_or(PRESSES, |n| n.parse().expect("a number"));
    println!("press to alert: {presses} presses, one board, QoS 1, embedded broker");
    let disk = std::env::temp_dir();
    let places = [
        ("journal on disk, synced before each alert", disk.as_path()),
        ("journal in memory", Path::new("/dev/shm")),
    ];
    for (what, place) in places.iter().filter(|(_, place)| place.is_dir()) {
        let folder = Folder::new(place);
        let runtime = Runtime::new().expect("a runtime");
        let (whole, beyond): (Vec<f64>, Vec<f64>) =
            runtime.block_on(measure(presses, &folder.0)).into_iter().unzip();
        println!("  {what}:");
        println!("    with the settling time    {}", spread(whole));
        println!("    beyond the settling time  {}", spread(beyond));
    }
}

/// For each press, in milliseconds: until the alert is there, and the same beyond the settling time.
async fn measure(presses: usize, journal: &Path) -> Vec<(f64, f64)> {
    let board = PtyBoard::new();
    let part = |name| TopicPart::new(name).expect("a topic part");
    let config = Config {
        event: Event {
            name: None,
            ruleset: "fide-2023/standard".to_owned(),
            rules: Vec::new(),
            time_control: None,
            shadow: jadoube::events::Shadow::default(),
            mating: jadoube::mating::Budget::DECIDES,
            escalate: jadoube::tick::Span::ZERO,
        },
        boards: vec![Board {
            id: part("b1"),
            port: Some(board.path.clone()),
            serial: None,
            white_sits: None,
            arbiter: None,
            shadow: None,
            hold: false,
        }],
        look_in: None,
        delay: jadoube::contract::Delay::default(),
        records: None,
        broker: Broker::Embedded { port: 0 },
        metrics: None,
        node: part("bench"),
        root: part("jadoube"),
        journal_dir: journal.to_owned(),
        keep: None,
        resume: std::time::Duration::ZERO,
    };
    let room = room::start(config).await.expect("a room");
    let broker = room.broker_address().expect("an embedded broker");
    let mut options = MqttOptions::new("bench-subscriber", (broker.ip().to_string(), broker.port()));
    options.set_max_packet_size(Some(256 * 1024));
    let (client, mut events) = AsyncClient::builder(options).capacity(16).build();
    client.subscribe("jadoube/v1/bench/arbiter/b1/alerts/+", QoS::AtLeastOnce).await.expect("a subscription");
    // Lets the port be opened, which takes a second of commands, and the subscription come back.
    let _ = timeout(Duration::from_secs(3), alert(&mut events)).await;

    board.say(&clock(Side::Left));
    sleep(Duration::from_secs(1)).await;
    let press = encode(&clock(Side::Right));
    let mut measured = Vec::new();
    for _ in 0..presses {
        let begin = Instant::now();
        board.say_bytes(&press);
        let found = timeout(Duration::from_secs(5), alert(&mut events)).await.expect("an alert in time");
        let whole = begin.elapsed().as_secs_f64() * 1000.0;
        let time = |key: &str| found[key].as_f64().expect("a time");
        measured.push((whole, whole - (time("t_ms") - time("pressed_t_ms"))));
        // The other player presses back, so that it is White's move again and nothing was played.
        sleep(Duration::from_millis(300)).await;
        board.say(&clock(Side::Left));
        let _ = timeout(Duration::from_millis(600), alert(&mut events)).await;
    }
    room.stop().await;
    measured
}

/// The next alert as it comes to the subscriber.
async fn alert(events: &mut EventLoop) -> Value {
    loop {
        if let Heard::Incoming(Packet::Publish(publish)) = events.poll().await.expect("the broker is there") {
            let alert: Value = serde_json::from_slice(&publish.payload).unwrap_or_default();
            if alert["code"] == "press-without-move" && alert["revision"] == 0 {
                return alert;
            }
        }
    }
}

/// The clock running, with this side to move.
fn clock(to_move: Side) -> Message<'static> {
    let time = SideTime::from_seconds(5400).expect("in range");
    Message::Clock(ClockReport {
        left: time,
        right: time,
        running: true,
        lever: Lever::while_moving(to_move),
        battery_low: false,
        turn_bit_3: to_move == Side::Right,
        turn_bit_4: to_move == Side::Left,
    })
}

fn spread(mut times: Vec<f64>) -> String {
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
    format!("p50 {:.1} ms, p99 {:.1} ms, longest {:.1} ms", at(0.5), at(0.99), at(1.0))
}

/// A folder for journals that nobody needs afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(place: &Path) -> Folder {
        let path = place.join(format!("jadoube-bench-{}", std::process::id()));
        std::fs::create_dir(&path).expect("a folder for journals");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
