//! What leaves the core as text: MQTT messages (version 1), replay lines, cards for people.
//!
//! In: what a step wants published. Out: JSON objects and text. Never: a decision, a socket, or
//! `epoch` and `seq`, which the daemon adds when it sends.

mod alert;
mod answer;
mod broadcast;
mod card;
mod cases;
mod claim;
mod delay;
mod feed;
mod fields;
mod mating;
mod message;
mod page;
mod pgn;
mod replay;
mod report;
mod request;
mod requests_page;
mod restoring;
mod rules_page;
mod schema;

pub use alert::alert_document;
pub use broadcast::Broadcast;
pub use card::{card, card_from_json};
pub use cases::{CaseError, CaseOfFile, CaseRead, advice_line, case_card, error_line, read_cases};
pub use delay::{Delay, Item, Queue};
pub use feed::GameFeed;
pub use message::{Draft, drafts, refusal, topic};
pub use page::{Frame, incident_page};
pub use pgn::{Tags, record_pgn, strict_pgn};
pub use replay::replay_line;
pub use report::{Incident, JournalLine, Line, Round, round_report};
pub use request::{Received, RequestError, parse_request, request_id};
pub use requests_page::requests_page;
pub use rules_page::rules_page;
pub use schema::{
    CHANNELS, Channel, Field, Kind, MESSAGES, Message, REQUEST, Retained, Shape, asyncapi, request_schema,
    schema, schemas, strict_schema, with_tables,
};
