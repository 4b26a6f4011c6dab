//! The boards of a room: `[[board]]`, and `[ports]` where they are looked for.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::{Found, Section, Walk};
use crate::alerts::TEXT_MAX;
use crate::daemon::config::Board;
use crate::events::Seat;

/// What a board needs.
const NEEDED: &str = "id = \"…\" and port = \"/dev/…\", or serial = \"…\", or both";

/// What was given already, to find what is given twice.
#[derive(Default)]
struct Given {
    ids: BTreeMap<String, ()>,
    ports: BTreeMap<String, ()>,
    serials: BTreeMap<String, ()>,
}

impl Walk<'_> {
    pub(super) fn boards(&mut self, top: &Section<'_>) -> Vec<Board> {
        let mut boards = Vec::new();
        let Some((key, value)) = top.entry("board") else {
            self.missing(top, "board", "a table [[board]] with id and port for each board");
            return boards;
        };
        let Some(list) = value.get_ref().as_array() else {
            self.wrong(&key, "board is not a list of tables", "write each board as [[board]]".to_owned());
            return boards;
        };
        let mut given = Given::default();
        for item in list.iter() {
            let Some(table) = item.get_ref().as_table() else {
                self.wrong(&item.span(), "a board is a table", "write each board as [[board]]".to_owned());
                continue;
            };
            let section = Section { name: "[[board]]", at: item.span(), table };
            self.only_known_keys(&section);
            boards.extend(self.board(&section, &mut given));
        }
        if list.is_empty() {
            self.wrong(
                &key,
                "there is no board",
                "a table [[board]] with id and port for each board".to_owned(),
            );
        }
        boards
    }

    fn board(&mut self, section: &Section<'_>, given: &mut Given) -> Option<Board> {
        let id = self.topic_part(section, "id");
        let port = self.text(section, "port");
        let serial = self.serial(section);
        let white_sits = self.seat(section);
        let arbiter = self.arbiter(section);
        let shadow = self.yes_or_no(section, "shadow");
        let hold = self.yes_or_no(section, "hold").unwrap_or(false);
        if !section.has("id") {
            self.missing(section, "id", NEEDED);
        }
        if !section.has("port") && !section.has("serial") {
            self.missing(section, "port", NEEDED);
        }
        if let Some(port) = port.as_ref().filter(|port| port.value.is_empty()) {
            self.wrong(&port.at, "port is empty", "the path of a serial port, as /dev/ttyUSB0".to_owned());
        }
        let text = |id: &Found<crate::events::BoardId>| Found {
            at: id.at.clone(),
            value: id.value.as_str().to_owned(),
        };
        self.once(id.as_ref().map(text).as_ref(), "board", "id", &mut given.ids);
        self.once(port.as_ref(), "port", "port", &mut given.ports);
        self.once(serial.as_ref(), "serial", "serial number", &mut given.serials);
        if port.is_none() && serial.is_none() {
            return None;
        }
        Some(Board {
            id: id?.value,
            port: port.map(|port| PathBuf::from(port.value)),
            serial: serial.map(|serial| serial.value),
            white_sits,
            arbiter,
            shadow,
            hold,
        })
    }

    fn once(
        &mut self,
        found: Option<&Found<String>>,
        key: &str,
        what: &str,
        seen: &mut BTreeMap<String, ()>,
    ) {
        if let Some(found) = found
            && seen.insert(found.value.clone(), ()).is_some()
        {
            let message = format!("{key} \"{}\" is given twice", found.value);
            self.wrong(&found.at, message, format!("each {what} once"));
        }
    }

    /// Boards say five or ten characters, digits on every board seen.
    fn serial(&mut self, section: &Section<'_>) -> Option<Found<String>> {
        let serial = self.text(section, "serial")?;
        let fits =
            (1..=10).contains(&serial.value.len()) && serial.value.chars().all(|c| c.is_ascii_alphanumeric());
        if !fits {
            let message = format!("serial is \"{}\"", serial.value);
            let allowed = "allowed: the number as `jadoube boards --ask` shows it, of 5 or 10 digits";
            self.wrong(&serial.at, message, allowed.to_owned());
        }
        Some(serial)
    }

    /// The arbiter whose zone it is in, as he is named in requests.
    fn arbiter(&mut self, section: &Section<'_>) -> Option<String> {
        let given = self.text(section, "arbiter")?;
        let fits = !given.value.trim().is_empty()
            && given.value.chars().count() <= TEXT_MAX
            && !given.value.chars().any(char::is_control);
        if !fits {
            let message = format!("arbiter is \"{}\"", given.value.escape_debug());
            self.wrong(&given.at, message, format!("1 to {TEXT_MAX} printable characters"));
        }
        Some(given.value).filter(|_| fits)
    }

    fn seat(&mut self, section: &Section<'_>) -> Option<Seat> {
        let word = self.text(section, "white_sits")?;
        let seat = Seat::from_word(&word.value);
        if seat.is_none() {
            let message = format!("white_sits is \"{}\"", word.value);
            self.wrong(&word.at, message, format!("allowed: {}", Seat::ALLOWED));
        }
        seat
    }

    /// `look_in`: paths, with `*` in the name if wanted.
    pub(super) fn look_in(&mut self, section: &Section<'_>) -> Option<Vec<String>> {
        let (_, value) = section.entry("look_in")?;
        let allowed = "a list of paths in quotes, as [\"/dev/ttyUSB*\"]";
        let Some(list) = value.get_ref().as_array() else {
            self.wrong_type("look_in", value, allowed);
            return None;
        };
        let mut out = Vec::new();
        for item in list.iter() {
            match item.get_ref().as_str() {
                Some(path) if fits(path) => out.push(path.to_owned()),
                Some(path) => {
                    let message = format!("\"{path}\" in look_in is no path of ports");
                    let hint = "a path from / on; * only in its last part".to_owned();
                    self.wrong(&item.span(), message, hint);
                }
                None => self.wrong_type("look_in", item, allowed),
            }
        }
        Some(out)
    }
}

fn fits(path: &str) -> bool {
    path.rsplit_once('/')
        .is_some_and(|(dir, name)| path.starts_with('/') && !dir.contains('*') && !name.is_empty())
}
