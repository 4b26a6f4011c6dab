//! From the keys of a request to what is asked.

use serde_json::{Map, Value};

use super::list::{
    CLAIMS, ENDS, FEEDS, OF_THE_EVENT, PENALTIES, PLACES, RULINGS, SCORES, SEATS, SIGHTS, SOURCES,
};
use super::{
    COMMON, ClockSetting, Decision, Declared, Goal, Keys, OnBoard, Pairing, Penalty, Profile, Sight,
    TEXT_MAX, VERBS, Verb, VerbShape,
};
use crate::events::{Lever, Seat, TimeControl};
use crate::game::Position;
use crate::laws::{ClaimKind, PlayersClaim, RuleId, RuleSet, Which};
use crate::tick::Dial;

/// Seconds of contacts that are told unless others are asked for, and at most.
const SECONDS: (u32, u32) = (60, 600);

impl Verb {
    /// Reads the verb called `name` from its keys; those of [`COMMON`] and `schema` are the caller's.
    ///
    /// # Errors
    /// What is wrong and what would be right.
    pub fn read(name: &str, object: &Map<String, Value>) -> Result<Verb, String> {
        let Some(shape) = VERBS.iter().find(|shape| shape.name == name) else {
            let known: Vec<&str> = VERBS.iter().map(|shape| shape.name).collect();
            let name: String = name.chars().take(TEXT_MAX).collect();
            return Err(format!("verb \"{name}\" is not known: use {}", known.join(", ")));
        };
        shape.no_others(object)?;
        let keys = Keys(object);
        match about_alert(name, keys)? {
            Some(verb) => Ok(verb),
            None => match about_board(name, keys)? {
                Some(verb) => Ok(Verb::Board(verb)),
                None => Err(format!("verb \"{name}\" is not read")),
            },
        }
    }
}

fn about_alert(name: &str, keys: Keys<'_>) -> Result<Option<Verb>, String> {
    let alert = || keys.text("alert");
    Ok(Some(match name {
        "rule" => {
            let word = keys.one_of("ruling", &RULINGS)?;
            let ruling = Decision::ALL.into_iter().find(|ruling| ruling.word() == word);
            Verb::Rule {
                alert: alert()?,
                ruling: ruling.ok_or("\"ruling\" is none")?,
                why: keys.text_if("why")?,
                penalty: penalty(keys)?,
                revision: keys.count_if("revision")?,
            }
        }
        "undo" => Verb::Undo { alert: alert()? },
        "acknowledge" => Verb::Acknowledge { alert: alert()?, to: keys.text_if("to")? },
        "release" => Verb::Release { alert: alert()? },
        "seen" => Verb::Seen { alert: alert()?, what: sight(keys)? },
        "agreed-correction" => Verb::AgreedCorrection { alert: alert()? },
        "strike" => Verb::Strike { alert: alert()?, steps: keys.counts("steps")? },
        "evidence" => {
            Verb::Evidence { alert: alert()?, from: keys.one_of("from", &SOURCES)?, what: keys.text("what")? }
        }
        "protest" => {
            Verb::Protest { alert: alert()?, player: keys.player("player")?, what: keys.text_if("what")? }
        }
        "report" => Verb::Report {
            code: code(keys)?,
            player: keys.player_if("player")?,
            what: keys.text_if("what")?,
            witness: keys.text_if("witness")?,
            ply: keys.count_if("ply")?,
        },
        "claim" => Verb::Claim(PlayersClaim {
            by: keys.player("player")?,
            of: ClaimKind::named(keys.one_of("of", &CLAIMS)?).ok_or("\"of\" is none")?,
            written: keys.text_if("move")?,
            square: keys.square_if("square")?,
        }),
        "restore" => Verb::Restore(goal(keys)?),
        "position" => Verb::Restore(Goal::Declared(declared(keys)?)),
        _ => return Ok(None),
    }))
}

fn about_board(name: &str, keys: Keys<'_>) -> Result<Option<OnBoard>, String> {
    Ok(Some(match name {
        "result" => {
            let score = Some(keys.one_of("result", &SCORES)?).filter(|score| *score != "*");
            OnBoard::Result { score, why: keys.text_if("why")? }
        }
        "new-game" => OnBoard::NewGame { fen: fen_if(keys)? },
        "pairing" => {
            OnBoard::Pairing(Pairing { white: keys.text_if("white")?, black: keys.text_if("black")? })
        }
        "profile" => OnBoard::Profile(profile(keys)?),
        "clock-set" => OnBoard::ClockSet(clock_setting(keys)?),
        "clock-seat" => {
            let left = keys.one_of("white", &ENDS)? == ENDS[0];
            OnBoard::ClockSeat(if left { Lever::Left } else { Lever::Right })
        }
        "orientation" => {
            let word = keys.one_of("white_sits", &SEATS)?;
            OnBoard::Orientation(Seat::from_word(word).ok_or("\"white_sits\" is none")?)
        }
        "mute" => OnBoard::Mute { code: code(keys)?, why: keys.text_if("why")? },
        "unmute" => OnBoard::Unmute(code(keys)?),
        "zone" => OnBoard::Zone(keys.text_if("arbiter")?),
        "hold" => OnBoard::Hold(keys.one_of("feed", &FEEDS)? == FEEDS[0]),
        "contacts" => {
            let seconds = keys.count_if("seconds")?.unwrap_or(SECONDS.0);
            if seconds == 0 || seconds > SECONDS.1 {
                return Err(format!("\"seconds\" is {seconds}: use 1 to {}", SECONDS.1));
            }
            OnBoard::Contacts { seconds }
        }
        "games" => OnBoard::Games,
        _ => return Ok(None),
    }))
}

