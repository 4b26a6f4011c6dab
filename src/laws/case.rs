//! A case: what is known when a matter comes up, from the sensors and from people, and what the
//! Laws propose for it.
//!
//! The table makes one of a finding, the advice command reads one from a file; both get the same
//! [`Proposal`] from [`propose`]. Facts come in, nothing is ruled.

mod act;
mod action;
mod duty;
mod endings;
mod offence;
mod pieces;
mod place;
mod proposal;
mod reasons;
mod standing;
mod start;
mod touch;
mod upheld;

pub use duty::{Duty, duty};
pub use proposal::{Answer, Asked, ClockStep, Consequence, Proposal, Score};
pub use upheld::Upheld;

use shakmaty::{ByColor, Color, Piece, Role, Square};

use super::ruleset::{Rules, Topic, Window};
use crate::events::Wood;
use crate::mating::CanStillMate;

/// Answers whether a side can still mate by any series of legal moves in a position.
pub type MatingAnswers<'a> = &'a dyn Fn(&str, Color) -> CanStillMate;

/// What brings a matter up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Situation {
    /// A player did something on board or clock just now.
    Action,
    /// An illegal move of an earlier ply is found now.
    FoundLate,
    /// Something is raised after the end of the game.
    GameOverClaim,
    /// The board cannot follow; moment and author are not known.
    UnexplainedFound,
    /// A piece stands elsewhere than the recorded moves say.
    DisplacedFound,
    /// The arbiter finds an illegal position.
    IllegalPositionFound,
    /// A wrong initial array is found.
    SetupFound,
    /// The board is found turned.
    OrientationFound,
    /// The players are found with each other's colours.
    ColoursReversedFound,
    /// The clock's setting is found not to be the event's.
    ClockWrongFound,
    /// Move counter and moves made differ.
    CounterMismatch,
    /// A flag is called.
    FlagFall,
    /// A completed move has produced an automatic draw.
    DrawCondition,
    /// The players agree to go back.
    AgreedCorrection,
}

/// One physical step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// Where.
    pub square: Square,
    /// What.
    pub piece: Piece,
    /// Whether it left the square; else it was released on it.
    pub lifted: bool,
    /// When, in milliseconds, where that is known.
    pub at_ms: Option<u64>,
    /// Put down upside-down.
    pub inverted: bool,
    /// Announced as this.
    pub announced: Option<Role>,
}

/// Whether a press came after the contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// After them.
    After,
    /// Before them.
    Before,
    /// Not known.
    Uncertain,
}

/// A press of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Press {
    /// Whose lever.
    pub by: Color,
    /// Before or after the contacts.
    pub order: Order,
    /// When, in milliseconds.
    pub at_ms: Option<u64>,
    /// With the hand that did not move the piece.
    pub other_hand: bool,
    /// By somebody else.
    pub neighbour: bool,
}

/// What one player did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Act {
    /// Who; `None` if nobody acted or it is not known.
    pub actor: Option<Color>,
    /// The steps, in order.
    pub touches: Vec<Touch>,
    /// What stood on the board then.
    pub wood: Option<Wood>,
    /// The press.
    pub press: Option<Press>,
    /// A person saw two hands make the move.
    pub two_hands: bool,
}

/// What the opponent did afterwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReplyState {
    /// Nothing yet.
    #[default]
    None,
    /// Touched a piece.
    Lifted,
    /// Made a move.
    Released,
    /// Completed one.
    Pressed,
    /// Pressed without moving.
    PressedBack,
}

/// What the opponent did afterwards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// How far he came.
    pub state: ReplyState,
    /// The move, where it is known.
    pub uci: Option<String>,
}

/// What is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimOf {
    /// An illegal move, or the win that follows from one.
    IllegalMove,
    /// A touched piece.
    TouchMove,
    /// A fallen flag.
    FlagFall,
}

/// A claim of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Whose.
    pub by: Color,
    /// Of what.
    pub of: ClaimOf,
}

/// Who called a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// The arbiter.
    Arbiter,
    /// A player.
    Player(Color),
}

/// A fallen flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flag {
    /// Whose.
    pub side: Color,
    /// When it was noticed, in milliseconds.
    pub noticed_ms: Option<u64>,
    /// Who called it.
    pub called_by: Option<Caller>,
}

/// Why a player paused the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// The piece of a promotion is not there.
    PieceMissing,
    /// To claim something, or for no reason given.
    Claim,
}

/// The start as it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartFound {
    /// What should have stood there, players' frame.
    pub declared: String,
    /// What stood there, players' frame.
    pub placed: String,
    /// Whether the board lies by a quarter.
    pub quarter: bool,
    /// Whether it lies by a half, which changes nothing but the sensor's frame.
    pub half: bool,
    /// Found only after the moves within which it could have been raised.
    pub too_late: bool,
}

/// What stands on the board that should not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StandingKind {
    /// Both kings are in check.
    BothKingsInCheck,
    /// A pawn is on the last rank.
    PawnOnLastRank,
    /// A piece stands on the second square instead of the first.
    Displaced(Option<(Square, Square)>),
}

