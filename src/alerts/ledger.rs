//! The ledger: offences that an arbiter has upheld, per player, reversible.
//!
//! Nothing but a ruling writes here. Irregularities of one action count once, even if they were
//! reported in several alerts.

use shakmaty::Color;

use crate::laws::{Finding, Rules};
use crate::tick::Tick;

/// The action an offence was part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Action {
    side: Color,
    game: u32,
    ply: u32,
    pressed_at: Option<Tick>,
}

impl Action {
    fn of(finding: &Finding) -> Option<Action> {
        let facts = &finding.facts;
        let side = finding.side?;
        Some(Action { side, game: facts.game, ply: facts.ply, pressed_at: facts.pressed_at })
    }
}

/// Upheld offences of the running game.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    entries: Vec<(String, Action)>,
}

impl Ledger {
    /// Whose offence it is if these findings are upheld, if it is one.
    pub(super) fn offender(findings: &[Finding], rules: &Rules) -> Option<Color> {
        findings.iter().find(|finding| rules.counts_rule(finding.code)).and_then(|finding| finding.side)
    }

    /// The alert was upheld.
    pub(super) fn uphold(&mut self, alert: &str, findings: &[Finding], rules: &Rules) {
        self.reverse(alert);
        let Some(finding) = findings.iter().find(|finding| rules.counts_rule(finding.code)) else {
            return;
        };
        if let Some(action) = Action::of(finding) {
            self.entries.push((alert.to_owned(), action));
        }
    }

    /// The alert is no longer upheld.
    pub(super) fn reverse(&mut self, alert: &str) {
        self.entries.retain(|(id, _)| id != alert);
    }

    /// Upheld offences of `side`.
    pub(super) fn count(&self, side: Color) -> u32 {
        self.count_if(side, |_, _| true)
    }

    /// Upheld offences of `side`, leaving out those of this alert and of its action.
    pub(super) fn count_before(&self, side: Color, alert: &str, finding: &Finding) -> u32 {
        let same = Action::of(finding);
        self.count_if(side, |id, action| id != alert && Some(*action) != same)
    }

    fn count_if(&self, side: Color, keep: impl Fn(&str, &Action) -> bool) -> u32 {
        let mut actions: Vec<&Action> = Vec::new();
        for (id, action) in &self.entries {
            if action.side == side && keep(id, action) && !actions.contains(&action) {
                actions.push(action);
            }
        }
        u32::try_from(actions.len()).unwrap_or(u32::MAX)
    }

    /// A new game.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }
}
