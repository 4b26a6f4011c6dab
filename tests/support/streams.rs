//! A worked case as a script of hands and clock: history, what was ruled on before, what nobody
//! has ruled on, the act, and the opponent's reply.

use jadoube::game::{Move, Position};
use serde_json::Value;
use shakmaty::{Color, Role};

/// How far a script goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// Up to the act and what the sensors need to settle.
    Act,
    /// To the end.
    End,
}

/// A case that cannot be played on a board, and why.
pub type CannotBePlayed = &'static str;

/// The script of a case. `asked` are words of requests made after the act, before the reply.
pub fn script(facts: &Value, until: Until, asked: &[String]) -> Result<String, CannotBePlayed> {
    let mut player = Player::new(facts)?;
    player.offences()?;
    player.history()?;
    for earlier in facts["earlier"].as_array().into_iter().flatten() {
        player.act(earlier)?;
        player.say("..1500");
    }
    player.flag_before()?;
    player.act(facts)?;
    player.say("..1500");
    player.reports();
    player.words.extend(asked.iter().cloned());
    if until == Until::End {
        player.reply()?;
    }
    for _ in 0..6 {
        player.say("..2000");
        player.say("tick");
    }
    Ok(format!("{}--\n{}\n--\n", player.head, player.words.join(" ")))
}

/// Steps whose moments a case does not say are those of a calm hand.
const CALM_MS: u64 = 1000;

struct Player<'a> {
    facts: &'a Value,
    head: String,
    words: Vec<String>,
    /// Where the legal play is.
    position: Position,
}

/// Whether a value is there and not null.
fn there<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    value.get(key).filter(|value| !value.is_null())
}

fn color(value: &Value) -> Option<Color> {
    value.as_str().and_then(|text| text.parse().ok())
}

fn lever(color: Color) -> &'static str {
    color.fold_wb("W", "B")
}

impl<'a> Player<'a> {
    fn new(facts: &'a Value) -> Result<Self, CannotBePlayed> {
        let key = facts["ruleset"].as_str().ok_or("no rule set")?;
        let mut head = format!("ruleset {key}\n");
        for (name, value) in facts["event"].as_object().into_iter().flatten() {
            if name != "time_control" && !value.is_null() {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                head.push_str(&format!("rules {name} {text}\n"));
            }
        }
        let at = match there(facts, "history") {
            Some(history) => &history["from"],
            None => &facts["position"],
        };
        let fen = at.as_str().ok_or("no position to play from")?;
        let position = Position::from_fen(fen).ok_or("no position to play from")?;
        head.push_str(&format!("start {fen}\n"));
        let words = vec![format!("go:{}", lever(position.turn)), "..3000".to_owned()];
        Ok(Player { facts, head, words, position })
    }

    fn say(&mut self, word: &str) {
        self.words.push(word.to_owned());
    }

    /// What was ruled on before is reported and upheld.
    fn offences(&mut self) -> Result<(), CannotBePlayed> {
        let mut told: Vec<String> = Vec::new();
        for side in ["white", "black"] {
            for offence in self.facts["offences"][side].as_array().into_iter().flatten() {
                let kind = offence["kind"].as_str().ok_or("an offence without a kind")?;
                told.push(kind.to_owned());
                let nth = told.iter().filter(|known| *known == kind).count();
                self.say(&format!("ask:report,code={kind},player={side}"));
                self.say("..500");
                self.say(&format!("ask:rule,alert=p1-{kind}-{nth},ruling=upheld"));
                self.say("..500");
            }
        }
        Ok(())
    }

