//! FIDE Laws of Chess in force since 1 January 2023, for each format and degree of supervision,
//! and hybrid play on electronic boards.
//!
//! Read: the Laws as printed in the FIDE Arbiters' Manual of May 2025.

use super::*;

/// The kinds of illegal move of 7.5.1 to 7.5.4: one counter for all of them (7.5.5). A castling
/// without the rook counts if an arbiter upholds it, that is, takes it as an illegal move.
pub(super) const OFFENCES: &[Topic] = &[
    Topic::IllegalMove,
    Topic::PressWithoutMove,
    Topic::PawnNotPromoted,
    Topic::TwoHands,
    Topic::CastlingIncomplete,
];

/// The articles of the competition rules.
pub(super) const ARTICLES: Articles = &[
    (Topic::IllegalMove, "7.5.1"),
    (Topic::IllegalMoveUnpressed, "7.5.1"),
    (Topic::PressWithoutMove, "6.2.4, 7.5.3"),
    (Topic::PressMoveIncomplete, "6.2.1, 6.2.4, 12.9"),
    (Topic::PawnNotPromoted, "7.5.2"),
    (Topic::TwoHands, "4.1, 7.5.4"),
    (Topic::CastlingRookFirst, "4.4.2, 4.3.1"),
    (Topic::CastlingIncomplete, "3.8.2, 4.7.2, 7.5.1"),
    (Topic::OutOfTurn, "1.2, 7.1, 12.9"),
    (Topic::AdjustOutOfTurn, "4.2.1, 6.2.5, 11.5"),
    (Topic::DisplacedPieces, "7.4.1, 7.4.2, 7.4.3"),
    (Topic::IllegalPosition, "7.6, 7.5.1, 7.1"),
    (Topic::BothKingsInCheck, "7.5.1, 7.6"),
    (Topic::PawnOnLastRank, "7.5.2"),
    (Topic::WrongSetup, "7.2.1"),
    (Topic::WrongOrientation, "7.2.2"),
    (Topic::ColoursReversed, "7.3"),
    (Topic::ClockSidesSwapped, "6.10.2, 7.1"),
    (Topic::ClockIncorrect, "6.10.2"),
    (Topic::ClockPaused, "6.11.2, 12.9"),
    (Topic::ClockLeverKnocked, "6.2.4, 12.9"),
    (Topic::ClockAdjusted, "7.1, 7.5.5"),
    (Topic::FlagFall, "6.8, 6.9"),
    (Topic::TouchMove, "4.3"),
    (Topic::ReleasedPieceMoved, "4.7"),
    (Topic::OtherHandPress, "6.2.3, 12.9"),
    (Topic::PositionUnexplained, "7.5.1, 7.6, 11.11"),
    (Topic::MoveCounterMismatch, "12.6"),
    (Topic::Fivefold, "9.6.1"),
    (Topic::SeventyFive, "9.6.2"),
    (Topic::DeadPosition, "5.2.2"),
    (Topic::Threefold, "9.2"),
    (Topic::Fifty, "9.3"),
    (Topic::GameEnded, "5.1, 5.2"),
    (Topic::PrematureResult, "5.1.1, 7.5.1"),
    (Topic::PressForgotten, "6.2.1.2, 6.2.2"),
    (Topic::KingLeftInCheck, "3.9.2"),
    (Topic::KingCaptured, "1.4.1"),
    (Topic::OwnPieceCaptured, "3.1"),
    (Topic::OpponentsPieceMoved, "1.2"),
    (Topic::BishopMove, "3.2"),
    (Topic::RookMove, "3.3"),
    (Topic::QueenMove, "3.4"),
    (Topic::KnightMove, "3.6"),
    (Topic::PawnMove, "3.7"),
    (Topic::KingMove, "3.8"),
    (Topic::JumpedOver, "3.5"),
    (Topic::EnPassant, "3.7.3.2"),
    (Topic::CapturedPawnLeft, "3.1.1, 3.7.3.1, 4.7.1"),
    (Topic::PromotionPiece, "3.7.3.3"),
    (Topic::CastlingKingMoved, "3.8.2.1.1"),
    (Topic::CastlingRookMoved, "3.8.2.1.2"),
    (Topic::CastlingAttacked, "3.8.2.2.1"),
    (Topic::CastlingBlocked, "3.8.2.2.2"),
    (Topic::DutyOwn, "4.3.1"),
    (Topic::DutyEnemy, "4.3.2"),
    (Topic::DutyBoth, "4.3.3"),
    (Topic::DutyCastling, "4.4.1"),
    (Topic::DutyRookFirst, "4.4.2"),
    (Topic::DutyKingFirst, "4.4.3"),
    (Topic::DutyReleased, "4.7"),
    (Topic::DutyPromotion, "4.4.4"),
    (Topic::DutyVoid, "4.5"),
    (Topic::FirstOffence, "7.5.5"),
    (Topic::RepeatedOffence, "7.5.5"),
    (Topic::ClaimOfTouchLost, "4.8"),
    (Topic::MadeOnRelease, "1.3, 4.7"),
    (Topic::CastlingMade, "4.7.2"),
    (Topic::ProtestPress, "7.5.3"),
    (Topic::LatePress, "6.2.2"),
    (Topic::PromotionOrder, "4.6.1, 4.6.2"),
    (Topic::PromotionPieceMissing, "6.11.2, 6.11.4"),
    (Topic::Adjusting, "4.2.1"),
    (Topic::TimesByJudgement, "7.1"),
    (Topic::BoardByHalf, "2.1"),
    (Topic::DisplacedAgain, "7.4.3, 12.9"),
    (Topic::DisplacedFoundLate, "7.6"),
    (Topic::FlagClaimed, "6.8, 6.9"),
    (Topic::FlagObserved, "6.8"),
    (Topic::Checkmate, "5.1.1"),
    (Topic::Stalemate, "5.2.1"),
    (Topic::EndsTheMove, "6.2.1.1"),
    (Topic::ResultSigned, "8.7"),
    (Topic::AutomaticDraw, "9.6"),
    (Topic::ThreefoldWritten, "9.2.1"),
    (Topic::ThreefoldStands, "9.2.2"),
    (Topic::FiftyWritten, "9.3.1"),
    (Topic::FiftyMade, "9.3.2"),
    (Topic::DrawClaimRight, "9.5.2"),
    (Topic::DrawClaimWrong, "9.5.3"),
    (Topic::DrawClaimLost, "9.4"),
    (Topic::DrawClaimOffers, "9.1.2.3"),
];

