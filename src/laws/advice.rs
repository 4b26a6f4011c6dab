//! Advice: what the Laws propose for a finding. The arbiter decides.

mod circumstances;
mod penalty;
pub(super) mod replacement;
mod restore;
mod words;

pub use circumstances::{Circumstances, Replied, Wait};

use shakmaty::{Color, Square};

use super::case::Score;
use super::finding::{Facts, Finding};
use super::restoring::HandMove;
use super::rules::RuleId;
use super::ruleset::{AutomaticDraws, Colours, PawnLeft, Rules, StartFaults, Starts, Topic, Window};
use crate::mating::CanStillMate;
use crate::tick::Dial;

/// What an arbiter may do on seeing this alert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum May {
    /// The arbiter steps in on his own.
    StepIn,
    /// Only if he saw the action himself, or the opponent claims.
    IfSeenOrClaimed,
    /// It stands; keep out unless both players ask together.
    KeepOut,
    /// Wait until the next move is completed (A.5.4).
    WaitOneMove,
    /// Nothing to do; for the record.
    Nothing,
}

impl May {
    /// The word used in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            May::StepIn => "step-in",
            May::IfSeenOrClaimed => "if-seen-or-claimed",
            May::KeepOut => "keep-out",
            May::WaitOneMove => "wait-one-move",
            May::Nothing => "nothing",
        }
    }

    /// The sentence an arbiter reads.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            May::StepIn => "step in",
            May::IfSeenOrClaimed => "only if you saw it or it is claimed",
            May::KeepOut => "stands, keep out",
            May::WaitOneMove => "wait one move",
            May::Nothing => "nothing to do",
        }
    }
}

/// What to put back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restore {
    /// The position to restore, as a FEN.
    pub fen: String,
    /// Its ply.
    pub ply: u32,
    /// The squares to touch, with the letter to put there (`None`: clear it).
    pub squares: Vec<(Square, Option<char>)>,
    /// The fewest hand movements that do it.
    pub movements: Vec<HandMove>,
    /// The clock when that position arose: White, Black.
    pub clocks: Option<(Dial, Dial)>,
    /// Moves completed by White and by Black then, as the clock counts them.
    pub counter: Option<(u32, u32)>,
}

/// Time to give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeGift {
    /// To whom.
    pub to: Color,
    /// Seconds.
    pub seconds: u32,
}

/// What the player whose move is taken back has to play instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// Who.
    pub by: Color,
    /// The duty in words: "the touched king e1 must move".
    pub text: String,
    /// The article it follows from, if the edition has one.
    pub rule: Option<String>,
    /// Whether any legal move will do.
    pub free: bool,
    /// The legal moves that satisfy it, as `e1e2`, sorted.
    pub legal: Vec<String>,
}

/// How long what a finding tells can still be claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimWindow {
    /// Where it is.
    pub state: WindowState,
    /// The same in words.
    pub text: &'static str,
}

/// Where the window of a claim is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowState {
    /// The opponent has not replied.
    Open,
    /// His reply is on the board; sensors do not see whether he has let go of it.
    ReplyOnBoard,
    /// He has claimed in time.
    Claimed,
    /// He has replied: too late.
    Closed,
}

impl WindowState {
    /// The word used in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            WindowState::Open => "open",
            WindowState::ReplyOnBoard => "reply-on-board",
            WindowState::Claimed => "claimed",
            WindowState::Closed => "closed",
        }
    }
}

/// The mating question that decides between a loss and a draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatingAsk {
    /// The position, as a FEN.
    pub fen: String,
    /// Who should still be able to mate.
    pub side: Color,
}

