//! A legal move: whether it ends the game, and whether Article 4 asked for another one. What was
//! done by the side not on move, and pieces displaced.

use shakmaty::{Color, Role};

use super::act::{Kind, Read};
use super::offence::Offence;
use super::proposal::{ClockStep, Consequence, Proposal};
use super::{Act, ClaimOf, Desk, Duty, Order, ReplyState, duty, place};
use crate::game::{Move, Position};
use crate::laws::ruleset::{Starts, Topic};

impl Desk<'_> {
    /// A legal move was made.
    pub(super) fn legal(&self, read: &Read, m: &Move) -> Proposal {
        if let Some(proposal) = self.article_four(read, m) {
            return proposal;
        }
        let m = &self.as_promoted(read, m);
        let after = read.before.play(m);
        let hands: &[Topic] = if read.two_hands { &[Topic::TwoHands] } else { &[] };
        if after.is_mate() || after.is_stalemate() {
            let mut proposal = self.ended(&after, hands).cite(self, &[Topic::EndsTheMove]);
            proposal = proposal.cite(self, hands);
            if self.case.flag.is_some() {
                let flag = [Topic::FlagObserved, Topic::FlagFall];
                proposal = proposal.also(&[Topic::FlagFall]).cite(self, &flag);
            }
            return proposal;
        }
        if let Some(topic) = self.draw_by_itself(&read.before, &after) {
            return self.drawn(topic);
        }
        if let Some(asked) = after.to_chess().and_then(|_| self.dead(&place::fen(&after), after.turn)) {
            return self.dead_position(asked);
        }
        let completed = read.pressed || !self.rules.two_hands_need_press;
        if read.two_hands && completed && !self.rules.articles(Topic::TwoHands).is_empty() {
            let mut offence = Offence::new(read, Topic::TwoHands);
            offence.duty = Some(Duty::same_move(&read.before, m));
            return self.offence(&offence);
        }
        let in_force = Some(place::fen(&after));
        let other_hand = self.case.act.press.is_some_and(|press| press.other_hand);
        if other_hand && read.pressed {
            return Proposal {
                in_force,
                ..self.proposal(Some(Topic::OtherHandPress), Consequence::Discretionary)
            }
            .cite(self, &[Topic::OtherHandPress]);
        }
        let nothing = self.nothing(&self.worth_naming(read, m), in_force);
        if self.case.paused.is_some() { nothing.also(&[Topic::ClockPaused]) } else { nothing }
    }

    /// Where a rook upside-down is a queen, the promotion was to a queen.
    fn as_promoted(&self, read: &Read, m: &Move) -> Move {
        let rook = Some(Role::Rook);
        let upside_down = read.touches.iter().any(|t| t.inverted && t.square == m.to && t.announced != rook);
        match m.promotion == rook && upside_down && self.rules.inverted_rook_is_queen {
            true => Move { promotion: Some(Role::Queen), ..*m },
            false => *m,
        }
    }

    /// What makes a legal move look odd, though nothing is wrong.
    fn worth_naming(&self, read: &Read, m: &Move) -> Vec<Topic> {
        let mut out = Vec::new();
        if self.case.act.press.is_some_and(|press| press.order == Order::Before) && self.is_unpressed(read.by)
        {
            out.push(Topic::LatePress);
        }
        if read.two_hands {
            out.push(Topic::TwoHands);
        }
        if m.promotion.is_some() {
            out.extend([Topic::PromotionOrder, Topic::DutyPromotion]);
        }
        let back = |place: usize| {
            let up = read.touches[place];
            up.lifted && read.touches[place + 1..].iter().any(|t| !t.lifted && t.square == up.square)
        };
        let enemy = (0..read.touches.len()).any(|i| read.touches[i].piece.color != read.by && back(i));
        if enemy {
            out.extend([Topic::DutyEnemy, Topic::DutyVoid]);
        }
        out
    }

    /// The contacts bound the player to another move.
    fn article_four(&self, read: &Read, m: &Move) -> Option<Proposal> {
        if self.case.adjusting == Some(true) {
            return None;
        }
        let bound = duty(&read.before, &read.touches, &std::collections::BTreeSet::new());
        if bound.legal.is_empty() || bound.allows(m) {
            return None;
        }
        let rook_first = bound.rule == Topic::DutyRookFirst && m.rook.is_some();
        let released = matches!(bound.rule, Topic::DutyReleased | Topic::DutyPromotion);
        let claimed = self.case.is_claimed(read.by.other(), ClaimOf::TouchMove);
        let topic = match (rook_first, released) {
            (true, _) => Topic::CastlingRookFirst,
            (_, true) => Topic::ReleasedPieceMoved,
            // A piece taken up and put back may have been adjusted; only people know.
            _ if self.case.adjusting.is_none() && !claimed => return None,
            _ => Topic::TouchMove,
        };
        let touched = !matches!(self.case.reply.state, ReplyState::None | ReplyState::PressedBack);
        // Where only players claim, it does not matter what the arbiter saw.
        let only_claims = matches!(self.rules.starts, Starts::ClaimOnly { .. });
        let seen = self.case.observed && !only_claims;
        let mut proposal = if touched && !(seen && self.case.reply.state == ReplyState::Lifted) {
            let after = read.before.play(m);
            let now = match &self.case.reply.uci {
                Some(uci) => place::played(&after, uci),
                None => matches!(self.case.reply.state, ReplyState::Lifted).then_some(after),
            };
            Proposal {
                in_force: now.map(|position| place::fen(&position)),
                ..self.proposal(Some(topic), Consequence::Stands)
            }
            .window("opponent-touch", false)
            .cite(self, &[Topic::ClaimOfTouchLost])
        } else {
            self.replace(topic, read, bound, seen || claimed)
        };
        if rook_first {
            proposal = proposal.also(&[Topic::TouchMove]);
        }
        proposal.claim = self.answer(read.by.other(), ClaimOf::TouchMove, &proposal);
        Some(proposal)
    }

    fn replace(&self, topic: Topic, read: &Read, bound: Duty, known: bool) -> Proposal {
        let mut topics = vec![bound.rule];
        if !bound.must_capture.is_empty() {
            topics.push(Topic::DutyEnemy);
        }
        if topic != Topic::TouchMove {
            topics.push(topic);
        }
        if !known {
            topics.push(Topic::ClaimOfTouchNeeded);
        }
        let silent = self.rules.starts == Starts::ClaimOnly { silent: true };
        let consequence = match (known, silent) {
            (true, _) => Consequence::ReplaceMove,
            (false, true) => Consequence::DirectorSilent,
            (false, false) => Consequence::Claimable,
        };
        Proposal {
            restore: Some(read.before_fen.clone()),
            replacement: Some(bound),
            ..self.proposal(Some(topic), consequence)
        }
        .window("opponent-touch", true)
        .clocks(&[ClockStep::JudgeTimes])
        .cite(self, &topics)
    }

    /// A legal move, and other pieces not where they belong.
    pub(super) fn displaced_beside(&self, read: &Read, m: &Move) -> Proposal {
        let restore = place::fen(&read.before.play(m));
        self.displaced(read.by, restore, ClockStep::ChargeRestoringTime)
    }

    fn displaced(&self, by: Color, restore: String, clock: ClockStep) -> Proposal {
        let repeated = self.case.displaced_before[by] > 0 || self.case.deliberate;
        let consequence = if repeated { Consequence::Discretionary } else { Consequence::RestoreOnly };
        let mut proposal =
            Proposal { restore: Some(restore), ..self.proposal(Some(Topic::DisplacedPieces), consequence) };
        let topics: &[Topic] = if repeated { &[Topic::DisplacedAgain] } else { &[Topic::DisplacedPieces] };
        if self.rules.window == super::Window::GameEnd || self.rules.window == super::Window::ReplyMade {
            proposal = proposal.window("game-end", true);
        }
        let proposal = if repeated { proposal } else { proposal.clocks(&[clock]) };
        proposal.cite(self, topics)
    }

    /// The side that is not on move did something.
    pub(super) fn not_on_move(&self, position: &Position, fen: &str, act: &Act) -> Proposal {
        let by = position.turn.other();
        let turned = Position { turn: by, ep: None, ..position.clone() };
        let read = Read::of(&turned, fen.to_owned(), act, &[]);
        match read.kind {
            Kind::Nothing if act.touches.is_empty() && self.is_unpressed(by) => {
                self.nothing(&[Topic::LatePress], Some(fen.to_owned()))
            }
            Kind::Nothing if act.touches.is_empty() => self.nothing(&[], Some(fen.to_owned())),
            Kind::Nothing => Proposal {
                in_force: Some(fen.to_owned()),
                ..self.proposal(Some(Topic::AdjustOutOfTurn), Consequence::Discretionary)
            }
            .cite(self, &[Topic::AdjustOutOfTurn]),
            Kind::Legal { displaced, .. } if displaced.is_empty() => self.out_of_turn(fen),
            Kind::CastlingIncomplete(_) | Kind::PawnLeft { .. } => self.out_of_turn(fen),
            Kind::Illegal(_) if read.pressed => self.out_of_turn(fen),
            _ => self.displaced(by, fen.to_owned(), ClockStep::CompensateOpponent),
        }
    }

    fn out_of_turn(&self, fen: &str) -> Proposal {
        let restore = Some(fen.to_owned());
        Proposal { restore, ..self.proposal(Some(Topic::OutOfTurn), Consequence::RestoreOnly) }
            .window("game-end", true)
            .clocks(&[ClockStep::JudgeTimes])
            .cite(self, &[Topic::OutOfTurn])
    }
}
