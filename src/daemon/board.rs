//! One board: what it says goes into the journal, then into the table, and what comes of it is
//! published. Never waits for the broker.

use std::collections::VecDeque;
use std::path::PathBuf;

use jadoube_dgt::{Decoder, Heard, Message};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};
use tracing::{debug, info, warn};

use super::host::Clock;
use super::journal_file::{JournalFile, Journals, name};
use super::mating::Mating;
use super::names::Names;
use super::outbox::Post;
use super::port::{Ask, Told};
use super::records::Records;
use super::requests::{Asked, Reply};
use super::roster::{PROGRAM, Roster};
use crate::contract::{Broadcast, Delay, Draft, drafts};
use crate::events::{BoardId, Report, Setup};
use crate::journal::{After, GoesOn, Header, Resumed, Said, Shown, Writer};
use crate::laws::Rules;
use crate::table::{Began, Effects, Input, MatingAnswer, Publish, Table};
use crate::tick::{Span, Tick};

/// A press whose squares were being waited for is judged within this time.
const PRESS_SETTLES: Span = Span::from_ms(1_500);
/// A board is not woken again sooner.
const LEAST_WAIT: Span = Span::from_ms(1);

/// What a board's task works with.
#[derive(Debug)]
pub struct Board {
    /// The board.
    pub id: BoardId,
    /// Its port's name, for the log.
    pub port: PathBuf,
    /// Ticks.
    pub clock: Clock,
    /// The journal's lines.
    pub writer: Writer,
    /// The journal's file.
    pub file: JournalFile,
    /// Its name.
    pub path: PathBuf,
    /// Its first line.
    pub header: Header,
    /// For the journals of later games.
    pub journals: Journals,
    /// To the broker.
    pub post: Post,
    /// For the operator.
    pub roster: Roster,
    /// To the mating solver.
    pub mating: Mating,
    /// To the files with the games, where there are any.
    pub records: Option<Records>,
    /// The players' names.
    pub names: Names,
    /// To the port.
    pub ask: mpsc::Sender<Ask>,
}

/// Where a board's table begins.
#[derive(Debug)]
pub enum Begin {
    /// With nothing: these settings come first.
    Anew,
    /// Where the journal of an earlier run ended.
    GoOn(Box<(Resumed, Broadcast)>),
}

/// What may be set anew while it runs.
#[derive(Clone, Debug)]
pub struct Changes {
    /// The settings of its table.
    pub settings: watch::Receiver<Setup>,
    /// How long the public waits.
    pub delay: watch::Receiver<Delay>,
}

/// A board and its table.
struct Running {
    board: Board,
    table: Table,
    wake_at: Option<Tick>,
    decoder: Decoder,
    feed: Broadcast,
    /// Where the mating solver answers.
    answers: mpsc::UnboundedSender<MatingAnswer>,
    /// What the table knows of the link.
    link_up: Option<bool>,
}

