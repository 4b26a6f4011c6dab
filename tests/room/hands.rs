//! Hands: how a move is carried out on the wood, in every physical order.

use shakmaty::{Bitboard, Color, Piece, Role, Square, attacks};

use super::chess::Mv;
use super::game::Game;
use super::settings::hands;

impl Game {
    pub fn carry(&mut self) -> i64 {
        self.plan.pace.carry(&mut self.rng)
    }

    /// A hand needs so long from one square to the next, grasping included.
    fn reach_over(&mut self, a: Square, b: Square, most: i64) -> i64 {
        let reach = &hands().reach;
        let least = reach.base_ms + reach.per_square_ms * i64::from(a.distance(b));
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
        let slide = &hands().slide;
        if self.rng.percent(habits.slide) {
            let mut way: Vec<Square> = attacks::between(from, to).into_iter().collect();
            if from > to {
                way.reverse();
            }
            for square in way {
                if self.free(square) && !avoid.contains(square) && self.rng.percent(slide.square_percent) {
                    t += slide.to_next_ms.draw(&mut self.rng);
                    self.stage.set(t, square, piece);
                    t += slide.dwell_ms.draw(&mut self.rng);
                    self.stage.lift(t, square);
                }
            }
            t += slide.last_ms.draw(&mut self.rng);
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
                t += hands().rest.dwell_ms.draw(&mut self.rng);
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
        let of = &hands().capture;
        let on_top = if self.plan.sensors.occupancy { 0 } else { of.on_top_parts };
        let parts = [on_top, of.victim_first_parts, of.perhaps_set_aside_parts, of.own_first_parts];
        let landed = match self.rng.part(parts) {
            // Set on top: the sensor never sees the square empty.
            0 => {
                self.stage.lift(t, m.from);
                t = self.bring(m.piece, m.from, m.to, t, avoid);
                self.stage.set(t, m.to, m.piece);
                t
            }
            // Victim first.
            1 => {
                self.stage.lift(t, m.to);
                t += self.reach_over(m.to, m.from, of.victim_to_own_more_ms);
                self.stage.lift(t, m.from);
                t = self.bring(m.piece, m.from, m.to, t, avoid);
                self.stage.set(t, m.to, m.piece);
                t
            }
            2 if self.rng.percent(self.plan.habits.set_aside) => self.set_aside(m, t),
            // Own first, the victim by the same hand.
            _ => {
                self.stage.lift(t, m.from);
                t += self.carry().max(self.reach_over(m.to, m.from, of.own_to_victim_more_ms));
                self.stage.lift(t, m.to);
                t += of.victim_to_land_ms.draw(&mut self.rng).max(least);
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
        let of = &hands().set_aside;
        self.stage.set(t, spot, m.piece);
        t += of.land_to_victim_ms.draw(&mut self.rng);
        self.stage.lift(t, m.to);
        t += of.victim_to_own_ms.draw(&mut self.rng);
        self.stage.lift(t, spot);
        t += of.own_to_land_ms.draw(&mut self.rng);
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
                let of = &hands().carried_off;
                t += of.after_landing_ms.draw(&mut self.rng);
                self.stage.set(t, spot, victim);
                t += of.dwell_ms.draw(&mut self.rng);
                self.stage.lift(t, spot);
            }
        }
        t
    }

    fn en_passant(&mut self, m: &Mv, victim: Square, t: i64) -> i64 {
        let of = &hands().en_passant;
        let order = self.rng.part([
            of.victim_first_parts,
            of.victim_before_landing_parts,
            of.victim_after_landing_parts,
        ]);
        let mut t = t;
        if order == 0 {
            self.stage.lift(t, victim);
            t += self.reach_over(victim, m.from, of.victim_to_own_more_ms);
        }
        self.stage.lift(t, m.from);
        t += self.carry().max(self.reach_over(victim, m.from, of.own_to_victim_more_ms));
        if order == 1 {
            self.stage.lift(t, victim);
            t += of.victim_to_land_ms.draw(&mut self.rng);
        }
        self.stage.set(t, m.to, m.piece);
        if order == 2 {
            t += self.reach_over(victim, m.to, of.land_to_victim_more_ms);
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
        let of = &hands().castling;
        if self.rng.percent(of.king_rests_percent) {
            t += self.carry();
            self.stage.set(t, rook_to, m.piece);
            t += of.king_rests_ms.draw(&mut self.rng);
            self.stage.lift(t, rook_to);
        }
        t += self.carry();
        self.stage.set(t, m.to, m.piece);
        t += self.reach_over(m.to, rook, of.king_to_rook_more_ms);
        self.stage.lift(t, rook);
        t += self.carry();
        self.stage.set(t, rook_to, rook_piece);
        t
    }

    /// King and rook may stand on each other's squares: both are lifted first.
    fn castle_960(&mut self, m: &Mv, t: i64) -> i64 {
        let (rook, rook_to) = m.rook.expect("castling");
        let rook_piece = Piece { color: m.piece.color, role: Role::Rook };
        let of = &hands().castling;
        let mut t = t;
        let king_moves = m.from != m.to;
        let rook_moves = rook != rook_to;
        if king_moves {
            self.stage.lift(t, m.from);
            t += self.carry();
        }
        if rook_moves && m.to == rook {
            self.stage.lift(t, rook);
            t += of.rook_to_king_960_ms.draw(&mut self.rng);
            if king_moves {
                self.stage.set(t, m.to, m.piece);
            }
            t += of.king_to_rook_960_ms.draw(&mut self.rng);
            self.stage.set(t, rook_to, rook_piece);
            return t;
        }
        if king_moves {
            self.stage.set(t, m.to, m.piece);
            t += of.king_to_rook_960_ms.draw(&mut self.rng);
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
        let of = &hands().promotion;
        let fetched = self.rng.percent(self.plan.habits.queen_fetched);
        let fetch = if fetched { of.fetched_ms } else { of.at_hand_ms }.draw(&mut self.rng);
        let mut t = t;
        let captures = m.victim.is_some();
        if captures && (self.plan.sensors.occupancy || self.rng.percent(of.victim_first_percent)) {
            self.stage.lift(t, m.to);
            t += self.reach_over(m.to, m.from, of.victim_to_own_more_ms);
        }
        let parts = [
            of.pushed_then_exchanged_parts,
            of.pushed_and_replaced_parts,
            of.new_piece_first_parts,
            of.pawn_off_first_parts,
        ];
        match self.rng.part(parts) {
            // The pawn is pushed, then exchanged.
            0 => {
                self.stage.lift(t, m.from);
                t += self.carry();
                self.stage.set(t, m.to, m.piece);
                t += fetch;
                self.stage.lift(t, m.to);
                t += of.pawn_off_to_new_ms.draw(&mut self.rng);
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
                t += of.new_to_pawn_off_ms.draw(&mut self.rng);
                self.stage.lift(t, m.from);
            }
            // The pawn is taken off, the new piece set down.
            _ => {
                self.stage.lift(t, m.from);
                t += fetch.min(of.pawn_in_hand_most_ms);
                self.stage.set(t, m.to, new);
            }
        }
        t
    }

    /// Somebody puts a piece right: up and down on the same square.
    pub fn adjust(&mut self, square: Square, t: i64) -> i64 {
        let piece = self.stage.wood.piece_at(square).expect("a piece to adjust");
        self.stage.lift(t, square);
        let t = t + hands().adjust.dwell_ms.draw(&mut self.rng);
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
