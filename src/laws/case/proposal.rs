//! What the Laws propose for a case, in the words that files and cards use.

use shakmaty::{ByColor, Color};

use super::{ClaimOf, Desk, Duty};
use crate::laws::ruleset::{SettingId, Topic};
use crate::mating::CanStillMate;

/// A result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// This side wins.
    Won(Color),
    /// A draw.
    Draw,
}

impl Score {
    /// As it is written: `1-0`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Score::Won(Color::White) => "1-0",
            Score::Won(Color::Black) => "0-1",
            Score::Draw => "1/2-1/2",
        }
    }
}

macro_rules! words {
    ($(#[$about:meta])* $kind:ident { $($id:ident $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[expect(missing_docs, reason = "the words say it")]
        pub enum $kind { $($id,)* }

        impl $kind {
            /// The word in files.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $($kind::$id => $word,)* }
            }
        }
    };
}

words! {
    /// What follows, if the arbiter rules as proposed.
    Consequence {
        None "none",
        TimePenalty "time-penalty",
        Loss "loss",
        Draw "draw",
        GameEnded "game-ended",
        ResultStands "result-stands",
        Stands "stands",
        Continue "continue",
        NewGame "new-game",
        TransferPosition "transfer-position",
        RestoreOnly "restore-only",
        ReplaceMove "replace-move",
        MustCorrect "must-correct",
        WaitOneMove "wait-one-move",
        Claimable "claimable",
        ArbiterDecides "arbiter-decides",
        Discretionary "discretionary",
        CorrectClock "correct-clock",
        OperatorOnly "operator-only",
        ArbiterOnly "arbiter-only",
        AgreedCorrection "agreed-correction",
        DirectorSilent "director-silent",
        ImproperPress "improper-press",
        WinClaim "win-claim",
    }
}

words! {
    /// What becomes of a claim.
    Answer {
        Upheld "upheld",
        UpheldAsDraw "upheld-as-draw",
        Rejected "rejected",
        ArbiterDecides "arbiter-decides",
    }
}

words! {
    /// What to do with the clocks.
    ClockStep {
        UndoIncrement "undo-increment",
        UndoBothIncrements "undo-both-increments",
        AddPenalty "add-penalty",
        JudgeTimes "judge-times",
        GiveBackTime "give-back-time",
        RestoreTimes "restore-times",
        CompensateOpponent "compensate-opponent",
        ChargeRestoringTime "charge-restoring-time",
        CorrectSetting "correct-setting",
        KeepRunning "keep-running",
        KeepElapsed "keep-elapsed",
        Reset "reset",
        Stop "stop",
        Untouched "untouched",
    }
}

/// A mating question and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The position, as a FEN.
    pub fen: String,
    /// Who should still be able to mate.
    pub winner: Color,
    /// The answer.
    pub answer: CanStillMate,
}

/// What the Laws propose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// What was found; `None` if nothing irregular is to be reported.
    pub finding: Option<Topic>,
    /// What belongs on the same card.
    pub also: Vec<Topic>,
    /// What follows.
    pub consequence: Consequence,
    /// Which offence of this player it is once ruled on.
    pub offence: Option<u32>,
    /// The articles of the rule set's edition.
    pub articles: Vec<String>,
    /// The matters those articles are about.
    pub topics: Vec<Topic>,
    /// Time to add: to whom, and seconds.
    pub penalty: Option<(Color, u32)>,
    /// The result.
    pub result: Option<Score>,
    /// The position to put on the board, as a FEN.
    pub restore: Option<String>,
    /// The duty of the next move from there.
    pub replacement: Option<Duty>,
    /// Offences of each player once ruled on.
    pub offences_after: ByColor<u32>,
    /// Until when the matter can be acted on or claimed, and whether it still can.
    pub window: Option<(&'static str, bool)>,
    /// What becomes of the claim.
    pub claim: Option<Answer>,
    /// The mating questions that decide.
    pub asked: Vec<Asked>,
    /// The position the game goes on from when nothing is restored.
    pub in_force: Option<String>,
    /// The clocks.
    pub clocks: Vec<ClockStep>,
    /// The settings that decide.
    pub settled_by: Vec<SettingId>,
    /// What follows if a claim is made in time.
    pub if_claimed: Option<Box<Proposal>>,
}

