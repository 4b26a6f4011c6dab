//! What people ask for and tell: each request is answered once, whatever it was.

use shakmaty::{Bitboard, Color};

use super::{Effects, Publish, Table, count};
use crate::alerts::{REPORTS_UNTIL, Request, Response, Sight, Verb};
use crate::game::Entry;
use crate::laws::{
    Certainty, Facts, Found, RuleId, Severity, Topic, both_kings_in_check, color_name, counter, is_possible,
    pawns_left,
};
use crate::timeline::Contact;

/// What a person reports, and about whom.
#[derive(Clone, Copy)]
struct Reported {
    code: RuleId,
    player: Option<Color>,
    ply: Option<u32>,
}

impl Table {
    /// A request has come.
    pub(super) fn request(&mut self, request: Request, out: &mut Effects) {
        let response = self.answers.given(&request).unwrap_or_else(|| {
            let response = match &request.verb {
                Verb::Claim(claim) => self.claim(&request, claim, out),
                Verb::Board(asked) => self.on_board(&request, asked, out),
                _ => Response::new(&request, self.act(&request, out)),
            };
            self.answers.keep(request, response.clone());
            response
        });
        out.publish.push(Publish::Response(response));
        self.ask_for_claims(out);
        self.publish_state(out);
    }

    fn act(&mut self, request: &Request, out: &mut Effects) -> Result<String, String> {
        self.is_of_this_game(&request.verb)?;
        let order = self.order_of_ruling(&request.verb);
        if let Some(done) = self.desk.act(request, self.now, &mut out.publish) {
            if done.is_ok() {
                order.into_iter().for_each(|order| self.ordered_by_ruling(order, out));
                self.nothing_is_put_back(&request.verb, out);
                self.propose_again();
            }
            return done;
        }
        match &request.verb {
            Verb::Report { code, player, what, witness, ply } => {
                let about = Reported { code: *code, player: *player, ply: *ply };
                self.reported(about, what.as_deref(), witness.as_deref(), request, out)
            }
            Verb::Restore(goal) => self.restore(goal, out),
            // These have been answered.
            _ => Err(format!("\"{}\" is about alerts", request.verb.word())),
        }
    }

    /// An alert of a game that is over cannot be ruled on: what it counted for has ended.
    fn is_of_this_game(&self, verb: &Verb) -> Result<(), String> {
        let Some(id) = verb.alert().filter(|id| self.desk.alert(id).is_err()) else { return Ok(()) };
        let of = id
            .strip_prefix(self.setup.board.as_str())
            .and_then(|rest| rest.strip_prefix("-g"))
            .and_then(|rest| rest.split_once("-p"))
            .and_then(|(game, _)| game.parse::<u32>().ok());
        match of {
            Some(game) if game < self.game => Err(format!(
                "alert \"{id}\" belongs to game {game}, which is over: on the board is game {}",
                self.game
            )),
            _ => Ok(()),
        }
    }

    /// A person has seen something that the sensors did not tell.
    fn reported(
        &mut self,
        about: Reported,
        what: Option<&str>,
        witness: Option<&str>,
        request: &Request,
        out: &mut Effects,
    ) -> Result<String, String> {
        let Reported { code, player, ply } = about;
        let topic = Topic::of(code).filter(|_| code.rule().severity != Severity::Operator);
        let Some(topic) = topic else {
            return Err(format!("\"{}\" is about equipment: report what a player did", code.name()));
        };
        if player.is_none() && self.rules.counts(topic) {
            return Err(format!("\"{}\" counts for a player: say \"player\" white or black", code.name()));
        }
        if self.is_shadowed(code) {
            return Err(format!("\"{}\" is in shadow mode on this board: take it out first", code.name()));
        }
        if self.desk.open().count() >= REPORTS_UNTIL {
            return Err(format!("{REPORTS_UNTIL} alerts are open on this board: rule on some of them first"));
        }
        let by = witness.unwrap_or(&request.by);
        let said = what.map_or_else(|| code.rule().about.to_owned(), str::to_owned);
        let mut found = Found::new(code, player, Bitboard::EMPTY, format!("reported by {by}: {said}"));
        // A person has seen it; the sensors prove nothing.
        (found.severity, found.certainty) = (Severity::Check, Certainty::Possible);
        let facts = match (ply, player) {
            (Some(ply), _) => Some(self.facts_of_ply(ply, player, &mut found)?),
            (None, Some(player)) => self.facts_of_last_move(player, &mut found),
            (None, None) => None,
        };
        let facts = facts.unwrap_or_else(|| self.facts_now());
        let ply = facts.ply;
        let id = self.send(found, ply, facts, true, out);
        // What several findings of one action share is one alert, under the first one's id.
        let alert = self.desk.open().find(|alert| alert.findings.iter().any(|known| known.id == id));
        let alert = alert.map_or_else(|| id.clone(), |alert| alert.id.clone());
        if witness.is_none() {
            let seen =
                Request { verb: Verb::Seen { alert: alert.clone(), what: Sight::Action }, ..request.clone() };
            if let Some(done) = self.desk.act(&seen, self.now, &mut out.publish) {
                done?;
            }
        }
        let whose = player.map_or(String::new(), |side| format!(" by {}", color_name(side)));
        Ok(format!("{alert} is open: {}{whose}; rule on it", code.name()))
    }

