//! The simulated board: what a host hears is what the recording says.

mod common;
mod corpus;
mod pty;
mod pure;
