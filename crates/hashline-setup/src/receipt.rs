//! Receipts: what setup did, so that uninstall can give every byte back.
//!
//! A receipt holds the lines that setup replaced, never the rest of a file, and a sum of the file before and after. It lies in the state
//! directory, for its owner alone. It is believed only about files that setup would write anyway, and only where the sums agree: a forged
//! one can do no more than make uninstall look for our entries instead.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use similar::{Algorithm, DiffTag, capture_diff_slices};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use crate::agent::{Scope, Wish};

/// The folder of receipts in the state directory.
const FOLDER: &str = "setup-1";

/// What setup did for one agent in one place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Receipt {
    /// The files it wrote.
    pub(crate) files: Vec<FileReceipt>,
    /// The folders it made.
    pub(crate) folders: Vec<PathBuf>,
}

/// What setup did to one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FileReceipt {
    /// The file.
    pub(crate) path: PathBuf,
    /// The sum of its bytes before; nothing if there was no such file.
    before: Option<String>,
    /// The sum of its bytes after.
    after: String,
    /// What turns the bytes after into those before.
    back: Vec<Patch>,
    /// The values of our entries.
    pub(crate) written: Vec<Value>,
    /// The objects and lists, by their keys, that our entries went into and that were there before.
    pub(crate) stood: Vec<Vec<String>>,
    /// Whether its last line had no ending.
    pub(crate) unended: bool,
    /// Whether the file is ours: it goes when nothing else is left in it.
    pub(crate) created: bool,
}

/// Bytes that were replaced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Patch {
    /// Where, in the bytes after.
    at: usize,
    /// How many bytes stand there now.
    len: usize,
    /// What stood there before, in Base64.
    was: String,
}

impl FileReceipt {
    /// Writes a receipt for a file.
    pub(crate) fn new(path: &Path, before: Option<&[u8]>, after: &[u8]) -> Self {
        Self {
            path: path.to_path_buf(),
            before: before.map(sum),
            after: sum(after),
            back: patches(after, before.unwrap_or_default()),
            written: Vec::new(),
            stood: Vec::new(),
            unended: before.is_some_and(|before| !before.is_empty() && !before.ends_with(b"\n")),
            created: before.is_none(),
        }
    }

    /// Tells whether bytes are those that setup left.
    pub(crate) fn is_as_left(&self, bytes: &[u8]) -> bool {
        sum(bytes) == self.after
    }

    /// Returns the bytes before, from those after. The outer nothing: that cannot be told. The inner one: there was no such file.
    pub(crate) fn restored(&self, after: &[u8]) -> Option<Option<Vec<u8>>> {
        if !self.is_as_left(after) {
            return None;
        }
        let Some(before) = &self.before else {
            return Some(None);
        };
        let mut bytes = Vec::new();
        let mut at = 0;
        for patch in &self.back {
            bytes.extend_from_slice(after.get(at..patch.at)?);
            bytes.extend(STANDARD.decode(&patch.was).ok()?);
            at = patch.at.checked_add(patch.len)?;
        }
        bytes.extend_from_slice(after.get(at..)?);
        (sum(&bytes) == *before).then_some(Some(bytes))
    }
}

impl Receipt {
    /// Returns what is known of a file.
    pub(crate) fn of(&self, path: &Path) -> Option<&FileReceipt> {
        self.files.iter().find(|file| file.path == path)
    }

    /// Reads the receipt of a wish; an empty one if there is none that can be believed.
    pub(crate) fn read(state: Option<&Path>, wish: &Wish) -> Self {
        let read = |state: &Path| {
            let path = place(state, wish);
            let bytes = is_private(&path).then(|| fs::read(&path).ok()).flatten()?;
            serde_json::from_slice(&bytes).ok()
        };
        state.and_then(read).unwrap_or_default()
    }

    /// Keeps the receipt.
    pub(crate) fn write(&self, state: &Path, wish: &Wish) -> io::Result<()> {
        let path = place(state, wish);
        let folder = path.parent().unwrap_or(state);
        make_private(folder)?;
        // Such files are made for their owner alone.
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer(&mut file, self)?;
        file.flush()?;
        file.persist(&path).map_err(|error| error.error)?;
        Ok(())
    }

    /// Throws the receipt away.
    pub(crate) fn forget(state: &Path, wish: &Wish) -> io::Result<()> {
        match fs::remove_file(place(state, wish)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

fn place(state: &Path, wish: &Wish) -> PathBuf {
    let of = match wish.scope {
        Scope::Project => &wish.places.project,
        Scope::User => &wish.places.home,
    };
    let sum = xxh3_64(of.as_os_str().as_encoded_bytes());
    let (agent, scope) = (wish.agent.name(), wish.scope.name());
    state
        .join(FOLDER)
        .join(format!("{agent}-{scope}-{sum:016x}.json"))
}

fn sum(bytes: &[u8]) -> String {
    format!("{:032x}", xxh3_128(bytes))
}

/// Returns what turns `from` into `to`, line by line.
fn patches(from: &[u8], to: &[u8]) -> Vec<Patch> {
    let lines = |bytes: &[u8]| -> Vec<Vec<u8>> {
        bytes
            .split_inclusive(|&byte| byte == b'\n')
            .map(<[u8]>::to_vec)
            .collect()
    };
    let (from, to) = (lines(from), lines(to));
    let starts: Vec<usize> = std::iter::once(0)
        .chain(from.iter().scan(0, |at, line| {
            *at += line.len();
            Some(*at)
        }))
        .collect();
    let changes = capture_diff_slices(Algorithm::Myers, &from, &to);
    let changes = changes
        .into_iter()
        .filter(|change| change.tag() != DiffTag::Equal);
    changes
        .map(|change| {
            let (old, new) = (change.old_range(), change.new_range());
            Patch {
                at: starts[old.start],
                len: starts[old.end] - starts[old.start],
                was: STANDARD.encode(to[new].concat()),
            }
        })
        .collect()
}

#[cfg(unix)]
fn is_private(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let facts = fs::symlink_metadata(path);
    // A file that only its owner can write, in a folder of the same owner.
    let owner = path.parent().and_then(|folder| fs::metadata(folder).ok());
    facts.is_ok_and(|facts| {
        facts.is_file()
            && facts.mode() & 0o022 == 0
            && owner.is_some_and(|folder| folder.uid() == facts.uid() && folder.mode() & 0o022 == 0)
    })
}

#[cfg(not(unix))]
fn is_private(path: &Path) -> bool {
    path.is_file()
}

#[cfg(unix)]
fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
}

#[cfg(not(unix))]
fn make_private(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::FileReceipt;

    #[test]
    fn a_receipt_gives_the_bytes_back_and_holds_only_what_was_replaced() {
        let before = b"{\r\n  \"token\": \"secret\",\r\n  \"a\": 1\r\n}".as_slice();
        let after = b"{\r\n  \"token\": \"secret\",\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}\n".as_slice();
        let receipt = FileReceipt::new(Path::new("/x"), Some(before), after);
        assert_eq!(receipt.restored(after), Some(Some(before.to_vec())));
        assert_eq!(receipt.restored(before), None);
        let kept: String = receipt.back.iter().map(|patch| patch.was.clone()).collect();
        assert_eq!(kept, "ICAiYSI6IDENCn0=", "two lines");
        let made = FileReceipt::new(Path::new("/x"), None, after);
        assert_eq!(made.restored(after), Some(None));
    }
}