    /// What is known of the last move of `player`, which a report about him is about; `None` if the
    /// record does not end with it.
    fn facts_of_last_move(&self, player: Color, found: &mut Found) -> Option<Facts> {
        let entries = self.tracker.record().entries();
        let last = entries.iter().rposition(|entry| entry.ply.side == player)?;
        // Else it is his turn: what is reported is what he is doing now.
        if last + 1 != entries.len() {
            return None;
        }
        self.facts_of_move(last, found)
    }

    /// The same of the move of this ply.
    fn facts_of_ply(&self, ply: u32, player: Option<Color>, found: &mut Found) -> Result<Facts, String> {
        let entries = self.tracker.record().entries();
        let at = usize::try_from(ply).unwrap_or(usize::MAX).checked_sub(1);
        let entry = at.and_then(|at| entries.get(at));
        let entry = entry.ok_or_else(|| match entries.len() {
            0 => "no ply is in the record: leave \"ply\" out".to_owned(),
            plies => format!("ply {ply} is not in the record: use 1 to {plies}"),
        })?;
        if let Some(player) = player.filter(|player| *player != entry.ply.side) {
            let (played, said) = (color_name(entry.ply.side), color_name(player));
            return Err(format!("ply {ply} is {played}'s, and the report is about {said}"));
        }
        let facts = at.and_then(|at| self.facts_of_move(at, found));
        facts.ok_or_else(|| format!("nothing is known of how ply {ply} was made: leave \"ply\" out"))
    }

    fn facts_of_move(&self, last: usize, found: &mut Found) -> Option<Facts> {
        let entries = self.tracker.record().entries();
        let entry: &Entry = entries.get(last)?;
        let from = last.checked_sub(1).and_then(|before| entries[before].ply.placed_at);
        let until = entry.ply.pressed_at.or(entry.ply.placed_at)?;
        let from = from.unwrap_or(crate::tick::Tick::ZERO);
        let theirs = |c: &&Contact| c.at > from && c.at <= until && !c.in_dump;
        let contacts: Vec<Contact> = self.line.contacts_since(from).filter(theirs).copied().collect();
        found.tried = Some(entry.ply.uci.clone());
        let wood = self.line.wood();
        Some(Facts {
            ply: count(last + 1),
            last_correct_fen: entry.before.fen(),
            last_correct_ply: count(last),
            to_move: Some(entry.before.turn),
            action: contacts.iter().map(super::news::step).collect(),
            pressed_at: entry.ply.pressed_at,
            counter: Some(counter(self.tracker.record(), last)),
            dials_then: self.dials_at(last),
            tried: Some(entry.ply.uci.clone()),
            differs: wood.differs(&entry.before.board).into_iter().collect(),
            ..self.facts_now()
        })
    }

    /// Whether somebody's reply is on the board, uncompleted: it may close the window of a claim.
    pub(super) fn reply(&mut self, out: &mut Effects) {
        // Pieces that travel back are nobody's reply.
        if self.tracker.is_held() || !self.desk.awaits_reply() && !self.shadow_desk.awaits_reply() {
            return;
        }
        let (by, now) = (self.tracker.reply_shown(), self.now);
        self.desks(out, |desk, out| desk.reply_shown(by, now, out));
    }

    /// Whether the position of the record is an illegal one in the sense of A.5.4.
    pub(super) fn is_illegal_now(&self) -> bool {
        let position = self.tracker.record().end();
        both_kings_in_check(position) || pawns_left(&position.board).any() || !is_possible(&position.board)
    }
}
