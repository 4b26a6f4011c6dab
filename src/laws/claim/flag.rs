//! Claims that the opponent's flag has fallen: what the clock showed and when, the moves made in the
//! period, and what the Laws make of it. A flag has fallen when it is observed or claimed.

use shakmaty::{ByColor, Color};

use super::follows::Follows;
use super::line::Sure;
use super::{ClaimKind, ClaimReport, ClaimView, MayClaim, PlayersClaim, Verdict};
use crate::events::TimeControl;
use crate::game::PlyKind;
use crate::laws::case::{
    Caller, Case, Claim, ClaimOf, Consequence, Flag, MatingAnswers, Proposal, Situation, propose,
};
use crate::laws::finding::Certainty;
use crate::laws::reason::color_name;
use crate::laws::ruleset::{Rules, Topic};
use crate::mating::CanStillMate;
use crate::tick::{Dial, Tick};

/// What is known of flags and times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlagSeen {
    /// When the clock first showed that a player's time had run out.
    pub fallen: ByColor<Option<Tick>>,
    /// The clock now: White, Black.
    pub dials: Option<(Dial, Dial)>,
    /// The event's time control.
    pub control: Option<TimeControl>,
    /// When the claim was made.
    pub now: Tick,
}

pub(super) fn examine(claim: &PlayersClaim, view: &ClaimView<'_>) -> ClaimReport {
    let mut report = ClaimReport::new(claim);
    let side = claim.by.other();
    let name = color_name(side);
    report.position = Some(view.line.end().fen());
    report.may_claim = may_claim(claim, view);
    report.if_wrong = Follows::no_time(view.rules);
    let proposal = proposed(claim, view.line.end().fen(), view.rules, view.mates);
    report.if_right = right(&proposal, view.rules);
    report.asked = proposal.asked.clone();
    (report.verdict, report.certainty, report.summary) = verdict(claim, view, side);
    report.proof = proof(view, side);
    if matches!(proposal.consequence, Consequence::GameEnded) || view.over {
        report.verdict = Verdict::Refuted;
        report.summary = format!("the game ended on the board before {name}'s flag was claimed");
    }
    if moves_due(view, side).is_some() {
        report.unsettled.push("whether this clock adds the next period at 0:00 whatever was played");
    }
    report
}

impl ClaimReport {
    /// The mating solver has answered the question that the report asks: what follows says so.
    pub fn answered(&mut self, rules: &Rules, side: Color, answer: CanStillMate) {
        let (ClaimKind::Flag, Some(fen)) = (self.claim.of, self.position.clone()) else { return };
        let known = |_: &str, winner: Color| if winner == side { answer } else { CanStillMate::NotProven };
        let proposal = proposed(&self.claim, fen, rules, &known);
        self.if_right = right(&proposal, rules);
        self.asked = proposal.asked;
    }
}

/// What follows if the flag has fallen; the mating question goes to `mates`.
fn proposed(claim: &PlayersClaim, fen: String, rules: &Rules, mates: MatingAnswers<'_>) -> Proposal {
    let mut case = Case::new(Situation::FlagFall);
    case.position = Some(fen);
    case.observed = false;
    case.claims = vec![Claim { by: claim.by, of: ClaimOf::FlagFall }];
    let called_by = Some(Caller::Player(claim.by));
    case.flag = Some(Flag { side: claim.by.other(), noticed_ms: None, called_by });
    propose(&case, rules, mates)
}

fn right(proposal: &Proposal, rules: &Rules) -> Follows {
    let mut out = Follows { result: proposal.result, ..Follows::default() };
    out.articles.clone_from(&proposal.articles);
    out.say(match (proposal.consequence, proposal.result) {
        (Consequence::GameEnded, _) => "the game ended on the board before".to_owned(),
        (_, Some(score)) => format!("result {}", score.word()),
        _ => "a loss, or a draw if the opponent cannot mate: not proven yet".to_owned(),
    });
    if rules.articles(Topic::FlagClaimed).is_empty() {
        out.cite(rules, &[Topic::FlagFall]);
    }
    out
}

fn verdict(claim: &PlayersClaim, view: &ClaimView<'_>, side: Color) -> (Verdict, Certainty, String) {
    let name = color_name(side);
    let Some((white, black)) = view.flag.dials else {
        let what = "the clock is not heard".to_owned();
        return (Verdict::NotShown, Certainty::Possible, what);
    };
    let shows = side.fold_wb(white, black);
    let (fallen, other) = (view.flag.fallen[side], view.flag.fallen[claim.by]);
    if fallen.is_none() && shows.ms() > 0 {
        let what = format!("{name}'s clock shows {}", shows.text());
        return (Verdict::Refuted, Certainty::Probable, what);
    }
    let Some(at) = fallen else {
        let what = format!("{name}'s clock shows 0:00, and its fall was not seen");
        return (Verdict::NotShown, Certainty::Possible, what);
    };
    let both = match other {
        Some(_) => format!(", and {}'s has run out as well", color_name(claim.by)),
        None => String::new(),
    };
    let ago = view.flag.now.since(at).ms() / 1000;
    let what = format!("{name}'s time ran out {ago} s before the claim{both}");
    match moves_due(view, side) {
        Some((due, made, true)) if made >= due => {
            let what = format!("{what}, but {name} had made {made} of {due} moves: the period was over");
            (Verdict::NotShown, Certainty::Possible, what)
        }
        Some((due, made, false)) => {
            let what = format!("{what}; {made} of {due} moves are in the record, which has a gap");
            (Verdict::Gap, Certainty::Possible, what)
        }
        Some((due, made, true)) => {
            (Verdict::Proven, Certainty::Probable, format!("{what}, with {made} of {due} moves made"))
        }
        None => (Verdict::Proven, Certainty::Probable, what),
    }
}

/// Moves that are due in the first period and those made, and whether all were seen; `None` where
/// there is one period only.
fn moves_due(view: &ClaimView<'_>, side: Color) -> Option<(u32, u32, bool)> {
    let (due, _) = view.flag.control.and_then(|control| control.bonus)?;
    let made = view.line.plies.iter().filter(|ply| ply.side == side && ply.kind != PlyKind::Null).count();
    let seen = !view.lost
        && !view.line.begins_late
        && view.line.unheard.is_empty()
        && view.line.plies.iter().all(|ply| ply.sure == Sure::Seen);
    Some((due, super::line::count(made), seen))
}

fn proof(view: &ClaimView<'_>, side: Color) -> Vec<String> {
    let mut out = Vec::new();
    if let Some((white, black)) = view.flag.dials {
        out.push(format!("the clock shows White {} and Black {}", white.text(), black.text()));
    }
    if let Some(at) = view.flag.fallen[side] {
        out.push(format!("the clock first showed it at {} ms of the record", at.ms()));
    }
    if let Some((due, made, _)) = moves_due(view, side) {
        out.push(format!("{} has made {made} moves; {due} are due in the period", color_name(side)));
    }
    out
}

fn may_claim(claim: &PlayersClaim, view: &ClaimView<'_>) -> MayClaim {
    let mut cited = Follows::default();
    cited.cite(view.rules, &[Topic::FlagClaimed]);
    let text = match view.over {
        true => "the game is over".to_owned(),
        false => format!("{} may claim at any time; it counts from the claim", color_name(claim.by)),
    };
    MayClaim { open: Some(!view.over), text, articles: cited.articles }
}
