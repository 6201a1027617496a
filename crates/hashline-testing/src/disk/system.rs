//! The disk as a system: every call at once seen by everybody, and durable when it is synced.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use hashline_workspace::system::{DirEntry, FileAccess, FileKind, Share, Stat, System};

use super::image::{DEVICE, Image, Names, Node, ROOT};
use super::meddling::{Meddling, Refusal};
use super::moment::Moment;

/// Who owns everything here.
const USER: u32 = 1000;

/// What is random here: different every time, which is all that anybody relies on.
static RANDOM: AtomicU64 = AtomicU64::new(1);

/// A disk in memory. Clones are the same disk.
#[derive(Clone, Debug)]
pub struct Disk(Rc<Inner>);

#[derive(Debug)]
struct Inner {
    now: RefCell<Moment>,
    moments: RefCell<Vec<Moment>>,
    offers: Offers,
    meddling: Meddling,
    /// The name of every call so far.
    calls: RefCell<Vec<&'static str>>,
    handles: Cell<u64>,
    locks: RefCell<Vec<(Dir, Share)>>,
}

/// What a system can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offers {
    /// All that is used.
    All,
    /// No unnamed files, no names that change places, no renaming to a name only if it is free, no locks on directories.
    Less,
}

/// An open directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dir {
    number: u64,
    handle: u64,
}

/// An open file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File {
    number: u64,
}

impl Disk {
    /// Returns a disk that holds this, durably.
    #[must_use]
    pub fn new(image: Image, offers: Offers, meddling: Meddling) -> Self {
        let now = Moment {
            seen: image.clone(),
            durable: image,
            waiting: Vec::new(),
            call: "nothing",
        };
        Self(Rc::new(Inner {
            now: RefCell::new(now),
            moments: RefCell::default(),
            offers,
            meddling,
            calls: RefCell::default(),
            handles: Cell::new(0),
            locks: RefCell::default(),
        }))
    }

    /// Returns the disk after each call that changed something, in order.
    #[must_use]
    pub fn moments(&self) -> Vec<Moment> {
        self.0.moments.borrow().clone()
    }

    /// Returns the disk as it is now.
    #[must_use]
    pub fn now(&self) -> Moment {
        self.0.now.borrow().clone()
    }

    /// Returns the names of the calls that were made.
    #[must_use]
    pub fn calls(&self) -> Vec<&'static str> {
        self.0.calls.borrow().clone()
    }

    /// Makes a call that changes nothing.
    fn look<T>(
        &self,
        call: &'static str,
        look: impl FnOnce(&Image) -> io::Result<T>,
    ) -> io::Result<T> {
        self.step(call, |moment| look(&moment.seen))
    }

    /// Makes a call that changes something.
    fn change<T>(
        &self,
        call: &'static str,
        change: impl FnOnce(&mut Moment) -> io::Result<T>,
    ) -> io::Result<T> {
        self.step(call, |moment| {
            for meddling in self.0.meddling.each() {
                if let Meddling::GrowAt { call: at, path } = meddling
                    && *at == call
                {
                    moment.seen.grow(path);
                }
            }
            let changed = change(moment)?;
            moment.call = call;
            self.0.moments.borrow_mut().push(moment.clone());
            Ok(changed)
        })
    }

    /// Counts a call, and lets happen what is to happen at it.
    fn step<T>(
        &self,
        name: &'static str,
        call: impl FnOnce(&mut Moment) -> io::Result<T>,
    ) -> io::Result<T> {
        let at = self.0.calls.borrow().len();
        self.0.calls.borrow_mut().push(name);
        let mut moment = self.0.now.borrow_mut();
        for meddling in self.0.meddling.each() {
            if let Some((how, kind)) = meddling.refuses(at, name) {
                if how == Refusal::Late {
                    let _ = call(&mut moment);
                }
                return Err(io::Error::new(kind, "refused"));
            }
            meddling.happens(at, &mut moment.seen);
        }
        call(&mut moment)
    }

    fn open(&self, number: u64) -> Dir {
        self.0.handles.set(self.0.handles.get() + 1);
        Dir {
            number,
            handle: self.0.handles.get(),
        }
    }

    /// Changes names for everybody to see; it waits for a sync to be durable.
    fn rename_all(
        &self,
        call: &'static str,
        names: impl FnOnce(&Image) -> io::Result<Names>,
    ) -> io::Result<()> {
        self.change(call, |moment| {
            let names = names(&moment.seen)?;
            moment.rename(names);
            Ok(())
        })
    }

    fn offers_less(&self) -> bool {
        self.0.offers == Offers::Less
    }
}