/// What the Laws propose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// May I act?
    pub may: May,
    /// The article in the edition of the event, if one applies.
    pub article: Option<String>,
    /// The matters those articles are about.
    pub topics: Vec<Topic>,
    /// What to put back, if anything.
    pub restore: Option<Restore>,
    /// Time to give if upheld.
    pub time: Option<TimeGift>,
    /// Which offence of this player it would be if upheld: 1 or 2; `None` if it does not count.
    pub offence: Option<u32>,
    /// For a second offence: whether the opponent can still mate.
    pub can_mate: Option<CanStillMate>,
    /// The consequence, one line: "first: +2:00 to Black".
    pub consequence: String,
    /// Until when the claim is open; `None` where there is no window.
    pub window: Option<ClaimWindow>,
    /// The result proposed, as far as it is settled.
    pub result: Option<Score>,
    /// Where a loss depends on it: the question for the mating solver.
    pub mating: Option<MatingAsk>,
    /// Who is to move once everything is put right; `None` if that is not settled.
    pub to_move: Option<Color>,
    /// What the replacement move must be, where that can be told from what was touched.
    pub replacement: Option<Replacement>,
    /// What to do at the board, step by step.
    pub steps: Vec<String>,
    /// What follows if the arbiter upholds it; `None` where there is nothing to uphold.
    pub if_upheld: Option<String>,
    /// What follows if he does not.
    pub if_not: Option<String>,
}

/// What a rule says before counting, clocks and squares are filled in.
struct Outline {
    may: May,
    restore: Option<Restore>,
    to_move: Option<Color>,
    replacement: Option<Replacement>,
    /// The move is taken back and replaced by one that what was touched may bind.
    replaced: bool,
    consequence: String,
    window: Option<ClaimWindow>,
}

impl Outline {
    fn new(may: May, consequence: impl Into<String>) -> Self {
        Outline {
            may,
            restore: None,
            to_move: None,
            replacement: None,
            replaced: false,
            consequence: consequence.into(),
            window: None,
        }
    }
}

/// What the Laws propose for `finding` under `rules`, as things are `now`.
///
/// A pure function: the same finding, rules and circumstances give the same advice.
#[must_use]
pub fn advise(finding: &Finding, rules: &Rules, now: &Circumstances) -> Advice {
    let struck;
    let finding = match now.struck.is_empty() {
        true => finding,
        false => {
            struck = now.without_struck(finding);
            &struck
        }
    };
    let earlier = now.earlier;
    let mut outline = outline(finding, rules);
    let bound = if outline.replaced { replacement::bound(finding, rules) } else { None };
    outline.replacement =
        bound.as_ref().map(|(before, duty)| replacement::in_words(finding, before, duty, rules));
    let topics = penalty::topics(finding, rules);
    let mut advice = Advice {
        may: outline.may,
        article: penalty::articles(&topics, rules),
        topics,
        restore: outline.restore,
        time: None,
        offence: None,
        can_mate: None,
        consequence: outline.consequence,
        window: outline.window,
        result: ends_with(finding, rules),
        mating: None,
        to_move: outline.to_move,
        replacement: outline.replacement,
        steps: Vec::new(),
        if_upheld: None,
        if_not: None,
    };
    penalty::bound_by(&mut advice, finding, rules, bound.as_ref().map(|(_, duty)| duty));
    if let Some(offender) = finding.side {
        // Where nothing is known of what was touched, no article about it applies.
        let duty = bound.map(|(_, duty)| duty).filter(|_| !finding.facts.action.is_empty());
        if finding.code == RuleId::CastlingIncomplete {
            penalty::castling_open(&mut advice, finding, rules, offender, duty, earlier);
        } else if rules.counts_rule(finding.code) {
            penalty::penalise(&mut advice, finding, rules, offender, duty, earlier);
        } else if finding.code == RuleId::FlagFall {
            penalty::flag(&mut advice, finding, rules, offender);
        }
    }
    circumstances::apply(&mut advice, finding, rules, now);
    advice.in_words();
    advice
}

impl Advice {
    /// The sentences that follow from the rest.
    fn in_words(&mut self) {
        self.steps = words::steps(self);
        (self.if_upheld, self.if_not) = words::what_if(self);
    }

    fn ask_mating(&mut self, fen: String, side: Color) {
        self.mating = Some(MatingAsk { fen, side });
        self.can_mate = Some(CanStillMate::NotProven);
    }

    /// The mating solver has answered: the consequence says so. Nothing if nothing was asked.
    pub fn answered(&mut self, finding: &Finding, verdict: CanStillMate) {
        let (Some(_), Some(offender)) = (&self.mating, finding.side) else {
            return;
        };
        self.can_mate = Some(verdict);
        self.result = match verdict {
            CanStillMate::Yes => Some(Score::Won(offender.other())),
            CanStillMate::No => Some(Score::Draw),
            CanStillMate::NotProven => None,
        };
        self.consequence = match self.offence {
            Some(number) => words::loses_by_offence(number, offender, self.can_mate),
            None => words::loses_on_time(offender, self.can_mate),
        };
        self.in_words();
    }

