//! Stage 4, what the Laws say: findings (facts) and advice (what the Laws propose).
//!
//! In: what the game stage explains. Out: [`Finding`]s, and [`Advice`] for the event's rule set.
//! Never: publishing, and never a ruling: only an arbiter rules.

mod adjust_out_of_turn;
mod advice;
mod both_kings_in_check;
mod case;
mod castling_incomplete;
mod castling_rook_first;
mod claim;
mod clock;
mod clock_adjusted;
mod clock_not_running;
mod clock_paused;
mod contacts;
mod detect;
mod displaced_pieces;
mod draws;
mod finding;
mod for_the_record;
mod game_ended;
mod illegal_move;
mod illegal_position;
mod impossible;
mod other_hand_press;
mod pawn_not_promoted;
mod pawn_on_last_rank;
mod position_unexplained;
mod premature_result;
mod press_move_incomplete;
mod press_without_move;
mod reason;
mod released_piece_moved;
mod restoring;
mod result_by_kings;
mod rules;
mod ruleset;
mod touch_move;
mod two_hands;
mod wrong_orientation;
mod wrong_setup;

pub use advice::{
    Advice, Circumstances, ClaimWindow, MatingAsk, May, Replacement, Replied, Restore, TimeGift, Wait,
    WindowState, advise,
};
pub use both_kings_in_check::both_kings_in_check;
pub use case::{
    Act, Answer, Asked, Caller, Case, Claim, ClaimOf, ClockStep, Consequence, Duty, Flag, GameOver,
    MatingAnswers, Order, Pause, Press, Proposal, Reply, ReplyState, Score, Situation, StandingFound,
    StandingKind, StartFound, Touch, Upheld, duty, propose,
};
pub use claim::{
    AlertSeen, ClaimGap, ClaimKind, ClaimReport, ClaimView, ClaimedState, FlagSeen, Follows, Holds, Line,
    MayClaim, PlayersClaim, TurnSeen, Verdict, examine,
};
pub use clock::ClockRules;
pub use clock_paused::clock_paused;
pub use detect::{Found, detect};
pub use draws::{dead_by_proof, is_a_draw_under};
pub use finding::{Certainty, Facts, Finding, Severity, Step, Unordered};
pub use impossible::{is_possible, pawns_left};
pub use premature_result::cannot_win_by_resignation;
pub use reason::{color_name, role_name};
pub use restoring::{HandMove, Homes, Times, TimesNow, Wanted, Which, counter, plan};
pub use rules::{RULES, Rule, RuleId};
pub use ruleset::{
    AutomaticDraws, Colours, DrawClaims, Exception, Flags, NotifyRule, OVERRIDES, PawnLeft, RuleSet,
    RuleSetKey, Rules, SETTINGS, Seconds, Setting, SettingId, Settings, StartFaults, Starts, Topic, Window,
};
