//! Games as PGN, read back by a parser that is not ours: every move of the first form is one that the
//! rules allow, and the sections of the record hold the whole game.

#[path = "support/script.rs"]
mod script;

use std::ops::ControlFlow;

use jadoube::contract::{Broadcast, Delay, GameFeed, Tags, record_pgn, strict_pgn};
use jadoube::events::{BoardId, TimeControl};
use jadoube::game::{Completed, PlyKind, PlyRecord, Position};
use jadoube::table::{Effects, MoveMade, Publish, Table};
use jadoube::tick::{Dial, Span, Tick};
use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};
use proptest::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position as _};

/// A section as the parser reads it.
#[derive(Debug, Default)]
struct Section {
    tags: Vec<(String, String)>,
    sans: Vec<SanPlus>,
    comments: Vec<String>,
}

impl Section {
    fn tag(&self, name: &str) -> &str {
        self.tags.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// Plays it; the position after each move.
    fn played(&self) -> Vec<Chess> {
        let mut position = match self.tag("FEN") {
            "" => Chess::default(),
            fen => {
                let fen: Fen = fen.parse().unwrap();
                let mode = CastlingMode::detect(fen.as_setup());
                // What stands after an illegal move may have more pieces than an array gives.
                let lenient = fen
                    .into_position::<Chess>(mode)
                    .or_else(|error| error.ignore_too_much_material())
                    .or_else(|error| error.ignore_impossible_check());
                match lenient {
                    Ok(position) => position,
                    // What stands may be no position of chess; then nothing is played on from it.
                    Err(error) => {
                        assert!(self.sans.is_empty(), "{error}: {self:?}");
                        return Vec::new();
                    }
                }
            }
        };
        let play = |san: &SanPlus| {
            let legal = san.san.to_move(&position).unwrap_or_else(|error| panic!("{san}: {error}: {self:?}"));
            position.play_unchecked(legal);
            position.clone()
        };
        self.sans.iter().map(play).collect()
    }
}

struct Read;

impl Visitor for Read {
    type Tags = Section;
    type Movetext = Section;
    type Output = Section;

    fn begin_tags(&mut self) -> ControlFlow<Section, Section> {
        ControlFlow::Continue(Section::default())
    }