/// Runs a board until `leave` says to go. The journal is complete then.
pub async fn run(
    board: Board,
    setup: Setup,
    begin: Begin,
    Changes { mut settings, mut delay }: Changes,
    mut told: mpsc::Receiver<Told>,
    asked: &mut mpsc::Receiver<Asked>,
    mut leave: watch::Receiver<bool>,
) {
    let (resumed, feed) = match begin {
        Begin::Anew => (None, Broadcast::new(board.id.clone(), *delay.borrow())),
        Begin::GoOn(earlier) => {
            let (resumed, feed) = *earlier;
            (Some(resumed), feed)
        }
    };
    let (answers, mut answered) = mpsc::unbounded_channel();
    let mut running = Running {
        board,
        table: Table::new(),
        wake_at: None,
        decoder: Decoder::new(),
        feed,
        answers,
        link_up: None,
    };
    running.show_game();
    match resumed {
        Some(resumed) => running.go_on(resumed, setup).await,
        None => running.take(Tick::ZERO, Input::Setting(Box::new(setup)), None).await,
    }
    while !*leave.borrow() {
        let clock = running.board.clock;
        // A timer that nobody at the table waits for is in the journal all the same: it says until
        // when the public was told.
        let wake_at = running.wake_at.into_iter().chain(running.feed.next_due()).min();
        let wake_at = wake_at.map(|tick| Instant::from_std(clock.instant(tick)));
        tokio::select! {
            // What was heard first is acted on first: ticks are stamped where bytes are read.
            biased;
            _ = leave.changed() => break,
            heard = told.recv() => match heard {
                Some(heard) => running.hear(heard).await,
                None => break,
            },
            Some(Asked { request, reply }) = asked.recv() => {
                running.take(clock.now(), Input::Request(request), Some(reply)).await;
            }
            Ok(()) = settings.changed() => {
                let setup = settings.borrow_and_update().clone();
                let first_game = running.table.setup().first_game;
                let setting = Input::Setting(Box::new(Setup { first_game, ..setup }));
                running.take(clock.now(), setting, None).await;
            }
            Ok(()) = delay.changed() => {
                running.feed.set_delay(*delay.borrow_and_update());
                running.release(clock.now()).await;
            }
            Some(answer) = answered.recv() => {
                running.take(clock.now(), Input::Answer(answer), None).await;
            }
            () = sleep_until(wake_at.unwrap_or_else(Instant::now)), if wake_at.is_some() => {
                running.take(clock.now(), Input::Timer, None).await;
            }
        }
    }
    running.board.file.sync().await;
}

impl Running {
    /// Goes on where an earlier run ended: tells what nobody may have been told, lets what was being
    /// waited for at the board run out, and then takes the link as lost until the board is heard.
    async fn go_on(&mut self, resumed: Resumed, setup: Setup) {
        let Resumed { table, writer, wake_at, unshown, unanswered, .. } = resumed;
        let clock = self.board.clock;
        (self.table, self.board.writer, self.wake_at) = (table, writer, wake_at);
        let at = clock.now();
        self.deliver(&unshown, &mut None);
        // What became public while nobody ran, and what the last run had no time for. Before the line
        // that says so.
        self.release_now(at);
        self.board.post.kept().await;
        let goes_on = GoesOn { program: PROGRAM.to_owned(), at_ms: clock.now_ms() };
        let line = self.board.writer.goes_on(at, &goes_on);
        self.board.file.line(line);
        unshown.iter().for_each(|item| self.record(at, item));
        for question in unanswered {
            if let Some(refused) = self.board.mating.ask(question, &self.answers) {
                self.take(clock.now(), Input::Answer(refused), None).await;
            }
        }
        let patient = at + PRESS_SETTLES;
        while let Some(due) = self.wake_at.filter(|due| *due <= patient) {
            sleep_until(Instant::from_std(clock.instant(due))).await;
            self.take(clock.now().max(due), Input::Timer, None).await;
        }
        self.link(clock.now(), false).await;
        let setup = Setup { first_game: self.table.setup().first_game, ..setup };
        if *self.table.setup() != setup {
            self.take(clock.now(), Input::Setting(Box::new(setup)), None).await;
        }
    }

    async fn hear(&mut self, told: Told) {
        let id = self.board.id.clone();
        match told {
            Told::At(port) => {
                self.board.roster.board(&id, |line| line.port = port.display().to_string());
                self.board.port = port;
            }
            Told::Up(at) => {
                info!("board {id} is heard at {}", self.board.port.display());
                self.board.roster.board(&id, |line| {
                    line.heard = true;
                    line.why = None;
                });
                self.link(at, true).await;
            }
            Told::Down(at, why) => {
                warn!("board {id} is not heard: {why}");
                self.board.roster.metrics().lost(&id);
                self.decoder = Decoder::new();
                self.board.roster.board(&id, |line| {
                    line.heard = false;
                    line.why = Some(why);
                });
                self.link(at, false).await;
            }
            Told::Bytes(at, bytes) => {
                self.board.roster.metrics().bytes(&id, bytes.len());
                self.identify(&bytes);
                self.take(at, Input::Bytes(bytes), None).await;
            }
        }
    }

