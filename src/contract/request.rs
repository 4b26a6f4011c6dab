//! Requests as they come from MQTT: JSON in, a validated [`Request`] out.

use thiserror::Error;

use crate::alerts::Request;

/// Why a request is refused. The text says what would be right.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{message}")]
pub struct RequestError {
    /// The request's id, if it could be read.
    pub id: Option<String>,
    /// What is wrong and what would be right.
    pub message: String,
}

/// Reads the payload of `…/request/<verb>`.
///
/// # Errors
/// [`RequestError`] for an unknown verb, broken JSON, a missing or wrong key.
pub fn parse_request(verb: &str, _payload: &[u8]) -> Result<Request, RequestError> {
    Err(RequestError { id: None, message: format!("verb \"{verb}\" is not known: use rule") })
}
