//! Requests from the broker to the boards' tasks, and refusals of those that are none.

use std::collections::BTreeMap;

use tokio::sync::mpsc;
use tracing::warn;

use super::host::Clock;
use super::names::Names;
use super::outbox::Post;
use super::publisher::Incoming;
use super::roster::Roster;
use crate::alerts::{OnBoard, Request, Verb};
use crate::contract::{Draft, RequestError, parse_request, refusal, request_id, topic};
use crate::events::{BoardId, TopicPart};

/// A request for a board, and where its answer goes.
#[derive(Debug)]
pub struct Asked {
    /// The request.
    pub request: Request,
    /// Where its answer goes, beside its own topic.
    pub reply: Reply,
}

/// Where an answer goes beside its own topic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    topic: Option<String>,
    correlation: Option<Vec<u8>>,
}

impl Reply {
    /// Posts the answer.
    pub fn post(self, post: &Post, draft: Draft) {
        post.post_reply(draft, self.topic.as_deref(), self.correlation);
    }
}

/// Knows which board's task takes which requests.
#[derive(Debug)]
pub struct Desk {
    /// The first part of all topics.
    pub root: TopicPart,
    /// This daemon's name.
    pub node: TopicPart,
    /// To the boards.
    pub boards: BTreeMap<BoardId, mpsc::Sender<Asked>>,
    /// To the broker.
    pub post: Post,
    /// For the figures.
    pub roster: Roster,
    /// The wall clock.
    pub clock: Clock,
    /// The players' names.
    pub names: Names,
}

impl Desk {
    /// The topics that requests come on.
    #[must_use]
    pub fn filter(&self) -> String {
        topic(self.root.as_str(), self.node.as_str(), "arbiter/+/request/+")
    }

    /// Takes requests until there are no more.
    pub async fn run(self, mut incoming: mpsc::Receiver<Incoming>) {
        while let Some(incoming) = incoming.recv().await {
            self.take(incoming);
        }
    }

    fn take(&self, incoming: Incoming) {
        // A retained request is being cleared, as its refusal asks for.
        if incoming.retained && incoming.payload.is_empty() {
            return;
        }
        let prefix = topic(self.root.as_str(), self.node.as_str(), "arbiter/");
        let path = incoming.topic.strip_prefix(&prefix).map(|rest| rest.split('/').collect::<Vec<_>>());
        let Some([board, "request", verb]) = path.as_deref() else { return };
        // Both become parts of a topic again, so they must be fit for it.
        let (Ok(board), Ok(verb)) = (TopicPart::new(board), TopicPart::new(verb)) else {
            warn!("a request on {} is ignored: its board or verb is not one", incoming.topic);
            return;
        };
        let reply = Reply {
            topic: incoming.reply_topic.clone().filter(|topic| self.may_answer_on(topic)),
            correlation: incoming.correlation.clone(),
        };
        if let Err(error) = self.hand_over(&board, &verb, &incoming, &reply) {
            warn!("board {board}: a request \"{verb}\" is refused: {error}");
            self.roster.metrics().request(verb.as_str(), "refused");
            reply.post(&self.post, refusal(verb.as_str(), &error, &board));
        }
    }

    fn hand_over(
        &self,
        board: &BoardId,
        verb: &TopicPart,
        incoming: &Incoming,
        reply: &Reply,
    ) -> Result<(), RequestError> {
        let refuse = |id, message: String| RequestError { id, message };
        if incoming.retained {
            let message = "retained requests are refused: send it without retain, and clear this one";
            return Err(refuse(request_id(&incoming.payload), message.to_owned()));
        }
        let Some(task) = self.boards.get(board) else {
            let known: Vec<_> = self.boards.keys().map(BoardId::as_str).collect();
            return Err(refuse(
                request_id(&incoming.payload),
                format!("there is no board \"{board}\": use one of {}", known.join(", ")),
            ));
        };
        let received = parse_request(verb.as_str(), &incoming.payload)?;
        let mut request = received.fresh(self.clock.now_ms())?;
        let id = request.id.clone();
        if let Verb::Board(OnBoard::Pairing(pairing)) = &mut request.verb {
            // Before anything of it is written down: a journal never has a name.
            *pairing = self.names.tokens(pairing).map_err(|why| refuse(Some(id.clone()), why))?;
        }
        task.try_send(Asked { request, reply: reply.clone() })
            .map_err(|_| refuse(Some(id), "too many requests at once: ask again".to_owned()))
    }

    /// An asker may choose any topic, but not one of ours that others rely on, least of all one
    /// that players could read.
    fn may_answer_on(&self, topic: &str) -> bool {
        let ours = format!("{}/", self.root);
        let fine = rumqttc::valid_topic(topic)
            && !topic.is_empty()
            && !topic.starts_with('$')
            && !topic.starts_with(&ours);
        if !fine {
            warn!("an answer is wanted on {topic:?}, which is no topic for it");
        }
        fine
    }
}
