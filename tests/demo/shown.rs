//! The first command of the README does what the README says.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn every_alert_is_shown_within_a_minute() {
    let began = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_jadoube"))
        .arg("demo")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    assert!(began.elapsed() < Duration::from_secs(65));
    for card in ["BOARD TABLE-1", "BOARD TABLE-2", "BOARD TABLE-3"] {
        assert!(text.contains(card), "{card}: {text}");
    }
    assert!(!text.contains("BOARD TABLE-4"), "{text}");
}
