//! Receipts: what setup did, so that uninstall can give every byte back.
//!
//! A receipt holds the lines that setup replaced, never the rest of a file, and a sum of the file before and after. It lies in the state
//! directory, for its owner alone. Bytes are given back only where the sums agree: otherwise our entries are looked for, and what the receipt
//! says stood there before stays.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use similar::{Algorithm, DiffTag, capture_diff_slices};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use crate::setup::agent::{Scope, Wish};
use crate::setup::disk::{self, Seen};
use crate::setup::merge::{Known, Theirs};
use crate::setup::targets::{Target, What};

/// The folder of receipts in the state directory.
pub(crate) const FOLDER: &str = "setup-1";
/// No receipt is larger.
const LARGEST: u64 = 64 << 20;

/// What setup did for one agent in one place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Receipt {
    /// The files it wrote.
    pub(crate) files: Vec<FileReceipt>,
    /// The folders it made.
    pub(crate) folders: Vec<PathBuf>,
    /// The dialect it was told.
    #[serde(default)]
    pub(crate) dialect: Option<String>,
}

/// What setup did to one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FileReceipt {
    /// The file.
    pub(crate) path: PathBuf,
    /// Where it really lies.
    pub(crate) real: PathBuf,
    /// What went into it.
    pub(crate) what: What,
    /// The sum of its bytes before; nothing if there was no such file.
    before: Option<String>,
    /// The sum of its bytes after.
    after: String,
    /// What turns the bytes after into those before.
    back: Vec<Patch>,
    /// The objects and lists, by their keys, that our entries went into and that were there before.
    pub(crate) stood: Vec<Vec<String>>,
    /// What stood in the place of our entries.
    pub(crate) theirs: Vec<Theirs>,
    /// How the file was before any of ours came into it.
    pub(crate) origin: Origin,
}

/// How a file was before any of ours came into it. Agents that share a file share this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Origin {
    /// Whether its last line had no ending.
    pub(crate) unended: bool,
    /// Whether the file is ours: it goes when nothing else is left in it.
    pub(crate) created: bool,
}

impl Origin {
    /// Returns how a file is that none of ours has been in.
    pub(crate) fn of(bytes: Option<&[u8]>) -> Self {
        let text = bytes.map(|bytes| bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes));
        Self {
            unended: text.is_some_and(|text| !text.is_empty() && !text.ends_with(b"\n")),
            created: bytes.is_none(),
        }
    }
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
    pub(crate) fn new(target: &Target, seen: &Seen, base: Option<&[u8]>, after: &[u8]) -> Self {
        Self {
            path: target.path.clone(),
            real: seen.real.clone(),
            what: target.what.without_text(),
            before: base.map(sum),
            after: sum(after),
            back: match (&target.what, base) {
                // All of it was replaced, so it can be given back whatever became of the rest.
                (What::Whole(_), Some(base)) if base != after => vec![Patch {
                    at: 0,
                    len: after.len(),
                    was: STANDARD.encode(base),
                }],
                _ => patches(after, base.unwrap_or_default()),
            },
            stood: Vec::new(),
            theirs: Vec::new(),
            origin: Origin::of(base),
        }
    }

    /// Returns what it says about the entries of the file.
    pub(crate) fn known(&self) -> Known<'_> {
        Known {
            stood: &self.stood,
            theirs: &self.theirs,
        }
    }

    /// Returns the values of the entries that setup wrote.
    pub(crate) fn written(&self) -> Vec<Value> {
        self.what.values()
    }

    /// Tells whether bytes are those that setup left.
    pub(crate) fn is_as_left(&self, bytes: &[u8]) -> bool {
        sum(bytes) == self.after
    }

    /// Returns the bytes before of a file that was replaced as a whole. The outer nothing: they are not known. The inner one: there was no such
    /// file.
    pub(crate) fn original(&self) -> Option<Option<Vec<u8>>> {
        let (Some(before), [patch]) = (&self.before, self.back.as_slice()) else {
            return self.before.is_none().then_some(None);
        };
        let bytes = STANDARD.decode(&patch.was).ok()?;
        (sum(&bytes) == *before).then_some(Some(bytes))
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

    /// Returns what is known of files other than these.
    pub(crate) fn elsewhere(&self, targets: &[Target]) -> impl Iterator<Item = &FileReceipt> {
        let is_target = |path: &Path| targets.iter().any(|target| target.path == path);
        let files = self.files.iter();
        files.filter(move |file| !is_target(&file.path))
    }

    /// Reads the receipt of a wish; nothing if there is none that can be believed.
    pub(crate) fn read(state: Option<&Path>, wish: &Wish) -> Option<Self> {
        read(&place(state?, wish))
    }

    /// Returns where the receipt of a wish lies that is there and cannot be believed.
    pub(crate) fn doubted(state: Option<&Path>, wish: &Wish) -> Option<PathBuf> {
        let path = place(state?, wish);
        let is_there = fs::symlink_metadata(&path).is_ok();
        (is_there && read(&path).is_none()).then_some(path)
    }

    /// Returns what the receipts of all agents say about one file, wherever it really lies.
    pub(crate) fn all_of(state: Option<&Path>, real: &Path) -> Vec<FileReceipt> {
        let folder = state.and_then(|state| fs::read_dir(state.join(FOLDER)).ok());
        let entries = folder.into_iter().flatten().filter_map(Result::ok);
        let receipts = entries.filter_map(|entry| read(&entry.path()));
        let files = receipts.flat_map(|receipt| receipt.files);
        files.filter(|file| file.real == real).collect()
    }

    /// Keeps the receipt; one that says nothing is thrown away.
    pub(crate) fn write(&self, state: &Path, wish: &Wish) -> io::Result<()> {
        let path = place(state, wish);
        if self.files.is_empty() {
            return forget(&path);
        }
        let folder = path.parent().unwrap_or(state);
        make_private(folder)?;
        // Such files are made for their owner alone.
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer(&mut file, self)?;
        file.flush()?;
        file.persist(&path).map_err(|error| error.error)?;
        Ok(())
    }
}

