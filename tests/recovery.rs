//! The program itself, with a board at a pseudo-terminal: the journal survives everything, a board
//! comes back, requests are answered.
#![cfg(feature = "daemon")]

#[path = "common/daemon.rs"]
mod daemon;
#[path = "common/mosquitto.rs"]
mod mosquitto;
#[path = "common/pty_board.rs"]
mod pty_board;
#[path = "common/wait.rs"]
mod wait;

use daemon::Daemon;
use jadoube::events::Report;
use jadoube::journal::{Entry, JournalError, Reader, Record, Shown, is_journal};
use jadoube::table::Input;
use jadoube_dgt::{Command, PieceCode};
use mosquitto::{Mosquitto, Subscriber, pid};
use pty_board::{PtyBoard, array, change, encode, illegal_move};
use rustix::process::{Signal, kill_process};
use wait::{Scratch, wait_for};

/// No broker anywhere: nobody listens at this port.
fn nowhere() -> String {
    format!("[broker]\nhost = \"127.0.0.1\"\nport = {}\n", mosquitto::free_port())
}

fn at(broker: &Mosquitto) -> String {
    format!("[broker]\nhost = \"127.0.0.1\"\nport = {}\n", broker.port)
}

fn read(text: &str) -> Result<Vec<Record>, JournalError> {
    let mut reader = Reader::new();
    text.lines().map(|line| reader.read_line(line)).collect()
}

