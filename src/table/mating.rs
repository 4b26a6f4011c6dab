//! Questions for the mating solver: what advice depends on, whether a win that the kings show can
//! be one, and whether a wall of pawns has killed the game.
//!
//! The answer comes as an input, later; until then, and where nothing is proven, that is what an
//! alert says.

use shakmaty::{Color, Role};

use super::{Effects, Publish, Table};
use crate::alerts::Response;
use crate::game::{Explanation, Judgement, Matter};
use crate::laws::{Facts, Found, MatingAsk, RuleId, Topic, cannot_win_by_resignation, dead_by_proof};
use crate::mating::{Answer, Budget, CanStillMate, can_still_mate, is_locked};
use crate::tick::Tick;

/// Questions that can still be answered.
pub(super) const ASKED_MAX: usize = 64;

/// A question for the mating solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatingQuestion {
    /// Counted per board; the answer names it.
    pub question: u32,
    /// The position, as a FEN.
    pub fen: String,
    /// Who should still be able to mate.
    pub side: Color,
    /// Nobody has asked: the answer is worth a small budget only.
    pub unasked: bool,
}

impl MatingQuestion {
    /// The answer, worked out here and now, with `budget` for what decides a game.
    #[must_use]
    pub fn answer(&self, budget: Budget) -> MatingAnswer {
        let budget = if self.unasked { Budget::WATCHES } else { budget };
        MatingAnswer { question: self.question, answer: can_still_mate(&self.fen, self.side, budget) }
    }
}

/// An answer of the mating solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatingAnswer {
    /// The question's number, counted per board.
    pub question: u32,
    /// What was found.
    pub answer: Answer,
}

/// A question that was asked.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    question: u32,
    fen: String,
    side: Color,
    about: About,
}

/// What hangs on the answer.
#[derive(Clone, Debug)]
enum About {
    /// The advice of this alert.
    Advice(String),
    /// A finding, if the answer is no.
    Finding(Box<Suspicion>),
    /// A claim that was answered without it.
    Claim(Box<Response>),
}

/// A finding that waits for its proof.
#[derive(Clone, Debug)]
struct Suspicion {
    /// The judgement it rests on.
    judgement: u32,
    /// The plies of the record after which the position stood.
    plies: usize,
    found: Found,
    facts: Facts,
}

impl Table {
    /// An answer that is in no record, and so is no input that evidence could name: for the replay of
    /// a journal that ends before the answer came.
    pub fn answered_here(&mut self, now: Tick, answer: &MatingAnswer, out: &mut Effects) {
        let now = now.max(self.now);
        self.fire_until(now, out);
        self.now = now;
        let from = out.publish.len();
        self.answered(answer, out);
        self.ask_for_advice(from, out);
        out.wake_at = self.tracker.next_deadline();
    }

    /// Asks what the advice of the alerts published since `from` depends on.
    pub(super) fn ask_for_advice(&mut self, from: usize, out: &mut Effects) {
        let mut wanted = Vec::new();
        for item in out.publish.iter().skip(from) {
            let item = match item {
                Publish::Held(inner) | Publish::Shadowed(inner) => inner,
                shown => shown,
            };
            let Publish::Alert(alert) = item else { continue };
            if let Some(ask) = &alert.advice.mating {
                wanted.push((alert.id.clone(), ask.fen.clone(), ask.side));
            }
        }
        for (id, fen, side) in wanted {
            let known = |asked: &Asked| {
                matches!(&asked.about, About::Advice(of) if *of == id)
                    && (asked.fen.as_str(), asked.side) == (fen.as_str(), side)
            };
            if !self.asked.iter().any(known) {
                self.ask(fen, side, About::Advice(id), out);
            }
        }
    }

    /// Asks what the answer to a claim depends on.
    pub(super) fn ask_for_claim(&mut self, fen: String, side: Color, response: Response, out: &mut Effects) {
        self.ask(fen, side, About::Claim(Box::new(response)), out);
    }

