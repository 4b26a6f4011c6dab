//! An open port: asks the board for what is needed, and passes on what it says.
//!
//! A board forgets its update mode when it loses power, so a board that is silent for long is asked
//! again, and one that does not answer counts as not heard. Where one board alone will do, what is heard
//! is held until it has told its number.

use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use jadoube_dgt::{Command, Decoder, Heard};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_serial::SerialStream;

use super::{Ask, PACE, Told};
use crate::daemon::host::Clock;
use crate::daemon::ports::{Identity, Ports};
use crate::events::BoardId;
use crate::tick::Tick;

/// A board that says nothing for so long is asked whether it is there.
const SILENCE: Duration = Duration::from_secs(10);
/// And has so long to answer. A board whose number matters has so long to tell it.
const ANSWER: Duration = Duration::from_secs(5);

/// Before the clock is asked for: firmware that was given a command for the clock may repeat the
/// acknowledgement for a second.
const CLOCK_LATER: Duration = Duration::from_secs(1);
/// Between two questions for the battery, to boards that have one.
const BATTERY_LATER: Duration = Duration::from_secs(600);

/// After opening: what the board shows, then its changes, then once more what it shows, so that a
/// change in between is not missed; the clock as it is, and who the board is. Boards without a long
/// number or a battery do not answer the last two.
const OPENING: [Command; 9] = [
    Command::Reset,
    Command::SendBoard,
    Command::UpdateNice,
    Command::SendBoard,
    Command::SendClock,
    Command::ReturnSerial,
    Command::Version,
    Command::ReturnLongSerial,
    Command::Battery,
];
/// To a board that has been silent.
const ARE_YOU_THERE: [Command; 2] = [Command::UpdateNice, Command::SendBoard];
const UNWANTED: &str = "not wanted any more";

/// After opening, where another board will not do: who it is, before what it shows.
const OPENING_KNOWN: [Command; 9] = [
    Command::Reset,
    Command::ReturnLongSerial,
    Command::ReturnSerial,
    Command::SendBoard,
    Command::UpdateNice,
    Command::SendBoard,
    Command::SendClock,
    Command::Version,
    Command::Battery,
];

/// Why a port is served no longer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// In words.
    Because(String),
    /// The board has this number, and the other one is needed.
    Another(String, String),
}

/// What was heard before the board has told its number, and until when that is waited for.
struct Held {
    heard: Vec<(Tick, Vec<u8>)>,
    by: Instant,
}

/// An open port.
pub(super) struct Line<'a> {
    stream: SerialStream,
    clock: &'a Clock,
    told: &'a mpsc::Sender<Told>,
    to_send: Vec<Command>,
    clock_at: Option<Instant>,
    battery_at: Option<Instant>,
    sent_at: Option<Instant>,
    heard_at: Instant,
    /// Whether the table was told that the board is heard.
    up: bool,
    asked_whether_there: bool,
    /// Whether what was heard was passed on.
    pub(super) heard_any: bool,
    decoder: Decoder,
    identity: Identity,
    /// The only number that will do.
    needed: Option<String>,
    /// Until the number is told.
    held: Option<Held>,
    may_be_elsewhere: bool,
}

impl<'a> Line<'a> {
    pub(super) fn new(
        stream: SerialStream,
        clock: &'a Clock,
        told: &'a mpsc::Sender<Told>,
        needed: Option<String>,
        may_be_elsewhere: bool,
    ) -> Self {
        let opening = if needed.is_some() { OPENING_KNOWN } else { OPENING };
        Line {
            stream,
            clock,
            told,
            to_send: opening.to_vec(),
            clock_at: None,
            battery_at: None,
            sent_at: None,
            heard_at: Instant::now(),
            up: false,
            asked_whether_there: false,
            heard_any: false,
            decoder: Decoder::new(),
            identity: Identity::default(),
            held: needed.is_some().then(|| Held { heard: Vec::new(), by: Instant::now() + ANSWER }),
            needed,
            may_be_elsewhere,
        }
    }

    /// Serves it until it is gone; returns why.
    pub(super) async fn serve(
        &mut self,
        asked: &mut mpsc::Receiver<Ask>,
        place: (&Ports, &BoardId, &Path),
    ) -> End {
        let because = |why: &str| End::Because(why.to_owned());
        let mut buffer = [0; 1024];
        loop {
            let send_at = self.sent_at.map_or_else(Instant::now, |at| at + PACE);
            let quiet_at =
                self.heard_at + if self.up && !self.asked_whether_there { SILENCE } else { ANSWER };
            let later = self.due();
            let number_by = self.held.as_ref().filter(|held| !held.heard.is_empty()).map(|held| held.by);
            tokio::select! {
                biased;
                read = self.stream.read(&mut buffer) => match read {
                    // A removed adapter reads as an end of file, or as an error, for ever.
                    Ok(0) => return because("unplugged"),
                    Ok(n) => if let Err(end) = self.heard(&buffer[..n], place).await { return end },
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(error) => return because(&format!("unplugged ({error})")),
                },
                ask = asked.recv() => match ask {
                    Some(ask) => self.asked(ask),
                    None => return because(UNWANTED),
                },
                () = sleep_until(send_at), if !self.to_send.is_empty() => {
                    if let Err(why) = self.send().await {
                        return End::Because(why);
                    }
                }
                () = sleep_until(later.unwrap_or(quiet_at)), if later.is_some() => self.come_due(),
                () = sleep_until(quiet_at) => if let Err(end) = self.silent().await { return end },
                () = sleep_until(number_by.unwrap_or(quiet_at)), if number_by.is_some() => {
                    return because("a board is there, but does not tell its number");
                }
            }
        }
    }

