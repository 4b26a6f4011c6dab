//! The life of alerts at the desk: windows, rulings and what they count, and what people enter.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

#[path = "support/findings.rs"]
mod findings;
#[path = "support/script.rs"]
mod script;

use findings::{A5, B3, STANDARD, finding, rules};
use jadoube::alerts::{Alert, AlertState, Decision, Desk, Notify, Outcome, Request, Sight, Verb};
use jadoube::events::BoardId;
use jadoube::laws::{Finding, MatingAsk, May, RuleId, Rules, Score, Severity, Step};
use jadoube::mating::{Budget, can_still_mate};
use jadoube::table::Publish;
use jadoube::tick::Tick;
use proptest::prelude::*;
use shakmaty::{Color, Square};

/// A desk with its board, and everything it has published.
struct Room {
    desk: Desk,
    out: Vec<Publish>,
}

impl Room {
    fn new() -> Self {
        Room { desk: Desk::default(), out: Vec::new() }
    }

    fn found(&mut self, finding: &Finding, key: &str) {
        self.found_under(finding, &rules(key));
    }

    fn found_under(&mut self, finding: &Finding, rules: &Rules) {
        self.desk.found(&BoardId::new("b1").unwrap(), finding, rules, &mut self.out);
    }

    fn seen(&mut self, id: &str, alert: &str, what: Sight) -> Result<String, String> {
        self.ask(id, Verb::Seen { alert: alert.to_owned(), what })
    }

    fn rule(&mut self, id: &str, alert: &str, ruling: Decision) -> Result<String, String> {
        self.ask(id, Verb::ruling(alert, ruling))
    }

    fn ask(&mut self, id: &str, verb: Verb) -> Result<String, String> {
        let request = Request { id: id.to_owned(), by: "floor arbiter".to_owned(), verb };
        self.desk.act(&request, Tick::from_ms(60_000), &mut self.out).expect("about an alert")
    }

    fn last(&self) -> &Alert {
        let Some(Publish::Alert(alert)) = self.out.last() else { panic!("no alert") };
        alert
    }
}

#[test]
fn a_second_offence_follows_an_upheld_first() {
    let mut room = Room::new();
    let (first, second) = (finding(RuleId::IllegalMove, 19), finding(RuleId::PressWithoutMove, 31));
    room.found(&first, STANDARD);
    assert_eq!(room.last().advice.consequence, "first: +2:00 to Black");
    room.rule("r1", &first.id, Decision::Upheld).unwrap();
    assert_eq!((room.last().state, room.last().offences), (AlertState::Closed, (0, 0)));
    assert_eq!((room.desk.offences(Color::White), room.desk.offences(Color::Black)), (1, 0));
    room.found(&second, STANDARD);
    assert_eq!(room.last().advice.consequence, "second: loss? Black can mate: not proven");
    assert_eq!(room.last().advice.time, None);
    assert_eq!(room.last().offences, (1, 0));
    let asked = room.last().advice.mating.clone().expect("a question");
    let answer = can_still_mate("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", Color::Black, Budget::DECIDES);
    let other = MatingAsk { side: Color::White, ..asked.clone() };
    room.desk.mating_answered(&second.id, &other, &answer, Tick::from_ms(60_000), &mut room.out);
    assert_eq!(room.last().advice.consequence, "second: loss? Black can mate: not proven");
    room.desk.mating_answered(&second.id, &asked, &answer, Tick::from_ms(61_000), &mut room.out);
    assert_eq!(room.last().advice.consequence, "second: loss? Black can mate: no, so a draw");
    // The first ruling is reversed: what is open follows.
    room.rule("r2", &first.id, Decision::Dismissed).unwrap();
    assert_eq!(room.last().id, second.id);
    assert_eq!(room.last().advice.consequence, "first: +2:00 to Black");
    assert_eq!(room.desk.offences(Color::White), 0);
}

#[test]
fn dismissed_does_not_count_and_closed_can_still_be_ruled() {
    let mut room = Room::new();
    let first = finding(RuleId::IllegalMove, 19);
    room.found(&first, STANDARD);
    room.rule("r1", &first.id, Decision::Dismissed).unwrap();
    assert_eq!(room.desk.offences(Color::White), 0);
    let second = finding(RuleId::IllegalMove, 31);
    room.found(&second, STANDARD);
    room.desk.closed(&second.id, Tick::from_ms(50_000), &mut room.out);
    assert_eq!(room.desk.open().count(), 0);
    room.rule("r2", &second.id, Decision::Upheld).unwrap();
    assert_eq!(room.desk.offences(Color::White), 1);
}

