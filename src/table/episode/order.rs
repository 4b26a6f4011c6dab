//! What is to be restored: by an alert, a ply, or a name; and the beginning of the episode.

use shakmaty::ByColor;

use super::{Basis, Episode, Order, Stage};
use crate::alerts::{Alert, AlertState, Decision, Declared, Goal, Outcome, Restoring, Verb};
use crate::events::Pieces;
use crate::game::{Now, Phase, Position};
use crate::laws::{Facts, HandMove, Homes, TimeGift, Times, Wanted, Which};
use crate::table::{Effects, Table, count};

/// With more movements than this a position is set up from the diagram.
const MOVEMENTS_TOLD: usize = 12;

impl Table {
    /// An arbiter wants a position restored.
    pub(in crate::table) fn restore(&mut self, goal: &Goal, out: &mut Effects) -> Result<String, String> {
        if self.tracker.record().is_empty() && self.tracker.phase() == Phase::Waiting {
            return Err(
                "no game is being played on this board: set the pieces up and start the clock".to_owned()
            );
        }
        let order = match goal {
            Goal::Alert(id) => self.order_of(self.desk.alert(id)?)?,
            Goal::Position(which) => self.order_from_record(*which)?,
            Goal::Declared(declared) => self.order_declared(declared)?,
        };
        self.begin(order, out);
        Ok(self.in_words())
    }

    /// What follows for the board from a ruling on an alert that is open: upheld, or both players go
    /// back by agreement.
    pub(in crate::table) fn order_of_ruling(&self, verb: &Verb) -> Option<Order> {
        let (id, agreed) = match verb {
            Verb::Rule { alert, ruling: Decision::Upheld, .. } => (alert, false),
            Verb::AgreedCorrection { alert } => (alert, true),
            _ => return None,
        };
        let alert = self.desk.alert(id).ok().filter(|alert| alert.state == AlertState::Open)?;
        let order = match self.order_of(alert) {
            // What may not be put back by a ruling may be by agreement.
            Err(_) if agreed => {
                let ply = alert.primary().facts.last_correct_ply;
                let wanted = Wanted::of(self.tracker.record(), Which::Ply(ply)).ok()?;
                let basis = self.times_after(alert, &alert.primary().facts, ply);
                Order { alert: Some(alert.id.clone()), wanted, basis, duty: None, declared: false }
            }
            order => order.ok()?,
        };
        Some(order)
    }

    /// A ruling wants the position restored, unless it stands already or is being restored.
    pub(in crate::table) fn ordered_by_ruling(&mut self, order: Order, out: &mut Effects) {
        if let Some(episode) = self.episode.as_mut().filter(|e| e.is_quiet() && e.order.alert == order.alert)
        {
            episode.order.basis = order.basis;
        } else if !self.line.wood().differs(&order.wanted.position.board).is_empty() {
            self.begin(order, out);
        }
    }

    /// The times proposed follow what has been entered about the alert.
    pub(in crate::table) fn propose_again(&mut self) {
        let Some(Episode { order, .. }) = &self.episode else { return };
        let alert = order.alert.as_deref().and_then(|id| self.desk.alert(id).ok());
        let (Basis::Action { .. }, Some(alert)) = (&order.basis, alert) else { return };
        let mut basis = self.times_after(alert, &alert.primary().facts, order.wanted.ply);
        // The record may have been cut back since.
        if let (Basis::Action { undone, .. }, Basis::Action { undone: before, .. }) =
            (&mut basis, &order.basis)
        {
            *undone = *before;
        }
        self.episode.iter_mut().for_each(|episode| episode.order.basis = basis.clone());
    }

    fn order_from_record(&self, which: Which) -> Result<Order, String> {
        let wanted = Wanted::of(self.tracker.record(), which)?;
        let times = match wanted.ply {
            0 => Times::at_start(self.setup.time_control),
            ply => Times::recorded(wanted.dials, ply),
        };
        Ok(Order { alert: None, wanted, basis: Basis::Known(times), duty: None, declared: false })
    }

    /// A position that the record need not have, after all its plies.
    fn order_declared(&self, declared: &Declared) -> Result<Order, String> {
        let record = self.tracker.record();
        let end = record.end();
        let position = match declared {
            Declared::Fen(fen) => Position::from_fen(fen).ok_or("the position cannot be read")?,
            Declared::Standing(side) => {
                let wood = self.line.wood();
                let (board, unknown) = (wood.known(), wood.unknown());
                if self.setup.pieces == Pieces::Occupancy || !unknown.is_empty() {
                    return Err("the board does not tell which pieces stand on it: say \"fen\"".to_owned());
                }
                if board.kings().count() != 2 {
                    return Err(
                        "both kings do not stand on the board: set them up, or say \"fen\"".to_owned()
                    );
                }
                Position::from_wood(board.clone(), *side, end.castles, end)
            }
        };
        let mut wanted = Wanted::of(record, Which::Ply(count(record.len())))?;
        wanted.position = position;
        let text = "times by judgement, or left unchanged".to_owned();
        let basis = Basis::Known(Times { dials: None, text });
        Ok(Order { alert: None, wanted, basis, duty: None, declared: true })
    }

    /// A ruling says that nothing is put back while pieces already travel: what was played is to stand
    /// again.
    pub(in crate::table) fn nothing_is_put_back(&mut self, verb: &Verb, out: &mut Effects) {
        let id = match verb {
            Verb::Rule { ruling: Decision::Upheld, .. } => return,
            Verb::Rule { alert, .. } => alert,
            _ => return,
        };
        let about = |e: &Episode| e.stage == Stage::Travelling && e.order.alert.as_ref() == Some(id);
        if !self.episode.as_ref().is_some_and(about) {
            return;
        }
        self.about_restoring(Some(id), Restoring::Abandoned, out);
        let end = Which::Ply(count(self.tracker.record().len()));
        match self.order_from_record(end) {
            Ok(order) if !self.line.wood().differs(&order.wanted.position.board).is_empty() => {
                self.begin(order, out);
            }
            _ => {
                self.tracker.release(Now { at: self.now, line: &self.line });
                self.episode = None;
            }
        }
    }

