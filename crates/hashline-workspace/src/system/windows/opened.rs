//! Opens files and folders without following symbolic links.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::refusal;
use crate::system::{FileKind, Stat};

/// The flag that allows folders to be opened.
const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;
/// The flag that opens a symbolic link itself instead of its target.
const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
/// The access right to read metadata only.
const FILE_READ_ATTRIBUTES: u32 = 0x80;

/// Opens a file with these options; fails if it is a symbolic link.
pub(super) fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let file = as_it_is(options).open(path)?;
    if file.metadata()?.file_type().is_symlink() {
        return Err(refusal::link());
    }
    Ok(file)
}

/// Returns the metadata of a path, without following a symbolic link.
pub(super) fn stat_path(path: &Path) -> io::Result<Stat> {
    let mut options = OpenOptions::new();
    options.access_mode(FILE_READ_ATTRIBUTES);
    stat(&as_it_is(&mut options).open(path)?)
}

/// Returns the metadata of an open file. Owners and permissions are not read: every file counts as the user's own.
fn stat(file: &File) -> io::Result<Stat> {
    let (facts, known) = (file.metadata()?, winapi_util::file::information(file)?);
    let kind = kind(facts.file_type());
    let mode = match (kind, facts.permissions().readonly()) {
        (FileKind::Dir, _) => 0o700,
        (_, false) => 0o600,
        (_, true) => 0o400,
    };
    let modified = facts.modified().map_or((0, 0), since_1970);
    Ok(Stat {
        kind,
        device: known.volume_serial_number(),
        inode: known.file_index(),
        mode,
        owner: 0,
        links: known.number_of_links(),
        size: facts.len(),
        modified,
        changed: modified,
    })
}

/// Converts the file type of the standard library.
pub(super) fn kind(of: std::fs::FileType) -> FileKind {
    if of.is_symlink() {
        FileKind::Link
    } else if of.is_dir() {
        FileKind::Dir
    } else if of.is_file() {
        FileKind::File
    } else {
        FileKind::Special
    }
}

fn as_it_is(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags(FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT)
}

fn since_1970(time: SystemTime) -> (i64, i64) {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = i64::try_from(since.as_secs()).unwrap_or_default();
    (seconds, i64::from(since.subsec_nanos()))
}
