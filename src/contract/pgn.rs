//! A game as PGN, in two forms: the part that legal chess allows, for tools that play moves by the
//! rules, and the whole record, in which play goes on after what such a tool cannot follow.
//!
//! The record is cut where a ply is no legal move, is missing, or was passed; after it another section
//! begins with the position that stood then. Nothing in either form says whose fault that was.

use shakmaty::Color;

use super::feed::GameFeed;
use crate::events::TimeControl;
use crate::game::{PlyKind, Position};
use crate::table::MoveMade;
use crate::tick::Dial;

/// Columns of a line, as the standard's export format has them.
const WIDTH: usize = 80;
/// What the first form says where it ends before the game did.
const CUT: &str = "the record goes on with what the rules of play do not give";

/// What a game's tags say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    /// The event.
    pub event: String,
    /// Where it is held.
    pub site: String,
    /// The day, as `2026.11.30`.
    pub date: String,
    /// The round.
    pub round: String,
    /// White's name, if it is known.
    pub white: Option<String>,
    /// Black's.
    pub black: Option<String>,
    /// The board.
    pub board: String,
    /// The times the clocks are set to.
    pub time_control: Option<TimeControl>,
}

/// A run of plies that the rules allow, from a position on.
struct Run<'a> {
    start: Position,
    moves: Vec<(String, &'a MoveMade)>,
    /// What was played then that they do not allow.
    then: Option<String>,
}

/// The game as far as the rules of play give it: one section that every reader accepts.
#[must_use]
pub fn strict_pgn(tags: &Tags, game: &GameFeed) -> String {
    let runs = runs(game);
    let cut = runs.len() > 1;
    section(tags, &runs[0], cut.then_some(CUT), score(game), 1)
}

/// The whole game: a section for each part that the rules of play give, the later ones beginning with
/// the position that stood.
#[must_use]
pub fn record_pgn(tags: &Tags, game: &GameFeed) -> String {
    let runs = runs(game);
    let result = |part: usize| if part == runs.len() { score(game) } else { "*" };
    let parts: Vec<String> = runs
        .iter()
        .zip(1..)
        .map(|(run, part)| section(tags, run, run.then.as_deref(), result(part), part))
        .collect();
    parts.join("\n")
}

/// The result in the four forms that the standard has: that both have lost is none of them.
fn score(game: &GameFeed) -> &'static str {
    game.result().filter(|score| *score != "0-0").unwrap_or("*")
}

fn section(tags: &Tags, run: &Run<'_>, comment: Option<&str>, result: &str, part: usize) -> String {
    let mut text = Movetext::default();
    text.run(run);
    if let Some(comment) = comment {
        text.comment(comment);
    }
    headed(tags, result, &run.start, part) + &text.ended(result)
}

/// The position that the game began with.
fn start(game: &GameFeed) -> Position {
    game.start().and_then(Position::from_fen).unwrap_or_else(Position::initial)
}

/// Never empty. A last run without a move says what stands on the board.
fn runs(game: &GameFeed) -> Vec<Run<'_>> {
    let mut out: Vec<Run<'_>> = Vec::new();
    let (mut position, mut last_ply) = (start(game), 0);
    let mut run = Run { start: position.clone(), moves: Vec::new(), then: None };
    for made in game.plies() {
        let next = (made.ply == last_ply + 1).then(|| legal(&position, made)).flatten();
        last_ply = made.ply;
        if let Some((san, after)) = next {
            run.moves.push((san, made));
            position = after;
            continue;
        }
        let Some(after) = Position::from_fen(&made.record.fen) else { continue };
        run.then = Some(played(made));
        position = after;
        out.push(std::mem::replace(&mut run, Run { start: position.clone(), moves: Vec::new(), then: None }));
    }
    out.push(run);
    out
}

/// The move in short notation and the position after it, if the rules allow it and it leads there.
fn legal(position: &Position, made: &MoveMade) -> Option<(String, Position)> {
    let record = &made.record;
    if matches!(record.kind, PlyKind::Null | PlyKind::Illegal) || record.side != position.turn {
        return None;
    }
    // Only what a reader takes for a position can be played on.
    position.to_chess()?;
    let legal = position.legal_moves();
    let is_it = |m: &&crate::game::Move| m.uci() == record.uci || m.uci_chess960() == record.uci;
    legal.iter().filter(is_it).find_map(|m| {
        let after = position.play(m);
        let stands = Position::from_fen(&record.fen)?;
        (after.board == stands.board && after.turn == stands.turn).then(|| (position.san(m), after))
    })
}

