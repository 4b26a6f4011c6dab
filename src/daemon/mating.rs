//! The mating solver's thread: one question at a time, away from everything that must not wait.
//!
//! A board hands a question in and goes on; the answer comes back as an input. When too many wait,
//! the board is told so at once, and the question stays open. Nothing here ends a board: should
//! the solver fail, its answer is that nothing is proven.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use tokio::sync::mpsc::UnboundedSender;
use tracing::{debug, error};

use super::roster::Roster;
use crate::mating::{Answer, Budget, CanStillMate, Open, Proof};
use crate::table::{MatingAnswer, MatingQuestion};

/// Questions that wait. More than a room asks within the seconds that the hardest one takes.
const WAITING: usize = 64;

/// What the solver has done, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Answers "yes".
    pub yes: u64,
    /// Answers "no".
    pub no: u64,
    /// Answers "not proven".
    pub not_proven: u64,
    /// Of these, those whose line did not mate.
    pub lines_failed: u64,
    /// Questions that were not taken because too many waited.
    pub refused: u64,
}

struct Order {
    question: MatingQuestion,
    answer: UnboundedSender<MatingAnswer>,
}

/// The way to the solver; cheap to clone.
#[derive(Clone, Debug)]
pub struct Mating {
    orders: SyncSender<Order>,
    roster: Roster,
}

impl Mating {
    /// Starts the thread; it ends when nobody can ask any more. `budget` is for questions that
    /// decide a game.
    ///
    /// # Errors
    /// The system has no thread left.
    pub fn start(roster: Roster, budget: Budget) -> std::io::Result<Mating> {
        let solve = move |question: &MatingQuestion| question.answer(budget);
        Mating::start_with(roster, WAITING, solve)
    }

    fn start_with(
        roster: Roster,
        waiting: usize,
        solve: impl Fn(&MatingQuestion) -> MatingAnswer + Send + 'static,
    ) -> std::io::Result<Mating> {
        let (orders, taken) = sync_channel(waiting);
        let counted = roster.clone();
        std::thread::Builder::new()
            .name("mating".to_owned())
            .spawn(move || serve(&taken, &counted, solve))?;
        Ok(Mating { orders, roster })
    }

    /// Hands a question in. Never waits: if the solver cannot take it, that is the answer, and it
    /// is given back at once.
    #[must_use]
    pub fn ask(
        &self,
        question: MatingQuestion,
        answer: &UnboundedSender<MatingAnswer>,
    ) -> Option<MatingAnswer> {
        let number = question.question;
        let refused = self.orders.try_send(Order { question, answer: answer.clone() }).is_err();
        refused.then(|| {
            self.roster.mating(|tally| {
                tally.refused += 1;
                tally.not_proven += 1;
            });
            MatingAnswer { question: number, answer: Answer::open(Open::Unanswered, 0) }
        })
    }
}

fn serve(taken: &Receiver<Order>, roster: &Roster, solve: impl Fn(&MatingQuestion) -> MatingAnswer) {
    while let Ok(Order { question, answer }) = taken.recv() {
        // The question is not used after a panic, and the solver keeps nothing between two.
        let said = catch_unwind(AssertUnwindSafe(|| solve(&question))).unwrap_or_else(|_| {
            error!("the mating solver failed on {} for {}", question.fen, question.side);
            MatingAnswer { question: question.question, answer: Answer::open(Open::Unanswered, 0) }
        });
        roster.mating(|tally| tally.add(&said.answer));
        if answer.send(said).is_err() {
            debug!("a board is gone before its mating question was answered");
        }
    }
}

impl Tally {
    fn add(&mut self, answer: &Answer) {
        match answer.verdict() {
            CanStillMate::Yes => self.yes += 1,
            CanStillMate::No => self.no += 1,
            CanStillMate::NotProven => self.not_proven += 1,
        }
        self.lines_failed += u64::from(answer.proof == Proof::Open(Open::LineFails));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::daemon::host::Clock;
    use crate::daemon::outbox::{Outbox, Post};
    use shakmaty::Color;
    use tokio::sync::mpsc::unbounded_channel;

    fn roster() -> Roster {
        Roster::new(Post::new(Outbox::new("jadoube", "hall", 1)), Clock::start())
    }

    fn question(number: u32) -> MatingQuestion {
        let fen = "8/8/8/4k3/8/8/4PQ2/4K3 w - - 0 60".to_owned();
        MatingQuestion { question: number, fen, side: Color::Black, unasked: false }
    }

    #[test]
    fn a_busy_solver_refuses_and_does_not_wait() {
        let (go, held) = std::sync::mpsc::channel::<()>();
        let solve = move |question: &MatingQuestion| {
            let _ = held.recv();
            question.answer(Budget::DECIDES)
        };
        let mating = Mating::start_with(roster(), 1, solve).unwrap();
        let (to_board, mut answers) = unbounded_channel();
        let mut refused = Vec::new();
        for number in 1..=4 {
            refused.extend(mating.ask(question(number), &to_board));
        }
        // One is being answered or about to be, one waits.
        assert!(refused.len() >= 2, "{refused:?}");
        assert!(refused.iter().all(|said| said.answer.proof == Proof::Open(Open::Unanswered)));
        assert_eq!(mating.roster.mating(|tally| tally.refused), refused.len() as u64);
        drop(go);
        let said = answers.blocking_recv().unwrap();
        assert_eq!((said.question, said.answer.verdict()), (1, CanStillMate::No));
    }

    #[test]
    fn a_solver_that_fails_proves_nothing_and_goes_on() {
        let solve = |question: &MatingQuestion| match question.question {
            1 => panic!("the test wants it"),
            _ => question.answer(Budget::DECIDES),
        };
        let mating = Mating::start_with(roster(), 4, solve).unwrap();
        let (to_board, mut answers) = unbounded_channel();
        for number in 1..=2 {
            assert_eq!(mating.ask(question(number), &to_board), None);
        }
        let verdicts = [(); 2].map(|()| answers.blocking_recv().unwrap().answer.verdict());
        assert_eq!(verdicts, [CanStillMate::NotProven, CanStillMate::No]);
        assert_eq!(mating.roster.mating(|tally| (tally.not_proven, tally.no)), (1, 1));
    }
}
