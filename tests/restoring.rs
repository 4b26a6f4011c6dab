//! Restoring a position as an episode: what is told while pieces travel, and what is not.

#[path = "support/script.rs"]
mod script;

use jadoube::events::BoardId;
use jadoube::game::{Move, Position};
use jadoube::journal::{Header, Writer, resume};
use jadoube::table::{Effects, EpisodeState, Input, Publish, Table};
use jadoube::tick::Tick;
use shakmaty::Square;

/// What comes of a script: the lines of `outcome`, each answer, and the episode whenever it changes.
fn told(text: &str) -> Vec<String> {
    let publish = script::published(&script::inputs(&script::parse(text)));
    let mut out = Vec::new();
    let mut last = None;
    for item in &publish {
        match item {
            Publish::State(state) => {
                let now = state.episode.as_ref().map(episode);
                if now != last {
                    out.push(now.clone().unwrap_or_else(|| "no episode".to_owned()));
                    last = now;
                }
            }
            Publish::Response(response) => match &response.outcome {
                Ok(text) => out.push(format!("answer: {text}")),
                Err(text) => out.push(format!("refused: {text}")),
            },
            other => {
                let line = script::outcome(std::slice::from_ref(other));
                out.extend(Some(line).filter(|line| !line.is_empty()));
            }
        }
    }
    out
}

fn episode(state: &EpisodeState) -> String {
    let left: Vec<String> = state.movements.iter().map(|hand| hand.text()).collect();
    let times = state.times_now.map_or(String::new(), |times| format!("; times {}", times.word()));
    let done = state.total.saturating_sub(left.len());
    let left = if left.is_empty() { String::new() } else { format!(": {}", left.join(", ")) };
    format!("{} to ply {}, {done} of {} done{left}{times}", state.stage.word(), state.ply, state.total)
}

const STANDARD: &str = "ruleset fide-2023/standard\ntime 5400+30\n--\n";

