//! The contract as documents: JSON Schemas, the AsyncAPI document and the tables of docs/MQTT.md are
//! the ones written from the list of fields, and everything that is published fits them.
//! `UPDATE_GOLDEN=1 cargo test --test schemas` writes them anew; a field that goes, or holds something
//! else, is another version of its message.
#![cfg(feature = "daemon")]
#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)]

#[path = "support/golden.rs"]
mod golden;
#[path = "support/published.rs"]
mod published;
#[path = "support/script.rs"]
mod script;
// The room shows and measures more than this program needs.
#[allow(dead_code)]
mod room {
    pub mod begin;
    pub mod chess;
    pub mod claims;
    pub mod clockwork;
    pub mod draws;
    pub mod drive;
    pub mod faults;
    pub mod game;
    pub mod hands;
    pub mod incidents;
    pub mod profile;
    pub mod rng;
    pub mod sense;
    pub mod settings;
    pub mod stage;
    pub mod starts;
    pub mod truth;
}

use std::path::{Path, PathBuf};

use golden::{Shown, golden, messages, pretty, root};
use jadoube::alerts::{COMMON, KeyKind, Request, VERBS, Verb, VerbShape};
use jadoube::contract::{
    Broadcast, CHANNELS, Delay, MESSAGES, asyncapi, drafts, parse_request, request_schema, schema, schemas,
    strict_schema, with_tables,
};
use jadoube::daemon::outbox::Outbox;
use jadoube::events::{BoardId, Shadow};
use jadoube::laws::{ClaimKind, PlayersClaim};
use jadoube::mating::Budget;
use jadoube::table::{Effects, Input, Publish, Table};
use jadoube::tick::{Span, Tick};
use proptest::prelude::*;
use published::Published;
use room::drive::inputs;
use room::game::simulate;
use room::profile::Profile;
use serde_json::{Map, Value, json};
use shakmaty::{Color, Square};

/// Files of `fixtures/contract/` that hold messages.
const SHOWN: &[&str] = &[
    "alert-illegal-move-blitz-b3.txt",
    "alert-illegal-move-standard.txt",
    "alert-pawn-not-promoted-rapid-a5.txt",
    "alert-press-without-move-standard.txt",
    "claim.txt",
    "game.txt",
    "messages.txt",
    "room.txt",
    "ruling.txt",
];

#[test]
fn schemas_are_the_generated_ones() {
    let mut files = Vec::new();
    for (name, schema) in schemas() {
        assert!(jsonschema::meta::is_valid(&schema), "{name} is no schema");
        golden(&format!("schemas/{name}"), &pretty(&schema));
        files.push(root().join("schemas").join(name));
    }
    for folder in ["schemas", "schemas/request"] {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            assert!(path.is_dir() || files.contains(&path), "{} is of no message", path.display());
        }
    }
}

/// Stamped as the daemon does it; the messages of the room have their own.
fn stamped((path, retain, body): Shown) -> Shown {
    let body = body.map(|mut body| {
        if body.get("epoch").is_none() {
            body["epoch"] = 1_800_000_000_000_u64.into();
            body["seq"] = 17.into();
        }
        body
    });
    (path, retain, body)
}

#[test]
fn the_asyncapi_document_is_the_generated_one() {
    // One example of each form is enough.
    let mut examples: Vec<Value> = Vec::new();
    for file in SHOWN {
        for (_, _, body) in messages(file).into_iter().map(stamped) {
            let Some(body) = body else { continue };
            let form = |of: &Value| (of["schema"].clone(), of["kind"].clone(), of["ok"].clone());
            if !examples.iter().any(|other| form(other) == form(&body)) {
                examples.push(body);
            }
        }
    }
    for message in MESSAGES {
        assert!(
            examples.iter().any(|example| example["schema"] == message.schema()),
            "{} has no example",
            message.name
        );
    }
    let document = asyncapi(&examples);
    shows_what_fits(&document);
    golden("asyncapi/jadoube-1.json", &pretty(&document));
}

/// Each example fits its message, by the schema as it stands in the document, which readers of AsyncAPI
/// take for one of draft 7.
fn shows_what_fits(document: &Value) {
    let messages = document["components"]["messages"].as_object().unwrap();
    let mut shown = 0;
    for (name, message) in messages {
        let whole = json!({"allOf": [message["payload"]], "components": document["components"]});
        let fits = jsonschema::draft7::new(&whole).unwrap_or_else(|error| panic!("{name}: {error}"));
        for example in message["examples"].as_array().into_iter().flatten() {
            let mut payload = example["payload"].clone();
            assert!(fits.is_valid(&payload), "{name}: {payload:#}");
            payload["epoch"] = "today".into();
            assert!(!fits.is_valid(&payload), "{name}: anything fits");
            shown += 1;
        }
    }
    assert!(shown >= MESSAGES.len(), "{shown} examples");
}

