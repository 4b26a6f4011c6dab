//! Offences: who may set the consequences going, until when, and what they are.

use shakmaty::Color;

use super::act::{Kind, Read};
use super::pieces::lacks_mating_list;
use super::proposal::{ClockStep, Consequence, Proposal, Score};
use super::{ClaimOf, Desk, Duty, ReplyState, Situation, place};
use crate::laws::ruleset::{Exception, Seconds, SettingId, Starts, Topic, Window};
use crate::mating::CanStillMate;

/// An offence, and what is put right.
pub(super) struct Offence<'r> {
    pub(super) read: &'r Read,
    pub(super) topic: Topic,
    pub(super) also: Vec<Topic>,
    /// The position to put on the board; the mating question is put there.
    pub(super) restore: String,
    pub(super) duty: Option<Duty>,
    /// Reasons and whatever else has an article.
    pub(super) topics: Vec<Topic>,
    pub(super) settled_by: Vec<SettingId>,
}

impl<'r> Offence<'r> {
    pub(super) fn new(read: &'r Read, topic: Topic) -> Self {
        Offence {
            read,
            topic,
            also: Vec::new(),
            restore: read.before_fen.clone(),
            duty: None,
            topics: Vec::new(),
            settled_by: Vec::new(),
        }
    }
}

