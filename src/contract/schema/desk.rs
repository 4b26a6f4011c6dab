//! The answer to a request, with what it has beside a sentence.

use super::alert::{EACH, TIME};
use super::words::{CERTAINTIES, CLAIMS, HOLDS, MATING, RESULTS, SCORES, SIDES, VERDICTS};
use super::{Kind, Message, Shape, key};

const GAP: Shape = Shape {
    name: "gap",
    rows: true,
    about: "where the record is not sure",
    fields: &[&[
        key("from_ply", Kind::Count, "first ply"),
        key("to_ply", Kind::Count, "last ply"),
        key("why", Kind::Text, "in words"),
        key(
            "candidates",
            Kind::Count,
            "how many legal sequences explain it; null where they cannot be counted",
        )
        .or_null(),
        key("holds", Kind::Word(HOLDS), "under how many of them the claim holds"),
    ]],
};

const MAY_CLAIM: Shape = Shape {
    name: "may-claim",
    rows: true,
    about: "who may claim, and until when",
    fields: &[&[
        key("open", Kind::Bool, "null where only people can know").or_null(),
        key("text", Kind::Text, "in words"),
        key("articles", Kind::List(&Kind::Text), "the articles"),
    ]],
};

const FOLLOWS: Shape = Shape {
    name: "follows",
    rows: false,
    about: "what follows from a claim",
    fields: &[&[
        key("text", Kind::List(&Kind::Text), "in sentences"),
        key("articles", Kind::List(&Kind::Text), "the articles"),
        key("result", Kind::Word(RESULTS), "the result, if one follows").or_null(),
        key("time", Kind::Object(&TIME), "time to add").or_null(),
        key("restore", Kind::Fen, "the position to restore").or_null(),
        key("legal", Kind::List(&Kind::Move), "the moves that may be played then; null: every legal move")
            .or_null(),
    ]],
};

const ASKED: Shape = Shape {
    name: "asked",
    rows: false,
    about: "a mating question",
    fields: &[&[
        key("fen", Kind::Fen, "the position"),
        key("side", Kind::Word(SIDES), "who should still be able to mate"),
        key("answer", Kind::Word(MATING), "`not-proven` until a revision answers it"),
    ]],
};

const CLAIM: Shape = Shape {
    name: "claim",
    rows: true,
    about: "what the record says of a claim",
    fields: &[&[
        key("player", Kind::Word(SIDES), "who claims"),
        key("of", Kind::Word(CLAIMS), "what"),
        key("move", Kind::Text, "the move written and not yet made").or_null(),
        key("square", Kind::Square, "where the piece stood that was touched").or_null(),
        key("verdict", Kind::Word(VERDICTS), "what the record says"),
        key("certainty", Kind::Word(CERTAINTIES), "how sure that is"),
        key("summary", Kind::Text, "the reason in a sentence"),
        key("proof", Kind::List(&Kind::Text), "lines to check at the board"),
        key("position", Kind::Fen, "the position it is about").or_null(),
        key("gap", Kind::Object(&GAP), "where the record is not sure, if the answer hangs on it").or_null(),
        key("may_claim", Kind::Object(&MAY_CLAIM), "who may claim, and until when"),
        key("if_right", Kind::Object(&FOLLOWS), "what follows if it is right"),
        key("if_wrong", Kind::Object(&FOLLOWS), "what follows if it is wrong"),
        key("mating", Kind::List(&Kind::Object(&ASKED)), "the mating questions that decide"),
        key("alerts", Kind::List(&Kind::Text), "ids of the alerts and findings it fits"),
        key("unsettled", Kind::List(&Kind::Text), "what no text seen settles"),
    ]],
};

const TOUCHED: Shape = Shape {
    name: "contact",
    rows: false,
    about: "a square that has changed",
    fields: &[&[
        key("t_ms", Kind::Ms, "when"),
        key("square", Kind::Square, "where"),
        key("before", Kind::Sensed, "what stood there before").or_null(),
        key("after", Kind::Sensed, "what stands there after it").or_null(),
    ]],
};

const PRESS: Shape = Shape {
    name: "press",
    rows: false,
    about: "the clock was pressed",
    fields: &[&[key("t_ms", Kind::Ms, "when"), key("side", Kind::Word(SIDES), "by whom")]],
};

const CONTACTS: Shape = Shape {
    name: "contacts",
    rows: true,
    about: "what was touched and pressed lately",
    fields: &[&[
        key("from_t_ms", Kind::Ms, "from when on"),
        key("to_t_ms", Kind::Ms, "until when"),
        key("contacts", Kind::List(&Kind::Object(&TOUCHED)), "each square that has changed, in order"),
        key("presses", Kind::List(&Kind::Object(&PRESS)), "each press, in order"),
        key("left_out", Kind::Count, "older contacts that would have made the answer too long"),
    ]],
};

const OF_BOARD: Shape = Shape {
    name: "game-of-board",
    rows: true,
    about: "a game of a board",
    fields: &[&[
        key("game", Kind::Count, "its number, as in ids"),
        key("began_t_ms", Kind::Ms, "when its first move was made").or_null(),
        key("plies", Kind::Count, "plies of its record"),
        key("result", Kind::Word(SCORES), "its result, if there is one").or_null(),
        key("offences", Kind::Object(&EACH), "upheld offences of each player"),
    ]],
};

const GAMES: Shape = Shape {
    name: "games",
    rows: true,
    about: "the games of a board",
    fields: &[&[key("games", Kind::List(&Kind::Object(&OF_BOARD)), "each game")]],
};

pub(super) const RESPONSE: Message = Message {
    name: "response",
    version: 1,
    about: "the answer to a request",
    of_board: true,
    forms: &[
        &Shape {
            name: "done",
            rows: true,
            about: "it was done, or is answered",
            fields: &[&[
                key("id", Kind::Text, "the request's"),
                key("verb", Kind::Text, "what was asked for"),
                key("ok", Kind::Yes, "true"),
                key("text", Kind::Text, "what is now so, in a sentence"),
                key("revision", Kind::Count, "only with `report`: 0 at first, higher in a later answer")
                    .may_miss(),
                key(
                    "report",
                    Kind::OneOf(&[&CLAIM, &CONTACTS, &GAMES]),
                    "what a sentence does not hold; to a `claim`, to `contacts` and to `games`",
                )
                .may_miss(),
            ]],
        },
        &Shape {
            name: "refused",
            rows: true,
            about: "it was refused, and nothing was done",
            fields: &[&[
                key("id", Kind::Text, "the request's; null if it could not be read").or_null(),
                key("verb", Kind::Text, "what was asked for"),
                key("ok", Kind::No, "false"),
                key("error", Kind::Text, "what is wrong and what would be right"),
            ]],
        },
    ],
};
