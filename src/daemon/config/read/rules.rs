//! The event's own rules: settings for what no text settles, and a rule-set file of the event.

use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Mistake, Section, Walk};
use crate::laws::{OVERRIDES, RuleSet, Rules, SETTINGS, Settings};

/// A rule set with what the event changes in it: the key, and keys and values.
pub(super) type EventRules = (String, Vec<(String, String)>);

impl Walk<'_> {
    /// `[settings]`: each name and value checked.
    pub(super) fn settings(&mut self, top: &Section<'_>) -> Vec<(String, String)> {
        let Some((at, value)) = top.entry("settings") else { return Vec::new() };
        let Some(table) = value.get_ref().as_table() else {
            self.wrong(&at, "settings is not a table", "write it as [settings]".to_owned());
            return Vec::new();
        };
        let mut out = Vec::new();
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let Some(setting) = SETTINGS.iter().find(|setting| setting.name == name) else {
                let known: Vec<&str> = SETTINGS.iter().map(|setting| setting.name).collect();
                let message = format!("key \"{name}\" is not known in [settings]");
                self.wrong(&key.span(), message, format!("allowed: {}", known.join(", ")));
                continue;
            };
            let given = plain(value);
            let chosen = given.as_ref().is_some_and(|v| Settings::default().choose(name, v).is_ok());
            match given.filter(|_| chosen) {
                Some(text) => out.push((name.to_owned(), text)),
                None => {
                    let given = plain(value).unwrap_or_else(|| value.get_ref().type_str().to_owned());
                    let message = format!("{name} is {given}");
                    self.wrong(&value.span(), message, format!("allowed: {}", setting.values.join(", ")));
                }
            }
        }
        out
    }

    /// `ruleset`, or `rules_file` with the event's own one.
    pub(super) fn rule_set(&mut self, section: &Section<'_>) -> Option<EventRules> {
        let known = || RuleSet::ALL.iter().map(|set| set.key).collect::<Vec<_>>().join(", ");
        let file = self.text(section, "rules_file");
        let ruleset = self.text(section, "ruleset");
        match (file, ruleset) {
            (Some(file), Some(key)) => {
                let hint = "leave one of them out: a rules_file names the rule set that it extends";
                self.wrong(&key.at, "both ruleset and rules_file are given", hint.to_owned());
                let _ = file;
                None
            }
            (Some(file), None) => {
                let path = self.home.join(&file.value);
                match std::fs::read_to_string(&path) {
                    Ok(text) => self.own_rules(&path, &text),
                    Err(error) => {
                        let message = format!("rules_file {} cannot be read: {error}", path.display());
                        self.wrong(&file.at, message, None);
                        None
                    }
                }
            }
            (None, None) => {
                if !section.has("ruleset") && !section.has("rules_file") {
                    self.missing(section, "ruleset", &format!("one of {}", known()));
                }
                None
            }
            (None, Some(key)) if RuleSet::by_key(&key.value).is_none() => {
                let message = format!("ruleset \"{}\" is not known", key.value);
                self.wrong(&key.at, message, format!("allowed: {}", known()));
                None
            }
            (None, Some(key)) => Some((key.value, Vec::new())),
        }
    }

    /// The event's own rule set: what it extends, and what it changes.
    fn own_rules(&mut self, path: &Path, text: &str) -> Option<EventRules> {
        let (root, broken) = DeTable::parse_recoverable(text);
        let mut own = OwnRules { path, text, mistakes: Vec::new() };
        for error in &broken {
            let message = format!("this is not TOML: {}", error.message());
            own.wrong(error.span().unwrap_or(0..0), message, None);
        }
        let rules = if broken.is_empty() { own.read(root.get_ref()) } else { None };
        let fine = own.mistakes.is_empty();
        self.mistakes.append(&mut own.mistakes);
        rules.filter(|_| fine)
    }
}

/// A rule-set file while it is read.
struct OwnRules<'a> {
    path: &'a Path,
    text: &'a str,
    mistakes: Vec<Mistake>,
}

impl OwnRules<'_> {
    fn wrong(&mut self, at: Range<usize>, message: String, allowed: Option<String>) {
        let file = Some((self.path.display().to_string(), self.text.to_owned()));
        self.mistakes.push(Mistake { at, message, allowed, file });
    }

    fn read(&mut self, table: &DeTable<'_>) -> Option<EventRules> {
        let set = self.extended(table)?;
        let mut rules = Rules::plain(set);
        let mut changes = Vec::new();
        for (key, value) in table.iter().filter(|(key, _)| key.get_ref() != "extends") {
            match (key.get_ref().as_ref(), value.get_ref().as_table()) {
                ("articles", Some(articles)) => {
                    for (topic, value) in articles {
                        let name = format!("articles.{}", topic.get_ref());
                        self.change(&mut rules, &name, topic.span(), value, &mut changes);
                    }
                }
                (name, _) => self.change(&mut rules, name, key.span(), value, &mut changes),
            }
        }
        Some((set.key.to_owned(), changes))
    }

    fn extended(&mut self, table: &DeTable<'_>) -> Option<&'static RuleSet> {
        let known = || RuleSet::ALL.iter().map(|set| set.key).collect::<Vec<_>>().join(", ");
        let Some((_, value)) = table.iter().find(|(key, _)| key.get_ref() == "extends") else {
            self.wrong(0..0, "extends is missing".to_owned(), Some(format!("needed: one of {}", known())));
            return None;
        };
        let set = value.get_ref().as_str().and_then(RuleSet::by_key);
        if set.is_none() {
            let given = plain(value).unwrap_or_default();
            let message = format!("extends \"{given}\" names no rule set");
            self.wrong(value.span(), message, Some(format!("allowed: {}", known())));
        }
        set
    }

    fn change(
        &mut self,
        rules: &mut Rules,
        name: &str,
        at: Range<usize>,
        value: &Spanned<DeValue<'_>>,
        changes: &mut Vec<(String, String)>,
    ) {
        let known = name.starts_with("articles.") || OVERRIDES.iter().any(|(key, _)| *key == name);
        let text = plain(value).unwrap_or_default();
        match rules.change(name, &text) {
            Ok(()) => changes.push((name.to_owned(), text)),
            Err(allowed) if known && !name.starts_with("articles.") => {
                self.wrong(value.span(), format!("{name} is {text}"), Some(allowed));
            }
            Err(allowed) => self.wrong(at, format!("key \"{name}\" is not known"), Some(allowed)),
        }
    }
}

/// A text, a number, or true or false, as text.
fn plain(value: &Spanned<DeValue<'_>>) -> Option<String> {
    let value = value.get_ref();
    let number = value.as_integer().map(|number| number.as_str().replace('_', ""));
    let boolean = value.as_bool().map(|value| value.to_string());
    value.as_str().map(str::to_owned).or(number).or(boolean)
}
