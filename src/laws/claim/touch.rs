//! Claims of touch-move: what was taken up first and when, and what Article 4 asks for then.
//!
//! Sensors show lifts, not touches, and hear no "j'adoube": what they show is evidence for the
//! arbiter, never certain; what they do not show may have happened.

use std::collections::BTreeSet;

use shakmaty::{Color, Square};

use super::follows::Follows;
use super::{AlertSeen, ClaimReport, ClaimView, MayClaim, PlayersClaim, Verdict};
use crate::game::{Move, Position};
use crate::laws::advice::replacement::touches;
use crate::laws::case::{Duty, Touch, duty};
use crate::laws::contacts::LIFTED;
use crate::laws::finding::{Certainty, Step};
use crate::laws::reason::{color_name, role_name};
use crate::laws::ruleset::Topic;
use crate::timeline::Contact;

/// What was taken up and put down in one turn.
#[derive(Clone, Debug)]
pub struct TurnSeen {
    /// The position before it, with the player whose turn it is to move.
    pub before: Position,
    /// Plies before it.
    pub plies: u32,
    /// The legal move that was played; `None` if there is none.
    pub played: Option<Move>,
    /// The turn is over.
    pub done: bool,
    /// The steps, in order.
    pub touches: Vec<Touch>,
    /// All of it was reported as it happened.
    pub seen: bool,
}

impl TurnSeen {
    /// The turn from `before` with these contacts; `seen`: nothing else is known to be missing.
    #[must_use]
    pub fn of(before: &Position, plies: u32, contacts: &[Contact], played: Option<Move>, seen: bool) -> Self {
        let step = |contact: &Contact| Step {
            at: contact.at,
            square: contact.square,
            piece: contact.now.letter(),
            before: contact.was.letter(),
        };
        let steps: Vec<Step> = contacts.iter().filter(|c| !c.in_dump).map(step).collect();
        let touches = without_flickers(touches(&steps, before));
        let seen = seen && !contacts.iter().any(|c| c.in_dump);
        let done = played.is_some();
        TurnSeen { before: before.clone(), plies, played, done, touches, seen }
    }

    /// What was taken up first.
    pub(super) fn first_lift(&self) -> Option<&Touch> {
        self.touches.iter().find(|touch| touch.lifted)
    }

    /// The places of the steps that may be the other player's: a piece of his taken up and put back,
    /// unless it is the one that is named.
    fn of_others(&self, named: Option<Square>) -> BTreeSet<usize> {
        let stands = |touch: &Touch| self.before.board.piece_at(touch.square) == Some(touch.piece);
        let back = |touch: &Touch| {
            self.touches.iter().any(|t| !t.lifted && t.square == touch.square && t.piece == touch.piece)
        };
        let other = |touch: &Touch| {
            touch.piece.color != self.before.turn
                && stands(touch)
                && back(touch)
                && Some(touch.square) != named
        };
        self.touches.iter().enumerate().filter(|(_, touch)| other(touch)).map(|(place, _)| place).collect()
    }

    /// Whether the player of this turn has set a piece of his down on another square.
    pub(super) fn is_released(&self) -> bool {
        let own = |touch: &&Touch| !touch.lifted && touch.piece.color == self.before.turn;
        self.touches.iter().filter(own).any(|t| self.before.board.piece_at(t.square) != Some(t.piece))
    }
}

/// A piece that is off the board for a moment was not read, or slid about on its square.
fn without_flickers(touches: Vec<Touch>) -> Vec<Touch> {
    let mut out: Vec<Touch> = Vec::new();
    for touch in touches {
        let flicker = out.last().is_some_and(|up| {
            let short = match (up.at_ms, touch.at_ms) {
                (Some(then), Some(now)) => now.saturating_sub(then) < LIFTED.ms(),
                _ => false,
            };
            up.lifted && !touch.lifted && up.square == touch.square && up.piece == touch.piece && short
        });
        if flicker {
            out.pop();
        } else {
            out.push(touch);
        }
    }
    out
}

