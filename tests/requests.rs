//! What arbiters and operators ask about a board and its alerts, through the whole table.

#[path = "support/script.rs"]
mod script;

use jadoube::alerts::{Alert, AlertState, Report, Request, Response, VERBS, Verb};
use jadoube::events::BoardId;
use jadoube::journal::{Header, Writer, resume};
use jadoube::table::{BoardState, Effects, Input, Publish, Table};
use jadoube::tick::{Span, Tick};
use proptest::prelude::*;

const STANDARD: &str = "ruleset fide-2023/standard\ntime 5400+30\n--\n";
/// Black pushes a pawn by three squares, a7-a4, and presses: an illegal move at ply 4.
const ILLEGAL: &str = "go:W ..1000 e2-e4 W! ..1500 e7-e5 B! ..1500 f2-f4 W! ..1500 a7-a4 B! ..1500";
const ID: &str = "p4-illegal-move-1";

/// What a script has told.
struct Told(Vec<Publish>);

fn play(words: &str) -> Told {
    play_with(words, |_| {})
}

/// The same with other settings.
fn play_with(words: &str, set: impl Fn(&mut jadoube::events::Setup)) -> Told {
    let mut inputs = script::inputs(&script::parse(&format!("{STANDARD}{words}")));
    for (_, input) in &mut inputs {
        if let Input::Setting(setup) = input {
            set(setup);
        }
    }
    let told = script::published(&inputs);
    // A table that is built again from its journal is the same one.
    let last = inputs.last().expect("inputs").0;
    let header = Header {
        program: "test".to_owned(),
        node: "hall".to_owned(),
        board: BoardId::new("t").expect("a word"),
        ruleset: "fide-2023/standard".to_owned(),
        start_ms: 0,
        after: None,
        rules_digest: None,
        clock_synchronised: None,
    };
    let (mut writer, first) = Writer::new(&header);
    let mut lines = vec![first];
    lines.extend(inputs.iter().map(|(at, input)| writer.input(*at, input)));
    let resumed = resume(lines.iter().map(String::as_str));
    assert!(resumed.damage.is_none(), "{:?}", resumed.damage);
    let (mut table, mut effects) = (Table::new(), Effects::default());
    for (at, input) in inputs {
        table.step(at, input, &mut effects);
    }
    let shown = |table: &Table| format!("{:?}", table.retained());
    assert_eq!(shown(&resumed.table), shown(&table), "at {last:?}");
    Told(told)
}

impl Told {
    fn answers(&self) -> Vec<&Response> {
        self.0.iter().filter_map(|p| if let Publish::Response(r) = p { Some(r) } else { None }).collect()
    }

    /// The answer to the last request.
    fn answer(&self) -> Result<&str, &str> {
        let last = self.answers().pop().expect("an answer");
        last.outcome.as_deref().map_err(String::as_str)
    }

    fn done(&self) -> &str {
        self.answer().unwrap_or_else(|why| panic!("refused: {why}"))
    }

    fn refused(&self) -> &str {
        self.answer().expect_err("refused")
    }

    fn state(&self) -> &BoardState {
        let state = |p: &'_ Publish| matches!(p, Publish::State(_));
        match self.0.iter().rev().find(|p| state(p)) {
            Some(Publish::State(state)) => state,
            _ => panic!("no state"),
        }
    }

    /// The revisions of the alert whose id ends so.
    fn alerts(&self, id: &str) -> Vec<&Alert> {
        fn of(publish: &Publish) -> Option<&Alert> {
            if let Publish::Alert(alert) = publish { Some(alert) } else { None }
        }
        self.0.iter().filter_map(of).filter(|alert| alert.id.ends_with(id)).collect()
    }

    fn alert(&self) -> &Alert {
        self.alerts(ID).pop().unwrap_or_else(|| panic!("no alert: {:?}", script::outcome(&self.0)))
    }

    /// Findings of this kind that people were told.
    fn findings(&self, code: &str) -> usize {
        let told =
            |p: &&Publish| matches!(p, Publish::Finding(f) if f.code.name() == code && f.revision == 0);
        self.0.iter().filter(told).count()
    }
}

