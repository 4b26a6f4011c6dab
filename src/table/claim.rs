//! Claims: what the table knows of the game when a player claims something, and the report on it.
//!
//! Only on request. A claim raises no alert, counts nothing, and is told to nobody but who asked.

use shakmaty::{ByColor, Color};

use super::{Effects, Publish, Table, count};
use crate::alerts::{AlertState, Decision, Outcome, Report, Request, Response};
use crate::events::Pieces;
use crate::game::{Completed, Completion};
use crate::laws::{
    Advice, AlertSeen, Circumstances, ClaimKind, ClaimReport, ClaimView, ClaimedState, Finding, FlagSeen,
    Line, PlayersClaim, RuleId, TurnSeen, advise, examine,
};
use crate::mating::{Answer, CanStillMate};
use crate::tick::Tick;
use crate::timeline::{CONTACTS_MAX, Clock, Contact};

/// Findings for the record that a claim can still find.
pub(super) const NOTED_MAX: usize = 64;

/// The link is lost, or what happened meanwhile is not yet explained.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deaf {
    plies: usize,
    clock: Option<Clock>,
}

impl Table {
    /// A player claims something. What follows from a fallen flag is revised once the mating question
    /// is answered.
    pub(super) fn claim(&mut self, request: &Request, claim: &PlayersClaim, out: &mut Effects) -> Response {
        if let Some(why) = claim.fault() {
            return Response::new(request, Err(why.to_owned()));
        }
        let report = self.report_on(claim);
        if report.may_claim.open != Some(false) {
            let (now, rules) = (self.now, self.rules.clone());
            self.desks(out, |desk, out| {
                drop(desk.claimed(claim.by, |code| claim.fits(code, &rules), now, out))
            });
        }
        let asked = report.asked.first().cloned();
        let text = report.text();
        let report = Some(Box::new(Report::Claim(report)));
        let response = Response { report, ..Response::new(request, Ok(text)) };
        if let Some(asked) = asked {
            self.claims.push((asked.fen, asked.winner, response.clone()));
        }
        response
    }

    /// The questions that the claims of this step ask, once their answers have been given.
    pub(super) fn ask_for_claims(&mut self, out: &mut Effects) {
        for (fen, side, response) in std::mem::take(&mut self.claims) {
            self.ask_for_claim(fen, side, response, out);
        }
    }

    /// The mating solver has answered what a claim depends on.
    pub(super) fn claim_answered(
        &mut self,
        mut response: Response,
        side: Color,
        answer: &Answer,
        out: &mut Effects,
    ) {
        let Some(Report::Claim(report)) = response.report.as_deref_mut() else { return };
        report.answered(&self.rules, side, answer.verdict());
        response.revision += 1;
        self.answers.revise(&response);
        out.publish.push(Publish::Response(response));
    }

    /// What the record says of a claim. Mating questions are put, and not answered yet.
    pub(super) fn report_on(&self, claim: &PlayersClaim) -> ClaimReport {
        // A move that the opponent has made and not completed gives the claimant the move.
        let made = self.tracker.move_shown().filter(|_| {
            let draw = matches!(claim.of, ClaimKind::Threefold | ClaimKind::Fifty);
            draw && self.tracker.record().end().turn != claim.by
        });
        let mut record = self.tracker.record().clone();
        let plies = record.len();
        if let Some(m) = &made {
            let by = Completed::Reply;
            record.push_move(m, Completion { by, placed_at: None, pressed_at: None, dials: None });
        }
        let turn = match made {
            Some(_) => TurnSeen::of(record.end(), count(record.len()), &[], None, true),
            None => self.turn_after(plies),
        };
        let noted: Vec<Advice> = self.noted.iter().map(|finding| self.advice_on(finding)).collect();
        let noted = self.noted.iter().zip(&noted).map(|(finding, advice)| AlertSeen {
            finding,
            advice,
            state: ClaimedState::Noted,
        });
        let alerts = self.desk.known().map(|alert| AlertSeen {
            finding: alert.primary(),
            advice: &alert.advice,
            state: match (&alert.ruling, alert.state) {
                (Some(ruling), _) if ruling.outcome == Outcome::Ruled(Decision::Upheld) => {
                    ClaimedState::Upheld
                }
                (Some(_), _) => ClaimedState::Dismissed,
                (None, AlertState::Open) => ClaimedState::Open,
                (None, _) => ClaimedState::Closed,
            },
        });
        let alerts = noted.chain(alerts);
        let view = ClaimView {
            rules: &self.rules,
            line: Line::of(&record, self.tracker.declared(), &self.unheard),
            lost: !self.line.is_up()
                || !self.line.has_dump()
                || !self.tracker.is_certain()
                || self.tracker.is_judging(),
            over: self.tracker.is_over(),
            chess960: record.is_chess960(),
            occupancy: self.setup.pieces == Pieces::Occupancy,
            uncompleted: made.is_some(),
            turn,
            last: plies.checked_sub(1).map(|plies| self.turn_after(plies)),
            alerts: alerts.collect(),
            offences: ByColor {
                white: self.desk.offences(Color::White),
                black: self.desk.offences(Color::Black),
            },
            flag: self.flags(),
            mates: &|_, _| CanStillMate::NotProven,
        };
        examine(claim, &view)
    }

