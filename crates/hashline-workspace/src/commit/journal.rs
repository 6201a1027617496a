//! The journal of a commit over several files, and the folder it lies in.
//!
//! It is complete before its name appears, and it is written before anything is staged, so that whoever finds it knows every name
//! that may have been left behind.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use hashline_core::text::Revision;
use rustix::io::Errno;
use xxhash_rust::xxh3::xxh3_128;

use super::Durability;
use super::entry::{Digest, is_no_file};
use crate::system::{Access, Kind, System};

/// The folder in a root that holds journals, orphans and what is foreign.
pub(crate) const AREA: &str = ".hashline";
/// A commit that is under way.
pub(super) const JOURNAL: &str = "journal";
/// A commit that is done; only cleaning up is left.
pub(super) const DONE: &str = "journal.done";
/// A journal that is being written, where files cannot be written without a name.
pub(super) const UNFINISHED: &str = "journal.tmp";
const ORPHANS: &str = "orphans";
const FOREIGN: &str = "foreign";
const IGNORE: &str = ".gitignore";

const MAGIC: &[u8] = b"hashline journal 1\n";
/// More entries than any request may have.
pub(crate) const MOST_ENTRIES: usize = 4096;
/// No journal is larger.
const LARGEST: u64 = 32 << 20;

/// No larger file is carried to another file system.
const LARGEST_CARRIED: u64 = 1 << 30;

/// The folder, open.
#[derive(Debug)]
pub(crate) struct Area<S: System> {
    pub(super) dir: S::Dir,
}

/// The folder as it was found.
pub(crate) enum FoundArea<S: System> {
    /// None.
    Nothing,
    /// One that only we write.
    Ours(Area<S>),
    /// Something that is not ours: it is neither read nor written.
    Foreign,
}

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

/// A journal as it was found.
pub(super) enum FoundJournal {
    /// None.
    Nothing,
    /// One that was written here.
    Ours(Journal),
    /// One that is damaged, or was written for another root.
    Foreign,
}

impl<S: System> Area<S> {
    /// Opens the folder, if it is there and ours.
    pub(crate) fn find(system: &S, root: &S::Dir) -> io::Result<FoundArea<S>> {
        match system.open_child(root, OsStr::new(AREA)) {
            Ok(dir) => Self::checked(system, dir),
            Err(error) => match error.kind() {
                io::ErrorKind::NotFound => Ok(FoundArea::Nothing),
                // A folder that is closed to us.
                io::ErrorKind::PermissionDenied => Ok(FoundArea::Foreign),
                _ if is_no_folder(&error) => Ok(FoundArea::Foreign),
                _ => Err(error),
            },
        }
    }

    /// Opens the folder, and makes it if it is not there.
    pub(crate) fn make(system: &S, root: &S::Dir) -> io::Result<Self> {
        if let FoundArea::Ours(area) = Self::find(system, root)?
            && area.has(system, IGNORE)?
        {
            return Ok(area);
        }
        match system.make_dir(root, OsStr::new(AREA), Access::Private) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        let area = match Self::find(system, root)? {
            FoundArea::Ours(area) => area,
            FoundArea::Nothing => return Err(io::ErrorKind::NotFound.into()),
            FoundArea::Foreign => {
                // What is no folder at all says so itself.
                system.open_child(root, OsStr::new(AREA))?;
                return Err(io::ErrorKind::PermissionDenied.into());
            }
        };
        match system.create(&area.dir, OsStr::new(IGNORE), Access::Usual) {
            Ok(file) => {
                system.write(&file, b"*\n")?;
                system.sync(&file)?;
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
        system.sync_dir(&area.dir)?;
        system.sync_dir(root)?;
        Ok(area)
    }

    /// Returns the folder's directory, to be locked.
    pub(crate) fn dir(&self) -> &S::Dir {
        &self.dir
    }

    /// Refuses a folder that somebody else could write into.
    fn checked(system: &S, dir: S::Dir) -> io::Result<FoundArea<S>> {
        let stat = system.stat_dir(&dir)?;
        let ours = stat.owner == system.user() && stat.mode & 0o022 == 0;
        Ok(if ours {
            FoundArea::Ours(Self { dir })
        } else {
            FoundArea::Foreign
        })
    }

    /// Moves a stray file here under a name that is free; returns its path below the root.
    pub(crate) fn keep_orphan(
        &self,
        system: &S,
        dir: &S::Dir,
        name: &OsStr,
    ) -> io::Result<Option<PathBuf>> {
        self.keep(system, ORPHANS, dir, name)
    }

    /// Moves a journal that is not ours out of the way.
    pub(super) fn keep_foreign(&self, system: &S, name: &OsStr) -> io::Result<Option<PathBuf>> {
        self.keep(system, FOREIGN, &self.dir, name)
    }

    fn keep(
        &self,
        system: &S,
        folder: &str,
        dir: &S::Dir,
        name: &OsStr,
    ) -> io::Result<Option<PathBuf>> {
        let opened = self.folder(system, OsStr::new(folder))?;
        let (kept, path) = match &opened {
            Some(opened) => (opened, Path::new(AREA).join(folder)),
            None => (&self.dir, PathBuf::from(AREA)),
        };
        let free = free_name(system, name);
        let moved = match system.rename_new(dir, name, kept, &free) {
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                system.rename(dir, name, kept, &free)
            }
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
                carry_over(system, dir, name, kept, &free)
            }
            done => done,
        };
        match moved {
            // Somebody else was faster.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            done => done.map(|()| Some(path.join(free))),
        }
    }