#[test]
fn a_ruling_on_nothing_says_what_is_open() {
    let mut room = Room::new();
    assert!(room.rule("r1", "x", Decision::Upheld).unwrap_err().contains("no alert is open"));
    let first = finding(RuleId::IllegalMove, 19);
    room.found(&first, STANDARD);
    assert!(room.rule("r2", "x", Decision::Upheld).unwrap_err().contains(&first.id));
}

#[test]
fn findings_of_one_press_share_an_alert_and_count_once() {
    let mut room = Room::new();
    let (illegal, kings, hands) = (
        finding(RuleId::IllegalMove, 19),
        finding(RuleId::BothKingsInCheck, 19),
        finding(RuleId::TwoHands, 19),
    );
    for each in [&illegal, &kings, &hands] {
        room.found(each, STANDARD);
    }
    assert_eq!(room.desk.open().count(), 1);
    assert_eq!((room.last().findings.len(), room.last().revision), (3, 2));
    room.rule("r1", &illegal.id, Decision::Upheld).unwrap();
    assert_eq!(room.desk.offences(Color::White), 1);
}

#[test]
fn a_withdrawn_primary_leaves_the_others_an_alert_of_their_own() {
    let mut room = Room::new();
    let (illegal, kings) = (finding(RuleId::IllegalMove, 19), finding(RuleId::BothKingsInCheck, 19));
    room.found(&illegal, STANDARD);
    room.found(&kings, STANDARD);
    room.desk.withdrawn(&illegal.id, Tick::from_ms(20_000), &mut room.out);
    let open: Vec<&str> = room.desk.open().map(|alert| alert.id.as_str()).collect();
    assert_eq!(open, [kings.id.as_str()]);
    assert!(room.rule("r1", &illegal.id, Decision::Upheld).unwrap_err().contains("withdrawn"));
}

#[test]
fn findings_for_the_record_open_nothing_and_revisions_raise_the_revision() {
    let mut room = Room::new();
    let log = Finding { severity: Severity::Log, ..finding(RuleId::IllegalMove, 19) };
    room.found(&log, STANDARD);
    assert!(room.out.is_empty());
    let act = Finding { revision: 1, severity: Severity::Act, ..log.clone() };
    room.found(&act, STANDARD);
    assert_eq!((room.last().revision, room.last().state), (1, AlertState::Open));
    room.found(&act, STANDARD);
    assert_eq!(room.out.len(), 1);
    room.found(&Finding { revision: 2, ..log }, STANDARD);
    assert_eq!((room.last().revision, room.last().state), (3, AlertState::Withdrawn));
}

#[test]
fn without_full_supervision_an_offence_is_silent_until_the_clock_is_stopped() {
    for key in [A5, B3] {
        let mut room = Room::new();
        room.found(&finding(RuleId::IllegalMove, 19), key);
        assert_eq!(room.last().notify, Notify::Silent);
        let window = room.last().advice.window.map(|window| window.text);
        assert_eq!(window, Some("claimable until the reply is released"));
        room.desk.clock_stopped(Tick::from_ms(22_000), &mut room.out);
        assert_eq!((room.last().notify, room.last().revision), (Notify::Now, 1));
        room.found(&finding(RuleId::FlagFall, 40), key);
        assert_eq!(room.last().notify, Notify::Now);
    }
}

#[test]
fn a_reply_closes_the_window_and_it_stands() {
    let mut room = Room::new();
    room.found(&finding(RuleId::IllegalMove, 19), A5);
    room.desk.reply_made(Color::White, Tick::from_ms(20_000), &mut room.out);
    assert_eq!(room.out.len(), 1);
    room.desk.reply_made(Color::Black, Tick::from_ms(21_000), &mut room.out);
    assert_eq!((room.last().advice.may, room.last().advice.time), (May::KeepOut, None));
    assert!(!room.last().advice.window_open());
    room.desk.clock_stopped(Tick::from_ms(22_000), &mut room.out);
    assert_eq!(room.last().notify, Notify::Now);
    let mut standard = Room::new();
    standard.found(&finding(RuleId::IllegalMove, 19), STANDARD);
    standard.desk.reply_made(Color::Black, Tick::from_ms(21_000), &mut standard.out);
    assert_eq!(standard.last().advice.may, May::StepIn);
}

