//! The journal of a commit over several files.
//!
//! It is complete before its name appears, and it is written before anything is staged, so that whoever finds it knows every name
//! that may have been left behind.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

use hashline_core::text::Revision;
use xxhash_rust::xxh3::xxh3_128;

use super::entry::Digest;
use crate::path::LONGEST_NAME;
use crate::system::names;

const MAGIC: &[u8] = b"hashline journal 1\n";
/// More entries than any request may have.
pub(crate) const MOST_ENTRIES: usize = 4096;
/// No journal that can be read back is larger.
pub(super) const LARGEST: u64 = 40 << 20;
const _: () = assert!(
    (MOST_ENTRIES * (2 * MOST_ENTRIES + LONGEST_NAME + 200)) as u64 <= LARGEST,
    "so many directories to be made and so many files, their paths as long as can be"
);
/// No larger file is carried to another file system.
pub(super) const LARGEST_CARRIED: u64 = 1 << 30;

/// What a commit over several files will do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Journal {
    pub(super) id: [u8; 16],
    /// The device and number of the root.
    pub(super) root: (u64, u64),
    /// Directories to be made, from the top down.
    pub(super) made: Vec<PathBuf>,
    pub(super) records: Vec<Record>,
}

/// What it will do to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    /// The directory below the root.
    pub(super) dir: PathBuf,
    /// Its device and number; nothing if it is to be made.
    pub(super) dir_identity: Option<(u64, u64)>,
    pub(super) name: OsString,
    pub(super) way: Way,
    /// The bytes before; nothing for a new file.
    pub(super) old: Option<Digest>,
    /// The bytes after; nothing for a file that goes.
    pub(super) new: Option<Digest>,
}

/// How new bytes take the place of old ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// A file takes the place of another.
    Swap,
    /// The file stays, and is overwritten.
    Overwrite,
}

impl Journal {
    /// Returns the paths of the files it is about.
    pub(super) fn paths(&self) -> Vec<String> {
        self.records.iter().map(Record::shown).collect()
    }

    /// Returns the same journal with only these directories as made by it.
    pub(super) fn having(&self, made: BTreeSet<PathBuf>) -> Self {
        Self {
            made: made.into_iter().collect(),
            ..self.clone()
        }
    }

    /// Tells whether a directory is one that a file of this journal needs and that was not there: no other is ever made.
    fn needs(&self, made: &Path) -> bool {
        let needing =
            |record: &Record| record.dir_identity.is_none() && record.dir.starts_with(made);
        let named = !made.as_os_str().is_empty();
        named && goes_down(made) && self.records.iter().any(needing)
    }

    /// Writes a journal down, with a check at its end.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(self.id);
        put_identity(&mut out, Some(self.root));
        put_count(&mut out, self.made.len());
        for path in &self.made {
            put_bytes(&mut out, path.as_os_str().as_encoded_bytes());
        }
        put_count(&mut out, self.records.len());
        for record in &self.records {
            put_bytes(&mut out, record.dir.as_os_str().as_encoded_bytes());
            put_identity(&mut out, record.dir_identity);
            put_bytes(&mut out, record.name.as_encoded_bytes());
            out.push(u8::from(record.way == Way::Overwrite));
            put_digest(&mut out, record.old);
            put_digest(&mut out, record.new);
        }
        let check = xxh3_128(&out);
        out.extend(check.to_le_bytes());
        out
    }

    /// Reads a journal; nothing if it is damaged.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (body, check) = bytes.split_last_chunk::<16>()?;
        if u128::from_le_bytes(*check) != xxh3_128(body) {
            return None;
        }
        let mut input = body.strip_prefix(MAGIC)?;
        let id = *take_array::<16>(&mut input)?;
        let root = take_identity(&mut input)??;
        let mut made = Vec::new();
        for _ in 0..take_count(&mut input)? {
            made.push(PathBuf::from(take_name(&mut input)?));
        }
        let mut records = Vec::new();
        for _ in 0..take_count(&mut input)? {
            records.push(Record {
                dir: PathBuf::from(take_name(&mut input)?),
                dir_identity: take_identity(&mut input)?,
                name: take_name(&mut input)?,
                way: match take_flag(&mut input)? {
                    false => Way::Swap,
                    true => Way::Overwrite,
                },
                old: take_digest(&mut input)?,
                new: take_digest(&mut input)?,
            });
        }
        let whole = input.is_empty() && records.iter().all(Record::is_sound);
        let journal = Self {
            id,
            root,
            made,
            records,
        };
        (whole && journal.made.iter().all(|path| journal.needs(path))).then_some(journal)
    }
}

