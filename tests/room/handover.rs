//! A new game begins with a table and a journal of its own: each journal alone gives what was
//! published in its game, and nothing of one game reaches into the next.
use jadoube::alerts::{AlertState, Request, Sight, Verb};
use jadoube::events::BoardId;
use jadoube::journal::{After, Entry, Header, Reader, Writer, resume};
use jadoube::mating::Budget;
use jadoube::table::{Effects, Input, Publish, Table};
use jadoube::tick::Tick;

use super::drive::input;
use super::profile::Profile;
use super::rng::Rng;
use super::round::{games as games_of, played};

/// One journal, and what was published while it was the board's.
#[derive(Default)]
struct Journal {
    text: String,
    published: Vec<Publish>,
}

/// A board as the daemon runs it: journal, then step; a new journal for a game that begins anew.
struct Board {
    table: Table,
    writer: Writer,
    journals: Vec<Journal>,
}

fn header(after: Option<After>) -> Header {
    Header {
        program: "p".to_owned(),
        node: "hall".to_owned(),
        board: BoardId::new("b1").unwrap(),
        ruleset: "fide-2023/standard".to_owned(),
        start_ms: 0,
        after,
        rules_digest: None,
        clock_synchronised: None,
    }
}

impl Board {
    fn new() -> Self {
        let (writer, text) = Writer::new(&header(None));
        let table = Table::solving(Budget::nodes(1_000));
        Board { table, writer, journals: vec![Journal { text, published: Vec::new() }] }
    }

    fn last(&mut self) -> &mut Journal {
        self.journals.last_mut().expect("there is one from the beginning")
    }

    fn take(&mut self, at: Tick, input: Input) {
        let line = self.writer.input(at, &input);
        self.last().text.push_str(&line);
        let mut effects = Effects::default();
        self.table.step(self.writer.tick(), input, &mut effects);
        let Some(began) = effects.began else { return self.last().published.append(&mut effects.publish) };
        let of_the_new = effects.publish.split_off(began.published_before);
        self.last().published.append(&mut effects.publish);
        let after = After { file: "before".to_owned(), hash: self.writer.hash().to_owned() };
        let (mut writer, mut text) = Writer::new(&header(Some(after)));
        for (at, input) in began.inputs() {
            text.push_str(&writer.input(at, &input));
        }
        self.writer = writer;
        self.journals.push(Journal { text, published: of_the_new });
    }
}

/// What a new table publishes when it is given a journal; without what a game that begins in its last
/// input says, since that is in the journal of that game.
fn replayed(text: &str) -> Vec<Publish> {
    let mut reader = Reader::new();
    let mut table = Table::solving(Budget::nodes(1_000));
    let (mut out, mut of_the_next) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let record = reader.read_line(line).unwrap_or_else(|error| panic!("{error}"));
        let Entry::Input(input) = record.entry else { continue };
        out.append(&mut of_the_next);
        let mut effects = Effects::default();
        table.step(record.tick, input, &mut effects);
        if let Some(began) = effects.began {
            of_the_next = effects.publish.split_off(began.published_before);
        }
        out.append(&mut effects.publish);
    }
    out
}

/// The moves made, and ids of alerts, without board and game.
fn told(published: &[Publish]) -> Vec<String> {
    let name = |publish: &Publish| match publish {
        // One that is open when the next game begins is closed then.
        Publish::Alert(alert) if alert.state == AlertState::Open => {
            alert.id.split_once("-p").map(|(_, rest)| rest.to_owned())
        }
        Publish::Move(made) => Some(format!("{}.{} {}", made.ply, made.revision, made.record.uci)),
        _ => None,
    };
    let mut names: Vec<String> = published.iter().filter_map(name).collect();
    names.dedup();
    names
}

fn games(published: &[Publish]) -> Vec<String> {
    let mut games: Vec<String> = published
        .iter()
        .filter_map(|publish| match publish {
            Publish::Alert(alert) => alert.id.split('-').nth(1).map(str::to_owned),
            _ => None,
        })
        .collect();
    games.dedup();
    games
}