#[test]
fn a_new_game_closes_alerts_and_starts_the_ledger_again() {
    let mut room = Room::new();
    let (first, second) = (finding(RuleId::IllegalMove, 19), finding(RuleId::IllegalMove, 31));
    room.found(&first, STANDARD);
    room.rule("r1", &first.id, Decision::Upheld).unwrap();
    room.found(&second, STANDARD);
    room.desk.new_game(Tick::from_ms(90_000), &mut room.out);
    assert_eq!(room.last().state, AlertState::Closed);
    assert_eq!((room.desk.open().count(), room.desk.offences(Color::White)), (0, 0));
}

#[test]
fn a_long_day_does_not_fill_the_memory() {
    let mut room = Room::new();
    for ply in 1..=1000 {
        let each = finding(RuleId::DisplacedPieces, ply);
        room.found(&each, STANDARD);
        room.rule(&format!("r{ply}"), &each.id, Decision::Upheld).unwrap();
    }
    let (old, recent) = (finding(RuleId::DisplacedPieces, 1), finding(RuleId::DisplacedPieces, 1000));
    assert!(room.rule("x1", &old.id, Decision::Dismissed).is_err());
    assert!(room.rule("x2", &recent.id, Decision::Dismissed).is_ok());
    assert_eq!(room.desk.offences(Color::White), 0);
}

/// Upheld means that it was taken as an illegal move.
#[test]
fn an_upheld_castling_without_the_rook_counts() {
    let mut room = Room::new();
    room.found(&finding(RuleId::CastlingIncomplete, 19), STANDARD);
    assert!(room.rule("r1", "g1-p19-castling-incomplete-1", Decision::Upheld).is_ok());
    assert_eq!(room.desk.offences(Color::White), 1);
}

/// The window, as a word, and whether the alert is shown.
fn window(room: &Room, id: &str) -> (&'static str, bool) {
    let alert = room.desk.open().find(|alert| alert.id == id).expect("open");
    let state = alert.advice.window.map_or("none", |window| window.state.word());
    (state, room.desk.shown().any(|shown| shown.id == id))
}

#[test]
fn a_window_hardens_with_the_reply_and_opens_again_when_it_is_taken_back() {
    let at = Tick::from_ms(20_000);
    for key in [A5, B3] {
        let mut room = Room::new();
        let first = finding(RuleId::IllegalMove, 19);
        room.found(&first, key);
        assert_eq!(window(&room, &first.id), ("open", true));
        room.desk.reply_shown(Some(Color::White), at, &mut room.out);
        assert_eq!(window(&room, &first.id), ("open", true), "his own next move is no reply");
        room.desk.reply_shown(Some(Color::Black), at, &mut room.out);
        assert_eq!(window(&room, &first.id), ("reply-on-board", true));
        assert_eq!(room.last().advice.may, May::IfSeenOrClaimed);
        assert_eq!(room.last().advice.time.map(|gift| gift.seconds), Some(60));
        let said = room.out.len();
        room.desk.reply_shown(Some(Color::Black), at, &mut room.out);
        assert_eq!(room.out.len(), said, "nothing new, nothing said");
        room.desk.reply_shown(None, at, &mut room.out);
        assert_eq!(window(&room, &first.id), ("open", true));
        room.desk.reply_made(Color::Black, at, &mut room.out);
        assert_eq!(window(&room, &first.id), ("closed", true));
        assert!(!room.desk.awaits_reply());
        room.desk.reply_shown(None, at, &mut room.out);
        assert_eq!(window(&room, &first.id), ("closed", true), "a reply that was made stays made");
    }
}

#[test]
fn a_claim_in_time_is_not_closed_by_a_reply() {
    let mut room = Room::new();
    let first = finding(RuleId::IllegalMove, 19);
    room.found(&first, A5);
    let at = Tick::from_ms(20_000);
    assert!(room.desk.claimed(Color::White, |_| true, at, &mut room.out).is_empty(), "nobody claims his own");
    assert_eq!(room.desk.claimed(Color::Black, |_| true, at, &mut room.out), [first.id.as_str()]);
    assert_eq!((room.last().notify, room.last().advice.may), (Notify::Now, May::StepIn));
    room.desk.reply_made(Color::Black, at, &mut room.out);
    assert_eq!(window(&room, &first.id), ("claimed", true));
}

