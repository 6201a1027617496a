//! The fingerprints of lines of which only a part was shown, as a ledger stores them: one after another, the oldest first.

use hashline_core::text::Fingerprint;

/// The most lines of which it is known that only a part was shown: of more, the older half is forgotten.
pub(super) const MOST: usize = 4_096;
/// The size of a stored fingerprint, in bytes.
pub(super) const STORED: usize = 8;

/// Adds the fingerprints that are not known yet. Returns how many at the start are still at their places.
pub(super) fn add(known: &mut Vec<Fingerprint>, new: &[Fingerprint]) -> usize {
    let before = known.len();
    for fingerprint in new {
        if !known.contains(fingerprint) {
            known.push(*fingerprint);
        }
    }
    if known.len() <= MOST {
        return before;
    }
    known.drain(..known.len() - MOST / 2);
    0
}

/// Returns the fingerprints as they are stored.
pub(super) fn stored(fingerprints: &[Fingerprint]) -> Vec<u8> {
    let bytes = fingerprints.iter().flat_map(|one| one.0.to_le_bytes());
    bytes.collect()
}

/// Returns the fingerprints that are stored in these bytes. An incomplete one at the end is left out.
pub(super) fn read(bytes: &[u8]) -> Vec<Fingerprint> {
    let (whole, _) = bytes.as_chunks::<STORED>();
    let fingerprints = whole
        .iter()
        .map(|one| Fingerprint(u64::from_le_bytes(*one)));
    fingerprints.collect()
}
