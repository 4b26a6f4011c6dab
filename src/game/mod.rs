//! Stage 3, what was played: the record, and the stories that explain the wood.
//!
//! In: the wood, contacts, presses. Out: [`Told`]: plies and explanations. Never: regulations,
//! penalties, or whose fault it was.

mod doubt;
mod explain;
mod gap;
mod held;
mod history;
mod judge;
mod ply;
mod position;
mod press;
mod quiet;
mod rebuild;
mod record;
mod rest;
mod signal;
mod standing;
mod start;
mod stories;
mod told;
mod traces;
mod tracker;
mod unseen;

pub use explain::{Explanation, Illegal, Scene};
pub use gap::{Found as Sequences, sequences};
pub use history::{History, Past};
pub use ply::{Completed, PlyKind, PlyRecord};
pub use position::{CastlingFault, Move, Position};
pub use record::{Completion, Entry, Record};
pub use signal::Signal;
pub use standing::Standing;
pub use stories::{Root, STORIES_MAX, Stories, Story};
pub use told::{Judgement, Matter, Moment, Told};
pub use tracker::{Now, Phase, Tracker};
pub use unseen::STORIES_TOLD;
