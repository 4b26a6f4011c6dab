//! How games end by themselves: mate, stalemate, dead positions, repetitions and long series of
//! moves, fallen flags; and what is raised after the end.

use super::act::{Kind, Read};
use super::pieces::{cannot_win_on_time, lacks_mating_list};
use super::proposal::{Asked, ClockStep, Consequence, Proposal, Score};
use super::{Answer, Caller, ClaimOf, Desk, Flag, GameOver, place};
use crate::game::Position;
use crate::laws::ruleset::{AutomaticDraws, Exception, Flags, Topic};
use crate::mating::CanStillMate;

/// Plies without a capture or a pawn move.
const FIFTY: u32 = 100;
const SEVENTY_FIVE: u32 = 150;

impl Desk<'_> {
    /// Mate or stalemate stands on the board.
    pub(super) fn ended(&self, board: &Position, also: &[Topic]) -> Proposal {
        let (result, topic) = match board.is_mate() {
            true => (Score::Won(board.turn.other()), Topic::Checkmate),
            false => (Score::Draw, Topic::Stalemate),
        };
        let mut proposal = self.proposal(Some(Topic::GameEnded), Consequence::GameEnded);
        proposal.result = Some(result);
        if board.is_mate() && board.halfmoves >= SEVENTY_FIVE {
            proposal = proposal.cite(self, &[Topic::SeventyFive]);
        }
        proposal.also(also).cite(self, &[topic]).clocks(&[ClockStep::Stop])
    }

    /// The game is drawn by `topic`.
    pub(super) fn drawn(&self, topic: Topic) -> Proposal {
        let mut proposal = self.proposal(Some(topic), Consequence::Draw);
        proposal.result = Some(Score::Draw);
        proposal.cite(self, &[topic]).clocks(&[ClockStep::Stop])
    }

    /// Neither side can mate any more: that had ended the game.
    pub(super) fn dead_position(&self, asked: Vec<Asked>) -> Proposal {
        Proposal { asked, ..self.drawn(Topic::DeadPosition) }
    }

    /// The repetition or the series of moves that ends the game with `after`.
    pub(super) fn draw_by_itself(&self, before: &Position, after: &Position) -> Option<Topic> {
        let mut line = self.past(before);
        if line.last() != Some(after) {
            line.push(after.clone());
        }
        let places: Vec<usize> = (0..line.len()).filter(|i| line[*i].repeats(after)).collect();
        let in_a_row = {
            let last = line.len() - 1;
            (0..5).all(|n| last.checked_sub(4 * n).is_some_and(|i| line[i].repeats(after)))
        };
        let (long, often, series) = match self.rules.automatic_draws {
            AutomaticDraws::None => return None,
            AutomaticDraws::ThreefoldAndFifty => (after.halfmoves >= FIFTY, places.len() >= 3, true),
            AutomaticDraws::Consecutive => (after.halfmoves >= SEVENTY_FIVE, in_a_row, false),
            AutomaticDraws::Any => (after.halfmoves >= SEVENTY_FIVE, places.len() >= 5, false),
        };
        match (long, often, series) {
            (true, _, false) => Some(Topic::SeventyFive),
            (true, _, true) => Some(Topic::Fifty),
            (false, true, false) => Some(Topic::Fivefold),
            (false, true, true) => Some(Topic::Threefold),
            _ => None,
        }
    }

    /// The positions that led to `now`, with it.
    fn past(&self, now: &Position) -> Vec<Position> {
        let mut line = Vec::new();
        if let Some((from, moves)) = &self.case.history
            && let Some(mut position) = Position::from_fen(from)
        {
            line.push(position.clone());
            for uci in moves {
                let Some(next) = place::played(&position, uci) else { break };
                line.push(next.clone());
                position = next;
            }
        }
        if line.last().is_none_or(|last| !last.repeats(now)) {
            line.push(now.clone());
        }
        line
    }

    /// A completed move is said to have drawn the game.
    pub(super) fn automatic_draw(&self) -> Proposal {
        let Some(fen) = &self.case.position else { return self.nothing(&[], None) };
        let Some(position) = Position::from_fen(fen) else { return self.nothing(&[], None) };
        if position.is_mate() || position.is_stalemate() {
            return self.ended(&position, &[]);
        }
        if let Some(asked) = position.to_chess().and_then(|_| self.dead(fen, position.turn)) {
            return self.dead_position(asked);
        }
        let topic = self.draw_by_itself(&position, &position);
        topic.map_or_else(|| self.nothing(&[], Some(fen.clone())), |topic| self.drawn(topic))
    }

    /// A flag has fallen.
    pub(super) fn flag_fall(&self) -> Proposal {
        let (Some(flag), Some(fen)) = (self.case.flag, &self.case.position) else {
            return self.nothing(&[], None);
        };
        let Some(before) = Position::from_fen(fen) else { return self.nothing(&[], None) };
        let (mut board, mut text) = (before.clone(), fen.clone());
        if self.case.act.actor == Some(before.turn) {
            let read = Read::of(&before, fen.clone(), &self.case.act, &[]);
            if let Kind::Legal { m, .. } = &read.kind {
                let proposal = self.legal(&read, m);
                if proposal.consequence == Consequence::GameEnded || proposal.consequence == Consequence::Draw
                {
                    return proposal
                        .also(&[Topic::FlagFall])
                        .cite(self, &[Topic::FlagObserved, Topic::FlagFall]);
                }
                board = read.before.play(m);
                text = place::fen(&board);
            }
        }
        if board.is_mate() || board.is_stalemate() {
            return self
                .ended(&board, &[Topic::FlagFall])
                .cite(self, &[Topic::FlagObserved, Topic::FlagFall]);
        }
        if let Some(topic) = self.draw_by_itself(&before, &board) {
            return self.drawn(topic).also(&[Topic::FlagFall]);
        }
        self.flag_decides(flag, &board, &text)
    }

    fn flag_decides(&self, flag: Flag, board: &Position, fen: &str) -> Proposal {
        let by_player = matches!(flag.called_by, Some(Caller::Player(_)));
        let about = if by_player { Topic::FlagClaimed } else { Topic::FlagFall };
        if self.rules.flags == Flags::PlayersOnly && !by_player {
            return self.proposal(Some(Topic::FlagFall), Consequence::DirectorSilent).cite(self, &[about]);
        }
        let winner = flag.side.other();
        let mut proposal = self.proposal(Some(Topic::FlagFall), Consequence::Loss);
        let cannot = match self.rules.flag_exception {
            Exception::Helpmate => self.ask(&mut proposal.asked, fen, winner),
            Exception::MaterialList if lacks_mating_list(fen, winner) => CanStillMate::No,
            Exception::InsufficientToWin if cannot_win_on_time(fen, winner) => CanStillMate::No,
            _ => CanStillMate::Yes,
        };
        if cannot == CanStillMate::No
            && board.to_chess().is_some()
            && self.rules.flag_exception == Exception::Helpmate
            && let Some(asked) = self.dead(fen, winner)
        {
            return self.dead_position(asked).also(&[Topic::FlagFall]);
        }
        (proposal.consequence, proposal.result) = match cannot {
            CanStillMate::Yes => (Consequence::Loss, Some(Score::Won(winner))),
            CanStillMate::No => (Consequence::Draw, Some(Score::Draw)),
            CanStillMate::NotProven => (Consequence::ArbiterDecides, None),
        };
        proposal = proposal.cite(self, &[about]).clocks(&[ClockStep::Stop]);
        proposal.claim = self.answer(winner, ClaimOf::FlagFall, &proposal);
        proposal
    }

    /// A mate that an illegal move gave ends nothing, if it is the last thing that happened and no
    /// result was signed.
    pub(super) fn was_an_illegal_mate(&self, over: &GameOver) -> bool {
        let (true, Some(fen), Some(by)) = (over.by_mate, &self.case.position, self.case.act.actor) else {
            return false;
        };
        let Some(before) = Position::from_fen(fen).filter(|before| before.turn == by) else { return false };
        let last = self.case.completed[by] <= before.fullmoves;
        last && Read::of(&before, fen.clone(), &self.case.act, &[]).is_illegal()
    }

    /// The game is over: nothing retroactive.
    pub(super) fn after_the_end(&self, over: &GameOver) -> Proposal {
        let mut topic = match (&self.case.start, self.case.reversed) {
            (Some(start), _) if start.placed != start.declared => Some(Topic::WrongSetup),
            (Some(start), _) if start.quarter => Some(Topic::WrongOrientation),
            (_, Some(true)) => Some(Topic::ColoursReversed),
            _ => None,
        };
        if topic.is_none() && self.case.act.actor.is_some() {
            let still = super::Case { game_over: None, ..self.case.clone() };
            topic = Desk { case: &still, ..*self }.action().finding;
        }
        if topic.is_none() && self.case.flag.is_some() {
            topic = Some(Topic::FlagFall);
        }
        let mut proposal = self.proposal(topic, Consequence::ResultStands);
        proposal.result = over.result;
        proposal.claim = (!self.case.claims.is_empty()).then_some(Answer::Rejected);
        let signed: &[Topic] = if over.by_mate { &[Topic::Checkmate] } else { &[Topic::ResultSigned] };
        let about: Vec<Topic> = topic.into_iter().collect();
        proposal.window("game-end", false).cite(self, &about).cite(self, signed)
    }

    /// The players agree to go back.
    pub(super) fn agreed(&self) -> Proposal {
        let during = self.case.agreed.unwrap_or(true);
        if !during {
            return self.proposal(None, Consequence::ResultStands).window("game-end", false);
        }
        if self.case.act.actor.is_some() {
            return self.action();
        }
        let restore = self.case.position.clone();
        Proposal { restore, ..self.proposal(None, Consequence::AgreedCorrection) }
            .window(self.rules.window.word(), self.rules.window == super::Window::GameEnd)
            .cite(self, &[Topic::Regime])
    }
}
