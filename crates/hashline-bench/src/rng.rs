//! Random numbers that are the same on every machine: SplitMix64.

/// A stream of numbers that follows from its seed.
#[derive(Clone, Debug)]
pub(crate) struct Rng(u64);

impl Rng {
    /// Starts the stream of `seed`; each list of `streams` leads to a stream of its own.
    pub(crate) fn new(seed: u64, streams: &[u64]) -> Self {
        let mut rng = Self(seed);
        for stream in streams {
            rng.0 = rng.next() ^ stream.wrapping_mul(0xd6e8_feb8_6659_fd93);
        }
        rng
    }

    /// Returns the next 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `bound`, or 0 if that is 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let product = u128::from(self.next()) * bound as u128;
        usize::try_from(product >> 64).expect("it is below a usize")
    }

    /// Returns a number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// Tells yes in `percent` of a hundred cases.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Returns one of the items; there must be one.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Puts the items into a random order.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn the_stream_is_the_published_one() {
        let mut rng = Rng::new(1_234_567, &[]);
        assert_eq!(rng.next(), 6_457_827_717_110_365_317);
        assert_eq!(rng.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn numbers_stay_below_their_bound_and_reach_it() {
        let mut rng = Rng::new(1, &[2, 3]);
        let seen: Vec<usize> = (0..200).map(|_| rng.below(5)).collect();
        assert!((0..5).all(|wanted| seen.contains(&wanted)));
        assert!(seen.iter().all(|&number| number < 5));
        assert_eq!(rng.below(0), 0);
    }
}
