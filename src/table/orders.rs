//! What people ask about a board itself: result, new game, pairing, rules, clock and seats, what is
//! told and to whom, and what there was.

use std::fmt::Write as _;

use shakmaty::Color;

use super::entered::GAMES_MAX;
use super::{Effects, ResultEntered, Table, count, tracker};
use crate::alerts::{
    ClockSetting, ContactsShown, GameSummary, OnBoard, Pairing, Profile, Report, Request, Response,
};
use crate::events::{Lever, Seat, Start};
use crate::game::{Now, Phase, Position, Signal};
use crate::laws::{RuleId, Rules, Severity, TimesNow};
use crate::tick::Tick;
use crate::timeline::{Seating, Turned};

/// Contacts in one answer.
const CONTACTS_TOLD: usize = 500;

impl Table {
    /// Does what is asked about the board.
    pub(super) fn on_board(&mut self, request: &Request, asked: &OnBoard, out: &mut Effects) -> Response {
        let done = match asked {
            OnBoard::Result { score, why } => self.result_entered(*score, why.clone(), &request.by),
            OnBoard::NewGame { fen } => self.new_game_declared(fen.clone(), &request.by, out),
            OnBoard::Pairing(pairing) => Ok(self.paired(pairing)),
            OnBoard::Profile(profile) => Ok(self.profiled(profile.clone(), out)),
            OnBoard::ClockSet(setting) => Ok(self.clock_was_set(*setting)),
            OnBoard::ClockSeat(white) => Ok(self.seat_clock(*white)),
            OnBoard::Orientation(seat) => Ok(self.seat_white(*seat)),
            OnBoard::Mute { code, .. } => self.mute(*code),
            OnBoard::Unmute(code) => self.unmute(*code),
            OnBoard::Zone(arbiter) => Ok(self.zoned(arbiter.clone(), out)),
            OnBoard::Hold(held) => Ok(self.feed_held(*held)),
            OnBoard::Contacts { seconds } => return self.contacts_lately(request, *seconds),
            OnBoard::Games => return self.games_so_far(request),
        };
        Response::new(request, done)
    }

    /// The settings as they are with what people have entered.
    pub(super) fn overlay(&mut self, out: &mut Effects) {
        let orders = &self.entered.orders;
        let mut setup = self.given.clone();
        if let Some(Profile { ruleset, time_control }) = &orders.profile {
            setup.ruleset.clone_from(ruleset);
            setup.time_control = time_control.or(setup.time_control);
        }
        if let Some(fen) = &orders.start {
            setup.start = Start::Fen(fen.clone());
        }
        if let Some(zone) = &orders.zone {
            setup.zone.clone_from(zone);
        }
        self.rules = Rules::of_setup(&setup);
        self.desk.escalate_after(setup.escalate);
        self.desk.set_zone(setup.zone.clone(), self.now, &mut out.publish);
        self.setup = setup;
    }

    fn result_entered(
        &mut self,
        score: Option<&'static str>,
        why: Option<String>,
        by: &str,
    ) -> Result<String, String> {
        if self.tracker.record().is_empty() && self.tracker.phase() == Phase::Waiting && score.is_some() {
            return Err("no game is being played on this board: a result would be nobody's".to_owned());
        }
        let before = self.entered.result.take();
        let Some(score) = score else {
            self.tracker.declare_over(false);
            return match before {
                Some(before) => Ok(format!("{} is taken back; {}", before.score, self.shown_in_words())),
                None => Err(format!("no result was entered; {}", self.shown_in_words())),
            };
        };
        self.entered.result = Some(ResultEntered { score, why, by: by.to_owned(), at: self.now });
        self.tracker.declare_over(true);
        self.clock.game_over();
        let instead = before.filter(|before| before.score != score);
        Ok(match instead {
            Some(before) => format!("the result is {score}, instead of {}", before.score),
            None => format!("the result is {score}; {}", self.shown_in_words()),
        })
    }