#[test]
fn the_tables_of_the_page_are_the_generated_ones() {
    let page = std::fs::read_to_string(root().join("docs/MQTT.md")).unwrap();
    for message in MESSAGES {
        assert!(
            page.contains(&format!("<!-- fields {} -->\n", message.name)),
            "{} has no table",
            message.name
        );
    }
    golden("docs/MQTT.md", &with_tables(&page));
}

/// What a step published, to people and to the public.
fn take(out: &mut Effects, at: Tick, board: &BoardId, public: &mut Broadcast, published: &mut Published) {
    for publish in out.publish.drain(..) {
        drafts(&publish, board).iter().for_each(|draft| published.check(draft));
        public.take(&publish);
    }
    public.release(at).iter().for_each(|draft| published.check(draft));
}

/// All claims of both players, whether they make sense or not.
fn claims() -> Vec<Verb> {
    let mut out = Vec::new();
    let details = [None, Some("Nf3"), Some("Ke2")].map(|written| (written, None));
    let squares = [Square::E4, Square::G1, Square::B8].map(|square| (None, Some(square)));
    for by in [Color::White, Color::Black] {
        for of in ClaimKind::ALL {
            for (written, square) in details.into_iter().chain(squares) {
                let written = written.map(str::to_owned);
                out.push(Verb::Claim(PlayersClaim { by, of: *of, written, square }));
            }
        }
    }
    out
}

/// Verbs as they come, by name and keys.
fn read(requests: &[(&str, Value)]) -> Vec<Verb> {
    let one = |(name, keys): &(&str, Value)| {
        Verb::read(name, keys.as_object().unwrap()).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    requests.iter().map(one).collect()
}

/// What is entered on an open alert.
fn entered_on(alert: &str) -> Vec<Verb> {
    read(&[
        ("zone", json!({"arbiter": "second arbiter"})),
        ("acknowledge", json!({"alert": alert, "to": "second arbiter"})),
        ("evidence", json!({"alert": alert, "from": "witness", "what": "he saw it too"})),
        (
            "rule",
            json!({"alert": alert, "ruling": "upheld", "why": "seen", "penalty": "time", "seconds": 60}),
        ),
        ("protest", json!({"alert": alert, "player": "white", "what": "the clock was wrong"})),
    ])
}

/// What is entered about a board, and asked of it.
fn entered_on_board() -> Vec<Verb> {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    read(&[
        ("contacts", json!({"seconds": 600})),
        ("pairing", json!({"white": "A. White", "black": "B. Black"})),
        ("zone", json!({"arbiter": "second arbiter"})),
        ("mute", json!({"code": "clock-paused"})),
        ("profile", json!({"ruleset": "fide-2023/rapid-a4"})),
        ("clock-set", json!({"white_s": 60, "black_s": 60, "white_moves": 9, "black_moves": 9})),
        ("result", json!({"result": "0-0", "why": "both have left"})),
        ("games", json!({})),
        ("new-game", json!({"fen": start})),
        ("games", json!({})),
        ("hold", json!({"feed": "held"})),
    ])
}

/// Plays inputs; then an arbiter rules on what is open, and puts every claim.
fn play(inputs: Vec<(Tick, Input)>, published: &mut Published) {
    let board = BoardId::new("b1").unwrap();
    let (mut table, mut out) = (Table::solving(Budget::nodes(1_000)), Effects::default());
    let mut public = Broadcast::new(board.clone(), Delay::default());
    let (mut last, mut open) = (Tick::ZERO, Vec::new());
    for (at, input) in inputs {
        table.step(at, input, &mut out);
        for publish in &out.publish {
            if let Publish::State(state) = publish {
                open.clone_from(&state.open_alerts);
            }
        }
        take(&mut out, at, &board, &mut public, published);
        last = at;
    }
    let about = open.iter().flat_map(|alert| entered_on(alert)).chain(claims()).chain(entered_on_board());
    for (n, verb) in about.enumerate() {
        last = last + Span::from_ms(10);
        let request = Request { id: format!("last-{n}"), by: "arbiter".to_owned(), verb };
        table.step(last, Input::Request(request), &mut out);
        take(&mut out, last, &board, &mut public, published);
    }
    public.set_result(Some("1-0"), last);
    take(&mut out, last, &board, &mut public, published);
}

/// The scripts of a folder and of those in it.
fn scripts(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            out.extend(scripts(&path));
        } else if path.extension().is_some_and(|end| end == "txt") {
            out.push(path);
        }
    }
    out
}

