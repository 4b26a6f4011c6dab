//! What is not in the file: the environment, and secrets, which are never shown.
//!
//! A secret comes from the first of these that is there: the variable, the credential that the
//! service manager hands over, the file that the configuration names.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

/// The variables the program looks at, and what each is for. Errors, the manual and the test of the
/// example use this list; another variable is not looked at.
pub const VARIABLES: [(&str, &str); 6] = [
    (USER, "Whom to log in as at the broker, before `user` of the configuration."),
    (
        PASSWORD,
        "The broker's password, before the credential and `password_file`. Other programs of the same user can \
         read it: a credential or a file is better.",
    ),
    (
        CREDENTIALS,
        "Set by systemd. The credential `broker-password` (LoadCredential=) is the broker's password, before \
         `password_file`.",
    ),
    (
        STATE,
        "Set by systemd. Journals are kept in `journal` below it, unless the configuration says `journal_dir`.",
    ),
    ("NOTIFY_SOCKET", "Set by systemd. Where the service manager is told that the room is open."),
    ("RUST_LOG", "What is logged, as `debug` or `jadoube=debug,info`. Default: `info`."),
];

const USER: &str = "JADOUBE_BROKER_USER";
const PASSWORD: &str = "JADOUBE_BROKER_PASSWORD";
const CREDENTIALS: &str = "CREDENTIALS_DIRECTORY";
const STATE: &str = "STATE_DIRECTORY";
/// The name of the credential with the broker's password.
pub const CREDENTIAL: &str = "broker-password";

/// A text that no log, error or list shows.
#[derive(Clone, PartialEq, Eq)]
pub struct Hidden(String);

impl Hidden {
    /// Hides it.
    #[must_use]
    pub fn new(text: String) -> Hidden {
        Hidden(text)
    }
}

impl fmt::Debug for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(hidden)")
    }
}

/// Where the broker's password comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Password {
    /// The variable.
    Variable(Hidden),
    /// The credential, a file; its first line is the password.
    Credential(PathBuf),
    /// `password_file`; its first line is the password.
    File(PathBuf),
}

impl Password {
    /// The password, read anew.
    ///
    /// # Errors
    /// The file cannot be read; says which, never what is in it.
    pub fn read(&self) -> Result<String, String> {
        let path = match self {
            Password::Variable(Hidden(text)) => return Ok(text.clone()),
            Password::Credential(path) | Password::File(path) => path,
        };
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("{} cannot be read: {error}", self.place()))?;
        Ok(text.lines().next().unwrap_or_default().to_owned())
    }

    /// Where it comes from, for people.
    #[must_use]
    pub fn place(&self) -> String {
        match self {
            Password::Variable(_) => PASSWORD.to_owned(),
            Password::Credential(path) => format!("credential {}", path.display()),
            Password::File(path) => format!("password_file {}", path.display()),
        }
    }
}

/// The part of the environment that a configuration depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    user: Option<String>,
    password: Option<Hidden>,
    credentials: Option<PathBuf>,
    state: Option<PathBuf>,
}

impl Environment {
    /// That of this process.
    #[must_use]
    pub fn of_process() -> Environment {
        Environment::of(|name| std::env::var_os(name))
    }

    /// Any other. An empty variable is none.
    pub fn of(variable: impl Fn(&str) -> Option<OsString>) -> Environment {
        let given = |name| variable(name).filter(|value| !value.is_empty());
        let text = |name| given(name).map(|value| value.to_string_lossy().into_owned());
        Environment {
            user: text(USER),
            password: text(PASSWORD).map(Hidden),
            credentials: given(CREDENTIALS).map(PathBuf::from),
            state: given(STATE).map(PathBuf::from),
        }
    }

    /// Whom to log in as, whatever the file says.
    #[must_use]
    pub fn user(&self) -> Option<String> {
        self.user.clone()
    }

    /// The password, whatever file is named.
    #[must_use]
    pub fn password(&self) -> Option<Password> {
        let credential = || {
            let path = self.credentials.as_ref()?.join(CREDENTIAL);
            path.exists().then_some(Password::Credential(path))
        };
        self.password.clone().map(Password::Variable).or_else(credential)
    }

    /// systemd names the directory it made for the service; elsewhere journals are beside the
    /// configuration.
    #[must_use]
    pub fn journal_dir(&self, home: &Path) -> PathBuf {
        self.state.as_deref().unwrap_or(home).join("journal")
    }
}

/// The text of a file for showing it to people: secrets that were written into it are covered, byte by
/// byte, so that places in it stay the same.
#[must_use]
pub fn covered(text: &str) -> String {
    text.split_inclusive('\n').map(cover_line).collect()
}

fn cover_line(line: &str) -> String {
    let mut line = line.to_owned();
    // An address with a login in it.
    if let Some(from) = line.find("://").map(|at| at + 3)
        && let Some(length) = line[from..].rfind('@')
    {
        line.replace_range(from..from + length, &"*".repeat(length));
    }
    let lower = line.to_ascii_lowercase();
    let first = ["password", "passwd", "secret", "token"].iter().filter_map(|word| lower.find(word)).min();
    let Some(word) = first else { return line };
    let Some(equals) = line[word..].find('=').map(|at| word + at) else { return line };
    if line[word..equals].trim_end() == "password_file" {
        return line;
    }
    let end = line.trim_end().len();
    let from = equals + 1;
    let from = from + (line[from..end].len() - line[from..end].trim_start().len());
    line.replace_range(from..end, &"*".repeat(end - from));
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_that_is_there_is_taken() {
        let of = |names: &'static [(&'static str, &'static str)]| {
            Environment::of(|name| names.iter().find(|(n, _)| *n == name).map(|(_, v)| OsString::from(v)))
        };
        assert_eq!(of(&[("JADOUBE_BROKER_PASSWORD", "")]).password(), None);
        let both = of(&[("JADOUBE_BROKER_PASSWORD", "x y"), ("CREDENTIALS_DIRECTORY", "/nonexistent")]);
        assert_eq!(both.password().map(|password| password.read()), Some(Ok("x y".to_owned())));
        assert!(!format!("{both:?}").contains("x y"));
        // A directory without this credential says nothing.
        assert_eq!(of(&[("CREDENTIALS_DIRECTORY", "/nonexistent")]).password(), None);
    }

    #[test]
    fn what_was_written_into_the_file_is_covered() {
        let text =
            "password_file = \"p\"\npassword = \"hünter\"\nx = { Secret=\"s\" }\nhost = \"mqtt://u:pw@h\"\n";
        let shown = covered(text);
        assert_eq!(shown.len(), text.len());
        assert!(shown.starts_with("password_file = \"p\"\npassword = ***"), "{shown}");
        for secret in ["nter", "\"s\"", "pw"] {
            assert!(!shown.contains(secret), "{shown}");
        }
    }
}
