//! The two kinds of time the core knows: when something happened, and what the chess clock showed.
//!
//! Wall-clock time exists only in `daemon/` and in journal headers, so that a recorded round can
//! be replayed exactly.

use std::ops::Add;

/// Microseconds since the journal of a board began.
///
/// # Time
/// Only the shell makes one from a host clock; inside the core it comes with each input and never
/// decreases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tick(u64);

/// A length of time between two [`Tick`]s, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(u64);

/// What one side of the chess clock shows, in milliseconds.
///
/// It stops, jumps and is corrected by arbiters, so it has no arithmetic with [`Tick`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dial(u32);

impl Tick {
    /// The start of the journal.
    pub const ZERO: Tick = Tick(0);

    /// From microseconds since the journal began.
    #[must_use]
    pub const fn from_us(us: u64) -> Self {
        Tick(us)
    }

    /// From milliseconds since the journal began.
    #[must_use]
    pub const fn from_ms(ms: u64) -> Self {
        Tick(ms.saturating_mul(1000))
    }

    /// Microseconds since the journal began.
    #[must_use]
    pub const fn us(self) -> u64 {
        self.0
    }

    /// Milliseconds since the journal began, rounded down.
    #[must_use]
    pub const fn ms(self) -> u64 {
        self.0 / 1000
    }

    /// The time that has passed since `earlier`; zero if `earlier` is later.
    #[must_use]
    pub const fn since(self, earlier: Tick) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Span {
    /// No time at all.
    pub const ZERO: Span = Span(0);

    /// From milliseconds.
    #[must_use]
    pub const fn from_ms(ms: u64) -> Self {
        Span(ms.saturating_mul(1000))
    }

    /// From microseconds.
    #[must_use]
    pub const fn from_us(us: u64) -> Self {
        Span(us)
    }

    /// Milliseconds, rounded down.
    #[must_use]
    pub const fn ms(self) -> u64 {
        self.0 / 1000
    }

    /// Microseconds.
    #[must_use]
    pub const fn us(self) -> u64 {
        self.0
    }
}

impl Add<Span> for Tick {
    type Output = Tick;
    fn add(self, span: Span) -> Tick {
        Tick(self.0.saturating_add(span.0))
    }
}

impl Add for Span {
    type Output = Span;
    fn add(self, other: Span) -> Span {
        Span(self.0.saturating_add(other.0))
    }
}

impl Dial {
    /// From milliseconds left.
    #[must_use]
    pub const fn from_ms(ms: u32) -> Self {
        Dial(ms)
    }

    /// From whole seconds left.
    #[must_use]
    pub const fn from_s(s: u32) -> Self {
        Dial(s.saturating_mul(1000))
    }

    /// Milliseconds left.
    #[must_use]
    pub const fn ms(self) -> u32 {
        self.0
    }

    /// Whole seconds left, rounded down.
    #[must_use]
    pub const fn seconds(self) -> u32 {
        self.0 / 1000
    }

    /// As people read a clock: `1:29:30`, `4:05`.
    #[must_use]
    pub fn text(self) -> String {
        let s = self.seconds();
        let (h, m, s) = (s / 3600, s / 60 % 60, s % 60);
        if h > 0 { format!("{h}:{m:02}:{s:02}") } else { format!("{m}:{s:02}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dial_reads_like_a_clock() {
        assert_eq!(Dial::from_s(5400).text(), "1:30:00");
        assert_eq!(Dial::from_ms(65_900).text(), "1:05");
    }

    #[test]
    fn time_never_runs_backwards() {
        assert_eq!(Tick::from_ms(5).since(Tick::from_ms(9)), Span::ZERO);
    }
}
