//! The folder of the ledger: one log for each file, named by a hash of its path, and everybody's running total.
//!
//! All system calls of the ledger are made here. A lock on the folder itself keeps processes apart; the kernel drops it when one
//! dies. A log is only ever extended, cut, replaced as a whole or removed.

use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Duration;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};
use rustix::io::Errno;
use xxhash_rust::xxh3::xxh3_128;

use super::note::{Note, system};
use super::state_dir::{DIRECTORY, exposure, open_state, private};
use crate::patience::lock_in_turn;
use crate::system::{Share, file_size};

/// The name of the folder; another format would have another name.
const FOLDER: &str = "ledger-1";
/// The name of the running total.
const TOTAL: &str = "total";
/// What the name of a log ends with while it is being written anew.
const UNFINISHED: &str = ".new";

const FILE: OFlags = OFlags::RDWR
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::CLOEXEC);

/// The folder, open.
#[derive(Debug)]
pub(super) struct Folder {
    dir: File,
    total: File,
}

/// The lock on the folder, given back when dropped.
#[must_use]
#[derive(Debug)]
pub(super) struct Held {
    _dir: File,
}

/// The name of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LogName(String);

/// An open log.
#[derive(Debug)]
pub(super) struct Log {
    file: File,
    /// Its length in bytes.
    pub(super) size: u64,
}

impl LogName {
    /// How many places there are.
    pub(super) const PLACES: u64 = 1 << 16;

    /// Returns the name of the log of a file, by its canonical path.
    pub(super) fn of(path: &Path) -> Self {
        Self(format!("{:032x}", xxh3_128(path.as_os_str().as_bytes())))
    }

    /// Returns its place among all names, from 0 to [`LogName::PLACES`]. Names are hashes, so logs lie evenly.
    pub(super) fn place(&self) -> u64 {
        u64::from_str_radix(&self.0[..4], 16).unwrap_or_default()
    }

    fn unfinished(&self) -> String {
        format!("{}{UNFINISHED}", self.0)
    }

    fn parse(name: &str) -> Option<Self> {
        let digits = name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        digits.then(|| Self(name.to_owned()))
    }
}

impl Folder {
    /// Opens the folder below a state directory; makes both, for the user alone, where they are missing.
    pub(super) fn open(state: &Path) -> Result<Self, Note> {
        let state_dir = open_state(state)?;
        let open = || rustix::fs::openat(&state_dir, FOLDER, DIRECTORY, Mode::empty());
        let opened = match open() {
            Err(Errno::NOENT) => match rustix::fs::mkdirat(&state_dir, FOLDER, Mode::RWXU) {
                Ok(()) | Err(Errno::EXIST) => open(),
                Err(error) => return Err(system("making the ledger's folder")(error.into())),
            },
            opened => opened,
        };
        let dir = private(opened, &state.join(FOLDER))?;
        let total = open_at(&dir, TOTAL, FILE | OFlags::CREATE)
            .map_err(system("opening the ledger's total"))?;
        Ok(Self { dir, total })
    }

    /// Tells whether the folder is still there and still the user's alone.
    pub(super) fn is_ours(&self) -> bool {
        let stat = rustix::fs::fstat(&self.dir);
        stat.is_ok_and(|stat| stat.st_nlink > 0 && exposure(&stat).is_none())
    }

    /// Takes the lock; nothing if others hold it for longer than `wait`.
    pub(super) fn lock(&self, share: Share, wait: Duration) -> io::Result<Option<Held>> {
        // The lock goes with this descriptor, and the kernel drops it with the last one at the latest.
        let dir = rustix::fs::openat(&self.dir, ".", DIRECTORY, Mode::empty())?;
        let held = lock_in_turn(dir.into(), share, wait)?;
        Ok(held.map(|dir| Held { _dir: dir }))
    }

