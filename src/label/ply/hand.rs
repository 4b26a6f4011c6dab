//! The contacts and the press of each ply.

use shakmaty::{Bitboard, Color, Square, attacks};

use super::order::order;
use super::{Against, Hand, Touch, kind};
use crate::events::Sensed;
use crate::label::align::{Alignment, differing};
use crate::label::moves::{Game, Ply};
use crate::label::stream::{Contact, Moment, Trace, What};
use crate::tick::{Span, Tick};

/// Nothing that is read late or wrongly contradicts a move for so long.
const AGAINST: Span = Span::from_ms(6_000);
/// A press may be reported so long before the first contact of its move, which a scan found late.
const EARLY: Span = Span::from_ms(500);
/// A move whose last contact comes so long after its press: another contact is the last of it.
const LONG_BEFORE: Span = Span::from_ms(1_500);
/// Nobody presses back so soon after the other's press.
const AT_ONCE: Span = Span::from_ms(100);

/// One ply and where its contacts can be.
struct Search<'a> {
    ply: &'a Ply,
    trace: &'a Trace,
    changed: Bitboard,
    /// The first moment at which the board agrees with it better than with the ply before.
    entered: usize,
    /// The first moment that belongs to a later ply on the same squares.
    until: usize,
    /// The moments at which the ply before and the next are entered.
    before: usize,
    next: usize,
    occupancy: bool,
    /// For each square the first moment after the last ply that changed it.
    floor: &'a [usize; 64],
}

/// Finds the contacts and presses of all plies.
pub(super) fn hands(game: &Game, trace: &Trace, alignment: &Alignment, occupancy: bool) -> Vec<Hand> {
    let boards = game.boards();
    let changed: Vec<Bitboard> = boards.windows(2).map(|pair| differing(&pair[0], &pair[1])).collect();
    let end = trace.moments.len();
    let entered = |index: usize| alignment.entered.get(index).copied().unwrap_or(end);
    let mut out: Vec<Hand> = Vec::new();
    let mut floor = [0; 64];
    let mut unseen = Bitboard::EMPTY;
    for (index, ply) in game.plies.iter().enumerate() {
        let later = (index + 1..changed.len()).find(|later| (changed[*later] & changed[index]).any());
        let search = Search {
            ply,
            trace,
            changed: changed[index],
            entered: entered(index),
            until: later.map_or(end, entered),
            before: index.checked_sub(1).map_or(0, entered),
            next: entered(index + 1),
            occupancy,
            floor: &floor,
        };
        let (mut hand, since) = search.hand();
        if hand.done.is_none() {
            unseen |= changed[index];
        } else {
            if (unseen & changed[index]).any() {
                hand.why.push("an earlier move on its squares was not seen".to_owned());
                hand.patchy = true;
            }
            unseen &= !changed[index];
        }
        out.push(hand);
        for square in changed[index] {
            floor[usize::from(square)] = since;
        }
    }
    presses(game, trace, &mut out);
    out
}

