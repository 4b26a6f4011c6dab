//! Claims of players: what the record proves of them, and what follows if they are right or wrong.

#[path = "support/script.rs"]
mod script;

use jadoube::alerts::{Notify, Response};
use jadoube::contract::drafts;
use jadoube::events::BoardId;
use jadoube::laws::{ClaimReport, Holds, Verdict};
use jadoube::mating::Budget;
use jadoube::table::{Effects, Input, Publish, Table};

/// White's and Black's knights out and home again: the position before it stands once more.
const SHUFFLE: &str = "g1-f3 W! ..900 g8-f6 B! ..900 f3-g1 W! ..900 f6-g8 B! ..900 ";

fn published(settings: &str, words: &str) -> Vec<Publish> {
    script::published(&script::inputs(&script::parse(&format!("{settings}\n--\n{words}\n"))))
}

fn responses(publish: &[Publish]) -> Vec<Response> {
    let answers = publish.iter().filter_map(|item| match item {
        Publish::Response(response) => Some(response.clone()),
        _ => None,
    });
    answers.collect()
}

/// The report on the claim with which a script ends.
fn report_under(ruleset: &str, start: &str, words: &str) -> ClaimReport {
    let start = if start.is_empty() { String::new() } else { format!("\nstart {start}") };
    let publish = published(&format!("ruleset {ruleset}{start}"), words);
    let last = responses(&publish).pop().expect("an answer");
    last.claim().cloned().unwrap_or_else(|| panic!("a report: {:?}", last.outcome))
}

fn report(words: &str) -> ClaimReport {
    report_under("fide-2023/standard", "", &format!("go:W ..3000 {words}"))
}

#[track_caller]
fn says(report: &ClaimReport, verdict: Verdict, said: &str) {
    let text = format!("{}\n{}", report.text(), report.proof.join("\n"));
    assert_eq!(report.verdict, verdict, "{text}\n{:?}", report.gap);
    assert!(text.contains(said), "{said:?} is not in\n{text}");
}

#[test]
fn the_start_counts_as_an_occurrence() {
    let twice = format!("{SHUFFLE}{SHUFFLE}");
    let right = report(&format!("{twice}ask:claim,player=white,of=threefold"));
    says(&right, Verdict::Proven, "at the start, after ply 4 (2...Ng8) and after ply 8 (4...Ng8)");
    assert_eq!(right.if_right.result.map(|score| score.word()), Some("1/2-1/2"));
    assert_eq!(right.if_right.articles, ["9.2.2", "9.5.2"]);
    assert_eq!(right.if_wrong.articles, ["9.5.3", "9.1.2.3"]);
    assert_eq!(right.if_wrong.time.map(|time| time.seconds), Some(120));
    assert_eq!(right.may_claim.open, Some(true));
    assert!(right.proof[0].contains("rnbqkbnr/pppppppp"), "{:?}", right.proof);
    let wrong = report(&format!("{SHUFFLE}ask:claim,player=white,of=threefold"));
    says(&wrong, Verdict::Refuted, "stood twice");
}

#[test]
fn the_written_move_is_played_in_the_proof_and_not_on_the_board() {
    let before = format!("{SHUFFLE}g1-f3 W! ..900 g8-f6 B! ..900 f3-g1 W! ..900 ");
    for written in ["f6g8", "Ng8", "Nf6-g8"] {
        let right = report(&format!("{before}ask:claim,player=black,of=threefold,move={written}"));
        says(&right, Verdict::Proven, "after ply 8 (4...Ng8)");
        assert_eq!(right.if_right.articles, ["9.2.1", "9.5.2"]);
        assert!(right.if_wrong.text.iter().any(|text| text.contains("must play the move he wrote, Ng8")));
    }
    let other = report(&format!("{before}ask:claim,player=black,of=threefold,move=Ne4"));
    says(&other, Verdict::Refuted, "stands, with the move written, once");
    let illegal = report(&format!("{before}ask:claim,player=black,of=threefold,move=Nh4"));
    says(&illegal, Verdict::Refuted, "Nh4 names no legal move of Black");
    assert!(!illegal.unsettled.is_empty());
    let not_yet = report(&format!("{before}ask:claim,player=black,of=threefold"));
    says(&not_yet, Verdict::Refuted, "stood twice");
}

