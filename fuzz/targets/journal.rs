//! Lines of a journal, damaged ones and such as nobody wrote but whose checksums fit.
//!
//! What must hold: nothing panics, and a table can be built again of whatever could be read.
#![no_main]

use jadoube::journal::{Reader, is_journal, resume};
use libfuzzer_sys::fuzz_target;
use sha2::{Digest, Sha256};

fuzz_target!(|data: &[u8]| {
    let Some((&seal, text)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(text);
    // Without sums of its own no line would get past the first check.
    let lines = if seal & 1 == 0 { text.lines().map(str::to_owned).collect() } else { sealed(&text) };
    let mut reader = Reader::new();
    for line in &lines {
        std::hint::black_box(is_journal(line));
        if reader.read_line(line).is_err() {
            break;
        }
    }
    let resumed = resume(lines.iter().map(String::as_str));
    assert!(!resumed.table.retained().is_empty(), "a board always has a state");
});

/// Gives each line what all lines of a journal have: number, chain and checksum.
fn sealed(text: &str) -> Vec<String> {
    let mut prev = "0000000000000000".to_owned();
    let mut lines = Vec::new();
    for (seq, body) in text.lines().enumerate() {
        let body = format!("{{\"v\":1,\"seq\":{seq},{body},\"prev\":\"{prev}\"");
        let line = format!("{body},\"crc\":\"{:08x}\"}}", crc32fast::hash(body.as_bytes()));
        prev = hex::encode(&Sha256::digest(line.as_bytes())[..8]);
        lines.push(line);
    }
    lines
}
