//! Claims of an illegal move: the alerts it fits, whether its window is open, and what follows; or
//! that the record shows only legal moves.

use super::follows::Follows;
use super::line::{Sure, count};
use super::variants::{FROM_BOARD, UNHEARD, UNSEEN};
use super::{
    AlertSeen, ClaimGap, ClaimReport, ClaimView, ClaimedState, Holds, MayClaim, PlayersClaim, Verdict,
};
use crate::game::PlyKind;
use crate::laws::advice::WindowState;
use crate::laws::finding::Certainty;
use crate::laws::reason::color_name;
use crate::laws::rules::RuleId;
use crate::laws::ruleset::{Rules, Topic, Window};

pub(super) fn examine(claim: &PlayersClaim, view: &ClaimView<'_>) -> ClaimReport {
    let mut report = ClaimReport::new(claim);
    report.if_wrong = Follows::no_time(view.rules);
    let offender = Some(claim.by.other());
    let next = count(view.line.plies.len() + 1);
    let fits = |alert: &&AlertSeen<'_>| {
        let finding = alert.finding;
        // What was not completed and has been put right since is nothing.
        let past = finding.code == RuleId::IllegalMoveUnpressed && finding.facts.ply < next;
        finding.side == offender && is_illegal(finding.code, view.rules) && !past
    };
    // What waits for an arbiter before what is done with, the newest first.
    let rank = |alert: &&AlertSeen<'_>| (alert.state == ClaimedState::Open, alert.finding.facts.ply);
    let Some(alert) = view.alerts.iter().filter(fits).max_by_key(rank) else {
        return without(report, view);
    };
    let finding = alert.finding;
    report.alerts = vec![finding.id.clone()];
    report.position = Some(finding.facts.last_correct_fen.clone());
    report.certainty = finding.certainty;
    // Only the press completes an illegal move.
    let uncompleted = finding.code == RuleId::IllegalMoveUnpressed;
    let shown = !uncompleted && finding.certainty != Certainty::Possible;
    report.verdict = if shown { Verdict::Proven } else { Verdict::NotShown };
    report.summary.clone_from(&finding.what);
    if uncompleted {
        report.summary.push_str("; not completed");
    }
    report.proof = proof(alert);
    report.may_claim = may_claim(claim, view, alert);
    report.if_right = right(view, alert, report.may_claim.open == Some(false));
    report
}

/// Whether a claim of an illegal move can mean what this rule finds.
pub(super) fn is_illegal(code: RuleId, rules: &Rules) -> bool {
    rules.counts_rule(code)
        || matches!(
            code,
            RuleId::IllegalMove
                | RuleId::IllegalMoveUnpressed
                | RuleId::PressWithoutMove
                | RuleId::PawnNotPromoted
                | RuleId::CastlingIncomplete
                | RuleId::TwoHands
        )
}

/// What an illegal move may lie behind, though the moves of the record are legal.
fn is_doubtful(code: RuleId) -> bool {
    matches!(
        code,
        RuleId::DisplacedPieces
            | RuleId::PositionUnexplained
            | RuleId::OutOfTurn
            | RuleId::IllegalPosition
            | RuleId::BothKingsInCheck
            | RuleId::PawnOnLastRank
            | RuleId::PressMoveIncomplete
    )
}

fn proof(alert: &AlertSeen<'_>) -> Vec<String> {
    let facts = &alert.finding.facts;
    let mut out = vec![format!(
        "ply {}; the last correct position is that after ply {}: {}",
        facts.ply, facts.last_correct_ply, facts.last_correct_fen
    )];
    out.push(match facts.pressed_at {
        Some(_) => "the clock was pressed".to_owned(),
        None => "the clock was not pressed".to_owned(),
    });
    let state = match alert.state {
        ClaimedState::Upheld => "an arbiter has upheld it",
        ClaimedState::Dismissed => "an arbiter has dismissed it, or let it stand",
        ClaimedState::Open => "no arbiter has ruled on it",
        ClaimedState::Closed => "its alert is closed without a ruling",
        ClaimedState::Noted => "it is in the record, and nobody was told",
    };
    out.push(state.to_owned());
    if alert.finding.certainty == Certainty::Possible {
        out.push("sensors do not prove it: somebody must have seen it".to_owned());
    }
    out
}

