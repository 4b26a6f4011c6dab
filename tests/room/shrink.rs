//! From a failing session to the shortest stream that still fails in the same way.

use shakmaty::{Board, Square};

use super::check::{Failure, check};
use super::drive::{Line, feeding, lines};
use super::game::Session;
use super::sense::{Kind, Reading, Row, sensor_name};

fn fails(session: &Session, class: &str) -> Option<(Vec<Line>, Failure)> {
    let got = lines(&session.rows, feeding(session.plan.seed));
    let failure = check(session, &got).into_iter().find(|f| f.class == class)?;
    Some((got, failure))
}

/// The stream cut at both ends, and without ticks, as far as the failure stays.
pub fn shrink(session: &Session, class: &str) -> Option<(Session, Vec<Line>, Failure)> {
    let (got, failure) = fails(session, class)?;
    let mut best = (session.clone(), got, failure);
    let mut better = |candidate: Session| -> bool {
        match fails(&candidate, class) {
            Some((got, failure)) => {
                best = (candidate, got, failure);
                true
            }
            None => false,
        }
    };
    let mut now = session.clone();
    for k in (1..session.truth.plies.len()).rev() {
        if let Some(cut) = from_ply(session, k)
            && better(cut.clone())
        {
            now = cut;
            break;
        }
    }
    // An end that is missing needs the true end.
    let most = if class.contains("at the end") { 0 } else { now.truth.plies.len() };
    for m in 0..most {
        if let Some(cut) = up_to(&now, m)
            && better(cut.clone())
        {
            now = cut;
            break;
        }
    }
    let quiet = without_ticks(&now);
    if better(quiet.clone()) {
        now = quiet;
    }
    // Single rows, from the end: whatever the failure does not need.
    let mut index = now.rows.len();
    while index > 2 {
        index -= 1;
        if matches!(now.rows[index].kind, Kind::Clock(_) | Kind::Board(_)) {
            continue;
        }
        if is_of_a_move(&now, now.rows[index].t) {
            continue;
        }
        let mut fewer = now.clone();
        let Kind::Square(sq, None) = now.rows[index].kind else { continue };
        // A square that empties and is filled with the same again goes as a pair.
        let before = now.rows[..index].iter().rev().find_map(|r| match &r.kind {
            Kind::Square(s, what) if *s == sq => Some(*what),
            _ => None,
        });
        let back =
            now.rows[index + 1..].iter().position(|r| matches!(r.kind, Kind::Square(s, Some(_)) if s == sq));
        let Some(back) = back.map(|b| b + index + 1) else { continue };
        if is_of_a_move(&now, now.rows[back].t) {
            continue;
        }
        if let Kind::Square(_, what) = now.rows[back].kind
            && before.is_none_or(|b| b == what)
        {
            fewer.rows.remove(back);
            fewer.rows.remove(index);
            if better(fewer.clone()) {
                now = fewer;
            }
        }
    }
    Some(best)
}

/// What the rows show at `t`: wood in the sensor's frame, and the clock.
fn sensed(rows: &[Row], t: i64) -> Option<(Board, Reading)> {
    let mut wood = Board::empty();
    let mut clock = None;
    for row in rows.iter().take_while(|r| r.t <= t) {
        match &row.kind {
            Kind::Board(fen) => wood = fen.parse().ok()?,
            Kind::Square(sq, what) => {
                wood.discard_piece_at(*sq);
                if let Some(piece) = what.and_then(shakmaty::Piece::from_char) {
                    wood.set_piece_at(*sq, piece);
                }
            }
            Kind::Clock(r) => clock = Some(*r),
            _ => {}
        }
    }
    Some((wood, clock?))
}

