//! The keys of a request as they stand in its JSON object: read one by one, each error saying what
//! would be right.

use serde_json::{Map, Value};
use shakmaty::{Color, Square};

/// Characters a text may have.
pub const TEXT_MAX: usize = 128;

/// A request's object, being read.
#[derive(Clone, Copy, Debug)]
pub struct Keys<'a>(pub &'a Map<String, Value>);

impl Keys<'_> {
    /// The text under `name`: there, not blank, not too long, without control characters.
    ///
    /// # Errors
    /// What is wrong and what would be right.
    pub fn text(self, name: &str) -> Result<String, String> {
        let value = self.0.get(name).ok_or_else(|| format!("\"{name}\" is missing: use a text"))?;
        let Some(text) = value.as_str() else {
            return Err(format!("\"{name}\" is not a text: put it in quotation marks"));
        };
        if text.trim().is_empty() {
            return Err(format!("\"{name}\" is empty: use 1 to {TEXT_MAX} characters"));
        }
        if text.chars().count() > TEXT_MAX {
            return Err(format!(
                "\"{name}\" has {} characters: use at most {TEXT_MAX}",
                text.chars().count()
            ));
        }
        if text.chars().any(char::is_control) {
            return Err(format!("\"{name}\" holds a control character: use printable ones"));
        }
        Ok(text.to_owned())
    }

    /// The same, where it may be left out or null.
    ///
    /// # Errors
    /// What is wrong and what would be right.
    pub fn text_if(self, name: &str) -> Result<Option<String>, String> {
        if self.has(name) { self.text(name).map(Some) } else { Ok(None) }
    }

    /// One of `words`.
    ///
    /// # Errors
    /// What is wrong and what would be right.
    pub fn one_of(self, name: &str, words: &[&'static str]) -> Result<&'static str, String> {
        let text = self.text(name)?;
        words.iter().find(|word| **word == text).copied().ok_or_else(|| {
            let allowed: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
            format!("\"{name}\" is \"{text}\": use {}", in_words(&allowed))
        })
    }

    /// The same, where it may be left out or null.
    ///
    /// # Errors
    /// What is wrong and what would be right.
    pub fn one_of_if(self, name: &str, words: &[&'static str]) -> Result<Option<&'static str>, String> {
        if self.has(name) { self.one_of(name, words).map(Some) } else { Ok(None) }
    }

    /// `white` or `black`, where it may be left out or null.
    ///
    /// # Errors
    /// What is wrong and what would be right.
    pub fn player_if(self, name: &str) -> Result<Option<Color>, String> {
        if self.has(name) { self.player(name).map(Some) } else { Ok(None) }
    }

    /// `white` or `black`.
    ///
    /// # Errors
    /// What is wrong and what would be right.
    pub fn player(self, name: &str) -> Result<Color, String> {
        let word = self.one_of(name, &["white", "black"])?;
        Ok(if word == "white" { Color::White } else { Color::Black })
    }

    /// A square, where it may be left out or null.
    ///
    /// # Errors
    /// What is wrong and what would be right.
    pub fn square_if(self, name: &str) -> Result<Option<Square>, String> {
        let Some(text) = self.text_if(name)? else { return Ok(None) };
        text.parse().map(Some).map_err(|_| format!("\"{name}\" is \"{text}\": use a1 to h8"))
    }

    /// A number from 0 to 100,000.
    ///
    /// # Errors
    /// What is wrong and what would be right.
    pub fn count(self, name: &str) -> Result<u32, String> {
        let value = self.0.get(name).ok_or_else(|| format!("\"{name}\" is missing: use a whole number"))?;
        number(value).ok_or_else(|| {
            format!("\"{name}\" is {}: use a whole number from 0 to {NUMBER_MAX}", short(value))
        })
    }

    /// The same, where it may be left out or null.
    ///
    /// # Errors
    /// What is wrong and what would be right.
    pub fn count_if(self, name: &str) -> Result<Option<u32>, String> {
        if self.has(name) { self.count(name).map(Some) } else { Ok(None) }
    }

    /// Whether it is there and not null.
    #[must_use]
    pub fn has(self, name: &str) -> bool {
        self.0.get(name).is_some_and(|value| !value.is_null())
    }

    /// Milliseconds of Unix time, where it may be left out or null.
    ///
    /// # Errors
    /// What is wrong and what would be right.
    pub fn moment_if(self, name: &str) -> Result<Option<u64>, String> {
        let Some(value) = self.0.get(name).filter(|value| !value.is_null()) else { return Ok(None) };
        let wrong = || format!("\"{name}\" is {}: use milliseconds of Unix time", short(value));
        value.as_u64().map(Some).ok_or_else(wrong)
    }

    /// A list of whole numbers from 1, each once, sorted.
    ///
    /// # Errors
    /// What is wrong and what would be right.
    pub fn counts(self, name: &str) -> Result<Vec<usize>, String> {
        let wrong = || format!("\"{name}\" is not a list of whole numbers from 1: use e.g. [1, 2]");
        let list = self.0.get(name).ok_or_else(|| format!("\"{name}\" is missing: use e.g. [1, 2]"))?;
        let list = list.as_array().filter(|list| list.len() <= LIST_MAX).ok_or_else(wrong)?;
        let numbers: Option<Vec<u32>> = list.iter().map(|item| number(item).filter(|n| *n > 0)).collect();
        let mut numbers: Vec<usize> =
            numbers.ok_or_else(wrong)?.into_iter().filter_map(|n| usize::try_from(n).ok()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        Ok(numbers)
    }
}

/// The greatest number that a request can hold.
pub const NUMBER_MAX: u32 = 100_000;
/// The longest list.
pub const LIST_MAX: usize = 512;

/// A value as an error shows it: whatever was sent, the answer stays short.
fn short(value: &Value) -> String {
    value.to_string().chars().take(TEXT_MAX).collect()
}

fn number(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|n| u32::try_from(n).ok()).filter(|n| *n <= NUMBER_MAX)
}

/// `a, b or c`.
fn in_words(list: &[String]) -> String {
    match list {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} or {last}", rest.join(", ")),
    }
}
