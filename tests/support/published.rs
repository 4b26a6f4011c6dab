//! What is published, held against the list in `src/contract/schema.rs`: strictly, so that what is
//! not listed is found, and with note of the fields that were seen, so that what is listed and never
//! written is found too.
// Each test program uses a part of this.
#![allow(dead_code)]

use std::collections::{BTreeMap, BTreeSet};

use jadoube::contract::{
    CHANNELS, Draft, Field, Kind, MESSAGES, Message, Retained, Shape, schema, strict_schema,
};
use jsonschema::Validator;
use serde_json::Value;

/// Validators of all messages, and what they have seen.
pub(crate) struct Published {
    by_schema: BTreeMap<String, (&'static Message, Validator, Validator)>,
    seen: BTreeSet<String>,
    /// What was wrong with drafts.
    pub(crate) faults: BTreeSet<String>,
    /// How many messages of each schema.
    pub(crate) count: BTreeMap<String, u64>,
}

impl Published {
    pub(crate) fn new() -> Published {
        let validator = |schema: &Value| jsonschema::draft202012::new(schema).expect("a schema that is one");
        let each = |message: &'static Message| {
            (message.schema(), (message, validator(&strict_schema(message)), validator(&schema(message))))
        };
        Published {
            by_schema: MESSAGES.iter().map(each).collect(),
            seen: BTreeSet::new(),
            faults: BTreeSet::new(),
            count: BTreeMap::new(),
        }
    }

    /// What is wrong with a message on this path below `<root>/v1/<node>/`.
    pub(crate) fn wrong(&mut self, path: &str, retain: bool, body: Option<&Value>) -> Option<String> {
        let Some(channel) = CHANNELS.iter().find(|channel| fits(channel.path, path)) else {
            return Some(format!("{path} is no topic of the list"));
        };
        if retain != (channel.retained != Retained::No) {
            return Some(format!("{path}: retained is {retain}"));
        }
        let Some(body) = body else {
            let clears = channel.retained == Retained::WhileOpen;
            return (!clears).then(|| format!("{path} is never cleared"));
        };
        let named = body["schema"].as_str().unwrap_or_default();
        let Some((message, strict, open)) = self.by_schema.get(named) else {
            return Some(format!("{path}: schema {named:?} is not listed"));
        };
        if !channel.messages.contains(&message.name) {
            return Some(format!("{path}: {named} does not belong there"));
        }
        let errors: Vec<String> = strict
            .iter_errors(body)
            .chain(open.iter_errors(body))
            .map(|error| format!("{} at {}", error, error.instance_path()))
            .collect();
        if !errors.is_empty() {
            return Some(format!("{path}: {}", errors.join("\n")));
        }
        *self.count.entry(named.to_owned()).or_default() += 1;
        for form in message.forms.iter().filter(|form| is_of(form, body)) {
            see(&mut self.seen, form.fields(), body, &format!("{} {}", message.name, form.name));
        }
        None
    }

    /// Holds a draft against the list, stamped as the daemon does it.
    pub(crate) fn check(&mut self, draft: &Draft) {
        let body = draft.body.clone().map(|mut body| {
            body.insert("epoch".to_owned(), 1.into());
            body.insert("seq".to_owned(), 1.into());
            Value::Object(body)
        });
        let wrong = self.wrong(&draft.path, draft.retain, body.as_ref());
        self.faults.extend(wrong);
        assert!(self.faults.len() < 20, "{:#?}", self.faults);
    }

    /// Holds what a subscriber of `<root>/v1/<node>/#` was given against the list: topic, whether the
    /// broker had kept it, and payload. Requests are sent by others.
    pub(crate) fn heard(&mut self, topic: &str, kept: bool, payload: &str) {
        let path = topic.splitn(4, '/').nth(3).unwrap_or_default();
        if matches!(path.split('/').collect::<Vec<_>>()[..], ["arbiter", _, "request", _]) {
            return;
        }
        let body = match payload {
            "" => None,
            text => Some(serde_json::from_str(text).unwrap_or_else(|error| panic!("{topic}: {error}"))),
        };
        // Whether a message is to be kept is told only to those who come later.
        let channel = CHANNELS.iter().find(|channel| fits(channel.path, path));
        let retain = kept || channel.is_some_and(|channel| channel.retained != Retained::No);
        let wrong = self.wrong(path, retain, body.as_ref());
        self.faults.extend(wrong);
    }

    /// Fields of the list that no message has had.
    pub(crate) fn unseen(&self) -> Vec<String> {
        let mut listed = Vec::new();
        for message in MESSAGES {
            for form in message.forms {
                list(&mut listed, form.fields(), &format!("{} {}", message.name, form.name));
            }
        }
        listed.retain(|field| !self.seen.contains(field));
        listed
    }
}

/// Whether a path is one of a channel: a part in braces is any part.
fn fits(channel: &str, path: &str) -> bool {
    let (wanted, got): (Vec<&str>, Vec<&str>) = (channel.split('/').collect(), path.split('/').collect());
    let same = |(wanted, got): (&&str, &&str)| (wanted.starts_with('{') && !got.is_empty()) || wanted == got;
    wanted.len() == got.len() && wanted.iter().zip(&got).all(same)
}

/// Whether a body has what makes this form.
fn is_of(form: &Shape, body: &Value) -> bool {
    form.fields().all(|field| match field.kind {
        Kind::Is(word) => field.may_miss || body[field.name] == word,
        Kind::Yes => body[field.name] == true,
        Kind::No => body[field.name] == false,
        _ => true,
    })
}

fn see(
    seen: &mut BTreeSet<String>,
    fields: impl Iterator<Item = &'static Field>,
    body: &Value,
    before: &str,
) {
    for field in fields {
        let value = &body[field.name];
        // Null says nothing about what a field holds; it is checked beside that.
        if value.is_null() {
            continue;
        }
        let name = format!("{before}.{}", field.name);
        match (field.kind, value) {
            (Kind::Object(shape), value) => see(seen, shape.fields(), value, &name),
            (Kind::OneOf(shapes), value) => {
                for shape in shapes.iter().filter(|shape| has_all(shape, value)) {
                    see(seen, shape.fields(), value, &format!("{name} {}", shape.name));
                }
            }
            (Kind::List(Kind::Object(shape)), Value::Array(items)) => {
                for item in items {
                    see(seen, shape.fields(), item, &name);
                }
            }
            _ => {}
        }
        seen.insert(name);
    }
}

/// Whether a value has every field that must be there.
fn has_all(shape: &Shape, value: &Value) -> bool {
    shape.fields().all(|field| field.may_miss || value.get(field.name).is_some())
}

fn list(listed: &mut Vec<String>, fields: impl Iterator<Item = &'static Field>, before: &str) {
    for field in fields {
        let name = format!("{before}.{}", field.name);
        match field.kind {
            Kind::Object(shape) | Kind::List(&Kind::Object(shape)) => list(listed, shape.fields(), &name),
            Kind::OneOf(shapes) => {
                for shape in shapes {
                    list(listed, shape.fields(), &format!("{name} {}", shape.name));
                }
            }
            _ => {}
        }
        listed.push(name);
    }
}
