//! A finding of each kind, as a table would make it.

use jadoube::laws::{Facts, Finding, RuleId, RuleSet, Rules};
use jadoube::tick::Tick;
use shakmaty::Color;

pub const STANDARD: &str = "fide-2023/standard";
pub const A5: &str = "fide-2023/rapid-a5";
pub const B3: &str = "fide-2023/blitz-b3";

pub fn rules(key: &str) -> Rules {
    Rules::plain(RuleSet::by_key(key).unwrap())
}

pub fn finding(code: RuleId, ply: u32) -> Finding {
    Finding {
        id: format!("g1-p{ply}-{}-1", code.name()),
        revision: 0,
        code,
        severity: code.rule().severity,
        certainty: code.rule().certainty,
        side: Some(Color::White),
        at: Tick::from_ms(1000 * u64::from(ply)),
        squares: vec![],
        what: code.rule().about.to_owned(),
        facts: Facts {
            game: 1,
            ply,
            last_correct_fen: "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 20".to_owned(),
            last_correct_ply: ply - 1,
            made: ply - 1,
            to_move: Some(Color::White),
            wood: "4kr2/8/8/8/8/8/8/R4RK1".to_owned(),
            pressed_at: Some(Tick::from_ms(1000 * u64::from(ply) - 200)),
            tried: Some("e1g1".to_owned()),
            ..Facts::default()
        },
    }
}