fn new_file(access: FileAccess) -> Node {
    Node::File {
        bytes: Vec::new(),
        mode: match access {
            FileAccess::Usual => 0o644,
            FileAccess::Private => 0o600,
        },
    }
}

fn named(image: &Image, dir: Dir, name: &OsStr) -> io::Result<u64> {
    image
        .child(dir.number, name)
        .ok_or_else(|| ErrorKind::NotFound.into())
}

fn free(image: &Image, dir: Dir, name: &OsStr) -> io::Result<()> {
    match image.child(dir.number, name) {
        Some(_) => Err(ErrorKind::AlreadyExists.into()),
        None => Ok(()),
    }
}

fn facts(image: &Image, number: u64) -> io::Result<Stat> {
    let (kind, mode, size) = match image.nodes.get(&number) {
        Some(Node::File { bytes, mode }) => (FileKind::File, *mode, bytes.len() as u64),
        Some(Node::Dir { mode, .. }) => (FileKind::Dir, *mode, 0),
        None => return Err(ErrorKind::NotFound.into()),
    };
    Ok(Stat {
        kind,
        device: DEVICE,
        inode: number,
        mode,
        owner: USER,
        links: image.links(number),
        size,
        modified: (0, 0),
        // There is no clock here: what was made later changed later.
        changed: (0, i64::try_from(number).unwrap_or(i64::MAX)),
    })
}

fn file_bytes(image: &Image, number: u64) -> io::Result<&[u8]> {
    match image.nodes.get(&number) {
        Some(Node::File { bytes, .. }) => Ok(bytes),
        Some(Node::Dir { .. }) => Err(ErrorKind::IsADirectory.into()),
        None => Err(ErrorKind::NotFound.into()),
    }
}

/// Refuses what is done to files only.
fn no_directory(image: &Image, number: u64) -> io::Result<()> {
    file_bytes(image, number).map(|_| ())
}

fn directory(image: &Image, number: u64) -> io::Result<&BTreeMap<OsString, u64>> {
    match image.nodes.get(&number) {
        Some(Node::Dir { names, .. }) => Ok(names),
        Some(Node::File { .. }) => Err(ErrorKind::NotADirectory.into()),
        None => Err(ErrorKind::NotFound.into()),
    }
}

impl System for Disk {
    type Dir = Dir;
    type File = File;

    fn open_root(&self, _path: &Path) -> io::Result<Dir> {
        self.look("open_root", |_| Ok(self.open(ROOT)))
    }

    fn open_dir(&self, root: &Dir, path: &Path) -> io::Result<Dir> {
        self.look("open_dir", |image| {
            let mut here = *root;
            for name in path {
                here.number = named(image, here, name)?;
                directory(image, here.number)?;
            }
            Ok(self.open(here.number))
        })
    }

    fn open_child(&self, dir: &Dir, name: &OsStr) -> io::Result<Dir> {
        self.look("open_child", |image| {
            let number = named(image, *dir, name)?;
            directory(image, number)?;
            Ok(self.open(number))
        })
    }

    fn open_file(&self, dir: &Dir, name: &OsStr) -> io::Result<File> {
        self.look("open_file", |image| {
            let number = named(image, *dir, name)?;
            if facts(image, number)?.mode & 0o444 == 0 {
                return Err(ErrorKind::PermissionDenied.into());
            }
            Ok(File { number })
        })
    }

    fn open_to_overwrite(&self, dir: &Dir, name: &OsStr) -> io::Result<File> {
        self.open_file(dir, name)
    }

    fn read_link(&self, _dir: &Dir, _name: &OsStr) -> io::Result<PathBuf> {
        self.look("read_link", |_| Err(ErrorKind::InvalidInput.into()))
    }

    fn stat(&self, file: &File) -> io::Result<Stat> {
        self.look("stat", |image| facts(image, file.number))
    }

    fn stat_dir(&self, dir: &Dir) -> io::Result<Stat> {
        self.look("stat_dir", |image| facts(image, dir.number))
    }

    fn stat_at(&self, dir: &Dir, name: &OsStr) -> io::Result<Stat> {
        self.look("stat_at", |image| facts(image, named(image, *dir, name)?))
    }

