//! `jadoube advise`: what the Laws say on worked cases, for training, appeals and judging.
//!
//! The cases go through the same laws as the findings of a watched game.

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::ValueEnum;
use shakmaty::Color;

use crate::contract::{CaseOfFile, advice_line, case_card, error_line, read_cases};
use crate::laws::propose;
use crate::mating::{Budget, CanStillMate, can_still_mate};

/// Arguments of `jadoube advise`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A file of cases (jadoube.cases/1); only their facts are read.
    file: PathBuf,
    /// How to print it.
    #[arg(long, value_enum, default_value = "card")]
    output: Output,
    /// Positions the mating question may visit; 20,000,000 if not given.
    #[arg(long, value_name = "NODES")]
    mating_nodes: Option<u64>,
}

/// How advice is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Output {
    /// A card for people, for every case.
    Card,
    /// One JSON object a line.
    Jsonl,
}

/// Runs the command.
///
/// # Errors
/// A file that cannot be read or is none of cases. A case that cannot be read is an exit code,
/// after all the others were printed.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let name = args.file.display();
    let text = std::fs::read_to_string(&args.file).with_context(|| format!("cannot read {name}"))?;
    let cases = match read_cases(&text) {
        Ok(cases) => cases,
        Err(error) => bail!("{name}: {error}"),
    };
    let mut out = BufWriter::new(std::io::stdout().lock());
    let budget = args.mating_nodes.map_or(Budget::DECIDES, Budget::nodes);
    let mates = |fen: &str, side| can_still_mate(fen, side, budget).verdict();
    let mut whole = true;
    for case in &cases {
        let (line, read) = said(case, args.output, &mates);
        whole &= read;
        match writeln!(out, "{line}") {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return Ok(ExitCode::SUCCESS),
            other => other?,
        }
    }
    out.flush()?;
    Ok(if whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What is printed for a case, and whether it could be read.
fn said(case: &CaseOfFile, output: Output, mates: &dyn Fn(&str, Color) -> CanStillMate) -> (String, bool) {
    let read = match &case.read {
        Ok(read) => read,
        Err(why) if output == Output::Jsonl => return (error_line(&case.id, &why.to_string()), false),
        Err(why) => return (format!("{:13}{why}\n", case.id), false),
    };
    // A case on which the program fails must not take the others with it.
    let asked = || propose(&read.case, &read.rules, mates);
    let Ok(proposal) = std::panic::catch_unwind(std::panic::AssertUnwindSafe(asked)) else {
        return (error_line(&case.id, "the program failed on this case"), false);
    };
    let line = match output {
        Output::Jsonl => advice_line(&case.id, &proposal, &read.rules),
        Output::Card => case_card(&case.id, &case.title, &proposal, &read.rules),
    };
    (line, true)
}
