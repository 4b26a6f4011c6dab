//! Rows as text: the neutral format, written.

use std::fmt::Write as _;

use crate::events::{Lever, Pieces, Report, Row, RowKind, Setup, Start, Variant};

/// Rows as the lines of a neutral recording; times are rounded down to milliseconds.
///
/// Reports that the format has no line for (identity, junk, a clock that was unplugged) are left
/// out.
#[must_use]
pub fn to_jsonl(rows: &[Row]) -> String {
    let mut out = String::new();
    for row in rows {
        let body = match &row.kind {
            RowKind::Meta(setup) => Some(meta_line(setup)),
            RowKind::Report(report) => report_line(report),
        };
        if let Some(body) = body {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{{\"t_ms\":{},{body}}}", row.at.ms());
        }
    }
    out
}

fn meta_line(setup: &Setup) -> String {
    // A time control that is not known is left out: a clock is judged by what is written here.
    let control = setup.time_control.map_or(String::new(), |control| {
        let bonus =
            control.bonus.map_or("null".to_owned(), |(moves, seconds)| format!("[{moves},{seconds}]"));
        format!(",\"base_s\":{},\"inc_s\":{},\"bonus\":{bonus}", control.base_s, control.inc_s,)
    });
    let start = match &setup.start {
        Start::Standard => "standard",
        Start::Fen(fen) => fen,
    };
    let first = setup.time_control.map_or(String::new(), |control| {
        format!(",\"increment_on_first_move\":{}", control.increment_on_first_move)
    });
    let variant = match setup.variant {
        Variant::Standard => "",
        Variant::Chess960 => ",\"variant\":\"chess960\"",
    };
    let scan = match setup.scan.ms() {
        0 => String::new(),
        ms => format!(",\"scan_ms\":{ms}"),
    };
    let pieces = match setup.pieces {
        Pieces::Identified => "identified",
        Pieces::Occupancy => "occupancy",
    };
    format!(
        "\"kind\":\"meta\",\"board\":\"{}\",\"config\":{{\"ruleset\":\"{}\"{control},\"start\":\"{start}\"{first}{scan}{variant}}},\"pieces\":\"{pieces}\"",
        setup.board, setup.ruleset,
    )
}

fn report_line(report: &Report) -> Option<String> {
    Some(match report {
        Report::Dump(wood) => format!("\"kind\":\"board\",\"fen\":\"{}\"", wood.placement()),
        Report::Square { at, seen } => {
            let piece = seen.letter().map_or("null".to_owned(), |letter| format!("\"{letter}\""));
            format!("\"kind\":\"square\",\"sq\":\"{}\",\"piece\":{piece}", at.raw())
        }
        Report::Clock(reading) => {
            let running = match reading.running {
                None => "null",
                Some(Lever::Left) => "\"white\"",
                Some(Lever::Right) => "\"black\"",
            };
            let down = match reading.down {
                Lever::Left => "white_down",
                Lever::Right => "black_down",
            };
            format!(
                "\"kind\":\"clock\",\"white_ms\":{},\"black_ms\":{},\"running\":{running},\"lever\":\"{down}\"",
                reading.left.ms(),
                reading.right.ms()
            )
        }
        Report::Link { up } => format!("\"kind\":\"link\",\"up\":{up}"),
        Report::ClockConnected(_) | Report::Identity(_) | Report::Junk { .. } => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emulator::Script;
    use crate::events::{Device, TimeControl, TopicPart, parse_row};
    use shakmaty::Square;

    #[test]
    fn rows_survive_their_own_text() {
        let setup = Setup::plain(TopicPart::new("table-1").unwrap(), Device::Neutral);
        let rows =
            Script::new(setup).wait(500).run(true).moves(1_200, Square::E2, Square::E4).wait(1_500).rows();
        let text = to_jsonl(&rows);
        let again: Vec<Row> = text.lines().map(|line| parse_row(line).unwrap()).collect();
        let reports =
            |rows: &[Row]| -> Vec<RowKind> { rows[1..].iter().map(|row| row.kind.clone()).collect() };
        assert_eq!(reports(&again), reports(&rows));
    }

    #[test]
    fn settings_survive_their_own_text() {
        let control =
            TimeControl { base_s: 300, inc_s: 3, bonus: Some((40, 900)), increment_on_first_move: true };
        for time_control in [None, Some(control)] {
            let mut setup = Setup::plain(TopicPart::new("table-1").unwrap(), Device::Neutral);
            setup.time_control = time_control;
            setup.scan = crate::tick::Span::from_ms(200);
            setup.pieces = Pieces::Occupancy;
            let again = parse_row(to_jsonl(&Script::new(setup.clone()).rows()).lines().next().unwrap());
            assert_eq!(again.unwrap().kind, RowKind::Meta(Box::new(setup)));
        }
    }
}
