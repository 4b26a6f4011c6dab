//! A whole hall at blitz speed: boards at pseudo-terminals, the daemon as a program of its own, a real
//! mosquitto, a subscriber. And what waited for ten minutes: how fast it leaves once the broker is back.
//!
//! Latency is counted from the write of the last byte of a press to the arrival at the subscriber. The
//! settling time is what the core waits for late readings on purpose. Beside each figure stands a
//! round trip of the same client through the same broker in the same moments: a busy machine slows both.
//! `JADOUBE_BOARDS` and `JADOUBE_SECONDS` set how many boards and how long.

#[path = "../tests/common/mosquitto.rs"]
mod mosquitto;
#[path = "throughput/recovery.rs"]
mod recovery;
#[path = "throughput/table.rs"]
mod table;
#[path = "../tests/common/wait.rs"]
mod wait;

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use mosquitto::{Mosquitto, pid, spawn};
use rumqttc::{AsyncClient, Event, EventLoop, MqttOptions, NetworkOptions, Packet, PublishOptions, QoS};
use rustix::process::{Signal, kill_process};
use serde_json::Value;
use table::{Presses, Table};
use tokio::time::{Instant, sleep};
use wait::Scratch;

/// Boards are opened and games begun before anything is measured.
const OPENING: Duration = Duration::from_secs(10);
/// So often the client asks itself something.
const PROBE: Duration = Duration::from_millis(20);

fn main() {
    let number = |name, usual| std::env::var(name).map_or(usual, |n| n.parse().expect("a number"));
    let (boards, seconds) = (number("JADOUBE_BOARDS", 256), number("JADOUBE_SECONDS", 60));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(hall(boards as usize, Duration::from_secs(seconds)));
    for boards in [50, 256] {
        recovery::measure(boards);
    }
}

/// Milliseconds since 1970, to the microsecond.
fn now_ms() -> f64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970");
    now.as_micros() as f64 / 1000.0
}

/// What was measured, in milliseconds.
#[derive(Default)]
struct Measured {
    moves: Vec<f64>,
    moves_beyond: Vec<f64>,
    alerts: Vec<f64>,
    alerts_beyond: Vec<f64>,
    probes: Vec<f64>,
}

async fn hall(count: usize, lasts: Duration) {
    // Without this a subscriber waits up to 40 ms for the second of two messages, whoever sent them.
    let settings = "allow_anonymous true\nmax_queued_messages 0\nset_tcp_nodelay true";
    let broker = Mosquitto::started(false, settings);
    let dir = Scratch::new();
    let tables: Vec<Table> = (0..count).map(|n| Table::new(n as u64)).collect();
    let mut config = format!(
        "[event]\nruleset = \"fide-2023/blitz-b2\"\nbase_s = 180\ninc_s = 2\n[node]\nname = \"bench\"\n\
         [broker]\nhost = \"127.0.0.1\"\nport = {}\n",
        broker.port
    );
    for (n, table) in tables.iter().enumerate() {
        config.push_str(&format!("[[board]]\nid = \"b{n}\"\nport = \"{}\"\n", table.path().display()));
    }
    let presses: Vec<Presses> = tables.iter().map(Table::presses).collect();
    for table in tables {
        tokio::spawn(table.play());
    }
    let measured = Arc::new(Mutex::new(None));
    let (client, events) = subscriber(broker.port);
    for filter in ["jadoube/v1/bench/broadcast/+/move", "jadoube/v1/bench/arbiter/+/log", "probe"] {
        client.subscribe(filter, QoS::AtLeastOnce).await.expect("a subscription");
    }
    tokio::spawn(listen(events, presses, measured.clone()));
    tokio::spawn(probe(client));
    let mut program = Command::new(env!("CARGO_BIN_EXE_jadoube"));
    program.arg("run").arg("--config").arg(dir.write("room.toml", &config)).env_remove("STATE_DIRECTORY");
    let log = std::fs::File::create(dir.path().join("log")).expect("a log");
    let mut daemon = spawn(program.stdout(Stdio::null()).stderr(log), "jadoube");
    sleep(OPENING).await;

    *measured.lock().expect("whole") = Some(Measured::default());
    let (begin, before) = (Instant::now(), cpu_s(daemon.id()));
    sleep(lasts).await;
    let measured = measured.lock().expect("whole").take().expect("measured");
    let cpu = (cpu_s(daemon.id()) - before) / begin.elapsed().as_secs_f64();
    let (now, most) = memory_mb(Path::new(&format!("/proc/{}/status", daemon.id())));
    println!(
        "throughput: {count} boards for {} s, mosquitto, QoS 1: {:.0} moves and {:.1} alerts a second",
        lasts.as_secs(),
        measured.moves.len() as f64 / lasts.as_secs_f64(),
        measured.alerts.len() as f64 / lasts.as_secs_f64(),
    );
    println!("  daemon: {:.0} % of a core, {now:.0} MB, at most {most:.0} MB", cpu * 100.0);
    let reference = share(&measured.probes, 0.99);
    for (what, times) in [
        ("round trip of the client  ", &measured.probes),
        ("press to move             ", &measured.moves),
        ("  beyond the settling time", &measured.moves_beyond),
        ("press to alert            ", &measured.alerts),
        ("  beyond the settling time", &measured.alerts_beyond),
    ] {
        println!("  {what} {}", spread(times, reference));
    }
    kill_process(pid(&daemon), Signal::TERM).expect("it runs");
    daemon.wait().expect("it ends");
}

