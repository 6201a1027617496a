//! The journal: a file that lists what a commit of several files will do, and the format of that file.
//!
//! The journal is written before any file is staged, and gets its name only when it is complete, so that recovery knows the name of every
//! file that a crash may leave behind. The journal holds sizes and hashes of files, not their bytes: those are in the staging files.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

use hashline_core::text::Revision;
use xxhash_rust::xxh3::xxh3_128;

use super::entry::Digest;
use crate::fields::Fields;
use crate::path::LONGEST_NAME;
use crate::system::names;

const MAGIC: &[u8] = b"hashline journal 1\n";
/// The maximum number of files in a journal, and the most bytes in one of its paths; more than any request may have.
pub(crate) const MOST_ENTRIES: usize = 4096;
/// The size limit of a journal, in bytes.
pub(super) const LARGEST: u64 = 40 << 20;
const _: () = assert!(
    (MOST_ENTRIES * (2 * MOST_ENTRIES + LONGEST_NAME + 200)) as u64 <= LARGEST,
    "so many directories to be made and so many files, their paths as long as can be"
);
/// The size limit of a file that is copied to another file system, in bytes.
pub(super) const LARGEST_MOVED: u64 = 1 << 30;

/// What a commit of several files will do, recorded so that another process can undo or finish it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Journal {
    pub(super) id: [u8; 16],
    /// The device and inode of the root. A journal with another device or inode was copied from another tree and is not carried out.
    pub(super) root: (u64, u64),
    /// Directories that the commit creates, parents first.
    pub(super) made: Vec<PathBuf>,
    pub(super) records: Vec<JournalRecord>,
}

/// What a commit will do to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JournalRecord {
    /// The path of the file's directory below the root.
    pub(super) dir: PathBuf,
    /// The directory's device and inode; `None` if the commit creates the directory.
    pub(super) dir_identity: Option<(u64, u64)>,
    pub(super) name: OsString,
    pub(super) method: WriteMethod,
    /// The digest of the file before the commit; `None` for a new file.
    pub(super) old: Option<Digest>,
    /// The digest of the file after the commit; `None` for a file that is deleted.
    pub(super) new: Option<Digest>,
}

/// How a commit changes a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WriteMethod {
    /// The file is replaced, created or deleted by renaming, so that its name never belongs to a file that is half written.
    Swap,
    /// The new bytes are written over the old ones.
    Overwrite,
}

impl Journal {
    /// Returns the paths of the files in the journal, for messages.
    pub(super) fn paths(&self) -> Vec<String> {
        self.records.iter().map(JournalRecord::shown).collect()
    }

    /// Returns the journal with `made` as the list of directories that the commit created.
    pub(super) fn with_made_dirs(self, made: BTreeSet<PathBuf>) -> Self {
        let made = made.into_iter().collect();
        Self { made, ..self }
    }

    /// Returns whether the commit has to create the directory `made` for one of its files. A commit creates no other directories, so a
    /// journal that lists one that no file needs is forged or damaged.
    fn needs(&self, made: &Path) -> bool {
        let needing =
            |record: &JournalRecord| record.dir_identity.is_none() && record.dir.starts_with(made);
        let named = !made.as_os_str().is_empty();
        named && is_below(made) && self.records.iter().any(needing)
    }

    /// Encodes a journal, with a checksum at its end.
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
            out.push(u8::from(record.method == WriteMethod::Overwrite));
            put_digest(&mut out, record.old);
            put_digest(&mut out, record.new);
        }
        let check = xxh3_128(&out);
        out.extend(check.to_le_bytes());
        out
    }

    /// Decodes a journal; `None` if the bytes are damaged or cannot have been written by `encode`.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (body, check) = bytes.split_last_chunk::<16>()?;
        if u128::from_le_bytes(*check) != xxh3_128(body) {
            return None;
        }
        let mut input = Fields(body.strip_prefix(MAGIC)?);
        let id = input.word()?;
        let root = take_identity(&mut input)??;
        let mut made = Vec::new();
        for _ in 0..take_count(&mut input)? {
            made.push(PathBuf::from(take_name(&mut input)?));
        }
        let mut records = Vec::new();
        for _ in 0..take_count(&mut input)? {
            records.push(JournalRecord {
                dir: PathBuf::from(take_name(&mut input)?),
                dir_identity: take_identity(&mut input)?,
                name: take_name(&mut input)?,
                method: match take_flag(&mut input)? {
                    false => WriteMethod::Swap,
                    true => WriteMethod::Overwrite,
                },
                old: take_digest(&mut input)?,
                new: take_digest(&mut input)?,
            });
        }
        let whole = input.0.is_empty() && records.iter().all(JournalRecord::is_sound);
        let journal = Self {
            id,
            root,
            made,
            records,
        };
        (whole && journal.made.iter().all(|path| journal.needs(path))).then_some(journal)
    }
}

