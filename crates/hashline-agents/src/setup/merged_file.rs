//! Merges one configuration file: computes its bytes with hashline's entries, and its bytes without them.

use crate::setup::agents::{AgentFile, FileContent};
use crate::setup::error::SetupError;
use crate::setup::merge::json::{self, JsonEntry};
use crate::setup::merge::{
    MergeError, MergeProblem, MergeRules, Merged, OnConflict, Reach, section, toml,
};
use crate::setup::ownership::{CallKind, Ownership};
use crate::setup::read::{BOM, DiskFile};
use crate::setup::receipt::{FileReceipt, Original};
use crate::setup::text::without_ending;

/// The inputs for merging one file: the content that setup wants in it, its bytes on disk, and the receipt of an earlier setup.
#[derive(Debug)]
pub(crate) struct FileMerge<'a> {
    wanted: &'a AgentFile,
    found: &'a DiskFile,
    /// The receipt of an earlier setup, if it belongs to the file that is on disk now.
    pub(crate) receipt: Option<&'a FileReceipt>,
    /// The receipt of an earlier setup, if the file on disk is not the one that setup wrote: it was replaced since.
    stale: Option<&'a FileReceipt>,
    ownership: Ownership,
}

/// The result of a merge: a configuration file with hashline's entries, or without them.
#[derive(Debug)]
pub(crate) struct MergedFile {
    /// The new bytes of the file; `None` if the file is to be removed.
    pub(crate) bytes: Option<Vec<u8>>,
    /// The names of entries that the user wrote or changed, and that the merge therefore left unchanged.
    pub(crate) kept: Vec<String>,
}

impl MergedFile {
    fn of(bytes: impl Into<Option<Vec<u8>>>) -> Self {
        Self {
            bytes: bytes.into(),
            kept: Vec::new(),
        }
    }

    fn kept_whole(bytes: &[u8]) -> Self {
        Self {
            bytes: Some(bytes.to_vec()),
            kept: vec!["the whole file".to_owned()],
        }
    }
}

impl<'a> FileMerge<'a> {
    /// Combines the wanted content, the file on disk and an earlier receipt. Entries that run `command` count as hashline's.
    pub(crate) fn new(
        wanted: &'a AgentFile,
        found: &'a DiskFile,
        receipt: Option<&'a FileReceipt>,
        command: &str,
    ) -> Self {
        let written = receipt.map(|receipt| receipt.content.values());
        let written = written.unwrap_or_default();
        let ownership = Ownership::new(command, &written);
        let is_about = |receipt: &&FileReceipt| is_about(receipt, wanted, found, &ownership);
        Self {
            wanted,
            found,
            receipt: receipt.filter(is_about),
            stale: receipt.filter(|receipt| !is_about(receipt)),
            ownership,
        }
    }

    /// Returns the file with hashline's entries added or updated.
    pub(crate) fn installed(&self, on_conflict: OnConflict) -> Result<MergedFile, SetupError> {
        let bytes = self.found.bytes.as_deref();
        let (mark, text) = match &self.wanted.content {
            // It need not be text.
            FileContent::Whole(ours) => return Ok(self.whole(bytes, ours, on_conflict)),
            _ => self.decoded(bytes.unwrap_or_default())?,
        };
        let reach = match on_conflict {
            OnConflict::Keep => Reach::Ours,
            OnConflict::Replace => Reach::Anything,
        };
        let rules = self.rules(reach, on_conflict);
        let merged = match &self.wanted.content {
            FileContent::Json(entries) => self
                .without_obsolete(text, entries)
                .and_then(|text| json::install(&text, entries, &rules)),
            FileContent::Toml(table) => toml::install(text, table, &rules),
            FileContent::Section(section) => section::install(text, section, rules.edited),
            FileContent::Whole(_) => Ok(Merged::from(text.to_owned())),
        };
        let merged = merged.map_err(|why| self.error(why))?;
        Ok(MergedFile {
            bytes: Some([mark, &merged.text].concat().into_bytes()),
            kept: merged.kept,
        })
    }

    /// Returns the file as if setup had never been run, which is what uninstall restores.
    pub(crate) fn base(&self, on_conflict: OnConflict) -> Result<MergedFile, SetupError> {
        let (reach, edited) = match (self.receipt, &self.wanted.content) {
            (Some(_), _) if on_conflict == OnConflict::Replace => (Reach::Running, on_conflict),
            (Some(_), _) => (Reach::Ours, on_conflict),
            (None, FileContent::Whole(_)) => (Reach::AsWritten, OnConflict::Keep),
            (None, _) => (Reach::AsWritten, on_conflict),
        };
        match self.restored() {
            Some(bytes) => Ok(MergedFile::of(bytes)),
            None => self.without(reach, edited),
        }
    }