#[test]
fn only_the_player_on_the_move_may_claim() {
    let twice = format!("{SHUFFLE}{SHUFFLE}");
    let wrong = report(&format!("{twice}ask:claim,player=black,of=threefold"));
    says(&wrong, Verdict::Refuted, "Black has not the move");
    assert_eq!(wrong.may_claim.open, Some(false));
}

#[test]
fn a_piece_taken_up_may_have_lost_the_right() {
    let words = format!("{SHUFFLE}{SHUFFLE}g1- ..800 g1+N ..800 ask:claim,player=white,of=threefold");
    let report = report(&words);
    assert_eq!(report.verdict, Verdict::Proven);
    assert_eq!(report.may_claim.open, None);
    assert!(report.may_claim.text.contains("the knight on g1 was taken up"), "{}", report.may_claim.text);
    assert_eq!(report.may_claim.articles, ["9.4"]);
}

/// The rights to castle are part of the position (9.2.3): a rook that went out and came back.
#[test]
fn castling_lost_in_between_makes_another_position() {
    let start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let kings = "e1-e2 W! ..900 e8-e7 B! ..900 e2-e1 W! ..900 e7-e8 B! ..900 ";
    let words = format!("go:W ..3000 {kings}{kings}ask:claim,player=white,of=threefold");
    let report = report_under("fide-2023/standard", start, &words);
    says(&report, Verdict::Refuted, "stood twice");
    says(
        &report,
        Verdict::Refuted,
        "at the start: the same pieces stood, but White could still castle with a1",
    );
    let words = format!("go:W ..3000 {kings}{kings}{kings}ask:claim,player=white,of=threefold");
    says(&report_under("fide-2023/standard", start, &words), Verdict::Proven, "stood 3 times");
}

#[test]
fn en_passant_once_possible_makes_another_position() {
    let start = "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1";
    let kings = "e1-e2 W! ..900 e8-e7 B! ..900 e2-e1 W! ..900 e7-e8 B! ..900 ";
    let words = format!("go:B ..3000 d7-d5 B! ..900 {kings}{kings}ask:claim,player=white,of=threefold");
    let report = report_under("fide-2023/standard", start, &words);
    says(&report, Verdict::Refuted, "a pawn could be captured en passant");
    let words =
        format!("go:B ..3000 d7-d5 B! ..900 {kings}{kings}{kings}ask:claim,player=white,of=threefold");
    says(&report_under("fide-2023/standard", start, &words), Verdict::Proven, "stood 3 times");
}

/// 99 half-moves and the written one are a hundred.
#[test]
fn fifty_moves_are_a_hundred_half_moves() {
    let start = |halfmoves: u32| format!("4k3/8/8/8/8/8/R7/4K3 w - - {halfmoves} 80");
    let claim = |halfmoves: u32, words: &str| {
        report_under("fide-2023/standard", &start(halfmoves), &format!("go:W ..3000 {words}"))
    };
    let move_pair = "a2-a3 W! ..900 e8-d8 B! ..900 ";
    let right = claim(98, &format!("{move_pair}ask:claim,player=white,of=fifty"));
    says(&right, Verdict::Proven, "50 moves by White and 50 by Black");
    assert_eq!(right.if_right.articles, ["9.3.2", "9.5.2"]);
    let wrong = claim(97, &format!("{move_pair}ask:claim,player=white,of=fifty"));
    says(&wrong, Verdict::Refuted, "moves by");
    let written = claim(97, &format!("{move_pair}ask:claim,player=white,of=fifty,move=Ra4"));
    says(&written, Verdict::Proven, "the move written among them");
    assert_eq!(written.if_right.articles, ["9.3.1", "9.5.2"]);
    let early = claim(96, &format!("{move_pair}ask:claim,player=white,of=fifty,move=Ra4"));
    assert_eq!(early.verdict, Verdict::Refuted);
}