    /// Opens a log, if there is one.
    pub(super) fn log(&self, name: &LogName) -> io::Result<Option<Log>> {
        match open_at(&self.dir, &name.0, FILE) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            opened => Log::new(opened?).map(Some),
        }
    }

    /// Opens a log; makes it where it is missing.
    pub(super) fn log_or_new(&self, name: &LogName) -> io::Result<Log> {
        Log::new(open_at(&self.dir, &name.0, FILE | OFlags::CREATE)?)
    }

    /// Returns how many bytes a log takes; none if it is gone.
    pub(super) fn size(&self, name: &LogName) -> u64 {
        let stat = rustix::fs::statat(&self.dir, &name.0, AtFlags::SYMLINK_NOFOLLOW);
        stat.map_or(0, |stat| u64::try_from(stat.st_size).unwrap_or_default())
    }

    /// Lists the logs. What a dead process left unfinished is removed.
    pub(super) fn logs(&self) -> io::Result<Vec<LogName>> {
        let mut logs = Vec::new();
        for entry in Dir::read_from(&self.dir)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().to_str() else {
                continue;
            };
            logs.extend(LogName::parse(name));
            if let Some(log) = name.strip_suffix(UNFINISHED)
                && LogName::parse(log).is_some()
            {
                rustix::fs::unlinkat(&self.dir, name, AtFlags::empty())?;
            }
        }
        Ok(logs)
    }

    /// Writes what is to take the place of a log, beside it.
    pub(super) fn write_unfinished(&self, name: &LogName, bytes: &[u8]) -> io::Result<()> {
        file_size::allow(bytes.len() as u64)?;
        let flags = FILE | OFlags::CREATE | OFlags::TRUNC;
        let written = open_at(&self.dir, &name.unfinished(), flags)
            .and_then(|file| file.write_all_at(bytes, 0));
        written.inspect_err(|_| {
            // It would be removed with the next listing; room may be short now.
            let _ = rustix::fs::unlinkat(&self.dir, name.unfinished(), AtFlags::empty());
        })
    }

    /// Puts what was written beside a log in its place.
    pub(super) fn finish(&self, name: &LogName) -> io::Result<()> {
        let unfinished = name.unfinished();
        Ok(rustix::fs::renameat(
            &self.dir, unfinished, &self.dir, &name.0,
        )?)
    }

    /// Gives a log another name, in the place of any log of that name; does nothing where there is none.
    pub(super) fn rename(&self, from: &LogName, to: &LogName) -> io::Result<()> {
        match rustix::fs::renameat(&self.dir, &from.0, &self.dir, &to.0) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes a log.
    pub(super) fn remove(&self, name: &LogName) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.dir, &name.0, AtFlags::empty())?)
    }

    /// Reads the running total, whatever it holds.
    pub(super) fn read_total(&self, bytes: &mut [u8]) -> io::Result<()> {
        self.total.read_exact_at(bytes, 0)
    }

    /// Writes the running total.
    pub(super) fn write_total(&self, bytes: &[u8]) -> io::Result<()> {
        file_size::allow(bytes.len() as u64)?;
        self.total.write_all_at(bytes, 0)
    }
}

impl Log {
    fn new(file: File) -> io::Result<Self> {
        let stat = rustix::fs::fstat(&file)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let size = u64::try_from(stat.st_size).unwrap_or_default();
        Ok(Self { file, size })
    }

    /// Reads all of it.
    pub(super) fn read(&self) -> io::Result<Vec<u8>> {
        let size = usize::try_from(self.size).map_err(|_| io::ErrorKind::FileTooLarge)?;
        let mut bytes = vec![0; size];
        self.file.read_exact_at(&mut bytes, 0)?;
        Ok(bytes)
    }

    /// Reads its last bytes; nothing if it is shorter.
    pub(super) fn read_end<const N: usize>(&self) -> io::Result<Option<[u8; N]>> {
        let Some(start) = self.size.checked_sub(N as u64) else {
            return Ok(None);
        };
        let mut bytes = [0; N];
        self.file.read_exact_at(&mut bytes, start)?;
        Ok(Some(bytes))
    }

    /// Adds bytes at its end, or none of them.
    pub(super) fn append(&self, bytes: &[u8]) -> io::Result<()> {
        file_size::allow(self.size.saturating_add(bytes.len() as u64))?;
        self.file.write_all_at(bytes, self.size).inspect_err(|_| {
            // What stays in spite of this is a torn end, which the next writer cuts.
            let _ = self.file.set_len(self.size);
        })
    }

    /// Cuts it off after `size` bytes.
    pub(super) fn cut(&mut self, size: u64) -> io::Result<()> {
        self.file.set_len(size)?;
        self.size = size;
        Ok(())
    }
}

fn open_at(dir: &File, name: &str, flags: OFlags) -> io::Result<File> {
    let mode = Mode::RUSR | Mode::WUSR;
    Ok(rustix::fs::openat(dir, name, flags, mode)?.into())
}
