//! FIDE Laws of Chess of 1 July 2014 and of 1 July 2009.
//!
//! 2014: article 7 in an annotated edition, rapid A.4 by quotation; its letters in articles 4 and 6
//! are those of 2018 counted as letters. 2009: read in full.

use super::fide_2023::{STANDARD as STANDARD_2023, UNSUPERVISED as UNSUPERVISED_2023};
use super::*;

/// Neither two hands nor a press without a move was an illegal move yet.
const OFFENCES: &[Topic] = &[Topic::IllegalMove, Topic::PawnNotPromoted, Topic::CastlingIncomplete];

/// Letters where later editions have numbers; the same in 2009 and 2014.
const LETTERS: Articles = &[
    (Topic::OutOfTurn, "1.1"),
    (Topic::FlagFall, "6.9"),
    (Topic::FlagClaimed, "6.8, 6.9"),
    (Topic::FlagObserved, "6.8"),
    (Topic::TouchMove, "4.3"),
    (Topic::DeadPosition, "5.2.b"),
    (Topic::Threefold, "9.2"),
    (Topic::Fifty, "9.3"),
    (Topic::GameEnded, "5.1, 5.2"),
    (Topic::Checkmate, "5.1.a"),
    (Topic::Stalemate, "5.2.a"),
    (Topic::KingLeftInCheck, "3.9"),
    (Topic::KingCaptured, "1.2"),
    (Topic::OwnPieceCaptured, "3.1"),
    (Topic::OpponentsPieceMoved, "1.1"),
    (Topic::BishopMove, "3.2"),
    (Topic::RookMove, "3.3"),
    (Topic::QueenMove, "3.4"),
    (Topic::KnightMove, "3.6"),
    (Topic::PawnMove, "3.7"),
    (Topic::KingMove, "3.8.a"),
    (Topic::JumpedOver, "3.5"),
    (Topic::EnPassant, "3.7.d"),
    (Topic::CapturedPawnLeft, "3.7.d"),
    (Topic::PromotionPiece, "3.7.e"),
    (Topic::CastlingKingMoved, "3.8.b"),
    (Topic::CastlingRookMoved, "3.8.b"),
    (Topic::CastlingAttacked, "3.8.b"),
    (Topic::CastlingBlocked, "3.8.b"),
    (Topic::DutyOwn, "4.3.a"),
    (Topic::DutyEnemy, "4.3.b"),
    (Topic::DutyBoth, "4.3.c"),
    (Topic::DutyCastling, "4.4.a"),
    (Topic::DutyRookFirst, "4.4.b"),
    (Topic::DutyKingFirst, "4.4.c"),
    (Topic::DutyPromotion, "4.4.d"),
    (Topic::DutyVoid, "4.5"),
    (Topic::CastlingRookFirst, "4.4.b, 4.3.a"),
    (Topic::Adjusting, "4.2"),
    (Topic::BoardByHalf, "2.1"),
    (Topic::ThreefoldWritten, "9.2.a"),
    (Topic::ThreefoldStands, "9.2.b"),
    (Topic::FiftyWritten, "9.3.a"),
    (Topic::FiftyMade, "9.3.b"),
    (Topic::DrawClaimRight, "9.5.a"),
    (Topic::DrawClaimWrong, "9.5.b"),
    (Topic::DrawClaimLost, "9.4"),
    (Topic::DrawClaimOffers, "9.1.b.3"),
];

