//! The codec from outside, both ways.

mod common;

mod clock;
mod commands;
mod examples;
mod junk;
mod log;
mod properties;
