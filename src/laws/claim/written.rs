//! The move that a player has written and not yet made.

use crate::game::{Move, Position};

/// The legal move in `position` that is written so, as `g1f3` or `Nf3`; signs of check and comment
/// do not matter.
pub(super) fn read(position: &Position, text: &str) -> Option<Move> {
    let text = text.trim();
    let moves = position.legal_moves();
    if let Some(m) = moves.iter().find(|m| m.uci() == text || m.uci_chess960() == text) {
        return Some(*m);
    }
    let wanted = plain(text);
    let mut fits = moves.iter().filter(|m| {
        let san = plain(&position.san(m));
        san == wanted || long(position, m).iter().any(|written| plain(written) == wanted)
    });
    let first = fits.next()?;
    // What fits several moves names none.
    fits.next().is_none().then_some(*first)
}

/// Without what does not tell moves apart.
fn plain(text: &str) -> String {
    let castled = text.replace('0', "O");
    castled.chars().filter(|c| !matches!(c, '+' | '#' | '!' | '?' | '=' | 'x' | ':' | '-' | ' ')).collect()
}

/// With more of the square it comes from than is needed.
fn long(position: &Position, m: &Move) -> Vec<String> {
    if m.rook.is_some() || position.board.piece_at(m.from).is_none() {
        return Vec::new();
    }
    let promotion = m.promotion.map_or(String::new(), |role| role.upper_char().to_string());
    if m.role == shakmaty::Role::Pawn {
        return vec![format!("{}{}{promotion}", m.from, m.to)];
    }
    let (letter, to) = (m.role.upper_char(), m.to);
    vec![
        format!("{letter}{}{to}", m.from),
        format!("{letter}{}{to}", m.from.file()),
        format!("{letter}{}{to}", m.from.rank()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_as_players_write_them() {
        let start = Position::initial();
        for text in ["g1f3", "Nf3", "Nf3!", "Ng1-f3", " Ngf3 "] {
            assert_eq!(read(&start, text).map(|m| m.uci()).as_deref(), Some("g1f3"), "{text}");
        }
        assert_eq!(read(&start, "Nf4"), None);
        assert_eq!(read(&start, "e2e5"), None);
        let castle = Position::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
        for (text, wanted) in [("O-O", "e1g1"), ("0-0", "e1g1"), ("O-O-O", "e1c1"), ("e1h1", "e1g1")] {
            assert_eq!(read(&castle, text).map(|m| m.uci()).as_deref(), Some(wanted), "{text}");
        }
        let promotes = Position::from_fen("1r5k/P7/8/8/8/8/8/K7 w - - 0 1").unwrap();
        assert_eq!(read(&promotes, "axb8=N").map(|m| m.uci()).as_deref(), Some("a7b8n"));
        assert_eq!(read(&promotes, "a8"), None, "what it becomes is not written");
    }

    #[test]
    fn what_fits_two_moves_names_none() {
        let knights = Position::from_fen("4k3/8/8/8/8/8/4N1N1/4K3 w - - 0 1").unwrap();
        assert_eq!(read(&knights, "Nf4"), None);
        assert_eq!(read(&knights, "Nef4").map(|m| m.uci()).as_deref(), Some("e2f4"));
    }
}
