//! Players' names, kept apart from the evidence: one file an event, beside its journals.
//!
//! Journals hold tokens, which are digests of a name and of a random salt that only this file has.
//! With the file deleted they say nothing, the chain of the journals is whole, and nothing leads from
//! one event to the next. A file that is deleted while the daemon runs is gone for it too.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::records;
use crate::alerts::Pairing;
use crate::contract::Draft;

/// The file's name.
pub(super) const FILE: &str = "names.json";
/// Bytes of salt.
const SALT: usize = 16;

/// As the file has it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Held {
    salt: String,
    names: BTreeMap<String, String>,
}

/// What was read last, and when the file was written then.
#[derive(Debug, Default)]
struct Known {
    written: Option<SystemTime>,
    held: Held,
}

/// The names of one event.
#[derive(Clone, Debug)]
pub struct Names {
    dir: PathBuf,
    read: Arc<Mutex<Known>>,
}

impl Names {
    /// Those beside the journals in `dir`.
    #[must_use]
    pub fn beside(dir: &Path) -> Names {
        Names { dir: dir.to_owned(), read: Arc::default() }
    }

    /// The name of a token, if it is known still.
    #[must_use]
    pub fn name(&self, token: &str) -> Option<String> {
        self.held().ok()?.names.get(token).cloned()
    }

    /// A pairing whose names are tokens; the names are on disk by then.
    ///
    /// # Errors
    /// The file cannot be read or written; says which.
    pub fn tokens(&self, pairing: &Pairing) -> Result<Pairing, String> {
        let mut held = self.held()?;
        let before = held.names.len();
        if held.salt.is_empty() {
            held.salt = salt().map_err(|error| format!("no random numbers: {error}"))?;
        }
        let mut token = |name: &Option<String>| {
            name.as_ref().map(|name| {
                let token = token(&held.salt, name);
                held.names.insert(token.clone(), name.clone());
                token
            })
        };
        let tokens = Pairing { white: token(&pairing.white), black: token(&pairing.black) };
        if held.names.len() != before {
            let text = serde_json::to_string_pretty(&held).map_err(|error| error.to_string())?;
            records::write(&self.dir, FILE, &text)
                .map_err(|error| format!("{} cannot be written: {error}", self.path().display()))?;
        }
        Ok(tokens)
    }

    /// Puts names where a message for the public has tokens; a token without a name becomes null.
    pub fn put_into(&self, draft: &mut Draft) {
        let Some(body) = draft.body.as_mut().filter(|_| draft.path.starts_with("broadcast/")) else { return };
        let Some(pairing) = body.get_mut("pairing").and_then(serde_json::Value::as_object_mut) else {
            return;
        };
        for value in pairing.values_mut() {
            let name = value.as_str().and_then(|token| self.name(token));
            *value = name.map_or(serde_json::Value::Null, Into::into);
        }
    }

    fn path(&self) -> PathBuf {
        self.dir.join(FILE)
    }

    /// The file as it is; nothing where there is none.
    fn held(&self) -> Result<Held, String> {
        let path = self.path();
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let written = path.metadata().and_then(|meta| meta.modified()).ok();
        if written.is_none() {
            *read = Known::default();
        } else if written != read.written {
            let text = match std::fs::read_to_string(&path) {
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Held::default()),
                text => text.map_err(|error| format!("{} cannot be read: {error}", path.display()))?,
            };
            let held = serde_json::from_str(&text)
                .map_err(|error| format!("{} is no file of names: {error}; move it away", path.display()))?;
            *read = Known { written, held };
        }
        Ok(read.held.clone())
    }
}

fn token(salt: &str, name: &str) -> String {
    let digest = Sha256::new().chain_update(salt).chain_update([0]).chain_update(name).finalize();
    format!("player-{}", hex::encode(&digest[..8]))
}

fn salt() -> std::io::Result<String> {
    let mut bytes = [0; SALT];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(hex::encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn scratch(name: &str) -> PathBuf {
        let dir = std::env::temp_dir().join(format!("jadoube-names-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        dir
    }

    fn pairing(white: &str) -> Pairing {
        Pairing { white: Some(white.to_owned()), black: None }
    }

    #[test]
    fn a_token_is_a_name_as_long_as_the_file_is_there() {
        let dir = scratch("tokens");
        let names = Names::beside(&dir);
        let first = names.tokens(&pairing("A. White")).unwrap();
        assert_eq!(names.tokens(&pairing("A. White")).unwrap(), first, "asked again, the same");
        let token = first.white.unwrap();
        assert!(!token.contains("White") && first.black.is_none());
        assert_eq!(Names::beside(&dir).name(&token).as_deref(), Some("A. White"), "after a restart");
        let body = json!({"pairing": {"white": token, "black": null}, "moves": []});
        let mut draft =
            Draft { path: "broadcast/b1/game".to_owned(), retain: true, body: body.as_object().cloned() };
        names.put_into(&mut draft);
        assert_eq!(draft.body.as_ref().unwrap()["pairing"]["white"], "A. White");
        std::fs::remove_file(dir.join(FILE)).unwrap();
        assert_eq!(names.name(&token), None);
        assert_ne!(names.tokens(&pairing("A. White")).unwrap().white, Some(token), "another salt");
        std::fs::remove_dir_all(&dir).unwrap();
    }

    #[test]
    fn a_damaged_file_is_named_and_not_written_over() {
        let dir = scratch("damaged");
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join(FILE), "{").unwrap();
        let why = Names::beside(&dir).tokens(&pairing("W")).unwrap_err();
        assert!(why.contains("names.json is no file of names"), "{why}");
        assert_eq!(std::fs::read_to_string(dir.join(FILE)).unwrap(), "{");
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
