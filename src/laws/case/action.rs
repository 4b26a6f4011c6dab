//! Something a player did: what it was, and what the Laws make of it.
//!
//! The order of the questions is that of the Laws: a game that is over stays so, a legal move that
//! ends it comes before any penalty, then what was completed with the clock, then Article 4.

use shakmaty::Color;

use super::act::{Fault, Kind, Read};
use super::offence::Offence;
use super::proposal::{Asked, ClockStep, Consequence, Proposal};
use super::{Act, Desk, Duty, Order, Pause, Situation, duty, place};
use crate::game::{Move, Position};
use crate::laws::ruleset::{PawnLeft, SettingId, Starts, Topic, Window};

impl Desk<'_> {
    /// An act of a player, with those before it that nobody has ruled on.
    pub(super) fn action(&self) -> Proposal {
        let Some(before) = self.case.position.as_deref().and_then(Position::from_fen) else {
            return self.nothing(&[], None);
        };
        let acts: Vec<&Act> = self.acts();
        let Some((last, earlier)) = acts.split_last() else { return self.nothing(&[], None) };
        let mut fen = self.case.position.clone().unwrap_or_default();
        let mut position = before;
        let mut first: Option<Read> = None;
        for act in earlier {
            let read = Read::of(&position, fen, act, self.moves_before());
            position = read.after();
            fen = place::fen(&position);
            if read.pressed && self.is_offence(&read) {
                // Where a reply lets the move stand, only the last one can still be dealt with.
                let stands = matches!(self.rules.window, Window::ReplyMade | Window::MoveDetermined);
                first = if stands { Some(read) } else { first.or(Some(read)) };
            }
        }
        if last.actor.is_some_and(|actor| actor != position.turn) {
            return self.not_on_move(&position, &fen, last);
        }
        let read = Read::of(&position, fen, last, self.moves_before());
        match first {
            Some(first) => self.after_an_offence(&first, &read),
            None => self.one(&read),
        }
    }

    /// All acts that nobody has ruled on; a bare press back belongs to the one before it.
    fn acts(&self) -> Vec<&Act> {
        let mut acts: Vec<&Act> = self.case.earlier.iter().collect();
        acts.push(&self.case.act);
        acts
    }

    /// Whether `side` has made a move, has not pressed for it, and his opponent has moved.
    pub(super) fn is_unpressed(&self, side: Color) -> bool {
        let last = self.case.earlier.iter().rfind(|act| act.actor == Some(side));
        let left = last.is_some_and(|act| act.press.is_none() && !act.touches.is_empty());
        self.case.unpressed[side] || left
    }

    fn moves_before(&self) -> &[String] {
        self.case.history.as_ref().map_or(&[], |(_, moves)| moves)
    }

    fn is_offence(&self, read: &Read) -> bool {
        match &read.kind {
            Kind::Illegal(_) => true,
            Kind::PawnLeft { .. } => self.rules.counts(Topic::PawnNotPromoted),
            Kind::Nothing => self.rules.counts(Topic::PressWithoutMove) && !self.is_unpressed(read.by),
            _ => false,
        }
    }

    /// An offence that nobody ruled on, and then another act.
    fn after_an_offence(&self, first: &Read, last: &Read) -> Proposal {
        let stands = matches!(self.rules.window, Window::ReplyMade | Window::MoveDetermined);
        let took_the_king = matches!(&last.kind, Kind::Illegal(fault) if fault.king_taken) && last.pressed;
        if took_the_king {
            let wins = self.rules.window == Window::MoveDetermined
                || stands && self.rules.settings.is(SettingId::KingCaptureBlitz, "win-claim");
            let by_setting = self.rules.window == Window::ReplyMade;
            let proposal = match (wins, stands) {
                (true, _) => self.king_taken(first, last.by),
                (false, true) => self.one(last),
                (false, false) => self.chain(&self.offence_of(first), last),
            };
            return if by_setting { proposal.settled(SettingId::KingCaptureBlitz) } else { proposal };
        }
        let second = last.pressed && self.is_offence(last);
        let bare_press = last.kind == Kind::Nothing && last.touches.is_empty();
        match (stands, second) {
            (_, true) if bare_press => self.offence(&self.offence_of(first)),
            (false, true) => self.chain(&self.offence_of(first), last),
            (true, true) => self.one(last),
            (false, false) => self.offence(&self.offence_of(first)),
            (true, false) if matches!(last.kind, Kind::Legal { .. }) => {
                let in_force = Some(place::fen(&last.after()));
                Proposal { in_force, ..self.stands(&self.offence_of(first)) }
            }
            (true, false) => self.offence(&self.offence_of(first)),
        }
    }

    /// One act of the side to move.
    pub(super) fn one(&self, read: &Read) -> Proposal {
        if let Some(over) = self.over_before(read) {
            return over;
        }
        let press = self.case.act.press;
        if let (Some(flag), Some(press)) = (self.case.flag, press)
            && let (Some(noticed), Some(pressed)) = (flag.noticed_ms, press.at_ms)
            && noticed <= pressed
            && self.is_offence(read)
        {
            return self.flag_fall();
        }
        let early = press.is_some_and(|press| press.order == Order::Before && press.by == read.by);
        if early && read.pressed && !self.is_unpressed(read.by) && read.kind != Kind::Nothing {
            return self.pressed_first(read);
        }
        match &read.kind {
            Kind::Legal { m, displaced } if displaced.any() && read.pressed => self.displaced_beside(read, m),
            Kind::Legal { m, .. } => self.legal(read, m),
            Kind::Nothing if read.pressed => self.pressed_without_move(read),
            Kind::Illegal(fault) if read.pressed && self.rules.takes_illegal_moves => {
                self.offence(&self.illegal(read, fault))
            }
            Kind::Illegal(fault) => self.must_correct(read, fault),
            Kind::PawnLeft { m, empty } if read.pressed => self.pawn_left(read, m, *empty),
            Kind::CastlingIncomplete(m) if read.pressed => self.castling_incomplete(read, m),
            Kind::Unfinished if read.pressed => self
                .proposal(Some(Topic::PressMoveIncomplete), Consequence::Discretionary)
                .cite(self, &[Topic::PressMoveIncomplete]),
            _ => self.not_finished(read),
        }
    }

    /// The offence that a completed act is.
    fn offence_of<'r>(&self, read: &'r Read) -> Offence<'r> {
        match &read.kind {
            Kind::Illegal(fault) => self.illegal(read, fault),
            Kind::PawnLeft { m, .. } => self.pawn_offence(read, m),
            _ => self.null_move(read),
        }
    }

    fn duty_of(&self, read: &Read) -> Duty {
        duty(&read.before, &read.touches, &std::collections::BTreeSet::new())
    }

    fn illegal<'r>(&self, read: &'r Read, fault: &Fault) -> Offence<'r> {
        let mut offence = Offence::new(read, Topic::IllegalMove);
        offence.duty = Some(self.duty_of(read));
        offence.topics.clone_from(&fault.reasons);
        if self.is_castling_ban(read) {
            offence.topics.push(Topic::ArrayStands);
        }
        if self.case.standing.is_some() {
            offence.topics.push(Topic::IllegalPositionWaits);
        }
        if fault.pawn_left {
            offence.also.push(Topic::PawnNotPromoted);
        }
        if read.two_hands {
            offence.also.push(Topic::TwoHands);
        }
        if self.case.act.press.is_some_and(|press| press.other_hand) {
            offence.also.push(Topic::OtherHandPress);
        }
        self.by_choice(&mut offence, fault);
        offence
    }

    /// What an event may choose about a promotion to a wrong piece, or a captured pawn left.
    fn by_choice(&self, offence: &mut Offence<'_>, fault: &Fault) {
        if let Some(m) = &fault.promotion {
            offence.settled_by.push(SettingId::WrongPromotionPiece);
            if self.rules.settings.is(SettingId::WrongPromotionPiece, "queen") {
                offence.topic = Topic::PawnNotPromoted;
                offence.restore = place::fen(&place::queened(&offence.read.before, m));
                offence.duty = None;
            }
        }
        if let Some(m) = &fault.victim_left {
            offence.settled_by.push(SettingId::CapturedPawnLeft);
            if self.rules.settings.is(SettingId::CapturedPawnLeft, "remove-pawn") {
                offence.restore = place::fen(&offence.read.before.play(m));
                offence.duty = None;
            }
        }
    }

    /// The array was wrong and stands: no castling with the pieces that were misplaced.
    fn is_castling_ban(&self, read: &Read) -> bool {
        let wrong =
            self.case.start.as_ref().is_some_and(|start| start.too_late && start.placed != start.declared);
        let king = read.touches.iter().any(|touch| touch.piece.role == shakmaty::Role::King);
        wrong && king
    }

    /// Not completed: the player puts it right himself, within Article 4.
    fn must_correct(&self, read: &Read, fault: &Fault) -> Proposal {
        let taken = self.rules.takes_illegal_moves;
        let duty = if taken { self.duty_of(read) } else { Duty::free(&read.before, Topic::DutyVoid) };
        let finding = if read.pressed { Topic::IllegalMove } else { Topic::IllegalMoveUnpressed };
        let mut topics = fault.reasons.clone();
        topics.extend([duty.rule, finding]);
        if duty.rule == Topic::DutyKingFirst || duty.rule == Topic::DutyCastling {
            topics.push(Topic::CastlingMade);
        }
        let mut proposal = self.proposal(Some(finding), Consequence::MustCorrect);
        proposal.restore = Some(read.before_fen.clone());
        proposal.replacement = Some(duty);
        proposal.claim = (!self.case.claims.is_empty()).then_some(super::Answer::Rejected);
        proposal.clocks(&[ClockStep::KeepRunning]).cite(self, &topics)
    }

    /// Nothing has been completed, and nothing is wrong yet.
    fn not_finished(&self, read: &Read) -> Proposal {
        let neighbour = self.case.act.press.is_some_and(|press| press.neighbour);
        let topics: &[Topic] = match (&read.kind, self.case.paused) {
            (_, Some(Pause::PieceMissing)) => &[Topic::PromotionPieceMissing],
            (_, Some(Pause::Claim)) => &[Topic::ClockPaused],
            (Kind::CastlingIncomplete(_), None) => &[Topic::CastlingMade],
            (Kind::PawnLeft { .. }, None) => &[Topic::PromotionOrder],
            (Kind::Nothing, None) if neighbour => &[Topic::TimesByJudgement],
            (Kind::Nothing, None) if !read.touches.is_empty() => &[Topic::Adjusting],
            _ => &[],
        };
        let mut nothing = self.nothing(topics, None);
        if neighbour {
            nothing.clocks = vec![ClockStep::RestoreTimes];
        }
        if self.case.paused.is_some() { nothing.also(&[Topic::ClockPaused]) } else { nothing }
    }

    fn null_move<'r>(&self, read: &'r Read) -> Offence<'r> {
        let mut offence = Offence::new(read, Topic::PressWithoutMove);
        let mut free = Duty::free(&read.before, Topic::PressWithoutMove);
        if !read.touches.is_empty() {
            let bound = self.duty_of(read);
            if bound.rule != Topic::DutyVoid && self.case.adjusting == Some(false) {
                free = bound;
            }
        }
        offence.duty = Some(free);
        offence
    }

    fn pressed_without_move(&self, read: &Read) -> Proposal {
        if self.is_unpressed(read.by) {
            return self.nothing(&[Topic::LatePress], Some(read.before_fen.clone()));
        }
        self.offence(&self.null_move(read))
    }

    /// The press came first; what was done afterwards binds as far as it can.
    fn pressed_first(&self, read: &Read) -> Proposal {
        let mut offence = Offence::new(read, Topic::PressWithoutMove);
        offence.duty = Some(self.duty_of(read));
        if read.is_illegal() {
            offence.also.push(Topic::IllegalMoveUnpressed);
        }
        self.offence(&offence)
    }

    fn pawn_offence<'r>(&self, read: &'r Read, m: &Move) -> Offence<'r> {
        let mut offence = Offence::new(read, Topic::PawnNotPromoted);
        offence.topics.push(Topic::PromotionPiece);
        if read.two_hands {
            offence.also.push(Topic::TwoHands);
        }
        match self.rules.pawn_left {
            PawnLeft::QueenPut => offence.restore = place::fen(&place::queened(&read.before, m)),
            PawnLeft::RolledBack | PawnLeft::ImproperPress => offence.duty = Some(self.duty_of(read)),
        }
        offence
    }

    fn pawn_left(&self, read: &Read, m: &Move, empty: bool) -> Proposal {
        if self.rules.pawn_left == PawnLeft::ImproperPress {
            return self
                .proposal(Some(Topic::PawnNotPromoted), Consequence::ImproperPress)
                .cite(self, &[Topic::PawnNotPromoted]);
        }
        let mut offence = self.pawn_offence(read, m);
        if self.rules.pawn_left == PawnLeft::RolledBack {
            return self.offence(&offence);
        }
        let after = place::queened(&read.before, m);
        let mut open = None;
        if empty {
            offence.settled_by.push(SettingId::PromotionSquareEmpty);
            open = self.rules.settings.is(SettingId::PromotionSquareEmpty, "arbiter-decides").then_some(None);
        } else if after.is_mate() {
            offence.settled_by.push(SettingId::SubstitutedQueenMates);
            match self.rules.settings.get(SettingId::SubstitutedQueenMates) {
                "mate-stands" => return self.queen_mates(&offence, read.by),
                "no-mate" => {
                    offence.restore.clone_from(&read.before_fen);
                    offence.duty = Some(self.duty_of(read));
                }
                _ => open = Some(Some(offence.restore.clone())),
            }
        }
        let mut proposal = self.offence(&offence);
        if let Some(restore) = open
            && proposal.offence.is_some()
        {
            proposal.consequence = Consequence::ArbiterDecides;
            (proposal.penalty, proposal.result, proposal.restore) = (None, None, restore);
            proposal.asked.clear();
            proposal.clocks = vec![ClockStep::JudgeTimes];
        }
        proposal
    }

    /// The queen that takes the pawn's place gives mate, and the event says that it counts.
    fn queen_mates(&self, offence: &Offence<'_>, by: Color) -> Proposal {
        let mut proposal = self.offence(offence);
        if proposal.offence.is_some() {
            proposal.consequence = Consequence::GameEnded;
            proposal.penalty = None;
            proposal.asked.clear();
            proposal.result = Some(super::Score::Won(by));
            proposal = proposal.clocks(&[ClockStep::Stop]).cite(self, &[Topic::Checkmate]);
        }
        proposal
    }

    fn castling_incomplete(&self, read: &Read, m: &Move) -> Proposal {
        let setting = SettingId::IncompleteCastling;
        let duty = Some(Duty::same_move(&read.before, m));
        if self.rules.settings.is(setting, "illegal-move") {
            let mut offence = Offence::new(read, Topic::IllegalMove);
            offence.duty = duty;
            offence.topics.push(Topic::CastlingIncomplete);
            offence.also.push(Topic::CastlingIncomplete);
            offence.settled_by.push(setting);
            return self.offence(&offence);
        }
        let unfinished = self.rules.settings.is(setting, "unfinished");
        let consequence = if unfinished { Consequence::MustCorrect } else { Consequence::ArbiterDecides };
        let closed = self.is_too_late(read) && self.rules.starts != Starts::OnSight;
        if closed {
            return self.stands(&Offence::new(read, Topic::CastlingIncomplete)).settled(setting);
        }
        Proposal {
            restore: Some(read.before_fen.clone()),
            replacement: duty,
            ..self.proposal(Some(Topic::CastlingIncomplete), consequence)
        }
        .window(self.rules.window.word(), true)
        .settled(setting)
        .cite(self, &[Topic::CastlingIncomplete])
    }

    /// The board was over before anything happened.
    fn over_before(&self, read: &Read) -> Option<Proposal> {
        if self.case.situation != Situation::Action && self.case.situation != Situation::FoundLate {
            return None;
        }
        read.before.to_chess()?;
        if read.before.is_mate() || read.before.is_stalemate() {
            return Some(self.ended(&read.before, &[]));
        }
        let asked: Vec<Asked> = self.dead(&read.before_fen, read.by.other())?;
        Some(self.dead_position(asked))
    }
}
