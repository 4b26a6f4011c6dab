//! The state of a board, and what the public sees of it: moves and the game.

use super::alert::{CLOCK, EACH, MOVEMENT};
use super::words::{FEEDS, NOT_WATCHED, SCORES, SIDES, SIGNALS, STAGES, TIMES_NOW};
use super::{Field, Kind, Message, Shape, key};

const WATCH: Shape = Shape {
    name: "watch",
    rows: true,
    about: "whether the board is watched",
    fields: &[&[
        key("watched", Kind::Bool, "whether everything needed is heard"),
        key("since_t_ms", Kind::Ms, "if it is not: since when").may_miss(),
        key("why", Kind::Known(NOT_WATCHED), "if it is not: what is not heard").may_miss(),
    ]],
};

const EPISODE: Shape = Shape {
    name: "episode",
    rows: true,
    about: "a position that is being restored",
    fields: &[&[
        key("alert", Kind::Text, "the alert, if it is about one").or_null(),
        key(
            "stage",
            Kind::Word(STAGES),
            "`travelling`: pieces are moved; `standing`: the position stands, the clock may be set; `resumed`: \
             play goes on, the move that replaces the one taken back is awaited; `abandoned`: the game went on \
             from another position, nothing was restored",
        ),
        key("ply", Kind::Count, "of the position wanted"),
        key("fen", Kind::Fen, "the position wanted"),
        key(
            "movements",
            Kind::List(&Kind::Object(&MOVEMENT)),
            "what is left to do, in an order in which every square is free when its piece comes; made anew after \
             each movement",
        ),
        key("total", Kind::Count, "movements in all"),
        key("done", Kind::Count, "movements done"),
        key("squares_left", Kind::Count, "squares that are wrong"),
        key("clocks_proposed", Kind::Object(&CLOCK), "both times; null where not known").or_null(),
        key("clocks_text", Kind::Text, "the same in words, and why"),
        key("counter", Kind::Object(&EACH), "moves completed by each at that ply, as the clock counts them"),
        key(
            "times_now",
            Kind::Word(TIMES_NOW),
            "what the clock shows, once it was read while the position stands",
        )
        .or_null(),
        key("since_t_ms", Kind::Ms, "when it began"),
    ]],
};

const PLAYERS: Shape = Shape {
    name: "players",
    rows: false,
    about: "who plays",
    fields: &[&[
        key("white", Kind::Text, "White; null if not known").or_null(),
        key("black", Kind::Text, "Black; null if not known").or_null(),
    ]],
};

const RESULT_ENTERED: Shape = Shape {
    name: "result-entered",
    rows: true,
    about: "a result that an arbiter has entered",
    fields: &[&[
        key("score", Kind::Word(SCORES), "the result"),
        key("why", Kind::Text, "in the arbiter's words").or_null(),
        key("by", Kind::Text, "who entered it"),
        key("t_ms", Kind::Ms, "when"),
    ]],
};

const CLOCK_SET: Shape = Shape {
    name: "clock-set",
    rows: true,
    about: "what an arbiter has set on the clock",
    fields: &[&[
        key("times", Kind::Object(&CLOCK), "both times"),
        key("moves", Kind::Object(&EACH), "moves completed by each, where that was set").or_null(),
    ]],
};

const ORDERS: Shape = Shape {
    name: "orders",
    rows: true,
    about: "what people have entered that stands until it is changed",
    fields: &[&[
        key("zone", Kind::Text, "whose zone the board is in, if that was entered").or_null(),
        key("profile", Kind::Text, "the rule set entered instead of the event's").or_null(),
        key("start", Kind::Fen, "the position that games begin with, if another was entered").or_null(),
        key("muted", Kind::List(&Kind::Code), "findings that are not told on this board"),
        key(
            "feed",
            Kind::Known(FEEDS),
            "whether the public was held or released, whatever the configuration says",
        )
        .or_null(),
    ]],
};

const CALIBRATION: Shape = Shape {
    name: "calibration",
    rows: true,
    about: "the times that a board has shown",
    fields: &[&[
        key("lag_ms", Kind::Ms, "the latest that squares came after the press"),
        key("waits_ms", Kind::Ms, "how long late squares are waited for"),
        key("presses", Kind::Count, "presses that squares explained"),
        key("late_presses", Kind::Count, "of these, those whose squares came late"),
        key("scan_ms", Kind::Ms, "how finely squares are told apart in time; null if not known").or_null(),
        key("held_back", Kind::Bool, "squares are told only when they have come to rest"),
        key("clock_period_ms", Kind::Ms, "how often the clock is told; null if not known").or_null(),
    ]],
};

