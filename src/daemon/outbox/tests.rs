//! Nothing is lost, order is kept, retained topics hold the truth.

use serde_json::Map;

use super::*;

fn outbox() -> Outbox {
    Outbox::new("jadoube", "hall", 7)
}

fn log(n: u64) -> Draft {
    let body = Map::from_iter([("n".to_owned(), Value::from(n))]);
    Draft { path: "arbiter/b1/log".to_owned(), retain: false, body: Some(body) }
}

fn alert(id: &str, revision: u64) -> Draft {
    let body = Map::from_iter([("revision".to_owned(), Value::from(revision))]);
    Draft { path: format!("arbiter/b1/alerts/{id}"), retain: true, body: Some(body) }
}

fn clear(id: &str) -> Draft {
    Draft { path: format!("arbiter/b1/alerts/{id}"), retain: true, body: None }
}

/// Takes up to `most` messages for sending: ticket, last part of the topic, payload.
fn take(outbox: &mut Outbox, most: usize) -> Vec<(Ticket, String)> {
    let mut taken = Vec::new();
    while taken.len() < most
        && let Some((ticket, message)) = outbox.next(Instant::now())
    {
        let last = message.topic.rsplit('/').next().unwrap().to_owned();
        taken.push((ticket, format!("{last} {}", String::from_utf8(message.payload.clone()).unwrap())));
    }
    taken
}

fn texts(taken: &[(Ticket, String)]) -> Vec<&str> {
    taken.iter().map(|(_, text)| text.as_str()).collect()
}

#[test]
fn epoch_and_seq_are_counted_per_tree_and_board() {
    let mut outbox = outbox();
    outbox.post(log(1), None);
    outbox.post(alert("a", 0), None);
    outbox.post(Draft { path: "broadcast/b1/move".to_owned(), retain: false, body: Some(Map::new()) }, None);
    let taken = take(&mut outbox, 9);
    assert_eq!(
        texts(&taken),
        [
            r#"log {"n":1,"epoch":7,"seq":1}"#,
            r#"a {"revision":0,"epoch":7,"seq":2}"#,
            r#"move {"epoch":7,"seq":1}"#
        ]
    );
}

#[test]
fn what_was_not_acknowledged_is_sent_again_in_order() {
    let mut outbox = outbox();
    (1..=5).for_each(|n| outbox.post(log(n), None));
    let first = take(&mut outbox, 3);
    outbox.acknowledged(first[1].0);
    outbox.lost();
    outbox.connected();
    let again: Vec<_> = take(&mut outbox, 9).iter().map(|(ticket, _)| *ticket).collect();
    assert_eq!(again, [1, 3, 4, 5]);
    again.iter().for_each(|ticket| outbox.acknowledged(*ticket));
    assert!(outbox.is_empty());
}

