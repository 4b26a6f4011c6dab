//! The alert, the finding for the record, and the finding taken back.

use super::words::{
    ALERT_STATES, CERTAINTIES, FORMATS, MATING, MAY, NOTIFY, PARTS, PENALTIES, RESTORING, RESULTS, RULINGS,
    SEVERITIES, SIDES, SOURCES, WINDOWS,
};
use super::{Field, Kind, Message, Shape, key};

/// Both times of a clock.
pub(super) const CLOCK: Shape = Shape {
    name: "clock",
    rows: false,
    about: "both times of a clock",
    fields: &[&[key("white_ms", Kind::Ms, "White's time"), key("black_ms", Kind::Ms, "Black's time")]],
};

/// A number for each player.
pub(super) const EACH: Shape = Shape {
    name: "each",
    rows: false,
    about: "a number for each player",
    fields: &[&[key("white", Kind::Count, "White's"), key("black", Kind::Count, "Black's")]],
};

/// A movement of a hand.
pub(super) const MOVEMENT: Shape = Shape {
    name: "movement",
    rows: false,
    about: "a movement of a hand",
    fields: &[&[
        key("piece", Kind::Letter, "what is moved; null if the board cannot tell").or_null(),
        key("from", Kind::Square, "from there; null: from beside the board").or_null(),
        key("to", Kind::Square, "to there; null: beside the board").or_null(),
        key("text", Kind::Text, "the same in words"),
    ]],
};

/// Time to add.
pub(super) const TIME: Shape = Shape {
    name: "time",
    rows: false,
    about: "time to add",
    fields: &[&[key("to", Kind::Word(SIDES), "to whom"), key("seconds", Kind::Count, "how much")]],
};

const ORDER: Shape = Shape {
    name: "order",
    rows: true,
    about: "a press and a landing of which the board cannot tell which came first",
    fields: &[&[
        key("apart_ms", Kind::Ms, "how far apart they were told"),
        key("within_ms", Kind::Ms, "this board's times agree only to within that"),
        key("text", Kind::Text, "the same in words"),
    ]],
};

/// What every finding carries.
const FACTS: &[Field] = &[
    key("id", Kind::Text, "made of board, game, ply, rule and ordinal"),
    key("revision", Kind::Count, "0 at first; counts every change of this document"),
    key("code", Kind::Code, "which finding, see RULES.md"),
    key("severity", Kind::Word(SEVERITIES), "what it means for an arbiter"),
    key("certainty", Kind::Word(CERTAINTIES), "how sure it is"),
    key("side", Kind::Word(SIDES), "whom it is about; null where that is not known or does not matter")
        .or_null(),
    key("t_ms", Kind::Ms, "when it became known"),
    key("squares", Kind::List(&Kind::Square), "squares to look at"),
    key("what", Kind::Text, "what happened, in chess words"),
];

const PRESSED: Field =
    key("pressed_t_ms", Kind::Ms, "when the clock was pressed; null if it was not").or_null();
const EVIDENCE: Field = key("evidence", Kind::Pair(&Kind::Count), "first and last journal record");
const ORDERED: Field = key(
    "order",
    Kind::Object(&ORDER),
    "only where it is not known whether the press or the landing came first",
)
.may_miss();

const FINDING_OF_ALERT: Shape =
    Shape { name: "finding-of-alert", rows: false, about: "one of an alert's findings", fields: &[FACTS] };

const HEAD: Shape = Shape {
    name: "part",
    rows: true,
    about: "a part of the head",
    fields: &[&[
        key("part", Kind::Word(PARTS), "which part, in this order"),
        key("id", Kind::Text, "stable, for translation"),
        key("text", Kind::Text, "in English"),
    ]],
};

const LAST_CORRECT: Shape = Shape {
    name: "last-correct",
    rows: true,
    about: "the last correct position",
    fields: &[&[
        key("fen", Kind::Fen, "the position"),
        key("ply", Kind::Count, "after so many plies"),
        key("to_move", Kind::Word(SIDES), "who was to move").or_null(),
    ]],
};

const FOUND: Shape = Shape {
    name: "found",
    rows: true,
    about: "where and when it was found",
    fields: &[&[
        key("game", Kind::Count, "the game on this board"),
        key("ply", Kind::Count, "the ply it happened at"),
        key("t_ms", Kind::Ms, "when"),
        key("wood", Kind::Placement, "what stood on the board then"),
    ]],
};

const STEP: Shape = Shape {
    name: "step",
    rows: true,
    about: "a lift or a placing",
    fields: &[&[
        key("t_ms", Kind::Ms, "when"),
        key("square", Kind::Square, "where"),
        key("before", Kind::Sensed, "what stood there before").or_null(),
        key("after", Kind::Sensed, "what stands there after it").or_null(),
        key("struck", Kind::Bool, "an arbiter has struck it out as accidental").may_miss(),
    ]],
};