/// Fields that the sources here do not give, and which test has them.
const ELSEWHERE: &[&str] = &[
    // A wrong claim costs time at most; the object is that of a right one.
    "response done.report claim.if_wrong.restore",
    "response done.report claim.if_wrong.result",
];

/// What becomes of an alert of an earlier run that the broker has kept.
fn close_what_was_left(published: &mut Published) {
    let mut outbox = Outbox::new("jadoube", "hall", 1_800_000_000_001);
    let left = example("jadoube.alert/1");
    let topic = format!("jadoube/v1/hall/arbiter/b1/alerts/{}", left["id"].as_str().unwrap());
    outbox.found(&topic, left.to_string().as_bytes()).expect("it is of an earlier run");
    let mut told = 0;
    while let Some((_, message)) = outbox.next(std::time::Instant::now()) {
        published.heard(&message.topic, message.retain, std::str::from_utf8(&message.payload).unwrap());
        told += 1;
    }
    assert_eq!(told, 2, "the log, and the topic cleared");
}

#[test]
fn what_is_published_is_listed_and_what_is_listed_is_published() {
    let mut published = Published::new();
    for file in SHOWN {
        for (path, retain, body) in messages(file).into_iter().map(stamped) {
            let wrong = published.wrong(&path, retain, body.as_ref());
            assert_eq!(wrong, None, "{file}");
        }
    }
    close_what_was_left(&mut published);
    let profiles = [
        (Profile::Irregular, 60),
        (Profile::IrregularNoisy, 20),
        (Profile::Endings, 25),
        (Profile::Links, 15),
        (Profile::Worst, 6),
        (Profile::Clean, 3),
        (Profile::Occupancy, 15),
        (Profile::Chess960, 5),
        (Profile::Endgames, 15),
    ];
    for (profile, seeds) in profiles {
        for seed in 0..seeds {
            let session =
                simulate(profile, seed).unwrap_or_else(|error| panic!("{profile:?} {seed}: {error}"));
            play(inputs(&session.rows, &Shadow::default()), &mut published);
        }
    }
    for folder in ["fixtures/laws", "fixtures/desk", "fixtures/field-reports/scripts"] {
        for path in scripts(&root().join(folder)) {
            let script = script::parse(&std::fs::read_to_string(&path).unwrap());
            play(script::inputs(&script), &mut published);
        }
    }
    eprintln!("{:?}", published.count);
    assert!(published.faults.is_empty(), "{:#?}", published.faults);
    let unseen: Vec<String> =
        published.unseen().into_iter().filter(|field| !ELSEWHERE.contains(&field.as_str())).collect();
    assert!(unseen.is_empty(), "listed, and never published: {unseen:#?}");
}

fn valid(schema: &Value, body: &Value) -> bool {
    jsonschema::draft202012::is_valid(schema, body)
}

/// The example of this schema.
fn example(schema: &str) -> Value {
    let all = SHOWN.iter().flat_map(|file| messages(file)).map(stamped);
    all.filter_map(|(_, _, body)| body).find(|body| body["schema"] == schema).unwrap()
}

#[test]
fn what_is_given_away_is_open_and_what_tests_use_is_not() {
    let message = MESSAGES.iter().find(|message| message.name == "alert").unwrap();
    let (open, strict) = (schema(message), strict_schema(message));
    let alert = example("jadoube.alert/1");
    assert!(valid(&open, &alert) && valid(&strict, &alert));
    let changed = |pointer: &str, value: Value| {
        let mut alert = alert.clone();
        *alert.pointer_mut(pointer).unwrap() = value;
        alert
    };
    // What may come without a new version: a field anywhere, a word where more may come.
    let mut more = alert.clone();
    more["mood"] = "grave".into();
    let mut inside = alert.clone();
    inside["restore"]["mood"] = "grave".into();
    for newer in [more, inside, changed("/code", "new-finding".into()), changed("/format", "bullet".into())] {
        assert!(valid(&open, &newer) && !valid(&strict, &newer), "{newer:#}");
    }
    // What may not.
    let mut less = alert.clone();
    less.as_object_mut().unwrap().shift_remove("steps");
    for other in [
        less,
        changed("/state", "asleep".into()),
        changed("/t_ms", "12".into()),
        changed("/what", Value::Null),
        changed("/restore/fen", "somewhere".into()),
        changed("/schema", "jadoube.alert/2".into()),
    ] {
        assert!(!valid(&open, &other) && !valid(&strict, &other), "{other:#}");
    }
}

