//! The one list of what is published: messages, their fields, and the topics they go to.
//!
//! JSON Schemas, the AsyncAPI document and the tables of docs/MQTT.md are written from it, and tests
//! hold everything that is published against it, both ways: a field that is not listed, or listed
//! and never written, fails. Nothing here makes a message; see `contract/message.rs` and what it uses.

mod alert;
mod asyncapi;
mod board;
mod desk;
mod json_schema;
mod room;
mod tables;
mod words;

pub use asyncapi::asyncapi;
pub use json_schema::{request_schema, schema, schemas, strict_schema};
pub use tables::with_tables;

/// What a field holds.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A text.
    Text,
    /// Always this text.
    Is(&'static str),
    /// One of these words; another one would be another version.
    Word(&'static [&'static str]),
    /// One of these words; more may come in this version.
    Known(&'static [&'static str]),
    /// The id of a finding, as in docs/RULES.md; more may come.
    Code,
    /// A position as a FEN.
    Fen,
    /// What stands on the squares: the first part of a FEN, with X for pieces that are not told apart.
    Placement,
    /// A move as `e2e4`.
    Move,
    /// Moves with blanks between them; most often one.
    Moves,
    /// A square as `e4`.
    Square,
    /// A piece as a letter of a FEN.
    Letter,
    /// The same as sensors show it: X for one that is not told apart.
    Sensed,
    /// True or false.
    Bool,
    /// Always true.
    Yes,
    /// Always false.
    No,
    /// A whole number from 0.
    Count,
    /// Milliseconds.
    Ms,
    /// A list.
    List(&'static Kind),
    /// A list of two.
    Pair(&'static Kind),
    /// Values by names that are no fields of the contract.
    ByName(&'static Kind),
    /// One of these objects.
    OneOf(&'static [&'static Shape]),
    /// An object.
    Object(&'static Shape),
}

/// A field of an object.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Whether it may be null.
    pub null: bool,
    /// Whether it may be missing.
    pub may_miss: bool,
    /// What it says, without a full stop.
    pub about: &'static str,
}

impl Field {
    const fn or_null(self) -> Field {
        Field { null: true, ..self }
    }

    const fn may_miss(self) -> Field {
        Field { may_miss: true, ..self }
    }
}

const fn key(name: &'static str, kind: Kind, about: &'static str) -> Field {
    Field { name, kind, null: false, may_miss: false, about }
}

/// The fields of an object.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Its name in schemas.
    pub name: &'static str,
    /// Whether a table of fields has rows for its fields; else it only names them.
    pub rows: bool,
    /// What it is, without a full stop.
    pub about: &'static str,
    /// Its fields, in groups that are shared.
    pub fields: &'static [&'static [Field]],
}

impl Shape {
    /// Its fields.
    pub fn fields(&self) -> impl Iterator<Item = &'static Field> {
        self.fields.iter().flat_map(|group| group.iter())
    }
}

/// A message that is published.
#[derive(Clone, Copy, Debug)]
pub struct Message {
    /// The name in its `schema`.
    pub name: &'static str,
    /// The version in its `schema`.
    pub version: u32,
    /// What it is, without a full stop.
    pub about: &'static str,
    /// Whether it is about a board.
    pub of_board: bool,
    /// The forms it has; exactly one fits.
    pub forms: &'static [&'static Shape],
}

impl Message {
    /// What its `schema` says.
    #[must_use]
    pub fn schema(&self) -> String {
        format!("jadoube.{}/{}", self.name, self.version)
    }
}

/// Whether the broker keeps a topic's last message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retained {
    /// Always.
    Yes,
    /// While its alert is open; then the topic is cleared.
    WhileOpen,
    /// Never.
    No,
}

/// A topic, or many of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Channel {
    /// Its name in the AsyncAPI document.
    pub name: &'static str,
    /// Below `<root>/v1/<node>/`, with its variable parts in braces.
    pub path: &'static str,
    /// Whether the broker keeps it.
    pub retained: Retained,
    /// What goes there: names of [`MESSAGES`].
    pub messages: &'static [&'static str],
    /// What it is for, without a full stop.
    pub about: &'static str,
}

/// Every message that is published.
pub const MESSAGES: &[Message] = &[
    room::STATUS,
    room::HEALTH,
    room::BOARDS,
    alert::ALERT,
    alert::FINDING,
    alert::WITHDRAW,
    board::STATE,
    board::MOVE,
    board::GAME,
    desk::RESPONSE,
];

/// Every topic that is published to.
pub const CHANNELS: &[Channel] = &[
    Channel {
        name: "status",
        path: "status",
        retained: Retained::Yes,
        messages: &["status"],
        about: "whether the daemon is there; also its will",
    },
    Channel {
        name: "health",
        path: "health",
        retained: Retained::Yes,
        messages: &["health"],
        about: "counters and what is not as it should be; every ten seconds and at a change",
    },
    Channel {
        name: "boards",
        path: "boards",
        retained: Retained::Yes,
        messages: &["boards"],
        about: "the boards, their ports, links and batteries",
    },
    Channel {
        name: "alert",
        path: "arbiter/{board}/alerts/{alert}",
        retained: Retained::WhileOpen,
        messages: &["alert"],
        about: "the whole alert; cleared when it is closed or withdrawn",
    },
    Channel {
        name: "log",
        path: "arbiter/{board}/log",
        retained: Retained::No,
        messages: &["alert", "finding", "withdraw"],
        about: "the same alert at every opening, revision, ruling, closing and withdrawal; findings that open \
                no alert; findings taken back",
    },
    Channel {
        name: "state",
        path: "arbiter/{board}/state",
        retained: Retained::Yes,
        messages: &["state"],
        about: "position as sensed and as recorded, clock, offences, open alerts, whether the board is watched",
    },
    Channel {
        name: "response",
        path: "arbiter/{board}/response/{verb}",
        retained: Retained::No,
        messages: &["response"],
        about: "the answer to a request; `id` is the request's",
    },
    Channel {
        name: "move",
        path: "broadcast/{board}/move",
        retained: Retained::No,
        messages: &["move"],
        about: "one completed move or a correction",
    },
    Channel {
        name: "game",
        path: "broadcast/{board}/game",
        retained: Retained::Yes,
        messages: &["game"],
        about: "the moves so far, pairing, result",
    },
];

/// The schema that a request may name.
pub const REQUEST: &str = "jadoube.request/1";

/// What the daemon adds to every message.
const STAMP: &[Field] = &[
    key("epoch", Kind::Count, "start of the run that made it, milliseconds since 1970"),
    key("seq", Kind::Count, "counted per tree and board from 1, and for each topic of the daemon"),
];

/// The will is made before there is anything to count.
const STAMP_OF_STATUS: &[Field] = &[
    key("epoch", Kind::Count, "start of the run that made it, milliseconds since 1970"),
    key("seq", Kind::Count, "counted from 1; the will has none").may_miss(),
];

const BOARD: Field = key("board", Kind::Text, "the board");

impl Message {
    /// The fields of one of its forms as they are sent, but for `schema`, which comes first.
    fn sent(&self, form: &'static Shape) -> impl Iterator<Item = &'static Field> {
        let board: &'static [Field] = if self.of_board { &[BOARD] } else { &[] };
        let stamp = if self.name == "status" { STAMP_OF_STATUS } else { STAMP };
        board.iter().chain(form.fields()).chain(stamp)
    }
}