const MATING_QUESTION: Shape = Shape {
    name: "mating",
    rows: true,
    about: "whether a side can still mate",
    fields: &[&[
        key("fen", Kind::Fen, "the position"),
        key("side", Kind::Word(SIDES), "who should still be able to mate"),
        key(
            "answer",
            Kind::Word(MATING),
            "the answer; the alert goes out before there is one, the answer is a revision",
        ),
        key("text", Kind::Text, "the same with its proof"),
        key("line", Kind::List(&Kind::Move), "moves that mate").or_null(),
        key("nodes", Kind::Count, "positions visited; null as long as there is no answer").or_null(),
        key("by", Kind::Text, "the program that proved it, if not this one").or_null(),
    ]],
};

const TOUCH: Shape = Shape {
    name: "touch",
    rows: true,
    about: "a square to put right",
    fields: &[&[
        key("square", Kind::Square, "which"),
        key("put", Kind::Letter, "what to put there; null: clear it").or_null(),
    ]],
};

const RESTORE: Shape = Shape {
    name: "restore",
    rows: true,
    about: "what to put back",
    fields: &[&[
        key("fen", Kind::Fen, "the position to restore"),
        key("ply", Kind::Count, "after so many plies"),
        key("squares", Kind::List(&Kind::Object(&TOUCH)), "the squares to touch"),
        key("movements", Kind::List(&Kind::Object(&MOVEMENT)), "the fewest hand movements that do it"),
        key("clocks", Kind::Object(&CLOCK), "both times in that position; null where not known").or_null(),
        key("counter", Kind::Object(&EACH), "moves completed by each; null where not known").or_null(),
    ]],
};

const REPLACEMENT: Shape = Shape {
    name: "replacement",
    rows: true,
    about: "the duty of the move that replaces another",
    fields: &[&[
        key("by", Kind::Word(SIDES), "who has it"),
        key("text", Kind::Text, "in words"),
        key("rule", Kind::Text, "its article, if the edition has one").or_null(),
        key("free", Kind::Bool, "any legal move will do"),
        key("legal", Kind::List(&Kind::Move), "the legal moves that satisfy it"),
    ]],
};

const WINDOW: Shape = Shape {
    name: "window",
    rows: true,
    about: "how long a claim can be made",
    fields: &[&[
        key("open", Kind::Bool, "whether it still can be; null where only people can know").or_null(),
        key("state", Kind::Word(WINDOWS), "where the window is"),
        key("text", Kind::Text, "in words"),
    ]],
};

const WHAT_IF: Shape = Shape {
    name: "what-if",
    rows: true,
    about: "what follows either way",
    fields: &[&[
        key("upheld", Kind::Text, "if the arbiter upholds it; null where there is nothing to uphold")
            .or_null(),
        key("not", Kind::Text, "if he does not").or_null(),
    ]],
};

const PENALTY: Shape = Shape {
    name: "penalty",
    rows: false,
    about: "what an arbiter gives",
    fields: &[&[
        key("kind", Kind::Known(PENALTIES), "what"),
        key("seconds", Kind::Count, "with `time`: how much the opponent is given").or_null(),
    ]],
};

const PROTEST: Shape = Shape {
    name: "protest",
    rows: true,
    about: "a player accepts a ruling under protest",
    fields: &[&[
        key("player", Kind::Word(SIDES), "who"),
        key("what", Kind::Text, "why, in his words").or_null(),
        key("by", Kind::Text, "who entered it"),
        key("t_ms", Kind::Ms, "when"),
    ]],
};

const ACKNOWLEDGED: Shape = Shape {
    name: "acknowledged",
    rows: true,
    about: "somebody is going to the board",
    fields: &[&[
        key("by", Kind::Text, "who goes"),
        key("handed_by", Kind::Text, "who asked him to, if it was another").or_null(),
        key("t_ms", Kind::Ms, "since when"),
    ]],
};

const NOTE: Shape = Shape {
    name: "note",
    rows: true,
    about: "what else speaks about an alert",
    fields: &[&[
        key("from", Kind::Known(SOURCES), "where it comes from"),
        key("what", Kind::Text, "what it says"),
        key("by", Kind::Text, "who entered it"),
        key("t_ms", Kind::Ms, "when"),
    ]],
};

const RULING: Shape = Shape {
    name: "ruling",
    rows: true,
    about: "what an arbiter entered",
    fields: &[&[
        key("ruling", Kind::Known(RULINGS), "the word of the request, or `agreed-correction`"),
        key("why", Kind::Text, "in his words").or_null(),
        key("by", Kind::Text, "by whom"),
        key("t_ms", Kind::Ms, "when"),
        key("request", Kind::Text, "the id of the request"),
        key("penalty", Kind::Object(&PENALTY), "what he gives, if it is not what was proposed").or_null(),
        key("protest", Kind::Object(&PROTEST), "who accepted it under protest").or_null(),
    ]],
};

