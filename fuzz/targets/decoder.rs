//! Any bytes, split anywhere, into both decoders of the DGT protocol.
//!
//! What must hold: nothing panics, a split changes nothing, every byte is told of exactly once, what
//! was read can be written and is read again, and a whole message is heard whatever came before.
#![no_main]

use jadoube_dgt::{
    CLOCK_PROBE, CommandDecoder, Decoder, Heard, HostSaid, LogEntry, LogPart, MAX_ENCODED, Message,
    encode_log,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&size, bytes)) = data.split_first() else { return };
    let whole = heard([bytes]);
    assert_eq!(heard(bytes.chunks(usize::from(size).max(1))), whole);

    let version = [0x93, 0, 5, 1, 2];
    let after = heard([bytes, &version[..]]);
    let last = after.iter().rev().find(|(what, _)| what.starts_with("Message"));
    let said = Message::Version { major: 1, minor: 2 };
    assert_eq!(last.map(|(what, _)| what.as_str()), Some(format!("Message({said:?})").as_str()));

    commands(bytes, usize::from(size).max(1));
});

/// What is heard, each thing with the bytes it accounts for; together they are all bytes.
fn heard<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Vec<(String, usize)> {
    let mut all = Vec::new();
    let mut decoder = Decoder::new();
    let mut fed = 0;
    for chunk in chunks {
        fed += chunk.len();
        decoder.feed(chunk, |what| all.push((format!("{what:?}"), length(what))));
    }
    decoder.finish(|what| all.push((format!("{what:?}"), length(what))));
    assert_eq!(all.iter().map(|(_, length)| length).sum::<usize>(), fed);
    all
}

fn length(what: Heard<'_>) -> usize {
    match what {
        Heard::Junk { bytes, .. } => usize::from(bytes),
        Heard::Log(LogPart::Begins { .. }) => 3,
        Heard::Log(LogPart::Ends) => 0,
        Heard::Log(LogPart::Entry(entry)) => entry_again(entry),
        Heard::Message(Message::Skipped { len, .. }) => usize::from(len),
        Heard::Message(message) => message_again(message),
    }
}

/// Writes what was read and reads it again.
fn message_again(message: Message<'_>) -> usize {
    let mut out = [0; MAX_ENCODED];
    let Some(written) = message.encode(&mut out) else {
        // A board may say durations that the encoder has no bytes for.
        assert!(matches!(message, Message::Battery(_)), "{message:?}");
        return 12;
    };
    let mut again = 0;
    Decoder::new().feed(&out[..written], |what| {
        assert_eq!(what, Heard::Message(message));
        again += 1;
    });
    assert_eq!(again, 1);
    written
}

fn entry_again(entry: LogEntry) -> usize {
    let mut out = [0; MAX_ENCODED];
    let written = encode_log(&[entry], &mut out).expect("what was read can be written");
    let mut again = false;
    Decoder::new().feed(&out[..written], |what| again |= what == Heard::Log(LogPart::Entry(entry)));
    assert!(again, "{entry:?}");
    written - 3
}

fn commands(bytes: &[u8], size: usize) {
    let listen = |size: usize| {
        let mut all = Vec::new();
        let mut decoder = CommandDecoder::new();
        bytes.chunks(size).for_each(|chunk| decoder.feed(chunk, |said| all.push(said)));
        all
    };
    let whole = listen(bytes.len().max(1));
    assert_eq!(listen(size), whole);
    let told: usize = whole
        .iter()
        .map(|said| match said {
            HostSaid::Command(_) | HostSaid::Forbidden { .. } | HostSaid::Unknown(_) => 1,
            HostSaid::ClockProbe => CLOCK_PROBE.len(),
            HostSaid::Clock { len, .. } | HostSaid::Framed { len, .. } => usize::from(*len),
        })
        .sum();
    // At most one framed command is unfinished.
    assert!(told <= bytes.len() && bytes.len() - told <= 256);
}
