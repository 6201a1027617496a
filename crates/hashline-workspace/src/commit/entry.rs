//! The change that a commit makes to one file, and the swap (exchange of the staging file and the target) that makes it.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;

use hashline_core::text::Revision;

use super::in_place::{Copies, overwrite_if};
use super::staging::{displaced_name, stage, staging_name};
use super::{CommitFault, Durability};
use crate::read::holds;
use crate::root::FilePlace;
use crate::system::{FileAccess, FileKind, Stat, System, none_if_missing, refusal};

/// One file of a commit: its directory and name, and the change to make.
#[derive(Debug)]
pub(crate) struct CommitEntry<'a, S: System> {
    /// The directory of the file, open and locked.
    pub(crate) dir: &'a S::Dir,
    /// The path of the file's directory below the root.
    pub(crate) dir_path: PathBuf,
    /// The file's name in its directory.
    pub(crate) name: OsString,
    pub(crate) action: CommitAction<'a, S>,
}

/// The change that a commit makes to one file.
#[derive(Debug)]
pub(crate) enum CommitAction<'a, S: System> {
    /// A new file with the new bytes replaces the old file.
    Replace {
        /// The file whose permissions and attributes the new file gets: the old file, or the file that a request moved to this name.
        file: &'a S::File,
        old: &'a [u8],
        new: &'a [u8],
    },
    /// A new file is created; the commit fails if the name exists by then.
    Create {
        new: &'a [u8],
        /// The file that a request moved to this name; the new file gets its permissions and attributes.
        like: Option<&'a S::File>,
        /// Who may read and write the new file, if `like` is `None`.
        access: FileAccess,
    },
    /// The file is deleted.
    Delete { old: &'a [u8] },
    /// The new bytes are written over the old ones, so that the inode and its hard links stay.
    Overwrite {
        old: &'a [u8],
        new: &'a [u8],
        copies: Copies<'a, S>,
    },
}

/// What exists under a name in a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameState {
    /// The name does not exist.
    Nothing,
    /// A regular file whose bytes have this digest.
    File(Digest),
    /// Not a regular file, an unreadable file, or a file too large to have been written by a commit.
    Other,
}

/// The size and hash of a file's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Digest {
    pub(crate) size: u64,
    pub(crate) hash: Revision,
}

impl Digest {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self {
            size: bytes.len() as u64,
            hash: Revision::of(bytes),
        }
    }
}

impl<'a, S: System> CommitEntry<'a, S> {
    /// Creates an entry for a file in a directory that exists.
    pub(crate) fn new(place: &'a FilePlace<S>, action: CommitAction<'a, S>) -> Self {
        Self {
            dir: &place.parent,
            dir_path: place.parent_path.clone(),
            name: place.name.clone(),
            action,
        }
    }

    /// Writes the new bytes to the staging file; does nothing if the file is to be deleted.
    pub(super) fn stage(&self, system: &S, durability: Durability) -> Result<(), CommitFault> {
        let (bytes, like, access) = match &self.action {
            CommitAction::Replace { file, new, .. } => (new, Some(*file), FileAccess::Private),
            CommitAction::Create { new, like, access } => (new, *like, *access),
            CommitAction::Delete { .. } => return Ok(()),
            CommitAction::Overwrite { old, new, copies } => {
                return copies.stage(system, old, new, durability);
            }
        };
        stage(
            system, self.dir, &self.name, bytes, like, access, durability,
        )
    }

