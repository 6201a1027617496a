//! Resolves a path component by component, where the system cannot do it in one call. Symbolic links are followed, unless they lead out of
//! the root.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};

use rustix::fs::Mode;
use rustix::io::Errno;

use super::native::READ_DIR;
use super::own;
use super::retry::open_retrying;

/// How many symbolic links are followed before the path counts as a loop.
const LINKS: usize = 40;

/// The result of opening one component of a path.
pub(super) enum Entered {
    /// A directory, open.
    Dir(OwnedFd),
    /// A symbolic link, with its target.
    Link(PathBuf),
}

/// Opens a directory below a root; fails if the path leads out of the root.
pub(super) fn walk(root: &OwnedFd, path: &Path) -> io::Result<OwnedFd> {
    let here = OsStr::new(".");
    let mut dirs = vec![open_retrying(root, here, own::ON_THE_WAY, Mode::empty())?];
    let mut ahead: Vec<OsString> = names_backwards(path)?;
    let mut links = 0;
    while let Some(name) = ahead.pop() {
        if name == ".." {
            // It would leave the root.
            if dirs.len() == 1 {
                return Err(Errno::XDEV.into());
            }
            dirs.pop();
            continue;
        }
        match own::enter(&dirs[dirs.len() - 1], &name)? {
            Entered::Dir(next) => dirs.push(next),
            Entered::Link(target) => {
                links += 1;
                if links > LINKS {
                    return Err(Errno::LOOP.into());
                }
                ahead.extend(names_backwards(&target)?);
            }
        }
    }
    open_retrying(&dirs[dirs.len() - 1], here, READ_DIR, Mode::empty())
}

/// Lists the components of a relative path, the last one first.
fn names_backwards(path: &Path) -> io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => names.push(name.to_owned()),
            Component::ParentDir => names.push("..".into()),
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => {
                return Err(Errno::XDEV.into());
            }
        }
    }
    names.reverse();
    Ok(names)
}