const DOCUMENT: &[Field] = &[
    key(
        "state",
        Kind::Word(ALERT_STATES),
        "`closed`: ruled, restored, a new game, or the oldest of more than 64",
    ),
    key(
        "notify",
        Kind::Known(NOTIFY),
        "how people are told, see *Windows* and *Who goes*; take an unknown word for `now`",
    ),
    key("at", Kind::Ms, "when this revision was made"),
    key("head", Kind::List(&Kind::Object(&HEAD)), "what is read in two seconds, in this order"),
    key("last_correct", Kind::Object(&LAST_CORRECT), "the last correct position"),
    key("found", Kind::Object(&FOUND), "where and when it was found"),
    key("tried", Kind::Moves, "the move that was tried, if one was; several at one turn with blanks between")
        .or_null(),
    key("action", Kind::List(&Kind::Object(&STEP)), "each lift and placing since the last correct position"),
    PRESSED,
    key("offences", Kind::Object(&EACH), "upheld offences of each player before this one"),
    key("ruleset", Kind::Text, "the key of the rule set of the event"),
    key("format", Kind::Known(FORMATS), "what the rule set is for"),
    key("regime", Kind::Text, "the event's own name for its rules"),
    key("clock_then", Kind::Object(&CLOCK), "both times at the last correct position").or_null(),
    key("clock_now", Kind::Object(&CLOCK), "both times when it was found").or_null(),
    key("may", Kind::Word(MAY), "what the arbiter may do"),
    key("consequence", Kind::Text, "one line"),
    key("article", Kind::Text, "the articles of the event's edition").or_null(),
    key("offence", Kind::Count, "which offence of the player it would be; null if it does not count")
        .or_null(),
    key("time", Kind::Object(&TIME), "time to add").or_null(),
    key(
        "mating",
        Kind::Object(&MATING_QUESTION),
        "where a loss depends on it: whether a side can still mate",
    )
    .or_null(),
    key("restore", Kind::Object(&RESTORE), "what to put back, see *Restoring*; null if nothing is").or_null(),
    key("next_to_move", Kind::Word(SIDES), "who moves then; null if that is not settled").or_null(),
    key("replacement", Kind::Object(&REPLACEMENT), "the duty of that move").or_null(),
    key("steps", Kind::List(&Kind::Text), "what to do, step by step"),
    key("window", Kind::Object(&WINDOW), "where a claim can come too late, see *Windows*").or_null(),
    key("result", Kind::Word(RESULTS), "the result proposed as far as it is settled").or_null(),
    key("what_if", Kind::Object(&WHAT_IF), "what follows either way"),
    key("seen_by", Kind::Text, "the arbiter who has said that he saw it himself").or_null(),
    EVIDENCE,
    ORDERED,
    key(
        "findings",
        Kind::List(&Kind::Object(&FINDING_OF_ALERT)),
        "all of the incident, the primary one first",
    ),
    key("ruling", Kind::Object(&RULING), "null as long as there is none").or_null(),
    key("zone", Kind::Text, "whose zone the board is in").or_null(),
    key("acknowledged", Kind::Object(&ACKNOWLEDGED), "who is going to the board; null: nobody has said so")
        .or_null(),
    key("repeats", Kind::Text, "the alert before it in this game of the same kind and about the same player")
        .or_null(),
    key("restoring", Kind::Word(RESTORING), "how far the position that it proposes has been restored")
        .or_null(),
    key("notes", Kind::List(&Kind::Object(&NOTE)), "what else speaks about it, oldest first"),
    key("closed_by", Kind::Known(&["restart"]), "only in the last revision of an alert whose run has ended")
        .may_miss(),
];

pub(super) const ALERT: Message = Message {
    name: "alert",
    version: 1,
    about: "something for an arbiter: what happened, what he may do, what follows",
    of_board: true,
    forms: &[&Shape { name: "alert", rows: true, about: "an alert", fields: &[FACTS, DOCUMENT] }],
};

pub(super) const FINDING: Message = Message {
    name: "finding",
    version: 1,
    about: "a finding for the record or for the operator, which opens no alert",
    of_board: true,
    forms: &[&Shape {
        name: "finding",
        rows: true,
        about: "a finding",
        fields: &[FACTS, &[key("ply", Kind::Count, "the ply it happened at"), PRESSED, EVIDENCE, ORDERED]],
    }],
};

pub(super) const WITHDRAW: Message = Message {
    name: "withdraw",
    version: 1,
    about: "a finding taken back",
    of_board: true,
    forms: &[&Shape {
        name: "withdraw",
        rows: true,
        about: "a finding taken back",
        fields: &[&[
            key("id", Kind::Text, "of this message: the finding's id and `.withdrawn`"),
            key("revision", Kind::Count, "always 0"),
            key("finding", Kind::Text, "the id of the finding"),
            key("t_ms", Kind::Ms, "when"),
        ]],
    }],
};