    /// Returns the file without hashline's entries. List items of unknown origin stay in the file, and are reported in `kept`.
    pub(crate) fn uninstalled(&self, on_conflict: OnConflict) -> Result<MergedFile, SetupError> {
        let mut merged = self.surely_without(on_conflict)?;
        let (Some(stale), Some(bytes)) = (self.stale, &merged.bytes) else {
            return Ok(merged);
        };
        if let (FileContent::Json(entries), (_, text)) = (&stale.content, self.decoded(bytes)?) {
            let left = json::present_texts(text, entries, &self.ownership).into_iter();
            let is_theirs = |name: &String| stale.replaced.iter().any(|one| one.name == *name);
            merged.kept.extend(left.filter(|name| !is_theirs(name)));
        }
        Ok(merged)
    }

    fn surely_without(&self, on_conflict: OnConflict) -> Result<MergedFile, SetupError> {
        let reach = match on_conflict {
            OnConflict::Keep => Reach::Ours,
            OnConflict::Replace => Reach::Forced,
        };
        let has_replaced = self.receipt.is_some_and(|known| !known.replaced.is_empty());
        match self.restored() {
            Some(bytes) if !has_replaced => Ok(MergedFile::of(bytes)),
            // What was there before may run hashline as well: it is reported, or removed with --force.
            Some(bytes @ Some(_)) => {
                let real = self.found.real.clone();
                let before = FileMerge {
                    found: &DiskFile { real, bytes },
                    ownership: self.ownership.clone(),
                    ..*self
                };
                before.without(reach, on_conflict)
            }
            _ => self.without(reach, on_conflict),
        }
    }

    /// Makes the receipt for the file. `all` has the receipts of all agents for this file, since several agents may share one AGENTS.md.
    pub(crate) fn new_receipt(
        &self,
        base: Option<&[u8]>,
        after: &[u8],
        all: &[FileReceipt],
    ) -> FileReceipt {
        let mut receipt = FileReceipt::new(self.wanted, self.found, base, after);
        receipt.original.created |= self.receipt.is_some_and(|known| known.original.created);
        let text = base.and_then(|base| std::str::from_utf8(base).ok());
        let Some(text) = text.map(|text| text.trim_start_matches(BOM)) else {
            return receipt;
        };
        match &self.wanted.content {
            FileContent::Json(entries) => {
                (receipt.parents, receipt.replaced) =
                    json::before_setup(text, entries, &self.ownership);
            }
            FileContent::Toml(table) => {
                receipt.replaced = toml::before_setup(text, table).into_iter().collect();
            }
            FileContent::Section(_) if section::has_any(text) => {
                let known = all.first().map(|other| other.original);
                // If there are only sections of other agents, the file is removed with the last of them.
                receipt.original = known.unwrap_or(Original {
                    unended: false,
                    created: section::is_blank(text),
                });
            }
            FileContent::Section(_) | FileContent::Whole(_) => {}
        }
        receipt
    }

    /// Returns the bytes from before setup, computed from the receipt; the outer `None` if the file changed since setup or has no receipt.
    fn restored(&self) -> Option<Option<Vec<u8>>> {
        let bytes = self.found.bytes.as_deref()?;
        self.receipt.and_then(|receipt| receipt.restored(bytes))
    }

    /// Removes the entries that an earlier setup wrote and the current version of setup no longer writes.
    fn without_obsolete(&self, text: &str, entries: &[JsonEntry]) -> Result<String, MergeError> {
        let Some(FileContent::Json(earlier)) = self.receipt.map(|receipt| &receipt.content) else {
            return Ok(text.to_owned());
        };
        let is_wanted = |entry: &JsonEntry| entries.iter().any(|one| one.name() == entry.name());
        let mut obsolete = earlier.clone();
        obsolete.retain(|entry| !is_wanted(entry));
        let rules = self.rules(Reach::AsWritten, OnConflict::Keep);
        json::uninstall(text, &obsolete, &rules).map(|merged| merged.text)
    }

