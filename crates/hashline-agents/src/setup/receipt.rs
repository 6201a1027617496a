//! Receipts: files that record what setup changed, so that uninstall can restore every byte.
//!
//! A receipt has the lines that setup replaced, never the rest of a file, and a checksum of the file before and after setup. Receipts are in the
//! state directory, readable by their owner alone. Uninstall restores the original bytes only if the checksums match. Otherwise it searches for
//! hashline's entries, and keeps entries that the receipt lists as older than setup.

use std::fs;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hashline_core::text::LineSpan;
use hashline_core::{Document, diff};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use crate::setup::agents::{AgentFile, FileContent};
use crate::setup::merge::Replaced;
use crate::setup::options::{Scope, SetupOptions};
use crate::setup::read::{BOM, DiskFile, read_regular, without_links};

/// The name of the folder for receipts in the state directory.
pub(crate) const FOLDER: &str = "setup-1";

/// The record of what setup changed for one agent, in one project or for one user.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Receipt {
    /// The files that setup wrote.
    pub(crate) files: Vec<FileReceipt>,
    /// The folders that setup created.
    pub(crate) folders: Vec<PathBuf>,
    /// The name of the dialect that was chosen for the agent.
    #[serde(default)]
    pub(crate) dialect: Option<String>,
}

/// The record of what setup changed in one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FileReceipt {
    /// The path of the file as the agent uses it.
    pub(crate) path: PathBuf,
    /// The path of the file with symbolic links resolved.
    pub(crate) real: PathBuf,
    /// The entries that setup wrote into the file.
    #[serde(rename = "what")]
    pub(crate) content: FileContent,
    /// The checksum of the file before setup; `None` if there was no such file.
    before: Option<String>,
    /// The checksum of the file after setup.
    after: String,
    /// The patches that turn the bytes after setup into the bytes before setup.
    back: Vec<Patch>,
    /// The key paths of the JSON objects and lists that contain our entries and that existed before setup, so uninstall does not remove them.
    #[serde(rename = "stood")]
    pub(crate) parents: Vec<Vec<String>>,
    /// The entries that setup replaced by its own.
    #[serde(rename = "theirs")]
    pub(crate) replaced: Vec<Replaced>,
    /// Facts about the file from before it had any entry of hashline.
    #[serde(rename = "origin")]
    pub(crate) original: Original,
}

/// Facts about a file from before it had any entry of hashline. Agents that share a file have the same facts in their receipts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Original {
    /// Whether the last line of the file had no line ending.
    pub(crate) unended: bool,
    /// Whether setup created the file, so that uninstall removes it once only hashline's entries are left in it.
    pub(crate) created: bool,
}

impl Original {
    /// Collects the facts about a file that has no entries of hashline; `None` means that there is no such file.
    pub(crate) fn of(bytes: Option<&[u8]>) -> Self {
        let text = bytes.map(|bytes| bytes.strip_prefix(BOM.as_bytes()).unwrap_or(bytes));
        Self {
            unended: text.is_some_and(|text| !text.is_empty() && !text.ends_with(b"\n")),
            created: bytes.is_none(),
        }
    }
}

/// A range of bytes in the file after setup, and the bytes that it replaced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Patch {
    /// The offset of the range, in the file after setup.
    at: usize,
    /// The length of the range, in the file after setup.
    len: usize,
    /// The bytes before setup, in Base64.
    was: String,
}

impl FileReceipt {
    /// Makes the receipt for a file, from its bytes without hashline's entries (`base`) and its bytes with them (`after`).
    pub(crate) fn new(
        file: &AgentFile,
        found: &DiskFile,
        base: Option<&[u8]>,
        after: &[u8],
    ) -> Self {
        Self {
            path: file.path.clone(),
            real: found.real.clone(),
            content: file.content.without_text(),
            before: base.map(sum),
            after: sum(after),
            back: match (&file.content, base) {
                // All of it was replaced, so it can be given back whatever became of the rest.
                (FileContent::Whole(_), Some(base)) if base != after => vec![Patch {
                    at: 0,
                    len: after.len(),
                    was: STANDARD.encode(base),
                }],
                _ => patches(after, base.unwrap_or_default()),
            },
            parents: Vec::new(),
            replaced: Vec::new(),
            original: Original::of(base),
        }
    }

