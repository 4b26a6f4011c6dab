//! What is wrong before the first move, and how games end.

use shakmaty::{Color, Role, Square, attacks};

use super::begin;
use super::chess::{Mv, Pos};
use super::game::Game;
use super::profile::{Begin, Fault};
use super::stage::Act;

impl Game {
    /// Wrong arrays, boards and clocks.
    pub fn fault_before_start(&mut self, t: i64) -> i64 {
        let mut t = t;
        match self.plan.fault {
            Some(Fault::WrongSetup) if self.plan.begin == Begin::Array => {
                let (what, board) = begin::wrong_array(&mut self.rng);
                t = self.put_back(&board, t + 1_000);
                self.truth.notes.push(what.to_owned());
            }
            Some(Fault::Orientation) => self.plan.sensors.turned = self.rng.one_of(&[1, 3]),
            Some(Fault::ClockTimes) => {
                let off = self.rng.one_of(&[-60_000, 60_000, 300_000, -120_000]);
                self.clock.dials = self.clock.dials.map(|d| (d + off).max(60_000));
                if self.rng.percent(40) {
                    self.clock.dials[0] = (self.plan.base_s + 600) * 1_000;
                }
                self.left = self.clock.dials;
            }
            Some(Fault::ClockIncrement) if self.plan.inc_s >= 5 => self.clock.inc_ms = 0,
            _ => {}
        }
        t
    }

    pub fn fault_after_start(&mut self, t: i64) {
        let report = match self.plan.fault {
            Some(Fault::WrongSetup) if self.plan.begin == Begin::Array => {
                Some(("wrong set-up", "wrong-setup"))
            }
            Some(Fault::Orientation) => Some(("board turned", "wrong-orientation")),
            Some(Fault::ClockTimes) => Some(("clock times", "clock-incorrect")),
            Some(Fault::ClockIncrement) if self.plan.inc_s >= 5 => Some(("no increment", "clock-incorrect")),
            _ => None,
        };
        let Some((kind, code)) = report else { return };
        self.report(kind, &[code], None, t);
        self.fault_at = None;
        if kind == "no increment" {
            // Two presses contradict it; more if hands were as quick as the increment is long.
            self.last_report().certain = t + 3_600_000;
            self.last_report().until = t + 7_200_000;
        }
        if kind == "wrong set-up" {
            // A piece that went just before the start may be White's first move, for four seconds.
            self.last_report().within = 5_000;
            self.wrong_set_up(t);
        }
    }

    /// Put right at once, with the clock stopped; or played on.
    fn wrong_set_up(&mut self, t: i64) {
        let right = self.pos.board().clone();
        if self.rng.percent(50) {
            let stop = t + self.plan.sensors.lag() + self.rng.range(2_000, 9_000);
            self.stage.at(stop, Act::Stop);
            let from = stop + self.rng.range(1_500, 8_000);
            let go = self.put_back(&right, from) + self.rng.range(1_500, 9_000);
            let full = self.clock.dials;
            self.stage.at(go - 500, Act::Dial(Color::White, full[0]));
            self.stage.at(go - 500, Act::Dial(Color::Black, full[1]));
            self.stage.at(go, Act::Go(Color::White));
            self.truth.quiet.push((0, go + 4_000));
            self.truth.notes.push("put right at once".to_owned());
            self.resume(Color::White, go);
        } else {
            self.pos = Pos::odd(self.stage.wood.clone(), Color::White);
            self.truth.notes.push("played on".to_owned());
            self.calm_until = t + 4_000;
        }
    }

