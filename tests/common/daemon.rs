//! `jadoube run` as a program, with a directory of its own.
// Each test program uses a part of this.
#![allow(dead_code)]

use std::path::PathBuf;
use std::process::{Child, Command as Program, Stdio};

use rustix::process::{Signal, kill_process};

use crate::mosquitto::{pid, spawn};
use crate::wait::Scratch;

pub(crate) struct Daemon {
    pub(crate) child: Child,
    pub(crate) dir: Scratch,
}

impl Daemon {
    /// Starts `jadoube run` with these boards; the journal is in the directory's `journal`.
    pub(crate) fn start(boards: &[(&str, &std::path::Path)], broker: &str) -> Daemon {
        let boards: Vec<_> = boards.iter().map(|(id, port)| (*id, *port, "")).collect();
        Daemon::configured("", &boards, broker)
    }

    /// The same with more lines, each with its end, for the event and for each board.
    pub(crate) fn configured(event: &str, boards: &[(&str, &std::path::Path, &str)], broker: &str) -> Daemon {
        let dir = Scratch::new();
        let mut text = format!("[event]\nruleset = \"fide-2023/standard\"\n{event}[node]\nname = \"hall\"\n");
        if let Some(rules) = own_rules(event) {
            // A rules file says itself which rule set it extends.
            dir.write("own-rules.toml", rules);
            text = "[event]\nrules_file = \"own-rules.toml\"\n[node]\nname = \"hall\"\n".to_owned();
        }
        if event.starts_with("resume_hours") {
            // A key of no section comes before all sections.
            text = format!("{event}[event]\nruleset = \"fide-2023/standard\"\n[node]\nname = \"hall\"\n");
        }
        for (id, port, more) in boards {
            text.push_str(&format!("[[board]]\nid = \"{id}\"\nport = \"{}\"\n{more}", port.display()));
        }
        text.push_str(broker);
        let config = dir.write("room.toml", &text);
        let child = Daemon::run(&config);
        Daemon { child, dir }
    }

    /// Starts it again with the same configuration.
    pub(crate) fn again(&mut self) {
        self.child = Daemon::run(&self.dir.path().join("room.toml"));
    }

    pub(crate) fn run(config: &std::path::Path) -> Child {
        let log = std::fs::File::create(config.with_extension("log")).unwrap();
        let mut program = Program::new(env!("CARGO_BIN_EXE_jadoube"));
        program.arg("run").arg("--config").arg(config).env_remove("STATE_DIRECTORY");
        spawn(program.stdout(Stdio::null()).stderr(log), "jadoube")
    }

    pub(crate) fn journals(&self) -> Vec<PathBuf> {
        let Ok(entries) = std::fs::read_dir(self.dir.path().join("journal")) else { return Vec::new() };
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    }

    pub(crate) fn outbox(&self) -> Option<PathBuf> {
        self.journals().into_iter().find(|path| path.extension().is_some_and(|end| end == "outbox"))
    }

    pub(crate) fn board_journals(&self) -> Vec<PathBuf> {
        self.journals()
            .into_iter()
            .filter(|path| path.extension().is_some_and(|end| end == "jsonl"))
            .collect()
    }

    /// The text of a board's latest journal.
    pub(crate) fn journal(&self, board: &str) -> String {
        let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
        let path = self.journals().into_iter().rfind(|path| name(path).starts_with(&format!("{board}-")));
        path.map(|path| std::fs::read_to_string(path).unwrap()).unwrap_or_default()
    }

    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.dir.path().join("room.log")).unwrap_or_default()
    }

    pub(crate) fn stop(&mut self, signal: Signal) -> std::process::ExitStatus {
        kill_process(pid(&self.child), signal).unwrap();
        self.child.wait().unwrap()
    }
}

/// `event` as the text of a rules file, if it is one.
fn own_rules(event: &str) -> Option<&str> {
    event.starts_with("extends").then_some(event)
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
