//! What articles are about: code names a matter by its meaning, an edition gives it a number.

use crate::laws::rules::RuleId;

macro_rules! topics {
    ($($id:ident $name:literal;)*) => {
        /// A matter that a rule set may have an article for: a finding, or a reason, a duty, a part
        /// of a consequence.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "the names say it")]
        pub enum Topic { $($id,)* }

        impl Topic {
            /// All of them.
            pub const ALL: &'static [Topic] = &[$(Topic::$id,)*];

            /// The name in files: for a finding, its id.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Topic::$id => $name,)* }
            }
        }
    };
}

topics! {
    // Findings.
    IllegalMove "illegal-move";
    IllegalMoveUnpressed "illegal-move-unpressed";
    PressWithoutMove "press-without-move";
    PressMoveIncomplete "press-move-incomplete";
    PawnNotPromoted "pawn-not-promoted";
    TwoHands "two-hands";
    CastlingRookFirst "castling-rook-first";
    CastlingIncomplete "castling-incomplete";
    OutOfTurn "out-of-turn";
    AdjustOutOfTurn "adjust-out-of-turn";
    DisplacedPieces "displaced-pieces";
    IllegalPosition "illegal-position";
    BothKingsInCheck "both-kings-in-check";
    PawnOnLastRank "pawn-on-last-rank";
    WrongSetup "wrong-setup";
    WrongOrientation "wrong-orientation";
    ColoursReversed "colours-reversed";
    ClockSidesSwapped "clock-sides-swapped";
    ClockIncorrect "clock-incorrect";
    ClockPaused "clock-paused";
    ClockLeverKnocked "clock-lever-knocked";
    ClockAdjusted "clock-adjusted";
    FlagFall "flag-fall";
    TouchMove "touch-move";
    ReleasedPieceMoved "released-piece-moved";
    OtherHandPress "other-hand-press";
    PositionUnexplained "position-unexplained";
    MoveCounterMismatch "move-counter-mismatch";
    Fivefold "fivefold";
    SeventyFive "seventy-five";
    DeadPosition "dead-position";
    Threefold "threefold";
    Fifty "fifty";
    GameEnded "game-ended";
    PrematureResult "premature-result";
    PressForgotten "press-forgotten";
    // Why a move is not legal.
    KingLeftInCheck "reason-king-in-check";
    KingCaptured "reason-king-captured";
    OwnPieceCaptured "reason-own-piece-captured";
    OpponentsPieceMoved "reason-opponents-piece";
    BishopMove "reason-bishop";
    RookMove "reason-rook";
    QueenMove "reason-queen";
    KnightMove "reason-knight";
    PawnMove "reason-pawn";
    KingMove "reason-king";
    JumpedOver "reason-jumped";
    EnPassant "reason-en-passant";
    CapturedPawnLeft "reason-captured-pawn-left";
    PromotionPiece "reason-promotion";
    CastlingKingMoved "reason-castling-king-moved";
    CastlingRookMoved "reason-castling-rook-moved";
    CastlingAttacked "reason-castling-attacked";
    CastlingBlocked "reason-castling-blocked";
    // What the next move must be.
    DutyOwn "duty-own-piece";
    DutyEnemy "duty-opponents-piece";
    DutyBoth "duty-both-colours";
    DutyCastling "duty-castling";
    DutyRookFirst "duty-rook-first";
    DutyKingFirst "duty-king-first";
    DutyReleased "duty-released";
    DutyPromotion "duty-promotion-choice";
    DutyVoid "duty-void";
    // Parts of consequences.
    Regime "regime";
    Seconds "seconds";
    FirstOffence "first-offence";
    RepeatedOffence "repeated-offence";
    ClaimedAtOnce "claimed-at-once";
    SeenByArbiter "seen-by-arbiter";
    WonByClaim "won-by-claim";
    DrawnByClaim "drawn-by-claim";
    ClaimTooLate "claim-too-late";
    ClaimOfTouchLost "claim-of-touch-lost";
    ClaimOfTouchNeeded "claim-of-touch-needed";
    MadeOnRelease "made-on-release";
    CastlingMade "castling-made";
    ProtestPress "protest-press";
    LatePress "late-press";
    PromotionOrder "promotion-order";
    PromotionPieceMissing "promotion-piece-missing";
    Adjusting "adjusting";
    TimesByJudgement "times-by-judgement";
    Discretion "discretion";
    StartStillOpen "start-still-open";
    ArrayStands "array-stands";
    ClockStands "clock-stands";
    BoardByHalf "board-by-half";
    DisplacedAgain "displaced-again";
    DisplacedFoundLate "displaced-found-late";
    IllegalPositionWaits "illegal-position-waits";
    FlagClaimed "flag-claimed";
    FlagObserved "flag-observed";
    Checkmate "checkmate";
    Stalemate "stalemate";
    EndsTheMove "game-end-completes-move";
    Resignation "resignation-to-one-who-cannot-mate";
    ResultSigned "result-signed";
    AutomaticDraw "automatic-draw";
    // Claims of a draw.
    ThreefoldWritten "threefold-with-written-move";
    ThreefoldStands "threefold-on-the-board";
    FiftyWritten "fifty-with-written-move";
    FiftyMade "fifty-made";
    DrawClaimRight "draw-claim-right";
    DrawClaimWrong "draw-claim-wrong";
    DrawClaimLost "draw-claim-lost";
    DrawClaimOffers "draw-claim-is-an-offer";
}

impl Topic {
    /// The topic of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Topic> {
        Topic::ALL.iter().copied().find(|topic| topic.name() == name)
    }

    /// The topic of a finding; `None` for those no law is about.
    #[must_use]
    pub fn of(rule: RuleId) -> Option<Topic> {
        Topic::named(rule.name())
    }
}
