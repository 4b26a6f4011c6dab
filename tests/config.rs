//! Wrong configurations: every mistake is named at once, with its line and what is allowed.

use std::path::Path;

use jadoube::daemon::config::check::{self, Severity};
use jadoube::daemon::config::environment::VARIABLES;
use jadoube::daemon::config::{Broker, Config, KEYS};
use jadoube::laws::{RuleSet, Rules, SETTINGS, Topic};

const GOOD: &str = r#"journal_dir = "j"
[event]
ruleset = "fide-2023/standard"
[[board]]
id = "b1"
port = "/dev/ttyUSB0"
"#;

fn parse(text: &str) -> Result<Config, String> {
    Config::parse(text, Path::new("/etc/jadoube/room.toml")).map_err(|error| error.to_string())
}

#[test]
fn a_short_configuration_has_sensible_defaults() {
    let config = parse(GOOD).unwrap();
    assert_eq!(config.broker, Broker::Embedded { port: 1883 });
    assert_eq!(config.journal_dir, Path::new("/etc/jadoube/j"));
    assert_eq!(config.event.time_control, None);
    assert!(!config.node.as_str().is_empty());
    assert_eq!(config.setup(&config.boards[0].id).ruleset, "fide-2023/standard");
}

#[test]
fn the_public_waits_as_long_as_the_event_says_and_a_held_board_longer() {
    let more = "hold = true\n[[board]]\nid = \"b2\"\nport = \"/dev/x\"\n[broadcast]\ndelay_minutes = 15\n\
                delay_moves = 3\n[records]\nround = \"2\"\n";
    let config = parse(&format!("{GOOD}{more}")).unwrap();
    let (held, other) = (config.delay(&config.boards[0].id), config.delay(&config.boards[1].id));
    assert_eq!((other.time.ms(), other.plies, other.held), (900_000, 6, false));
    assert!(held.held && held.time == other.time);
    let records = config.records.unwrap();
    assert_eq!(records.dir, Path::new("/etc/jadoube/j/records"));
    assert_eq!((records.event.as_str(), records.round.as_str()), ("?", "2"));
    assert_eq!(parse(GOOD).unwrap().records, None);
}