    /// Whether a claim is still possible where only a claim, or having seen it, opens the matter.
    #[must_use]
    pub fn window_open(&self) -> bool {
        self.window.is_some_and(|window| window.state != WindowState::Closed)
    }
}

/// The result where what was found ends the game, whoever says what.
fn ends_with(finding: &Finding, rules: &Rules) -> Option<Score> {
    if finding.code == RuleId::GameEnded {
        let end = crate::game::Position::from_fen(&finding.facts.last_correct_fen)?;
        let mated = end.is_mate().then_some(Score::Won(end.turn.other()));
        return mated.or(end.is_stalemate().then_some(Score::Draw));
    }
    draws_by_itself(finding.code, rules).then_some(Score::Draw)
}

/// Whether the game is drawn as soon as this is so, whoever says what.
fn draws_by_itself(code: RuleId, rules: &Rules) -> bool {
    match code {
        RuleId::Fivefold | RuleId::SeventyFive | RuleId::DeadPosition => true,
        RuleId::Threefold | RuleId::Fifty => rules.automatic_draws == AutomaticDraws::ThreefoldAndFifty,
        _ => false,
    }
}

/// Whether faults of the start stand by now.
///
/// Plies of the record stand for completed moves.
fn too_late_for_the_start(rules: &Rules, facts: &Facts) -> bool {
    let plies = facts.ply.saturating_sub(1);
    match rules.start_faults {
        StartFaults::AnyTime => false,
        StartFaults::UntilCompletedByEach(moves) | StartFaults::UntilBlackCompletes(moves) => {
            plies >= moves.saturating_mul(2)
        }
    }
}

/// Who may set consequences going, as an arbiter reads it.
fn starts(rules: &Rules) -> May {
    match rules.starts {
        Starts::OnSight => May::StepIn,
        Starts::ObservedOrClaimed => May::IfSeenOrClaimed,
        Starts::ClaimOnly { .. } => May::KeepOut,
    }
}

