//! US Chess: regular play, time pressure and blitz.
//!
//! Regular: the seventh edition with the changes of August 2020. Blitz: by quotation only, the day
//! it came into force is not known.

use super::fide_2023::STANDARD as FIDE;
use super::*;

const ARTICLES: Articles = &[
    (Topic::IllegalMove, "11A"),
    (Topic::IllegalMoveUnpressed, "11A"),
    (Topic::PressWithoutMove, "1C2a"),
    (Topic::PawnNotPromoted, "8F7, 9D"),
    (Topic::CastlingRookFirst, "10I2"),
    (Topic::CastlingIncomplete, "9C"),
    (Topic::OutOfTurn, "11A"),
    (Topic::AdjustOutOfTurn, "10A, 20G"),
    (Topic::DisplacedPieces, "11C"),
    (Topic::IllegalPosition, "11A"),
    (Topic::BothKingsInCheck, "11A"),
    (Topic::PawnOnLastRank, "8F7, 9D"),
    (Topic::WrongSetup, "11F"),
    (Topic::WrongOrientation, "11G"),
    (Topic::ColoursReversed, "11F"),
    (Topic::FlagFall, "13C1, 14E"),
    (Topic::FlagClaimed, "13C1, 14E"),
    (Topic::TouchMove, "10B"),
    (Topic::ReleasedPieceMoved, "9A"),
    (Topic::OtherHandPress, "16C1"),
    (Topic::PositionUnexplained, "11A"),
    (Topic::DutyOwn, "10B"),
    (Topic::DutyEnemy, "10B"),
    (Topic::DutyBoth, "10C"),
    (Topic::DutyCastling, "10I1"),
    (Topic::DutyRookFirst, "10I2"),
    (Topic::DutyKingFirst, "10I1"),
    (Topic::DutyReleased, "9A"),
    (Topic::DutyPromotion, "8F7, 9D"),
    (Topic::DutyVoid, "10D"),
    (Topic::ClaimOfTouchLost, "10J"),
    (Topic::Checkmate, "13A"),
    (Topic::Stalemate, "14A"),
    (Topic::Threefold, "14C"),
    (Topic::DeadPosition, "14D"),
    (Topic::Fifty, "14F"),
    (Topic::FirstOffence, "1C2a"),
    (Topic::RepeatedOffence, "1C2b"),
    (Topic::ClaimTooLate, "11A, 11B"),
    (Topic::ClaimedAtOnce, "11D"),
    (Topic::SeenByArbiter, "11H"),
    (Topic::DisplacedAgain, "11C, 20G"),
    (Topic::DisplacedFoundLate, "11C"),
    (Topic::Discretion, "1C2b"),
    (Topic::ThreefoldWritten, "14C2"),
    (Topic::ThreefoldStands, "14C"),
    (Topic::FiftyWritten, "14F"),
    (Topic::FiftyMade, "14F"),
    (Topic::DrawClaimLost, "14C4, 9G1"),
];

const REGULAR: RuleSet = RuleSet {
    key: "uscf/regular",
    edition: "US Chess, 7th edition with the changes of August 2020",
    in_force: ("2020-08-24", None),
    format: "regular",
    regime: "regular, not in time pressure",
    starts: Starts::OnSight,
    window: Window::LastMoves(10),
    seconds: Seconds::IfClaimedAtOnce(120),
    loses_at: None,
    exception: Exception::None,
    flag_exception: Exception::InsufficientToWin,
    flags: Flags::PlayersOnly,
    offences: &[Topic::IllegalMove, Topic::CastlingIncomplete],
    pawn_left: PawnLeft::ImproperPress,
    start_faults: StartFaults::UntilBlackCompletes(10),
    colours: Colours::NewGameUntilBlackCompletesTen,
    keeps_clocks_at_new_game: true,
    automatic_draws: AutomaticDraws::None,
    draw_claims: DrawClaims::UntilPress,
    inverted_rook_is_queen: true,
    articles: &[ARTICLES],
    notes: &[
        "Time is added only if the claim is made at once. No number of illegal moves loses the game by itself.",
    ],
    ..FIDE
};

const TIME_PRESSURE: RuleSet = RuleSet {
    key: "uscf/time-pressure",
    regime: "under five minutes left, no increment or delay of 30 s",
    starts: Starts::ClaimOnly { silent: true },
    window: Window::LastMoves(2),
    notify: NotifyRule::Inform,
    articles: &[
        &[
            (Topic::IllegalMove, "11D1"),
            (Topic::Regime, "11D1"),
            (Topic::ClaimTooLate, "11D1"),
            (Topic::ClaimedAtOnce, "11D1"),
        ],
        ARTICLES,
    ],
    notes: &["Only the players claim; the director calls no attention to anything."],
    ..REGULAR
};

const BLITZ: RuleSet = RuleSet {
    key: "uscf/blitz",
    edition: "US Chess blitz rules",
    in_force: ("2022-01-01", None),
    format: "blitz",
    regime: "blitz",
    known_by: "quotation",
    starts: Starts::ClaimOnly { silent: true },
    window: Window::MoveDetermined,
    seconds: Seconds::None,
    loses_at: Some(1),
    exception: Exception::MaterialList,
    flag_exception: Exception::MaterialList,
    start_faults: StartFaults::UntilCompletedByEach(1),
    colours: Colours::NoRule,
    notify: NotifyRule::Inform,
    articles: &[
        &[
            (Topic::Regime, "Blitz 7d"),
            (Topic::IllegalMove, "Blitz 7c"),
            (Topic::WonByClaim, "Blitz 7c"),
            (Topic::DrawnByClaim, "Blitz 8d"),
            (Topic::KingCaptured, "Blitz 7c"),
            (Topic::WrongSetup, "Blitz 3"),
            (Topic::WrongOrientation, "Blitz 3"),
            (Topic::ClockIncorrect, "Blitz 3"),
            (Topic::StartStillOpen, "Blitz 3"),
            (Topic::ArrayStands, "Blitz 3"),
            (Topic::ClockStands, "Blitz 3"),
            (Topic::TwoHands, "Blitz 4"),
            (Topic::DisplacedPieces, "Blitz 9"),
            (Topic::IllegalMoveUnpressed, "Blitz 14"),
            (Topic::MadeOnRelease, "Blitz 15"),
            (Topic::FlagFall, "Blitz 8d"),
            (Topic::FlagClaimed, "Blitz 8d"),
        ],
        ARTICLES,
    ],
    notes: &[
        "The rules are known by quotation, and the day they came into force is not. A claim or the capture of the king wins with a pawn, a rook, a queen or two minor pieces; with less it is a draw.",
    ],
    ..REGULAR
};

/// All of US Chess.
pub(super) const ALL: [RuleSet; 3] = [REGULAR, TIME_PRESSURE, BLITZ];