    /// Another reason for the same silence is nothing new to the table.
    async fn link(&mut self, at: Tick, up: bool) {
        if self.link_up.replace(up) != Some(up) {
            self.take(at, Input::Report(Report::Link { up }), None).await;
        }
    }

    /// What the board says of itself is for the operator's list.
    fn identify(&mut self, bytes: &[u8]) {
        let (id, roster) = (&self.board.id, &self.board.roster);
        let text = |bytes: &[u8]| Some(String::from_utf8_lossy(bytes).into_owned());
        let mut has_battery = false;
        self.decoder.feed(bytes, |heard| match heard {
            Heard::Message(Message::SerialNumber(serial)) => {
                roster.board(id, |line| line.serial = text(&serial));
            }
            Heard::Message(Message::LongSerialNumber(serial)) => {
                roster.board(id, |line| line.serial = text(&serial));
            }
            Heard::Message(Message::Version { major, minor }) => {
                roster.board(id, |line| line.version = Some(format!("{major}.{minor:02}")));
            }
            Heard::Message(Message::Battery(battery)) => {
                roster.board(id, |line| line.battery = Some(battery.percent));
                has_battery = true;
            }
            _ => {}
        });
        // Its charge goes down unsaid.
        self.ask(has_battery, Ask::Battery);
    }

    /// Journal, then step, then publish; also for the inputs that follow from it at once.
    async fn take(&mut self, at: Tick, input: Input, mut reply: Option<Reply>) {
        // Before the line is written: a line says that what was due before it was told.
        self.release(at).await;
        let mut inputs = VecDeque::from([input]);
        while let Some(input) = inputs.pop_front() {
            let line = self.board.writer.input(at, &input);
            self.board.roster.metrics().input(&self.board.id);
            self.board.file.line(line);
            let at = self.board.writer.tick();
            let mut effects = Effects::default();
            self.table.step(at, input, &mut effects);
            // A deadline that has passed already would be acted on by any input; never spin on it.
            self.wake_at = effects.wake_at.map(|due| due.max(at + LEAST_WAIT));
            self.ask(effects.ask_dump, Ask::Dump);
            self.ask(effects.ask_clock, Ask::Clock);
            for question in effects.ask_mating {
                let refused = self.board.mating.ask(question, &self.answers);
                inputs.extend(refused.map(Input::Answer));
            }
            let mut of_this = effects.publish;
            if let Some(began) = effects.began {
                let of_next = of_this.split_off(began.published_before.min(of_this.len()));
                self.publish(at, of_this, &mut reply).await;
                self.next_journal(*began).await;
                of_this = of_next;
            }
            self.publish(at, of_this, &mut reply).await;
        }
    }

    /// Tells the public what is due.
    async fn release(&mut self, now: Tick) {
        if self.release_now(now) {
            self.board.post.kept().await;
        }
    }

    fn release_now(&mut self, now: Tick) -> bool {
        let drafts = self.feed.release(now);
        let any = !drafts.is_empty();
        if any {
            self.write_game();
        }
        drafts.into_iter().for_each(|draft| self.post_public(draft));
        any
    }

    fn post_public(&self, mut draft: Draft) {
        self.board.names.put_into(&mut draft);
        self.board.post.post(draft);
    }

    fn write_game(&self) {
        if let Some(records) = &self.board.records {
            let time_control = self.table.effective().time_control;
            let name = |token: &Option<String>| token.as_ref().and_then(|token| self.board.names.name(token));
            let pairing = self.feed.game().pairing();
            let names = (name(&pairing.white), name(&pairing.black));
            records.update(self.feed.game(), self.board.header.start_ms, time_control, names);
        }
    }

    /// Tells the public the game as it may see it. A board that is held says nothing: what was public
    /// before stays so.
    fn show_game(&self) {
        if !self.feed.is_held() {
            self.post_public(self.feed.game().draft());
            if self.feed.game().began().is_some() {
                self.write_game();
            }
        }
    }