/// What is written after a good beginning, and what the message must say.
#[test]
fn each_mistake_says_where_what_and_what_is_allowed() {
    let rows: &[(&str, &[&str])] = &[
        ("colour = 1\n", &["line 7", "\"colour\"", "[[board]]", "allowed: id, port, serial"]),
        ("serial = \"12 34\"\n", &["line 7", "serial is \"12 34\"", "boards --ask"]),
        ("serial = 12345\n", &["line 7", "serial has the wrong type: integer"]),
        (
            "serial = \"12345\"\n[[board]]\nid = \"b2\"\nserial = \"12345\"\n",
            &["line 10", "serial \"12345\" is given twice"],
        ),
        ("[ports]\nlook_in = [\"ttyUSB*\"]\n", &["line 8", "ttyUSB*", "a path from /"]),
        ("[ports]\nlook_in = \"/dev/ttyUSB0\"\n", &["line 8", "look_in has the wrong type", "a list"]),
        ("[broker]\nhost = \"mqtt://u:geheim@h\"\n", &["line 8", "host is no host name"]),
        ("[broker]\nhost = \"h\"\npassword = \"geheim\"\n", &["line 9", "password_file", "****"]),
        ("hold = 1\n", &["line 7", "hold has the wrong type: integer", "true or false"]),
        ("[broadcast]\ndelay_minutes = -1\n", &["line 8", "delay_minutes is -1", "0 to 1440"]),
        ("[broadcast]\ndelay = 1\n", &["line 8", "\"delay\"", "delay_minutes, delay_moves"]),
        ("[records]\nround = 3\n", &["line 8", "round has the wrong type: integer", "a text in quotes"]),
        ("[records]\ndir = \"\"\n", &["line 8", "dir is empty"]),
        ("white_sits = \"north\"\n", &["line 7", "white_sits is \"north\"", "rank-1", "rank-8"]),
        ("[[board]]\nid = \"b1\"\nport = \"/dev/x\"\n", &["line 8", "\"b1\" is given twice"]),
        ("[[board]]\nid = \"b2\"\nport = \"/dev/ttyUSB0\"\n", &["line 9", "/dev/ttyUSB0", "given twice"]),
        ("[[board]]\nid = \"b2\"\n", &["line 7", "port is missing in [[board]]"]),
        ("[[board]]\nid = \"a/b\"\nport = \"x\"\n", &["line 8", "'a/b'", "letters, digits"]),
        (
            "[[board]]\nid = 7\nport = \"x\"\n",
            &["line 8", "id has the wrong type: integer", "a text in quotes"],
        ),
        ("[broker]\nhost = \"h\"\nport = 99999\n", &["line 9", "port is 99999", "0 to 65535"]),
        (
            "[broker]\nhost = \"h\"\nport = \"1883\"\n",
            &["line 9", "port has the wrong type: string", "whole number"],
        ),
        (
            "[broker]\nhost = \"h\"\nport = 0\n",
            &["line 9", "port 0 is for the embedded broker only", "1 to 65535"],
        ),
        ("[broker]\nuser = \"u\"\n", &["line 8", "user is given without host"]),
        (
            "[broker]\nhost = \"h\"\nuser = \"u\"\npassword_file = \"/nonexistent/p\"\n",
            &["line 10", "/nonexistent/p cannot be read"],
        ),
        ("[broker]\nhots = \"h\"\n", &["line 8", "\"hots\"", "allowed: host, port, user, password_file"]),
        ("[node]\nname = \"a+b\"\n", &["line 8", "'a+b'", "MQTT topic"]),
        (
            "[nodes]\n",
            &[
                "line 7",
                "\"nodes\"",
                "not known in the file",
                "journal_dir, resume_hours, keep_days, event, settings, board, ports, broadcast, records, broker, metrics, node",
            ],
        ),
        ("[node\n", &["line 7", "not TOML"]),
    ];
    for (rest, words) in rows {
        let error = parse(&format!("{GOOD}{rest}")).unwrap_err();
        assert!(error.contains("/etc/jadoube/room.toml"), "{error}");
        for word in *words {
            assert!(error.contains(word), "{rest:?} must say {word:?}:\n{error}");
        }
        assert!(!error.contains("geheim"), "a secret is shown:\n{error}");
    }
}

#[test]
fn a_board_has_a_port_or_a_serial_number() {
    let of = |keys: &str| parse(&GOOD.replace("port = \"/dev/ttyUSB0\"", keys));
    let board = |keys: &str| of(keys).unwrap().boards.remove(0);
    assert_eq!(board("serial = \"12345\"").place(), "serial number 12345");
    let both = board("serial = \"3000012345\"\nport = \"/dev/ttyUSB0\"");
    assert_eq!((both.place().as_str(), both.serial.as_deref()), ("/dev/ttyUSB0", Some("3000012345")));
    assert!(of("").unwrap_err().contains("port is missing in [[board]]"));
}

/// What a configuration gives cause to say, by name.
fn remarks(config: &Config, day: &str) -> Vec<(String, Severity)> {
    let remarks = check::remarks(config, day).into_iter();
    let told = remarks.filter(|remark| !remark.name.starts_with("port-missing"));
    told.map(|remark| (remark.name, remark.severity)).collect()
}

