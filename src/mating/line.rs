//! Lines: a move is believed when shakmaty can play it.

use shakmaty::{CastlingMode, Chess, Color, Move, Position, fen::Fen, san::SanPlus, uci::UciMove};

/// The line in UCI notation if each move is legal and the last one mates the opponent of `side`.
pub(super) fn mates(position: &Chess, side: Color, line: &[String]) -> Option<Vec<String>> {
    let mut now = position.clone();
    for text in line {
        let m = text.parse::<UciMove>().ok()?.to_move(&now).ok()?;
        now.play_unchecked(m);
    }
    (now.is_checkmate() && now.turn() != side).then(|| line.to_vec())
}

/// The move as a line holds it.
pub(super) fn uci(m: Move, mode: CastlingMode) -> String {
    m.to_uci(mode).to_string()
}

/// A line in short notation with move numbers, as arbiters write it: `12.Kf7 Kh8 13.Qg7#`.
///
/// Nothing if the line does not fit the position.
#[must_use]
pub fn in_san(fen: &str, line: &[String]) -> Option<String> {
    let mut now = super::legal(fen.parse::<Fen>().ok()?)?;
    let mut out = String::new();
    for (index, text) in line.iter().enumerate() {
        let m = text.parse::<UciMove>().ok()?.to_move(&now).ok()?;
        let number = match (now.turn(), index) {
            (Color::White, _) => format!("{}.", now.fullmoves()),
            (Color::Black, 0) => format!("{}...", now.fullmoves()),
            (Color::Black, _) => String::new(),
        };
        if index > 0 {
            out.push(' ');
        }
        out.push_str(&number);
        out.push_str(&SanPlus::from_move_and_play_unchecked(&mut now, m).to_string());
    }
    Some(out)
}
