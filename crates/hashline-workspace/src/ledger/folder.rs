//! The ledger's folder: one log file for the history of each file, named by a hash of the file's path, the total size of all logs, the
//! secret with which paths and lines are hashed, and the fingerprints of lines of which only a part was shown.
//!
//! The total is written before the bytes that it counts, so a crash can only make it too high; every complete removal of old records counts
//! the logs again.
//!
//! All disk access of the ledger is in this file. A lock on the folder keeps processes apart; the kernel releases it when a process dies. A
//! log is only ever appended to, truncated, replaced as a whole or removed.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Duration;

use hashline_core::text::{Fingerprint, FingerprintKey};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128_with_seed};

use super::cut_lines;
use super::frame::SEAL;
use super::state_dir::{exposure, open_state, private};
use super::writer::{LogChange, StoredLog};
use super::{StateNote, system};
use crate::fields::Fields;
use crate::lock::{TurnLock, Turns, lock_in_turn};
use crate::system::{IfMissing, Native, PrivateFolder, Share, System, none_if_missing, positioned};

/// The name of the ledger's folder. A new format of the logs gets a new name.
const FOLDER: &str = "ledger-2";
/// The folder of the format before, whose logs are removed when the new folder is made.
const OLD_FOLDER: &str = "ledger-1";
/// The name of the file with the total size of all logs.
const TOTAL: &str = "total";
/// The name of the file with the secret. The total has a file of its own: it is written all the time, and can be counted again when it is lost.
const SECRET: &str = "secret";
/// The name of the file with the fingerprints of all lines of which only a part was shown.
const CUT: &str = "cut";
/// The size of the stored secret and its checksum, in bytes.
const STORED_SECRET: usize = 16;
/// The size of the stored `Total`, in bytes.
const STORED_TOTAL: usize = 40;
/// How long to wait for the lock before the secret is made.
const WAIT_FOR_SECRET: Duration = Duration::from_secs(2);
/// The suffix of the file to which the replacement of a log is written.
const UNFINISHED: &str = ".new";

/// The queue of this process for the lock of the folder, which all its workspaces share.
static TURNS: Turns = Turns::new();

/// The ledger's folder, open.
#[derive(Debug)]
pub(super) struct LedgerFolder {
    dir: PrivateFolder,
    total: File,
    /// The secret of this ledger.
    secret: u64,
}

/// The file name of a log: a hash of the path of the file whose history it holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct LogName(String);

/// An open log: the file in which the history of one file is recorded.
#[derive(Debug)]
pub(super) struct Log {
    file: File,
    /// The length of the log in bytes.
    pub(super) size: u64,
}

impl LogName {
    /// The number of groups into which logs are divided, by the first digits of their names, so that old records can be removed from some
    /// logs at a time.
    pub(super) const PLACES: u64 = 1 << 16;

    /// Returns the name of the log for a file in the ledger with this secret. `path` is the file's canonical path.
    //
    // With another secret no log is found: fingerprints of another key would be taken for other lines.
    pub(super) fn of(path: &Path, secret: u64) -> Self {
        let path = path.as_os_str().as_encoded_bytes();
        Self(format!("{:032x}", xxh3_128_with_seed(path, secret)))
    }

