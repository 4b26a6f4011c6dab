//! The contract, byte for byte: messages, replay lines, cards and the generated page are compared
//! with `fixtures/contract/` and `docs/`. `UPDATE_GOLDEN=1 cargo test --test contract` writes them
//! anew; look at the difference before it goes in.

#[path = "support/golden.rs"]
mod golden;

use golden::golden;
use jadoube::alerts::{Alert, ClockSetting, Decision, Desk, Pairing, Request, Response, Verb};
use jadoube::contract::{
    Broadcast, Delay, Draft, alert_document, card, card_from_json, drafts, parse_request, refusal,
    replay_line, requests_page, rules_page, topic,
};
use jadoube::events::{BoardId, Calibration, Device, Lag, Report, Resolution, Setup, Start};
use jadoube::game::{Completed, PlyKind, PlyRecord, Signal};
use jadoube::laws::{
    Certainty, ClaimKind, Facts, Finding, PlayersClaim, RuleId, RuleSet, Rules, Severity, Step, Times,
    TimesNow, Unordered,
};
use jadoube::table::{
    BoardState, Effects, EpisodeState, Input, MoveMade, Orders, Publish, ResultEntered, Stage, Table, Watched,
};
use jadoube::tick::{Dial, Span, Tick};
use serde_json::Value;
use shakmaty::{Color, Square};

fn board() -> BoardId {
    BoardId::new("b1").unwrap()
}

fn rules(key: &str) -> Rules {
    Rules::plain(RuleSet::by_key(key).unwrap())
}

fn step(ms: u64, square: Square, before: Option<char>, piece: Option<char>) -> Step {
    Step { at: Tick::from_ms(ms), square, piece, before }
}

/// White castles although f1 is attacked, and presses.
fn castling() -> Finding {
    Finding {
        id: "b1-g1-p39-illegal-move-1".to_owned(),
        revision: 0,
        code: RuleId::IllegalMove,
        severity: Severity::Act,
        certainty: Certainty::Certain,
        side: Some(Color::White),
        at: Tick::from_ms(754_300),
        squares: vec![Square::E1, Square::G1, Square::F1],
        what: "king e1-g1 castles through check on f1 by the rook f8".to_owned(),
        facts: Facts {
            game: 1,
            ply: 39,
            last_correct_fen: "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 20".to_owned(),
            last_correct_ply: 38,
            made: 38,
            to_move: Some(Color::White),
            wood: "4kr2/8/8/8/8/8/8/R4RK1".to_owned(),
            action: vec![
                step(752_000, Square::E1, Some('K'), None),
                step(752_400, Square::G1, None, Some('K')),
                step(752_900, Square::H1, Some('R'), None),
                step(753_300, Square::F1, None, Some('R')),
            ],
            pressed_at: Some(Tick::from_ms(754_100)),
            counter: Some((19, 19)),
            dials_then: Some((Dial::from_s(1805), Dial::from_s(1743))),
            dials_now: Some((Dial::from_s(1795), Dial::from_s(1743))),
            history: Vec::new(),
            tried: Some("e1g1".to_owned()),
            differs: vec![Square::E1, Square::F1, Square::G1, Square::H1],
            evidence: (410, 421),
            order: None,
        },
    }
}

fn pawn_left() -> Finding {
    Finding {
        id: "b1-g1-p99-pawn-not-promoted-1".to_owned(),
        code: RuleId::PawnNotPromoted,
        squares: vec![Square::E8],
        what: "pawn on e8 was not exchanged".to_owned(),
        facts: Facts {
            ply: 99,
            last_correct_fen: "8/4P3/8/8/8/2k5/8/4K3 w - - 0 50".to_owned(),
            last_correct_ply: 98,
            wood: "4P3/8/8/8/8/2k5/8/4K3".to_owned(),
            action: vec![
                step(752_000, Square::E7, Some('P'), None),
                step(753_300, Square::E8, None, Some('P')),
            ],
            tried: Some("e7e8".to_owned()),
            differs: vec![Square::E7, Square::E8],
            ..castling().facts
        },
        ..castling()
    }
}

