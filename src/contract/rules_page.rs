//! `docs/RULES.md`, written from the list of findings and the rule sets.

use std::fmt::Write;

use crate::laws::{Exception, NotifyRule, RULES, RuleSet, StartFaults, Starts, Window};

/// What the design names and no input carries.
const NOT_THERE: &str = "\n`move-counter-mismatch` is not among them: no input carries the move counter of a \
     clock. A DGT board passes on times, lever, flags and whether the clock runs, nothing else; neutral recordings \
     have no key for it.";

/// The page as Markdown.
#[must_use]
pub fn rules_page() -> String {
    let mut page = String::from(
        "# Findings and rule sets\n\n\
         Written from `RULES` and the rule sets in `src/laws/`; do not edit it by hand \
         (`UPDATE_GOLDEN=1 cargo test --test contract` writes it anew).\n\n\
         A finding is a fact with its evidence. What it costs, if anything, stands in the rule set; \
         whether it is counted, only an arbiter decides.\n\n\
         ## Findings\n\n\
         | id | what | known when | certainty | severity |\n| --- | --- | --- | --- | --- |\n",
    );
    for rule in RULES {
        let (certainty, severity) = (rule.certainty.word(), rule.severity.word());
        line(
            &mut page,
            &format!("| `{}` | {} | {} | {certainty} | {severity} |", rule.name, rule.about, rule.known_when),
        );
    }
    line(&mut page, NOT_THERE);
    line(
        &mut page,
        "\nCertainty and severity are the usual ones; each finding says its own.\n\n## Rule sets\n",
    );
    line(
        &mut page,
        "| | in force from | who starts it | until | first offence | loses at | faults of the start | told |",
    );
    line(&mut page, "| --- | --- | --- | --- | --- | --- | --- | --- |");
    for set in RuleSet::ALL {
        line(&mut page, &regime(set));
    }
    line(&mut page, "\n## Articles\n");
    let keys: Vec<String> = RuleSet::ALL.iter().map(|set| format!("`{}`", set.key)).collect();
    line(&mut page, &format!("| finding | {} |", keys.join(" | ")));
    line(&mut page, &format!("| --- |{}", " --- |".repeat(keys.len())));
    for rule in RULES.iter().filter(|rule| RuleSet::ALL.iter().any(|set| set.article(rule.id).is_some())) {
        let articles: Vec<&str> = RuleSet::ALL.iter().map(|set| set.article(rule.id).unwrap_or("")).collect();
        line(&mut page, &format!("| `{}` | {} |", rule.name, articles.join(" | ")));
    }
    let notes: Vec<String> = RuleSet::ALL
        .iter()
        .flat_map(|set| set.notes.iter().map(move |note| format!("- `{}`: {note}", set.key)))
        .collect();
    if !notes.is_empty() {
        line(&mut page, &format!("\n## Not settled by any text\n\n{}", notes.join("\n")));
    }
    page
}

fn line(page: &mut String, text: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(page, "{text}");
}

fn regime(set: &RuleSet) -> String {
    let starts = match set.starts {
        Starts::OnSight => "arbiter on sight, either player",
        Starts::ObservedOrClaimed => "arbiter if he saw it, else the opponent",
        Starts::ClaimOnly => "the opponent only",
    };
    let window = match set.window {
        Window::GameEnd => "the end of the game",
        Window::ReplyMade => "the opponent has made his next move",
    };
    let seconds = set.seconds.map_or("no time".to_owned(), |seconds| format!("{seconds} s to the opponent"));
    let exception = match set.exception {
        Exception::Helpmate => " (draw if the opponent cannot mate)",
        Exception::None => "",
    };
    let loses = set.loses_at.map_or("never".to_owned(), |at| format!("offence {at}{exception}"));
    let faults = match set.start_faults {
        StartFaults::AnyTime => "at any time".to_owned(),
        StartFaults::UntilCompletedByEach { moves, array_stands, clock_stands } => {
            format!("until {moves} moves completed by each, then {array_stands} and {clock_stands}")
        }
    };
    let told = match set.notify {
        NotifyRule::Now => "now",
        NotifyRule::Inform => "silently at the press, aloud when the clock is stopped",
    };
    format!(
        "| `{}` ({}) | {} | {starts} | {window} | {seconds} | {loses} | {faults} | {told} |",
        set.key,
        set.title(),
        set.in_force_from
    )
}
