//! Feeding a stream to a table, and what comes of it.

use jadoube::alerts::{AlertState, Decision, Goal, Request, Sight, Verb};
use jadoube::contract::replay_line;
use jadoube::events::{BoardId, RowKind, Shadow, parse_row};
use jadoube::journal::{Header, Shown, Writer, resume};
use jadoube::table::{Effects, Input, Publish, Stage, Table};
use jadoube::tick::{Span, Tick};
use serde_json::Value;

use super::sense::Row;

/// An arbiter rules on an alert so long after it.
const RULED_AFTER: Span = Span::from_ms(5_000);

/// A deadline that is nearer is one that something depends on.
const DEADLINE: Span = Span::from_ms(700);

/// How often the size of a table is looked at, in lines.
const LOOK: usize = 100;

/// A line the product gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub t: i64,
    pub text: String,
    pub value: Value,
}

/// How a stream is fed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feeding {
    Plain,
    /// Woken at every deadline, and much too often besides.
    Woken,
    /// The arbiter who stops the clock asks for the position that an open alert proposes.
    Asked,
}

/// How the stream of this seed is fed: one arbiter in four asks for what is to be put back.
pub fn feeding(seed: u64) -> Feeding {
    if seed % 4 == 1 { Feeding::Asked } else { Feeding::Plain }
}

/// An arbiter who looks at what is told, and at the clock.
#[derive(Default)]
struct Arbiter {
    alert: Option<String>,
    running: bool,
    asked: u32,
}

impl Arbiter {
    /// What he asks for now that this was told.
    fn asks(&mut self, told: &[Publish]) -> Option<Request> {
        let mut stopped = false;
        for publish in told {
            match publish {
                Publish::Alert(alert) => {
                    let open = alert.state == AlertState::Open && alert.asks();
                    if open && alert.advice.restore.is_some() {
                        self.alert = Some(alert.id.clone());
                    } else if self.alert.as_ref() == Some(&alert.id) {
                        self.alert = None;
                    }
                }
                Publish::State(state) => {
                    let running = state.running.is_some();
                    stopped |= std::mem::replace(&mut self.running, running) && !running;
                }
                _ => {}
            }
        }
        let alert = self.alert.clone().filter(|_| stopped)?;
        self.asked += 1;
        let id = format!("restore-{}", self.asked);
        Some(Request { id, by: "arbiter".to_owned(), verb: Verb::Restore(Goal::Alert(alert)) })
    }
}

pub fn input(text: &str) -> (Tick, Input) {
    let row = parse_row(text).unwrap_or_else(|e| panic!("the room wrote a bad line {text}: {e}"));
    let input = match row.kind {
        RowKind::Meta(setup) => Input::Setting(setup),
        RowKind::Report(report) => Input::Report(report),
    };
    (row.at, input)
}

/// The inputs of these rows as they are.
pub fn plain(rows: &[Row]) -> Vec<(Tick, Input)> {
    rows.iter().map(|row| input(&row.json())).collect()
}

/// How far each episode came that an arbiter asked for while these rows were fed.
pub fn episodes(rows: &[Row]) -> Vec<Stage> {
    let (mut table, mut effects, mut arbiter) = (Table::new(), Effects::default(), Arbiter::default());
    let (mut out, mut since) = (Vec::new(), None);
    for row in rows {
        let (at, input) = input(&row.json());
        table.step(at, input, &mut effects);
        if let Some(request) = arbiter.asks(&effects.publish) {
            table.step(at, Input::Request(request), &mut effects);
        }
        for publish in effects.publish.drain(..) {
            match publish {
                Publish::Response(response) => {
                    assert!(response.outcome.is_ok(), "what an alert proposes is refused: {response:?}");
                }
                Publish::State(state) => {
                    let Some(episode) = &state.episode else {
                        // It was recognised as the clock was started, and play goes on.
                        let over = out.last_mut().filter(|stage| **stage == Stage::Travelling);
                        over.into_iter().for_each(|stage| *stage = Stage::Resumed);
                        continue;
                    };
                    if since.replace(episode.since) != Some(episode.since) {
                        out.push(episode.stage);
                    }
                    out.last_mut().into_iter().for_each(|stage| *stage = episode.stage);
                }
                _ => {}
            }
        }
    }
    out
}

