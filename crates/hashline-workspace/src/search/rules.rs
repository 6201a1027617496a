//! Ignore rules: `.ignore`, `.gitignore` and `.git/info/exclude`, which are read inside the root only.
//!
//! Ignore files above the root and the user's git settings are not read, because nothing outside of the roots is. A `.gitignore` applies even
//! without a `.git` folder, since the repository may begin above the root.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::error::{Error, io_error};
use crate::system::{DirEntry, FileKind, System};

/// The size limit for ignore files; larger ones are not read.
const LARGEST: u64 = 1 << 20;
const BOM: &str = "\u{feff}";

/// The ignore rules that apply in one folder.
pub(super) struct Rules {
    above: Option<Arc<Rules>>,
    /// The rules of the folder's `.ignore`.
    ours: Gitignore,
    /// The rules of the folder's `.gitignore`.
    git: Gitignore,
    /// The rules of the folder's `.git/info/exclude`.
    exclude: Gitignore,
    /// Whether the folder is the top of a repository: the git rules of folders above belong to another repository and do not apply.
    is_repository: bool,
}

impl Rules {
    /// Reads the ignore files of a folder, whose entries are given; the rules of the folders above still apply. Ignore files that cannot be read are
    /// reported to `failed`.
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

    /// Matches a path against the rules. The nearest folder with a matching rule decides; `.ignore` takes precedence over git's files.
    pub(super) fn matched(&self, path: &Path, kind: FileKind) -> Match<()> {
        let is_dir = kind == FileKind::Dir;
        let (mut ours, mut git, mut exclude) = (Match::None, Match::None, Match::None);
        let mut in_repository = true;
        let mut here = Some(self);
        while let Some(rules) = here {
            for (found, file, applies) in [
                (&mut ours, &rules.ours, true),
                (&mut git, &rules.git, in_repository),
                (&mut exclude, &rules.exclude, in_repository),
            ] {
                if applies && found.is_none() {
                    *found = file.matched(path, is_dir).map(|_| ());
                }
            }
            in_repository &= !rules.is_repository;
            here = rules.above.as_deref();
        }
        ours.or(git).or(exclude)
    }
}

/// Reads an ignore file. A symbolic link is not followed, as in git.
fn text<S: System>(system: &S, dir: &S::Dir, name: &OsStr) -> io::Result<Vec<u8>> {
    let file = system.open_file(dir, name)?;
    let stat = system.stat(&file)?;
    if stat.kind != FileKind::File || stat.size > LARGEST {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    system.read(&file, LARGEST)
}

/// Reads `.git/info/exclude`. Fails where `.git` is a file, as in a worktree; such a folder has no exclude file.
fn exclude<S: System>(system: &S, dir: &S::Dir) -> io::Result<Vec<u8>> {
    let git = system.open_child(dir, OsStr::new(".git"))?;
    let info = system.open_child(&git, OsStr::new("info"))?;
    text(system, &info, OsStr::new("exclude"))
}

/// Parses an ignore file; invalid lines are skipped, as in git.
fn parsed(folder: &Path, text: io::Result<Vec<u8>>) -> io::Result<Gitignore> {
    let text = text?;
    let mut builder = GitignoreBuilder::new(folder);
    for line in text.split(|&byte| byte == b'\n') {
        let line = std::str::from_utf8(line).unwrap_or_default();
        let _ = builder.add_line(None, line.trim_start_matches(BOM));
    }
    Ok(builder.build().unwrap_or_else(|_| Gitignore::empty()))
}