#[test]
fn somebody_goes_hands_over_and_gives_back() {
    let told = play(&format!(
        "{ILLEGAL} ask:acknowledge,alert={ID} ask:acknowledge,alert={ID},to=second_arbiter ask:release,alert={ID}"
    ));
    let going: Vec<Option<(&str, Option<&str>)>> = told
        .alerts(ID)
        .into_iter()
        .map(|alert| alert.acknowledged.as_ref().map(|a| (a.by.as_str(), a.handed_by.as_deref())))
        .collect();
    assert_eq!(going, [None, Some(("arbiter", None)), Some(("second arbiter", Some("arbiter"))), None]);
    let revisions: Vec<u32> = told.alerts(ID).iter().map(|alert| alert.revision).collect();
    assert_eq!(revisions, [0, 1, 2, 3]);
    let said: Vec<&str> = told.answers().iter().map(|a| a.outcome.as_deref().expect("done")).collect();
    assert!(said[1].contains("second arbiter goes, instead of arbiter"), "{said:?}");
    let told = play(&format!("{ILLEGAL} ask:release,alert={ID}"));
    assert!(told.refused().contains("was not acknowledged"), "{}", told.refused());
    let told = play(&format!("{ILLEGAL} ask:rule,alert={ID},ruling=noted ask:acknowledge,alert={ID}"));
    assert!(told.refused().contains("is closed: nobody has to go"), "{}", told.refused());
}

/// An alert that nobody reacts to is told again, once, and not when somebody has.
#[test]
fn what_nobody_reacts_to_is_escalated() {
    let set = |setup: &mut jadoube::events::Setup| setup.escalate = Span::from_ms(60_000);
    let notify = |told: &Told| -> Vec<&'static str> {
        told.alerts(ID).iter().map(|alert| alert.notify.word()).collect()
    };
    let told = play_with(&format!("{ILLEGAL} ..57000 tick"), set);
    assert_eq!(notify(&told), ["now"]);
    let told = play_with(&format!("{ILLEGAL} ..61000 tick ..200000 tick"), set);
    assert_eq!(notify(&told), ["now", "escalated"]);
    let raised = told.alert();
    assert_eq!(raised.at, raised.primary().at + Span::from_ms(60_000), "at its own time");
    for asked in ["acknowledge", "seen"] {
        let told = play_with(&format!("{ILLEGAL} ask:{asked},alert={ID} ..200000 tick"), set);
        assert!(!notify(&told).contains(&"escalated"), "{asked}");
    }
    let told = play_with(
        &format!("{ILLEGAL} ..61000 tick ask:acknowledge,alert={ID} ask:release,alert={ID} ..61000 tick"),
        set,
    );
    assert_eq!(notify(&told), ["now", "escalated", "now", "now", "escalated"], "given back, it waits again");
    let told = play(&format!("{ILLEGAL} ..900000 tick"));
    assert_eq!(notify(&told), ["now"], "unless the event wants it");
}

#[test]
fn zones_are_configured_changed_and_shown() {
    let set = |setup: &mut jadoube::events::Setup| setup.zone = Some("north".to_owned());
    let told = play_with(ILLEGAL, set);
    assert_eq!(told.alert().zone.as_deref(), Some("north"));
    let told = play_with(&format!("{ILLEGAL} ask:zone,arbiter=south"), set);
    assert_eq!(told.alert().zone.as_deref(), Some("south"), "open alerts follow");
    let told = play_with(&format!("ask:zone {ILLEGAL}"), set);
    assert_eq!(told.alert().zone, None, "nobody's, whatever is configured");
}

#[test]
fn a_repeat_is_linked_to_the_one_before() {
    let told = play(&format!(
        "{ILLEGAL} stop ask:rule,alert={ID},ruling=upheld a4-a7 ..500 go:B ..1500 a7-a6 B! ..1500 g1-f3 W! ..1500 \
         a6-a3 B! ..1500"
    ));
    let second = told.alerts("p6-illegal-move-1").pop().expect("a second alert");
    assert_eq!(second.repeats.as_deref(), Some(format!("t-g1-{ID}").as_str()));
    assert_eq!(told.alert().repeats, None);
    assert_eq!(second.offences, (0, 1));
}