    /// The legal play that led to the position.
    fn history(&mut self) -> Result<(), CannotBePlayed> {
        let Some(history) = there(self.facts, "history") else { return Ok(()) };
        let moves = history["moves"].as_array().ok_or("a history without moves")?;
        for (ply, uci) in moves.iter().enumerate() {
            let uci = uci.as_str().ok_or("a history without moves")?;
            let by = self.position.turn;
            let is_last_of_side = ply + 2 >= moves.len();
            let name = by.to_string();
            let unpressed = is_last_of_side
                && there(&self.facts["unpressed"], &name).and_then(Value::as_str) == Some(uci);
            self.legal_move(uci)?;
            if !unpressed {
                self.press(by);
            }
        }
        Ok(())
    }

    fn legal_move(&mut self, uci: &str) -> Result<(), CannotBePlayed> {
        let found =
            self.position.legal_moves().into_iter().find(|m| m.uci() == uci || m.uci_chess960() == uci);
        let Some(m) = found else { return self.forced_move(uci) };
        self.hand(&m);
        self.position = self.position.play(&m);
        Ok(())
    }

    /// A move that the rules of chess do not allow from here, as it is written.
    fn forced_move(&mut self, uci: &str) -> Result<(), CannotBePlayed> {
        let (from, to) = uci.get(..2).zip(uci.get(2..4)).ok_or("a move that is none")?;
        self.say("..800");
        self.say(&format!("{from}-{to}"));
        Ok(())
    }

    /// A hand plays a legal move: what is captured first, the rook last.
    fn hand(&mut self, m: &Move) {
        let letter = |role: Role, color: Color| shakmaty::Piece { color, role }.char();
        let us = self.position.turn;
        self.say("..800");
        if let Some(square) = m.capture {
            self.say(&format!("{square}-"));
            self.say("=400");
        }
        if let Some((rook, rook_to)) = m.rook {
            let (king, castle) = (letter(Role::King, us), letter(Role::Rook, us));
            for word in [
                format!("{}-", m.from),
                format!("{}+{king}", m.to),
                format!("{rook}-"),
                format!("{rook_to}+{castle}"),
            ] {
                self.say("=400");
                self.words.push(word);
            }
            return;
        }
        self.say(&format!("{}-", m.from));
        self.say("=400");
        self.words.push(format!("{}+{}", m.to, letter(m.promotion.unwrap_or(m.role), us)));
    }

    fn press(&mut self, by: Color) {
        self.say("=400");
        self.words.push(format!("{}!", lever(by)));
    }

    /// An act of the case: contacts and press, in their order and at their moments.
    fn act(&mut self, act: &Value) -> Result<(), CannotBePlayed> {
        let press = there(act, "press");
        let by = press.and_then(|press| color(&press["by"]));
        let before = press.is_some_and(|press| press["order"] == "before");
        let mut at = None;
        if before && let Some(by) = by {
            self.press(by);
            at = press.and_then(|press| press["t_ms"].as_u64());
        }
        self.say("..800");
        for touch in act["contacts"].as_array().into_iter().flatten() {
            let now = touch["t_ms"].as_u64();
            let gap = now.zip(at).map_or(CALM_MS, |(now, at): (u64, u64)| now.saturating_sub(at));
            at = now.or(at);
            self.say(&format!("={gap}"));
            let piece = touch["piece"].as_str().ok_or("a touch without a piece")?;
            match (there(touch, "lift"), there(touch, "place")) {
                (Some(square), _) => self.say(&format!("{}-", square.as_str().ok_or("no square")?)),
                (_, Some(square)) => self.say(&format!("{}+{piece}", square.as_str().ok_or("no square")?)),
                _ => return Err("a touch that is none"),
            }
        }
        if !before && let (Some(press), Some(by)) = (press, by) {
            let gap = press["t_ms"].as_u64().zip(at).map_or(400, |(now, at)| now.saturating_sub(at));
            self.say(&format!("={gap}"));
            self.words.push(format!("{}!", lever(by)));
        }
        Ok(())
    }

