//! The one list of findings: it drives detection, documentation, configuration keys and schema.

use super::finding::{Certainty, Severity};

/// A kind of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each is described in RULES, the one list")]
pub enum RuleId {
    IllegalMove,
    IllegalMoveUnpressed,
    PressWithoutMove,
    PressMoveIncomplete,
    PawnNotPromoted,
    TwoHands,
    CastlingRookFirst,
    CastlingIncomplete,
    OutOfTurn,
    AdjustOutOfTurn,
    DisplacedPieces,
    IllegalPosition,
    BothKingsInCheck,
    PawnOnLastRank,
    WrongSetup,
    WrongOrientation,
    ColoursReversed,
    ClockSidesSwapped,
    ClockIncorrect,
    ClockPaused,
    ClockLeverKnocked,
    ClockNotRunning,
    FlagFall,
    TouchMove,
    ReleasedPieceMoved,
    OtherHandPress,
    PositionUnexplained,
    Fivefold,
    SeventyFive,
    DeadPosition,
    Threefold,
    Fifty,
    GameEnded,
    ResultByKings,
    PrematureResult,
    PressForgotten,
    Restored,
    NewGame,
    ClockAdjusted,
    LinkLost,
    SensorFault,
    SensorRotated,
    BoardSwapped,
    SyncLost,
    ClockDisconnected,
}

/// What is fixed about a kind of finding.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Which.
    pub id: RuleId,
    /// The name in messages, configuration and fixtures.
    pub name: &'static str,
    /// One sentence an arbiter would accept.
    pub about: &'static str,
    /// When it becomes known.
    pub known_when: &'static str,
    /// How sure it usually is.
    pub certainty: Certainty,
    /// What it usually means for an arbiter.
    pub severity: Severity,
}

macro_rules! rules {
    ($($id:ident $name:literal $certainty:ident $severity:ident $about:literal $when:literal;)*) => {
        /// Every kind of finding, in the order of the design.
        pub const RULES: &[Rule] = &[$(Rule {
            id: RuleId::$id,
            name: $name,
            about: $about,
            known_when: $when,
            certainty: Certainty::$certainty,
            severity: Severity::$severity,
        },)*];
    };
}