#[test]
fn a_ruling_has_words_a_penalty_and_a_protest() {
    let told = play(&format!(
        "{ILLEGAL} stop ask:rule,alert={ID},ruling=upheld,why=in_both_our_sight,penalty=time,seconds=60 \
         ask:protest,alert={ID},player=black,what=never_touched_it"
    ));
    let ruling = told.alert().ruling.as_ref().expect("a ruling");
    assert_eq!(ruling.why.as_deref(), Some("in both our sight"));
    assert_eq!(ruling.penalty.map(|p| (p.kind, p.seconds)), Some(("time", Some(60))));
    assert_eq!(ruling.protest.as_ref().map(|p| p.what.as_deref()), Some(Some("never touched it")));
    let card = jadoube::contract::card(told.alert());
    for line in [
        "Ruling       upheld by arbiter, 60 s given: in both our sight",
        "Protest      black: never touched it",
        "Restoring    asked",
    ] {
        assert!(card.contains(line), "{line:?} is not in\n{card}");
    }
    // The times proposed for the clock give what the arbiter gave, not what is usual.
    let clocks = &told.state().episode.as_ref().expect("an episode").clocks;
    assert!(clocks.text.contains("1:00 added for White"), "{}", clocks.text);
    let told = play(&format!("{ILLEGAL} ask:protest,alert={ID},player=black"));
    assert!(told.refused().contains("no ruling to protest against"), "{}", told.refused());
    let told = play(&format!("{ILLEGAL} ask:rule,alert={ID},ruling=upheld,revision=7"));
    assert!(told.refused().contains("has changed since: it is at revision 0, not 7"), "{}", told.refused());
}

#[test]
fn taking_a_ruling_back_says_what_counts_again() {
    let told = play(&format!(
        "{ILLEGAL} ask:rule,alert={ID},ruling=upheld ask:rule,alert={ID},ruling=noted ask:undo,alert={ID}"
    ));
    assert!(
        told.done().ends_with("it is upheld, as ruled before; black has 1 upheld offence"),
        "{}",
        told.done()
    );
    let told = play(&format!("{ILLEGAL} ask:rule,alert={ID},ruling=upheld ask:undo,alert={ID}"));
    assert!(told.done().ends_with("it is open; black has 0 upheld offences"), "{}", told.done());
}

#[test]
fn what_else_speaks_about_it_is_kept_with_it() {
    let told = play(&format!("{ILLEGAL} ask:evidence,alert={ID},from=scoresheet,what=Black_wrote_a6"));
    let notes: Vec<(&str, &str)> =
        told.alert().notes.iter().map(|note| (note.from, note.what.as_str())).collect();
    assert_eq!(notes, [("scoresheet", "Black wrote a6")]);
    assert_eq!(told.alert().state, AlertState::Open, "nothing follows by itself");
    let many = format!(" ask:evidence,alert={ID},from=video,what=seen").repeat(17);
    let told = play(&format!("{ILLEGAL}{many}"));
    assert!(told.refused().contains("16 notes"), "{}", told.refused());
}

#[test]
fn an_alert_says_how_restoring_went() {
    let words = |told: &Told| -> Vec<&'static str> {
        told.alerts(ID).iter().filter_map(|alert| alert.restoring).map(|how| how.word()).collect()
    };
    let asked = format!("{ILLEGAL} stop ask:rule,alert={ID},ruling=upheld");
    assert_eq!(words(&play(&asked)).last(), Some(&"asked"));
    let told = play(&format!("{asked} a4-a7 ..500 go:B ..500"));
    assert_eq!(words(&told).last(), Some(&"restored"));
    assert_eq!(told.alert().state, AlertState::Closed);
    let told = play(&format!("{asked} ..500 go:W ..1500 g1-f3 W! ..1500"));
    assert_eq!(words(&told).last(), Some(&"abandoned"), "{}", script::outcome(&told.0));
    // A ruling that nothing is put back ends it: what was played is to stand again.
    let told = play(&format!("{asked} ..500 ask:rule,alert={ID},ruling=stands ..500"));
    assert_eq!(words(&told).last(), Some(&"abandoned"));
    assert!(told.state().episode.is_none(), "{:?}", told.state().episode);
    let told = play(&format!("{asked} a4- ..500 ask:rule,alert={ID},ruling=dismissed ..500"));
    let episode = told.state().episode.clone().expect("what was lifted goes back");
    let left: Vec<String> = episode.movements.iter().map(|hand| hand.text()).collect();
    assert_eq!((episode.ply, left), (4, vec!["pawn back to a4".to_owned()]));
}

