//! What the public does not see yet: moves, clocks and results wait until they are old enough.
//!
//! A queue in the order in which things happened. The time comes in with what is published and with
//! the question what is due; so the same journal gives the same queue, and a restart neither forgets
//! what waits nor lets it go early. What is corrected while it waits goes out as corrected, and what
//! is taken back while it waits never does.

use std::collections::{BTreeMap, VecDeque};

use crate::alerts::Pairing;
use crate::game::{PlyKind, Position};
use crate::table::{MoveMade, Publish};
use crate::tick::{Span, Tick};

/// How long the public waits; both must have passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delay {
    /// So long after it happened.
    pub time: Span,
    /// So many plies after it must have been made. Once the game is over this is not asked any more.
    pub plies: u32,
    /// Nothing goes out at all.
    pub held: bool,
}

/// What the public is told, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A game begins; the one before is over.
    Begin {
        /// When.
        at: Tick,
        /// The position it begins with, as a FEN, if it was told.
        start: Option<String>,
        /// Who plays.
        pairing: Pairing,
    },
    /// Who plays, where that was entered while the game was played.
    Pairing(Pairing),
    /// A ply, or a correction of one.
    Made(Box<MoveMade>),
    /// The plies after this one are no longer part of the game.
    Retract {
        /// The last ply that stays.
        to_ply: u32,
        /// When.
        at: Tick,
    },
    /// The result, or that there is none after all.
    Result(Option<&'static str>),
}

#[derive(Clone, Debug)]
struct Waiting {
    at: Tick,
    item: Item,
}

/// What happened on a board and is not public yet.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    delay: Delay,
    waiting: VecDeque<Waiting>,
    /// The plies of the public game, and whether each is a move.
    shown: BTreeMap<u32, bool>,
    shown_result: bool,
    /// The last ply of the game as it really is.
    latest: u32,
    /// The position before the first ply, as it was told last.
    start: Option<String>,
    signal: Option<&'static str>,
    /// The result that an arbiter has entered.
    entered: Option<&'static str>,
    /// Who plays the game that is told.
    pairing: Pairing,
    /// Whether somebody has held the board, or released it, whatever the configuration says.
    entered_hold: Option<bool>,
    last: Tick,
}

impl Queue {
    /// Nothing waits.
    #[must_use]
    pub fn new(delay: Delay) -> Self {
        Queue { delay, ..Queue::default() }
    }

    /// How long the public waits from now on, for what waits already too.
    pub fn set_delay(&mut self, delay: Delay) {
        self.delay = delay;
    }

