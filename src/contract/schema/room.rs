//! What the daemon says of itself and of its boards.

use super::{Kind, Message, Shape, key};

const LINKS: &[&str] = &["up", "down"];
const PRESENCE: &[&str] = &["online", "offline"];

pub(super) const STATUS: Message = Message {
    name: "status",
    version: 1,
    about: "whether the daemon is there",
    of_board: false,
    forms: &[&Shape {
        name: "status",
        rows: true,
        about: "whether the daemon is there",
        fields: &[&[
            key(
                "state",
                Kind::Word(PRESENCE),
                "`offline` is also the will, so it appears if the daemon or its machine dies",
            ),
            key("version", Kind::Text, "the program and its version"),
        ]],
    }],
};

const MATING: Shape = Shape {
    name: "mating-tally",
    rows: true,
    about: "answers to the mating question",
    fields: &[&[
        key("yes", Kind::Count, "mate is possible"),
        key("no", Kind::Count, "it is not"),
        key("not_proven", Kind::Count, "neither was proven"),
        key("lines_failed", Kind::Count, "of these, those where the solver's line does not mate"),
        key("refused", Kind::Count, "not asked because too many waited"),
    ]],
};

const OUTBOX: Shape = Shape {
    name: "outbox",
    rows: true,
    about: "messages on their way to the broker",
    fields: &[&[
        key("waiting", Kind::Count, "not acknowledged yet"),
        key("in_flight", Kind::Count, "of these, those given to the broker"),
        key("acknowledged", Kind::Count, "acknowledged so far"),
        key("refused", Kind::Count, "refused by the broker so far"),
        key("dropped", Kind::Count, "single moves dropped for want of room"),
    ]],
};

pub(super) const HEALTH: Message = Message {
    name: "health",
    version: 1,
    about: "counters, and what is not as it should be",
    of_board: false,
    forms: &[&Shape {
        name: "health",
        rows: true,
        about: "the health of the daemon",
        fields: &[&[
            key("version", Kind::Text, "the program and its version"),
            key("uptime_s", Kind::Count, "seconds since the start"),
            key("boards", Kind::Count, "how many boards there are"),
            key("boards_heard", Kind::Count, "how many of them are heard"),
            key("journal_records", Kind::Count, "journal records written"),
            key(
                "shadowed",
                Kind::ByName(&Kind::Count),
                "findings that shadow mode kept back, counted by rule",
            ),
            key("mating", Kind::Object(&MATING), "answers to the mating question"),
            key("outbox", Kind::Object(&OUTBOX), "messages on their way to the broker"),
            key(
                "conditions",
                Kind::ByName(&Kind::Text),
                "what is not as it should be, by name, in words; empty means that nothing is wrong",
            ),
        ]],
    }],
};

const LINE: Shape = Shape {
    name: "board",
    rows: true,
    about: "a board",
    fields: &[&[
        key("id", Kind::Text, "the board's name"),
        key("port", Kind::Text, "the port it is at"),
        key("link", Kind::Word(LINKS), "whether it is heard"),
        key("why", Kind::Text, "why it is not").or_null(),
        key("since_ms", Kind::Ms, "since when, counted from 1970"),
        key("serial", Kind::Text, "its serial number, the long one where it has one").or_null(),
        key("version", Kind::Text, "its firmware's version").or_null(),
        key("battery", Kind::Count, "per cent, read every ten minutes").or_null(),
    ]],
};

pub(super) const BOARDS: Message = Message {
    name: "boards",
    version: 1,
    about: "the boards of the room",
    of_board: false,
    forms: &[&Shape {
        name: "boards",
        rows: true,
        about: "the boards",
        fields: &[&[key("boards", Kind::List(&Kind::Object(&LINE)), "each board")]],
    }],
};