fn may_claim(claim: &PlayersClaim, view: &ClaimView<'_>, alert: &AlertSeen<'_>) -> MayClaim {
    let by = color_name(claim.by);
    let mut cited = Follows::default();
    cited.cite(view.rules, &[Topic::Regime]);
    let at = alert.finding.facts.ply as usize;
    let later = view.line.plies.iter().skip(at).filter(|ply| ply.kind != PlyKind::Null);
    let answered = later.clone().any(|ply| ply.side == claim.by);
    let since = count(later.filter(|ply| ply.side != claim.by).count());
    let answering = view.turn.before.turn == claim.by && view.turn.is_released();
    // The desk follows the reply to what has an alert.
    let followed = view.rules.window == Window::ReplyMade && alert.state != ClaimedState::Noted;
    let window = alert.advice.window.filter(|_| followed);
    let (open, text) = match (alert.is_ruled(), view.rules.window) {
        (true, _) => (Some(false), "it has been ruled on".to_owned()),
        _ if view.over => (Some(false), "the game is over".to_owned()),
        _ if window.is_some() => window.map_or((None, String::new()), |window| {
            let open = match window.state {
                WindowState::Open | WindowState::Claimed => Some(true),
                WindowState::ReplyOnBoard => None,
                WindowState::Closed => Some(false),
            };
            (open, window.text.to_owned())
        }),
        (_, Window::GameEnd) => (Some(true), "open until the game ends".to_owned()),
        (_, Window::LastMoves(moves)) if since >= moves => {
            (Some(false), format!("closed: it is not one of the last {moves} moves"))
        }
        (_, Window::LastMoves(moves)) => {
            (Some(true), format!("open while it is one of the last {moves} moves"))
        }
        (_, Window::ReplyMade | Window::MoveDetermined) if answered => {
            (Some(false), format!("closed: {by} has made the next move"))
        }
        _ if answering => {
            (None, format!("{by} has set a piece down: if that was the next move, it is closed"))
        }
        _ => (Some(true), format!("open until {by} has made the next move")),
    };
    MayClaim { open, text, articles: cited.articles }
}

fn right(view: &ClaimView<'_>, alert: &AlertSeen<'_>, closed: bool) -> Follows {
    let advice = alert.advice;
    let mut out = Follows::default();
    if closed && !alert.is_ruled() {
        out.say("it stands: no time, no count");
        out.cite(view.rules, &[Topic::Regime, Topic::ClaimTooLate]);
        return out;
    }
    out.say(advice.consequence.clone());
    out.time = advice.time;
    out.restore = advice.restore.as_ref().map(|restore| restore.fen.clone());
    if let Some(replacement) = &advice.replacement {
        out.say(replacement.text.clone());
        out.legal = (!replacement.free).then(|| replacement.legal.clone());
    }
    let own = advice.article.iter().flat_map(|text| text.split(", ")).map(str::to_owned);
    out.articles.extend(own);
    out
}

/// No alert fits: what the record says of the opponent's moves.
fn without(mut report: ClaimReport, view: &ClaimView<'_>) -> ClaimReport {
    let offender = report.claim.by.other();
    let name = color_name(offender);
    report.may_claim.text = "nothing is known that could be claimed".to_owned();
    report.position = Some(view.line.end().fen());
    let plies = &view.line.plies;
    let made = plies.iter().filter(|ply| ply.side == offender).count();
    let gap = plies.iter().position(|ply| ply.sure != Sure::Seen).map(|at| {
        let why = if plies[at].sure == Sure::Concluded { UNSEEN } else { FROM_BOARD };
        (count(at), count(at + 1), why)
    });
    let unheard = view.line.unheard.first().map(|at| (*at, *at, UNHEARD));
    let reaching = view.turn.before.turn == offender && view.turn.is_released();
    let odd = plies.iter().enumerate().find(|(_, ply)| ply.side == offender && ply.kind != PlyKind::Legal);
    let doubtful = |alert: &&AlertSeen<'_>| {
        alert.state == ClaimedState::Open
            && alert.finding.side.is_none_or(|side| side == offender)
            && is_doubtful(alert.finding.code)
    };
    if let Some((at, ply)) = odd {
        report.certainty = Certainty::Probable;
        report.summary = format!("ply {} ({}) is not legal and stands in the record", at + 1, ply.label);
        report.verdict = Verdict::Proven;
        report.may_claim.text = "no alert on it is known any more".to_owned();
    } else if let Some((from, to, why)) = gap.or(unheard) {
        report.verdict = Verdict::Gap;
        report.certainty = Certainty::Possible;
        report.summary = format!("the record shows only legal moves of {name}, but after ply {from} {why}");
        report.gap = Some(ClaimGap { from, to, why, candidates: None, holds: Holds::Unknown });
    } else if let Some(alert) = view.alerts.iter().rev().find(doubtful) {
        report.certainty = Certainty::Possible;
        report.summary =
            format!("the record shows only legal moves of {name}, but it is open: {}", alert.finding.what);
        report.alerts = vec![alert.finding.id.clone()];
    } else if reaching {
        report.certainty = Certainty::Possible;
        report.summary = format!("{name} has set a piece down and not pressed: no move is completed yet");
    } else if view.lost || view.line.begins_late {
        report.verdict = Verdict::Gap;
        report.certainty = Certainty::Possible;
        report.summary = "not all of the game was seen".to_owned();
    } else {
        report.verdict = Verdict::Refuted;
        report.certainty = if view.occupancy { Certainty::Probable } else { Certainty::Certain };
        report.summary = format!("the record shows only legal moves: {made} by {name}");
    }
    if view.rules.counts(Topic::TwoHands) {
        report
            .proof
            .push("sensors do not see hands: two hands on one move would not be in the record".to_owned());
    }
    report
}
