//! The start of the game as it was found, and who sits where.

use super::CaseError;
use super::facts::Facts;
use crate::events::Wood;
use crate::laws::{Case, StartFound};

const ARRAY: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

pub(super) fn read(facts: &Facts<'_>, case: &mut Case) -> Result<(), CaseError> {
    if let Some(setup) = facts.object("setup")? {
        let declared = match setup.text("declared")? {
            None | Some("standard") => ARRAY.to_owned(),
            Some(other) => placement(other, "setup.declared")?,
        };
        let placed = match setup.text("start_placement")? {
            Some(text) => placement(text, "setup.start_placement")?,
            None => declared.clone(),
        };
        let edges = [
            ("rank-1", (false, false)),
            ("rank-8", (false, true)),
            ("file-a", (true, false)),
            ("file-h", (true, false)),
        ];
        let (sideways, half) = setup.word("white_edge", &edges)?.unwrap_or_default();
        let quarter =
            setup.word("corner_right_of_white", &[("light", false), ("dark", true)])?.unwrap_or(sideways);
        let too_late = setup.flag("found_after_ten_each")?.unwrap_or(false);
        case.start = Some(StartFound { declared, placed, quarter, half, too_late });
    }
    if let Some(seating) = facts.object("seating")?
        && let (Some(pairing), Some(seated)) = (seating.get("pairing"), seating.get("seated"))
    {
        case.reversed = Some(pairing != seated);
    }
    Ok(())
}

/// The board part of a FEN, checked.
fn placement(text: &str, key: &str) -> Result<String, CaseError> {
    let board = text.split(' ').next().unwrap_or_default();
    let wood = Wood::from_placement(board).map_err(|error| CaseError(format!("{key}: {error}")))?;
    Ok(wood.placement())
}