#[test]
fn what_may_be_read_and_is_not_what_the_event_wants_is_told() {
    let base = GOOD.replace("\"j\"", &format!("{:?}", std::env::temp_dir()));
    let of = |from: &str, to: &str| {
        let config = parse(&format!("{}[broker]\nhost = \"h\"\n", base.replace(from, to))).unwrap();
        remarks(&config, "2026-11-30").into_iter().map(|(name, _)| name).collect::<Vec<_>>()
    };
    assert_eq!(of("", ""), [""; 0]);
    assert_eq!(of("fide-2023/standard", "fide-2014/standard"), ["rules-date"]);
    let time = |ruleset: &str, base_s: u32, inc_s: u32| {
        let to = format!("\"{ruleset}\"\nbase_s = {base_s}\ninc_s = {inc_s}");
        of("\"fide-2023/standard\"", &to).contains(&"time-control".to_owned())
    };
    for (ruleset, base_s, inc_s, told) in [
        ("fide-2023/standard", 5400, 30, false),
        ("fide-2023/standard", 3000, 10, false),
        ("fide-2023/standard", 900, 10, true),
        ("fide-2023/rapid-a5", 900, 10, false),
        ("fide-2023/rapid-a5", 600, 0, true),
        ("fide-2023/rapid-a5", 5400, 30, true),
        ("fide-2023/blitz-b3", 180, 2, false),
        ("fide-2023/blitz-b3", 600, 0, false),
        ("fide-2023/blitz-b3", 5400, 0, true),
        ("fide-2009/rapid-a4", 900, 0, false),
        ("fide-2009/rapid-a4", 3600, 0, false),
        ("fide-2009/rapid-a4", 840, 0, true),
        ("uscf/blitz", 5400, 0, false),
    ] {
        assert_eq!(time(ruleset, base_s, inc_s), told, "{ruleset} {base_s}+{inc_s}");
    }
    let second = |id: &str, port: &str| {
        of(
            "port = \"/dev/ttyUSB0\"",
            &format!("port = \"/dev/ttyUSB0\"\n[[board]]\nid = \"{id}\"\nport = \"{port}\""),
        )
    };
    assert_eq!(second("b2", "/dev/ttyUSB1"), ["port-names"]);
    assert_eq!(second("B1", "/dev/x"), ["board-names-B1"]);
}

