//! The one list of verbs and their keys: messages, journals, documents and errors come from it.

/// What a key holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// A text of 1 to 128 characters.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// The id of a finding, as in docs/RULES.md.
    Code,
    /// A square, as `e4`.
    Square,
    /// A whole number.
    Count,
    /// A list of whole numbers.
    Counts,
    /// A position, as a FEN.
    Fen,
    /// The key of a rule set, or `event` for that of the event.
    RuleSet,
    /// A moment: milliseconds of Unix time.
    Moment,
}

/// A key of a request.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: KeyKind,
    /// Whether it must be there.
    pub needed: bool,
    /// What it says.
    pub about: &'static str,
}

/// A verb and its keys, beside those of [`COMMON`].
#[derive(Clone, Copy, Debug)]
pub struct VerbShape {
    /// The last part of the topic.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// Its keys.
    pub keys: &'static [Key],
}

const fn key(name: &'static str, kind: KeyKind, about: &'static str) -> Key {
    Key { name, kind, needed: true, about }
}

const fn may(name: &'static str, kind: KeyKind, about: &'static str) -> Key {
    Key { name, kind, needed: false, about }
}

const ALERT: Key = key("alert", KeyKind::Text, "the id of an alert");
const WHY: Key = may("why", KeyKind::Text, "in the arbiter's words");
const PLAYERS: KeyKind = KeyKind::Word(&["white", "black"]);
pub(super) const SIGHTS: [&str; 2] = ["action", "position"];
pub(super) const CLAIMS: [&str; 5] = ["threefold", "fifty", "touch-move", "illegal-move", "flag"];
pub(super) const RULINGS: [&str; 4] = ["upheld", "dismissed", "stands", "noted"];
pub(super) const PENALTIES: [&str; 5] = ["none", "warning", "time", "loss", "draw"];
pub(super) const PLACES: [&str; 3] = ["last-correct", "last-identifiable", "start"];
pub(super) const SOURCES: [&str; 4] = ["arbiter", "scoresheet", "witness", "video"];
pub(super) const SCORES: [&str; 5] = ["1-0", "0-1", "1/2-1/2", "0-0", "*"];
pub(super) const SEATS: [&str; 2] = ["rank-1", "rank-8"];
pub(super) const ENDS: [&str; 2] = ["left", "right"];
/// As `ruleset`: the rules of the event again.
pub const OF_THE_EVENT: &str = "event";

/// Verbs with exactly one of their keys.
pub const CHOICES: &[&str] = &["restore", "position"];

/// Keys of every request.
pub const COMMON: &[Key] = &[
    key("id", KeyKind::Text, "chosen by the asker: the same id again gives the same answer and does nothing"),
    key("by", KeyKind::Text, "who asks"),
    may(
        "sent_ms",
        KeyKind::Moment,
        "when it was sent, Unix time in milliseconds: a request that comes more than a minute later is \
         refused as stale",
    ),
];

