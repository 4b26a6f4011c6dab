//! A real mosquitto on a free port of loopback, and subscribers to it.
// Each test program uses a part of this.
#![allow(dead_code)]

use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use rustix::process::{Pid, Signal, kill_process};

use crate::wait::{Scratch, wait_for};

/// Starts a program; says which package it is in if it is not there.
pub(crate) fn spawn(command: &mut Command, package: &str) -> Child {
    let name = command.get_program().to_owned();
    command.stdin(Stdio::null()).spawn().unwrap_or_else(|error| {
        panic!("{name:?} cannot be started ({error}): install the Debian package {package}")
    })
}

/// A port that was free a moment ago.
pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

pub(crate) struct Mosquitto {
    pub(crate) port: u16,
    pub(crate) dir: Scratch,
    child: Option<Child>,
    config: PathBuf,
}

impl Mosquitto {
    /// Configured, not started. `extra` is added to its configuration.
    pub(crate) fn prepare(persistence: bool, extra: &str) -> Self {
        let dir = Scratch::new();
        let port = free_port();
        let config = format!(
            "listener {port} 127.0.0.1\nuser root\npersistence {persistence}\npersistence_location {}/\n{}\n",
            dir.path().display(),
            extra.replace("DIR", &dir.path().display().to_string()),
        );
        let config = dir.write("mosquitto.conf", &config);
        Mosquitto { port, dir, child: None, config }
    }

    pub(crate) fn started(persistence: bool, extra: &str) -> Self {
        let mut broker = Mosquitto::prepare(persistence, extra);
        broker.start();
        broker
    }

    pub(crate) fn start(&mut self) {
        assert!(self.child.is_none());
        // Debian keeps it where only root looks.
        let program =
            if PathBuf::from("/usr/sbin/mosquitto").exists() { "/usr/sbin/mosquitto" } else { "mosquitto" };
        let mut command = Command::new(program);
        command.arg("-c").arg(&self.config).stdout(Stdio::null()).stderr(Stdio::null());
        self.child = Some(spawn(&mut command, "mosquitto"));
        let port = self.port;
        wait_for("mosquitto listens", || TcpStream::connect(("127.0.0.1", port)).ok());
    }

    pub(crate) fn stop(&mut self, signal: Signal) {
        if let Some(mut child) = self.child.take() {
            kill_process(pid(&child), signal).unwrap();
            child.wait().unwrap();
        }
    }

    /// Sends it a signal that does not end it.
    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(pid(self.child.as_ref().unwrap()), signal).unwrap();
    }

    /// Adds a user; the broker must not be running.
    pub(crate) fn password(&self, user: &str, password: &str) {
        let file = self.dir.path().join("passwords");
        let mut command = Command::new("mosquitto_passwd");
        command
            .args(if file.exists() { &["-b"][..] } else { &["-b", "-c"] })
            .arg(&file)
            .args([user, password]);
        assert!(spawn(&mut command, "mosquitto").wait().unwrap().success());
    }

    pub(crate) fn subscribe(&self, topic: &str, more: &[&str]) -> Subscriber {
        Subscriber::start(self.port, topic, more)
    }

    pub(crate) fn publish(&self, topic: &str, payload: &str, more: &[&str]) {
        publish(self.port, topic, payload, more);
    }
}

/// mosquitto_pub.
pub(crate) fn publish(port: u16, topic: &str, payload: &str, more: &[&str]) {
    let mut command = Command::new("mosquitto_pub");
    let port = port.to_string();
    command.args(["-V", "mqttv5", "-q", "1", "-h", "127.0.0.1", "-p", &port, "-t", topic, "-m", payload]);
    command.args(more);
    assert!(spawn(&mut command, "mosquitto-clients").wait().unwrap().success());
}

impl Drop for Mosquitto {
    fn drop(&mut self) {
        self.stop(Signal::KILL);
    }
}

pub(crate) fn pid(child: &Child) -> Pid {
    Pid::from_child(child)
}

/// What a subscriber got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Got {
    pub(crate) retained: bool,
    pub(crate) topic: String,
    /// MQTT 5 correlation data.
    pub(crate) correlation: String,
    pub(crate) payload: String,
}

impl Got {
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.payload).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// mosquitto_sub.
pub(crate) struct Subscriber {
    child: Child,
    got: Arc<Mutex<Vec<Got>>>,
}

impl Subscriber {
    pub(crate) fn start(port: u16, topic: &str, more: &[&str]) -> Self {
        let mut command = Command::new("mosquitto_sub");
        let port = port.to_string();
        command.args(["-V", "mqttv5", "-q", "1", "-h", "127.0.0.1", "-p", &port, "-t", topic]);
        command.args(["-F", "%r|%t|%D|%p"]).args(more).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = spawn(&mut command, "mosquitto-clients");
        let got = Arc::new(Mutex::new(Vec::new()));
        let (lines, heard) = (BufReader::new(child.stdout.take().unwrap()).lines(), got.clone());
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let mut parts = line.splitn(4, '|').map(str::to_owned);
                let mut part = || parts.next().unwrap_or_default();
                let retained = part() == "1";
                let (topic, correlation, payload) = (part(), part(), part());
                heard.lock().unwrap().push(Got { retained, topic, correlation, payload });
            }
        });
        Subscriber { child, got }
    }

    pub(crate) fn got(&self) -> Vec<Got> {
        self.got.lock().unwrap().clone()
    }

    /// What came after the first so many.
    pub(crate) fn since(&self, read: usize) -> Vec<Got> {
        self.got.lock().unwrap()[read..].to_vec()
    }

    /// Waits for a message; fails with all that came instead.
    pub(crate) fn wait(&self, what: &str, so: impl Fn(&Got) -> bool) -> Got {
        let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            wait_for(what, || self.got().into_iter().find(|got| so(got)))
        }));
        found.unwrap_or_else(|_| panic!("{what}: only {:#?}", self.got()))
    }
}

impl Drop for Subscriber {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
