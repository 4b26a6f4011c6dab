//! A simulated playing room, our own judge of the detector.
//!
//! Players, hands, sensors, links and arbiters that know what they did; checkers that share no
//! code with the detector: they see the lines of a stream and the lines of `replay`, nothing else.

pub mod begin;
pub mod check;
pub mod chess;
pub mod claims;
pub mod clockwork;
pub mod draws;
pub mod drive;
pub mod faults;
pub mod game;
mod handover;
pub mod hands;
pub mod incidents;
pub mod labelled;
pub mod profile;
pub mod rng;
pub mod round;
pub mod sense;
pub mod settings;
pub mod show;
pub mod shrink;
pub mod stage;
pub mod starts;
pub mod truth;
