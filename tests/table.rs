//! What `step` asks of the shell.

#[path = "support/script.rs"]
mod script;

use jadoube::table::{Effects, Publish, Table};

fn play(text: &str) -> (Vec<bool>, Vec<Publish>) {
    let script = script::parse(text);
    let (mut table, mut asked, mut publish) = (Table::new(), Vec::new(), Vec::new());
    for (at, input) in script::inputs(&script) {
        let mut effects = Effects::default();
        table.step(at, input, &mut effects);
        asked.push(effects.ask_dump);
        publish.append(&mut effects.publish);
    }
    (asked, publish)
}

#[test]
fn the_board_is_asked_before_a_finding_is_called_certain() {
    let text = "start 4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1\n--\ngo:W ..3000 e2-d3 W! ..1000 dump\n";
    let (asked, publish) = play(text);
    assert_eq!(asked.iter().filter(|a| **a).count(), 1, "at the press");
    assert!(publish.iter().any(|p| matches!(p, Publish::Finding(f) if f.code.name() == "illegal-move")));
}

#[test]
fn clean_play_asks_for_nothing() {
    let (asked, publish) =
        play("ruleset fide-2023/standard\n--\ngo:W ..3000 e2-e4 W! ..900 e7-e5 B! ..900\n");
    assert!(asked.iter().all(|a| !a));
    assert!(publish.iter().any(|p| matches!(p, Publish::Move(m) if m.record.uci == "e7e5")));
}

#[test]
fn a_loss_on_time_asks_whether_the_opponent_can_still_mate() {
    use jadoube::mating::{Budget, Proof};
    use jadoube::table::Input;
    let text =
        "ruleset fide-2023/standard\ntime 5+0\n--\ngo:W ..2000 e2-e4 W! ..900 e7-e5 B! ..3900 W=0 ..500\n";
    let script = script::parse(text);
    let mut table = Table::new();
    let mut effects = Effects::default();
    let inputs = script::inputs(&script);
    for (at, input) in inputs.clone() {
        table.step(at, input, &mut effects);
    }
    let [question] = effects.ask_mating.as_slice() else { panic!("one question: {:?}", effects.ask_mating) };
    assert_eq!(question.side, shakmaty::Color::Black);
    let answer = question.answer(Budget::DECIDES);
    assert!(matches!(answer.answer.proof, Proof::Line(_)), "{answer:?}");
    let mut after = Effects::default();
    table.step(inputs.last().expect("inputs").0, Input::Answer(answer), &mut after);
    let told = after.publish.iter().find_map(|p| match p {
        Publish::Alert(alert) => Some(alert.advice.consequence.clone()),
        _ => None,
    });
    assert!(told.expect("the alert says so").contains("yes"));
}

/// A ruling makes the other open alert a second offence: only now its question is asked.
#[test]
fn a_ruling_can_raise_the_mating_question() {
    use jadoube::mating::Budget;
    use jadoube::table::Input;
    let text = "start 8/8/8/4k3/8/8/4PQ2/4K3 w - - 0 60\n--\ngo:W ..2000 f2-g4 W! ..2000 e5-d5 B! ..2000 g4-h6 W! ..3000\n";
    let script = script::parse(text);
    let mut table = Table::new();
    let mut effects = Effects::default();
    let mut inputs = script::inputs(&script);
    let last = inputs.last().expect("inputs").0;
    for (at, input) in inputs.drain(..) {
        table.step(at, input, &mut effects);
    }
    assert!(effects.ask_mating.is_empty(), "two first offences: {:?}", effects.ask_mating);
    let ruling = script::inputs(&script::parse("time 5+0\n--\nuphold:p1-illegal-move-1\n"));
    let request =
        ruling.into_iter().find(|(_, input)| matches!(input, Input::Request(_))).expect("the ruling");
    table.step(last, request.1, &mut effects);
    let [question] = effects.ask_mating.as_slice() else { panic!("one question: {:?}", effects.ask_mating) };
    let answer = Input::Answer(question.answer(Budget::DECIDES));
    let mut after = Effects::default();
    table.step(last, answer.clone(), &mut after);
    let consequence = |effects: &Effects| {
        effects.publish.iter().find_map(|p| match p {
            Publish::Alert(alert) => Some(alert.advice.consequence.clone()),
            _ => None,
        })
    };
    assert_eq!(consequence(&after).as_deref(), Some("second: loss? Black can mate: no, so a draw"));
    // The same answer again says nothing new.
    let mut again = Effects::default();
    table.step(last, answer, &mut again);
    assert_eq!(consequence(&again), None);
}

