//! Stage 2, when the hands rest: contacts, presses and clock readings in the players' frame.
//!
//! In: reports in the sensor's frame. Out: what stands where, in the frame of the players, and who
//! pressed. Never: which moves are legal.
