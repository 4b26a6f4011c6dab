//! The room's only source of chance: SplitMix64, seeded, the same on every machine.

#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        let mut rng = Rng(seed ^ 0x6a61_646f_7562_6521);
        rng.next();
        rng
    }

    /// An independent stream, so that one stage's choices do not shift another's.
    pub fn split(&mut self, salt: u64) -> Rng {
        Rng::new(self.next() ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        if n < 2 { 0 } else { usize::try_from(self.next() % n as u64).expect("small") }
    }

    /// A number of `low..=high`.
    pub fn range(&mut self, low: i64, high: i64) -> i64 {
        if high <= low {
            return low;
        }
        low + i64::try_from(self.next() % u64::try_from(high - low + 1).expect("positive")).expect("small")
    }

    /// As `range`, small numbers more often.
    pub fn skewed(&mut self, low: i64, high: i64) -> i64 {
        let a = self.range(0, 1_000);
        let b = self.range(0, 1_000);
        low + (high - low) * (a * b) / 1_000_000
    }

    pub fn percent(&mut self, p: u32) -> bool {
        self.next() % 100 < u64::from(p)
    }

    pub fn permille(&mut self, p: u32) -> bool {
        self.next() % 1000 < u64::from(p)
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len())) }
    }

    /// An index, as often as its weight says.
    pub fn part<const N: usize>(&mut self, parts: [usize; N]) -> usize {
        let mut at = self.below(parts.iter().sum());
        parts
            .iter()
            .position(|p| {
                at < *p || {
                    at -= p;
                    false
                }
            })
            .unwrap_or(N - 1)
    }

    pub fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}
