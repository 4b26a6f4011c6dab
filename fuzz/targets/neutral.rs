//! Lines of a neutral recording, and a table that is given what could be read.
//!
//! What must hold: nothing panics, whatever times, squares and placements a recorder wrote.
#![no_main]

use jadoube::events::{RowKind, parse_row};
use jadoube::table::{Effects, Input, Table};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let mut table = Table::new();
    for row in text.lines().take(200).filter_map(|line| parse_row(line).ok()) {
        let input = match row.kind {
            RowKind::Meta(setup) => Input::Setting(setup),
            RowKind::Report(report) => Input::Report(report),
        };
        table.step(row.at, input, &mut Effects::default());
    }
    assert!(!table.retained().is_empty(), "a board always has a state");
});
