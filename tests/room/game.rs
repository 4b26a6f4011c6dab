//! One game at one board: players think, fidget, move and press; the truth is written down.

use shakmaty::{Bitboard, Board, Color, Role, Square};

use super::begin;
use super::chess::{Mv, Pos};
use super::clockwork::Clockwork;
use super::profile::{Begin, Pace, Plan, Profile};
use super::rng::Rng;
use super::sense::{Row, Senses};
use super::settings::hands;
use super::stage::{Act, Stage};
use super::truth::{TruePly, Truth};

pub struct Game {
    pub plan: Plan,
    pub rng: Rng,
    pub stage: Stage,
    pub pos: Pos,
    pub c960: bool,
    pub truth: Truth,
    /// Position and wood before each ply.
    pub snaps: Vec<(Pos, Board)>,
    /// When the last move was placed, and pressed.
    pub placed: i64,
    pub pressed: Option<i64>,
    /// The last mover will still press, late.
    pub owes: Option<Color>,
    /// The end that is down.
    pub lever: Color,
    pub left: [i64; 2],
    pub since: i64,
    pub over: bool,
    pub clock: Clockwork,
    pub fault_at: Option<usize>,
    /// The next move waits at least so long.
    pub calm_until: i64,
    link_at: Option<(usize, usize)>,
    pub link_up: Option<(usize, i64)>,
    /// The last ply was begun before the press before it.
    rushed: bool,
    fen: Option<String>,
}

/// What happened, and what the devices said of it.
#[derive(Clone, Debug)]
pub struct Session {
    pub plan: Plan,
    pub rows: Vec<Row>,
    pub truth: Truth,
    pub lag: i64,
    /// Position (if it is a legal one) and wood before each ply.
    pub fens: Vec<(Option<String>, Board)>,
    pub started: i64,
}

fn index(side: Color) -> usize {
    side.fold_wb(0, 1)
}

/// Plays one game; `Err` is a mistake of the simulator itself.
pub fn simulate(profile: Profile, seed: u64) -> Result<Session, String> {
    let mut rng = Rng::new(seed.wrapping_mul(31).wrapping_add(profile as u64));
    let plan = Plan::draw(profile, seed, &mut rng);
    let mut game = Game::new(plan, &mut rng);
    let start = game.pos.clone();
    let started = game.start();
    game.play();
    game.finish();
    game.close_gaps(&start);
    let sense_rng = game.rng.split(3);
    let acts = game.stage.acts().map_err(|e| format!("{profile:?} {seed}: {e}"))?;
    let plan = game.plan;
    game.truth.adjusted = game.clock.adjusted(&acts, plan.sensors.lag());
    game.truth.dialled =
        acts.iter().filter(|(_, a)| matches!(a, Act::Dial(..) | Act::DialBy(..))).map(|(t, _)| *t).collect();
    let senses = Senses::new(&plan, sense_rng, &acts, &game.stage.start, &game.truth);
    let rows = senses.rows(game.meta(), game.clock);
    let fens = game.snaps.iter().map(|(pos, wood)| (pos.fen(), wood.clone())).collect();
    Ok(Session { plan, rows, truth: game.truth, lag: plan.sensors.lag(), fens, started })
}

impl Game {
    fn new(plan: Plan, rng: &mut Rng) -> Game {
        let mut rng = rng.split(1);
        let c960 = plan.begin == Begin::Chess960;
        let (pos, fen) = begin::position(plan.begin, &mut rng);
        let turn = pos.turn();
        let first = if plan.first_increment { plan.inc_s } else { 0 };
        let dial = (plan.base_s + first) * 1_000;
        let clock = Clockwork {
            dials: [dial; 2],
            inc_ms: plan.inc_s * 1_000,
            bonus: plan.bonus,
            down: if rng.percent(70) { !turn } else { turn },
        };
        let fault_at = plan.fault.map(|_| usize::try_from(rng.range(2, 24)).expect("positive"));
        let link_at = plan.links.then(|| {
            let at = usize::try_from(rng.range(2, 30)).expect("positive");
            (at, at + usize::try_from(rng.range(0, 6)).expect("positive"))
        });
        Game {
            stage: Stage::new(pos.board().clone()),
            rng,
            pos,
            c960,
            truth: Truth::default(),
            snaps: Vec::new(),
            placed: 0,
            pressed: None,
            owes: None,
            lever: !turn,
            left: [dial; 2],
            since: 0,
            over: false,
            clock,
            fault_at,
            calm_until: 0,
            link_at,
            link_up: None,
            rushed: false,
            fen,
            plan,
        }
    }