#[test]
fn an_alert_of_a_game_that_is_over_is_named_as_such() {
    let told = play(&format!("{ILLEGAL} stop ask:new-game ..500 ask:rule,alert={ID},ruling=upheld"));
    assert!(
        told.refused().contains("belongs to game 1, which is over: on the board is game 2"),
        "{}",
        told.refused()
    );
    assert_eq!(told.alert().state, AlertState::Closed);
    assert_eq!(told.state().offences, (0, 0));
}

#[test]
fn a_result_stands_until_it_is_taken_back() {
    let game = "go:W ..1000 e2-e4 W! ..1500 e7-e5 B! ..1500 stop";
    let told = play(&format!("{game} ask:result,result=1/2-1/2,why=agreed"));
    let result = told.state().result.clone().expect("a result");
    assert_eq!(
        (result.score, result.why.as_deref(), result.by.as_str()),
        ("1/2-1/2", Some("agreed"), "arbiter")
    );
    // The game is over: the players look at it together.
    let after = play(&format!("{game} ask:result,result=0-1 d2-d4 d7-d5 ..9000 c2-c4 c4-c2 ..9000 tick"));
    let told_after: Vec<&Alert> = after.alerts("");
    assert!(told_after.is_empty(), "{}", script::outcome(&after.0));
    let told = play(&format!("{game} ask:result,result=0-1 ask:result,result=1-0"));
    assert!(told.done().contains("1-0, instead of 0-1"), "{}", told.done());
    let told = play(&format!("{game} ask:result,result=0-1 ask:result,result=*"));
    assert_eq!(told.state().result, None);
    let told = play("ask:result,result=1-0");
    assert!(told.refused().contains("no game is being played"), "{}", told.refused());
    let told = play(&format!("{game} ask:result,result=*"));
    assert!(told.refused().contains("no result was entered"), "{}", told.refused());
}

#[test]
fn a_new_game_begins_where_an_arbiter_says() {
    let fen = "8/8/8/4k3/8/4K3/4P3/8_w_-_-_0_1";
    let told = play(&format!("go:W ..1000 e2-e4 W! ..1500 stop ask:new-game,fen={fen} ..300"));
    assert!(told.done().contains("game 2 begins from 8/8/8/4k3/8/4K3/4P3/8 w - - 0 1;"), "{}", told.done());
    assert_eq!((told.state().game, told.state().ply), (2, 0));
    let set_up = "clear e5+k e3+K e2+P dump ..500 go:W ..4000 e3-d3 W! ..1500";
    let told = play(&format!("go:W ..1000 e2-e4 W! ..1500 stop ask:new-game,fen={fen} ..300 {set_up}"));
    assert_eq!(told.state().ply, 1, "{}", script::outcome(&told.0));
    assert_eq!(told.state().recorded, "8/8/8/4k3/8/3K4/4P3/8 b - - 1 1");
}

#[test]
fn a_declared_position_is_where_play_goes_on() {
    let game = "go:W ..1000 e2-e4 W! ..1500 e7-e5 B! ..1500 stop";
    // What stands on the board, with Black to move.
    let told = play(&format!("{game} ask:position,to_move=black ..300 go:B ..1000 g8-f6 B! ..1500"));
    assert_eq!(told.state().ply, 3, "{}", script::outcome(&told.0));
    assert!(told.state().recorded.contains(" w "), "{}", told.state().recorded);
    assert_eq!(told.findings("out-of-turn"), 0);
    // Another position is set up first.
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR_b_KQkq_-_0_2";
    let told = play(&format!("{game} ask:position,fen={fen} ..300 d2-d4 ..500 go:B ..1000 e5-d4 B! ..1500"));
    assert_eq!(told.state().ply, 3, "{}", script::outcome(&told.0));
    assert!(told.state().recorded.starts_with("rnbqkbnr/pppp1ppp/8/8/3pP3"), "{}", told.state().recorded);
    assert!(told.alerts("").is_empty(), "{}", script::outcome(&told.0));
    let restored = told.0.iter().find_map(|p| match p {
        Publish::Finding(finding) if finding.code.name() == "restored" => Some(finding.what.clone()),
        _ => None,
    });
    assert!(restored.expect("told").contains("an arbiter has declared the position after ply 2"));
    let told = play(&format!("ask:position,fen={fen}"));
    assert!(told.refused().contains("no game is being played"), "{}", told.refused());
}

