//! What an arbiter enters about an alert: rulings and taking them back, what he saw, what the players
//! agreed, contacts that were accidental.

use super::{Desk, Kept};
use crate::alerts::alert::{AlertState, Outcome, Ruling};
use crate::alerts::ledger::Ledger;
use crate::alerts::request::{Decision, Request, Sight, Verb};
use crate::laws::{May, RuleId, Wait, color_name};
use crate::table::Publish;
use crate::tick::Tick;

/// Rulings on one alert that can be taken back, one after the other.
const RULINGS: usize = 8;

impl Desk {
    /// Does what is asked about an alert. `None`: the request is not about an alert.
    ///
    /// # Errors
    /// What is wrong and what would be right.
    pub fn act(
        &mut self,
        request: &Request,
        at: Tick,
        out: &mut Vec<Publish>,
    ) -> Option<Result<String, String>> {
        Some(match &request.verb {
            Verb::Rule { alert, ruling, why } => self
                .find(alert)
                .and_then(|index| self.enter(index, Outcome::Ruled(*ruling), why.clone(), request, at, out)),
            Verb::AgreedCorrection { alert } => self
                .find(alert)
                .and_then(|index| self.enter(index, Outcome::AgreedCorrection, None, request, at, out)),
            Verb::Undo { alert } => self.find(alert).and_then(|index| self.undo(index, at, out)),
            Verb::Seen { alert, what } => {
                self.find(alert).and_then(|index| self.seen(index, *what, &request.by, at, out))
            }
            Verb::Strike { alert, steps } => {
                self.find(alert).and_then(|index| self.strike(index, steps, at, out))
            }
            Verb::Report { .. } | Verb::Claim(_) | Verb::Restore(_) => return None,
        })
    }

    pub(super) fn find(&self, id: &str) -> Result<usize, String> {
        self.kept
            .iter()
            .rposition(|kept| kept.alert.id == id)
            .ok_or_else(|| format!("alert \"{id}\" is not known on this board: {}", self.open_ids()))
    }

    fn enter(
        &mut self,
        index: usize,
        outcome: Outcome,
        why: Option<String>,
        request: &Request,
        at: Tick,
        out: &mut Vec<Publish>,
    ) -> Result<String, String> {
        let open = self.open_ids();
        let kept = &mut self.kept[index];
        let id = kept.alert.id.clone();
        if kept.alert.state == AlertState::Withdrawn {
            return Err(format!("alert \"{id}\" was withdrawn, there is nothing to rule on: {open}"));
        }
        if kept.before.len() == RULINGS {
            kept.before.remove(0);
        }
        kept.before.push((kept.alert.state, kept.alert.ruling.take()));
        let ruling = Ruling { outcome, why, by: request.by.clone(), at, request: request.id.clone() };
        kept.alert.ruling = Some(ruling);
        kept.alert.state = AlertState::Closed;
        self.announce(index);
        self.count(index);
        self.publish(index, at, out);
        self.advise_others(at, out);
        let kept = &self.kept[index];
        let offender = Ledger::offender(&kept.alert.findings, &kept.rules);
        self.forget();
        let word = outcome.word();
        Ok(match (offender, outcome) {
            (Some(side), Outcome::Ruled(_)) => {
                format!("{id} {word}: {}", self.offences_in_words(side))
            }
            (None, Outcome::Ruled(_)) => format!("{id} {word}: nothing is counted for it"),
            (_, Outcome::AgreedCorrection) => {
                format!("{id}: the players go back by agreement, nothing is counted")
            }
        })
    }

    /// The latest ruling is taken back: everything is as it was before it.
    fn undo(&mut self, index: usize, at: Tick, out: &mut Vec<Publish>) -> Result<String, String> {
        let kept = &mut self.kept[index];
        let id = kept.alert.id.clone();
        let Some((state, ruling)) = kept.before.pop() else {
            return Err(format!("alert \"{id}\" has no ruling that could be taken back"));
        };
        (kept.alert.state, kept.alert.ruling) = (state, ruling);
        self.count(index);
        self.advise_again(index);
        self.publish(index, at, out);
        self.advise_others(at, out);
        let state = self.kept[index].alert.state.word();
        Ok(format!("the ruling on {id} is taken back: it is {state}"))
    }

