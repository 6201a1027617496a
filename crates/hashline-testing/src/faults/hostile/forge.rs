//! Journals as an attacker would write them: sound to the last checksum, and about files that are none of theirs.
//!
//! Written from the description of the format, not with the program's own code: what the program would never write must be writable
//! here. That the program takes such a journal for its own is checked first.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use hashline_core::text::Revision;
use xxhash_rust::xxh3::xxh3_128;

/// A journal to be planted.
#[derive(Clone, Debug, Default)]
pub(super) struct Forged {
    /// The device and number of the root it says it is for; nothing for the true one.
    pub(super) root: Option<(u64, u64)>,
    pub(super) made: Vec<Vec<u8>>,
    pub(super) records: Vec<Entry>,
    /// A number of records that is not the true one.
    pub(super) count: Option<u64>,
}

/// One file of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Entry {
    pub(super) dir: Vec<u8>,
    /// The device and number of the directory, if the journal gives them.
    pub(super) identity: Option<(u64, u64)>,
    pub(super) name: Vec<u8>,
    pub(super) old: Option<Bytes>,
    pub(super) new: Option<Bytes>,
}

/// What the journal says of a file's bytes.
#[derive(Clone, Debug)]
pub(super) struct Bytes {
    pub(super) size: u64,
    pub(super) hash: u128,
}

impl Bytes {
    pub(super) fn of(text: &str) -> Self {
        Self {
            size: text.len() as u64,
            hash: Revision::of(text.as_bytes()).bits(),
        }
    }
}

impl Forged {
    /// Says that these files were made, and that a further one was not yet: all of them are to be taken back.
    pub(super) fn taking_back(made: &[(&str, &str, &str)]) -> Self {
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

    /// Writes it down as the program does.
    pub(super) fn encode(&self, root: &Path) -> Vec<u8> {
        let facts = fs::metadata(root).expect("the root is there");
        let mut out = b"hashline journal 1\n".to_vec();
        out.extend([7; 16]);
        put_identity(
            &mut out,
            Some(self.root.unwrap_or((facts.dev(), facts.ino()))),
        );
        put_number(&mut out, self.made.len() as u64);
        for made in &self.made {
            put_bytes(&mut out, made);
        }
        put_number(&mut out, self.count.unwrap_or(self.records.len() as u64));
        for record in &self.records {
            put_bytes(&mut out, &record.dir);
            put_identity(&mut out, record.identity);
            put_bytes(&mut out, &record.name);
            // It is swapped, not overwritten.
            out.push(0);
            put_digest(&mut out, record.old.as_ref());
            put_digest(&mut out, record.new.as_ref());
        }
        let check = xxh3_128(&out);
        out.extend(check.to_le_bytes());
        out
    }
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
