//! What follows if a claim is right, and if it is wrong.

use super::{ClaimKind, PlayersClaim};
use crate::laws::advice::TimeGift;
use crate::laws::case::Score;
use crate::laws::reason::color_name;
use crate::laws::ruleset::{Rules, Topic};

/// What the Laws propose; nothing is ruled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Follows {
    /// In words, each a sentence without a full stop.
    pub text: Vec<String>,
    /// The articles of the event's edition.
    pub articles: Vec<String>,
    /// The result, if it ends the game.
    pub result: Option<Score>,
    /// Time to give.
    pub time: Option<TimeGift>,
    /// The position to put on the board, as a FEN.
    pub restore: Option<String>,
    /// The legal moves that may be played then, where not every one may.
    pub legal: Option<Vec<String>>,
}

impl Follows {
    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.text.push(text.into());
    }

    pub(super) fn cite(&mut self, rules: &Rules, topics: &[Topic]) {
        for topic in topics {
            for article in rules.articles(*topic) {
                if !self.articles.iter().any(|known| known == article) {
                    self.articles.push(article.to_owned());
                }
            }
        }
    }

    /// The game is drawn at once.
    pub(super) fn draw(claim: &PlayersClaim, rules: &Rules) -> Follows {
        let mut out = Follows { result: Some(Score::Draw), ..Follows::default() };
        out.say("the game is drawn at once");
        out.cite(rules, &[basis(claim), Topic::DrawClaimRight]);
        out
    }

    /// Nothing follows any more.
    pub(super) fn over() -> Follows {
        let mut out = Follows::default();
        out.say("the game is over: its result stands");
        out
    }

    /// A wrong claim of a draw: time for the opponent, and the move that was announced, as people and
    /// as files write it.
    pub(super) fn rejected_draw(
        claim: &PlayersClaim,
        rules: &Rules,
        legal: Option<(String, String)>,
    ) -> Follows {
        let mut out = Follows::default();
        let opponent = color_name(claim.by.other());
        match rules.wrong_claim_seconds() {
            Some(seconds) => {
                let (minutes, rest) = (seconds / 60, seconds % 60);
                out.time = Some(TimeGift { to: claim.by.other(), seconds });
                out.say(format!("+{minutes}:{rest:02} to {opponent}, and the game continues"));
            }
            None => out.say("the game continues"),
        }
        if claim.written.is_some() {
            match &legal {
                Some((san, _)) => {
                    out.say(format!("{} must play the move he wrote, {san}", color_name(claim.by)))
                }
                None => out.say("the move he wrote is not legal: the piece named must move if it can"),
            }
        }
        out.legal = legal.map(|(_, uci)| vec![uci]);
        out.cite(rules, &[Topic::DrawClaimWrong]);
        if !rules.articles(Topic::DrawClaimOffers).is_empty() {
            out.say("the claim is an offer of a draw as well, which the opponent may accept");
            out.cite(rules, &[Topic::DrawClaimOffers]);
        }
        out
    }

    /// A wrong claim for which no article gives time.
    pub(super) fn no_time(rules: &Rules) -> Follows {
        let mut out = Follows::default();
        out.say(
            "no article gives time for it: the game continues; a claim made to annoy is for your discretion",
        );
        out.cite(rules, &[Topic::Discretion]);
        out
    }
}

/// The article that the claim rests on.
pub(super) fn basis(claim: &PlayersClaim) -> Topic {
    match (claim.of, claim.written.is_some()) {
        (ClaimKind::Threefold, true) => Topic::ThreefoldWritten,
        (ClaimKind::Threefold, false) => Topic::ThreefoldStands,
        (ClaimKind::Fifty, true) => Topic::FiftyWritten,
        (ClaimKind::Fifty, false) => Topic::FiftyMade,
        (ClaimKind::TouchMove, _) => Topic::TouchMove,
        (ClaimKind::IllegalMove, _) => Topic::IllegalMove,
        (ClaimKind::Flag, _) => Topic::FlagClaimed,
    }
}
