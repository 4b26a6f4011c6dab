//! From what the game tells to what is published: findings with ids and facts, moves, alerts.

use shakmaty::Square;

use super::calibration::order;
use super::{Effects, MoveMade, Publish, Table, count};
use crate::events::Pieces;
use crate::game::{Entry, Explanation, Illegal, Judgement, Matter, Told};
use crate::laws::{
    Certainty, Facts, Finding, Found, RuleId, Severity, Step, counter, detect, is_a_draw_under,
};
use crate::tick::Tick;
use crate::timeline::Contact;

/// How many judgements can still be taken back.
pub(super) const JUDGED_MAX: usize = 64;

impl Table {
    /// Passes on what the tracker has told; says whether there was anything.
    pub(super) fn pass_on(&mut self, out: &mut Effects) -> bool {
        out.ask_dump |= self.tracker.take_wants_dump();
        let told = std::mem::take(&mut self.told);
        let any = !told.is_empty();
        let plies = told.iter().any(|news| matches!(news, Told::Ply(_)));
        for news in told {
            match news {
                Told::Ply(index) => {
                    self.ply(index, out);
                    self.replaced(index, out);
                }
                Told::Retracted(keep) => {
                    self.dead_at = self.dead_at.filter(|plies| *plies <= keep);
                    self.unheard.retain(|plies| *plies <= count(keep));
                    self.noted.retain(|finding| finding.facts.ply <= count(keep));
                    out.publish.push(Publish::Retract { to_ply: count(keep), at: self.now });
                }
                Told::Judged(judgement) => self.judgement(&judgement, out),
                Told::Unjudged(key) => self.unjudged(key, out),
                Told::Restored(keep) => self.restored(keep, out),
                Told::NewGame => self.new_game(out),
                Told::Paused => self.paused(out),
            }
        }
        self.heard_again();
        if plies || any && self.tracker.is_over() != self.was_over {
            self.recalibrated(out);
        }
        any
    }

    fn ply(&mut self, index: usize, out: &mut Effects) {
        // A ply that was taken back within the same step is not published.
        if let Some(entry) = self.tracker.record().entries().get(index) {
            let (revision, record) = (entry.revision, entry.ply.clone());
            if record.kind != crate::game::PlyKind::Null {
                let (side, now) = (record.side, self.now);
                self.desks(out, |desk, out| desk.reply_made(side, now, out));
            }
            let (illegal, now) = (self.is_illegal_now(), self.now);
            self.desks(out, |desk, out| desk.completed(illegal, now, out));
            out.publish.push(Publish::Move(MoveMade {
                ply: count(index + 1),
                revision,
                record,
                at: self.now,
            }));
        }
    }

    fn judgement(&mut self, judgement: &Judgement, out: &mut Effects) {
        let mut ids = Vec::new();
        for found in self.news_of(judgement, detect(judgement)) {
            if !is_a_draw_under(found.code, judgement, &self.rules) {
                continue;
            }
            if found.code == RuleId::DeadPosition && self.dead_at.is_some() {
                continue; // It was dead before, and that was told.
            }
            if matches!(found.code, RuleId::Threefold | RuleId::Fifty) {
                self.claimable = Some((count(judgement.plies + 1), found.code));
            }
            let found = if judgement.doubted { found.in_doubt() } else { found };
            let (code, facts) = (found.code, self.facts_of(judgement, &found));
            let id = self.publish(found, count(judgement.plies + 1), facts, out);
            self.told_standing(code, &id);
            ids.push(id);
        }
        self.rests_on(judgement.key, ids);
        self.suspect_death(judgement, out);
        self.suspect_win(judgement, out);
    }

    /// These findings fall with the judgement of this key.
    pub(super) fn rests_on(&mut self, key: u32, ids: Vec<String>) {
        if ids.is_empty() {
            return;
        }
        if let Some((_, known)) = self.judged.iter_mut().find(|(k, _)| *k == key) {
            return known.extend(ids);
        }
        if self.judged.len() == JUDGED_MAX {
            self.judged.pop_front();
        }
        self.judged.push_back((key, ids));
    }

