//! Rule sets: dated data, never constants in code.
//!
//! Code names a matter by its meaning; which number an edition gives it, how many seconds, until
//! when it can be claimed and what a repetition costs stand in the data files beside this one.

mod fide_2014;
mod fide_2018;
mod fide_2023;
mod kinds;
mod rules;
mod setting;
mod topic;
mod uscf;

pub use kinds::{
    AutomaticDraws, Colours, DrawClaims, Exception, Flags, NotifyRule, PawnLeft, Seconds, StartFaults,
    Starts, Window,
};
pub use rules::{OVERRIDES, Rules};
pub use setting::{SETTINGS, Setting, SettingId, Settings};
pub use topic::Topic;

use super::finding::Severity;
use super::rules::RuleId;

/// The key of a rule set, `edition/format`.
pub type RuleSetKey = &'static str;

/// Articles by what they are about, several divided by commas.
type Articles = &'static [(Topic, &'static str)];

/// What one edition says for one format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleSet {
    /// `fide-2023/rapid-a5`.
    pub key: RuleSetKey,
    /// As an arbiter names the edition: `FIDE 2023`.
    pub edition: &'static str,
    /// The first and the last day it was in force, as `2023-01-01`; no last day: still in force.
    pub in_force: (&'static str, Option<&'static str>),
    /// `standard`, `rapid`, `blitz`.
    pub format: &'static str,
    /// The regime in words: which supervision it is for.
    pub regime: &'static str,
    /// `text` where the rules themselves were read, `quotation` where others quote them.
    pub known_by: &'static str,
    /// Who may set the consequences of an offence going.
    pub starts: Starts,
    /// Until when.
    pub window: Window,
    /// Time for the opponent at an offence that does not lose yet.
    pub seconds: Seconds,
    /// The offence that loses the game, counted from 1; `None` if none does.
    pub loses_at: Option<u32>,
    /// What saves a player from losing by it.
    pub exception: Exception,
    /// What saves a player whose flag has fallen.
    pub flag_exception: Exception,
    /// Who may say that a flag has fallen.
    pub flags: Flags,
    /// The findings that are offences and share one counter.
    pub offences: &'static [Topic],
    /// Whether two hands become an offence only with the press.
    pub two_hands_need_press: bool,
    /// What happens to a pawn left on the last rank.
    pub pawn_left: PawnLeft,
    /// How long faults of the start can be raised.
    pub start_faults: StartFaults,
    /// What follows when the players sit with each other's colours.
    pub colours: Colours,
    /// Whether a game begun anew goes on with the times as they are.
    pub keeps_clocks_at_new_game: bool,
    /// Whether an illegal position that the arbiter finds waits for the next completed move.
    pub illegal_position_waits: bool,
    /// Which repetitions and series of moves end the game by themselves.
    pub automatic_draws: AutomaticDraws,
    /// Until when the player on the move may claim a draw.
    pub draw_claims: DrawClaims,
    /// Time for the opponent of a player who claims a draw and is wrong.
    pub wrong_claim: Seconds,
    /// Whether an illegal move can be completed at all; a board of hybrid play does not take it.
    pub takes_illegal_moves: bool,
    /// Whether a rook put down upside-down is a queen, unless it is announced as a rook.
    pub inverted_rook_is_queen: bool,
    /// When an arbiter is told of an offence that has a window.
    pub notify: NotifyRule,
    /// The articles, those of the format before those of the edition: the first found counts.
    pub articles: &'static [Articles],
    /// What no text settles, and the choice made here.
    pub notes: &'static [&'static str],
}

impl RuleSet {
    /// Every rule set there is, newest edition first.
    pub const ALL: &'static [RuleSet] = &{
        let mut all = [fide_2023::ALL[0]; 25];
        let parts: [&[RuleSet]; 6] = [
            &fide_2023::ALL,
            &fide_2018::ALL_2018,
            &fide_2018::ALL_2017,
            &fide_2014::ALL_2014,
            &fide_2014::ALL_2009,
            &uscf::ALL,
        ];
        let (mut part, mut at) = (0, 0);
        while part < parts.len() {
            let mut index = 0;
            while index < parts[part].len() {
                all[at] = parts[part][index];
                (index, at) = (index + 1, at + 1);
            }
            part += 1;
        }
        assert!(at == all.len(), "the number of rule sets is written above");
        all
    };

    /// What a finding means for an arbiter here: what only a claim could use is for the record
    /// where the arbiter does not act on his own.
    #[must_use]
    pub fn severity(&self, code: RuleId, usual: Severity) -> Severity {
        match (code, self.window) {
            (RuleId::TwoHands, Window::ReplyMade) => Severity::Log,
            (RuleId::PressWithoutMove, _) if !self.counts(Topic::PressWithoutMove) => {
                match self.article(Topic::PressWithoutMove) {
                    Some(_) => usual.min(Severity::Check),
                    None => Severity::Log,
                }
            }
            (RuleId::Threefold | RuleId::Fifty, _)
                if self.automatic_draws == AutomaticDraws::ThreefoldAndFifty =>
            {
                Severity::Act
            }
            _ => usual,
        }
    }

    /// The rule set of that key.
    #[must_use]
    pub fn by_key(key: &str) -> Option<&'static RuleSet> {
        RuleSet::ALL.iter().find(|set| set.key == key)
    }

    /// The articles about `topic` in this edition, divided by commas, if it has any.
    #[must_use]
    pub fn article(&self, topic: Topic) -> Option<&'static str> {
        let all = self.articles.iter().copied().flatten();
        all.into_iter().find(|(id, _)| *id == topic).map(|(_, text)| *text)
    }

    /// Whether a finding is an offence that counts towards losing the game.
    #[must_use]
    pub fn counts(&self, topic: Topic) -> bool {
        self.offences.contains(&topic)
    }

    /// The same for a kind of finding that the detectors know.
    #[must_use]
    pub fn counts_rule(&self, rule: RuleId) -> bool {
        Topic::of(rule).is_some_and(|topic| self.counts(topic))
    }

    /// The title for people: `FIDE 2023, rapid A.5`.
    #[must_use]
    pub fn title(&self) -> String {
        format!("{}, {}", self.edition, self.regime)
    }

    /// Whether it was in force on a day written `2026-11-30`.
    #[must_use]
    pub fn is_in_force_on(&self, day: &str) -> bool {
        self.in_force.0 <= day && self.in_force.1.is_none_or(|last| day <= last)
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
            for topic in set.offences {
                assert!(set.article(*topic).is_some(), "{} {}", set.key, topic.name());
            }
        }
    }

    #[test]
    fn no_list_names_a_topic_twice() {
        for list in RuleSet::ALL.iter().flat_map(|set| set.articles) {
            let mut topics: Vec<Topic> = list.iter().map(|(topic, _)| *topic).collect();
            topics.sort_unstable();
            let all = topics.len();
            topics.dedup();
            assert_eq!(topics.len(), all, "{list:?}");
        }
    }

    #[test]
    fn one_edition_ends_when_the_next_begins() {
        let on = |key: &str, day: &str| RuleSet::by_key(key).unwrap().is_in_force_on(day);
        assert!(on("fide-2018/standard", "2022-12-31") && !on("fide-2018/standard", "2023-01-01"));
        assert!(on("fide-2023/standard", "2023-01-01") && !on("fide-2023/standard", "2022-12-31"));
    }
}