    fn asked(&mut self, ask: Ask) {
        match ask {
            Ask::Dump if self.to_send.contains(&Command::SendBoard) => {}
            Ask::Dump => self.to_send.insert(0, Command::SendBoard),
            Ask::Clock => _ = self.clock_at.get_or_insert(Instant::now() + CLOCK_LATER),
            Ask::Battery => self.battery_at = Some(Instant::now() + BATTERY_LATER),
        }
    }

    fn due(&self) -> Option<Instant> {
        [self.clock_at, self.battery_at].into_iter().flatten().min()
    }

    fn come_due(&mut self) {
        let now = Instant::now();
        for (at, command) in
            [(&mut self.clock_at, Command::SendClock), (&mut self.battery_at, Command::Battery)]
        {
            if at.take_if(|at| *at <= now).is_some() {
                self.to_send.push(command);
            }
        }
    }

    async fn heard(&mut self, bytes: &[u8], place: (&Ports, &BoardId, &Path)) -> Result<(), End> {
        let now = self.clock.now();
        self.heard_at = Instant::now();
        self.asked_whether_there = false;
        self.identify(bytes, place)?;
        if let Some(mut held) = self.held.take() {
            held.heard.push((now, bytes.to_vec()));
            let proven = self.needed.as_deref().is_none_or(|needed| self.identity.is(needed));
            if !proven {
                self.held = Some(held);
                return Ok(());
            }
            for (at, bytes) in held.heard {
                self.pass_on(at, bytes).await?;
            }
            return Ok(());
        }
        self.pass_on(now, bytes.to_vec()).await
    }

    /// Learns who the board is. Where only one will do, whatever else is there is refused, also in the
    /// middle of a game: an adapter may be moved to another board while its port stays open.
    fn identify(&mut self, bytes: &[u8], (ports, board, port): (&Ports, &BoardId, &Path)) -> Result<(), End> {
        let mut heard = Identity::default();
        self.decoder.feed(bytes, |said| {
            if let Heard::Message(message) = said {
                heard.hear(&message);
            }
        });
        if heard.number().is_none() {
            return Ok(());
        }
        let short = heard.serial.is_some();
        // The long number of the board that was here before is not that of this one.
        let changed = short && self.identity.serial.is_some() && heard.serial != self.identity.serial;
        if changed && heard.long_serial.is_none() {
            self.identity.long_serial = None;
        }
        self.identity.serial = heard.serial.or(self.identity.serial.take());
        self.identity.long_serial = heard.long_serial.or(self.identity.long_serial.take());
        match &self.needed {
            Some(needed) if !self.identity.is(needed) => {
                if !short {
                    return Ok(());
                }
                ports.told(port, &self.identity);
                let number = self.identity.number().unwrap_or_default().to_owned();
                Err(End::Another(number, needed.clone()))
            }
            _ => {
                ports.told(port, &self.identity);
                ports.learned(board, &self.identity);
                Ok(())
            }
        }
    }

    async fn pass_on(&mut self, at: Tick, bytes: Vec<u8>) -> Result<(), End> {
        self.heard_any = true;
        if !self.up {
            self.up = true;
            self.tell(Told::Up(at)).await?;
        }
        self.tell(Told::Bytes(at, bytes)).await
    }

    async fn tell(&self, what: Told) -> Result<(), End> {
        self.told.send(what).await.map_err(|_| End::Because(UNWANTED.to_owned()))
    }

    async fn send(&mut self) -> Result<(), String> {
        let command = self.to_send.remove(0);
        self.sent_at = Some(Instant::now());
        match timeout(Duration::from_secs(1), self.stream.write_all(&[command.byte()])).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(format!("unplugged ({error})")),
            Err(_) => Err("the port takes no commands".to_owned()),
        }
    }

    /// Nothing was heard for long: ask, and if that was in vain, say so and begin anew.
    async fn silent(&mut self) -> Result<(), End> {
        self.heard_at = Instant::now();
        if self.up && !self.asked_whether_there {
            self.asked_whether_there = true;
            self.to_send.extend(ARE_YOU_THERE);
            return Ok(());
        }
        let why = "the port is open, but the board does not answer: is it switched on?".to_owned();
        if self.may_be_elsewhere {
            return Err(End::Because(why));
        }
        self.up = false;
        self.asked_whether_there = false;
        self.to_send = OPENING.to_vec();
        self.tell(Told::Down(self.clock.now(), why)).await
    }
}