    /// Compares the file with the old bytes once more, swaps it with the staging file, and compares the displaced file with the old bytes.
    /// After the swap the new file has the final name, and the old file, if any, has the staging name.
    ///
    /// # Errors
    ///
    /// With `Changed` and `Taken` the file is as it was before; with `System` the swap may have happened.
    pub(super) fn swap(&self, system: &S, durability: Durability) -> Result<(), CommitFault> {
        let failed = CommitFault::system("swapping the files");
        match &self.action {
            CommitAction::Create { .. } => {
                match rename_new(system, self.dir, &staging_name(&self.name), &self.name) {
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                        Err(CommitFault::Taken)
                    }
                    renamed => renamed.map_err(failed),
                }
            }
            CommitAction::Overwrite { old, new, .. } => {
                let written = overwrite_if(system, self.dir, &self.name, old, new, durability);
                changed_unless(written.map_err(failed)?)
            }
            CommitAction::Replace { old, .. } | CommitAction::Delete { old } => {
                // Locks keep out other hashline processes only. What an editor saved since the file was read must not be lost.
                changed_unless(reads(system, self.dir, &self.name, old).map_err(failed)?)?;
                let swapped = if let CommitAction::Replace { .. } = self.action {
                    exchange(system, self.dir, &self.name)
                } else {
                    displace(system, self.dir, &self.name)
                };
                match swapped {
                    Err(error) if is_exchange_raced(&error) => Err(CommitFault::Changed),
                    swapped => swapped
                        .map_err(failed)
                        .and_then(|()| self.check_displaced(system)),
                }
            }
        }
    }

    /// Undoes the swap, if it happened, and removes the staging file; returns whether the file is as it was before the commit.
    pub(super) fn roll_back(&self, system: &S) -> bool {
        let ours = |name: &OsStr, bytes| reads(system, self.dir, name, bytes).unwrap_or(false);
        let (new, swapped) = match self.action {
            CommitAction::Replace { new, .. } => {
                // Whatever we displaced goes back: the bytes that were read, or what another program wrote just before the swap.
                let displaced = matches!(self.staged_is_ours(system), Ok(false));
                (new, displaced && ours(&self.name, new))
            }
            CommitAction::Create { new, .. } => (new, ours(&self.name, new)),
            CommitAction::Delete { old } => {
                let displaced = ours(&staging_name(&self.name), old);
                return !displaced || self.swap_back(system).is_ok();
            }
            // This is never done without a journal, which says how to undo it.
            CommitAction::Overwrite { .. } => return false,
        };
        let back = !swapped || self.swap_back(system).is_ok();
        back && self.discard(system) && self.is_undone(system, new)
    }

    /// Returns whether nothing of the commit is left: the file does not hold our new bytes, and no file has the name for displaced files.
    fn is_undone(&self, system: &S, new: &[u8]) -> bool {
        let target = reads(system, self.dir, &self.name, new);
        is_free(system, self.dir, &displaced_name(&self.name)) && matches!(target, Ok(false))
    }

    /// Removes the staging file if it holds our new bytes; returns whether no staging file is left.
    pub(super) fn discard(&self, system: &S) -> bool {
        let staging = staging_name(&self.name);
        match self.staged_is_ours(system) {
            Ok(true) => system.unlink(self.dir, &staging).is_ok(),
            Ok(false) => is_free(system, self.dir, &staging),
            Err(_) => false,
        }
    }

    /// Compares the displaced file with the bytes that were read; swaps it back if another program wrote to it in the meantime.
    pub(super) fn check_displaced(&self, system: &S) -> Result<(), CommitFault> {
        let (CommitAction::Replace { old, .. } | CommitAction::Delete { old }) = self.action else {
            return Ok(());
        };
        let failed = CommitFault::system("comparing the old file");
        if reads(system, self.dir, &staging_name(&self.name), old).map_err(failed)? {
            return Ok(());
        }
        self.swap_back(system).map_err(failed)?;
        Err(CommitFault::Changed)
    }

    /// Undoes a swap: the displaced file gets its name back.
    pub(super) fn swap_back(&self, system: &S) -> io::Result<()> {
        let staging = staging_name(&self.name);
        match self.action {
            CommitAction::Replace { .. } => exchange(system, self.dir, &self.name),
            CommitAction::Create { .. } => displace(system, self.dir, &self.name),
            CommitAction::Delete { .. } => rename_new(system, self.dir, &staging, &self.name),
            CommitAction::Overwrite { ref copies, .. } => {
                copies.put_back(system, self.dir, &self.name)
            }
        }
    }

    /// Returns whether the file under the staging name holds the new bytes that we staged.
    pub(super) fn staged_is_ours(&self, system: &S) -> io::Result<bool> {
        match self.action {
            CommitAction::Replace { new, .. } | CommitAction::Create { new, .. } => {
                reads(system, self.dir, &staging_name(&self.name), new)
            }
            CommitAction::Delete { .. } | CommitAction::Overwrite { .. } => Ok(false),
        }
    }
}

