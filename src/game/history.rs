//! How often the position has stood and for how long nothing was taken and no pawn moved: what
//! the draws of Article 9 rest on. Only where every ply since the last capture or pawn move is
//! known; what was not seen may hide a position more, or a capture.

use super::explain::Explanation;
use super::ply::{Completed, PlyKind};
use super::position::Position;
use super::record::{Entry, Record};
use super::told::Matter;
use super::tracker::Tracker;
use crate::tick::Tick;
use crate::timeline::Contact;

/// A position that stood so often is a draw of itself (9.6.1).
const DRAWN: u32 = 5;

/// The past of the position at the end of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct History {
    /// How often the position has stood, this time included.
    pub times: u32,
    /// Plies since the last capture or pawn move.
    pub quiet: u32,
    /// An earlier position had stood five times: the game was drawn before.
    pub drawn_before: bool,
    /// It has stood after each of the last moves of both players, five times in a row.
    pub in_a_row: bool,
}

impl History {
    /// The past of the position at the end of `record`; `None` if there is a gap in it.
    #[must_use]
    pub fn of(record: &Record) -> Option<History> {
        let entries = record.entries();
        let end = entries.last()?;
        let quiet = end.after.halfmoves;
        // The counter may have begun before the record, in a position that was declared.
        let counted = usize::try_from(quiet).map_or(entries.len(), |q| q.min(entries.len()));
        let window = &entries[entries.len() - counted..];
        // What an arbiter may still undo would undo what followed from it.
        let undone = entries.iter().any(|e| e.disputed);
        if undone || !is_known(end) || !window.iter().all(is_known) {
            return None;
        }
        let times = times(window, &end.after);
        let drawn_before = times >= DRAWN
            && (1..window.len()).any(|n| {
                let earlier = &window[..n];
                earlier.last().is_some_and(|e| self::times(earlier, &e.after) >= DRAWN)
            });
        let in_a_row = (0..DRAWN as usize).all(|n| stood_before(window, 4 * n, &end.after));
        Some(History { times, quiet, drawn_before, in_a_row })
    }
}

/// Whether `position` stood so many plies before the end of `window`.
fn stood_before(window: &[Entry], plies: usize, position: &Position) -> bool {
    let at = window.len().checked_sub(plies);
    let stood = at.and_then(|at| match at {
        0 => window.first().map(|entry| &entry.before),
        at => window.get(at - 1).map(|entry| &entry.after),
    });
    stood.is_some_and(|stood| stood.repeats(position))
}

/// How often `position`, the last of `window`, has stood in it.
fn times(window: &[Entry], position: &Position) -> u32 {
    let first = window.first().map(|e| &e.before);
    let stood = first.into_iter().chain(window.iter().map(|e| &e.after));
    // Nothing else can have stood where a pawn moved or something was taken.
    let count = stood.filter(|p| p.repeats(position)).count();
    u32::try_from(count).unwrap_or(u32::MAX).max(1)
}

/// Whether the board before and after a ply is known to be what the record says.
fn is_known(entry: &Entry) -> bool {
    let told = entry.ply.by != Completed::Inferred || entry.ply.dials.is_none();
    told && !entry.unseen && entry.ply.kind == PlyKind::Legal && entry.m.is_some()
}

/// What came before something that was explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Past {
    /// Of the position after a legal move; `None` for all else, and where it is not known.
    pub history: Option<History>,
    /// When the ply before was pressed: since then it is the mover's time.
    pub turn_since: Option<Tick>,
    /// The last ply of the record is not legal and stands.
    pub illegal: bool,
}

impl Tracker {
    /// What came before something that happened after `plies` plies.
    pub(super) fn past(&self, matter: &Matter, contacts: &[Contact], plies: usize) -> Past {
        let clean =
            matches!(matter, Matter::Action(Explanation::Legal { displaced, .. }) if displaced.is_empty());
        let seen = clean && self.standing.is_empty() && !contacts.iter().any(|c| c.in_dump);
        let entries = self.record.entries();
        let before = plies.checked_sub(1).and_then(|last| entries.get(last));
        Past {
            history: seen.then(|| History::of(&self.record)).flatten(),
            turn_since: before.and_then(|e| e.ply.pressed_at),
            illegal: entries.last().is_some_and(|e| e.ply.kind == PlyKind::Illegal),
        }
    }

    /// Whether the game is over, as far as the board has shown.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.ended || self.kings_shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Completion, Move};

    fn play(record: &mut Record, moves: &[&str], by: Completed) {
        for uci in moves {
            let found = |m: &Move| m.uci() == *uci;
            let m = record.end().legal_moves().into_iter().find(found);
            let how = Completion { by, placed_at: None, pressed_at: None, dials: None };
            record.push_move(&m.unwrap_or_else(|| panic!("{uci} is legal")), how);
        }
    }

    #[test]
    fn the_first_position_counts_and_a_gap_ends_it() {
        let mut record = Record::new(Position::initial(), false);
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
        play(&mut record, &shuffle, Completed::Press);
        play(&mut record, &shuffle, Completed::Press);
        let past = History::of(&record).map(|h| (h.times, h.quiet, h.drawn_before));
        assert_eq!(past, Some((3, 8, false)));
        if let Some(entry) = record.last_mut() {
            entry.unseen = true;
        }
        assert_eq!(History::of(&record), None);
        play(&mut record, &["e2e4"], Completed::Press);
        assert_eq!(History::of(&record).map(|h| (h.times, h.quiet)), Some((1, 0)));
    }

    /// The moves that are possible must be the same (9.2.3): castling lost, en passant gone.
    #[test]
    fn rights_make_another_position() {
        let mut record = Record::new(Position::initial(), false);
        play(&mut record, &["h2h4", "h7h5", "h1h2", "g8f6", "h2h1", "f6g8"], Completed::Press);
        assert_eq!(History::of(&record).map(|h| h.times), Some(1));
        let fen = "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1";
        let mut record = Record::new(Position::from_fen(fen).unwrap_or_else(Position::initial), false);
        play(&mut record, &["d7d5", "e1e2", "e8e7", "e2e1", "e7e8"], Completed::Press);
        assert_eq!(History::of(&record).map(|h| h.times), Some(1), "it could be taken en passant then");
    }
}
