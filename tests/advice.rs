//! What the Laws propose, rule by rule and regime by regime.

#[path = "support/findings.rs"]
mod findings;

use findings::{A5, B3, STANDARD, finding, rules};
use jadoube::laws::{Advice, Circumstances, Finding, RULES, RuleId, Step, advise};
use jadoube::tick::Tick;
use shakmaty::{Color, Square};

/// White's pawn stays on e8.
fn pawn() -> Finding {
    let mut finding = finding(RuleId::PawnNotPromoted, 19);
    finding.facts.last_correct_fen = "8/4P3/8/8/8/2k5/8/4K3 w - - 0 50".to_owned();
    finding.facts.wood = "4P3/8/8/8/8/2k5/8/4K3".to_owned();
    finding.facts.tried = Some("e7e8".to_owned());
    finding
}

fn squares(advice: &Advice) -> String {
    let Some(restore) = &advice.restore else { return "-".to_owned() };
    let name = |(square, put): &(Square, Option<char>)| format!("{square}{}", put.unwrap_or('-'));
    restore.squares.iter().map(name).collect::<Vec<_>>().join(" ")
}

/// `step-in 7.5.1 +120 black e1K` and so on: all that matters in one line.
fn told(finding: &Finding, key: &str) -> String {
    let advice = advise(finding, &rules(key), &Circumstances::after(0));
    let time = advice.time.map_or("-".to_owned(), |gift| format!("+{} {}", gift.seconds, gift.to));
    let (may, article) = (advice.may.word(), advice.article.as_deref().unwrap_or("-"));
    format!("{may} | {article} | {time} | {}", squares(&advice))
}

#[test]
fn offences_in_each_regime() {
    let back = "e1K f1- g1- h1R";
    let pawn = pawn();
    for (finding, squares, number) in [
        (&finding(RuleId::IllegalMove, 19), back, "3.8.2.2.1, 7.5.1"),
        (&finding(RuleId::PressWithoutMove, 19), back, "6.2.4, 7.5.3"),
        (&pawn, "e8Q", "3.7.3.3, 7.5.2"),
    ] {
        for (key, wanted) in [
            (STANDARD, format!("step-in | {number}, 7.5.5 | +120 black | {squares}")),
            (A5, format!("if-seen-or-claimed | A.5.2, A.3, {number}, 7.5.5 | +60 black | {squares}")),
            (B3, format!("if-seen-or-claimed | B.3, A.5.2, A.3, {number}, 7.5.5 | +60 black | {squares}")),
            ("fide-2023/rapid-a4", format!("step-in | A.4, A.3, {number}, 7.5.5 | +60 black | {squares}")),
            ("fide-2023/blitz-b2", format!("step-in | B.2, {number}, 7.5.5 | +120 black | {squares}")),
        ] {
            assert_eq!(told(finding, key), wanted, "{} {key}", finding.code.name());
        }
    }
    // Two hands are only possible: never without an arbiter's eyes.
    let hands = finding(RuleId::TwoHands, 19);
    assert_eq!(
        told(&hands, STANDARD),
        format!("if-seen-or-claimed | 4.1, 7.5.4, 7.5.5 | +120 black | {back}")
    );
    assert_eq!(
        told(&hands, B3),
        format!("if-seen-or-claimed | B.3, A.5.2, A.3, 4.1, 7.5.4, 7.5.5 | +60 black | {back}")
    );
}