fn changed_unless(same: bool) -> Result<(), CommitFault> {
    if same {
        Ok(())
    } else {
        Err(CommitFault::Changed)
    }
}

/// Returns whether the file `name` exists and holds exactly these bytes.
fn reads<S: System>(system: &S, dir: &S::Dir, name: &OsStr, bytes: &[u8]) -> io::Result<bool> {
    let file = match system.open_file(dir, name) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        // It is a link by now.
        Err(error) if refusal::is_link(&error) => return Ok(false),
        Err(error) => return Err(error),
    };
    holds(system, &file, bytes)
}

/// Exchanges a file and its staging file. Where the system cannot exchange two names in one call, the old file gets a third name for a
/// moment.
pub(super) fn exchange<S: System>(system: &S, dir: &S::Dir, name: &OsStr) -> io::Result<()> {
    match system.exchange(dir, &staging_name(name), name) {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => {
            exchange_in_steps(system, dir, name)
        }
        done => done,
    }
}

fn exchange_in_steps<S: System>(system: &S, dir: &S::Dir, name: &OsStr) -> io::Result<()> {
    let (staging, third) = (staging_name(name), displaced_name(name));
    system.link_name(dir, name, dir, &third)?;
    // If the third name were not durable, a power cut could keep the new file and lose the old one.
    let synced = system.sync_dir(dir);
    let looked = synced.and_then(|()| refuse_another(system, dir, name, &third));
    if looked.is_err() {
        if has_same(system, dir, &third, name) {
            let _ = system.unlink(dir, &third);
        }
        return looked;
    }
    let swapped = system
        .rename(dir, &staging, dir, name)
        .and_then(|()| system.rename(dir, &third, dir, &staging));
    if swapped.is_err() {
        if has_same(system, dir, &third, name) {
            let _ = system.unlink(dir, &third);
        } else {
            // It is the last file with the old bytes: better to undo the edit than to lose them. What has the name now is kept under
            // the staging name: another program may have written it.
            let _ = system.link_name(dir, name, dir, &staging);
            let _ = system.rename(dir, &third, dir, name);
        }
    }
    swapped
}

/// Fails if another program replaced the file after we gave it a second name. The other program's file stays, because it was meant to
/// replace ours.
fn refuse_another<S: System>(
    system: &S,
    dir: &S::Dir,
    name: &OsStr,
    second: &OsStr,
) -> io::Result<()> {
    let ours = look(system, dir, second)?;
    // The name is looked at last: what is put there after this call is not noticed.
    let found = look(system, dir, name)?;
    if is_same(found, ours) {
        return Ok(());
    }
    system.unlink(dir, second)?;
    Err(exchange_raced())
}

/// Returns the error of an exchange in several calls that another program interfered with.
fn exchange_raced() -> io::Error {
    io::Error::other(ExchangeRaced)
}

/// Returns whether an error is the one that `exchange_raced` returns.
fn is_exchange_raced(error: &io::Error) -> bool {
    error
        .get_ref()
        .is_some_and(|inner| inner.is::<ExchangeRaced>())
}

/// Another program replaced a file while we exchanged it with its staging file.
#[derive(Debug, thiserror::Error)]
#[error("another program replaced the file")]
struct ExchangeRaced;

