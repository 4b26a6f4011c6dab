//! Commands around the daemon, as programs: `validate`, `boards`, `record`, the manual, the
//! completions, and that no output shows a secret.
#![cfg(feature = "daemon")]

#[path = "common/daemon.rs"]
mod daemon;
#[path = "common/mosquitto.rs"]
mod mosquitto;
#[path = "common/pty_board.rs"]
mod pty_board;
#[path = "common/wait.rs"]
mod wait;

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command as Program, Stdio};

use clap::CommandFactory;
use daemon::Daemon;
use jadoube::daemon::cmd::Cli;
use jadoube::daemon::ports::VENDORS;
use jadoube_dgt::Command;
use mosquitto::{Mosquitto, pid, spawn};
use pty_board::{PtyBoard, legal_move};
use rustix::process::{Signal, kill_process};
use wait::{Scratch, wait_for};

/// Exit code, standard output and standard error of a run.
fn jadoube(args: &[&str], more: &[(&str, &str)]) -> (i32, String, String) {
    let mut program = Program::new(env!("CARGO_BIN_EXE_jadoube"));
    program.args(args).env_remove("STATE_DIRECTORY").envs(more.iter().copied());
    let out = program.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (out.status.code().unwrap(), text(out.stdout), text(out.stderr))
}

fn shown(path: &Path) -> &str {
    path.to_str().unwrap()
}

const ROOM: &str = "journal_dir = \"journal\"\n[event]\nruleset = \"fide-2023/standard\"\n[node]\nname = \"hall\"\n\
                    [broker]\nhost = \"localhost\"\n[[board]]\nid = \"b1\"\nport = \"/dev/null\"\n";

#[test]
fn validate_says_what_would_run_and_what_is_wrong() {
    let dir = Scratch::new();
    let validate = |text: &str, more: &[&str]| {
        let file = dir.write("room.toml", text);
        jadoube(&[&["validate", "--config", shown(&file)], more].concat(), &[])
    };
    let (code, out, err) = validate(ROOM, &["--strict"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    for word in
        ["fide-2023/standard (FIDE 2023", "localhost:1883", "jadoube/v1/hall/", "b1  /dev/null", "/journal"]
    {
        assert!(out.contains(word), "{word:?}:\n{out}");
    }
    // Warnings: the rules are old, and the port is not there.
    let old = ROOM.replace("fide-2023", "fide-2014").replace("/dev/null", "/dev/nowhere");
    let (code, _, err) = validate(&old, &[]);
    assert_eq!((code, err.matches("warning: ").count()), (0, 2), "{err}");
    assert!(err.contains("there is no port /dev/nowhere") && err.contains("to 2017-06-30"), "{err}");
    assert_eq!(validate(&old, &["--strict"]).0, 1);
    // An error: two names of one port.
    let null = dir.path().join("null");
    symlink("/dev/null", &null).unwrap();
    let two = format!("{ROOM}[[board]]\nid = \"b2\"\nport = {null:?}\n");
    let (code, _, err) = validate(&two, &[]);
    assert!(code == 2 && err.contains("error: boards \"b1\" and \"b2\" are at one port"), "{err}");
    // Text that cannot be read: all of it.
    let (code, out, err) = validate("[event]\nruleset = \"x\"\n[[board]]\nid = 1\n", &[]);
    assert!(code == 2 && out.is_empty() && err.contains("line 2") && err.contains("line 4"), "{err}");
}

/// Everything that a run writes, shows or publishes, with its password in one of three places.
#[test]
fn no_output_shows_a_password() {
    const SECRET: &str = "correct-horse-battery";
    let board = PtyBoard::new();
    let mut broker = Mosquitto::prepare(false, "allow_anonymous false\npassword_file DIR/passwords");
    broker.password("hall", SECRET);
    broker.start();
    let arbiter = broker.subscribe("jadoube/#", &["-u", "hall", "-P", SECRET]);
    let wrong = SECRET.replace("horse", "mule");
    let dir = Scratch::new();
    let file = dir.write("password", &format!("{SECRET}\n"));
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o604)).unwrap();
    std::fs::create_dir(dir.path().join("credentials")).unwrap();
    let credentials = dir.path().join("credentials");
    let room = |node: &str, more: &str| {
        format!(
            "[event]\nruleset = \"fide-2023/standard\"\n[node]\nname = \"{node}\"\n[broker]\nhost = \"127.0.0.1\"\n\
             port = {}\n{more}[[board]]\nid = \"b1\"\nport = {:?}\n",
            broker.port, board.path
        )
    };
    let from_file = format!("user = \"hall\"\npassword_file = {file:?}\n");
    // What comes first wins: the variable over the credential, the credential over the file.
    dir.write("credentials/broker-password", SECRET);
    type Row<'a> = (&'a str, &'a str, Vec<(&'a str, &'a str)>, bool);
    let rows: [Row<'_>; 4] = [
        ("file", &from_file, vec![], true),
        ("credential", "user = \"hall\"\n", vec![("CREDENTIALS_DIRECTORY", shown(&credentials))], true),
        ("variable", "", vec![("JADOUBE_BROKER_USER", "hall"), ("JADOUBE_BROKER_PASSWORD", SECRET)], true),
        ("wrong", &from_file, vec![("JADOUBE_BROKER_PASSWORD", &wrong)], false),
    ];
    let mut said = String::new();
    for (node, keys, variables, fits) in rows {
        let config = dir.write(&format!("{node}.toml"), &room(node, keys));
        let (code, out, err) = jadoube(&["validate", "--config", shown(&config)], &variables);
        assert_eq!(code, 0, "{node}: {err}");
        assert_eq!(err.contains("may be read by every user"), node == "file", "{node}: {err}");
        let log = dir.path().join(format!("{node}.log"));
        let mut program = Program::new(env!("CARGO_BIN_EXE_jadoube"));
        program
            .arg("run")
            .arg("--config")
            .arg(&config)
            .env_remove("STATE_DIRECTORY")
            .env("RUST_LOG", "trace");
        program.envs(variables).stdout(Stdio::null()).stderr(std::fs::File::create(&log).unwrap());
        let mut child = spawn(&mut program, "jadoube");
        let log = || std::fs::read_to_string(&log).unwrap();
        match fits {
            true => {
                arbiter.wait(node, |got| got.topic.contains(node) && got.topic.ends_with("/status"));
            }
            false => wait_for("it is refused", || log().contains("refuses user").then_some(())),
        }
        kill_process(pid(&child), Signal::TERM).unwrap();
        child.wait().unwrap();
        said.push_str(&[out, err, log()].concat());
    }
    for got in arbiter.got() {
        said.push_str(&got.payload);
    }
    for entry in std::fs::read_dir(dir.path().join("journal")).unwrap() {
        said.push_str(&String::from_utf8_lossy(&std::fs::read(entry.unwrap().path()).unwrap()));
    }
    for secret in [SECRET, &wrong] {
        let line = said.lines().find(|line| line.contains(secret));
        assert_eq!(line, None);
    }
}

