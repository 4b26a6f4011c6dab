//! Each kind of answer once.

use super::*;

#[test]
fn x() {}