/// Renames a file to its staging name. Where the system cannot do that in one call without overwriting, the file has both names for a
/// moment.
pub(super) fn displace<S: System>(system: &S, dir: &S::Dir, name: &OsStr) -> io::Result<()> {
    let staging = staging_name(name);
    match system.rename_new(dir, name, dir, &staging) {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => {
            let look = || refuse_another(system, dir, name, &staging);
            rename_in_steps(system, dir, name, &staging, look)
        }
        done => done,
    }
}

/// Renames a file to a name that must be free. Where the system cannot do that in one call, the file has both names for a moment.
pub(super) fn rename_new<S: System>(
    system: &S,
    dir: &S::Dir,
    name: &OsStr,
    new: &OsStr,
) -> io::Result<()> {
    match system.rename_new(dir, name, dir, new) {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => {
            rename_in_steps(system, dir, name, new, || Ok(()))
        }
        done => done,
    }
}

/// Renames a file by adding the new name, calling `look` to check for interference, and removing the old name.
fn rename_in_steps<S: System>(
    system: &S,
    dir: &S::Dir,
    name: &OsStr,
    new: &OsStr,
    look: impl FnOnce() -> io::Result<()>,
) -> io::Result<()> {
    system.link_name(dir, name, dir, new)?;
    let synced = system.sync_dir(dir).and_then(|()| look());
    let renamed = synced.and_then(|()| system.unlink(dir, name));
    if renamed.is_err() && has_same(system, dir, name, new) {
        // It has both names: without the second one everything is as it was.
        let _ = system.unlink(dir, new);
    }
    renamed
}

/// Returns whether two names exist and are the same file.
fn has_same<S: System>(system: &S, dir: &S::Dir, name: &OsStr, other: &OsStr) -> bool {
    let found = [name, other].map(|name| look(system, dir, name).ok().flatten());
    is_same(found[0], found[1])
}

/// Returns whether both files exist and have the same device and inode.
pub(super) fn is_same(one: Option<Stat>, other: Option<Stat>) -> bool {
    one.is_some_and(|one| other.is_some_and(|other| one.identity() == other.identity()))
}

/// Returns the metadata of a name in a directory; `None` if the name does not exist.
pub(super) fn look<S: System>(system: &S, dir: &S::Dir, name: &OsStr) -> io::Result<Option<Stat>> {
    none_if_missing(system.stat_at(dir, name))
}

/// Returns whether a name certainly does not exist; `false` if that cannot be found out.
fn is_free<S: System>(system: &S, dir: &S::Dir, name: &OsStr) -> bool {
    matches!(look(system, dir, name), Ok(None))
}

/// Returns what exists under a name: nothing, a file with its digest, or something else. A file larger than `most` bytes is something else.
pub(super) fn name_state<S: System>(
    system: &S,
    dir: &S::Dir,
    name: &OsStr,
    most: u64,
) -> io::Result<NameState> {
    let bytes = none_if_missing(read_if_file(system, dir, name, most))?;
    Ok(match bytes {
        None => NameState::Nothing,
        Some(None) => NameState::Other,
        Some(Some(bytes)) => NameState::File(Digest::of(&bytes)),
    })
}

/// Reads a file; `None` if it is not a regular file, or has more than `most` bytes and so cannot have been written by a commit.
pub(super) fn read_if_file<S: System>(
    system: &S,
    dir: &S::Dir,
    name: &OsStr,
    most: u64,
) -> io::Result<Option<Vec<u8>>> {
    let file = match system.open_file(dir, name) {
        Err(error) if is_no_file(&error) => return Ok(None),
        opened => opened?,
    };
    let stat = system.stat(&file)?;
    if stat.kind != FileKind::File || stat.size > most {
        return Ok(None);
    }
    system.read(&file, most).map(Some)
}

/// Returns whether a file could not be opened because of its type or permissions: a link, a socket, a file we have no access to. Any other
/// error may be temporary.
pub(super) fn is_no_file(error: &io::Error) -> bool {
    let is_standing = refusal::is_link(error) || refusal::is_special(error);
    is_standing || error.kind() == io::ErrorKind::PermissionDenied
}