#[test]
fn everything_else_gives_no_time_in_any_regime() {
    let back = "e1K f1- g1- h1R";
    let in_all = |may: &str, article: &str, squares: &str| {
        [STANDARD, A5, B3].map(|_| format!("{may} | {article} | - | {squares}"))
    };
    let each = |may: [&str; 3], article: [&str; 3], squares: [&str; 3]| {
        [0, 1, 2].map(|n| format!("{} | {} | - | {}", may[n], article[n], squares[n]))
    };
    let seen = ["step-in", "if-seen-or-claimed", "if-seen-or-claimed"];
    let flag = ["6.8, 6.9", "A.5.5, 6.9", "B.3, A.5.5, 6.9"];
    let step_in = ["step-in"; 3];
    for (code, wanted) in [
        (RuleId::IllegalMoveUnpressed, in_all("nothing", "7.5.1", back)),
        (RuleId::PressMoveIncomplete, each(seen, ["6.2.1, 6.2.4, 12.9"; 3], ["-"; 3])),
        (RuleId::CastlingRookFirst, in_all("if-seen-or-claimed", "4.4.2, 4.3.1", back)),
        (RuleId::CastlingIncomplete, each(seen, ["3.8.2, 4.7.2, 7.5.1"; 3], [back; 3])),
        (RuleId::OutOfTurn, each(seen, ["1.2, 7.1, 12.9"; 3], [back; 3])),
        (RuleId::DisplacedPieces, in_all("step-in", "7.4.1, 7.4.2, 7.4.3", back)),
        (
            RuleId::BothKingsInCheck,
            each(
                ["step-in", "wait-one-move", "wait-one-move"],
                ["7.5.1, 7.6", "A.5.4", "B.3, A.5.4"],
                [back, "-", "-"],
            ),
        ),
        (
            RuleId::IllegalPosition,
            each(["step-in", "keep-out", "keep-out"], ["7.6, 7.5.1, 7.1"; 3], [back, "-", "-"]),
        ),
        (
            RuleId::PawnOnLastRank,
            each(
                ["step-in", "wait-one-move", "wait-one-move"],
                ["7.5.2", "A.5.4", "B.3, A.5.4"],
                [back, "-", "-"],
            ),
        ),
        (RuleId::WrongSetup, each(step_in, ["7.2.1", "A.5.1, 7.2.1", "B.3, A.5.1, 7.2.1"], [back; 3])),
        (RuleId::WrongOrientation, each(step_in, ["7.2.2", "A.5.1, 7.2.2", "B.3, A.5.1, 7.2.2"], ["-"; 3])),
        (
            RuleId::ClockIncorrect,
            each(step_in, ["6.10.2, 7.1", "A.5.1, 6.10.2, 7.1", "B.3, A.5.1, 6.10.2, 7.1"], ["-"; 3]),
        ),
        (RuleId::ColoursReversed, in_all("step-in", "7.3", "-")),
        (RuleId::SensorRotated, in_all("nothing", "-", "-")),
        (RuleId::BoardSwapped, in_all("nothing", "-", "-")),
        (RuleId::ClockSidesSwapped, in_all("step-in", "6.10.2, 7.1", "-")),
        (RuleId::ClockLeverKnocked, in_all("step-in", "6.2.4, 12.9", "-")),
        (RuleId::FlagFall, each(step_in, flag, ["-"; 3])),
        (RuleId::PositionUnexplained, in_all("step-in", "7.5.1, 7.6, 11.11", back)),
        (RuleId::ClockPaused, in_all("step-in", "6.11.2, 12.9", "-")),
        (RuleId::ClockNotRunning, in_all("step-in", "-", "-")),
        (RuleId::PrematureResult, in_all("step-in", "5.1.2", "-")),
        (RuleId::AdjustOutOfTurn, in_all("if-seen-or-claimed", "4.2.1, 6.2.5, 11.5", "-")),
        (RuleId::TouchMove, in_all("if-seen-or-claimed", "4.3", back)),
        (RuleId::ReleasedPieceMoved, in_all("if-seen-or-claimed", "4.7", back)),
        (RuleId::OtherHandPress, in_all("if-seen-or-claimed", "6.2.3, 12.9", "-")),
        (RuleId::Fivefold, in_all("step-in", "9.6.1", "-")),
        (RuleId::SeventyFive, in_all("step-in", "9.6.2", "-")),
        (RuleId::DeadPosition, in_all("step-in", "5.2.2", "-")),
        (RuleId::Threefold, in_all("nothing", "9.2", "-")),
        (RuleId::Fifty, in_all("nothing", "9.3", "-")),
        (RuleId::GameEnded, in_all("nothing", "5.1, 5.2", "-")),
        (RuleId::ResultByKings, in_all("nothing", "-", "-")),
        (RuleId::PressForgotten, in_all("nothing", "6.2.1.2, 6.2.2", "-")),
        (RuleId::Restored, in_all("nothing", "-", "-")),
        (RuleId::ClockAdjusted, in_all("nothing", "7.1, 7.5.5", "-")),
        (RuleId::NewGame, in_all("nothing", "-", "-")),
        (RuleId::LinkLost, in_all("nothing", "-", "-")),
        (RuleId::SensorFault, in_all("nothing", "-", "-")),
        (RuleId::SyncLost, in_all("nothing", "-", "-")),
        (RuleId::ClockDisconnected, in_all("nothing", "-", "-")),
    ] {
        for (key, wanted) in [STANDARD, A5, B3].into_iter().zip(wanted) {
            assert_eq!(told(&finding(code, 19), key), wanted, "{} {key}", code.name());
        }
    }
    let nobody = Finding { side: None, ..finding(RuleId::PrematureResult, 19) };
    assert_eq!(told(&nobody, STANDARD), "step-in | 5.1.1, 7.5.1 | - | -", "an illegal move before it");
    // With the four offences above these are all there are.
    assert_eq!(RULES.len(), 41 + 4);
}

