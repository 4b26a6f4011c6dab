//! One board's serial port: finds it, opens it, and tells what is heard.
//!
//! Line: 9600 baud, 8N1, no handshake. A port that is missing, busy or unplugged is tried again
//! with growing pauses. A board whose serial number is known, from the configuration or because it
//! told it in this run, is looked for at other ports too; there, and wherever the configuration names
//! the number, nothing that is heard counts before the board has told that number.

mod line;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::sleep;
use tokio_serial::{SerialPortBuilderExt, SerialStream};

use super::host::Clock;
use super::ports::Ports;
use crate::events::BoardId;
use crate::tick::Tick;
use line::{End, Line};

/// Between two commands: a board's buffer holds 10 bytes.
pub(super) const PACE: Duration = Duration::from_millis(100);
/// The first pause before a port is tried again, and the longest.
const PAUSE: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(5));
/// What a port tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// It is looked for at this port now.
    At(PathBuf),
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

/// The board that is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Its name.
    pub board: BoardId,
    /// Where it is looked for first.
    pub port: Option<PathBuf>,
    /// Its serial number. With one, no other board will do.
    pub serial: Option<String>,
}

/// Serves a board's port, wherever it is, until nobody listens any more.
pub async fn serve(
    ports: Ports,
    wanted: Wanted,
    clock: Clock,
    told: mpsc::Sender<Told>,
    mut asked: mpsc::Receiver<Ask>,
) {
    let mut seeker = Seeker { ports, wanted, clock, told, at: None };
    let mut pause = PAUSE.0;
    let mut said = None;
    while !seeker.told.is_closed() {
        let (heard_any, why) = seeker.round(&mut asked).await;
        if heard_any {
            pause = PAUSE.0;
            said = None;
        }
        if said.as_ref() != Some(&why) {
            if seeker.told.send(Told::Down(seeker.clock.now(), why.clone())).await.is_err() {
                return;
            }
            said = Some(why);
        }
        tokio::select! {
            () = sleep(pause) => {}
            () = seeker.told.closed() => return,
        }
        pause = (pause * 2).min(PAUSE.1);
    }
}

struct Seeker {
    ports: Ports,
    wanted: Wanted,
    clock: Clock,
    told: mpsc::Sender<Told>,
    /// The port that was told last.
    at: Option<PathBuf>,
}

impl Seeker {
    /// Tries the board's own port, then all others; whether the board was heard, and why it no longer is.
    async fn round(&mut self, asked: &mut mpsc::Receiver<Ask>) -> (bool, String) {
        let number = self.wanted.serial.clone().or_else(|| self.ports.number(&self.wanted.board));
        let mut why = None;
        if let Some(port) = self.wanted.port.clone() {
            let another = number.as_deref().is_some_and(|number| self.ports.has_another(&port, number));
            if another && self.wanted.serial.is_some() {
                why = Some(format!("another board is plugged in at {}", port.display()));
            } else {
                let needed = self.wanted.serial.clone();
                let (heard, reason) = self.at_port(&port, needed, number.is_some(), asked).await;
                if heard {
                    return (true, reason);
                }
                why = Some(reason);
            }
        }
        let Some(number) = number else { return (false, why.unwrap_or_default()) };
        if let Some(port) = self.ports.find(&self.wanted.board, &number).await {
            return self.at_port(&port, Some(number), true, asked).await;
        }
        let nowhere = match self.ports.looked_in() {
            places if places.is_empty() => None,
            places => Some(format!("no free port has the board {number}: looked in {places}")),
        };
        let whys: Vec<String> = why.into_iter().chain(nowhere).collect();
        (false, whys.join("; "))
    }

    /// Serves one port until it is gone, or has another board than the one that is needed, or is silent
    /// although the board may be elsewhere.
    async fn at_port(
        &mut self,
        port: &Path,
        needed: Option<String>,
        may_be_elsewhere: bool,
        asked: &mut mpsc::Receiver<Ask>,
    ) -> (bool, String) {
        let taken = match self.ports.take(port, &self.wanted.board) {
            Ok(taken) => taken,
            Err(why) => return (false, why),
        };
        let stream = match open(port) {
            Ok(stream) => stream,
            Err(why) => return (false, why),
        };
        if self.at.as_deref() != Some(port) {
            self.at = Some(port.to_owned());
            if self.told.send(Told::At(port.to_owned())).await.is_err() {
                return (false, "not wanted any more".to_owned());
            }
        }
        let mut line = Line::new(stream, &self.clock, &self.told, needed, may_be_elsewhere);
        let ports = (&self.ports, &self.wanted.board, port);
        let end = line.serve(asked, ports).await;
        let heard = line.heard_any;
        drop(taken);
        let shown = port.display();
        match end {
            End::Because(why) => (heard, format!("{shown}: {why}")),
            End::Another(number, needed) => {
                let why =
                    format!("another board is plugged in at {shown}: its number is {number}, not {needed}");
                self.ports.refused(&self.wanted.board, &why);
                (false, why)
            }
        }
    }
}

/// Opens a port, for this program alone.
///
/// # Errors
/// It is not there, busy, or may not be opened; says which and what to do, for people.
pub fn open(path: &Path) -> Result<SerialStream, String> {
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