impl JournalRecord {
    /// Returns the path of the file below the root, for messages.
    pub(super) fn shown(&self) -> String {
        let path = self.dir.join(&self.name);
        path.to_string_lossy().into_owned()
    }

    /// Returns how many bytes recovery reads at most of this file: the larger size in the journal, even if the configured limit `set` is
    /// lower now, but capped, because a forged journal could name any size.
    pub(super) fn most(&self, set: u64) -> u64 {
        let sizes = [self.old, self.new].into_iter().flatten();
        let largest = sizes.map(|digest| digest.size).max().unwrap_or(0);
        largest.min(set.max(LARGEST_MOVED))
    }

    /// Returns whether a commit can have written the record: a plain name, a path without `..`, and a change to make.
    fn is_sound(&self) -> bool {
        let something = match self.method {
            WriteMethod::Swap => self.old.is_some() || self.new.is_some(),
            WriteMethod::Overwrite => self.old.is_some() && self.new.is_some(),
        };
        is_name(&self.name) && is_below(&self.dir) && something
    }
}

/// Returns whether a file or folder can have this name.
fn is_name(name: &OsStr) -> bool {
    let bytes = name.as_encoded_bytes();
    let plain = !bytes.is_empty() && bytes != b"." && bytes != b"..";
    plain && bytes.len() <= LONGEST_NAME && !bytes.iter().any(|byte| b"/\0".contains(byte))
}

fn is_below(path: &Path) -> bool {
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

fn take_u64(input: &mut Fields<'_>) -> Option<u64> {
    input.word().map(u64::from_le_bytes)
}

fn take_flag(input: &mut Fields<'_>) -> Option<bool> {
    match input.byte()? {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

fn take_count(input: &mut Fields<'_>) -> Option<usize> {
    let count = usize::try_from(take_u64(input)?).ok()?;
    (count <= MOST_ENTRIES).then_some(count)
}

fn take_name(input: &mut Fields<'_>) -> Option<OsString> {
    let length = take_count(input)?;
    names::from_encoded_bytes(input.bytes(length)?)
}

fn take_identity(input: &mut Fields<'_>) -> Option<Option<(u64, u64)>> {
    let known = take_flag(input)?;
    let identity = (take_u64(input)?, take_u64(input)?);
    Some(known.then_some(identity))
}

fn take_digest(input: &mut Fields<'_>) -> Option<Option<Digest>> {
    let known = take_flag(input)?;
    let size = take_u64(input)?;
    let hash = Revision(u128::from_le_bytes(input.word()?));
    Some(known.then_some(Digest { size, hash }))
}

#[cfg(test)]
mod tests {
    use super::{Digest, Journal, JournalRecord, WriteMethod};

    fn journal() -> Journal {
        Journal {
            id: [7; 16],
            root: (1, 2),
            made: vec!["a/b".into()],
            records: vec![JournalRecord {
                dir: "a/b".into(),
                dir_identity: None,
                name: "c.txt".into(),
                method: WriteMethod::Swap,
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
            (WriteMethod::Swap, None, None, false),
            (WriteMethod::Swap, digest, None, true),
            (WriteMethod::Swap, digest, digest, true),
            (WriteMethod::Overwrite, digest, None, false),
            (WriteMethod::Overwrite, None, digest, false),
            (WriteMethod::Overwrite, digest, digest, true),
        ];
        for (way, old, new, ours) in cases {
            let mut planted = journal();
            let (dir, name) = ("a/b".into(), "c.txt".into());
            let dir_identity = None;
            planted.records[0] = JournalRecord {
                dir,
                dir_identity,
                name,
                method: way,
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
            JournalRecord {
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
