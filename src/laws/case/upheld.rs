//! What follows if a finding is upheld: the table's way to the proposals of cases.

use shakmaty::Color;

use super::act::{Kind, Read};
use super::offence::Offence;
use super::{Act, Case, Claim, ClaimOf, Desk, Duty, Proposal, Situation, propose};
use crate::game::Position;
use crate::laws::ruleset::{Rules, SettingId, Topic};
use crate::mating::CanStillMate;

/// An offence as the detectors found it.
#[derive(Clone, Debug)]
pub struct Upheld<'a> {
    /// What was found; one of the offences of the rule set.
    pub topic: Topic,
    /// Whose it is.
    pub by: Color,
    /// The last correct position, as a FEN.
    pub position: &'a str,
    /// The moves that led there, as far as they matter.
    pub history: &'a [String],
    /// What was done.
    pub act: Act,
    /// The position to put on the board, if not the last correct one.
    pub restore: Option<String>,
    /// The duty of the move that replaces it.
    pub duty: Option<Duty>,
    /// Offences of the same player upheld before.
    pub earlier: u32,
}

impl Upheld<'_> {
    /// What follows under `rules` from the same facts as a case, settings included; `None` where a
    /// case reads something else in them than the detectors did.
    #[must_use]
    pub fn as_case(&self, rules: &Rules) -> Option<Proposal> {
        Position::from_fen(self.position).filter(|before| before.turn == self.by)?;
        let mut case = self.case(rules)?;
        case.position = Some(self.position.to_owned());
        // Where these moves began is not known here, nor does it matter.
        case.history = Some((String::new(), self.history.to_vec()));
        case.act = self.act.clone();
        let unanswered = |_: &str, _: Color| CanStillMate::NotProven;
        let proposal = propose(&case, rules, &unanswered);
        let same = proposal.finding == Some(self.topic)
            || self.topic == Topic::CastlingIncomplete && proposal.also.contains(&self.topic)
            || proposal.settled_by.contains(&SettingId::WrongPromotionPiece);
        (same && proposal.offence.is_some()).then_some(proposal)
    }

    /// Earlier offences, and the claim that would set the consequences going.
    fn case(&self, rules: &Rules) -> Option<Case> {
        let mut case = Case::new(Situation::Action);
        let kind = rules.offences.first()?.name();
        case.offences[self.by] = (0..self.earlier).map(|_| kind.to_owned()).collect();
        case.claims = vec![Claim { by: self.by.other(), of: ClaimOf::IllegalMove }];
        Some(case)
    }

    /// What follows under `rules`. Mating questions are put, and not answered yet.
    #[must_use]
    pub fn proposal(&self, rules: &Rules) -> Option<Proposal> {
        let mut before = Position::from_fen(self.position)?;
        before.turn = self.by;
        let case = self.case(rules)?;
        let unanswered = |_: &str, _: Color| CanStillMate::NotProven;
        let desk = Desk { case: &case, rules, mates: &unanswered };
        let read = Read::of(&before, self.position.to_owned(), &self.act, self.history);
        let mut offence = Offence::new(&read, self.topic);
        match (&read.kind, self.topic) {
            (Kind::Illegal(fault), Topic::IllegalMove) => offence.topics.clone_from(&fault.reasons),
            (_, Topic::PawnNotPromoted) => offence.topics.push(Topic::PromotionPiece),
            _ => {}
        }
        if let Some(restore) = &self.restore {
            offence.restore.clone_from(restore);
        }
        offence.duty.clone_from(&self.duty);
        Some(desk.offence(&offence))
    }
}