#[test]
fn a_written_pawn_move_ends_the_count() {
    let start = "4k3/8/8/8/8/8/P7/4K3 w - - 99 80";
    let words = "go:W ..3000 e1-d1 W! ..900 e8-d8 B! ..900 ask:claim,player=white,of=fifty,move=a4";
    says(&report_under("fide-2023/standard", start, words), Verdict::Refuted, "0 moves by White");
}

/// The same, with nobody hearing it.
const UNHEARD: &str = "down ~g1f3 ~W ..9000 ~g8f6 ~B ..9000 ~f3g1 ~W ..9000 ~f6g8 ~B ..900 up ..9000 ";

/// Nothing has changed when the link is back: moves may have been made and unmade.
#[test]
fn a_silence_of_the_link_refutes_nothing() {
    let words = format!("{SHUFFLE}{UNHEARD}ask:claim,player=white,of=threefold");
    let hidden = report(&words);
    says(&hidden, Verdict::Gap, "the board could not be heard");
    assert_eq!(hidden.gap.as_ref().map(|gap| (gap.from, gap.holds)), Some((4, Holds::Unknown)));
    // What was seen is enough; but whether somebody castled or moved a king meanwhile is not seen.
    let words = format!("{SHUFFLE}{UNHEARD}{SHUFFLE}ask:claim,player=white,of=threefold");
    says(&report(&words), Verdict::Gap, "whether a right to castle was lost since is hidden by the gap");
    let start = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    let rook = "a1-a2 W! ..900 e8-d8 B! ..900 a2-a1 W! ..900 d8-e8 B! ..900 ";
    let silence = "down ~W ..9000 ~B ..9000 up ..9000 ";
    let words = format!("go:W ..3000 {rook}{silence}{rook}ask:claim,player=white,of=threefold");
    says(&report_under("fide-2023/standard", start, &words), Verdict::Proven, "stood 3 times");
    // The clock ran on: nobody has pressed, and nothing can have been made and unmade.
    let words = format!("{SHUFFLE}down ..60000 up ..9000 ask:claim,player=white,of=threefold");
    says(&report(&words), Verdict::Refuted, "stood twice");
}

/// The opponent has pressed just now, and what he did is not explained yet.
#[test]
fn a_press_that_is_not_explained_yet_refutes_nothing() {
    let words = format!(
        "{SHUFFLE}g1-f3 W! ..900 g8-f6 B! ..900 f3-g1 W! ..900 f6- B! ask:claim,player=white,of=threefold"
    );
    says(&report(&words), Verdict::Gap, "what stands on the board now is not known");
}

/// Two plies were not seen, and one sequence explains them.
#[test]
fn what_was_not_seen_counts_as_it_can_have_been() {
    let start = "4k3/8/8/8/8/8/R7/4K3 w - - 0 1";
    let round = "a2-a3 W! ..900 e8-d8 B! ..900 a3-a2 W! ..900 d8-e8 B! ..900 ";
    let gap = "a2-a3 W! ..900 e8-d8 B! ..900 down ..900 ~a3a2 ~W ..900 ~d8e8 ~B ..900 up ..9000 ";
    let words = format!("go:W ..3000 {round}{gap}ask:claim,player=white,of=threefold");
    let all = report_under("fide-2023/standard", start, &words);
    says(&all, Verdict::Proven, "in spite of a gap");
    assert_ne!(all.certainty.word(), "certain");
    // The position claimed stood only within the gap, if at all.
    let words = format!("go:W ..3000 {gap}ask:claim,player=white,of=threefold");
    let none = report_under("fide-2023/standard", start, &words);
    says(&none, Verdict::Gap, "holds under none of them");
    let gap = none.gap.expect("a gap");
    assert_eq!((gap.from, gap.to), (2, 4));
    assert!(gap.candidates.is_some_and(|n| n > 0));
}

