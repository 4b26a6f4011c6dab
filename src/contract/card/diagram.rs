//! Small diagrams of positions, several side by side.

use crate::events::Wood;
use shakmaty::Square;

/// Columns of one diagram, with room to the next.
const COLUMNS: usize = 24;

/// Title, eight ranks and the files; `*` before each marked square. `None` if it is no placement.
pub(super) fn diagram(title: &str, fen: &str, marked: &[String]) -> Option<Vec<String>> {
    let wood = Wood::from_placement(fen.split(' ').next()?).ok()?;
    let mut rows = vec![title.to_owned()];
    for rank in (0..8u32).rev() {
        let mut row = format!("{} ", rank + 1);
        for file in 0..8 {
            let square = Square::new(rank * 8 + file);
            let mark = marked.iter().any(|name| *name == square.to_string());
            row.push(if mark { '*' } else { ' ' });
            row.push(wood.at(square).letter().unwrap_or('.'));
        }
        rows.push(row);
    }
    rows.push("   a b c d e f g h".to_owned());
    Some(rows)
}

/// The rows of several diagrams, joined.
pub(super) fn side_by_side(boards: &[Vec<String>]) -> Vec<String> {
    let height = boards.iter().map(Vec::len).max().unwrap_or(0);
    let cell = |board: &Vec<String>, row: usize| {
        let text = board.get(row).map_or("", String::as_str);
        format!("{text:COLUMNS$}")
    };
    (0..height).map(|row| boards.iter().map(|board| cell(board, row)).collect()).collect()
}
