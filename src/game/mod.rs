//! Stage 3, what was played: the record, and the stories that explain the wood.
//!
//! In: the wood, contacts, presses. Out: plies and explanations. Never: regulations, penalties,
//! or whose fault it was.

mod ply;

pub use ply::{Completed, PlyKind, PlyRecord};