    fn ask(&mut self, fen: String, side: Color, about: About, out: &mut Effects) {
        self.questions += 1;
        if self.asked.len() == ASKED_MAX {
            self.asked.pop_front();
        }
        let unasked = matches!(about, About::Finding(_));
        let question = MatingQuestion { question: self.questions, fen: fen.clone(), side, unasked };
        self.asked.push_back(Asked { question: self.questions, fen, side, about });
        match self.solves {
            Some(budget) => self.answered(&question.answer(budget), out),
            None => out.ask_mating.push(question),
        }
    }

    /// The mating solver has answered.
    pub(super) fn answered(&mut self, answer: &MatingAnswer, out: &mut Effects) {
        let Some(place) = self.asked.iter().position(|asked| asked.question == answer.question) else {
            return;
        };
        let Asked { fen, side, about, .. } = self.asked[place].clone();
        match about {
            About::Advice(id) => {
                let ask = MatingAsk { fen, side };
                let now = self.now;
                self.desks(out, |desk, out| desk.mating_answered(&id, &ask, &answer.answer, now, out));
            }
            About::Claim(response) => {
                self.asked.remove(place);
                self.claim_answered(*response, side, &answer.answer, out);
            }
            About::Finding(suspicion) => {
                self.asked.remove(place);
                if answer.answer.verdict() == CanStillMate::No && self.still_stands(&suspicion, &fen) {
                    self.confirmed(*suspicion, fen, side, out);
                }
            }
        }
    }

    /// Whether the record still has the position where it was.
    fn still_stands(&self, suspicion: &Suspicion, fen: &str) -> bool {
        let record = self.tracker.record();
        record.len() >= suspicion.plies && record.at(suspicion.plies).fen() == fen
    }

    /// One side cannot mate. A dead position needs the same of the other.
    fn confirmed(&mut self, suspicion: Suspicion, fen: String, side: Color, out: &mut Effects) {
        let dead = suspicion.found.code == RuleId::DeadPosition;
        if dead && side == Color::White {
            return self.ask(fen, Color::Black, About::Finding(Box::new(suspicion)), out);
        }
        if dead && self.dead_at.is_some() {
            return;
        }
        let Suspicion { judgement, plies, found, facts } = suspicion;
        if dead {
            self.dead_at = Some(plies);
        }
        let id = self.publish(found, facts.ply, facts, out);
        self.rests_on(judgement, vec![id]);
    }

    /// Asks whether the move of `judgement` has left a position in which nobody can mate.
    ///
    /// Only a capture or a pawn's move can kill a position for good, and only one in which nothing
    /// but kings and bishops still moves is worth the question: in an ordinary game it is never put.
    pub(super) fn suspect_death(&mut self, judgement: &Judgement, out: &mut Effects) {
        let Matter::Action(Explanation::Legal { m, .. }) = &judgement.matter else { return };
        let after = &judgement.after;
        let for_good = m.capture.is_some() || m.role == Role::Pawn;
        if !for_good || judgement.past.history.is_none() || self.dead_at.is_some() || !is_locked(&after.board)
        {
            return;
        }
        if after.is_dead_by_material() || after.legal_moves().is_empty() {
            return; // Told already, or as mate or stalemate.
        }
        let found = dead_by_proof(m);
        let facts = self.facts_of(judgement, &found);
        let waits = Suspicion { judgement: judgement.key, plies: judgement.plies + 1, found, facts };
        self.ask(after.fen(), Color::White, About::Finding(Box::new(waits)), out);
    }

    /// Asks whether the win that the kings show can be one.
    pub(super) fn suspect_win(&mut self, judgement: &Judgement, out: &mut Effects) {
        let Matter::Kings { winner: Some(winner) } = judgement.matter else { return };
        if self.rules.articles(Topic::Resignation).is_empty()
            || judgement.past.illegal
            || !self.tracker.is_certain()
        {
            return;
        }
        let found = cannot_win_by_resignation(winner, judgement.wood.known().kings());
        let facts = self.facts_of(judgement, &found);
        let waits = Suspicion { judgement: judgement.key, plies: judgement.plies, found, facts };
        self.ask(judgement.after.fen(), winner, About::Finding(Box::new(waits)), out);
    }

    /// A judgement is taken back, and with it what was asked because of it.
    pub(super) fn unsuspect(&mut self, judgement: u32) {
        self.asked
            .retain(|asked| !matches!(&asked.about, About::Finding(waits) if waits.judgement == judgement));
    }
}
