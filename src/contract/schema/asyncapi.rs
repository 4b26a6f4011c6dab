//! The AsyncAPI 3 document, from the same list as the schemas.
//!
//! It is written from the daemon's side: it sends messages and receives requests.

use serde_json::{Map, Value, json};

use super::json_schema::{Shapes, Style, by_name, message_schema, request_body};
use super::{CHANNELS, Channel, MESSAGES, Retained};
use crate::alerts::{VERBS, VerbShape};

const STYLE: Style = Style { strict: false, refs: "#/components/schemas/" };

const ABOUT: &str = "What Jadoube publishes about the boards of a playing hall, and what arbiters ask of it. Payloads \
    are JSON objects in UTF-8; an empty payload clears a retained topic. Delivery is at least once: drop repeats of \
    (id, revision) on the log, and lower revisions everywhere. Ignore fields that you do not know. A request with an MQTT 5 response topic is answered there too, with its correlation data. docs/MQTT.md says \
    more.";

/// The document. `examples` are payloads as they are sent; each goes to the message that its
/// `schema` names.
#[must_use]
pub fn asyncapi(examples: &[Value]) -> Value {
    let mut channels: Map<String, Value> =
        CHANNELS.iter().map(|channel| (channel.name.to_owned(), sent(channel))).collect();
    let mut operations: Map<String, Value> = CHANNELS
        .iter()
        .map(|channel| {
            let retain = channel.retained != Retained::No;
            let operation = json!({
                "action": "send",
                "channel": {"$ref": format!("#/channels/{}", channel.name)},
                "summary": channel.about,
                "bindings": {"mqtt": {"qos": 1, "retain": retain, "bindingVersion": "0.2.0"}},
            });
            (format!("send-{}", channel.name), operation)
        })
        .collect();
    for verb in VERBS {
        channels.insert(format!("request-{}", verb.name), asked(verb));
        operations.insert(format!("receive-{}", verb.name), receive(verb));
    }
    json!({
        "asyncapi": "3.0.0",
        "id": "urn:jadoube:v1",
        "info": {
            "title": "Jadoube",
            "version": "1",
            "description": ABOUT,
            "license": {"name": "GPL-3.0-or-later"},
        },
        "defaultContentType": "application/json",
        "servers": {
            "broker": {
                "host": "broker.example:1883",
                "protocol": "mqtt",
                "protocolVersion": "5.0",
                "description": "the broker that the daemon is configured for",
            },
        },
        "channels": channels,
        "operations": operations,
        "components": components(examples),
    })
}

fn components(examples: &[Value]) -> Value {
    let (mut shapes, mut bodies, mut messages) = (Shapes::new(), Map::new(), Map::new());
    for message in MESSAGES {
        let body = message_schema(message, STYLE, &mut shapes);
        bodies.insert(format!("message-{}", message.name), Value::Object(body));
        let shown: Vec<Value> = examples
            .iter()
            .filter(|example| example["schema"] == message.schema())
            .map(|example| json!({"payload": example}))
            .collect();
        messages.insert(
            message.name.to_owned(),
            described(&message.schema(), message.about, message.name, shown),
        );
    }
    for verb in VERBS {
        let name = format!("request-{}", verb.name);
        bodies.insert(format!("message-{name}"), Value::Object(request_body(verb)));
        messages.insert(name.clone(), described(&name, verb.about, &name, Vec::new()));
    }
    if let Value::Object(shapes) = by_name(shapes) {
        bodies.extend(shapes);
    }
    json!({"messages": messages, "schemas": bodies})
}

fn described(title: &str, about: &str, name: &str, examples: Vec<Value>) -> Value {
    let mut out = json!({
        "name": name,
        "title": title,
        "summary": about,
        "contentType": "application/json",
        "payload": {"$ref": format!("#/components/schemas/message-{name}")},
    });
    if !examples.is_empty() {
        out["examples"] = Value::Array(examples);
    }
    out
}

fn sent(channel: &Channel) -> Value {
    let messages: Map<String, Value> = channel
        .messages
        .iter()
        .map(|name| ((*name).to_owned(), json!({"$ref": format!("#/components/messages/{name}")})))
        .collect();
    at(channel.path, channel.about, messages)
}

fn asked(verb: &VerbShape) -> Value {
    let name = format!("request-{}", verb.name);
    let message = json!({"$ref": format!("#/components/messages/{name}")});
    let path = format!("arbiter/{{board}}/request/{}", verb.name);
    at(&path, verb.about, Map::from_iter([(name, message)]))
}

fn receive(verb: &VerbShape) -> Value {
    json!({
        "action": "receive",
        "channel": {"$ref": format!("#/channels/request-{}", verb.name)},
        "summary": verb.about,
        "bindings": {"mqtt": {"qos": 1, "retain": false, "bindingVersion": "0.2.0"}},
        "reply": {
            "channel": {"$ref": "#/channels/response"},
            "messages": [{"$ref": "#/channels/response/messages/response"}],
        },
    })
}

fn at(path: &str, about: &str, messages: Map<String, Value>) -> Value {
    let address = format!("{{root}}/v1/{{node}}/{path}");
    let parameters: Map<String, Value> = PARAMETERS
        .iter()
        .filter(|(name, _)| address.contains(&format!("{{{name}}}")))
        .map(|(name, about)| ((*name).to_owned(), json!({"description": about})))
        .collect();
    json!({"address": address, "summary": about, "parameters": parameters, "messages": messages})
}

/// The variable parts of topics.
const PARAMETERS: &[(&str, &str)] = &[
    ("root", "`jadoube` unless configured otherwise"),
    ("node", "the daemon, by default the host's name"),
    ("board", "the board"),
    ("alert", "the alert's id; characters that topics give a meaning become `_`"),
    ("verb", "the verb of the request"),
];