    fn rules(&self, reach: Reach, edited: OnConflict) -> MergeRules<'_> {
        MergeRules {
            ownership: &self.ownership,
            reach,
            edited,
            receipt: self.receipt,
        }
    }

    /// Returns the new content of a file that setup writes as a whole; a file that the user changed stays as it is, unless conflicts are to be
    /// replaced.
    fn whole(&self, bytes: Option<&[u8]>, ours: &str, on_conflict: OnConflict) -> MergedFile {
        let is_theirs = |bytes: &&[u8]| {
            *bytes != ours.as_bytes()
                && on_conflict == OnConflict::Keep
                && !self.receipt.is_some_and(|known| known.is_as_left(bytes))
        };
        match bytes.filter(is_theirs) {
            None => MergedFile::of(ours.as_bytes().to_vec()),
            Some(theirs) => MergedFile::kept_whole(theirs),
        }
    }

    /// Removes our entries within `reach`; `edited` decides about sections and whole files that the user edited.
    fn without(&self, reach: Reach, edited: OnConflict) -> Result<MergedFile, SetupError> {
        let Some(bytes) = &self.found.bytes else {
            return Ok(MergedFile::of(None));
        };
        let earlier = self.receipt.map(|receipt| &receipt.content);
        let content = self.wanted.content.with(earlier);
        if let FileContent::Whole(ours) = &content {
            let is_removed = bytes == ours.as_bytes() || edited == OnConflict::Replace;
            return Ok(match self.receipt.map(FileReceipt::before_whole) {
                _ if !is_removed => MergedFile::kept_whole(bytes),
                None | Some(Some(None)) => MergedFile::of(None),
                Some(Some(before)) => MergedFile::of(before),
                // It was the user's before, and setup has never written it.
                Some(None) => MergedFile::of(bytes.clone()),
            });
        }
        let (mark, text) = self.decoded(bytes)?;
        let rules = self.rules(reach, edited);
        let without = match &content {
            FileContent::Json(entries) => json::uninstall(text, entries, &rules),
            FileContent::Toml(table) => toml::uninstall(text, table, &rules),
            FileContent::Section(section) => section::uninstall(text, section, rules.edited),
            FileContent::Whole(_) => Ok(Merged::from(text.to_owned())),
        };
        let without = without.map_err(|why| self.error(why))?;
        let bare = self.without_our_ending(text, &without.text);
        let is_blank = match &content {
            FileContent::Json(_) => json::is_blank(bare),
            _ => bare.trim().is_empty(),
        };
        let is_made = self.receipt.is_none_or(|receipt| receipt.original.created);
        let is_removed = is_blank && bare != text && is_made && self.stale.is_none();
        Ok(MergedFile {
            bytes: (!is_removed).then(|| [mark, bare].concat().into_bytes()),
            kept: without.kept,
        })
    }

    /// Removes the line ending that setup had to add to the last line before it could append to the file.
    fn without_our_ending<'t>(&self, text: &str, without: &'t str) -> &'t str {
        let was_unended = self.receipt.is_some_and(|known| known.original.unended);
        let is_last = without != text && text.starts_with(without) && !section::has_any(without);
        if !(was_unended && is_last) {
            return without;
        }
        without_ending(without).unwrap_or_else(|| without.strip_suffix('\r').unwrap_or(without))
    }

    /// Splits the bytes of the file into its byte order mark (or an empty string) and the text after the mark.
    fn decoded<'b>(&self, bytes: &'b [u8]) -> Result<(&'b str, &'b str), SetupError> {
        let text = utf8(bytes).map_err(|why| self.error(why))?;
        Ok(match text.strip_prefix(BOM) {
            Some(rest) => (BOM, rest),
            None => ("", text),
        })
    }

    fn error(&self, why: MergeError) -> SetupError {
        let path = self.wanted.path.clone();
        SetupError::Merge { path, why }
    }
}

/// Returns bytes as text, or an error with the position of the first byte that is not UTF-8.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, MergeError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        MergeProblem::NotText.at(&valid, valid.len())
    })
}

/// Returns whether a receipt belongs to the file on disk: the file is exactly as setup left it, or still has an entry of hashline. Any other file was
/// put in its place by the user, and the receipt does not apply to it.
fn is_about(
    receipt: &FileReceipt,
    wanted: &AgentFile,
    found: &DiskFile,
    ownership: &Ownership,
) -> bool {
    let Some(bytes) = &found.bytes else {
        return false;
    };
    let text = std::str::from_utf8(bytes).map(|text| text.trim_start_matches(BOM));
    let (false, Ok(text)) = (receipt.is_as_left(bytes), text) else {
        return true;
    };
    match &wanted.content.with(Some(&receipt.content)) {
        FileContent::Json(entries) => json::runs_hashline(text, entries, ownership),
        FileContent::Toml(table) => toml::look_up(text, table).is_ok_and(|found| {
            found.is_some_and(|found| ownership.runs_hashline(&found, CallKind::Anything))
        }),
        FileContent::Section(section) => section::is_current(text, section) != Ok(None),
        FileContent::Whole(_) => true,
    }
}
