//! Which files are not to be looked at: `.ignore`, `.gitignore` and `.git/info/exclude`, read inside the root and nowhere else.
//!
//! What stands above the root, and the user's own git settings, are not read: nothing outside of the roots is. A `.gitignore`
//! counts whether or not a repository is around it, since the repository may begin above the root.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::error::{Error, io_error};
use crate::system::{DirEntry, FileKind, System};

/// The largest file of rules that is read.
const LARGEST: u64 = 1 << 20;
const BOM: &str = "\u{feff}";

/// The rules that hold in one folder.
pub(super) struct Rules {
    above: Option<Arc<Rules>>,
    /// `.ignore`
    ours: Gitignore,
    /// `.gitignore`
    git: Gitignore,
    /// `.git/info/exclude`
    exclude: Gitignore,
    /// Whether a repository begins here: the git rules above it belong to another one.
    is_repository: bool,
}

/// What the rules say of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing.
    Silent,
    /// It is not to be looked at.
    Ignored,
    /// It is to be looked at, even if it is hidden.
    Wanted,
}

impl<T> From<Match<T>> for Verdict {
    fn from(found: Match<T>) -> Self {
        match found {
            Match::None => Self::Silent,
            Match::Ignore(_) => Self::Ignored,
            Match::Whitelist(_) => Self::Wanted,
        }
    }
}

impl Verdict {
    /// Returns this, or what `other` says if this says nothing.
    pub(super) fn or(self, other: impl FnOnce() -> Self) -> Self {
        match self {
            Self::Silent => other(),
            requested => requested,
        }
    }
}

impl Rules {
    /// Reads the rules of a folder, given what is in it; the rules above hold further. Files that cannot be read are told to
    /// `failed`.
    pub(super) fn of_folder<S: System>(
        system: &S,
        dir: &S::Dir,
        path: &Path,
        entries: &[DirEntry],
        above: Option<Arc<Self>>,
        mut failed: impl FnMut(Error),
    ) -> Option<Arc<Self>> {
        let has = |name: &str| entries.iter().any(|entry| entry.name == OsStr::new(name));
        let is_file = |name: &str| {
            let mut files = entries.iter().filter(|entry| entry.kind == FileKind::File);
            files.any(|entry| entry.name == OsStr::new(name))
        };
        let mut read = |name: &str| {
            if !is_file(name) {
                return Gitignore::empty();
            }
            parsed(path, text(system, dir, OsStr::new(name))).unwrap_or_else(|error| {
                let requested = path.join(name);
                failed(io_error(&requested.to_string_lossy(), "reading it", &error));
                Gitignore::empty()
            })
        };
        let (ours, git) = (read(".ignore"), read(".gitignore"));
        let is_repository = has(".git");
        if ours.is_empty() && git.is_empty() && !is_repository {
            return above;
        }
        let exclude = is_repository.then(|| parsed(path, exclude(system, dir)).ok());
        Some(Arc::new(Self {
            above,
            ours,
            git,
            exclude: exclude.flatten().unwrap_or_else(Gitignore::empty),
            is_repository,
        }))
    }

    /// Says whether a name below is to be looked at. The nearest folder that says something decides; `.ignore` before git's.
    pub(super) fn judge(&self, path: &Path, kind: FileKind) -> Verdict {
        let is_dir = kind == FileKind::Dir;
        let [mut ours, mut git, mut exclude] = [Verdict::Silent; 3];
        let mut in_repository = true;
        let mut here = Some(self);
        while let Some(rules) = here {
            ours = ours.or(|| rules.ours.matched(path, is_dir).into());
            if in_repository {
                git = git.or(|| rules.git.matched(path, is_dir).into());
                exclude = exclude.or(|| rules.exclude.matched(path, is_dir).into());
            }
            in_repository &= !rules.is_repository;
            here = rules.above.as_deref();
        }
        ours.or(|| git).or(|| exclude)
    }
}

/// Reads a file of rules. One that is a link is not followed, as git does not.
fn text<S: System>(system: &S, dir: &S::Dir, name: &OsStr) -> io::Result<Vec<u8>> {
    let file = system.open_file(dir, name)?;
    let stat = system.stat(&file)?;
    if stat.kind != FileKind::File || stat.size > LARGEST {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    system.read(&file, LARGEST)
}

/// Reads what is left out of a repository without being said in it. Where `.git` is no folder, that lies elsewhere.
fn exclude<S: System>(system: &S, dir: &S::Dir) -> io::Result<Vec<u8>> {
    let git = system.open_child(dir, OsStr::new(".git"))?;
    let info = system.open_child(&git, OsStr::new("info"))?;
    text(system, &info, OsStr::new("exclude"))
}

/// Takes every line that is a rule; the others are nobody's fault here.
fn parsed(folder: &Path, text: io::Result<Vec<u8>>) -> io::Result<Gitignore> {
    let text = text?;
    let mut builder = GitignoreBuilder::new(folder);
    for line in text.split(|&byte| byte == b'\n') {
        let line = std::str::from_utf8(line).unwrap_or_default();
        let _ = builder.add_line(None, line.trim_start_matches(BOM));
    }
    Ok(builder.build().unwrap_or_else(|_| Gitignore::empty()))
}
