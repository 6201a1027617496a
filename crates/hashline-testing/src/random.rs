//! Numbers that look random and are the same in every run.
//!
//! For tests that compare two answers a hundred thousand times and must fail on the same case again. Nothing here is fit for
//! secrets.

/// Returns how often a test repeats: the number in the environment variable `name`, or else `usual`.
///
/// # Panics
///
/// If the variable is not a number.
#[must_use]
pub fn rounds(name: &str, usual: usize) -> usize {
    let number = std::env::var(name).ok();
    number.map_or(usual, |number| number.parse().expect("a number"))
}

/// A sequence that its seed decides (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts the sequence of `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `limit`; 0 if there is none.
    pub fn below(&mut self, limit: usize) -> usize {
        let bits = self.bits() % (limit as u64).max(1);
        usize::try_from(bits).expect("a number below a usize is one")
    }

    /// Returns whether something with so many chances in a hundred happens.
    pub fn chance(&mut self, in_hundred: usize) -> bool {
        self.below(100) < in_hundred
    }

    /// Returns one of `choices`.
    ///
    /// # Panics
    ///
    /// If there are none.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Returns that many bytes.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.bits().to_le_bytes()[0]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn a_seed_gives_the_same_numbers_again() {
        let numbers = |seed| {
            let mut random = Random::new(seed);
            std::array::from_fn::<_, 4, _>(|_| random.below(1000))
        };
        assert_eq!(numbers(7), numbers(7));
        assert_ne!(numbers(7), numbers(8));
    }
}
