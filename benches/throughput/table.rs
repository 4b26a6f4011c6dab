//! A table at blitz speed: random legal moves, and now and then a press without one.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jadoube::daemon::pty::{Pty, tick};
use jadoube::emulator::{Emulator, Line, Recording, Script};
use jadoube::events::{Device, Sensed, Setup, TimeControl, TopicPart};
use jadoube_dgt::{Decoder, Heard, Lever, Message};
use shakmaty::{CastlingSide, Chess, Color, Move, Piece, Position, Square};
use tokio::time::{Instant, timeout};

use crate::now_ms;

/// Longer than anybody measures.
const PLIES: u32 = 400;
/// Every so many plies somebody presses and has not moved; the arbiter gives the move back.
const IRREGULAR: u32 = 14;

/// When the clock was pressed, each in milliseconds since 1970 as its last byte was written.
#[derive(Clone, Default)]
pub(crate) struct Presses(Arc<Mutex<Vec<f64>>>);

impl Presses {
    pub(crate) fn last_before(&self, ms: f64) -> Option<f64> {
        self.0.lock().expect("whole").iter().rev().find(|at| **at <= ms).copied()
    }
}

pub(crate) struct Table {
    emulator: Emulator,
    pty: Pty,
    presses: Presses,
}

impl Table {
    pub(crate) fn new(seed: u64) -> Table {
        let recording = Recording::from_rows(game(seed).rows()).expect("a DGT board can say it");
        let pty = Pty::open().expect("a pseudo-terminal");
        Table { emulator: Emulator::new(&recording), pty, presses: Presses::default() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.pty.path()
    }

    pub(crate) fn presses(&self) -> Presses {
        self.presses.clone()
    }

    pub(crate) async fn play(mut self) {
        let (epoch, mut sent, mut decoder) = (Instant::now(), Vec::new(), Decoder::new());
        let mut lever: Option<Lever> = None;
        loop {
            self.emulator.poll(tick(epoch), &mut sent);
            for sent in sent.drain(..) {
                let Line::Bytes(bytes) = sent.what else { continue };
                let mut pressed = false;
                decoder.feed(&bytes, |heard| {
                    if let Heard::Message(Message::Clock(report)) = heard {
                        pressed |= lever.replace(report.lever).is_some_and(|before| before != report.lever);
                    }
                });
                if pressed {
                    self.presses.0.lock().expect("whole").push(now_ms());
                }
                self.pty.send(&bytes).expect("the terminal works");
            }
            let due = self.emulator.next_due().map_or(10_000, |due| due.since(tick(epoch)).us());
            if let Ok(heard) = timeout(Duration::from_micros(due), self.pty.listen()).await {
                self.emulator.host(tick(epoch), &heard.expect("the terminal works"));
            }
        }
    }
}

fn game(seed: u64) -> Script {
    let mut setup = Setup::plain(TopicPart::new(&format!("b{seed}")).expect("a topic part"), Device::Neutral);
    setup.ruleset = "fide-2023/blitz-b2".to_owned();
    setup.time_control =
        Some(TimeControl { base_s: 180, inc_s: 2, bonus: None, increment_on_first_move: true });
    let mut random = (seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut up_to = |most: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % most
    };
    let mut script = Script::new(setup).wait(2_000 + up_to(2_000)).run(true);
    let mut position = Chess::default();
    for ply in 1..=PLIES {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let m = moves[up_to(moves.len() as u64) as usize];
        script = hand(script.wait(600 + up_to(2_500)), &m, position.turn()).wait(250).press();
        position.play_unchecked(m);
        if (ply + seed as u32).is_multiple_of(IRREGULAR) {
            script = script.wait(1_000).press().wait(1_500).run(false).wait(1_000);
            script = script.hand_back().wait(500).run(true);
        }
    }
    script
}

/// What a hand does to make the move.
fn hand(script: Script, m: &Move, turn: Color) -> Script {
    match *m {
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(king < rook);
            let rank = king.rank();
            let king_to = Square::from_coords(side.king_to_file(), rank);
            script.carry(0, king, king_to).carry(200, rook, Square::from_coords(side.rook_to_file(), rank))
        }
        Move::EnPassant { from, to } => {
            let victim = Square::from_coords(to.file(), from.rank());
            script.carry(0, from, to).wait(200).lift(victim)
        }
        Move::Normal { from, to, promotion: Some(role), .. } => {
            script.lift(from).wait(300).place(to, Sensed::Piece(Piece { color: turn, role }))
        }
        Move::Normal { from, to, .. } => script.carry(0, from, to),
        Move::Put { to, role } => script.place(to, Sensed::Piece(Piece { color: turn, role })),
    }
}
