//! FIDE Laws of Chess in force since 1 January 2023, for each format and degree of supervision.

use super::{Exception, NotifyRule, PawnLeft, RuleSet, StartFaults, Starts, Window};
use crate::laws::rules::RuleId::{self, *};

/// The kinds of illegal move of 7.5.1 to 7.5.4: one counter for all of them (7.5.5). A castling
/// without the rook counts if an arbiter upholds it, that is, takes it as an illegal move.
const OFFENCES: &[RuleId] = &[IllegalMove, PressWithoutMove, PawnNotPromoted, TwoHands, CastlingIncomplete];

/// The articles of the competition rules, in the order of the list of findings; the four offences
/// carry what a regime adds in front of and behind them.
macro_rules! articles {
    ($illegal:literal, $null:literal, $pawn:literal, $hands:literal, $flag:literal, $kings:literal,
     $array:literal, $turned:literal, $clock:literal, $left:literal) => {
        &[
            (IllegalMove, $illegal),
            (IllegalMoveUnpressed, "7.5.1, 4.3"),
            (PressWithoutMove, $null),
            (PressMoveIncomplete, "6.2.1, 6.2.4, 12.9"),
            (PawnNotPromoted, $pawn),
            (TwoHands, $hands),
            (CastlingRookFirst, "4.4.2, 4.3.1"),
            (CastlingIncomplete, "3.8.2, 4.7.2, 7.5.1"),
            (OutOfTurn, "1.2, 7.1, 12.9"),
            (AdjustOutOfTurn, "4.2.1, 6.2.5, 12.9"),
            (DisplacedPieces, "7.4"),
            (IllegalPosition, "7.6, 7.5.1, 7.1"),
            (BothKingsInCheck, $kings),
            (PawnOnLastRank, $left),
            (WrongSetup, $array),
            (WrongOrientation, $turned),
            (ColoursReversed, "7.3"),
            (ClockSidesSwapped, "6.10.2, 7.1"),
            (ClockIncorrect, $clock),
            (ClockPaused, "6.11.2, 12.9"),
            (ClockLeverKnocked, "6.2.4, 12.9"),
            (FlagFall, $flag),
            (TouchMove, "4.3.1"),
            (ReleasedPieceMoved, "4.7"),
            (OtherHandPress, "6.2.3, 12.9"),
            (PositionUnexplained, "7.5.1, 7.6, 7.1"),
            (Fivefold, "9.6"),
            (SeventyFive, "9.6"),
            (DeadPosition, "5.2.2"),
            (Threefold, "9.2"),
            (Fifty, "9.3"),
            (GameEnded, "5.1, 5.2"),
            (PrematureResult, "5.1.1, 7.5.1"),
            (PressForgotten, "6.2.1.2, 6.2.2"),
            (ClockAdjusted, "7.1, 7.5.5"),
        ]
    };
}

/// What all five have in common; the standard game.
const STANDARD: RuleSet = RuleSet {
    key: "fide-2023/standard",
    edition: "FIDE 2023",
    in_force_from: "2023-01-01",
    format: "standard",
    regime: "standard",
    starts: Starts::OnSight,
    window: Window::GameEnd,
    seconds: Some(120),
    loses_at: Some(2),
    exception: Exception::Helpmate,
    resignation: Some("5.1.2"),
    offences: OFFENCES,
    pawn_left: PawnLeft::QueenPut,
    start_faults: StartFaults::AnyTime,
    colours_until: 10,
    illegal_position_waits: false,
    notify: NotifyRule::Now,
    articles: articles!(
        "7.5.1, 7.5.5",
        "7.5.3, 7.5.5",
        "7.5.2, 7.5.5",
        "7.5.4, 7.5.5",
        "6.8, 6.9",
        "7.5.1",
        "7.2.1",
        "7.2.2",
        "6.10.2, 7.1",
        "7.5.2"
    ),
    notes: &[],
};

/// Faults of the start under A.5.1: closed once each player has completed ten moves.
const TEN_EACH: StartFaults =
    StartFaults::UntilCompletedByEach { moves: 10, array_stands: "A.5.1.2", clock_stands: "A.5.1.1" };

