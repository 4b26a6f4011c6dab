//! Advice on a case as a card for people.

use std::fmt::Write;

use super::write::rule_of;
use crate::laws::{Proposal, Rules, color_name};
use crate::mating::CanStillMate;

/// The card of one case.
#[must_use]
pub fn case_card(id: &str, title: &str, proposal: &Proposal, rules: &Rules) -> String {
    let mut card = String::new();
    let mut line = |label: &str, text: String| {
        if !text.is_empty() {
            // Writing to a String cannot fail.
            let _ = writeln!(card, "{label:13}{text}");
        }
    };
    line(id, clean(title));
    line("Rules", rules.title());
    let finding = proposal.finding.map_or("nothing irregular", |topic| topic.name());
    let also: Vec<&str> = proposal.also.iter().map(|topic| topic.name()).collect();
    line("Finding", [&[finding], also.as_slice()].concat().join(", "));
    let number = proposal.offence.map_or(String::new(), |number| format!(", offence {number}"));
    line("Consequence", format!("{}{number}", proposal.consequence.word()));
    line("Articles", proposal.articles.join(", "));
    if let Some((to, seconds)) = proposal.penalty {
        line("Time", format!("+{}:{:02} to {}", seconds / 60, seconds % 60, color_name(to)));
    }
    line("Result", proposal.result.map_or(String::new(), |score| score.word().to_owned()));
    for asked in &proposal.asked {
        let answer = match asked.answer {
            CanStillMate::Yes => "yes",
            CanStillMate::No => "no",
            CanStillMate::NotProven => "not proven",
        };
        line("Can mate?", format!("{}: {answer}  ({})", color_name(asked.winner), asked.fen));
    }
    line("Restore", proposal.restore.clone().unwrap_or_default());
    if let Some(duty) = &proposal.replacement {
        let rule = rule_of(duty, rules);
        line("Then", format!("{} by {rule}: {}", color_name(duty.by), duty.legal.join(" ")));
    }
    line("In force", proposal.in_force.clone().unwrap_or_default());
    if let Some((closes, open)) = proposal.window {
        line("Window", format!("{closes}, {}", if open { "open" } else { "closed" }));
    }
    line("Claim", proposal.claim.map_or(String::new(), |claim| claim.word().to_owned()));
    let clocks: Vec<&str> = proposal.clocks.iter().map(|step| step.word()).collect();
    line("Clocks", clocks.join(", "));
    let after = proposal.offences_after;
    line("Offences", format!("White {}, Black {} if ruled so", after.white, after.black));
    let settings: Vec<&str> = proposal.settled_by.iter().map(|id| id.setting().name).collect();
    line("Settings", settings.join(", "));
    if let Some(then) = &proposal.if_claimed {
        let time = then.penalty.map_or(String::new(), |(to, s)| format!(", +{s} s to {}", color_name(to)));
        let result = then.result.map_or(String::new(), |score| format!(", {}", score.word()));
        line("If claimed", format!("{}{time}{result}", then.consequence.word()));
    }
    card
}

/// Text of a file, without what would reach a terminal as a command.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}