#[test]
fn without_the_link_nothing_is_said_of_now() {
    let words = format!("{SHUFFLE}{SHUFFLE}down ..60000 ask:claim,player=white,of=threefold");
    says(&report(&words), Verdict::Gap, "what stands on the board now is not known");
}

/// A move that is not legal was answered. Until the game ends it can be taken back, and then what
/// followed has not been played.
#[test]
fn a_ply_that_may_be_taken_back_takes_the_proof_along() {
    let words = format!("b1-b3 W! ..4000 b8-c6 B! ..1500 {SHUFFLE}{SHUFFLE}");
    let open = report(&format!("{words}ask:claim,player=white,of=threefold"));
    says(&open, Verdict::Gap, "may still be taken back");
    let stands = format!("go:W ..3000 {words}ask:claim,player=white,of=threefold");
    let stands = report_under("fide-2023/rapid-a5", "", &stands);
    says(&stands, Verdict::Proven, "stood 3 times");
    assert_eq!(stands.if_wrong.time.map(|time| time.seconds), Some(60));
    assert_eq!(stands.if_wrong.articles, ["9.5.3", "A.3", "9.1.2.3"]);
}

/// After a restoration the positions are those of the record then.
#[test]
fn what_was_taken_back_does_not_count() {
    let words = format!(
        "{SHUFFLE}b1-b3 W! ..4000 stop ..3000 b3-b1 ..4000 go:W ..3000 {SHUFFLE}\
         ask:claim,player=white,of=threefold"
    );
    says(&report(&words), Verdict::Proven, "at the start, after ply 4 (2...Ng8) and after ply 8 (4...Ng8)");
}

#[test]
fn earlier_editions_and_other_rules_say_what_a_wrong_claim_costs() {
    let words = format!("go:W ..3000 {SHUFFLE}ask:claim,player=white,of=threefold");
    for (ruleset, seconds, article) in [
        ("fide-2023/standard", Some(120), Some("9.5.3")),
        ("fide-2023/rapid-a4", Some(60), Some("A.3")),
        ("fide-2023/blitz-b2", Some(120), Some("9.5.3")),
        ("fide-2023/blitz-b3", Some(60), Some("B.3")),
        ("fide-2023/hybrid", None, None),
        ("fide-2018/standard", Some(120), Some("9.5.3")),
        ("fide-2018/rapid-a4", Some(120), Some("9.5.3")),
        ("fide-2018/blitz-b4", Some(60), Some("B.2")),
        ("fide-2017/blitz-b4", Some(60), Some("B.2")),
        ("fide-2014/standard", Some(120), Some("9.5.b")),
        ("fide-2014/blitz-b4", Some(60), Some("B.2")),
        ("fide-2009/standard", Some(180), Some("9.5.b")),
        ("fide-2009/rapid-a4", Some(180), Some("9.5.b")),
        ("uscf/regular", Some(120), None),
    ] {
        let report = report_under(ruleset, "", &words);
        assert_eq!(report.verdict, Verdict::Refuted);
        assert_eq!(report.if_wrong.time.map(|time| time.seconds), seconds, "{ruleset}");
        let articles = &report.if_wrong.articles;
        assert!(article.is_none_or(|a| articles.iter().any(|known| known == a)), "{ruleset}: {articles:?}");
    }
}

/// The opponent has made his move and forgotten the clock: the claimant has the move all the same.
#[test]
fn a_move_of_the_opponent_that_is_not_pressed_counts() {
    let words = format!("{SHUFFLE}g1-f3 W! ..900 g8-f6 B! ..900 f3-g1 W! ..900 f6-g8 ..2500 ");
    let right = report(&format!("{words}ask:claim,player=white,of=threefold"));
    says(&right, Verdict::Proven, "4...Ng8 is on the board, and its player has not pressed");
    assert_eq!((right.certainty.word(), right.may_claim.open), ("probable", Some(true)));
}

