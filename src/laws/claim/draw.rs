//! Claims of a draw: the third occurrence of a position, and fifty moves by each without a capture
//! or a pawn move; made on the board, or with the move written and not yet made.
//!
//! Every line that the game can have taken is counted by itself. The claim is proven if it holds in
//! all of them, refuted if it holds in none and nothing is hidden; otherwise the answer hangs on the
//! gap.

use shakmaty::Color;

use super::follows::{Follows, basis};
use super::line::{Ply, count};
use super::variants::{Break, FROM_BOARD, Spot, UNSEEN, Variant, Variants};
use super::{ClaimGap, ClaimKind, ClaimReport, ClaimView, Holds, MayClaim, PlayersClaim, Verdict, written};
use crate::game::Position;
use crate::laws::case::Score;
use crate::laws::finding::Certainty;
use crate::laws::reason::{color_name, role_name};
use crate::laws::ruleset::{AutomaticDraws, DrawClaims, Topic, Window};

/// So often the position must have stood.
const THIRD: usize = 3;
/// So many moves by each.
const FIFTY: u32 = 50;
/// So often, and so many moves by each, end the game without a claim.
const FIFTH: usize = 5;
const SEVENTY_FIVE: u32 = 75;

/// What a line shows.
struct Shown {
    /// For certain: in this line the claim holds.
    holds: bool,
    /// What is hidden may make it hold.
    may_hold: bool,
    /// It holds so far that it had ended the game by itself.
    by_itself: bool,
    /// The sentence.
    what: String,
    /// What can be checked at the board.
    proof: Vec<String>,
    position: String,
}

pub(super) fn examine(claim: &PlayersClaim, view: &ClaimView<'_>) -> ClaimReport {
    let mut report = ClaimReport::new(claim);
    report.may_claim = may_claim(claim, view);
    let end = view.line.end();
    let legal = claim.written.as_deref().and_then(|text| written::read(end, text));
    let named = legal.map(|m| (end.san(&m), if view.chess960 { m.uci_chess960() } else { m.uci() }));
    report.position = Some(end.fen());
    report.if_right = Follows::draw(claim, view.rules);
    report.if_wrong = Follows::rejected_draw(claim, view.rules, named);
    report.unsettled = unsettled(claim, view, legal.is_some());
    if view.over {
        (report.if_right, report.if_wrong) = (Follows::over(), Follows::over());
    }
    if let Some(no) = cannot_be(claim, view) {
        (report.verdict, report.summary) = (Verdict::Refuted, no);
        return report;
    }
    let mut variants = Variants::of(&view.line);
    let unknown = if view.lost { Some(here(view)) } else { None };
    let mut shown = Vec::new();
    for variant in &mut variants.all {
        match look(claim, variant) {
            Some(seen) => shown.push(seen),
            None => {
                let text = claim.written.as_deref().unwrap_or_default();
                let refuted = format!("{text} names no legal move of {}", color_name(claim.by));
                (report.verdict, report.summary) = (Verdict::Refuted, refuted);
                report.proof.push(format!("the position is {}", end.fen()));
                return report;
            }
        }
    }
    decide(&mut report, view, &variants, shown, unknown);
    report
}

/// Why nobody can be right with this claim now, whatever has stood.
fn cannot_be(claim: &PlayersClaim, view: &ClaimView<'_>) -> Option<String> {
    if view.over {
        return Some("the game is over".to_owned());
    }
    let mated = view.line.end().is_mate() || view.line.end().is_stalemate();
    if mated {
        return Some("mate or stalemate stands on the board: the game is over".to_owned());
    }
    (!view.lost && !has_the_move(claim, view))
        .then(|| format!("{} has not the move: only the player on the move may claim", color_name(claim.by)))
}

/// Whether the claimant has the move; where he keeps it until he presses, also after making it.
fn has_the_move(claim: &PlayersClaim, view: &ClaimView<'_>) -> bool {
    let unpressed = |ply: &Ply| ply.side == claim.by && !ply.pressed;
    view.line.end().turn == claim.by
        || view.rules.draw_claims == DrawClaims::UntilPress && view.line.plies.last().is_some_and(unpressed)
}

