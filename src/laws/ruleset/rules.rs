//! The rules of one event: a rule set, what the event changes in it, and its settings.

use crate::events::Setup;

use super::{Exception, NotifyRule, PawnLeft, RuleSet, Seconds, Settings, Starts, Topic, Window};

/// A rule set as an event uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The rule set, with the event's changes.
    pub set: RuleSet,
    /// The event's own name for it.
    pub name: Option<String>,
    /// The event's own articles.
    articles: Vec<(Topic, String)>,
    /// What the event has chosen where no text settles it.
    pub settings: Settings,
}

/// What an event may change in a rule set: the key and the values allowed.
pub const OVERRIDES: &[(&str, &str)] = &[
    ("name", "any text"),
    ("seconds", "none, or a whole number from 1 to 3600"),
    ("loses_at", "never, or a whole number from 1 to 9"),
    ("starts", "on-sight, observed-or-claimed, claim-only"),
    ("window", "game-end, opponent-release"),
    ("exception", "helpmate, material-list, none"),
    ("pawn_left", "queen-put, rolled-back"),
    ("notify", "now, inform, delayed"),
    ("illegal_position_waits", "true, false"),
];

impl Rules {
    /// A rule set as it is.
    #[must_use]
    pub fn plain(set: &RuleSet) -> Rules {
        Rules { set: *set, name: None, articles: Vec::new(), settings: Settings::default() }
    }

    /// A rule set as an event uses it: `changes` are keys and values of [`change`](Rules::change),
    /// and settings. The shell has checked them; what is not known changes nothing.
    #[must_use]
    pub fn of_event(set: &RuleSet, changes: &[(String, String)]) -> Rules {
        let mut rules = Rules::plain(set);
        for (key, value) in changes {
            let setting = rules.settings.choose(key, value);
            let _ = setting.or_else(|_| rules.change(key, value));
        }
        rules
    }

    /// The rules of a board's settings; the shell has checked that the rule set exists.
    #[must_use]
    pub fn of_setup(setup: &Setup) -> Rules {
        let set = RuleSet::by_key(&setup.ruleset).unwrap_or(&RuleSet::ALL[0]);
        Rules::of_event(set, &setup.event_rules)
    }

    /// The first 16 hex digits of the SHA-256 of all that is in them: the same digest, the same rules.
    #[must_use]
    pub fn digest(&self) -> String {
        use sha2::{Digest, Sha256};
        hex::encode(&Sha256::digest(format!("{self:?}").as_bytes())[..8])
    }

    /// Changes what is called `key` to `value`; articles are `articles.<topic>`.
    ///
    /// # Errors
    /// What is allowed instead.
    pub fn change(&mut self, key: &str, value: &str) -> Result<(), String> {
        if let Some(topic) = key.strip_prefix("articles.") {
            let topic = Topic::named(topic).ok_or_else(|| {
                let known: Vec<&str> = Topic::ALL.iter().map(|topic| topic.name()).collect();
                format!("use one of {}", known.join(", "))
            })?;
            self.articles.retain(|(other, _)| *other != topic);
            self.articles.push((topic, value.to_owned()));
            return Ok(());
        }
        let Some((_, allowed)) = OVERRIDES.iter().find(|(name, _)| *name == key) else {
            let known: Vec<&str> = OVERRIDES.iter().map(|(name, _)| *name).collect();
            return Err(format!("use one of {}, or articles", known.join(", ")));
        };
        self.set_value(key, value).ok_or_else(|| format!("use {allowed}"))
    }