    /// Whether nothing goes out.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.entered_hold.unwrap_or(self.delay.held)
    }

    /// Takes in what was published.
    pub fn take(&mut self, publish: &Publish) {
        match publish {
            Publish::Move(made) => self.made(made),
            Publish::Retract { to_ply, at } => self.retract(*to_ply, *at),
            Publish::State(state) => {
                if state.ply == 0 {
                    self.start = Some(state.recorded.clone());
                }
                self.entered_hold = state.orders.hold;
                self.paired(&state.pairing, state.at);
                let signal = state.signal.word().filter(|word| *word != "pending");
                let entered = state.result.as_ref().map(|result| result.score);
                let was = std::mem::replace(&mut self.entered, entered);
                let shown = std::mem::replace(&mut self.signal, signal);
                // What an arbiter has entered is the result, whatever the kings show.
                if entered != was {
                    self.result(entered.or(signal), state.at);
                } else if signal != shown && signal.is_some() && entered.is_none() {
                    self.result(signal, state.at);
                }
            }
            _ => {}
        }
    }

    /// The result as scores, or that there is none, as an arbiter or the play has settled it.
    pub fn result(&mut self, result: Option<&'static str>, at: Tick) {
        // Of two results that wait only the later counts.
        self.forget(|item| matches!(item, Item::Result(_)));
        if result.is_some() || self.shows_result() {
            self.push(at, Item::Result(result));
        }
    }

    /// What is due at `now`, in order; each with whether it changes a move that is public.
    pub fn release(&mut self, now: Tick) -> Vec<(Item, bool)> {
        let mut out = Vec::new();
        while self.next_due().is_some_and(|due| due <= now) {
            let Some(Waiting { item, .. }) = self.waiting.pop_front() else { break };
            let replaces = self.show(&item);
            out.push((item, replaces));
        }
        out
    }

    /// When there is something to release, unless more happens before that.
    #[must_use]
    pub fn next_due(&self) -> Option<Tick> {
        let first = self.waiting.front()?;
        (!self.is_held() && self.is_far_enough(&first.item)).then(|| first.at + self.delay.time)
    }

    /// So many things wait.
    #[must_use]
    pub fn waits(&self) -> usize {
        self.waiting.len()
    }

    fn made(&mut self, made: &MoveMade) {
        if made.ply == 1 && made.revision == 0 {
            // A first move that corrects nothing begins a game; the pieces were only reset before.
            let (start, pairing) = (self.start.clone(), self.pairing.clone());
            self.push(made.at, Item::Begin { at: made.at, start, pairing });
            self.latest = 0;
        }
        if made.ply > self.latest {
            // Play went on, so the game was not over.
            let at = made.at;
            self.result(None, at);
        }
        self.latest = self.latest.max(made.ply);
        let from = self.this_game();
        let same = |waiting: &&mut Waiting| matches!(&waiting.item, Item::Made(old) if old.ply == made.ply);
        match self.waiting.range_mut(from..).find(same) {
            Some(waiting) => {
                // It keeps its place, and is as old as what is now known of it.
                self.last = self.last.max(made.at);
                (waiting.at, waiting.item) = (self.last, Item::Made(Box::new(made.clone())));
            }
            None => self.push(made.at, Item::Made(Box::new(made.clone()))),
        }
        if let Some(result) = ended(made) {
            self.result(Some(result), made.at);
        }
    }

    /// Names that come before the first move are told with it, unless nothing was told before.
    fn paired(&mut self, pairing: &Pairing, at: Tick) {
        if self.pairing == *pairing {
            return;
        }
        self.pairing.clone_from(pairing);
        if self.latest > 0 || self.shown.is_empty() && self.waiting.is_empty() {
            self.push(at, Item::Pairing(pairing.clone()));
        }
    }

    fn retract(&mut self, to_ply: u32, at: Tick) {
        self.forget(|item| match item {
            Item::Made(made) => made.ply > to_ply,
            item => matches!(item, Item::Result(_)),
        });
        self.latest = self.latest.min(to_ply);
        if self.last_to_be_shown() > to_ply || self.shows_result() {
            self.push(at, Item::Retract { to_ply, at });
        }
    }

    fn push(&mut self, at: Tick, item: Item) {
        self.last = self.last.max(at);
        self.waiting.push_back(Waiting { at: self.last, item });
    }

    /// Takes out what waits of the game that is played and will never be public.
    fn forget(&mut self, gone: impl Fn(&Item) -> bool) {
        let from = self.this_game();
        let mut rest = self.waiting.split_off(from);
        rest.retain(|waiting| !gone(&waiting.item));
        self.waiting.append(&mut rest);
    }

    /// Where what waits of the game that is played begins.
    fn this_game(&self) -> usize {
        self.waiting
            .iter()
            .rposition(|waiting| matches!(waiting.item, Item::Begin { .. }))
            .map_or(0, |begin| begin + 1)
    }

    /// The last ply that will be public once nothing waits; a larger one where that is not simple.
    fn last_to_be_shown(&self) -> u32 {
        let from = self.this_game();
        let public = self.shown.keys().next_back().filter(|_| from == 0).copied().unwrap_or(0);
        self.waiting.range(from..).fold(public, |last, waiting| match &waiting.item {
            Item::Made(made) => last.max(made.ply),
            Item::Retract { to_ply, .. } => last.min(*to_ply),
            _ => last,
        })
    }

    /// Whether a result will be public once nothing waits.
    fn shows_result(&self) -> bool {
        let from = self.this_game();
        let public = from == 0 && self.shown_result;
        self.waiting.range(from..).fold(public, |shown, waiting| match &waiting.item {
            Item::Result(result) => result.is_some(),
            Item::Retract { .. } => false,
            _ => shown,
        })
    }

    /// Whether enough was played after the first that waits, or its game is over.
    fn is_far_enough(&self, first: &Item) -> bool {
        let ply = match first {
            Item::Begin { .. } => 0,
            Item::Made(made) => made.ply,
            Item::Retract { to_ply, .. } => *to_ply,
            Item::Result(_) | Item::Pairing(_) => return true,
        };
        let over = |waiting: &Waiting| matches!(waiting.item, Item::Begin { .. } | Item::Result(Some(_)));
        // If its game is over, the last ply is that of another one.
        self.shown_result
            || self.waiting.iter().skip(1).any(over)
            || self.latest >= ply.saturating_add(self.delay.plies)
    }

    /// Makes it public; whether that changes a move that was.
    fn show(&mut self, item: &Item) -> bool {
        match item {
            Item::Begin { .. } => {
                self.shown.clear();
                self.shown_result = false;
                false
            }
            Item::Made(made) => {
                let before = self.shown.insert(made.ply, made.record.kind != PlyKind::Null);
                before == Some(true)
            }
            Item::Retract { to_ply, .. } => {
                self.shown_result = false;
                !self.shown.split_off(&to_ply.saturating_add(1)).is_empty()
            }
            Item::Result(result) => {
                self.shown_result = result.is_some();
                false
            }
            Item::Pairing(_) => false,
        }
    }
}

/// The result that a legal move settles on the board: mate or stalemate.
fn ended(made: &MoveMade) -> Option<&'static str> {
    if made.record.kind != PlyKind::Legal {
        return None;
    }
    let position = Position::from_fen(&made.record.fen)?;
    match (position.is_mate(), made.record.side) {
        (true, shakmaty::Color::White) => Some("1-0"),
        (true, shakmaty::Color::Black) => Some("0-1"),
        _ => position.is_stalemate().then_some("1/2-1/2"),
    }
}
