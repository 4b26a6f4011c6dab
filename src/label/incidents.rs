//! What an observer saw: irregularities, by the ply during which they happened.

use serde::Deserialize;
use shakmaty::{Board, Color, Square};
use thiserror::Error;

use super::moves::{Excuses, Game, MovesError};
use crate::events::{Setup, Wood};
use crate::laws::{RULES, Rule, RuleId};

/// One of an observer's notes, as it is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Incident {
    /// The ply that was to be made, from 1; after the last ply one more.
    pub ply: usize,
    /// The id of the finding, as in docs/RULES.md.
    pub id: String,
    /// Whose it was, `white` or `black`.
    #[serde(default)]
    pub side: Option<String>,
    /// In the observer's words.
    #[serde(default)]
    pub note: String,
    /// Where.
    #[serde(default)]
    pub squares: Vec<String>,
    /// When, in the recording's time, if the presses and contacts do not say it.
    #[serde(default)]
    pub t_ms: Option<u64>,
    /// What stood there after an illegal move that was left standing, if it was not merely one piece
    /// from here to there.
    #[serde(default)]
    pub board: Option<String>,
}

/// The notes of one game, in TOML as a list of `[[incident]]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Incidents {
    /// In any order.
    #[serde(default)]
    pub incident: Vec<Incident>,
}

/// Why notes cannot be used.
#[derive(Debug, Error)]
pub enum IncidentError {
    /// Not JSON, or not the keys of an incident.
    #[error("line {line}: {why}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What is wrong.
        why: serde_json::Error,
    },
    /// No such finding.
    #[error("incident {number}: \"{given}\" is no finding: use one of {known}")]
    Id {
        /// Counted from 1.
        number: usize,
        /// As given.
        given: String,
        /// Those that exist.
        known: String,
    },
    /// No side.
    #[error("incident {number}: side \"{given}\" is neither white nor black; leave it out if nobody's")]
    Side {
        /// Counted from 1.
        number: usize,
        /// As given.
        given: String,
    },
    /// No square.
    #[error("incident {number}: square \"{given}\" is not a1 to h8")]
    Square {
        /// Counted from 1.
        number: usize,
        /// As given.
        given: String,
    },
    /// No placement.
    #[error("incident {number}: board \"{given}\" is no placement: write it as the first field of a FEN")]
    Board {
        /// Counted from 1.
        number: usize,
        /// As given.
        given: String,
    },
    /// No such ply.
    #[error(
        "incident {number} ({id}) is of ply {ply}: the moves have plies 1 to {plies}, and {next} is after the last"
    )]
    Ply {
        /// Counted from 1.
        number: usize,
        /// Which.
        id: String,
        /// As given.
        ply: usize,
        /// How many there are.
        plies: usize,
        /// One more.
        next: usize,
    },
}

/// A note that was understood.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) number: usize,
    pub(super) ply: usize,
    pub(super) rule: &'static Rule,
    pub(super) side: Option<Color>,
    pub(super) squares: Vec<Square>,
    pub(super) at_ms: Option<u64>,
    pub(super) note: String,
    board: Option<Board>,
}

impl Incidents {
    /// Reads notes written as JSON Lines.
    ///
    /// # Errors
    /// The first line that cannot be read.
    pub fn from_jsonl(text: &str) -> Result<Incidents, IncidentError> {
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        let read = lines
            .map(|(line, text)| serde_json::from_str(text).map_err(|why| IncidentError::Line { line, why }));
        Ok(Incidents { incident: read.collect::<Result<_, _>>()? })
    }

    pub(super) fn understood(&self) -> Result<Vec<Seen>, IncidentError> {
        (1..).zip(&self.incident).map(|(number, incident)| seen(number, incident)).collect()
    }
}

fn seen(number: usize, incident: &Incident) -> Result<Seen, IncidentError> {
    let rule = RULES.iter().find(|rule| rule.name == incident.id).ok_or_else(|| {
        let known: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
        IncidentError::Id { number, given: incident.id.clone(), known: known.join(", ") }
    })?;
    let side = match incident.side.as_deref() {
        None => None,
        Some("white") => Some(Color::White),
        Some("black") => Some(Color::Black),
        Some(given) => return Err(IncidentError::Side { number, given: given.to_owned() }),
    };
    let square =
        |text: &String| text.parse().map_err(|_| IncidentError::Square { number, given: text.clone() });
    let board = match &incident.board {
        None => None,
        Some(text) => {
            let wood = Wood::from_placement(text);
            let whole = wood.ok().filter(|wood| wood.unknown().is_empty());
            let wood = whole.ok_or_else(|| IncidentError::Board { number, given: text.clone() })?;
            Some(wood.known().clone())
        }
    };
    Ok(Seen {
        number,
        ply: incident.ply,
        rule,
        side,
        squares: incident.squares.iter().map(square).collect::<Result<_, _>>()?,
        at_ms: incident.t_ms,
        note: incident.note.clone(),
        board,
    })
}

/// What may stand although the Laws do not allow it.
const STANDING: [RuleId; 4] =
    [RuleId::IllegalMove, RuleId::IllegalMoveUnpressed, RuleId::CastlingIncomplete, RuleId::PawnNotPromoted];

/// Reads the moves; illegal ones may stand where an observer saw one.
pub(super) fn game(text: &str, setup: &Setup, seen: &[Seen]) -> Result<Game, MovesError> {
    let of = |rules: &'static [RuleId]| seen.iter().filter(|seen| rules.contains(&seen.rule.id));
    let excuses = Excuses {
        illegal: of(&STANDING).map(|seen| (seen.ply, seen.board.clone())).collect(),
        passed: of(&[RuleId::PressWithoutMove]).map(|seen| seen.ply).collect(),
    };
    Game::read(text, setup, &excuses)
}

/// Each note is of a ply of the game.
pub(super) fn check_plies(seen: &[Seen], game: &Game) -> Result<(), IncidentError> {
    let plies = game.plies.len();
    match seen.iter().find(|seen| !(1..=plies + 1).contains(&seen.ply)) {
        None => Ok(()),
        Some(seen) => Err(IncidentError::Ply {
            number: seen.number,
            id: seen.rule.name.to_owned(),
            ply: seen.ply,
            plies,
            next: plies + 1,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(line: &str) -> String {
        let read = Incidents::from_jsonl(line).and_then(|notes| notes.understood().map(|_| ()));
        read.unwrap_err().to_string()
    }

    #[test]
    fn what_cannot_be_used_says_what_can() {
        assert!(refused(r#"{"ply":3,"id":"ilegal-move"}"#).contains("illegal-move, illegal-move-unpressed"));
        assert!(refused(r#"{"ply":3,"id":"illegal-move","side":"red"}"#).contains("neither white nor black"));
        assert!(refused(r#"{"ply":3,"id":"illegal-move","squares":["j9"]}"#).contains("a1 to h8"));
        assert!(refused(r#"{"ply":3,"id":"illegal-move","board":"8/8"}"#).contains("first field of a FEN"));
        assert!(refused(r#"{"ply":3,"ids":"illegal-move"}"#).contains("line 1: unknown field"));
        assert!(refused("\n{").starts_with("line 2:"));
    }
}
