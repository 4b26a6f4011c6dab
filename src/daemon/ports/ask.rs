//! Asks a board who it is, and nothing else: its update mode and its game stay as they are.

use std::path::Path;
use std::time::Duration;

use jadoube_dgt::{Command, Decoder, Heard, Message};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, sleep, timeout};

use crate::daemon::port::{PACE, open};

/// How long a board has to answer after the last question.
const ANSWER: Duration = Duration::from_millis(1_000);

/// What a board says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Identity {
    /// The serial number of five characters, which every board has.
    pub serial: Option<String>,
    /// The long one of newer boards.
    pub long_serial: Option<String>,
    /// The firmware's version.
    pub version: Option<String>,
    /// The battery of wireless boards, per cent.
    pub battery: Option<u8>,
}

impl Identity {
    /// Takes over what a message says.
    pub fn hear(&mut self, message: &Message<'_>) {
        let text = |bytes: &[u8]| Some(String::from_utf8_lossy(bytes).into_owned());
        match message {
            Message::SerialNumber(serial) => self.serial = text(serial),
            Message::LongSerialNumber(serial) => self.long_serial = text(serial),
            Message::Version { major, minor } => self.version = Some(format!("{major}.{minor:02}")),
            Message::Battery(battery) => self.battery = Some(battery.percent),
            _ => {}
        }
    }

    /// Whether one of its numbers is this one.
    #[must_use]
    pub fn is(&self, number: &str) -> bool {
        [&self.serial, &self.long_serial].into_iter().any(|own| own.as_deref() == Some(number))
    }

    /// Its number, the long one if it has one.
    #[must_use]
    pub fn number(&self) -> Option<&str> {
        self.long_serial.as_deref().or(self.serial.as_deref())
    }
}

/// Asks the board at a port these questions, the last one such that every board answers it.
///
/// # Errors
/// The port cannot be opened, or nothing answers; says which, for people.
pub async fn ask(port: &Path, questions: &[Command]) -> Result<Identity, String> {
    let mut stream = open(port)?;
    let (mut decoder, mut identity) = (Decoder::new(), Identity::default());
    let mut heard = false;
    for question in questions {
        let sent = timeout(ANSWER, stream.write_all(&[question.byte()])).await;
        if !matches!(sent, Ok(Ok(()))) {
            return Err(format!("port {} takes no questions", port.display()));
        }
        let listen = Instant::now() + PACE;
        heard |= hear(&mut stream, listen, &mut decoder, &mut identity, |_| false).await;
    }
    let listen = Instant::now() + ANSWER;
    let last = questions.last().copied();
    heard |= hear(&mut stream, listen, &mut decoder, &mut identity, |identity| match last {
        Some(Command::ReturnSerial) => identity.serial.is_some(),
        _ => false,
    })
    .await;
    match heard {
        true => Ok(identity),
        false => Err(format!("nothing answers at {}", port.display())),
    }
}

/// Listens until then, or until enough is known; whether anything that a board says was heard.
async fn hear(
    stream: &mut (impl AsyncReadExt + Unpin),
    until: Instant,
    decoder: &mut Decoder,
    identity: &mut Identity,
    enough: impl Fn(&Identity) -> bool,
) -> bool {
    let mut buffer = [0; 256];
    let mut heard = false;
    while !enough(identity) {
        let left = until.saturating_duration_since(Instant::now());
        match timeout(left, stream.read(&mut buffer)).await {
            Err(_) => break,
            Ok(Ok(n)) if n > 0 => decoder.feed(&buffer[..n], |said| {
                if let Heard::Message(message) = said {
                    heard = true;
                    identity.hear(&message);
                }
            }),
            // Gone; the next question says so.
            Ok(_) => {
                sleep(left.min(PACE)).await;
                break;
            }
        }
    }
    heard
}
