//! Claims: what a player claims, what the record proves of it, and what follows if it is right and
//! if it is wrong.
//!
//! Nothing here is offered to players and nothing is decided: an arbiter asks, reads the proof at
//! the board, and rules. What was not seen is said to be a gap; what sensors do not show is not
//! shown, and never refuted by that alone.

mod draw;
mod flag;
mod follows;
mod line;
mod offence;
mod touch;
mod variants;
mod written;

pub use flag::FlagSeen;
pub use follows::Follows;
pub use line::Line;
pub use touch::TurnSeen;

use shakmaty::{ByColor, Color, Square};

use super::advice::Advice;
use super::case::{Asked, MatingAnswers};
use super::finding::{Certainty, Finding};
use super::reason::color_name;
use super::rules::RuleId;
use super::ruleset::Rules;

macro_rules! words {
    ($(#[$about:meta])* $kind:ident { $($(#[$doc:meta])* $id:ident $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $kind { $($(#[$doc])* $id,)* }

        impl $kind {
            /// All of them.
            pub const ALL: &'static [$kind] = &[$($kind::$id,)*];

            /// The word used in messages.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $($kind::$id => $word,)* }
            }

            /// The one of that word.
            #[must_use]
            pub fn named(word: &str) -> Option<$kind> {
                $kind::ALL.iter().copied().find(|kind| kind.word() == word)
            }
        }
    };
}

words! {
    /// What is claimed.
    ClaimKind {
        /// The position stands for the third time, or is about to.
        Threefold "threefold",
        /// Fifty moves by each without a capture or a pawn move, or about to be.
        Fifty "fifty",
        /// The opponent touched another piece than he moved.
        TouchMove "touch-move",
        /// The opponent made an illegal move.
        IllegalMove "illegal-move",
        /// The opponent's flag has fallen.
        Flag "flag",
    }
}

words! {
    /// What the record says of a claim.
    Verdict {
        /// It shows what is claimed.
        Proven "proven",
        /// It does not show it, and cannot exclude it.
        NotShown "not-shown",
        /// It shows that it is not so.
        Refuted "refuted",
        /// It has a gap on which the answer hangs.
        Gap "gap",
    }
}

words! {
    /// Under how many of the sequences that explain a gap the claim holds.
    Holds {
        /// Under all of them.
        All "all",
        /// Under some of them.
        Some "some",
        /// Under none of them.
        None "none",
        /// The sequences are not known.
        Unknown "unknown",
    }
}

/// A claim as it is put to the arbiter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayersClaim {
    /// Who claims.
    pub by: Color,
    /// What.
    pub of: ClaimKind,
    /// The move he has written and not yet made, as `g1f3` or `Nf3`.
    pub written: Option<String>,
    /// The square of the piece that was touched.
    pub square: Option<Square>,
}

impl PlayersClaim {
    /// Whether a finding of this rule can be what is claimed, if it is about the other player.
    #[must_use]
    pub fn fits(&self, code: RuleId, rules: &Rules) -> bool {
        match self.of {
            ClaimKind::IllegalMove => offence::is_illegal(code, rules),
            ClaimKind::TouchMove => {
                matches!(code, RuleId::TouchMove | RuleId::ReleasedPieceMoved | RuleId::CastlingRookFirst)
            }
            ClaimKind::Threefold | ClaimKind::Fifty | ClaimKind::Flag => false,
        }
    }

    /// Why it cannot be examined, and what would be right.
    #[must_use]
    pub fn fault(&self) -> Option<&'static str> {
        let draw = matches!(self.of, ClaimKind::Threefold | ClaimKind::Fifty);
        if self.written.is_some() && !draw {
            return Some("\"move\" belongs to claims of threefold and fifty: leave it out");
        }
        if self.square.is_some() && self.of != ClaimKind::TouchMove {
            return Some("\"square\" belongs to claims of touch-move: leave it out");
        }
        None
    }
}

/// Where the record is not sure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimGap {
    /// The last ply before it that is known; 0 for the start.
    pub from: u32,
    /// The first ply after it whose position is known.
    pub to: u32,
    /// Why.
    pub why: &'static str,
    /// How many sequences explain it, where they can be counted.
    pub candidates: Option<u32>,
    /// Under how many of them the claim holds.
    pub holds: Holds,
}

/// Who may claim, and whether he still may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MayClaim {
    /// Whether the claim is open; `None` where only people can know.
    pub open: Option<bool>,
    /// In words.
    pub text: String,
    /// The articles it follows from.
    pub articles: Vec<String>,
}