#[test]
fn two_names_of_one_port_are_found() {
    let dir = std::env::temp_dir().join(format!("jadoube-two-names-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let link = dir.join("by-id");
    let _ = std::fs::remove_file(&link);
    std::os::unix::fs::symlink("/dev/null", &link).unwrap();
    let text = format!(
        "[event]\nruleset = \"fide-2023/standard\"\n[broker]\nhost = \"h\"\n[[board]]\nid = \"1\"\n\
         port = \"/dev/null\"\n[[board]]\nid = \"2\"\nport = {link:?}\n"
    );
    let shared = |text: &str| remarks(&parse(text).unwrap(), "2026-11-30");
    let told = shared(&text);
    let numbered = shared(&text.replace("id = \"2\"", "id = \"2\"\nserial = \"1\""));
    std::fs::remove_dir_all(&dir).unwrap();
    assert!(told.contains(&("port-shared-2".to_owned(), Severity::Error)), "{told:?}");
    assert!(!numbered.iter().any(|(name, _)| name == "port-shared-2"), "{numbered:?}");
}

#[test]
fn settings_are_those_of_the_laws() {
    let (_, keys) = KEYS.iter().find(|(name, _)| *name == "[settings]").unwrap();
    let names: Vec<&str> = SETTINGS.iter().map(|setting| setting.name).collect();
    assert_eq!(*keys, names);
    let config = parse(&format!("{GOOD}[settings]\nb2_seconds = 60\nschedule_at_risk = true\n")).unwrap();
    let setup = config.setup(&config.boards[0].id);
    let pairs: Vec<(&str, &str)> = setup.event_rules.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    assert_eq!(pairs, [("b2_seconds", "60"), ("schedule_at_risk", "true")]);
    let error = parse(&format!("{GOOD}[settings]\nb2_seconds = 90\nb3_seconds = 60\n")).unwrap_err();
    for word in ["line 8: b2_seconds is 90", "allowed: 120, 60", "line 9", "\"b3_seconds\"", "protest_press"]
    {
        assert!(error.contains(word), "{word:?}:\n{error}");
    }
}

/// A rule-set file of the event, and what must be said of it.
fn with_rules_file(rules: &str) -> Result<Config, String> {
    static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let count = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let file = std::env::temp_dir().join(format!("jadoube-rules-{}-{count}.toml", std::process::id()));
    std::fs::write(&file, rules).unwrap();
    let line = format!("rules_file = {file:?}");
    let result = parse(&GOOD.replace("ruleset = \"fide-2023/standard\"", &line));
    std::fs::remove_file(&file).unwrap();
    result
}

#[test]
fn an_event_may_have_rules_of_its_own() {
    let own = "extends = \"fide-2023/rapid-a5\"\nname = \"County rapid\"\nseconds = 120\nloses_at = \"never\"\n[articles]\nseconds = \"Regulation 7\"\n";
    let config = with_rules_file(own).unwrap();
    let setup = config.setup(&config.boards[0].id);
    let rules = Rules::of_event(RuleSet::by_key(&setup.ruleset).unwrap(), &setup.event_rules);
    assert_eq!((rules.title().as_str(), rules.key), ("County rapid", "fide-2023/rapid-a5"));
    assert_eq!((rules.seconds(false), rules.loses_at), (Some(120), None));
    assert_eq!(rules.articles(Topic::Seconds), ["Regulation 7"]);
}

#[test]
fn mistakes_in_an_events_own_rules_are_explained() {
    let rows: &[(&str, &[&str])] = &[
        ("seconds = 60\n", &["line 1", "extends is missing", "fide-2023/rapid-a5"]),
        ("extends = \"fide-2024/x\"\n", &["line 1", "\"fide-2024/x\" names no rule set", "uscf/blitz"]),
        (
            "extends = \"uscf/blitz\"\nseconds = 0\nsecnds = 3\n",
            &["line 2: seconds is 0", "1 to 3600", "line 3", "\"secnds\"", "loses_at"],
        ),
        (
            "extends = \"uscf/blitz\"\n[articles]\nillegal = \"7\"\n",
            &["line 3", "articles.illegal", "illegal-move"],
        ),
        ("extends = \n", &["line 1", "not TOML"]),
    ];
    for (text, words) in rows {
        let error = with_rules_file(text).unwrap_err();
        assert!(error.contains("jadoube-rules-"), "{error}");
        for word in *words {
            assert!(error.contains(word), "{text:?} must say {word:?}:\n{error}");
        }
    }
    let both = GOOD.replace("[[board]]", "rules_file = \"own.toml\"\n[[board]]");
    assert!(parse(&both).unwrap_err().contains("both ruleset and rules_file"));
}

#[test]
fn a_journal_dir_must_be_a_directory_or_become_one() {
    let error = parse(&GOOD.replace("\"j\"", "\"\"")).unwrap_err();
    assert!(error.contains("line 1: journal_dir is empty"), "{error}");
    let file = std::env::temp_dir().join(format!("jadoube-no-directory-{}", std::process::id()));
    std::fs::write(&file, "").unwrap();
    let result = parse(&GOOD.replace("\"j\"", &format!("{file:?}")));
    std::fs::remove_file(&file).unwrap();
    let error = result.unwrap_err();
    assert!(error.contains("line 1: journal_dir") && error.contains("is no directory"), "{error}");
}

#[test]
fn an_unknown_rule_set_lists_those_that_exist() {
    let error = parse(&GOOD.replace("fide-2023/standard", "fide-1997/standard")).unwrap_err();
    for word in ["line 3", "fide-1997/standard", "allowed: ", "fide-2023/standard"] {
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn all_mistakes_are_told_at_once() {
    let error = parse(
        "[event]\nruleset = \"x\"\nbase_s = \"ten\"\ninc_s = -1\n[[board]]\nidd = \"b\"\n[broker]\nport = 1.5\n",
    )
    .unwrap_err();
    for word in [
        "line 2",
        "line 3",
        "line 4",
        "line 6",
        "line 8",
        "\"idd\"",
        "id is missing",
        "port is missing",
        "-1",
    ] {
        assert!(error.contains(word), "{word}:\n{error}");
    }
}

#[test]
fn an_empty_file_says_what_is_needed() {
    let error = parse("").unwrap_err();
    assert!(error.contains("event is missing") && error.contains("board is missing"), "{error}");
}

#[test]
fn a_missing_file_is_named() {
    let error = Config::load(Path::new("/nonexistent/room.toml")).unwrap_err().to_string();
    assert!(error.contains("/nonexistent/room.toml"), "{error}");
}

/// Keys that the example has as comments only.
const AS_COMMENTS: [&str; 5] = ["rules_file", "ca_file", "client_cert", "client_key", "listen"];

/// The example documents every key, and says nothing that is wrong.
#[test]
fn the_example_is_complete() {
    let example = include_str!("../systemd/jadoube.toml");
    let tree: toml::Table = example.parse().unwrap();
    for (table, keys) in KEYS {
        for key in keys {
            let found = match table {
                "" => tree.contains_key(*key),
                // Instead of others, or with files that a check would look for: there as a comment.
                _ if AS_COMMENTS.contains(key) && table != "[metrics]" => {
                    example.contains(&format!("# {key} = "))
                }
                "[[board]]" => tree["board"][0].get(key).is_some(),
                name => tree[name.trim_matches(['[', ']'])].get(key).is_some(),
            };
            assert!(found, "{key} of {table} is not in the example");
        }
    }
    for (name, _) in VARIABLES.iter().filter(|(name, _)| name.starts_with("JADOUBE_")) {
        assert!(example.contains(name), "{name} is not in the example");
    }
    // Only the password file, which belongs to the machine, may be missing.
    let dir = std::env::temp_dir();
    let password = dir.join(format!("jadoube-example-{}", std::process::id()));
    std::fs::write(&password, "secret\n").unwrap();
    let text = example.replace("/etc/jadoube/password", password.to_str().unwrap());
    let config = parse(&text);
    std::fs::remove_file(&password).unwrap();
    assert_eq!(config.unwrap().boards.len(), 2);
}

#[test]
fn shadow_mode_is_of_the_event_a_board_or_a_rule() {
    let text = "[event]\nruleset = \"fide-2023/standard\"\nshadow = true\nshadow_rules = [\"two-hands\"]\n\
                [[board]]\nid = \"1\"\nport = \"/dev/a\"\n[[board]]\nid = \"2\"\nport = \"/dev/b\"\nshadow = false\n";
    let config = parse(text).unwrap();
    let shadow = |n: usize| config.setup(&config.boards[n].id).shadow;
    assert!(shadow(0).board && !shadow(1).board);
    assert_eq!(shadow(1).rules, ["two-hands"]);
    let error = parse(&text.replace("two-hands", "three-hands")).unwrap_err();
    assert!(error.contains("\"three-hands\"") && error.contains("two-hands, "), "{error}");
    assert!(parse(&text.replace("= true", "= 1")).unwrap_err().contains("allowed: true or false"));
}

#[test]
fn an_event_with_a_name_has_its_journals_in_a_folder_of_that_name() {
    let text = "journal_dir = \"j\"\nkeep_days = 30\n[event]\nruleset = \"fide-2023/standard\"\n[[board]]\nid = \"1\"\nport = \"/dev/a\"\n";
    let plain = parse(text).unwrap();
    assert_eq!(plain.journals(), plain.journal_dir);
    assert_eq!(plain.keep, Some(std::time::Duration::from_secs(30 * 86_400)));
    let named = parse(&text.replace("ruleset", "name = \"open-2026\"\nruleset")).unwrap();
    assert_eq!(named.journals(), plain.journal_dir.join("open-2026"));
    for wrong in ["..", "a/b", ""] {
        let error = parse(&text.replace("ruleset", &format!("name = \"{wrong}\"\nruleset"))).unwrap_err();
        assert!(error.contains("line 4") && error.contains("folder"), "{error}");
    }
    let error = parse(&text.replace("= 30", "= 0")).unwrap_err();
    assert!(error.contains("keep_days") && error.contains("36500"), "{error}");
}
