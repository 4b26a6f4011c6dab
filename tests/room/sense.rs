//! Sensors, clock and link: what the devices report of the physical world, and how wrong.

use shakmaty::{Board, Color, Piece, Square};

use super::clockwork::Clockwork;
use super::profile::Plan;
use super::rng::Rng;
use super::settings::hands;
use super::stage::Act;
use super::truth::Truth;

/// A line of the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub t: i64,
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Meta(String),
    Board(String),
    Square(Square, Option<char>),
    Clock(Reading),
    Link(bool),
}

/// A clock reading as it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    pub dials: [i64; 2],
    pub running: Option<Color>,
    pub down: Color,
}

impl Row {
    pub fn json(&self) -> String {
        let t = self.t;
        match &self.kind {
            Kind::Meta(text) => text.clone(),
            Kind::Board(fen) => format!(r#"{{"t_ms":{t},"kind":"board","fen":"{fen}"}}"#),
            Kind::Square(sq, None) => format!(r#"{{"t_ms":{t},"kind":"square","sq":"{sq}","piece":null}}"#),
            Kind::Square(sq, Some(c)) => {
                format!(r#"{{"t_ms":{t},"kind":"square","sq":"{sq}","piece":"{c}"}}"#)
            }
            Kind::Clock(r) => {
                let [w, b] = r.dials;
                let word = |c: Color| c.fold_wb("\"white\"", "\"black\"");
                let running = r.running.map_or("null", word);
                let lever = r.down.fold_wb("white_down", "black_down");
                format!(
                    r#"{{"t_ms":{t},"kind":"clock","white_ms":{w},"black_ms":{b},"running":{running},"lever":"{lever}"}}"#
                )
            }
            Kind::Link(up) => format!(r#"{{"t_ms":{t},"kind":"link","up":{up}}}"#),
        }
    }
}

/// The players' square as the sensor calls it.
pub fn sensor_name(square: Square, turned: u8) -> Square {
    let (f, r) = (u32::from(square.file()), u32::from(square.rank()));
    let (f, r) = match turned {
        0 => (f, r),
        1 => (r, 7 - f),
        2 => (7 - f, 7 - r),
        _ => (7 - r, f),
    };
    Square::from_coords(shakmaty::File::new(f), shakmaty::Rank::new(r))
}

pub struct Senses<'a> {
    plan: &'a Plan,
    rng: Rng,
    acts: &'a [(i64, Act)],
    start: &'a Board,
    truth: &'a Truth,
    rows: Vec<Row>,
    /// What the board has seen, by the time it is told; also what is lost on the way.
    told: Vec<(i64, Square, Option<Piece>)>,
    /// When the board tells all squares after a report was lost.
    dumps: Vec<i64>,
}

impl<'a> Senses<'a> {
    pub fn new(
        plan: &'a Plan,
        rng: Rng,
        acts: &'a [(i64, Act)],
        start: &'a Board,
        truth: &'a Truth,
    ) -> Senses<'a> {
        Senses { plan, rng, acts, start, truth, rows: Vec::new(), told: Vec::new(), dumps: Vec::new() }
    }

    /// All rows in the order of time, from the meta line on.
    pub fn rows(mut self, meta: String, clock: Clockwork) -> Vec<Row> {
        let end = self.acts.iter().map(|(t, _)| *t).max().unwrap_or(0) + 12_000;
        self.squares(end);
        let dump_at = 0;
        let first = self.placement(dump_at);
        let clock_rows = clock.rows(self.acts, end, &self.plan.sensors, &mut self.rng);
        self.rows.extend(clock_rows);
        let down = self.truth.down.clone();
        let hidden = |t: i64| down.iter().any(|(a, b)| t >= *a && t < *b);
        self.rows.retain(|r| !hidden(r.t));
        let of = &hands().link;
        for (a, b) in &down {
            self.rows.push(Row { t: *a, kind: Kind::Link(false) });
            self.rows.push(Row { t: *b, kind: Kind::Link(true) });
            let t = b + of.dump_ms.draw(&mut self.rng);
            // Squares told before the dump, while nobody listened yet, are in it.
            self.rows.retain(|r| !(r.t > *b && r.t <= t && matches!(r.kind, Kind::Square(..))));
            let seen = self.placement(t);
            self.rows.push(Row { t, kind: Kind::Board(seen) });
            // Most drivers ask the clock too; some wait until it speaks.
            if self.rng.percent(of.clock_percent) {
                let at = b + of.clock_ms.draw(&mut self.rng);
                let reading = clock.at(self.acts, at - self.plan.sensors.clock_latency.1);
                self.rows.push(Row { t: at, kind: Kind::Clock(reading) });
            }
        }
        let mut rows = vec![Row { t: 0, kind: Kind::Meta(meta) }, Row { t: 0, kind: Kind::Board(first) }];
        self.rows.sort_by_key(|r| r.t);
        rows.append(&mut self.rows);
        rows
    }

    fn name(&self, square: Square) -> Square {
        sensor_name(square, self.plan.sensors.turned)
    }

    fn letter(&self, piece: Option<Piece>) -> Option<char> {
        piece.map(|p| if self.plan.sensors.occupancy { 'X' } else { p.char() })
    }

    fn wood_at(&self, t: i64) -> Board {
        let mut wood = self.start.clone();
        for (at, act) in self.acts.iter().take_while(|(at, _)| *at <= t) {
            debug_assert!(*at <= t, "acts are sorted");
            if let Act::Sq(square, what) = act {
                wood.discard_piece_at(*square);
                if let Some(piece) = what {
                    wood.set_piece_at(*square, *piece);
                }
            }
        }
        wood
    }

    /// All squares as the board tells them at `t`.
    fn placement(&self, t: i64) -> String {
        let mut wood = self.start.clone();
        for (_, square, what) in self.told.iter().take_while(|(at, ..)| *at <= t) {
            wood.discard_piece_at(*square);
            if let Some(piece) = what {
                wood.set_piece_at(*square, *piece);
            }
        }
        let mut turned = Board::empty();
        for square in wood.occupied() {
            if let Some(piece) = wood.piece_at(square) {
                turned.set_piece_at(self.name(square), piece);
            }
        }
        let text = turned.to_string();
        if !self.plan.sensors.occupancy {
            return text;
        }
        text.chars().map(|c| if c.is_ascii_alphabetic() { 'X' } else { c }).collect()
    }

    fn is_quiet(&self, t: i64) -> bool {
        self.truth.quiet.iter().any(|(a, b)| t >= *a && t <= *b)
            || self.truth.down.iter().any(|(a, b)| t >= a - 8_000 && t <= b + 10_000)
            || t > self.truth.game_end - 12_000
    }

    fn squares(&mut self, end: i64) {
        let s = self.plan.sensors;
        // (scan time, square, what): what each scan sees change.
        let mut seen: Vec<(i64, Square, Option<Piece>)> = Vec::new();
        for square in Square::ALL {
            let offset = i64::from(u32::from(square)) * s.scan / 64;
            let changes: Vec<(i64, Option<Piece>)> = self
                .acts
                .iter()
                .filter_map(|(t, act)| match act {
                    Act::Sq(sq, what) if *sq == square => Some((*t, *what)),
                    _ => None,
                })
                .collect();
            let mut last = self.start.piece_at(square);
            let mut index = 0;
            while index < changes.len() {
                let t = changes[index].0;
                let scan = (t - offset).div_euclid(s.scan) * s.scan + offset + s.scan;
                while index + 1 < changes.len() && changes[index + 1].0 < scan {
                    index += 1;
                }
                if changes[index].1 != last {
                    last = changes[index].1;
                    seen.push((scan, square, last));
                }
                index += 1;
            }
        }
        seen.sort_by_key(|(t, sq, _)| (*t, *sq));
        let of = &hands().board;
        let mut clear = 0;
        let mut no_miss_before = 0;
        for index in 0..seen.len() {
            let (scan, square, what) = seen[index];
            let mut t = scan;
            if s.batched {
                t = t.div_euclid(s.scan) * s.scan + s.scan;
            }
            t = (t + self.rng.range(s.board_latency.0, s.board_latency.1)).max(clear);
            clear = t;
            self.told.push((t, square, what));
            if !self.is_quiet(t) && t > no_miss_before && self.rng.permille(s.missed) {
                let dump = t + of.missed_dump_ms.draw(&mut self.rng);
                no_miss_before = dump + of.missed_pause_ms;
                self.dumps.push(dump);
                continue;
            }
            let name = self.name(square);
            let letter = self.letter(what);
            let next = seen[index + 1..].iter().find(|x| x.1 == square).map_or(i64::MAX, |x| x.0);
            if let Some(c) = letter
                && !s.occupancy
                && self.rng.permille(s.misread)
                && next > scan + 1_200
                && !self.is_quiet(t)
            {
                let wrong = self.rng.one_of(&['P', 'p', 'N', 'n', 'B', 'b', 'R', 'r', 'Q', 'q']);
                if wrong != c {
                    self.rows.push(Row { t, kind: Kind::Square(name, Some(wrong)) });
                    let right = t + of.misread_right_ms.draw(&mut self.rng);
                    self.rows.push(Row { t: right, kind: Kind::Square(name, letter) });
                    continue;
                }
            }
            self.rows.push(Row { t, kind: Kind::Square(name, letter) });
            if self.rng.permille(s.duplicate) {
                let again = t + self.rng.one_of(&of.duplicate_after_ms);
                if next > again + 300 {
                    self.rows.push(Row { t: again, kind: Kind::Square(name, letter) });
                }
            }
        }
        for dump in std::mem::take(&mut self.dumps) {
            let shown = self.placement(dump);
            self.rows.push(Row { t: dump, kind: Kind::Board(shown) });
        }
        self.flicker(end, &seen);
    }

    /// A badly centred piece is lost for a moment.
    fn flicker(&mut self, end: i64, seen: &[(i64, Square, Option<Piece>)]) {
        let s = self.plan.sensors;
        if s.flicker == 0 {
            return;
        }
        let of = &hands().board;
        let blind = s.scan.max(of.flicker_scan_least_ms);
        let mut t = of.flicker_first_ms.draw(&mut self.rng);
        while t < end - 5_000 {
            let back = t + self.rng.range(blind, blind + of.flicker_lasts_more_ms);
            let square = Square::new(u32::try_from(self.rng.below(64)).expect("a square"));
            let calm = !seen.iter().any(|(at, sq, _)| *sq == square && *at > t - 1_500 && *at < back + 1_500);
            if calm
                && !self.is_quiet(t)
                && let Some(piece) = self.wood_at(t).piece_at(square)
            {
                let name = self.name(square);
                self.rows.push(Row { t, kind: Kind::Square(name, None) });
                self.rows.push(Row { t: back, kind: Kind::Square(name, self.letter(Some(piece))) });
            }
            t += of.flicker_next_ms.draw(&mut self.rng);
        }
    }
}
