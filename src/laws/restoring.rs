//! Restoring a position: which one, by which hand movements, and with which times.
//!
//! Everything here is a pure function of the record and of the wood as it is, so a plan is made
//! anew whenever a piece has moved, and any order of hands is fine.

mod homes;
mod plan;
mod times;
mod wanted;

pub use homes::Homes;
pub use plan::{HandMove, plan};
pub use times::{Times, TimesNow};
pub use wanted::{Wanted, Which, counter};