    fn unjudged(&mut self, key: u32, out: &mut Effects) {
        self.unsuspect(key);
        let Some(place) = self.judged.iter().position(|(k, _)| *k == key) else { return };
        if let Some((_, ids)) = self.judged.remove(place) {
            for id in ids {
                let at = self.now;
                self.untold_standing(&id);
                self.noted.retain(|finding| finding.id != id);
                let (hidden, held) = (self.is_hidden(&id), self.desk.is_held(&id));
                self.desks(out, |desk, out| desk.withdrawn(&id, at, out));
                let news = Publish::Withdraw { id, at };
                out.publish.push(match (hidden, held) {
                    (true, _) => Publish::Shadowed(Box::new(news)),
                    (_, true) => Publish::Held(Box::new(news)),
                    (false, false) => news,
                });
            }
        }
    }

    fn restored(&mut self, keep: usize, out: &mut Effects) {
        // What happens while a position is restored is a matter of its own.
        let since = self.restored_since().unwrap_or(Tick::from_us(u64::MAX));
        let after: Vec<String> = self
            .desk
            .open()
            .chain(self.shadow_desk.open())
            .filter(|a| a.findings.first().is_some_and(|f| f.facts.ply > count(keep) && f.at < since))
            .map(|a| a.id.clone())
            .collect();
        for id in after {
            let now = self.now;
            self.desks(out, |desk, out| desk.closed(&id, now, out));
        }
        self.standing.clear();
        let what = match self.restored_instead_of() {
            _ if self.is_declared() => {
                format!("an arbiter has declared the position after ply {keep}: {}", self.declared_fen())
            }
            Some(ply) => {
                format!("the position after ply {keep} was restored instead of that after ply {ply}")
            }
            None => format!("the position after ply {keep} was restored"),
        };
        self.found_plain(RuleId::Restored, &what, out);
    }

    fn new_game(&mut self, out: &mut Effects) {
        let what = match self.entered.new_game_by.take() {
            Some(by) => format!("{by} has declared a new game"),
            None => "the game was cancelled and the array set up again".to_owned(),
        };
        self.found_plain(RuleId::NewGame, &what, out);
        self.entered.begin_game();
        let now = self.now;
        self.desks(out, |desk, out| desk.new_game(now, out));
        self.game += 1;
        let game = self.game;
        self.ordinals.retain(|(of, _, _), _| *of >= game);
        self.judged.clear();
        self.standing.clear();
        self.claimable = None;
        self.asked.clear();
        self.dead_at = None;
        self.unheard.clear();
        self.noted.clear();
        self.episode = None;
        self.game_begins(out);
    }

    /// A finding that the clock alone shows.
    pub(super) fn found_by_clock(&mut self, found: Found, out: &mut Effects) -> String {
        let facts = self.facts_now();
        let ply = facts.ply;
        self.publish(found, ply, facts, out)
    }

    /// A finding without squares, for the record or the operator.
    pub(super) fn found_plain(&mut self, code: RuleId, what: &str, out: &mut Effects) {
        let found = Found::new(code, None, shakmaty::Bitboard::EMPTY, what.to_owned());
        self.found_by_clock(found, out);
    }

    /// Numbers a finding and sends it out; returns its id.
    pub(super) fn publish(&mut self, found: Found, ply: u32, facts: Facts, out: &mut Effects) -> String {
        let (severity, certainty) = self.how_grave(&found);
        let found = self.in_doubt_if_disturbed(Found { severity, certainty, ..found });
        self.send(found, ply, facts, false, out)
    }

    /// The same with severity and certainty as they stand, whatever the rule set says of the rule.
    /// `reported`: by a person.
    pub(super) fn send(
        &mut self,
        found: Found,
        ply: u32,
        facts: Facts,
        reported: bool,
        out: &mut Effects,
    ) -> String {
        let ordinal = self.ordinals.entry((self.game, ply, found.code)).or_insert(0);
        *ordinal += 1;
        let id = format!("{}-g{}-p{ply}-{}-{ordinal}", self.setup.board, self.game, found.code.name());
        let turned = self.line.seating().turned.is_sideways();
        let of_the_board = matches!(found.code, RuleId::WrongSetup | RuleId::WrongOrientation);
        let squares = if turned && of_the_board {
            found.squares.iter().map(|s| self.line.seating().sensor(*s).raw()).collect()
        } else {
            found.squares
        };
        let finding = Finding {
            id: id.clone(),
            revision: 0,
            code: found.code,
            severity: found.severity,
            certainty: found.certainty,
            side: found.side,
            at: self.now,
            squares,
            what: found.what,
            facts,
        };
        if self.is_shadowed(finding.code) {
            self.hide(finding, out);
            return id;
        }
        let (board, rules) = (&self.setup.board, &self.rules);
        match reported {
            false => self.desk.found(board, &finding, rules, &mut out.publish),
            true => self.desk.reported(board, &finding, rules, &mut out.publish),
        }
        self.note(&finding);
        out.publish.push(Publish::Finding(Box::new(finding)));
        id
    }

