//! A fast hasher for maps whose keys are fingerprints, which are hashes already.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Builds hashers that hash a fingerprint with one multiplication and a random key.
//
// The key is random: with a fixed one somebody could write a file whose lines all collide in the maps here.
#[derive(Clone)]
pub(super) struct KeyedHasher {
    key: u64,
}

pub(super) struct FingerprintHasher(u64);

impl KeyedHasher {
    /// Returns the hash of one fingerprint.
    pub(super) fn mix(&self, bits: u64) -> u64 {
        fold(self.key, bits)
    }
}

impl Default for KeyedHasher {
    fn default() -> Self {
        Self {
            key: RandomState::new().hash_one(0_u8),
        }
    }
}

impl BuildHasher for KeyedHasher {
    type Hasher = FingerprintHasher;

    fn build_hasher(&self) -> FingerprintHasher {
        FingerprintHasher(self.key)
    }
}

impl Hasher for FingerprintHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, bits: u64) {
        self.0 = fold(self.0, bits);
    }

    /// Hashes the discriminant of an enum, such as `Some` or `None`.
    fn write_isize(&mut self, variant: isize) {
        self.write_u64(variant.cast_unsigned() as u64);
    }
}

fn fold(state: u64, bits: u64) -> u64 {
    const ODD: u128 = 0x9e37_79b9_7f4a_7c15;
    let product = u128::from(state ^ bits) * ODD;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "both halves are folded together"
    )]
    let folded = (product >> 64) as u64 ^ product as u64;
    folded
}
