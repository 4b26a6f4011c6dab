//! What is found standing: illegal positions, a board that cannot follow, a piece elsewhere than
//! the record says.

use super::act::{Kind, Read};
use super::offence::Offence;
use super::proposal::{ClockStep, Consequence, Proposal, Score};
use super::{Desk, StandingKind, place};
use crate::game::Position;
use crate::laws::ruleset::{Topic, Window};

impl Desk<'_> {
    /// The board cannot follow from the last certain position, and nobody knows when or who.
    pub(super) fn unexplained(&self) -> Proposal {
        Proposal {
            restore: self.case.position.clone(),
            ..self.proposal(Some(Topic::PositionUnexplained), Consequence::RestoreOnly)
        }
        .window("game-end", true)
        .clocks(&[ClockStep::JudgeTimes])
        .cite(self, &[Topic::PositionUnexplained])
    }

    /// A piece stands elsewhere than the recorded moves say.
    pub(super) fn displaced_found(&self) -> Proposal {
        if let Window::LastMoves(moves) = self.rules.window
            && self.case.since.len() as u32 > 2 * moves
        {
            return self
                .proposal(Some(Topic::DisplacedPieces), Consequence::Stands)
                .window(self.rules.window.word(), false)
                .cite(self, &[Topic::DisplacedFoundLate, Topic::ClaimTooLate]);
        }
        let word = match self.rules.window {
            Window::LastMoves(_) => self.rules.window.word(),
            _ => "game-end",
        };
        Proposal {
            restore: self.case.position.clone(),
            ..self.proposal(Some(Topic::DisplacedPieces), Consequence::RestoreOnly)
        }
        .window(word, true)
        .clocks(&[ClockStep::JudgeTimes])
        .cite(self, &[Topic::DisplacedFoundLate, Topic::TimesByJudgement])
    }

    /// The arbiter finds both kings in check, or a pawn on the last rank.
    pub(super) fn illegal_position(&self) -> Proposal {
        let Some(found) = self.case.standing else { return self.unexplained() };
        let topic = match found.kind {
            StandingKind::BothKingsInCheck => Topic::BothKingsInCheck,
            StandingKind::PawnOnLastRank => Topic::PawnOnLastRank,
            StandingKind::Displaced(_) => return self.displaced_found(),
        };
        let position = self.case.position.as_deref().and_then(Position::from_fen);
        let Some(before) = position else { return self.unexplained() };
        let fen = self.case.position.clone().unwrap_or_default();
        let acted = self.case.act.actor == Some(before.turn) && !self.case.act.touches.is_empty();
        if !self.rules.illegal_position_waits {
            return if acted { self.action() } else { self.back_to_legal(topic) };
        }
        let wait = self
            .proposal(Some(topic), Consequence::WaitOneMove)
            .also(&[Topic::IllegalPosition])
            .cite(self, &[Topic::IllegalPositionWaits]);
        if !acted {
            return Proposal { in_force: Some(fen), ..wait };
        }
        let read = Read::of(&before, fen, &self.case.act, &[]);
        if found.completed_since.is_none() {
            return self.found_after_the_reply(&read, wait);
        }
        if !read.pressed {
            return wait;
        }
        if let Some(over) = self.ended_by(&read) {
            return over.also(&[topic]);
        }
        let after = place::standing(&before, &read.wood);
        if stands(found.kind, &after) {
            let mut proposal = wait.clocks(&[ClockStep::Stop]);
            (proposal.consequence, proposal.result) = (Consequence::Draw, Some(Score::Draw));
            return proposal;
        }
        if read.is_illegal() && after.in_check(read.by) {
            return self.one(&read);
        }
        let mut proposal = wait;
        proposal.consequence = Consequence::None;
        proposal.in_force = Some(place::fen(&read.after()));
        proposal
    }

    /// The move that was waited for ends the game by itself.
    fn ended_by(&self, read: &Read) -> Option<Proposal> {
        let Kind::Legal { m, .. } = &read.kind else { return None };
        read.before.play(m).to_chess()?;
        let proposal = self.legal(read, m);
        matches!(proposal.consequence, Consequence::GameEnded | Consequence::Draw).then_some(proposal)
    }

    /// The act that brought it about, and its reply, were completed before anybody looked.
    fn found_after_the_reply(&self, read: &Read, wait: Proposal) -> Proposal {
        if !self.case.is_answered() {
            return self.one(read);
        }
        let stood = self.stands(&Offence::new(read, Topic::IllegalMove));
        let in_force = stood.in_force.clone();
        let gone = in_force
            .as_deref()
            .and_then(Position::from_fen)
            .is_some_and(|now| self.case.standing.is_some_and(|found| !stands(found.kind, &now)));
        let mut proposal = wait.cite(self, &[Topic::Regime]);
        if gone {
            proposal.consequence = Consequence::None;
        }
        proposal.in_force = in_force;
        proposal.window = stood.window;
        proposal
    }

    /// Back to the last legal position that is known.
    fn back_to_legal(&self, topic: Topic) -> Proposal {
        let legal = |fen: &String| Position::from_fen(fen).is_some_and(|p| p.to_chess().is_some());
        let from = self.case.history.as_ref().map(|(from, _)| from);
        let restore = self.case.position.iter().chain(from).find(|fen| legal(fen)).cloned();
        Proposal { restore, ..self.proposal(Some(topic), Consequence::RestoreOnly) }
            .also(&[Topic::IllegalPosition])
            .window(self.rules.window.word(), true)
            .clocks(&[ClockStep::JudgeTimes])
            .cite(self, &[topic, Topic::TimesByJudgement])
    }
}

/// Whether what was found still stands.
fn stands(kind: StandingKind, position: &Position) -> bool {
    let pawns = position.board.pawns();
    match kind {
        StandingKind::BothKingsInCheck => {
            position.in_check(position.turn) && position.in_check(!position.turn)
        }
        StandingKind::PawnOnLastRank => {
            let ends = shakmaty::Bitboard::from(shakmaty::Rank::First)
                | shakmaty::Bitboard::from(shakmaty::Rank::Eighth);
            (pawns & ends).any()
        }
        StandingKind::Displaced(at) => at.is_some_and(|(_, found)| position.board.piece_at(found).is_some()),
    }
}