    fn order_of(&self, alert: &Alert) -> Result<Order, String> {
        let nothing =
            || format!("alert \"{}\" has nothing to put back: {}", alert.id, alert.advice.may.text());
        let restore = alert.advice.restore.as_ref().ok_or_else(nothing)?;
        let position = Position::from_fen(&restore.fen).ok_or_else(nothing)?;
        let facts = &alert.primary().facts;
        if facts.game != self.game {
            return Err(format!("alert \"{}\" is about game {}, which is over", alert.id, facts.game));
        }
        let mut wanted = Wanted::of(self.tracker.record(), Which::Ply(restore.ply))?;
        wanted.position = position;
        let basis = if restore.ply == 0 && facts.ply == 1 && facts.pressed_at.is_none() {
            Basis::Known(Times::at_start(self.setup.time_control))
        } else {
            self.times_after(alert, facts, restore.ply)
        };
        let duty = alert.advice.replacement.clone();
        let duty = duty.filter(|duty| !duty.free && restore.ply == facts.last_correct_ply);
        Ok(Order { alert: Some(alert.id.clone()), wanted, basis, duty, declared: false })
    }

    /// The increment is taken back where the press is undone; time is given where it is an offence.
    fn times_after(&self, alert: &Alert, facts: &Facts, ply: u32) -> Basis {
        let ruling = alert.ruling.as_ref().map(|ruling| ruling.outcome);
        let ruled = ruling == Some(Outcome::Ruled(Decision::Upheld));
        Basis::Action {
            undone: self.presses_undone(facts, ply),
            increment_s: self.setup.time_control.map_or(0, |control| control.inc_s),
            gift: self.gift(alert).filter(|_| ruled || ruling.is_none()),
            ruled,
        }
    }

    /// The time that the opponent is given: what the arbiter has said, else what is proposed.
    fn gift(&self, alert: &Alert) -> Option<TimeGift> {
        match alert.ruling.as_ref().and_then(|ruling| ruling.penalty) {
            None => alert.advice.time,
            Some(penalty) => {
                let to = alert.primary().side?.other();
                penalty.seconds.map(|seconds| TimeGift { to, seconds })
            }
        }
    }

    /// How often each side has pressed since the position after `ply` plies: what was played since is
    /// undone with it.
    fn presses_undone(&self, facts: &Facts, ply: u32) -> ByColor<u32> {
        let mut out = ByColor::default();
        if facts.pressed_at.is_none() || ply > facts.last_correct_ply {
            return out;
        }
        let keep = usize::try_from(ply).unwrap_or(usize::MAX);
        for entry in self.tracker.record().entries().iter().skip(keep) {
            out[entry.ply.side] += u32::from(entry.ply.pressed_at.is_some());
        }
        // A press that is no ply of the record has given its increment all the same.
        if let Some(side) = facts.to_move {
            out[side] = out[side].max(1);
        }
        out
    }

    fn begin(&mut self, order: Order, out: &mut Effects) {
        let record = self.tracker.record();
        let keep = usize::try_from(order.wanted.ply).unwrap_or(usize::MAX).min(record.len());
        let (there, wanted) = (record.at(keep), &order.wanted.position);
        let recorded = there.board == wanted.board && (!order.declared || there.turn == wanted.turn);
        let homes = if recorded { Homes::of(record, keep) } else { Homes::default() };
        let whole = keep == record.len() && recorded;
        // Pieces that travel already are where hands have them.
        let travelling = self.episode.take().filter(|earlier| earlier.stage == Stage::Travelling);
        let (known, lifted) = match travelling {
            Some(earlier) => (earlier.known, earlier.lifted),
            None => (record.end().board.clone(), Vec::new()),
        };
        let mut episode = Episode {
            stage: Stage::Travelling,
            since: self.now,
            recorded,
            homes,
            known,
            lifted,
            movements: Vec::new(),
            total: 0,
            squares_left: 0,
            stopped: self.stopped_at,
            times_now: None,
            instead_of: None,
            clock_stood: self.tracker.phase() != Phase::Playing,
            pressed: None,
            order,
        };
        episode.look(self.line.wood());
        let stands = episode.is_done(self.line.wood());
        let alert = episode.order.alert.clone();
        self.episode = Some(episode);
        self.tracker.hold(keep);
        self.about_restoring(alert.as_deref(), Restoring::Asked, out);
        if stands && whole {
            // Nothing is put back and no ply taken back: only the times are still to be looked at.
            self.tracker.release(Now { at: self.now, line: &self.line });
            self.episode.iter_mut().for_each(|episode| episode.stage = Stage::Standing);
        } else if stands {
            self.target_stands(out);
        }
    }

    /// The episode as it is answered to the request.
    fn in_words(&self) -> String {
        let Some(state) = self.episode_state() else { return "the position stands".to_owned() };
        let todo = match state.movements.len() {
            0 => "stands already".to_owned(),
            n if n > MOVEMENTS_TOLD => format!("{n} movements: set it up from the diagram"),
            _ => state.movements.iter().map(HandMove::text).collect::<Vec<_>>().join(", "),
        };
        let (white, black) = state.counter;
        format!(
            "position after ply {}: {todo}; times: {}; move counter: White {white}, Black {black}",
            state.ply, state.clocks.text
        )
    }
}
