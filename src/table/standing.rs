//! Conditions that stand: when they are news.
//!
//! A pawn left on the last rank or a second king comes from an incident that has an alert of its
//! own. While that alert is open and somebody may still act on it, the condition is for the record
//! only: one alert an incident. It is an alert once the first one is closed, once its window is
//! (the move stands, and A.5.4 begins), or if nothing else told of it: a declared position.

use super::{Table, count};
use crate::alerts::Alert;
use crate::game::{Explanation, Judgement, Matter, Moment};
use crate::laws::{Facts, Found, May, RuleId, Severity, counter, is_possible};

/// What has been told of a condition while it stands.
#[derive(Clone, Debug)]
pub(super) struct Standing {
    code: RuleId,
    severity: Severity,
    /// The finding; empty until it has its id.
    id: String,
}

fn stands(code: RuleId) -> bool {
    matches!(code, RuleId::PawnOnLastRank | RuleId::IllegalPosition)
}

/// Whether an alert tells of something from which such a condition may have come, and an arbiter
/// may still act on it.
fn tells(alert: &Alert) -> bool {
    let from = matches!(
        alert.primary().code,
        RuleId::IllegalMove
            | RuleId::PawnNotPromoted
            | RuleId::PawnOnLastRank
            | RuleId::IllegalPosition
            | RuleId::BothKingsInCheck
            | RuleId::PositionUnexplained
            | RuleId::WrongSetup
            | RuleId::DisplacedPieces
            | RuleId::OutOfTurn
    );
    from && alert.asks() && alert.advice.may != May::KeepOut
}

impl Table {
    /// What of these findings is news.
    pub(super) fn news_of(&mut self, judgement: &Judgement, found: Vec<Found>) -> Vec<Found> {
        let legal = matches!(judgement.matter, Matter::Action(Explanation::Legal { .. }));
        if legal && matches!(judgement.moment, Moment::Press(_)) {
            self.standing.retain(|known| found.iter().any(|f| f.code == known.code));
        }
        found.into_iter().filter_map(|f| if stands(f.code) { self.if_news(f) } else { Some(f) }).collect()
    }

    fn if_news(&mut self, found: Found) -> Option<Found> {
        let told = self.desk.open().chain(self.shadow_desk.open()).any(tells);
        let severity = if told { Severity::Log } else { found.severity };
        let known = self.standing.iter().position(|known| known.code == found.code);
        if let Some(known) = known {
            if self.standing[known].severity >= severity {
                return None;
            }
            self.standing.remove(known);
        }
        self.standing.push(Standing { code: found.code, severity, id: String::new() });
        Some(Found { severity, ..found })
    }

    /// The finding has its id now.
    pub(super) fn told_standing(&mut self, code: RuleId, id: &str) {
        if let Some(known) = self.standing.iter_mut().find(|known| known.code == code) {
            id.clone_into(&mut known.id);
        }
    }

    /// A finding was taken back: what it told is not told.
    pub(super) fn untold_standing(&mut self, id: &str) {
        self.standing.retain(|known| known.id != id);
    }

    /// The last correct position of such a condition is one that can be, if the record has one.
    pub(super) fn last_possible(&self, code: RuleId, facts: &mut Facts) {
        if !stands(code) {
            return;
        }
        let record = self.tracker.record();
        let Some(keep) = (0..=record.len()).rev().find(|keep| is_possible(&record.at(*keep).board)) else {
            return;
        };
        let position = record.at(keep);
        facts.last_correct_fen = position.fen();
        facts.last_correct_ply = count(keep);
        facts.to_move = Some(position.turn);
        facts.counter = Some(counter(record, keep));
        facts.dials_then = self.dials_at(keep);
        facts.differs = self.line.wood().differs(&position.board).into_iter().collect();
    }
}
