//! Jadoube.
fn main() {}
