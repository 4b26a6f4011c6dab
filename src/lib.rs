//! Jadoube reads electronic chessboards, rebuilds the games, notices irregularities and tells the
//! arbiter over MQTT. The arbiter rules; Jadoube never does.
//!
//! The flow, in reading order, and what each stage never does:
//!
//! | module | gives | never |
//! | --- | --- | --- |
//! | [`tick`] | time as the core knows it | reads a host clock |
//! | [`events`] | what a device said | knows chess or who sits where |
//! | [`timeline`] | what stands on the wood and who pressed, in the players' frame | knows what is legal |
//! | [`game`] | what was played | knows the event's regulations |
//! | [`mating`] | whether a side can still mate, with the proof | spends more than its budget |
//! | [`laws`] | findings and advice | publishes, or rules |
//! | [`alerts`] | the life of an alert, rulings, offences | decides what happened |
//! | [`table`] | the stages above as one `step` per board | does I/O |
//! | [`journal`] | the record of every input, as text | touches a file |
//! | [`contract`] | messages, replay lines and cards | decides anything |
//! | [`emulator`] | device bytes from a neutral recording | is used by any stage |
//! | [`label`] | what really happened in a recording, and constants that fit real hands | asks the detector |
//! | `daemon` | ports, clock, broker, files, signals | decides anything |

pub mod alerts;
pub mod contract;
#[cfg(feature = "daemon")]
pub mod daemon;
pub mod emulator;
pub mod events;
pub mod game;
pub mod journal;
pub mod label;
pub mod laws;
pub mod mating;
pub mod table;
pub mod tick;
pub mod timeline;
