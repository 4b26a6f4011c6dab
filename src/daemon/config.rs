//! The configuration: what it may say, and every mistake in it at once.
//!
//! A configuration with a mistake starts nothing: a room that watches half of its boards because
//! of a typing error would look like one that is well.

pub mod check;
pub mod environment;
mod read;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use std::time::Duration;

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, NamedSource, SourceSpan};
use thiserror::Error;

use crate::contract::Delay;
use crate::daemon::publisher::Tls;
use crate::events::{BoardId, Device, Seat, Setup, Shadow, TimeControl, TopicPart};
use crate::mating::Budget;
use crate::tick::Span;

use environment::{Environment, Password};

/// The tables of the file and the keys of each. Errors and the test of the example use this list;
/// a key that is not here does not exist.
pub const KEYS: [(&str, &[&str]); 10] = [
    (
        "",
        &[
            "journal_dir",
            "resume_hours",
            "keep_days",
            "event",
            "settings",
            "board",
            "ports",
            "broadcast",
            "records",
            "broker",
            "metrics",
            "node",
        ],
    ),
    (
        "[event]",
        &[
            "name",
            "ruleset",
            "rules_file",
            "base_s",
            "inc_s",
            "shadow",
            "shadow_rules",
            "mating_nodes",
            "escalate_s",
        ],
    ),
    (
        "[settings]",
        &[
            "b2_seconds",
            "incomplete_castling",
            "protest_press",
            "promotion_square_empty",
            "wrong_promotion_piece",
            "substituted_queen_mates",
            "captured_pawn_left",
            "illegal_chain_additions",
            "king_capture_blitz",
            "illegal_then_flag",
            "arbiter_override",
            "schedule_at_risk",
            "uscf_repeat_offence",
        ],
    ),
    ("[[board]]", &["id", "port", "serial", "white_sits", "arbiter", "shadow", "hold"]),
    ("[ports]", &["look_in"]),
    ("[broadcast]", &["delay_minutes", "delay_moves"]),
    ("[records]", &["dir", "event", "site", "round"]),
    (
        "[broker]",
        &["host", "port", "user", "password_file", "ca_file", "client_cert", "client_key", "listen"],
    ),
    ("[node]", &["name"]),
    ("[metrics]", &["listen"]),
];

/// The port of MQTT with encryption.
pub const MQTTS_PORT: u16 = 8883;
/// The port of MQTT without encryption.
pub const MQTT_PORT: u16 = 1883;

/// Everything the daemon needs to know to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The event.
    pub event: Event,
    /// The boards, each with its own name and port.
    pub boards: Vec<Board>,
    /// Ports that are looked through for boards that are known by their serial numbers; `None`: those
    /// that adapters of boards have.
    pub look_in: Option<Vec<String>>,
    /// How long the public waits.
    pub delay: Delay,
    /// Where games are written to; `None`: nowhere.
    pub records: Option<Records>,
    /// Where messages go.
    pub broker: Broker,
    /// Where figures are told over HTTP; `None`: nowhere.
    pub metrics: Option<SocketAddr>,
    /// This daemon's name in topics.
    pub node: TopicPart,
    /// The first part of all topics.
    pub root: TopicPart,
    /// Where lock and outbox are, and the journals of events without a name.
    pub journal_dir: PathBuf,
    /// How long journals are kept that nobody writes to any more; `None`: for ever.
    pub keep: Option<Duration>,
    /// A journal whose last line is not older than this is gone on with; zero: none is.
    pub resume: Duration,
}

/// The event whose Laws apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its name, which is that of the folder of its journals; `None`: it has none.
    pub name: Option<TopicPart>,
    /// A key of [`RuleSet`](crate::laws::RuleSet).
    pub ruleset: String,
    /// What the event changes in it, and its settings: key and value.
    pub rules: Vec<(String, String)>,
    /// `None`: clock settings are not judged.
    pub time_control: Option<TimeControl>,
    /// What is watched on every board without telling anybody.
    pub shadow: Shadow,
    /// What an answer to the mating question may cost, where it decides a game.
    pub mating: Budget,
    /// After so long without a reaction an alert is told again, to everybody; zero: never.
    pub escalate: Span,
}

/// One board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Its name in topics, journals and cards.
    pub id: BoardId,
    /// The serial port it is at, or is looked for first.
    pub port: Option<PathBuf>,
    /// Its serial number. Another board is not taken for it, and it is found wherever it is plugged in.
    /// Without one there is a port.
    pub serial: Option<String>,
    /// Where White sits, by the board's own ranks; `None` if that is not known.
    pub white_sits: Option<Seat>,
    /// The arbiter whose zone it is in.
    pub arbiter: Option<String>,
    /// Whether it is watched without telling anybody; `None`: as the event says.
    pub shadow: Option<bool>,
    /// Whether the public is told nothing of it for now.
    pub hold: bool,
}

