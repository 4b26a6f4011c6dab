//! The position wanted: the last correct one, the last identifiable one, or any of the record.

use shakmaty::Color;

use crate::game::{Entry, PlyKind, Position, Record};
use crate::laws::is_possible;
use crate::tick::Dial;

/// Which position of the record is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The one after so many plies.
    Ply(u32),
    /// The newest before anything that was not legal.
    LastCorrect,
    /// The newest that is known for certain, before anything that was not legal.
    LastIdentifiable,
    /// The one the game began with.
    Start,
}

/// A position to restore, with what the clock showed then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Plies of the record that stay.
    pub ply: u32,
    /// The position.
    pub position: Position,
    /// The clock at that ply, if it was read: White, Black.
    pub dials: Option<(Dial, Dial)>,
    /// Moves completed by White and by Black, as the clock counts them.
    pub counter: (u32, u32),
}

impl Wanted {
    /// A position of the record.
    ///
    /// # Errors
    /// Says which plies there are, if the one wanted is not among them.
    pub fn of(record: &Record, which: Which) -> Result<Wanted, String> {
        let keep = match which {
            Which::Start => 0,
            Which::LastCorrect => last_correct(record),
            Which::LastIdentifiable => last_identifiable(record),
            Which::Ply(ply) => {
                let keep = usize::try_from(ply).unwrap_or(usize::MAX);
                if keep > record.len() {
                    return Err(format!("ply {ply} is not in the record: use 0 to {}", record.len()));
                }
                keep
            }
        };
        Ok(Wanted {
            ply: u32::try_from(keep).unwrap_or(u32::MAX),
            position: record.at(keep).clone(),
            dials: keep.checked_sub(1).and_then(|last| record.entries()[last].ply.dials),
            counter: counter(record, keep),
        })
    }
}

/// Moves completed by White and by Black in the first `keep` plies. A press without a move counts:
/// the clock knows no better.
#[must_use]
pub fn counter(record: &Record, keep: usize) -> (u32, u32) {
    let of = |side: Color| record.entries().iter().take(keep).filter(|e| e.ply.side == side).count();
    let count = |side| u32::try_from(of(side)).unwrap_or(u32::MAX);
    (count(Color::White), count(Color::Black))
}

fn is_legal(entry: &Entry) -> bool {
    !entry.disputed && entry.ply.kind == PlyKind::Legal
}

fn last_correct(record: &Record) -> usize {
    record.entries().iter().take_while(|entry| is_legal(entry)).count()
}

fn last_identifiable(record: &Record) -> usize {
    let known = |keep: &usize| {
        let seen = keep.checked_sub(1).is_none_or(|last| {
            let entry = &record.entries()[last];
            !entry.unseen && entry.m.is_some()
        });
        seen && is_possible(&record.at(*keep).board)
    };
    (0..=last_correct(record)).rev().find(known).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Completed, Completion, Move};

    fn how(seconds: u32) -> Completion {
        let dials = Some((Dial::from_s(seconds), Dial::from_s(seconds + 1)));
        Completion { by: Completed::Press, placed_at: None, pressed_at: None, dials }
    }

    fn played(moves: &[&str]) -> Record {
        let mut record = Record::new(Position::initial(), false);
        for (uci, s) in moves.iter().zip(100..) {
            let found: Option<Move> = record.end().legal_moves().into_iter().find(|m| m.uci() == *uci);
            record.push_move(&found.unwrap_or_else(|| panic!("{uci} is legal")), how(s));
        }
        record
    }

    fn ply(record: &Record, which: Which) -> u32 {
        Wanted::of(record, which).map_or(u32::MAX, |wanted| wanted.ply)
    }

    #[test]
    fn any_ply_with_its_clock_and_counter() {
        let record = played(&["e2e4", "e7e5", "g1f3"]);
        let wanted = Wanted::of(&record, Which::Ply(3)).unwrap();
        assert_eq!(wanted.position, *record.end());
        assert_eq!((wanted.dials, wanted.counter), (record.entries()[2].ply.dials, (2, 1)));
        assert_eq!(Wanted::of(&record, Which::Ply(0)).unwrap().dials, None);
        let refused = Wanted::of(&record, Which::Ply(4)).unwrap_err();
        assert!(refused.contains("use 0 to 3"), "{refused}");
    }

    #[test]
    fn what_was_not_legal_ends_what_is_correct() {
        let mut record = played(&["e2e4", "e7e5"]);
        record.push_null(how(50));
        record.push_null(how(50));
        assert_eq!(ply(&record, Which::LastCorrect), 2);
        assert_eq!(ply(&record, Which::LastIdentifiable), 2);
        assert_eq!(ply(&record, Which::Start), 0);
    }

    #[test]
    fn what_was_not_seen_is_not_identified_until_a_move_follows() {
        let mut record = played(&["e2e4", "e7e5"]);
        record.anchor(record.end().clone());
        assert_eq!(ply(&record, Which::LastCorrect), 2);
        assert_eq!(ply(&record, Which::LastIdentifiable), 1);
        let mut board = record.end().board.clone();
        board.discard_piece_at(shakmaty::Square::E8);
        let impossible = Position { board, ..record.end().clone() };
        record.anchor(impossible);
        let m = record.end().legal_moves()[0];
        record.push_move(&m, how(9));
        assert_eq!(ply(&record, Which::LastIdentifiable), 1, "a game cannot reach a board without a king");
    }
}