/// `UPDATE_FIXTURES=1` writes what comes of the scripts anew.
#[test]
fn each_episode_is_told_as_it_was() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/restoring");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path()).collect();
    paths.sort();
    assert!(paths.len() >= 20, "{paths:?}");
    let mut wrong = Vec::new();
    for path in &paths {
        let text = std::fs::read_to_string(path).expect("a readable fixture");
        let parts: Vec<&str> = text.splitn(3, "\n--\n").collect();
        let expected = parts.get(2).unwrap_or(&"").trim_matches('\n');
        let got = told(&text).join("\n");
        if std::env::var_os("UPDATE_FIXTURES").is_some() {
            let new = format!("{}\n--\n{}\n--\n{got}\n", parts[0], parts[1]);
            std::fs::write(path, new).expect("a writable fixture");
        } else if got != expected {
            wrong.push(format!("{}\n--- got\n{got}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// A generator of the hands' whims: the same for the same seed.
struct Whims(u64);

impl Whims {
    fn below(&mut self, n: usize) -> usize {
        // A linear congruence: the upper bits are even enough for choosing squares.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % n
    }
}

/// Twelve plies with a capture, a castling of each side and a piece that comes twice to one square.
const GAME: [&str; 12] =
    ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "g8f6", "e1g1", "f6e4", "f1e1", "f8e7", "e1e4", "e8g8"];

fn positions() -> Vec<Position> {
    let mut all = vec![Position::initial()];
    for uci in GAME {
        let end = all.last().expect("a position");
        let m: Option<Move> = end.legal_moves().into_iter().find(|m| m.uci() == uci);
        all.push(end.play(&m.unwrap_or_else(|| panic!("{uci} is legal"))));
    }
    all
}

/// The words that play the game.
fn played() -> String {
    let mut words = "go:W ..3000".to_owned();
    for (ply, uci) in GAME.iter().enumerate() {
        let (from, to) = (&uci[..2], &uci[2..]);
        let rook = match *uci {
            "e1g1" => " h1-f1",
            "e8g8" => " h8-f8",
            _ => "",
        };
        let taken = if matches!(*uci, "f6e4" | "e1e4") { format!("{to}- ") } else { String::new() };
        let side = if ply % 2 == 0 { "W!" } else { "B!" };
        words.push_str(&format!(" {taken}{from}-{to}{rook} {side} ..900"));
    }
    words
}

/// Hands that make `target` of `now` in any order, several pieces in the air, with rests on squares
/// where nothing belongs.
fn hands(now: &Position, target: &Position, whims: &mut Whims) -> String {
    let mut board = now.board.clone();
    let mut words = Vec::new();
    let pause = |whims: &mut Whims| format!("..{}", [50, 300, 1_100, 2_500, 7_000][whims.below(5)]);
    loop {
        let off: Vec<Square> =
            Square::ALL.into_iter().filter(|s| board.piece_at(*s) != target.board.piece_at(*s)).collect();
        if off.is_empty() {
            return words.join(" ");
        }
        let square = off[whims.below(off.len())];
        if board.remove_piece_at(square).is_some() {
            words.push(format!("{square}-"));
        } else if let Some(piece) = target.board.piece_at(square) {
            let free: Vec<Square> = (!board.occupied()).into_iter().collect();
            let rest = free[whims.below(free.len())];
            if whims.below(4) == 0 && rest != square {
                words.push(format!("{rest}+{} {} {rest}-", piece.char(), pause(whims)));
            }
            words.push(format!("{square}+{}", piece.char()));
            board.set_piece_at(square, piece);
        }
        words.push(pause(whims));
    }
}

/// Whatever hands do until the position wanted stands, nobody is told of an irregularity, and the
/// record goes on from there.
#[test]
fn any_hands_restore_and_raise_nothing() {
    let positions = positions();
    for seed in 0..120 {
        let mut whims = Whims(seed);
        let keep = whims.below(GAME.len());
        let (end, target) = (&positions[GAME.len()], &positions[keep]);
        let (begin, stop) = ([" stop", ""][whims.below(2)], whims.below(2) == 0);
        let stop = if stop && begin.is_empty() { " stop" } else { "" };
        let travel = hands(end, target, &mut whims);
        let m = target.legal_moves()[0];
        let (side, other) = if target.turn.is_white() { ("W", "B") } else { ("B", "W") };
        // Black's move was the last: White's time runs if nobody stopped the clock.
        let resumed = match (begin.is_empty() && stop.is_empty(), side) {
            (true, "W") => String::new(),
            (true, _) => format!("{other}! ..900 "),
            (false, _) => format!("go:{side} ..900 "),
        };
        let game = played();
        let text = format!(
            "{STANDARD}{game}{begin} ask:restore,ply={keep}{stop} ..500 {travel} ..1500 {resumed}{}-{} {side}! \
             ..2000\n",
            m.from, m.to
        );
        let told = told(&text);
        let asked = told.iter().position(|line| line.starts_with("answer: ")).expect("an answer");
        let raised: Vec<&String> =
            told[asked..].iter().filter(|l| l.contains(" act ") || l.contains(" check ")).collect();
        assert!(raised.is_empty(), "seed {seed}: {text}\n{}", told.join("\n"));
        let log = told[asked..].iter().filter(|line| line.contains(" log ")).collect::<Vec<_>>();
        let restored = format!("restored log certain [] the position after ply {keep} was restored");
        assert_eq!(log, [&restored], "seed {seed}: {text}\n{}", told.join("\n"));
        let next = format!("{} {} {} press", keep + 1, target.san(&m), m.uci());
        let moves: Vec<&String> = told[asked..].iter().filter(|line| line.ends_with(" press")).collect();
        assert_eq!(moves, [&next], "seed {seed}: {text}\n{}", told.join("\n"));
    }
}

/// Killed after any input and built again from its journal, a table goes on with the episode.
#[test]
fn an_episode_survives_a_kill_after_any_input() {
    let text = include_str!("../fixtures/restoring/put-right-and-times-set.txt");
    let inputs = script::inputs(&script::parse(text));
    let whole: Vec<Publish> = run(Table::new(), &inputs).0;
    for at in 1..inputs.len() {
        let before = &inputs[..at];
        let board = BoardId::new("t").expect("a word");
        let ruleset = "fide-2023/standard".to_owned();
        let header = Header {
            program: "test".to_owned(),
            node: String::new(),
            board,
            ruleset,
            start_ms: 0,
            after: None,
            rules_digest: None,
            clock_synchronised: None,
        };
        let (mut writer, first) = Writer::new(&header);
        let mut lines = vec![first];
        lines.extend(before.iter().map(|(tick, input)| writer.input(*tick, input)));
        let resumed = resume(lines.iter().map(String::as_str));
        assert!(resumed.damage.is_none(), "{at}: {:?}", resumed.damage);
        let mut told = run(Table::new(), before).0;
        told.extend(run(resumed.table, &inputs[at..]).0);
        assert_eq!(told, whole, "killed after input {at}");
    }
}

fn run(mut table: Table, inputs: &[(Tick, Input)]) -> (Vec<Publish>, Table) {
    let mut effects = Effects::default();
    for (at, input) in inputs {
        table.step(*at, input.clone(), &mut effects);
    }
    (effects.publish, table)
}
