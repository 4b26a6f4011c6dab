//! Owned copies of what a decoder said, so that whole streams can be compared.

use jadoube_dgt::{Decoder, Heard, Junk, LogPart, Message};

/// One thing heard. `Debug` stands for a message: it shows every field, and owns nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Owned {
    /// The `Debug` form of a message.
    Message(String),
    /// A part of a log.
    Log(LogPart),
    /// Junk.
    Junk(Junk, u16),
}

impl Owned {
    pub(crate) fn message(message: &Message<'_>) -> Owned {
        Owned::Message(format!("{message:?}"))
    }

    pub(crate) fn of(heard: Heard<'_>) -> Owned {
        match heard {
            Heard::Message(message) => Owned::message(&message),
            Heard::Log(part) => Owned::Log(part),
            Heard::Junk { why, bytes } => Owned::Junk(why, bytes),
        }
    }
}

/// What a fresh decoder hears, without ending the stream.
pub(crate) fn hear(bytes: &[u8]) -> Vec<Owned> {
    let mut all = Vec::new();
    Decoder::new().feed(bytes, |heard| all.push(Owned::of(heard)));
    all
}

/// The bytes of a message.
pub(crate) fn encode(message: &Message<'_>) -> Option<Vec<u8>> {
    let mut out = [0; jadoube_dgt::MAX_ENCODED];
    message.encode(&mut out).map(|len| out[..len].to_vec())
}

/// Decoding the bytes gives exactly this message, and encoding it gives the bytes again.
pub(crate) fn both_ways(bytes: &[u8], message: Message<'_>) {
    assert_eq!(hear(bytes), [Owned::message(&message)]);
    assert_eq!(encode(&message).as_deref(), Some(bytes));
}
