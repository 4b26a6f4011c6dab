//! What was asked and answered: the same request again gets the same answer and does nothing twice.

use std::collections::VecDeque;

use super::request::{Request, Response};

/// Answers remembered.
pub const ANSWERS: usize = 256;

/// The last answers of one board.
#[derive(Debug, Default)]
pub struct Answers {
    kept: VecDeque<(Request, Response)>,
    /// Ids that were answered in an earlier game, oldest first.
    earlier: VecDeque<String>,
}

impl Answers {
    /// The answer that was given to a request of this id, whatever it was: after a refusal, ask again
    /// under a new id.
    #[must_use]
    pub fn given(&self, request: &Request) -> Option<Response> {
        if self.earlier.contains(&request.id) {
            let what = format!(
                "id \"{}\" was answered in an earlier game, and nothing is done again: ask under a new id",
                request.id
            );
            return Some(Response::new(request, Err(what)));
        }
        let (asked, answer) = self.kept.iter().find(|(asked, _)| asked.id == request.id)?;
        if asked.verb == request.verb {
            return Some(answer.clone());
        }
        let what = format!("id \"{}\" was used for another request: ask again under a new id", request.id);
        Some(Response::new(request, Err(what)))
    }

    /// Remembers an answer.
    pub fn keep(&mut self, request: Request, answer: Response) {
        if self.kept.len() == ANSWERS {
            self.kept.pop_front();
        }
        self.kept.push_back((request, answer));
    }

    /// A later revision of an answer takes its place.
    pub fn revise(&mut self, answer: &Response) {
        if let Some((_, known)) = self.kept.iter_mut().find(|(asked, _)| asked.id == answer.id) {
            known.clone_from(answer);
        }
    }

    /// The ids that were answered, oldest first: for the next game.
    #[must_use]
    pub fn ids(&self) -> Vec<String> {
        let ids = self.earlier.iter().chain(self.kept.iter().map(|(asked, _)| &asked.id));
        let skip = (self.earlier.len() + self.kept.len()).saturating_sub(ANSWERS);
        ids.skip(skip).cloned().collect()
    }

    /// Another game: of what was answered before only the ids are known.
    pub fn forget_all_but_ids(&mut self, ids: Vec<String>) {
        self.kept.clear();
        self.earlier = ids.into();
    }

    /// How many are remembered.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alerts::Verb;

    fn request(id: &str, alert: &str) -> Request {
        let verb = Verb::Undo { alert: alert.to_owned() };
        Request { id: id.to_owned(), by: "desk".to_owned(), verb }
    }

    fn answer(id: &str) -> Response {
        Response::new(&request(id, "a"), Ok("done".to_owned()))
    }

    #[test]
    fn an_id_used_for_something_else_is_refused() {
        let mut answers = Answers::default();
        assert_eq!(answers.given(&request("r1", "a")), None);
        answers.keep(request("r1", "a"), answer("r1"));
        assert_eq!(answers.given(&request("r1", "a")), Some(answer("r1")));
        let other = answers.given(&request("r1", "b")).unwrap().outcome.unwrap_err();
        assert!(other.contains("another request"), "{other}");
    }

    #[test]
    fn the_oldest_answers_are_forgotten() {
        let mut answers = Answers::default();
        for n in 0..=ANSWERS {
            let id = n.to_string();
            answers.keep(request(&id, "a"), answer(&id));
        }
        assert_eq!(answers.len(), ANSWERS);
        assert!(answers.given(&request("0", "a")).is_none() && answers.given(&request("1", "a")).is_some());
    }
}
