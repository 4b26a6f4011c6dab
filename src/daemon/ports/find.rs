//! Finds boards by their serial numbers, wherever they are plugged in.
//!
//! Shared by all boards of a room: which port is whose now, which board told which number, and what
//! answered where, so that a port is asked rarely and by one at a time. A port that a board's task has
//! open is never asked, and neither is a device that is no board's adapter, unless the configuration
//! names its port.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jadoube_dgt::Command;
use tokio::time::Instant;
use tracing::debug;

use super::{Host, Identity, LOOK_IN, ask, device, expand};
use crate::daemon::roster::Roster;
use crate::events::BoardId;

/// The long number first: every board answers the other one, and then all is said.
const WHO_ARE_YOU: [Command; 2] = [Command::ReturnLongSerial, Command::ReturnSerial];
/// A port is asked again after so long: at first, and at most. The board may be switched on by then,
/// or another one be at the same adapter.
const AGAIN: (Duration, Duration) = (Duration::from_secs(3), Duration::from_secs(60));
/// What a board answered at its own port is believed for so long.
const FRESH: Duration = Duration::from_secs(10);

/// What all boards of a room know of its ports; cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Ports {
    state: Arc<Mutex<State>>,
    /// Held while a port is asked.
    asking: Arc<tokio::sync::Mutex<()>>,
    /// `None`: the usual ones.
    look_in: Option<Vec<String>>,
    host: Host,
    roster: Option<Roster>,
}

#[derive(Debug, Default)]
struct State {
    taken: BTreeMap<PathBuf, BoardId>,
    told: BTreeMap<BoardId, Identity>,
    answers: BTreeMap<PathBuf, Answer>,
}

/// What was found at a port.
#[derive(Clone, Debug)]
struct Answer {
    plugged: Plug,
    identity: Option<Identity>,
    at: Instant,
    again: Duration,
}

/// Changes when something is plugged in under the same name.
type Plug = (u64, u64, i64, i64);

/// A port that is one board's, until this is dropped.
#[derive(Debug)]
pub struct Taken {
    device: PathBuf,
    ports: Ports,
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.ports.lock().taken.remove(&self.device);
    }
}

impl Ports {
    /// Ports that are looked through, and where to tell what is not as it should be.
    #[must_use]
    pub fn new(look_in: Option<Vec<String>>, roster: Roster) -> Ports {
        Ports { look_in, roster: Some(roster), ..Ports::default() }
    }

    /// No ports are looked through.
    #[must_use]
    pub fn nowhere() -> Ports {
        Ports { look_in: Some(Vec::new()), ..Ports::default() }
    }

    /// Takes a port for a board.
    ///
    /// # Errors
    /// Another board has it.
    pub fn take(&self, port: &Path, board: &BoardId) -> Result<Taken, String> {
        let device = device(port);
        let mut state = self.lock();
        match state.taken.get(&device) {
            Some(other) => {
                let shown = port.display();
                Err(format!("port {shown} is busy: board {other} is there, or is being looked for there"))
            }
            None => {
                state.taken.insert(device.clone(), board.clone());
                drop(state);
                Ok(Taken { device, ports: self.clone() })
            }
        }
    }

    /// A board at a port said who it is.
    pub(in crate::daemon) fn told(&self, port: &Path, identity: &Identity) {
        self.remember(port, Some(identity.clone()));
    }

    /// The board of this name has this identity.
    pub(in crate::daemon) fn learned(&self, board: &BoardId, identity: &Identity) {
        let mut state = self.lock();
        if state.told.get(board) != Some(identity) {
            state.told.insert(board.clone(), identity.clone());
        }
        drop(state);
        if let Some(roster) = &self.roster {
            roster.clear(&another(board));
        }
    }

    /// The number that the board of this name told in this run.
    pub(in crate::daemon) fn number(&self, board: &BoardId) -> Option<String> {
        Some(self.lock().told.get(board)?.number()?.to_owned())
    }

    /// At the port of this board there is another one.
    pub(in crate::daemon) fn refused(&self, board: &BoardId, why: &str) {
        if let Some(roster) = &self.roster {
            roster.warn(&another(board), format!("board {board}: {why}"));
        }
    }

    /// Whether another board than this one answered at the port a moment ago.
    pub(in crate::daemon) fn has_another(&self, port: &Path, number: &str) -> bool {
        let answer = self.lock().answers.get(&device(port)).cloned();
        answer.is_some_and(|answer| {
            let known = answer.identity.is_some_and(|identity| !identity.is(number));
            known && answer.at.elapsed() < FRESH && plug(port) == Some(answer.plugged)
        })
    }

    /// Where people may look for a board that is not found.
    pub(in crate::daemon) fn looked_in(&self) -> String {
        self.patterns().join(", ")
    }

    /// Looks for the board with this number through the ports that nobody has. Asks them if need be.
    pub(in crate::daemon) async fn find(&self, board: &BoardId, number: &str) -> Option<PathBuf> {
        let _one_at_a_time = self.asking.lock().await;
        let mut seen = Vec::new();
        for port in self.patterns().iter().flat_map(|pattern| expand(pattern)) {
            let device = device(&port);
            if seen.contains(&device) || !self.may_ask(&port) {
                continue;
            }
            seen.push(device.clone());
            let (Ok(taken), Some(now)) = (self.take(&port, board), plug(&port)) else { continue };
            let known = self.lock().answers.get(&device).cloned().filter(|answer| answer.plugged == now);
            if let Some(known) = known {
                if known.identity.as_ref().is_some_and(|identity| identity.is(number)) {
                    return Some(port);
                }
                if known.at.elapsed() < known.again {
                    continue;
                }
            }
            let answer = ask(&port, &WHO_ARE_YOU).await;
            drop(taken);
            debug!("{} was asked who it is: {answer:?}", port.display());
            let answer = answer.ok();
            let found = answer.as_ref().is_some_and(|identity| identity.is(number));
            self.remember(&port, answer);
            if found {
                return Some(port);
            }
        }
        None
    }

    fn patterns(&self) -> Vec<String> {
        let usual = || LOOK_IN.iter().map(|pattern| (*pattern).to_owned()).collect();
        self.look_in.clone().unwrap_or_else(usual)
    }

    fn may_ask(&self, port: &Path) -> bool {
        self.look_in.is_some() || self.host.adapter(port).is_some_and(|adapter| adapter.is_of_boards())
    }

    fn remember(&self, port: &Path, identity: Option<Identity>) {
        let Some(plugged) = plug(port) else { return };
        let mut state = self.lock();
        let before = state.answers.get(&device(port)).filter(|before| before.plugged == plugged);
        let again = match (&identity, before) {
            (Some(_), _) => AGAIN.1,
            (None, Some(before)) => (before.again * 2).min(AGAIN.1),
            (None, None) => AGAIN.0,
        };
        state.answers.insert(device(port), Answer { plugged, identity, at: Instant::now(), again });
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn another(board: &BoardId) -> String {
    format!("another-board-{board}")
}

fn plug(port: &Path) -> Option<Plug> {
    let data = std::fs::metadata(port).ok()?;
    Some((data.rdev(), data.ino(), data.ctime(), data.ctime_nsec()))
}
