//! Hands: how a move is carried out on the wood, in every physical order.

use shakmaty::{Bitboard, Color, Piece, Role, Square, attacks};

use super::chess::Mv;
use super::game::Game;

impl Game {
    pub fn carry(&mut self) -> i64 {
        self.plan.pace.carry(&mut self.rng)
    }

    /// A hand needs so long from one square to the next, grasping included.
    fn reach_over(&mut self, a: Square, b: Square, most: i64) -> i64 {
        let least = 200 + 35 * i64::from(a.distance(b));
        self.rng.skewed(least, least + most)
    }

    fn free(&self, square: Square) -> bool {
        self.stage.wood.piece_at(square).is_none()
    }

    /// Carries out a move from `t` on; gives the time of the last landing.
    pub fn hand(&mut self, m: &Mv, t: i64) -> i64 {
        if m.rook.is_some() {
            return self.castle(m, t);
        }
        if m.promotion.is_some() {
            return self.promote(m, t);
        }
        match m.victim {
            None => self.quiet(m, t),
            Some(v) if v != m.to => self.en_passant(m, v, t),
            Some(_) => self.capture(m, t),
        }
    }

    /// A piece in hand goes to `to`: perhaps sliding, perhaps resting on the way.
    fn bring(&mut self, piece: Piece, from: Square, to: Square, t: i64, avoid: Bitboard) -> i64 {
        let mut t = t;
        let habits = self.plan.habits;
        if self.rng.percent(habits.slide) {
            let mut way: Vec<Square> = attacks::between(from, to).into_iter().collect();
            if from > to {
                way.reverse();
            }
            for square in way {
                if self.free(square) && !avoid.contains(square) && self.rng.percent(70) {
                    t += self.rng.range(25, 90);
                    self.stage.set(t, square, piece);
                    t += self.rng.range(50, 230);
                    self.stage.lift(t, square);
                }
            }
            t += self.rng.range(20, 90);
            return t;
        }
        if self.rng.percent(habits.rest) {
            let others: Vec<Square> = self
                .pos
                .moves(false)
                .iter()
                .filter(|m| m.from == from && m.to != to && m.promotion.is_none() && m.rook.is_none())
                .map(|m| m.to)
                .filter(|s| self.free(*s) && !avoid.contains(*s))
                .collect();
            if let Some(&square) = self.rng.pick(&others) {
                t += self.carry();
                self.stage.set(t, square, piece);
                t += self.rng.skewed(400, 5_000);
                self.stage.lift(t, square);
            }
        }
        t + self.carry()
    }

    fn quiet(&mut self, m: &Mv, t: i64) -> i64 {
        self.stage.lift(t, m.from);
        let t = self.bring(m.piece, m.from, m.to, t, Bitboard::from(m.from));
        self.stage.set(t, m.to, m.piece);
        t
    }

    fn capture(&mut self, m: &Mv, t: i64) -> i64 {
        let victim = self.stage.wood.piece_at(m.to).expect("a captured piece");
        let avoid = m.changed();
        let least = if self.plan.sensors.occupancy { self.plan.sensors.scan * 2 } else { 0 };
        let mut t = t;
        // A board that only sees occupancy needs to see the victim's square empty.
        let first = if self.plan.sensors.occupancy { 4 } else { 0 };
        let order = first + self.rng.below(10 - first);
        let landed = match order {
            // Set on top: the sensor never sees the square empty.
            0..=3 => {
                self.stage.lift(t, m.from);
                t = self.bring(m.piece, m.from, m.to, t, avoid);
                self.stage.set(t, m.to, m.piece);
                t
            }
            // Victim first.
            4..=6 => {
                self.stage.lift(t, m.to);
                t += self.reach_over(m.to, m.from, 600);
                self.stage.lift(t, m.from);
                t = self.bring(m.piece, m.from, m.to, t, avoid);
                self.stage.set(t, m.to, m.piece);
                t
            }
            7 if self.rng.percent(self.plan.habits.set_aside) => self.set_aside(m, t),
            // Own first, the victim by the same hand.
            _ => {
                self.stage.lift(t, m.from);
                t += self.carry().max(self.reach_over(m.to, m.from, 100));
                self.stage.lift(t, m.to);
                t += self.rng.range(60, 350).max(least);
                self.stage.set(t, m.to, m.piece);
                t
            }
        };
        self.carried_off(m, victim, landed)
    }

    /// The own piece is put down beside, to free the hand for the victim.
    fn set_aside(&mut self, m: &Mv, t: i64) -> i64 {
        let near = attacks::king_attacks(m.to) & !self.stage.wood.occupied();
        let spots: Vec<Square> = near.into_iter().collect();
        self.stage.lift(t, m.from);
        let mut t = t + self.carry();
        let Some(&spot) = self.rng.pick(&spots) else {
            self.stage.set(t, m.to, m.piece);
            return t;
        };
        self.stage.set(t, spot, m.piece);
        t += self.rng.range(200, 600);
        self.stage.lift(t, m.to);
        t += self.rng.range(300, 900);
        self.stage.lift(t, spot);
        t += self.rng.range(150, 400);
        self.stage.set(t, m.to, m.piece);
        t
    }

