//! Physical scripts: what hands and clock do, one word a step, and what must come of it.
//!
//! A file has three parts, separated by lines of `--`: settings, script, expectation.
//!
//! | word | what happens |
//! | --- | --- |
//! | `e2-e4` | a hand takes what stands on e2, and 400 ms later it stands on e4 (what stood there is gone) |
//! | `e2-` `e4+P` | lifted; set down |
//! | `e4=Q` | changes at once into that |
//! | `W!` `B!` | that side presses |
//! | `W?` `B?` | that side presses while the clock stands |
//! | `..400` | milliseconds pass; other words take 200 |
//! | `=10` | the next word takes so many milliseconds instead |
//! | `stop` `go:W` | the clock is stopped; started with White's time running |
//! | `clear` | all pieces are off the board, unheard |
//! | `turn` | the board is turned by half |
//! | `tick` | the clock is read |
//! | `serial:12345` | the board says its serial number |
//! | `W=300` | White's clock is set to so many seconds |
//! | `dump` | all squares are read |
//! | `unplug` `plug` | the clock is taken off the board; it is back |
//! | `down` `up` | the link is lost; it is back, with a dump |
//! | `~e7e5` `~c5+P` `~B` | moved, set down, pressed while nobody hears it |
//! | `uphold:p3-illegal-move-1` | the arbiter upholds that alert of the first game |
//! | `ask:seen,alert=p3-illegal-move-1` | a request: verb, keys and values; `_` is a blank, `1+2` a list |
// Each test program uses a part of this.
#![allow(dead_code)]

use std::path::PathBuf;

use jadoube::alerts::{Request, Verb};
use jadoube::contract::replay_line;
use jadoube::events::{
    BoardId, ClockReading, Device, Identity, Lever, Pieces, Report, Seat, Sensed, SensorSquare, Setup, Start,
    TimeControl, Wood,
};
use jadoube::game::Signal;
use jadoube::mating::Budget;
use jadoube::table::{Effects, Input, Publish, Table};
use jadoube::tick::{Dial, Span, Tick};
use shakmaty::{Piece, Square};

/// A script ready to be played.
#[derive(Debug)]
pub struct Script {
    pub setup: Setup,
    pub words: Vec<String>,
    pub expected: String,
    wood: Option<Wood>,
    turned: bool,
    /// The board has one.
    with_clock: bool,
}

/// Reads a script file.
pub fn parse(text: &str) -> Script {
    let mut parts = text.split("\n--\n");
    let (head, body) = (parts.next().expect("settings"), parts.next().expect("script"));
    let expected = parts.next().unwrap_or_default().trim_matches('\n').to_owned();
    let mut setup = Setup::plain(BoardId::new("t").expect("a word"), Device::Neutral);
    setup.time_control = None;
    let (mut wood, mut turned, mut with_clock) = (None, false, true);
    for line in head.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty()) {
        let (key, value) = line.split_once(' ').expect("key and value");
        match key {
            "ruleset" => setup.ruleset = value.to_owned(),
            "rules" => {
                let (key, value) = value.split_once(' ').expect("key and value");
                setup.event_rules.push((key.to_owned(), value.to_owned()));
            }
            "start" => setup.start = Start::Fen(value.to_owned()),
            "wood" => wood = Some(Wood::from_placement(value).expect("a placement")),
            "shadow" if value == "board" => setup.shadow.board = true,
            "shadow" => setup.shadow.rules.push(value.to_owned()),
            "white-sits" => setup.white_sits = Seat::from_word(value),
            "turned" => turned = value == "half",
            "occupancy" => setup.pieces = Pieces::Occupancy,
            "clock" if value == "none" => with_clock = false,
            "time" => {
                let (base, inc) = value.split_once('+').expect("base+inc");
                let (base_s, inc_s) = (base.parse().expect("seconds"), inc.parse().expect("seconds"));
                setup.time_control =
                    Some(TimeControl { base_s, inc_s, bonus: None, increment_on_first_move: false });
            }
            other => panic!("setting {other} is not known"),
        }
    }
    let code = body.lines().map(|l| l.split('#').next().unwrap_or_default());
    let words = code.flat_map(str::split_whitespace).map(str::to_owned).collect();
    Script { setup, words, expected, wood, turned, with_clock }
}

