//! FIDE Laws of Chess of 1 January 2018 and of July 2017.
//!
//! 2018 read: articles 4, 6, 7 and the appendices as printed by federations. 2017: the new articles
//! on illegal moves with the Rules Commission's interpretations, and rapid A.4 by quotation.

use super::fide_2023::{ARTICLES, STANDARD as STANDARD_2023, UNSUPERVISED as UNSUPERVISED_2023};
use super::*;

const STANDARD: RuleSet = RuleSet {
    key: "fide-2018/standard",
    edition: "FIDE 2018",
    in_force: ("2018-01-01", Some("2022-12-31")),
    articles: &[ARTICLES],
    ..STANDARD_2023
};

const UNSUPERVISED: RuleSet =
    RuleSet { edition: "FIDE 2018", in_force: ("2018-01-01", Some("2022-12-31")), ..UNSUPERVISED_2023 };

/// What A.4 says where it is not reached through an article of blitz.
const A4: Articles = &[
    (Topic::Regime, "A.4.2"),
    (Topic::StartStillOpen, "A.4.1"),
    (Topic::ArrayStands, "A.4.1.2"),
    (Topic::ClockStands, "A.4.1.1"),
    (Topic::IllegalPositionWaits, "A.4.4"),
    (Topic::FlagClaimed, "A.4.3, 6.9"),
    (Topic::FlagFall, "A.4.5, 6.9"),
];

/// The same, reached through B.4.
const B4: Articles = &[
    (Topic::Regime, "B.4, A.4.2"),
    (Topic::StartStillOpen, "B.4, A.4.1"),
    (Topic::ArrayStands, "B.4, A.4.1.2"),
    (Topic::ClockStands, "B.4, A.4.1.1"),
    (Topic::IllegalPositionWaits, "B.4, A.4.4"),
    (Topic::FlagClaimed, "B.4, A.4.3, 6.9"),
    (Topic::FlagFall, "B.4, A.4.5, 6.9"),
    (Topic::Seconds, "B.2"),
    (Topic::DrawClaimWrong, "9.5.3, B.2"),
];

/// Supervised blitz.
const B3: Articles = &[
    (Topic::Regime, "B.3"),
    (Topic::Seconds, "B.2"),
    (Topic::StartStillOpen, "B.3"),
    (Topic::DrawClaimWrong, "9.5.3, B.2"),
];

const RAPID_A3: RuleSet = RuleSet {
    key: "fide-2018/rapid-a3",
    format: "rapid",
    regime: "rapid A.3 (supervised)",
    articles: &[&[(Topic::Regime, "A.3"), (Topic::StartStillOpen, "A.3")], ARTICLES],
    ..STANDARD
};

const RAPID_A4: RuleSet = RuleSet {
    key: "fide-2018/rapid-a4",
    format: "rapid",
    regime: "rapid A.4 (unsupervised)",
    articles: &[A4, ARTICLES],
    notes: &["In this edition A.4 is the article for play without enough arbiters."],
    ..UNSUPERVISED
};

const BLITZ_B3: RuleSet = RuleSet {
    key: "fide-2018/blitz-b3",
    format: "blitz",
    regime: "blitz B.3 (supervised)",
    seconds: Seconds::Fixed(60),
    wrong_claim: Seconds::Fixed(60),
    articles: &[B3, ARTICLES],
    ..STANDARD
};

const BLITZ_B4: RuleSet = RuleSet {
    key: "fide-2018/blitz-b4",
    format: "blitz",
    regime: "blitz B.4 (unsupervised)",
    seconds: Seconds::Fixed(60),
    wrong_claim: Seconds::Fixed(60),
    articles: &[B4, ARTICLES],
    notes: &["B.2 is the article of the one minute in this edition, and holds for all blitz."],
    ..UNSUPERVISED
};

/// All of 2018.
pub(super) const ALL_2018: [RuleSet; 5] = [STANDARD, RAPID_A3, RAPID_A4, BLITZ_B3, BLITZ_B4];

/// 2017 numbered the kinds of illegal move otherwise.
const ARTICLES_2017: Articles = &[
    (Topic::PressWithoutMove, "6.2.4, 7.8.1, 7.8.2"),
    (Topic::TwoHands, "4.1, 7.7.1, 7.7.2"),
    (Topic::ProtestPress, "7.8.1"),
    (Topic::FirstOffence, "7.5.3"),
    (Topic::RepeatedOffence, "7.5.3"),
];

const STANDARD_2017: RuleSet = RuleSet {
    key: "fide-2017/standard",
    edition: "FIDE July 2017",
    in_force: ("2017-07-01", Some("2017-12-31")),
    two_hands_need_press: false,
    known_by: "quotation",
    articles: &[ARTICLES_2017, ARTICLES],
    ..STANDARD
};

const UNSUPERVISED_2017: RuleSet = RuleSet {
    edition: "FIDE July 2017",
    in_force: ("2017-07-01", Some("2017-12-31")),
    two_hands_need_press: false,
    known_by: "quotation",
    seconds: Seconds::None,
    loses_at: Some(1),
    ..UNSUPERVISED
};

const RAPID_A3_2017: RuleSet = RuleSet {
    key: "fide-2017/rapid-a3",
    format: "rapid",
    regime: "rapid A.3 (supervised)",
    articles: &[&[(Topic::Regime, "A.3"), (Topic::StartStillOpen, "A.3")], ARTICLES_2017, ARTICLES],
    ..STANDARD_2017
};

const RAPID_A4_2017: RuleSet = RuleSet {
    key: "fide-2017/rapid-a4",
    format: "rapid",
    regime: "rapid A.4 (unsupervised)",
    articles: &[A4, ARTICLES_2017, ARTICLES],
    notes: &["The first illegal move loses; two hands are 7.7.1 and a press without a move is 7.8.1."],
    ..UNSUPERVISED_2017
};

const BLITZ_B3_2017: RuleSet = RuleSet {
    key: "fide-2017/blitz-b3",
    format: "blitz",
    regime: "blitz B.3 (supervised)",
    seconds: Seconds::Fixed(60),
    wrong_claim: Seconds::Fixed(60),
    articles: &[B3, ARTICLES_2017, ARTICLES],
    ..STANDARD_2017
};

const BLITZ_B4_2017: RuleSet = RuleSet {
    key: "fide-2017/blitz-b4",
    format: "blitz",
    regime: "blitz B.4 (unsupervised)",
    wrong_claim: Seconds::Fixed(60),
    articles: &[B4, ARTICLES_2017, ARTICLES],
    ..UNSUPERVISED_2017
};

/// All of July 2017.
pub(super) const ALL_2017: [RuleSet; 5] =
    [STANDARD_2017, RAPID_A3_2017, RAPID_A4_2017, BLITZ_B3_2017, BLITZ_B4_2017];