/// Pieces are displaced beside a legal move: whether that was two moves in one is for people to say.
#[test]
fn an_open_alert_of_another_kind_is_named() {
    let words =
        "e2-e4 W! ..900 a7- e7- ..400 e5+p a5+p ..500 B! ..4000 ask:claim,player=white,of=illegal-move";
    let report = report(words);
    assert_ne!(report.verdict, Verdict::Refuted, "{}", report.text());
}

/// US Chess keeps the right until the clock is pressed.
#[test]
fn a_move_made_and_not_pressed() {
    let words =
        format!("go:W ..3000 {SHUFFLE}g1-f3 W! ..900 g8-f6 B! ..900 f3-g1 W! ..900 f6-g8 ..900 stop ..2000 ");
    let claim = format!("{words}ask:claim,player=black,of=threefold");
    assert_eq!(report_under("fide-2023/standard", "", &claim).verdict, Verdict::Refuted);
    says(&report_under("uscf/regular", "", &claim), Verdict::Proven, "stood 3 times");
}

#[test]
fn chess960_moves_are_read_both_ways() {
    let start = "4k3/8/8/8/8/8/8/1R2K3 w B - 0 1";
    let words = "go:W ..3000 ask:claim,player=white,of=threefold,move=O-O-O";
    says(&report_under("fide-2023/standard", start, words), Verdict::Refuted, "once");
    let words = "go:W ..3000 ask:claim,player=white,of=threefold,move=e1b1";
    says(&report_under("fide-2023/standard", start, words), Verdict::Refuted, "once");
}

#[test]
fn touch_move_is_shown_by_lifts_in_their_order() {
    let words = "g1- ..800 g1+N ..800 e2-e4 W! ..900 ask:claim,player=black,of=touch-move";
    let right = report(words);
    says(&right, Verdict::Proven, "White's knight on g1 was taken up first, then e4 was played");
    assert_eq!(right.certainty.word(), "possible");
    assert_eq!(right.if_right.legal.as_deref(), Some(&["g1f3".to_owned(), "g1h3".to_owned()][..]));
    assert!(right.if_right.restore.is_some());
    assert_eq!(right.may_claim.open, Some(true));
    let named = report(&words.replace("of=touch-move", "of=touch-move,square=g1"));
    assert_eq!(named.verdict, Verdict::Proven);
    let other = report(&words.replace("of=touch-move", "of=touch-move,square=b1"));
    says(&other, Verdict::NotShown, "nothing was taken up from b1");
    let moved = report("e2-e4 W! ..900 ask:claim,player=black,of=touch-move,square=e2");
    says(&moved, Verdict::Refuted, "White moved or took what stood on e2");
    let clean = report("e2-e4 W! ..900 ask:claim,player=black,of=touch-move");
    says(&clean, Verdict::NotShown, "a touch without a lift is not sensed");
    let stuck = "a1- ..800 a1+R ..800 e2-e4 W! ..900 ask:claim,player=black,of=touch-move,square=a1";
    says(&report(stuck), Verdict::Refuted, "could neither move nor be taken");
}

/// 4.8: who touches a piece himself may no longer claim; whether he meant to is for people to say.
#[test]
fn a_claim_of_touch_move_ends_with_a_touch() {
    let words =
        "g1- ..800 g1+N ..800 e2-e4 W! ..900 e7- ..900 e7+p ..900 ask:claim,player=black,of=touch-move";
    let report = report(words);
    assert_eq!((report.verdict, report.may_claim.open), (Verdict::Proven, None));
    assert_eq!(report.may_claim.articles, ["4.8"]);
}

/// A piece is off its square, and none is moved yet.
#[test]
fn touch_move_before_the_move() {
    let words = "g1- ..800 g1+N ..800 ask:claim,player=black,of=touch-move";
    let report = report(words);
    says(&report, Verdict::Proven, "no move has been made yet");
    assert_eq!(report.if_right.restore, None);
}