const ARTICLES_2014: Articles = &[
    (Topic::IllegalMove, "7.5.a"),
    (Topic::IllegalMoveUnpressed, "7.5.a"),
    (Topic::PressWithoutMove, "6.2.c, 12.9"),
    (Topic::PressMoveIncomplete, "6.2.a, 12.9"),
    (Topic::PressForgotten, "6.2.a"),
    (Topic::LatePress, "6.2.a"),
    (Topic::OtherHandPress, "6.2.b, 12.9"),
    (Topic::AdjustOutOfTurn, "4.2, 6.2.d, 11.5"),
    (Topic::CastlingIncomplete, "3.8.b, 4.7.b, 7.5.a"),
    (Topic::PromotionOrder, "4.6"),
    (Topic::PawnNotPromoted, "7.5.a"),
    (Topic::TwoHands, "4.1, 12.9"),
    (Topic::DisplacedPieces, "7.4.a"),
    (Topic::IllegalPosition, "7.5.a, 7.6"),
    (Topic::BothKingsInCheck, "7.5.a, 7.6"),
    (Topic::PawnOnLastRank, "7.5.a"),
    (Topic::WrongSetup, "7.2.a"),
    (Topic::WrongOrientation, "7.2.b"),
    (Topic::ColoursReversed, "7.3"),
    (Topic::ClockIncorrect, "6.10.b"),
    (Topic::PositionUnexplained, "7.5.a, 7.6"),
    (Topic::MoveCounterMismatch, "12.6"),
    (Topic::Fivefold, "9.6.a"),
    (Topic::SeventyFive, "9.6.b"),
    (Topic::AutomaticDraw, "9.6"),
    (Topic::ReleasedPieceMoved, "4.7"),
    (Topic::DutyReleased, "4.7"),
    (Topic::CastlingMade, "4.7.b"),
    (Topic::MadeOnRelease, "4.7"),
    (Topic::ClaimOfTouchLost, "4.8"),
    (Topic::FirstOffence, "7.5.b"),
    (Topic::RepeatedOffence, "7.5.b"),
    (Topic::TimesByJudgement, "7.1"),
    (Topic::Discretion, "12.9"),
    (Topic::DisplacedAgain, "7.4.c, 12.9"),
    (Topic::DisplacedFoundLate, "7.6"),
    (Topic::ResultSigned, "8.7"),
    (Topic::PromotionPieceMissing, "6.11.b"),
];

const STANDARD_2014: RuleSet = RuleSet {
    key: "fide-2014/standard",
    edition: "FIDE 2014",
    in_force: ("2014-07-01", Some("2017-06-30")),
    known_by: "quotation",
    offences: OFFENCES,
    colours: Colours::ContinueUnlessRuled,
    automatic_draws: AutomaticDraws::Consecutive,
    articles: &[ARTICLES_2014, LETTERS],
    notes: &[
        "Letters within 3.8, 4.7, 6.2, 6.10, 6.11 and 7.4 were not seen in a text of 2014: they are those of 2009, or the numbers of 2018 as letters.",
    ],
    ..STANDARD_2023
};

const UNSUPERVISED_2014: RuleSet = RuleSet {
    edition: "FIDE 2014",
    in_force: ("2014-07-01", Some("2017-06-30")),
    known_by: "quotation",
    offences: OFFENCES,
    colours: Colours::ContinueUnlessRuled,
    automatic_draws: AutomaticDraws::Consecutive,
    seconds: Seconds::None,
    loses_at: Some(1),
    flags: Flags::PlayersOnly,
    notes: &["No text of 2014 was seen for the ten moves after which the set-up stands."],
    ..UNSUPERVISED_2023
};

const RAPID_A3_2014: RuleSet = RuleSet {
    key: "fide-2014/rapid-a3",
    format: "rapid",
    regime: "rapid A.3 (supervised)",
    articles: &[&[(Topic::Regime, "A.3"), (Topic::StartStillOpen, "A.3")], ARTICLES_2014, LETTERS],
    ..STANDARD_2014
};

const RAPID_A4_2014: RuleSet = RuleSet {
    key: "fide-2014/rapid-a4",
    format: "rapid",
    regime: "rapid A.4 (unsupervised)",
    articles: &[
        &[
            (Topic::Regime, "A.4, A.4.b"),
            (Topic::StartStillOpen, "A.4.a"),
            (Topic::ArrayStands, "A.4.a"),
            (Topic::ClockStands, "A.4.a"),
            (Topic::IllegalPositionWaits, "A.4.d"),
            (Topic::FlagClaimed, "A.4.c, 6.9"),
            (Topic::FlagFall, "A.4.c, 6.9"),
        ],
        ARTICLES_2014,
        LETTERS,
    ],
    ..UNSUPERVISED_2014
};

const BLITZ_2014: RuleSet = RuleSet {
    key: "fide-2014/blitz-b4",
    format: "blitz",
    regime: "blitz B.4 (unsupervised)",
    wrong_claim: Seconds::Fixed(60),
    articles: &[
        &[
            (Topic::DrawClaimWrong, "9.5.b, B.2"),
            (Topic::Regime, "B.4, A.4, A.4.b"),
            (Topic::StartStillOpen, "B.4, A.4.a"),
            (Topic::ArrayStands, "B.4, A.4.a"),
            (Topic::ClockStands, "B.4, A.4.a"),
            (Topic::IllegalPositionWaits, "B.4, A.4.d"),
            (Topic::FlagClaimed, "B.4, A.4.c, 6.9"),
            (Topic::FlagFall, "B.4, A.4.c, 6.9"),
        ],
        ARTICLES_2014,
        LETTERS,
    ],
    ..UNSUPERVISED_2014
};