fn null_press() -> Finding {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";
    Finding {
        id: "b1-g1-p5-press-without-move-1".to_owned(),
        code: RuleId::PressWithoutMove,
        squares: vec![],
        what: "the clock was pressed without a move".to_owned(),
        facts: Facts {
            ply: 5,
            last_correct_fen: format!("{fen} w KQkq - 2 3"),
            last_correct_ply: 4,
            counter: Some((2, 2)),
            wood: fen.to_owned(),
            action: vec![],
            tried: None,
            differs: vec![],
            ..castling().facts
        },
        ..castling()
    }
}

fn open(finding: &Finding, key: &str) -> (Desk, Alert) {
    let mut desk = Desk::default();
    desk.found(&board(), finding, &rules(key), &mut Vec::new());
    let alert = desk.open().next().unwrap().clone();
    (desk, alert)
}

fn pretty(drafts: &[Draft]) -> String {
    let mut out = String::new();
    for draft in drafts {
        let retained = if draft.retain { "retained" } else { "not retained" };
        out.push_str(&format!("{} ({retained})\n", topic("jadoube", "hall", &draft.path)));
        match &draft.body {
            Some(body) => out.push_str(&serde_json::to_string_pretty(body).unwrap()),
            None => out.push_str("(empty: cleared)"),
        }
        out.push_str("\n\n");
    }
    out
}

fn of(publishes: &[Publish]) -> String {
    let all: Vec<Draft> = publishes.iter().flat_map(|publish| drafts(publish, &board())).collect();
    pretty(&all)
}

fn made(ply: u32, kind: PlyKind, uci: &str, san: &str, fen: &str) -> MoveMade {
    let side = if ply % 2 == 1 { Color::White } else { Color::Black };
    let at = Tick::from_ms(u64::from(ply) * 4000);
    let record = PlyRecord {
        side,
        kind,
        uci: uci.to_owned(),
        san: san.to_owned(),
        fen: fen.to_owned(),
        by: Completed::Press,
        placed_at: Some(Tick::from_ms(at.ms() - 900)),
        pressed_at: Some(Tick::from_ms(at.ms() - 40)),
        dials: Some((Dial::from_s(5400), Dial::from_s(5398))),
        piece_assumed: false,
        press_inferred: false,
        stories: 1,
    };
    MoveMade { ply, revision: 0, record, at }
}