#[test]
fn an_illegal_move_is_proven_by_its_alert() {
    let words = "b1-b3 W! ..4000 ask:claim,player=black,of=illegal-move";
    let right = report(words);
    says(&right, Verdict::Proven, "knight b1-b3: a knight does not move so");
    assert_eq!(right.if_right.time.map(|time| time.seconds), Some(120));
    assert_eq!(right.alerts, ["t-g1-p1-illegal-move-1"]);
    assert_eq!(right.may_claim.open, Some(true));
    let own = report(&words.replace("player=black", "player=white"));
    assert_eq!(own.verdict, Verdict::Refuted);
    let clean = report("e2-e4 W! ..900 ask:claim,player=black,of=illegal-move");
    says(&clean, Verdict::Refuted, "the record shows only legal moves: 1 by White");
    let gap =
        report(&format!("e2-e4 W! ..900 e7-e5 B! ..900 {UNHEARD}ask:claim,player=white,of=illegal-move"));
    assert_eq!(gap.verdict, Verdict::Gap);
}

/// Two hands are for the record only in rapid without enough arbiters; a claim recalls them.
#[test]
fn a_claim_recalls_what_is_for_the_record_only() {
    let start = "r3k3/8/8/8/8/8/8/4K2R w K - 0 1";
    // Pieces are adjusted first, so that the board shows how finely it tells moments apart.
    let words = "go:W ..500 e1- ..331 e1+K ..717 h1- ..404 h1+R ..565 e1- ..277 e1+K ..903 h1- ..461 h1+R ..505 \
                 e1- ..389 e1+K ..643 h1- ..431 h1+R ..915 e1- ..213 e1+K ..333 h1- ..528 h1+R ..705 \
                 e1- =10 h1- ..400 g1+K =10 f1+R ..300 W! ..900 ";
    let claim = format!("{words}ask:claim,player=black,of=illegal-move");
    let report = report_under("fide-2023/rapid-a5", start, &claim);
    says(&report, Verdict::NotShown, "White lifted king and rook of O-O within 10 ms");
    says(&report, Verdict::NotShown, "nobody was told");
    assert_eq!(report.may_claim.open, Some(true));
    assert_eq!(report.if_right.time.map(|time| time.seconds), Some(60));
    let late = format!("{words}a8-a7 B! ..900 ask:claim,player=black,of=illegal-move");
    assert_eq!(report_under("fide-2023/rapid-a5", start, &late).may_claim.open, Some(false));
}

/// An illegal move stands on the board and the clock was not pressed.
#[test]
fn a_move_that_is_not_completed_is_no_offence_yet() {
    let report = report("b1-b3 ..4000 ask:claim,player=black,of=illegal-move");
    says(&report, Verdict::NotShown, "not completed");
    assert_eq!(report.if_right.time, None);
    // Put right before the press, it was none.
    let right = self::report("b1-b3 ..4000 b3-c3 ..500 W! ..900 ask:claim,player=black,of=illegal-move");
    says(&right, Verdict::Refuted, "the record shows only legal moves");
    let report = self::report("e2-e4 ..300 ask:claim,player=black,of=illegal-move");
    says(&report, Verdict::NotShown, "no move is completed yet");
}

/// A press without a move is no move that could have been another.
#[test]
fn touch_move_after_a_press_without_a_move() {
    let report = report("g1- ..800 g1+N ..800 W! ..1500 ask:claim,player=black,of=touch-move");
    says(&report, Verdict::NotShown, "no legal move");
}

/// What the opponent sets straight in the mover's time binds nobody.
#[test]
fn a_piece_of_the_other_side_put_back_binds_nobody() {
    let words = "e2-e4 W! ..900 d7-d5 B! ..900 d5- ..900 d5+p ..900 b1-c3 W! ..900 ";
    let report = report(&format!("{words}ask:claim,player=black,of=touch-move"));
    assert_eq!(report.verdict, Verdict::NotShown, "{}", report.text());
    let named = self::report(&format!("{words}ask:claim,player=black,of=touch-move,square=d5"));
    assert_eq!(named.verdict, Verdict::Proven, "{}", named.text());
    assert_eq!(named.if_right.legal.as_deref(), Some(&["e4d5".to_owned()][..]));
}