    /// Returns whether bytes are exactly those that setup wrote.
    pub(crate) fn is_as_left(&self, bytes: &[u8]) -> bool {
        sum(bytes) == self.after
    }

    /// Returns the bytes from before setup of a file that setup replaced as a whole. `None` if they are not known, `Some(None)` if there was no such
    /// file.
    pub(crate) fn before_whole(&self) -> Option<Option<Vec<u8>>> {
        let (Some(before), [patch]) = (&self.before, self.back.as_slice()) else {
            return self.before.is_none().then_some(None);
        };
        let bytes = STANDARD.decode(&patch.was).ok()?;
        (sum(&bytes) == *before).then_some(Some(bytes))
    }

    /// Computes the bytes from before setup out of the bytes after setup. `None` if the receipt does not match, `Some(None)` if there was no such
    /// file.
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
        // A damaged receipt must not write anything else into the file.
        (sum(&bytes) == *before).then_some(Some(bytes))
    }
}

impl Receipt {
    /// Returns the receipt for the file at a path.
    pub(crate) fn of(&self, path: &Path) -> Option<&FileReceipt> {
        self.files.iter().find(|file| file.path == path)
    }

    /// Returns the receipts for all files that are not in the list `files`.
    pub(crate) fn elsewhere(&self, files: &[AgentFile]) -> impl Iterator<Item = &FileReceipt> {
        let is_among = |path: &Path| files.iter().any(|file| file.path == path);
        let known = self.files.iter();
        known.filter(move |file| !is_among(&file.path))
    }

    /// Reads the saved receipt for an agent and scope; `None` if there is none, or if it is damaged or others may write it.
    pub(crate) fn read(state: Option<&Path>, options: &SetupOptions) -> Option<Self> {
        read(&place(state?, options))
    }

    /// Returns the path of a receipt that exists but is damaged or may be written by others; `None` if the receipt is fine or missing.
    pub(crate) fn unusable(state: Option<&Path>, options: &SetupOptions) -> Option<PathBuf> {
        let path = place(state?, options);
        let is_there = fs::symlink_metadata(&path).is_ok();
        (is_there && read(&path).is_none()).then_some(path)
    }

    /// Returns the records of one file from the receipts of all agents; `real` is its path with symbolic links resolved.
    pub(crate) fn all_of(state: Option<&Path>, real: &Path) -> Vec<FileReceipt> {
        let folder = state.and_then(|state| fs::read_dir(state.join(FOLDER)).ok());
        let entries = folder.into_iter().flatten().filter_map(Result::ok);
        let receipts = entries.filter_map(|entry| read(&entry.path()));
        let files = receipts.flat_map(|receipt| receipt.files);
        files.filter(|file| file.real == real).collect()
    }

    /// Saves the receipt in the state directory; a receipt that lists no files is deleted instead.
    pub(crate) fn write(&self, state: &Path, options: &SetupOptions) -> io::Result<()> {
        let path = place(state, options);
        if self.files.is_empty() {
            return forget(&path);
        }
        let folder = path.parent().unwrap_or(state);
        make_private(folder)?;
        // Written under another name first, so that no reader sees half of it. Temporary files are readable by their owner alone.
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer(&mut file, self)?;
        file.flush()?;
        file.persist(&path).map_err(|error| error.error)?;
        Ok(())
    }
}

fn read(path: &Path) -> Option<Receipt> {
    // A link is not followed: it may lead to a file that setup did not write.
    let facts = fs::symlink_metadata(path).ok()?;
    is_private(&facts, path).then_some(())?;
    serde_json::from_slice(&read_regular(path).ok()?).ok()
}

