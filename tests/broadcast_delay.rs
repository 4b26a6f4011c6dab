//! What the public sees under a delay: nothing early, nothing in a form that was corrected or taken
//! back meanwhile, nothing twice after a restart, and in the end the game as it was.

use jadoube::contract::{Broadcast, Delay, Draft};
use jadoube::events::BoardId;
use jadoube::game::{Completed, PlyKind, PlyRecord};
use jadoube::table::{MoveMade, Publish};
use jadoube::tick::{Span, Tick};
use proptest::prelude::*;
use shakmaty::Color;

/// What happens at a board.
#[derive(Clone, Copy, Debug)]
enum Deed {
    /// The next ply.
    Move,
    /// A ply is corrected, counted back from the last.
    Correct(u32),
    /// It turns out that there was no move.
    Void(u32),
    /// So many plies are taken back.
    TakeBack(u32),
    /// Another game begins.
    NewGame,
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        8 => Just(Deed::Move),
        1 => (0u32..3).prop_map(Deed::Correct),
        1 => (0u32..2).prop_map(Deed::Void),
        1 => (1u32..5).prop_map(Deed::TakeBack),
        1 => Just(Deed::NewGame),
    ]
}

fn delay() -> impl Strategy<Value = Delay> {
    (0u64..30_000, 0u32..6).prop_map(|(ms, plies)| Delay { time: Span::from_ms(ms), plies, held: false })
}

/// A ply whose notation names this form of it alone.
fn made(ply: u32, revision: u32, kind: PlyKind, at: Tick, form: usize) -> MoveMade {
    let record = PlyRecord {
        side: if ply % 2 == 1 { Color::White } else { Color::Black },
        kind,
        uci: "e2e4".to_owned(),
        san: format!("form{form}"),
        fen: "8/8/8/8/8/8/8/8 w - - 0 1".to_owned(),
        by: Completed::Press,
        placed_at: None,
        pressed_at: None,
        dials: None,
        piece_assumed: false,
        press_inferred: false,
        stories: 1,
    };
    MoveMade { ply, revision, record, at }
}

/// One form of a ply, how far the game had come while it was true, and when it ceased to be.
#[derive(Debug)]
struct Form {
    at: Tick,
    gone: Option<Tick>,
}

/// A board's play: what is published and when, and every form that a ply had.
#[derive(Default)]
struct Play {
    said: Vec<(Tick, Publish)>,
    forms: Vec<Form>,
    /// Of the game that is played: revision and form of each ply.
    game: Vec<(u32, usize)>,
}

impl Play {
    fn of(deeds: &[(u64, Deed)]) -> Play {
        let mut play = Play::default();
        let mut at = Tick::ZERO;
        for (after, deed) in deeds {
            at = at + Span::from_ms(*after);
            play.deed(at, *deed);
        }
        play
    }

    fn deed(&mut self, at: Tick, deed: Deed) {
        let plies = self.game.len();
        match deed {
            Deed::Move => self.say(at, plies, 0, PlyKind::Legal),
            Deed::NewGame => {
                self.game.clear();
                self.say(at, 0, 0, PlyKind::Legal);
            }
            Deed::Correct(back) | Deed::Void(back) => {
                let Some(place) = plies.checked_sub(1 + back as usize) else { return };
                let (revision, form) = self.game[place];
                self.forms[form].gone = Some(at);
                let void = matches!(deed, Deed::Void(_));
                self.say(at, place, revision + 1, if void { PlyKind::Null } else { PlyKind::Legal });
            }
            Deed::TakeBack(back) => {
                let stay = plies.saturating_sub(back as usize);
                for (_, form) in self.game.drain(stay..) {
                    self.forms[form].gone = Some(at);
                }
                let to_ply = u32::try_from(stay).unwrap();
                self.said.push((at, Publish::Retract { to_ply, at }));
            }
        }
    }

    fn say(&mut self, at: Tick, place: usize, revision: u32, kind: PlyKind) {
        let form = self.forms.len();
        self.forms.push(Form { at, gone: None });
        self.game.truncate(self.game.len().max(place));
        match self.game.get_mut(place) {
            Some(entry) => *entry = (revision, form),
            None => self.game.push((revision, form)),
        }
        let ply = u32::try_from(place).unwrap() + 1;
        self.said.push((at, Publish::Move(made(ply, revision, kind, at, form))));
    }
}

fn board() -> BoardId {
    BoardId::new("b1").unwrap()
}

fn before(at: Tick) -> Tick {
    Tick::from_us(at.us().saturating_sub(1))
}

/// A board's task: what is due is told before something new is heard, at once, and when it is due.
fn run(feed: &mut Broadcast, said: &[(Tick, Publish)], told: &mut Vec<(Tick, Draft)>) {
    for (at, publish) in said {
        while let Some(due) = feed.next_due().filter(|due| due < at) {
            told.extend(feed.release(due).into_iter().map(|draft| (due, draft)));
        }
        told.extend(feed.release(before(*at)).into_iter().map(|draft| (*at, draft)));
        feed.take(publish);
        told.extend(feed.release(*at).into_iter().map(|draft| (*at, draft)));
    }
}

/// The game ends, and so long after it everything is public.
fn end(feed: &mut Broadcast, at: Tick, told: &mut Vec<(Tick, Draft)>) {
    feed.set_result(Some("1-0"), at);
    let later = at + Span::from_ms(100_000);
    told.extend(feed.release(later).into_iter().map(|draft| (later, draft)));
}