    /// A flag that fell: that side's time runs out.
    fn flag_before(&mut self) -> Result<(), CannotBePlayed> {
        if self.facts["situation"] != "flag-fall" {
            return Ok(());
        }
        let side = color(&self.facts["clock"]["flag"]["side"]).ok_or("no flag has fallen")?;
        if side != self.position.turn {
            return Err("the flag of the player not on move fell");
        }
        if self.facts["contacts"].as_array().is_some_and(|contacts| !contacts.is_empty()) {
            return Err("a move and a flag within a second");
        }
        self.say(&format!("{}=2", lever(side)));
        for _ in 0..4 {
            self.say("..1000");
            self.say("tick");
        }
        Ok(())
    }

    /// Some move of the opponent that takes nothing, where the case does not say which.
    fn some_reply(&self, them: Color) -> Result<Move, CannotBePlayed> {
        let after = self.facts["placement_after"].as_str().ok_or("no board to reply on")?;
        let turn = them.fold_wb("w", "b");
        let position =
            Position::from_fen(&format!("{after} {turn} - - 0 1")).ok_or("no board to reply on")?;
        let quiet = |m: &Move| m.capture.is_none() && m.promotion.is_none() && m.rook.is_none();
        position.legal_moves().into_iter().find(quiet).ok_or("no reply is possible")
    }

    /// What people saw and sensors did not: two hands, the other hand at the clock.
    fn reports(&mut self) {
        // What the arbiter has not seen himself a player told him.
        let witness = if self.facts["arbiter_observed"] == true { "" } else { ",witness=the_opponent" };
        let mut report = |code: &str, side: &Value| {
            if let Some(side) = side.as_str() {
                self.words.push(format!("ask:report,code={code},player={side}{witness}"));
                self.words.push("..300".to_owned());
            }
        };
        let actor = &self.facts["actor"];
        if self.facts["hands"] == 2 {
            report("two-hands", actor);
        }
        if self.facts["press"]["hand"] == "other" {
            report("other-hand-press", actor);
        }
        let touch = |claim: &Value| claim["what"] == "touch-move";
        let claimed = self.facts["claims"].as_array().is_some_and(|claims| claims.iter().any(touch));
        let seen = self.facts["arbiter_observed"] == true && self.facts["adjust_announced"] == false;
        if claimed || seen && there(self.facts, "press").is_some() {
            report("touch-move", actor);
        }
    }

    /// What the opponent did: a piece in the hand, a move, a move and a press, a press.
    fn reply(&mut self) -> Result<(), CannotBePlayed> {
        let opponent = &self.facts["opponent"];
        let state = opponent["state"].as_str().unwrap_or("none");
        let Some(actor) = color(&self.facts["actor"]) else { return Ok(()) };
        let them = actor.other();
        match state {
            "none" => {}
            "pressed-back" => self.press(them),
            "lifted" => {
                let held = self.some_reply(them)?;
                self.say("..800");
                self.words.push(format!("{}-", held.from));
            }
            _ => {
                let some = match opponent["move"].as_str() {
                    Some(uci) => uci.to_owned(),
                    None => self.some_reply(them)?.uci(),
                };
                let uci = some.as_str();
                let square = uci.get(..2).ok_or("a move that is none")?;
                let to = uci.get(2..4).ok_or("a move that is none")?;
                if self.facts["placement_after"].as_str().is_some_and(|p| is_occupied(p, to)) {
                    self.say("..800");
                    self.words.push(format!("{to}-"));
                }
                self.say("..800");
                self.words.push(format!("{square}-{to}"));
                // Sensors do not see that a hand lets go; the press tells it later.
                if state == "released" {
                    self.say("..3000");
                }
                self.press(them);
            }
        }
        Ok(())
    }
}

/// Whether something stands on a square of a placement.
fn is_occupied(placement: &str, square: &str) -> bool {
    let position = Position::from_fen(&format!("{placement} w - - 0 1"));
    let at = position.zip(square.parse().ok());
    at.is_some_and(|(position, square): (Position, shakmaty::Square)| {
        position.board.piece_at(square).is_some()
    })
}