/// A tree as the kernel makes it for one USB adapter.
fn plug(root: &Path, tty: &str, texts: &[(&str, &str)]) {
    let usb = root.join("sys/devices/usb1/1-1");
    let usb = usb.with_file_name(format!("1-{tty}"));
    let port = usb.join("1-1:1.0").join(tty);
    std::fs::create_dir_all(&port).unwrap();
    for (file, text) in texts {
        std::fs::write(usb.join(file), format!("{text}\n")).unwrap();
    }
    let class = root.join("sys/class/tty").join(tty);
    std::fs::create_dir_all(&class).unwrap();
    symlink(&port, class.join("device")).unwrap();
}

#[test]
fn boards_lists_what_is_plugged_in() {
    let board = PtyBoard::numbered(*b"40001");
    let root = Scratch::new();
    for dir in ["sys/class/tty/tty0", "dev/serial/by-id"] {
        std::fs::create_dir_all(root.path().join(dir)).unwrap();
    }
    plug(
        root.path(),
        "ttyUSB0",
        &[("idVendor", "0403"), ("idProduct", "6001"), ("product", "USB UART"), ("serial", "A9")],
    );
    plug(root.path(), "ttyACM0", &[("idVendor", "1546"), ("idProduct", "01a7"), ("product", "u-blox GNSS")]);
    let dev = root.path().join("dev");
    symlink(&board.path, dev.join("ttyUSB0")).unwrap();
    symlink("../../ttyUSB0", dev.join("serial/by-id/usb-board")).unwrap();
    // Nobody may ask this one: it is no board's.
    let modem = PtyBoard::new();
    symlink(&modem.path, dev.join("ttyACM0")).unwrap();
    let text = ROOM.replace("port = \"/dev/null\"", "serial = \"40001\"");
    let config = root.write("room.toml", &format!("{text}[[board]]\nid = \"b2\"\nport = \"/dev/nowhere\"\n"));
    let sysfs = root.path().join("sys");
    let list = |more: &[&str]| {
        let (code, out, err) =
            jadoube(&[&["boards", "--sysfs", shown(&sysfs), "--dev", shown(&dev)], more].concat(), &[]);
        assert_eq!((code, err.as_str()), (0, ""));
        out
    };
    let plain = list(&[]);
    for word in ["/ttyUSB0\n", "0403:6001 USB UART, A9", "/serial/by-id/usb-board", "1546:01a7"] {
        assert!(plain.contains(word), "{word:?}:\n{plain}");
    }
    assert!(!plain.contains("tty0") && board.heard().is_empty(), "{plain}");
    let asked: serde_json::Value =
        serde_json::from_str(&list(&["--ask", "--json", "--config", shown(&config)])).unwrap();
    let port = &asked["ports"][1];
    assert_eq!((port["board"].as_str(), port["identity"]["serial"].as_str()), (Some("b1"), Some("40001")));
    assert_eq!(port["identity"]["version"].as_str(), Some("1.07"));
    assert_eq!(asked["missing"], serde_json::json!(["b2"]));
    assert!(modem.heard().is_empty(), "a device that is no board was asked");
    // Only questions: neither a reset nor another update mode.
    assert!(!board.heard().contains(&Command::Reset) && !board.heard().contains(&Command::UpdateNice));
    let text = list(&["--ask", "--config", shown(&config)]);
    for word in
        ["/ttyUSB0  board b1", "serial number 40001, version 1.07", "board b2 is not found: /dev/nowhere"]
    {
        assert!(text.contains(word), "{word:?}:\n{text}");
    }
    // A port in use is left alone.
    let daemon = Daemon::start(&[("1", &board.path)], "");
    wait_for("the daemon asks", || board.heard().contains(&Command::Reset).then_some(()));
    assert!(list(&["--ask"]).contains("is busy"), "{}", daemon.log());
}

