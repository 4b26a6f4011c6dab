//! What an arbiter enters about an alert: rulings and taking them back, what he saw, what the players
//! agreed, contacts that were accidental.

use super::{Desk, Kept};
use crate::alerts::alert::{AlertState, Outcome, Ruling};
use crate::alerts::ledger::Ledger;
use crate::alerts::request::{Decision, Penalty, Request, Sight, Verb};
use crate::laws::{Finding, May, RuleId, Wait, color_name};
use crate::table::Publish;
use crate::tick::Tick;

/// Rulings on one alert that can be taken back, one after the other.
const RULINGS: usize = 8;

/// What an arbiter enters to end the matter.
struct Entered {
    outcome: Outcome,
    why: Option<String>,
    penalty: Option<Penalty>,
}

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
        let id = request.verb.alert().filter(|_| !matches!(request.verb, Verb::Restore(_)))?;
        Some(self.find(id).and_then(|index| match &request.verb {
            Verb::Rule { ruling, why, penalty, revision, .. } => {
                self.is_as_looked_at(index, *revision)?;
                let outcome = Outcome::Ruled(*ruling);
                self.enter(index, Entered { outcome, why: why.clone(), penalty: *penalty }, request, at, out)
            }
            Verb::AgreedCorrection { .. } => {
                let entered = Entered { outcome: Outcome::AgreedCorrection, why: None, penalty: None };
                self.enter(index, entered, request, at, out)
            }
            Verb::Undo { .. } => self.undo(index, at, out),
            Verb::Seen { what, .. } => self.seen(index, *what, &request.by, at, out),
            Verb::Strike { steps, .. } => self.strike(index, steps, at, out),
            Verb::Acknowledge { to, .. } => self.acknowledge(index, to.as_deref(), &request.by, at, out),
            Verb::Release { .. } => self.given_back(index, at, out),
            Verb::Evidence { from, what, .. } => self.evidence(index, from, what, &request.by, at, out),
            Verb::Protest { player, what, .. } => {
                self.protest(index, *player, what.clone(), &request.by, at, out)
            }
            Verb::Report { .. } | Verb::Claim(_) | Verb::Restore(_) | Verb::Board(_) => {
                Err(format!("\"{}\" is not about an alert", request.verb.word()))
            }
        }))
    }

    /// The alert is still as the one who rules on it saw it.
    fn is_as_looked_at(&self, index: usize, revision: Option<u32>) -> Result<(), String> {
        let alert = &self.kept[index].alert;
        match revision {
            Some(seen) if seen != alert.revision => Err(format!(
                "alert \"{}\" has changed since: it is at revision {}, not {seen}; look again",
                alert.id, alert.revision
            )),
            _ => Ok(()),
        }
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
        entered: Entered,
        request: &Request,
        at: Tick,
        out: &mut Vec<Publish>,
    ) -> Result<String, String> {
        let Entered { outcome, why, penalty } = entered;
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
        let (by, id_of_request) = (request.by.clone(), request.id.clone());
        let ruling = Ruling { outcome, why, by, at, request: id_of_request, penalty, protest: None };
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
        let kept = &self.kept[index];
        let counts = Ledger::offender(&kept.alert.findings, &kept.rules)
            .map_or_else(String::new, |side| format!("; {}", self.offences_in_words(side)));
        let now = match &kept.alert.ruling {
            Some(ruling) => format!("{}, as ruled before", ruling.outcome.word()),
            None => kept.alert.state.word().to_owned(),
        };
        Ok(format!("the ruling on {id} is taken back: it is {now}{counts}"))
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
        let struck = struck_in_words(self.kept[index].alert.primary(), steps);
        Ok(match duty {
            Some(duty) => format!(
                "{id}: {struck}; {}: {} ({} legal moves)",
                color_name(duty.by),
                duty.text,
                duty.legal.len()
            ),
            None => format!("{id}: {struck}; no duty follows from what counts"),
        })
    }
}

/// Which contacts no longer count, as people name them.
fn struck_in_words(finding: &Finding, steps: &[usize]) -> String {
    let name = |number: &usize| {
        let step = number.checked_sub(1).and_then(|at| finding.facts.action.get(at))?;
        let what = match (step.before, step.piece) {
            (Some(piece), None) => format!("{piece} up from {}", step.square),
            (_, Some(piece)) => format!("{piece} on {}", step.square),
            (None, None) => step.square.to_string(),
        };
        Some(format!("{number} ({what})"))
    };
    match steps.iter().filter_map(name).collect::<Vec<_>>() {
        none if none.is_empty() => "every step counts".to_owned(),
        some => format!("struck out: {}", some.join(", ")),
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
