//! Who speaks for the node: one daemon at a time, the one that is there already.
//!
//! Before a daemon speaks it looks at `status`. While another run is online there it publishes
//! nothing, and waits. A run that ends says so, or its will does. Only a broker that was restarted
//! may keep the `status` of a run that is gone: whoever says no `health` for long is taken as such.
//! Two that begin in the same moment may both see nobody; the one that began later gives way.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};
use tracing::info;

use super::RIVAL;
use crate::daemon::publisher::{Look, Seen, Standing};
use crate::daemon::roster::Roster;

/// Two and a half times as long as a run is silent that is there.
pub(super) const SILENT: Duration = Duration::from_secs(25);
/// A run that spoke when the broker went away is back within so long, and goes first.
const COMES_BACK: Duration = Duration::from_secs(12);

/// What a look has shown.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// We may speak; `over` is a run that is silent though the broker has it as online.
    Ours { over: Option<u64> },
    /// Nothing is known: look again after a pause.
    Again(Option<Duration>, String),
    /// The room is closing.
    Leave,
}

/// Looks until we may speak.
pub(super) async fn our_turn(
    mut look: Look,
    ours: u64,
    roster: &Roster,
    leave: &mut watch::Receiver<bool>,
    silent: Duration,
) -> Turn {
    let mut other: Option<u64> = None;
    let mut kept_is_seen = false;
    let mut heard = Instant::now();
    while !*leave.borrow() {
        if kept_is_seen && other.is_none() {
            return Turn::Ours { over: None };
        }
        tokio::select! {
            seen = look.seen.recv() => match seen {
                Some(Seen::Status(standing)) => {
                    other = standing.filter(|s| s.online && s.epoch != ours).map(|s| s.epoch);
                    heard = Instant::now();
                    tell(other, roster);
                }
                Some(Seen::AllKept) => kept_is_seen = true,
                Some(Seen::Alive(epoch)) => if other == Some(epoch) { heard = Instant::now() },
                Some(Seen::Refused(why)) => {
                    roster.warn("status-unread", format!(
                        "the broker does not let us see whether another daemon has this node name: {why}; \
                         let this user read it (systemd/mosquitto/jadoube.acl)"
                    ));
                    return Turn::Ours { over: None };
                }
                Some(Seen::Lost(why)) => return Turn::Again(other.map(|_| COMES_BACK), why),
                None => return Turn::Again(other.map(|_| COMES_BACK), "the client has stopped".to_owned()),
            },
            () = sleep_until(heard + silent), if other.is_some() => {
                info!("the daemon that is online by its status says nothing: it is taken as gone");
                return Turn::Ours { over: other };
            }
            changed = leave.changed() => if changed.is_err() { return Turn::Leave },
        }
    }
    Turn::Leave
}

fn tell(other: Option<u64>, roster: &Roster) {
    match other {
        Some(epoch) => roster.warn(
            RIVAL,
            format!(
                "another daemon (epoch {epoch}) is online under this node name: nothing is published until it \
                 ends, boards are watched and journalled all the same; two daemons need two node names"
            ),
        ),
        None => roster.clear(RIVAL),
    }
}

/// What a message on `status` asks of the one who speaks.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Nothing,
    /// It is not the truth: publish it again.
    SayAgain,
    GiveWay,
}

/// Judges a message on `status` while we speak.
pub(super) fn answer(payload: &[u8], retained: bool, ours: u64, over: Option<u64>) -> Answer {
    match Standing::read(payload) {
        Some(Standing { epoch, .. }) if epoch == ours => Answer::Nothing,
        // What the broker kept from before we spoke.
        Some(Standing { epoch, online: true }) if retained && over == Some(epoch) => Answer::Nothing,
        Some(Standing { online: false, .. }) | None if retained => Answer::Nothing,
        Some(Standing { epoch, online: true }) if epoch < ours => Answer::GiveWay,
        _ => Answer::SayAgain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::daemon::host::Clock;
    use crate::daemon::outbox::{Outbox, Post};
    use tokio::sync::mpsc;

    const SHORT: Duration = Duration::from_millis(60);
    const LONG: Duration = Duration::from_secs(60);

    fn status(epoch: u64, online: bool) -> Seen {
        Seen::Status(Some(Standing { epoch, online }))
    }

    /// What comes of these, and whether a rival is a condition in the end.
    fn after(seen: Vec<Seen>, silent: Duration) -> (Turn, bool) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let roster = Roster::new(Post::new(Outbox::new("r", "n", 7)), Clock::start());
            let (to_courier, heard) = mpsc::unbounded_channel();
            seen.into_iter().for_each(|seen| to_courier.send(seen).unwrap());
            let task = tokio::spawn(std::future::pending::<()>()).abort_handle();
            let (_keep, mut leave) = watch::channel(false);
            let turn = our_turn(Look { seen: heard, task }, 7, &roster, &mut leave, silent).await;
            drop(to_courier);
            (turn, roster.condition(RIVAL).is_some())
        })
    }

    #[test]
    fn the_one_that_is_there_is_waited_for() {
        let ours = || Turn::Ours { over: None };
        assert_eq!(after(vec![Seen::AllKept], LONG), (ours(), false));
        assert_eq!(after(vec![status(3, false), Seen::AllKept], LONG), (ours(), false));
        // Our own connection of before.
        assert_eq!(after(vec![status(7, true), Seen::AllKept], LONG), (ours(), false));
        let ends = vec![status(9, true), Seen::AllKept, Seen::Alive(9), status(9, false)];
        assert_eq!(after(ends, LONG), (ours(), false));
        let cleared = vec![status(3, true), Seen::AllKept, Seen::Status(None)];
        assert_eq!(after(cleared, LONG), (ours(), false));
    }

    #[test]
    fn one_that_says_nothing_any_more_is_gone() {
        let began = std::time::Instant::now();
        let (turn, _) = after(vec![status(3, true), Seen::AllKept], SHORT);
        assert_eq!(turn, Turn::Ours { over: Some(3) });
        assert!(began.elapsed() >= SHORT);
    }

    #[test]
    fn a_broker_that_goes_away_gives_the_other_the_time_to_come_back() {
        let lost = || Seen::Lost("x".to_owned());
        let (turn, told) = after(vec![status(3, true), Seen::AllKept, lost()], LONG);
        assert_eq!((turn, told), (Turn::Again(Some(COMES_BACK), "x".to_owned()), true));
        assert_eq!(after(vec![lost()], LONG).0, Turn::Again(None, "x".to_owned()));
    }

    #[test]
    fn of_two_that_speak_the_later_one_gives_way() {
        let of =
            |epoch: u64, state: &str| format!("{{\"epoch\":{epoch},\"state\":\"{state}\"}}").into_bytes();
        for retained in [false, true] {
            assert_eq!(answer(&of(7, "online"), retained, 7, None), Answer::Nothing);
            assert_eq!(answer(&of(3, "online"), retained, 7, None), Answer::GiveWay);
            assert_eq!(answer(&of(9, "online"), retained, 7, None), Answer::SayAgain);
        }
        // A will that comes late, and somebody who clears the topic.
        assert_eq!(answer(&of(3, "offline"), false, 7, None), Answer::SayAgain);
        assert_eq!(answer(b"", false, 7, None), Answer::SayAgain);
        assert_eq!(answer(&of(3, "offline"), true, 7, None), Answer::Nothing);
        // Taken as gone: what is kept of it is old, what it says is not.
        assert_eq!(answer(&of(3, "online"), true, 7, Some(3)), Answer::Nothing);
        assert_eq!(answer(&of(3, "online"), false, 7, Some(3)), Answer::GiveWay);
    }
}
