//! Worked cases as events: each is played as contacts and presses through the whole table, and the
//! alert says what the case expects.
//!
//! What sensors cannot see, or people have no request for, stands in [`EXCEPTIONS`] with its reason;
//! an exception that no longer differs is an error too.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

#[path = "support/script.rs"]
mod script;
#[path = "support/streams.rs"]
mod streams;
#[path = "support/worked.rs"]
mod worked;

use std::collections::BTreeMap;

use jadoube::alerts::AlertState;
use jadoube::game::Position;
use jadoube::laws::{Advice, Circumstances, May, RuleSet, Rules, Severity, Starts, advise};
use jadoube::table::Publish;
use serde_json::Value;
use streams::Until;
use worked::Worked;

/// Matters that are not brought up by what a player does at the board, and why they are not played.
const NOT_PLAYED: &[(&str, &str)] = &[
    ("setup-found", "a wrong array is told when the clock starts: fixtures/laws/wrong-setup"),
    ("orientation-found", "a turned board is told when the clock starts: fixtures/laws/wrong-orientation"),
    ("colours-reversed-found", "boards do not see people"),
    ("clock-wrong-found", "a clock's setting is told when it starts: fixtures/laws/clock-incorrect"),
    ("counter-mismatch", "no device passes on the counter"),
    ("illegal-position-found", "it stands from the start, and nobody has made it"),
    ("unexplained-found", "what happened unseen cannot be played"),
    ("displaced-found", "what happened unseen cannot be played"),
    ("found-late", "the board tells it at the press, not later"),
    ("game-over-claim", "results that are signed are told by nobody"),
    ("agreed-correction", "the request closes the alert, and what it says goes with it"),
];

/// Cases whose events cannot give the same advice: why, and which. An id stands for the case under
/// other rule sets too.
const EXCEPTIONS: &[(&str, &[&str])] = &[
    (
        "claims are not played here: tests/claims.rs asks them",
        &[
            "ART/flag-claimed",
            "D03/claimed",
            "D03/uscf-insufficient",
            "FLAG/uscf-two-knights",
            "FLAG/uscf-blitz-knight",
            "SET/uscf-regular-seen",
            "SET/uscf-blitz-material",
            "US/answered",
            "US/touch-lost",
        ],
    ),
    (
        "an illegal answer has an alert of its own; how both net out is for the arbiter",
        &["CHAIN/standard", "CHAIN/each-gets-time", "CHAIN/none", "CHAIN/blitz-win", "CHAIN/uscf"],
    ),
    ("the press back is told as nothing of its own", &["D11/protest", "PRESS/protest-decides"]),
    (
        "it stands so from the start, and no move has made it",
        &["ART/seventy-five", "D01/stalemate", "MATE/bishops-of-one-colour", "FLAG/dead"],
    ),
    (
        "two earlier offences of one player need two moves",
        &["D14/2009-third", "COUNT/third-2009-rapid", "US/third-director"],
    ),
    ("the forgotten press was before the start", &["D10/late-press"]),
    (
        "a move and a flag within a second",
        &["ART/mate-before-the-flag", "FLAG/after-the-move", "FLAG/before-the-press"],
    ),
    ("whose hand pressed is not seen", &["D12/neighbour"]),
    ("the alert goes out at the press, before the move is made", &["D12/before"]),
    ("nobody tells the table that no adjusting was announced", &["PRESS/adjusted"]),
    (
        "the finding keeps the name of what was seen; its advice follows the setting",
        &["D13/wrong-piece-queen"],
    ),
    ("a piece of the opponent's that only vanishes may be one that the sensor lost", &["D14/enemy-removed"]),
    (
        "a piece that is only missing may be in a hand",
        &["D22/beside", "D23/knocked", "D23/again", "DISP/deliberate", "DISP/blitz", "DISP/again-black"],
    ),
    ("what is adjusted out of turn is told at the next press", &["D23/adjust"]),
    ("two pieces that no move explains are told at the press", &["ART/castling-begun"]),
    ("the alert's articles are those of its first finding", &["D15/two-hands"]),
    (
        "what a person reports opens an alert, whatever follows from it",
        &["D01/mate-two-hands", "D16/unpressed", "HANDS/uscf", "TOUCH/pinned-first"],
    ),
    ("a move that is not pressed is not in the record yet", &["D16/2017"]),
    ("for the record only: no alert follows the reply", &["TOUCH/released-answered"]),
];