    /// How the game ends: something always makes clear that it has.
    pub fn finish(&mut self) {
        let lag = self.plan.sensors.lag();
        let mut t = self.pressed.unwrap_or(self.placed).max(self.placed);
        if let Some(first) = self.owes.take() {
            t += 700;
            self.press(first, t);
            if let Some(last) = self.truth.plies.last_mut() {
                last.pressed = Some(t);
            }
        }
        t = t.max(self.calm_until) + lag + self.rng.range(1_500, 8_000);
        self.truth.game_end = t;
        let decided = self.over || self.pos.is_over();
        let hurried = self.left.iter().any(|left| *left < 60_000);
        if !self.plan.fancy_end || self.over || hurried || self.link_up.is_some() {
            self.stage.at(t, Act::Stop);
            self.truth.notes.push("the clock is stopped".to_owned());
            return;
        }
        match self.rng.below(6) {
            0 => {
                self.stage.at(t, Act::Stop);
                let from = t + self.rng.range(800, 6_000);
                self.kings_in_centre(from);
                self.truth.notes.push("kings in the centre, clock stopped".to_owned());
            }
            1 if self.kings_are_far() && !decided && !self.plan.sensors.occupancy => {
                t = self.kings_in_centre(t);
                self.stage.at(t + self.rng.range(500, 15_000), Act::Stop);
                self.truth.notes.push("kings in the centre, clock running".to_owned());
            }
            2 => {
                self.stage.at(t, Act::Stop);
                let from = t + self.rng.range(1_000, 9_000);
                self.reset(from);
                self.truth.notes.push("reset to the array, clock stopped".to_owned());
            }
            3 => {
                self.stage.at(t, Act::Stop);
                let from = t + self.rng.range(1_000, 9_000);
                self.post_mortem(from, 12);
                self.truth.notes.push("post-mortem".to_owned());
            }
            4 if decided => {
                // Mate; the clock runs on while pieces are already put back.
                let end = self.reset(t);
                self.stage.at(end + 500, Act::Stop);
                self.truth.notes.push("mate, reset with the clock running".to_owned());
            }
            _ => {
                self.stage.at(t, Act::Stop);
                let from = t + self.rng.range(1_000, 4_000);
                self.post_mortem(from, 3);
                let end = self.stage.last();
                self.kings_in_centre(end + 1_000);
                self.truth.notes.push("casual moves, then the kings".to_owned());
            }
        }
    }

    /// No king could walk into the centre by a move.
    fn kings_are_far(&self) -> bool {
        let centre = [Square::D4, Square::E4, Square::D5, Square::E5];
        self.kings()
            .into_iter()
            .all(|k| !centre.contains(&k) && !centre.iter().any(|c| attacks::king_attacks(k).contains(*c)))
    }

    fn kings_in_centre(&mut self, t: i64) -> i64 {
        let (a, b) = self.rng.one_of(&[
            (Square::D5, Square::E4),
            (Square::E5, Square::D4),
            (Square::D4, Square::E4),
            (Square::D5, Square::E5),
            (Square::E4, Square::D5),
        ]);
        let mut t = t;
        let mut order = [(Color::White, a), (Color::Black, b)];
        if self.rng.percent(50) {
            order.reverse();
        }
        for (color, to) in order {
            let Some(king) = self.stage.wood.king_of(color) else { continue };
            if king == to {
                continue;
            }
            if !self.is_empty(to) {
                self.stage.lift(t, to);
                t += self.rng.range(300, 900);
            }
            let piece = shakmaty::Piece { color, role: Role::King };
            self.stage.lift(t, king);
            t += self.rng.range(300, 1_200);
            self.stage.set(t, to, piece);
            t += self.rng.range(150, 1_800);
        }
        t
    }

    /// Everything goes back to the array, quickly.
    fn reset(&mut self, t: i64) -> i64 {
        let array = shakmaty::Board::default();
        let mut t = t;
        for square in Square::ALL {
            if self.stage.wood.piece_at(square) != array.piece_at(square) && !self.is_empty(square) {
                self.stage.lift(t, square);
                t += self.rng.range(80, 500);
            }
        }
        let mut missing: Vec<Square> =
            Square::ALL.into_iter().filter(|s| self.is_empty(*s) && array.piece_at(*s).is_some()).collect();
        while !missing.is_empty() {
            let to = missing.remove(self.rng.below(missing.len()));
            self.stage.set(t, to, array.piece_at(to).expect("of the array"));
            t += self.rng.range(150, 700);
        }
        t
    }

    /// Moves forth and back, by either colour, with nobody's clock running.
    fn post_mortem(&mut self, t: i64, most: usize) {
        let mut t = t;
        let mut pos = Pos::odd(self.stage.wood.clone(), self.pos.turn());
        for _ in 0..most {
            if self.rng.percent(30) {
                let color = !pos.turn();
                pos = Pos::odd(self.stage.wood.clone(), color);
            }
            let moves: Vec<Mv> = pos.moves(false).into_iter().filter(|m| m.promotion.is_none()).collect();
            let Some(m) = self.rng.pick(&moves).cloned() else { return };
            self.stage.lift(t, m.from);
            t += self.rng.range(200, 900);
            if m.victim.is_some() && self.rng.percent(50) {
                self.stage.lift(t, m.to);
                t += 200;
            }
            self.stage.set(t, m.to, m.piece);
            t += self.rng.range(400, 6_000);
            if m.victim.is_none() && self.rng.percent(40) {
                self.stage.lift(t, m.to);
                t += self.rng.range(200, 700);
                self.stage.set(t, m.from, m.piece);
                t += self.rng.range(400, 3_000);
            } else {
                pos = pos.play(&m);
            }
        }
    }
}