#[test]
fn what_is_set_on_the_clock_is_no_finding_and_is_read_back() {
    let game = "go:W ..1000 e2-e4 W! ..1500 e7-e5 B! ..1500 stop";
    let told = play(&format!("{game} W=900 ask:clock-set,white_s=900,black_s=5430"));
    assert!(told.done().contains("set are White 15:00"), "{}", told.done());
    assert!(told.state().clock_set.is_some());
    let told =
        play(&format!("{game} ask:clock-set,white_s=900,black_s=5430 ..300 W=900 ..20000 tick go:W ..2000"));
    assert_eq!(told.findings("clock-adjusted"), 0, "{}", script::outcome(&told.0));
}

#[test]
fn another_rule_set_holds_for_what_comes() {
    let told = play(&format!("ask:profile,ruleset=fide-2023/blitz-b3 {ILLEGAL}"));
    assert_eq!(told.alert().ruleset, "fide-2023/blitz-b3");
    assert_eq!(told.state().ruleset, "fide-2023/blitz-b3");
    let told = play(&format!("ask:profile,ruleset=fide-2023/blitz-b3 ask:profile,ruleset=event {ILLEGAL}"));
    assert_eq!(told.alert().ruleset, "fide-2023/standard");
}

#[test]
fn what_is_muted_is_told_to_nobody_until_it_is_unmuted() {
    let told = play(&format!("ask:mute,code=illegal-move {ILLEGAL}"));
    assert!(told.alerts("").is_empty(), "{}", script::outcome(&told.0));
    let hidden = told.0.iter().filter(|p| matches!(p, Publish::Shadowed(_))).count();
    assert!(hidden > 0, "it is counted all the same");
    let told = play(&format!("ask:mute,code=illegal-move ask:unmute,code=illegal-move {ILLEGAL}"));
    assert_eq!(told.alert().state, AlertState::Open);
    let told = play("ask:unmute,code=illegal-move");
    assert!(told.refused().contains("was not muted"), "{}", told.refused());
}

#[test]
fn contacts_and_games_are_told_on_request() {
    let told = play(&format!("{ILLEGAL} ask:contacts,seconds=5"));
    let answers = told.answers();
    let Some(Report::Contacts(shown)) = answers.last().and_then(|a| a.report.as_deref()) else {
        panic!("contacts");
    };
    let last: Vec<(String, Option<char>)> =
        shown.contacts.iter().rev().take(2).map(|(_, s, _, after)| (s.to_string(), *after)).collect();
    assert_eq!(last, [("a4".to_owned(), Some('p')), ("a7".to_owned(), None)]);
    assert_eq!(shown.presses.last().map(|(_, side)| side.to_string()), Some("black".to_owned()));
    assert!(shown.contacts.iter().all(|(at, ..)| *at >= shown.from && *at <= shown.to));

    let told = play("go:W ..1000 e2-e4 W! ..1500 stop ask:result,result=1-0 ask:new-game ask:games");
    let answers = told.answers();
    let Some(Report::Games(games)) = answers.last().and_then(|a| a.report.as_deref()) else {
        panic!("games")
    };
    let seen: Vec<(u32, u32, Option<&str>)> =
        games.iter().map(|game| (game.game, game.plies, game.result.as_deref())).collect();
    assert_eq!(seen, [(1, 1, Some("1-0")), (2, 0, None)]);
}

#[test]
fn an_incident_is_reported_about_the_ply_that_is_named() {
    let game = "go:W ..1000 e2-e4 W! ..1500 e7-e5 B! ..1500 g1-f3 W! ..1500 b8-c6 B! ..1500";
    let told = play(&format!("{game} ask:report,code=two-hands,player=white,ply=1"));
    let alert = told.alerts("two-hands-1").pop().expect("an alert");
    assert_eq!((alert.primary().facts.ply, alert.primary().facts.tried.as_deref()), (1, Some("e2e4")));
    let told = play(&format!("{game} ask:report,code=two-hands,player=white,ply=2"));
    assert!(told.refused().contains("ply 2 is Black's"), "{}", told.refused());
    let told = play(&format!("{game} ask:report,code=two-hands,player=white,ply=9"));
    assert!(told.refused().contains("use 1 to 4"), "{}", told.refused());
}

