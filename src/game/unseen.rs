//! Moves that nobody saw: after the link was lost, or where readings are missing.

use shakmaty::{Bitboard, Color, Role};

use super::gap;
use super::ply::Completed;
use super::position::Move;
use super::told::{Matter, Moment, Told};
use super::traces::Traces;
use super::tracker::{Now, Tracker, Unseen};
use crate::events::{Sensed, Wood};
use crate::timeline::Contact;

/// How many unseen plies are searched for at most.
const UNSEEN_MAX: usize = 6;
/// How many stories of unseen plies are told apart; there may be more.
pub const STORIES_TOLD: usize = 9;
/// How many are compared with what was touched.
const STORIES_COMPARED: usize = 64;
/// After so many failed tries the board is taken as it is.
const TRIES_MAX: u32 = 6;
/// So many rests are waited for the clock after the link came back.
const TRIES_WITHOUT_CLOCK: u32 = 3;
/// So many rests are waited for a reading of all squares, where a landing was not seen.
const TRIES_WITHOUT_DUMP: u32 = 3;

impl Tracker {
    /// New readings after moves that were not seen: is there exactly one story now?
    pub(super) fn try_unseen(&mut self, now: Now<'_>, out: &mut Vec<Told>) {
        let Some(Unseen { plies: Some(plies), .. }) = self.unseen else { return };
        let plies = plies.min(UNSEEN_MAX);
        let search = gap::search(self.record.end(), now.line.wood(), &self.standing, plies, STORIES_COMPARED);
        let traces = Traces::since(now.line, self.since);
        let likely = traces.likeliest(&search.found);
        if let ([only], true) = (likely.as_slice(), search.complete) {
            // A piece that was taken where nobody saw it land may as well stand where nobody saw it
            // land: only a reading of all squares tells.
            if self.dumped_since_press(now) || traces.shows_all(only) {
                let only = vec![(*only).clone()];
                self.commit_unseen(now, only, 1, out);
            } else {
                self.wants_dump = true;
            }
        }
    }

    /// All squares were read just now.
    fn dumped_since_press(&self, now: Now<'_>) -> bool {
        self.dumped_at.is_some_and(|at| at >= self.last_change && at <= now.at)
    }

    /// After a pause in which nothing moved: explain what was not seen, or take the board as it is.
    pub(super) fn explain_unseen(&mut self, now: Now<'_>, out: &mut Vec<Told>) {
        let Some(unseen) = self.unseen else { return };
        if !now.line.is_up() || !now.line.has_dump() {
            return;
        }
        let end = self.record.end().clone();
        let wood = now.line.wood();
        if !now.line.clock_is_heard() && now.line.clock().is_some() && unseen.tries < TRIES_WITHOUT_CLOCK {
            self.unseen = Some(Unseen { tries: unseen.tries + 1, ..unseen });
            return;
        }
        let turn = self.turn_by_clock(now);
        if self.standing.unexplained(wood, &end.board).is_empty() && unseen.plies.is_none() {
            self.nothing_missed(now);
            self.unseen = None;
            self.rebase(now);
            return;
        }
        if let Some((found, stories)) = self.likeliest_unseen(now, wood, unseen.plies, turn) {
            let traces = Traces::since(now.line, self.since);
            let shown = unseen.plies.is_none()
                || self.dumped_since_press(now)
                || found.first().is_some_and(|moves| traces.shows_all(moves));
            if !shown && unseen.tries < TRIES_WITHOUT_DUMP {
                self.unseen = Some(Unseen { tries: unseen.tries + 1, ..unseen });
                return;
            }
            self.commit_unseen(now, found, stories, out);
            return;
        }
        if self.reset_unseen(now) {
            return;
        }
        let tries = unseen.tries + 1;
        self.unseen = Some(Unseen { tries, ..unseen });
        if tries < TRIES_MAX {
            return;
        }
        let plies = self.record.len();
        self.unseen = None;
        let none = Matter::Unseen { stories: 0, found: Vec::new() };
        self.tell(now, Moment::Gap, None, None, &end, plies, &[], none, out);
        self.adopt(now, turn.unwrap_or(end.turn));
    }

    /// The pieces were set up for another game while the board could not be heard: no moves led
    /// there. The record stays as it is until the clock is started.
    pub(super) fn reset_unseen(&mut self, now: Now<'_>) -> bool {
        let turn = self.turn_by_clock(now);
        if !self.is_reset(now) || self.likeliest_unseen(now, now.line.wood(), None, turn).is_some() {
            return false;
        }
        self.unseen = None;
        self.ended = true;
        self.rebase(now);
        true
    }

    /// Whose turn the clock says it is, if it was heard since the link came back.
    ///
    /// A clock that was not pressed meanwhile says nothing: more plies without a press are no better
    /// than fewer.
    fn turn_by_clock(&self, now: Now<'_>) -> Option<Color> {
        let clock = now.line.clock().filter(|_| now.line.clock_is_heard())?;
        let untouched =
            self.gap.as_ref().and_then(|gap| gap.clock).is_some_and(|before| clock.ran_on_since(&before));
        (!untouched).then(|| clock.running.unwrap_or(!clock.down))
    }

