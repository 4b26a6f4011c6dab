//! The card in the README is what the program prints.
#![cfg(feature = "daemon")]

use std::fs;
use std::process::Command;

use crate::source::root;

const RECORDING: &str = "fixtures/demo/table-1-illegal-move.jsonl";

#[test]
fn the_card_is_real() {
    let text = fs::read_to_string(root().join("README.md")).expect("a README");
    let block = text.split("```text\n").find(|block| block.starts_with("BOARD ")).expect("a card");
    let shown = block.split("```").next().unwrap_or_default();
    assert!(text.contains(&format!("replay {RECORDING}`")), "the README says where its card comes from");
    let output = Command::new(env!("CARGO_BIN_EXE_jadoube"))
        .current_dir(root())
        .args(["replay", RECORDING])
        .output()
        .expect("the program runs");
    let printed = String::from_utf8(output.stdout).expect("text");
    assert!(
        printed.starts_with(shown),
        "the README's card differs from `jadoube replay {RECORDING}`, which prints:\n{printed}"
    );
}