/// A5 with the alerts of a claim kept back.
fn delayed() -> Rules {
    let mut rules = rules(A5);
    rules.change("notify", "delayed").unwrap();
    rules
}

#[test]
fn a_delayed_alert_is_shown_after_its_window_and_only_then() {
    let first = finding(RuleId::IllegalMove, 19);
    let id = first.id.clone();
    let at = Tick::from_ms(20_000);
    let held = |room: &Room| room.out.iter().all(|p| matches!(p, Publish::Held(_)));
    let mut room = Room::new();
    room.found_under(&first, &delayed());
    assert!(held(&room) && room.desk.is_held(&id));
    assert_eq!(window(&room, &id), ("open", false));
    room.desk.reply_shown(Some(Color::Black), at, &mut room.out);
    assert!(held(&room));
    room.desk.reply_made(Color::Black, at, &mut room.out);
    assert_eq!((room.last().notify, room.last().advice.may), (Notify::AfterWindow, May::KeepOut));
    assert_eq!(window(&room, &id), ("closed", true));

    // A player stops the clock in time: the arbiter is there, and is told.
    let mut room = Room::new();
    room.found_under(&first, &delayed());
    room.desk.clock_stopped(at, &mut room.out);
    assert_eq!((room.last().notify, room.last().advice.may), (Notify::Now, May::IfSeenOrClaimed));

    // The position is put back, or the game ends: it is told then, closed.
    let mut room = Room::new();
    room.found_under(&first, &delayed());
    room.desk.closed(&id, at, &mut room.out);
    assert_eq!((room.last().notify, room.last().state), (Notify::AfterWindow, AlertState::Closed));

    // Taken back by later evidence: nobody is told of it at all.
    let mut room = Room::new();
    room.found_under(&first, &delayed());
    room.desk.withdrawn(&id, at, &mut room.out);
    assert!(held(&room));

    // What has no window is told at once.
    let mut room = Room::new();
    room.found_under(&finding(RuleId::FlagFall, 40), &delayed());
    assert_eq!(room.last().notify, Notify::Now);
}

#[test]
fn what_the_arbiter_has_seen_he_may_act_on() {
    let mut room = Room::new();
    let first = finding(RuleId::IllegalMove, 19);
    room.found(&first, B3);
    assert_eq!(room.last().advice.may, May::IfSeenOrClaimed);
    room.seen("s1", &first.id, Sight::Action).unwrap();
    assert_eq!((room.last().advice.may, room.last().notify), (May::StepIn, Notify::Now));
    assert_eq!(room.last().seen_by.as_deref(), Some("floor arbiter"));
    // He came too late all the same: the reply was made first.
    room.desk.reply_made(Color::Black, Tick::from_ms(21_000), &mut room.out);
    assert_eq!(room.last().advice.may, May::KeepOut);
    assert!(room.seen("s2", &first.id, Sight::Position).unwrap_err().contains("no illegal position"));
}

#[test]
fn an_illegal_position_that_was_seen_waits_for_one_completed_move() {
    let at = Tick::from_ms(30_000);
    for code in [RuleId::BothKingsInCheck, RuleId::PawnOnLastRank] {
        for still_there in [true, false] {
            let mut room = Room::new();
            let found = Finding { side: None, ..finding(code, 19) };
            room.found(&found, A5);
            assert_eq!(room.last().advice.may, May::WaitOneMove);
            room.desk.completed(still_there, at, &mut room.out);
            assert_eq!(room.out.len(), 1, "nobody has said that he sees it");
            room.seen("s1", &found.id, Sight::Action).unwrap();
            assert_eq!(room.last().advice.may, May::WaitOneMove);
            assert!(room.last().advice.consequence.contains("waiting"));
            room.desk.completed(still_there, at, &mut room.out);
            if still_there {
                assert_eq!(room.last().advice.may, May::StepIn);
                assert_eq!(room.last().advice.result, Some(Score::Draw));
            } else {
                assert_eq!(room.last().state, AlertState::Closed);
                assert_eq!(room.last().advice.result, None);
            }
        }
    }
    // In standard nobody waits.
    let mut room = Room::new();
    let found = Finding { side: None, ..finding(RuleId::PawnOnLastRank, 19) };
    room.found(&found, STANDARD);
    assert!(room.seen("s1", &found.id, Sight::Position).unwrap_err().contains("A.5.4"));
}