/// What one line shows, the written move played in it; `None` if that is not legal.
fn look(claim: &PlayersClaim, variant: &mut Variant) -> Option<Shown> {
    if let Some(text) = &claim.written {
        let last = variant.spots.last()?;
        let (m, ply) = (written::read(&last.position, text)?, last.ply + 1);
        variant.play(&m, ply);
    }
    Some(match claim.of {
        ClaimKind::Fifty => fifty(variant, claim),
        _ => threefold(variant, claim),
    })
}

fn threefold(variant: &Variant, claim: &PlayersClaim) -> Shown {
    let breaks = variant.breaks.len();
    let (mut sure, mut other, mut proof) = (Vec::new(), 0, Vec::new());
    let Some((now, before)) = variant.spots.split_last() else { return nothing() };
    for spot in before {
        if spot.position.repeats(&now.position) {
            // Behind a gap a right to castle may have been lost and nobody saw how.
            if spot.breaks == breaks || spot.position.castles.is_empty() {
                sure.push(spot);
            } else {
                other += 1;
                proof.push(format!(
                    "{}: the same pieces stood; whether a right to castle was lost since is hidden by the gap",
                    place(spot)
                ));
            }
        } else if spot.position.board == now.position.board && spot.position.turn == now.position.turn {
            proof.push(format!("{}: the same pieces stood, but {}", place(spot), difference(spot, now)));
        }
    }
    sure.push(now);
    let times = sure.len();
    let places: Vec<String> = sure.iter().map(|spot| place(spot)).collect();
    let would = if claim.written.is_some() { "stands, with the move written," } else { "stood" };
    let what = format!("the position {would} {}: {}", often(times), listed(&places));
    let holds = times >= THIRD;
    let hidden = !variant.breaks_since_quiet().is_empty();
    let fen = now.position.fen();
    proof.insert(0, format!("the position, {} to move: {fen}", color_name(now.position.turn)));
    let by_itself = times >= FIFTH && claim.written.is_none();
    Shown { holds, may_hold: holds || other > 0 || hidden, by_itself, what, proof, position: fen }
}

fn fifty(variant: &Variant, claim: &PlayersClaim) -> Shown {
    let Some(now) = variant.spots.last() else { return nothing() };
    let (mut white, mut black) = (0, 0);
    let mut add = |side: Color, moves: u32| *side.fold_wb(&mut white, &mut black) += moves;
    let mut proof = Vec::new();
    let mut first = None;
    for spot in variant.spots.iter().rev() {
        if !spot.quiet {
            first = Some(spot);
            break;
        }
        if let Some(side) = spot.mover {
            add(side, 1);
        }
    }
    let start = &variant.spots[0].position;
    match first {
        Some(spot) => proof.push(format!("the last capture or pawn move: {}", place(spot))),
        None if start.halfmoves > 0 => {
            let earlier = start.halfmoves;
            add(start.turn.other(), earlier.div_ceil(2));
            add(start.turn, earlier / 2);
            proof.push(format!("{earlier} half-moves before the record began, as its position says"));
        }
        None => proof.push("no capture or pawn move since the start".to_owned()),
    }
    let counted = if first.is_some() { "since then" } else { "in all" };
    proof.push(format!("{counted} {white} moves by White and {black} by Black"));
    let with = if claim.written.is_some() { ", the move written among them" } else { "" };
    let what = format!("{white} moves by White and {black} by Black without a capture or a pawn move{with}");
    let holds = white >= FIFTY && black >= FIFTY;
    let hidden = !variant.breaks_since_quiet().is_empty();
    let fen = now.position.fen();
    proof.push(format!("the position, {} to move: {fen}", color_name(now.position.turn)));
    let by_itself = white.min(black) >= SEVENTY_FIVE && claim.written.is_none();
    Shown { holds, may_hold: holds || hidden, by_itself, what, proof, position: fen }
}

fn nothing() -> Shown {
    let what = "there is no record".to_owned();
    let (proof, position) = (Vec::new(), String::new());
    Shown { holds: false, may_hold: true, by_itself: false, what, proof, position }
}

