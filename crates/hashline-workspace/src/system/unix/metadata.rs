//! Copies the metadata that a replaced file keeps: owner, group, mode, access control lists and extended attributes.
//!
//! Which extended attributes are kept depends on the system: `is_kept` in `linux.rs` and `macos.rs`.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;

use rustix::fs::{Gid, Mode, Uid, XattrFlags};
use rustix::io::Errno;

use super::own;
use super::retry::retry;

/// Gives the file `to` the metadata of the file `from`.
pub(super) fn copy(from: &OwnedFd, to: &OwnedFd) -> io::Result<()> {
    let (old, new) = (rustix::fs::fstat(from)?, rustix::fs::fstat(to)?);
    let owner = (old.st_uid != new.st_uid).then(|| Uid::from_raw(old.st_uid));
    let group = (old.st_gid != new.st_gid).then(|| Gid::from_raw(old.st_gid));
    if owner.is_some() || group.is_some() {
        retry(|| rustix::fs::fchown(to, owner, group))?;
    }
    own::drop_inherited(to)?;
    // After the owner: changing that clears the special bits of the mode.
    retry(|| rustix::fs::fchmod(to, Mode::from_raw_mode(old.st_mode)))?;
    copy_attributes(from, to)
}

fn copy_attributes(from: &OwnedFd, to: &OwnedFd) -> io::Result<()> {
    for name in names(from)? {
        if own::is_kept(&name) {
            let value = value(from, &name)?;
            retry(|| rustix::fs::fsetxattr(to, &*name, &value, XattrFlags::empty()))?;
        }
    }
    Ok(())
}

fn names(file: &OwnedFd) -> io::Result<Vec<OsString>> {
    let mut names = vec![0; 1024];
    loop {
        match retry(|| rustix::fs::flistxattr(file.as_fd(), &mut names[..])) {
            Ok(filled) => {
                let list = names[..filled].split(|&byte| byte == 0);
                let named = list.filter(|name| !name.is_empty());
                return Ok(named
                    .map(|name| OsString::from_vec(name.to_vec()))
                    .collect());
            }
            Err(Errno::RANGE) => names.resize(names.len() * 4, 0),
            Err(own::NOT_SUPPORTED) => return Ok(Vec::new()),
            Err(error) => return Err(error.into()),
        }
    }
}

fn value(file: &OwnedFd, name: &OsStr) -> io::Result<Vec<u8>> {
    let mut value = vec![0; 4096];
    loop {
        match retry(|| rustix::fs::fgetxattr(file.as_fd(), name, &mut value[..])) {
            Ok(filled) => {
                value.truncate(filled);
                return Ok(value);
            }
            Err(Errno::RANGE) => value.resize(value.len() * 4, 0),
            Err(error) => return Err(error.into()),
        }
    }
}
