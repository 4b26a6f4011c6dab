//! Worked cases as files: `facts` in, advice out (`jadoube.cases/1`).
//!
//! What a case is expected to give is never read here.

mod card;
mod facts;
mod setup;
mod write;

pub use card::case_card;
pub use write::{advice_line, error_line};

use serde_json::Value;
use thiserror::Error;

use crate::laws::{Case, Rules};

/// A case that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseRead {
    /// What is known.
    pub case: Case,
    /// The rules that apply, with the event's settings.
    pub rules: Rules,
}

/// A case that cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct CaseError(pub(crate) String);

/// A case of a file: its id and title, and what was read or why it was not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseOfFile {
    /// The id, or its place in the file where it has none.
    pub id: String,
    /// The title; may be empty.
    pub title: String,
    /// What was read.
    pub read: Result<CaseRead, CaseError>,
}

/// Reads the cases of a file: an object with `cases`, or the list itself.
///
/// # Errors
/// Text that is not JSON, or without a list of cases.
pub fn read_cases(text: &str) -> Result<Vec<CaseOfFile>, CaseError> {
    let file: Value = serde_json::from_str(text).map_err(|error| CaseError(format!("not JSON: {error}")))?;
    let list = match &file {
        Value::Array(list) => list,
        Value::Object(object) => object
            .get("cases")
            .and_then(Value::as_array)
            .ok_or_else(|| CaseError("there is no list \"cases\"".to_owned()))?,
        _ => return Err(CaseError("neither an object with \"cases\" nor a list of cases".to_owned())),
    };
    Ok(list.iter().enumerate().map(|(place, value)| one(place, value)).collect())
}

fn one(place: usize, value: &Value) -> CaseOfFile {
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let id = match value.get("id") {
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => text("id"),
    };
    let read = match value.get("facts") {
        Some(Value::Object(facts)) => facts::read(facts),
        _ => Err(CaseError("there are no facts: an object is needed".to_owned())),
    };
    CaseOfFile {
        id: id.unwrap_or_else(|| format!("#{}", place + 1)),
        title: text("title").unwrap_or_default(),
        read,
    }
}