/// Where something is that a claim may fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimedState {
    /// An alert that waits for an arbiter.
    Open,
    /// An arbiter has upheld it.
    Upheld,
    /// An arbiter has ruled otherwise.
    Dismissed,
    /// Its alert is closed and nobody has ruled.
    Closed,
    /// It is in the record, and nobody was told.
    Noted,
}

/// Something found that a claim may fit: an alert, or a finding for the record.
#[derive(Clone, Debug)]
pub struct AlertSeen<'a> {
    /// The finding it is about.
    pub finding: &'a Finding,
    /// What the Laws propose for it.
    pub advice: &'a Advice,
    /// Where it is.
    pub state: ClaimedState,
}

impl AlertSeen<'_> {
    /// An arbiter has ruled on it.
    fn is_ruled(&self) -> bool {
        matches!(self.state, ClaimedState::Upheld | ClaimedState::Dismissed)
    }
}

/// What the record and the sensors know when a claim is made.
pub struct ClaimView<'a> {
    /// The rules of the event.
    pub rules: &'a Rules,
    /// The positions of the game, and how far each is known.
    pub line: Line,
    /// What stands on the board now is not known.
    pub lost: bool,
    /// The last move of the line is on the board and not completed; whether it has been released
    /// sensors do not see.
    pub uncompleted: bool,
    /// The game is over.
    pub over: bool,
    /// Castling is written king takes rook.
    pub chess960: bool,
    /// The board does not tell pieces apart.
    pub occupancy: bool,
    /// What was taken up and put down since the last completed move.
    pub turn: TurnSeen,
    /// The same for the turn of the last completed move.
    pub last: Option<TurnSeen>,
    /// Alerts of this game, the oldest first.
    pub alerts: Vec<AlertSeen<'a>>,
    /// Upheld offences.
    pub offences: ByColor<u32>,
    /// What is known of flags and times.
    pub flag: FlagSeen,
    /// Answers mating questions, as far as they are answered.
    pub mates: MatingAnswers<'a>,
}

/// What the record says of a claim, and what the Laws propose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimReport {
    /// The claim.
    pub claim: PlayersClaim,
    /// What the record says.
    pub verdict: Verdict,
    /// How sure that is.
    pub certainty: Certainty,
    /// The answer in a sentence without a full stop.
    pub summary: String,
    /// What an arbiter can check at the board, line by line.
    pub proof: Vec<String>,
    /// The position it is about, as a FEN.
    pub position: Option<String>,
    /// Where the record is not sure, if the answer hangs on it.
    pub gap: Option<ClaimGap>,
    /// Who may claim, and until when.
    pub may_claim: MayClaim,
    /// What follows if it is right.
    pub if_right: Follows,
    /// What follows if it is wrong.
    pub if_wrong: Follows,
    /// The mating questions that decide.
    pub asked: Vec<Asked>,
    /// The alerts it fits.
    pub alerts: Vec<String>,
    /// What no text seen settles.
    pub unsettled: Vec<&'static str>,
}

impl ClaimReport {
    fn new(claim: &PlayersClaim) -> ClaimReport {
        ClaimReport {
            claim: claim.clone(),
            verdict: Verdict::NotShown,
            certainty: Certainty::Certain,
            summary: String::new(),
            proof: Vec::new(),
            position: None,
            gap: None,
            may_claim: MayClaim { open: None, text: String::new(), articles: Vec::new() },
            if_right: Follows::default(),
            if_wrong: Follows::default(),
            asked: Vec::new(),
            alerts: Vec::new(),
            unsettled: Vec::new(),
        }
    }

    /// The answer in a sentence: who claims what, the verdict, and why.
    #[must_use]
    pub fn text(&self) -> String {
        let (by, of) = (color_name(self.claim.by), self.claim.of.word());
        let verdict = match self.verdict {
            Verdict::Proven => "proven",
            Verdict::NotShown => "not shown",
            Verdict::Refuted => "refuted",
            Verdict::Gap => "the record has a gap",
        };
        format!("{by} claims {of}: {verdict}: {}", self.summary)
    }
}

/// What the record says of `claim`.
#[must_use]
pub fn examine(claim: &PlayersClaim, view: &ClaimView<'_>) -> ClaimReport {
    match claim.of {
        ClaimKind::Threefold | ClaimKind::Fifty => draw::examine(claim, view),
        ClaimKind::TouchMove => touch::examine(claim, view),
        ClaimKind::IllegalMove => offence::examine(claim, view),
        ClaimKind::Flag => flag::examine(claim, view),
    }
}
