//! The one list of verbs and their keys: messages, journals, documents and errors come from it.

use serde_json::{Map, Value, json};

use super::{Decision, Goal, Keys, Sight, Verb};
use crate::laws::{ClaimKind, PlayersClaim, RULES, RuleId, Which};

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

/// A verb and its keys, beside `id` and `by` which all have.
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
const PLAYERS: KeyKind = KeyKind::Word(&["white", "black"]);
const SIGHTS: [&str; 2] = ["action", "position"];
const CLAIMS: [&str; 5] = ["threefold", "fifty", "touch-move", "illegal-move", "flag"];
const RULINGS: [&str; 4] = ["upheld", "dismissed", "stands", "noted"];

const PLACES: [&str; 3] = ["last-correct", "last-identifiable", "start"];

/// Verbs with exactly one of their keys.
pub const CHOICES: &[&str] = &["restore"];

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
            may("why", KeyKind::Text, "in the arbiter's words"),
        ],
    },
    VerbShape {
        name: "undo",
        about: "take a ruling back: the alert is open again as it was before",
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
        name: "report",
        about: "an incident that a person saw: opens an alert to rule on",
        keys: &[
            key("code", KeyKind::Code, "what, by the id of a finding"),
            may("player", PLAYERS, "whom it is about"),
            may("what", KeyKind::Text, "what was seen"),
            may("witness", KeyKind::Text, "who saw it, if not the arbiter himself"),
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
];

impl Verb {
    /// Reads the verb called `name` from its keys; `id`, `by` and `schema` are the caller's.
    ///
    /// # Errors
    /// What is wrong and what would be right.
    pub fn read(name: &str, object: &Map<String, Value>) -> Result<Verb, String> {
        let Some(shape) = VERBS.iter().find(|shape| shape.name == name) else {
            let known: Vec<&str> = VERBS.iter().map(|shape| shape.name).collect();
            let name: String = name.chars().take(super::TEXT_MAX).collect();
            return Err(format!("verb \"{name}\" is not known: use {}", known.join(", ")));
        };
        shape.no_others(object)?;
        let keys = Keys(object);
        let alert = || keys.text("alert");
        Ok(match name {
            "rule" => {
                let word = keys.one_of("ruling", &RULINGS)?;
                let ruling = Decision::ALL.into_iter().find(|ruling| ruling.word() == word);
                let ruling = ruling.ok_or("\"ruling\" is none")?;
                Verb::Rule { alert: alert()?, ruling, why: keys.text_if("why")? }
            }
            "undo" => Verb::Undo { alert: alert()? },
            "seen" => Verb::Seen { alert: alert()?, what: sight(keys)? },
            "agreed-correction" => Verb::AgreedCorrection { alert: alert()? },
            "strike" => Verb::Strike { alert: alert()?, steps: keys.counts("steps")? },
            "claim" => Verb::Claim(PlayersClaim {
                by: keys.player("player")?,
                of: ClaimKind::named(keys.one_of("of", &CLAIMS)?).ok_or("\"of\" is none")?,
                written: keys.text_if("move")?,
                square: keys.square_if("square")?,
            }),
            "restore" => Verb::Restore(goal(keys)?),
            _ => Verb::Report {
                code: code(keys)?,
                player: keys.player_if("player")?,
                what: keys.text_if("what")?,
                witness: keys.text_if("witness")?,
            },
        })
    }

    /// The keys of this request, as [`Verb::read`] reads them.
    #[must_use]
    pub fn keys(&self) -> Map<String, Value> {
        let value = match self {
            Verb::Rule { alert, ruling, why: None } => json!({"alert": alert, "ruling": ruling.word()}),
            Verb::Rule { alert, ruling, why } => {
                json!({"alert": alert, "ruling": ruling.word(), "why": why})
            }
            Verb::Undo { alert } | Verb::AgreedCorrection { alert } => json!({"alert": alert}),
            Verb::Seen { alert, what } => json!({"alert": alert, "what": SIGHTS[*what as usize]}),
            Verb::Strike { alert, steps } => json!({"alert": alert, "steps": steps}),
            Verb::Restore(Goal::Alert(alert)) => json!({"alert": alert}),
            Verb::Restore(Goal::Position(Which::Ply(ply))) => json!({"ply": ply}),
            Verb::Restore(Goal::Position(Which::LastCorrect)) => json!({"position": PLACES[0]}),
            Verb::Restore(Goal::Position(Which::LastIdentifiable)) => json!({"position": PLACES[1]}),
            Verb::Restore(Goal::Position(Which::Start)) => json!({"position": PLACES[2]}),
            Verb::Report { code, player, what, witness } => json!({
                "code": code.name(),
                "player": player.map(|side| side.to_string()),
                "what": what,
                "witness": witness,
            }),
            Verb::Claim(claim) => json!({
                "player": claim.by.to_string(),
                "of": claim.of.word(),
                "move": claim.written,
                "square": claim.square.map(|square| square.to_string()),
            }),
        };
        match value {
            Value::Object(object) => object,
            _ => Map::new(),
        }
    }

    /// The last part of the topic on which it is asked.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Verb::Rule { .. } => "rule",
            Verb::Undo { .. } => "undo",
            Verb::Seen { .. } => "seen",
            Verb::AgreedCorrection { .. } => "agreed-correction",
            Verb::Strike { .. } => "strike",
            Verb::Report { .. } => "report",
            Verb::Claim(_) => "claim",
            Verb::Restore(_) => "restore",
        }
    }
}

