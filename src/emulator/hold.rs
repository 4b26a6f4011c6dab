//! A board whose hands and clock hold while no host is synchronised.
//!
//! Tests that end their host at any moment need it: what a host is told in all is then what it would
//! have been told undisturbed. A host is synchronised when it has set an update mode and has been
//! sent all squares and the clock since. What it had not read when it went did not happen: hands and
//! clock go back to where the host last saw them.

use super::cues::Codes;
use super::device::{Emulator, Mode, Playing};
use crate::tick::{Span, Tick};
use jadoube_dgt::ClockReport;

/// So long after it is synchronised a host may still be judging what was before.
const AFTER: Span = Span::from_ms(1_500);

/// What a board that holds knows of its host.
#[derive(Clone, Debug, Default)]
pub(super) struct Hold {
    board: bool,
    clock: bool,
    seen: Option<Seen>,
}

/// Where the recording was when the host had read everything.
#[derive(Clone, Debug)]
struct Seen {
    stream: Tick,
    next: usize,
    wood: Codes,
    clock: Option<ClockReport>,
}

impl Hold {
    pub(super) fn mode_begins(&mut self) {
        (self.board, self.clock) = (false, false);
    }

    pub(super) fn board_sent(&mut self) {
        self.board = true;
    }

    pub(super) fn clock_sent(&mut self) {
        self.clock = true;
    }
}

impl Emulator {
    /// From now on hands and clock hold while no host is synchronised.
    #[must_use]
    pub fn holding(mut self) -> Self {
        self.hold = Some(Hold::default());
        self
    }

    /// Whether it is one that holds.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.hold.is_some()
    }

    /// The host has read all that was sent so far.
    pub fn host_has_read(&mut self, now: Tick) {
        let stream = self.stream(now);
        let (next, wood, clock) = (self.next, self.wood.clone(), self.clock);
        if let Some(hold) = self.hold.as_mut().filter(|_| self.queue.is_empty()) {
            hold.seen = Some(Seen { stream, next, wood, clock });
        }
    }

    /// The host is not there any more; `unread`: something that was sent to it is lost.
    pub fn host_gone(&mut self, now: Tick, unread: bool) {
        self.run(now);
        let unsent = !self.queue.is_empty();
        self.stand_still(now);
        self.queue.clear();
        self.mode = Mode::Idle;
        let seen = self.hold.as_ref().and_then(|hold| hold.seen.clone());
        if let Some(seen) = seen.filter(|_| unread || unsent) {
            (self.next, self.wood, self.clock) = (seen.next, seen.wood, seen.clock);
            self.playing = Playing::Waits { stream: seen.stream };
        }
    }

    /// The recording goes on so much later: the host was slow to read.
    pub fn delay(&mut self, by: Span) {
        if let Playing::Since { host, stream } = self.playing {
            self.playing = Playing::Since { host: host + by, stream };
        }
    }

    /// Something of what a host needs was sent.
    pub(super) fn synchronised(&mut self, now: Tick, sent: fn(&mut Hold)) {
        let (Some(hold), true) = (&mut self.hold, self.mode != Mode::Idle) else { return };
        sent(hold);
        if let (true, true, Playing::Waits { stream }) = (hold.board, hold.clock, self.playing) {
            self.playing = Playing::Since { host: self.line_free.max(now) + AFTER, stream };
        }
    }

    /// Hands and clock stop where they are.
    pub(super) fn stand_still(&mut self, now: Tick) {
        if self.hold.is_some() {
            self.playing = Playing::Waits { stream: self.stream(now) };
            self.told = None;
        }
    }

    /// Where the recording is.
    fn stream(&self, now: Tick) -> Tick {
        match self.playing {
            Playing::Waits { stream } => stream,
            Playing::Since { host, stream } => stream + now.since(host),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emulator::{Line, Recording, Script, Sent};
    use crate::events::{Device, DgtAdapter, Report, Setup, TopicPart};
    use jadoube_dgt::Command;
    use shakmaty::Square;

    const OPENING: [Command; 4] =
        [Command::Reset, Command::UpdateNice, Command::SendBoard, Command::SendClock];

    fn game() -> Recording {
        let setup = Setup::plain(TopicPart::new("table-1").unwrap(), Device::Neutral);
        let script = Script::new(setup).run(true).moves(800, Square::E2, Square::E4);
        let script = script.moves(900, Square::E7, Square::E5).moves(700, Square::G1, Square::F3);
        Recording::from_rows(script.rows()).unwrap()
    }

    /// A host that is there for the times given and away for a second after each. Gives the squares
    /// that changed one by one, and the readings of the clock with its lever down on another side.
    fn told(stays: &[u64]) -> Vec<Report> {
        let mut board = Emulator::new(&game()).holding();
        let (mut now, mut told, mut lever) = (Tick::ZERO, Vec::new(), None);
        for stay in stays {
            let mut adapter = DgtAdapter::default();
            board.host(now, &OPENING.map(Command::byte));
            let end = now + Span::from_ms(*stay);
            while now < end && !board.is_done() {
                let mut sent = Vec::new();
                board.poll(now, &mut sent);
                let mut heard = Vec::new();
                for Sent { what, .. } in &sent {
                    if let Line::Bytes(bytes) = what {
                        adapter.feed(bytes, &mut heard);
                    }
                }
                told.extend(heard.into_iter().filter(|report| match report {
                    Report::Square { .. } => true,
                    Report::Clock(reading) => lever.replace(reading.down) != Some(reading.down),
                    _ => false,
                }));
                board.host_has_read(now);
                now = now + Span::from_ms(1);
            }
            board.host_gone(now, false);
            now = now + Span::from_ms(1_000);
        }
        told
    }

    #[test]
    fn a_host_that_goes_and_comes_is_told_the_same_in_all() {
        let whole = told(&[60_000]);
        assert!(whole.len() >= 9, "{whole:?}");
        for stay in [1_620, 1_651, 1_733, 2_310, 2_311, 2_312, 2_313, 2_400, 3_000] {
            assert_eq!(told(&vec![stay; 400]), whole, "{stay} ms at a time");
        }
    }

    #[test]
    fn what_a_host_has_not_read_did_not_happen() {
        let mut board = Emulator::new(&game()).holding();
        board.host(Tick::ZERO, &OPENING.map(Command::byte));
        let mut sent = Vec::new();
        board.poll(Tick::from_ms(1_000), &mut sent);
        board.host_has_read(Tick::from_ms(1_000));
        let before = (board.next, board.wood.clone());
        // White's pawn is lifted, and the host goes before it reads that.
        board.poll(Tick::from_ms(2_600), &mut sent);
        assert_ne!((board.next, board.wood.clone()), before);
        board.host_gone(Tick::from_ms(2_600), true);
        assert_eq!((board.next, board.wood.clone()), before);
        assert_eq!(board.next_due(), None, "hands and clock hold");
    }
}
