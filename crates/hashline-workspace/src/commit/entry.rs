//! Entries: what a commit does to one file, and the swap that does it.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;

use hashline_core::text::Revision;

use super::Durability;
use super::in_place::{Copies, OverwriteOutcome, overwrite_if};
use super::staging::{MetadataSource, NotStaged, displaced_name, stage, staging_name};
use crate::read::holds;
use crate::system::{FileAccess, FileKind, Stat, System, none_if_missing, refusal};

/// What is done to one file.
#[derive(Debug)]
pub(crate) struct CommitEntry<'a, S: System> {
    /// The directory, open and locked.
    pub(crate) dir: &'a S::Dir,
    /// Its path below the root.
    pub(crate) dir_path: PathBuf,
    /// The file's name.
    pub(crate) name: OsString,
    pub(crate) work: CommitAction<'a, S>,
}

/// What is done.
#[derive(Debug)]
pub(crate) enum CommitAction<'a, S: System> {
    /// New bytes take the place of old ones.
    Replace {
        /// The file whose rights and attributes they get: the old one, or the one that moved here.
        file: &'a S::File,
        old: &'a [u8],
        new: &'a [u8],
    },
    /// A new file.
    Create {
        new: &'a [u8],
        /// The file that moved here, whose rights and attributes it keeps.
        like: Option<&'a S::File>,
        /// Who may use it, unless it moved here.
        access: FileAccess,
    },
    /// The file goes.
    Delete { old: &'a [u8] },
    /// New bytes are written over old ones: the file stays the one it is.
    Overwrite {
        old: &'a [u8],
        new: &'a [u8],
        copies: Copies<'a, S>,
    },
}

/// What came of a swap.
pub(super) enum Swap {
    /// The new is where the old was; the old, if any, has the staging name.
    Done,
    /// Somebody else's bytes stand there; nothing was changed, or it was changed back.
    Changed,
    /// The name is taken.
    Taken,
}

/// What stands under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameState {
    /// Nothing.
    Nothing,
    /// A file with these bytes.
    File(Digest),
    /// Something that is no file, or cannot be read.
    Other,
}

/// The size and name of bytes.
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