/// The inputs that a script makes of a board and a clock.
pub fn inputs(script: &Script) -> Vec<(Tick, Input)> {
    Player::new(script).play(&script.words)
}

struct Player {
    at: Tick,
    wood: Wood,
    dials: [i64; 2],
    inc_ms: i64,
    running: Option<Lever>,
    down: Lever,
    out: Vec<(Tick, Input)>,
    hand: Option<Sensed>,
    vague: bool,
    turned: bool,
    takes: u64,
    with_clock: bool,
}

impl Player {
    fn new(script: &Script) -> Player {
        let wood = script.wood.clone().unwrap_or_else(|| script.setup.start_wood().expect("a start"));
        let control = script.setup.time_control;
        let base = control.map_or(5_400_000, |c| i64::from(c.base_s) * 1000);
        let vague = script.setup.pieces == Pieces::Occupancy;
        let black_first = matches!(&script.setup.start, Start::Fen(f) if f.contains(" b "));
        let mut player = Player {
            at: Tick::ZERO,
            wood,
            dials: [base; 2],
            inc_ms: control.map_or(0, |c| i64::from(c.inc_s) * 1000),
            running: None,
            down: if black_first { Lever::Left } else { Lever::Right },
            out: vec![(Tick::ZERO, Input::Setting(Box::new(script.setup.clone())))],
            hand: None,
            vague,
            turned: script.turned,
            takes: 200,
            with_clock: script.with_clock,
        };
        player.dump();
        player.clock();
        player
    }

    fn pass(&mut self, ms: u64) {
        self.at = self.at + Span::from_ms(ms);
        if let Some(side) = self.running {
            let dial = &mut self.dials[usize::from(side == Lever::Right)];
            *dial = (*dial - i64::try_from(ms).expect("short")).max(0);
        }
    }

    fn tell(&mut self, report: Report) {
        self.out.push((self.at, Input::Report(report)));
    }

    fn clock(&mut self) {
        if !self.with_clock {
            return;
        }
        let dial = |ms: i64| Dial::from_s(u32::try_from(ms / 1000).expect("not negative"));
        let reading = ClockReading {
            left: dial(self.dials[0]),
            right: dial(self.dials[1]),
            running: self.running,
            down: self.down,
            flag: None,
        };
        self.tell(Report::Clock(reading));
    }

    fn dump(&mut self) {
        let mut wood = Wood::empty();
        for square in self.wood.occupied() {
            wood.set(self.sensor(square), self.wood.at(square));
        }
        if self.vague {
            for square in wood.occupied() {
                wood.set(square, Sensed::Something);
            }
        }
        self.tell(Report::Dump(wood));
    }

    fn set(&mut self, square: Square, seen: Sensed) {
        self.wood.set(square, seen);
        let seen = if self.vague && seen.is_occupied() { Sensed::Something } else { seen };
        self.tell(Report::Square { at: SensorSquare::new(self.sensor(square)), seen });
    }

    /// The board's own name of a square.
    fn sensor(&self, square: Square) -> Square {
        if self.turned { square.rotate_180() } else { square }
    }

    fn play(mut self, words: &[String]) -> Vec<(Tick, Input)> {
        for word in words {
            self.word(word);
        }
        // Nothing fires after the last line: a last reading of the clock lets time be known.
        self.clock();
        self.out
    }

    fn word(&mut self, word: &str) {
        if let Some(ms) = word.strip_prefix("..") {
            return self.pass(ms.parse().expect("milliseconds"));
        }
        if let Some(ms) = word.strip_prefix('=') {
            self.takes = ms.parse().expect("milliseconds");
            return;
        }
        let takes = std::mem::replace(&mut self.takes, 200);
        self.pass(takes);
        match word {
            "W!" | "B!" => self.press(if word == "W!" { Lever::Left } else { Lever::Right }),
            "W?" | "B?" => {
                self.down = if word == "W?" { Lever::Left } else { Lever::Right };
                self.clock();
            }
            "stop" => {
                self.running = None;
                self.clock();
            }
            "dump" => self.dump(),
            "tick" => self.clock(),
            "clear" => self.wood = Wood::empty(),
            "turn" => self.turned = !self.turned,
            "unplug" => self.tell(Report::ClockConnected(false)),
            "plug" => self.tell(Report::ClockConnected(true)),
            "down" => self.tell(Report::Link { up: false }),
            "up" => {
                self.tell(Report::Link { up: true });
                self.pass(100);
                self.dump();
                self.clock();
            }
            _ => self.other(word),
        }
    }