fn penalty(keys: Keys<'_>) -> Result<Option<Penalty>, String> {
    let (kind, seconds) = (keys.one_of_if("penalty", &PENALTIES)?, keys.count_if("seconds")?);
    match (kind, seconds) {
        (None, None) => Ok(None),
        (Some("time"), None) => Err("\"seconds\" is missing: say how much time is given".to_owned()),
        (Some(kind @ "time"), seconds) | (Some(kind), seconds @ None) => Ok(Some(Penalty { kind, seconds })),
        (_, Some(_)) => Err("\"seconds\" is given: it goes with \"penalty\" \"time\" alone".to_owned()),
    }
}

fn sight(keys: Keys<'_>) -> Result<Sight, String> {
    match keys.one_of_if("what", &SIGHTS)? {
        Some("position") => Ok(Sight::Position),
        _ => Ok(Sight::Action),
    }
}

fn goal(keys: Keys<'_>) -> Result<Goal, String> {
    match (keys.has("alert"), keys.has("ply"), keys.has("position")) {
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

fn declared(keys: Keys<'_>) -> Result<Declared, String> {
    match (fen_if(keys)?, keys.player_if("to_move")?) {
        (Some(fen), None) => Ok(Declared::Fen(fen)),
        (None, Some(side)) => Ok(Declared::Standing(side)),
        _ => Err("use exactly one of \"fen\" and \"to_move\"".to_owned()),
    }
}

fn fen_if(keys: Keys<'_>) -> Result<Option<String>, String> {
    let Some(fen) = keys.text_if("fen")? else { return Ok(None) };
    let read = Position::from_fen(&fen).filter(|position| position.board.kings().count() == 2);
    match read {
        Some(position) => Ok(Some(position.fen())),
        None => Err(format!(
            "\"fen\" is \"{fen}\": use a position with both kings, as \
             \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\""
        )),
    }
}

fn profile(keys: Keys<'_>) -> Result<Option<Profile>, String> {
    let ruleset = keys.text("ruleset")?;
    let (base, inc) = (keys.count_if("base_s")?, keys.count_if("inc_s")?);
    if ruleset == OF_THE_EVENT {
        return match (base, inc) {
            (None, None) => Ok(None),
            _ => Err("\"event\" has its own times: leave \"base_s\" and \"inc_s\" out".to_owned()),
        };
    }
    if RuleSet::by_key(&ruleset).is_none() {
        let known: Vec<&str> = RuleSet::ALL.iter().map(|set| set.key).collect();
        return Err(format!("\"ruleset\" is \"{ruleset}\": use {OF_THE_EVENT}, {}", known.join(", ")));
    }
    if base.is_none() && inc.is_some() {
        return Err("\"inc_s\" is given: it goes with \"base_s\" alone".to_owned());
    }
    let time_control = base.map(|base_s| TimeControl {
        base_s,
        inc_s: inc.unwrap_or(0),
        bonus: None,
        increment_on_first_move: false,
    });
    Ok(Some(Profile { ruleset, time_control }))
}

fn clock_setting(keys: Keys<'_>) -> Result<ClockSetting, String> {
    let dials = (Dial::from_s(keys.count("white_s")?), Dial::from_s(keys.count("black_s")?));
    let moves = match (keys.count_if("white_moves")?, keys.count_if("black_moves")?) {
        (None, None) => None,
        (Some(white), Some(black)) => Some((white, black)),
        _ => return Err("use both \"white_moves\" and \"black_moves\", or neither".to_owned()),
    };
    Ok(ClockSetting { dials, moves })
}

fn code(keys: Keys<'_>) -> Result<RuleId, String> {
    let name = keys.text("code")?;
    RuleId::named(&name)
        .ok_or_else(|| format!("\"code\" is \"{name}\": use the id of a finding, such as \"two-hands\""))
}

impl VerbShape {
    fn no_others(&self, object: &Map<String, Value>) -> Result<(), String> {
        let known = || COMMON.iter().chain(self.keys).map(|key| key.name);
        let other = object.keys().find(|name| *name != "schema" && !known().any(|key| key == *name));
        let Some(other) = other else { return Ok(()) };
        let name: String = other.chars().filter(|c| !c.is_control()).take(TEXT_MAX).collect();
        Err(format!("key \"{name}\" is not known: use {}", known().collect::<Vec<_>>().join(", ")))
    }
}