/// The same for the cases of the shared folder.
const SHARED_EXCEPTIONS: &[(&str, &[&str])] = &[
    ("it stands so from the start, and no move has made it", &["STD-13", "FLG-07"]),
    (
        "the alert's articles are those of its first finding",
        &["TWO-02", "TWO-04", "FLG-04", "FLG-06", "RAP-09"],
    ),
    ("the press back is told as nothing of its own", &["PRS-04", "USC-11"]),
    ("the alert goes out at the press, before the move is made", &["PRS-05"]),
    ("an illegal answer has an alert of its own; how both net out is for the arbiter", &["CAP-08"]),
    ("for the record only: no alert follows the reply", &["TCH-02"]),
    ("what a person reports opens an alert, whatever follows from it", &["TCH-04"]),
    ("what is adjusted out of turn is told at the next press", &["TCH-07"]),
    ("a piece that is only missing may be in a hand", &["DIS-04"]),
    ("a castling from other squares looks like a rook's move and a displaced king", &["SET-08"]),
    ("a move and a flag within a second", &["FLG-03"]),
    ("claims are not played here: tests/claims.rs asks them", &["FLG-05"]),
    ("two earlier offences of one player need two moves", &["USC-10"]),
    ("played one step a second, the king rests before the rook is taken up", &["TRN-01"]),
];

/// What was found, and what is proposed for it: of alerts as they stand in the end, and of what is
/// only for the record.
struct Said {
    id: String,
    codes: Vec<&'static str>,
    advice: Advice,
    is_alert: bool,
}

fn said(text: &str) -> Vec<Said> {
    let script = script::parse(text);
    let rules = rules_of(&script.setup.ruleset, &script.setup.event_rules);
    let mut alerts: BTreeMap<String, Said> = BTreeMap::new();
    let mut ruled = Vec::new();
    let mut log = Vec::new();
    for item in script::published(&script::inputs(&script)) {
        match item {
            Publish::Alert(alert) if alert.ruling.is_some() => ruled.push(alert.id.clone()),
            Publish::Alert(alert) => {
                let codes = alert.findings.iter().map(|finding| finding.code.name()).collect();
                let is_alert = alert.state != AlertState::Withdrawn && alert.asks();
                let said = Said { id: alert.id.clone(), codes, advice: alert.advice, is_alert };
                alerts.insert(said.id.clone(), said);
            }
            Publish::Finding(finding) if finding.severity == Severity::Log => {
                let advice = advise(&finding, &rules, &Circumstances::default());
                log.push(Said {
                    id: finding.id.clone(),
                    codes: vec![finding.code.name()],
                    advice,
                    is_alert: false,
                });
            }
            _ => {}
        }
    }
    alerts.retain(|id, _| !ruled.contains(id));
    alerts.into_values().chain(log).collect()
}

fn rules_of(key: &str, event: &[(String, String)]) -> Rules {
    Rules::of_event(RuleSet::by_key(key).unwrap(), event)
}

/// Requests that tell what the arbiter has seen.
fn told(case: &Worked, before: &[Said]) -> Vec<String> {
    let rules = Rules::plain(RuleSet::by_key(case.ruleset()).unwrap());
    let seen = case.facts["arbiter_observed"] == true && rules.starts == Starts::ObservedOrClaimed;
    let ids =
        before.iter().filter(|alert| seen && alert.is_alert && alert.advice.may == May::IfSeenOrClaimed);
    ids.map(|alert| format!("ask:seen,alert={},what=action", alert.id.trim_start_matches("t-g1-"))).collect()
}

/// What of the case the alert does not say; an empty list where it agrees.
fn differences(case: &Worked) -> Result<Vec<String>, streams::CannotBePlayed> {
    let first = said(&streams::script(&case.facts, Until::Act, &[])?);
    let asked = told(case, &first);
    let all = said(&streams::script(&case.facts, Until::End, &asked)?);
    let expected = &case.expected;
    let Some(code) = expected["finding"].as_str() else {
        let loud = all.iter().filter(|said| said.is_alert);
        return Ok(loud.map(|alert| format!("raises {}", alert.id)).collect());
    };
    let also = expected["also"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let codes: Vec<&str> = std::iter::once(code).chain(also).collect();
    // Where several acts are told one by one, the case is about one of them.
    let found = codes.iter().flat_map(|code| all.iter().filter(|said| said.codes.contains(code)));
    let best = found.map(|said| compare(&said.advice, expected)).min_by_key(Vec::len);
    let ids = || all.iter().map(|said| said.id.as_str()).collect::<Vec<&str>>();
    Ok(best.unwrap_or_else(|| vec![format!("nothing of {code}: {:?}", ids())]))
}

/// What an arbiter may do, for a consequence of the case.
fn may(consequence: &str) -> &'static [May] {
    match consequence {
        "stands" | "continue" | "director-silent" => &[May::KeepOut],
        "claimable" => &[May::IfSeenOrClaimed, May::KeepOut],
        "wait-one-move" => &[May::WaitOneMove, May::IfSeenOrClaimed],
        "time-penalty" | "loss" | "win-claim" => &[May::StepIn, May::IfSeenOrClaimed, May::KeepOut],
        "draw" | "new-game" | "transfer-position" | "correct-clock" => &[May::StepIn],
        _ => &[May::StepIn, May::IfSeenOrClaimed, May::KeepOut, May::WaitOneMove, May::Nothing],
    }
}