impl Proposal {
    /// The articles about `topics`, after those already named.
    pub(super) fn cite(mut self, desk: &Desk<'_>, topics: &[Topic]) -> Self {
        for topic in topics {
            let articles = desk.rules.articles(*topic);
            if !articles.is_empty() && !self.topics.contains(topic) {
                self.topics.push(*topic);
            }
            for article in articles {
                if !self.articles.iter().any(|other| other == article) {
                    self.articles.push(article.to_owned());
                }
            }
        }
        self
    }

    pub(super) fn window(mut self, closes: &'static str, open: bool) -> Self {
        self.window = Some((closes, open));
        self
    }

    pub(super) fn clocks(mut self, steps: &[ClockStep]) -> Self {
        self.clocks = steps.to_vec();
        self
    }

    pub(super) fn also(mut self, topics: &[Topic]) -> Self {
        for topic in topics {
            if !self.also.contains(topic) && self.finding != Some(*topic) {
                self.also.push(*topic);
            }
        }
        self
    }

    pub(super) fn settled(mut self, by: SettingId) -> Self {
        if !self.settled_by.contains(&by) {
            self.settled_by.push(by);
        }
        self
    }
}

impl Desk<'_> {
    /// A proposal that changes nothing.
    pub(super) fn proposal(&self, finding: Option<Topic>, consequence: Consequence) -> Proposal {
        let counted = |side| self.case.counted(self.rules, side);
        Proposal {
            finding,
            also: Vec::new(),
            consequence,
            offence: None,
            articles: Vec::new(),
            topics: Vec::new(),
            penalty: None,
            result: None,
            restore: None,
            replacement: None,
            offences_after: ByColor { white: counted(Color::White), black: counted(Color::Black) },
            window: None,
            claim: None,
            asked: Vec::new(),
            in_force: None,
            clocks: Vec::new(),
            settled_by: Vec::new(),
            if_claimed: None,
        }
    }

    /// Nothing irregular; what was claimed all the same is rejected.
    pub(super) fn nothing(&self, topics: &[Topic], in_force: Option<String>) -> Proposal {
        let claim = (!self.case.claims.is_empty()).then_some(Answer::Rejected);
        Proposal { in_force, claim, ..self.proposal(None, Consequence::None) }.cite(self, topics)
    }

    /// What becomes of a claim of `of` by `by` where `proposal` follows.
    pub(super) fn answer(&self, by: Color, of: ClaimOf, proposal: &Proposal) -> Option<Answer> {
        if self.case.claims.is_empty() {
            return None;
        }
        Some(match proposal.consequence {
            _ if !self.case.is_claimed(by, of) => Answer::Rejected,
            Consequence::Draw => Answer::UpheldAsDraw,
            Consequence::ArbiterDecides => Answer::ArbiterDecides,
            Consequence::Stands | Consequence::None | Consequence::ResultStands => Answer::Rejected,
            _ => Answer::Upheld,
        })
    }

    /// Puts a mating question and notes it.
    pub(super) fn ask(&self, asked: &mut Vec<Asked>, fen: &str, winner: Color) -> CanStillMate {
        let answer = (self.mates)(fen, winner);
        asked.push(Asked { fen: fen.to_owned(), winner, answer });
        answer
    }

    /// Whether neither side can mate any more; the questions, if so.
    pub(super) fn dead(&self, fen: &str, first: Color) -> Option<Vec<Asked>> {
        let mut asked = Vec::new();
        let dead = [first, first.other()]
            .into_iter()
            .all(|winner| self.ask(&mut asked, fen, winner) == CanStillMate::No);
        dead.then_some(asked)
    }
}