/// Something standing that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandingFound {
    /// What.
    pub kind: StandingKind,
    /// Moves completed between the finding and the contacts; `None` when found only after the
    /// opponent's move.
    pub completed_since: Option<u32>,
}

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameOver {
    /// By mate on the board; else the result was signed.
    pub by_mate: bool,
    /// The result.
    pub result: Option<Score>,
}

/// All that is known when a matter comes up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// What brings it up.
    pub situation: Situation,
    /// What the detectors have found, where the matter comes from them.
    pub named: Option<Topic>,
    /// The last correct position, as a FEN.
    pub position: Option<String>,
    /// Legal play that leads to it: from where, and the moves.
    pub history: Option<(String, Vec<String>)>,
    /// Moves recorded after it.
    pub since: Vec<String>,
    /// Acts after it that nobody has ruled on, the oldest first.
    pub earlier: Vec<Act>,
    /// What was done.
    pub act: Act,
    /// What the opponent did afterwards.
    pub reply: Reply,
    /// Upheld offences, by the finding's name.
    pub offences: ByColor<Vec<String>>,
    /// Completed moves.
    pub completed: ByColor<u32>,
    /// Made moves.
    pub made: ByColor<u32>,
    /// The arbiter saw it himself.
    pub observed: bool,
    /// What players claim.
    pub claims: Vec<Claim>,
    /// Players whose last move has not been followed by a press.
    pub unpressed: ByColor<bool>,
    /// Whether adjusting was announced, where a person has said so.
    pub adjusting: Option<bool>,
    /// How the game has ended.
    pub game_over: Option<GameOver>,
    /// A fallen flag.
    pub flag: Option<Flag>,
    /// The clock's setting is not the event's.
    pub clock_wrong: bool,
    /// The clock's counter is not the number of moves.
    pub counter_wrong: bool,
    /// A player paused the clock, and why.
    pub paused: Option<Pause>,
    /// The start, where it matters.
    pub start: Option<StartFound>,
    /// The players sit with each other's colours; `None` if nobody has looked.
    pub reversed: Option<bool>,
    /// What stands that should not.
    pub standing: Option<StandingFound>,
    /// The players agree to go back; whether during the game.
    pub agreed: Option<bool>,
    /// Earlier displacements.
    pub displaced_before: ByColor<u32>,
    /// A person says that it was deliberate.
    pub deliberate: bool,
}

impl Case {
    /// A case of which nothing is known but what brings it up.
    #[must_use]
    pub fn new(situation: Situation) -> Case {
        Case {
            situation,
            named: None,
            position: None,
            history: None,
            since: Vec::new(),
            earlier: Vec::new(),
            act: Act::default(),
            reply: Reply::default(),
            offences: ByColor::default(),
            completed: ByColor { white: 0, black: 0 },
            made: ByColor { white: 0, black: 0 },
            observed: true,
            claims: Vec::new(),
            unpressed: ByColor { white: false, black: false },
            adjusting: None,
            game_over: None,
            flag: None,
            clock_wrong: true,
            counter_wrong: true,
            paused: None,
            start: None,
            reversed: None,
            standing: None,
            agreed: None,
            displaced_before: ByColor { white: 0, black: 0 },
            deliberate: false,
        }
    }

    /// Offences of `side` that count here.
    fn counted(&self, rules: &Rules, side: Color) -> u32 {
        let counts = |kind: &&String| Topic::named(kind).is_some_and(|topic| rules.counts(topic));
        u32::try_from(self.offences[side].iter().filter(counts).count()).unwrap_or(u32::MAX)
    }

    fn is_claimed(&self, by: Color, of: ClaimOf) -> bool {
        self.claims.iter().any(|claim| claim.by == by && claim.of == of)
    }

    /// The reply has been made: released, pressed or not.
    fn is_answered(&self) -> bool {
        matches!(self.reply.state, ReplyState::Released | ReplyState::Pressed)
    }
}

/// What the Laws propose for a case. `mates` answers the mating questions that decide.
#[must_use]
pub fn propose(case: &Case, rules: &Rules, mates: MatingAnswers<'_>) -> Proposal {
    let desk = Desk { case, rules, mates };
    if let Some(over) = &case.game_over {
        if desk.was_an_illegal_mate(over) {
            return desk.action().also(&[Topic::PrematureResult]);
        }
        return desk.after_the_end(over);
    }
    match case.situation {
        Situation::Action | Situation::FoundLate | Situation::GameOverClaim => desk.action(),
        Situation::UnexplainedFound => desk.unexplained(),
        Situation::DisplacedFound => desk.displaced_found(),
        Situation::IllegalPositionFound => desk.illegal_position(),
        Situation::SetupFound | Situation::OrientationFound => desk.start(),
        Situation::ColoursReversedFound => desk.colours(),
        Situation::ClockWrongFound => desk.clock_setting(),
        Situation::CounterMismatch => desk.counter(),
        Situation::FlagFall => desk.flag_fall(),
        Situation::DrawCondition => desk.automatic_draw(),
        Situation::AgreedCorrection => desk.agreed(),
    }
}

/// A case on the desk, with the rules that apply.
struct Desk<'a> {
    case: &'a Case,
    rules: &'a Rules,
    mates: MatingAnswers<'a>,
}