    fn exists(&self, path: &Path) -> bool {
        let below = path.strip_prefix("/").unwrap_or(path);
        let there = |image: &Image| Ok(image.tree().contains_key(below));
        self.look("exists", there).unwrap_or(false)
    }

    fn path_of(&self, dir: &Dir) -> io::Result<PathBuf> {
        self.look("path_of", |image| {
            let path = image.path_of(dir.number).ok_or(ErrorKind::NotFound)?;
            Ok(Path::new("/").join(path))
        })
    }

    fn entries(&self, dir: &Dir) -> io::Result<Vec<DirEntry>> {
        self.look("entries", |image| {
            let entry = |(name, number): (&OsString, &u64)| {
                let kind = facts(image, *number)?.kind;
                let name = name.clone();
                Ok(DirEntry { name, kind })
            };
            directory(image, dir.number)?.iter().map(entry).collect()
        })
    }

    fn read(&self, file: &File, most: u64) -> io::Result<Vec<u8>> {
        self.look("read", |image| {
            let bytes = file_bytes(image, file.number)?;
            let most = usize::try_from(most).unwrap_or(usize::MAX);
            Ok(bytes[..bytes.len().min(most)].to_vec())
        })
    }

    fn read_at(&self, file: &File, at: u64, into: &mut [u8]) -> io::Result<usize> {
        self.look("read_at", |image| {
            let bytes = file_bytes(image, file.number)?;
            let rest = &bytes[bytes.len().min(usize::try_from(at).unwrap_or(usize::MAX))..];
            let count = rest.len().min(into.len());
            into[..count].copy_from_slice(&rest[..count]);
            Ok(count)
        })
    }

    fn create_unnamed(&self, _dir: &Dir, access: FileAccess) -> io::Result<File> {
        if self.offers_less() {
            return self.look("create_unnamed", |_| Err(ErrorKind::Unsupported.into()));
        }
        self.change("create_unnamed", |moment| {
            let number = moment.seen.add(new_file(access));
            Ok(File { number })
        })
    }

    fn create(&self, dir: &Dir, name: &OsStr, access: FileAccess) -> io::Result<File> {
        self.change("create", |moment| {
            free(&moment.seen, *dir, name)?;
            let number = moment.seen.add(new_file(access));
            moment.rename(vec![(dir.number, name.to_owned(), Some(number))]);
            Ok(File { number })
        })
    }

    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<()> {
        self.change("write", |moment| {
            match moment.seen.nodes.get_mut(&file.number) {
                Some(Node::File { bytes: held, .. }) => *held = bytes.to_vec(),
                _ => return Err(ErrorKind::NotFound.into()),
            }
            Ok(())
        })
    }

    fn copy_metadata(&self, from: &File, to: &File) -> io::Result<()> {
        self.change("copy_metadata", |moment| {
            let like = facts(&moment.seen, from.number)?.mode;
            match moment.seen.nodes.get_mut(&to.number) {
                Some(Node::File { mode, .. }) => *mode = like,
                _ => return Err(ErrorKind::NotFound.into()),
            }
            Ok(())
        })
    }

    fn link(&self, file: &File, dir: &Dir, name: &OsStr) -> io::Result<()> {
        self.rename_all("link", |image| {
            free(image, *dir, name)?;
            Ok(vec![(dir.number, name.to_owned(), Some(file.number))])
        })
    }

    fn link_name(&self, dir: &Dir, name: &OsStr, to: &Dir, new: &OsStr) -> io::Result<()> {
        self.rename_all("link_name", |image| {
            free(image, *to, new)?;
            let number = named(image, *dir, name)?;
            no_directory(image, number)?;
            Ok(vec![(to.number, new.to_owned(), Some(number))])
        })
    }

    fn rename(&self, dir: &Dir, name: &OsStr, to: &Dir, new: &OsStr) -> io::Result<()> {
        self.rename_all("rename", |image| {
            let number = named(image, *dir, name)?;
            if let Some(replaced) = image.child(to.number, new) {
                no_directory(image, number)?;
                no_directory(image, replaced)?;
            }
            let gone = (dir.number, name.to_owned(), None);
            Ok(vec![gone, (to.number, new.to_owned(), Some(number))])
        })
    }