impl Search<'_> {
    /// The hand, and the first moment that cannot be of it.
    fn hand(&self) -> (Hand, usize) {
        let Some(moment) = self.done() else { return (self.unaligned(), self.entered) };
        let mut hand = Hand::default();
        let runs: Vec<(Square, Vec<Contact>)> =
            self.changed.into_iter().map(|square| (square, self.run(square, moment))).collect();
        let of = |square: Square| runs.iter().find(|(s, _)| *s == square).map(|(_, run)| run.as_slice());
        let m = &self.ply.m;
        let first = |square: Square| of(square).and_then(<[Contact]>::first).copied();
        let lift = first(m.from);
        let land = of(m.to).and_then(landing);
        let victim = m.capture.and_then(first).filter(|c| !c.now.is_occupied());
        let seen = |contact: Option<Contact>| contact.filter(|c| !c.in_dump).map(|c| c.at);
        hand.lift = seen(lift);
        hand.land = seen(land);
        hand.victim = seen(victim);
        let all = || runs.iter().flat_map(|(_, run)| run);
        hand.begin = all().filter(|c| !c.in_dump).map(|c| c.at).min();
        let last = |run: &[Contact]| match m.promotion {
            None => landing(run).or(run.last().copied()),
            Some(_) => run.last().copied(),
        };
        let last = runs.iter().filter_map(|(_, run)| last(run)).map(|c| c.at).max();
        hand.done = last.or(Some(self.trace.moments[moment].at));
        hand.order = order(kind(self.ply), self.ply, lift, land, victim, &runs);
        self.doubts(&mut hand, &runs, lift.is_some(), land.is_some());
        (hand, moment + 1)
    }

    /// What was not reported as it happened.
    fn doubts(&self, hand: &mut Hand, runs: &[(Square, Vec<Contact>)], lift: bool, land: bool) {
        let in_dump = runs.iter().any(|(_, run)| run.iter().any(|c| c.in_dump));
        let castling = self.ply.m.rook.is_some();
        if in_dump {
            hand.why.push("part of it was only seen in a dump of all squares".to_owned());
        } else if !lift && !castling {
            hand.why.push("the lift was not reported".to_owned());
        } else if !land && !castling {
            hand.why.push("the landing was not reported".to_owned());
        }
        if in_dump || !(castling || lift && land) {
            hand.patchy = true;
        }
        let from = hand.begin.or(hand.done).unwrap_or(Tick::ZERO);
        if self.trace.link_was_down(from, hand.done.unwrap_or(from)) {
            hand.why.push("the link was down".to_owned());
            hand.patchy = true;
        }
        if self.occupancy && (self.ply.m.capture.is_some() || self.ply.m.promotion.is_some()) {
            hand.why.push("the board cannot tell one piece from another".to_owned());
            hand.patchy = true;
        }
    }

    /// The moment at which the squares of the move first show all of it. Where pieces cannot be
    /// told apart a capture is over when its square is taken again for the last time.
    fn done(&self) -> Option<usize> {
        let board = &self.ply.after.board;
        let fits = |moment: &Moment| (moment.wood.differs(board) & self.changed).is_empty();
        let set = |index: usize| {
            let at = self.trace.contacts.iter().rev().find(|c| c.moment == index);
            at.is_some_and(|c| c.square == self.ply.m.to && c.now.is_occupied())
        };
        let moments = &self.trace.moments;
        if self.occupancy && self.ply.m.capture == Some(self.ply.m.to) {
            let settled = (self.entered..self.next).rev().find(|k| set(*k) && fits(&moments[*k]));
            if settled.is_some() {
                return settled;
            }
        }
        let end = self.until.max(self.next).min(moments.len());
        let found = (self.entered..end).find(|k| fits(&moments[*k]));
        // A press that was read late may have held it back.
        found.or_else(|| (self.before..self.entered.min(end)).rev().find(|k| fits(&moments[*k])))
    }

    /// The contacts on a square from the one that took away what stood there before the move.
    fn run(&self, square: Square, moment: usize) -> Vec<Contact> {
        let stood = self.ply.before.board.piece_at(square).map_or(Sensed::Empty, Sensed::Piece);
        let from = self.trace.contacts.partition_point(|c| c.moment < self.floor[usize::from(square)]);
        let upto = self.trace.contacts.partition_point(|c| c.moment <= moment).max(from);
        let mut run: Vec<Contact> = Vec::new();
        for contact in self.trace.contacts[from..upto].iter().rev().filter(|c| c.square == square) {
            let same = contact.now == stood;
            let vague = contact.now == Sensed::Something && stood.is_occupied();
            // Of two unknown pieces the last that was set down is the one that moved.
            if same || vague && !run.is_empty() {
                break;
            }
            run.push(*contact);
            if vague && contact.was.is_occupied() {
                break;
            }
        }
        run.reverse();
        run
    }

    /// Nothing showed it: because nothing was heard, or because the board says otherwise?
    fn unaligned(&self) -> Hand {
        let mut hand = Hand::default();
        let moments = &self.trace.moments;
        let until = self.until.max(self.next);
        let Some(first) = moments.get(self.entered) else {
            hand.why.push("the recording ends before it".to_owned());
            return hand;
        };
        let end = moments.get(until).or(moments.last()).map_or(first.at, |moment| moment.at);
        let after = self.trace.contacts.iter().any(|c| c.moment > self.entered);
        if !after {
            hand.why.push("the recording ends before it".to_owned());
        } else if self.trace.link_was_down(moments[self.before].at.min(first.at), end) {
            hand.why.push("the link was down".to_owned());
        } else {
            hand.why.push("no moment shows it whole".to_owned());
            // Play went on, and nothing ever put it right.
            let for_good = self.until == moments.len() && self.next < moments.len();
            let long = for_good || end.since(first.at) > AGAINST;
            let last = moments.get(until.saturating_sub(1)).filter(|_| long);
            hand.against = last.map(|moment| against(self.ply, self.changed, moment));
        }
        hand
    }
}

/// The contact with which a square was taken for good; later ones on it are readings put right.
fn landing(run: &[Contact]) -> Option<Contact> {
    let taken = run.iter().rev().take_while(|c| c.now.is_occupied());
    taken.last().copied()
}

fn against(ply: &Ply, changed: Bitboard, moment: &Moment) -> Against {
    let off = moment.wood.differs(&ply.after.board) & changed;
    let word = |letter: Option<char>| letter.map_or("nothing".to_owned(), |c| c.to_string());
    let squares = off.into_iter().map(|square| {
        let wanted = ply.after.board.piece_at(square).map(|piece| piece.char());
        format!("{} on {square} instead of {}", word(moment.wood.at(square).letter()), word(wanted))
    });
    Against { at: moment.at, squares: squares.collect(), placement: moment.wood.placement() }
}

