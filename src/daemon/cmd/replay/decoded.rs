//! A recording of any kind as reports: what a board said, decoded.

use std::path::Path;

use anyhow::bail;

use super::source::{Overrides, Source};
use crate::events::{DgtAdapter, Report, Setup};
use crate::table::Input;
use crate::tick::Tick;

/// A recording, decoded.
#[derive(Debug)]
pub struct Decoded {
    /// Its settings.
    pub setup: Setup,
    /// What was reported, and when.
    pub reports: Vec<(Tick, Report)>,
    /// Whether its times were taken when it was recorded.
    pub timed: bool,
}

/// Reads a recording to its end; `wrong` says what a file should be that is none.
///
/// # Errors
/// A file that cannot be read, is damaged, or has no settings.
pub fn decode(path: &Path, overrides: &Overrides, wrong: &str) -> anyhow::Result<Decoded> {
    let mut source = Source::open(path, overrides)?;
    let mut setup: Option<Setup> = None;
    let mut reports = Vec::new();
    let mut adapter = DgtAdapter::default();
    while let Some(next) = source.next() {
        let (at, input) = next.map_err(|damage| match reports.is_empty() {
            true => anyhow::anyhow!("{}: {damage} ({wrong})", path.display()),
            false => anyhow::anyhow!(
                "{}: {damage}: cut the recording there, a whole one is needed ({wrong})",
                path.display()
            ),
        })?;
        match input {
            Input::Setting(given) => setup = setup.or(Some(*given)),
            Input::Carried(before) => {
                setup = setup.or(Some(before.setup));
                reports.push((at, Report::Dump(before.wood)));
                reports.push((at, Report::Clock(before.clock)));
            }
            Input::Report(report) => {
                if matches!(report, Report::Link { .. }) {
                    // What was begun before the line broke does not go on behind it.
                    let mut heard = Vec::new();
                    adapter.finish(&mut heard);
                    reports.extend(heard.into_iter().map(|report| (at, report)));
                }
                reports.push((at, report));
            }
            Input::Bytes(bytes) => {
                let mut heard: Vec<Report> = Vec::new();
                adapter.feed(&bytes, &mut heard);
                reports.extend(heard.into_iter().map(|report| (at, report)));
            }
            Input::Timer | Input::Request(_) | Input::Answer(_) => {}
        }
    }
    let Some(setup) = setup else { bail!("{}: it has no settings ({wrong})", path.display()) };
    Ok(Decoded { setup, reports, timed: source.is_timed() })
}