/// The lines of replay for these rows.
pub fn lines(rows: &[Row], feeding: Feeding) -> Vec<Line> {
    let texts: Vec<String> = rows.iter().map(Row::json).collect();
    lines_of(&texts, feeding)
}

pub fn lines_of(texts: &[String], feeding: Feeding) -> Vec<Line> {
    let mut table = Table::new();
    let mut effects = Effects::default();
    let mut out = Vec::new();
    let mut last = Tick::ZERO;
    let mut arbiter = Arbiter::default();
    for text in texts {
        let (at, input) = input(text);
        if feeding == Feeding::Woken {
            let mut t = last.us() + 90_000;
            while t < at.us() && t < last.us() + 8_000_000 {
                table.step(Tick::from_us(t), Input::Timer, &mut effects);
                t += 90_000;
            }
        }
        last = at;
        table.step(at, input, &mut effects);
        if feeding == Feeding::Asked
            && let Some(request) = arbiter.asks(&effects.publish)
        {
            table.step(at, Input::Request(request), &mut effects);
        }
        out.extend(effects.publish.drain(..).filter_map(|p| replay_line(&p)));
    }
    out.into_iter().map(read).collect()
}

fn read(text: String) -> Line {
    let value: Value = serde_json::from_str(&text).expect("replay prints JSON");
    Line { t: value["t_ms"].as_i64().unwrap_or(-1), value, text }
}

/// Without what counts inputs, which extra wake-ups change.
pub fn without_evidence(lines: &[Line]) -> Vec<String> {
    lines.iter().map(|l| l.text.split(",\"evidence\"").next().unwrap_or_default().to_owned()).collect()
}

/// How much room the state of a table takes, by its own account, after these lines.
pub fn size_after(texts: &[String]) -> usize {
    let mut table = Table::new();
    feed(&mut table, texts);
    size(&table)
}

/// How much room the state of a table takes, by its own account.
pub fn size(table: &Table) -> usize {
    format!("{table:?}").len()
}

/// Gives these lines to a table; says what the largest sizes were, looked at now and then, and
/// fails if more of anything is remembered than may be.
pub fn feed(table: &mut Table, texts: &[String]) -> usize {
    let mut effects = Effects::default();
    let mut largest = 0;
    for (index, text) in texts.iter().enumerate() {
        let (at, input) = input(text);
        table.step(at, input, &mut effects);
        effects.publish.clear();
        effects.ask_mating.clear();
        if index % LOOK == 0 {
            largest = largest.max(size(table));
            for (what, held, most) in table.holds() {
                assert!(most.is_none_or(|most| held <= most), "{held} {what} are remembered at {at:?}");
            }
        }
    }
    largest
}

/// The inputs of these rows, in shadow mode or not; some time after each alert that asks for it an
/// arbiter upholds it.
pub fn inputs(rows: &[Row], shadow: &Shadow) -> Vec<(Tick, Input)> {
    let mut out: Vec<(Tick, Input)> = Vec::new();
    let mut table = Table::new();
    let mut asked: Vec<(Tick, Input)> = Vec::new();
    for (at, mut next) in rows.iter().map(|r| input(&r.json())) {
        if let Input::Setting(setup) = &mut next {
            setup.shadow = shadow.clone();
            if rows.len().is_multiple_of(3) {
                setup.event_rules.push(("notify".to_owned(), "delayed".to_owned()));
            }
        }
        while asked.first().is_some_and(|(then, _)| *then <= at) {
            out.push(asked.remove(0));
        }
        let mut effects = Effects::default();
        table.step(at, next.clone(), &mut effects);
        out.push((at, next));
        for publish in effects.publish {
            if let Publish::Alert(alert) = publish
                && alert.revision == 0
            {
                asked.extend(entered(&alert.id).into_iter().enumerate().map(|(n, verb)| {
                    let id = format!("r{n}-{}", alert.id);
                    (at + RULED_AFTER, Input::Request(Request { id, by: "arbiter".to_owned(), verb }))
                }));
            }
        }
    }
    out
}