    /// What the board itself says of a result.
    fn shown_in_words(&self) -> String {
        match self.tracker.signal(&self.line) {
            Signal::None => "the board shows none".to_owned(),
            Signal::Pending => "the board shows none yet".to_owned(),
            shown @ Signal::Shown(_) => format!("the kings show {}", shown.word().unwrap_or("a draw")),
        }
    }

    fn new_game_declared(
        &mut self,
        fen: Option<String>,
        by: &str,
        out: &mut Effects,
    ) -> Result<String, String> {
        if !self.line.has_dump() {
            return Err("the board has not been read: look at its line first".to_owned());
        }
        self.entered.orders.start = fen;
        self.overlay(out);
        let start = match &self.setup.start {
            Start::Standard => Position::initial(),
            Start::Fen(fen) => Position::from_fen(fen).unwrap_or_else(Position::initial),
        };
        let wood = self.setup.start_wood().map_err(|error| error.to_string())?;
        self.entered.new_game_by = Some(by.to_owned());
        let mut told = std::mem::take(&mut self.told);
        self.tracker.declare_new_game(Now { at: self.now, line: &self.line }, start, wood.clone(), &mut told);
        self.told = told;
        self.pass_on(out);
        let off = self.line.wood().differs_wood(&wood).count();
        let stands = match off {
            0 => "it stands on the board".to_owned(),
            off => format!("{off} squares are to be put right before the clock is started"),
        };
        Ok(format!("game {} begins from {}; {stands}", self.game, self.tracker.declared().fen()))
    }

    fn paired(&mut self, pairing: &Pairing) -> String {
        // Between two rounds the names of the next are entered while the last game still stands.
        let over = self.tracker.is_over() || self.entered.result.is_some();
        let game = if over {
            self.entered.orders.next = Some(pairing.clone());
            self.game + 1
        } else {
            self.entered.pairing = pairing.clone();
            self.game
        };
        match (&pairing.white, &pairing.black) {
            (None, None) => format!("game {game} has no names"),
            _ => format!("the names of game {game} are entered"),
        }
    }

    fn profiled(&mut self, profile: Option<Profile>, out: &mut Effects) -> String {
        self.entered.orders.profile = profile;
        self.overlay(out);
        let times = self.setup.time_control.map_or_else(String::new, |control| {
            format!(", {} s and {} s a move", control.base_s, control.inc_s)
        });
        format!(
            "this board is played under {}{times}, from now on; what is told already stays as it is",
            self.rules.key
        )
    }

    fn clock_was_set(&mut self, setting: ClockSetting) -> String {
        self.entered.clock_set = Some(setting);
        self.clock.set_by_arbiter();
        self.times_were_set(setting);
        let (white, black) = setting.dials;
        let mut out = format!("set are White {}, Black {}", white.text(), black.text());
        let _ = match self.line.clock() {
            None => write!(out, "; the clock is not heard"),
            Some(clock) if TimesNow::of(clock.dials(), Some(setting.dials), None) == TimesNow::AsProposed => {
                write!(out, ", and so the clock shows")
            }
            Some(clock) => {
                let (white, black) = clock.dials();
                write!(out, "; the clock shows White {}, Black {}", white.text(), black.text())
            }
        };
        out
    }

    fn seat_clock(&mut self, white: Lever) -> String {
        let seating = self.line.seating();
        let end = if white == Lever::Left { "left" } else { "right" };
        if seating.white == white {
            return format!("White's end of the clock is the {end} one already");
        }
        self.line.seat(Seating { white, ..seating });
        format!("White's end of the clock is the {end} one from now on")
    }

    fn seat_white(&mut self, seat: Seat) -> String {
        let seating = self.line.seating();
        let turned = match seat {
            Seat::FirstRank => Turned::No,
            Seat::EighthRank => Turned::Half,
        };
        if seating.turned == turned {
            return format!("White sits at the board's own {} already", seat.word());
        }
        self.line.seat(Seating { turned, ..seating });
        if self.tracker.record().is_empty() && self.tracker.phase() == Phase::Waiting {
            self.tracker = tracker(&self.setup);
        }
        let off = self.line.wood().differs(&self.tracker.record().end().board).count();
        format!(
            "White sits at the board's own {}; {off} squares differ from the position of the record",
            seat.word()
        )
    }