/// The press of each ply: the first by its side after the press before it, about when the hand
/// began or later, and before that side's next move. Presses and squares travel on different paths.
fn presses(game: &Game, trace: &Trace, hands: &mut [Hand]) {
    let pressed = pressed(trace);
    let end = trace.moments.last().map_or(Tick::ZERO, |moment| moment.at + Span::from_ms(1));
    let mut after = Tick::ZERO;
    for index in 0..hands.len() {
        let Some(begin) = hands[index].begin.or(hands[index].done) else { continue };
        let side = game.plies[index].side();
        let next = (index + 1..hands.len()).filter(|i| game.plies[*i].side() == side);
        let next = next.filter_map(|i| hands[i].begin).next();
        let until = next.unwrap_or(end);
        let before = index.checked_sub(1).and_then(|i| hands[i].begin).unwrap_or(Tick::ZERO);
        // After the opponent's reply, with no press of his between, it is the next move's, whose lift
        // was read late.
        let reply = hands.get(index + 1).and_then(|hand| hand.done);
        let of_next = |at: Tick| {
            let answered = pressed.iter().any(|(other, by)| *by != side && *other > at && *other < until);
            let late = next.is_some_and(|next| at + EARLY >= next) && reply.is_some_and(|reply| at > reply);
            late && !answered
        };
        let own = || {
            let by_side = pressed.iter().filter(|(_, by)| *by == side).map(|(at, _)| *at);
            by_side.filter(|at| *at > after && *at > before && *at < until && !of_next(*at))
        };
        let early = || own().rfind(|at| *at < begin && *at + EARLY >= begin);
        let press = early().or_else(|| own().find(|at| *at >= begin));
        hands[index].press = press;
        after = hands[index].press.unwrap_or(after);
        let done = hands[index].done.unwrap_or(begin);
        if press.is_some_and(|press| press + LONG_BEFORE < done) {
            hands[index].why.push("the press came long before the last contact".to_owned());
            hands[index].patchy = true;
        }
        if press.is_none() && trace.lever_was_unheard(begin, until) {
            hands[index].why.push("the clock was not heard".to_owned());
            hands[index].patchy = true;
        }
    }
}

/// All presses, without readings that came late and were put right: nobody presses back so soon.
fn pressed(trace: &Trace) -> Vec<(Tick, Color)> {
    let all = trace.moments.iter().filter_map(|moment| match moment.what {
        What::Pressed(side) => Some((moment.at, side)),
        _ => None,
    });
    let mut out: Vec<(Tick, Color)> = Vec::new();
    for (at, side) in all {
        match out.as_slice() {
            [.., (first, by), (back, _)]
                if *by == side && back.since(*first) <= AT_ONCE && at.since(*back) <= AT_ONCE =>
            {
                out.pop();
            }
            _ => out.push((at, side)),
        }
    }
    out
}

/// What hands did beside the move.
pub(super) struct Beside {
    pub(super) touched: Vec<Touch>,
    pub(super) handled: Vec<String>,
}

pub(super) fn beside(trace: &Trace, hands: &[Hand], index: usize, ply: &Ply, turn: Option<Tick>) -> Beside {
    let mut out = Beside { touched: Vec::new(), handled: Vec::new() };
    let hand = &hands[index];
    let (Some(begin), Some(done)) = (hand.begin, hand.done) else { return out };
    let next = hands.get(index + 1).and_then(|hand| hand.begin);
    let end = hand.press.or(next).unwrap_or(done).max(done);
    let changed = differing(&ply.before.board, &ply.after.board);
    let mover = ply.before.board.piece_at(ply.m.from);
    let victim = ply.m.capture.and_then(|square| ply.before.board.piece_at(square));
    let between = attacks::between(ply.m.from, ply.m.to);
    for contact in &trace.contacts {
        if contact.in_dump || turn.is_none_or(|turn| contact.at < turn.min(begin)) || contact.at > end {
            continue;
        }
        if contact.at < begin {
            let name = contact.square.to_string();
            if !contact.now.is_occupied() && !out.handled.contains(&name) {
                out.handled.push(name);
            }
            continue;
        }
        let free = ply.after.board.piece_at(contact.square).is_none() && !changed.contains(contact.square);
        let of_move = match contact.now {
            Sensed::Piece(piece) => Some(piece) == mover || Some(piece) == victim,
            Sensed::Something => true,
            Sensed::Empty => false,
        };
        if free && of_move {
            let on_the_way = between.contains(contact.square);
            out.touched.push(touch(trace, contact, end, on_the_way));
        }
    }
    out
}

fn touch(trace: &Trace, set: &Contact, end: Tick, on_the_way: bool) -> Touch {
    let lift = trace
        .contacts
        .iter()
        .find(|c| c.square == set.square && c.moment > set.moment && c.at <= end && !c.now.is_occupied());
    Touch {
        square: set.square.to_string(),
        piece: set.now.letter().unwrap_or('X'),
        t_ms: set.at.ms(),
        dwell_ms: lift.map(|lift| lift.at.since(set.at).ms()),
        on_the_way,
    }
}