impl Desk<'_> {
    /// What follows from an offence under the rules of the event.
    pub(super) fn offence(&self, offence: &Offence<'_>) -> Proposal {
        let by = offence.read.by;
        let rules = self.rules;
        let claimed = self.case.is_claimed(by.other(), ClaimOf::IllegalMove);
        let mut proposal = if !rules.counts(offence.topic) {
            self.uncounted(offence)
        } else if self.case.agreed.is_some() && rules.starts != Starts::OnSight {
            self.agreed_about(offence)
        } else if self.is_too_late(offence.read) {
            self.stands(offence)
        } else {
            match rules.starts {
                Starts::ClaimOnly { .. } if !claimed && !self.is_stepped_in(offence) => {
                    self.unclaimed(offence)
                }
                Starts::ObservedOrClaimed if !claimed && !self.case.observed => self.unclaimed(offence),
                _ => self.ruled(offence, claimed),
            }
        };
        for setting in &offence.settled_by {
            proposal = proposal.settled(*setting);
        }
        proposal.claim = self.answer(by.other(), ClaimOf::IllegalMove, &proposal);
        proposal.also(&offence.also)
    }

    /// Whether the arbiter steps in all the same where only players claim.
    fn is_stepped_in(&self, offence: &Offence<'_>) -> bool {
        let loud = self.rules.starts == Starts::ClaimOnly { silent: false };
        loud && self.case.observed && offence.topic == Topic::PawnNotPromoted
    }

    /// Whether the window of the rule set has closed.
    pub(super) fn is_too_late(&self, read: &Read) -> bool {
        let late = self.case.situation == Situation::FoundLate;
        match self.rules.window {
            Window::GameEnd => false,
            Window::ReplyMade | Window::MoveDetermined => self.case.is_answered() || late,
            Window::LastMoves(moves) => {
                let before = read.before.fullmoves.saturating_sub(1);
                let old = late && self.case.completed[read.by].saturating_sub(before) > moves;
                old && !self.is_in_check_ever_since(read)
            }
        }
    }

    /// Whether the king has been in check after each move that his side has made since: each of
    /// them was illegal, the last one too.
    fn is_in_check_ever_since(&self, read: &Read) -> bool {
        let mut position = read.after();
        let mut always = position.in_check(read.by) && !self.case.since.is_empty();
        for uci in &self.case.since {
            let by = position.turn;
            let Some(next) = place::played(&position, uci) else { return false };
            always &= by != read.by || next.in_check(read.by);
            position = next;
        }
        always
    }

    /// The move stands: the game goes on from the board.
    pub(super) fn stands(&self, offence: &Offence<'_>) -> Proposal {
        let read = offence.read;
        let after = read.after();
        let in_force = match (&self.case.reply.uci, self.case.reply.state) {
            (Some(uci), _) => place::played(&after, uci),
            (None, ReplyState::None | ReplyState::Lifted | ReplyState::PressedBack)
                if self.case.situation != Situation::FoundLate =>
            {
                Some(after)
            }
            _ => None,
        };
        let mut topics = vec![Topic::Regime, Topic::ClaimTooLate];
        if self.case.reply.state == ReplyState::Released {
            topics.push(Topic::MadeOnRelease);
        }
        if offence.topic != Topic::IllegalMove {
            topics.push(offence.topic);
        }
        Proposal {
            in_force: in_force.map(|position| place::fen(&position)),
            ..self.proposal(Some(offence.topic), Consequence::Stands)
        }
        .window(self.rules.window.word(), false)
        .cite(self, &topics)
    }

    /// Nobody who may set anything going has done so.
    fn unclaimed(&self, offence: &Offence<'_>) -> Proposal {
        let silent = matches!(self.rules.starts, Starts::ClaimOnly { silent: true });
        let consequence = if silent { Consequence::DirectorSilent } else { Consequence::Claimable };
        let then = self.ruled(offence, true).also(&offence.also);
        if let Some(flag) = self.case.flag
            && flag.side != offence.read.by
            && self.case.is_claimed(offence.read.by, ClaimOf::FlagFall)
        {
            return self.flag_fall().also(&[offence.topic]);
        }
        let flag: &[Topic] = if self.case.flag.is_some() { &[Topic::FlagFall] } else { &[] };
        Proposal { if_claimed: Some(Box::new(then)), ..self.proposal(Some(offence.topic), consequence) }
            .also(flag)
            .window(self.rules.window.word(), true)
            .cite(self, &[Topic::Regime])
    }

    /// The players go back by themselves.
    fn agreed_about(&self, offence: &Offence<'_>) -> Proposal {
        let open = !self.is_too_late(offence.read);
        let restore = Some(offence.restore.clone());
        Proposal { restore, ..self.proposal(Some(offence.topic), Consequence::AgreedCorrection) }
            .window(self.rules.window.word(), open)
            .cite(self, &[Topic::Regime])
    }

    /// An irregularity that this edition does not count.
    fn uncounted(&self, offence: &Offence<'_>) -> Proposal {
        let in_force = match offence.read.kind {
            Kind::Nothing => Some(offence.read.before_fen.clone()),
            _ => Some(place::fen(&offence.read.after())),
        };
        if self.rules.articles(offence.topic).is_empty() {
            return self.nothing(&[], in_force);
        }
        Proposal { in_force, ..self.proposal(Some(offence.topic), Consequence::Discretionary) }
            .cite(self, &[offence.topic, Topic::Discretion])
    }

    /// What follows if it is ruled on.
    fn ruled(&self, offence: &Offence<'_>, claimed: bool) -> Proposal {
        let (rules, by) = (self.rules, offence.read.by);
        let early = !self.case.is_answered() && self.case.situation == Situation::Action;
        let at_once = claimed && early;
        if matches!(rules.seconds, Seconds::IfClaimedAtOnce(_)) && !at_once {
            return self.put_back_only(offence);
        }
        if let Some(proposal) = self.flag_after(offence) {
            return proposal;
        }
        let number = self.case.counted(rules, by) + 1;
        let mut proposal = self.proposal(Some(offence.topic), Consequence::TimePenalty);
        proposal.offence = Some(number);
        proposal.offences_after[by] += 1;
        proposal.restore = Some(offence.restore.clone());
        proposal = proposal.window(rules.window.word(), true).cite(self, &[Topic::Regime]);
        if rules.loses_at.is_some_and(|at| number >= at) {
            return self.protested(self.lost(proposal, offence));
        }
        proposal.replacement = offence.duty.clone();
        proposal.penalty = rules.seconds(at_once).map(|seconds| (by.other(), seconds));
        if proposal.penalty.is_some() {
            proposal = proposal.cite(self, &[Topic::Seconds]);
        }
        let penal = if number == 1 { Topic::FirstOffence } else { Topic::RepeatedOffence };
        proposal =
            proposal.cite(self, &offence.topics).cite(self, &[offence.topic]).cite(self, &offence.also);
        proposal = proposal.cite(self, &[Topic::ClaimedAtOnce, penal]);
        if self.case.observed {
            proposal = proposal.cite(self, &[Topic::SeenByArbiter]);
        }
        if let Some(duty) = &offence.duty {
            proposal = proposal.cite(self, &[duty.rule]);
        }
        self.clocks_after(self.by_settings(self.protested(proposal), offence, number))
    }

    /// What an event may choose about an offence that does not lose.
    fn by_settings(&self, mut proposal: Proposal, offence: &Offence<'_>, number: u32) -> Proposal {
        if matches!(self.rules.set.seconds, Seconds::BySetting(_)) {
            proposal = proposal.settled(SettingId::B2Seconds);
        }
        if self.rules.set.loses_at.is_none() && number > 1 && offence.topic == Topic::IllegalMove {
            proposal = proposal.settled(SettingId::UscfRepeatOffence);
            if self.rules.settings.is(SettingId::UscfRepeatOffence, "director-decides") {
                proposal.consequence = Consequence::ArbiterDecides;
                proposal.penalty = None;
            }
        }
        proposal
    }

    /// The opponent has pressed back without a move.
    fn protested(&self, mut proposal: Proposal) -> Proposal {
        if self.case.reply.state != ReplyState::PressedBack || !self.rules.counts(Topic::PressWithoutMove) {
            return proposal;
        }
        proposal = proposal.settled(SettingId::ProtestPress).cite(self, &[Topic::ProtestPress]);
        if self.rules.settings.is(SettingId::ProtestPress, "counted")
            && let Some(by) = self.case.act.actor.or(self.case.earlier.last().and_then(|act| act.actor))
        {
            proposal.offences_after[by.other()] += 1;
            proposal = proposal.also(&[Topic::PressWithoutMove]);
        }
        proposal
    }

    fn clocks_after(&self, proposal: Proposal) -> Proposal {
        use ClockStep::{AddPenalty, GiveBackTime, JudgeTimes, UndoBothIncrements, UndoIncrement};
        if proposal.consequence != Consequence::TimePenalty {
            return proposal.clocks(&[JudgeTimes]);
        }
        let late = self.case.situation == Situation::FoundLate;
        if matches!(self.rules.set.seconds, Seconds::IfClaimedAtOnce(_)) {
            return proposal.clocks(&[AddPenalty]);
        }
        if late || self.case.is_answered() {
            return proposal.clocks(&[JudgeTimes, AddPenalty]).cite(self, &[Topic::TimesByJudgement]);
        }
        if self.case.flag.is_some() {
            return proposal
                .clocks(&[GiveBackTime, AddPenalty, JudgeTimes])
                .also(&[Topic::FlagFall])
                .settled(SettingId::IllegalThenFlag)
                .cite(self, &[Topic::TimesByJudgement, Topic::FlagObserved]);
        }
        match self.case.reply.state {
            ReplyState::PressedBack => proposal.clocks(&[UndoBothIncrements, AddPenalty, JudgeTimes]),
            _ => proposal.clocks(&[UndoIncrement, AddPenalty, JudgeTimes]),
        }
    }

    /// The opponent's flag fell after the offence, and no text says which comes first.
    fn flag_after(&self, offence: &Offence<'_>) -> Option<Proposal> {
        let flag = self.case.flag.filter(|flag| flag.side != offence.read.by)?;
        if !self.rules.settings.is(SettingId::IllegalThenFlag, "arbiter-decides") {
            return None;
        }
        let about = if matches!(flag.called_by, Some(super::Caller::Player(_))) {
            Topic::FlagClaimed
        } else {
            Topic::FlagFall
        };
        let proposal = self
            .proposal(Some(offence.topic), Consequence::ArbiterDecides)
            .window(self.rules.window.word(), true)
            .also(&[Topic::FlagFall])
            .settled(SettingId::IllegalThenFlag);
        Some(proposal.cite(self, &[Topic::Regime, about, offence.topic]))
    }

    /// Put back without time or count, as where nobody claimed at once.
    fn put_back_only(&self, offence: &Offence<'_>) -> Proposal {
        let mut proposal = Proposal {
            restore: Some(offence.restore.clone()),
            replacement: offence.duty.clone(),
            ..self.proposal(Some(offence.topic), Consequence::RestoreOnly)
        }
        .window(self.rules.window.word(), true)
        .clocks(&[ClockStep::Untouched]);
        if let Some(duty) = &offence.duty {
            proposal = proposal.cite(self, &[duty.rule]);
        }
        let seen = self.case.observed && self.case.situation == Situation::Action;
        proposal = proposal.cite(self, &[offence.topic]);
        if seen { proposal.cite(self, &[Topic::SeenByArbiter]) } else { proposal }
    }

    /// The offence that loses, unless the opponent cannot mate.
    fn lost(&self, mut proposal: Proposal, offence: &Offence<'_>) -> Proposal {
        let winner = offence.read.by.other();
        let fen = offence.restore.clone();
        let (consequence, result) = match self.rules.exception {
            Exception::Helpmate => match self.ask(&mut proposal.asked, &fen, winner) {
                CanStillMate::Yes => (Consequence::Loss, Some(Score::Won(winner))),
                CanStillMate::No => (Consequence::Draw, Some(Score::Draw)),
                CanStillMate::NotProven => (Consequence::ArbiterDecides, None),
            },
            Exception::MaterialList | Exception::InsufficientToWin if lacks_mating_list(&fen, winner) => {
                proposal = proposal.cite(self, &[Topic::DrawnByClaim]);
                (Consequence::Draw, Some(Score::Draw))
            }
            Exception::MaterialList | Exception::InsufficientToWin => {
                (Consequence::WinClaim, Some(Score::Won(winner)))
            }
            Exception::None => (Consequence::Loss, Some(Score::Won(winner))),
        };
        (proposal.consequence, proposal.result) = (consequence, result);
        // Where the first offence loses, the regime's own article says so.
        let penal: &[Topic] = if self.rules.loses_at == Some(1) { &[] } else { &[Topic::RepeatedOffence] };
        proposal
            .cite(self, &offence.topics)
            .cite(self, &[offence.topic])
            .cite(self, &offence.also)
            .cite(self, penal)
            .cite(self, &[Topic::WonByClaim])
            .clocks(&[ClockStep::Stop])
    }

    /// An illegal move answered by an illegal move, where the first takes the game back.
    pub(super) fn chain(&self, first: &Offence<'_>, second: &Read) -> Proposal {
        let mut proposal = self.offence(first).settled(SettingId::IllegalChainAdditions);
        if let Kind::Illegal(fault) = &second.kind {
            proposal = proposal.cite(self, &fault.reasons);
        }
        if proposal.consequence != Consequence::TimePenalty {
            return proposal;
        }
        proposal.offences_after[second.by] += 1;
        proposal.clocks = vec![ClockStep::JudgeTimes];
        match self.rules.settings.get(SettingId::IllegalChainAdditions) {
            "each-gets-time" => {}
            "none" => {
                proposal.consequence = Consequence::RestoreOnly;
                proposal.penalty = None;
            }
            _ => {
                proposal.consequence = Consequence::ArbiterDecides;
                proposal.penalty = None;
            }
        }
        proposal
    }

    /// The king was taken after an illegal move, and that wins.
    pub(super) fn king_taken(&self, earlier: &Read, by: Color) -> Proposal {
        let mut proposal = self.proposal(Some(Topic::IllegalMove), Consequence::WinClaim);
        let number = self.case.counted(self.rules, earlier.by) + 1;
        proposal.offence = Some(number);
        proposal.offences_after[earlier.by] += 1;
        proposal.restore = Some(earlier.before_fen.clone());
        proposal.result = Some(Score::Won(by));
        if self.rules.exception == Exception::MaterialList && lacks_mating_list(&earlier.before_fen, by) {
            (proposal.consequence, proposal.result) = (Consequence::Draw, Some(Score::Draw));
            proposal = proposal.cite(self, &[Topic::DrawnByClaim]);
        }
        let topics = [Topic::Regime, Topic::KingCaptured, Topic::IllegalMove, Topic::WonByClaim];
        let mut proposal = proposal.window(self.rules.window.word(), true).cite(self, &topics);
        proposal.claim = self.answer(by, ClaimOf::IllegalMove, &proposal);
        proposal.clocks(&[ClockStep::Stop])
    }
}