#[test]
fn channels_and_messages_belong_together() {
    for channel in CHANNELS {
        let known = |name: &&&str| MESSAGES.iter().any(|message| message.name == **name);
        assert!(channel.messages.iter().all(|name| known(&name)), "{}", channel.name);
    }
    for message in MESSAGES {
        let goes = CHANNELS.iter().any(|channel| channel.messages.contains(&message.name));
        assert!(goes, "{} goes nowhere", message.name);
    }
}

/// A value that a key may hold, or one that comes near it.
fn near(kind: KeyKind) -> BoxedStrategy<Value> {
    let text = prop_oneof![
        20 => Just(json!("b1-g1-p9-illegal-move-1")),
        1 => Just(json!("")),
        1 => Just(json!(" ")),
        1 => Just(json!("a\u{7}")),
        1 => Just(json!("x".repeat(128))),
        1 => Just(json!("é".repeat(129))),
        1 => "\\PC{1,9}".prop_map(|text| json!(text)),
    ];
    let other = prop_oneof![Just(Value::Null), Just(json!(true)), Just(json!({})), Just(json!(-1))];
    let own = match kind {
        KeyKind::Text => text.clone().boxed(),
        KeyKind::Word(words) => proptest::sample::select(words.to_vec()).prop_map(|word| json!(word)).boxed(),
        KeyKind::Code => prop_oneof![5 => Just(json!("two-hands")), 1 => Just(json!("none"))].boxed(),
        KeyKind::Square => {
            prop_oneof![6 => Just(json!("e4")), 1 => Just(json!("e9")), 1 => Just(json!("E4")), 1 => Just(json!("e44"))].boxed()
        }
        KeyKind::Count => prop_oneof![0..=100_001_u64, Just(100_000)].prop_map(|n| json!(n)).boxed(),
        KeyKind::Fen => prop_oneof![
            4 => Just(json!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")),
            1 => Just(json!("nowhere")),
        ]
        .boxed(),
        KeyKind::RuleSet => prop_oneof![
            3 => Just(json!("fide-2023/standard")),
            3 => Just(json!("event")),
            1 => Just(json!("fide-1066/standard")),
        ]
        .boxed(),
        KeyKind::Moment => any::<u64>().prop_map(|ms| json!(ms)).boxed(),
        KeyKind::Counts => prop_oneof![
            3 => proptest::collection::vec(prop_oneof![1 => Just(0), 9 => 1..4_u32], 0..4).prop_map(|list| json!(list)),
            1 => proptest::collection::vec(1..9_u32, 511..514).prop_map(|list| json!(list)),
        ]
        .boxed(),
    };
    prop_oneof![40 => own, 1 => text, 1 => other].boxed()
}

/// A request of this verb, right or nearly so.
fn request(verb: &'static VerbShape) -> BoxedStrategy<Value> {
    let mut parts = vec![
        (
            "schema",
            proptest::option::weighted(
                0.2,
                prop_oneof![Just(json!("jadoube.request/1")), Just(json!(1))].boxed(),
            )
            .boxed(),
        ),
        ("other", proptest::option::weighted(0.03, Just(json!(1)).boxed()).boxed()),
    ];
    parts.extend(COMMON.iter().chain(verb.keys).map(|key| {
        (key.name, proptest::option::weighted(if key.needed { 0.95 } else { 0.5 }, near(key.kind)).boxed())
    }));
    let (names, values): (Vec<&str>, Vec<_>) = parts.into_iter().unzip();
    values
        .prop_map(move |values| {
            let given =
                names.iter().zip(values).filter_map(|(name, value)| Some(((*name).to_owned(), value?)));
            Value::Object(given.collect::<Map<_, _>>())
        })
        .boxed()
}

/// Verbs of which the daemon refuses more: keys that go together or not, a time that is too long, a
/// position that is none.
const BETWEEN_KEYS: &[&str] = &["rule", "position", "new-game", "profile", "clock-set", "contacts"];

/// The schema of a request refuses what the daemon refuses, and nothing else.
#[test]
fn request_schemas_are_as_strict_as_the_daemon() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for verb in VERBS {
        let validator = jsonschema::draft202012::new(&request_schema(verb)).unwrap();
        let (mut taken, mut refused) = (0, 0);
        for _ in 0..600 {
            let body = request(verb).new_tree(&mut runner).unwrap().current();
            let text = body.to_string();
            if text.len() > 4096 {
                continue;
            }
            let answer = parse_request(verb.name, text.as_bytes());
            let valid = validator.is_valid(&body);
            let may_differ = valid && BETWEEN_KEYS.contains(&verb.name);
            assert!(valid == answer.is_ok() || may_differ, "{}: {text}: {answer:?}", verb.name);
            *if answer.is_ok() { &mut taken } else { &mut refused } += 1;
        }
        assert!(taken > 50 && refused > 50, "{}: {taken} taken, {refused} refused", verb.name);
    }
}