impl<S: System> CommitEntry<'_, S> {
    /// Stages the new bytes, if there are any.
    pub(super) fn stage(&self, system: &S, durability: Durability) -> Result<(), NotStaged> {
        let (bytes, like) = match &self.work {
            CommitAction::Replace { file, new, .. } => (*new, MetadataSource::File(*file)),
            CommitAction::Create { new, like, access } => {
                let made = match access {
                    FileAccess::Usual => MetadataSource::NewFile,
                    FileAccess::Private => MetadataSource::PrivateFile,
                };
                (*new, like.map_or(made, MetadataSource::File))
            }
            CommitAction::Delete { .. } => return Ok(()),
            CommitAction::Overwrite { old, new, copies } => {
                return copies.stage(system, old, new, durability);
            }
        };
        stage(system, self.dir, &self.name, bytes, &like, durability)
    }

    /// Compares once more, swaps, and compares what was displaced.
    pub(super) fn swap(&self, system: &S, durability: Durability) -> io::Result<Swap> {
        let staging = staging_name(&self.name);
        match &self.work {
            CommitAction::Create { .. } => match rename_new(system, self.dir, &staging, &self.name)
            {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(Swap::Taken),
                done => done.map(|()| Swap::Done),
            },
            CommitAction::Replace { old, .. } => {
                if !reads(system, self.dir, &self.name, old)? {
                    return Ok(Swap::Changed);
                }
                match exchange(system, self.dir, &self.name) {
                    Err(error) if is_exchange_raced(&error) => Ok(Swap::Changed),
                    done => done.and_then(|()| self.check_displaced(system)),
                }
            }
            CommitAction::Delete { old } => {
                if !reads(system, self.dir, &self.name, old)? {
                    return Ok(Swap::Changed);
                }
                match displace(system, self.dir, &self.name) {
                    Err(error) if is_exchange_raced(&error) => Ok(Swap::Changed),
                    done => done.and_then(|()| self.check_displaced(system)),
                }
            }
            CommitAction::Overwrite { old, new, .. } => {
                let written = overwrite_if(system, self.dir, &self.name, old, new, durability)?;
                Ok(match written {
                    OverwriteOutcome::All => Swap::Done,
                    OverwriteOutcome::Nothing => Swap::Changed,
                })
            }
        }
    }

    /// Takes back whatever was done to the file and removes what was staged; tells whether all is as it was.
    pub(super) fn take_back(&self, system: &S) -> bool {
        let ours = |name: &OsStr, bytes| reads(system, self.dir, name, bytes).unwrap_or(false);
        let (new, swapped) = match self.work {
            CommitAction::Replace { new, .. } => {
                // Whatever we displaced goes back: what was read, or what somebody wrote a moment before the swap.
                let displaced = matches!(self.staged_is_ours(system), Ok(false));
                (new, displaced && ours(&self.name, new))
            }
            CommitAction::Create { new, .. } => (new, ours(&self.name, new)),
            // These are never done without a journal, which knows how they are taken back.
            CommitAction::Delete { .. } | CommitAction::Overwrite { .. } => return false,
        };
        let back = !swapped || self.swap_back(system).is_ok();
        back && self.discard(system) && self.is_undone(system, new)
    }

    /// Tells whether nothing of ours stands there any more, whatever became of the steps that were to undo it.
    fn is_undone(&self, system: &S, new: &[u8]) -> bool {
        let target = reads(system, self.dir, &self.name, new);
        is_free(system, self.dir, &displaced_name(&self.name)) && matches!(target, Ok(false))
    }

    /// Removes what was staged, if it is ours; tells whether nothing is left of it.
    pub(super) fn discard(&self, system: &S) -> bool {
        let staging = staging_name(&self.name);
        match self.staged_is_ours(system) {
            Ok(true) => system.unlink(self.dir, &staging).is_ok(),
            Ok(false) => is_free(system, self.dir, &staging),
            Err(_) => false,
        }
    }

    /// Compares what was displaced with what was read; puts it back if somebody had written it.
    pub(super) fn check_displaced(&self, system: &S) -> io::Result<Swap> {
        let staging = staging_name(&self.name);
        let (CommitAction::Replace { old, .. } | CommitAction::Delete { old }) = self.work else {
            return Ok(Swap::Done);
        };
        if reads(system, self.dir, &staging, old)? {
            return Ok(Swap::Done);
        }
        self.swap_back(system)?;
        Ok(Swap::Changed)
    }

    /// Undoes a swap.
    pub(super) fn swap_back(&self, system: &S) -> io::Result<()> {
        let staging = staging_name(&self.name);
        match self.work {
            CommitAction::Replace { .. } => exchange(system, self.dir, &self.name),
            CommitAction::Create { .. } => displace(system, self.dir, &self.name),
            CommitAction::Delete { .. } => rename_new(system, self.dir, &staging, &self.name),
            CommitAction::Overwrite { ref copies, .. } => {
                copies.put_back(system, self.dir, &self.name)
            }
        }
    }

    /// Tells whether the file under the staging name is the one we staged.
    pub(super) fn staged_is_ours(&self, system: &S) -> io::Result<bool> {
        match self.work {
            CommitAction::Replace { new, .. } | CommitAction::Create { new, .. } => {
                reads(system, self.dir, &staging_name(&self.name), new)
            }
            CommitAction::Delete { .. } | CommitAction::Overwrite { .. } => Ok(false),
        }
    }
}

/// Tells whether a file holds exactly these bytes.
fn reads<S: System>(system: &S, dir: &S::Dir, name: &OsStr, bytes: &[u8]) -> io::Result<bool> {
    let file = match system.open_file(dir, name) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        // A link stands there now.
        Err(error) if refusal::is_link(&error) => return Ok(false),
        Err(error) => return Err(error),
    };
    holds(system, &file, bytes)
}