/// From ply `k` on, as a position declared there.
fn from_ply(session: &Session, k: usize) -> Option<Session> {
    let pressed = session.truth.plies[k - 1].pressed?;
    let (fen, wood) = session.fens.get(k)?;
    let fen = fen.as_ref()?;
    let at = pressed + session.lag;
    if at > session.truth.plies[k].begun - 10 {
        return None;
    }
    let (seen, clock) = sensed(&session.rows, at)?;
    let turned = session.plan.sensors.turned;
    let stands = Square::ALL.iter().all(|s| seen.piece_at(sensor_name(*s, turned)) == wood.piece_at(*s));
    let turn = if fen.contains(" w ") { shakmaty::Color::White } else { shakmaty::Color::Black };
    if !stands || clock.running != Some(turn) {
        return None;
    }
    let Kind::Meta(meta) = &session.rows[0].kind else { return None };
    let (head, tail) = meta.split_once("\"start\":\"")?;
    let (_, tail) = tail.split_once('"')?;
    // The clock has run since the game began: its setting is not to be judged.
    let (head, _) = head.split_once("\"base_s\"")?;
    let mut cut = session.clone();
    let by = at - 1_000;
    cut.rows = vec![
        Row { t: 0, kind: Kind::Meta(format!("{head}\"start\":\"{fen}\"{tail}")) },
        Row { t: 0, kind: Kind::Board(seen.to_string()) },
        Row { t: 0, kind: Kind::Clock(Reading { running: None, ..clock }) },
        Row { t: 900, kind: Kind::Clock(clock) },
    ];
    let rest = session.rows.iter().filter(|r| r.t > at);
    cut.rows.extend(rest.map(|r| Row { t: r.t - by, kind: r.kind.clone() }));
    cut.started = 900;
    let truth = &mut cut.truth;
    truth.plies.drain(..k);
    for p in &mut truth.plies {
        p.begun -= by;
        p.placed -= by;
        p.pressed = p.pressed.map(|t| t - by);
    }
    truth.incidents.retain(|i| i.from > at);
    for i in &mut truth.incidents {
        i.from -= by;
        i.certain -= by;
        i.until -= by;
    }
    truth.gaps.retain(|g| g.first >= k);
    for g in &mut truth.gaps {
        g.first -= k;
        g.end -= k;
    }
    truth.game_end -= by;
    cut.fens.drain(..k);
    Some(cut)
}

/// Rows that tell of a move or of something irregular stay.
fn is_of_a_move(session: &Session, t: i64) -> bool {
    let near = |from: i64, to: i64| t >= from - 100 && t <= to + session.lag + 400;
    session.truth.plies.iter().any(|p| near(p.begun, p.placed))
        || session.truth.incidents.iter().any(|i| near(i.from - 8_000, i.certain + 20_000))
        || t > session.truth.game_end
}

/// Only the first `m` plies; then nothing but time passes.
fn up_to(session: &Session, m: usize) -> Option<Session> {
    let mut cut = session.clone();
    let end = session.truth.plies.get(m)?.begun - 20;
    cut.truth.plies.truncate(m);
    cut.truth.game_end = end;
    cut.truth.incidents.retain(|i| i.from < end);
    cut.truth.gaps.retain(|g| g.first < m);
    cut.rows.retain(|r| r.t <= end);
    let up = cut.rows.iter().rev().find_map(|r| match r.kind {
        Kind::Link(up) => Some(up),
        _ => None,
    });
    if up == Some(false) || cut.truth.gaps.iter().any(|g| g.end > m) {
        return None;
    }
    let (_, mut clock) = sensed(&cut.rows, end)?;
    let side = clock.running?.fold_wb(0, 1);
    clock.dials[side] = (clock.dials[side] - 8_000).max(1_000);
    cut.rows.push(Row { t: end + 8_000, kind: Kind::Clock(clock) });
    Some(cut)
}

fn without_ticks(session: &Session) -> Session {
    let mut cut = session.clone();
    let mut last: Option<Reading> = None;
    let end = cut.rows.len();
    let mut index = 0;
    cut.rows.retain(|r| {
        index += 1;
        let Kind::Clock(now) = r.kind else { return true };
        let same = last.is_some_and(|l| l.running == now.running && l.down == now.down);
        last = Some(now);
        !same || index == end
    });
    cut
}