#[test]
fn a_retained_topic_keeps_its_latest_value_only() {
    let mut outbox = outbox();
    outbox.post(alert("a", 0), None);
    outbox.post(log(1), None);
    outbox.post(alert("a", 1), None);
    assert_eq!(
        texts(&take(&mut outbox, 9)),
        [r#"log {"n":1,"epoch":7,"seq":2}"#, r#"a {"revision":1,"epoch":7,"seq":3}"#]
    );
}

#[test]
fn retained_topics_are_published_anew_before_what_waits() {
    let mut outbox = outbox();
    for draft in [alert("a", 0), alert("b", 0), alert("c", 0), clear("b")] {
        outbox.post(draft, None);
    }
    let sent = take(&mut outbox, 9);
    sent.iter().for_each(|(ticket, _)| outbox.acknowledged(*ticket));
    outbox.lost();
    outbox.post(log(1), None);
    outbox.post(alert("c", 1), None);
    outbox.connected();
    let taken = take(&mut outbox, 9);
    let words: Vec<_> = taken.iter().map(|(_, text)| text.split(",\"epoch").next().unwrap()).collect();
    assert_eq!(words, [r#"a {"revision":0"#, "b ", r#"log {"n":1"#, r#"c {"revision":1"#]);
}

#[test]
fn an_overtaken_value_is_not_sent_again() {
    let mut outbox = outbox();
    outbox.post(alert("a", 0), None);
    let first = take(&mut outbox, 1);
    outbox.post(alert("a", 1), None);
    outbox.lost();
    outbox.connected();
    let taken = take(&mut outbox, 9);
    assert_eq!(taken.len(), 1);
    assert!(taken[0].1.contains("\"revision\":1"), "{taken:?}");
    outbox.acknowledged(first[0].0);
    outbox.acknowledged(taken[0].0);
    assert!(outbox.is_empty());
}

#[test]
fn a_refused_topic_waits_and_others_go_on() {
    let mut outbox = outbox();
    outbox.post(log(1), None);
    outbox.post(log(2), None);
    outbox.post(alert("a", 0), None);
    let now = Instant::now();
    let (ticket, _) = outbox.next(now).unwrap();
    assert!(outbox.refused(ticket, now).unwrap().ends_with("arbiter/b1/log"));
    assert_eq!(texts(&take(&mut outbox, 9)).len(), 1, "only the alert");
    let later = now + HOLD + HOLD;
    assert_eq!(outbox.next(later).unwrap().0, ticket);
    assert_eq!(outbox.depth().refused, 1);
}

#[test]
fn only_single_moves_are_dropped_when_there_is_no_room() {
    let mut outbox = outbox();
    let single = || Draft { path: "broadcast/b1/move".to_owned(), retain: false, body: Some(Map::new()) };
    outbox.post(log(1), None);
    (0..MOST_MOVES + 5).for_each(|_| outbox.post(single(), None));
    (0..10).for_each(|n| outbox.post(log(n), None));
    assert_eq!(outbox.depth().waiting, MOST_MOVES + 11);
    assert_eq!(outbox.depth().dropped, 5);
    assert_eq!(take(&mut outbox, 2)[1].1, r#"move {"epoch":7,"seq":6}"#);
}

#[test]
fn an_answer_goes_to_the_askers_topic_too_and_may_be_refused_there() {
    let mut outbox = outbox();
    outbox.post_reply(log(1), "console/42", Some(vec![9]));
    let now = Instant::now();
    let (first, _) = outbox.next(now).unwrap();
    let (second, message) = outbox.next(now).unwrap();
    assert_eq!((message.topic.as_str(), message.correlation.as_deref()), ("console/42", Some(&[9][..])));
    outbox.refused(second, now);
    outbox.acknowledged(first);
    assert!(outbox.is_empty());
}

#[test]
fn what_must_not_be_lost_is_written_and_one_can_wait_for_that() {
    let mut outbox = outbox();
    let (spool, written) = std::sync::mpsc::channel();
    assert!(outbox.until_kept().is_none(), "nothing is written");
    outbox.keep_with(spool, Vec::new(), Vec::new());
    let draft = |path: &str, retain| Draft { path: path.to_owned(), retain, body: Some(Map::new()) };
    outbox.post(draft("arbiter/b1/state", true), None);
    outbox.post(draft("arbiter/b1/response/rule", false), None);
    outbox.post(draft("broadcast/b1/move", false), None);
    outbox.post(alert("a", 0), None);
    outbox.post(log(1), None);
    let mut kept = outbox.until_kept().unwrap();
    let topics: Vec<_> = written
        .try_iter()
        .filter_map(|change| match change {
            Change::Waits(_, message) => Some(message.topic.clone()),
            Change::Asked(done) => {
                done.send(()).unwrap();
                None
            }
            _ => None,
        })
        .collect();
    let root = "jadoube/v1/hall";
    let wanted = ["broadcast/b1/move", "arbiter/b1/alerts/a", "arbiter/b1/log"];
    assert_eq!(topics, wanted.map(|path| format!("{root}/{path}")));
    assert_eq!(kept.try_recv(), Ok(()));
    drop(written);
    assert!(outbox.until_kept().is_none(), "its thread has ended: nobody waits");
    assert_eq!(Keep::of("jadoube/v1/hall/broadcast/b1/move", false), Keep::WhileRoom);
    assert_eq!(Keep::of("arbiter/move/log", false), Keep::Always);
}
