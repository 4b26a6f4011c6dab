//! One serial port: opens it, asks the board for what is needed, and tells what is heard.
//!
//! Line: 9600 baud, 8N1, no handshake. A port that is missing, busy or unplugged is tried again
//! with growing pauses. A board forgets its update mode when it loses power, so a board that is
//! silent for long is asked again, and one that does not answer counts as not heard.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jadoube_dgt::Command;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_serial::{SerialPortBuilderExt, SerialStream};

use super::host::Clock;
use crate::tick::Tick;

/// Between two commands: a board's buffer holds 10 bytes.
const PACE: Duration = Duration::from_millis(100);
/// The first pause before a port is tried again, and the longest.
const PAUSE: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(5));
/// A board that says nothing for so long is asked whether it is there.
const SILENCE: Duration = Duration::from_secs(10);
/// And has so long to answer.
const ANSWER: Duration = Duration::from_secs(5);

/// Before the clock is asked for: firmware that was given a command for the clock may repeat the
/// acknowledgement for a second.
const CLOCK_LATER: Duration = Duration::from_secs(1);
/// Between two questions for the battery, to boards that have one.
const BATTERY_LATER: Duration = Duration::from_secs(600);

/// After opening: what the board shows, then its changes, then once more what it shows, so that a
/// change in between is not missed; the clock as it is, and who the board is. Boards without a long
/// number or a battery do not answer the last two.
const OPENING: [Command; 9] = [
    Command::Reset,
    Command::SendBoard,
    Command::UpdateNice,
    Command::SendBoard,
    Command::SendClock,
    Command::ReturnSerial,
    Command::Version,
    Command::ReturnLongSerial,
    Command::Battery,
];
/// To a board that has been silent.
const ARE_YOU_THERE: [Command; 2] = [Command::UpdateNice, Command::SendBoard];

/// What a port tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// The board is heard from now on.
    Up(Tick),
    /// It is not heard, and why, for people. Told again when the reason changes.
    Down(Tick, String),
    /// Bytes, as they came.
    Bytes(Tick, Vec<u8>),
}

/// What a port is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// To have the board send all squares, now.
    Dump,
    /// To have it send the clock, a second later.
    Clock,
    /// To have it send the state of its battery, some minutes later.
    Battery,
}

/// Serves a port until nobody listens any more.
pub async fn serve(path: PathBuf, clock: Clock, told: mpsc::Sender<Told>, mut asked: mpsc::Receiver<Ask>) {
    let mut pause = PAUSE.0;
    let mut said = None;
    while !told.is_closed() {
        let why = match open(&path) {
            Ok(stream) => {
                let mut line = Line::new(stream, &clock, &told);
                let why = line.serve(&mut asked).await;
                if line.heard_any {
                    pause = PAUSE.0;
                    said = None;
                }
                format!("{}: {why}", path.display())
            }
            Err(why) => why,
        };
        if said.as_ref() != Some(&why) {
            if told.send(Told::Down(clock.now(), why.clone())).await.is_err() {
                return;
            }
            said = Some(why);
        }
        tokio::select! {
            () = sleep(pause) => {}
            () = told.closed() => return,
        }
        pause = (pause * 2).min(PAUSE.1);
    }
}

fn open(path: &Path) -> Result<SerialStream, String> {
    let shown = path.display();
    let Some(name) = path.to_str() else { return Err(format!("{shown} is no name of a port")) };
    if let Err(error) = std::fs::metadata(path) {
        return Err(format!("there is no port {shown}: {error}"));
    }
    tokio_serial::new(name, 9600).open_native_async().map_err(|error| {
        let text = error.to_string();
        match error.kind {
            _ if text.contains("lock") => format!("port {shown} is busy: another program uses it"),
            tokio_serial::ErrorKind::Io(ErrorKind::PermissionDenied) => {
                format!("port {shown} may not be opened: {text}; is this user in the group dialout?")
            }
            _ => format!("port {shown} cannot be opened: {text}"),
        }
    })
}

/// An open port.
struct Line<'a> {
    stream: SerialStream,
    clock: &'a Clock,
    told: &'a mpsc::Sender<Told>,
    to_send: Vec<Command>,
    clock_at: Option<Instant>,
    battery_at: Option<Instant>,
    sent_at: Option<Instant>,
    heard_at: Instant,
    /// Whether the table was told that the board is heard.
    up: bool,
    asked_whether_there: bool,
    heard_any: bool,
}