    /// What the Laws propose for a finding that has no alert.
    fn advice_on(&self, finding: &Finding) -> Advice {
        let earlier = finding.side.map_or(0, |side| self.desk.offences(side));
        advise(finding, &self.rules, &Circumstances::after(earlier))
    }

    /// A finding for the record that a player may claim is kept, so that a claim finds it.
    pub(super) fn note(&mut self, finding: &Finding) {
        let claimable = ClaimKind::ALL.iter().any(|of| {
            let by = finding.side.map_or(Color::White, Color::other);
            PlayersClaim { by, of: *of, written: None, square: None }.fits(finding.code, &self.rules)
        });
        if !claimable || finding.side.is_none() || self.desk.known().any(|a| a.findings.contains(finding)) {
            return;
        }
        if self.noted.len() == NOTED_MAX {
            self.noted.pop_front();
        }
        self.noted.push_back(finding.clone());
    }

    /// What was taken up and put down in the turn after so many plies.
    fn turn_after(&self, plies: usize) -> TurnSeen {
        let record = self.tracker.record();
        let from = self.tracker.turn_since(plies);
        let entry = record.entries().get(plies);
        let until = entry.map(|_| self.tracker.turn_since(plies + 1));
        let contacts: Vec<Contact> = self
            .line
            .contacts_since(from)
            .filter(|contact| until.is_none_or(|until| contact.at < until))
            .copied()
            .collect();
        // What was forgotten may have belonged to the turn.
        let all: Vec<Tick> = self.line.contacts_since(Tick::ZERO).map(|contact| contact.at).collect();
        let kept = all.len() < CONTACTS_MAX || all.first().is_some_and(|first| *first < from);
        let seen = kept && entry.is_none_or(|entry| !entry.unseen) && self.tracker.is_certain();
        let played = entry.and_then(|entry| entry.m);
        let turn = TurnSeen::of(record.at(plies), count(plies), &contacts, played, seen);
        TurnSeen { done: entry.is_some(), ..turn }
    }

    fn flags(&self) -> FlagSeen {
        let fallen = |side: Color| {
            let flag = self
                .desk
                .known()
                .flat_map(|alert| &alert.findings)
                .find(|finding| finding.code == RuleId::FlagFall && finding.side == Some(side));
            flag.map(|finding| finding.at)
        };
        FlagSeen {
            fallen: ByColor { white: fallen(Color::White), black: fallen(Color::Black) },
            dials: self.line.clock().map(|clock| clock.dials()),
            control: self.setup.time_control,
            now: self.now,
        }
    }

    /// The link is lost: what is played from now on is not heard.
    pub(super) fn deaf(&mut self) {
        let (plies, clock) = (self.tracker.record().len(), self.line.clock());
        self.deaf.get_or_insert(Deaf { plies, clock });
    }

    /// Once the board is heard and its position is known again: if nothing has changed, moves may
    /// have been made and unmade, unless the clock shows that nobody pressed.
    pub(super) fn heard_again(&mut self) {
        let Some(deaf) = self.deaf.filter(|_| self.line.is_up() && self.tracker.is_certain()) else { return };
        self.deaf = None;
        let clock = self.line.clock().filter(|_| self.line.clock_is_heard());
        let ran_on = deaf.clock.zip(clock).is_some_and(|(before, now)| now.ran_on_since(&before));
        let ply = count(deaf.plies);
        if !ran_on && self.tracker.record().len() == deaf.plies && !self.unheard.contains(&ply) {
            self.unheard.push(ply);
        }
    }
}