/// The rule that gives ports their names knows the same adapters as the program.
#[test]
fn the_udev_rule_names_the_same_vendors() {
    let rule = include_str!("../systemd/60-jadoube.rules");
    assert!(rule.contains(&format!("{{ID_VENDOR_ID}}==\"{}\"", VENDORS.join("|"))), "{rule}");
}

#[test]
fn a_recording_is_a_journal() {
    let board = PtyBoard::new();
    let dir = Scratch::new();
    let out = dir.path().join("game.jsonl");
    let summary = dir.path().join("summary");
    let mut program = Program::new(env!("CARGO_BIN_EXE_jadoube"));
    program.args(["record", shown(&board.path), "--out", shown(&out), "--board", "7"]);
    let log = std::fs::File::create(dir.path().join("log")).unwrap();
    let mut child = spawn(program.stdout(std::fs::File::create(&summary).unwrap()).stderr(log), "jadoube");
    wait_for("the board is asked", || board.heard().contains(&Command::Version).then_some(()));
    legal_move(&board);
    // Not a message of a board.
    board.say_bytes(&[0x7A; 5]);
    let journal = || std::fs::read_to_string(&out).unwrap_or_default();
    wait_for("the junk is written", || journal().contains("7a7a7a7a7a").then_some(()));
    kill_process(pid(&child), Signal::INT).unwrap();
    assert!(child.wait().unwrap().success());
    let summary = std::fs::read_to_string(&summary).unwrap();
    for word in ["duration", "squares 2", "dumps 2", "serial numbers 1", "unframed 5"] {
        assert!(summary.contains(word), "{word:?}:\n{summary}");
    }
    let (code, said, _) = jadoube(&["verify", shown(&out)], &[]);
    assert!(code == 0 && said.contains("whole: every line"), "{said}");
    let (code, said, err) = jadoube(&["replay", shown(&out), "--output", "jsonl"], &[]);
    assert!(code == 0 && said.contains("e2e4"), "{said}{err}");
    // A journal is never written over.
    let (code, _, err) =
        jadoube(&["record", shown(&board.path), "--out", shown(&out), "--seconds", "1"], &[]);
    assert!(code == 1 && err.contains("give another --out"), "{err}");
    let (code, _, err) = jadoube(&["record", "/dev/nowhere"], &[]);
    assert!(code == 1 && err.contains("there is no port /dev/nowhere"), "{err}");
}

#[test]
fn the_manual_and_the_completions_know_every_command_and_option() {
    let dir = Scratch::new();
    let man = dir.path().join("man");
    assert_eq!(jadoube(&["man", shown(&man)], &[]).0, 0);
    // A page writes - as \-.
    let page = |name: &str| std::fs::read_to_string(man.join(name)).unwrap_or_default().replace('\\', "");
    let overview = page("jadoube.1");
    for word in ["ENVIRONMENT", "JADOUBE_BROKER_PASSWORD", "EXIT STATUS", "FILES"] {
        assert!(overview.contains(word), "{word}:\n{overview}");
    }
    let shells: Vec<String> =
        ["bash", "fish", "zsh"].iter().map(|shell| jadoube(&["completions", shell], &[]).1).collect();
    let root = Cli::command();
    for command in root.get_subcommands().filter(|command| !command.is_hide_set()) {
        let name = command.get_name();
        assert!(overview.contains(&format!("jadoube-{name}(1)")), "{name}:\n{overview}");
        let page = page(&format!("jadoube-{name}.1"));
        for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
            let long = argument.get_long();
            let text = long.map_or_else(|| format!("{argument}"), |long| format!("--{long}"));
            assert!(page.contains(text.trim_matches(['[', ']', '<', '>', '.'])), "{name} {text}:\n{page}");
            for (shell, long) in shells.iter().filter_map(|shell| Some((shell, long?))) {
                assert!(shell.contains(long), "a completion lacks --{long} of {name}");
            }
        }
    }
}