impl<'a> Line<'a> {
    fn new(stream: SerialStream, clock: &'a Clock, told: &'a mpsc::Sender<Told>) -> Self {
        Line {
            stream,
            clock,
            told,
            to_send: OPENING.to_vec(),
            clock_at: None,
            battery_at: None,
            sent_at: None,
            heard_at: Instant::now(),
            up: false,
            asked_whether_there: false,
            heard_any: false,
        }
    }

    /// Serves it until it is gone; returns why.
    async fn serve(&mut self, asked: &mut mpsc::Receiver<Ask>) -> String {
        let mut buffer = [0; 1024];
        loop {
            let send_at = self.sent_at.map_or_else(Instant::now, |at| at + PACE);
            let quiet_at =
                self.heard_at + if self.up && !self.asked_whether_there { SILENCE } else { ANSWER };
            let later = self.due();
            tokio::select! {
                biased;
                read = self.stream.read(&mut buffer) => match read {
                    // A removed adapter reads as an end of file, or as an error, for ever.
                    Ok(0) => return "unplugged".to_owned(),
                    Ok(n) => if !self.heard(&buffer[..n]).await { return "not wanted any more".to_owned() },
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(error) => return format!("unplugged ({error})"),
                },
                ask = asked.recv() => match ask {
                    Some(ask) => self.asked(ask),
                    None => return "not wanted any more".to_owned(),
                },
                () = sleep_until(send_at), if !self.to_send.is_empty() => {
                    if let Err(why) = self.send().await {
                        return why;
                    }
                }
                () = sleep_until(later.unwrap_or(quiet_at)), if later.is_some() => self.come_due(),
                () = sleep_until(quiet_at) => if !self.silent().await {
                    return "not wanted any more".to_owned();
                },
            }
        }
    }

    fn asked(&mut self, ask: Ask) {
        match ask {
            Ask::Dump if self.to_send.contains(&Command::SendBoard) => {}
            Ask::Dump => self.to_send.insert(0, Command::SendBoard),
            Ask::Clock => _ = self.clock_at.get_or_insert(Instant::now() + CLOCK_LATER),
            Ask::Battery => self.battery_at = Some(Instant::now() + BATTERY_LATER),
        }
    }

    fn due(&self) -> Option<Instant> {
        [self.clock_at, self.battery_at].into_iter().flatten().min()
    }

    fn come_due(&mut self) {
        let now = Instant::now();
        for (at, command) in
            [(&mut self.clock_at, Command::SendClock), (&mut self.battery_at, Command::Battery)]
        {
            if at.take_if(|at| *at <= now).is_some() {
                self.to_send.push(command);
            }
        }
    }

    async fn heard(&mut self, bytes: &[u8]) -> bool {
        let now = self.clock.now();
        self.heard_at = Instant::now();
        self.asked_whether_there = false;
        self.heard_any = true;
        if !self.up {
            self.up = true;
            if self.told.send(Told::Up(now)).await.is_err() {
                return false;
            }
        }
        self.told.send(Told::Bytes(now, bytes.to_vec())).await.is_ok()
    }

    async fn send(&mut self) -> Result<(), String> {
        let command = self.to_send.remove(0);
        self.sent_at = Some(Instant::now());
        match timeout(Duration::from_secs(1), self.stream.write_all(&[command.byte()])).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(format!("unplugged ({error})")),
            Err(_) => Err("the port takes no commands".to_owned()),
        }
    }

    /// Nothing was heard for long: ask, and if that was in vain, say so and begin anew.
    async fn silent(&mut self) -> bool {
        self.heard_at = Instant::now();
        if self.up && !self.asked_whether_there {
            self.asked_whether_there = true;
            self.to_send.extend(ARE_YOU_THERE);
            return true;
        }
        self.up = false;
        self.asked_whether_there = false;
        self.to_send = OPENING.to_vec();
        let why = "the port is open, but the board does not answer: is it switched on?".to_owned();
        self.told.send(Told::Down(self.clock.now(), why)).await.is_ok()
    }
}