/// The arbiter saw the pawn, not the move that left it there: A.5.4 and not 7.5.2.
#[test]
fn a_pawn_left_that_was_only_seen_as_a_position_waits() {
    let mut room = Room::new();
    let found = finding(RuleId::PawnNotPromoted, 19);
    room.found(&found, A5);
    room.seen("s1", &found.id, Sight::Position).unwrap();
    assert_eq!((room.last().advice.may, room.last().advice.offence), (May::WaitOneMove, None));
    room.desk.reply_made(Color::Black, Tick::from_ms(21_000), &mut room.out);
    room.desk.completed(true, Tick::from_ms(21_000), &mut room.out);
    assert_eq!(room.last().advice.result, Some(Score::Draw));
}

#[test]
fn an_agreed_correction_counts_nothing_and_can_be_taken_back() {
    let mut room = Room::new();
    let first = finding(RuleId::IllegalMove, 19);
    room.found(&first, A5);
    let agreed = Verb::AgreedCorrection { alert: first.id.clone() };
    assert!(room.ask("a1", agreed).unwrap().contains("nothing is counted"));
    assert_eq!(room.last().ruling.as_ref().map(|ruling| ruling.outcome), Some(Outcome::AgreedCorrection));
    assert_eq!((room.last().state, room.desk.offences(Color::White)), (AlertState::Closed, 0));
    room.ask("u1", Verb::Undo { alert: first.id.clone() }).unwrap();
    assert_eq!((room.last().state, room.last().ruling.clone()), (AlertState::Open, None));
    assert!(room.ask("u2", Verb::Undo { alert: first.id }).unwrap_err().contains("no ruling"));
}

/// The bishop f1 was brushed by a sleeve before the knight was taken.
#[test]
fn contacts_struck_out_bind_nobody() {
    let step = |ms, square: Square, before, piece| Step { at: Tick::from_ms(ms), square, piece, before };
    let mut found = finding(RuleId::IllegalMove, 9);
    found.facts.last_correct_fen =
        "rnbqk2r/pppp1ppp/5n2/4p3/1b2P3/3P4/PPP2PPP/RNBQKBNR w KQkq - 1 4".to_owned();
    found.facts.wood = "rnbqk2r/pppp1ppp/5n2/4p3/1b2P3/3P1N2/PPP2PPP/RNBQKB1R".to_owned();
    found.facts.tried = Some("g1f3".to_owned());
    found.facts.action = vec![
        step(1000, Square::C1, Some('B'), None),
        step(1100, Square::C1, None, Some('B')),
        step(2000, Square::G1, Some('N'), None),
        step(2400, Square::F3, None, Some('N')),
    ];
    let mut room = Room::new();
    room.found(&found, STANDARD);
    let legal = |room: &Room| room.last().advice.replacement.as_ref().unwrap().legal.join(" ");
    assert_eq!(legal(&room), "c1d2");
    let strike = |steps: &[usize]| Verb::Strike { alert: found.id.clone(), steps: steps.to_vec() };
    room.ask("x1", strike(&[1, 2])).unwrap();
    assert_eq!(legal(&room), "b1c3 b1d2 c1d2 c2c3 d1d2 e1e2", "the knight g1 cannot parry: free");
    assert_eq!(room.last().struck, [1, 2]);
    assert!(room.ask("x2", strike(&[5])).unwrap_err().contains("has 4 steps"));
    room.ask("x3", strike(&[])).unwrap();
    assert_eq!(legal(&room), "c1d2");
}

#[test]
fn a_ruling_may_say_that_it_stands() {
    let mut room = Room::new();
    let first = finding(RuleId::IllegalMove, 19);
    room.found(&first, A5);
    for (n, ruling) in
        [Decision::Upheld, Decision::Stands, Decision::Upheld, Decision::Noted].iter().enumerate()
    {
        room.rule(&format!("r{n}"), &first.id, *ruling).unwrap();
        let counted = u32::from(*ruling == Decision::Upheld);
        assert_eq!(room.desk.offences(Color::White), counted, "{ruling:?}");
    }
}

