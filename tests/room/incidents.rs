//! Irregularities by the mover: what he does, who notices when, and what the arbiter does then.

use shakmaty::{Bitboard, Board, Color, Piece, Role, Square, attacks};

use super::chess::{self, Mv, Pos};
use super::faults::Step;
use super::game::Game;
use super::profile::Fault;
use super::stage::Act;
use super::truth::{Incident, TruePly};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    Now,
    Later,
    Never,
}

impl Game {
    /// Tries to have `fault` happen at this ply; `false` if the position does not offer it.
    pub fn inject(&mut self, fault: Fault) -> bool {
        match fault {
            Fault::NoMove => self.no_move(),
            Fault::InAir => self.in_air(),
            Fault::Unpromoted | Fault::UnpromotedRemoved => self.unpromoted(fault),
            Fault::RookFirst => self.rook_first(),
            Fault::CastlingIncomplete => self.castling_incomplete(),
            Fault::DisplacedOwn => self.displaced_own(),
            Fault::DisplacedTheirs => self.displaced_theirs(),
            Fault::OutOfTurn => self.out_of_turn(),
            Fault::FlagFall => self.flag_fall(),
            Fault::LeverKnocked => self.lever_knocked(),
            Fault::WrongSetup | Fault::Orientation | Fault::ClockTimes | Fault::ClockIncrement => true,
            _ => self.illegal_move(fault),
        }
    }

    pub fn turn_at(&self) -> i64 {
        self.pressed.unwrap_or(self.placed)
    }

    pub fn when(&mut self) -> i64 {
        let think = self.plan.pace.think(&mut self.rng).min(20_000);
        self.turn_at() + 900 + think
    }

