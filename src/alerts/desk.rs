//! The desk: all alerts of one board, from opening to closing, and the ledger of offences.
//!
//! Memory is bounded: the last [`CLOSED`] closed and [`OPEN`] open alerts are kept, older ones are
//! forgotten; what they put into the ledger stays until the next game.

mod reaction;
mod rulings;
mod windows;

use shakmaty::Color;

use super::alert::{Alert, AlertState, Notify, Ruling};
use super::ledger::Ledger;
use crate::events::BoardId;
use crate::laws::{Circumstances, Finding, MatingAsk, NotifyRule, Rules, Severity, advise};
use crate::mating::Answer;
use crate::table::Publish;
use crate::tick::{Span, Tick};

/// Closed alerts remembered, so that a ruling can be corrected.
const CLOSED: usize = 128;
/// Open alerts of one game; with more the oldest of the least grave is closed, and is told so.
const OPEN: usize = 64;
/// With so many open alerts people are asked to rule before they report more.
pub const REPORTS_UNTIL: usize = OPEN / 2;
/// Alerts remembered.
pub const ALERTS_MAX: usize = CLOSED + OPEN;

/// An alert, the rules it was made under, and what has become known beside its findings.
#[derive(Debug)]
struct Kept {
    alert: Alert,
    rules: Rules,
    now: Circumstances,
    /// Kept from people until its window has closed.
    held: bool,
    /// Since when somebody is to react, once he is told.
    waits_since: Option<Tick>,
    /// Before each ruling, the latest last: what taking it back restores.
    before: Vec<(AlertState, Option<Ruling>)>,
}

impl Kept {
    fn is_open(&self) -> bool {
        self.alert.state == AlertState::Open
    }
}

/// All alerts of one board.
///
/// It publishes alerts only: the caller publishes findings, withdrawals and responses.
#[derive(Debug, Default)]
pub struct Desk {
    kept: Vec<Kept>,
    ledger: Ledger,
    /// Whose zone the board is in.
    zone: Option<String>,
    /// After so long without a reaction an alert is told again, to everybody; zero: never.
    escalate: Span,
}

impl Desk {
    /// A finding has been made or revised. Severities `act` and `check` open (or revise) an alert;
    /// any severity revises the alert that already holds the finding.
    pub fn found(&mut self, board: &BoardId, finding: &Finding, rules: &Rules, out: &mut Vec<Publish>) {
        self.found_in(board, finding, rules, &|_| true, out);
    }

    /// The same for something that a person reports: people rule on it by itself, unless it is an offence
    /// of an action of which an alert about an offence tells.
    pub fn reported(&mut self, board: &BoardId, finding: &Finding, rules: &Rules, out: &mut Vec<Publish>) {
        let joins = |kept: &Kept| {
            kept.rules.counts_rule(finding.code) && kept.rules.counts_rule(kept.alert.primary().code)
        };
        self.found_in(board, finding, rules, &joins, out);
    }

