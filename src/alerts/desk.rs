//! The desk: all alerts of one board, rulings on them, and the ledger of offences.
//!
//! Memory is bounded: the last [`ANSWERS`] answers, [`CLOSED`] closed and [`OPEN`] open alerts are
//! kept, older ones are forgotten; what they put into the ledger stays until the next game.

use std::collections::VecDeque;

use shakmaty::Color;

use super::alert::{Alert, AlertState, Notify, Ruling};
use super::ledger::Ledger;
use super::request::{Decision, Request, Response, Verb};
use crate::events::BoardId;
use crate::laws::{Finding, MatingAsk, NotifyRule, Rules, Severity, advise};
use crate::mating::Answer;
use crate::table::Publish;
use crate::tick::Tick;

/// Answers remembered, so that a request sent again is not acted on again.
pub const ANSWERS: usize = 256;
/// Closed alerts remembered, so that a ruling can be corrected.
const CLOSED: usize = 128;
/// Open alerts of one game; with more the oldest is closed, and is told so.
const OPEN: usize = 64;
/// Alerts remembered.
pub const ALERTS_MAX: usize = CLOSED + OPEN;

/// An alert and the rules it was made under.
#[derive(Debug)]
struct Kept {
    alert: Alert,
    rules: Rules,
    /// The window of a claim has been closed by a reply.
    replied: bool,
}

/// All alerts of one board.
///
/// It publishes alerts only: the caller publishes findings, withdrawals and responses.
#[derive(Debug, Default)]
pub struct Desk {
    kept: Vec<Kept>,
    ledger: Ledger,
    answers: VecDeque<(Request, Response)>,
}

impl Desk {
    /// A finding has been made or revised. Severities `act` and `check` open (or revise) an alert;
    /// any severity revises the alert that already holds the finding.
    pub fn found(&mut self, board: &BoardId, finding: &Finding, rules: &Rules, out: &mut Vec<Publish>) {
        if let Some(at) = self.holding(&finding.id) {
            self.revise_finding(at, finding, out);
        } else if finding.severity < Severity::Check {
            // For the record only.
        } else if let Some(at) = self.same_incident(finding) {
            self.kept[at].alert.findings.push(finding.clone());
            self.publish(at, finding.at, out);
        } else {
            self.open_alert(board, vec![finding.clone()], rules, finding.at, out);
        }
    }

    /// Later evidence took a finding back.
    pub fn withdrawn(&mut self, id: &str, at: Tick, out: &mut Vec<Publish>) {
        let Some(index) = self.holding(id) else { return };
        let kept = &mut self.kept[index];
        if kept.alert.state != AlertState::Open {
            // An arbiter's ruling stands until he changes it.
            return;
        }
        if kept.alert.primary().id != id {
            kept.alert.findings.retain(|finding| finding.id != id);
            self.publish(index, at, out);
            return;
        }
        let rest: Vec<Finding> = kept.alert.findings.iter().skip(1).cloned().collect();
        kept.alert.state = AlertState::Withdrawn;
        kept.alert.findings.truncate(1);
        let (board, rules) = (kept.alert.board.clone(), kept.rules.clone());
        self.publish(index, at, out);
        if rest.iter().any(|finding| finding.severity >= Severity::Check) {
            self.open_alert(&board, rest, &rules, at, out);
        }
        self.forget();
    }

    /// The position of the alert was restored, or a new game began: it closes without a ruling.
    pub fn closed(&mut self, id: &str, at: Tick, out: &mut Vec<Publish>) {
        let Some(index) = self.holding(id) else { return };
        if self.kept[index].alert.state == AlertState::Open {
            self.kept[index].alert.state = AlertState::Closed;
            self.publish(index, at, out);
            self.forget();
        }
    }

    /// Someone asks for something; the same id asked again gives the same answer.
    ///
    /// An answer is remembered whatever it was: after a refusal, ask again under a new id.
    pub fn request(&mut self, request: &Request, at: Tick, out: &mut Vec<Publish>) -> Response {
        if let Some((asked, answer)) = self.answers.iter().find(|(asked, _)| asked.id == request.id) {
            if asked.verb == request.verb {
                return answer.clone();
            }
            let what =
                format!("id \"{}\" was used for another request: ask again under a new id", request.id);
            return Response { id: request.id.clone(), verb: request.verb.word(), outcome: Err(what) };
        }
        let outcome = match &request.verb {
            Verb::Rule { alert, ruling } => self.rule(alert, *ruling, request, at, out),
        };
        let answer = Response { id: request.id.clone(), verb: request.verb.word(), outcome };
        if self.answers.len() == ANSWERS {
            self.answers.pop_front();
        }
        self.answers.push_back((request.clone(), answer.clone()));
        answer
    }