    fn tag(&mut self, section: &mut Section, name: &[u8], value: RawTag<'_>) -> ControlFlow<Section> {
        let name = String::from_utf8(name.to_vec()).unwrap();
        section.tags.push((name, value.decode_utf8().unwrap().into_owned()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, section: Section) -> ControlFlow<Section, Section> {
        ControlFlow::Continue(section)
    }

    fn san(&mut self, section: &mut Section, san: SanPlus) -> ControlFlow<Section> {
        section.sans.push(san);
        ControlFlow::Continue(())
    }

    fn comment(&mut self, section: &mut Section, comment: RawComment<'_>) -> ControlFlow<Section> {
        section.comments.push(String::from_utf8(comment.as_bytes().to_vec()).unwrap());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, section: Section) -> Section {
        section
    }
}

fn sections(text: &str) -> Vec<Section> {
    Reader::new(text.as_bytes()).read_games(&mut Read).map(Result::unwrap).collect()
}

fn tags() -> Tags {
    Tags {
        event: "Open \"A\" \\ B".to_owned(),
        site: "Hall".to_owned(),
        date: "2026.11.30".to_owned(),
        round: "3".to_owned(),
        board: "12".to_owned(),
        time_control: Some(TimeControl {
            base_s: 5400,
            inc_s: 30,
            bonus: Some((40, 1800)),
            increment_on_first_move: false,
        }),
        ..Tags::default()
    }
}

fn game(made: impl IntoIterator<Item = MoveMade>, result: Option<&'static str>) -> GameFeed {
    let mut feed = Broadcast::new(BoardId::new("b1").unwrap(), Delay::default());
    for made in made {
        feed.take(&Publish::Move(made));
    }
    if result.is_some() {
        feed.set_result(result, Tick::ZERO);
    }
    feed.settle(Tick::from_ms(u64::from(u32::MAX)));
    feed.game().clone()
}

/// The public game of a script of hands.
fn played(text: &str) -> GameFeed {
    let script = script::parse(text);
    let (mut table, mut effects) = (Table::new(), Effects::default());
    for (at, input) in script::inputs(&script) {
        table.step(at, input, &mut effects);
    }
    let mut feed = Broadcast::new(BoardId::new("t").unwrap(), Delay::default());
    effects.publish.iter().for_each(|publish| feed.take(publish));
    feed.settle(Tick::from_ms(u64::from(u32::MAX)));
    feed.game().clone()
}

fn ply(number: u32, kind: PlyKind, uci: &str, san: &str, after: &Position) -> MoveMade {
    let side = if number % 2 == 1 { Color::White } else { Color::Black };
    let dials = Some((Dial::from_s(5400 - number), Dial::from_s(3661)));
    let record = PlyRecord {
        side,
        kind,
        uci: uci.to_owned(),
        san: san.to_owned(),
        fen: after.fen(),
        by: Completed::Press,
        placed_at: None,
        pressed_at: None,
        dials,
        piece_assumed: false,
        press_inferred: false,
        stories: 1,
    };
    MoveMade { ply: number, revision: 0, record, at: Tick::ZERO + Span::from_ms(u64::from(number)) }
}

#[test]
fn a_game_that_is_legal_is_one_section_with_clocks_and_result() {
    let start = Position::initial();
    let find =
        |position: &Position, uci: &str| position.legal_moves().into_iter().find(|m| m.uci() == uci).unwrap();
    let e4 = start.play(&find(&start, "e2e4"));
    let e5 = e4.play(&find(&e4, "e7e5"));
    let game = game(
        [ply(1, PlyKind::Legal, "e2e4", "e4", &e4), ply(2, PlyKind::Legal, "e7e5", "e5", &e5)],
        Some("1-0"),
    );
    let text = strict_pgn(&tags(), &game);
    assert_eq!(
        text,
        "[Event \"Open \\\"A\\\" \\\\ B\"]\n[Site \"Hall\"]\n[Date \"2026.11.30\"]\n[Round \"3\"]\n\
         [White \"White\"]\n[Black \"Black\"]\n[Result \"1-0\"]\n[Annotator \"Jadoube\"]\n[Board \"12\"]\n\
         [TimeControl \"40/5400+30:1800+30\"]\n\n\
         1. e4 {[%clk 1:29:59]} 1... e5 {[%clk 1:01:01]} 1-0\n"
    );
    assert_eq!(record_pgn(&tags(), &game), text);
    let read = sections(&text);
    assert_eq!((read.len(), read[0].played().len()), (1, 2));
    assert_eq!(read[0].tag("Event"), "Open \"A\" \\ B");
}

#[test]
fn an_illegal_move_that_stands_ends_the_first_form_and_not_the_record() {
    // Black castles through f8, which the rook f1 attacks; nobody notices.
    let text = "ruleset fide-2023/standard\nstart 4k2r/8/8/8/8/8/8/4KR2 b k - 0 1\n--\n\
                go:B ..2000 e8-g8 h8-f8 B! ..2000 f1-f8 g8-f8 ..100 W! ..3000\n";
    let game = played(text);
    let strict = sections(&strict_pgn(&tags(), &game));
    assert_eq!((strict.len(), strict[0].sans.len()), (1, 0), "{}", strict_pgn(&tags(), &game));
    assert!(strict[0].comments.iter().any(|comment| comment.contains("the record goes on")));
    let record = record_pgn(&tags(), &game);
    let parts = sections(&record);
    assert!(parts.len() >= 2, "{record}");
    assert!(parts[0].comments.iter().any(|comment| comment.contains("Black played")), "{record}");
    assert!(parts[1].tag("FEN").starts_with("5rk1/"), "{record}");
    for part in &parts {
        part.played();
    }
}

#[test]
fn a_passed_turn_and_a_gap_begin_another_section() {
    let start = Position::initial();
    let find =
        |position: &Position, uci: &str| position.legal_moves().into_iter().find(|m| m.uci() == uci).unwrap();
    let e4 = start.play(&find(&start, "e2e4"));
    let passed = e4.pass();
    let d4 = passed.play(&find(&passed, "d2d4"));
    let game = game(
        [
            ply(1, PlyKind::Legal, "e2e4", "e4", &e4),
            ply(2, PlyKind::Null, "0000", "--", &passed),
            ply(3, PlyKind::Legal, "d2d4", "d4", &d4),
            ply(6, PlyKind::Legal, "e7e5", "e5", &d4),
        ],
        None,
    );
    let record = record_pgn(&tags(), &game);
    let parts = sections(&record);
    let lengths: Vec<usize> = parts.iter().map(|part| part.sans.len()).collect();
    assert_eq!(lengths, [1, 1, 0], "{record}");
    assert!(parts[0].comments.last().unwrap().contains("Black passed"));
    assert_eq!(parts[2].tag("Part"), "3");
}

/// Every script of the rules gives PGN that can be read, and whose moves can be played.
#[test]
fn whatever_stands_both_forms_can_be_read_and_played() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/laws");
    let mut games = 0;
    for rule in std::fs::read_dir(root).unwrap() {
        for case in std::fs::read_dir(rule.unwrap().path()).unwrap() {
            let path = case.unwrap().path();
            if path.extension().is_none_or(|end| end != "txt") {
                continue;
            }
            let game = played(&std::fs::read_to_string(&path).unwrap());
            let strict = sections(&strict_pgn(&tags(), &game));
            let record = sections(&record_pgn(&tags(), &game));
            assert_eq!(strict.len(), 1, "{}", path.display());
            assert_eq!(strict[0].sans, record[0].sans, "{}", path.display());
            record.iter().for_each(|part| drop(part.played()));
            games += 1;
        }
    }
    assert!(games > 100, "{games}");
}

proptest! {
    #[test]
    fn random_games_are_read_back_as_they_were_played(choices in prop::collection::vec(0usize..218, 0..120)) {
        let mut position = Position::initial();
        let mut made = Vec::new();
        for (number, choice) in (1..).zip(choices) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let chosen = &moves[choice % moves.len()];
            let san = position.san(chosen);
            let after = position.play(chosen);
            made.push(ply(number, PlyKind::Legal, &chosen.uci(), &san, &after));
            position = after;
        }
        let plies = made.len();
        let text = strict_pgn(&tags(), &game(made, None));
        prop_assert!(text.lines().all(|line| line.chars().count() <= 80 || line.starts_with('[')));
        let read = sections(&text);
        prop_assert_eq!((read.len(), read[0].sans.len()), (1, plies));
        let chess = read[0].played().last().cloned().unwrap_or_default();
        let placement = |fen: String| fen.split(' ').next().unwrap().to_owned();
        let read = Fen::from_position(&chess, EnPassantMode::Always).to_string();
        prop_assert_eq!(placement(read), placement(position.fen()));
    }
}