/// The fifth occurrence needs no claim, and neither does the third where the rules say so.
#[test]
fn what_ends_the_game_by_itself_is_said() {
    let four = SHUFFLE.repeat(4);
    let claim = "ask:claim,player=white,of=threefold";
    let by_itself = |ruleset: &str, words: &str| {
        let report = report_under(ruleset, "", &format!("go:W ..3000 {words}{claim}"));
        assert_eq!(report.verdict, Verdict::Proven);
        report.if_right.text.iter().any(|text| text.contains("by itself"))
    };
    assert!(by_itself("fide-2023/standard", &four));
    assert!(!by_itself("fide-2023/standard", &SHUFFLE.repeat(3)));
    assert!(by_itself("fide-2023/hybrid", &SHUFFLE.repeat(2)));
}

/// Where the regulations want a claim the alert is silent until it is made.
#[test]
fn a_claim_in_time_announces_a_silent_alert() {
    let words = "go:W ..3000 b1-b3 W! ..4000 ask:claim,player=black,of=illegal-move";
    let publish = published("ruleset fide-2023/rapid-a5", words);
    let notify: Vec<Notify> = publish
        .iter()
        .filter_map(|item| match item {
            Publish::Alert(alert) => Some(alert.notify),
            _ => None,
        })
        .collect();
    assert_eq!(notify.first(), Some(&Notify::Silent));
    assert_eq!(notify.last(), Some(&Notify::Now));
    let late = "go:W ..3000 b1-b3 W! ..4000 b8-c6 B! ..2000 ask:claim,player=black,of=illegal-move";
    let late = report_under("fide-2023/rapid-a5", "", late);
    assert_eq!((late.verdict, late.may_claim.open), (Verdict::Proven, Some(false)));
    assert_eq!(late.if_right.time, None);
    // A claim of something else announces nothing.
    let other = published("ruleset fide-2023/rapid-a5", &words.replace("of=illegal-move", "of=flag"));
    assert!(!other.iter().any(|item| matches!(item, Publish::Alert(a) if a.notify == Notify::Now)));
}

#[test]
fn a_claim_raises_nothing_and_counts_nothing() {
    for of in ["threefold", "fifty", "touch-move", "illegal-move", "flag"] {
        let words = format!("go:W ..3000 {SHUFFLE}");
        let before = published("ruleset fide-2023/standard", &words).len();
        let after =
            published("ruleset fide-2023/standard", &format!("{words}ask:claim,player=white,of={of}"));
        let told = after.iter().filter(|p| !matches!(p, Publish::State(_) | Publish::Response(_)));
        let known = published("ruleset fide-2023/standard", &words);
        let known = known.iter().filter(|p| !matches!(p, Publish::State(_)));
        assert_eq!(told.count(), known.count(), "{of}: {before}");
    }
}

#[test]
fn keys_of_another_claim_are_refused() {
    for (keys, said) in [
        ("of=flag,move=Nf3", "\"move\" belongs to claims of threefold and fifty"),
        ("of=fifty,square=e4", "\"square\" belongs to claims of touch-move"),
    ] {
        let publish = published("ruleset fide-2023/standard", &format!("go:W ask:claim,player=white,{keys}"));
        let answer = responses(&publish).pop().expect("an answer");
        assert!(answer.outcome.unwrap_err().contains(said), "{keys}");
    }
}

