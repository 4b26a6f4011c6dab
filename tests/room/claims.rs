//! Claims in the room: what the record says of them, compared with what really happened.
//!
//! A claim of an illegal move is proven for certain only where one was made, and never refuted where
//! one was; a draw is proven or refuted only as the positions say.

use jadoube::alerts::{Request, Verb};
use jadoube::laws::{Certainty, ClaimKind, ClaimReport, PlayersClaim, Verdict};
use jadoube::table::{Effects, Input, Publish, Table};
use jadoube::tick::Tick;
use shakmaty::Color;

use super::drive;
use super::game::Session;
use super::truth::Incident;

/// What a claim of an illegal move can mean.
const ILLEGAL: [&str; 6] = [
    "illegal-move",
    "illegal-move-unpressed",
    "pawn-not-promoted",
    "press-without-move",
    "castling-incomplete",
    "two-hands",
];
/// Nobody claims within so much of what happened, ms.
const CALM: i64 = 8_000;
/// A claim of a draw is tried before every so many plies.
const EVERY: usize = 5;

/// How many claims were made, how many had a verdict either way, and those that are wrong.
#[derive(Debug, Default)]
pub struct Claims {
    pub made: usize,
    pub decided: usize,
    pub wrong: Vec<String>,
}

/// Plays the rows up to `t` of the board's time and claims.
fn answer(session: &Session, t: i64, claim: &PlayersClaim) -> Option<ClaimReport> {
    let now = Tick::from_ms(u64::try_from(t).ok()?);
    let (mut table, mut effects) = (Table::new(), Effects::default());
    for (at, input) in drive::plain(&session.rows).into_iter().filter(|(at, _)| *at <= now) {
        table.step(at, input, &mut effects);
        effects.publish.clear();
    }
    let verb = Verb::Claim(claim.clone());
    let request = Request { id: "c".to_owned(), by: "arbiter".to_owned(), verb };
    table.step(now, Input::Request(request), &mut effects);
    effects.publish.into_iter().rev().find_map(|item| match item {
        Publish::Response(response) => response.claim().cloned(),
        _ => None,
    })
}

/// Claims of an illegal move by both, some time after each incident and at the end of play.
pub fn illegal(session: &Session, out: &mut Claims) {
    let truth = &session.truth;
    let meant = |i: &&Incident| i.codes.iter().any(|code| ILLEGAL.contains(code));
    let mut moments: Vec<i64> = truth
        .incidents
        .iter()
        .map(|i| i.certain + i.within + session.lag + CALM)
        .filter(|t| *t < truth.game_end)
        .collect();
    moments.push(truth.game_end - 1);
    for t in moments {
        for by in Color::ALL {
            let claim = PlayersClaim { by, of: ClaimKind::IllegalMove, written: None, square: None };
            let Some(report) = answer(session, t, &claim) else { continue };
            let of = |i: &&Incident| i.side.is_none_or(|side| side == by.other());
            let happened = truth.incidents.iter().filter(meant).filter(of).any(|i| i.from <= t);
            let settled = |i: &&Incident| i.certain + i.within + session.lag + CALM <= t;
            let named = |i: &&Incident| i.required && i.side == Some(by.other());
            let only = |i: &&Incident| i.codes.iter().all(|code| ILLEGAL.contains(code));
            let due = truth.incidents.iter().filter(only).filter(named).any(|i| settled(&i));
            out.made += 1;
            out.decided += usize::from(matches!(report.verdict, Verdict::Proven | Verdict::Refuted));
            let invented =
                report.verdict == Verdict::Proven && report.certainty == Certainty::Certain && !happened;
            if invented || report.verdict == Verdict::Refuted && due {
                let known: Vec<String> =
                    truth.incidents.iter().map(|i| format!("{} {}", i.kind, i.note)).collect();
                out.wrong.push(format!("at {t}: {} ({:?}); {known:?}", report.text(), report.proof));
            }
        }
    }
}

/// Claims of a draw by the player on the move, between plies, in a game without incidents.
pub fn draws(session: &Session, out: &mut Claims) {
    let truth = &session.truth;
    if !truth.incidents.is_empty() {
        return;
    }
    for (ply, next) in truth.plies.iter().enumerate().skip(1).step_by(EVERY) {
        let before = &truth.plies[ply - 1];
        let quiet = before.pressed.unwrap_or(before.placed) + session.lag + CALM;
        let fens: Option<Vec<&String>> = session.fens[..=ply].iter().map(|(fen, _)| fen.as_ref()).collect();
        let (Some(fens), true) = (fens, quiet < next.begun) else { continue };
        let key = |fen: &str| fen.split(' ').take(4).collect::<Vec<&str>>().join(" ");
        let now = key(fens[ply]);
        let by = if now.contains(" w ") { Color::White } else { Color::Black };
        let times = fens.iter().filter(|fen| key(fen) == now).count();
        let claim = PlayersClaim { by, of: ClaimKind::Threefold, written: None, square: None };
        let Some(report) = answer(session, next.begun - 1, &claim) else { continue };
        out.made += 1;
        out.decided += usize::from(matches!(report.verdict, Verdict::Proven | Verdict::Refuted));
        let wrong = match report.verdict {
            Verdict::Proven => times < 3,
            Verdict::Refuted => times >= 3 || report.summary.contains("has not the move"),
            Verdict::NotShown | Verdict::Gap => false,
        };
        if wrong {
            out.wrong.push(format!("before ply {}: {times} times: {}", ply + 1, report.text()));
        }
    }
}