/// A round of these profiles, game after game at one table.
fn round(profiles: &[Profile], each: usize, with_pause: bool) -> (Board, Vec<Vec<String>>) {
    let mut board = Board::new();
    let (mut at, mut alone) = (0, Vec::new());
    for profile in profiles {
        for (n, session) in games_of(*profile, each).iter().enumerate() {
            let (played, end) = played(session, at, &mut Rng::new(n as u64));
            let (game, after) = played.texts.split_at(played.of_game);
            // The array is set up again either way.
            let after = if with_pause { after } else { &after[after.len() - 2..] };
            let mut single = Board::new();
            for text in game.iter().chain(after) {
                let (at, input) = input(text);
                single.take(at, input.clone());
                board.take(at, input);
            }
            alone.push(single.journals.iter().flat_map(|journal| told(&journal.published)).collect());
            at = end;
        }
    }
    (board, alone)
}

const PROFILES: [Profile; 4] = [Profile::Irregular, Profile::Clean, Profile::Busy, Profile::Links];

#[test]
fn each_journal_alone_gives_what_was_published_in_its_game() {
    let (board, alone) = round(&PROFILES, 3, true);
    assert!(
        board.journals.len() >= alone.len(),
        "{} journals of {} games",
        board.journals.len(),
        alone.len()
    );
    let mut hash: Option<String> = None;
    for (n, journal) in board.journals.iter().enumerate() {
        let again = replayed(&journal.text);
        assert_eq!(again.len(), journal.published.len(), "journal {n}");
        for (again, told) in again.iter().zip(&journal.published) {
            assert_eq!(again, told, "journal {n}");
        }
        let resumed = resume(journal.text.lines());
        assert_eq!(resumed.damage, None);
        let after = resumed.header.and_then(|header| header.after).map(|after| after.hash);
        assert_eq!(after, hash, "journal {n} names the one before it");
        hash = Some(resumed.writer.hash().to_owned());
    }
}

#[test]
fn a_game_is_judged_as_if_it_were_the_first() {
    let (board, alone) = round(&PROFILES, 6, false);
    assert_eq!(board.journals.len(), alone.len());
    for (n, (journal, alone)) in board.journals.iter().zip(&alone).enumerate() {
        assert_eq!(&told(&journal.published), alone, "game {n}");
        let game = format!("g{}", n + 1);
        assert!(games(&journal.published).iter().all(|of| *of == game), "{:?}", games(&journal.published));
    }
    let alerts = alone.iter().flatten().filter(|told| !told.contains(' ')).count();
    assert!(alerts >= 5, "a round without alerts shows nothing: {alerts}");
}

#[test]
fn a_request_of_an_earlier_game_is_not_carried_out_again() {
    let session = &games_of(Profile::Clean, 1)[0];
    let mut board = Board::new();
    let request = |id: &str| {
        let verb = Verb::Seen { alert: "b1-g1-p1-illegal-move-1".to_owned(), what: Sight::Action };
        Input::Request(Request { id: id.to_owned(), by: "floor".to_owned(), verb })
    };
    let mut at = 0;
    for _ in 0..2 {
        let (played, end) = played(session, at, &mut Rng::new(1));
        let of_game = played.texts[..played.of_game].iter();
        for text in of_game.chain(&played.texts[played.texts.len() - 2..]) {
            let (at, input) = input(text);
            board.take(at, input);
        }
        board.take(Tick::from_ms(u64::try_from(end).unwrap() - 1), request("r1"));
        at = end;
    }
    assert_eq!(board.journals.len(), 2);
    let answers = board.journals.iter().map(|journal| {
        let answer = journal.published.iter().find_map(|publish| match publish {
            Publish::Response(response) => Some(response.outcome.clone()),
            _ => None,
        });
        answer.expect("an answer").unwrap_err()
    });
    let answers: Vec<String> = answers.collect();
    assert!(!answers[0].contains("earlier game"), "{}", answers[0]);
    assert!(answers[1].contains("\"r1\" was answered in an earlier game"), "{}", answers[1]);
}