fn outline(finding: &Finding, rules: &Rules) -> Outline {
    let facts = &finding.facts;
    let stands = too_late_for_the_start(rules, facts);
    match finding.code {
        RuleId::IllegalMove => taken_back(finding, offence_may(finding, rules), rules),
        RuleId::PressWithoutMove | RuleId::TwoHands if !rules.counts_rule(finding.code) => {
            Outline::new(May::IfSeenOrClaimed, "not counted; penalty at your discretion")
        }
        RuleId::TwoHands => taken_back(finding, May::IfSeenOrClaimed, rules),
        RuleId::CastlingIncomplete => taken_back(finding, offence_may(finding, rules), rules),
        RuleId::PressWithoutMove => taken_back(finding, offence_may(finding, rules), rules),
        RuleId::PawnNotPromoted => pawn_left(finding, rules),
        RuleId::IllegalMoveUnpressed => Outline {
            restore: restore::last_correct(facts),
            to_move: facts.to_move,
            replaced: true,
            ..Outline::new(May::Nothing, "not completed: no penalty, the player may still correct it")
        },
        RuleId::PressMoveIncomplete => Outline {
            to_move: finding.side,
            ..Outline::new(
                starts(rules),
                "not counted: the player finishes the move; penalty at your discretion",
            )
        },
        RuleId::CastlingRookFirst => Outline {
            restore: restore::last_correct(facts),
            to_move: finding.side,
            replaced: true,
            window: Some(words::UNTIL_TOUCH),
            ..Outline::new(
                May::IfSeenOrClaimed,
                "not counted: no castling with that rook, the rook must move",
            )
        },
        RuleId::TouchMove | RuleId::ReleasedPieceMoved => Outline {
            restore: restore::last_correct(facts),
            to_move: finding.side,
            replaced: true,
            window: Some(words::UNTIL_TOUCH),
            ..Outline::new(article_four_may(rules), "evidence for a claim: sensors do not see the hand")
        },
        RuleId::OutOfTurn => Outline {
            restore: restore::last_correct(facts),
            to_move: facts.to_move,
            ..Outline::new(starts(rules), "not counted: put back; times and penalty at your discretion")
        },
        RuleId::DisplacedPieces => displaced(finding),
        RuleId::BothKingsInCheck if rules.illegal_position_waits => Outline {
            ..Outline::new(May::WaitOneMove, "if it still stands after the next completed move: draw")
        },
        RuleId::BothKingsInCheck => Outline {
            restore: restore::last_correct(facts),
            to_move: facts.to_move,
            ..Outline::new(May::StepIn, "illegal position: go back to before the illegal move")
        },
        RuleId::PawnOnLastRank | RuleId::IllegalPosition => standing(finding, rules),
        RuleId::WrongSetup if stands => {
            Outline::new(May::KeepOut, "game continues; no castling with a misplaced king or rook")
        }
        RuleId::WrongSetup => Outline {
            restore: Some(restore::array(facts)),
            ..Outline::new(May::StepIn, "game is cancelled, a new one starts")
        },
        RuleId::WrongOrientation if stands => {
            Outline::new(May::KeepOut, "game continues on the board as it lies")
        }
        RuleId::WrongOrientation => {
            Outline::new(May::StepIn, "same position onto a board placed correctly, game continues")
        }
        RuleId::DeadPosition => Outline::new(May::StepIn, "the game is drawn: nobody can mate any more"),
        RuleId::ColoursReversed => colours(facts.made, rules),
        RuleId::ClockIncorrect if stands => {
            Outline::new(May::KeepOut, "setting stands unless the schedule would suffer")
        }
        RuleId::ClockIncorrect => Outline::new(May::StepIn, "stop the clock, correct setting and times"),
        code if draws_by_itself(code, rules) => {
            Outline::new(May::StepIn, "the game is drawn: stop the clock and check the record")
        }
        _ => outline_of_the_rest(finding),
    }
}

/// The findings that ask for a look and those for the record.
fn outline_of_the_rest(finding: &Finding) -> Outline {
    match finding.code {
        RuleId::PositionUnexplained => Outline {
            restore: restore::last_correct(&finding.facts),
            to_move: finding.facts.to_move,
            ..Outline::new(May::StepIn, "not counted: rebuild the last certain position, times by judgement")
        },
        RuleId::FlagFall => Outline::new(May::StepIn, "a flag has fallen: both times to be looked at"),
        RuleId::ClockSidesSwapped => {
            Outline::new(May::StepIn, "look which side's time runs; correct the clock")
        }
        RuleId::ClockLeverKnocked => Outline::new(May::StepIn, "look whether the right side's time runs"),
        RuleId::ClockPaused => Outline::new(May::StepIn, "go to the board: a player has stopped the clock"),
        RuleId::ClockNotRunning => {
            Outline::new(May::StepIn, "look whether play goes on; start the clock, times by judgement")
        }
        RuleId::PrematureResult if finding.side.is_some() => {
            Outline::new(May::StepIn, "if the opponent has resigned: a draw, for it cannot be won")
        }
        RuleId::PrematureResult => {
            Outline::new(May::StepIn, "take no result before the illegal move is dealt with")
        }
        RuleId::Threefold | RuleId::Fifty => {
            Outline::new(May::Nothing, "a draw only if a player claims it; say nothing before")
        }
        RuleId::AdjustOutOfTurn | RuleId::OtherHandPress => {
            Outline::new(May::IfSeenOrClaimed, "not counted; penalty at your discretion")
        }
        RuleId::GameEnded | RuleId::ResultByKings => Outline::new(May::Nothing, "take the result"),
        RuleId::PressForgotten => Outline::new(May::Nothing, "for the arbiter only; the clock runs on"),
        RuleId::Restored | RuleId::NewGame | RuleId::ClockAdjusted => {
            Outline::new(May::Nothing, "for the record")
        }
        _ => Outline::new(May::Nothing, "equipment: the board may not be watched"),
    }
}