    /// Opens a folder of this one, and makes it if it is not there; nothing if something else has its name.
    fn folder(&self, system: &S, name: &OsStr) -> io::Result<Option<S::Dir>> {
        match system.make_dir(&self.dir, name, Access::Private) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        match system.open_child(&self.dir, name) {
            Err(error) if is_no_folder(&error) => Ok(None),
            opened => opened.map(Some),
        }
    }

    /// Tells whether a commit is under way or was broken off.
    pub(crate) fn has_journal(&self, system: &S) -> io::Result<bool> {
        Ok(
            self.has(system, JOURNAL)?
                || self.has(system, DONE)?
                || self.has(system, UNFINISHED)?,
        )
    }

    pub(super) fn has(&self, system: &S, name: &str) -> io::Result<bool> {
        match system.stat_at(&self.dir, OsStr::new(name)) {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Writes a journal: its name appears only on a complete file.
    pub(super) fn write(
        &self,
        system: &S,
        journal: &Journal,
        durability: Durability,
    ) -> io::Result<()> {
        let bytes = journal.encode();
        if Journal::decode(&bytes).as_ref() != Some(journal) || bytes.len() as u64 > LARGEST {
            // What nobody could read back must not be relied on.
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let sync = |file: &S::File| match durability {
            Durability::Full => system.sync(file),
            Durability::Fast => Ok(()),
        };
        match system.create_unnamed(&self.dir, Access::Private) {
            Ok(file) => {
                system.write(&file, &bytes)?;
                sync(&file)?;
                system.link(&file, &self.dir, OsStr::new(JOURNAL))?;
            }
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                let name = OsStr::new(UNFINISHED);
                let file = system.create(&self.dir, name, Access::Private)?;
                system.write(&file, &bytes)?;
                sync(&file)?;
                system.rename(&self.dir, name, &self.dir, OsStr::new(JOURNAL))?;
            }
            Err(error) => return Err(error),
        }
        self.sync(system, durability)
    }

    pub(super) fn sync(&self, system: &S, durability: Durability) -> io::Result<()> {
        match durability {
            Durability::Full => system.sync_dir(&self.dir),
            Durability::Fast => Ok(()),
        }
    }

    /// Renames the journal.
    pub(super) fn rename(&self, system: &S, name: &str, new: &str) -> io::Result<()> {
        system.rename(&self.dir, OsStr::new(name), &self.dir, OsStr::new(new))
    }

    pub(super) fn unlink(&self, system: &S, name: &str) -> io::Result<()> {
        match system.unlink(&self.dir, OsStr::new(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            done => done,
        }
    }

    /// Returns the foreign journal that can be read, the last one put aside first, and its name.
    pub(super) fn foreign(&self, system: &S) -> io::Result<Option<(Journal, OsString)>> {
        let folder = match system.open_child(&self.dir, OsStr::new(FOREIGN)) {
            Ok(folder) => folder,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut newest: Option<((i64, i64), Journal, OsString)> = None;
        for name in system.list(&folder)? {
            let file = system.open_file(&folder, &name)?;
            let stat = system.stat(&file)?;
            let readable = stat.kind == Kind::File && stat.size <= LARGEST;
            if readable && newest.as_ref().is_none_or(|(at, ..)| *at <= stat.changed) {
                let journal = Journal::decode(&system.read(&file, LARGEST)?);
                newest = journal
                    .map(|journal| (stat.changed, journal, name))
                    .or(newest);
            }
        }
        Ok(newest.map(|(_, journal, name)| (journal, name)))
    }

    /// Forgets a foreign journal.
    pub(super) fn unlink_foreign(&self, system: &S, name: &OsStr) -> io::Result<()> {
        let folder = system.open_child(&self.dir, OsStr::new(FOREIGN))?;
        system.unlink(&folder, name)
    }

    /// Keeps bytes under a name that is free; returns the name.
    pub(super) fn keep_bytes(
        &self,
        system: &S,
        name: &OsStr,
        bytes: &[u8],
    ) -> io::Result<OsString> {
        let folder = self.folder(system, OsStr::new(ORPHANS))?;
        let kept = folder.as_ref().unwrap_or(&self.dir);
        let free = free_name(system, name);
        let file = system.create(kept, &free, Access::Private)?;
        system.write(&file, bytes)?;
        system.sync(&file)?;
        system.sync_dir(kept)?;
        Ok(free)
    }

    /// Reads the journal of this name and tells whether it was written here, by us, for this root.
    pub(super) fn read(
        &self,
        system: &S,
        root: (u64, u64),
        name: &str,
    ) -> io::Result<FoundJournal> {
        let file = match system.open_file(&self.dir, OsStr::new(name)) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(FoundJournal::Nothing);
            }
            // Nothing we wrote.
            Err(error) if is_no_file(&error) => return Ok(FoundJournal::Foreign),
            Err(error) => return Err(error),
        };
        let stat = system.stat(&file)?;
        let fits = stat.kind == Kind::File
            && stat.owner == system.user()
            && stat.mode == 0o600
            && stat.links == 1
            && stat.size <= LARGEST;
        if !fits {
            return Ok(FoundJournal::Foreign);
        }
        let bytes = system.read(&file, LARGEST)?;
        let journal = Journal::decode(&bytes).filter(|journal| journal.root == root);
        Ok(journal.map_or(FoundJournal::Foreign, FoundJournal::Ours))
    }
}

/// Makes a name that nothing has yet.
pub(super) fn free_name<S: System>(system: &S, name: &OsStr) -> OsString {
    let random = u128::from_le_bytes(system.random());
    let mut free = name.to_owned();
    free.push(format!("-{random:032x}"));
    free
}

impl Journal {
    /// Returns the paths of the files it is about.
    pub(super) fn paths(&self) -> Vec<String> {
        let path = |record: &Record| record.dir.join(&record.name);
        let shown = self.records.iter().map(path);
        shown
            .map(|path| path.to_string_lossy().into_owned())
            .collect()
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

    fn encode(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(self.id);
        put_identity(&mut out, Some(self.root));
        put_count(&mut out, self.made.len());
        for path in &self.made {
            put_bytes(&mut out, path.as_os_str().as_bytes());
        }
        put_count(&mut out, self.records.len());
        for record in &self.records {
            put_bytes(&mut out, record.dir.as_os_str().as_bytes());
            put_identity(&mut out, record.dir_identity);
            put_bytes(&mut out, record.name.as_bytes());
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
    /// Returns how many bytes a file of this record can have: as many as were written down, however low the bounds are set by now, and
    /// no more than anybody would set them to.
    pub(super) fn most(&self, set: u64) -> u64 {
        let sizes = [self.old, self.new].into_iter().flatten();
        let largest = sizes.map(|digest| digest.size).max().unwrap_or(0);
        largest.min(set.max(LARGEST_CARRIED))
    }

    /// Tells whether the record can be one of ours: a plain name, a way that only goes down, something to do.
    fn is_sound(&self) -> bool {
        let name = self.name.as_bytes();
        let plain = !name.is_empty()
            && name != b"."
            && name != b".."
            && !name.iter().any(|byte| b"/\0".contains(byte));
        let something = match self.way {
            Way::Swap => self.old.is_some() || self.new.is_some(),
            Way::Overwrite => self.old.is_some() && self.new.is_some(),
        };
        plain && goes_down(&self.dir) && something
    }
}

/// Tells whether a link or a file stands where a folder was to be opened.
pub(super) fn is_no_folder(error: &io::Error) -> bool {
    let is_link = error.raw_os_error() == Some(Errno::LOOP.raw_os_error());
    is_link || error.kind() == io::ErrorKind::NotADirectory
}

/// Moves a file to another file system: its bytes are there for good before it goes here.
fn carry_over<S: System>(
    system: &S,
    dir: &S::Dir,
    name: &OsStr,
    to: &S::Dir,
    new: &OsStr,
) -> io::Result<()> {
    let file = system.open_file(dir, name)?;
    let stat = system.stat(&file)?;
    if stat.kind != Kind::File || stat.size > LARGEST_CARRIED {
        return Err(io::ErrorKind::CrossesDevices.into());
    }
    let bytes = system.read(&file, LARGEST_CARRIED)?;
    let copy = system.create(to, new, Access::Private)?;
    system.write(&copy, &bytes)?;
    system.sync(&copy)?;
    system.sync_dir(to)?;
    system.unlink(dir, name)
}

fn goes_down(path: &Path) -> bool {
    let down = |part| matches!(part, std::path::Component::Normal(_));
    !path.as_os_str().as_bytes().contains(&0) && path.components().all(down)
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
    out.extend(digest.map_or(0, |digest| digest.hash.bits()).to_le_bytes());
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
    Some(OsString::from_vec(name.to_vec()))
}

fn take_identity(input: &mut &[u8]) -> Option<Option<(u64, u64)>> {
    let known = take_flag(input)?;
    let identity = (take_u64(input)?, take_u64(input)?);
    Some(known.then_some(identity))
}

fn take_digest(input: &mut &[u8]) -> Option<Option<Digest>> {
    let known = take_flag(input)?;
    let size = take_u64(input)?;
    let hash = Revision::from_bits(u128::from_le_bytes(*take_array::<16>(input)?));
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
        for dir in ["../out", "/etc", "a/../../b", "a\0/b"] {
            let mut planted = journal();
            planted.records[0].dir = dir.into();
            assert_eq!(Journal::decode(&planted.encode()), None, "{dir}");
        }
        for made in ["", "../out", "/etc", "a/b/c", "other", ".git/refs"] {
            let mut planted = journal();
            planted.made.push(made.into());
            assert_eq!(Journal::decode(&planted.encode()), None, "{made}");
        }
        for name in ["", ".", "..", "a/b", "a\0b"] {
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