fn read(path: &Path) -> Option<Receipt> {
    let file = open(path).ok()?;
    is_private(&file, path).then_some(())?;
    let mut bytes = Vec::new();
    file.take(LARGEST).read_to_end(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

fn forget(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Returns where the receipt of a wish lies: one for each agent and project, or for each folder of the agent's own.
fn place(state: &Path, wish: &Wish) -> PathBuf {
    let of = match wish.scope {
        Scope::Project => wish.places.project.clone(),
        Scope::User => wish.places.own_folder(wish.agent),
    };
    let of = disk::without_links(&of).unwrap_or(of);
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

/// Opens a receipt, but no link and nothing that would have us wait.
#[cfg(unix)]
fn open(path: &Path) -> io::Result<fs::File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty())?.into())
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<fs::File> {
    fs::File::open(path)
}

#[cfg(unix)]
fn is_private(file: &fs::File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    // A file that only its owner can write, in a folder of the same owner.
    let owner = path.parent().and_then(|folder| fs::metadata(folder).ok());
    file.metadata().is_ok_and(|facts| {
        facts.is_file()
            && facts.mode() & 0o022 == 0
            && owner.is_some_and(|folder| folder.uid() == facts.uid() && folder.mode() & 0o022 == 0)
    })
}

#[cfg(not(unix))]
fn is_private(file: &fs::File, _path: &Path) -> bool {
    file.metadata().is_ok_and(|facts| facts.is_file())
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

    use super::{FileReceipt, Origin, read};
    use crate::setup::disk::Seen;
    use crate::setup::targets::{Target, What};

    fn receipt(base: Option<&[u8]>, after: &[u8]) -> FileReceipt {
        let target = Target::new(PathBuf::from("/x"), What::Json(Vec::new()));
        let seen = Seen {
            real: PathBuf::from("/x"),
            bytes: None,
        };
        FileReceipt::new(&target, &seen, base, after)
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
        assert!(!Origin::of(Some("\u{feff}".as_bytes())).unended);
        assert!(Origin::of(Some("\u{feff}a".as_bytes())).unended);
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