fn subscriber(port: u16) -> (AsyncClient, EventLoop) {
    let mut options = MqttOptions::new("bench-subscriber", ("127.0.0.1", port));
    options.set_max_packet_size(Some(256 * 1024));
    let mut network = NetworkOptions::new();
    network.set_tcp_nodelay(true);
    options.set_network_options(network);
    AsyncClient::builder(options).capacity(64).build()
}

async fn probe(client: AsyncClient) {
    loop {
        let _ = client.publish("probe", now_ms().to_string(), PublishOptions::new(QoS::AtLeastOnce)).await;
        sleep(PROBE).await;
    }
}

async fn listen(mut events: EventLoop, presses: Vec<Presses>, measured: Arc<Mutex<Option<Measured>>>) {
    loop {
        let Ok(event) = events.poll().await else { return };
        let Event::Incoming(Packet::Publish(publish)) = event else { continue };
        let now = now_ms();
        let mut measured = measured.lock().expect("whole");
        let Some(measured) = measured.as_mut() else { continue };
        let said: Value = serde_json::from_slice(&publish.payload).unwrap_or_default();
        if let Some(begin) = said.as_f64() {
            measured.probes.push(now - begin);
            continue;
        }
        let board = said["board"].as_str().and_then(|id| id.get(1..)?.parse::<usize>().ok());
        let (Some(board), Some(epoch)) = (board, said["epoch"].as_f64()) else { continue };
        // The daemon tells whole milliseconds, rounded down.
        let decided = said["t_ms"].as_f64().map(|t_ms| epoch + t_ms + 1.0);
        let pressed = said["pressed_t_ms"].as_f64().map_or(decided, |t_ms| Some(epoch + t_ms + 1.0));
        let (Some(decided), Some(pressed)) = (decided, pressed) else { continue };
        let written = presses[board].last_before(pressed + 1.0);
        let Some(whole) = written.map(|written| now - written).filter(|whole| *whole < 5_000.0) else {
            continue;
        };
        if said["kind"] == "move" && said["revision"] == 0 {
            measured.moves.push(whole);
            measured.moves_beyond.push(now - decided);
        } else if said["code"] == "press-without-move" && said["revision"] == 0 && said["state"] == "open" {
            measured.alerts.push(whole);
            measured.alerts_beyond.push(whole - (decided - pressed));
        }
    }
}

/// The processor time of a program so far.
fn cpu_s(process: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).expect("it runs");
    let after_name = stat.rsplit(')').next().expect("a name in brackets");
    let ticks: Vec<f64> = after_name.split_whitespace().skip(11).take(2).flat_map(str::parse).collect();
    // The kernel counts hundredths, whatever its own clock.
    ticks.iter().sum::<f64>() / 100.0
}

/// What is in memory now, and what was at most.
fn memory_mb(status: &Path) -> (f64, f64) {
    let status = std::fs::read_to_string(status).expect("it runs");
    let of = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("a known field");
        line.split_whitespace().next().expect("a number").parse::<f64>().expect("a number") / 1024.0
    };
    (of("VmRSS:"), of("VmHWM:"))
}

fn share(times: &[f64], share: f64) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    times.get((times.len().saturating_sub(1) as f64 * share).round() as usize).copied().unwrap_or(f64::NAN)
}

fn spread(times: &[f64], reference: f64) -> String {
    let [p50, p99, most] = [0.5, 0.99, 1.0].map(|of| share(times, of));
    let ratio = p99 / reference;
    format!("p50 {p50:.1} ms, p99 {p99:.1} ms, longest {most:.1} ms; p99 is {ratio:.1} round trips (p99)")
}