    fn set_value(&mut self, key: &str, value: &str) -> Option<()> {
        let set = &mut self.set;
        let number = |range: std::ops::RangeInclusive<u32>| {
            value.parse::<u32>().ok().filter(|number| range.contains(number))
        };
        match (key, value) {
            ("name", text) => self.name = Some(text.to_owned()),
            ("seconds", "none") => set.seconds = Seconds::None,
            ("seconds", _) => set.seconds = Seconds::Fixed(number(1..=3600)?),
            ("loses_at", "never") => set.loses_at = None,
            ("loses_at", _) => set.loses_at = Some(number(1..=9)?),
            ("starts", "on-sight") => set.starts = Starts::OnSight,
            ("starts", "observed-or-claimed") => set.starts = Starts::ObservedOrClaimed,
            ("starts", "claim-only") => set.starts = Starts::ClaimOnly { silent: true },
            ("window", "game-end") => set.window = Window::GameEnd,
            ("window", "opponent-release") => set.window = Window::ReplyMade,
            ("exception", "helpmate") => set.exception = Exception::Helpmate,
            ("exception", "material-list") => set.exception = Exception::MaterialList,
            ("exception", "none") => set.exception = Exception::None,
            ("pawn_left", "queen-put") => set.pawn_left = PawnLeft::QueenPut,
            ("pawn_left", "rolled-back") => set.pawn_left = PawnLeft::RolledBack,
            ("notify", "now") => set.notify = NotifyRule::Now,
            ("notify", "inform") => set.notify = NotifyRule::Inform,
            ("notify", "delayed") => set.notify = NotifyRule::Delayed,
            ("illegal_position_waits", "true") => set.illegal_position_waits = true,
            ("illegal_position_waits", "false") => set.illegal_position_waits = false,
            _ => return None,
        }
        Some(())
    }

    /// The articles about `topic`, one by one.
    #[must_use]
    pub fn articles(&self, topic: Topic) -> Vec<&str> {
        let own = self.articles.iter().find(|(other, _)| *other == topic).map(|(_, text)| text.as_str());
        let text = own.or_else(|| self.set.article(topic)).unwrap_or_default();
        text.split(", ").filter(|article| !article.is_empty()).collect()
    }

    /// The seconds for the opponent at an offence that does not lose, and whether the claim was
    /// made at once.
    #[must_use]
    pub fn seconds(&self, at_once: bool) -> Option<u32> {
        match self.set.seconds {
            Seconds::None => None,
            Seconds::Fixed(seconds) => Some(seconds),
            Seconds::IfClaimedAtOnce(seconds) => at_once.then_some(seconds),
            Seconds::BySetting(id) => self.settings.get(id).parse().ok(),
        }
    }

    /// The seconds for the opponent of a player who claims a draw and is wrong.
    #[must_use]
    pub fn wrong_claim_seconds(&self) -> Option<u32> {
        match self.set.wrong_claim {
            Seconds::None => None,
            Seconds::Fixed(seconds) | Seconds::IfClaimedAtOnce(seconds) => Some(seconds),
            Seconds::BySetting(id) => self.settings.get(id).parse().ok(),
        }
    }

    /// What no text seen settles about these seconds.
    #[must_use]
    pub fn wrong_claim_note(&self) -> Option<&'static str> {
        match self.set.wrong_claim {
            Seconds::BySetting(_) => {
                Some("the seconds after a wrong claim under B.2: the event chooses with b2_seconds")
            }
            _ if self.articles(Topic::DrawClaimWrong).is_empty() => {
                Some("what follows a wrong claim of a draw: no text was seen, it is known from practice")
            }
            _ => None,
        }
    }

    /// The title for people.
    #[must_use]
    pub fn title(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.set.title())
    }
}

impl std::ops::Deref for Rules {
    type Target = RuleSet;

    fn deref(&self) -> &RuleSet {
        &self.set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rapid() -> Rules {
        Rules::plain(RuleSet::by_key("fide-2023/rapid-a5").unwrap())
    }

    #[test]
    fn an_event_changes_values_and_articles() {
        let mut rules = rapid();
        assert_eq!(rules.seconds(false), Some(60));
        rules.change("seconds", "120").unwrap();
        rules.change("articles.seconds", "Regulation 7").unwrap();
        assert_eq!((rules.seconds(false), rules.articles(Topic::Seconds)), (Some(120), vec!["Regulation 7"]));
    }

    #[test]
    fn every_key_says_what_it_allows() {
        for (key, allowed) in OVERRIDES.iter().filter(|(key, _)| *key != "name") {
            assert_eq!(rapid().change(key, "purple"), Err(format!("use {allowed}")));
        }
        assert!(rapid().change("articles.purple", "1").is_err());
        assert!(rapid().change("purple", "1").unwrap_err().contains("loses_at"));
    }
}
