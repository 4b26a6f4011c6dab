//! From what the game stage explained to findings: each rule in its file looks at a judgement.

use shakmaty::{Bitboard, Color, Square};

use super::finding::{Certainty, Severity};
use super::rules::RuleId;
use super::{
    adjust_out_of_turn, both_kings_in_check, castling_incomplete, castling_rook_first, displaced_pieces,
    draws, for_the_record, game_ended, illegal_move, illegal_position, other_hand_press, pawn_not_promoted,
    pawn_on_last_rank, position_unexplained, premature_result, press_move_incomplete, press_without_move,
    released_piece_moved, result_by_kings, touch_move, two_hands, wrong_orientation, wrong_setup,
};
use crate::game::Judgement;

/// A finding before it gets its number and the facts of the moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Which rule.
    pub code: RuleId,
    /// What it means for an arbiter; usually the rule's own.
    pub severity: Severity,
    /// How sure it is; usually the rule's own.
    pub certainty: Certainty,
    /// Whom it is about.
    pub side: Option<Color>,
    /// Squares to look at.
    pub squares: Vec<Square>,
    /// What happened, in chess words.
    pub what: String,
    /// The move that was tried.
    pub tried: Option<String>,
}

impl Found {
    /// A finding of `code` with the rule's own certainty and severity.
    #[must_use]
    pub fn new(code: RuleId, side: Option<Color>, squares: Bitboard, what: String) -> Self {
        let rule = code.rule();
        Found {
            code,
            severity: rule.severity,
            certainty: rule.certainty,
            side,
            squares: squares.into_iter().collect(),
            what,
            tried: None,
        }
    }

    /// The same while the record itself is in doubt: somebody has to look before anybody is named.
    #[must_use]
    pub fn in_doubt(self) -> Self {
        if self.severity < Severity::Check {
            return self;
        }
        Found { severity: Severity::Check, certainty: self.certainty.min(Certainty::Probable), ..self }
    }
}

type Rule = fn(&Judgement) -> Option<Found>;

/// The rules that look at judgements, the gravest first: the first finding of an incident is the
/// primary one of its alert.
const DETECTORS: &[Rule] = &[
    wrong_orientation::detect,
    wrong_setup::detect,
    illegal_move::detect,
    castling_incomplete::detect,
    pawn_not_promoted::detect,
    press_without_move::detect,
    press_move_incomplete::detect,
    both_kings_in_check::detect,
    pawn_on_last_rank::detect,
    illegal_position::detect,
    displaced_pieces::detect,
    castling_rook_first::detect,
    two_hands::detect,
    touch_move::detect,
    released_piece_moved::detect,
    other_hand_press::detect,
    adjust_out_of_turn::detect,
    position_unexplained::detect,
    draws::dead_position,
    draws::seventy_five,
    draws::fivefold,
    draws::threefold,
    draws::fifty,
    game_ended::detect,
    result_by_kings::detect,
    premature_result::detect,
    for_the_record::detect,
];

/// All that the rules find in a judgement.
#[must_use]
pub fn detect(judgement: &Judgement) -> Vec<Found> {
    DETECTORS.iter().filter_map(|rule| rule(judgement)).collect()
}