    fn rename_new(&self, dir: &Dir, name: &OsStr, to: &Dir, new: &OsStr) -> io::Result<()> {
        if self.offers_less() {
            return self.look("rename_new", |_| Err(ErrorKind::Unsupported.into()));
        }
        self.rename_all("rename_new", |image| {
            free(image, *to, new)?;
            let number = named(image, *dir, name)?;
            let gone = (dir.number, name.to_owned(), None);
            Ok(vec![gone, (to.number, new.to_owned(), Some(number))])
        })
    }

    fn exchange(&self, dir: &Dir, name: &OsStr, other: &OsStr) -> io::Result<()> {
        if self.offers_less() {
            return self.look("exchange", |_| Err(ErrorKind::Unsupported.into()));
        }
        self.rename_all("exchange", |image| {
            let (one, two) = (named(image, *dir, name)?, named(image, *dir, other)?);
            let first = (dir.number, name.to_owned(), Some(two));
            Ok(vec![first, (dir.number, other.to_owned(), Some(one))])
        })
    }

    fn unlink(&self, dir: &Dir, name: &OsStr) -> io::Result<()> {
        self.rename_all("unlink", |image| {
            no_directory(image, named(image, *dir, name)?)?;
            Ok(vec![(dir.number, name.to_owned(), None)])
        })
    }

    fn make_dir(&self, dir: &Dir, name: &OsStr, access: FileAccess) -> io::Result<()> {
        self.change("make_dir", |moment| {
            free(&moment.seen, *dir, name)?;
            let node = Node::Dir {
                names: BTreeMap::new(),
                mode: match access {
                    FileAccess::Usual => 0o755,
                    FileAccess::Private => 0o700,
                },
            };
            let number = moment.seen.add(node.clone());
            moment.durable.nodes.insert(number, node);
            moment.rename(vec![(dir.number, name.to_owned(), Some(number))]);
            Ok(())
        })
    }

    fn remove_dir(&self, dir: &Dir, name: &OsStr) -> io::Result<()> {
        self.rename_all("remove_dir", |image| {
            let number = named(image, *dir, name)?;
            if !directory(image, number)?.is_empty() {
                return Err(ErrorKind::DirectoryNotEmpty.into());
            }
            Ok(vec![(dir.number, name.to_owned(), None)])
        })
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        let forgets = matches!(self.0.meddling, Meddling::ForgetsSyncs);
        self.change("sync", |moment| {
            if let Some(node) = moment.seen.nodes.get(&file.number)
                && !forgets
            {
                let node = node.clone();
                moment.durable.nodes.insert(file.number, node);
            }
            Ok(())
        })
    }

    fn sync_dir(&self, dir: &Dir) -> io::Result<()> {
        let forgets = matches!(self.0.meddling, Meddling::ForgetsSyncs);
        self.change("sync_dir", |moment| {
            if !forgets {
                moment.make_durable(dir.number);
            }
            Ok(())
        })
    }

    fn try_lock(&self, dir: &Dir, share: Share) -> io::Result<bool> {
        if self.offers_less() {
            return self.look("try_lock", |_| Err(ErrorKind::Unsupported.into()));
        }
        self.look("try_lock", |_| {
            let mut locks = self.0.locks.borrow_mut();
            let hinders = |(held, theirs): &(Dir, Share)| {
                held.number == dir.number
                    && held.handle != dir.handle
                    && (share == Share::Nobody || *theirs == Share::Nobody)
            };
            if locks.iter().any(hinders) {
                return Ok(false);
            }
            locks.push((*dir, share));
            Ok(true)
        })
    }

    fn unlock(&self, dir: &Dir) -> io::Result<()> {
        self.0.locks.borrow_mut().retain(|(held, _)| held != dir);
        Ok(())
    }

    fn lock_file(&self, _folder: &Path, _name: &OsStr, _share: Share) -> io::Result<Option<File>> {
        // Nobody else is here who could have it.
        self.look("lock_file", |_| Ok(Some(File { number: ROOT })))
    }

    fn is_remote(&self, _dir: &Dir) -> io::Result<bool> {
        self.look("is_remote", |_| Ok(false))
    }

    fn can_replace(&self, dir: &Dir, _name: &OsStr) -> io::Result<bool> {
        self.look("can_replace", |image| {
            Ok(facts(image, dir.number)?.mode & 0o222 != 0)
        })
    }

    fn user(&self) -> u32 {
        USER
    }

    fn random(&self) -> [u8; 16] {
        let next = RANDOM.fetch_add(1, Ordering::Relaxed);
        u128::from(next).to_le_bytes()
    }
}