    /// The mating solver has answered the question that the advice of this alert asked.
    pub fn mating_answered(
        &mut self,
        id: &str,
        asked: &MatingAsk,
        answer: &Answer,
        at: Tick,
        out: &mut Vec<Publish>,
    ) {
        let Some(index) = self.holding(id) else { return };
        let alert = &mut self.kept[index].alert;
        // The advice may have changed since, and with it the question.
        if alert.advice.mating.as_ref() != Some(asked) || alert.mating.as_ref() == Some(answer) {
            return;
        }
        alert.advice.answered(&alert.findings[0], answer.verdict());
        alert.mating = Some(answer.clone());
        if alert.state == AlertState::Open {
            self.publish(index, at, out);
        }
    }

    /// `by` has made (released) a move: claims against the other player that only wait for that
    /// are closed, and what they were about stands.
    pub fn reply_made(&mut self, by: Color, at: Tick, out: &mut Vec<Publish>) {
        for index in 0..self.kept.len() {
            let kept = &mut self.kept[index];
            let Alert { advice, findings, state, .. } = &mut kept.alert;
            if *state != AlertState::Open || findings[0].side != Some(by.other()) || kept.replied {
                continue;
            }
            let before = advice.clone();
            advice.close_window();
            if *advice != before {
                kept.replied = true;
                kept.alert.mating = None;
                self.publish(index, at, out);
            }
        }
    }

    /// A player has stopped the clock: silent alerts that can still be claimed are now announced;
    /// if there are none, the newest silent one, so that a late claim finds its answer.
    pub fn clock_stopped(&mut self, at: Tick, out: &mut Vec<Publish>) {
        let silent =
            |kept: &Kept| kept.alert.state == AlertState::Open && kept.alert.notify == Notify::Silent;
        let mut tell: Vec<usize> = (0..self.kept.len())
            .filter(|index| silent(&self.kept[*index]) && self.kept[*index].alert.advice.window_open())
            .collect();
        if tell.is_empty() {
            tell.extend(self.kept.iter().rposition(silent));
        }
        for index in tell {
            self.kept[index].alert.notify = Notify::Now;
            self.publish(index, at, out);
        }
    }

    /// Upheld offences of a side.
    #[must_use]
    pub fn offences(&self, side: Color) -> u32 {
        self.ledger.count(side)
    }

    /// The open alerts, oldest first.
    pub fn open(&self) -> impl Iterator<Item = &Alert> {
        self.kept.iter().map(|kept| &kept.alert).filter(|alert| alert.state == AlertState::Open)
    }

    /// A new game: the ledger starts again and open alerts close. Rulings on alerts of the game
    /// before are no longer possible.
    pub fn new_game(&mut self, at: Tick, out: &mut Vec<Publish>) {
        for index in 0..self.kept.len() {
            if self.kept[index].alert.state == AlertState::Open {
                self.kept[index].alert.state = AlertState::Closed;
                self.publish(index, at, out);
            }
        }
        self.kept.clear();
        self.ledger.clear();
    }

    /// The alert that holds a finding.
    fn holding(&self, finding: &str) -> Option<usize> {
        self.kept.iter().rposition(|kept| kept.alert.findings.iter().any(|known| known.id == finding))
    }

    /// The open alert of the same incident: one press, or found at the same moment without one.
    fn same_incident(&self, finding: &Finding) -> Option<usize> {
        let facts = &finding.facts;
        self.kept.iter().rposition(|kept| {
            let first = kept.alert.primary();
            let same = (first.facts.game, first.facts.ply, first.facts.pressed_at)
                == (facts.game, facts.ply, facts.pressed_at);
            let together = facts.pressed_at.is_some() || first.at == finding.at;
            kept.alert.state == AlertState::Open && same && together
        })
    }

    fn open_alert(
        &mut self,
        board: &BoardId,
        findings: Vec<Finding>,
        rules: &Rules,
        at: Tick,
        out: &mut Vec<Publish>,
    ) {
        let Some(primary) = findings.first() else { return };
        let offences = self.offences_before(primary);
        let advice = advise(primary, rules, of_side(offences, primary.side));
        let notify = match rules.notify {
            NotifyRule::Inform if advice.window.is_some() => Notify::Silent,
            NotifyRule::Inform | NotifyRule::Now => Notify::Now,
        };
        let alert = Alert {
            board: board.clone(),
            id: primary.id.clone(),
            // A finding that was for the record before has used the lower numbers.
            revision: primary.revision,
            state: AlertState::Open,
            notify,
            advice,
            findings,
            mating: None,
            ruleset: rules.key.to_owned(),
            offences,
            ruling: None,
            at,
        };
        out.push(Publish::Alert(Box::new(alert.clone())));
        self.kept.push(Kept { alert, rules: rules.clone(), replied: false });
        let oldest = self.open().next().map(|alert| alert.id.clone());
        if let Some(oldest) = oldest.filter(|_| self.open().count() > OPEN) {
            self.closed(&oldest, at, out);
        }
    }