/// All bytes of a journal, in order.
fn bytes(text: &str) -> Vec<u8> {
    let records = read(text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
    let bytes = records.into_iter().filter_map(|record| match record.entry {
        Entry::Input(Input::Bytes(bytes)) => Some(bytes),
        _ => None,
    });
    bytes.flatten().collect()
}

fn links(text: &str) -> Vec<bool> {
    let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    let link = |record: Record| match record.entry {
        Entry::Input(Input::Report(Report::Link { up })) => Some(up),
        _ => None,
    };
    read(whole).unwrap().into_iter().filter_map(link).collect()
}

fn holds(text: &str, bytes: &[u8]) -> bool {
    text.contains('\n') && {
        let whole = &text[..text.rfind('\n').unwrap() + 1];
        crate::bytes(whole).windows(bytes.len()).any(|window| window == bytes)
    }
}

#[test]
fn a_board_is_asked_and_everything_it_says_is_in_the_journal() {
    let board = PtyBoard::new();
    let mut daemon = Daemon::start(&[("b1", &board.path)], &nowhere());
    wait_for("the board is asked", || board.heard().contains(&Command::Version).then_some(()));
    let asked = board.heard();
    assert_eq!(asked[..3], [Command::Reset, Command::SendBoard, Command::UpdateNice]);
    board.say_bytes(&[0x03, 0x04, 0x11, 0x13, 0x0d, 0x0a, 0x00, 0xff]);
    board.say(&change(52, PieceCode::EMPTY));
    board.say(&change(36, PieceCode::WHITE_PAWN));
    let last = encode(&change(36, PieceCode::WHITE_PAWN));
    wait_for("the journal has it", || holds(&daemon.journal("b1"), &last).then_some(()));
    assert_eq!(daemon.stop(Signal::TERM).code(), Some(0), "{}", daemon.log());

    let text = daemon.journal("b1");
    assert!(is_journal(text.lines().next().unwrap()));
    let records = read(&text).unwrap();
    assert!(matches!(records[0].entry, Entry::Header(_)));
    assert!(matches!(records[1].entry, Entry::Input(Input::Setting(_))));
    assert!(matches!(records[2].entry, Entry::Input(Input::Report(Report::Link { up: true }))));
    let said = bytes(&text);
    let dump = encode(&jadoube_dgt::Message::Dump(array()));
    assert_eq!(said[..dump.len()], dump, "the dump comes first");
    assert!(said.ends_with(&last));
    assert!(holds(&text, &[0x03, 0x04, 0x11, 0x13, 0x0d, 0x0a, 0x00, 0xff]), "no byte is changed on its way");
}

#[test]
fn the_clock_is_asked_for_once_when_an_acknowledgement_may_have_hidden_the_lever() {
    use jadoube_dgt::{ClockAck, Message};
    let board = PtyBoard::new();
    let mut daemon = Daemon::start(&[("b1", &board.path)], &nowhere());
    let asked = |command: Command| board.heard().iter().filter(|heard| **heard == command).count();
    wait_for("the board is asked for all it can tell", || (asked(Command::Battery) == 1).then_some(()));
    assert_eq!((asked(Command::SendClock), asked(Command::ReturnLongSerial)), (1, 1));
    let ack = Message::Ack(ClockAck([0x10, 0x88, 0x05, 0x33]));
    board.say(&ack);
    board.say(&ack);
    wait_for("the clock is asked for", || (asked(Command::SendClock) == 2).then_some(()));
    // The board has answered that there is no clock, so there is nothing to ask for any more.
    let answered = [encode(&ack), encode(&ack), encode(&Message::NoClock)].concat();
    wait_for("it has answered", || holds(&daemon.journal("b1"), &answered).then_some(()));
    board.say(&change(52, PieceCode::EMPTY));
    let last = encode(&change(52, PieceCode::EMPTY));
    wait_for("the journal has it", || holds(&daemon.journal("b1"), &last).then_some(()));
    assert_eq!(asked(Command::SendClock), 2);
    assert_eq!(daemon.stop(Signal::TERM).code(), Some(0), "{}", daemon.log());
}

#[test]
fn a_journal_survives_kill_9_in_whole_lines() {
    let board = PtyBoard::new();
    let mut daemon = Daemon::start(&[("b1", &board.path)], &nowhere());
    wait_for("the board is heard", || board.heard().contains(&Command::Version).then_some(()));
    // A busy board, and the end in the middle of it.
    let mut spoken = Vec::new();
    for round in 0..300_u32 {
        let message = change((round % 64) as u8, PieceCode::WHITE_PAWN);
        spoken.extend(encode(&message));
        board.say(&message);
        if round == 200 {
            let first = encode(&change(0, PieceCode::WHITE_PAWN));
            wait_for("some of it is there", || holds(&daemon.journal("b1"), &first).then_some(()));
            assert_eq!(daemon.stop(Signal::KILL).code(), None);
            break;
        }
    }
    let text = daemon.journal("b1");
    assert!(text.ends_with('\n'), "the last line is whole");
    let said = bytes(&text);
    let start =
        said.windows(10).position(|window| window == &spoken[..10]).unwrap_or_else(|| panic!("{text}"));
    assert!(spoken.starts_with(&said[start..]), "what is there is what was said, without a gap");

    // The next run goes on with it, and what is there stays.
    let config = daemon.dir.path().join("room.toml");
    daemon.child = Daemon::run(&config);
    wait_for("it is heard again", || (links(&daemon.journal("b1")) == [true, false, true]).then_some(()));
    assert_eq!(daemon.board_journals().len(), 1);
    assert!(daemon.journal("b1").starts_with(&text));
    assert!(daemon.stop(Signal::INT).success());
}

#[test]
fn a_board_that_is_unplugged_comes_back_and_others_go_on() {
    let dir = Scratch::new();
    let (port, none) = (dir.path().join("board"), dir.path().join("none"));
    let board = PtyBoard::new();
    board.link(&port);
    let broker = Mosquitto::started(false, "allow_anonymous true");
    let subscriber = broker.subscribe("jadoube/v1/hall/boards", &[]);
    let mut daemon = Daemon::start(&[("b1", &port), ("b2", &none)], &at(&broker));
    let link = |subscriber: &Subscriber, wanted: &str| {
        subscriber.wait(wanted, |got| {
            let board = &got.json()["boards"][0];
            board["link"] == wanted && (wanted == "down" || board["version"] == "1.07")
        })
    };
    let up = link(&subscriber, "up").json();
    assert_eq!(up["boards"][0]["serial"], "21258");
    assert_eq!(up["boards"][1]["link"], "down");
    assert!(up["boards"][1]["why"].as_str().unwrap().contains("there is no port"), "{up}");
    drop(board);
    wait_for("it is missed", || (links(&daemon.journal("b1")) == [true, false]).then_some(()));
    let down = subscriber.wait("unplugged", |got| got.payload.contains("unplugged")).json();
    assert_eq!(down["boards"][0]["link"], "down");
    let board = PtyBoard::new();
    board.link(&port);
    wait_for("it is back", || (links(&daemon.journal("b1")) == [true, false, true]).then_some(()));
    wait_for("and asked for all squares", || board.heard().contains(&Command::SendBoard).then_some(()));
    assert!(daemon.stop(Signal::TERM).success());
    assert!(daemon.log().contains("there is no port"), "{}", daemon.log());
}

#[test]
fn a_busy_port_is_named_and_waited_for() {
    let board = PtyBoard::new();
    let other = Daemon::start(&[("b1", &board.path)], &nowhere());
    wait_for("it is open", || board.heard().contains(&Command::Version).then_some(()));
    let mut daemon = Daemon::start(&[("b1", &board.path)], &nowhere());
    wait_for("busy is said", || daemon.log().contains("is busy").then_some(()));
    drop(other);
    wait_for("then it is heard", || (links(&daemon.journal("b1")).last() == Some(&true)).then_some(()));
    assert!(daemon.stop(Signal::TERM).success());
}

#[test]
fn requests_that_are_none_are_refused_with_the_reason() {
    let board = PtyBoard::new();
    let broker = Mosquitto::started(false, "allow_anonymous true");
    let answers = broker.subscribe("jadoube/v1/hall/arbiter/+/response/#", &[]);
    let own = broker.subscribe("console/7", &[]);
    let status = broker.subscribe("jadoube/v1/hall/status", &[]);
    let daemon = Daemon::start(&[("b1", &board.path)], &at(&broker));
    status.wait("online", |got| got.payload.contains("online"));
    let ask = |board: &str, payload: &str, more: &[&str]| {
        broker.publish(&format!("jadoube/v1/hall/arbiter/{board}/request/fly"), payload, more);
    };
    // The subscription may come a moment after `status`: ask until there is an answer.
    let first = wait_for("an answer", || {
        ask(
            "b1",
            "{\"id\":\"r1\"",
            &["-D", "publish", "response-topic", "console/7", "-D", "publish", "correlation-data", "c42"],
        );
        answers.got().first().cloned()
    });
    assert_eq!(first.topic, "jadoube/v1/hall/arbiter/b1/response/fly");
    assert_eq!(first.json()["ok"], false);
    let to_me = own.wait("the answer at the topic of one's own", |_| true);
    assert_eq!((to_me.correlation.as_str(), to_me.json()), ("c42", first.json()));
    ask("b9", "{}", &[]);
    let unknown = answers.wait("no such board", |got| got.topic.contains("/b9/"));
    assert!(unknown.payload.contains("use one of b1"), "{unknown:?}");
    ask("b1", "{}", &["-r"]);
    let kept = broker.subscribe("jadoube/v1/hall/arbiter/b1/request/fly", &[]);
    kept.wait("the broker keeps it", |got| got.retained);
    let refused = |got: &mosquitto::Got| got.payload.contains("retained requests are refused");
    answers.wait("it is refused at once", refused);
    let before = answers.got().iter().filter(|got| refused(got)).count();
    drop(daemon);
    // Kept requests come with the subscription of the next run.
    let _daemon = Daemon::start(&[("b1", &board.path)], &at(&broker));
    wait_for("and again", || {
        (answers.got().iter().filter(|got| refused(got)).count() > before).then_some(())
    });
}

#[test]
fn sigterm_says_offline_and_a_wrong_configuration_starts_nothing() {
    let board = PtyBoard::new();
    let broker = Mosquitto::started(false, "allow_anonymous true");
    let status = broker.subscribe("jadoube/v1/hall/status", &[]);
    let mut daemon = Daemon::start(&[("b1", &board.path)], &at(&broker));
    let online = status.wait("online", |got| got.payload.contains("online")).json();
    assert!(daemon.stop(Signal::TERM).success());
    let offline = status.wait("offline", |got| got.payload.contains("offline")).json();
    assert_eq!(online["epoch"], offline["epoch"]);
    assert!(offline["seq"].as_u64() > online["seq"].as_u64(), "said, not the will: {offline}");

    let mut wrong = Daemon::start(&[("b1", &board.path)], "[brokr]\n");
    assert_eq!(wrong.child.wait().unwrap().code(), Some(2));
    assert!(wrong.log().contains("brokr") && wrong.log().contains("line 8"), "{}", wrong.log());
    assert!(wrong.journals().is_empty());
}

#[test]
fn a_disk_that_fails_is_reported_and_the_board_is_read() {
    let board = PtyBoard::new();
    let broker = Mosquitto::started(false, "allow_anonymous true");
    let health = broker.subscribe("jadoube/v1/hall/health", &[]);
    let dir = Scratch::new();
    let file = dir.write("a-file", "");
    let text = format!("[node]\nname = \"other\"\n{}", at(&broker));
    let config = format!(
        "journal_dir = \"{}\"\n[event]\nruleset = \"fide-2023/standard\"\n[[board]]\nid = \"b1\"\nport = \"{}\"\n{}",
        file.join("journal").display(),
        board.path.display(),
        text.replace("other", "hall"),
    );
    let mut child = Daemon::run(&dir.write("room.toml", &config));
    let told = health.wait("the disk's condition", |got| got.payload.contains("cannot be written")).json();
    assert!(told["conditions"]["journal-b1"].as_str().unwrap().contains("a-file"), "{told}");
    wait_for("the board is asked", || board.heard().contains(&Command::Version).then_some(()));
    kill_process(pid(&child), Signal::TERM).unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn an_alert_that_was_not_delivered_survives_kill_9() {
    let board = PtyBoard::new();
    let mut broker = Mosquitto::prepare(false, "allow_anonymous true");
    let mut daemon = Daemon::start(&[("b1", &board.path)], &at(&broker));
    wait_for("the board is asked", || board.heard().contains(&Command::Version).then_some(()));
    illegal_move(&board);
    let shown = wait_for("the alert is in the journal", || {
        let text = daemon.journal("b1");
        let line = text.lines().find(|line| line.contains("illegal-move"))?.to_owned();
        Some(line)
    });
    // The outbox's file is written beside the journal; both survive the process.
    wait_for("it waits in the outbox's file", || {
        std::fs::read_to_string(daemon.outbox()?).ok()?.contains("illegal-move").then_some(())
    });
    daemon.stop(Signal::KILL);
    broker.start();
    let log = broker.subscribe("jadoube/v1/hall/arbiter/b1/#", &[]);
    let config = daemon.dir.path().join("room.toml");
    daemon.child = Daemon::run(&config);
    let late = log.wait("the log", |got| got.topic.ends_with("/log") && got.payload.contains("illegal-move"));
    log.wait("the alert", |got| got.topic.contains("/alerts/") && got.payload.contains("illegal-move"));
    assert!(shown.contains(late.json()["id"].as_str().unwrap()), "{shown}");
    wait_for("its file goes when it is delivered", || {
        let text = std::fs::read_to_string(daemon.outbox()?).ok()?;
        (text.matches("\"waits\"").count() == text.matches("\"done\"").count()).then_some(())
    });
    assert!(daemon.stop(Signal::TERM).success());
    assert!(daemon.outbox().is_none(), "nothing waits");
}

#[test]
fn two_daemons_do_not_share_a_journal_directory_and_node() {
    let (board, other) = (PtyBoard::new(), PtyBoard::new());
    let mut first = Daemon::start(&[("b1", &board.path)], &nowhere());
    wait_for("it has a journal", || first.board_journals().first().cloned());
    let journal_dir = first.dir.path().join("journal");
    let text = std::fs::read_to_string(first.dir.path().join("room.toml")).unwrap();
    let text = text.replace(&board.path.display().to_string(), &other.path.display().to_string());
    let start = |name: &str, node: &str| {
        let text = format!("journal_dir = \"{}\"\n{text}", journal_dir.display()).replace("hall", node);
        let config = first.dir.write(name, &text);
        (Daemon::run(&config), config.with_extension("log"))
    };
    let (mut second, log) = start("second.toml", "hall");
    assert_eq!(second.wait().unwrap().code(), Some(1));
    let said = std::fs::read_to_string(log).unwrap();
    let wanted = "is in use by another jadoube; give each daemon its own node name and journal_dir";
    assert!(said.contains(wanted), "{said}");
    assert_eq!(first.board_journals().len(), 1, "it began nothing");
    let (mut third, _) = start("third.toml", "annex");
    wait_for("another node may be here", || other.heard().contains(&Command::Version).then_some(()));
    kill_process(pid(&third), Signal::TERM).unwrap();
    assert!(third.wait().unwrap().success());

    // However the first one ends, its place is free.
    first.stop(Signal::KILL);
    first.again();
    let goes_on = || first.board_journals().first().and_then(|path| std::fs::read_to_string(path).ok());
    wait_for("the next run has it", || goes_on()?.contains("\"kind\":\"goes-on\"").then_some(()));
    assert_eq!(first.board_journals().len(), 2);
    assert!(first.stop(Signal::TERM).success(), "{}", first.log());
}

#[test]
fn a_damaged_outbox_costs_only_its_bad_lines() {
    let board = PtyBoard::new();
    let broker = Mosquitto::started(false, "allow_anonymous true");
    let log = broker.subscribe("jadoube/v1/hall/arbiter/#", &[]);
    let health = broker.subscribe("jadoube/v1/hall/health", &[]);
    let mut daemon = Daemon::start(&[("b1", &board.path)], &nowhere());
    wait_for("it has a journal", || daemon.board_journals().first().cloned());
    daemon.stop(Signal::KILL);
    let line = |ticket: u32| {
        let topic = "jadoube/v1/hall/arbiter/b1/log";
        format!(
            r#"{{"waits":{{"ticket":{ticket},"topic":"{topic}","payload":"{{\"n\":{ticket}}}","retain":false}}}}"#
        )
    };
    let bytes = [line(1).as_bytes(), b"\n\xff\xfe\n", &[0; 4000], b"\n", line(2).as_bytes(), b"\n"].concat();
    let file = daemon.dir.path().join("journal/hall-1000.outbox");
    std::fs::write(&file, &bytes).unwrap();
    let config = daemon.dir.path().join("room.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("{}{}", text.split("[broker]").next().unwrap(), at(&broker))).unwrap();
    daemon.again();
    log.wait("the last good line", |got| got.payload == "{\"n\":2}");
    assert_eq!(log.got()[0].payload, "{\"n\":1}");
    let told = health.wait("the operator is told", |got| got.payload.contains("outbox-damage"));
    assert!(told.payload.contains("hall-1000.outbox, line 2 is damaged: it is not UTF-8"), "{told:?}");
    assert!(daemon.log().contains("line 3 is damaged"), "{}", daemon.log());
    wait_for("the file goes", || (!file.exists()).then_some(()));
    assert_eq!(std::fs::read(format!("{}.damaged", file.display())).unwrap(), bytes);
    assert!(daemon.stop(Signal::TERM).success());
}

#[test]
fn what_is_written_is_for_the_service_and_its_group() {
    use std::os::unix::fs::PermissionsExt;
    let board = PtyBoard::new();
    let daemon = Daemon::start(&[("b1", &board.path)], &nowhere());
    let journal = wait_for("it has a journal", || daemon.board_journals().first().cloned());
    assert_eq!(std::fs::metadata(&journal).unwrap().permissions().mode() & 0o027, 0);
}

/// The ids of alerts in a board's latest journal.
fn shown_alerts(text: &str) -> Vec<String> {
    let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    let records = read(whole).unwrap().into_iter();
    let shown = records.filter_map(|record| match record.entry {
        Entry::Shown(Shown::Alert { id, .. }) => Some(id),
        _ => None,
    });
    shown.collect()
}

#[test]
fn ids_do_not_come_again_in_a_later_run() {
    let (mut ids, dir) = (Vec::new(), Scratch::new());
    let port = dir.path().join("board");
    let boards = [("b1", port.as_path(), "")];
    let mut daemon = Daemon::configured("resume_hours = 0\n", &boards, &nowhere());
    for run in 0..2 {
        let board = PtyBoard::new();
        board.link(&port);
        if run > 0 {
            daemon.again();
        }
        wait_for("the board is asked", || board.heard().contains(&Command::Version).then_some(()));
        illegal_move(&board);
        ids.push(wait_for("an alert", || shown_alerts(&daemon.journal("b1")).first().cloned()));
        daemon.stop(Signal::KILL);
    }
    assert!(ids[0].contains("illegal-move") && ids[1].contains("illegal-move"), "{ids:?}");
    assert_ne!(ids[0], ids[1]);
}