/// Both readings of a castling without the rook leave only that castling (4.7.2).
#[test]
fn a_castling_without_the_rook_is_the_arbiters_choice() {
    let mut castling = finding(RuleId::CastlingIncomplete, 19);
    castling.facts.last_correct_fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 20".to_owned();
    castling.facts.wood = "4k3/8/8/8/8/8/8/R5KR".to_owned();
    castling.facts.action = vec![Step { at: Tick::ZERO, square: Square::E1, piece: None, before: Some('K') }];
    let advice = advise(&castling, &rules(STANDARD), &Circumstances::after(0));
    assert_eq!(squares(&advice), "e1K g1-");
    assert_eq!(advice.replacement.as_ref().unwrap().legal, ["e1g1"]);
    assert_eq!((advice.offence, advice.time, advice.to_move), (None, None, Some(Color::White)));
    let either = "not settled: White completes the castling, or it is illegal: ";
    assert_eq!(advice.consequence, format!("{either}first: +2:00 to Black"));
    let second = advise(&castling, &rules(A5), &Circumstances::after(1)).consequence;
    assert_eq!(second, format!("{either}second: loss? Black can mate: not proven"));
}

#[test]
fn faults_of_the_start_stand_after_ten_moves_each_without_full_supervision() {
    for (code, a5, b3) in [
        (RuleId::WrongSetup, "A.5.1.2", "B.3, A.5.1.2"),
        (RuleId::WrongOrientation, "A.5.1.2", "B.3, A.5.1.2"),
        (RuleId::ClockIncorrect, "A.5.1.1", "B.3, A.5.1.1"),
    ] {
        let (before, after) = (finding(code, 20), finding(code, 21));
        assert!(told(&before, A5).starts_with("step-in"));
        assert_eq!(told(&after, A5), format!("keep-out | {a5} | - | -"));
        assert_eq!(told(&after, B3), format!("keep-out | {b3} | - | -"));
        assert!(told(&after, STANDARD).starts_with("step-in"));
    }
}

/// Ten moves made by both in every regime (7.3), where faults of the array depend on supervision.
#[test]
fn reversed_colours_stand_after_ten_moves_each() {
    for key in [STANDARD, A5, B3] {
        assert_eq!(told(&finding(RuleId::ColoursReversed, 20), key), "step-in | 7.3 | - | -");
        assert_eq!(told(&finding(RuleId::ColoursReversed, 21), key), "keep-out | 7.3 | - | -");
    }
}

