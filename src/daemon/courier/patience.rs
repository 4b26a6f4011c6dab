//! How long to wait before the next connection.
//!
//! Two clients of one name take the connection from each other for ever. Each then waits longer and
//! longer, so that a broker and its log are not kept busy, and what is wrong can be read.

use std::time::Duration;

/// The first pause.
const FIRST: Duration = Duration::from_millis(200);
/// The longest pause while the broker cannot be reached: it may be back at any time.
const LONGEST_AWAY: Duration = Duration::from_secs(5);
/// The longest pause while connections are made and end at once.
const LONGEST_BRIEF: Duration = Duration::from_secs(30);
/// A connection that ends sooner was brief.
const BRIEF: Duration = Duration::from_secs(2);
/// So many brief connections one after the other are no accident.
const MANY: u32 = 3;

/// How long to wait before the next connection.
#[derive(Debug)]
pub(super) struct Patience {
    away: Duration,
    brief: Duration,
    in_a_row: u32,
}

impl Patience {
    pub(super) fn new() -> Self {
        Patience { away: FIRST, brief: FIRST, in_a_row: 0 }
    }

    /// The broker could not be reached.
    pub(super) fn away(&mut self) -> Duration {
        let pause = self.away;
        self.away = (pause * 2).min(LONGEST_AWAY);
        pause
    }

    /// A connection has ended that lasted so long.
    pub(super) fn ended(&mut self, lasted: Duration, taken_over: bool) -> Duration {
        self.away = FIRST;
        // One who waits as long as we do takes the connection that much later.
        if !taken_over && lasted >= BRIEF + self.brief * 2 {
            *self = Patience::new();
            return FIRST;
        }
        self.in_a_row += 1;
        let pause = self.brief;
        self.brief = (pause * 2).min(LONGEST_BRIEF);
        pause
    }

    /// Whether connections end too soon, one after the other.
    pub(super) fn is_tried(&self) -> bool {
        self.in_a_row >= MANY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(3600);

    #[test]
    fn a_rival_is_given_way_to() {
        let mut patience = Patience::new();
        let pauses: Vec<_> = (0..10).map(|_| patience.ended(LONG, true).as_millis()).collect();
        assert_eq!(pauses, [200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
    }

    #[test]
    fn a_connection_that_held_is_made_again_at_once() {
        let mut patience = Patience::new();
        for _ in 0..5 {
            patience.ended(Duration::ZERO, false);
        }
        assert!(patience.is_tried());
        assert_eq!(patience.ended(LONG, false), FIRST);
        assert!(!patience.is_tried());
        // Each end of a rival's pause is not a connection that held.
        let mut pause = FIRST;
        for _ in 0..12 {
            pause = patience.ended(pause, false);
        }
        assert_eq!(pause, LONGEST_BRIEF);
    }

    #[test]
    fn a_broker_that_is_away_is_asked_every_few_seconds() {
        let mut patience = Patience::new();
        (0..9).for_each(|_| {
            patience.away();
        });
        assert_eq!(patience.away(), LONGEST_AWAY);
        patience.ended(LONG, false);
        assert_eq!(patience.away(), FIRST);
    }
}
