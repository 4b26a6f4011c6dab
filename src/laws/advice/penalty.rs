//! What a finding costs, and by which articles, from the same proposals as worked cases.

use shakmaty::Color;

use super::{Advice, May, TimeGift, replacement, restore, too_late_for_the_start, words};
use crate::game::Position;
use crate::laws::case::{
    Act, Caller, Case, Consequence, Duty, Flag, Order, Press, Proposal, Situation, Upheld, propose,
};
use crate::laws::finding::Finding;
use crate::laws::rules::RuleId;
use crate::laws::ruleset::{Exception, Flags, Rules, SettingId, Starts, Topic};
use crate::mating::CanStillMate;

/// What the articles are about, which for faults of the start depends on how far the game has come.
pub(super) fn topics(finding: &Finding, rules: &Rules) -> Vec<Topic> {
    let Some(topic) = Topic::of(finding.code) else { return Vec::new() };
    let array = matches!(finding.code, RuleId::WrongSetup | RuleId::WrongOrientation);
    let clock = finding.code == RuleId::ClockIncorrect;
    let waits = matches!(finding.code, RuleId::BothKingsInCheck | RuleId::PawnOnLastRank);
    let topics: &[Topic] = match (too_late_for_the_start(rules, &finding.facts), array, clock) {
        (true, true, _) => &[Topic::ArrayStands],
        (true, _, true) => &[Topic::ClockStands],
        (false, true, _) => &[Topic::StartStillOpen, topic],
        (false, _, true) => &[Topic::StartStillOpen, topic, Topic::TimesByJudgement],
        _ if matches!(topic, Topic::PressWithoutMove | Topic::TwoHands) && !rules.counts(topic) => {
            &[topic, Topic::Discretion]
        }
        _ if rules.counts(topic) && topic != Topic::CastlingIncomplete => {
            &[Topic::Regime, Topic::Seconds, topic, Topic::FirstOffence]
        }
        _ if waits && rules.illegal_position_waits => &[Topic::IllegalPositionWaits],
        // A side is named where its win is doubted, and none where the last move was illegal.
        _ if finding.code == RuleId::PrematureResult && finding.side.is_some() => &[Topic::Resignation],
        _ if finding.code == RuleId::GameEnded => match Position::from_fen(&finding.facts.last_correct_fen) {
            Some(end) if end.is_mate() => &[Topic::Checkmate, Topic::EndsTheMove],
            Some(end) if end.is_stalemate() => &[Topic::Stalemate, Topic::EndsTheMove],
            _ => &[topic],
        },
        _ => &[topic],
    };
    topics.iter().copied().filter(|topic| !rules.articles(*topic).is_empty()).collect()
}

/// A legal move that Article 4 did not allow, or an illegal one that was not completed: the duty of
/// the move instead of it, and why.
pub(super) fn bound_by(advice: &mut Advice, finding: &Finding, rules: &Rules, duty: Option<&Duty>) {
    let touch =
        matches!(finding.code, RuleId::TouchMove | RuleId::ReleasedPieceMoved | RuleId::CastlingRookFirst);
    // Where nothing is known of what was touched, no article about it applies.
    if finding.facts.action.is_empty() {
        return;
    }
    let mut topics = Vec::new();
    if finding.code == RuleId::IllegalMoveUnpressed {
        topics.extend(not_completed(finding, rules).map_or_else(Vec::new, |proposal| proposal.topics));
    } else if let Some(duty) = duty.filter(|duty| touch && duty.rule != Topic::DutyVoid) {
        topics.push(duty.rule);
        topics.extend((!duty.must_capture.is_empty()).then_some(Topic::DutyEnemy));
        let only_claims = matches!(rules.starts, Starts::ClaimOnly { .. });
        topics.extend(only_claims.then_some(Topic::ClaimOfTouchNeeded));
    } else {
        return;
    }
    topics.extend(advice.topics.iter().copied());
    let mut seen = Vec::new();
    topics.retain(|topic| {
        let new = !seen.contains(topic) && !rules.articles(*topic).is_empty();
        seen.push(*topic);
        new
    });
    advice.article = articles(&topics, rules);
    advice.topics = topics;
}

/// The same facts as a case in which nothing was pressed.
fn not_completed(finding: &Finding, rules: &Rules) -> Option<Proposal> {
    let facts = &finding.facts;
    let before = Position::from_fen(&facts.last_correct_fen)?;
    let mut case = Case::new(Situation::Action);
    case.position = Some(facts.last_correct_fen.clone());
    case.history = Some((String::new(), facts.history.clone()));
    case.act = Act {
        actor: Some(before.turn),
        touches: replacement::touches(&facts.action, &before),
        wood: crate::events::Wood::from_placement(&facts.wood).ok(),
        press: None,
        two_hands: false,
    };
    let unanswered = |_: &str, _: Color| CanStillMate::NotProven;
    let proposal = propose(&case, rules, &unanswered);
    (proposal.finding == Some(Topic::IllegalMoveUnpressed)).then_some(proposal)
}

/// The articles about `topics`.
pub(super) fn articles(topics: &[Topic], rules: &Rules) -> Option<String> {
    let mut articles: Vec<&str> = Vec::new();
    for article in topics.iter().flat_map(|topic| rules.articles(*topic)) {
        if !articles.contains(&article) {
            articles.push(article);
        }
    }
    (!articles.is_empty()).then(|| articles.join(", "))
}