/// What this edition has beside those before it.
const NEW: Articles = &[(Topic::Resignation, "5.1.2")];

/// The standard game; what the other formats have in common with it.
pub(super) const STANDARD: RuleSet = RuleSet {
    key: "fide-2023/standard",
    edition: "FIDE 2023",
    in_force: ("2023-01-01", None),
    format: "standard",
    regime: "standard",
    known_by: "text",
    starts: Starts::OnSight,
    window: Window::GameEnd,
    seconds: Seconds::Fixed(120),
    loses_at: Some(2),
    exception: Exception::Helpmate,
    flag_exception: Exception::Helpmate,
    flags: Flags::ArbiterToo,
    offences: OFFENCES,
    two_hands_need_press: true,
    pawn_left: PawnLeft::QueenPut,
    start_faults: StartFaults::AnyTime,
    colours: Colours::NewGameUntilTenMadeEach,
    keeps_clocks_at_new_game: false,
    illegal_position_waits: false,
    automatic_draws: AutomaticDraws::Any,
    draw_claims: DrawClaims::UntilTouch,
    wrong_claim: Seconds::Fixed(120),
    takes_illegal_moves: true,
    inverted_rook_is_queen: false,
    notify: NotifyRule::Now,
    articles: &[NEW, ARTICLES],
    notes: &[],
};

/// What play without enough arbiters has in common.
pub(super) const UNSUPERVISED: RuleSet = RuleSet {
    starts: Starts::ObservedOrClaimed,
    window: Window::ReplyMade,
    start_faults: StartFaults::UntilCompletedByEach(10),
    illegal_position_waits: true,
    notify: NotifyRule::Inform,
    ..STANDARD
};

const RAPID_A4: RuleSet = RuleSet {
    key: "fide-2023/rapid-a4",
    format: "rapid",
    regime: "rapid A.4",
    seconds: Seconds::Fixed(60),
    wrong_claim: Seconds::Fixed(60),
    articles: &[
        &[
            (Topic::Regime, "A.4"),
            (Topic::Seconds, "A.3"),
            (Topic::StartStillOpen, "A.4"),
            (Topic::DrawClaimWrong, "9.5.3, A.3"),
        ],
        ARTICLES,
    ],
    ..STANDARD
};