    /// Puts into the ledger what the ruling on this alert says, and nothing else.
    fn count(&mut self, index: usize) {
        let Kept { alert, rules, .. } = &self.kept[index];
        match alert.ruling.as_ref().map(|ruling| ruling.outcome) {
            Some(Outcome::Ruled(Decision::Upheld)) => {
                self.ledger.uphold(&alert.id, &alert.findings, rules);
            }
            _ => self.ledger.reverse(&alert.id),
        }
    }

    /// Open alerts follow what the ledger now says.
    fn advise_others(&mut self, at: Tick, out: &mut Vec<Publish>) {
        for other in 0..self.kept.len() {
            if self.kept[other].is_open() {
                self.revise(other, at, out);
            }
        }
    }

    fn offences_in_words(&self, side: shakmaty::Color) -> String {
        let count = self.offences(side);
        let plural = if count == 1 { "offence" } else { "offences" };
        format!("{side} has {count} upheld {plural}")
    }

    /// The arbiter has seen it himself.
    fn seen(
        &mut self,
        index: usize,
        what: Sight,
        by: &str,
        at: Tick,
        out: &mut Vec<Publish>,
    ) -> Result<String, String> {
        let kept = &mut self.kept[index];
        let id = kept.alert.id.clone();
        if !kept.is_open() {
            return Err(format!("alert \"{id}\" is {}: nothing waits for it", kept.alert.state.word()));
        }
        if kept.alert.advice.may == May::WaitOneMove || what == Sight::Position {
            if !waits(kept) {
                return Err(format!(
                    "alert \"{id}\" tells of no illegal position to wait for (FIDE A.5.4): say that you saw \
                     the action, or rule"
                ));
            }
            if kept.now.wait == Wait::NotBegun {
                kept.now.wait = Wait::Begun;
            }
        } else {
            kept.now.seen = true;
        }
        kept.alert.seen_by = Some(by.to_owned());
        self.announce(index);
        self.advise_again(index);
        self.publish(index, at, out);
        let advice = &self.kept[index].alert.advice;
        Ok(format!("{id}: {}; {}", advice.may.text(), advice.consequence))
    }

    /// These steps were accidental; the duty is worked out without them.
    fn strike(
        &mut self,
        index: usize,
        steps: &[usize],
        at: Tick,
        out: &mut Vec<Publish>,
    ) -> Result<String, String> {
        let kept = &mut self.kept[index];
        let (id, all) = (kept.alert.id.clone(), kept.alert.primary().facts.action.len());
        if let Some(beyond) = steps.iter().find(|step| **step > all) {
            return Err(format!("step {beyond} is not there: alert \"{id}\" has {all} steps"));
        }
        kept.alert.struck = steps.to_vec();
        kept.now.struck = steps.to_vec();
        self.advise_again(index);
        self.publish(index, at, out);
        let duty = self.kept[index].alert.advice.replacement.as_ref();
        Ok(match duty {
            Some(duty) => format!(
                "{id}: {} steps struck out; {}: {} ({} legal moves)",
                steps.len(),
                color_name(duty.by),
                duty.text,
                duty.legal.len()
            ),
            None => format!("{id}: {} steps struck out; no duty follows from the others", steps.len()),
        })
    }
}

/// Whether an illegal position that this alert tells of is one that A.5.4 waits for.
fn waits(kept: &Kept) -> bool {
    let stands = |code| {
        matches!(
            code,
            RuleId::BothKingsInCheck
                | RuleId::PawnOnLastRank
                | RuleId::PawnNotPromoted
                | RuleId::IllegalPosition
        )
    };
    kept.rules.illegal_position_waits && kept.alert.findings.iter().any(|finding| stands(finding.code))
}