rules! {
    IllegalMove "illegal-move" Certain Act "A move that the rules of chess do not allow was completed with the clock." "press";
    IllegalMoveUnpressed "illegal-move-unpressed" Certain Log "A move that the rules of chess do not allow stands on the board; the clock was not pressed." "stable, no press";
    PressWithoutMove "press-without-move" Certain Act "The clock was pressed although no move had been made." "press";
    PressMoveIncomplete "press-move-incomplete" Probable Check "The clock was pressed while the moved piece was still in the air." "press, piece still in the air after settling";
    PawnNotPromoted "pawn-not-promoted" Certain Act "A pawn reached the last rank and the clock was pressed before it was exchanged." "press";
    TwoHands "two-hands" Possible Check "Two pieces were handled in a way that one hand cannot." "press";
    CastlingRookFirst "castling-rook-first" Certain Check "The rook was lifted before the king in castling." "press";
    CastlingIncomplete "castling-incomplete" Certain Act "The king was moved as in castling, the rook was not, and the clock was pressed." "press";
    OutOfTurn "out-of-turn" Probable Check "The side not on move made a whole move." "stable";
    AdjustOutOfTurn "adjust-out-of-turn" Possible Log "A piece of the player not on move was taken up and put back in the opponent's time." "press";
    DisplacedPieces "displaced-pieces" Certain Check "Pieces outside the move stand where they do not belong." "press, or stable in the opponent's time";
    IllegalPosition "illegal-position" Certain Check "No game can reach the position on the board, and play goes on from it." "the next completed move";
    BothKingsInCheck "both-kings-in-check" Certain Check "Both kings are in check." "press";
    PawnOnLastRank "pawn-on-last-rank" Certain Check "A pawn stands on the last rank, and play goes on." "the next completed move";
    WrongSetup "wrong-setup" Certain Act "The pieces were not set up as they should be when the clock was started." "clock start";
    WrongOrientation "wrong-orientation" Certain Act "The board is turned by a quarter." "clock start";
    ColoursReversed "colours-reversed" Possible Check "White's array stands on the side where Black was to sit." "clock start, if the settings say where White sits";
    ClockSidesSwapped "clock-sides-swapped" Possible Check "The clock of the other side runs." "clock start and first moves";
    ClockIncorrect "clock-incorrect" Probable Check "The clock does not show the time control of the event." "clock start, first presses";
    ClockPaused "clock-paused" Certain Log "The clock was stopped in the middle of the game: the arbiter is being called." "when stopped";
    ClockLeverKnocked "clock-lever-knocked" Probable Check "The lever went over and back without a move." "lever back";
    ClockNotRunning "clock-not-running" Probable Check "Moves are made for a minute while nobody's time runs." "three moves and a minute after the clock was stopped";
    FlagFall "flag-fall" Certain Act "A player's time has run out." "the clock shows zero";
    TouchMove "touch-move" Possible Log "A piece was taken up and put back, and then another one was moved." "press";
    ReleasedPieceMoved "released-piece-moved" Possible Log "The piece rested on a square where it could have been moved, and went on to another." "press";
    OtherHandPress "other-hand-press" Possible Log "The clock was pressed so close to the landing of the piece that one hand cannot have done both." "press";
    PositionUnexplained "position-unexplained" Certain Act "The board cannot follow from the last certain position." "press, settled";
    Fivefold "fivefold" Certain Act "The same position has stood for the fifth time." "when the move is made, on a history without gaps";
    SeventyFive "seventy-five" Certain Act "Each player has made seventy-five moves without a capture or a pawn move." "when the move is made, on a history without gaps";
    DeadPosition "dead-position" Certain Act "Neither side can mate by any series of legal moves." "when the move is made, on a history without gaps";
    Threefold "threefold" Certain Log "The same position has stood for the third or fourth time: a draw can be claimed." "when the move is made, on a history without gaps";
    Fifty "fifty" Certain Log "Each player has made fifty moves without a capture or a pawn move: a draw can be claimed." "when the move is made, on a history without gaps";
    GameEnded "game-ended" Certain Log "The game is over by mate or stalemate, or the pieces were set up again without a result." "when made, or when the array stands";
    ResultByKings "result-by-kings" Certain Log "Both kings stand on centre squares: the players signal the result." "stable";
    PrematureResult "premature-result" Probable Check "A result is shown although the last move was illegal, or a win of a player who cannot mate." "press, or kings in the centre";
    PressForgotten "press-forgotten" Certain Log "A move was completed although its clock press was forgotten." "the next move";
    Restored "restored" Certain Log "An earlier position was restored." "stable";
    NewGame "new-game" Certain Log "The game was cancelled and a new one set up." "clock start";
    ClockAdjusted "clock-adjusted" Certain Log "The times on the clock were changed by hand." "the clock runs again, two readings that agree";
    LinkLost "link-lost" Certain Operator "The board cannot be heard." "at once";
    SensorFault "sensor-fault" Probable Operator "A square reports what cannot be." "settled";
    SensorRotated "sensor-rotated" Certain Operator "The board lies turned by half; squares are told as the players see them." "clock start, or set up again so";
    BoardSwapped "board-swapped" Certain Operator "Another board has taken the place of the one the game was played on." "the board says its serial number";
    SyncLost "sync-lost" Certain Operator "Moves were played unseen and cannot be told for certain." "after a gap";
    ClockDisconnected "clock-disconnected" Certain Operator "The clock is not connected to the board." "at once";
}

impl RuleId {
    /// What is fixed about it.
    #[must_use]
    pub fn rule(self) -> &'static Rule {
        &RULES[self as usize]
    }

    /// The one of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<RuleId> {
        RULES.iter().find(|rule| rule.name == name).map(|rule| rule.id)
    }

    /// The name in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.rule().name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_the_order_of_the_ids() {
        for rule in RULES {
            assert_eq!(rule.id.rule().name, rule.name);
        }
    }
}
