//! The demo: its games, and that it shows what it says it shows.

mod games;
mod shown;
