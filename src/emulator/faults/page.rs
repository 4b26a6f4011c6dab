//! `docs/SIMULATOR.md`, made of the list of faults.

use super::FAULTS;

/// The page.
#[must_use]
pub fn page() -> String {
    let mut out = String::from(
        "# The simulator\n\n\
         `jadoube simulate FILE` behaves like a DGT board with clock on a pseudo-terminal and plays a neutral \
         recording, a journal or a capture to any host program. `--hold` lets hands and clock stand still while \
         no host is synchronised.\n\n\
         A board is in bus mode when it is switched on or plugged in again: it is silent until a command comes.\n\n\
         `--fault NAME=VALUE`, as often as wanted, lets things go wrong; `--seed N` says when: the same seed \
         gives the same bytes. Each kind has random numbers of its own, so that one more fault does not move \
         the others.\n\n\
         This page is made of the program's own list.\n\n\
         | fault | value | what happens |\n| --- | --- | --- |\n",
    );
    for kind in &FAULTS {
        let (least, most) = kind.range;
        let value = match least == most {
            true => "-".to_owned(),
            false => format!("{least} to {most} {}", kind.unit),
        };
        out.push_str(&format!("| `{}` | {value} | {} |\n", kind.name, kind.about));
    }
    out
}
