//! The journal that a daemon would have written of a script of hands.

use jadoube::contract::drafts;
use jadoube::events::BoardId;
use jadoube::journal::{Header, Said, Shown, Writer};
use jadoube::laws::Rules;
use jadoube::table::{Effects, Publish, Table};

use crate::script;

pub(crate) fn journal(board: &str, start_ms: u64, text: &str) -> String {
    let script = script::parse(text);
    let header = Header {
        program: "jadoube 0.0.9".to_owned(),
        node: "hall".to_owned(),
        board: BoardId::new(board).unwrap(),
        ruleset: script.setup.ruleset.clone(),
        start_ms,
        after: None,
        rules_digest: Some(Rules::of_setup(&script.setup).digest()),
        clock_synchronised: Some(true),
    };
    let (mut writer, mut out) = Writer::new(&header);
    let mut table = Table::new();
    for (at, input) in script::inputs(&script) {
        out.push_str(&writer.input(at, &input));
        let mut effects = Effects::default();
        table.step(at, input, &mut effects);
        for publish in effects.publish {
            let hidden = matches!(publish, Publish::Shadowed(_) | Publish::Held(_));
            let shows = hidden || !drafts(&publish, &header.board).is_empty();
            if let Some(shown) = Shown::of(&publish).filter(|_| shows) {
                out.push_str(&writer.said(at, &shown, Said::of(&publish)));
            }
            match publish {
                Publish::Response(response) => out.push_str(&writer.response(at, &response)),
                Publish::Calibration(times) => out.push_str(&writer.calibration(at, &times)),
                _ => {}
            }
        }
    }
    out
}