impl Record {
    /// Returns the path of the file, to be shown.
    pub(super) fn shown(&self) -> String {
        let path = self.dir.join(&self.name);
        path.to_string_lossy().into_owned()
    }

    /// Returns how many bytes a file of this record can have: as many as were written down, however low the bounds are set by now, and
    /// no more than anybody would set them to.
    pub(super) fn most(&self, set: u64) -> u64 {
        let sizes = [self.old, self.new].into_iter().flatten();
        let largest = sizes.map(|digest| digest.size).max().unwrap_or(0);
        largest.min(set.max(LARGEST_CARRIED))
    }

    /// Tells whether the record can be one of ours: a plain name, a way that only goes down, something to do.
    fn is_sound(&self) -> bool {
        let something = match self.way {
            Way::Swap => self.old.is_some() || self.new.is_some(),
            Way::Overwrite => self.old.is_some() && self.new.is_some(),
        };
        is_name(&self.name) && goes_down(&self.dir) && something
    }
}

/// Tells whether a file or folder can have this name.
fn is_name(name: &OsStr) -> bool {
    let bytes = name.as_encoded_bytes();
    let plain = !bytes.is_empty() && bytes != b"." && bytes != b"..";
    plain && bytes.len() <= LONGEST_NAME && !bytes.iter().any(|byte| b"/\0".contains(byte))
}

fn goes_down(path: &Path) -> bool {
    let down = |part| matches!(part, Component::Normal(name) if is_name(name));
    path.components().all(down)
}

fn put_count(out: &mut Vec<u8>, count: usize) {
    out.extend((count as u64).to_le_bytes());
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_count(out, bytes.len());
    out.extend_from_slice(bytes);
}

fn put_identity(out: &mut Vec<u8>, identity: Option<(u64, u64)>) {
    let (device, inode) = identity.unwrap_or((0, 0));
    out.push(u8::from(identity.is_some()));
    out.extend(device.to_le_bytes());
    out.extend(inode.to_le_bytes());
}

fn put_digest(out: &mut Vec<u8>, digest: Option<Digest>) {
    out.push(u8::from(digest.is_some()));
    out.extend(digest.map_or(0, |digest| digest.size).to_le_bytes());
    out.extend(digest.map_or(0, |digest| digest.hash.0).to_le_bytes());
}

fn take_array<'a, const N: usize>(input: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (taken, rest) = input.split_first_chunk::<N>()?;
    *input = rest;
    Some(taken)
}

fn take_u64(input: &mut &[u8]) -> Option<u64> {
    take_array::<8>(input).map(|bytes| u64::from_le_bytes(*bytes))
}

fn take_flag(input: &mut &[u8]) -> Option<bool> {
    match take_array::<1>(input)? {
        [0] => Some(false),
        [1] => Some(true),
        _ => None,
    }
}

fn take_count(input: &mut &[u8]) -> Option<usize> {
    let count = usize::try_from(take_u64(input)?).ok()?;
    (count <= MOST_ENTRIES).then_some(count)
}

fn take_name(input: &mut &[u8]) -> Option<OsString> {
    let len = take_count(input)?;
    let (name, rest) = input.split_at_checked(len)?;
    *input = rest;
    names::from_encoded_bytes(name)
}

