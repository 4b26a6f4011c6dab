//! From TOML to a [`Config`]: walks the tree by hand, because all mistakes are wanted at once and
//! each with its place.

mod boards;
mod broker;
mod public;
mod rules;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::environment::Environment;
use super::{Config, Event, KEYS, MQTT_PORT};
use crate::contract::Delay;
use crate::events::{Shadow, TimeControl, TopicPart};
use crate::laws::RULES;
use crate::mating::Budget;
use crate::tick::Span;

/// A round, with an adjournment over a meal.
const RESUME_HOURS: u32 = 12;

/// One mistake: where, what, and what would be right.
pub(super) struct Mistake {
    pub(super) at: Range<usize>,
    pub(super) message: String,
    pub(super) allowed: Option<String>,
    /// The name and text of the file, where it is not the configuration itself.
    pub(super) file: Option<(String, String)>,
}

/// A table of the file while it is read.
struct Section<'a> {
    name: &'static str,
    at: Range<usize>,
    table: &'a DeTable<'a>,
}

/// A value and its place.
struct Found<T> {
    at: Range<usize>,
    value: T,
}

struct Walk<'a> {
    home: &'a Path,
    environment: &'a Environment,
    mistakes: Vec<Mistake>,
}

pub(super) fn read(text: &str, home: &Path, environment: &Environment) -> Result<Config, Vec<Mistake>> {
    let (root, broken) = DeTable::parse_recoverable(text);
    if !broken.is_empty() {
        // Half a tree would only give mistakes that are none.
        return Err(broken
            .iter()
            .map(|error| Mistake {
                at: error.span().unwrap_or(0..0),
                message: format!("this is not TOML: {}", error.message()),
                allowed: None,
                file: None,
            })
            .collect());
    }
    let mut walk = Walk { home, environment, mistakes: Vec::new() };
    let top = Section { name: "", at: 0..0, table: root.get_ref() };
    let config = walk.top(&top);
    match config {
        Some(config) if walk.mistakes.is_empty() => Ok(config),
        _ => {
            walk.mistakes.sort_by_key(|mistake| (mistake.file.is_some(), mistake.at.start));
            Err(walk.mistakes)
        }
    }
}

impl<'a> Walk<'a> {
    fn wrong(&mut self, at: &Range<usize>, message: impl Into<String>, allowed: impl Into<Option<String>>) {
        self.mistakes.push(Mistake {
            at: at.clone(),
            message: message.into(),
            allowed: allowed.into(),
            file: None,
        });
    }

    fn top(&mut self, top: &Section<'_>) -> Option<Config> {
        self.only_known_keys(top);
        let event = match self.section(top, "event", "[event]") {
            Some(section) => self.event(&section),
            None => {
                self.missing(top, "event", "a table [event] with ruleset = \"…\"");
                None
            }
        };
        let settings = self.settings(top);
        let event = event.map(|mut event: Event| {
            event.rules.extend(settings);
            event
        });
        let boards = self.boards(top);
        let look_in = self.section(top, "ports", "[ports]").and_then(|section| self.look_in(&section));
        let broker = match self.section(top, "broker", "[broker]") {
            Some(section) => self.broker(&section),
            None => self.embedded(&top.at, MQTT_PORT),
        };
        let metrics = self.section(top, "metrics", "[metrics]").and_then(|section| self.listen(&section));
        let node = match self.section(top, "node", "[node]") {
            Some(section) => self.node(&section),
            None => Some(host_part()),
        };
        let journal_dir = self.journal_dir(top);
        let delay = self.section(top, "broadcast", "[broadcast]");
        let delay = delay.map_or(Delay::default(), |section| self.delay(&section));
        let records = self.section(top, "records", "[records]");
        let event_name = event.as_ref().and_then(|event| event.name.as_ref());
        let records = records.map(|section| self.records(&section, event_name, &journal_dir));
        let root = TopicPart::new("jadoube").ok()?;
        let hours = self.number(top, "resume_hours", 0, 168).map_or(RESUME_HOURS, |hours| hours.value);
        let resume = Duration::from_secs(u64::from(hours) * 3_600);
        let days = self.number(top, "keep_days", 1, 36_500);
        let keep = days.map(|days| Duration::from_secs(u64::from(days.value) * 24 * 3_600));
        Some(Config {
            event: event?,
            boards,
            look_in,
            delay,
            records,
            broker: broker?,
            metrics,
            node: node?,
            root,
            journal_dir,
            keep,
            resume,
        })
    }