/// A ply that the rules do not give, in words.
fn played(made: &MoveMade) -> String {
    let side = if made.record.side == Color::White { "White" } else { "Black" };
    match made.record.kind {
        PlyKind::Null => format!("{side} passed"),
        _ => format!("{side} played {}", made.record.san),
    }
}

/// The tags and the empty line after them.
fn headed(tags: &Tags, result: &str, start: &Position, part: usize) -> String {
    let name = |given: &Option<String>, side: &str| given.clone().unwrap_or_else(|| side.to_owned());
    let mut out = String::new();
    let mut tag = |name: &str, value: &str| {
        // A tag has no line ends and no control characters; quotes and backslashes are escaped.
        let value: String = value.chars().filter(|c| !c.is_control()).collect();
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        out.push_str(&format!("[{name} \"{value}\"]\n"));
    };
    tag("Event", &tags.event);
    tag("Site", &tags.site);
    tag("Date", &tags.date);
    tag("Round", &tags.round);
    tag("White", &name(&tags.white, "White"));
    tag("Black", &name(&tags.black, "Black"));
    tag("Result", result);
    tag("Annotator", "Jadoube");
    tag("Board", &tags.board);
    if *start != Position::initial() {
        if is_chess960(start) {
            tag("Variant", "Chess960");
        }
        tag("SetUp", "1");
        tag("FEN", &start.fen());
    }
    if part > 1 {
        tag("Part", &part.to_string());
    }
    tag("TimeControl", &time_control(tags.time_control));
    out.push('\n');
    out
}

/// Whether it has a right to castle that ordinary chess does not know.
fn is_chess960(start: &Position) -> bool {
    let corners = [shakmaty::Square::A1, shakmaty::Square::H1, shakmaty::Square::A8, shakmaty::Square::H8];
    let at_home = |side: Color| {
        let square = if side == Color::White { shakmaty::Square::E1 } else { shakmaty::Square::E8 };
        start.board.king_of(side) == Some(square)
    };
    start.castles.into_iter().any(|rook| {
        let side = if rook.rank() == shakmaty::Rank::First { Color::White } else { Color::Black };
        !corners.contains(&rook) || !at_home(side)
    })
}

fn time_control(given: Option<TimeControl>) -> String {
    let Some(TimeControl { base_s, inc_s, bonus, .. }) = given else { return "?".to_owned() };
    let inc = if inc_s > 0 { format!("+{inc_s}") } else { String::new() };
    match bonus {
        Some((moves, seconds)) => format!("{moves}/{base_s}{inc}:{seconds}{inc}"),
        None => format!("{base_s}{inc}"),
    }
}

/// `1:05:09`, as the clock comment wants it.
fn clock(dial: Dial) -> String {
    let s = dial.seconds();
    format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
}

/// Moves, comments and the result, in lines.
#[derive(Default)]
struct Movetext {
    words: Vec<String>,
}

impl Movetext {
    fn run(&mut self, run: &Run<'_>) {
        let (mut number, mut turn) = (run.start.fullmoves, run.start.turn);
        // Black's move has its number where White's does not stand right before it.
        let mut numbered = false;
        for (san, made) in &run.moves {
            match turn {
                Color::White => self.words.push(format!("{number}.")),
                Color::Black if !numbered => self.words.push(format!("{number}...")),
                Color::Black => {}
            }
            self.words.push(san.clone());
            let dial =
                made.record.dials.map(|(white, black)| if turn == Color::White { white } else { black });
            numbered = dial.is_none() && turn == Color::White;
            if let Some(dial) = dial {
                self.words.push(format!("{{[%clk {}]}}", clock(dial)));
            }
            if turn == Color::Black {
                number += 1;
            }
            turn = !turn;
        }
    }

    fn comment(&mut self, text: &str) {
        // A comment ends at the first brace.
        let text: String = text.chars().filter(|c| !c.is_control() && !matches!(c, '{' | '}')).collect();
        self.words.push(format!("{{{text}}}"));
    }

    /// Lines of at most [`WIDTH`] characters, broken between words.
    fn ended(self, result: &str) -> String {
        let (mut out, mut used) = (String::new(), 0);
        // Readers look for a clock in one piece; only longer comments are broken.
        let parts = |word: &'_ String| -> Vec<String> {
            let whole = word.chars().count() < WIDTH / 2;
            if whole { vec![word.clone()] } else { word.split(' ').map(str::to_owned).collect() }
        };
        let words = self.words.iter().flat_map(parts).chain([result.to_owned()]);
        for word in words {
            let length = word.chars().count();
            if used > 0 && used + 1 + length > WIDTH {
                out.push('\n');
                used = 0;
            }
            if used > 0 {
                out.push(' ');
                used += 1;
            }
            out.push_str(&word);
            used += length;
        }
        out.push('\n');
        out
    }
}