/// All of 2014.
pub(super) const ALL_2014: [RuleSet; 4] = [STANDARD_2014, RAPID_A3_2014, RAPID_A4_2014, BLITZ_2014];

const ARTICLES_2009: Articles = &[
    (Topic::IllegalMove, "7.4.a"),
    (Topic::IllegalMoveUnpressed, "7.4.a"),
    (Topic::PressWithoutMove, "6.7.a, 13.4"),
    (Topic::PressMoveIncomplete, "6.7.a, 13.4"),
    (Topic::PressForgotten, "6.7.a"),
    (Topic::LatePress, "6.7.a"),
    (Topic::OtherHandPress, "6.7.b, 13.4"),
    (Topic::AdjustOutOfTurn, "4.2, 12.6"),
    (Topic::CastlingIncomplete, "3.8.a, 4.6.b, 7.4.a"),
    (Topic::PromotionOrder, "3.7.e"),
    (Topic::PawnNotPromoted, "7.4.a"),
    (Topic::TwoHands, "4.1, 13.4"),
    (Topic::DisplacedPieces, "7.3"),
    (Topic::IllegalPosition, "7.4.a, 7.5"),
    (Topic::BothKingsInCheck, "7.4.a, 7.5"),
    (Topic::PawnOnLastRank, "7.4.a"),
    (Topic::WrongSetup, "7.1.a"),
    (Topic::WrongOrientation, "7.1.b"),
    (Topic::ColoursReversed, "7.2"),
    (Topic::ClockIncorrect, "6.10.b"),
    (Topic::PositionUnexplained, "7.4.a, 7.5"),
    (Topic::MoveCounterMismatch, "13.6"),
    (Topic::ReleasedPieceMoved, "4.6"),
    (Topic::DutyReleased, "4.6"),
    (Topic::CastlingMade, "4.6.b"),
    (Topic::MadeOnRelease, "4.6"),
    (Topic::ClaimOfTouchLost, "4.7"),
    (Topic::FirstOffence, "7.4.b"),
    (Topic::RepeatedOffence, "7.4.b"),
    (Topic::TimesByJudgement, "6.13"),
    (Topic::Discretion, "13.4"),
    (Topic::DisplacedAgain, "7.3, 13.4"),
    (Topic::DisplacedFoundLate, "7.5"),
    (Topic::ResultSigned, "8.7"),
    (Topic::PromotionPieceMissing, "6.12.b"),
];

const STANDARD_2009: RuleSet = RuleSet {
    key: "fide-2009/standard",
    edition: "FIDE 2009",
    in_force: ("2009-07-01", Some("2014-06-30")),
    loses_at: Some(3),
    wrong_claim: Seconds::Fixed(180),
    pawn_left: PawnLeft::RolledBack,
    automatic_draws: AutomaticDraws::None,
    known_by: "text",
    articles: &[ARTICLES_2009, LETTERS],
    notes: &[],
    ..STANDARD_2014
};

const RAPID_A4_2009: RuleSet = RuleSet {
    key: "fide-2009/rapid-a4",
    edition: "FIDE 2009",
    in_force: ("2009-07-01", Some("2014-06-30")),
    format: "rapid",
    regime: "rapid A.4 (unsupervised)",
    known_by: "text",
    starts: Starts::ClaimOnly { silent: false },
    seconds: Seconds::Fixed(120),
    loses_at: Some(3),
    wrong_claim: Seconds::Fixed(180),
    start_faults: StartFaults::UntilCompletedByEach(3),
    illegal_position_waits: false,
    pawn_left: PawnLeft::RolledBack,
    automatic_draws: AutomaticDraws::None,
    articles: &[
        &[
            (Topic::Regime, "A.4.c"),
            (Topic::ClaimOfTouchNeeded, "A.4.b"),
            (Topic::StartStillOpen, "A.4.a"),
            (Topic::ArrayStands, "A.4.a"),
            (Topic::ClockStands, "A.4.a"),
            (Topic::FlagClaimed, "A.4.d, 6.9"),
            (Topic::FlagFall, "A.4.d, 6.9"),
        ],
        ARTICLES_2009,
        LETTERS,
    ],
    notes: &[
        "A claim made before the claimant's own move is needed, of an illegal move as of a touched piece; what follows is that of the standard game. Only a pawn left on the last rank and both kings in check let the arbiter step in. Set-up, orientation and clock setting stand after three moves each.",
    ],
    ..UNSUPERVISED_2014
};

/// All of 2009.
pub(super) const ALL_2009: [RuleSet; 2] = [STANDARD_2009, RAPID_A4_2009];