    fn meta(&self) -> String {
        let p = &self.plan;
        let format = match p.pace {
            Pace::Blitz => "blitz",
            Pace::Rapid => "rapid",
            Pace::Classical => "standard",
        };
        let bonus = p.bonus.map_or("null".to_owned(), |(n, s)| format!("[{n},{s}]"));
        let start = self.fen.clone().unwrap_or_else(|| "standard".to_owned());
        let variant = if self.c960 { ",\"variant\":\"chess960\"" } else { "" };
        let pieces = if p.sensors.occupancy { "occupancy" } else { "identified" };
        format!(
            r#"{{"t_ms":0,"kind":"meta","board":"b1","config":{{"format":"{format}","rules":"{}","base_s":{},"inc_s":{},"bonus":{bonus},"start":"{start}","increment_on_first_move":{},"scan_ms":{}{variant}}},"pieces":"{pieces}"}}"#,
            p.rules, p.base_s, p.inc_s, p.first_increment, p.sensors.scan
        )
    }

    /// Waiting, some adjusting, then the clock is started.
    fn start(&mut self) -> i64 {
        let of = &hands().player;
        let mut t = of.arrive_ms.draw(&mut self.rng);
        for _ in 0..self.rng.below(of.adjusted_at_start_below) {
            if let Some(square) = self.spare(Bitboard::EMPTY, None) {
                t = self.adjust(square, t) + of.adjusted_at_start_after_ms.draw(&mut self.rng);
            }
        }
        t = self.fault_before_start(t);
        t += of.start_clock_ms.draw(&mut self.rng);
        self.stage.at(t, Act::Go(self.pos.turn()));
        self.truth.quiet.push((0, t + 4_000));
        (self.placed, self.pressed, self.since) = (t, Some(t), t);
        self.lever = !self.pos.turn();
        self.fault_after_start(t);
        t
    }

    fn play(&mut self) {
        while !self.over && self.truth.plies.len() < self.plan.plies {
            let moves = self.pos.moves(self.c960);
            if moves.is_empty() {
                break;
            }
            if self.left[index(self.pos.turn())] < 25_000 {
                break;
            }
            if self.fault_at.is_some_and(|at| self.truth.plies.len() >= at)
                && self.owes.is_none()
                && self.lever != self.pos.turn()
                && self.pressed.is_some()
                && let Some(fault) = self.plan.fault
                && self.inject(fault)
            {
                self.fault_at = None;
                continue;
            }
            let m = begin::choose(&self.pos, &moves, &self.plan, &mut self.rng);
            self.ply(&m);
        }
    }

    /// How long the mover thinks, as far as his time allows.
    fn think(&mut self) -> i64 {
        let left = self.left[index(self.pos.turn())];
        self.plan.pace.think(&mut self.rng).min(left / 20)
    }

    pub fn tally(&mut self, t: i64, presser: Color) {
        let i = index(presser);
        self.left[i] += self.clock.inc_ms - (t - self.since);
        self.since = t;
    }

    /// A player presses: seen only if his end is up.
    pub fn press(&mut self, side: Color, t: i64) -> bool {
        self.stage.at(t, Act::Press(side));
        if self.lever == side {
            return false;
        }
        self.tally(t, side);
        self.lever = side;
        true
    }

    /// One ordinary ply, with whatever people do around it.
    pub fn ply(&mut self, m: &Mv) {
        let side = m.side();
        let habits = self.plan.habits;
        let turn_at = self.pressed.unwrap_or(self.placed);
        let n = self.truth.plies.len();
        let mut think = hands().player.think_least_ms + self.think();
        let mut begin = turn_at + think;
        let mut rushed = false;
        if let Some(p) = self.pressed
            && self.calm_until <= p
            && !self.rushed
            && p - self.placed > 160
            && self.rng.percent(habits.premature)
        {
            begin = self.rng.range(self.placed + 60, p - 20);
            rushed = true;
        }
        if self.owes.is_some() {
            think = hands().player.reply_before_press_ms.draw(&mut self.rng);
            begin = self.placed + think;
            rushed = true;
        }
        if !rushed {
            begin = begin.max(self.calm_until);
            let from = (turn_at + 250).max(self.calm_until);
            begin = begin.max(self.fidget(m, from) + 250);
            begin = self.between_moves(m, turn_at, begin);
            begin = self.link(n, turn_at, begin);
        }
        self.calm_until = 0;
        self.snaps.push((self.pos.clone(), self.stage.wood.clone()));
        let landed = self.hand(m, begin);
        if m.promotion.is_some() {
            // A pawn whose exchange was not reported is a pawn that was not exchanged.
            self.truth.quiet.push((begin - 100, landed + self.plan.sensors.lag()));
        }
        let mut placed = landed;
        // A player off the move puts something right meanwhile.
        if self.rng.percent(habits.adjust_in_move)
            && let Some(square) = self.spare(m.way(), None)
        {
            let t = self.rng.range(begin - 200, landed).max(self.placed + 60).max(turn_at + 30);
            placed = placed.max(self.adjust(square, t));
        }
        self.pos = self.pos.play(m);
        self.finish_ply(m, side, begin, placed, rushed);
    }

