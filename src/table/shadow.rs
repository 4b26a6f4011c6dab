//! Shadow mode: what a board or a rule would have said, kept from people and counted.
//!
//! A second desk holds the shadowed alerts, so that they live and end as shown ones do and never
//! stand in an alert that people see.

use super::{Effects, Publish, Table};
use crate::alerts::Desk;
use crate::laws::{Finding, RuleId};

/// So many are remembered, as many as can still be taken back.
pub(super) const HIDDEN_MAX: usize = 256;

impl Table {
    /// Whether findings of this rule are kept from people on this board.
    pub(super) fn is_shadowed(&self, code: RuleId) -> bool {
        let shadow = &self.setup.shadow;
        shadow.board
            || shadow.rules.iter().any(|name| name == code.name())
            || self.entered.orders.muted.contains(&code)
    }

    /// Whether the finding of this id was kept from people.
    pub(super) fn is_hidden(&self, id: &str) -> bool {
        self.hidden.iter().any(|known| known == id)
    }

    /// A finding that people are not told.
    pub(super) fn hide(&mut self, finding: Finding, out: &mut Effects) {
        let (board, rules) = (self.setup.board.clone(), self.rules.clone());
        self.in_shadow(out, |desk, out| desk.found(&board, &finding, &rules, out));
        if self.hidden.len() == HIDDEN_MAX {
            self.hidden.pop_front();
        }
        self.hidden.push_back(finding.id.clone());
        out.publish.push(Publish::Shadowed(Box::new(Publish::Finding(Box::new(finding)))));
    }

    /// The same for both desks; what the second one says is shadowed.
    pub(super) fn desks(&mut self, out: &mut Effects, mut act: impl FnMut(&mut Desk, &mut Vec<Publish>)) {
        act(&mut self.desk, &mut out.publish);
        self.in_shadow(out, act);
    }

    /// On the second desk alone.
    pub(super) fn in_shadow(&mut self, out: &mut Effects, act: impl FnOnce(&mut Desk, &mut Vec<Publish>)) {
        let mut said = Vec::new();
        act(&mut self.shadow_desk, &mut said);
        out.publish.extend(said.into_iter().map(|p| Publish::Shadowed(Box::new(p))));
    }
}
