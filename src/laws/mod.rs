//! Stage 4, what the Laws say: findings (facts) and advice (what the Laws propose).
//!
//! In: what the game stage explains. Out: [`Finding`]s, and [`Advice`] for the event's rule set.
//! Never: publishing, and never a ruling: only an arbiter rules.

mod advice;
mod finding;
mod rules;
mod ruleset;

pub use advice::{Advice, MatingAsk, May, Replacement, Restore, TimeGift, advise};
pub use finding::{Certainty, Facts, Finding, Severity, Step};
pub use rules::{RULES, Rule, RuleId};
pub use ruleset::{Exception, NotifyRule, PawnLeft, RuleSet, RuleSetKey, StartFaults, Starts, Window};