fn forget(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Returns the path of the receipt: there is one for each agent and project, and one for each agent and user folder.
fn place(state: &Path, options: &SetupOptions) -> PathBuf {
    let of = match options.scope {
        Scope::Project => options.places.project.clone(),
        Scope::User => options.places.own_folder(options.agent),
    };
    let of = without_links(&of).unwrap_or(of);
    let sum = xxh3_64(of.as_os_str().as_encoded_bytes());
    let (agent, scope) = (options.agent.name(), options.scope.name());
    state
        .join(FOLDER)
        .join(format!("{agent}-{scope}-{sum:016x}.json"))
}

fn sum(bytes: &[u8]) -> String {
    format!("{:032x}", xxh3_128(bytes))
}

/// Returns the patches that turn `from` into `to`, one for each run of changed lines.
fn patches(from: &[u8], to: &[u8]) -> Vec<Patch> {
    let (from, to) = (Document::new(from), Document::new(to));
    let patch = |at, len, was: &[u8]| Patch {
        at,
        len,
        was: STANDARD.encode(was),
    };
    // A mark at the beginning is in no line.
    if from.bom() != to.bom() {
        return vec![patch(0, from.bytes().len(), to.bytes())];
    }
    let (mut at, mut line) = (from.bom().len(), 0);
    let length = |lines: Range<usize>| from.slice(LineSpan::new(lines)).bytes().len();
    let changes = diff::changes(&from, &to);
    let patches = changes.iter().map(|change| {
        at += length(line..change.old.start());
        let replaced = length(change.old.range());
        let patch = patch(at, replaced, to.slice(change.new).bytes());
        (at, line) = (at + replaced, change.old.end());
        patch
    });
    patches.collect()
}

#[cfg(unix)]
fn is_private(facts: &fs::Metadata, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    // A file that only its owner can write, in a folder of the same owner.
    let owner = path.parent().and_then(|folder| fs::metadata(folder).ok());
    let is_writable_by_others = |facts: &fs::Metadata| facts.mode() & 0o022 != 0;
    facts.is_file()
        && !is_writable_by_others(facts)
        && owner
            .is_some_and(|folder| folder.uid() == facts.uid() && !is_writable_by_others(&folder))
}

#[cfg(not(unix))]
fn is_private(facts: &fs::Metadata, _path: &Path) -> bool {
    facts.is_file()
}

#[cfg(unix)]
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
}

#[cfg(not(unix))]
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{FileReceipt, Original, read};
    use crate::setup::agents::{AgentFile, FileContent};
    use crate::setup::read::DiskFile;

    fn receipt(base: Option<&[u8]>, after: &[u8]) -> FileReceipt {
        let file = AgentFile::new(PathBuf::from("/x"), FileContent::Json(Vec::new()));
        let found = DiskFile {
            real: PathBuf::from("/x"),
            bytes: None,
        };
        FileReceipt::new(&file, &found, base, after)
    }

    #[test]
    fn a_receipt_gives_the_bytes_back_and_holds_only_what_was_replaced() {
        let before = b"{\r\n  \"token\": \"secret\",\r\n  \"a\": 1\r\n}".as_slice();
        let after = b"{\r\n  \"token\": \"secret\",\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}\n".as_slice();
        let kept = receipt(Some(before), after);
        assert_eq!(kept.restored(after), Some(Some(before.to_vec())));
        assert_eq!(kept.restored(before), None);
        let held: String = kept.back.iter().map(|patch| patch.was.clone()).collect();
        assert_eq!(held, "ICAiYSI6IDENCn0=", "two lines");
        assert_eq!(receipt(None, after).restored(after), Some(None));
    }

    #[test]
    fn a_mark_alone_is_no_line_without_an_ending() {
        assert!(!Original::of(Some("\u{feff}".as_bytes())).unended);
        assert!(Original::of(Some("\u{feff}a".as_bytes())).unended);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_not_read_as_a_receipt() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        std::fs::write(&real, r#"{"files": [], "folders": []}"#)?;
        std::os::unix::fs::symlink(&real, &link)?;
        assert!(read(&real).is_some());
        assert!(read(&link).is_none());
        Ok(())
    }
}