const RAPID_A5: RuleSet = RuleSet {
    key: "fide-2023/rapid-a5",
    format: "rapid",
    regime: "rapid A.5",
    seconds: Seconds::Fixed(60),
    wrong_claim: Seconds::Fixed(60),
    articles: &[
        &[
            (Topic::DrawClaimWrong, "9.5.3, A.3"),
            (Topic::Regime, "A.5.2"),
            (Topic::Seconds, "A.3"),
            (Topic::StartStillOpen, "A.5.1"),
            (Topic::ArrayStands, "A.5.1.2"),
            (Topic::ClockStands, "A.5.1.1"),
            (Topic::IllegalPositionWaits, "A.5.4"),
            (Topic::FlagClaimed, "A.5.3, 6.9"),
            (Topic::FlagFall, "A.5.5, 6.9"),
        ],
        NEW,
        ARTICLES,
    ],
    ..UNSUPERVISED
};

const BLITZ_B2: RuleSet = RuleSet {
    key: "fide-2023/blitz-b2",
    format: "blitz",
    regime: "blitz B.2",
    seconds: Seconds::BySetting(SettingId::B2Seconds),
    wrong_claim: Seconds::BySetting(SettingId::B2Seconds),
    articles: &[&[(Topic::Regime, "B.2"), (Topic::StartStillOpen, "B.2")], NEW, ARTICLES],
    notes: &[
        "Seconds under B.2 are not settled: the one minute of A.3 reaches blitz through B.3 only, and B.2 refers to the competition rules, which say two minutes. Two minutes is the choice here; an event says otherwise with the setting b2_seconds.",
    ],
    ..STANDARD
};

const BLITZ_B3: RuleSet = RuleSet {
    key: "fide-2023/blitz-b3",
    format: "blitz",
    regime: "blitz B.3",
    articles: &[
        &[
            (Topic::DrawClaimWrong, "9.5.3, B.3, A.3"),
            (Topic::Regime, "B.3, A.5.2"),
            (Topic::Seconds, "A.3"),
            (Topic::StartStillOpen, "B.3, A.5.1"),
            (Topic::ArrayStands, "B.3, A.5.1.2"),
            (Topic::ClockStands, "B.3, A.5.1.1"),
            (Topic::IllegalPositionWaits, "B.3, A.5.4"),
            (Topic::FlagClaimed, "B.3, A.5.3, 6.9"),
            (Topic::FlagFall, "B.3, A.5.5, 6.9"),
        ],
        NEW,
        ARTICLES,
    ],
    ..RAPID_A5
};

/// Hybrid play: the board accepts no illegal move, only the mover is warned.
const HYBRID: RuleSet = RuleSet {
    key: "fide-2023/hybrid",
    format: "hybrid",
    regime: "hybrid play on electronic boards",
    seconds: Seconds::None,
    loses_at: None,
    exception: Exception::None,
    offences: &[],
    automatic_draws: AutomaticDraws::ThreefoldAndFifty,
    wrong_claim: Seconds::None,
    takes_illegal_moves: false,
    articles: &[&[
        (Topic::IllegalMove, "3.2.2, 3.2.3"),
        (Topic::IllegalMoveUnpressed, "3.2.2, 3.2.3"),
        (Topic::DutyVoid, "3.2.3"),
        (Topic::Threefold, "5.4"),
        (Topic::Fifty, "5.4"),
        (Topic::ThreefoldStands, "5.4"),
        (Topic::FiftyMade, "5.4"),
        (Topic::AutomaticDraw, "5.4"),
        (Topic::DeadPosition, "5.2.2"),
        (Topic::FlagFall, "6.8, 6.9"),
    ]],
    notes: &[
        "Hybrid play is a regime of its own: an illegal move is not accepted, the mover alone is warned, any legal move with any piece may follow, and the game is drawn at the third occurrence and at fifty moves. Articles are those of the rules for electronic boards.",
    ],
    ..STANDARD
};

/// All of this edition.
pub(super) const ALL: [RuleSet; 6] = [STANDARD, RAPID_A4, RAPID_A5, BLITZ_B2, BLITZ_B3, HYBRID];
