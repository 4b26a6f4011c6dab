//! Requests as they come from MQTT: JSON in, a validated [`Request`] out.

use serde_json::{Map, Value};
use thiserror::Error;

use super::schema::REQUEST;
use crate::alerts::{Keys, Request, Verb};

/// Why a request is refused. The text says what would be right.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{message}")]
pub struct RequestError {
    /// The request's id, if it could be read.
    pub id: Option<String>,
    /// What is wrong and what would be right.
    pub message: String,
}

/// A request as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// What is asked.
    pub request: Request,
    /// When it was sent, if it says so: milliseconds of Unix time.
    pub sent_ms: Option<u64>,
}

/// A request that comes later than this after it was sent is stale.
const STALE_MS: u64 = 60_000;
/// Bytes a payload may have.
const PAYLOAD: usize = 4096;

/// Reads the payload of `…/request/<verb>`.
///
/// # Errors
/// [`RequestError`] for an unknown verb, broken JSON, a missing or wrong key.
pub fn parse_request(verb: &str, payload: &[u8]) -> Result<Received, RequestError> {
    let object = read(payload).map_err(|message| RequestError { id: None, message })?;
    let id = Keys(&object).text("id").map_err(|message| RequestError { id: None, message })?;
    if object.get("schema").is_some_and(|schema| schema != REQUEST) {
        let message = format!("\"schema\" is not known: use \"{REQUEST}\" or leave it out");
        return Err(RequestError { id: Some(id), message });
    }
    let refuse = |message: String| RequestError { id: Some(id.clone()), message };
    let by = Keys(&object).text("by").map_err(&refuse)?;
    let sent_ms = Keys(&object).moment_if("sent_ms").map_err(&refuse)?;
    let verb = Verb::read(verb, &object).map_err(&refuse)?;
    Ok(Received { request: Request { id, by, verb }, sent_ms })
}

impl Received {
    /// The request, unless it is older than a minute or its sender's clock is a minute ahead.
    ///
    /// # Errors
    /// Says by how much, and what to do.
    pub fn fresh(self, now_ms: u64) -> Result<Request, RequestError> {
        let Some(sent_ms) = self.sent_ms else { return Ok(self.request) };
        let (late, early) = (now_ms.saturating_sub(sent_ms), sent_ms.saturating_sub(now_ms));
        let message = if late > STALE_MS {
            format!("the request was sent {} s ago: look again, and ask under a new id", late / 1000)
        } else if early > STALE_MS {
            format!("\"sent_ms\" is {} s ahead of this clock: set the clocks, or leave it out", early / 1000)
        } else {
            return Ok(self.request);
        };
        Err(RequestError { id: Some(self.request.id), message })
    }
}

/// The id of a request that is refused whatever it holds, if it can be read.
#[must_use]
pub fn request_id(payload: &[u8]) -> Option<String> {
    let object = read(payload).ok()?;
    Keys(&object).text("id").ok()
}

fn read(payload: &[u8]) -> Result<Map<String, Value>, String> {
    if payload.len() > PAYLOAD {
        return Err(format!("the payload has {} bytes: use at most {PAYLOAD}", payload.len()));
    }
    if payload.iter().all(u8::is_ascii_whitespace) {
        return Err("the payload is empty: send a JSON object".to_owned());
    }
    let text = std::str::from_utf8(payload)
        .map_err(|error| format!("the payload is not UTF-8 at byte {}", error.valid_up_to()))?;
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err("the payload is not a JSON object: use {\"id\": …, \"by\": …, …}".to_owned()),
        Err(error) => Err(format!("the payload is not JSON: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alerts::Decision;

    fn message(verb: &str, payload: &str) -> String {
        parse_request(verb, payload.as_bytes()).unwrap_err().message
    }

    #[test]
    fn a_ruling_is_read() {
        let payload = br#"{"id":"r1","by":"arbiter 2","alert":"g1-p9-illegal-move-1","ruling":"upheld"}"#;
        let verb = Verb::ruling("g1-p9-illegal-move-1", Decision::Upheld);
        let wanted = Request { id: "r1".to_owned(), by: "arbiter 2".to_owned(), verb };
        assert_eq!(parse_request("rule", payload).unwrap().fresh(0), Ok(wanted));
    }

    #[test]
    fn a_stale_request_is_refused() {
        let sent = |sent: u64| {
            let payload =
                serde_json::json!({"id": "r1", "by": "a", "alert": "x", "sent_ms": sent}).to_string();
            parse_request("undo", payload.as_bytes()).unwrap().fresh(1_000_000)
        };
        for fine in [940_000, 1_000_000, 1_060_000] {
            assert!(sent(fine).is_ok(), "{fine}");
        }
        let late = sent(900_000).unwrap_err();
        assert!(late.message.contains("sent 100 s ago") && late.id.as_deref() == Some("r1"), "{late}");
        assert!(sent(1_100_000).unwrap_err().message.contains("100 s ahead"));
    }

    #[test]
    fn every_error_says_what_would_be_right() {
        let full = |key: &str, value: &str| {
            let mut object = serde_json::json!({"id": "r1", "by": "a", "alert": "x", "ruling": "upheld"});
            object[key] = serde_json::from_str(value).unwrap();
            object.to_string()
        };
        let long = format!("\"{}\"", "x".repeat(129));
        for (payload, said) in [
            (String::new(), "empty: send a JSON object"),
            ("[1]".to_owned(), "not a JSON object"),
            ("{\"id\":".to_owned(), "not JSON"),
            ("{}".to_owned(), "\"id\" is missing"),
            (full("id", "\" \""), "\"id\" is empty"),
            (full("id", "7"), "\"id\" is not a text"),
            (full("id", &long), "at most 128"),
            (full("by", "\"a\\u0007\""), "control character"),
            (full("by", "null"), "\"by\" is not a text"),
            (full("ruling", "\"maybe\""), "use \"upheld\", \"dismissed\", \"stands\" or \"noted\""),
            (full("fine", "1"), "key \"fine\" is not known: use id, by, sent_ms, alert, ruling, why"),
            (full("schema", "\"other/9\""), "jadoube.request/1"),
            ("{\"id\":\"r1\"}".to_owned(), "\"by\" is missing"),
            ("x".repeat(5000), "at most 4096"),
        ] {
            let got = message("rule", &payload);
            assert!(got.contains(said), "{payload}: {got}");
        }
        assert!(parse_request("rule", &[b'{', 0xff]).unwrap_err().message.contains("UTF-8 at byte 1"));
        assert!(message("explode", &full("by", "\"a\"")).contains("use rule, undo"));
    }

    #[test]
    fn an_error_names_the_request_if_it_can() {
        let error = parse_request("rule", br#"{"id":"r9","by":"a","alert":"x","ruling":"no"}"#).unwrap_err();
        assert_eq!(error.id.as_deref(), Some("r9"));
    }
}