/// The verdict over all lines.
fn decide(
    report: &mut ClaimReport,
    view: &ClaimView<'_>,
    variants: &Variants,
    mut shown: Vec<Shown>,
    unknown: Option<Break>,
) {
    let (lines, holding) = (shown.len(), shown.iter().filter(|s| s.holds).count());
    // Longer sequences than those known may explain a gap as well: they refute nothing.
    let none = shown.iter().all(|s| !s.may_hold) && variants.gaps.is_empty();
    let hidden = shown.iter().any(|s| s.may_hold);
    let best = shown.iter().position(|s| s.holds).unwrap_or(0);
    let Shown { what, proof, position, by_itself, .. } = shown.swap_remove(best);
    (report.proof, report.position) = (proof, Some(position));
    let broken = variants.all.iter().flat_map(|variant| variant.breaks_since_quiet()).next();
    let gap = unknown.as_ref().or(variants.gaps.first()).or(broken).copied();
    let holds = match holding {
        0 if hidden => Holds::Unknown,
        0 => Holds::None,
        all if all == lines => Holds::All,
        _ => Holds::Some,
    };
    let counted = variants.all.iter().all(|variant| !variant.breaks.iter().any(|b| b.why == UNSEEN));
    let sequences = (counted && !variants.gaps.is_empty()).then(|| count(lines));
    let known_gap = gap.map(|gap| ClaimGap {
        from: gap.from,
        to: gap.to,
        why: gap.why,
        candidates: sequences.filter(|_| gap.why != FROM_BOARD),
        holds,
    });
    let undone = if holding == lines { view.undone() } else { None };
    let spanned = known_gap.clone().filter(|gap| gap.candidates.is_some());
    (report.verdict, report.gap) = match (holding == lines, none) {
        _ if unknown.is_some() => (Verdict::Gap, known_gap),
        (true, _) if undone.is_some() => (Verdict::Gap, undone),
        // What was seen is enough.
        (true, _) => (Verdict::Proven, spanned),
        (false, true) => (Verdict::Refuted, None),
        (false, false) => (Verdict::Gap, known_gap),
    };
    report.summary = summary(report, &what);
    let sure = !view.uncompleted
        && lines == 1
        && variants.gaps.is_empty()
        && !view.occupancy
        && report.may_claim.open.is_some();
    report.certainty = match report.verdict {
        Verdict::Gap => Certainty::Possible,
        _ if sure => Certainty::Certain,
        _ => Certainty::Probable,
    };
    if let Some(last) = view.line.plies.last().filter(|_| view.uncompleted) {
        report.proof.push(format!("{} is on the board, and its player has not pressed", last.label));
    }
    drawn_already(report, view, by_itself);
}

fn summary(report: &ClaimReport, what: &str) -> String {
    let Some(gap) = report.gap.as_ref() else { return what.to_owned() };
    let sequences = match gap.candidates {
        None => String::new(),
        Some(1) => ", which one sequence of moves explains".to_owned(),
        Some(many) => format!(", which {many} sequences of moves explain"),
    };
    let where_ = if gap.from == gap.to {
        format!("after ply {}", gap.from)
    } else {
        format!("from ply {} to {}", gap.from, gap.to)
    };
    let holds = match gap.holds {
        Holds::All => "the claim holds under all of them",
        Holds::Some => "the claim holds under some of them",
        Holds::None => "the claim holds under none of them",
        Holds::Unknown => "whether the claim holds cannot be told from the record",
    };
    match (report.verdict, gap.candidates) {
        (Verdict::Gap, None) if gap.holds != Holds::Unknown => {
            format!("{what}; {where_}: {}", gap.why)
        }
        (Verdict::Gap, _) => format!("{what}; {where_}: {}{sequences}: {holds}", gap.why),
        (_, Some(_)) => format!("{what}; in spite of a gap {where_}{sequences}: {holds}"),
        (_, None) => what.to_owned(),
    }
}

/// Where repetition and long series of moves end the game by themselves no claim is needed.
fn drawn_already(report: &mut ClaimReport, view: &ClaimView<'_>, by_itself: bool) {
    let automatic = match view.rules.automatic_draws {
        AutomaticDraws::ThreefoldAndFifty => report.claim.written.is_none(),
        AutomaticDraws::Any => by_itself,
        // Whether the five followed each other is not asked here.
        AutomaticDraws::Consecutive => by_itself && report.claim.of == ClaimKind::Fifty,
        AutomaticDraws::None => false,
    };
    if report.verdict == Verdict::Proven && automatic {
        report.if_right.say("no claim is needed: under these rules it ends the game by itself");
        report.if_right.cite(view.rules, &[Topic::AutomaticDraw]);
    }
    debug_assert!(report.if_right.result == Some(Score::Draw), "a draw was claimed");
}

