//! How far the record can be relied on: after plies that nobody saw, or with squares that cannot be
//! right, what seems irregular may be the record's own mistake.

use shakmaty::{Bitboard, Color, Role, Square};

use super::explain::{Explanation, Illegal};
use super::ply::Completed;
use super::position::{CastlingFault, Position};
use super::told::{Matter, Moment, Told};
use super::tracker::{Now, Phase, Tracker};

/// So many plies in a row, played and pressed on a board that agrees, confirm the record.
const CONFIRMED_BY: u32 = 4;

impl Tracker {
    /// Something was concluded that the sensors have not shown.
    pub fn doubt(&mut self) {
        self.doubted = CONFIRMED_BY;
    }

    /// Whether what is found now may be a mistake of the record.
    #[must_use]
    pub fn is_doubted(&self) -> bool {
        self.doubted > 0
    }

    /// A legal move was completed: does the board agree with the record?
    ///
    /// Where pieces cannot be told apart, nothing that follows shows which piece was moved unseen.
    /// What is in a hand at one press is set down by the next; if not, a reading is missing.
    pub(super) fn confirm(&mut self, now: Now<'_>, by: Completed) {
        if by != Completed::Press {
            return;
        }
        let off = self.standing.unexplained(now.line.wood(), &self.record.end().board);
        self.missing = off & self.absent;
        if self.missing.any() {
            self.doubt();
            // A reading that was lost is found by asking; a piece that was knocked off is not.
            self.wants_dump = true;
        } else if off.is_empty() && self.standing.is_empty() && now.line.wood().unknown().is_empty() {
            self.doubted = self.doubted.saturating_sub(1);
        }
        self.absent = off;
    }

    /// All squares were read: a piece that was missing at two presses in a row, and that no hand has
    /// touched since, is gone. It was knocked off the board, or its sensor fails.
    pub(super) fn look_for_missing(&mut self, now: Now<'_>, out: &mut Vec<Told>) {
        let playing = self.phase == Phase::Playing && !self.ended && !self.kings_shown;
        if self.missing.is_empty() || !playing || self.press.is_some() || self.unseen.is_some() {
            return;
        }
        let (wood, end) = (now.line.wood(), self.record.end().clone());
        let touched =
            self.contacts(now).iter().fold(Bitboard::EMPTY, |all, c| all | Bitboard::from(c.square));
        let gone = self.missing & self.standing.unexplained(wood, &end.board) & !wood.occupied() & !touched;
        if gone.is_empty() {
            return;
        }
        self.missing = Bitboard::EMPTY;
        let plies = self.record.len();
        let matter = Matter::Missing { squares: gone };
        self.tell(now, Moment::Rest, None, None, &end, plies, &[], matter, out);
        self.standing.accept(gone, wood);
        self.rebase(now);
    }

    /// Whether a castling is called illegal for a move that may never have been played: the right
    /// was lost by how the pieces stood, in plies that were not seen or that may have been undone.
    pub(super) fn is_right_doubted(&self, before: &Position, matter: &Matter) -> bool {
        let Matter::Action(Explanation::Illegal(Illegal::Castling(m))) = matter else { return false };
        let unsure = self.record.at(0).castles != self.initial.castles
            || self.record.entries().iter().rev().skip(1).any(|e| e.unseen || e.disputed);
        unsure && before.castling_fault(m) == Some(CastlingFault::RightLost)
    }

    /// A right to castle is lost by a move that was seen: of several stories of what was not seen
    /// the one told may have moved king or rook although nobody did.
    pub(super) fn keep_castles(&mut self, before: &Position) {
        let end = self.record.end();
        let stands = |square: Square| end.board.piece_at(square) == before.board.piece_at(square);
        let home = |side: Color| {
            let kings = before.board.by_color(side) & before.board.by_role(Role::King);
            if kings.into_iter().all(stands) { before.board.by_color(side) } else { Bitboard::EMPTY }
        };
        let could = before.castles & (home(Color::White) | home(Color::Black));
        let kept: Bitboard = could.into_iter().filter(|rook| stands(*rook)).collect();
        if !kept.is_subset(end.castles) {
            let castles = end.castles | kept;
            self.record.anchor(Position { castles, ..end.clone() });
        }
    }
}
