//! Copies extended attributes of files.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;

use rustix::fs::XattrFlags;
use rustix::io::Errno;

use super::own;
use super::retry::retry;

/// Copies the extended attributes for whose names `kept` returns `true`.
pub(super) fn copy(from: &OwnedFd, to: &OwnedFd, kept: impl Fn(&OsStr) -> bool) -> io::Result<()> {
    for name in names(from)? {
        if kept(&name) {
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