/// Where the games of a round are written to, and what their tags say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Records {
    /// The folder.
    pub dir: PathBuf,
    /// The event.
    pub event: String,
    /// Where it is held.
    pub site: String,
    /// The round.
    pub round: String,
}

/// Where messages go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broker {
    /// A broker of our own, on loopback only. Port 0: one that is free.
    Embedded {
        /// The port.
        port: u16,
    },
    /// A broker of our own that listens at this address, and has one user.
    Listening {
        /// The address.
        listen: SocketAddr,
        /// The user: us, and whoever else has his password.
        user: String,
        /// Where it comes from.
        password: Password,
    },
    /// A broker somebody runs.
    Remote {
        /// Its host name or address.
        host: String,
        /// Its port.
        port: u16,
        /// Whom to log in as.
        user: Option<String>,
        /// Where the password comes from; read anew before each connection.
        password: Option<Password>,
        /// How the connection is encrypted, if it is.
        tls: Option<Tls>,
    },
}

impl Board {
    /// Where it is looked for, for people.
    #[must_use]
    pub fn place(&self) -> String {
        match (&self.port, &self.serial) {
            (Some(port), _) => port.display().to_string(),
            (None, Some(serial)) => format!("serial number {serial}"),
            (None, None) => "nowhere".to_owned(),
        }
    }
}

impl Config {
    /// Reads a file.
    ///
    /// # Errors
    /// [`ConfigError`] with every mistake, each with its line.
    pub fn load(path: &Path) -> Result<Config, ConfigError> {
        let text = std::fs::read_to_string(path).map_err(|error| ConfigError {
            report: format!("the configuration {} cannot be read: {error}", path.display()),
        })?;
        Config::parse(&text, path)
    }

    /// Reads the text of a file. Paths in it are relative to the file's own directory.
    ///
    /// # Errors
    /// [`ConfigError`] with every mistake, each with its line.
    pub fn parse(text: &str, path: &Path) -> Result<Config, ConfigError> {
        Config::parse_in(text, path, &Environment::of_process())
    }

    /// The same in another environment.
    ///
    /// # Errors
    /// [`ConfigError`] with every mistake, each with its line.
    pub fn parse_in(text: &str, path: &Path, environment: &Environment) -> Result<Config, ConfigError> {
        let home = path.parent().unwrap_or(Path::new(""));
        read::read(text, home, environment).map_err(|problems| ConfigError::new(text, path, problems))
    }

    /// Where the journals of this event are.
    #[must_use]
    pub fn journals(&self) -> PathBuf {
        match &self.event.name {
            Some(name) => self.journal_dir.join(name.as_str()),
            None => self.journal_dir.clone(),
        }
    }

    /// How long the public waits for this board.
    #[must_use]
    pub fn delay(&self, board: &BoardId) -> Delay {
        let held = self.boards.iter().any(|b| b.id == *board && b.hold);
        Delay { held, ..self.delay }
    }

    /// What the table of a board is told first.
    #[must_use]
    pub fn setup(&self, board: &BoardId) -> Setup {
        let table = self.boards.iter().find(|b| b.id == *board);
        let own = table.and_then(|b| b.shadow);
        Setup {
            white_sits: table.and_then(|b| b.white_sits),
            zone: table.and_then(|b| b.arbiter.clone()),
            escalate: self.event.escalate,
            shadow: Shadow {
                board: own.unwrap_or(self.event.shadow.board),
                rules: self.event.shadow.rules.clone(),
            },
            ruleset: self.event.ruleset.clone(),
            event_rules: self.event.rules.clone(),
            time_control: self.event.time_control,
            ..Setup::plain(board.clone(), Device::Dgt)
        }
    }
}

/// What is wrong with a configuration, as text for people.
#[derive(Debug, Error)]
#[error("{report}")]
pub struct ConfigError {
    report: String,
}

/// One mistake.
#[derive(Debug, Error, Diagnostic)]
#[error("{message}")]
struct Problem {
    message: String,
    #[help]
    help: Option<String>,
    #[label("here")]
    at: SourceSpan,
    #[source_code]
    file: NamedSource<String>,
}

impl ConfigError {
    fn new(text: &str, path: &Path, problems: Vec<read::Mistake>) -> Self {
        let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor()).with_width(160);
        let name = path.display().to_string();
        let mut report = String::new();
        let text = environment::covered(text);
        for mistake in problems {
            let (name, text) = match &mistake.file {
                Some((name, text)) => (name.clone(), text.as_str()),
                None => (name.clone(), text.as_str()),
            };
            let start = mistake.at.start.min(text.len());
            let length = mistake.at.end.min(text.len()).saturating_sub(start);
            let line = text[..start].matches('\n').count() + 1;
            let problem = Problem {
                message: format!("{name}, line {line}: {}", mistake.message),
                help: mistake.allowed,
                at: (start, length).into(),
                file: NamedSource::new(&name, text.to_owned()),
            };
            // Writing to a String cannot fail.
            let _ = handler.render_report(&mut report, &problem);
        }
        ConfigError { report }
    }
}