/// Rapid with an arbiter for at most three games, each recorded.
const RAPID_A4: RuleSet = RuleSet {
    key: "fide-2023/rapid-a4",
    format: "rapid",
    regime: "rapid A.4",
    seconds: Some(60),
    articles: articles!(
        "A.4, A.3, 7.5.1, 7.5.5",
        "A.4, A.3, 7.5.3, 7.5.5",
        "A.4, A.3, 7.5.2, 7.5.5",
        "A.4, A.3, 7.5.4, 7.5.5",
        "A.4, 6.8, 6.9",
        "A.4, 7.5.1",
        "A.4, 7.2.1",
        "A.4, 7.2.2",
        "A.4, 6.10.2, 7.1",
        "A.4, 7.5.2"
    ),
    ..STANDARD
};

/// Rapid with less supervision.
const RAPID_A5: RuleSet = RuleSet {
    key: "fide-2023/rapid-a5",
    format: "rapid",
    regime: "rapid A.5",
    starts: Starts::ObservedOrClaimed,
    window: Window::ReplyMade,
    seconds: Some(60),
    start_faults: TEN_EACH,
    illegal_position_waits: true,
    notify: NotifyRule::Inform,
    articles: articles!(
        "A.5.2, A.3, 7.5.1, 7.5.5",
        "A.5.2, A.3, 7.5.3, 7.5.5",
        "A.5.2, A.3, 7.5.2, 7.5.5",
        "A.5.2, A.3, 7.5.4, 7.5.5",
        "A.5.5, 6.9",
        "A.5.4",
        "A.5.1, 7.2.1",
        "A.5.1, 7.2.2",
        "A.5.1, 6.10.2",
        "A.5.4"
    ),
    ..STANDARD
};

/// Blitz with an arbiter for each game, each recorded.
const BLITZ_B2: RuleSet = RuleSet {
    key: "fide-2023/blitz-b2",
    format: "blitz",
    regime: "blitz B.2",
    articles: articles!(
        "B.2, 7.5.1, 7.5.5",
        "B.2, 7.5.3, 7.5.5",
        "B.2, 7.5.2, 7.5.5",
        "B.2, 7.5.4, 7.5.5",
        "B.2, 6.8, 6.9",
        "B.2, 7.5.1",
        "B.2, 7.2.1",
        "B.2, 7.2.2",
        "B.2, 6.10.2, 7.1",
        "B.2, 7.5.2"
    ),
    notes: &[
        "Seconds under B.2 are not settled: the one minute of A.3 reaches blitz through B.3 only, and B.2 refers to the competition rules, which say two minutes. Two minutes is the choice here; an event may say otherwise.",
    ],
    ..STANDARD
};

/// Blitz with less supervision: the articles of rapid A.5, reached through B.3.
const BLITZ_B3: RuleSet = RuleSet {
    key: "fide-2023/blitz-b3",
    format: "blitz",
    regime: "blitz B.3",
    start_faults: StartFaults::UntilCompletedByEach {
        moves: 10,
        array_stands: "B.3, A.5.1.2",
        clock_stands: "B.3, A.5.1.1",
    },
    articles: articles!(
        "B.3, A.5.2, A.3, 7.5.1, 7.5.5",
        "B.3, A.5.2, A.3, 7.5.3, 7.5.5",
        "B.3, A.5.2, A.3, 7.5.2, 7.5.5",
        "B.3, A.5.2, A.3, 7.5.4, 7.5.5",
        "B.3, A.5.5, 6.9",
        "B.3, A.5.4",
        "B.3, A.5.1, 7.2.1",
        "B.3, A.5.1, 7.2.2",
        "B.3, A.5.1, 6.10.2",
        "B.3, A.5.4"
    ),
    ..RAPID_A5
};

/// All of this edition.
pub(super) const ALL: &[RuleSet] = &[STANDARD, RAPID_A4, RAPID_A5, BLITZ_B2, BLITZ_B3];