    /// A new game has a journal of its own, which begins with what was before it.
    async fn next_journal(&mut self, began: Began) {
        let board = &mut self.board;
        // It closes the alerts of the game before, and that is told next.
        board.file.sync().await;
        let (_, carried) = &began.carried;
        let after = board.path.file_name().map(|file| After {
            file: file.to_string_lossy().into_owned(),
            hash: board.writer.hash().to_owned(),
        });
        let ruleset = carried.setup.ruleset.clone();
        let rules_digest = Some(Rules::of_setup(&carried.setup).digest());
        let header =
            Header { program: PROGRAM.to_owned(), ruleset, rules_digest, after, ..board.header.clone() };
        let name = name::name(board.id.as_str(), header.start_ms, carried.setup.first_game);
        let path = board.path.with_file_name(name);
        let (mut writer, mut text) = Writer::new(&header);
        for (at, input) in began.inputs() {
            text.push_str(&writer.input(at, &input));
        }
        let file = board.journals.open(&path);
        file.line(text);
        (board.header, board.writer, board.file, board.path) = (header, writer, file, path);
    }

    /// Asks the board for something, if so. A port that takes no questions is one that asks already,
    /// or is opened anew and asks for everything.
    fn ask(&self, wanted: bool, what: Ask) {
        if wanted && self.board.ask.try_send(what).is_err() {
            debug!("board {}: {what:?} is not asked for: too many questions", self.board.id);
        }
    }

    /// Publishes, and then records that it was: what is recorded as shown is not told again after a
    /// restart, so by then it must be where no end of this process can lose it. An end between the two
    /// makes a repeat, which readers drop.
    async fn publish(&mut self, at: Tick, items: Vec<Publish>, reply: &mut Option<Reply>) {
        if items.is_empty() {
            return;
        }
        // Nothing is told of which the end of this process could lose the reason; and of an alert or an
        // answer not that of the machine either.
        if items.iter().any(|item| matches!(item, Publish::Alert(_) | Publish::Response(_))) {
            self.board.file.sync().await;
        } else if items.iter().any(|item| !matches!(item, Publish::State(_))) {
            self.board.file.written().await;
        }
        for item in &items {
            self.board.roster.metrics().published(&self.board.id, item);
            self.feed.take(item);
        }
        let told = self.deliver(&items, reply);
        if self.release_now(at) || told {
            self.board.post.kept().await;
        }
        items.iter().for_each(|item| self.record(at, item));
    }

    /// Posts what is not for the public, which may have to wait; whether any of it must not be lost.
    fn deliver(&self, items: &[Publish], reply: &mut Option<Reply>) -> bool {
        let mut any = false;
        for item in items.iter().filter(|item| !matches!(item, Publish::Move(_) | Publish::Retract { .. })) {
            for draft in drafts(item, &self.board.id) {
                any |= !draft.retain;
                match if matches!(item, Publish::Response(_)) { reply.take() } else { None } {
                    Some(reply) => reply.post(&self.board.post, draft),
                    None => self.board.post.post(draft),
                }
            }
        }
        any
    }

    /// What people are shown is part of the evidence.
    fn record(&mut self, at: Tick, item: &Publish) {
        if let Publish::Shadowed(hidden) = item
            && let Publish::Finding(finding) = &**hidden
        {
            self.board.roster.shadowed(finding.code.name());
        }
        let hidden = matches!(item, Publish::Shadowed(_) | Publish::Held(_));
        let shown = Shown::of(item).filter(|_| hidden || !drafts(item, &self.board.id).is_empty());
        if let Some(shown) = shown {
            let line = self.board.writer.said(at, &shown, Said::of(item));
            self.board.file.line(line);
        }
        if let Publish::Calibration(shown) = item {
            let line = self.board.writer.calibration(at, shown);
            self.board.file.line(line);
        }
        if let Publish::Response(response) = item {
            let line = self.board.writer.response(at, response);
            self.board.file.line(line);
        }
    }
}