/// An offence; what it costs is filled in when it is known whose it is.
fn offence(may: May, rules: &Rules) -> Outline {
    let by_reply = matches!(rules.window, Window::ReplyMade | Window::MoveDetermined);
    let window = by_reply.then_some(words::UNTIL_REPLY);
    Outline { window, ..Outline::new(may, "no offender named: restore, times by judgement") }
}

/// Who may act on Article 4: nobody but the players where only they claim.
const fn article_four_may(rules: &Rules) -> May {
    match rules.set.starts {
        Starts::ClaimOnly { silent: true } => May::KeepOut,
        _ => May::IfSeenOrClaimed,
    }
}

/// Without certainty about the fact the arbiter needs eyes of his own, whatever the regime.
fn offence_may(finding: &Finding, rules: &Rules) -> May {
    let pawn = finding.code == RuleId::PawnNotPromoted;
    match finding.certainty {
        super::finding::Certainty::Possible => May::IfSeenOrClaimed,
        _ if pawn && rules.starts == (Starts::ClaimOnly { silent: false }) => May::IfSeenOrClaimed,
        _ => starts(rules),
    }
}

fn taken_back(finding: &Finding, may: May, rules: &Rules) -> Outline {
    Outline {
        restore: restore::last_correct(&finding.facts),
        to_move: finding.side.or(finding.facts.to_move),
        replaced: true,
        ..offence(may, rules)
    }
}

fn pawn_left(finding: &Finding, rules: &Rules) -> Outline {
    if rules.pawn_left == PawnLeft::ImproperPress {
        let what = "improper press, not counted: the opponent may start the clock again, the player finishes \
                    the move in his own time";
        return Outline { to_move: finding.side, ..Outline::new(starts(rules), what) };
    }
    let queened = match (rules.pawn_left, finding.side) {
        (PawnLeft::QueenPut, Some(side)) => restore::queened(finding, side),
        _ => None,
    };
    match queened {
        Some(restore) => Outline {
            restore: Some(restore),
            to_move: finding.side.map(Color::other),
            ..offence(offence_may(finding, rules), rules)
        },
        None => taken_back(finding, offence_may(finding, rules), rules),
    }
}

fn displaced(finding: &Finding) -> Outline {
    let restore = restore::after_legal_part(finding);
    let by = finding.side.map_or("", |side| match side {
        Color::White => " in White's time",
        Color::Black => " in Black's time",
    });
    Outline {
        to_move: restore.as_ref().and_then(|back| restore::turn(&back.fen)),
        restore,
        ..Outline::new(May::StepIn, format!("not counted: put back{by}; penalty at your discretion"))
    }
}

/// Something that cannot be stands on the board, and play has gone on: no offence, nobody named.
fn standing(finding: &Finding, rules: &Rules) -> Outline {
    let pawn = finding.code == RuleId::PawnOnLastRank;
    if pawn && rules.illegal_position_waits {
        return Outline::new(May::WaitOneMove, "if it still stands after the next completed move: draw");
    }
    let (may, what) = match (pawn, rules.window) {
        (true, _) => (May::StepIn, "not counted: a queen belongs there; times by judgement"),
        (false, Window::GameEnd) => {
            (May::StepIn, "not counted: back to before the irregularity, times by judgement")
        }
        (false, _) => (May::KeepOut, "not counted: it stands unless both players ask"),
    };
    if may == May::KeepOut {
        return Outline::new(may, what);
    }
    let known = restore::last_correct(&finding.facts).filter(|back| restore::is_possible(&back.fen));
    Outline {
        to_move: known.as_ref().and_then(|back| restore::turn(&back.fen)),
        restore: known,
        ..Outline::new(may, what)
    }
}

/// White's array on the side where Black was to sit, after so many plies.
fn colours(plies: u32, rules: &Rules) -> Outline {
    /// Ten moves of each player.
    const TEN_EACH: u32 = 20;
    match rules.colours {
        Colours::ContinueUnlessRuled | Colours::NoRule => {
            Outline::new(May::StepIn, "look who sits where: the game continues unless you rule otherwise")
        }
        _ if plies >= TEN_EACH => Outline::new(May::KeepOut, "game continues with the colours as they are"),
        _ => Outline::new(
            May::StepIn,
            "look who sits where: a new game, unless each has made 10 moves by then",
        ),
    }
}