/// The present, when what stands on the board is not known.
fn here(view: &ClaimView<'_>) -> Break {
    let now = count(view.line.plies.len());
    Break { from: now, to: now, why: "what stands on the board now is not known" }
}

impl ClaimView<'_> {
    /// A ply that an arbiter may still have undone, and with it what followed.
    fn undone(&self) -> Option<ClaimGap> {
        let plies = &self.line.plies;
        let ruled =
            |ply: u32| self.alerts.iter().any(|alert| alert.finding.facts.ply == ply && alert.is_ruled());
        let open = |at: &usize| {
            let since = plies[at + 1..].iter().filter(|ply| ply.side == plies[*at].side).count();
            match self.rules.window {
                Window::GameEnd => true,
                Window::ReplyMade | Window::MoveDetermined => at + 1 == plies.len(),
                Window::LastMoves(moves) => since < usize::try_from(moves).unwrap_or(usize::MAX),
            }
        };
        let at = (0..plies.len()).find(|at| plies[*at].disputed && !ruled(count(at + 1)) && open(at))?;
        Some(ClaimGap {
            from: count(at),
            to: count(at + 1),
            why: "a ply that is not legal, or is disputed, may still be taken back, and what followed with it",
            candidates: None,
            holds: Holds::Some,
        })
    }
}

fn may_claim(claim: &PlayersClaim, view: &ClaimView<'_>) -> MayClaim {
    let rules = view.rules;
    let cite = |topics: &[Topic]| {
        let mut out = Follows::default();
        out.cite(rules, topics);
        out.articles
    };
    let by = color_name(claim.by);
    if !view.lost && !has_the_move(claim, view) {
        let text = format!("{by} has not the move");
        return MayClaim { open: Some(false), text, articles: cite(&[basis(claim)]) };
    }
    if rules.draw_claims == DrawClaims::UntilPress {
        let text = format!("{by} may claim until he presses the clock");
        return MayClaim { open: Some(true), text, articles: cite(&[Topic::DrawClaimLost]) };
    }
    // Sensors show that a piece was taken up, not by whom and what for.
    let Some(touch) = view.turn.first_lift() else {
        let text = format!("{by} has the move, and no piece was taken up since");
        return MayClaim { open: Some(true), text, articles: cite(&[basis(claim)]) };
    };
    let text = format!(
        "the {} on {} was taken up since {by} had the move: if {by} touched it to move or take it, the right \
         to claim is lost on this move",
        role_name(touch.piece.role),
        touch.square
    );
    MayClaim { open: None, text, articles: cite(&[Topic::DrawClaimLost]) }
}

fn unsettled(claim: &PlayersClaim, view: &ClaimView<'_>, legal: bool) -> Vec<&'static str> {
    let mut out = Vec::new();
    if claim.written.is_some() && !legal {
        out.push("which move must be played after a claim with a written move that is not legal");
    }
    if !view.lost && !has_the_move(claim, view) {
        out.push("whether time is added for a claim by the player who has not the move");
    }
    out.extend(view.rules.wrong_claim_note());
    out
}

/// Where a position stood, as an arbiter finds it on a scoresheet.
fn place(spot: &Spot) -> String {
    match spot.label.as_str() {
        "" if spot.ply == 0 => "at the start".to_owned(),
        label => format!("after ply {} ({label})", spot.ply),
    }
}

fn difference(earlier: &Spot, now: &Spot) -> String {
    let rights: Vec<String> = (earlier.position.castles & !now.position.castles)
        .into_iter()
        .map(|rook| format!("{} could still castle with {rook}", owner(&earlier.position, rook)))
        .collect();
    if rights.is_empty() { "a pawn could be captured en passant".to_owned() } else { rights.join(", ") }
}

fn owner(position: &Position, rook: shakmaty::Square) -> &'static str {
    position.board.piece_at(rook).map_or("a player", |piece| color_name(piece.color))
}

fn listed(places: &[String]) -> String {
    match places {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn often(times: usize) -> String {
    match times {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{times} times"),
    }
}