    /// The press, if there is one, and the record of the truth.
    fn finish_ply(&mut self, m: &Mv, side: Color, begin: i64, placed: i64, rushed: bool) {
        let habits = self.plan.habits;
        let before = self.pressed;
        let mut earliest = placed;
        if let Some(first) = self.owes.take() {
            let late = placed + hands().player.late_press_ms.draw(&mut self.rng);
            if self.press(first, late)
                && let Some(last) = self.truth.plies.last_mut()
            {
                last.pressed = Some(late);
            }
            earliest = late + 120;
        } else if let Some(p) = before.filter(|_| rushed) {
            earliest = earliest.max(p + 120);
        }
        let over = self.pos.is_over();
        let usual = self.lever != side && before.is_some() && !rushed && !over && self.link_up.is_none();
        let quiet = self.fault_at.is_none_or(|at| self.truth.plies.len() + 3 < at);
        self.pressed = None;
        if usual && quiet && self.rng.percent(habits.forget) {
            // Forgotten; whoever moves next cannot press either.
        } else if usual && quiet && self.rng.percent(habits.reply_before_press) {
            self.owes = Some(side);
        } else if !over || self.rng.percent(hands().player.press_after_end_percent) {
            let t = earliest + self.plan.pace.reach(&mut self.rng);
            if self.press(side, t) {
                self.pressed = Some(t);
                if self.rng.percent(habits.press_twice) {
                    let again = t + hands().player.press_again_ms.draw(&mut self.rng);
                    self.stage.at(again, Act::Press(side));
                }
            }
        }
        self.placed = placed;
        self.rushed = rushed;
        self.truth.plies.push(TruePly {
            uci: m.uci.clone(),
            legal: true,
            placed,
            pressed: self.pressed,
            begun: begin,
        });
        self.note_draws(placed);
    }

    /// Fidgeting in the mover's time, by either player. Gives when it is over.
    fn fidget(&mut self, m: &Mv, from: i64) -> i64 {
        let habits = self.plan.habits;
        let mut t = from;
        if self.rng.percent(habits.adjust) {
            for _ in 0..self.rng.range(1, 2) {
                let by_mover = self.rng.percent(50);
                if let Some(square) = self.spare(if by_mover { Bitboard::EMPTY } else { m.way() }, None) {
                    t = self.adjust(square, t) + hands().adjust.after_ms.draw(&mut self.rng);
                }
            }
        }
        if self.rng.percent(habits.touch)
            && let Some(square) = self.spare(Bitboard::EMPTY, Some(m.side()))
        {
            let piece = self.stage.wood.piece_at(square).expect("occupied");
            self.stage.lift(t, square);
            t += hands().touch.dwell_ms.draw(&mut self.rng);
            self.stage.set(t, square, piece);
            t += hands().touch.after_ms.draw(&mut self.rng);
        }
        if self.rng.percent(habits.take_back) {
            t = self.take_back(m, t);
        }
        t
    }

    /// Another move, set down, and back again before the press.
    fn take_back(&mut self, m: &Mv, t: i64) -> i64 {
        let others: Vec<Mv> = self
            .pos
            .moves(self.c960)
            .into_iter()
            .filter(|o| o.uci != m.uci && o.promotion.is_none() && o.rook.is_none())
            .filter(|o| o.victim.is_none() || self.plan.pace != Pace::Blitz)
            .collect();
        let Some(other) = self.rng.pick(&others).cloned() else { return t };
        let taken = other.victim.and_then(|v| self.stage.wood.piece_at(v).map(|p| (v, p)));
        let of = &hands().take_back;
        let mut t = t;
        self.stage.lift(t, other.from);
        t += self.carry();
        if let Some((v, _)) = taken {
            self.stage.lift(t, v);
            t += of.victim_to_land_ms.draw(&mut self.rng);
        }
        self.stage.set(t, other.to, other.piece);
        t += of.stands_ms.draw(&mut self.rng);
        self.stage.lift(t, other.to);
        t += self.carry();
        self.stage.set(t, other.from, other.piece);
        if let Some((v, piece)) = taken {
            t += of.victim_back_ms.draw(&mut self.rng);
            self.stage.set(t, v, piece);
        }
        t + of.after_ms.draw(&mut self.rng)
    }