    /// Returns the group of a log, from 0 to below [`LogName::PLACES`]. Names are hashes, so all groups have about the same number of logs.
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

impl LedgerFolder {
    /// Opens the ledger's folder in a state directory; creates both, for the user alone, if they are missing.
    pub(super) fn open(state: &Path) -> Result<Self, StateNote> {
        let state_dir = open_state(state)?;
        let opened = match state_dir.open_child(FOLDER) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let made = state_dir.make_child(FOLDER);
                made.map_err(system("making the ledger's folder"))?;
                remove_logs(&state_dir);
                state_dir.open_child(FOLDER)
            }
            opened => opened,
        };
        let dir = private(opened, &state.join(FOLDER))?;
        let total = dir
            .open_file(TOTAL, IfMissing::Make)
            .map_err(system("opening the ledger's total"))?;
        let secret = secret(&dir).map_err(system("making the ledger's secret"))?;
        Ok(Self {
            dir,
            total,
            secret: secret.ok_or(StateNote::Busy)?,
        })
    }

    /// Returns the key of the ledger's fingerprints.
    pub(super) fn key(&self) -> FingerprintKey {
        FingerprintKey::new(self.secret)
    }

    /// Returns the name of the log for a file. `path` is the file's canonical path.
    pub(super) fn name_of(&self, path: &Path) -> LogName {
        LogName::of(path, self.secret)
    }

    /// Returns the secret of the ledger, from which the names of its logs are computed.
    pub(super) fn secret(&self) -> u64 {
        self.secret
    }

    /// Returns whether a state directory has no ledger yet.
    pub(super) fn is_missing(state: &Path) -> bool {
        let facts = state.join(FOLDER).symlink_metadata();
        facts.is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
    }

    /// Returns whether the folder still exists, belongs to the user, and nobody else can write to it.
    pub(super) fn is_ours(&self) -> bool {
        let stat = self.dir.stat();
        stat.is_ok_and(|stat| stat.links > 0 && exposure(&stat).is_none())
    }

    /// Locks the folder until the returned file is dropped; `None` if other processes hold the lock for longer than `wait`.
    pub(super) fn lock(
        &self,
        share: Share,
        wait: Duration,
    ) -> io::Result<Option<TurnLock<'static>>> {
        TURNS.lock(self.dir.to_lock()?, share, wait)
    }

    /// Opens a log, if it exists.
    pub(super) fn log(&self, name: &LogName) -> io::Result<Option<Log>> {
        let opened = none_if_missing(self.dir.open_file(&name.0, IfMissing::Refuse))?;
        opened.map(Log::new).transpose()
    }

    /// Opens a log; creates it if it is missing.
    pub(super) fn log_or_new(&self, name: &LogName) -> io::Result<Log> {
        Log::new(self.dir.open_file(&name.0, IfMissing::Make)?)
    }

    /// Returns the size of a log in bytes; 0 if the log does not exist.
    pub(super) fn size(&self, name: &LogName) -> u64 {
        self.dir.stat_of(&name.0).map_or(0, |stat| stat.size)
    }

    /// Returns when a log was last written, in seconds and nanoseconds; `None` if the log does not exist.
    pub(super) fn modified(&self, name: &LogName) -> Option<(i64, i64)> {
        self.dir.stat_of(&name.0).ok().map(|stat| stat.modified)
    }

    /// Lists the logs. Removes replacements of logs that a dead process left unfinished.
    pub(super) fn logs(&self) -> io::Result<Vec<LogName>> {
        let mut logs = Vec::new();
        for name in self.dir.names()? {
            let Some(name) = name.to_str() else {
                continue;
            };
            logs.extend(LogName::parse(name));
            if let Some(log) = name.strip_suffix(UNFINISHED)
                && LogName::parse(log).is_some()
            {
                self.dir.remove(name)?;
            }
        }
        Ok(logs)
    }

    /// Writes the replacement of a log to a file beside it.
    pub(super) fn write_unfinished(&self, name: &LogName, bytes: &[u8]) -> io::Result<()> {
        let opened = (self.dir).open_file(&name.unfinished(), IfMissing::MakeEmpty);
        let written = opened.and_then(|file| positioned::write_all(&file, bytes, 0));
        written.inspect_err(|_| {
            // The next listing would remove it, but the disk may be full now.
            let _ = self.dir.remove(&name.unfinished());
        })
    }

    /// Creates an empty log and removes it, to find out whether the ledger can be written.
    pub(super) fn try_log(&self) -> io::Result<()> {
        let name = self.name_of(Path::new(""));
        self.write_unfinished(&name, b"")?;
        self.dir.remove(&name.unfinished())
    }

    /// Renames the replacement of a log over the log.
    pub(super) fn finish(&self, name: &LogName) -> io::Result<()> {
        self.dir.rename(&name.unfinished(), &name.0)
    }

    /// Renames a log, replacing the log `to` if it exists; does nothing if there is no log `from`.
    pub(super) fn rename(&self, from: &LogName, to: &LogName) -> io::Result<()> {
        none_if_missing(self.dir.rename(&from.0, &to.0)).map(|_| ())
    }

    /// Returns the fingerprints of the lines of all files of which only a part was shown; none if the file with them cannot be read.
    pub(super) fn cut_lines(&self) -> Vec<Fingerprint> {
        let opened = self.dir.open_file(CUT, IfMissing::Refuse);
        // Without the lock the file may become shorter just now: then it is read again.
        let stored =
            |file: File| stored_fingerprints(&file).or_else(|_| stored_fingerprints(&file));
        opened.and_then(stored).unwrap_or_default()
    }

    /// Adds the fingerprints of such lines that are not there yet. The caller holds the lock.
    pub(super) fn add_cut_lines(&self, new: &[Fingerprint]) -> io::Result<()> {
        let file = self.dir.open_file(CUT, IfMissing::Make)?;
        let mut known = stored_fingerprints(&file)?;
        let written = cut_lines::add(&mut known, new);
        let offset = |lines: usize| (lines * cut_lines::STORED) as u64;
        let bytes = cut_lines::stored(&known[written..]);
        positioned::write_all(&file, &bytes, offset(written))?;
        // Shortened last, so that whoever reads meanwhile finds all that are kept.
        file.set_len(offset(known.len()))
    }

    /// Removes a log.
    pub(super) fn remove(&self, name: &LogName) -> io::Result<()> {
        self.dir.remove(&name.0)
    }
}