/// The king castled without the rook: the event, or the arbiter, says what it is.
pub(super) fn castling_open(
    advice: &mut Advice,
    finding: &Finding,
    rules: &Rules,
    offender: Color,
    duty: Option<Duty>,
    earlier: u32,
) {
    let mut illegal = advice.clone();
    penalise(&mut illegal, finding, rules, offender, duty, earlier);
    if rules.settings.is(SettingId::IncompleteCastling, "illegal-move") {
        *advice = illegal;
        return;
    }
    advice.consequence = words::castling_open(offender, &illegal.consequence);
}

/// What the offence costs, by the same proposals as worked cases.
pub(super) fn penalise(
    advice: &mut Advice,
    finding: &Finding,
    rules: &Rules,
    offender: Color,
    duty: Option<Duty>,
    earlier: u32,
) {
    let number = earlier.saturating_add(1);
    advice.offence = Some(number);
    let Some(proposal) = upheld(advice, finding, rules, offender, duty, earlier) else {
        // No position that anything can be read from: what it costs is known all the same.
        advice.time = rules.seconds(true).map(|seconds| TimeGift { to: offender.other(), seconds });
        advice.consequence = words::costs_time(number, advice.time);
        return;
    };
    if !proposal.articles.is_empty() {
        advice.article = Some(proposal.articles.join(", "));
        advice.topics.clone_from(&proposal.topics);
    }
    match proposal.consequence {
        Consequence::ArbiterDecides if proposal.asked.is_empty() => {
            if proposal.restore.is_none() {
                advice.restore = None;
            }
            advice.consequence = words::undecided(number);
            return;
        }
        Consequence::GameEnded => {
            advice.result = proposal.result;
            advice.consequence = words::mate_stands(number);
            return;
        }
        _ => {}
    }
    if rules.loses_at.is_some_and(|at| number >= at) {
        if let Some(asked) = proposal.asked.first() {
            advice.ask_mating(asked.fen.clone(), asked.winner);
        } else {
            advice.result = proposal.result;
        }
        advice.consequence = words::loses_by_offence(number, offender, advice.can_mate);
        return;
    }
    advice.time = proposal.penalty.map(|(to, seconds)| TimeGift { to, seconds });
    advice.consequence = words::costs_time(number, advice.time);
}

/// What a flag decides where a list of pieces, and not the mating question, says who can win; and
/// nothing where only players call flags.
pub(super) fn flag(advice: &mut Advice, finding: &Finding, rules: &Rules, side: Color) {
    let fen = finding.facts.last_correct_fen.clone();
    if rules.flags == Flags::PlayersOnly {
        advice.may = May::KeepOut;
    }
    if rules.flag_exception == Exception::Helpmate {
        advice.ask_mating(fen, side.other());
        advice.consequence = words::loses_on_time(side, advice.can_mate);
        return;
    }
    let mut case = Case::new(Situation::FlagFall);
    case.position = Some(fen);
    case.flag = Some(Flag { side, noticed_ms: None, called_by: Some(Caller::Player(side.other())) });
    let unanswered = |_: &str, _: Color| CanStillMate::NotProven;
    advice.result = propose(&case, rules, &unanswered).result;
    advice.consequence = words::by_the_list(side, advice.result);
}

/// What follows if it is upheld. Where the case behind it says so, the event's settings included,
/// what is put back and what must be played follow it too.
fn upheld(
    advice: &mut Advice,
    finding: &Finding,
    rules: &Rules,
    offender: Color,
    duty: Option<Duty>,
    earlier: u32,
) -> Option<Proposal> {
    let facts = &finding.facts;
    let before = Position::from_fen(&facts.last_correct_fen)?;
    let press = Press { by: offender, order: Order::After, at_ms: None, other_hand: false, neighbour: false };
    let act = Act {
        actor: Some(offender),
        touches: replacement::touches(&facts.action, &before),
        wood: crate::events::Wood::from_placement(&facts.wood).ok(),
        press: Some(press),
        two_hands: finding.code == RuleId::TwoHands,
    };
    let known = Upheld {
        topic: Topic::of(finding.code)?,
        by: offender,
        position: &facts.last_correct_fen,
        history: &facts.history,
        act,
        restore: advice.restore.as_ref().map(|back| back.fen.clone()),
        duty,
        earlier,
    };
    let Some(mut proposal) = known.as_case(rules) else { return known.proposal(rules) };
    if let Some(fen) = &proposal.restore
        && advice.restore.as_ref().is_none_or(|back| back.fen != *fen)
    {
        advice.restore = restore::to(fen, facts);
        advice.to_move = restore::turn(fen);
    }
    if proposal.replacement.is_none() && known.duty.is_some() {
        advice.replacement = None;
    } else if let Some(duty) = proposal.replacement.as_ref().filter(|duty| known.duty.as_ref() != Some(*duty))
    {
        let bound = !facts.action.is_empty() || finding.code == RuleId::PressWithoutMove;
        if bound {
            advice.replacement = Some(replacement::in_words(finding, &before, duty, rules));
        }
    }
    if facts.action.is_empty()
        && let Some(duty) = &proposal.replacement
    {
        // Where nothing is known of what was touched, no article about it applies.
        proposal.topics.retain(|topic| *topic != duty.rule || *topic == Topic::PressWithoutMove);
        let named = articles(&proposal.topics, rules).unwrap_or_default();
        proposal.articles = named.split(", ").map(str::to_owned).collect();
    }
    Some(proposal)
}