/// What the desk says now, apart from revisions and times.
fn now(room: &Room) -> (u32, u32, Vec<String>) {
    let alert = |alert: &Alert| {
        let plain = Alert { revision: 0, at: Tick::ZERO, notify: Notify::Now, ..alert.clone() };
        format!("{plain:?}")
    };
    (
        room.desk.offences(Color::White),
        room.desk.offences(Color::Black),
        room.desk.open().map(alert).collect(),
    )
}

/// Something that may happen, and is no ruling.
fn happens(room: &mut Room, what: u8, n: u32) {
    let codes = [RuleId::IllegalMove, RuleId::PressWithoutMove, RuleId::TwoHands, RuleId::FlagFall];
    let side = if what & 1 == 0 { Color::White } else { Color::Black };
    let at = Tick::from_ms(u64::from(100 + n) * 1000);
    match what % 6 {
        0 | 1 => {
            let code = codes[usize::from(what / 6) % codes.len()];
            let found = Finding { side: Some(side), ..finding(code, n + 1) };
            room.found(&found, if what & 4 == 0 { STANDARD } else { A5 });
        }
        2 => room.desk.reply_made(side, at, &mut room.out),
        3 => room.desk.clock_stopped(at, &mut room.out),
        4 => drop(room.desk.claimed(side, |_| true, at, &mut room.out)),
        _ => {
            let id = room.desk.open().next().map(|alert| alert.id.clone());
            if let Some(id) = id {
                room.seen(&format!("s{n}"), &id, Sight::Action).unwrap();
            }
        }
    }
}

proptest! {
    /// No finding counts without a ruling, a ruling counts for its player alone, and taking it back
    /// leaves everything as it was.
    #[test]
    fn only_rulings_count_and_undoing_one_restores_everything(
        before in prop::collection::vec(any::<u8>(), 1..40),
        picks in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 1..8),
    ) {
        let mut room = Room::new();
        for (n, what) in (0..).zip(&before) {
            happens(&mut room, *what, n);
        }
        prop_assert_eq!((now(&room).0, now(&room).1), (0, 0));
        let mut snapshots = Vec::new();
        for (n, (pick, upheld)) in picks.iter().enumerate() {
            let open: Vec<(String, Option<Color>)> =
                room.desk.open().map(|alert| (alert.id.clone(), alert.primary().side)).collect();
            if open.is_empty() {
                break;
            }
            let (id, side) = open[pick.index(open.len())].clone();
            let was = now(&room);
            let ruling = if *upheld { Decision::Upheld } else { Decision::Dismissed };
            room.rule(&format!("r{n}"), &id, ruling).unwrap();
            let (white, black, _) = now(&room);
            let added = (white - was.0, black - was.1);
            let most = if side == Some(Color::White) { (1, 0) } else { (0, 1) };
            prop_assert!(added == (0, 0) || *upheld && added == most, "{id}: {added:?}");
            snapshots.push((id, was));
        }
        for (n, (id, was)) in snapshots.into_iter().enumerate().rev() {
            room.ask(&format!("u{n}"), Verb::Undo { alert: id }).unwrap();
            prop_assert_eq!(now(&room), was);
        }
    }
}

#[test]
fn with_too_many_alerts_the_least_grave_is_closed_first() {
    let mut room = Room::new();
    let grave = finding(RuleId::IllegalMove, 1);
    room.found(&grave, STANDARD);
    for ply in 2..90 {
        room.found(&finding(RuleId::TwoHands, ply), STANDARD);
    }
    assert!(room.desk.open().any(|alert| alert.id == grave.id), "an act alert is not pushed out");
    assert_eq!(room.desk.open().count(), 64);
}

/// What hands, clock and arbiter do, and what the desk makes of it: `fixtures/desk/<case>.txt`, as in
/// `tests/laws.rs`.
#[test]
fn every_script_has_its_outcome() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/desk");
    let entries = std::fs::read_dir(folder).expect("fixtures/desk is there");
    let mut scripts: Vec<_> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    scripts.sort();
    assert!(scripts.len() >= 9, "found {}", scripts.len());
    script::compare(&scripts);
}
