//! A board at a pseudo-terminal: answers the host's commands, and says what the test wants said.
// Each test program uses a part of this.
#![allow(dead_code)]

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use jadoube_dgt::{
    ClockReport, Command, CommandDecoder, Field, HostSaid, Lever, MAX_ENCODED, Message, PieceCode, Side,
    SideTime,
};
use rustix::fs::OFlags;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

pub(crate) struct PtyBoard {
    pub(crate) path: PathBuf,
    master: File,
    heard: Arc<Mutex<Vec<Command>>>,
    stands: Arc<Mutex<[PieceCode; 64]>>,
    unplugged: Arc<AtomicBool>,
    answering: Option<JoinHandle<()>>,
}

impl PtyBoard {
    pub(crate) fn new() -> Self {
        PtyBoard::numbered(*b"21258")
    }

    /// With a serial number of its own.
    pub(crate) fn numbered(serial: [u8; 5]) -> Self {
        let master: OwnedFd = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let device = PathBuf::from(ptsname(&master, Vec::new()).unwrap().into_string().unwrap());
        let path = unique();
        std::os::unix::fs::symlink(&device, &path).unwrap();
        rustix::fs::fcntl_setfl(&master, OFlags::RDWR | OFlags::NONBLOCK).unwrap();
        let mut board = PtyBoard {
            path,
            master: File::from(master),
            heard: Arc::default(),
            stands: Arc::new(Mutex::new(array())),
            unplugged: Arc::default(),
            answering: None,
        };
        board.answering = Some(board.answer(serial));
        board
    }

    /// A name that stays the same when the board is plugged in again.
    pub(crate) fn link(&self, name: &Path) {
        let _ = std::fs::remove_file(name);
        std::os::unix::fs::symlink(&self.path, name).unwrap();
    }

    fn answer(&self, serial: [u8; 5]) -> JoinHandle<()> {
        let (mut from, heard, unplugged) =
            (self.master.try_clone().unwrap(), self.heard.clone(), self.unplugged.clone());
        let stands = self.stands.clone();
        std::thread::spawn(move || {
            let mut decoder = CommandDecoder::new();
            let mut buffer = [0; 64];
            while !unplugged.load(Ordering::Relaxed) {
                // EIO while nobody has the other end open, EAGAIN while nothing is said.
                let Ok(n) = from.read(&mut buffer) else {
                    std::thread::sleep(Duration::from_millis(2));
                    continue;
                };
                decoder.feed(&buffer[..n], |said| {
                    let HostSaid::Command(command) = said else { return };
                    heard.lock().unwrap().push(command);
                    if let Some(answer) = answer_to(command, serial, *stands.lock().unwrap()) {
                        write(&from, &encode(&answer));
                    }
                });
            }
        })
    }

    /// What the host has asked so far.
    pub(crate) fn heard(&self) -> Vec<Command> {
        self.heard.lock().unwrap().clone()
    }

    pub(crate) fn say(&self, message: &Message<'_>) {
        match message {
            Message::Field { field, piece } => {
                self.stands.lock().unwrap()[usize::from(field.index())] = *piece
            }
            Message::Dump(all) => *self.stands.lock().unwrap() = *all,
            _ => {}
        }
        self.say_bytes(&encode(message));
    }

    pub(crate) fn say_bytes(&self, bytes: &[u8]) {
        write(&self.master, bytes);
    }
}

/// Unplugs it: the host reads an end of file.
impl Drop for PtyBoard {
    fn drop(&mut self) {
        // The name first: the terminal's own is soon that of another test's board.
        let _ = std::fs::remove_file(&self.path);
        self.unplugged.store(true, Ordering::Relaxed);
        if let Some(answering) = self.answering.take() {
            answering.join().unwrap();
        }
    }
}

/// A name that no other board has had.
fn unique() -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let name = format!("jadoube-board-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let path = std::env::temp_dir().join(name);
    let _ = std::fs::remove_file(&path);
    path
}

fn write(mut master: &File, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        match master.write(bytes) {
            Ok(n) => bytes = &bytes[n..],
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                std::thread::sleep(Duration::from_millis(1))
            }
            Err(error) => panic!("the host cannot be told: {error}"),
        }
    }
}

fn answer_to(command: Command, serial: [u8; 5], stands: [PieceCode; 64]) -> Option<Message<'static>> {
    match command {
        Command::SendBoard => Some(Message::Dump(stands)),
        Command::ReturnSerial => Some(Message::SerialNumber(serial)),
        Command::Version => Some(Message::Version { major: 1, minor: 7 }),
        Command::SendClock => Some(Message::NoClock),
        _ => None,
    }
}

pub(crate) fn encode(message: &Message<'_>) -> Vec<u8> {
    let mut buffer = [0; MAX_ENCODED];
    let length = message.encode(&mut buffer).unwrap();
    buffer[..length].to_vec()
}

/// The initial array, White at the bottom as the board is numbered.
pub(crate) fn array() -> [PieceCode; 64] {
    let back = [2, 3, 4, 6, 5, 4, 3, 2];
    let mut codes = [PieceCode::EMPTY; 64];
    for file in 0..8 {
        codes[file] = PieceCode::from_byte(back[file] + 6);
        codes[8 + file] = PieceCode::BLACK_PAWN;
        codes[48 + file] = PieceCode::WHITE_PAWN;
        codes[56 + file] = PieceCode::from_byte(back[file]);
    }
    codes
}

/// One square changes.
pub(crate) fn change(field: u8, piece: PieceCode) -> Message<'static> {
    Message::Field { field: Field::new(field).unwrap(), piece }
}

/// The clock; White sits at its left end.
pub(crate) fn clock(white_s: u32, black_s: u32, to_move: Side) -> Message<'static> {
    Message::Clock(ClockReport {
        left: SideTime::from_seconds(white_s).unwrap(),
        right: SideTime::from_seconds(black_s).unwrap(),
        running: true,
        lever: Lever::while_moving(to_move),
        battery_low: false,
        turn_bit_3: to_move == Side::Right,
        turn_bit_4: to_move == Side::Left,
    })
}

/// A piece goes from one field to another, as slowly as a hand.
pub(crate) fn play(board: &PtyBoard, from: u8, to: u8, piece: PieceCode) {
    board.say(&change(from, PieceCode::EMPTY));
    std::thread::sleep(Duration::from_millis(250));
    board.say(&change(to, piece));
    std::thread::sleep(Duration::from_millis(400));
}

pub(crate) fn illegal_move(board: &PtyBoard) {
    board.say(&clock(5400, 5400, Side::Left));
    std::thread::sleep(Duration::from_millis(600));
    // e2-e4, e7-e5, and a rook over its pawn, a1-a3; each with the clock pressed.
    play(board, 52, 36, PieceCode::WHITE_PAWN);
    board.say(&clock(5425, 5400, Side::Right));
    play(board, 12, 28, PieceCode::BLACK_PAWN);
    board.say(&clock(5425, 5425, Side::Left));
    play(board, 56, 40, PieceCode::WHITE_ROOK);
    board.say(&clock(5450, 5425, Side::Right));
}

/// White plays e2-e4 and presses.
pub(crate) fn legal_move(board: &PtyBoard) {
    board.say(&clock(5400, 5400, Side::Left));
    std::thread::sleep(Duration::from_millis(600));
    play(board, 52, 36, PieceCode::WHITE_PAWN);
    board.say(&clock(5425, 5400, Side::Right));
}
