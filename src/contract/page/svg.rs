//! A board as SVG, with pieces of plain shapes: no font has to have them.

use crate::events::Wood;
use shakmaty::Square;

/// Letter and shape of each piece, in a square of 45 by 45.
const SHAPES: [(char, &str); 6] = [
    (
        'p',
        "<circle cx=\"22.5\" cy=\"14\" r=\"5.5\"/><path d=\"M13 38C13 31 19 29 19.5 20h6C26 29 32 31 32 38Z\"/>",
    ),
    ('r', "<path d=\"M11 38v-5h4l2-14h-4V9h5v4h3V9h3v4h3V9h5v10h-4l2 14h4v5Z\"/>"),
    ('n', "<path d=\"M13 38c0-9 10-11 9-18l-6 4-4-2 5-9 1-5 4 4c10 1 12 12 10 26Z\"/>"),
    (
        'b',
        "<circle cx=\"22.5\" cy=\"8\" r=\"2.6\"/><path d=\"M22.5 11c-8 6-8 13-4 17l-5 10h18l-5-10c4-4 4-11-4-17Z\"/><path d=\"M22.5 16v7M19 19.5h7\"/>",
    ),
    (
        'q',
        "<path d=\"M14 38 10 14l7 11 1.5-15 4 14 4-14L28 25l7-11-4 24Z\"/><circle cx=\"10\" cy=\"12\" r=\"2\"/><circle cx=\"18.5\" cy=\"8.5\" r=\"2\"/><circle cx=\"26.5\" cy=\"8.5\" r=\"2\"/><circle cx=\"35\" cy=\"12\" r=\"2\"/>",
    ),
    (
        'k',
        "<path d=\"M22.5 5v10M18.5 9h8\"/><path d=\"M14 38 11 25c-2-8 8-11 11.5-5C26 14 36 17 34 25l-3 13Z\"/>",
    ),
];

/// The shapes, once, for [`board`] and for the page's script.
pub(super) fn pieces() -> String {
    let mut out = String::from("<svg width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\n");
    for (letter, shape) in SHAPES {
        out.push_str(&format!("<g id=\"piece-{letter}\">{shape}</g>\n"));
    }
    out.push_str("<g id=\"piece-x\"><circle cx=\"22.5\" cy=\"22.5\" r=\"12\"/></g>\n</defs></svg>");
    out
}

/// A placement as a board, White below. What is no placement is an empty board.
pub(super) fn board(placement: &str) -> String {
    let wood = Wood::from_placement(placement).ok();
    let mut out =
        String::from("<svg class=\"board\" viewBox=\"0 0 380 380\" role=\"img\" aria-label=\"Board\">\n");
    for rank in 0..8u32 {
        for file in 0..8u32 {
            let (x, y) = (20 + 45 * file, 45 * (7 - rank));
            let shade = if (rank + file) % 2 == 0 { "dark" } else { "light" };
            out.push_str(&format!(
                "<rect class=\"{shade}\" x=\"{x}\" y=\"{y}\" width=\"45\" height=\"45\"/>"
            ));
            let letter = wood.as_ref().and_then(|wood| wood.at(Square::new(rank * 8 + file)).letter());
            if let Some(letter) = letter {
                let side = if letter.is_ascii_uppercase() { "white" } else { "black" };
                let (side, name) =
                    if letter == 'X' { ("unknown", 'x') } else { (side, letter.to_ascii_lowercase()) };
                out.push_str(&format!("<use class=\"{side}\" href=\"#piece-{name}\" x=\"{x}\" y=\"{y}\"/>"));
            }
        }
    }
    for (place, file) in ('a'..='h').enumerate() {
        out.push_str(&format!("<text x=\"{}\" y=\"376\">{file}</text>", 42 + 45 * place));
        out.push_str(&format!("<text x=\"9\" y=\"{}\">{}</text>", 27 + 45 * place, 8 - place));
    }
    out.push_str("</svg>");
    out
}