/// The answer goes out at once; what the mating solver finds revises it.
#[test]
fn a_flag_is_answered_and_its_consequence_revised() {
    let text = "ruleset fide-2023/standard\ntime 5+0\n--\n\
                go:W ..2000 e2-e4 W! ..900 e7-e5 B! ..3900 W=0 ..500 ask:claim,player=black,of=flag\n";
    let inputs = script::inputs(&script::parse(text));
    let (mut table, mut effects) = (Table::new(), Effects::default());
    for (at, input) in inputs.clone() {
        table.step(at, input, &mut effects);
    }
    let first = responses(&effects.publish).pop().expect("an answer");
    let report = first.claim().expect("a report");
    says(report, Verdict::Proven, "White's time ran out");
    assert_eq!((first.revision, report.if_right.result), (0, None));
    let question = effects.ask_mating.last().expect("a question").clone();
    let last = inputs.last().expect("inputs").0;
    let mut after = Effects::default();
    table.step(last, Input::Answer(question.answer(Budget::DECIDES)), &mut after);
    let revised = responses(&after.publish).pop().expect("a revision");
    assert_eq!((&revised.id, revised.revision), (&first.id, 1));
    let report = revised.claim().expect("a report");
    assert_eq!(report.if_right.result.map(|score| score.word()), Some("0-1"));
    assert_eq!(report.if_right.articles, ["6.8", "6.9"]);
}

/// A table that answers its questions itself revises within the step.
#[test]
fn a_replay_answers_the_question_of_a_flag() {
    let words = "go:W ..2000 e2-e4 W! ..900 e7-e5 B! ..3900 W=0 ..500 ask:claim,player=black,of=flag";
    let answers = responses(&published("ruleset fide-2023/standard\ntime 5+0", words));
    let revisions: Vec<u32> = answers.iter().map(|answer| answer.revision).collect();
    assert_eq!(revisions, [0, 1]);
    // A lone king cannot mate.
    let start = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let settings = format!("ruleset fide-2023/standard\ntime 5+0\nstart {start}");
    let words = "go:W ..2000 e2-e4 W! ..900 e8-e7 B! ..3900 W=0 ..500 ask:claim,player=black,of=flag";
    let last = responses(&published(&settings, words)).pop().and_then(|answer| answer.claim().cloned());
    let result = last.and_then(|report| report.if_right.result).map(|score| score.word());
    assert_eq!(result, Some("1/2-1/2"));
}

#[test]
fn a_flag_that_has_not_fallen() {
    let words = "e2-e4 W! ..900 ask:claim,player=white,of=flag";
    says(&report(words), Verdict::Refuted, "Black's clock shows");
}

/// Only who asked is told, on the arbiters' tree.
#[test]
fn the_report_goes_to_the_arbiters_tree_alone() {
    let words = format!("go:W ..3000 {SHUFFLE}{SHUFFLE}ask:claim,player=white,of=threefold");
    let publish = published("ruleset fide-2023/standard", &words);
    let board = BoardId::new("t").expect("a word");
    let answer = publish.iter().rfind(|p| matches!(p, Publish::Response(_))).expect("an answer");
    let drafts = drafts(answer, &board);
    let [draft] = drafts.as_slice() else { panic!("one message: {drafts:?}") };
    assert_eq!((draft.path.as_str(), draft.retain), ("arbiter/t/response/claim", false));
    let body = draft.body.as_ref().expect("a body");
    assert_eq!(body["report"]["verdict"], "proven");
    assert_eq!(body["report"]["if_right"]["result"], "1/2-1/2");
    let said = publish.iter().flat_map(|p| jadoube::contract::drafts(p, &board));
    let public = said.filter(|draft| draft.path.starts_with("broadcast/"));
    assert!(public.filter_map(|d| d.body).all(|body| !body.values().any(|v| v == "threefold")));
}

/// The same request again gives the same answer, and a table built again from its inputs too.
#[test]
fn the_same_inputs_give_the_same_answer() {
    let words = format!("go:W ..3000 {SHUFFLE}{SHUFFLE}ask:claim,player=white,of=threefold");
    let once = responses(&published("ruleset fide-2023/standard", &words));
    assert_eq!(once, responses(&published("ruleset fide-2023/standard", &words)));
}