impl Log {
    fn new(file: File) -> io::Result<Self> {
        let facts = file.metadata()?;
        if !facts.is_file() {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let size = facts.len();
        Ok(Self { file, size })
    }

    /// Returns the bytes of the whole log.
    pub(super) fn bytes(&self) -> io::Result<Vec<u8>> {
        let size = usize::try_from(self.size).map_err(|_| io::ErrorKind::FileTooLarge)?;
        let mut bytes = vec![0; size];
        positioned::read_exact(&self.file, &mut bytes, 0)?;
        Ok(bytes)
    }

    /// Appends all bytes or none.
    fn append(&self, bytes: &[u8]) -> io::Result<()> {
        positioned::write_all(&self.file, bytes, self.size).inspect_err(|_| {
            // If this fails too, the log ends in an incomplete frame, which the next writer cuts off.
            let _ = self.file.set_len(self.size);
        })
    }

    /// Truncates the log to `size` bytes.
    fn cut(&mut self, size: u64) -> io::Result<()> {
        self.file.set_len(size)?;
        self.size = size;
        Ok(())
    }
}

impl StoredLog for Log {
    type Error = io::Error;

    fn size(&self) -> u64 {
        self.size
    }

    fn end(&self) -> io::Result<Option<[u8; SEAL]>> {
        let Some(start) = self.size.checked_sub(SEAL as u64) else {
            return Ok(None);
        };
        let mut bytes = [0; SEAL];
        positioned::read_exact(&self.file, &mut bytes, start)?;
        Ok(Some(bytes))
    }

