//! Event settings: what no text settles and an event's regulations may choose.

/// One of the settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each is described in SETTINGS, the one list")]
pub enum SettingId {
    B2Seconds,
    IncompleteCastling,
    ProtestPress,
    PromotionSquareEmpty,
    WrongPromotionPiece,
    SubstitutedQueenMates,
    CapturedPawnLeft,
    IllegalChainAdditions,
    KingCaptureBlitz,
    IllegalThenFlag,
    ArbiterOverride,
    ScheduleAtRisk,
    UscfRepeatOffence,
}

/// What is fixed about a setting.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Which.
    pub id: SettingId,
    /// The key in files.
    pub name: &'static str,
    /// The values allowed; the first is the default.
    pub values: &'static [&'static str],
    /// What it decides.
    pub decides: &'static str,
}

macro_rules! settings {
    ($($id:ident $name:literal $values:expr, $decides:literal;)*) => {
        /// Every setting.
        pub const SETTINGS: &[Setting] = &[$(Setting {
            id: SettingId::$id,
            name: $name,
            values: &$values,
            decides: $decides,
        },)*];
    };
}

settings! {
    B2Seconds "b2_seconds" ["120", "60"], "the seconds added under FIDE 2023 blitz B.2";
    IncompleteCastling "incomplete_castling" ["arbiter-decides", "illegal-move", "unfinished"],
        "the king moved two squares, the rook did not, the clock was pressed, and castling is legal";
    ProtestPress "protest_press" ["not-counted", "counted", "arbiter-decides"],
        "a press back, without a move, after an illegal move";
    PromotionSquareEmpty "promotion_square_empty" ["queen", "arbiter-decides"],
        "the pawn is gone, nothing was put down, and the clock was pressed";
    WrongPromotionPiece "wrong_promotion_piece" ["roll-back", "queen"],
        "a king or a piece of the other colour was put on the promotion square";
    SubstitutedQueenMates "substituted_queen_mates" ["arbiter-decides", "mate-stands", "no-mate"],
        "the queen that takes the place of a pawn left on the last rank gives mate";
    CapturedPawnLeft "captured_pawn_left" ["illegal-move", "remove-pawn"],
        "en passant without taking the pawn off the board, and the clock was pressed";
    IllegalChainAdditions "illegal_chain_additions" ["arbiter-decides", "each-gets-time", "none"],
        "an illegal move was answered by an illegal move where both are taken back";
    KingCaptureBlitz "king_capture_blitz" ["illegal-move", "win-claim"],
        "the king was taken after an illegal move, without enough arbiters";
    IllegalThenFlag "illegal_then_flag" ["earlier-first", "arbiter-decides"],
        "an illegal move was completed, and then the opponent's flag fell";
    ArbiterOverride "arbiter_override" ["false", "true"],
        "colours reversed where the game goes on unless the arbiter rules otherwise: he does";
    ScheduleAtRisk "schedule_at_risk" ["false", "true"],
        "a wrong clock setting is put right after all, since the schedule would suffer";
    UscfRepeatOffence "uscf_repeat_offence" ["standard-penalty", "director-decides"],
        "the second and each later illegal move under US Chess regular rules";
}

/// The values an event has chosen; the rest have their defaults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    chosen: Vec<(SettingId, &'static str)>,
}

impl SettingId {
    /// What is fixed about it.
    #[must_use]
    pub fn setting(self) -> &'static Setting {
        &SETTINGS[self as usize]
    }
}

impl Settings {
    /// Chooses `value` for the setting called `name`.
    ///
    /// # Errors
    /// What is allowed instead.
    pub fn choose(&mut self, name: &str, value: &str) -> Result<(), String> {
        let Some(setting) = SETTINGS.iter().find(|setting| setting.name == name) else {
            let known: Vec<&str> = SETTINGS.iter().map(|setting| setting.name).collect();
            return Err(format!("setting \"{name}\" is not known: use {}", known.join(", ")));
        };
        let Some(value) = setting.values.iter().find(|allowed| **allowed == value) else {
            return Err(format!("{name} is \"{value}\": use {}", setting.values.join(", ")));
        };
        self.chosen.retain(|(id, _)| *id != setting.id);
        self.chosen.push((setting.id, value));
        Ok(())
    }

    /// The value of a setting.
    #[must_use]
    pub fn get(&self, id: SettingId) -> &'static str {
        let chosen = self.chosen.iter().find(|(other, _)| *other == id).map(|(_, value)| *value);
        chosen.unwrap_or(id.setting().values[0])
    }

    /// Whether a setting has that value.
    #[must_use]
    pub fn is(&self, id: SettingId, value: &str) -> bool {
        self.get(id) == value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_the_order_of_the_ids() {
        for setting in SETTINGS {
            assert_eq!(setting.id.setting().name, setting.name);
        }
    }

    #[test]
    fn what_is_not_allowed_is_said_with_what_is() {
        let mut settings = Settings::default();
        assert_eq!(settings.choose("b2_seconds", "90"), Err("b2_seconds is \"90\": use 120, 60".to_owned()));
        assert!(settings.choose("b3_seconds", "90").is_err());
        assert_eq!(settings.choose("b2_seconds", "60"), Ok(()));
        assert!(settings.is(SettingId::B2Seconds, "60"));
    }
}