#[test]
fn the_pairing_of_the_next_game_waits_for_it() {
    let begun = "go:W ..1000 e2-e4 W! ..1500 stop";
    let told = play(&format!("{begun} ask:pairing,white=player-1,black=player-2"));
    assert_eq!(told.state().pairing.white.as_deref(), Some("player-1"));
    let over = format!("{begun} ask:result,result=1-0 ask:pairing,white=player-3");
    assert_eq!(play(&over).state().pairing.white, None, "the game on the board keeps its own");
    let told = play(&format!("{over} ask:new-game"));
    assert_eq!(told.state().pairing.white.as_deref(), Some("player-3"));
}

#[test]
fn seats_are_told_and_moved() {
    let told = play("ask:clock-seat,white=right ask:orientation,white_sits=rank-1");
    let said: Vec<&str> = told.answers().iter().map(|a| a.outcome.as_deref().expect("done")).collect();
    assert!(said[0].contains("right one from now on") && said[1].contains("rank-1 already"), "{said:?}");
    let told = play("ask:orientation,white_sits=rank-8 go:W ..1000");
    assert!(told.done().contains("rank-8"), "{}", told.done());
}

/// Whatever is asked, in whatever order, and again: each is answered once per asking, nothing panics,
/// no offence is counted but by a ruling, and the table is that of its journal.
fn asked() -> impl Strategy<Value = (String, usize)> {
    let ids = prop::sample::select(vec!["1", "2", "3", "4", "5", "6", "7", "8"]);
    (ids, 0..VERBS.len() * 3).prop_map(|(id, n)| (id.to_owned(), n))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_requests_in_any_order(list in prop::collection::vec(asked(), 1..24)) {
        let mut inputs = script::inputs(&script::parse(&format!("{STANDARD}{ILLEGAL}")));
        let mut at = inputs.last().expect("inputs").0;
        let (mut table, mut effects) = (Table::new(), Effects::default());
        for (at, input) in inputs.drain(..) {
            table.step(at, input, &mut effects);
        }
        let mut ruled = false;
        for (id, n) in list {
            let shape = &VERBS[n % VERBS.len()];
            let mut keys = serde_json::Map::new();
            let choice = jadoube::alerts::CHOICES.contains(&shape.name);
            for (k, key) in shape.keys.iter().enumerate() {
                let wanted = if choice { k == n / VERBS.len() % shape.keys.len() } else { key.needed || n >= VERBS.len() };
                if wanted {
                    keys.insert(key.name.to_owned(), sample(key, n / VERBS.len()));
                }
            }
            let Ok(verb) = Verb::read(shape.name, &keys) else { continue };
            ruled |= shape.name == "rule";
            at = at + Span::from_ms(700);
            effects.publish.clear();
            table.step(at, Input::Request(Request { id: id.clone(), by: "a".to_owned(), verb }), &mut effects);
            let answers = effects.publish.iter().filter(|p| matches!(p, Publish::Response(r) if r.id == id)).count();
            prop_assert_eq!(answers, 1);
            let Some(Publish::State(state)) = effects.publish.iter().rev().find(|p| matches!(p, Publish::State(_))) else {
                panic!("a state")
            };
            prop_assert!(ruled || state.offences == (0, 0));
        }
        table.step(at + Span::from_ms(60_000), Input::Timer, &mut effects);
        let _ = Tick::ZERO;
    }
}

fn sample(key: &jadoube::alerts::Key, n: usize) -> serde_json::Value {
    use jadoube::alerts::KeyKind;
    match key.kind {
        KeyKind::Text if key.name == "alert" => format!("t-g1-{ID}").into(),
        KeyKind::Text => "what".into(),
        KeyKind::Word(_) if key.name == "penalty" => "time".into(),
        KeyKind::Word(words) => words[n % words.len()].into(),
        KeyKind::Code => "illegal-move".into(),
        KeyKind::Square => "e4".into(),
        KeyKind::Count => 3.into(),
        KeyKind::Counts => serde_json::json!([1]),
        KeyKind::Fen => "8/8/8/4k3/8/4K3/8/8 w - - 0 1".into(),
        KeyKind::RuleSet => ["event", "fide-2023/blitz-b3"][n % 2].into(),
        KeyKind::Moment => 1.into(),
    }
}