pub(super) const STATE: Message = Message {
    name: "state",
    version: 1,
    about: "a board as an arbiter and an operator see it",
    of_board: true,
    forms: &[&Shape {
        name: "state",
        rows: true,
        about: "the state of a board",
        fields: &[&[
            key("t_ms", Kind::Ms, "when this was so"),
            key("watch", Kind::Object(&WATCH), "whether the board is watched"),
            key("sensed", Kind::Placement, "what the sensors show"),
            key("recorded", Kind::Fen, "where the record stands"),
            key("ply", Kind::Count, "plies in the record"),
            key("to_move", Kind::Word(SIDES), "whose turn it is in the record"),
            key("clock", Kind::Object(&CLOCK), "both times; null where not known").or_null(),
            key("running", Kind::Word(SIDES), "whose time runs; null if nobody's does").or_null(),
            key(
                "signal",
                Kind::Word(SIGNALS),
                "the result as the kings show it; `pending` while one of them stands in the centre and the clock \
                 stands; else null",
            )
            .or_null(),
            key("offences", Kind::Object(&EACH), "upheld offences of each player"),
            key("open_alerts", Kind::List(&Kind::Text), "ids of the open alerts"),
            key("episode", Kind::Object(&EPISODE), "the position that is being restored, see *Restoring*").or_null(),
            key("game", Kind::Count, "the number of the game, as in ids"),
            key("result", Kind::Object(&RESULT_ENTERED), "the result that an arbiter has entered").or_null(),
            key("pairing", Kind::Object(&PLAYERS), "who plays, by tokens that stand for names"),
            key("ruleset", Kind::Text, "the key of the rule set that the board is played under"),
            key("clock_set", Kind::Object(&CLOCK_SET), "what an arbiter has set on the clock last").or_null(),
            key("orders", Kind::Object(&ORDERS), "what people have entered that stands until it is changed"),
            key(
                "junk",
                Kind::ByName(&Kind::Count),
                "input that was understood as nothing, counted by its reason since the daemon began with the \
                 board",
            ),
            key("calibration", Kind::Object(&CALIBRATION), "the times that this board has shown").or_null(),
        ]],
    }],
};

const PLY: Field = key("ply", Kind::Count, "counted from 1");
const REVISION: Field =
    key("revision", Kind::Count, "0 at first; the same ply with a higher one replaces it");
const WHEN: Field = key("t_ms", Kind::Ms, "when");

/// A move, on its own and in the list of the game.
const PLAYED: &[Field] = &[
    PLY,
    REVISION,
    key("side", Kind::Word(SIDES), "who moved"),
    key("uci", Kind::Move, "the move"),
    key("san", Kind::Text, "as it is written"),
    key("fen", Kind::Fen, "the position after it"),
    key("clock", Kind::Object(&CLOCK), "both times after it; null where the clock was not read").or_null(),
    WHEN,
    key("inferred", Kind::Bool, "concluded from the board after something was not seen").may_miss(),
    key("piece", Kind::Is("assumed"), "what the pawn became was not seen").may_miss(),
    key("candidates", Kind::Count, "so many legal sequences explain what was not seen").may_miss(),
];

const ENTRY: Shape = Shape { name: "played", rows: false, about: "a move of the game", fields: &[PLAYED] };

pub(super) const MOVE: Message = Message {
    name: "move",
    version: 1,
    about: "one completed move or a correction",
    of_board: true,
    forms: &[
        &Shape {
            name: "move",
            rows: true,
            about: "a move was completed",
            fields: &[&[key("kind", Kind::Is("move"), "a move")], PLAYED],
        },
        &Shape {
            name: "void",
            rows: true,
            about: "this ply holds no move: a correction",
            fields: &[&[key("kind", Kind::Is("void"), "no move"), PLY, REVISION, WHEN]],
        },
        &Shape {
            name: "retract",
            rows: true,
            about: "the plies after `to_ply` are to be forgotten",
            fields: &[&[
                key("kind", Kind::Is("retract"), "plies taken back"),
                key("to_ply", Kind::Count, "the last ply that stays; 0 for a cancelled game"),
                WHEN,
            ]],
        },
    ],
};

pub(super) const GAME: Message = Message {
    name: "game",
    version: 1,
    about: "the game as the public sees it",
    of_board: true,
    forms: &[&Shape {
        name: "game",
        rows: true,
        about: "a game",
        fields: &[&[
            key("pairing", Kind::Object(&PLAYERS), "who plays, by name; null while not known").or_null(),
            key("moves", Kind::List(&Kind::Object(&ENTRY)), "the moves so far, with the keys of a `move`"),
            key("fen", Kind::Fen, "the position after the last one; null before the first").or_null(),
            key("result", Kind::Word(SCORES), "null while not known").or_null(),
        ]],
    }],
};