    /// Pauses and penalties that change nothing on the board.
    fn between_moves(&mut self, m: &Mv, turn_at: i64, begin: i64) -> i64 {
        let habits = self.plan.habits;
        let (pause, penalty) = (self.rng.percent(habits.pause), self.rng.percent(habits.penalty));
        if !(pause || penalty) || self.lever == m.side() || self.pressed.is_none() {
            return begin;
        }
        let of = &hands().pause;
        let stop = begin.max(turn_at + 1_500) + of.before_stop_ms.draw(&mut self.rng);
        self.stage.at(stop, Act::Stop);
        let mut t = stop + of.stopped_ms.draw(&mut self.rng);
        if penalty {
            let more = self.rng.one_of(&[60_000, 120_000]);
            self.stage.at(t, Act::DialBy(!m.side(), more));
            self.left[index(!m.side())] += more;
            t += of.clock_set_ms.draw(&mut self.rng);
        }
        self.stage.at(t, Act::Go(m.side()));
        self.left[index(m.side())] -= stop - self.since;
        self.since = t;
        self.truth.quiet.push((stop - 3_000, t + 3_000));
        t + of.after_start_ms.draw(&mut self.rng)
    }

    /// The link goes down before or in this ply, or comes back before it.
    fn link(&mut self, n: usize, turn_at: i64, begin: i64) -> i64 {
        let of = &hands().link;
        let mut begin = begin;
        if let Some((_, down)) = self.link_up.filter(|(up, _)| *up <= n) {
            let up = (turn_at + of.long_back_ms.draw(&mut self.rng)).max(down + 1_000);
            self.truth.down.push((down, up));
            self.link_up = None;
            begin = begin.max(up + of.long_after_ms.draw(&mut self.rng));
        }
        if let Some((_, up)) = self.link_at.filter(|(at, _)| *at <= n && self.link_up.is_none()) {
            let at = n;
            self.link_at = (self.rng.percent(of.again_percent) && n < 60).then_some((n + 12, n + 14));
            let around = of.lost_around_ms.draw(&mut self.rng);
            let down = begin + around.max(turn_at + of.lost_after_turn_ms - begin);
            if up <= at {
                let back = down + of.short_ms.draw(&mut self.rng);
                self.truth.down.push((down, back));
                return back + of.short_after_ms.draw(&mut self.rng);
            }
            self.link_up = Some((up, down));
        }
        begin
    }

    fn close_gaps(&mut self, start: &Pos) {
        if let Some((_, down)) = self.link_up.take() {
            // The game ended while nobody heard it: the link is back after it.
            let up = self.stage.last() + 2_000;
            self.truth.down.push((down, up));
            self.truth.game_end = self.truth.game_end.max(down);
        }
        let lag = self.plan.sensors.lag();
        for (down, up) in self.truth.down.clone() {
            let hidden = |p: &TruePly| {
                let end = p.pressed.unwrap_or(p.placed).max(p.placed) + lag;
                p.begun - 50 <= up + 400 && end >= down
            };
            let first = self.truth.plies.iter().position(hidden);
            let last = self.truth.plies.iter().rposition(hidden);
            if let (Some(first), Some(last)) = (first, last) {
                let from = self.snaps.get(first).map_or(start, |s| &s.0);
                let to = self.snaps.get(last + 1).map_or(&self.pos, |s| &s.0);
                let paths = begin::paths(from, to.board(), last + 1 - first, self.c960);
                self.truth.gaps.push(super::truth::Gap { first, end: last + 1, paths });
            }
        }
    }

    /// The kings' squares and all squares of the centre: not to be touched by accident.
    pub fn kings(&self) -> Bitboard {
        self.stage.wood.by_role(Role::King)
    }

    pub fn is_empty(&self, square: Square) -> bool {
        self.stage.wood.piece_at(square).is_none()
    }
}