    fn found_in(
        &mut self,
        board: &BoardId,
        finding: &Finding,
        rules: &Rules,
        joins: &dyn Fn(&Kept) -> bool,
        out: &mut Vec<Publish>,
    ) {
        if let Some(at) = self.holding(&finding.id) {
            self.revise_finding(at, finding, out);
        } else if finding.severity < Severity::Check {
            // For the record only.
        } else if let Some(at) = self.same_incident(finding).filter(|at| joins(&self.kept[*at])) {
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
        if self.kept[index].is_open() {
            self.close(index, at, out);
            self.forget();
        }
    }

    fn close(&mut self, index: usize, at: Tick, out: &mut Vec<Publish>) {
        self.release(index, Notify::AfterWindow);
        self.kept[index].alert.state = AlertState::Closed;
        self.publish(index, at, out);
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

    /// Upheld offences of a side.
    #[must_use]
    pub fn offences(&self, side: Color) -> u32 {
        self.ledger.count(side)
    }

    /// The alert of this id, open or not.
    ///
    /// # Errors
    /// Says which alerts are open.
    pub fn alert(&self, id: &str) -> Result<&Alert, String> {
        self.find(id).map(|index| &self.kept[index].alert)
    }

    /// The open alerts, oldest first.
    pub fn open(&self) -> impl Iterator<Item = &Alert> {
        self.kept.iter().filter(|kept| kept.is_open()).map(|kept| &kept.alert)
    }

    /// The open alerts that people are shown, oldest first.
    pub fn shown(&self) -> impl Iterator<Item = &Alert> {
        self.kept.iter().filter(|kept| kept.is_open() && !kept.held).map(|kept| &kept.alert)
    }

    /// Whether this finding is in an alert that is kept from people until its window has closed.
    #[must_use]
    pub fn is_held(&self, finding: &str) -> bool {
        self.holding(finding).is_some_and(|index| self.kept[index].held)
    }

    /// The alerts of this game that were not taken back, oldest first.
    pub fn known(&self) -> impl Iterator<Item = &Alert> {
        self.kept.iter().map(|kept| &kept.alert).filter(|alert| alert.state != AlertState::Withdrawn)
    }

    /// A new game: the ledger starts again and open alerts close. Rulings on alerts of the game
    /// before are no longer possible.
    pub fn new_game(&mut self, at: Tick, out: &mut Vec<Publish>) {
        for index in 0..self.kept.len() {
            if self.kept[index].is_open() {
                self.close(index, at, out);
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
        let repeats = self.repeated(primary);
        let offences = self.offences_before(primary);
        let now = Circumstances::after(of_side(offences, primary.side));
        let advice = advise(primary, rules, &now);
        let (notify, held) = match rules.notify {
            NotifyRule::Inform if advice.window.is_some() => (Notify::Silent, false),
            NotifyRule::Delayed if advice.window.is_some() => (Notify::Silent, true),
            NotifyRule::Inform | NotifyRule::Delayed | NotifyRule::Now => (Notify::Now, false),
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
            regime: rules.title(),
            format: rules.format,
            offences,
            ruling: None,
            seen_by: None,
            struck: Vec::new(),
            zone: self.zone.clone(),
            acknowledged: None,
            repeats,
            notes: Vec::new(),
            restoring: None,
            at,
        };
        let waits_since = (notify == Notify::Now).then_some(at);
        let kept = Kept { alert, rules: rules.clone(), now, held, waits_since, before: Vec::new() };
        out.push(told(&kept));
        self.kept.push(kept);
        // What is worth most to an arbiter goes last.
        let least = self.open().min_by_key(|alert| alert.primary().severity).map(|alert| alert.id.clone());
        if let Some(oldest) = least.filter(|_| self.open().count() > OPEN) {
            self.closed(&oldest, at, out);
        }
    }

    /// The latest alert of the same kind about the same player, which this one repeats.
    fn repeated(&self, primary: &Finding) -> Option<String> {
        let same = |finding: &Finding| (finding.code, finding.side) == (primary.code, primary.side);
        let earlier = |kept: &&Kept| kept.alert.state != AlertState::Withdrawn && same(kept.alert.primary());
        self.kept.iter().rev().find(earlier).map(|kept| kept.alert.id.clone())
    }

    /// How many alerts are remembered.
    #[must_use]
    pub fn holds(&self) -> usize {
        self.kept.len()
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
        let primary = self.kept[index].alert.primary();
        let offences = self.offences_before(primary);
        self.kept[index].now.earlier = of_side(offences, primary.side);
        let kept = &self.kept[index];
        let primary = kept.alert.primary();
        let mut advice = advise(primary, &kept.rules, &kept.now);
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
        let kept = &mut self.kept[index];
        kept.alert.revision = kept.alert.revision.saturating_add(1);
        kept.alert.at = at;
        if kept.alert.notify == Notify::Now {
            kept.waits_since.get_or_insert(at);
        }
        out.push(told(kept));
    }

    /// Makes the advice anew and publishes it, if anything in it has changed.
    fn revise(&mut self, index: usize, at: Tick, out: &mut Vec<Publish>) {
        if self.advise_again(index) {
            self.publish(index, at, out);
        }
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

/// The alert as it is now, for people or, while it is held, for the journal alone.
fn told(kept: &Kept) -> Publish {
    let alert = Publish::Alert(Box::new(kept.alert.clone()));
    if kept.held { Publish::Held(Box::new(alert)) } else { alert }
}