#[test]
fn a_pawn_left_is_queened_not_taken_back() {
    let advice = advise(&pawn(), &rules(STANDARD), &Circumstances::after(0));
    assert_eq!(advice.restore.unwrap().fen, "4Q3/8/8/8/8/2k5/8/4K3 b - - 0 50");
    assert_eq!(advice.to_move, Some(Color::Black));
    // The same without a move to go by: the pawn is gone, the square is empty.
    let mut gone = pawn();
    gone.facts.tried = None;
    gone.facts.wood = "8/8/8/8/8/2k5/8/4K3".to_owned();
    assert_eq!(
        advise(&gone, &rules(STANDARD), &Circumstances::after(0)).restore.unwrap().fen,
        "4Q3/8/8/8/8/2k5/8/4K3 b - - 0 50"
    );
    // Black, capturing on a corner whose castling right goes.
    let mut black = pawn();
    black.side = Some(Color::Black);
    black.facts.last_correct_fen = "4k3/8/8/8/8/8/1p6/R3K2R b KQ - 3 30".to_owned();
    black.facts.wood = "4k3/8/8/8/8/8/8/p3K2R".to_owned();
    black.facts.tried = Some("b2a1".to_owned());
    let advice = advise(&black, &rules(STANDARD), &Circumstances::after(0));
    assert_eq!(advice.restore.as_ref().unwrap().fen, "4k3/8/8/8/8/8/8/q3K2R w K - 0 31");
    assert_eq!(squares(&advice), "a1q");
}

#[test]
fn what_was_displaced_goes_back_and_the_legal_move_stays() {
    let mut beside = finding(RuleId::DisplacedPieces, 3);
    beside.facts.last_correct_fen = "4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1".to_owned();
    beside.facts.wood = "4k3/8/8/8/4P3/8/8/1R2K3".to_owned();
    beside.facts.tried = Some("e2e4".to_owned());
    let advice = advise(&beside, &rules(STANDARD), &Circumstances::after(0));
    assert_eq!(squares(&advice), "a1R b1-");
    assert_eq!(advice.to_move, Some(Color::Black));
    assert!(advice.consequence.contains("in White's time"));
}

#[test]
fn the_replacement_follows_what_was_touched() {
    let lift = |square, before| Step { at: Tick::ZERO, square, piece: None, before: Some(before) };
    let mut castling = finding(RuleId::IllegalMove, 19);
    castling.facts.action = vec![lift(Square::E1, 'K'), lift(Square::H1, 'R')];
    let duty = advise(&castling, &rules(STANDARD), &Circumstances::after(0)).replacement.unwrap();
    assert_eq!(duty.legal, ["e1c1", "e1d1", "e1d2", "e1e2"]);
    assert!(!duty.free);
    castling.code = RuleId::CastlingRookFirst;
    castling.facts.action.reverse();
    let duty = advise(&castling, &rules(STANDARD), &Circumstances::after(0)).replacement.unwrap();
    assert!(duty.legal.iter().all(|m| m.starts_with("h1")), "{:?}", duty.legal);
    castling.facts.action.clear();
    castling.facts.tried = None;
    assert!(advise(&castling, &rules(STANDARD), &Circumstances::after(0)).replacement.unwrap().free);
}

#[test]
fn positions_no_game_can_reach_are_restored_all_the_same() {
    let mut odd = finding(RuleId::IllegalMove, 19);
    odd.facts.last_correct_fen = "8/8/8/8/8/8/8/KK6 w - - 0 1".to_owned();
    odd.facts.wood = "8/8/8/8/8/8/8/K1K5".to_owned();
    assert_eq!(squares(&advise(&odd, &rules(STANDARD), &Circumstances::after(0))), "b1K c1-");
    odd.facts.last_correct_fen = "nonsense".to_owned();
    odd.facts.wood = String::new();
    let advice = advise(&odd, &rules(STANDARD), &Circumstances::after(0));
    assert!(advice.restore.is_none() && advice.replacement.is_none() && advice.time.is_some());
}

#[test]
fn without_an_offender_nobody_gets_time() {
    let nobody = Finding { side: None, ..finding(RuleId::IllegalMove, 19) };
    let advice = advise(&nobody, &rules(STANDARD), &Circumstances::after(0));
    assert_eq!((advice.time, advice.offence), (None, None));
    assert!(advice.restore.is_some());
}