    fn mute(&mut self, code: RuleId) -> Result<String, String> {
        if self.is_shadowed(code) {
            return Err(format!("\"{}\" is not told on this board as it is", code.name()));
        }
        let operator = code.rule().severity == Severity::Operator;
        self.entered.orders.muted.push(code);
        let open = self.desk.open().filter(|alert| alert.primary().code == code).count();
        let rest = match open {
            0 => String::new(),
            open => format!("; {open} open alerts of it stay open: rule on them"),
        };
        let who = if operator { "operators" } else { "arbiters" };
        Ok(format!("\"{}\" is told to no {who} on this board until it is unmuted{rest}", code.name()))
    }

    fn unmute(&mut self, code: RuleId) -> Result<String, String> {
        let muted = &mut self.entered.orders.muted;
        match muted.iter().position(|known| *known == code) {
            Some(at) => {
                muted.remove(at);
                Ok(format!("\"{}\" is told again", code.name()))
            }
            None if self.is_shadowed(code) => {
                Err(format!("\"{}\" is in shadow mode by the configuration: change it there", code.name()))
            }
            None => Err(format!("\"{}\" was not muted", code.name())),
        }
    }

    fn zoned(&mut self, arbiter: Option<String>, out: &mut Effects) -> String {
        let said = match &arbiter {
            Some(arbiter) => format!("this board is in the zone of {arbiter}"),
            None => "this board is in nobody's zone".to_owned(),
        };
        self.entered.orders.zone = Some(arbiter);
        self.overlay(out);
        said
    }

    fn feed_held(&mut self, held: bool) -> String {
        self.entered.orders.hold = Some(held);
        match held {
            true => "nothing of this board goes to the public until it is released".to_owned(),
            false => "this board goes to the public again, as its delay has it".to_owned(),
        }
    }

    fn contacts_lately(&self, request: &Request, seconds: u32) -> Response {
        let from = Tick::from_us(self.now.us().saturating_sub(u64::from(seconds) * 1_000_000));
        let contacts: Vec<_> = self
            .line
            .contacts_since(from)
            .map(|contact| (contact.at, contact.square, contact.was.letter(), contact.now.letter()))
            .collect();
        let left_out = contacts.len().saturating_sub(CONTACTS_TOLD);
        let presses = self.entered.presses.iter().filter(|(at, _)| *at >= from).copied().collect();
        let shown = ContactsShown {
            from,
            to: self.now,
            contacts: contacts.into_iter().skip(left_out).collect(),
            presses,
            left_out,
        };
        let text = format!(
            "{} contacts and {} presses in the last {seconds} s",
            shown.contacts.len() + left_out,
            shown.presses.len()
        );
        let report = Some(Box::new(Report::Contacts(shown)));
        Response { report, ..Response::new(request, Ok(text)) }
    }

    fn games_so_far(&self, request: &Request) -> Response {
        let games = self.games();
        let text = match games.len() {
            1 => "1 game".to_owned(),
            n => format!("{n} games"),
        };
        let report = Some(Box::new(Report::Games(games)));
        Response { report, ..Response::new(request, Ok(text)) }
    }

    /// The games of the board with the one that is being played, oldest first.
    pub(super) fn games(&self) -> Vec<GameSummary> {
        let before = &self.entered.games;
        let skip = (before.len() + 1).saturating_sub(GAMES_MAX);
        before.iter().skip(skip).cloned().chain(std::iter::once(self.summary())).collect()
    }

    /// The game that is being played.
    pub(super) fn summary(&self) -> GameSummary {
        let record = self.tracker.record();
        let shown = self.tracker.signal(&self.line).word().filter(|word| *word != "pending");
        let result = self.entered.result.as_ref().map(|result| result.score).or(shown);
        GameSummary {
            game: self.game,
            began: record.entries().first().and_then(|entry| entry.ply.placed_at.or(entry.ply.pressed_at)),
            plies: count(record.len()),
            result: result.map(str::to_owned),
            offences: (self.desk.offences(Color::White), self.desk.offences(Color::Black)),
        }
    }
}
