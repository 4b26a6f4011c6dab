//! A whole round at one table: game after game, and all that happens to a board in between.

use super::game::{Session, simulate};
use super::profile::{Begin, Fault, Profile};
use super::rng::Rng;
use super::sense::Row;

/// Between two games.
const PAUSE: i64 = 60_000;
const ARRAY: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// The rows of one game of the round, with what follows it, as text.
pub struct Played {
    pub texts: Vec<String>,
    /// How many of these rows belong to the game itself.
    pub of_game: usize,
}

/// Games that can follow each other at one table: from the array, on a board that is not turned.
pub fn games(profile: Profile, count: usize) -> Vec<Session> {
    let fits = |s: &Session| {
        s.plan.begin == Begin::Array
            && s.plan.sensors.turned == 0
            && !matches!(s.plan.fault, Some(Fault::WrongSetup | Fault::Orientation))
    };
    let all = (0..200).map(|seed| simulate(profile, seed).expect("the room plays"));
    all.filter(fits).take(count).collect()
}

/// A game that begins at `from`, and then a table that is left alone: pieces flicker and are played
/// with, the lever is knocked, the link is cut, all squares are read late. In the end the array is
/// set up again.
pub fn played(session: &Session, from: i64, rng: &mut Rng) -> (Played, i64) {
    let mut texts: Vec<String> = session.rows.iter().map(|r| moved(r, from)).collect();
    let of_game = texts.len();
    let mut t = from + session.rows.last().map_or(0, |r| r.t) + 1_000;
    let clock = |t: i64, running: &str, lever: &str| {
        format!(
            r#"{{"t_ms":{t},"kind":"clock","white_ms":60000,"black_ms":60000,"running":{running},"lever":"{lever}"}}"#
        )
    };
    let square = |t: i64, sq: &str, piece: &str| {
        format!(r#"{{"t_ms":{t},"kind":"square","sq":"{sq}","piece":{piece}}}"#)
    };
    for i in 0..2_000 {
        let sq = format!("{}{}", rng.one_of(&['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']), rng.range(1, 8));
        texts.push(square(t, &sq, "null"));
        texts.push(square(t + 120, &sq, rng.one_of(&["\"P\"", "\"n\"", "\"Q\"", "\"k\""])));
        t += rng.range(200, 1_500);
        if i % 100 == 99 {
            texts.push(clock(t, "\"white\"", "black_down"));
            texts.push(clock(t + 700, "\"black\"", "white_down"));
            texts.push(clock(t + 2_000, "null", "white_down"));
            texts.push(format!(r#"{{"t_ms":{},"kind":"link","up":false}}"#, t + 2_500));
            texts.push(format!(r#"{{"t_ms":{},"kind":"link","up":true}}"#, t + 4_000));
            texts.push(format!(r#"{{"t_ms":{},"kind":"board","fen":"{ARRAY}"}}"#, t + 4_200));
            t += 8_000;
        }
    }
    texts.push(clock(t, "null", "black_down"));
    texts.push(format!(r#"{{"t_ms":{},"kind":"board","fen":"{ARRAY}"}}"#, t + 1_000));
    (Played { texts, of_game }, t + PAUSE)
}

fn moved(row: &Row, by: i64) -> String {
    let text = Row { t: row.t + by, kind: row.kind.clone() }.json();
    // The line of settings carries its own time.
    text.replacen("\"t_ms\":0,\"kind\":\"meta\"", &format!("\"t_ms\":{by},\"kind\":\"meta\""), 1)
}