fn last(said: &[(Tick, Publish)]) -> Tick {
    said.last().map_or(Tick::ZERO, |(at, _)| *at)
}

/// The forms that a message holds.
fn forms(draft: &Draft) -> Vec<usize> {
    let text = serde_json::to_string(&draft.body).unwrap();
    let number = |rest: &str| rest.split('"').next().and_then(|digits| digits.parse().ok());
    text.split("\"form").skip(1).filter_map(number).collect()
}

fn times(draft: &Draft) -> Vec<u64> {
    let text = serde_json::to_string(&draft.body).unwrap();
    let number = |rest: &str| rest.split([',', '}']).next().and_then(|digits| digits.parse().ok());
    text.split("\"t_ms\":").skip(1).filter_map(number).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn nothing_is_early_and_no_form_that_was_gone_in_time_is_ever_public(
        deeds in prop::collection::vec((0u64..9_000, deed()), 1..60),
        delay in delay(),
    ) {
        let play = Play::of(&deeds);
        let mut feed = Broadcast::new(board(), delay);
        let mut told = Vec::new();
        run(&mut feed, &play.said, &mut told);
        end(&mut feed, last(&play.said), &mut told);
        for (now, draft) in &told {
            for at in times(draft) {
                prop_assert!(Tick::from_ms(at) + delay.time <= *now + Span::from_ms(1), "{now:?} {draft:?}");
            }
            for form in forms(draft) {
                let Form { at, gone } = &play.forms[form];
                prop_assert!(gone.is_none_or(|gone| *at + delay.time < gone), "{form}: {draft:?}");
            }
        }
    }

    #[test]
    fn so_many_plies_must_have_been_made(
        moves in 1usize..60,
        backs in prop::collection::vec((0usize..60, 1u32..5), 0..4),
        plies in 0u32..9,
    ) {
        let mut deeds: Vec<(u64, Deed)> = vec![(10, Deed::Move); moves];
        for (place, back) in backs {
            deeds.insert(place.min(deeds.len()), (10, Deed::TakeBack(back)));
        }
        let play = Play::of(&deeds);
        let mut feed = Broadcast::new(board(), Delay { plies, ..Delay::default() });
        let mut most = 0;
        for (at, publish) in &play.said {
            let mut told = Vec::new();
            run(&mut feed, &[(*at, publish.clone())], &mut told);
            if let Publish::Move(made) = publish {
                most = most.max(made.ply);
            }
            let public = feed.game().plies().last().map_or(0, |made| made.ply);
            prop_assert!(public == 0 || public + plies <= most, "{public} of {most}");
        }
    }

    #[test]
    fn in_the_end_the_public_has_the_game_as_it_was(
        deeds in prop::collection::vec((0u64..9_000, deed()), 1..60),
        delay in delay(),
    ) {
        let play = Play::of(&deeds);
        let (mut late, mut at_once) = (Broadcast::new(board(), delay), Broadcast::new(board(), Delay::default()));
        for feed in [&mut late, &mut at_once] {
            run(feed, &play.said, &mut Vec::new());
            end(feed, last(&play.said), &mut Vec::new());
        }
        let (late, at_once) = (late.game().draft(), at_once.game().draft());
        prop_assert_eq!(late, at_once);
    }

    #[test]
    fn after_a_restart_the_public_is_told_the_rest_and_nothing_twice(
        deeds in prop::collection::vec((1u64..9_000, deed()), 2..60),
        delay in delay(),
        place in 0usize..60,
        away_ms in 0u64..20_000,
    ) {
        let play = Play::of(&deeds);
        let place = place.min(play.said.len());
        let (heard, rest) = play.said.split_at(place);
        let back = last(heard) + Span::from_ms(away_ms);
        let later: Vec<_> = rest.iter().filter(|(at, _)| *at > back).cloned().collect();

        let (mut told, mut undisturbed) = (Vec::new(), Broadcast::new(board(), delay));
        run(&mut undisturbed, heard, &mut told);
        let mut wanted = Vec::new();
        run(&mut undisturbed, &later, &mut wanted);
        end(&mut undisturbed, last(&play.said).max(back), &mut wanted);

        let mut again = Broadcast::new(board(), delay);
        for (at, publish) in heard {
            again.settle(before(*at));
            again.take(publish);
        }
        again.settle(last(heard));
        let mut got: Vec<_> = again.release(back).into_iter().map(|draft| (back, draft)).collect();
        run(&mut again, &later, &mut got);
        end(&mut again, last(&play.said).max(back), &mut got);
        let moves = |told: &[(Tick, Draft)]| -> Vec<Draft> {
            told.iter().map(|(_, draft)| draft.clone()).filter(|draft| !draft.retain).collect()
        };
        prop_assert_eq!(moves(&got), moves(&wanted));
    }
}

#[test]
fn a_board_that_is_held_says_nothing_until_it_is_released() {
    let play = Play::of(&[(10, Deed::Move), (10, Deed::Move)]);
    let mut feed = Broadcast::new(board(), Delay { held: true, ..Delay::default() });
    let mut told = Vec::new();
    run(&mut feed, &play.said, &mut told);
    assert!(told.is_empty() && feed.next_due().is_none());
    feed.set_delay(Delay::default());
    assert_eq!(feed.release(Tick::from_ms(30)).len(), 3, "the game and two moves");
}