/// Lets a file and its staged twin change places. Where that is not one step, the old file gets a third name for a moment.
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
    // Without the third name a power cut could keep the new file and forget the old one.
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
            // It is the last one with the old bytes: better no edit than a file without a way back. What stands there keeps a name:
            // somebody may have written it.
            let _ = system.link_name(dir, name, dir, &staging);
            let _ = system.rename(dir, &third, dir, name);
        }
    }
    swapped
}

/// Refuses to go on if somebody put another file under a name since it got a second one: theirs stays, and what they replaced was
/// theirs to replace.
fn refuse_another<S: System>(
    system: &S,
    dir: &S::Dir,
    name: &OsStr,
    second: &OsStr,
) -> io::Result<()> {
    let ours = look(system, dir, second)?;
    // The name comes last: what is put there after this look is not seen.
    let found = look(system, dir, name)?;
    if is_same(found, ours) {
        return Ok(());
    }
    system.unlink(dir, second)?;
    Err(exchange_raced())
}

/// The error by which an exchange in steps says that somebody was faster.
fn exchange_raced() -> io::Error {
    io::Error::other(ExchangeRaced)
}

/// Tells whether somebody was faster than an exchange in steps.
fn is_exchange_raced(error: &io::Error) -> bool {
    error
        .get_ref()
        .is_some_and(|inner| inner.is::<ExchangeRaced>())
}

/// Somebody put another file in the place of the one that was to be exchanged.
#[derive(Debug)]
struct ExchangeRaced;

impl std::fmt::Display for ExchangeRaced {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("somebody put another file there")
    }
}

impl std::error::Error for ExchangeRaced {}

/// Gives a file its staging name, and takes its own away. Where that is not one step, it has both names for a moment.
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

/// Renames a file of ours to a free name. Where that is not one step, the file has both names for a moment.
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

/// Renames by way of a second name, with a last look before the first one goes.
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
        // It has both names: without the second one all is as it was.
        let _ = system.unlink(dir, new);
    }
    renamed
}

/// Tells whether two names are there and stand for one file.
fn has_same<S: System>(system: &S, dir: &S::Dir, name: &OsStr, other: &OsStr) -> bool {
    let found = [name, other].map(|name| look(system, dir, name).ok().flatten());
    is_same(found[0], found[1])
}

/// Tells whether both are there and one file.
pub(super) fn is_same(one: Option<Stat>, other: Option<Stat>) -> bool {
    one.is_some_and(|one| other.is_some_and(|other| one.identity() == other.identity()))
}

/// Returns the facts of what stands under a name; nothing if nothing does.
pub(super) fn look<S: System>(system: &S, dir: &S::Dir, name: &OsStr) -> io::Result<Option<Stat>> {
    none_if_missing(system.stat_at(dir, name))
}

/// Tells whether it is certain that nothing stands under a name.
fn is_free<S: System>(system: &S, dir: &S::Dir, name: &OsStr) -> bool {
    matches!(look(system, dir, name), Ok(None))
}

/// Returns what stands under a name. A file with more bytes than `most` cannot be ours and is not read.
pub(super) fn name_state<S: System>(
    system: &S,
    dir: &S::Dir,
    name: &OsStr,
    most: u64,
) -> io::Result<NameState> {
    let file = match system.open_file(dir, name) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(NameState::Nothing),
        Err(error) if is_no_file(&error) => return Ok(NameState::Other),
        Err(error) => return Err(error),
    };
    let stat = system.stat(&file)?;
    if stat.kind != FileKind::File || stat.size > most {
        return Ok(NameState::Other);
    }
    let bytes = system.read(&file, most)?;
    Ok(NameState::File(Digest::of(&bytes)))
}

/// Tells whether a file could not be opened because of what stands there: a link, a socket, something that is closed to us. Any other
/// trouble passes, and says nothing about it.
pub(super) fn is_no_file(error: &io::Error) -> bool {
    let is_standing = refusal::is_link(error) || refusal::is_special(error);
    is_standing || error.kind() == io::ErrorKind::PermissionDenied
}