/// What a board had begun to say when its link was lost is not finished by what it says later: the
/// first bytes of a port that was opened again may be the end of another message.
#[test]
fn a_message_does_not_go_on_behind_a_lost_link() {
    use jadoube::events::Report;
    use jadoube::table::Input;
    use jadoube::tick::Tick;
    let says = |broken: bool| {
        let mut table = Table::new();
        let mut effects = Effects::default();
        let mut step = |ms: u64, input| table.step(Tick::from_ms(ms), input, &mut effects);
        let mut dump = vec![0x86, 0, 0x43];
        dump.extend([0; 64]);
        step(0, Input::Bytes(dump));
        // A white king appears on the field 36.
        step(100, Input::Bytes(vec![0x8E, 0, 5, 36]));
        if broken {
            step(200, Input::Report(Report::Link { up: false }));
            step(300, Input::Report(Report::Link { up: true }));
        }
        step(400, Input::Bytes(vec![5]));
        let state = table.retained().into_iter().find_map(|item| match item {
            Publish::State(state) => Some(*state),
            _ => None,
        });
        let state = state.expect("a state");
        (state.sensed, state.junk)
    };
    assert_eq!(says(false), ("8/8/8/8/4K3/8/8/8".to_owned(), vec![]));
    assert_eq!(says(true), ("8/8/8/8/8/8/8/8".to_owned(), vec![("cut", 1)]));
}

/// The lever may have gone over behind an acknowledgement of the clock, and a board that tells
/// changes only will not say so while the clock stands.
#[test]
fn the_clock_is_asked_for_behind_an_acknowledgement() {
    use jadoube::table::Input;
    use jadoube::tick::Tick;
    let mut table = Table::new();
    let mut asks = |ms, bytes: &[u8]| {
        let mut effects = Effects::default();
        table.step(Tick::from_ms(ms), Input::Bytes(bytes.to_vec()), &mut effects);
        effects.ask_clock
    };
    assert!(!asks(0, &[0x8D, 0, 10, 0, 3, 0, 0, 3, 0, 0x09]));
    assert!(asks(100, &[0x8D, 0, 10, 0x0A, 0x10, 0x01, 0x2A, 0, 0, 0]));
    assert!(!asks(200, &[0x8E, 0, 5, 36, 1]));
}

/// Found by fuzzing: times that no clock shows come from files and from damaged bytes.
#[test]
fn a_clock_that_shows_any_time_is_survived() {
    use jadoube::events::{ClockReading, Lever, Report};
    use jadoube::table::Input;
    use jadoube::tick::{Dial, Tick};
    let (mut table, mut effects) = (Table::new(), Effects::default());
    let most = [u32::MAX, u32::MAX - 500, 0, 1_000];
    for (n, (left, right)) in most.into_iter().flat_map(|left| most.map(|right| (left, right))).enumerate() {
        for (down, running) in [(Lever::Left, Some(Lever::Right)), (Lever::Right, Some(Lever::Left))] {
            let (left, right) = (Dial::from_ms(left), Dial::from_ms(right));
            let reading = ClockReading { left, right, running, down, flag: None };
            table.step(Tick::from_ms(n as u64 * 100), Input::Report(Report::Clock(reading)), &mut effects);
        }
    }
    assert!(effects.publish.iter().any(|publish| matches!(publish, Publish::State(_))));
}
