//! What a disk holds: files and directories by number.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The device that everything lies on.
pub(super) const DEVICE: u64 = 1;

/// The number of the root directory.
pub(super) const ROOT: u64 = 1;

/// Every name below a folder: the bytes of a file, nothing for a folder.
pub type Tree = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// What a disk holds at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    pub(super) nodes: BTreeMap<u64, Node>,
}

/// One thing on a disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A file.
    File {
        /// Its bytes.
        bytes: Vec<u8>,
        /// Its permission bits.
        mode: u32,
    },
    /// A directory.
    Dir {
        /// What its names stand for.
        names: BTreeMap<OsString, u64>,
        /// Its permission bits.
        mode: u32,
    },
}

/// Names of directories, and what they stand for.
pub(super) type Names = Vec<(u64, OsString, Option<u64>)>;

/// A change of names: what each of them stands for afterwards. It happens whole or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Renaming {
    pub(super) names: Names,
}

impl Renaming {
    /// Returns whether both are about a name, so that the later one cannot be without the earlier.
    pub(super) fn meets(&self, other: &Self) -> bool {
        let mut theirs = other.names.iter();
        theirs.any(|(dir, name, _)| {
            let mut ours = self.names.iter();
            ours.any(|(our_dir, our_name, _)| our_dir == dir && our_name == name)
        })
    }

    /// Returns whether it is about a directory.
    pub(super) fn touches(&self, dir: u64) -> bool {
        self.names.iter().any(|(touched, ..)| *touched == dir)
    }
}

impl Image {
    /// Returns a disk with these files.
    #[must_use]
    pub fn with(files: &[(&str, &[u8])]) -> Self {
        let root = Node::Dir {
            names: BTreeMap::new(),
            mode: 0o755,
        };
        let mut image = Self {
            nodes: BTreeMap::from([(ROOT, root)]),
        };
        for (path, bytes) in files {
            image.put(Path::new(path), bytes);
        }
        image
    }

    /// Writes a file, whatever is there, and makes the directories on its way.
    pub fn put(&mut self, path: &Path, bytes: &[u8]) {
        let dir = self.make_dirs(path.parent().unwrap_or(Path::new("")));
        let Some(name) = path.file_name() else { return };
        let mode = 0o644;
        let file = Node::File {
            bytes: bytes.to_vec(),
            mode,
        };
        match self.child(dir, name) {
            Some(number) => _ = self.nodes.insert(number, file),
            None => {
                let number = self.add(file);
                self.set(dir, name, Some(number));
            }
        }
    }

    /// Makes a directory and those on its way, as far as they are not there; returns its number.
    pub(super) fn make_dirs(&mut self, path: &Path) -> u64 {
        let mut dir = ROOT;
        for name in path {
            dir = self.child(dir, name).unwrap_or_else(|| {
                let number = self.add(Node::Dir {
                    names: BTreeMap::new(),
                    mode: 0o755,
                });
                self.set(dir, name, Some(number));
                number
            });
        }
        dir
    }

    /// Puts another file in the place of the one at a path, as an editor does that saves under another name and renames.
    pub fn put_another(&mut self, path: &Path, bytes: &[u8]) {
        self.remove(path);
        self.put(path, bytes);
    }

    /// Takes a name away, if it is there.
    pub fn remove(&mut self, path: &Path) {
        let dir = path.parent().and_then(|parent| self.find(parent));
        if let (Some(dir), Some(name)) = (dir, path.file_name()) {
            self.set(dir, name, None);
        }
    }

    /// Changes the permission bits of what stands at a path, if anything does.
    pub fn change_mode(&mut self, path: &Path, bits: u32) {
        let node = self
            .find(path)
            .and_then(|number| self.nodes.get_mut(&number));
        if let Some(Node::File { mode, .. } | Node::Dir { mode, .. }) = node {
            *mode = bits;
        }
    }

    /// Adds a line to a file.
    pub(super) fn grow(&mut self, path: &Path) {
        let mut bytes = self.tree().remove(path).flatten().unwrap_or_default();
        bytes.extend_from_slice(b"more\n");
        self.put(path, &bytes);
    }

    /// Gives a file a second name in a directory that is there, if that name is free.
    pub fn link(&mut self, path: &Path, new: &Path) {
        let (Some(number), Some(name)) = (self.find(path), new.file_name()) else {
            return;
        };
        let dir = new.parent().and_then(|parent| self.find(parent));
        let is_file = matches!(self.nodes.get(&number), Some(Node::File { .. }));
        if let Some(dir) = dir.filter(|&dir| is_file && self.child(dir, name).is_none()) {
            self.set(dir, name, Some(number));
        }
    }

    /// Returns the device and number of what stands at a path, as a system tells them.
    #[must_use]
    pub fn identity(&self, path: &Path) -> Option<(u64, u64)> {
        self.find(path).map(|number| (DEVICE, number))
    }

    fn find(&self, path: &Path) -> Option<u64> {
        path.iter()
            .try_fold(ROOT, |dir, name| self.child(dir, name))
    }

    /// Adds a thing that has no name yet.
    pub(super) fn add(&mut self, node: Node) -> u64 {
        let number = self.nodes.keys().next_back().map_or(ROOT, |last| last + 1);
        self.nodes.insert(number, node);
        number
    }

    /// Returns what a name stands for.
    pub(super) fn child(&self, dir: u64, name: &OsStr) -> Option<u64> {
        match self.nodes.get(&dir)? {
            Node::Dir { names, .. } => names.get(name).copied(),
            Node::File { .. } => None,
        }
    }

    pub(super) fn set(&mut self, dir: u64, name: &OsStr, number: Option<u64>) {
        let Some(Node::Dir { names, .. }) = self.nodes.get_mut(&dir) else {
            return;
        };
        match number {
            Some(number) => _ = names.insert(name.to_owned(), number),
            None => _ = names.remove(name),
        }
    }

    pub(super) fn apply(&mut self, renaming: &Renaming) {
        for (dir, name, number) in &renaming.names {
            self.set(*dir, name, *number);
        }
    }

    /// Returns how many names a thing has.
    pub(super) fn links(&self, number: u64) -> u64 {
        let dirs = self.nodes.values().filter_map(|node| match node {
            Node::Dir { names, .. } => Some(names),
            Node::File { .. } => None,
        });
        let names = dirs.flat_map(BTreeMap::values);
        names.filter(|&&named| named == number).count() as u64
    }

    /// Returns everything that has a name, by its path.
    #[must_use]
    pub fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        let mut open = vec![(ROOT, PathBuf::new())];
        while let Some((dir, path)) = open.pop() {
            let Some(Node::Dir { names, .. }) = self.nodes.get(&dir) else {
                continue;
            };
            for (name, number) in names {
                let path = path.join(name);
                match self.nodes.get(number) {
                    Some(Node::File { bytes, .. }) => _ = tree.insert(path, Some(bytes.clone())),
                    _ => {
                        tree.insert(path.clone(), None);
                        open.push((*number, path));
                    }
                }
            }
        }
        tree
    }

    /// Returns where a directory is.
    pub(super) fn path_of(&self, number: u64) -> Option<PathBuf> {
        if number == ROOT {
            return Some(PathBuf::new());
        }
        self.nodes.iter().find_map(|(&parent, node)| {
            let Node::Dir { names, .. } = node else {
                return None;
            };
            let (name, _) = names.iter().find(|&(_, &named)| named == number)?;
            Some(self.path_of(parent)?.join(name))
        })
    }
}
