//! Pseudo-terminals: the serial ports of boards that are not there.
//!
//! In: an [`Emulator`]. Out: a path that a host opens like any serial port. Never: a wait for a
//! host that does not read; a board talks on whether or not it is heard.

use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustix::fs::{FlockOperation, Mode, OFlags, flock};
use rustix::io::Errno;
use rustix::termios::ioctl_tiocnxcl;
use serialport::{ClearBuffer, SerialPort};
use tokio::io::AsyncReadExt;
use tokio::time::{Instant, sleep, timeout};
use tokio_serial::SerialStream;

use crate::emulator::{Emulator, Line, Sent};
use crate::tick::{Span, Tick};

/// How long a board sleeps while all waits for the host.
const IDLE: Duration = Duration::from_secs(60);
/// How long a host has to read what was sent last.
const DRAIN: Duration = Duration::from_secs(3);

/// One pseudo-terminal, the board's end of it.
///
/// The other end stays open here too: so a host may open, close and open again, nothing is lost
/// in between but what does not fit, and it can be asked whether the host has read everything.
#[derive(Debug)]
pub struct Pty {
    board: SerialStream,
    host: SerialStream,
    /// The host's end once more, to ask about locks: a lock belongs to one opening.
    beside: OwnedFd,
    path: PathBuf,
    /// The rest of a message of which the host's end took only a part.
    rest: Vec<u8>,
}

impl Pty {
    /// Opens a new one, raw, as a serial port is for a host that has set it up.
    ///
    /// # Errors
    /// If the system has no more of them.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    pub fn open() -> io::Result<Pty> {
        let (board, host) = SerialStream::pair()?;
        let path = host.name().ok_or_else(|| io::Error::other("the pseudo-terminal has no name"))?;
        // It must not become this program's own terminal.
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let beside = rustix::fs::open(path.as_str(), flags, Mode::empty())?;
        Ok(Pty { board, host, beside, path: PathBuf::from(path), rest: Vec::new() })
    }

    /// What a host opens.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Waits for the host and gives what it sent.
    ///
    /// # Errors
    /// If the terminal fails.
    ///
    /// # Cancellation
    /// Nothing is lost if it is dropped.
    pub async fn listen(&mut self) -> io::Result<Vec<u8>> {
        let mut buffer = [0; 256];
        let count = self.board.read(&mut buffer).await?;
        self.share()?;
        Ok(buffer[..count].to_vec())
    }

    /// Sends a message, unless the host has left so much unread that it does not fit: then it is
    /// lost, as on a wire. No message is ever sent in part only.
    ///
    /// # Errors
    /// If the terminal fails.
    pub fn send(&mut self, message: &[u8]) -> io::Result<()> {
        let rest = std::mem::take(&mut self.rest);
        self.rest = self.write(&rest)?.to_vec();
        if self.rest.is_empty() {
            let left = self.write(message)?.to_vec();
            if left.len() < message.len() {
                self.rest = left;
            }
        }
        Ok(())
    }

    /// Writes as much as fits and gives the rest.
    fn write<'a>(&mut self, mut bytes: &'a [u8]) -> io::Result<&'a [u8]> {
        while !bytes.is_empty() {
            match self.board.try_write(bytes) {
                Ok(count) => bytes = &bytes[count..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(bytes)
    }

    /// Lets others open the port beside a host that claimed it for itself alone. The claim stays with
    /// the terminal when that host is killed, and would shut out the next one; its lock does not stay.
    fn share(&self) -> io::Result<()> {
        Ok(ioctl_tiocnxcl(&self.beside)?)
    }

    /// Whether a host has the port open: one that locks it, as this program does.
    fn has_host(&self) -> io::Result<bool> {
        self.share()?;
        match flock(&self.beside, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => flock(&self.beside, FlockOperation::Unlock)?,
            Err(Errno::WOULDBLOCK) => return Ok(true),
            Err(error) => return Err(error.into()),
        }
        Ok(false)
    }

    /// What a host that has gone left unread is not for the next one, which may open the port anew.
    fn forget_unread(&self) -> io::Result<()> {
        self.host.clear(ClearBuffer::Input)?;
        Ok(())
    }

    /// Waits until the host has read everything, at most some seconds; gives whether it has.
    ///
    /// # Errors
    /// If the terminal fails.
    pub async fn drain(&mut self) -> io::Result<bool> {
        let end = Instant::now() + DRAIN;
        loop {
            self.send(&[])?;
            // What was just written may still be on its way into the count.
            sleep(Duration::from_millis(20)).await;
            if self.rest.is_empty() && self.host.bytes_to_read()? == 0 {
                return Ok(true);
            }
            if Instant::now() >= end {
                return Ok(false);
            }
        }
    }
}

/// A pseudo-terminal that can be pulled out and plugged in again under the same path.
///
/// The system gives a new one a new name, so the path is a link in a directory of its own, which
/// goes when this goes.
#[derive(Debug)]
pub struct Cable {
    pty: Option<Pty>,
    link: Option<Link>,
}

#[derive(Debug)]
struct Link {
    directory: PathBuf,
    path: PathBuf,
}

impl Cable {
    /// A cable that stays plugged in: the path is the terminal's own.
    ///
    /// # Errors
    /// If the system has no more terminals.
    pub fn fixed() -> io::Result<Cable> {
        Ok(Cable { pty: Some(Pty::open()?), link: None })
    }

    /// A cable that can be pulled.
    ///
    /// # Errors
    /// If the system has no more terminals, or the directory for temporary files cannot be
    /// written to.
    pub fn loose() -> io::Result<Cable> {
        let name = format!("jadoube-{}-{:x}", std::process::id(), unique());
        let directory = std::env::temp_dir().join(name);
        std::fs::create_dir(&directory)?;
        let mut cable = Cable { pty: None, link: Some(Link { path: directory.join("board"), directory }) };
        cable.plug()?;
        Ok(cable)
    }

    /// What a host opens.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match &self.link {
            Some(link) => Some(&link.path),
            None => self.pty.as_ref().map(Pty::path),
        }
    }

    fn plug(&mut self) -> io::Result<()> {
        let pty = Pty::open()?;
        if let Some(link) = &self.link {
            std::os::unix::fs::symlink(pty.path(), &link.path)?;
        }
        self.pty = Some(pty);
        Ok(())
    }

    fn pull(&mut self) -> io::Result<()> {
        // Without a link of our own the path would come back as another: silence is the next best.
        if let Some(link) = &self.link {
            std::fs::remove_file(&link.path)?;
            self.pty = None;
        }
        Ok(())
    }

    fn carry(&mut self, sent: Sent) -> io::Result<()> {
        match sent.what {
            Line::Bytes(bytes) => self.pty.as_mut().map_or(Ok(()), |pty| pty.send(&bytes)),
            Line::Unplug => self.pull(),
            Line::Plug if self.pty.is_none() => self.plug(),
            Line::Plug => Ok(()),
        }
    }

    async fn listen(&mut self) -> io::Result<Vec<u8>> {
        match &mut self.pty {
            Some(pty) => pty.listen().await,
            None => std::future::pending().await,
        }
    }
}

