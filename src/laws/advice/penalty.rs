//! What a finding costs, and by which articles, from the same proposals as worked cases.

use shakmaty::Color;

use super::{Advice, TimeGift, replacement, too_late_for_the_start, words};
use crate::laws::case::{Act, Duty, Order, Press, Proposal, Upheld};
use crate::laws::finding::Finding;
use crate::laws::rules::RuleId;
use crate::laws::ruleset::{Rules, SettingId, Topic};

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
        _ if rules.counts(topic) && topic != Topic::CastlingIncomplete => {
            &[Topic::Regime, Topic::Seconds, topic, Topic::FirstOffence]
        }
        _ if waits && rules.illegal_position_waits => &[Topic::IllegalPositionWaits],
        // A side is named where its win is doubted, and none where the last move was illegal.
        _ if finding.code == RuleId::PrematureResult && finding.side.is_some() => &[Topic::Resignation],
        _ => &[topic],
    };
    topics.iter().copied().filter(|topic| !rules.articles(*topic).is_empty()).collect()
}

/// The articles about `topics`.
pub(super) fn articles(topics: &[Topic], rules: &Rules) -> Option<String> {
    let articles: Vec<&str> = topics.iter().flat_map(|topic| rules.articles(*topic)).collect();
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

fn upheld(
    advice: &Advice,
    finding: &Finding,
    rules: &Rules,
    offender: Color,
    duty: Option<Duty>,
    earlier: u32,
) -> Option<Proposal> {
    let facts = &finding.facts;
    let before = crate::game::Position::from_fen(&facts.last_correct_fen)?;
    let press = Press { by: offender, order: Order::After, at_ms: None, other_hand: false, neighbour: false };
    let act = Act {
        actor: Some(offender),
        touches: replacement::touches(facts, &before),
        wood: crate::events::Wood::from_placement(&facts.wood).ok(),
        press: Some(press),
        two_hands: finding.code == RuleId::TwoHands,
    };
    Upheld {
        topic: Topic::of(finding.code)?,
        by: offender,
        position: &facts.last_correct_fen,
        history: &facts.history,
        act,
        restore: advice.restore.as_ref().map(|back| back.fen.clone()),
        duty,
        earlier,
    }
    .proposal(rules)
}
