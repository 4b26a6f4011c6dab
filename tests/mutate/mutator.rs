//! What a line, a driver or a cable does to a recording: cuts it short, says things twice, late or
//! in another order, loses the link.

use jadoube::events::{Report, RowKind, Wood, parse_row};

use crate::recording::Row;
use crate::room::rng::Rng;

/// Nothing is later than that.
pub const LATE: i64 = 250;
/// A reader that connects again asks for all squares, and they come so much later.
const DUMP: (i64, i64) = (40, 400);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Cut short.
    Cut,
    /// One or several messages come twice.
    Doubled,
    /// One message comes late.
    Delayed,
    /// The messages of a moment come in another order.
    Shuffled,
    /// A part is not heard: the link was lost there.
    Unheard,
    /// Several of these.
    Mixed,
}

pub const KINDS: [Kind; 6] =
    [Kind::Cut, Kind::Doubled, Kind::Delayed, Kind::Shuffled, Kind::Unheard, Kind::Mixed];

/// The recording as it might have come, and what was done to it.
pub fn mutate(rows: &[Row], kind: Kind, rng: &mut Rng) -> (Vec<Row>, String) {
    match kind {
        Kind::Cut => {
            let keep = 1 + rng.below(rows.len());
            (rows[..keep].to_vec(), format!("cut after row {keep}"))
        }
        Kind::Doubled => doubled(rows, rng),
        Kind::Delayed => delayed(rows, rng),
        Kind::Shuffled => shuffled(rows, rng),
        Kind::Unheard => unheard(rows, rng),
        Kind::Mixed => {
            let (mut rows, mut told) = (rows.to_vec(), Vec::new());
            for _ in 0..rng.range(2, 4) {
                let kind = rng.one_of(&[Kind::Doubled, Kind::Delayed, Kind::Shuffled, Kind::Unheard]);
                let (next, what) = mutate(&rows, kind, rng);
                rows = next;
                told.push(what);
            }
            (rows, told.join("; "))
        }
    }
}

/// A row that is not the first: that one says what is recorded.
fn any(rows: &[Row], rng: &mut Rng) -> usize {
    (1 + rng.below(rows.len().saturating_sub(1))).min(rows.len() - 1)
}

fn sorted(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort_by_key(|r| r.t);
    rows
}

fn doubled(rows: &[Row], rng: &mut Rng) -> (Vec<Row>, String) {
    let (mut out, mut told) = (rows.to_vec(), Vec::new());
    for _ in 0..rng.one_of(&[1, 1, 2, 6]) {
        let index = any(rows, rng);
        let again = rows[index].at(rows[index].t + rng.one_of(&[0, 0, 5, 30, 120, LATE]));
        told.push(format!("{} again at {}", rows[index].text(), again.t));
        let place = out.iter().rposition(|r| r.t <= again.t).map_or(0, |p| p + 1);
        // Said again at once it comes right after itself.
        let place = if again.t == rows[index].t {
            out.iter().position(|r| *r == rows[index]).map_or(place, |p| p + 1)
        } else {
            place
        };
        out.insert(place, again);
    }
    (out, told.join("; "))
}

fn delayed(rows: &[Row], rng: &mut Rng) -> (Vec<Row>, String) {
    let mut out = rows.to_vec();
    let late = out.remove(any(rows, rng));
    let by = rng.range(1, LATE);
    let told = format!("{} late by {by}", late.text());
    let late = late.at(late.t + by);
    let place = out.iter().rposition(|r| r.t <= late.t).map_or(0, |p| p + 1);
    out.insert(place, late);
    (sorted(out), told)
}

/// What came within a moment comes in another order, at the same times.
fn shuffled(rows: &[Row], rng: &mut Rng) -> (Vec<Row>, String) {
    let from = any(rows, rng);
    let count = rows[from..].iter().take_while(|r| r.t <= rows[from].t + LATE).count();
    let mut order: Vec<usize> = (from..from + count).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, rng.below(i + 1));
    }
    let mut out = rows.to_vec();
    for (place, index) in (from..).zip(&order) {
        out[place] = rows[*index].at(rows[place].t);
    }
    (out, format!("rows from {from} at {} in the order {order:?}", rows[from].t))
}

/// The link is lost for some rows; all squares are read when it is back.
fn unheard(rows: &[Row], rng: &mut Rng) -> (Vec<Row>, String) {
    let from = any(rows, rng).max(2).min(rows.len());
    let count = usize::try_from(rng.skewed(1, 60)).expect("positive");
    // Where the recording has lost its link itself, it stays as it was.
    let is_down = rows[..from].iter().rev().find(|r| r.kind() == "link").is_some_and(|r| !r.is_up());
    let end = (from + count).min(rows.len());
    let end = rows[from..end].iter().position(|r| r.kind() == "link").map_or(end, |p| from + p);
    if from >= end || is_down {
        return (rows.to_vec(), "nothing was lost".to_owned());
    }
    let (down, up) = (rows[from].t, rows[end - 1].t);
    let link = |t: i64, up: bool| Row::new(&format!(r#"{{"t_ms":{t},"kind":"link","up":{up}}}"#));
    let seen = up + rng.range(DUMP.0, DUMP.1);
    // Squares told before the dump are in it.
    let (mut out, mut rest) = (rows[..from].to_vec(), rows[end..].to_vec());
    let until = rows[end..].iter().take_while(|r| r.t <= seen).count();
    let stands = placement(&rows[..end + until]);
    let asked = up + rng.range(DUMP.0, DUMP.1);
    let clock = rows.iter().rev().find(|r| r.t <= asked && r.kind() == "clock");
    rest.retain(|r| r.t > seen || r.kind() != "square");
    out.push(link(down, false));
    out.push(link(up, true));
    out.push(Row::new(&format!(r#"{{"t_ms":{seen},"kind":"board","fen":"{stands}"}}"#)));
    // A driver that asks the clock too hears what it shows.
    out.extend(clock.filter(|_| rng.percent(70)).map(|c| c.at(asked)));
    out.extend(rest);
    (sorted(out), format!("unheard from {down} to {up}, dump at {seen}"))
}

/// What these rows show to stand on the board.
fn placement(rows: &[Row]) -> String {
    let mut wood = Wood::empty();
    for row in rows {
        match parse_row(&row.text()).expect("a line of a recording").kind {
            RowKind::Report(Report::Dump(all)) => wood = all,
            RowKind::Report(Report::Square { at, seen }) => wood.set(at.raw(), seen),
            _ => {}
        }
    }
    wood.placement()
}