    /// The captured piece brushes a square or two on its way off.
    fn carried_off(&mut self, m: &Mv, victim: Piece, landed: i64) -> i64 {
        let mut t = landed;
        if self.rng.percent(self.plan.habits.carried_off) {
            let near = attacks::king_attacks(m.to) & !self.stage.wood.occupied() & !m.changed();
            let spots: Vec<Square> = near.into_iter().collect();
            if let Some(&spot) = self.rng.pick(&spots) {
                t += self.rng.range(30, 150);
                self.stage.set(t, spot, victim);
                t += self.rng.range(40, 200);
                self.stage.lift(t, spot);
            }
        }
        t
    }

    fn en_passant(&mut self, m: &Mv, victim: Square, t: i64) -> i64 {
        let order = self.rng.below(3);
        let mut t = t;
        if order == 0 {
            self.stage.lift(t, victim);
            t += self.reach_over(victim, m.from, 500);
        }
        self.stage.lift(t, m.from);
        t += self.carry().max(self.reach_over(victim, m.from, 100));
        if order == 1 {
            self.stage.lift(t, victim);
            t += self.rng.range(100, 500);
        }
        self.stage.set(t, m.to, m.piece);
        if order == 2 {
            t += self.reach_over(victim, m.to, 800);
            self.stage.lift(t, victim);
        }
        t
    }

    fn castle(&mut self, m: &Mv, t: i64) -> i64 {
        let (rook, rook_to) = m.rook.expect("castling");
        let us = m.piece.color;
        let rook_piece = Piece { color: us, role: Role::Rook };
        if self.c960 {
            return self.castle_960(m, t);
        }
        let mut t = t;
        self.stage.lift(t, m.from);
        // The king may rest on the square between.
        if self.rng.percent(15) {
            t += self.carry();
            self.stage.set(t, rook_to, m.piece);
            t += self.rng.skewed(60, 2_500);
            self.stage.lift(t, rook_to);
        }
        t += self.carry();
        self.stage.set(t, m.to, m.piece);
        t += self.reach_over(m.to, rook, 400);
        self.stage.lift(t, rook);
        t += self.carry();
        self.stage.set(t, rook_to, rook_piece);
        t
    }

    /// King and rook may stand on each other's squares: both are lifted first.
    fn castle_960(&mut self, m: &Mv, t: i64) -> i64 {
        let (rook, rook_to) = m.rook.expect("castling");
        let rook_piece = Piece { color: m.piece.color, role: Role::Rook };
        let mut t = t;
        let king_moves = m.from != m.to;
        let rook_moves = rook != rook_to;
        if king_moves {
            self.stage.lift(t, m.from);
            t += self.carry();
        }
        if rook_moves && m.to == rook {
            self.stage.lift(t, rook);
            t += self.rng.range(250, 500);
            if king_moves {
                self.stage.set(t, m.to, m.piece);
            }
            t += self.rng.range(200, 500);
            self.stage.set(t, rook_to, rook_piece);
            return t;
        }
        if king_moves {
            self.stage.set(t, m.to, m.piece);
            t += self.rng.range(200, 500);
        }
        if rook_moves {
            self.stage.lift(t, rook);
            t += self.carry();
            self.stage.set(t, rook_to, rook_piece);
        }
        t
    }

    fn promote(&mut self, m: &Mv, t: i64) -> i64 {
        let new = Piece { color: m.piece.color, role: m.promotion.expect("a promotion") };
        let fetch = if self.rng.percent(self.plan.habits.queen_fetched) {
            self.rng.range(2_000, 8_000)
        } else {
            self.rng.range(250, 1_500)
        };
        let mut t = t;
        let captures = m.victim.is_some();
        if captures && (self.plan.sensors.occupancy || self.rng.percent(50)) {
            self.stage.lift(t, m.to);
            t += self.reach_over(m.to, m.from, 500);
        }
        match self.rng.below(4) {
            // The pawn is pushed, then exchanged.
            0 => {
                self.stage.lift(t, m.from);
                t += self.carry();
                self.stage.set(t, m.to, m.piece);
                t += fetch;
                self.stage.lift(t, m.to);
                t += self.rng.range(120, 500);
                self.stage.set(t, m.to, new);
            }
            // Pushed, and exchanged at once.
            1 => {
                self.stage.lift(t, m.from);
                t += self.carry();
                self.stage.set(t, m.to, m.piece);
                t += fetch;
                self.stage.set(t, m.to, new);
            }
            // The new piece first, then the pawn is taken away.
            2 => {
                self.stage.set(t, m.to, new);
                t += self.rng.range(200, 900);
                self.stage.lift(t, m.from);
            }
            // The pawn is taken off, the new piece set down.
            _ => {
                self.stage.lift(t, m.from);
                t += fetch.min(5_000);
                self.stage.set(t, m.to, new);
            }
        }
        t
    }

    /// Somebody puts a piece right: up and down on the same square.
    pub fn adjust(&mut self, square: Square, t: i64) -> i64 {
        let piece = self.stage.wood.piece_at(square).expect("a piece to adjust");
        self.stage.lift(t, square);
        let t = t + self.rng.skewed(60, 900);
        self.stage.set(t, square, piece);
        t
    }

    /// A piece that nobody needs soon.
    pub fn spare(&mut self, avoid: Bitboard, of: Option<Color>) -> Option<Square> {
        let mut all = self.stage.wood.occupied() & !avoid;
        if let Some(color) = of {
            all &= self.stage.wood.by_color(color);
        }
        let all: Vec<Square> = all.into_iter().collect();
        self.rng.pick(&all).copied()
    }
}