/// A host is looked for so often, and so long after a write what is unread is counted right.
const LOOK: Duration = Duration::from_millis(5);
/// A host that reads sooner is not slow.
const SOON: Duration = Duration::from_millis(50);

/// Watches whether a host is there and what it has read, for a board that holds.
#[derive(Debug, Default)]
struct Watch {
    there: bool,
}

impl Watch {
    /// Looks, and tells the emulator of a host that has gone.
    fn look(&mut self, emulator: &mut Emulator, pty: &Pty, now: Tick) -> io::Result<()> {
        let there = pty.has_host()?;
        if self.there && !there {
            emulator.host_gone(now, pty.host.bytes_to_read()? > 0);
            pty.forget_unread()?;
        }
        self.there = there;
        Ok(())
    }

    /// Waits until the host has read what was sent, or is gone; the recording waits with it.
    async fn read(&mut self, emulator: &mut Emulator, pty: &Pty, epoch: Instant) -> io::Result<()> {
        let begin = Instant::now();
        loop {
            sleep(LOOK).await;
            self.look(emulator, pty, tick(epoch))?;
            if !self.there {
                return Ok(());
            }
            if pty.host.bytes_to_read()? == 0 {
                break;
            }
        }
        let slow = begin.elapsed().saturating_sub(SOON);
        emulator.delay(Span::from_us(u64::try_from(slow.as_micros()).unwrap_or(0)));
        emulator.host_has_read(tick(epoch));
        Ok(())
    }
}

impl Drop for Cable {
    fn drop(&mut self) {
        if let Some(link) = &self.link {
            // Nothing can be done about a link that somebody else has removed.
            let _ = std::fs::remove_file(&link.path);
            let _ = std::fs::remove_dir(&link.directory);
        }
    }
}

/// Plays a board's recording on a cable until it is over; gives whether the host has read it all.
/// Ticks are counted from `epoch`.
///
/// # Errors
/// If the terminal fails.
///
/// # Cancellation
/// It may be dropped at any time; the recording then ends there.
pub async fn play(emulator: &mut Emulator, cable: &mut Cable, epoch: Instant) -> io::Result<bool> {
    let now = || tick(epoch);
    let (mut sent, mut watch) = (Vec::new(), emulator.holds().then(Watch::default));
    loop {
        if let (Some(watch), Some(pty)) = (&mut watch, &cable.pty) {
            watch.look(emulator, pty, now())?;
        }
        emulator.poll(now(), &mut sent);
        let any = !sent.is_empty();
        for what in sent.drain(..) {
            cable.carry(what)?;
        }
        if let (Some(watch), Some(pty), true) = (&mut watch, &cable.pty, any) {
            watch.read(emulator, pty, epoch).await?;
            continue;
        }
        if emulator.is_done() {
            return match &mut cable.pty {
                Some(pty) => pty.drain().await,
                None => Ok(true),
            };
        }
        let longest = if watch.is_some() { LOOK } else { IDLE };
        let wait = emulator
            .next_due()
            .map_or(longest, |due| Duration::from_micros(due.since(now()).us()).min(longest));
        if let Ok(heard) = timeout(wait, cable.listen()).await {
            emulator.host(now(), &heard?);
        }
    }
}

/// Now, as an emulator takes it.
#[must_use]
pub fn tick(epoch: Instant) -> Tick {
    Tick::from_us(u64::try_from(epoch.elapsed().as_micros()).unwrap_or(u64::MAX))
}

/// A number that no other cable of this process has.
fn unique() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