    fn journal_dir(&mut self, top: &Section<'_>) -> PathBuf {
        let (at, dir) = match self.text(top, "journal_dir") {
            Some(path) if path.value.is_empty() => {
                let hint = "the path of a directory, or leave journal_dir out".to_owned();
                self.wrong(&path.at, "journal_dir is empty", hint);
                return PathBuf::new();
            }
            Some(path) => (path.at, self.home.join(path.value)),
            None => (top.at.clone(), self.environment.journal_dir(self.home)),
        };
        if dir.exists() && !dir.is_dir() {
            let message = format!("journal_dir {} is no directory", dir.display());
            self.wrong(&at, message, "a directory, or a path where one can be made".to_owned());
        }
        dir
    }

    fn event(&mut self, section: &Section<'_>) -> Option<Event> {
        let rules = self.rule_set(section);
        let base = self.number(section, "base_s", 1, 86_400);
        let inc = self.number(section, "inc_s", 0, 3_600);
        if let (Some(inc), false) = (&inc, section.has("base_s")) {
            self.wrong(
                &inc.at,
                "inc_s is given without base_s",
                "add base_s, the seconds at the start".to_owned(),
            );
        }
        let time_control = base.map(|base| TimeControl {
            base_s: base.value,
            inc_s: inc.map_or(0, |inc| inc.value),
            bonus: None,
            increment_on_first_move: false,
        });
        let shadow = Shadow {
            board: self.yes_or_no(section, "shadow").unwrap_or(false),
            rules: self.shadow_rules(section),
        };
        let nodes = self.number(section, "mating_nodes", 0, 1_000_000_000);
        let mating = nodes.map_or(Budget::DECIDES, |nodes| Budget::nodes(nodes.value.into()));
        let escalate = self.number(section, "escalate_s", 0, 3_600).map_or(0, |seconds| seconds.value);
        let escalate = Span::from_ms(u64::from(escalate) * 1000);
        let name = self.event_name(section);
        let (ruleset, rules) = rules?;
        Some(Event { name, ruleset, rules, time_control, shadow, mating, escalate })
    }

    /// It becomes the name of a folder, so it may not be one that means something else.
    fn event_name(&mut self, section: &Section<'_>) -> Option<TopicPart> {
        let given = self.text(section, "name")?;
        match TopicPart::new(&given.value) {
            Ok(name) if !given.value.starts_with('.') => Some(name),
            _ => {
                let message =
                    format!("name is \"{}\": the journals' folder cannot be called so", given.value);
                self.wrong(
                    &given.at,
                    message,
                    "1 to 64 letters, digits, '-', '_' or '.', no '.' first".to_owned(),
                );
                None
            }
        }
    }

    fn shadow_rules(&mut self, section: &Section<'_>) -> Vec<String> {
        let Some((_, value)) = section.entry("shadow_rules") else { return Vec::new() };
        let Some(list) = value.get_ref().as_array() else {
            self.wrong_type("shadow_rules", value, "a list of rule names");
            return Vec::new();
        };
        let mut out = Vec::new();
        for item in list.iter() {
            match item.get_ref().as_str() {
                Some(name) if RULES.iter().any(|rule| rule.name == name) => out.push(name.to_owned()),
                Some(name) => {
                    let known: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
                    self.wrong(
                        &item.span(),
                        format!("rule \"{name}\" in shadow_rules is not known"),
                        format!("allowed: {}", known.join(", ")),
                    );
                }
                None => self.wrong_type("shadow_rules", item, "rule names in quotes"),
            }
        }
        out
    }

    fn yes_or_no(&mut self, section: &Section<'_>, key: &str) -> Option<bool> {
        let (_, value) = section.entry(key)?;
        let given = value.get_ref().as_bool();
        if given.is_none() {
            self.wrong_type(key, value, "true or false");
        }
        given
    }