fn legal() -> MoveMade {
    made(1, PlyKind::Legal, "e2e4", "e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
}

fn illegal() -> MoveMade {
    made(2, PlyKind::Illegal, "e8g6", "e8-g6", "rnbq1bnr/pppppppp/6k1/8/4P3/8/PPPP1PPP/RNBQKBNR w KQ - 1 2")
}

/// The first of two sequences that explain a gap.
fn doubtful() -> MoveMade {
    let mut made =
        made(4, PlyKind::Legal, "g8f6", "Nf6", "rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1 2");
    made.record = PlyRecord { by: Completed::Inferred, pressed_at: None, stories: 2, ..made.record };
    made
}

/// Its press was concluded from the times.
fn pressed_unseen() -> MoveMade {
    let legal = legal();
    MoveMade { record: PlyRecord { press_inferred: true, ..legal.record }, ..legal }
}

fn null() -> MoveMade {
    made(3, PlyKind::Null, "0000", "--", "rnbq1bnr/pppppppp/6k1/8/4P3/8/PPPP1PPP/RNBQKBNR b KQ - 2 2")
}

fn ruling(id: &str, alert: &str, decision: Decision) -> Request {
    let verb = Verb::ruling(alert, decision);
    Request { id: id.to_owned(), by: "floor arbiter".to_owned(), verb }
}

#[test]
fn alerts_as_messages() {
    for (name, finding, key) in [
        ("illegal-move-standard", castling(), "fide-2023/standard"),
        ("illegal-move-blitz-b3", castling(), "fide-2023/blitz-b3"),
        ("pawn-not-promoted-rapid-a5", pawn_left(), "fide-2023/rapid-a5"),
        ("press-without-move-standard", null_press(), "fide-2023/standard"),
    ] {
        let (_, alert) = open(&finding, key);
        golden(
            &format!("fixtures/contract/alert-{name}.txt"),
            &of(&[Publish::Alert(Box::new(alert.clone()))]),
        );
        golden(&format!("fixtures/contract/card-{name}.txt"), &card(&alert));
    }
}

#[test]
fn a_ruling_as_messages() {
    let (mut desk, alert) = open(&castling(), "fide-2023/standard");
    let mut out = Vec::new();
    let request = ruling("r1", &alert.id, Decision::Upheld);
    let outcome = desk.act(&request, Tick::from_ms(800_000), &mut out).expect("about an alert");
    out.push(Publish::Response(Response::new(&request, outcome)));
    golden("fixtures/contract/ruling.txt", &of(&out));
}

/// One of two pieces has gone back.
fn episode(alert: &Alert) -> EpisodeState {
    let restore = alert.advice.restore.as_ref().unwrap();
    let stopped = (Dial::from_s(1795), Dial::from_s(1743));
    let clocks = Times::after_action(
        Some(stopped),
        shakmaty::ByColor { white: 1, black: 0 },
        30,
        alert.advice.time,
        true,
    );
    EpisodeState {
        alert: Some(alert.id.clone()),
        stage: Stage::Travelling,
        ply: restore.ply,
        fen: restore.fen.clone(),
        movements: restore.movements[..1].to_vec(),
        total: 2,
        squares_left: 2,
        clocks,
        counter: (19, 19),
        times_now: Some(TimesNow::Unchanged),
        since: Tick::from_ms(790_000),
    }
}

#[test]
fn a_claim_as_messages() {
    let fen = "4k3/8/8/8/8/8/R7/4K3 w - - 100 90";
    let mut setup = Setup::plain(board(), Device::Neutral);
    setup.start = Start::Fen(fen.to_owned());
    let wood = setup.start_wood().unwrap();
    let claim = PlayersClaim {
        by: Color::White,
        of: ClaimKind::Fifty,
        written: Some("Ra3".to_owned()),
        square: None,
    };
    let by = "floor arbiter".to_owned();
    let request = Request { id: "c1".to_owned(), by, verb: Verb::Claim(claim) };
    let (mut table, mut out) = (Table::new(), Effects::default());
    for input in [Input::Setting(Box::new(setup)), Input::Report(Report::Dump(wood)), Input::Request(request)]
    {
        table.step(Tick::from_ms(1000), input, &mut out);
    }
    let answers: Vec<Publish> =
        out.publish.into_iter().filter(|item| matches!(item, Publish::Response(_))).collect();
    golden("fixtures/contract/claim.txt", &of(&answers));
}

#[test]
fn the_rest_as_messages() {
    let (_, alert) = open(&castling(), "fide-2023/standard");
    let state = BoardState {
        at: Tick::from_ms(754_300),
        sensed: "4kr2/8/8/8/8/8/8/R4RK1".to_owned(),
        recorded: "4kr2/8/8/8/8/8/8/R4RK1 b - - 1 20".to_owned(),
        ply: 39,
        turn: Color::Black,
        dials: Some((Dial::from_s(1795), Dial::from_s(1743))),
        running: Some(Color::Black),
        signal: Signal::Pending,
        offences: (0, 1),
        watched: Watched::No { since: Tick::from_ms(1000), why: "clock" },
        open_alerts: vec![alert.id.clone()],
        episode: Some(episode(&alert)),
        game: 1,
        result: Some(ResultEntered {
            score: "1/2-1/2",
            why: Some("agreed".to_owned()),
            by: "floor arbiter".to_owned(),
            at: Tick::from_ms(754_000),
        }),
        pairing: Pairing { white: Some("player-0011223344556677".to_owned()), black: None },
        clock_set: Some(ClockSetting {
            dials: (Dial::from_s(1790), Dial::from_s(1743)),
            moves: Some((19, 19)),
        }),
        ruleset: "fide-2023/standard".to_owned(),
        orders: Orders {
            zone: Some(Some("floor north".to_owned())),
            muted: vec![RuleId::TwoHands],
            hold: Some(true),
            ..Orders::default()
        },
        junk: vec![("unknown-id", 2)],
        calibration: Some(Box::new(Calibration {
            lag: Lag { presses: 38, late: 5, median: Span::from_ms(120), most: Span::from_ms(240) },
            waits: Span::from_ms(350),
            scan: Resolution::Within(Span::from_ms(200)),
            clock_period: Some(Span::from_ms(1_000)),
            ..Calibration::default()
        })),
    };
    let error = parse_request("rule", b"{\"id\":\"r2\",\"by\":\"desk\"}").unwrap_err();
    let refused = Response::new(&ruling("r3", "b1-g1-p9", Decision::Noted), Err("why".to_owned()));
    let forgotten = Finding {
        id: "b1-g1-p9-press-forgotten-1".to_owned(),
        severity: Severity::Log,
        code: RuleId::PressForgotten,
        what: "the clock was not pressed after Nf3".to_owned(),
        facts: Facts { ply: 9, pressed_at: None, ..null_press().facts },
        ..null_press()
    };
    let correction = MoveMade { revision: 1, ..legal() };
    let void = MoveMade { revision: 1, ..null() };
    let (within, apart) = (Span::from_ms(200), Span::from_ms(90));
    let order = Some(Unordered { press_first: true, apart, within });
    let unordered = Finding {
        id: "b1-g1-p39-press-move-incomplete-1".to_owned(),
        severity: Severity::Log,
        code: RuleId::PressMoveIncomplete,
        what: "the clock was pressed before the rook landed".to_owned(),
        facts: Facts { order, ..castling().facts },
        ..castling()
    };
    let asks = Finding { severity: Severity::Check, certainty: Certainty::Possible, ..unordered.clone() };
    let (_, asks) = open(&asks, "fide-2023/standard");
    let mut text = of(&[
        Publish::Move(legal()),
        Publish::Move(illegal()),
        Publish::Move(null()),
        Publish::Move(doubtful()),
        Publish::Move(correction),
        Publish::Move(void),
        Publish::Retract { to_ply: 1, at: Tick::from_ms(9000) },
        Publish::Finding(Box::new(forgotten)),
        Publish::Finding(Box::new(unordered)),
        Publish::Alert(Box::new(asks)),
        Publish::Finding(Box::new(castling())),
        Publish::Withdraw { id: "b1-g1-p9-press-forgotten-1".to_owned(), at: Tick::from_ms(9500) },
        Publish::State(Box::new(state)),
        Publish::Response(refused),
    ]);
    text.push_str(&pretty(&[refusal("rule", &error, &board())]));
    golden("fixtures/contract/messages.txt", &text);
}

#[test]
fn the_game_as_a_message() {
    let mut feed = Broadcast::new(board(), Delay::default());
    let mut heard = |publish: &Publish| {
        feed.take(publish);
        feed.release(Tick::from_ms(1_000_000)).into_iter().find(|draft| draft.retain)
    };
    assert!(heard(&Publish::Finding(Box::new(castling()))).is_none());
    let games = [Publish::Move(legal()), Publish::Move(illegal()), Publish::Move(null())];
    let last = games.iter().filter_map(&mut heard).last().unwrap();
    golden("fixtures/contract/game.txt", &pretty(&[last]));
    let none = heard(&Publish::Retract { to_ply: 0, at: Tick::ZERO }).unwrap();
    assert_eq!(none.body.unwrap()["moves"], Value::Array(vec![]));
    assert!(heard(&Publish::Retract { to_ply: 0, at: Tick::ZERO }).is_none());
}

/// What the daemon says of itself, with times and version that stay the same.
#[cfg(feature = "daemon")]
#[test]
fn the_room_as_messages() {
    use jadoube::daemon::host::Clock;
    use jadoube::daemon::outbox::{Outbox, Post};
    use jadoube::daemon::roster::{PROGRAM, Roster};
    let post = Post::new(Outbox::new("jadoube", "hall", 1_800_000_000_000));
    let roster = Roster::new(post.clone(), Clock::start());
    roster.publish_status(true);
    roster.board(&board(), |line| {
        line.port = "/dev/serial/by-id/usb-one".to_owned();
        line.why = Some("no answer for 3 s".to_owned());
        line.since_ms = 1_800_000_000_000;
        line.serial = Some("21258".to_owned());
        line.version = Some("1.7".to_owned());
        line.battery = Some(80);
    });
    roster.shadowed("two-hands");
    roster.recorded(421);
    roster.report("broker", "the broker at localhost:1883 does not answer".to_owned());
    let mut text = String::new();
    while let Some((_, message)) = post.with(|outbox| outbox.next(std::time::Instant::now())) {
        let body: Value = serde_json::from_slice(&message.payload).unwrap();
        let retained = if message.retain { "retained" } else { "not retained" };
        text.push_str(&format!("{} ({retained})\n{body:#}\n\n", message.topic));
    }
    golden("fixtures/contract/room.txt", &text.replace(PROGRAM, "jadoube 0.1.0"));
}

#[test]
fn nothing_that_helps_a_player_is_broadcast() {
    let mut feed = Broadcast::new(board(), Delay::default());
    let publishes = [legal(), illegal(), null(), pressed_unseen()].map(Publish::Move);
    let mut public = String::new();
    for publish in &publishes {
        feed.take(publish);
        let drafts = drafts(publish, &board()).into_iter().chain(feed.release(Tick::from_ms(1_000_000)));
        public.extend(drafts.filter(|draft| draft.path.starts_with("broadcast/")).map(|d| pretty(&[d])));
    }
    let (_, alert) = open(&castling(), "fide-2023/standard");
    for publish in [Publish::Alert(Box::new(alert)), Publish::Finding(Box::new(castling()))] {
        assert!(drafts(&publish, &board()).iter().all(|draft| draft.path.starts_with("arbiter/")));
    }
    for word in ["legal", "press", "0000", "offence", "by"] {
        assert!(!public.contains(&format!("\"{word}")), "{word} in {public}");
    }
}

#[test]
fn replay_lines() {
    let (_, alert) = open(&castling(), "fide-2023/standard");
    let publishes = [
        Publish::Move(legal()),
        Publish::Move(illegal()),
        Publish::Move(null()),
        Publish::Move(doubtful()),
        Publish::Move(pressed_unseen()),
        Publish::Retract { to_ply: 1, at: Tick::from_ms(9000) },
        Publish::Finding(Box::new(castling())),
        Publish::Withdraw { id: castling().id, at: Tick::from_ms(755_000) },
        Publish::Alert(Box::new(alert)),
    ];
    let lines: Vec<String> = publishes.iter().filter_map(replay_line).collect();
    golden("fixtures/contract/replay.jsonl", &format!("{}\n", lines.join("\n")));
    assert!(lines.iter().all(|line| serde_json::from_str::<Value>(line).is_ok()));
}

#[test]
fn a_card_is_the_same_from_the_alert_and_from_the_wire_and_fits() {
    let (_, alert) = open(&castling(), "fide-2023/standard");
    let wire = serde_json::to_vec(&alert_document(&alert)).unwrap();
    let text = card_from_json(&serde_json::from_slice(&wire).unwrap());
    assert_eq!(text, card(&alert));
    assert!(text.lines().all(|line| line.chars().count() <= 80));
}

#[test]
fn alert_ids_cannot_leave_their_topic() {
    let odd = Finding { id: "g1/#/+ x".to_owned(), ..castling() };
    let (_, alert) = open(&odd, "fide-2023/standard");
    let paths: Vec<String> =
        drafts(&Publish::Alert(Box::new(alert)), &board()).into_iter().map(|draft| draft.path).collect();
    assert_eq!(paths, ["arbiter/b1/log", "arbiter/b1/alerts/g1_____x"]);
    // A board may have a name of 64 letters; its alerts keep apart all the same.
    let long = Finding { id: format!("{}-g1-p39-illegal-move-2", "b".repeat(64)), ..castling() };
    let (_, alert) = open(&long, "fide-2023/standard");
    assert!(drafts(&Publish::Alert(Box::new(alert)), &board())[1].path.ends_with(&long.id));
}

#[test]
fn the_pages_are_the_generated_ones() {
    golden("docs/RULES.md", &rules_page());
    golden("docs/REQUESTS.md", &requests_page());
    golden("docs/SIMULATOR.md", &jadoube::emulator::faults_page());
}
