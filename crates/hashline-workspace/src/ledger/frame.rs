//! Frames: how the records of a log are stored, one after another.
//!
//! A frame is `length | payload | seal`. The seal (a trailer of fixed size) holds a checksum of the frame, a checksum of itself, and the
//! latest revision of the file, so that appending a frame needs only the last seal. An incomplete or altered frame has no valid seal; such
//! a frame and all frames after it are ignored.

use hashline_core::text::Revision;
use xxhash_rust::xxh3::xxh3_64;

use crate::fields::Fields;

/// The number of bytes of a frame before its payload.
const LENGTH: usize = size_of::<u64>();
/// The number of bytes of a frame after its payload.
pub(super) const SEAL: usize = 48;
/// The number of bytes of a frame without its payload.
pub(super) const OVERHEAD: usize = LENGTH + SEAL;

/// The trailer of a frame, protected by a checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seal {
    /// The latest revision of the file.
    pub(super) revision: Revision,
    /// A hash of the session, the tag scheme and the line ranges, if the frame records shown lines; otherwise 0.
    pub(super) shown: u64,
    /// When the frame was written, in seconds since 1970.
    pub(super) time: u64,
}

/// One frame of a log: an encoded record with its length and trailer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'a> {
    /// The whole frame, as it is stored.
    pub(super) bytes: &'a [u8],
    /// The record in the frame, encoded.
    pub(super) payload: &'a [u8],
    /// The trailer of the frame.
    pub(super) seal: Seal,
}

impl Seal {
    /// Reads the seal at the end of a log, without checking the rest of its frame; `None` if the seal's own checksum is wrong.
    pub(super) fn read(bytes: &[u8; SEAL]) -> Option<Self> {
        Self::read_with_sum(bytes).map(|(seal, _)| seal)
    }

    fn read_with_sum(bytes: &[u8; SEAL]) -> Option<(Self, u64)> {
        let mut fields = Fields(bytes);
        let revision = Revision(u128::from_le_bytes(fields.word()?));
        let mut next = || fields.word().map(u64::from_le_bytes);
        let (shown, time, sum, own) = (next()?, next()?, next()?, next()?);
        let seal = Self {
            revision,
            shown,
            time,
        };
        (own == xxh3_64(&bytes[..SEAL - size_of::<u64>()])).then_some((seal, sum))
    }

    fn write(self, out: &mut Vec<u8>, sum: u64) {
        let start = out.len();
        out.extend_from_slice(&self.revision.0.to_le_bytes());
        for word in [self.shown, self.time, sum] {
            out.extend_from_slice(&word.to_le_bytes());
        }
        let own = xxh3_64(&out[start..]);
        out.extend_from_slice(&own.to_le_bytes());
    }
}

/// Appends a frame to `out`; `fill` writes its payload.
pub(super) fn put(out: &mut Vec<u8>, seal: Seal, fill: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.extend_from_slice(&[0; LENGTH]);
    fill(out);
    let length = (out.len() - start - LENGTH) as u64;
    out[start..start + LENGTH].copy_from_slice(&length.to_le_bytes());
    let sum = xxh3_64(&out[start..]);
    seal.write(out, sum);
}

/// Iterates over the frames of a log, up to the first invalid frame.
pub(super) fn frames(log: &[u8]) -> impl Iterator<Item = Frame<'_>> {
    let mut rest = log;
    std::iter::from_fn(move || {
        let frame = first(rest)?;
        rest = &rest[frame.bytes.len()..];
        Some(frame)
    })
}

fn first(log: &[u8]) -> Option<Frame<'_>> {
    let (length, rest) = log.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let (payload, rest) = rest.split_at_checked(length)?;
    let (seal, _) = rest.split_first_chunk()?;
    let (seal, sum) = Seal::read_with_sum(seal)?;
    (sum == xxh3_64(&log[..LENGTH + length])).then_some(Frame {
        bytes: &log[..OVERHEAD + length],
        payload,
        seal,
    })
}