    fn press(&mut self, side: Lever) {
        self.dials[usize::from(side == Lever::Right)] += self.inc_ms;
        self.down = side;
        self.running = Some(side.other());
        self.clock();
    }

    /// `verb,key=value,…`: a number is one, `1+3` a list of them; alerts are those of game 1.
    fn ask(&mut self, asked: &str) {
        let mut words = asked.split(',');
        let verb = words.next().expect("a verb");
        let pairs = words.map(|pair| pair.split_once('=').expect("key=value"));
        let value = |key: &str, value: &str| match (key, value.parse::<u32>()) {
            ("alert", _) => format!("t-g1-{value}").into(),
            ("steps", _) => value.split('+').filter_map(|n| n.parse::<u32>().ok()).collect(),
            ("seconds" | "revision" | "ply" | "base_s" | "inc_s" | "white_s" | "black_s", Ok(number)) => {
                number.into()
            }
            (_, _) => value.replace('_', " ").into(),
        };
        let keys = pairs.map(|(key, text)| (key.to_owned(), value(key, text))).collect();
        let verb = Verb::read(verb, &keys).unwrap_or_else(|why| panic!("{asked}: {why}"));
        let request = Request { id: format!("r{}", self.out.len()), by: "arbiter".to_owned(), verb };
        self.out.push((self.at, Input::Request(request)));
    }

    fn other(&mut self, word: &str) {
        let side = |w: &str| if w == "W" { Lever::Left } else { Lever::Right };
        if let Some(who) = word.strip_prefix("go:") {
            self.running = Some(side(who));
            self.down = side(who).other();
            return self.clock();
        }
        if let Some(serial) = word.strip_prefix("serial:") {
            return self.tell(Report::Identity(Identity::Serial(serial.to_owned())));
        }
        if let Some(alert) = word.strip_prefix("uphold:") {
            return self.ask(&format!("rule,alert={alert},ruling=upheld"));
        }
        if let Some(asked) = word.strip_prefix("ask:") {
            return self.ask(asked);
        }
        if let Some(unheard) = word.strip_prefix('~') {
            if unheard.len() == 1 {
                self.down = side(unheard);
                self.running = Some(self.down.other());
                return;
            }
            if let Some((square, letter)) = unheard.split_once('+') {
                let letter = letter.chars().next().expect("a letter");
                let piece = Piece::from_char(letter).expect("a piece");
                return self.wood.set(square.parse().expect("a square"), Sensed::Piece(piece));
            }
            let (from, to) =
                (unheard[..2].parse().expect("a square"), unheard[2..].parse().expect("a square"));
            let carried = self.wood.at(from);
            self.wood.set(from, Sensed::Empty);
            return self.wood.set(to, carried);
        }
        if let Some((who @ ("W" | "B"), s)) = word.split_once('=') {
            let seconds: i64 = s.parse().expect("seconds");
            self.dials[usize::from(side(who) == Lever::Right)] = seconds * 1000;
            return self.clock();
        }
        let square: Square = word[..2].parse().unwrap_or_else(|_| panic!("word {word} is not known"));
        let piece = |text: &str| {
            Sensed::Piece(Piece::from_char(text.chars().next().expect("a letter")).expect("a piece"))
        };
        match (&word[2..3], &word[3..]) {
            ("-", "") => {
                self.hand = Some(self.wood.at(square));
                self.set(square, Sensed::Empty);
            }
            ("-", to) => {
                let carried = self.wood.at(square);
                self.set(square, Sensed::Empty);
                self.pass(400);
                self.set(to.parse().expect("a square"), carried);
            }
            ("+" | "=", letter) => self.set(square, piece(letter)),
            _ => panic!("word {word} is not known"),
        }
    }
}

