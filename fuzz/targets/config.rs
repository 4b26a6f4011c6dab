//! The text of a configuration.
//!
//! What must hold: nothing panics, and a mistake is told with its place in the text, whatever
//! characters stand there.
#![no_main]

use std::path::Path;

use jadoube::daemon::config::Config;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match Config::parse(text, Path::new("jadoube.toml")) {
        Ok(config) => {
            for board in &config.boards {
                config.setup(&board.id);
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
