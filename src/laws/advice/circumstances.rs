//! What has become known beside a finding: earlier offences, the opponent's reply, what the
//! arbiter saw, a claim, contacts struck out, the wait of A.5.4.

use super::{Advice, May, penalty, words};
use crate::laws::case::Score;
use crate::laws::finding::{Facts, Finding};
use crate::laws::ruleset::{Rules, Starts, Topic};

/// How far the opponent has replied to what a finding tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Replied {
    /// Not at all.
    #[default]
    No,
    /// His move is on the board; whether he has released it sensors do not see.
    OnBoard,
    /// He has made it.
    Made,
}

/// The wait for the next completed move while an illegal position is on the board (FIDE A.5.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wait {
    /// No arbiter has said that he sees it.
    #[default]
    NotBegun,
    /// He has; the next completed move decides.
    Begun,
    /// That move has been completed, and an illegal position is still there.
    StillThere,
}

/// What is known beside the finding itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Circumstances {
    /// Upheld offences of the same player before it.
    pub earlier: u32,
    /// The opponent's reply.
    pub replied: Replied,
    /// The arbiter has said that he saw it himself.
    pub seen: bool,
    /// The opponent has claimed in time.
    pub claimed: bool,
    /// Steps of the action that were accidental, counted from 1.
    pub struck: Vec<usize>,
    /// The wait of A.5.4.
    pub wait: Wait,
}

impl Circumstances {
    /// Nothing but upheld offences before it.
    #[must_use]
    pub fn after(earlier: u32) -> Self {
        Circumstances { earlier, ..Circumstances::default() }
    }

    /// The finding without the steps that were struck out.
    pub(super) fn without_struck(&self, finding: &Finding) -> Finding {
        let kept = |(number, step): (usize, &_)| {
            (!self.struck.contains(&(number + 1))).then(|| std::clone::Clone::clone(step))
        };
        let action = finding.facts.action.iter().enumerate().filter_map(kept).collect();
        Finding { facts: Facts { action, ..finding.facts.clone() }, ..finding.clone() }
    }
}

/// What the circumstances make of the advice.
pub(super) fn apply(advice: &mut Advice, finding: &Finding, rules: &Rules, now: &Circumstances) {
    if now.wait != Wait::NotBegun {
        // Seen as a position that stands: how it arose is no longer the question.
        stands(advice, finding, rules);
        advice.topics = vec![Topic::IllegalPositionWaits];
        advice.article = penalty::articles(&advice.topics, rules);
        return waited(advice, now.wait);
    }
    if advice.may == May::WaitOneMove {
        return waited(advice, now.wait);
    }
    if advice.window == Some(words::UNTIL_REPLY) {
        match now.replied {
            _ if now.claimed => {
                advice.window = Some(words::CLAIMED);
                advice.may = May::StepIn;
            }
            Replied::Made => return stands(advice, finding, rules),
            Replied::OnBoard => advice.window = Some(words::REPLY_ON_BOARD),
            Replied::No => {}
        }
    } else if advice.window == Some(words::UNTIL_TOUCH) && now.replied != Replied::No && !now.claimed {
        advice.window = Some(words::TOUCHED);
        // What the arbiter saw he may still act on, until a move has been made.
        if !now.seen || now.replied == Replied::Made {
            return claim_lost(advice, rules);
        }
    }
    let of_touch = advice.window.is_some_and(|window| window.text == words::UNTIL_TOUCH.text);
    let only_claims = of_touch && matches!(rules.starts, Starts::ClaimOnly { .. });
    if now.seen && advice.may == May::IfSeenOrClaimed && !only_claims {
        advice.may = May::StepIn;
    }
}

/// The opponent has touched a piece: his claim about Article 4 is lost (4.8).
fn claim_lost(advice: &mut Advice, rules: &Rules) {
    advice.may = May::KeepOut;
    "stands: the right to claim is lost".clone_into(&mut advice.consequence);
    (advice.restore, advice.replacement, advice.to_move) = (None, None, None);
    if !rules.articles(Topic::ClaimOfTouchLost).is_empty() {
        advice.topics = vec![Topic::ClaimOfTouchLost];
        advice.article = penalty::articles(&advice.topics, rules);
    }
}

/// The opponent has made his next move: the window of a claim is closed and it stands.
fn stands(advice: &mut Advice, finding: &Finding, rules: &Rules) {
    // Why it stands, and no longer what it would have cost.
    let what = Topic::of(finding.code).filter(|topic| *topic != Topic::IllegalMove);
    let topics = [Topic::Regime, Topic::ClaimTooLate, Topic::MadeOnRelease].into_iter().chain(what);
    advice.topics = topics.filter(|topic| !rules.articles(*topic).is_empty()).collect();
    advice.article = penalty::articles(&advice.topics, rules);
    advice.may = May::KeepOut;
    advice.window = Some(words::REPLY_MADE);
    words::STANDS.clone_into(&mut advice.consequence);
    advice.restore = None;
    advice.replacement = None;
    advice.time = None;
    advice.offence = None;
    advice.result = None;
    advice.mating = None;
    advice.can_mate = None;
    advice.to_move = None;
}

fn waited(advice: &mut Advice, wait: Wait) {
    match wait {
        Wait::NotBegun => {
            "when you have seen it, wait for the next completed move; still illegal then: draw"
                .clone_into(&mut advice.consequence);
        }
        Wait::Begun => {
            advice.may = May::WaitOneMove;
            advice.window = None;
            "waiting for the next completed move; still illegal then: draw"
                .clone_into(&mut advice.consequence);
        }
        Wait::StillThere => {
            advice.may = May::StepIn;
            advice.window = None;
            advice.result = Some(Score::Draw);
            "draw: an illegal position is still there after the next completed move"
                .clone_into(&mut advice.consequence);
        }
    }
}