fn sight(keys: Keys<'_>) -> Result<Sight, String> {
    match keys.one_of_if("what", &SIGHTS)? {
        Some("position") => Ok(Sight::Position),
        _ => Ok(Sight::Action),
    }
}

fn goal(keys: Keys<'_>) -> Result<Goal, String> {
    let given = |name: &str| keys.0.get(name).is_some_and(|value| !value.is_null());
    match (given("alert"), given("ply"), given("position")) {
        (true, false, false) => keys.text("alert").map(Goal::Alert),
        (false, true, false) => keys.count("ply").map(|ply| Goal::Position(Which::Ply(ply))),
        (false, false, true) => Ok(Goal::Position(match keys.one_of("position", &PLACES)? {
            "start" => Which::Start,
            "last-identifiable" => Which::LastIdentifiable,
            _ => Which::LastCorrect,
        })),
        _ => Err("use exactly one of \"alert\", \"ply\" and \"position\"".to_owned()),
    }
}

fn code(keys: Keys<'_>) -> Result<RuleId, String> {
    let name = keys.text("code")?;
    RULES
        .iter()
        .find(|rule| rule.id.name() == name)
        .map(|rule| rule.id)
        .ok_or_else(|| format!("\"code\" is \"{name}\": use the id of a finding, such as \"two-hands\""))
}

impl VerbShape {
    fn no_others(&self, object: &Map<String, Value>) -> Result<(), String> {
        let known = || ["id", "by"].into_iter().chain(self.keys.iter().map(|key| key.name));
        let other = object.keys().find(|name| *name != "schema" && !known().any(|key| key == *name));
        let Some(other) = other else { return Ok(()) };
        let name: String = other.chars().filter(|c| !c.is_control()).take(super::TEXT_MAX).collect();
        Err(format!("key \"{name}\" is not known: use {}", known().collect::<Vec<_>>().join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(kind: KeyKind) -> Value {
        match kind {
            KeyKind::Text => "b1-g1-p9-illegal-move-1".into(),
            KeyKind::Word(words) => words[words.len() - 1].into(),
            KeyKind::Code => "two-hands".into(),
            KeyKind::Square => "e4".into(),
            KeyKind::Count => 7.into(),
            KeyKind::Counts => json!([1, 3]),
        }
    }

    /// What is listed is read, and what is read is written again under the same keys.
    #[test]
    fn every_verb_of_the_list_is_read_and_written() {
        for shape in VERBS.iter().filter(|shape| !CHOICES.contains(&shape.name)) {
            for all in [true, false] {
                let keys = shape.keys.iter().filter(|key| all || key.needed);
                let object: Map<String, Value> =
                    keys.map(|key| (key.name.to_owned(), sample(key.kind))).collect();
                let verb = Verb::read(shape.name, &object).unwrap();
                assert_eq!(verb.word(), shape.name);
                let written = verb.keys();
                assert_eq!(Verb::read(shape.name, &written), Ok(verb), "{}", shape.name);
                for (name, value) in &object {
                    assert_eq!(written.get(name), Some(value), "{}", shape.name);
                }
            }
        }
    }

    #[test]
    fn every_claim_can_be_named() {
        let known: Vec<&str> = ClaimKind::ALL.iter().map(|kind| kind.word()).collect();
        assert_eq!(known, CLAIMS);
    }

    #[test]
    fn of_some_verbs_exactly_one_key_is_given() {
        for shape in VERBS.iter().filter(|shape| CHOICES.contains(&shape.name)) {
            let read = |keys: &[Key]| {
                let object: Map<String, Value> =
                    keys.iter().map(|key| (key.name.to_owned(), sample(key.kind))).collect();
                (Verb::read(shape.name, &object), object)
            };
            for key in shape.keys {
                let (verb, object) = read(&[*key]);
                assert_eq!(verb.map(|verb| verb.keys()), Ok(object));
            }
            assert!(read(&[]).0.is_err() && read(&shape.keys[..2]).0.is_err());
        }
    }

    #[test]
    fn a_key_that_is_needed_is_asked_for_by_name() {
        for shape in VERBS {
            for missing in shape.keys.iter().filter(|key| key.needed) {
                let keys = shape.keys.iter().filter(|key| key.name != missing.name);
                let object = keys.map(|key| (key.name.to_owned(), sample(key.kind))).collect();
                let why = Verb::read(shape.name, &object).unwrap_err();
                assert!(why.contains(&format!("\"{}\" is missing", missing.name)), "{why}");
            }
        }
    }
}