    fn node(&mut self, section: &Section<'_>) -> Option<TopicPart> {
        match self.topic_part(section, "name") {
            Some(name) => Some(name.value),
            None if section.has("name") => None,
            None => Some(host_part()),
        }
    }

    fn section<'t>(&mut self, parent: &Section<'t>, key: &str, name: &'static str) -> Option<Section<'t>> {
        let (at, value) = parent.entry(key)?;
        let section = match value.get_ref().as_table() {
            Some(table) => Section { name, at: value.span(), table },
            None => {
                self.wrong(&at, format!("{key} is not a table"), format!("write it as {name}"));
                return None;
            }
        };
        self.only_known_keys(&section);
        Some(section)
    }

    fn only_known_keys(&mut self, section: &Section<'_>) {
        let allowed = KEYS.iter().find(|(name, _)| *name == section.name).map_or(&[][..], |(_, keys)| *keys);
        for key in section.table.keys() {
            if !allowed.contains(&key.get_ref().as_ref()) {
                let place = if section.name.is_empty() { "the file" } else { section.name };
                let mut hint = format!("allowed: {}", allowed.join(", "));
                if key.get_ref().as_ref() == "password" {
                    hint.push_str(
                        "; a password is in a file of its own (password_file), a credential or a variable",
                    );
                }
                let message = format!("key \"{}\" is not known in {place}", key.get_ref());
                self.wrong(&key.span(), message, hint);
            }
        }
    }

    fn missing(&mut self, section: &Section<'_>, key: &str, what: &str) {
        let place = if section.name.is_empty() { "the file" } else { section.name };
        self.wrong(&section.at, format!("{key} is missing in {place}"), format!("needed: {what}"));
    }

    fn text(&mut self, section: &Section<'_>, key: &str) -> Option<Found<String>> {
        let (_, value) = section.entry(key)?;
        match value.get_ref().as_str() {
            Some(text) => Some(Found { at: value.span(), value: text.to_owned() }),
            None => {
                self.wrong_type(key, value, "a text in quotes");
                None
            }
        }
    }

    fn number(&mut self, section: &Section<'_>, key: &str, least: u32, most: u32) -> Option<Found<u32>> {
        let (_, value) = section.entry(key)?;
        let allowed = format!("a whole number from {least} to {most}");
        let Some(number) = value.get_ref().as_integer() else {
            self.wrong_type(key, value, &allowed);
            return None;
        };
        match i64::from_str_radix(number.as_str(), number.radix()).ok().and_then(|n| u32::try_from(n).ok()) {
            Some(n) if (least..=most).contains(&n) => Some(Found { at: value.span(), value: n }),
            _ => {
                self.wrong(&value.span(), format!("{key} is {number}"), format!("allowed: {allowed}"));
                None
            }
        }
    }

    fn topic_part(&mut self, section: &Section<'_>, key: &str) -> Option<Found<TopicPart>> {
        let text = self.text(section, key)?;
        match TopicPart::new(&text.value) {
            Ok(part) => Some(Found { at: text.at, value: part }),
            Err(error) => {
                self.wrong(&text.at, format!("{key}: {error}"), None);
                None
            }
        }
    }

    fn wrong_type(&mut self, key: &str, value: &Spanned<DeValue<'_>>, allowed: &str) {
        let given = value.get_ref().type_str();
        self.wrong(
            &value.span(),
            format!("{key} has the wrong type: {given}"),
            format!("allowed: {allowed}"),
        );
    }
}

impl<'a> Section<'a> {
    fn entry(&self, key: &str) -> Option<(Range<usize>, &'a Spanned<DeValue<'a>>)> {
        let (key, value) = self.table.iter().find(|(name, _)| name.get_ref().as_ref() == key)?;
        Some((key.span(), value))
    }

    fn has(&self, key: &str) -> bool {
        self.entry(key).is_some()
    }
}

/// The host's name, made fit for a topic.
fn host_part() -> TopicPart {
    let fine = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' };
    let name: String = crate::daemon::host::name().chars().map(fine).take(32).collect();
    // The fallback is a constant that is fine; the second one cannot be reached.
    TopicPart::new(&name).or_else(|_| TopicPart::new("jadoube")).unwrap_or_else(|_| unreachable!())
}