pub(super) fn examine(claim: &PlayersClaim, view: &ClaimView<'_>) -> ClaimReport {
    let mut report = ClaimReport::new(claim);
    report.certainty = Certainty::Possible;
    report.if_wrong = Follows::no_time(view.rules);
    let offender = claim.by.other();
    let now = (view.turn.before.turn == offender).then_some(&view.turn);
    let Some(turn) = now.or(view.last.as_ref()).filter(|turn| turn.before.turn == offender) else {
        let summary = format!("the record has no move of {}", color_name(offender));
        report.may_claim = may_claim(claim, view);
        report.summary = summary;
        return report;
    };
    report.may_claim = may_claim(claim, view);
    report.position = Some(turn.before.fen());
    report.proof = steps(turn);
    let about = |alert: &&AlertSeen<'_>| {
        alert.finding.side == Some(offender) && claim.fits(alert.finding.code, view.rules)
    };
    report.alerts = view.alerts.iter().filter(about).map(|alert| alert.finding.id.clone()).collect();
    let bound = duty(&turn.before, &turn.touches, &turn.of_others(claim.square));
    report.if_right = right(view, turn, &bound, claim.square);
    (report.verdict, report.summary) = verdict(claim, view, turn, &bound);
    if report.verdict == Verdict::Proven {
        report.proof.push(format!("{}: {}", what_binds(turn, &bound), bound.legal.join(" ")));
        report.proof.push("not shown: whether adjusting was announced, and whose hand it was".to_owned());
    }
    report
}

fn verdict(claim: &PlayersClaim, view: &ClaimView<'_>, turn: &TurnSeen, bound: &Duty) -> (Verdict, String) {
    let offender = color_name(turn.before.turn);
    let lifted = |square: Square| turn.touches.iter().any(|touch| touch.lifted && touch.square == square);
    let binds = bound.rule != Topic::DutyVoid && turn.first_lift().is_some();
    let breach = binds && turn.played.map_or(!turn.done, |m| !bound.allows(&m));
    let named = claim
        .square
        .is_none_or(|square| bound.must_move.contains(&square) || bound.must_capture.contains(&square));
    if let Some(square) = claim.square
        && named_moves(turn, square).is_empty()
    {
        let what = match turn.before.board.piece_at(square) {
            Some(piece) => {
                format!("the {} on {square} could neither move nor be taken", role_name(piece.role))
            }
            None => format!("nothing stood on {square}"),
        };
        return (Verdict::Refuted, what);
    }
    if let (Some(square), Some(m)) = (claim.square, turn.played)
        && (m.from == square || m.capture == Some(square) || m.rook.is_some_and(|(rook, _)| rook == square))
        && !breach
    {
        return (Verdict::Refuted, format!("{offender} moved or took what stood on {square}"));
    }
    if breach && named {
        let instead = match turn.played {
            Some(m) => format!("then {} was played", turn.before.san(&m)),
            None => "and no move has been made yet".to_owned(),
        };
        let what = turn.first_lift().map_or(String::new(), named_piece);
        return (Verdict::Proven, format!("{what} was taken up first, {instead}"));
    }
    if turn.done && turn.played.is_none() {
        let what = format!("{offender}'s last ply is no legal move: what was touched binds its replacement");
        return (Verdict::NotShown, what);
    }
    if !turn.seen || view.lost {
        return (Verdict::Gap, format!("not all of {offender}'s turn was seen"));
    }
    match claim.square {
        Some(square) if lifted(square) => {
            let first = turn.first_lift().map_or(String::new(), named_piece);
            (Verdict::NotShown, format!("{square} was taken up, but {first} before it"))
        }
        Some(square) => (
            Verdict::NotShown,
            format!("nothing was taken up from {square}; a touch without a lift is not sensed"),
        ),
        None if turn.first_lift().is_none() && !turn.done => (
            Verdict::NotShown,
            format!(
                "{offender} has taken up nothing in this turn; an earlier one ended with the reply to it"
            ),
        ),
        None => (
            Verdict::NotShown,
            "what was taken up and could move was moved; a touch without a lift is not sensed".to_owned(),
        ),
    }
}

/// The legal moves of the piece on `square`, or that take it.
fn named_moves(turn: &TurnSeen, square: Square) -> Vec<Move> {
    let moves = turn.before.legal_moves();
    moves.into_iter().filter(|m| m.from == square || m.capture == Some(square)).collect()
}

