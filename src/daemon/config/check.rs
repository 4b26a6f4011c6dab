//! A configuration that may be read and is still not what the event wants: one list for `validate`, for
//! the log and for `health`.
//!
//! An error here starts the room all the same: what can be watched is watched, and the rest is said.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rustix::fs::{Access, access};

use super::environment::Password;
use super::{Board, Broker, Config};
use crate::daemon::ports::device;
use crate::laws::RuleSet;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Easily a mistake.
    Warning,
    /// A board would not be watched.
    Error,
}

/// Something to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// A stable name, that of the condition in `health`.
    pub name: String,
    /// How bad it is.
    pub severity: Severity,
    /// What it is, for people.
    pub text: String,
    /// It is so as long as the configuration is. Otherwise it is so at this moment, and a room finds out
    /// by itself.
    pub standing: bool,
}

/// All that is to be said of a configuration on a day written `2026-11-30`.
#[must_use]
pub fn remarks(config: &Config, day: &str) -> Vec<Remark> {
    let mut out = Vec::new();
    out.extend(date(config, day));
    out.extend(time_control(config));
    boards(config, &mut out);
    out.extend(journals(&config.journals()));
    broker(&config.broker, &mut out);
    out
}

fn standing(name: impl Into<String>, text: String) -> Remark {
    Remark { name: name.into(), severity: Severity::Warning, text, standing: true }
}

/// An edition that is not in force today is a choice an event may make, and easily a mistake.
fn date(config: &Config, day: &str) -> Option<Remark> {
    let set = RuleSet::by_key(&config.event.ruleset).filter(|set| !set.is_in_force_on(day))?;
    let until = set.in_force.1.map_or(String::new(), |last| format!(" to {last}"));
    Some(standing(
        "rules-date",
        format!(
            "the rule set {} was in force from {}{until}, and today is {day}: look whether the event wants it",
            set.key, set.in_force.0
        ),
    ))
}

/// The minutes of a game that a format of FIDE is for: at least, and less than or up to. The length is
/// the time at the start and sixty times the increment. US Chess has other bounds, which overlap.
fn bounds(set: &RuleSet) -> Option<(f64, f64, &'static str)> {
    if !set.edition.starts_with("FIDE") {
        return None;
    }
    let old = set.edition == "FIDE 2009";
    match set.format {
        "standard" => Some((60.0, f64::INFINITY, "60 minutes or more")),
        "rapid" if old => Some((15.0, 60.0, "15 to 60 minutes")),
        "rapid" => Some((10.0, 60.0, "more than 10 and less than 60 minutes")),
        "blitz" => Some((0.0, 10.0, "10 minutes or less")),
        _ => None,
    }
}

fn time_control(config: &Config) -> Option<Remark> {
    let time = config.event.time_control?;
    let set = RuleSet::by_key(&config.event.ruleset)?;
    let (least, most, words) = bounds(set)?;
    let minutes = f64::from(time.base_s) / 60.0 + f64::from(time.inc_s);
    // Ten minutes are blitz, sixty are standard; in 2009 fifteen were rapid, and so were sixty.
    let fits = match (set.format, set.edition) {
        ("rapid", "FIDE 2009") => (least..=most).contains(&minutes),
        ("rapid", _) => least < minutes && minutes < most,
        _ => (least..=most).contains(&minutes),
    };
    (!fits).then(|| {
        standing(
            "time-control",
            format!(
                "base_s = {} and inc_s = {} make a game of {minutes} minutes, and {} is for {words}: look \
                 which of them is wrong",
                time.base_s, time.inc_s, set.key
            ),
        )
    })
}

fn boards(config: &Config, out: &mut Vec<Remark>) {
    let mut by_number = Vec::new();
    for (index, board) in config.boards.iter().enumerate() {
        for other in &config.boards[..index] {
            if alike(board.id.as_str(), other.id.as_str()) {
                let text = format!(
                    "boards \"{}\" and \"{}\" differ only in upper and lower case",
                    other.id, board.id
                );
                out.push(standing(format!("board-names-{}", board.id), text));
            }
            out.extend(one_device(other, board));
        }
        let Some(port) = &board.port else { continue };
        if !port.exists() {
            let text = format!("board {}: there is no port {}", board.id, port.display());
            let name = format!("port-missing-{}", board.id);
            out.push(Remark { standing: false, ..standing(name, text) });
        }
        if board.serial.is_none() && is_numbered(port) {
            by_number.push(board.id.as_str());
        }
    }
    if by_number.len() > 1 {
        out.push(standing(
            "port-names",
            format!(
                "boards {} are known by the numbers of their ports only, and those change when boards are \
                 plugged in again: give each its serial number (jadoube boards --ask), or a name below \
                 /dev/serial/by-id",
                by_number.join(", ")
            ),
        ));
    }
}

fn alike(one: &str, other: &str) -> bool {
    one != other && one.to_lowercase() == other.to_lowercase()
}

/// Two names of one port: only one of the boards can have it.
fn one_device(one: &Board, other: &Board) -> Option<Remark> {
    let (a, b) = (one.port.as_ref()?, other.port.as_ref()?);
    // With serial numbers a port is only where a board is looked for first.
    if device(a) != device(b) || one.serial.is_some() || other.serial.is_some() {
        return None;
    }
    let text = format!(
        "boards \"{}\" and \"{}\" are at one port: {} and {} are both {}",
        one.id,
        other.id,
        a.display(),
        b.display(),
        device(a).display()
    );
    Some(Remark { severity: Severity::Error, ..standing(format!("port-shared-{}", other.id), text) })
}

fn is_numbered(port: &Path) -> bool {
    let name = port.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    port.parent() == Some(Path::new("/dev")) && (name.starts_with("ttyUSB") || name.starts_with("ttyACM"))
}

/// The room is watched all the same, but nothing is kept.
fn journals(dir: &Path) -> Option<Remark> {
    let there = dir.ancestors().find(|dir| dir.exists()).unwrap_or(Path::new("."));
    let error = access(there, Access::WRITE_OK | Access::EXEC_OK).err()?;
    let text = format!("journal_dir {} cannot be written by this user: {error}", dir.display());
    Some(Remark { standing: false, ..standing("journal-dir", text) })
}

fn broker(broker: &Broker, out: &mut Vec<Remark>) {
    match broker {
        Broker::Embedded { .. } => out.push(standing(
            "embedded-broker",
            "messages go to a broker of our own on loopback, open to every user of this machine: good for a \
             try, not for an event"
                .to_owned(),
        )),
        Broker::Listening { password: Password::File(path), .. } => {
            out.extend(open_to_all("password-open", "password_file", path));
        }
        Broker::Listening { .. } => {}
        Broker::Remote { password, tls, .. } => {
            if let Some(Password::File(path)) = password {
                out.extend(open_to_all("password-open", "password_file", path));
            }
            if let Some((_, key)) = tls.as_ref().and_then(|tls| tls.client.as_ref()) {
                out.extend(open_to_all("key-open", "client_key", key));
            }
        }
    }
}

/// A secret that every user of this machine may read.
fn open_to_all(name: &str, key: &str, path: &Path) -> Option<Remark> {
    let mode = std::fs::metadata(path).map_or(0, |data| data.permissions().mode());
    let place = path.display();
    let text = || format!("{key} {place} may be read by every user of this machine: chmod o= {place}");
    (mode & 0o007 != 0).then(|| standing(name, text()))
}