/// The same position, whatever letters its castling rights are written with.
fn is_same(ours: Option<&str>, theirs: &Value) -> bool {
    let read = |fen: &str| Position::from_fen(fen).map(|p| Position { halfmoves: 0, fullmoves: 1, ..p });
    match (ours, theirs.as_str()) {
        (None, None) => true,
        (Some(ours), Some(theirs)) => read(ours).is_some() && read(ours) == read(theirs),
        _ => false,
    }
}

fn compare(advice: &Advice, expected: &Value) -> Vec<String> {
    let mut out = Vec::new();
    let mut same = |key: &str, ours: Value| {
        if let Some(wanted) = expected.get(key)
            && *wanted != ours
        {
            out.push(format!("{key}: {ours}, wanted {wanted}"));
        }
    };
    let consequence = expected["consequence"].as_str().unwrap_or_default();
    // Where nobody has claimed yet, the alert says what would follow if somebody did.
    let open = matches!(consequence, "claimable" | "director-silent");
    if !open {
        same("offence_number", advice.offence.into());
    }
    let time =
        advice.time.map(|gift| serde_json::json!({"to": gift.to.to_string(), "seconds": gift.seconds}));
    if !open {
        same("penalty", time.unwrap_or(Value::Null));
    }
    let decided = ["loss", "draw", "win-claim", "game-ended"];
    if decided.iter().any(|word| expected["consequence"] == *word) {
        same("result", advice.result.map_or(Value::Null, |score| score.word().into()));
    }
    let restore = advice.restore.as_ref().map(|back| back.fen.as_str());
    if !open && expected.get("restore").is_some() && !is_same(restore, &expected["restore"]) {
        out.push(format!("restore: {restore:?}, wanted {}", expected["restore"]));
    }
    if !may(consequence).contains(&advice.may) {
        out.push(format!("may: {:?} for {consequence}", advice.may));
    }
    if let Some(legal) = expected["replacement"].get("legal") {
        let ours = advice.replacement.as_ref().map(|duty| duty.legal.clone());
        if serde_json::json!(ours) != *legal {
            out.push(format!("replacement: {ours:?}, wanted {legal}"));
        }
    }
    if expected["window"]["closes"] == "opponent-release"
        && expected["window"]["open"] != advice.window_open()
    {
        out.push(format!("window: {:?}, wanted {}", advice.window, expected["window"]));
    }
    let named: Vec<&str> = advice.article.as_deref().unwrap_or_default().split(", ").collect();
    for article in expected["articles"].as_array().into_iter().flatten() {
        if !named.contains(&article.as_str().unwrap_or_default()) {
            out.push(format!("article {article} is not among {named:?}"));
        }
    }
    out
}

/// Plays all cases and compares. Every difference stands in `exceptions`, and each of those differs.
fn play_all(cases: Vec<Worked>, exceptions: &[(&'static str, &[&'static str])]) {
    let mut wrong = Vec::new();
    let mut excepted: BTreeMap<&str, bool> =
        exceptions.iter().flat_map(|(_, ids)| ids.iter().map(|id| (*id, false))).collect();
    let (mut all, mut agree) = (0, 0);
    for case in cases {
        let situation = case.facts["situation"].as_str().unwrap_or_default();
        if NOT_PLAYED.iter().any(|(name, _)| *name == situation) {
            continue;
        }
        all += 1;
        let found = match differences(&case) {
            Ok(found) => found,
            Err(why) => vec![format!("cannot be played: {why}")],
        };
        agree += usize::from(found.is_empty());
        let id = case.id.split('@').next().unwrap_or_default();
        let exact = excepted.contains_key(case.id.as_str());
        let key = if exact { case.id.as_str() } else { id };
        match (excepted.get_mut(key), found.is_empty()) {
            (Some(fails), false) => *fails = true,
            (None, false) => {
                wrong.push(format!("{} ({}): {}", case.id, case.expected["consequence"], found.join("; ")))
            }
            _ => {}
        }
    }
    let spare: Vec<&str> = excepted.iter().filter(|(_, fails)| !**fails).map(|(id, _)| *id).collect();
    println!("{agree} of {all} cases give the same advice as events");
    assert!(spare.is_empty(), "no exceptions any more: {}", spare.join(", "));
    assert!(wrong.is_empty(), "{} of {all} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn cases_played_as_events_give_the_same_advice() {
    play_all(worked::all(), EXCEPTIONS);
}

/// The same with the cases of a shared folder, where there is one.
#[test]
fn shared_cases_played_as_events_give_the_same_advice() {
    let Some(shared) = std::env::var_os("JADOUBE_SHARED") else { return };
    let path = std::path::PathBuf::from(shared).join("cases/laws.json");
    if path.is_file() {
        play_all(worked::of_file(&path), SHARED_EXCEPTIONS);
    }
}