    /// A board that cannot tell pieces apart proves nothing about which piece stands where.
    fn how_grave(&self, found: &Found) -> (Severity, Certainty) {
        let severity = self.rules.severity(found.code, found.severity);
        let by_pieces = !found.squares.is_empty() && self.setup.pieces == Pieces::Occupancy;
        if by_pieces {
            return (severity.min(Severity::Check), found.certainty.min(Certainty::Probable));
        }
        (severity, found.certainty)
    }

    pub(super) fn facts_of(&self, judgement: &Judgement, found: &Found) -> Facts {
        let first = judgement.contacts.first().map_or(judgement.at, |c| c.at);
        let from = first.min(judgement.pressed_at.unwrap_or(first));
        let mut facts = Facts {
            game: self.game,
            ply: count(judgement.plies + 1),
            last_correct_fen: judgement.before.fen(),
            last_correct_ply: count(judgement.plies),
            made: count(judgement.plies),
            to_move: Some(judgement.before.turn),
            wood: judgement.wood.placement(),
            action: judgement.contacts.iter().map(step).collect(),
            pressed_at: judgement.pressed_at,
            counter: Some(counter(self.tracker.record(), judgement.plies)),
            dials_then: self.dials_at(judgement.plies),
            dials_now: self.line.clock().map(|c| c.dials()),
            tried: found.tried.clone(),
            history: self.history_of(judgement),
            differs: judgement.wood.differs(&judgement.before.board).into_iter().collect::<Vec<Square>>(),
            evidence: self.evidence(from),
            order: order(judgement, found),
        };
        self.last_possible(found.code, &mut facts);
        facts
    }

    /// The moves before an illegal castling: which of king and rook had moved is read from them.
    fn history_of(&self, judgement: &Judgement) -> Vec<String> {
        let Matter::Action(Explanation::Illegal(Illegal::Castling(_))) = judgement.matter else {
            return Vec::new();
        };
        let entries = self.tracker.record().entries();
        entries.iter().take(judgement.plies).map(|entry| entry.ply.uci.clone()).collect()
    }

    pub(super) fn facts_now(&self) -> Facts {
        let record = self.tracker.record();
        let plies = record.len();
        Facts {
            game: self.game,
            ply: count(plies + 1),
            last_correct_fen: record.end().fen(),
            last_correct_ply: count(plies),
            made: count(plies + usize::from(self.tracker.reply_shown().is_some())),
            to_move: Some(record.end().turn),
            wood: self.line.wood().placement(),
            action: Vec::new(),
            pressed_at: None,
            counter: Some(counter(record, plies)),
            dials_then: self.dials_at(plies),
            dials_now: self.line.clock().map(|c| c.dials()),
            tried: None,
            history: Vec::new(),
            differs: self.line.wood().differs(&record.end().board).into_iter().collect::<Vec<Square>>(),
            evidence: self.evidence(self.now),
            order: None,
        }
    }

    pub(super) fn dials_at(&self, plies: usize) -> Option<(crate::tick::Dial, crate::tick::Dial)> {
        let entries: &[Entry] = self.tracker.record().entries();
        plies.checked_sub(1).and_then(|i| entries.get(i)).and_then(|e| e.ply.dials)
    }

    /// The inputs, counted from 1, from `from` up to now.
    fn evidence(&self, from: Tick) -> (u64, u64) {
        let first = self.inputs.iter().find(|(at, _)| *at >= from).map_or(self.input_count, |(_, n)| *n);
        (first, self.input_count)
    }
}

pub(super) fn step(contact: &Contact) -> Step {
    Step { at: contact.at, square: contact.square, piece: contact.now.letter(), before: contact.was.letter() }
}