/// What follows if the arbiter finds that the piece was touched to be moved: by the contacts, or, if
/// they show nothing, by the square that is named.
fn right(view: &ClaimView<'_>, turn: &TurnSeen, bound: &Duty, named: Option<Square>) -> Follows {
    let mut out = Follows::default();
    if named.is_some_and(|square| named_moves(turn, square).is_empty()) {
        out.say("nothing: what was touched can neither move nor be taken");
        out.cite(view.rules, &[Topic::DutyVoid]);
        return out;
    }
    if turn.played.is_some() {
        out.restore = Some(turn.before.fen());
        out.say("the move is taken back, times by your judgement");
        out.cite(view.rules, &[Topic::TimesByJudgement]);
    }
    let by_square = named.map(|square| {
        let fit = named_moves(turn, square).into_iter();
        fit.map(|m| if view.chess960 { m.uci_chess960() } else { m.uci() }).collect::<Vec<String>>()
    });
    let covered = named.is_none_or(|s| bound.must_move.contains(&s) || bound.must_capture.contains(&s));
    let legal = if covered { bound.legal.clone() } else { by_square.unwrap_or_default() };
    if legal.is_empty() {
        out.say("nothing: what was touched can neither move nor be taken");
        out.cite(view.rules, &[Topic::DutyVoid]);
        return out;
    }
    let what = match (covered, named) {
        (false, Some(square)) => format!("what stands on {square} must move or be taken"),
        _ => what_binds(turn, bound),
    };
    out.say(format!("{} is to play: {what}", color_name(turn.before.turn)));
    out.legal = Some(legal);
    out.cite(view.rules, &[bound.rule, Topic::TouchMove]);
    out
}

fn what_binds(turn: &TurnSeen, bound: &Duty) -> String {
    let list = |squares: &[Square]| squares.iter().map(|s| at(turn, *s)).collect::<Vec<String>>().join(", ");
    match (&bound.must_move[..], &bound.must_capture[..]) {
        ([], []) => "any legal move".to_owned(),
        (own, []) => format!("{} must move", list(own)),
        ([], other) => format!("{} must be taken", list(other)),
        (own, other) => format!("{} must take {}", list(own), list(other)),
    }
}

fn at(turn: &TurnSeen, square: Square) -> String {
    let piece = turn.before.board.piece_at(square);
    piece.map_or(square.to_string(), |piece| format!("the {} on {square}", role_name(piece.role)))
}

fn named_piece(touch: &Touch) -> String {
    format!("{}'s {} on {}", color_name(touch.piece.color), role_name(touch.piece.role), touch.square)
}

/// The steps of the turn, with the time since the first.
fn steps(turn: &TurnSeen) -> Vec<String> {
    let first = turn.touches.iter().find_map(|touch| touch.at_ms).unwrap_or(0);
    let line = |touch: &Touch| {
        let after = touch.at_ms.map_or(0, |at| at.saturating_sub(first));
        let what = if touch.lifted { "taken up" } else { "set down" };
        format!("+{}.{} s: {} {what}", after / 1000, after % 1000 / 100, named_piece(touch))
    };
    turn.touches.iter().take(STEPS_MAX).map(line).collect()
}

/// Steps that a report lists; a turn with more is one in which pieces were put straight.
const STEPS_MAX: usize = 24;

/// The claim ends when the claimant touches a piece himself.
fn may_claim(claim: &PlayersClaim, view: &ClaimView<'_>) -> MayClaim {
    let by = color_name(claim.by);
    let mut cited = Follows::default();
    cited.cite(view.rules, &[Topic::ClaimOfTouchLost]);
    let (open, text) = if view.over {
        (Some(false), "the game is over".to_owned())
    } else if view.turn.before.turn != claim.by {
        (Some(true), format!("{} has the move: {by} may claim", color_name(view.turn.before.turn)))
    } else if let Some(touch) = view.turn.first_lift().filter(|t| is_of(t, claim.by)) {
        let what = named_piece(touch);
        (
            None,
            format!("{what} was taken up since: if {by} touched it to move it, the right to claim is lost"),
        )
    } else {
        (Some(true), format!("{by} has not taken up a piece since: he may claim"))
    };
    MayClaim { open, text, articles: cited.articles }
}

fn is_of(touch: &Touch, side: Color) -> bool {
    touch.piece.color == side
}
