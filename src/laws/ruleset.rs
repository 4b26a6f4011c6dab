//! Rule sets: dated data, never constants in code.

/// The key of a rule set, `edition/format`.
pub type RuleSetKey = &'static str;

/// What one edition says for one format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleSet {
    /// `fide-2023/rapid-a5`.
    pub key: RuleSetKey,
}

impl RuleSet {
    /// Every rule set there is.
    pub const ALL: &'static [RuleSet] = &[RuleSet { key: "fide-2023/standard" }];

    /// The rule set of that key.
    #[must_use]
    pub fn by_key(key: &str) -> Option<&'static RuleSet> {
        RuleSet::ALL.iter().find(|set| set.key == key)
    }
}