    pub fn report(&mut self, kind: &'static str, codes: &[&'static str], side: Option<Color>, t: i64) {
        self.truth.quiet.push((t - 6_000, t + 12_000));
        self.truth.incidents.push(Incident {
            kind,
            codes: codes.to_vec(),
            beside: Vec::new(),
            side,
            from: t,
            certain: t,
            within: 3_000,
            until: t + 60_000,
            required: true,
            note: String::new(),
        });
    }

    pub fn last_report(&mut self) -> &mut Incident {
        self.truth.incidents.last_mut().expect("just reported")
    }

    fn perform(&mut self, steps: &[Step], t: i64) -> i64 {
        let mut t = t;
        for (index, step) in steps.iter().enumerate() {
            if index > 0 {
                t += self.carry().max(450);
            }
            match step {
                Step::Lift(s) => self.stage.lift(t, *s),
                Step::Set(s, p) => self.stage.set(t, *s, *p),
            }
        }
        t
    }

    fn remember(&mut self, uci: String, legal: bool, begun: i64, placed: i64) {
        let pressed = self.pressed;
        self.placed = placed;
        self.truth.plies.push(TruePly { uci, legal, placed, pressed, begun });
    }

    fn illegal_move(&mut self, fault: Fault) -> bool {
        let Some(illegal) = self.illegal(fault) else { return false };
        let side = self.pos.turn();
        let begun = self.when();
        self.snaps.push((self.pos.clone(), self.stage.wood.clone()));
        let keep = self.truth.plies.len();
        let placed = self.perform(&illegal.steps, begun);
        let pressed = placed + self.plan.pace.reach(&mut self.rng) + 100;
        self.press(side, pressed);
        self.pressed = Some(pressed);
        self.remember(illegal.uci.clone(), false, begun, placed);
        self.report("illegal move", &illegal.codes, Some(side), pressed);
        let note = format!("{} {} ({fault:?})", illegal.uci, illegal.what);
        let report = self.last_report();
        report.note = note;
        report.beside = vec!["both-kings-in-check"];
        self.pos = Pos::odd(illegal.after, !side);
        let notice = self.rng.one_of(&[Notice::Now, Notice::Now, Notice::Later, Notice::Never]);
        self.aftermath(notice, keep, side, true);
        true
    }

    /// Notice, restoring, times, restart; `penalty` for the offender's opponent.
    fn aftermath(&mut self, notice: Notice, keep: usize, offender: Color, penalty: bool) {
        let soon = self.turn_at() + self.rng.range(1_800, 5_000) + self.plan.sensors.lag();
        self.calm_until = soon;
        self.truth.notes.push(format!("noticed: {notice:?}"));
        match notice {
            Notice::Never => return,
            Notice::Now => {}
            Notice::Later => {
                for _ in 0..self.rng.range(1, 6) {
                    let moves = self.pos.moves(self.c960);
                    let quiet: Vec<Mv> = moves.into_iter().filter(|m| m.promotion.is_none()).collect();
                    let Some(m) = self.rng.pick(&quiet).cloned() else { break };
                    let habits = std::mem::take(&mut self.plan.habits);
                    self.ply(&m);
                    self.plan.habits = habits;
                    if self.pressed.is_none() {
                        let t = self.placed + 400;
                        self.press(m.side(), t);
                        self.pressed = Some(t);
                    }
                }
            }
        }
        let stop = self.turn_at() + self.plan.sensors.lag() + self.rng.range(1_800, 6_000);
        self.stage.at(stop, Act::Stop);
        let mut t = stop + self.rng.range(2_000, 25_000);
        let target = self.snaps[keep].1.clone();
        if self.rng.percent(30) && penalty {
            self.stage.at(t, Act::DialBy(!offender, 60_000));
            t = self.put_back(&target, t + 2_000);
        } else {
            t = self.put_back(&target, t);
            if penalty {
                let more = self.rng.one_of(&[60_000, 120_000]);
                t += self.rng.range(1_000, 9_000);
                self.stage.at(t, Act::DialBy(!offender, more));
            }
        }
        if self.clock.inc_ms > 0 && self.rng.percent(40) {
            self.stage.at(t + 500, Act::DialBy(offender, -self.clock.inc_ms));
        }
        t += self.rng.range(1_500, 9_000);
        self.stage.at(t, Act::Go(offender));
        self.truth.quiet.push((stop - 5_000, t + 4_000));
        self.truth.plies.truncate(keep);
        self.pos = self.snaps[keep].0.clone();
        self.snaps.truncate(keep);
        self.resume(offender, t);
    }

    /// The clock runs for `side` from `t` on, and the last move counts as pressed then.
    pub fn resume(&mut self, side: Color, t: i64) {
        self.lever = !side;
        self.placed = t;
        self.pressed = Some(t);
        self.since = t;
        self.owes = None;
        self.calm_until = t + 900;
    }

    /// Pieces travel until `target` stands on the board.
    pub fn put_back(&mut self, target: &Board, t: i64) -> i64 {
        let mut t = t;
        let wrong = |g: &Game, s: Square| g.stage.wood.piece_at(s) != target.piece_at(s);
        let mut missing: Vec<Square> =
            Square::ALL.into_iter().filter(|s| wrong(self, *s) && target.piece_at(*s).is_some()).collect();
        while !missing.is_empty() {
            let to = missing.remove(self.rng.below(missing.len()));
            let piece = target.piece_at(to).expect("missing there");
            let from = Square::ALL
                .into_iter()
                .find(|s| wrong(self, *s) && *s != to && self.stage.wood.piece_at(*s) == Some(piece));
            if !self.is_empty(to) {
                self.stage.lift(t, to);
                t += self.rng.range(250, 900);
            }
            if let Some(from) = from {
                self.stage.lift(t, from);
                t += self.rng.range(300, 1_200);
            }
            self.stage.set(t, to, piece);
            t += self.rng.range(300, 1_500);
        }
        for square in Square::ALL {
            if wrong(self, square) && !self.is_empty(square) {
                self.stage.lift(t, square);
                t += self.rng.range(300, 900);
            }
        }
        t
    }

    fn no_move(&mut self) -> bool {
        let Some(next) = self.pos.passed().filter(|_| !self.pos.in_check()) else { return false };
        if next.is_over() {
            return false;
        }
        let side = self.pos.turn();
        let t = self.when();
        self.press(side, t);
        self.report("press without move", &["press-without-move", "clock-lever-knocked"], Some(side), t);
        let lag = self.plan.sensors.lag();
        match self.rng.below(3) {
            // Never noticed: the opponent moves.
            0 => {
                self.pos = next;
                self.placed = t;
                self.pressed = Some(t);
                self.calm_until = t + lag + 1_500;
            }
            // The opponent presses back.
            1 => {
                let back = t + lag + self.rng.range(900, 4_000);
                self.press(!side, back);
                self.resume(side, back);
                self.calm_until = back + lag + 1_500;
            }
            _ => {
                let stop = t + lag + self.rng.range(1_500, 5_000);
                self.stage.at(stop, Act::Stop);
                let mut go = stop + self.rng.range(4_000, 20_000);
                self.stage.at(go, Act::DialBy(!side, self.rng.one_of(&[60_000, 120_000])));
                go += self.rng.range(1_000, 6_000);
                self.stage.at(go, Act::Go(side));
                self.resume(side, go);
            }
        }
        true
    }

    fn in_air(&mut self) -> bool {
        let moves: Vec<Mv> = self
            .pos
            .moves(self.c960)
            .into_iter()
            .filter(|m| m.victim.is_none() && m.promotion.is_none() && m.rook.is_none())
            .collect();
        let Some(m) = self.rng.pick(&moves).cloned() else { return false };
        let side = m.side();
        let t = self.when();
        self.snaps.push((self.pos.clone(), self.stage.wood.clone()));
        self.stage.lift(t, m.from);
        let pressed = t + self.rng.range(300, 900) + self.plan.sensors.lag();
        self.press(side, pressed);
        let placed = pressed + 1_300 + self.plan.sensors.lag() * 2 + self.rng.range(0, 3_000);
        self.stage.set(placed, m.to, m.piece);
        self.pos = self.pos.play(&m);
        self.pressed = Some(pressed);
        self.remember(m.uci.clone(), true, t, placed);
        self.report("pressed in the air", &["press-move-incomplete"], Some(side), pressed);
        let report = self.last_report();
        report.certain = pressed + 1_200;
        report.within = 5_800;
        self.calm_until = placed + 2_000 + self.plan.sensors.lag();
        true
    }

    fn unpromoted(&mut self, fault: Fault) -> bool {
        let queens: Vec<Mv> =
            self.pos.moves(false).into_iter().filter(|m| m.promotion == Some(Role::Queen)).collect();
        let Some(m) = self.rng.pick(&queens).cloned() else { return false };
        let side = m.side();
        let removed = fault == Fault::UnpromotedRemoved;
        let queen = Piece { color: side, role: Role::Queen };
        let begun = self.when();
        let mut t = begun;
        self.snaps.push((self.pos.clone(), self.stage.wood.clone()));
        if m.victim.is_some() {
            self.stage.lift(t, m.to);
            t += self.carry();
        }
        self.stage.lift(t, m.from);
        if !removed || self.rng.percent(50) {
            t += self.carry();
            self.stage.set(t, m.to, m.piece);
            if removed {
                t += self.carry();
                self.stage.lift(t, m.to);
            }
        }
        let placed = t;
        let pressed = placed + self.plan.pace.reach(&mut self.rng) + 100;
        self.press(side, pressed);
        self.pressed = Some(pressed);
        let codes: &[&'static str] =
            if removed { &["pawn-not-promoted", "press-move-incomplete"] } else { &["pawn-not-promoted"] };
        self.report("pawn not promoted", codes, Some(side), pressed);
        if removed {
            self.last_report().within = 7_000;
        }
        let fixed =
            pressed + self.plan.sensors.lag() + self.rng.range(if removed { 7_500 } else { 2_500 }, 12_000);
        if removed || self.rng.percent(60) {
            // Put right with the clock stopped or running.
            let stopped = self.rng.percent(60);
            let mut t = fixed;
            if stopped {
                self.stage.at(t, Act::Stop);
                t += self.rng.range(2_000, 9_000);
            }
            if !self.is_empty(m.to) {
                self.stage.lift(t, m.to);
                t += self.carry();
            }
            self.stage.set(t, m.to, queen);
            self.pos = self.pos.play(&m);
            self.remember(m.uci.clone(), true, begun, placed);
            if stopped {
                self.stage.at(t + 1_500, Act::DialBy(!side, 120_000));
                t += self.rng.range(2_500, 6_000);
                self.stage.at(t, Act::Go(!side));
                self.resume(!side, t);
            }
            self.truth.quiet.push((begun - 5_000, t + 5_000));
            self.calm_until = t + 1_500 + self.plan.sensors.lag();
        } else {
            let mut board = self.pos.board().clone();
            Mv { promotion: None, ..m.clone() }.apply(&mut board);
            self.pos = Pos::odd(board, !side);
            self.remember(m.uci.clone(), false, begun, placed);
            self.pawn_stands(pressed);
            self.calm_until = pressed + self.plan.sensors.lag() + 2_500;
        }
        true
    }

    /// Play goes on beside a pawn on the last rank, unless it is taken at once. With little
    /// supervision the claim closes with the reply, and the pawn is a matter of its own; elsewhere
    /// it is once the first alert is closed.
    fn pawn_stands(&mut self, pressed: i64) {
        self.report("pawn on the last rank", &["pawn-on-last-rank"], None, pressed);
        let report = self.last_report();
        report.required = false;
        report.within = 600_000;
        report.until = pressed + 600_000;
    }

    fn rook_first(&mut self) -> bool {
        let Some(m) = self.pos.moves(self.c960).into_iter().find(|m| m.rook.is_some()) else { return false };
        if self.c960 {
            return false;
        }
        let side = m.side();
        let (rook, rook_to) = m.rook.expect("castling");
        let rook_piece = Piece { color: side, role: Role::Rook };
        let begun = self.when();
        let mut t = begun;
        self.snaps.push((self.pos.clone(), self.stage.wood.clone()));
        self.stage.lift(t, rook);
        t += self.carry();
        self.stage.set(t, rook_to, rook_piece);
        t += self.rng.range(200, 600) + self.plan.sensors.scan;
        self.stage.lift(t, m.from);
        t += self.carry();
        self.stage.set(t, m.to, m.piece);
        let pressed = t + self.plan.pace.reach(&mut self.rng) + 50;
        self.press(side, pressed);
        self.pressed = Some(pressed);
        self.pos = self.pos.play(&m);
        self.remember(m.uci.clone(), true, begun, t);
        self.report("castling rook first", &["castling-rook-first"], Some(side), pressed);
        true
    }

    /// The king castles, the rook is forgotten. Either is right: the arbiter has the castling
    /// completed, or takes it as an illegal move.
    fn castling_incomplete(&mut self) -> bool {
        let castling = self.pos.moves(false).into_iter().find(|m| m.rook.is_some());
        let Some(m) = castling.filter(|_| !self.c960) else { return false };
        let (side, keep) = (m.side(), self.truth.plies.len());
        let (rook, rook_to) = m.rook.expect("castling");
        let completed = self.rng.percent(50);
        let begun = self.when();
        self.snaps.push((self.pos.clone(), self.stage.wood.clone()));
        self.stage.lift(begun, m.from);
        let placed = begun + self.carry();
        self.stage.set(placed, m.to, m.piece);
        let pressed = placed + self.plan.pace.reach(&mut self.rng) + 100;
        self.press(side, pressed);
        self.pressed = Some(pressed);
        self.remember(m.uci.clone(), completed, begun, placed);
        self.report("castling without the rook", &["castling-incomplete"], Some(side), pressed);
        if !completed {
            self.aftermath(Notice::Now, keep, side, true);
            return true;
        }
        self.pos = self.pos.play(&m);
        let stop = pressed + self.plan.sensors.lag() + self.rng.range(1_800, 6_000);
        self.stage.at(stop, Act::Stop);
        let mut t = stop + self.rng.range(2_000, 9_000);
        self.stage.lift(t, rook);
        t += self.carry();
        self.stage.set(t, rook_to, Piece { color: side, role: Role::Rook });
        t += self.rng.range(2_000, 9_000);
        self.stage.at(t, Act::Go(!side));
        self.truth.quiet.push((stop - 5_000, t + 4_000));
        self.resume(!side, t);
        true
    }

    /// A neighbour of the way is knocked to an empty square beside it.
    pub fn knocked(&mut self, avoid: Bitboard, near: Bitboard) -> Option<(Square, Square, Piece)> {
        let mut all = Vec::new();
        for from in near & self.stage.wood.occupied() & !avoid & !self.kings() {
            for to in attacks::king_attacks(from) & !self.stage.wood.occupied() & !avoid {
                let piece = self.stage.wood.piece_at(from).expect("occupied");
                let edge = to.rank() == shakmaty::Rank::First || to.rank() == shakmaty::Rank::Eighth;
                if !(piece.role == Role::Pawn && edge) {
                    all.push((from, to, piece));
                }
            }
        }
        self.rng.pick(&all).copied()
    }

    fn displaced_own(&mut self) -> bool {
        let moves: Vec<Mv> = self
            .pos
            .moves(self.c960)
            .into_iter()
            .filter(|m| m.victim.is_none() && m.promotion.is_none() && m.rook.is_none())
            .collect();
        let Some(m) = self.rng.pick(&moves).cloned() else { return false };
        let side = m.side();
        let near = attacks::king_attacks(m.to) | attacks::king_attacks(m.from);
        let Some((from, to, piece)) = self.knocked(m.way(), near) else { return false };
        let mut after = self.pos.board().clone();
        m.apply(&mut after);
        after.discard_piece_at(from);
        after.set_piece_at(to, piece);
        // A knocked piece of the opponent's may look like his quick reply.
        let moved = self.pos.play(&m);
        if chess::is_legal_result(&self.pos, &after) || chess::is_legal_result(&moved, &after) {
            return false;
        }
        let begun = self.when();
        self.snaps.push((self.pos.clone(), self.stage.wood.clone()));
        self.stage.lift(begun, m.from);
        let carry = self.carry().max(200);
        let hit = begun + carry / 2;
        self.stage.lift(hit, from);
        self.stage.set(hit + self.rng.range(20, carry / 3), to, piece);
        let placed = begun + carry;
        self.stage.set(placed, m.to, m.piece);
        let pressed = placed + self.plan.pace.reach(&mut self.rng) + 100;
        self.press(side, pressed);
        self.pressed = Some(pressed);
        self.pos = self.pos.play(&m);
        self.remember(m.uci.clone(), true, begun, placed);
        self.report("displaced in own move", &["displaced-pieces", "illegal-move"], Some(side), pressed);
        self.last_report().note = format!("{} knocks {from} to {to}", m.uci);
        self.last_report().beside = vec!["both-kings-in-check"];
        self.set_right(from, to, piece, pressed);
        true
    }

    /// A displaced piece goes back after some seconds, before the next move.
    fn set_right(&mut self, from: Square, to: Square, piece: Piece, t: i64) {
        let mut t = t + self.plan.sensors.lag() + self.rng.range(3_500, 12_000);
        self.stage.lift(t, to);
        t += self.carry();
        self.stage.set(t, from, piece);
        self.truth.quiet.push((t - 8_000, t + 4_000));
        self.calm_until = t + self.plan.sensors.lag() + self.rng.range(800, 4_000);
    }

    fn displaced_theirs(&mut self) -> bool {
        let other = !self.pos.turn();
        let near = self.stage.wood.by_color(other);
        let Some((from, to, piece)) = self.knocked(Bitboard::EMPTY, near) else { return false };
        let t = self.turn_at() + self.plan.sensors.lag() + self.rng.range(500, 5_000);
        self.stage.lift(t, from);
        let set = t + self.rng.range(40, 900);
        self.stage.set(set, to, piece);
        self.report("displaced in the opponent's time", &["displaced-pieces", "out-of-turn"], None, t);
        let report = self.last_report();
        report.certain = set + 3_200;
        report.note = format!("{from} to {to}");
        report.beside = vec!["both-kings-in-check"];
        self.set_right(from, to, piece, set + 2_500);
        true
    }

    fn out_of_turn(&mut self) -> bool {
        let Some(swapped) = self.pos.passed().filter(|_| !self.pos.in_check()) else { return false };
        let moves: Vec<Mv> = swapped
            .moves(self.c960)
            .into_iter()
            .filter(|m| m.victim.is_none() && m.promotion.is_none() && m.rook.is_none())
            .collect();
        let Some(m) = self.rng.pick(&moves).cloned() else { return false };
        let t = self.turn_at() + self.plan.sensors.lag() + self.rng.range(500, 5_000);
        self.stage.lift(t, m.from);
        let set = t + self.carry();
        self.stage.set(set, m.to, m.piece);
        self.report("moved out of turn", &["out-of-turn", "displaced-pieces"], None, t);
        let report = self.last_report();
        report.certain = set + 3_200;
        report.note = m.uci.clone();
        report.beside = vec!["both-kings-in-check"];
        self.set_right(m.from, m.to, m.piece, set + 2_500);
        true
    }

    fn lever_knocked(&mut self) -> bool {
        let side = self.pos.turn();
        let t = self.when();
        self.press(side, t);
        let back = t + self.plan.sensors.poll + self.rng.range(250, 1_800);
        self.press(!side, back);
        self.report("lever knocked", &["clock-lever-knocked", "press-without-move"], None, t);
        self.last_report().certain = back;
        self.resume(side, back);
        self.calm_until = back + self.plan.sensors.lag() + 1_500;
        true
    }

    fn flag_fall(&mut self) -> bool {
        let side = self.pos.turn();
        let t = self.turn_at() + self.plan.sensors.lag() + 500;
        // The rest of his time goes by; the clock is set so that it is not hours.
        self.stage.at(t, Act::Dial(side, 9_000));
        let falls = t + 9_000;
        self.report("flag fall", &["flag-fall"], Some(side), falls);
        let report = self.last_report();
        report.from = falls - 1_500;
        let stop = falls + self.plan.sensors.lag() + self.rng.range(3_500, 9_000);
        self.placed = stop;
        self.over = true;
        true
    }
}
