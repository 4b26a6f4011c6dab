//! Payloads of requests as they come from the broker, to each verb and to none.
//!
//! What must hold: nothing panics, and a table answers each request once.
#![no_main]

use jadoube::contract::parse_request;
use jadoube::table::{Effects, Input, Publish, Table};
use jadoube::tick::Tick;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    // The first line is the verb.
    let end = data.iter().position(|byte| *byte == b'\n').unwrap_or(data.len());
    let (verb, payload) = data.split_at(end);
    let Ok(received) = parse_request(&String::from_utf8_lossy(verb), payload) else { return };
    let mut effects = Effects::default();
    Table::new().step(Tick::ZERO, Input::Request(received.request), &mut effects);
    let answers = effects.publish.iter().filter(|item| matches!(item, Publish::Response(_))).count();
    assert_eq!(answers, 1);
});