/// Every verb.
pub const VERBS: &[VerbShape] = &[
    VerbShape {
        name: "rule",
        about: "rule on an alert; a later ruling replaces an earlier one",
        keys: &[
            ALERT,
            key(
                "ruling",
                KeyKind::Word(&RULINGS),
                "`upheld` (it happened and counts), `dismissed` (it did not), `stands` (it happened; nothing \
                 is put back or counted), `noted`",
            ),
            WHY,
            may(
                "penalty",
                KeyKind::Word(&PENALTIES),
                "what the arbiter gives, where it is not what the alert proposes; the game is ended by \
                 `result`, never by this",
            ),
            may("seconds", KeyKind::Count, "with `time`: how much the opponent is given"),
            may(
                "revision",
                KeyKind::Count,
                "the revision of the alert that was looked at: refused if the alert has changed since",
            ),
        ],
    },
    VerbShape {
        name: "undo",
        about: "take a ruling back: the alert is open again as it was before",
        keys: &[ALERT],
    },
    VerbShape {
        name: "acknowledge",
        about: "somebody is going to the board: nobody else has to, and the alert is not escalated",
        keys: &[
            ALERT,
            may("to", KeyKind::Text, "who goes, if it is not the one who asks: the alert is handed over"),
        ],
    },
    VerbShape {
        name: "release",
        about: "nobody is going any more: the alert waits for somebody again",
        keys: &[ALERT],
    },
    VerbShape {
        name: "seen",
        about: "the arbiter has seen it himself",
        keys: &[
            ALERT,
            may(
                "what",
                KeyKind::Word(&SIGHTS),
                "`action` (left out: this; he may step in where only that or a claim allows it) or `position` \
                 (an illegal position, not how it arose: under A.5.4 the wait for one completed move begins)",
            ),
        ],
    },
    VerbShape {
        name: "agreed-correction",
        about: "the players have agreed between themselves to go back; nothing is counted",
        keys: &[ALERT],
    },
    VerbShape {
        name: "strike",
        about: "contacts that were accidental: the duty of the replacement move is worked out without them",
        keys: &[
            ALERT,
            key(
                "steps",
                KeyKind::Counts,
                "steps of the alert's `action`, counted from 1; `[]` takes all back",
            ),
        ],
    },
    VerbShape {
        name: "evidence",
        about: "what else speaks about an alert: kept with it, and nothing follows from it by itself",
        keys: &[
            ALERT,
            key("from", KeyKind::Word(&SOURCES), "where it comes from"),
            key("what", KeyKind::Text, "what it says"),
        ],
    },
    VerbShape {
        name: "protest",
        about: "a player accepts the ruling on an alert under protest",
        keys: &[
            ALERT,
            key("player", PLAYERS, "who protests"),
            may("what", KeyKind::Text, "why, in his words"),
        ],
    },
    VerbShape {
        name: "report",
        about: "an incident that a person saw: opens an alert to rule on",
        keys: &[
            key("code", KeyKind::Code, "what, by the id of a finding"),
            may("player", PLAYERS, "whom it is about"),
            may("what", KeyKind::Text, "what was seen"),
            may("witness", KeyKind::Text, "who saw it, if not the arbiter himself"),
            may(
                "ply",
                KeyKind::Count,
                "the ply it is about, from 1; left out: the last move of that player, or what he is doing now",
            ),
        ],
    },
    VerbShape {
        name: "claim",
        about: "a player claims something: what the record proves of it, and what follows if it is right and \
                if it is wrong; nothing is ruled or counted",
        keys: &[
            key("player", PLAYERS, "who claims"),
            key("of", KeyKind::Word(&CLAIMS), "what"),
            may(
                "move",
                KeyKind::Text,
                "for `threefold` and `fifty`: the move written and not yet made, as `g1f3` or `Nf3`",
            ),
            may("square", KeyKind::Square, "for `touch-move`: where the piece stood that was touched"),
        ],
    },
    VerbShape {
        name: "restore",
        about: "a position is to be put back on the board: the answer and `episode` of the state say how; \
                exactly one key",
        keys: &[
            may("alert", KeyKind::Text, "the position that this alert proposes"),
            may("ply", KeyKind::Count, "the position of the record after so many plies"),
            may(
                "position",
                KeyKind::Word(&PLACES),
                "`last-correct` (before anything that was not legal), `last-identifiable` (also not after what \
                 nobody saw), `start`",
            ),
        ],
    },
    VerbShape {
        name: "position",
        about: "play goes on from this position, whatever the record says; if it does not stand on the board, \
                it is to be set up, as with `restore`; exactly one key",
        keys: &[
            may("fen", KeyKind::Fen, "the position"),
            may("to_move", PLAYERS, "what stands on the board now, with this player to move"),
        ],
    },
    VerbShape {
        name: "result",
        about: "the result of the game: it goes to the public when its delay has passed",
        keys: &[
            key(
                "result",
                KeyKind::Word(&SCORES),
                "`*` takes back what was entered; then the board's own counts",
            ),
            WHY,
        ],
    },
    VerbShape {
        name: "new-game",
        about: "a new game begins now, where the board does not show it by itself; alerts of the game before \
                are closed",
        keys: &[may(
            "fen",
            KeyKind::Fen,
            "the position that this game and those after it begin with, until a new game is asked for without",
        )],
    },
    VerbShape {
        name: "pairing",
        about: "who plays on this board; names are kept apart from the journal",
        keys: &[
            may("white", KeyKind::Text, "White's name"),
            may("black", KeyKind::Text, "Black's name; without both keys the names are taken off"),
        ],
    },
    VerbShape {
        name: "profile",
        about: "this board is played under another rule set, until it is changed again",
        keys: &[
            key("ruleset", KeyKind::RuleSet, "as in the configuration; `event` for what the event has"),
            may("base_s", KeyKind::Count, "seconds for all moves, where they differ from the event's"),
            may("inc_s", KeyKind::Count, "seconds added with each move; left out: none"),
        ],
    },
    VerbShape {
        name: "clock-set",
        about: "what an arbiter has set on the clock: changed times are no finding, and those of a position \
                being restored are compared with these",
        keys: &[
            key("white_s", KeyKind::Count, "White's time, seconds"),
            key("black_s", KeyKind::Count, "Black's time, seconds"),
            may("white_moves", KeyKind::Count, "moves completed by White, as set on the clock"),
            may("black_moves", KeyKind::Count, "moves completed by Black"),
        ],
    },
    VerbShape {
        name: "clock-seat",
        about: "which end of the clock is White's, where the board has it wrong",
        keys: &[key("white", KeyKind::Word(&ENDS), "seen from the board's own first rank")],
    },
    VerbShape {
        name: "orientation",
        about: "on which side of the board White sits, where the board has it wrong",
        keys: &[key("white_sits", KeyKind::Word(&SEATS), "at the board's own rank 1 or 8")],
    },
    VerbShape {
        name: "mute",
        about: "findings of this kind are not told on this board until it is unmuted: they go to the journal \
                and are counted, as in shadow mode",
        keys: &[key("code", KeyKind::Code, "which"), WHY],
    },
    VerbShape {
        name: "unmute",
        about: "findings of this kind are told again",
        keys: &[key("code", KeyKind::Code, "which")],
    },
    VerbShape {
        name: "zone",
        about: "which arbiter this board belongs to: stands in its state and its alerts",
        keys: &[may("arbiter", KeyKind::Text, "left out: nobody's")],
    },
    VerbShape {
        name: "hold",
        about: "moves, clocks and result of this board go to the public no more, or again",
        keys: &[key("feed", KeyKind::Word(&FEEDS), "`held`, `released`")],
    },
    VerbShape {
        name: "contacts",
        about: "what was touched and pressed lately, in `report` of the answer",
        keys: &[may("seconds", KeyKind::Count, "of the last so many seconds, at most 600; left out: 60")],
    },
    VerbShape { name: "games", about: "the games of this board, in `report` of the answer", keys: &[] },
];

pub(super) const FEEDS: [&str; 2] = ["held", "released"];