    /// How many alerts and answers are remembered.
    #[must_use]
    pub fn holds(&self) -> (usize, usize) {
        (self.kept.len(), self.answers.len())
    }

    fn revise_finding(&mut self, index: usize, finding: &Finding, out: &mut Vec<Publish>) {
        let alert = &mut self.kept[index].alert;
        let Some(place) = alert.findings.iter().position(|known| known.id == finding.id) else { return };
        if alert.findings[place] == *finding {
            return;
        }
        alert.findings[place] = finding.clone();
        alert.revision = alert.revision.max(finding.revision);
        if alert.state == AlertState::Open && !alert.asks() {
            alert.state = AlertState::Withdrawn;
        } else if alert.state == AlertState::Withdrawn && alert.asks() {
            alert.state = AlertState::Open;
        }
        self.advise_again(index);
        self.publish(index, finding.at, out);
        self.forget();
    }

    /// Upheld offences of White and Black, without those of the action of `finding` itself.
    fn offences_before(&self, finding: &Finding) -> (u32, u32) {
        let count = |side| self.ledger.count_before(side, &finding.id, finding);
        (count(Color::White), count(Color::Black))
    }

    /// Makes the advice of an alert anew, keeping what has been learned since. Whether it changed.
    fn advise_again(&mut self, index: usize) -> bool {
        let kept = &self.kept[index];
        let primary = kept.alert.primary();
        let offences = self.offences_before(primary);
        let mut advice = advise(primary, &kept.rules, of_side(offences, primary.side));
        if kept.replied {
            advice.close_window();
        }
        let same = advice.mating == kept.alert.advice.mating;
        let answer = kept.alert.mating.clone().filter(|_| same);
        if let Some(answer) = &answer {
            advice.answered(primary, answer.verdict());
        }
        let alert = &mut self.kept[index].alert;
        alert.mating = answer;
        let changed = alert.advice != advice || alert.offences != offences;
        alert.advice = advice;
        alert.offences = offences;
        changed
    }

    fn publish(&mut self, index: usize, at: Tick, out: &mut Vec<Publish>) {
        let alert = &mut self.kept[index].alert;
        alert.revision = alert.revision.saturating_add(1);
        alert.at = at;
        out.push(Publish::Alert(Box::new(alert.clone())));
    }

    fn rule(
        &mut self,
        id: &str,
        decision: Decision,
        request: &Request,
        at: Tick,
        out: &mut Vec<Publish>,
    ) -> Result<String, String> {
        let Some(index) = self.kept.iter().rposition(|kept| kept.alert.id == id) else {
            return Err(format!("alert \"{id}\" is not known on this board: {}", self.open_ids()));
        };
        let kept = &mut self.kept[index];
        if kept.alert.state == AlertState::Withdrawn {
            return Err(format!(
                "alert \"{id}\" was withdrawn, there is nothing to rule on: {}",
                self.open_ids()
            ));
        }
        let offender = Ledger::offender(&kept.alert.findings, &kept.rules);
        match decision {
            Decision::Upheld => self.ledger.uphold(id, &kept.alert.findings, &kept.rules),
            Decision::Dismissed => self.ledger.reverse(id),
        }
        kept.alert.state = AlertState::Closed;
        kept.alert.ruling =
            Some(Ruling { decision, by: request.by.clone(), at, request: request.id.clone() });
        self.publish(index, at, out);
        for other in 0..self.kept.len() {
            let open = self.kept[other].alert.state == AlertState::Open;
            if open && self.advise_again(other) {
                self.publish(other, at, out);
            }
        }
        self.forget();
        Ok(match offender {
            Some(side) => {
                let count = self.offences(side);
                let plural = if count == 1 { "offence" } else { "offences" };
                format!("{id} {}: {side} has {count} upheld {plural}", decision.word())
            }
            None => format!("{id} {}: nothing is counted for it", decision.word()),
        })
    }

    /// The open alerts in a sentence.
    fn open_ids(&self) -> String {
        let ids: Vec<&str> = self.open().map(|alert| alert.id.as_str()).collect();
        match ids[..] {
            [] => "no alert is open".to_owned(),
            _ => format!("open are {}", ids.join(", ")),
        }
    }

    /// Lets go of the oldest alerts that are no longer open.
    fn forget(&mut self) {
        let done = |kept: &Kept| kept.alert.state != AlertState::Open;
        let mut surplus = self.kept.iter().filter(|kept| done(kept)).count().saturating_sub(CLOSED);
        self.kept.retain(|kept| {
            let drop = surplus > 0 && done(kept);
            surplus -= usize::from(drop);
            !drop
        });
    }
}

/// The figure of one side; 0 if it is nobody's.
fn of_side(figures: (u32, u32), side: Option<Color>) -> u32 {
    side.map_or(0, |side| if side == Color::White { figures.0 } else { figures.1 })
}
