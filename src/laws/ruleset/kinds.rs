//! What a rule set may choose between.

use super::SettingId;

/// Who may set the consequences of an offence going.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starts {
    /// The arbiter, as soon as he knows.
    OnSight,
    /// The arbiter if he saw the action himself, otherwise only the opponent by a claim.
    ObservedOrClaimed,
    /// Only the opponent.
    ClaimOnly {
        /// Whether the arbiter may call no attention to anything. Otherwise he steps in on seeing a
        /// pawn left on the last rank, or both kings in check.
        silent: bool,
    },
}

/// Until when an offence can be dealt with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// As long as the game lasts.
    GameEnd,
    /// Until the opponent has made (released, not pressed) his next move.
    ReplyMade,
    /// While it is one of so many last moves of either player.
    LastMoves(u32),
    /// Until the opponent has determined his move.
    MoveDetermined,
}

/// Time for the opponent at an offence that does not lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seconds {
    /// None.
    None,
    /// So much.
    Fixed(u32),
    /// So much, if the claim was made at once.
    IfClaimedAtOnce(u32),
    /// As the event says.
    BySetting(SettingId),
}

/// What saves a player from losing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exception {
    /// A draw if the opponent cannot mate by any series of legal moves.
    Helpmate,
    /// A draw unless the opponent has a pawn, a rook, a queen or two minor pieces.
    MaterialList,
    /// A draw if the opponent has a lone king, one minor piece, or two knights against no pawn.
    InsufficientToWin,
    /// None.
    None,
}

/// Who may say that a flag has fallen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flags {
    /// A player or the arbiter.
    ArbiterToo,
    /// A player only.
    PlayersOnly,
}

/// What happens to a pawn left on the last rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PawnLeft {
    /// A queen of its colour takes its place; nothing is taken back.
    QueenPut,
    /// The move is taken back like any other.
    RolledBack,
    /// The press was improper: the player finishes the move in his own time.
    ImproperPress,
}

/// How long a wrong array, a turned board or a wrong clock setting can be raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartFaults {
    /// As long as the game lasts.
    AnyTime,
    /// Until each player has completed that many moves.
    UntilCompletedByEach(u32),
    /// A wrong array until Black has completed that many moves; a turned board at any time.
    UntilBlackCompletes(u32),
}

/// What follows when the players sit with each other's colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// A new game until each has made ten moves, then the game goes on.
    NewGameUntilTenMadeEach,
    /// A new game until Black has completed ten moves, then the game goes on.
    NewGameUntilBlackCompletesTen,
    /// The game goes on unless the arbiter rules otherwise.
    ContinueUnlessRuled,
    /// No rule is known.
    NoRule,
}

/// Which repetitions and series of moves end the game by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutomaticDraws {
    /// The fifth occurrence, and 75 moves by each.
    Any,
    /// The same, but the five must follow each other.
    Consecutive,
    /// The third occurrence, and fifty moves by each.
    ThreefoldAndFifty,
    /// None.
    None,
}

/// Until when the player on the move may claim a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawClaims {
    /// Until he touches a piece to move or take it.
    UntilTouch,
    /// Until he presses the clock, also with the move made on the board.
    UntilPress,
}

/// When an arbiter is told of an offence that has a claim window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotifyRule {
    /// At once.
    Now,
    /// Shown silently at the press; aloud when a player stops the clock or claims.
    Inform,
    /// Kept back until the window has closed, or a player stops the clock or claims.
    Delayed,
}

impl Window {
    /// The word in cases.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Window::GameEnd => "game-end",
            Window::ReplyMade => "opponent-release",
            Window::LastMoves(2) => "last-two-moves",
            Window::LastMoves(_) => "last-ten-moves",
            Window::MoveDetermined => "opponent-determines-move",
        }
    }
}
