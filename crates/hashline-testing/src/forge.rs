//! Journals as an attacker would write them: sound to the last checksum, and about files that are none of theirs.
//!
//! Written from the description of the format, not with the program's own code: what the program would never write must be writable
//! here. That the program takes such a journal for its own is checked wherever one is used.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use hashline_core::text::Revision;
use xxhash_rust::xxh3::xxh3_128;

/// A journal to be planted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forged {
    /// The device and number of the root it says it is for; nothing for the true one.
    pub(crate) root: Option<(u64, u64)>,
    pub(crate) made: Vec<Vec<u8>>,
    pub(crate) records: Vec<Entry>,
    /// A number of records that is not the true one.
    pub(crate) count: Option<u64>,
}

/// One file of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entry {
    pub(crate) dir: Vec<u8>,
    /// The device and number of the directory, if the journal gives them.
    pub(crate) identity: Option<(u64, u64)>,
    pub(crate) name: Vec<u8>,
    /// Whether the file is overwritten instead of replaced.
    pub(crate) overwritten: bool,
    pub(crate) old: Option<Bytes>,
    pub(crate) new: Option<Bytes>,
}

/// What the journal says of a file's bytes.
#[derive(Clone, Debug)]
pub(crate) struct Bytes {
    pub(crate) size: u64,
    pub(crate) hash: u128,
}

impl Bytes {
    pub(crate) fn of(bytes: impl AsRef<[u8]>) -> Self {
        let bytes = bytes.as_ref();
        Self {
            size: bytes.len() as u64,
            hash: Revision::of(bytes).0,
        }
    }
}

impl Forged {
    /// Says that these files were made, and that a further one was not yet: all of them are to be taken back.
    pub(crate) fn taking_back(made: &[(&str, &str, &str)]) -> Self {
        let mut records: Vec<Entry> = made
            .iter()
            .map(|(dir, name, text)| Entry {
                dir: dir.as_bytes().to_vec(),
                name: name.as_bytes().to_vec(),
                new: Some(Bytes::of(text)),
                ..Entry::default()
            })
            .collect();
        records.push(Entry {
            name: b"never-made".to_vec(),
            new: Some(Bytes::of("never\n")),
            ..Entry::default()
        });
        Self {
            records,
            ..Self::default()
        }
    }

    /// Writes it down as the program does, for a root on this machine.
    pub(crate) fn encode(&self, root: &Path) -> Vec<u8> {
        let facts = fs::metadata(root).expect("the root is there");
        self.encode_for((facts.dev(), facts.ino()))
    }

    /// Writes it down as the program does, for the root with this device and number.
    pub(crate) fn encode_for(&self, root: (u64, u64)) -> Vec<u8> {
        let mut out = b"hashline journal 1\n".to_vec();
        out.extend([7; 16]);
        put_identity(&mut out, Some(self.root.unwrap_or(root)));
        put_number(&mut out, self.made.len() as u64);
        for made in &self.made {
            put_bytes(&mut out, made);
        }
        put_number(&mut out, self.count.unwrap_or(self.records.len() as u64));
        for record in &self.records {
            put_bytes(&mut out, &record.dir);
            put_identity(&mut out, record.identity);
            put_bytes(&mut out, &record.name);
            out.push(u8::from(record.overwritten));
            put_digest(&mut out, record.old.as_ref());
            put_digest(&mut out, record.new.as_ref());
        }
        seal(&mut out);
        out
    }
}

/// Adds the checksum over everything before it.
pub(crate) fn seal(out: &mut Vec<u8>) {
    let check = xxh3_128(out);
    out.extend(check.to_le_bytes());
}

fn put_number(out: &mut Vec<u8>, number: u64) {
    out.extend(number.to_le_bytes());
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_number(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

fn put_identity(out: &mut Vec<u8>, identity: Option<(u64, u64)>) {
    let (device, inode) = identity.unwrap_or_default();
    out.push(u8::from(identity.is_some()));
    put_number(out, device);
    put_number(out, inode);
}

fn put_digest(out: &mut Vec<u8>, bytes: Option<&Bytes>) {
    out.push(u8::from(bytes.is_some()));
    put_number(out, bytes.map_or(0, |bytes| bytes.size));
    out.extend(bytes.map_or(0, |bytes| bytes.hash).to_le_bytes());
}
