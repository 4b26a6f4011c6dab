//! Rule sets: dated data, never constants in code.
//!
//! Code names a rule by its meaning; which number an edition gives it, how many seconds, until when
//! it can be claimed and what a repetition costs stand in the data files beside this one.

mod fide_2023;

use super::finding::Severity;
use super::rules::RuleId;

/// The key of a rule set, `edition/format`.
pub type RuleSetKey = &'static str;

/// Who may set the consequences of an offence going.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starts {
    /// The arbiter, as soon as he knows.
    OnSight,
    /// The arbiter if he saw the action himself, otherwise only the opponent by a claim.
    ObservedOrClaimed,
    /// Only the opponent; the arbiter keeps silent.
    ClaimOnly,
}

/// Until when an offence can be dealt with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// As long as the game lasts.
    GameEnd,
    /// Until the opponent has made (released, not pressed) his next move.
    ReplyMade,
}

/// What repeating an offence costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exception {
    /// A draw instead of a loss if the opponent cannot mate by any series of legal moves.
    Helpmate,
    /// None.
    None,
}

/// What happens to a pawn left on the last rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PawnLeft {
    /// A queen of its colour takes its place; nothing is taken back.
    QueenPut,
    /// The move is taken back like any other.
    RolledBack,
}

/// How long a wrong array, a turned board or a wrong clock setting can be raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartFaults {
    /// As long as the game lasts.
    AnyTime,
    /// Until each player has completed that many moves.
    UntilCompletedByEach {
        /// How many.
        moves: u32,
        /// The article for a wrong array or board after that.
        array_stands: &'static str,
        /// The article for a wrong clock setting after that.
        clock_stands: &'static str,
    },
}

/// When an arbiter is told of an offence that has a claim window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotifyRule {
    /// At once.
    Now,
    /// Shown silently at the press; aloud when a player stops the clock or claims.
    Inform,
}

/// What one edition says for one format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleSet {
    /// `fide-2023/rapid-a5`.
    pub key: RuleSetKey,
    /// As an arbiter names the edition: `FIDE 2023`.
    pub edition: &'static str,
    /// The day it came into force, as `2023-01-01`.
    pub in_force_from: &'static str,
    /// `standard`, `rapid`, `blitz`.
    pub format: &'static str,
    /// The regime in words: which supervision it is for.
    pub regime: &'static str,
    /// Who may set the consequences going.
    pub starts: Starts,
    /// Until when.
    pub window: Window,
    /// Seconds for the opponent at an offence that does not lose yet; `None` where none are given.
    pub seconds: Option<u32>,
    /// The offence that loses the game, counted from 1; `None` if none does.
    pub loses_at: Option<u32>,
    /// What saves a player from losing by it.
    pub exception: Exception,
    /// The article by which resigning to a player who cannot mate is a draw; `None` where it loses.
    pub resignation: Option<&'static str>,
    /// The findings that are offences and share one counter.
    pub offences: &'static [RuleId],
    /// What happens to a pawn left on the last rank.
    pub pawn_left: PawnLeft,
    /// How long faults of the start can be raised.
    pub start_faults: StartFaults,
    /// Reversed colours stand once each player has made so many moves.
    pub colours_until: u32,
    /// Whether an illegal position that the arbiter finds waits for the next completed move.
    pub illegal_position_waits: bool,
    /// When an arbiter is told of an offence that has a window.
    pub notify: NotifyRule,
    /// The articles of this edition by what they are about.
    pub articles: &'static [(RuleId, &'static str)],
    /// What no text settles, and the choice made here.
    pub notes: &'static [&'static str],
}

impl RuleSet {
    /// Every rule set there is, newest edition first.
    pub const ALL: &'static [RuleSet] = fide_2023::ALL;

    /// What a finding means for an arbiter here: what only a claim could use is for the record
    /// where the arbiter does not act on his own.
    #[must_use]
    pub fn severity(&self, code: RuleId, usual: Severity) -> Severity {
        match (code, self.window) {
            (RuleId::TwoHands, Window::ReplyMade) => Severity::Log,
            _ => usual,
        }
    }

    /// The rule set of that key.
    #[must_use]
    pub fn by_key(key: &str) -> Option<&'static RuleSet> {
        RuleSet::ALL.iter().find(|set| set.key == key)
    }

    /// The article about `rule` in this edition, if it has one.
    #[must_use]
    pub fn article(&self, rule: RuleId) -> Option<&'static str> {
        self.articles.iter().find(|(id, _)| *id == rule).map(|(_, text)| *text)
    }

    /// Whether `rule` is an offence that counts towards losing the game.
    #[must_use]
    pub fn counts(&self, rule: RuleId) -> bool {
        self.offences.contains(&rule)
    }

    /// The title for people: `FIDE 2023, rapid A.5`.
    #[must_use]
    pub fn title(&self) -> String {
        format!("{}, {}", self.edition, self.regime)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_unique_and_found() {
        for set in RuleSet::ALL {
            assert_eq!(RuleSet::by_key(set.key), Some(set));
        }
        let mut keys: Vec<_> = RuleSet::ALL.iter().map(|set| set.key).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), RuleSet::ALL.len());
    }

    #[test]
    fn every_offence_has_an_article() {
        for set in RuleSet::ALL {
            for rule in set.offences {
                assert!(set.article(*rule).is_some(), "{} {}", set.key, rule.name());
            }
        }
    }
}
