//! What people were shown, in the words of the time: another program may put it otherwise, and what
//! an arbiter had read must be known all the same.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::alerts::Restoring;
use crate::laws::Finding;
use crate::table::Publish;

/// The words of one thing that was shown, by what they are about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Said(Map<String, Value>);

impl Said {
    /// The words of a publication; `None` where there are none beside its id.
    #[must_use]
    pub fn of(publish: &Publish) -> Option<Said> {
        let mut words = Words::default();
        match publish {
            Publish::Shadowed(inner) | Publish::Held(inner) => return Said::of(inner),
            Publish::Move(made) => {
                words.say("san", &made.record.san);
                words.say("uci", &made.record.uci);
            }
            Publish::Finding(finding) => words.finding(finding),
            Publish::Alert(alert) => {
                let advice = &alert.advice;
                words.finding(alert.primary());
                words.say("state", alert.state.word());
                words.say("notify", alert.notify.word());
                words.say("may I act", advice.may.text());
                words.say("consequence", &advice.consequence);
                words.some("article", advice.article.as_deref());
                words.some("restore", advice.restore.as_ref().map(|restore| restore.fen.as_str()));
                words.some("replacement", advice.replacement.as_ref().map(|duty| duty.text.as_str()));
                words.some("window", advice.window.map(|window| window.text));
                words.some("result", advice.result.map(|score| score.word()));
                words.some("to do", Some(advice.steps.join("; ").as_str()).filter(|steps| !steps.is_empty()));
                words.some("goes there", alert.acknowledged.as_ref().map(|who| who.by.as_str()));
                words.some("restoring", alert.restoring.map(Restoring::word));
                words.some("ruling", alert.ruling.as_ref().map(|ruling| ruling.outcome.word()));
            }
            _ => return None,
        }
        Some(Said(words.0))
    }

    /// The text about one matter.
    #[must_use]
    pub fn about(&self, matter: &str) -> Option<&str> {
        self.0.get(matter).and_then(Value::as_str)
    }

    /// Where two say something else: the matter, and what each says of it.
    #[must_use]
    pub fn differs<'a>(&'a self, other: &'a Said) -> Vec<(&'a str, Option<&'a str>, Option<&'a str>)> {
        let of_other = other.0.keys().filter(|matter| !self.0.contains_key(*matter));
        let matters = self.0.keys().chain(of_other).map(String::as_str);
        matters
            .map(|matter| (matter, self.about(matter), other.about(matter)))
            .filter(|(_, was, is)| was != is)
            .collect()
    }
}

#[derive(Default)]
struct Words(Map<String, Value>);

impl Words {
    fn say(&mut self, matter: &str, text: &str) {
        self.0.insert(matter.to_owned(), text.into());
    }

    fn some(&mut self, matter: &str, text: Option<&str>) {
        text.into_iter().for_each(|text| self.say(matter, text));
    }

    fn finding(&mut self, finding: &Finding) {
        self.say("code", finding.code.name());
        self.say("severity", finding.severity.word());
        self.say("certainty", finding.certainty.word());
        self.say("side", &finding.side.map_or("nobody".to_owned(), |side| side.to_string()));
        self.say("what", &finding.what);
    }
}
