//! The journal as text: every input of a board, in order, before it is acted on.
//!
//! In: inputs. Out: lines, and inputs again. Never: a file; the daemon writes and reads those.
