//! Labels of real recordings: what really happened, written beside what the sensors said.
//!
//! In: a recording, the moves that were played, what an observer saw. Out: for each ply when its
//! hands moved, the truth of the recording for the scorer, and constants for the simulated room.
//! Never: what the detector concluded. The labels judge it, so they rest on the moves and on an
//! alignment of their own.

mod align;
mod fit;
mod incidents;
mod moves;
mod ply;
mod stream;
mod truth;

pub use fit::{Fitted, fit};
pub use incidents::{Incident, IncidentError, Incidents};
pub use moves::{Game, MovesError, Ply};
pub use ply::{Confidence, Label, LabelError, Labelled, Touch, label};
pub use stream::{Pace, Recording};
pub use truth::{TruthError, truth};