    fn read(&mut self) -> io::Result<Vec<u8>> {
        self.bytes()
    }
}

impl LogChange<Log> {
    /// Changes the log: cuts off its damaged end, if it has one, and appends all bytes or none.
    pub(super) fn write(mut self) -> io::Result<()> {
        if self.kept < self.log.size {
            self.log.cut(self.kept)?;
        }
        self.log.append(&self.added)
    }
}

/// Returns the secret of the ledger in a folder; makes one if there is none. `None` if other processes hold the lock for too long.
fn secret(dir: &PrivateFolder) -> io::Result<Option<u64>> {
    let found = none_if_missing(dir.open_file(SECRET, IfMissing::Refuse))?;
    if let Some(secret) = found.and_then(|file| stored_secret(&file)) {
        return Ok(Some(secret));
    }
    let Some(_held) = lock_in_turn(dir.to_lock()?, Share::Nobody, WAIT_FOR_SECRET)? else {
        return Ok(None);
    };
    // Another process may have made one meanwhile.
    let file = dir.open_file(SECRET, IfMissing::Make)?;
    if let Some(secret) = stored_secret(&file) {
        return Ok(Some(secret));
    }
    let random = u128::from_le_bytes(Native.random());
    let secret = xxh3_64(&random.to_le_bytes());
    let mut stored = [0; STORED_SECRET];
    stored[..8].copy_from_slice(&secret.to_le_bytes());
    stored[8..].copy_from_slice(&xxh3_64(&secret.to_le_bytes()).to_le_bytes());
    positioned::write_all(&file, &stored, 0)?;
    Ok(Some(secret))
}

/// Returns the secret in a file; `None` if it is missing or damaged.
fn stored_secret(file: &File) -> Option<u64> {
    let mut stored = [0; STORED_SECRET];
    positioned::read_exact(file, &mut stored, 0).ok()?;
    let (secret, sum) = stored.split_first_chunk::<8>()?;
    (xxh3_64(secret).to_le_bytes() == *sum).then(|| u64::from_le_bytes(*secret))
}

/// Removes the logs of the older format, which this version cannot use. They are only a cache, so that errors do not matter.
fn remove_logs(state: &PrivateFolder) {
    if let Ok(old) = state.open_child(OLD_FOLDER) {
        for name in old.names().unwrap_or_default() {
            let _ = name.to_str().map(|name| old.remove(name));
        }
    }
}

/// Returns the fingerprints in the file of cut lines. What a crash leaves half written is not a whole fingerprint, and is written over.
fn stored_fingerprints(file: &File) -> io::Result<Vec<Fingerprint>> {
    let size = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
    let mut bytes = vec![0; size.min(2 * cut_lines::MOST * cut_lines::STORED)];
    positioned::read_exact(file, &mut bytes, 0)?;
    Ok(cut_lines::read(&bytes))
}

/// The total size of all logs, and how far the current sweep (the removal of old records from all logs) has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Total {
    /// The size of all logs together, in bytes; after a crash it may be too high, never too low.
    pub(super) bytes: u64,
    /// When the last complete removal of old records began, in seconds since 1970.
    pub(super) swept: u64,
    /// When the current removal of old records began, in seconds since 1970.
    pub(super) begun: u64,
    /// The group of logs with which the removal of old records continues.
    pub(super) next: u64,
}

impl Total {
    /// Reads the stored total; `None` if it is missing or damaged.
    pub(super) fn read(folder: &LedgerFolder) -> Option<Self> {
        let mut stored = [0; STORED_TOTAL];
        positioned::read_exact(&folder.total, &mut stored, 0).ok()?;
        let mut fields = Fields(&stored);
        let mut number = || fields.word().map(u64::from_le_bytes);
        let (bytes, swept) = (number()?, number()?);
        let (begun, next, sum) = (number()?, number()?, number()?);
        (sum == xxh3_64(&stored[..STORED_TOTAL - 8])).then_some(Self {
            bytes,
            swept,
            begun,
            next,
        })
    }

    /// Adds up the sizes of all logs. The time of the last sweep is set to 0, so that a sweep is due.
    pub(super) fn count(folder: &LedgerFolder) -> io::Result<Self> {
        let logs = folder.logs()?;
        Ok(Self {
            bytes: logs.iter().map(|name| folder.size(name)).sum(),
            swept: 0,
            begun: 0,
            next: 0,
        })
    }

    /// Writes the total to its file.
    pub(super) fn write(self, folder: &LedgerFolder) -> io::Result<()> {
        let mut stored = [0; STORED_TOTAL];
        for (place, number) in stored
            .chunks_mut(8)
            .zip([self.bytes, self.swept, self.begun, self.next])
        {
            place.copy_from_slice(&number.to_le_bytes());
        }
        let sum = xxh3_64(&stored[..STORED_TOTAL - 8]);
        stored[STORED_TOTAL - 8..].copy_from_slice(&sum.to_le_bytes());
        positioned::write_all(&folder.total, &stored, 0)
    }
}