/// Compares scripts with what comes of them; `UPDATE_FIXTURES=1` writes the expectation anew.
pub fn compare(paths: &[PathBuf]) {
    let mut wrong = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(path).expect("a readable fixture");
        let script = parse(&text);
        let got = outcome(&published(&inputs(&script)));
        if got == script.expected {
            continue;
        }
        if std::env::var_os("UPDATE_FIXTURES").is_some() {
            let keep = text.splitn(3, "\n--\n").take(2).collect::<Vec<_>>().join("\n--\n");
            std::fs::write(path, format!("{keep}\n--\n{got}\n")).expect("a writable fixture");
            continue;
        }
        wrong.push(format!("{}\n--- expected\n{}\n--- got\n{got}", path.display(), script.expected));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Everything that a sequence of inputs makes known, as the lines of replay.
pub fn lines(inputs: &[(Tick, Input)]) -> Vec<String> {
    published(inputs).iter().filter_map(replay_line).collect()
}

/// Everything that a sequence of inputs publishes.
pub fn published(inputs: &[(Tick, Input)]) -> Vec<Publish> {
    let mut table = Table::solving(Budget::DECIDES);
    let mut effects = Effects::default();
    for (at, input) in inputs {
        table.step(*at, input.clone(), &mut effects);
    }
    effects.publish
}

/// What came of a script, one short line each, for people to read and compare.
pub fn outcome(publish: &[Publish]) -> String {
    let mut out = Vec::new();
    let mut signal = Signal::None;
    let clocked = publish.iter().any(|p| matches!(p, Publish::State(state) if state.dials.is_some()));
    for item in publish {
        match item {
            Publish::Move(made) => {
                let revision = if made.revision > 0 { format!(" r{}", made.revision) } else { String::new() };
                let record = &made.record;
                let piece = if record.piece_assumed { " (piece assumed)" } else { "" };
                let press = if record.press_inferred { " (press inferred)" } else { "" };
                let clock = if record.dials.is_none() && clocked { " clock unknown" } else { "" };
                let of = if record.stories > 1 { format!(" 1 of {}", record.stories) } else { String::new() };
                out.push(format!(
                    "{} {} {} {}{piece}{press}{of}{clock}{revision}",
                    made.ply,
                    record.san,
                    record.uci,
                    record.by.word()
                ));
            }
            Publish::Retract { to_ply, .. } => out.push(format!("retract to {to_ply}")),
            Publish::Finding(f) => {
                let squares: Vec<String> = f.squares.iter().map(ToString::to_string).collect();
                out.push(format!(
                    "{} {} {} [{}] {}",
                    f.code.name(),
                    f.severity.word(),
                    f.certainty.word(),
                    squares.join(" "),
                    f.what
                ));
                out.extend(f.facts.order.map(|order| format!("  order {}", order.text())));
            }
            Publish::Withdraw { id, .. } => out.push(format!("withdraw {id}")),
            Publish::Alert(alert) => {
                let advice = &alert.advice;
                let article = advice.article.as_ref().map_or(String::new(), |a| format!(" {a}"));
                let window = advice.window.map_or(String::new(), |w| format!(" [{}]", w.state.word()));
                out.push(format!(
                    "  alert {:?} {:?}{article} {}{window}",
                    alert.state, alert.notify, advice.consequence
                ));
            }
            Publish::Shadowed(hidden) => {
                let told = outcome(std::slice::from_ref(hidden));
                out.push(format!("(shadow) {}", told.trim_start()));
            }
            Publish::State(state) if state.signal != signal => {
                signal = state.signal;
                out.push(format!("  signal {}", signal.word().unwrap_or("none")));
            }
            Publish::Held(held) => {
                let told = outcome(std::slice::from_ref(held));
                out.push(format!("(held) {}", told.trim_start()));
            }
            Publish::Response(response) => match &response.outcome {
                Ok(text) => out.push(format!("  {}: {text}", response.verb)),
                Err(text) => out.push(format!("  {} refused: {text}", response.verb)),
            },
            Publish::State(_) | Publish::Calibration(_) => {}
        }
    }
    out.join("\n")
}