/// What an arbiter enters about an alert, one thing after the other: each alert gets one of the ways
/// in which arbiters end a matter, and some change their minds.
fn entered(id: &str) -> Vec<Verb> {
    let alert = id.to_owned();
    let rule = |ruling| Verb::ruling(&alert, ruling);
    let seen = |what| Verb::Seen { alert: alert.clone(), what };
    let undo = || Verb::Undo { alert: alert.clone() };
    match id.bytes().map(usize::from).sum::<usize>() % 8 {
        0 => vec![rule(Decision::Upheld)],
        1 => vec![rule(Decision::Dismissed)],
        2 => vec![seen(Sight::Action), rule(Decision::Stands)],
        3 => vec![rule(Decision::Upheld), undo(), rule(Decision::Noted)],
        4 => vec![Verb::AgreedCorrection { alert: alert.clone() }],
        5 => vec![Verb::Strike { alert: alert.clone(), steps: vec![1] }, rule(Decision::Upheld)],
        6 => vec![Verb::Restore(Goal::Alert(alert.clone())), rule(Decision::Upheld)],
        _ => vec![seen(Sight::Position), undo()],
    }
}

/// What a journal has a line for; the state repeats what other lines say.
fn is_told(publish: &Publish) -> bool {
    Shown::of(publish).is_some() || matches!(publish, Publish::Response(_) | Publish::Calibration(_))
}

/// What people are told of these inputs, and the inputs at which a kill is worth trying: those
/// that made somebody be told something, and those after which a deadline is near.
pub fn told(inputs: &[(Tick, Input)]) -> (Vec<Publish>, Vec<usize>, Vec<usize>) {
    let mut table = Table::new();
    let (mut out, mut telling, mut pending) = (Vec::new(), Vec::new(), Vec::new());
    for (index, (at, input)) in inputs.iter().enumerate() {
        let mut effects = Effects::default();
        table.step(*at, input.clone(), &mut effects);
        if effects.publish.iter().any(|p| matches!(p, Publish::Finding(_) | Publish::Shadowed(_))) {
            telling.push(index);
        }
        if effects.wake_at.is_some_and(|wake| wake <= *at + DEADLINE) {
            pending.push(index);
        }
        out.extend(effects.publish.into_iter().filter(is_told));
    }
    (out, telling, pending)
}

/// Where a table is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kill {
    /// While this input is taken.
    pub input: usize,
    /// After so many of the lines that the input causes were written; the next one is cut off.
    pub lines: usize,
}

/// The same, with the table killed now and then and built again from its journal alone.
pub fn resumed(inputs: &[(Tick, Input)], kills: &[Kill]) -> Vec<Publish> {
    let board = BoardId::new("b1").expect("a word");
    let header = Header {
        program: "room".to_owned(),
        node: String::new(),
        board,
        ruleset: "fide-2023/standard".to_owned(),
        start_ms: 0,
        after: None,
        rules_digest: None,
        clock_synchronised: None,
    };
    let (mut writer, mut journal) = Writer::new(&header);
    let mut table = Table::new();
    let mut out = Vec::new();
    for (index, (at, input)) in inputs.iter().enumerate() {
        let mut lines = vec![writer.input(*at, input)];
        let mut effects = Effects::default();
        table.step(*at, input.clone(), &mut effects);
        let mut told = Vec::new();
        for publish in effects.publish.into_iter().filter(is_told) {
            lines.extend(Shown::of(&publish).map(|shown| writer.shown(*at, &shown)));
            match &publish {
                Publish::Response(response) => lines.push(writer.response(*at, response)),
                Publish::Calibration(shown) => lines.push(writer.calibration(*at, shown)),
                _ => {}
            }
            told.push((lines.len(), publish));
        }
        let Some(kill) = kills.iter().find(|k| k.input == index) else {
            journal.extend(lines);
            out.extend(told.into_iter().map(|(_, p)| p));
            continue;
        };
        // At least the input is written: what was not is not known to anybody.
        let written = kill.lines.clamp(1, lines.len());
        journal.extend(lines[..written].iter().map(String::as_str));
        let whole = journal.len();
        if let Some(next) = lines.get(written) {
            journal.push_str(&next[..next.len() / 2]);
        }
        let again = resume(journal.lines());
        assert_eq!(again.damage.is_some(), written < lines.len(), "the line that was cut off is found");
        journal.truncate(whole);
        assert_eq!(usize::try_from(again.lines), Ok(journal.lines().count()), "all others are read");
        // What was written as shown was shown.
        out.extend(told.into_iter().filter(|(after, _)| *after <= written).map(|(_, p)| p));
        out.extend(again.unshown);
        (table, writer) = (again.table, again.writer);
    }
    out
}
