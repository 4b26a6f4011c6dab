//! Draws that come about of themselves, which the players here do not notice: they play on.

use shakmaty::{Bitboard, Board};

use super::game::Game;
use super::truth::Incident;

/// Neither side can mate: bare kings, one knight, or bishops on squares of one colour.
fn is_dead(board: &Board) -> bool {
    let minor = board.knights() | board.bishops();
    let rest = board.occupied() & !board.kings();
    if board.kings().count() != 2 || rest != minor {
        return false;
    }
    let dark = board.bishops() & Bitboard::DARK_SQUARES;
    let one_colour = dark.is_empty() || dark == board.bishops();
    minor.count() <= 1 || board.knights().is_empty() && one_colour
}

impl Game {
    /// A move was set down at `placed`; it is known when it is completed, which may take a while.
    pub fn note_draws(&mut self, placed: i64) {
        self.note_claimable(placed);
        let told = self.truth.incidents.iter().any(|i| i.kind == "dead position");
        if told || !is_dead(self.pos.board()) {
            return;
        }
        self.truth.incidents.push(Incident {
            kind: "dead position",
            codes: vec!["dead-position"],
            beside: Vec::new(),
            side: None,
            from: placed,
            certain: placed,
            within: 120_000,
            until: placed + 120_000,
            // Where something was not seen before, nothing is claimed.
            required: false,
            note: String::new(),
        });
    }

    /// A third time the same wood with the same side to move: whoever stops the clock then has a
    /// claim to make, as far as anybody can see.
    fn note_claimable(&mut self, placed: i64) {
        let plies = self.snaps.len();
        let (now, side) = (self.pos.board().clone(), plies % 2);
        let before =
            self.snaps.iter().enumerate().filter(|(ply, (pos, _))| ply % 2 == side && *pos.board() == now);
        if before.count() < 2 {
            return;
        }
        self.truth.incidents.push(Incident {
            kind: "claimable draw",
            codes: vec!["clock-paused"],
            beside: Vec::new(),
            side: None,
            from: placed,
            certain: placed,
            within: 600_000,
            until: placed + 600_000,
            required: false,
            note: String::new(),
        });
    }
}