fn take_identity(input: &mut &[u8]) -> Option<Option<(u64, u64)>> {
    let known = take_flag(input)?;
    let identity = (take_u64(input)?, take_u64(input)?);
    Some(known.then_some(identity))
}

fn take_digest(input: &mut &[u8]) -> Option<Option<Digest>> {
    let known = take_flag(input)?;
    let size = take_u64(input)?;
    let hash = Revision(u128::from_le_bytes(*take_array::<16>(input)?));
    Some(known.then_some(Digest { size, hash }))
}

#[cfg(test)]
mod tests {
    use super::{Digest, Journal, Record, Way};

    fn journal() -> Journal {
        Journal {
            id: [7; 16],
            root: (1, 2),
            made: vec!["a/b".into()],
            records: vec![Record {
                dir: "a/b".into(),
                dir_identity: None,
                name: "c.txt".into(),
                way: Way::Swap,
                old: None,
                new: Some(Digest::of(b"new")),
            }],
        }
    }

    #[test]
    fn a_journal_is_read_as_it_was_written_and_not_if_a_bit_is_wrong() {
        let bytes = journal().encode();
        assert_eq!(Journal::decode(&bytes), Some(journal()));
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert_eq!(Journal::decode(&damaged), None, "{at}");
            assert_eq!(Journal::decode(&bytes[..at]), None, "{at}");
        }
    }

    #[test]
    fn a_journal_that_leads_elsewhere_is_not_ours() {
        let long = "x".repeat(256);
        for dir in ["../out", "/etc", "a/../../b", "a\0/b", &long] {
            let mut planted = journal();
            planted.made.clear();
            planted.records[0].dir = dir.into();
            assert_eq!(Journal::decode(&planted.encode()), None, "{dir}");
        }
        for made in ["", "../out", "/etc", "a/b/c", "other", ".git/refs"] {
            let mut planted = journal();
            planted.made.push(made.into());
            assert_eq!(Journal::decode(&planted.encode()), None, "{made}");
        }
        for name in ["", ".", "..", "a/b", "a\0b", &long] {
            let mut planted = journal();
            planted.records[0].name = name.into();
            assert_eq!(Journal::decode(&planted.encode()), None, "{name}");
        }
    }

    #[test]
    fn a_journal_that_says_nothing_to_do_is_not_ours() {
        let digest = Some(Digest::of(b"text"));
        let cases = [
            (Way::Swap, None, None, false),
            (Way::Swap, digest, None, true),
            (Way::Swap, digest, digest, true),
            (Way::Overwrite, digest, None, false),
            (Way::Overwrite, None, digest, false),
            (Way::Overwrite, digest, digest, true),
        ];
        for (way, old, new, ours) in cases {
            let mut planted = journal();
            let (dir, name) = ("a/b".into(), "c.txt".into());
            let dir_identity = None;
            planted.records[0] = Record {
                dir,
                dir_identity,
                name,
                way,
                old,
                new,
            };
            let read = Journal::decode(&planted.encode());
            assert_eq!(read.is_some(), ours, "{way:?} {old:?} {new:?}");
        }
    }

    #[test]
    fn as_many_bytes_are_looked_at_as_were_written_down() {
        let hash = Digest::of(b"").hash;
        let most = |sizes: [Option<u64>; 2], set| {
            let [old, new] = sizes.map(|size| size.map(|size| Digest { size, hash }));
            let record = &journal().records[0];
            Record {
                old,
                new,
                ..record.clone()
            }
            .most(set)
        };
        assert_eq!(most([Some(10), Some(20)], 1), 20);
        assert_eq!(most([Some(20), None], 100), 20);
        assert_eq!(most([None, Some(u64::MAX)], 1), 1 << 30);
        assert_eq!(most([None, Some(u64::MAX)], 1 << 40), 1 << 40);
    }
}
