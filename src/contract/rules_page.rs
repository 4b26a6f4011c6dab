//! `docs/RULES.md`, written from the list of findings and the rule sets.

use std::fmt::Write;

use crate::laws::{Exception, NotifyRule, RULES, RuleSet, SETTINGS, Seconds, StartFaults, Starts, Window};

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
        "| | in force | who starts it | until | first offence | loses at | faults of the start | told |",
    );
    line(&mut page, "| --- | --- | --- | --- | --- | --- | --- | --- |");
    for set in RuleSet::ALL {
        line(&mut page, &regime(set));
    }
    articles(&mut page);
    settings(&mut page);
    let notes: Vec<String> = RuleSet::ALL
        .iter()
        .flat_map(|set| set.notes.iter().map(move |note| format!("- `{}`: {note}", set.key)))
        .collect();
    if !notes.is_empty() {
        line(&mut page, &format!("\n## Not settled by any text\n\n{}", notes.join("\n")));
    }
    page
}

/// Each list of articles once: an edition's own, and what a format has of its own before it.
fn articles(page: &mut String) {
    line(page, "\n## Articles\n\nA format has its own articles first, then those of its edition.");
    for (index, set) in RuleSet::ALL.iter().enumerate() {
        for (layer, list) in set.articles.iter().enumerate() {
            let earlier = RuleSet::ALL[..index].iter().any(|other| other.articles.contains(list));
            if earlier {
                continue;
            }
            let of_edition = layer + 1 == set.articles.len();
            let title = if of_edition { set.edition.to_owned() } else { format!("`{}`", set.key) };
            line(page, &format!("\n### {title}\n\n| about | articles |\n| --- | --- |"));
            for (topic, text) in *list {
                line(page, &format!("| {} | {text} |", topic.name()));
            }
        }
    }
}

/// What an event may choose.
fn settings(page: &mut String) {
    line(
        page,
        "\n## Event settings\n\nFor what no text settles; the first value is the default.\n\n\
         | setting | values | decides |\n| --- | --- | --- |",
    );
    for setting in SETTINGS {
        let values = setting.values.join(", ");
        line(page, &format!("| `{}` | {values} | {} |", setting.name, setting.decides));
    }
}

fn line(page: &mut String, text: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(page, "{text}");
}

fn regime(set: &RuleSet) -> String {
    let starts = match set.starts {
        Starts::OnSight => "arbiter on sight, either player",
        Starts::ObservedOrClaimed => "arbiter if he saw it, else the opponent",
        Starts::ClaimOnly { .. } => "the opponent only",
    };
    let window = match set.window {
        Window::GameEnd => "the end of the game".to_owned(),
        Window::ReplyMade => "the opponent has made his next move".to_owned(),
        Window::LastMoves(moves) => format!("it is older than the last {moves} moves"),
        Window::MoveDetermined => "the opponent has determined his move".to_owned(),
    };
    let seconds = match set.seconds {
        Seconds::None => "no time".to_owned(),
        Seconds::Fixed(seconds) => format!("{seconds} s to the opponent"),
        Seconds::IfClaimedAtOnce(seconds) => format!("{seconds} s to the opponent if claimed at once"),
        Seconds::BySetting(id) => format!("as `{}` says", id.setting().name),
    };
    let exception = match set.exception {
        Exception::Helpmate => " (draw if the opponent cannot mate)",
        Exception::MaterialList | Exception::InsufficientToWin => " (draw without mating material)",
        Exception::None => "",
    };
    let loses = set.loses_at.map_or("never".to_owned(), |at| format!("offence {at}{exception}"));
    let faults = match set.start_faults {
        StartFaults::AnyTime => "at any time".to_owned(),
        StartFaults::UntilCompletedByEach(moves) => format!("until each has completed {moves}"),
        StartFaults::UntilBlackCompletes(moves) => format!("array until Black has completed {moves}"),
    };
    let told = match set.notify {
        NotifyRule::Now => "now",
        NotifyRule::Inform => "silently at the press, aloud when the clock is stopped",
        NotifyRule::Delayed => "once the window has closed",
    };
    let until = set.in_force.1.map_or(String::new(), |last| format!(" to {last}"));
    format!(
        "| `{}` ({}) | {}{until} | {starts} | {window} | {seconds} | {loses} | {faults} | {told} |",
        set.key,
        set.title(),
        set.in_force.0
    )
}
