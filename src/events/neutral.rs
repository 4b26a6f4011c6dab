//! The neutral recording: JSON Lines that any board could have produced.
//!
//! One object a line, `t_ms` never decreasing, `meta` first. Unknown keys are ignored so that
//! recordings may carry notes; unknown kinds are an error, since something would be lost.

use serde::Deserialize;
use serde_json::Value;
use shakmaty::{Piece, Square};
use thiserror::Error;

use super::setup::{Device, Pieces, Seat, Setup, SetupError, Shadow, Start, TimeControl, TopicPart, Variant};
use super::wood::{Sensed, SensorSquare, Wood, WoodError};
use super::{ClockReading, Lever, Report};
use crate::tick::{Dial, Span, Tick};

/// One line of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// When it was received.
    pub at: Tick,
    /// What it says.
    pub kind: RowKind,
}

/// What a line of a recording says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// The settings; the first line.
    Meta(Box<Setup>),
    /// A report of the board or the clock.
    Report(Report),
}

/// No recording is longer than a year.
const LONGEST_MS: f64 = 366.0 * 86_400_000.0;

/// Why a line cannot be read.
#[derive(Debug, Error)]
pub enum NeutralError {
    /// A key is missing that may be null, but must be there.
    #[error("\"{0}\" is missing: write null for an empty square")]
    Missing(&'static str),
    /// A time that no recording has.
    #[error("t_ms {0} is no time of a recording: use milliseconds from its start")]
    Time(f64),
    /// A word of the settings.
    #[error("{key} \"{given}\" is not known: use {allowed}")]
    Setting {
        /// The key.
        key: &'static str,
        /// As given.
        given: String,
        /// What is allowed.
        allowed: &'static str,
    },
    /// Not JSON, or a key is missing or of the wrong type.
    #[error("not a line of a recording: {0}")]
    Json(#[from] serde_json::Error),
    /// A kind that is not known.
    #[error("kind \"{0}\" is not known: use meta, board, square, clock or link")]
    Kind(String),
    /// A square name.
    #[error("square \"{0}\" is not a1 to h8")]
    Square(String),
    /// A piece letter.
    #[error("piece \"{0}\" is no piece: use one of KQRBNPkqrbnp, X, or null for empty")]
    Piece(String),
    /// A side or lever.
    #[error("{key} is \"{given}\": use {allowed}")]
    Word {
        /// The key.
        key: &'static str,
        /// As given.
        given: String,
        /// What is allowed.
        allowed: &'static str,
    },
    /// A placement.
    #[error(transparent)]
    Placement(#[from] WoodError),
    /// The settings.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

#[derive(Deserialize)]
struct Head {
    t_ms: f64,
    kind: String,
}

#[derive(Deserialize)]
struct MetaLine {
    #[serde(default)]
    board: Option<String>,
    config: ConfigLine,
    #[serde(default)]
    pieces: Option<String>,
}

#[derive(Deserialize)]
struct ConfigLine {
    #[serde(default)]
    format: Option<String>,
    #[serde(default)]
    rules: Option<String>,
    #[serde(default)]
    ruleset: Option<String>,
    #[serde(default)]
    base_s: Option<u32>,
    #[serde(default)]
    inc_s: Option<u32>,
    #[serde(default)]
    bonus: Option<(u32, u32)>,
    #[serde(default)]
    start: Option<String>,
    #[serde(default)]
    increment_on_first_move: Option<bool>,
    #[serde(default)]
    variant: Option<String>,
    #[serde(default)]
    white_sits: Option<String>,
    #[serde(default)]
    scan_ms: Option<u64>,
}

#[derive(Deserialize)]
struct BoardLine {
    fen: String,
}

#[derive(Deserialize)]
struct SquareLine {
    sq: String,
    piece: Option<String>,
}

#[derive(Deserialize)]
struct ClockLine {
    white_ms: i64,
    black_ms: i64,
    running: Option<String>,
    lever: String,
}

#[derive(Deserialize)]
struct LinkLine {
    up: bool,
}

/// Reads one line.
///
/// # Errors
/// [`NeutralError`] says what is wrong and what would be right; the caller adds the line number.
pub fn parse_row(line: &str) -> Result<Row, NeutralError> {
    let value: Value = serde_json::from_str(line)?;
    let head = Head::deserialize(&value)?;
    // Some recorders write fractions of a millisecond; microseconds keep their order.
    if !(0.0..=LONGEST_MS).contains(&head.t_ms) {
        return Err(NeutralError::Time(head.t_ms));
    }
    let at = Tick::from_us((head.t_ms * 1000.0) as u64);
    let kind = match head.kind.as_str() {
        "meta" => RowKind::Meta(Box::new(meta(MetaLine::deserialize(&value)?)?)),
        "board" => RowKind::Report(Report::Dump(Wood::from_placement(&BoardLine::deserialize(&value)?.fen)?)),
        "square" => {
            if value.get("piece").is_none() {
                return Err(NeutralError::Missing("piece"));
            }
            RowKind::Report(square(SquareLine::deserialize(&value)?)?)
        }
        "clock" => RowKind::Report(clock(&ClockLine::deserialize(&value)?)?),
        "link" => RowKind::Report(Report::Link { up: LinkLine::deserialize(&value)?.up }),
        other => return Err(NeutralError::Kind(other.to_owned())),
    };
    Ok(Row { at, kind })
}

fn square(line: SquareLine) -> Result<Report, NeutralError> {
    let at: Square = line.sq.parse().map_err(|_| NeutralError::Square(line.sq.clone()))?;
    let seen = match line.piece {
        None => Sensed::Empty,
        Some(text) => {
            let mut letters = text.chars();
            match (letters.next(), letters.next()) {
                (Some('X'), None) => Sensed::Something,
                (Some(c), None) => {
                    Sensed::Piece(Piece::from_char(c).ok_or_else(|| NeutralError::Piece(text.clone()))?)
                }
                _ => return Err(NeutralError::Piece(text)),
            }
        }
    };
    Ok(Report::Square { at: SensorSquare::new(at), seen })
}

fn clock(line: &ClockLine) -> Result<Report, NeutralError> {
    let dial = |ms: i64| Dial::from_ms(u32::try_from(ms.max(0)).unwrap_or(u32::MAX));
    let running = match line.running.as_deref() {
        None => None,
        Some("white") => Some(Lever::Left),
        Some("black") => Some(Lever::Right),
        Some(other) => {
            return Err(NeutralError::Word {
                key: "running",
                given: other.to_owned(),
                allowed: "\"white\", \"black\" or null",
            });
        }
    };
    let down = match line.lever.as_str() {
        "white_down" => Lever::Left,
        "black_down" => Lever::Right,
        other => {
            return Err(NeutralError::Word {
                key: "lever",
                given: other.to_owned(),
                allowed: "\"white_down\" or \"black_down\"",
            });
        }
    };
    Ok(Report::Clock(ClockReading {
        left: dial(line.white_ms),
        right: dial(line.black_ms),
        running,
        down,
        flag: None,
    }))
}

fn meta(line: MetaLine) -> Result<Setup, NeutralError> {
    let config = line.config;
    let ruleset = match config.ruleset {
        Some(key) => key,
        None => {
            let format = config.format.unwrap_or_else(|| "standard".to_owned());
            let rules = config.rules.unwrap_or_else(|| "main".to_owned());
            ruleset_key(&format, &rules).ok_or(SetupError::Regime { format, rules })?.to_owned()
        }
    };
    let board = TopicPart::new(line.board.as_deref().unwrap_or("board")).map_err(SetupError::from)?;
    let start = match config.start.as_deref() {
        None | Some("standard") => Start::Standard,
        Some(fen) => Start::Fen(fen.to_owned()),
    };
    let setup = Setup {
        board,
        ruleset,
        event_rules: Vec::new(),
        time_control: config.base_s.map(|base_s| TimeControl {
            base_s,
            inc_s: config.inc_s.unwrap_or(0),
            bonus: config.bonus,
            increment_on_first_move: config.increment_on_first_move.unwrap_or(false),
        }),
        start,
        variant: match config.variant.as_deref() {
            Some("chess960") => Variant::Chess960,
            None | Some("standard") => Variant::Standard,
            Some(other) => return Err(unknown("variant", other, "\"chess960\", or leave it out")),
        },
        pieces: match line.pieces.as_deref() {
            Some("occupancy") => Pieces::Occupancy,
            None | Some("identified") => Pieces::Identified,
            Some(other) => return Err(unknown("pieces", other, "\"identified\" or \"occupancy\"")),
        },
        device: Device::Neutral,
        zone: None,
        escalate: Span::ZERO,
        white_sits: match config.white_sits.as_deref() {
            None => None,
            Some(word) => {
                Some(Seat::from_word(word).ok_or_else(|| unknown("white_sits", word, Seat::ALLOWED))?)
            }
        },
        scan: Span::from_ms(config.scan_ms.unwrap_or(0)),
        first_game: 1,
        shadow: Shadow::default(),
        calibration: None,
    };
    setup.start_wood()?;
    Ok(setup)
}

fn unknown(key: &'static str, given: &str, allowed: &'static str) -> NeutralError {
    NeutralError::Setting { key, given: given.to_owned(), allowed }
}

/// The rule set that a format and its rules stand for.
fn ruleset_key(format: &str, rules: &str) -> Option<&'static str> {
    Some(match (format, rules) {
        ("standard", "main") => "fide-2023/standard",
        ("rapid", "main") => "fide-2023/rapid-a4",
        ("blitz", "main") => "fide-2023/blitz-b2",
        ("standard" | "rapid" | "blitz", "A5") => "fide-2023/rapid-a5",
        ("standard" | "rapid" | "blitz", "B3") => "fide-2023/blitz-b3",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_line_is_read() {
        let row = parse_row(r#"{"t_ms":12,"kind":"square","sq":"e2","piece":null}"#).unwrap();
        assert_eq!(row.at, Tick::from_ms(12));
        assert_eq!(
            row.kind,
            RowKind::Report(Report::Square { at: SensorSquare::new(Square::E2), seen: Sensed::Empty })
        );
    }

    #[test]
    fn format_and_rules_name_the_rule_set() {
        let line =
            r#"{"t_ms":0,"kind":"meta","board":"b1","config":{"format":"blitz","rules":"B3","base_s":180}}"#;
        let RowKind::Meta(setup) = parse_row(line).unwrap().kind else { panic!("a meta line") };
        assert_eq!(setup.ruleset, "fide-2023/blitz-b3");
    }

    #[test]
    fn wrong_lines_say_what_is_allowed() {
        for (line, word) in [
            (r#"{"t_ms":1,"kind":"hum"}"#, "use meta"),
            (r#"{"t_ms":1,"kind":"square","sq":"j9","piece":null}"#, "a1 to h8"),
            (r#"{"t_ms":1,"kind":"square","sq":"a1","piece":"Z"}"#, "KQRBNP"),
            (
                r#"{"t_ms":1,"kind":"clock","white_ms":1,"black_ms":1,"running":"both","lever":"white_down"}"#,
                "\"white\"",
            ),
            (r#"{"t_ms":0,"kind":"meta","config":{"format":"rapid","rules":"B9"}}"#, "names no rule set"),
            (r#"{"t_ms":1,"kind":"square","sq":"a1"}"#, "null for an empty square"),
            (r#"{"t_ms":-1,"kind":"link","up":true}"#, "no time of a recording"),
            (r#"{"t_ms":0,"kind":"meta","pieces":"foo","config":{}}"#, "identified"),
            (r#"{"t_ms":0,"kind":"meta","config":{"variant":"antichess"}}"#, "chess960"),
            (r#"{"t_ms":0,"kind":"meta","config":{"white_sits":"north"}}"#, "rank-8"),
            ("{", "not a line"),
        ] {
            let error = parse_row(line).unwrap_err().to_string();
            assert!(error.contains(word), "{line}: {error}");
        }
    }
}