    /// The shortest legal sequences that explain the wood, the likeliest first, and how many there are
    /// of that kind.
    ///
    /// A sequence that ends with the turn the clock does not show has a last move not pressed; one
    /// that takes a piece there and back is unlikely. Both count as plies more.
    fn likeliest_unseen(
        &self,
        now: Now<'_>,
        wood: &Wood,
        known: Option<usize>,
        turn: Option<Color>,
    ) -> Option<(Vec<Vec<Move>>, usize)> {
        let end = self.record.end();
        let fits = |n: usize| turn.is_none_or(|t| n.is_multiple_of(2) == (t == end.turn));
        let traces = Traces::since(now.line, self.since);
        let mut best: Option<(usize, Vec<Vec<Move>>, usize)> = None;
        for n in 1..=UNSEEN_MAX {
            if known.is_some_and(|known| known != n) || best.as_ref().is_some_and(|b| b.0 < 2 * n) {
                continue;
            }
            let search = gap::search(end, wood, &self.standing, n, STORIES_COMPARED);
            let likely: Vec<Vec<Move>> = traces.likeliest(&search.found).into_iter().cloned().collect();
            if likely.is_empty() {
                continue;
            }
            let cost = 2 * n + if fits(n) { 0 } else { 3 } + if search.direct { 0 } else { 6 };
            let stories = likely.len().min(STORIES_TOLD);
            let stories = if search.complete { stories } else { stories.max(2) };
            if best.as_ref().is_none_or(|b| cost < b.0) {
                best = Some((cost, likely, stories));
            }
        }
        let (_, mut found, stories) = best?;
        // Nothing tells which came first; pawns mostly make way for the pieces.
        found.sort_by_key(|moves| moves.iter().map(|m| m.role != Role::Pawn).collect::<Vec<bool>>());
        Some((found, stories))
    }

    /// Play goes on before the gap was explained: what was not seen led to the board as it was read,
    /// and whose piece is taken up now tells whose turn it was.
    pub(super) fn begun_after_gap(&mut self, now: Now<'_>, contact: &Contact, out: &mut Vec<Told>) {
        let open = self.unseen.is_some_and(|u| u.plies.is_none());
        let Some(wood) = self.gap_wood.take().filter(|_| open) else { return };
        let turn = match contact.was {
            Sensed::Piece(piece) if contact.now == Sensed::Empty => Some(piece.color),
            _ => self.turn_by_clock(now),
        };
        if self.standing.unexplained(&wood, &self.record.end().board).is_empty() {
            self.nothing_missed(now);
            self.unseen = None;
            self.rebase(now);
        } else if let Some((found, stories)) = self.likeliest_unseen(now, &wood, None, turn) {
            self.commit_unseen(now, found, stories, out);
        }
    }

    /// The clock is heard again after the link was lost: exactly one direct story is taken at once.
    pub(super) fn clock_heard(&mut self, now: Now<'_>, out: &mut Vec<Told>) {
        let open = self.unseen.is_some_and(|u| u.plies.is_none())
            && now.line.is_up()
            && self.dumped_since_link
            && !self.rebuilding;
        let end = self.record.end();
        if !open || self.standing.unexplained(now.line.wood(), &end.board).is_empty() {
            return;
        }
        let turn = self.turn_by_clock(now);
        if let Some((found, 1)) = self.likeliest_unseen(now, now.line.wood(), None, turn) {
            self.commit_unseen(now, found, 1, out);
        }
    }

    /// Takes the first of the sequences `found`; there are `stories` of them.
    pub(super) fn commit_unseen(
        &mut self,
        now: Now<'_>,
        found: Vec<Vec<Move>>,
        stories: usize,
        out: &mut Vec<Told>,
    ) {
        self.unseen = None;
        self.doubt();
        let before = self.record.end().clone();
        let plies = self.record.len();
        let contacts = self.contacts(now);
        let moves = found.first().cloned().unwrap_or_default();
        for (index, m) in moves.iter().enumerate() {
            self.add(now, m, Completed::Inferred, None, &contacts, Bitboard::EMPTY, out);
            if let Some(entry) = self.record.last_mut() {
                entry.unseen = true;
                entry.ply.stories = stories;
                // What the clock shows now it shows after the last of them.
                entry.ply.dials = entry.ply.dials.filter(|_| index + 1 == moves.len());
            }
        }
        if stories != 1 || contacts.iter().any(|c| c.in_dump) {
            let matter = Matter::Unseen { stories, found };
            self.tell(now, Moment::Gap, None, None, &before, plies, &[], matter, out);
        }
        self.keep_castles(&before);
        // What has been touched just now belongs to the next move.
        self.since = now.at;
        self.rebase(now);
    }
}
