//! The emulator: device bytes from a neutral recording. No stage uses it.
//!
//! In: rows of a recording and a host's commands. Out: bytes with the tick at which a device would
//! send them. Never: a port or a clock.
